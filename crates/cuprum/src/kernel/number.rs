//! Numbers as a parameter's own type: exactly, or as the nearest where the type is a floating one, or not at all.

use cuprum_core::{DType, Number, Scalar};
use cuprum_kernel::ir::Element;

/// Why a number is not taken.
pub(super) enum Refusal {
    /// It is of another kind: a fraction for an integer, an imaginary part for a real number.
    Kind,
    /// It is beyond what the type can hold.
    Range,
}

/// The dtype of a parameter's type, where it is a number.
pub(super) fn dtype_of(element: &Element) -> Option<DType> {
    Some(match element {
        Element::Bool => DType::Bool,
        Element::Signed(1) => DType::I8,
        Element::Signed(2) => DType::I16,
        Element::Signed(4) => DType::I32,
        Element::Signed(8) => DType::I64,
        Element::Unsigned(1) => DType::U8,
        Element::Unsigned(2) => DType::U16,
        Element::Unsigned(4) => DType::U32,
        Element::Unsigned(8) => DType::U64,
        Element::Float(2) => DType::F16,
        Element::Float(4) => DType::F32,
        Element::Float(8) => DType::F64,
        Element::Bfloat => DType::BF16,
        Element::Complex(8) => DType::C64,
        Element::Complex(16) => DType::C128,
        _ => return None,
    })
}

/// A number as an element of a dtype.
pub(super) fn convert(number: Number, dtype: DType) -> Result<Scalar, Refusal> {
    match number {
        Number::Complex(..) if !dtype.is_complex() => return Err(Refusal::Kind),
        Number::Float(_) if dtype.is_integral() => return Err(Refusal::Kind),
        Number::Int(i) if dtype == DType::Bool && !(0..=1).contains(&i) => return Err(Refusal::Range),
        _ => {}
    }
    let scalar = match number {
        Number::Int(_) | Number::Huge(_) => {
            Scalar::new("kernel", number, dtype).map_err(|_| Refusal::Range)?
        }
        other => Scalar::wrapping(other, dtype),
    };
    if is_finite(number) && !is_finite(scalar.number()) { Err(Refusal::Range) } else { Ok(scalar) }
}

fn is_finite(number: Number) -> bool {
    match number {
        Number::Bool(_) | Number::Int(_) | Number::Huge(_) => true,
        Number::Float(x) => x.is_finite(),
        Number::Complex(re, im) => re.is_finite() && im.is_finite(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_parameters_type_or_are_refused() {
        let bytes = |number: Number, dtype| convert(number, dtype).ok().map(|s| s.bytes().to_vec());
        assert_eq!(bytes(Number::Int(-2), DType::I16), Some(vec![0xfe, 0xff]));
        assert_eq!(bytes(Number::Int(70_000), DType::I16), None);
        assert_eq!(bytes(Number::Int(-1), DType::U32), None);
        assert_eq!(bytes(Number::Float(0.5), DType::F32), Some(0.5f32.to_le_bytes().to_vec()));
        assert_eq!(bytes(Number::Float(1e300), DType::F32), None);
        assert!(bytes(Number::Float(f64::INFINITY), DType::F32).is_some());
        assert_eq!(bytes(Number::Float(2.0), DType::I32), None);
        assert_eq!(bytes(Number::Int(3), DType::F64), Some(3f64.to_le_bytes().to_vec()));
        assert_eq!(bytes(Number::Complex(1.0, 0.0), DType::F64), None);
        assert_eq!(bytes(Number::Int(2), DType::Bool), None);
    }
}
