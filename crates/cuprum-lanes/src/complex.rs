//! What complex numbers do differently: division, modulus, angle, powers and the elementary functions.

use num_complex::Complex;

use super::element::{Float, LaneNumber};
use super::loops::{Map, Slot};
use crate::math::{self, Arctan2, ElementaryFunction2, Hypot, complex};

/// Smith's quotient, in NumPy's order of operations.
pub(super) struct Divide;

impl<T: Float> Map<Complex<T>> for Divide
where
    Complex<T>: Slot,
{
    type A = Complex<T>;
    type B = Complex<T>;
    type C = ();
    type Out = Complex<T>;
    #[inline(always)]
    fn map(a: Complex<T>, b: Complex<T>, _: ()) -> Complex<T> {
        divide(a, b)
    }
}

#[inline(always)]
fn divide<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    let upright = b.re.abs() >= b.im.abs();
    let (large, small) = if upright { (b.re, b.im) } else { (b.im, b.re) };
    let (p, q) = if upright { (a.re, a.im) } else { (a.im, a.re) };
    let ratio = small.div(large);
    let scale = T::ONE.div(large.add(small.mul(ratio)));
    let re = p.add(q.mul(ratio)).mul(scale);
    let difference = if upright { q.sub(p.mul(ratio)) } else { p.mul(ratio).sub(q) };
    let im = difference.mul(scale);
    let by_zero = (b.re == T::ZERO) & (b.im == T::ZERO);
    Complex {
        re: if by_zero { a.re.div(b.re.abs()) } else { re },
        im: if by_zero { a.im.div(b.im.abs()) } else { im },
    }
}

/// One over a complex number, in NumPy's order of operations.
pub(super) struct Reciprocal;

impl<T: Float> Map<Complex<T>> for Reciprocal
where
    Complex<T>: Slot,
{
    type A = Complex<T>;
    type B = ();
    type C = ();
    type Out = Complex<T>;
    #[inline(always)]
    fn map(z: Complex<T>, _: (), _: ()) -> Complex<T> {
        let upright = z.im.abs() <= z.re.abs();
        let (large, small) = if upright { (z.re, z.im) } else { (z.im, z.re) };
        let ratio = small.div(large);
        let divisor = large.add(small.mul(ratio));
        let unit = if upright { T::ONE } else { ratio };
        let other = if upright { ratio } else { T::ONE };
        Complex { re: unit.div(divisor), im: other.neg().div(divisor) }
    }
}

/// The modulus.
pub(super) struct Modulus;
/// The angle, from minus pi to pi.
pub(super) struct Angle;

impl<T: Float> Map<Complex<T>> for Modulus
where
    Complex<T>: Slot,
    math::Modulus: ElementaryFunction2<T>,
{
    type A = Complex<T>;
    type B = ();
    type C = ();
    type Out = T;
    #[inline(always)]
    fn map(z: Complex<T>, _: (), _: ()) -> T {
        math::Modulus::fast(z.re, z.im)
    }
}

impl<T: Float> Map<Complex<T>> for Angle
where
    Complex<T>: Slot,
    Arctan2: ElementaryFunction2<T>,
{
    type A = Complex<T>;
    type B = ();
    type C = ();
    type Out = T;
    const RARE: bool = true;
    #[inline(always)]
    fn map(z: Complex<T>, _: (), _: ()) -> T {
        Arctan2::fast(z.im, z.re)
    }
    #[inline(always)]
    fn rare(z: Complex<T>, _: (), _: ()) -> bool {
        Arctan2::rare(z.im, z.re)
    }
    #[inline(always)]
    fn slow(z: Complex<T>, _: (), _: ()) -> T {
        Arctan2::slow(z.im, z.re)
    }
}

/// A number over its modulus; for infinite ones the unit of their axis, zero for zero.
pub(super) struct Sign;

impl<T: Float> Map<Complex<T>> for Sign
where
    Complex<T>: Slot,
    Hypot: ElementaryFunction2<T>,
{
    type A = Complex<T>;
    type B = ();
    type C = ();
    type Out = Complex<T>;
    const RARE: bool = true;
    #[inline(always)]
    fn map(z: Complex<T>, _: (), _: ()) -> Complex<T> {
        unit(z, Hypot::fast(z.re, z.im))
    }
    #[inline(always)]
    fn rare(z: Complex<T>, _: (), _: ()) -> bool {
        Hypot::rare(z.re, z.im)
    }
    #[inline(always)]
    fn slow(z: Complex<T>, _: (), _: ()) -> Complex<T> {
        unit(z, Hypot::slow(z.re, z.im))
    }
}

#[inline(always)]
fn unit<T: Float>(z: Complex<T>, modulus: T) -> Complex<T> {
    let nan = T::ZERO.div(T::ZERO).abs();
    let toward = |part: T| if part > T::ZERO { T::ONE } else { T::ONE.neg() };
    let infinite = modulus.is_inf();
    let (re_inf, im_inf) = (z.re.is_inf(), z.im.is_inf());
    let undefined = modulus.is_nan() | (re_inf & im_inf);
    let finite = |part: T| if modulus == T::ZERO { T::ZERO } else { part.div(modulus) };
    let re_axis = if re_inf { toward(z.re) } else { T::ZERO };
    let im_axis = if re_inf { T::ZERO } else { toward(z.im) };
    let re = if infinite { re_axis } else { finite(z.re) };
    let im = if infinite { im_axis } else { finite(z.im) };
    Complex { re: if undefined { nan } else { re }, im: if undefined { nan } else { im } }
}

/// Powers: small whole exponents by multiplication, as NumPy does, the rest by way of the logarithm.
pub(super) struct Power;

/// A complex type that is computed with in double precision where that matters.
trait Wide: LaneNumber {
    fn widen(self) -> Complex<f64>;
    fn narrow(z: Complex<f64>) -> Self;
}

impl Wide for Complex<f32> {
    #[inline(always)]
    fn widen(self) -> Complex<f64> {
        Complex { re: self.re as f64, im: self.im as f64 }
    }
    #[inline(always)]
    fn narrow(z: Complex<f64>) -> Self {
        Complex { re: z.re as f32, im: z.im as f32 }
    }
}

impl Wide for Complex<f64> {
    #[inline(always)]
    fn widen(self) -> Complex<f64> {
        self
    }
    #[inline(always)]
    fn narrow(z: Complex<f64>) -> Self {
        z
    }
}

impl<T: Float> Map<Complex<T>> for Power
where
    Complex<T>: Wide,
{
    type A = Complex<T>;
    type B = Complex<T>;
    type C = ();
    type Out = Complex<T>;
    #[inline(always)]
    fn map(a: Complex<T>, b: Complex<T>, _: ()) -> Complex<T> {
        if !b.truth() {
            return LaneNumber::ONE;
        }
        if !a.truth() {
            return if b.re > T::ZERO {
                LaneNumber::ZERO
            } else {
                Complex::narrow(Complex::new(f64::NAN, f64::NAN))
            };
        }
        let exponent = b.widen().re;
        if b.im == T::ZERO && exponent.abs() < 100.0 && exponent.trunc() == exponent {
            return whole_power(a, exponent as i32);
        }
        Complex::narrow(complex::powc(a.widen(), b.widen()))
    }
}

fn whole_power<T: Float>(a: Complex<T>, n: i32) -> Complex<T>
where
    Complex<T>: Slot,
{
    // The short ones in one product each treat infinities better than squaring does.
    match n {
        1 => return a,
        2 => return a.mul(a),
        3 => return a.mul(a.mul(a)),
        _ => {}
    }
    let (mut left, mut square, mut result) = (n.unsigned_abs(), a, <Complex<T> as LaneNumber>::ONE);
    loop {
        if left & 1 == 1 {
            result = result.mul(square);
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = square.mul(square);
    }
    if n < 0 { divide(LaneNumber::ONE, result) } else { result }
}

/// `sin(pi z) / (pi z)`, one at zero, rounded where NumPy rounds: after the product and after the sine.
pub(super) struct Sinc;

impl<T: Float> Map<Complex<T>> for Sinc
where
    Complex<T>: Wide,
{
    type A = Complex<T>;
    type B = ();
    type C = ();
    type Out = Complex<T>;
    #[inline(always)]
    fn map(z: Complex<T>, _: (), _: ()) -> Complex<T> {
        let pi = Complex::narrow(Complex::new(std::f64::consts::PI, 0.0));
        let angle: Complex<T> = LaneNumber::mul(pi, z);
        if !angle.truth() {
            return LaneNumber::ONE;
        }
        divide(Complex::narrow(complex::sin(angle.widen())), angle)
    }
}

/// Declares the lanes of the functions of [`complex`]; `Exp = exp;` expands to
///
/// ```text
/// pub(in super::super) struct Exp;
/// impl<Z: Wide> Map<Z> for Exp {
///     type A = Z;
///     type B = ();
///     type C = ();
///     type Out = Z;
///     fn map(z: Z, _: (), _: ()) -> Z {
///         Z::narrow(complex::exp(z.widen()))
///     }
/// }
/// ```
macro_rules! analytic {
    ($($name:ident = $function:ident;)+) => {$(
        pub(in super::super) struct $name;
        impl<Z: Wide> Map<Z> for $name {
            type A = Z;
            type B = ();
            type C = ();
            type Out = Z;
            #[inline(always)]
            fn map(z: Z, _: (), _: ()) -> Z {
                Z::narrow(complex::$function(z.widen()))
            }
        }
    )+};
}

/// The elementary functions, under the names of their ops.
pub(super) mod analytic {
    use super::*;

    analytic! {
        Sqrt = sqrt;
        Exp = exp;
        Exp2 = exp2;
        Expm1 = expm1;
        Log = log;
        Log2 = log2;
        Log10 = log10;
        Log1p = log1p;
        Sin = sin;
        Cos = cos;
        Tan = tan;
        Arcsin = asin;
        Arccos = acos;
        Arctan = atan;
        Sinh = sinh;
        Cosh = cosh;
        Tanh = tanh;
        Arcsinh = asinh;
        Arccosh = acosh;
        Arctanh = atanh;
    }
}
