//! Discrete Fourier transforms: `numpy.fft`.
//!
//! Everything is checked here and then is one library call, over all axes at once where none is named twice. Results
//! are of the input's precision: float16, bfloat16, float32 and complex64 are transformed in single, all else in double.

use cuprum_core::{Casting, DType, Dims, Error, Layout, Number, Op, Result, normalize_axis, show_shape};
use cuprum_graph::{Call, FftCall, FftKind, Slot, writable_buffer};

use crate::Array;
use crate::call::run_call;
use crate::creation::{arange, checked_size};
use crate::elementwise::{Arg, Options, apply, assign};
use crate::manipulation::{concatenate, roll};

/// The transforms, by the names of their one-dimensional forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Complex to complex, forward.
    Fft,
    /// Complex to complex, inverse.
    Ifft,
    /// Real input to the non-negative frequencies, forward.
    Rfft,
    /// Non-negative frequencies to real output, inverse.
    Irfft,
    /// The first half of a Hermitian-symmetric signal to its real spectrum, forward.
    Hfft,
    /// A real spectrum to the first half of its Hermitian-symmetric signal, inverse.
    Ihfft,
}

/// Normalisation (`norm=`): which direction divides by the length.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Norm {
    /// The inverse transform.
    #[default]
    Backward,
    /// Both, by the square root of the length.
    Ortho,
    /// The forward transform.
    Forward,
}

impl Norm {
    /// The norm of that name.
    pub fn from_name(name: &str) -> Option<Norm> {
        match name {
            "backward" => Some(Norm::Backward),
            "ortho" => Some(Norm::Ortho),
            "forward" => Some(Norm::Forward),
            _ => None,
        }
    }

    /// By what a transform of `n` numbers in all is multiplied.
    fn scale(self, inverse: bool, n: f64) -> f64 {
        match (self, inverse) {
            (Norm::Ortho, _) => 1.0 / n.sqrt(),
            (Norm::Backward, true) | (Norm::Forward, false) => 1.0 / n,
            _ => 1.0,
        }
    }
}

impl Family {
    fn kind(self) -> FftKind {
        match self {
            Family::Fft | Family::Ifft => FftKind::Complex,
            Family::Rfft | Family::Ihfft => FftKind::RealToHalf,
            Family::Irfft | Family::Hfft => FftKind::HalfToReal,
        }
    }

    fn is_inverse(self) -> bool {
        matches!(self, Family::Ifft | Family::Irfft | Family::Ihfft)
    }

    /// The transform along the other axes of several.
    fn complex(self) -> Family {
        if self.is_inverse() { Family::Ifft } else { Family::Fft }
    }

    /// The transform's length along its last axis, where the input has `length` elements and nobody said otherwise.
    fn default_length(self, length: usize) -> i64 {
        if self.kind() == FftKind::HalfToReal { 2 * (length as i64 - 1) } else { length as i64 }
    }

    /// The dtypes of a transform over so many axes.
    fn dtypes(self, op: &'static str, from: DType, axes: usize) -> Result<Dtypes> {
        let single = matches!(from, DType::F16 | DType::BF16 | DType::F32 | DType::C64);
        let (real, complex) = if single { (DType::F32, DType::C64) } else { (DType::F64, DType::C128) };
        Ok(match self.kind() {
            FftKind::Complex if from.is_complex() => Dtypes { input: complex, out: complex, result: complex },
            FftKind::Complex => Dtypes { input: real, out: complex, result: complex },
            FftKind::RealToHalf if from.is_complex() => {
                let message = format!(
                    "the input must be real, got {from}: take its real part, or use the complex transform"
                );
                return Err(Error::type_error(op, message));
            }
            FftKind::RealToHalf => Dtypes { input: real, out: complex, result: complex },
            FftKind::HalfToReal => {
                // As in NumPy, where complex passes over other axes come first.
                let is_half = matches!(from, DType::F16 | DType::BF16);
                let result = if is_half && axes == 1 { from } else { real };
                Dtypes { input: complex, out: real, result }
            }
        })
    }
}

/// What the input is converted to, what is computed, and what the user gets.
struct Dtypes {
    input: DType,
    out: DType,
    result: DType,
}

/// Transforms along one axis, cropped or zero-padded to `n` elements if that is given; errors name `op`.
///
/// ```
/// use cuprum::fft::{Family, Norm, along};
/// use cuprum::prelude::*;
/// let a = Array::from_slice(&[1.0, 2.0, 3.0, 4.0]);
/// let half = along("rfft", Family::Rfft, &a, None, -1, Norm::Backward, None).unwrap();
/// assert_eq!((half.dtype(), half.shape()), (DType::C128, &[3][..]));
/// let back = along("irfft", Family::Irfft, &half, Some(4), -1, Norm::Backward, None).unwrap();
/// assert_eq!(back.to_vec::<f64>().unwrap(), vec![1.0, 2.0, 3.0, 4.0]);
/// ```
pub fn along(
    op: &'static str,
    family: Family,
    a: &Array,
    n: Option<i64>,
    axis: i64,
    norm: Norm,
    out: Option<&Array>,
) -> Result<Array> {
    let n = match n {
        Some(n) => n,
        // NumPy reads the length from the shape first, so a bad axis is an IndexError here.
        None => family.default_length(a.shape()[indexed_axis(op, a, axis)?]),
    };
    let n = checked_length(op, n)?;
    let axis = normalize_axis(op, axis, a.ndim())?;
    run(op, family, a, &[axis], &[n], norm, out)
}

/// Transforms along several axes, the last one first: those in `axes`, else as many last axes as `s` has lengths,
/// else all. Real transforms are real along the last one.
///
/// ```
/// use cuprum::fft::{Family, Norm, over};
/// use cuprum::prelude::*;
/// let a = cuprum::creation::ones(&[4, 6], DType::F64).unwrap();
/// let half = over("rfftn", Family::Rfft, &a, None, None, Norm::Backward, None).unwrap();
/// assert_eq!(half.shape(), &[4, 4]);
/// let back = over("irfftn", Family::Irfft, &half, Some(&[4, 6]), None, Norm::Backward, None).unwrap();
/// assert!(back.to_vec::<f64>().unwrap().iter().all(|x| (x - 1.0).abs() < 1e-15));
/// ```
pub fn over(
    op: &'static str,
    family: Family,
    a: &Array,
    s: Option<&[i64]>,
    axes: Option<&[i64]>,
    norm: Norm,
    out: Option<&Array>,
) -> Result<Array> {
    let count = axes.map_or_else(|| s.map_or(a.ndim(), <[i64]>::len), <[i64]>::len);
    let named: Dims = match axes {
        Some(axes) if s.is_none() => axes.iter().map(|&x| indexed_axis(op, a, x)).collect::<Result<_>>()?,
        Some(axes) => axes.iter().map(|&x| normalize_axis(op, x, a.ndim())).collect::<Result<_>>()?,
        None => (-(count as i64)..0).map(|x| normalize_axis(op, x, a.ndim())).collect::<Result<_>>()?,
    };
    let Some((&last, others)) = named.split_last() else {
        return match family.kind() {
            FftKind::Complex => Ok(a.clone()),
            _ => Err(Error::bad_index(op, "at least one axis must be transformed")),
        };
    };
    let lengths: Dims = match s {
        Some(s) if s.len() != named.len() => {
            let message = format!("shape and axes have different lengths: {} and {}", s.len(), named.len());
            return Err(Error::value(op, message));
        }
        Some(s) => s
            .iter()
            .zip(&named)
            .map(|(&n, &axis)| checked_length(op, if n == -1 { a.shape()[axis] as i64 } else { n }))
            .collect::<Result<_>>()?,
        None => others
            .iter()
            .map(|&axis| a.shape()[axis] as i64)
            .chain([family.default_length(a.shape()[last])])
            .map(|n| checked_length(op, n))
            .collect::<Result<_>>()?,
    };
    if (1..named.len()).any(|i| named[..i].contains(&named[i])) {
        return one_by_one(op, family, a, &named, &lengths, norm, out);
    }
    run(op, family, a, &named, &lengths, norm, out)
}

/// Transforms along axes of which some are named twice, in NumPy's order.
fn one_by_one(
    op: &'static str,
    family: Family,
    a: &Array,
    axes: &[usize],
    lengths: &[usize],
    norm: Norm,
    out: Option<&Array>,
) -> Result<Array> {
    let last = axes.len() - 1;
    let order: Dims = match family.kind() {
        FftKind::HalfToReal => (0..=last).collect(),
        _ => (0..=last).rev().collect(),
    };
    let mut result = a.clone();
    for (step, &i) in order.iter().enumerate() {
        let family = if i == last { family } else { family.complex() };
        let out = out.filter(|_| step == last);
        result = run(op, family, &result, &axes[i..=i], &lengths[i..=i], norm, out)?;
    }
    Ok(result)
}

/// An axis counted from the front; one out of range is an IndexError, as in NumPy.
fn indexed_axis(op: &'static str, a: &Array, axis: i64) -> Result<usize> {
    normalize_axis(op, axis, a.ndim()).map_err(|error| Error::bad_index(op, unprefixed(&error, op)))
}

fn unprefixed(error: &Error, op: &str) -> String {
    let text = error.to_string();
    text.strip_prefix(op).and_then(|t| t.strip_prefix(": ")).unwrap_or(&text).to_owned()
}

fn checked_length(op: &'static str, n: i64) -> Result<usize> {
    match usize::try_from(n) {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(Error::value(op, format!("Invalid number of FFT data points ({n}) specified."))),
    }
}

fn run(
    op: &'static str,
    family: Family,
    a: &Array,
    axes: &[usize],
    lengths: &[usize],
    norm: Norm,
    out: Option<&Array>,
) -> Result<Array> {
    let mut shape = a.dims();
    for (&axis, &n) in axes.iter().zip(lengths) {
        shape[axis] = n;
    }
    if let (FftKind::RealToHalf, Some(&last)) = (family.kind(), axes.last()) {
        shape[last] = shape[last] / 2 + 1;
    }
    let dtypes = family.dtypes(op, a.dtype(), axes.len())?;
    if let Some(out) = out {
        check_out(op, &shape, axes, dtypes.result, out)?;
    }
    checked_size(a.device(), op, &shape, dtypes.out.size())?;
    let total: f64 = lengths.iter().map(|&n| n as f64).product();
    let call = CheckedTransform { family, axes, lengths, scale: norm.scale(family.is_inverse(), total) };
    if let Some(out) = out
        && out.dtype() == dtypes.out
        && out.shape() == shape.as_slice()
        && out.layout().is_dense(out.dtype().size())
        && !share_memory(a, out)?
    {
        call.run(a, dtypes.input, out)?;
        return Ok(out.clone());
    }
    // As NumPy nests the axes of what it computes from: conjugation comes first in one of the transforms.
    let nesting = if family == Family::Hfft { a.layout().nesting() } else { a.layout().copy_nesting() };
    let layout = Layout::dense(&shape, &nesting, dtypes.out.size());
    let result = Array::uninitialized(a.device(), layout, dtypes.out)?;
    call.run(a, dtypes.input, &result)?;
    let result = if dtypes.result == dtypes.out { result } else { result.astype(dtypes.result)? };
    let Some(out) = out else { return Ok(result) };
    assign(op, out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

/// Whether two arrays have bytes in common, be it by way of different storages.
fn share_memory(a: &Array, b: &Array) -> Result<bool> {
    let range = |array: &Array| -> Result<(usize, usize)> {
        let (from, to) = array.layout().extent(array.dtype().size());
        let address = array.force()?.address();
        Ok((address + from, address + to))
    };
    let (a, b) = (range(a)?, range(b)?);
    Ok(a.0 < b.1 && b.0 < a.1)
}

/// A transform, checked.
struct CheckedTransform<'a> {
    family: Family,
    axes: &'a [usize],
    lengths: &'a [usize],
    scale: f64,
}

impl CheckedTransform<'_> {
    /// Fills `target` with the transform of `a`, taken as `dtype`.
    fn run(&self, a: &Array, dtype: DType, target: &Array) -> Result<()> {
        if target.size() == 0 {
            return Ok(());
        }
        let input = if a.dtype() == dtype { a.clone() } else { a.astype(dtype)? };
        let input = input.view().slot()?;
        let buffer = writable_buffer(target.view())?;
        let out = Slot { buffer, layout: target.layout().clone(), dtype: target.dtype() };
        run_call(
            target.device(),
            &Call::Fft(FftCall {
                kind: self.family.kind(),
                inverse: self.family.is_inverse(),
                axes: self.axes,
                lengths: self.lengths,
                scale: self.scale,
                input: &input,
                out: &out,
            }),
        )
    }
}

/// Whether a result can be stored in `out`: in NumPy's order, the last axis, then the dtype, then the other axes.
fn check_out(op: &'static str, shape: &[usize], axes: &[usize], from: DType, out: &Array) -> Result<()> {
    let differs = |axis: &usize| out.shape()[*axis] != shape[*axis];
    let wrong_shape = || {
        let (given, wanted) = (show_shape(out.shape()), show_shape(shape));
        Error::value(op, format!("output has shape {given}, the result has shape {wanted}"))
    };
    if out.ndim() != shape.len() || axes.last().is_some_and(differs) {
        return Err(wrong_shape());
    }
    if !from.can_cast(out.dtype(), Casting::SameKind) {
        return Err(Error::Cast { op: op.into(), from, to: out.dtype(), casting: Casting::SameKind });
    }
    if axes.iter().any(differs) {
        return Err(wrong_shape());
    }
    out.check_writeable(op)
}

/// For `fft` this makes `pub fn fft(a, n, axis, norm) -> Result<Array>`, [`along`] with its family.
macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident: $family:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(a: &Array, n: Option<i64>, axis: i64, norm: Norm) -> Result<Array> {
            along(stringify!($name), Family::$family, a, n, axis, norm, None)
        })*
    };
}

lines! {
    /// The discrete Fourier transform along an axis.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::fft(&Array::from_slice(&[1.0f32, 1.0]), None, -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.dtype(), cuprum::DType::C64);
    /// ```
    fft: Fft;
    /// The inverse discrete Fourier transform along an axis.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::ifft(&Array::from_slice(&[1.0, 1.0]), Some(4), -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.shape(), &[4]);
    /// ```
    ifft: Ifft;
    /// The discrete Fourier transform of real input along an axis: the non-negative frequencies.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::rfft(&Array::from_slice(&[1.0, 2.0, 3.0]), None, -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.shape(), &[2]);
    /// ```
    rfft: Rfft;
    /// The inverse of [`rfft`] along an axis: real output.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::irfft(&Array::from_slice(&[4.0, 0.0, 0.0]), None, -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.0; 4]);
    /// ```
    irfft: Irfft;
    /// The real spectrum of a signal that is Hermitian-symmetric along an axis, given by its first half.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::hfft(&Array::from_slice(&[1.0, 0.0, 0.0]), None, -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.0; 4]);
    /// ```
    hfft: Hfft;
    /// The inverse of [`hfft`] along an axis: the first half of the Hermitian-symmetric signal.
    ///
    /// ```
    /// use cuprum::{Array, fft};
    /// let a = fft::ihfft(&Array::from_slice(&[1.0, 1.0, 1.0]), None, -1, fft::Norm::Backward).unwrap();
    /// assert_eq!(a.shape(), &[2]);
    /// ```
    ihfft: Ihfft;
}

/// For `fftn` this makes `pub fn fftn(a, s, axes, norm) -> Result<Array>`, [`over`] with its family.
macro_rules! boxes {
    ($($(#[$doc:meta])* $name:ident: $family:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(a: &Array, s: Option<&[i64]>, axes: Option<&[i64]>, norm: Norm) -> Result<Array> {
            over(stringify!($name), Family::$family, a, s, axes, norm, None)
        })*
    };
}

boxes! {
    /// The discrete Fourier transform over several axes.
    ///
    /// ```
    /// use cuprum::{DType, creation, fft};
    /// let a = creation::ones(&[2, 3], DType::F64).unwrap();
    /// assert_eq!(fft::fftn(&a, None, None, fft::Norm::Backward).unwrap().shape(), &[2, 3]);
    /// ```
    fftn: Fft;
    /// The inverse discrete Fourier transform over several axes.
    ///
    /// ```
    /// use cuprum::{DType, creation, fft};
    /// let a = creation::ones(&[2, 3], DType::F64).unwrap();
    /// assert_eq!(fft::ifftn(&a, Some(&[4, 4]), None, fft::Norm::Ortho).unwrap().shape(), &[4, 4]);
    /// ```
    ifftn: Ifft;
    /// The discrete Fourier transform of real input over several axes: along the last one the non-negative
    /// frequencies.
    ///
    /// ```
    /// use cuprum::{DType, creation, fft};
    /// let a = creation::ones(&[2, 4], DType::F64).unwrap();
    /// assert_eq!(fft::rfftn(&a, None, None, fft::Norm::Backward).unwrap().shape(), &[2, 3]);
    /// ```
    rfftn: Rfft;
    /// The inverse of [`rfftn`] over several axes: real output.
    ///
    /// ```
    /// use cuprum::{DType, creation, fft};
    /// let a = creation::ones(&[2, 3], DType::C128).unwrap();
    /// assert_eq!(fft::irfftn(&a, None, None, fft::Norm::Backward).unwrap().shape(), &[2, 4]);
    /// ```
    irfftn: Irfft;
}

/// The positions 0, 1, ... of coefficients, from the middle on counted from the end: -n/2, ..., -1.
///
/// ```
/// assert_eq!(cuprum::fft::positions(4).unwrap().to_vec::<i64>().unwrap(), vec![0, 1, -2, -1]);
/// ```
pub fn positions(n: usize) -> Result<Array> {
    let n = n as i64;
    let range = |from: i64, to: i64| {
        arange(Number::Int(from.into()), Number::Int(to.into()), Number::Int(1), Some(DType::I64))
    };
    concatenate(&[&range(0, (n + 1) / 2)?, &range(-(n / 2), 0)?], Some(0), None, Casting::SameKind, None)
}

/// The frequencies of the results of [`fft`] for `n` samples at a spacing of `d`.
///
/// ```
/// let f = cuprum::fft::fftfreq(4, 0.5).unwrap();
/// assert_eq!(f.to_vec::<f64>().unwrap(), vec![0.0, 0.5, -1.0, -0.5]);
/// ```
pub fn fftfreq(n: usize, d: f64) -> Result<Array> {
    scaled(&positions(n)?, 1.0 / (n as f64 * d))
}

/// The frequencies of the results of [`rfft`] for `n` samples at a spacing of `d`.
///
/// ```
/// let f = cuprum::fft::rfftfreq(4, 0.5).unwrap();
/// assert_eq!(f.to_vec::<f64>().unwrap(), vec![0.0, 0.5, 1.0]);
/// ```
pub fn rfftfreq(n: usize, d: f64) -> Result<Array> {
    let positions =
        arange(Number::Int(0), Number::Int((n / 2 + 1) as i128), Number::Int(1), Some(DType::I64))?;
    scaled(&positions, 1.0 / (n as f64 * d))
}

fn scaled(positions: &Array, by: f64) -> Result<Array> {
    apply(Op::Multiply, &[Arg::Array(positions), Arg::from(by)], &Options::default())
}

/// Moves the zero frequency to the middle of the given axes, or of all.
///
/// ```
/// use cuprum::{Array, fft};
/// let a = fft::fftshift(&Array::from_slice(&[0, 1, -2, -1]), None).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![-2, -1, 0, 1]);
/// ```
pub fn fftshift(a: &Array, axes: Option<&[i64]>) -> Result<Array> {
    shifted("fftshift", a, axes, |length| (length / 2) as i64)
}

/// The reverse of [`fftshift`].
///
/// ```
/// use cuprum::{Array, fft};
/// let a = fft::ifftshift(&Array::from_slice(&[-1, 0, 1]), None).unwrap();
/// assert_eq!(a.to_vec::<i32>().unwrap(), vec![0, 1, -1]);
/// ```
pub fn ifftshift(a: &Array, axes: Option<&[i64]>) -> Result<Array> {
    shifted("ifftshift", a, axes, |length| -((length / 2) as i64))
}

fn shifted(op: &'static str, a: &Array, axes: Option<&[i64]>, shift: impl Fn(usize) -> i64) -> Result<Array> {
    let all: Vec<i64> = (0..a.ndim() as i64).collect();
    let axes = axes.unwrap_or(&all);
    let shifts =
        axes.iter().map(|&x| Ok(shift(a.shape()[indexed_axis(op, a, x)?]))).collect::<Result<Vec<_>>>()?;
    roll(a, &shifts, Some(axes))
}
