//! Functions of kernels: within ulps of the true values, and special values as CUDA has them.

use cuprum_kernel::ir::{Math, Type};

use super::address;
use super::reference::ONE;

type One<T> = extern "C" fn(T) -> T;
type Two<T> = extern "C" fn(T, T) -> T;

// Turns an entry into a function of the signature that its `Math` has.
macro_rules! function {
    ($function:expr, $ty:expr, $signature:ty) => {
        // SAFETY: the signature is the one that the comments of `Math` say for this function and type.
        unsafe { std::mem::transmute::<*const u8, $signature>(address($function, $ty)) }
    };
}

fn double(function: Math, x: f64) -> f64 {
    function!(function, Type::F64, One<f64>)(x)
}

fn single(function: Math, x: f32) -> f32 {
    function!(function, Type::F32, One<f32>)(x)
}

fn double2(function: Math, x: f64, y: f64) -> f64 {
    function!(function, Type::F64, Two<f64>)(x, y)
}

fn single2(function: Math, x: f32, y: f32) -> f32 {
    function!(function, Type::F32, Two<f32>)(x, y)
}

fn ulps(got: f64, want: f64) -> u64 {
    (got.to_bits() as i64).abs_diff(want.to_bits() as i64)
}

fn ulps32(got: f32, want: f64) -> u32 {
    (got.to_bits() as i32).abs_diff((want as f32).to_bits() as i32)
}

/// Bits are compared, so that zeros have signs; any NaN is NaN.
#[track_caller]
fn same(got: f64, want: f64) {
    assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{got} is not {want}");
}

#[test]
fn values_are_within_ulps_of_the_true_ones() {
    for (function, values) in ONE {
        // Near their zeros the C library's Bessel functions are exact in absolute terms, as CUDA's are.
        let most = match function {
            Math::J0 | Math::J1 | Math::Y0 | Math::Y1 | Math::Lgamma | Math::Tgamma => 6,
            Math::Erfcx => 3,
            _ => 2,
        };
        for &(x, want) in *values {
            let got = double(*function, f64::from(x));
            assert!(ulps(got, want) <= most, "{function:?}({x}) is {got}, not {want}");
            let got = single(*function, x);
            assert!(ulps32(got, want) <= 1, "{function:?}({x}f) is {got}, not {want}");
        }
    }
}

#[test]
fn functions_of_two_arguments() {
    let values = [
        (Math::Atan2, 1.5, -2.25, 2.5535900500422257),
        (Math::Atan2, -3.0, -0.125, -1.6124389058934852),
        (Math::Pow, 1.75, 12.5, 1091.3790392538097),
        (Math::Pow, 0.3125, -7.25, 4595.548383025278),
        (Math::Hypot, 3.5, -1.25, 3.7165171868296265),
        (Math::Rhypot, 3.5, -1.25, 0.269069117598525),
        (Math::Rhypot, 0.0009765625, 200.0, 0.004999999999940395),
        (Math::Fmod, -7.5, 2.0, -1.5),
        (Math::Remainder, -7.5, 2.0, 0.5),
        (Math::Remainder, 5.0, 2.0, 1.0),
        (Math::Fdim, 3.5, 1.25, 2.25),
        (Math::Fdim, 1.25, 3.5, 0.0),
    ];
    for (function, x, y, want) in values {
        assert!(ulps(double2(function, x, y), want) <= 1, "{function:?}({x}, {y})");
        assert!(ulps32(single2(function, x as f32, y as f32), want) <= 1, "{function:?}({x}f, {y}f)");
    }
}

#[test]
fn norms_and_functions_with_integers() {
    type Three<T> = extern "C" fn(T, T, T) -> T;
    type Four<T> = extern "C" fn(T, T, T, T) -> T;
    type Scaled<T> = extern "C" fn(T, i32) -> T;
    type Ordered<T> = extern "C" fn(i32, T) -> T;
    type Integer<T> = extern "C" fn(T) -> i32;
    same(function!(Math::Norm3d, Type::F64, Three<f64>)(1.5, 2.25, -7.0), 7.504165509901817);
    same(function!(Math::Rnorm3d, Type::F64, Three<f64>)(1.5, 2.25, -7.0), 0.13325932093055393);
    same(function!(Math::Norm4d, Type::F64, Four<f64>)(1.5, 2.25, -7.0, 0.375), 7.5135294635743595);
    assert_eq!(function!(Math::Rnorm4d, Type::F32, Four<f32>)(1.5, 2.25, -7.0, 0.375), 0.133_093_24);
    let large = 700.0_f64.exp2();
    same(function!(Math::Norm3d, Type::F64, Three<f64>)(3.0 * large, 4.0 * large, 0.0), 5.0 * large);
    same(function!(Math::Norm3d, Type::F64, Three<f64>)(f64::NAN, f64::INFINITY, 0.0), f64::INFINITY);
    same(function!(Math::Ldexp, Type::F64, Scaled<f64>)(1.5, -1074), 1e-323);
    assert_eq!(function!(Math::Ldexp, Type::F32, Scaled<f32>)(1.5, 200), f32::INFINITY);
    let powi = function!(Math::Powi, Type::F64, Scaled<f64>);
    assert!(ulps(powi(1.1875, 37), 577.3562572888486) <= 1);
    assert!(ulps(powi(1.1875, -37), 0.0017320328434575272) <= 1);
    same(powi(-0.0, -3), f64::NEG_INFINITY);
    same(powi(f64::NAN, 0), 1.0);
    assert!(ulps(function!(Math::Jn, Type::F64, Ordered<f64>)(3, 4.5), 0.4247039729774556) <= 4);
    assert!((function!(Math::Yn, Type::F64, Ordered<f64>)(3, 4.5) + 0.009013681593688273).abs() < 1e-16);
    assert!(function!(Math::Jn, Type::F64, Ordered<f64>)(-1, 4.5).is_nan());
    let exponents = [
        (1.0, 0, 1),
        (-6.5, 2, 3),
        (5e-324, -1074, -1073),
        (0.0, i32::MIN, 0),
        (f64::NAN, i32::MIN, 0),
        (f64::INFINITY, i32::MAX, 0),
    ];
    for (x, ilogb, exponent) in exponents {
        assert_eq!(function!(Math::Ilogb, Type::F64, Integer<f64>)(x), ilogb, "ilogb({x})");
        assert_eq!(function!(Math::FrexpExponent, Type::F64, Integer<f64>)(x), exponent, "frexp({x})");
    }
    assert_eq!(function!(Math::Ilogb, Type::F32, Integer<f32>)(1e-45), -149);
    let quotient = function!(Math::RemquoQuotient, Type::F64, extern "C" fn(f64, f64) -> i32);
    assert_eq!((quotient(7.0, 2.0) & 7, quotient(-5.0, 3.0), quotient(1.0, 0.0)), (4, -2, 0));
}

#[test]
fn special_values_are_those_of_cuda() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let values = [
        (Math::Sinpi, -0.0, -0.0),
        (Math::Sinpi, 3.0, 0.0),
        (Math::Sinpi, -2.0, -0.0),
        (Math::Sinpi, 2.5, 1.0),
        (Math::Sinpi, inf, nan),
        (Math::Cospi, 0.5, 0.0),
        (Math::Cospi, -1.5, 0.0),
        (Math::Cospi, 3.0, -1.0),
        (Math::Cospi, 1e300, 1.0),
        (Math::Cospi, -inf, nan),
        (Math::Exp10, 3.0, 1000.0),
        (Math::Exp10, -2.0, 0.01),
        (Math::Exp10, 400.0, inf),
        (Math::Exp10, -400.0, 0.0),
        (Math::Exp10, -inf, 0.0),
        (Math::Exp10, nan, nan),
        (Math::Logb, 0.0, -inf),
        (Math::Logb, -inf, inf),
        (Math::Logb, 10.0, 3.0),
        (Math::Cbrt, -0.0, -0.0),
        (Math::Cbrt, -27.0, -3.0),
        (Math::Cbrt, -inf, -inf),
        (Math::Rcbrt, -0.0, -inf),
        (Math::Rcbrt, -inf, -0.0),
        (Math::Rcbrt, 8.0, 0.5),
        (Math::Rsqrt, 0.0, inf),
        (Math::Rsqrt, -0.0, -inf),
        (Math::Rsqrt, inf, 0.0),
        (Math::Rsqrt, -1.0, nan),
        (Math::Rsqrt, 0.25, 2.0),
        (Math::Erfinv, -0.0, -0.0),
        (Math::Erfinv, 1.0, inf),
        (Math::Erfinv, -1.0, -inf),
        (Math::Erfinv, 1.5, nan),
        (Math::Erfcinv, 0.0, inf),
        (Math::Erfcinv, 2.0, -inf),
        (Math::Erfcinv, 1.0, 0.0),
        (Math::Erfcinv, -0.5, nan),
        (Math::Erfcx, inf, 0.0),
        (Math::Erfcx, -inf, inf),
        (Math::Erfcx, 0.0, 1.0),
        (Math::Normcdf, inf, 1.0),
        (Math::Normcdf, -inf, 0.0),
        (Math::Normcdf, 0.0, 0.5),
        (Math::Normcdfinv, 0.0, -inf),
        (Math::Normcdfinv, 1.0, inf),
        (Math::Normcdfinv, 0.5, 0.0),
        (Math::Normcdfinv, 2.0, nan),
        (Math::Tgamma, -1.0, nan),
        (Math::Tgamma, -0.0, -inf),
        (Math::Tgamma, 5.0, 24.0),
        (Math::Lgamma, -3.0, inf),
        (Math::Lgamma, -inf, inf),
        (Math::Y0, 0.0, -inf),
        (Math::Y1, -1.0, nan),
        (Math::J1, inf, 0.0),
        (Math::CylBesselI0, 0.0, 1.0),
        (Math::CylBesselI0, -inf, inf),
        (Math::CylBesselI1, -0.0, -0.0),
        (Math::CylBesselI1, -inf, -inf),
        (Math::Round, -2.5, -3.0),
        (Math::Round, 0.49999999999999994, 0.0),
        (Math::FrexpMantissa, -6.5, -0.8125),
        (Math::FrexpMantissa, -0.0, -0.0),
        (Math::FrexpMantissa, inf, inf),
    ];
    for (function, x, want) in values {
        let got = double(function, x);
        assert!(
            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
            "{function:?}({x}) is {got}"
        );
    }
    same(double2(Math::Rhypot, 0.0, -0.0), inf);
    same(double2(Math::Rhypot, nan, -inf), 0.0);
    same(double2(Math::Hypot, nan, -inf), inf);
    same(double2(Math::Fdim, nan, 1.0), nan);
    same(double2(Math::Pow, 1.0, nan), 1.0);
    assert_eq!(single2(Math::Nextafter, 1.0, 2.0), 1.0 + f32::EPSILON);
    same(double2(Math::Nextafter, 0.0, -1.0), -5e-324);
}

#[test]
fn values_at_the_ends_of_the_range() {
    assert!(ulps(double(Math::CylBesselI0, 711.0), 9.087162727263793e306) <= 6);
    assert!(ulps(double(Math::Erfcinv, 5e-324), 27.21329321081295) <= 2);
    assert!(ulps(double(Math::Erfcinv, 1e-300), 26.209469960516124) <= 2);
    assert!((double(Math::Normcdf, -38.0) / 2.88542835e-316 - 1.0).abs() < 1e-7);
    for exponent in [-1070, -1022, 0, 1020] {
        let x = 8.0_f64 * (f64::from(exponent - exponent % 3)).exp2();
        let root = 2.0 * f64::from(exponent / 3).exp2();
        assert!(ulps(double(Math::Cbrt, x), root) <= 1, "cbrt({x})");
        assert!(ulps(double(Math::Rcbrt, x), 1.0 / root) <= 1, "rcbrt({x})");
    }
}
