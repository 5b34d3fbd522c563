//! The library functions of kernels, in single and double precision: within 2 ulp of the true value (3 for erfcx, gamma
//! and the Bessel functions away from their zeros), with CUDA's special values. What the platform's C library has is
//! taken from it; [`erf`] and [`bessel`] hold what it lacks.

mod bessel;
mod double;
mod erf;
mod platform;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use std::f64::consts::{LN_10, PI};

use cuprum_kernel::ir::{Math, Type};

use double::{Double, two_product};

/// The lower parts of pi and ln 10, for products that keep what one rounding loses.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
const LN_10_LOW: f64 = -2.170_756_223_382_249_4e-16;

// The address of an `extern "C"` function made of a path or closure: `entry!((x: f32) -> f32, f32::sin)` is
// `extern "C" fn entry(x: f32) -> f32 { f32::sin(x) }`.
macro_rules! entry {
    (($($x:ident: $t:ty),*) -> $r:ty, $body:expr) => {{
        extern "C" fn entry($($x: $t),*) -> $r {
            #[allow(clippy::redundant_closure_call, reason = "closures let entries adapt arguments")]
            $body($($x),*)
        }
        entry as *const () as *const u8
    }};
}

// The entry for `ty` of a function of floats: of two bodies, or of a double one that single precision goes through.
macro_rules! pick {
    ($ty:expr, ($($x:ident),*) $single:expr, $double:expr) => {
        if $ty == Type::F32 {
            entry!(($($x: f32),*) -> f32, $single)
        } else {
            entry!(($($x: f64),*) -> f64, $double)
        }
    };
    ($ty:expr, ($($x:ident),*) via $double:expr) => {
        pick!($ty, ($($x),*) |$($x: f32),*| $double($(f64::from($x)),*) as f32, $double)
    };
}

// The entry for `ty` of a function of floats with an integer result; single precision goes through double.
macro_rules! integer {
    ($ty:expr, ($($x:ident),*) $body:expr) => {
        if $ty == Type::F32 {
            entry!(($($x: f32),*) -> i32, |$($x: f32),*| $body($(f64::from($x)),*))
        } else {
            entry!(($($x: f64),*) -> i32, $body)
        }
    };
}

/// The address of a library function for `ty` (`F32` or `F64`): an `extern "C"` function with the signature that the
/// comments of [`Math`] say.
pub fn address(function: Math, ty: Type) -> *const u8 {
    match function {
        Math::Sin => pick!(ty, (x) f32::sin, f64::sin),
        Math::Cos => pick!(ty, (x) f32::cos, f64::cos),
        Math::Tan => pick!(ty, (x) f32::tan, f64::tan),
        Math::Asin => pick!(ty, (x) f32::asin, f64::asin),
        Math::Acos => pick!(ty, (x) f32::acos, f64::acos),
        Math::Atan => pick!(ty, (x) f32::atan, f64::atan),
        Math::Sinh => pick!(ty, (x) via f64::sinh),
        Math::Cosh => pick!(ty, (x) via f64::cosh),
        Math::Tanh => pick!(ty, (x) via f64::tanh),
        Math::Asinh => pick!(ty, (x) via platform::asinh),
        Math::Acosh => pick!(ty, (x) via platform::acosh),
        Math::Atanh => pick!(ty, (x) via platform::atanh),
        Math::Sinpi => pick!(ty, (x) via sinpi),
        Math::Cospi => pick!(ty, (x) via cospi),
        Math::Exp => pick!(ty, (x) f32::exp, f64::exp),
        Math::Exp2 => pick!(ty, (x) f32::exp2, f64::exp2),
        Math::Exp10 => pick!(ty, (x) via exp10),
        Math::Expm1 => pick!(ty, (x) via f64::exp_m1),
        Math::Log => pick!(ty, (x) f32::ln, f64::ln),
        Math::Log2 => pick!(ty, (x) f32::log2, f64::log2),
        Math::Log10 => pick!(ty, (x) via f64::log10),
        Math::Log1p => pick!(ty, (x) via f64::ln_1p),
        Math::Logb => pick!(ty, (x) via logb),
        Math::Cbrt => pick!(ty, (x) via cbrt),
        Math::Rcbrt => pick!(ty, (x) via rcbrt),
        Math::Rsqrt => pick!(ty, (x) via rsqrt),
        Math::Erf => pick!(ty, (x) via platform::erf),
        Math::Erfc => pick!(ty, (x) via platform::erfc),
        Math::Erfinv => pick!(ty, (x) via erf::erfinv),
        Math::Erfcinv => pick!(ty, (x) via erf::erfcinv),
        Math::Erfcx => pick!(ty, (x) via erf::erfcx),
        Math::Normcdf => pick!(ty, (x) via erf::normcdf),
        Math::Normcdfinv => pick!(ty, (x) via erf::normcdfinv),
        Math::Tgamma => pick!(ty, (x) via platform::tgamma),
        Math::Lgamma => pick!(ty, (x) via platform::lgamma),
        Math::J0 => pick!(ty, (x) via bessel::j0),
        Math::J1 => pick!(ty, (x) via bessel::j1),
        Math::Y0 => pick!(ty, (x) via bessel::y0),
        Math::Y1 => pick!(ty, (x) via bessel::y1),
        Math::CylBesselI0 => pick!(ty, (x) via bessel::i0),
        Math::CylBesselI1 => pick!(ty, (x) via bessel::i1),
        Math::Round => pick!(ty, (x) f32::round, f64::round),
        Math::FrexpMantissa => pick!(ty, (x) via |x: f64| frexp(x).0),
        Math::Atan2 => pick!(ty, (y, x) f32::atan2, f64::atan2),
        Math::Pow => pick!(ty, (x, y) f32::powf, f64::powf),
        Math::Hypot => pick!(ty, (x, y) via f64::hypot),
        Math::Rhypot => pick!(ty, (x, y) via |x: f64, y: f64| reciprocal_norm([x, y, 0.0, 0.0])),
        Math::Fmod => pick!(ty, (x, y) |x: f32, y: f32| x % y, |x: f64, y: f64| x % y),
        Math::Remainder => pick!(ty, (x, y) via platform::remainder),
        Math::Nextafter => pick!(ty, (x, y) platform::nextafterf, platform::nextafter),
        Math::Fdim => pick!(ty, (x, y) via fdim),
        Math::Norm3d => pick!(ty, (x, y, z) via |x: f64, y: f64, z: f64| norm([x, y, z, 0.0])),
        Math::Rnorm3d => pick!(ty, (x, y, z) via |x: f64, y: f64, z: f64| reciprocal_norm([x, y, z, 0.0])),
        Math::Norm4d => pick!(ty, (x, y, z, w) via |x: f64, y: f64, z: f64, w: f64| norm([x, y, z, w])),
        Math::Rnorm4d => {
            pick!(ty, (x, y, z, w) via |x: f64, y: f64, z: f64, w: f64| reciprocal_norm([x, y, z, w]))
        }
        Math::Ldexp if ty == Type::F32 => entry!((x: f32, n: i32) -> f32, platform::ldexpf),
        Math::Ldexp => entry!((x: f64, n: i32) -> f64, platform::ldexp),
        Math::Powi if ty == Type::F32 => {
            entry!((x: f32, n: i32) -> f32, |x: f32, n: i32| f64::from(x).powf(f64::from(n)) as f32)
        }
        Math::Powi => entry!((x: f64, n: i32) -> f64, |x: f64, n: i32| x.powf(f64::from(n))),
        Math::Jn if ty == Type::F32 => {
            entry!((n: i32, x: f32) -> f32, |n: i32, x: f32| bessel::jn(n, f64::from(x)) as f32)
        }
        Math::Jn => entry!((n: i32, x: f64) -> f64, bessel::jn),
        Math::Yn if ty == Type::F32 => {
            entry!((n: i32, x: f32) -> f32, |n: i32, x: f32| bessel::yn(n, f64::from(x)) as f32)
        }
        Math::Yn => entry!((n: i32, x: f64) -> f64, bessel::yn),
        Math::Ilogb => integer!(ty, (x) ilogb),
        Math::FrexpExponent => integer!(ty, (x) |x: f64| frexp(x).1),
        Math::RemquoQuotient => integer!(ty, (x, y) platform::remquo_quotient),
    }
}

/// `sin(pi r)` and `cos(pi r)` for `|r| <= 1/4`: the product with pi is kept in two parts.
fn sin_cos_pi(r: f64) -> (f64, f64) {
    let product = two_product(PI, r);
    let low = product.low + PI_LOW * r;
    let (sin, cos) = product.high.sin_cos();
    (sin + cos * low, cos - sin * low)
}

/// `x` less the nearest multiple of 1/2, which is exact, and that multiple's number modulo 4.
fn half_turns(x: f64) -> (f64, u8) {
    let turn = x % 2.0;
    let quarter = (turn * 2.0).round_ties_even();
    (turn - quarter * 0.5, (quarter as i8).rem_euclid(4) as u8)
}

/// Zero with the sign of `x` at every integer.
fn sinpi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (r, quarter) = half_turns(x);
    let (sin, cos) = sin_cos_pi(r);
    match quarter {
        _ if r == 0.0 && quarter % 2 == 0 => 0.0_f64.copysign(x),
        0 => sin,
        1 => cos,
        2 => -sin,
        _ => -cos,
    }
}

/// Positive zero at every odd multiple of 1/2.
fn cospi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (r, quarter) = half_turns(x);
    let (sin, cos) = sin_cos_pi(r);
    match quarter {
        _ if r == 0.0 && quarter % 2 == 1 => 0.0,
        0 => cos,
        1 => -sin,
        2 => -cos,
        _ => sin,
    }
}

/// The powers that doubles hold without rounding.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

fn exp10(x: f64) -> f64 {
    if x == x.trunc() && x.abs() <= 22.0 {
        let power = POWERS_OF_TEN[x.abs() as usize];
        return if x < 0.0 { 1.0 / power } else { power };
    }
    let product = two_product(x, LN_10);
    let high = product.high.exp();
    if high == 0.0 || !high.is_finite() {
        return high;
    }
    let low = product.low + x * LN_10_LOW;
    high + high * low
}

/// Mantissa in `[1/2, 1)` and exponent; exponent 0 for zeros, infinities and NaN.
fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // 2^54 makes subnormal numbers normal.
    let (normal, offset) = if x.is_subnormal() { (x * 18_014_398_509_481_984.0, -54) } else { (x, 0) };
    let bits = normal.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent + offset)
}

fn ilogb(x: f64) -> i32 {
    if x == 0.0 || x.is_nan() {
        i32::MIN
    } else if x.is_infinite() {
        i32::MAX
    } else {
        frexp(x).1 - 1
    }
}

fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        f64::from(ilogb(x))
    } else {
        x.abs()
    }
}

/// The C library's cube root, made better by a step of Newton's with the residue in two parts.
fn cbrt(x: f64) -> f64 {
    let root = x.cbrt();
    let size = root.abs();
    if !(1e-90..1e102).contains(&size) {
        return root;
    }
    let cube = two_product(root, root).times(root);
    let residue = (cube.high - x) + cube.low;
    root - residue / (3.0 * root * root)
}

fn rcbrt(x: f64) -> f64 {
    let root = cbrt(x);
    let inverse = 1.0 / root;
    if !(1e-90..1e102).contains(&root.abs()) {
        return inverse;
    }
    // x y^3 is 1 for the true y.
    let cube = two_product(inverse, inverse).times(inverse).times(x);
    let residue = (cube.high - 1.0) + cube.low;
    inverse - inverse * residue / 3.0
}

fn rsqrt(x: f64) -> f64 {
    let root = x.sqrt();
    if !(root > 0.0 && root.is_finite()) {
        return 1.0 / root;
    }
    // The root's rounding is known exactly: x - root^2.
    let residue = root.mul_add(-root, x);
    let inverse = 1.0 / root;
    if residue.is_normal() { inverse - inverse * (residue / x) * 0.5 } else { inverse }
}

fn fdim(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

/// The sum of the squares, of values scaled by a power of two so that none is too large or too small, and that power;
/// `Err` with the norm itself where there is nothing to sum.
fn sum_of_squares(values: [f64; 4]) -> Result<(Double, i32), f64> {
    if values.iter().any(|value| value.is_infinite()) {
        return Err(f64::INFINITY);
    }
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if values.iter().any(|value| value.is_nan()) {
        return Err(f64::NAN);
    }
    if largest == 0.0 {
        return Err(0.0);
    }
    let exponent = frexp(largest).1;
    let mut sum = Double { high: 0.0, low: 0.0 };
    for value in values {
        let scaled = platform::ldexp(value, -exponent);
        sum = sum.plus(two_product(scaled, scaled));
    }
    Ok((sum, exponent))
}

fn norm(values: [f64; 4]) -> f64 {
    match sum_of_squares(values) {
        Ok((sum, exponent)) => platform::ldexp(sum.sqrt(), exponent),
        Err(norm) => norm,
    }
}

fn reciprocal_norm(values: [f64; 4]) -> f64 {
    match sum_of_squares(values) {
        Ok((sum, exponent)) => platform::ldexp(sum.reciprocal_sqrt(), -exponent),
        Err(norm) => 1.0 / norm,
    }
}
