//! Discrete Fourier transforms, along one axis or several.

use super::Slot;

/// What goes in and what comes out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FftKind {
    /// All coefficients, complex; the input is complex, or real of the same precision.
    Complex,
    /// Real input; along the last of the axes the first `n / 2 + 1` coefficients, which the others mirror.
    RealToHalf,
    /// The reverse: along the last of the axes the input holds the first `n / 2 + 1` coefficients, the result is real.
    /// The imaginary part of coefficient 0, and of `n / 2` where `n` is even, counts as zero.
    HalfToReal,
}

/// `out[k] = scale * sum_j input[j] * exp(s * 2 pi i j k / n)` along each axis of `axes`, with `s` -1 forward and +1
/// inverse. The result is float32 or complex64 where the input is, else float64 or complex128.
///
/// Along the axes `out` has the transform's lengths (`n / 2 + 1` of the last one for half of the coefficients), and
/// the input's are free: what is beyond the length is left out, what is short of it counts as zeros. All other axes are
/// those of the input. `out` is not empty.
#[derive(Debug)]
pub struct FftCall<'a> {
    /// What goes in and what comes out.
    pub kind: FftKind,
    /// Whether the exponent is positive. Nothing is divided by `n` but by way of `scale`.
    pub inverse: bool,
    /// The axes, each once, at least one; in real transforms the last one is the real one.
    pub axes: &'a [usize],
    /// The transform's length along each of them, at least 1.
    pub lengths: &'a [usize],
    /// By what the result is multiplied.
    pub scale: f64,
    /// The input.
    pub input: &'a Slot,
    /// The result.
    pub out: &'a Slot,
}
