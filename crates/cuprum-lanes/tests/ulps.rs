//! The elementary functions against a correctly rounded library: the worst error of each stays within the bound
//! that its row states, and special values are those of C99's Annex F.

mod stream;

use cuprum_core::Op;
use cuprum_lanes::math::*;
use stream::Stream;

/// Points for each function and type.
const POINTS: usize = 400_000;

type Map = fn(f64) -> f64;
type Map2 = fn(f64, f64) -> f64;

impl Stream {
    /// Either sign, magnitudes spread evenly over the powers of two from `2^low` to `2^high`.
    fn spread(&mut self, low: f64, high: f64) -> f64 {
        let magnitude = self.uniform(low, high).exp2() * self.uniform(1.0, 2.0);
        if self.bits() & 1 == 0 { magnitude } else { -magnitude }
    }

    /// One of the kinds of arguments at which some function is delicate.
    fn argument(&mut self, kind: usize) -> f64 {
        match kind % 8 {
            0 => f64::from_bits(self.bits()),
            1 => f32::from_bits(self.bits() as u32) as f64,
            2 => self.spread(-40.0, 10.0),
            3 => self.uniform(-4.0, 4.0),
            4 => self.uniform(-1.0, 1.0),
            5 => self.uniform(-760.0, 760.0),
            6 => (1.0 + self.spread(-50.0, -2.0)).copysign(self.uniform(-1.0, 1.0)),
            _ => {
                // Next to the multiples of pi/2.
                let multiple = self.uniform(-1e5, 1e5).round() * std::f64::consts::FRAC_PI_2;
                f64::from_bits(multiple.to_bits() ^ (self.bits() & 3))
            }
        }
    }

    /// A pair of arguments for a function of two.
    fn pair(&mut self, kind: usize) -> (f64, f64) {
        match kind % 6 {
            0 => (f64::from_bits(self.bits()), f64::from_bits(self.bits())),
            1 => (self.spread(-30.0, 30.0), self.spread(-30.0, 30.0)),
            2 => (self.uniform(-10.0, 10.0), self.uniform(-10.0, 10.0)),
            3 => (self.spread(-1.5, 1.5), self.spread(-1.5, 1.5)),
            4 => (self.uniform(-20.0, 20.0).round(), self.uniform(-20.0, 20.0).round()),
            _ => {
                let x = 1.0 + self.spread(-20.0, -1.0).abs();
                (x, self.uniform(-700.0, 700.0) / x.ln())
            }
        }
    }
}

/// `|got - exact|` in units in the last place of a float of `bits` significant bits and least exponent `least` at
/// `scale`; infinite where one is a NaN or an infinity and the other is not the same.
fn error(got: f64, exact: f64, scale: f64, bits: i32, least: i32) -> f64 {
    if got.is_nan() && exact.is_nan() || got == exact {
        return 0.0;
    }
    if !got.is_finite() || !exact.is_finite() {
        return f64::INFINITY;
    }
    let exponent = ((scale.abs().to_bits() >> 52) as i32 - 1023).max(least);
    // Two steps keep the inverse of the last place in range.
    let places = bits - 1 - exponent;
    (got - exact).abs() * 2f64.powi(places / 2) * 2f64.powi(places - places / 2)
}

fn error_f32(got: f32, exact: f64, scale: f64) -> f64 {
    // Beyond the largest float the rounded value is what counts.
    if !(exact as f32).is_finite() || !got.is_finite() {
        return error(got as f64, exact as f32 as f64, 1.0, 24, -126);
    }
    error(got as f64, exact, scale, 24, -126)
}

fn error_f64(got: f64, exact: f64, scale: f64) -> f64 {
    error(got, exact, scale, 53, -1022)
}

fn bounds(name: &str) -> (f64, f64) {
    let ulps = Op::from_name(name).expect("every function has a row").row().ulps;
    (ulps.single, ulps.double)
}

fn value<F: ElementaryFunction<T>, T: Copy>(x: T) -> T {
    if F::rare(x) { F::slow(x) } else { F::fast(x) }
}

fn value2<F: ElementaryFunction2<T>, T: Copy>(x: T, y: T) -> T {
    if F::rare(x, y) { F::slow(x, y) } else { F::fast(x, y) }
}

fn check<F: ElementaryFunction<f32> + ElementaryFunction<f64>>(name: &str, exact: Map) {
    let (bound_f32, bound_f64) = bounds(name);
    let mut stream = Stream(1);
    for point in 0..POINTS {
        let x = stream.argument(point);
        let (got, want) = (value::<F, f64>(x), exact(x));
        // The reference is itself rounded, by half a unit.
        assert!(error_f64(got, want, want) <= bound_f64 + 0.5, "{name}({x:e}) is {got:e}, not {want:e}");
        let x = x as f32;
        let (got, want) = (value::<F, f32>(x), exact(x as f64));
        assert!(error_f32(got, want, want) <= bound_f32 + 0.001, "{name}({x:e}f32) is {got:e}, not {want:e}");
    }
}

/// `scale` gives the number whose last place is the unit, `slack` the error of the `f64` reference.
fn check2<F: ElementaryFunction2<f32> + ElementaryFunction2<f64>>(
    name: &str,
    exact: Map2,
    scale: fn(f64, f64, f64) -> f64,
    slack: f64,
) {
    let (bound_f32, bound_f64) = bounds(name);
    let mut stream = Stream(2);
    for point in 0..POINTS {
        let (x, y) = stream.pair(point);
        // What becomes of NaNs is the business of the special values.
        if x.is_nan() || y.is_nan() {
            continue;
        }
        let (got, want) = (value2::<F, f64>(x, y), exact(x, y));
        let wrong = error_f64(got, want, scale(x, y, want));
        assert!(wrong <= bound_f64 + slack, "{name}({x:e}, {y:e}) is {got:e}, not {want:e}");
        let (x, y) = (x as f32, y as f32);
        let (got, want) = (value2::<F, f32>(x, y), exact(x as f64, y as f64));
        let wrong = error_f32(got, want, scale(x as f64, y as f64, want));
        assert!(wrong <= bound_f32 + 0.001, "{name}({x:e}f32, {y:e}f32) is {got:e}, not {want:e}");
    }
}

#[test]
fn exponentials_and_logarithms() {
    check::<Exp>("exp", pxfm::f_exp);
    check::<Exp2>("exp2", pxfm::f_exp2);
    check::<Expm1>("expm1", pxfm::f_expm1);
    check::<Log>("log", pxfm::f_log);
    check::<Log2>("log2", pxfm::f_log2);
    check::<Log10>("log10", pxfm::f_log10);
    check::<Log1p>("log1p", pxfm::f_log1p);
}

#[test]
fn trigonometric() {
    check::<Sin>("sin", pxfm::f_sin);
    check::<Cos>("cos", pxfm::f_cos);
    check::<Tan>("tan", pxfm::f_tan);
    check::<Arcsin>("arcsin", pxfm::f_asin);
    check::<Arccos>("arccos", pxfm::f_acos);
    check::<Arctan>("arctan", pxfm::f_atan);
}

/// Far angles with their sine, cosine and tangent in 2500 bits, rounded: those of each type that come nearest to a multiple
/// of pi/2, where the reduction needs its last digits, and the largest.
const FAR_F64: [[f64; 4]; 8] = [
    [5.319372648326541e255, 1.0, -4.687165924254628e-19, -2.133485385753704e18],
    [1.0638745296653083e256, -9.374331848509255e-19, -1.0, 9.374331848509255e-19],
    [3.576149729694266e39, -1.0, -1.8208566377382172e-18, 5.4919205569206874e17],
    [2.1277490593306166e256, 1.874866369701851e-18, 1.0, 1.874866369701851e-18],
    [3.924293714572882e298, 1.0, 2.0149386674952238e-18, 4.962930217836868e17],
    [6.426511099577231e173, -1.0, 2.4853662876185346e-18, -4.0235517999167635e17],
    [1e22, -0.8522008497671888, 0.523214785395139, -1.6287782256068988],
    [f64::MAX, 0.004961954789184062, -0.9999876894265599, -0.004962015874444895],
];
const FAR_F32: [[f64; 4]; 6] = [
    [7.729178919452902e28, 1.0, -1.6147697982476211e-9, -619283318.9506139],
    [21999384576.0, 1.0, -2.0126460319185528e-9, -496858356.681205],
    [1.5458357838905804e29, -3.2295395964952422e-9, -1.0, 3.2295395964952422e-9],
    [43998769152.0, -4.0252920638371055e-9, -1.0, 4.0252920638371055e-9],
    [4.638183382783466e25, 1.0, -6.467856984570355e-9, -154610716.0974011],
    [f32::MAX as f64, -0.5218765233336585, 0.8530210398303042, -0.6117979498342481],
];

#[test]
fn far_angles() {
    for ([x, exact @ ..], sign) in FAR_F64.iter().flat_map(|row| [(*row, 1.0), (*row, -1.0)]) {
        let exact = [sign * exact[0], exact[1], sign * exact[2]];
        let x = sign * x;
        let got = [value::<Sin, f64>(x), value::<Cos, f64>(x), value::<Tan, f64>(x)];
        for ((name, got), want) in ["sin", "cos", "tan"].into_iter().zip(got).zip(exact) {
            assert!(
                error_f64(got, want, want) <= bounds(name).1 + 0.5,
                "{name}({x:e}) is {got:e}, not {want:e}"
            );
        }
    }
    for ([x, exact @ ..], sign) in FAR_F32.iter().flat_map(|row| [(*row, 1.0), (*row, -1.0)]) {
        let exact = [sign * exact[0], exact[1], sign * exact[2]];
        let x = (sign * x) as f32;
        let got = [value::<Sin, f32>(x), value::<Cos, f32>(x), value::<Tan, f32>(x)];
        for ((name, got), want) in ["sin", "cos", "tan"].into_iter().zip(got).zip(exact) {
            assert!(
                error_f32(got, want, want) <= bounds(name).0 + 0.001,
                "{name}({x:e}f32) is {got:e}, not {want:e}"
            );
        }
    }
}

/// The reduction of `tanh` changes its power of two here, and its numerator is smallest above the first joint.
#[test]
fn tanh_at_the_joints_of_its_reduction() {
    let (bound_f32, bound_f64) = bounds("tanh");
    let mut stream = Stream(3);
    for point in 0..POINTS {
        let joint = 0.0051 + ((point % 56) as f64 + 0.5) * std::f64::consts::LN_2 / 2.0;
        let x = joint + stream.uniform(-1e-3, 1e-2) * stream.uniform(0.0, 1.0);
        let (got, want) = (value::<Tanh, f64>(x), pxfm::f_tanh(x));
        assert!(error_f64(got, want, want) <= bound_f64 + 0.5, "tanh({x:e}) is {got:e}, not {want:e}");
        assert!(got <= 1.0 && value::<Tanh, f64>(-x) == -got);
        let x = x as f32;
        let (got, want) = (value::<Tanh, f32>(x), pxfm::f_tanh(x as f64));
        assert!(error_f32(got, want, want) <= bound_f32 + 0.001, "tanh({x:e}f32) is {got:e}, not {want:e}");
        assert!(got <= 1.0 && value::<Tanh, f32>(-x) == -got);
    }
}

#[test]
fn hyperbolic() {
    check::<Sinh>("sinh", pxfm::f_sinh);
    check::<Cosh>("cosh", pxfm::f_cosh);
    check::<Tanh>("tanh", pxfm::f_tanh);
    check::<Arcsinh>("arcsinh", pxfm::f_asinh);
    check::<Arccosh>("arccosh", pxfm::f_acosh);
    check::<Arctanh>("arctanh", pxfm::f_atanh);
}

#[test]
fn powers_and_roots() {
    let by_value = |_: f64, _: f64, exact: f64| exact;
    check::<Cbrt>("cbrt", pxfm::f_cbrt);
    check2::<Power>("power", pxfm::f_pow, by_value, 0.5);
    check2::<Hypot>("hypot", pxfm::f_hypot, by_value, 0.5);
    check2::<Arctan2>("arctan2", pxfm::f_atan2, by_value, 0.5);
}

/// `larger + log1p(base^(smaller - larger)) * unit`, the rounding of the difference taken into account.
fn log_of_sum(x: f64, y: f64, exp: Map, ln_base: f64) -> f64 {
    let (larger, smaller) = if x > y { (x, y) } else { (y, x) };
    if x == y {
        return x + std::f64::consts::LN_2 / ln_base;
    }
    let distance = smaller - larger;
    let subtracted = smaller - distance;
    let error = (smaller - (distance + subtracted)) + (subtracted - larger);
    let ratio = exp(distance);
    let ratio = if ratio > 0.0 { ratio + ratio * error * ln_base } else { ratio };
    larger + pxfm::f_log1p(ratio) / ln_base
}

#[test]
fn sums_of_exponentials() {
    let by_larger = |x: f64, y: f64, exact: f64| exact.abs().max(x.max(y).abs());
    check2::<Logaddexp>("logaddexp", |x, y| log_of_sum(x, y, pxfm::f_exp, 1.0), by_larger, 3.0);
    let ln_2 = |x, y| log_of_sum(x, y, pxfm::f_exp2, std::f64::consts::LN_2);
    check2::<Logaddexp2>("logaddexp2", ln_2, by_larger, 4.0);
}

/// The same value: the same NaN-ness, the same sign, and equal within two units in the last place.
fn agree(got: f64, want: f64, bits: i32, least: i32) -> bool {
    if want.is_nan() {
        return got.is_nan();
    }
    got.is_sign_negative() == want.is_sign_negative() && error(got, want, want, bits, least) <= 2.5
}

const SPECIAL: [f64; 18] = [
    0.0,
    f64::INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    1e-310,
    1.0,
    0.5,
    2.0,
    3.0,
    1.5,
    1e-20,
    1e20,
    9007199254740991.0,
    4503599627370495.5,
    f32::MAX as f64,
    1e-45,
];

fn signed(values: &[f64]) -> Vec<f64> {
    values.iter().flat_map(|&value| [value, -value]).collect()
}

fn check_special<F: ElementaryFunction<f32> + ElementaryFunction<f64>>(
    name: &str,
    exact: Map,
    exact_f32: fn(f32) -> f32,
) {
    for x in signed(&SPECIAL) {
        let (got, want) = (value::<F, f64>(x), exact(x));
        assert!(agree(got, want, 53, -1022), "{name}({x:e}) is {got:e}, not {want:e}");
        let x = x as f32;
        let (got, want) = (value::<F, f32>(x), exact_f32(x));
        assert!(agree(got as f64, want as f64, 24, -126), "{name}({x:e}f32) is {got:e}, not {want:e}");
    }
}

fn check_special2<F: ElementaryFunction2<f32> + ElementaryFunction2<f64>>(
    name: &str,
    exact: Map2,
    exact_f32: fn(f32, f32) -> f32,
) {
    let values = signed(&SPECIAL);
    for (&x, &y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
        let (got, want) = (value2::<F, f64>(x, y), exact(x, y));
        assert!(agree(got, want, 53, -1022), "{name}({x:e}, {y:e}) is {got:e}, not {want:e}");
        let (x, y) = (x as f32, y as f32);
        let (got, want) = (value2::<F, f32>(x, y), exact_f32(x, y));
        assert!(
            agree(got as f64, want as f64, 24, -126),
            "{name}({x:e}f32, {y:e}f32) is {got:e}, not {want:e}"
        );
    }
}

#[test]
fn special_values() {
    check_special::<Exp>("exp", f64::exp, f32::exp);
    check_special::<Exp2>("exp2", f64::exp2, f32::exp2);
    check_special::<Expm1>("expm1", f64::exp_m1, f32::exp_m1);
    check_special::<Log>("log", f64::ln, f32::ln);
    check_special::<Log2>("log2", f64::log2, f32::log2);
    check_special::<Log10>("log10", f64::log10, f32::log10);
    check_special::<Log1p>("log1p", f64::ln_1p, f32::ln_1p);
    check_special::<Sin>("sin", f64::sin, f32::sin);
    check_special::<Cos>("cos", f64::cos, f32::cos);
    check_special::<Tan>("tan", f64::tan, f32::tan);
    check_special::<Arcsin>("arcsin", f64::asin, f32::asin);
    check_special::<Arccos>("arccos", f64::acos, f32::acos);
    check_special::<Arctan>("arctan", f64::atan, f32::atan);
    check_special::<Sinh>("sinh", f64::sinh, f32::sinh);
    check_special::<Cosh>("cosh", f64::cosh, f32::cosh);
    check_special::<Tanh>("tanh", f64::tanh, f32::tanh);
    check_special::<Arcsinh>("arcsinh", pxfm::f_asinh, pxfm::f_asinhf);
    check_special::<Arccosh>("arccosh", pxfm::f_acosh, pxfm::f_acoshf);
    check_special::<Arctanh>("arctanh", pxfm::f_atanh, pxfm::f_atanhf);
    check_special::<Cbrt>("cbrt", f64::cbrt, f32::cbrt);
    check_special2::<Power>("power", f64::powf, f32::powf);
    check_special2::<Arctan2>("arctan2", f64::atan2, f32::atan2);
    check_special2::<Hypot>("hypot", f64::hypot, f32::hypot);
}

#[test]
fn sums_of_exponentials_at_infinity() {
    let infinity = f64::INFINITY;
    for sum in [value2::<Logaddexp, f64>, value2::<Logaddexp2, f64>] {
        assert_eq!(sum(infinity, infinity), infinity);
        assert_eq!(sum(-infinity, -infinity), -infinity);
        assert_eq!(sum(-infinity, infinity), infinity);
        assert_eq!(sum(-infinity, 3.0), 3.0);
        assert_eq!(sum(3.0, -infinity), 3.0);
        assert_eq!(sum(infinity, 3.0), infinity);
        assert!(sum(f64::NAN, infinity).is_nan());
        assert!(sum(0.0, f64::NAN).is_nan());
    }
}

#[test]
fn exact_values() {
    for k in -1074..1024 {
        let power = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        assert_eq!(value::<Exp2, f64>(k as f64), power);
        assert_eq!(value::<Log2, f64>(power), k as f64);
    }
    for k in -149..128 {
        assert_eq!(value::<Exp2, f32>(k as f32), 2f64.powi(k) as f32);
        assert_eq!(value::<Log2, f32>(2f64.powi(k) as f32), k as f32);
    }
    for k in 0..=22 {
        assert_eq!(value::<Log10, f64>(format!("1e{k}").parse().unwrap()), k as f64);
    }
    for k in 0..=10 {
        assert_eq!(value::<Log10, f32>(format!("1e{k}").parse().unwrap()), k as f32);
    }
    for k in -200_000..=200_000 {
        let x = k as f64;
        assert_eq!(value::<Cbrt, f64>(x * x * x), x);
    }
    for k in -255..=255 {
        let x = k as f32;
        assert_eq!(value::<Cbrt, f32>(x * x * x), x);
    }
    for base in -30..=30i64 {
        for exponent in 0..=10 {
            let power = base.pow(exponent);
            if power.abs() <= 1 << 53 {
                assert_eq!(value2::<Power, f64>(base as f64, exponent as f64), power as f64);
            }
            if power.abs() <= 1 << 24 {
                assert_eq!(value2::<Power, f32>(base as f32, exponent as f32), power as f32);
            }
        }
    }
}
