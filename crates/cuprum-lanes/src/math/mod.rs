//! The elementary functions of the block machine for `f32` and `f64`: branch-free scalar code that the compiler
//! turns into vector code when it is inlined into a loop of any instruction set. Products are fused explicitly and
//! only explicitly, so the results are the same bits at every instruction set. Complex functions are elsewhere.

mod coefficients;
pub mod complex;
mod exp;
mod hyperbolic;
mod inverse_hyperbolic;
mod inverse_trig;
mod log;
mod log_add_exp;
mod payne_hanek;
mod power;
mod real;
mod roots;
pub mod special;
mod trig;

pub(crate) use power::{ShortPower, cube, inverse_root_of_cube, is_moderate, ordinary_bases, root_of_cube};
pub(crate) use real::Real;
pub use trig::SinCos;

/// A function of one argument: a branch-free fast path for vector loops, and a slow path for the rare arguments
/// that the fast one cannot take.
///
/// # Examples
///
/// ```
/// use cuprum_lanes::math::{ElementaryFunction, Sin};
///
/// fn sin(values: &mut [f64]) {
///     for x in values {
///         *x = if Sin::rare(*x) { Sin::slow(*x) } else { Sin::fast(*x) };
///     }
/// }
/// let mut values = [0.0, 1.0, 1e300];
/// sin(&mut values);
/// assert_eq!(values[0], 0.0);
/// ```
pub trait ElementaryFunction<T: Copy> {
    /// The value wherever [`ElementaryFunction::rare`] is false; some value, without a panic, elsewhere.
    fn fast(x: T) -> T;

    /// Whether `x` needs [`ElementaryFunction::slow`].
    #[inline(always)]
    fn rare(_x: T) -> bool {
        false
    }

    /// The value for every argument.
    #[inline(always)]
    fn slow(x: T) -> T {
        Self::fast(x)
    }
}

/// A function of two arguments, in the same two paths as [`ElementaryFunction`].
pub trait ElementaryFunction2<T: Copy> {
    /// Whether each step waits for the one before in most of a long computation, so that loops gain by computing more
    /// elements side by side.
    const IS_LONG: bool = false;

    /// The value wherever [`ElementaryFunction2::rare`] is false; some value, without a panic, elsewhere.
    fn fast(x: T, y: T) -> T;

    /// Whether the arguments need [`ElementaryFunction2::slow`].
    #[inline(always)]
    fn rare(_x: T, _y: T) -> bool {
        false
    }

    /// The value for every pair of arguments.
    #[inline(always)]
    fn slow(x: T, y: T) -> T {
        Self::fast(x, y)
    }
}

/// `e^x`.
pub struct Exp;
/// `2^x`.
pub struct Exp2;
/// `e^x - 1`, accurate near zero.
pub struct Expm1;
/// The natural logarithm.
pub struct Log;
/// The logarithm to base 2.
pub struct Log2;
/// The logarithm to base 10.
pub struct Log10;
/// `log(1 + x)`, accurate near zero.
pub struct Log1p;
/// The sine of an angle in radians.
pub struct Sin;
/// The cosine of an angle in radians.
pub struct Cos;
/// The tangent of an angle in radians.
pub struct Tan;
/// The inverse sine, from `-pi/2` to `pi/2`.
pub struct Arcsin;
/// The inverse cosine, from `0` to `pi`.
pub struct Arccos;
/// The inverse tangent, from `-pi/2` to `pi/2`.
pub struct Arctan;
/// The hyperbolic sine.
pub struct Sinh;
/// The hyperbolic cosine.
pub struct Cosh;
/// The hyperbolic tangent.
pub struct Tanh;
/// The inverse hyperbolic sine.
pub struct Arcsinh;
/// The inverse hyperbolic cosine.
pub struct Arccosh;
/// The inverse hyperbolic tangent.
pub struct Arctanh;
/// The cube root, real for negative arguments too.
pub struct Cbrt;
/// `x^y`.
pub struct Power;
/// The angle of the point `(y, x)`, whose ordinate is the first argument, from `-pi` to `pi`.
pub struct Arctan2;
/// `sqrt(x*x + y*y)` without overflow on the way.
pub struct Hypot;
/// The length of a vector within one unit in the last place: [`Hypot`] without its correction.
pub struct Modulus;
/// `log(e^x + e^y)` without overflow on the way.
pub struct Logaddexp;
/// `log2(2^x + 2^y)` without overflow on the way.
pub struct Logaddexp2;
