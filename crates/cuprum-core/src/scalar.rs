//! Single values: a [`Number`] as a user writes it, a [`Scalar`] as bits of a dtype.

use half::{bf16, f16};

use crate::{DType, Error, Result, Weak};

/// A number before it has a dtype: what a Python scalar, or a Rust literal, says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A truth value; not weak, it has dtype `bool`.
    Bool(bool),
    /// An integer of up to 128 bits, enough to tell whether it fits 64.
    Int(i128),
    /// An integer of more than 128 bits, as the nearest float64; infinite where it is beyond those too.
    Huge(f64),
    /// A real number.
    Float(f64),
    /// A complex number, real part first.
    Complex(f64, f64),
}

impl Number {
    /// How this takes part in promotion; `None` for booleans, which do so as `bool`.
    pub fn weak(self) -> Option<Weak> {
        match self {
            Number::Bool(_) => None,
            Number::Int(_) | Number::Huge(_) => Some(Weak::Int),
            Number::Float(_) => Some(Weak::Float),
            Number::Complex(..) => Some(Weak::Complex),
        }
    }

    /// The dtype it has alone; integers beyond int64 are uint64.
    pub fn default_dtype(self) -> DType {
        match self {
            Number::Bool(_) => DType::Bool,
            Number::Int(i) if i > i64::MAX as i128 => DType::U64,
            Number::Huge(x) if x > 0.0 => DType::U64,
            other => other.weak().map_or(DType::Bool, Weak::default_dtype),
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        Number::Float(value)
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Number {
        Number::Float(value as f64)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Number {
        Number::Int(value as i128)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Int(value as i128)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Number {
        Number::Int(value as i128)
    }
}

impl From<bool> for Number {
    fn from(value: bool) -> Number {
        Number::Bool(value)
    }
}

/// One element: a dtype and its bytes, little-endian, padded with zeros.
///
/// ```
/// use cuprum_core::{DType, Number, Scalar};
/// let s = Scalar::new("full", Number::Int(3), DType::F32).unwrap();
/// assert_eq!(s.number(), Number::Float(3.0));
/// assert!(Scalar::new("full", Number::Int(300), DType::I8).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    dtype: DType,
    bytes: [u8; 16],
}

impl Scalar {
    /// The number as an element of `dtype`; an integer that does not fit an integer dtype is an error.
    pub fn new(op: &'static str, number: Number, dtype: DType) -> Result<Scalar> {
        match number {
            Number::Int(i) if !fits(i, dtype) => {
                Err(Error::overflow(op, format!("Python integer {i} out of bounds for {dtype}")))
            }
            Number::Huge(_) if dtype.is_integral() => {
                let message = format!("Python integer of more than 128 bits out of bounds for {dtype}");
                Err(Error::overflow(op, message))
            }
            Number::Huge(x) if x.is_infinite() => {
                Err(Error::overflow(op, format!("Python integer too large to convert to {dtype}")))
            }
            _ => Ok(Scalar::wrapping(number, dtype)),
        }
    }

    /// The number as an element of `dtype`, cast as `astype` casts.
    pub fn wrapping(number: Number, dtype: DType) -> Scalar {
        let mut bytes = [0; 16];
        let size = dtype.size();
        let (re, im) = match number {
            Number::Bool(b) => (f64::from(b as u8), 0.0),
            Number::Int(i) => (i as f64, 0.0),
            Number::Float(x) | Number::Huge(x) => (x, 0.0),
            Number::Complex(re, im) => (re, im),
        };
        let integer = match number {
            Number::Bool(b) => b as i128,
            Number::Int(i) => i,
            Number::Float(x) | Number::Huge(x) | Number::Complex(x, _) => float_to_int(x, dtype),
        };
        match dtype {
            DType::Bool => bytes[0] = u8::from(re != 0.0 || im != 0.0),
            DType::F16 => bytes[..2].copy_from_slice(&f16::from_f64(re).to_le_bytes()),
            DType::BF16 => bytes[..2].copy_from_slice(&bf16::from_f64(re).to_le_bytes()),
            DType::F32 => bytes[..4].copy_from_slice(&(re as f32).to_le_bytes()),
            DType::F64 => bytes[..8].copy_from_slice(&re.to_le_bytes()),
            DType::C64 => {
                bytes[..4].copy_from_slice(&(re as f32).to_le_bytes());
                bytes[4..8].copy_from_slice(&(im as f32).to_le_bytes());
            }
            DType::C128 => {
                bytes[..8].copy_from_slice(&re.to_le_bytes());
                bytes[8..].copy_from_slice(&im.to_le_bytes());
            }
            _ => bytes[..size].copy_from_slice(&integer.to_le_bytes()[..size]),
        }
        Scalar { dtype, bytes }
    }

    /// The element whose bytes these are.
    pub fn from_bytes(dtype: DType, source: &[u8]) -> Scalar {
        let mut bytes = [0; 16];
        bytes[..dtype.size()].copy_from_slice(&source[..dtype.size()]);
        Scalar { dtype, bytes }
    }

    /// Zero of a dtype.
    pub fn zero(dtype: DType) -> Scalar {
        Scalar { dtype, bytes: [0; 16] }
    }

    /// The element's dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The element's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.dtype.size()]
    }

    /// The same value in another dtype.
    pub fn cast(&self, dtype: DType) -> Scalar {
        if dtype == self.dtype { *self } else { Scalar::wrapping(self.number(), dtype) }
    }

    /// The value as a number.
    pub fn number(&self) -> Number {
        let b = &self.bytes;
        let word = u64::from_le_bytes(b[..8].try_into().expect("eight bytes"));
        let single = |at: usize| f32::from_le_bytes(b[at..at + 4].try_into().expect("four bytes")) as f64;
        match self.dtype {
            DType::Bool => Number::Bool(b[0] != 0),
            DType::I8 => Number::Int(b[0] as i8 as i128),
            DType::U8 => Number::Int(b[0] as i128),
            DType::I16 => Number::Int(word as i16 as i128),
            DType::U16 => Number::Int(word as u16 as i128),
            DType::I32 => Number::Int(word as i32 as i128),
            DType::U32 => Number::Int(word as u32 as i128),
            DType::I64 => Number::Int(word as i64 as i128),
            DType::U64 => Number::Int(word as i128),
            DType::F16 => Number::Float(f16::from_le_bytes([b[0], b[1]]).to_f64()),
            DType::BF16 => Number::Float(bf16::from_le_bytes([b[0], b[1]]).to_f64()),
            DType::F32 => Number::Float(single(0)),
            DType::F64 => Number::Float(f64::from_bits(word)),
            DType::C64 => Number::Complex(single(0), single(4)),
            DType::C128 => {
                let im = u64::from_le_bytes(b[8..].try_into().expect("eight bytes"));
                Number::Complex(f64::from_bits(word), f64::from_bits(im))
            }
        }
    }
}

/// Whether `i` is a value of the integer dtype; every other dtype takes every integer.
pub(crate) fn fits(i: i128, dtype: DType) -> bool {
    let (low, high) = match dtype {
        DType::I8 => (i8::MIN as i128, i8::MAX as i128),
        DType::U8 => (0, u8::MAX as i128),
        DType::I16 => (i16::MIN as i128, i16::MAX as i128),
        DType::U16 => (0, u16::MAX as i128),
        DType::I32 => (i32::MIN as i128, i32::MAX as i128),
        DType::U32 => (0, u32::MAX as i128),
        DType::I64 => (i64::MIN as i128, i64::MAX as i128),
        DType::U64 => (0, u64::MAX as i128),
        _ => return true,
    };
    (low..=high).contains(&i)
}

/// Truncation, with the "integer indefinite" value that x86 gives for what does not fit: of 32 bits for int32 and
/// narrower dtypes, which are the low bits of one, and of 64 for the others.
fn float_to_int(x: f64, dtype: DType) -> i128 {
    const TWO_31: f64 = (1u64 << 31) as f64;
    const TWO_63: f64 = (1u64 << 63) as f64;
    let t = x.trunc();
    if dtype.size() < 4 || dtype == DType::I32 {
        return if (-TWO_31..TWO_31).contains(&t) { t as i128 } else { i32::MIN as i128 };
    }
    let fits = (-TWO_63..TWO_63).contains(&t) || (dtype == DType::U64 && (TWO_63..2.0 * TWO_63).contains(&t));
    if fits { t as i128 } else { i64::MIN as i128 }
}
