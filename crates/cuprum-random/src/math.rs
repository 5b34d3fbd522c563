//! Elementary functions that give the same bits on every device: sums, products, quotients and square roots, each
//! rounded, nothing fused and nothing of the system's library. Free of branches where vector loops need them.
//!
//! The polynomials are those of the block machine's functions; without fused products the errors are about one unit in
//! the last place, far below what any number of draws could show.

const LN_2_HI: f64 = 0.6931471803691238;
const LN_2_LO: f64 = 1.9082149292705877e-10;
/// The bits of `sqrt(1/2)`: mantissas are brought into `[sqrt(1/2), sqrt(2))`.
const SQRT_HALF_BITS: u64 = 0x3fe6a09e667f3bcd;
const ONE_BITS: u64 = 0x3ff0000000000000;
const MANTISSA: u64 = 0x000fffffffffffff;
/// `2^52`: a small integer in its low bits is that integer more.
const SHIFT_BITS: u64 = 0x4330000000000000;
const SHIFT: f64 = 4503599627370496.0;
const FRAC_PI_2: f64 = std::f64::consts::FRAC_PI_2;

const LOG: [f64; 7] = [
    0.666666666666674,
    0.3999999999938226,
    0.28571428749528,
    0.22222197833440932,
    0.18183603499020431,
    0.15313024763447428,
    0.14806476550030362,
];
const EXP: [f64; 10] = [
    0.5000000000000014,
    0.16666666666666685,
    0.04166666666650061,
    0.008333333333315639,
    0.0013888888951076091,
    0.00019841269899934915,
    2.4801485566458998e-05,
    2.7557231255241657e-06,
    2.763289753478611e-07,
    2.5113307170417768e-08,
];
const SIN: [f64; 6] = [
    -0.1666666666666663,
    0.00833333333332188,
    -0.0001984126982940168,
    2.7557313554567605e-06,
    -2.5050736875202225e-08,
    1.589557030938139e-10,
];
const COS: [f64; 6] = [
    0.041666666666666595,
    -0.0013888888888873377,
    2.480158728902731e-05,
    -2.7557314222805186e-07,
    2.087570579559317e-09,
    -1.1358745330788374e-11,
];
const ATAN: [f64; 11] = [
    -0.33333333333333187,
    0.1999999999995119,
    -0.14285714279991113,
    0.11111110774431232,
    -0.09090897524810035,
    0.07692056445030958,
    -0.06663064643919558,
    0.05847623463551428,
    -0.05038186785918242,
    0.03803791191990939,
    -0.017879708301412847,
];

#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// The natural logarithm of a positive, normal, finite number.
#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let shifted = x.to_bits().wrapping_add(ONE_BITS - SQRT_HALF_BITS);
    let k = f64::from_bits((shifted >> 52) | SHIFT_BITS) - (SHIFT + 1023.0);
    let f = f64::from_bits((shifted & MANTISSA) + SQRT_HALF_BITS) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let series = z * polynomial(z, &LOG);
    let low = s * (half_square + series) + k * LN_2_LO;
    k * LN_2_HI + (f - (half_square - low))
}

/// `e^x`; zero and infinity where the result is out of range, NaN stays.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let bounded = if x > 710.0 { 710.0 } else { x };
    let bounded = if bounded < -746.0 { -746.0 } else { bounded };
    // The nearest whole number of halvings, through the rounding of a sum with 1.5 * 2^52.
    let near = bounded * std::f64::consts::LOG2_E + 1.5 * SHIFT;
    let n = near - 1.5 * SHIFT;
    let r = (bounded - n * LN_2_HI) - n * LN_2_LO;
    let value = 1.0 + (r + r * r * polynomial(r, &EXP));
    // Two factors reach subnormal results; a power of two is the integer in the sum's last bits, moved.
    let k = near.to_bits().wrapping_sub((1.5 * SHIFT).to_bits()) as i64;
    let half = k >> 1;
    let power = |k: i64| f64::from_bits((k.wrapping_add(1023) as u64) << 52);
    value * power(half) * power(k.wrapping_sub(half))
}

/// `log(1 + x)` for `x` above -1: the sum's rounding error is made good.
#[inline(always)]
pub(crate) fn log1p(x: f64) -> f64 {
    let u = 1.0 + x;
    log(u) + (x - (u - 1.0)) / u
}

/// `e^x - 1`, accurate near zero by Kahan's quotient.
#[inline(always)]
pub(crate) fn expm1(x: f64) -> f64 {
    let u = exp(x);
    let plain = u - 1.0;
    let near = plain.abs() < 0.5;
    let safe = if near && plain != 0.0 { u } else { 2.0 };
    let corrected = plain * (x / log(safe));
    let value = if near { corrected } else { plain };
    if plain == 0.0 { x } else { value }
}

/// `x^y` of a positive `x`.
#[inline(always)]
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    exp(y * log(x))
}

/// The sine and the cosine of the angle that a word stands for: two bits of quadrant, then 52 bits of its fraction.
#[inline(always)]
pub(crate) fn sin_cos_of_word(word: u64) -> (f64, f64) {
    let fraction = f64::from_bits(((word << 2) >> 12) | ONE_BITS);
    // Half a step keeps the angle off the axes.
    let quarter_turns = (fraction - 1.5) + 2f64.powi(-53);
    let (sin, cos) = sin_cos(quarter_turns * FRAC_PI_2);
    let odd = word & (1 << 62) != 0;
    let (sin, cos) = if odd { (cos, sin) } else { (sin, cos) };
    let sign = 1u64 << 63;
    let flip_sin = word & sign;
    let flip_cos = (word ^ (word << 1)) & sign;
    (f64::from_bits(sin.to_bits() ^ flip_sin), f64::from_bits(cos.to_bits() ^ flip_cos))
}

/// The sine and the cosine of an angle up to a quarter of pi.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    let z = x * x;
    (x + x * z * polynomial(z, &SIN), (1.0 - 0.5 * z) + z * z * polynomial(z, &COS))
}

/// The angle from 0 to pi whose cosine is `x`.
pub(crate) fn arccos(x: f64) -> f64 {
    // Of the half angle: tan(a / 2) = sqrt((1 - x) / (1 + x)).
    2.0 * arctan(((1.0 - x) / (1.0 + x)).sqrt())
}

/// The inverse tangent of a number that is not negative.
fn arctan(x: f64) -> f64 {
    const TAN_PI_8: f64 = 0.41421356237309503;
    const TAN_3_PI_8: f64 = 2.414213562373095;
    let (base, t) = if x > TAN_3_PI_8 {
        (FRAC_PI_2, -1.0 / x)
    } else if x > TAN_PI_8 {
        (0.5 * FRAC_PI_2, (x - 1.0) / (x + 1.0))
    } else {
        (0.0, x)
    };
    let z = t * t;
    base + (t + t * z * polynomial(z, &ATAN))
}

/// What Stirling's formula for `log(k!)` leaves out: `log(k!) - ((k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2)`.
pub(crate) fn stirling_rest(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.02079067210376509,
        0.01664469118982119,
        0.01387612882307075,
        0.01189670994589177,
        0.01041126526197209,
        0.009255462182712733,
        0.00833056343336287,
    ];
    if k < 10.0 {
        return SMALL[k as usize];
    }
    let x = 1.0 / (k + 1.0);
    let z = x * x;
    x * (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z / 1188.0))))
}

/// `log(k!)` of a whole number.
pub(crate) fn log_factorial(k: f64) -> f64 {
    const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;
    (k + 0.5) * log(k + 1.0) - (k + 1.0) + HALF_LOG_TWO_PI + stirling_rest(k)
}

/// The logarithm of a uniform number in `(0, 1)`, negated: the word's place in 2^64, taken from the nearer end so that
/// both tails are exact.
#[inline(always)]
pub(crate) fn exponential_of_word(word: u64) -> f64 {
    let upper = word >> 63 != 0;
    let near = if upper { !word } else { word };
    let o = (near as f64 + 0.5) * 2f64.powi(-64);
    let u = if upper { 1.0 - o } else { o };
    // What the difference lost, by the logarithm's slope there; nothing in the lower half.
    let lost = if upper { (-o - (u - 1.0)) * (1.0 + o) } else { 0.0 };
    0.0 - (log(u) + lost)
}

/// A uniform number in `[0, 1)` of 53 bits: NumPy's.
#[inline(always)]
pub(crate) fn uniform_of_word(word: u64) -> f64 {
    (word >> 11) as f64 * 2f64.powi(-53)
}

/// Two independent normal variates of two words: Box and Muller's transformation.
#[inline(always)]
pub(crate) fn normals_of_words(radius: u64, angle: u64) -> (f64, f64) {
    let r = (2.0 * exponential_of_word(radius)).sqrt();
    let (sin, cos) = sin_cos_of_word(angle);
    (r * cos, r * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error over a sweep, in units in the last place of the system's result.
    fn worst(points: impl Iterator<Item = f64>, ours: fn(f64) -> f64, theirs: fn(f64) -> f64) -> f64 {
        points.map(|x| ((ours(x) - theirs(x)) / theirs(x)).abs() / f64::EPSILON).fold(0.0, f64::max)
    }

    #[test]
    #[cfg_attr(miri, ignore = "many values, and no unsafe code")]
    fn functions_are_within_three_ulps() {
        let spread = || (0..40_000).map(|i| (1.0 + i as f64 * 0.37) * 1.001f64.powi(i % 30_000 - 15_000));
        assert!(worst(spread(), log, f64::ln) < 3.0);
        let angles = || (1..40_000).map(|i| i as f64 * 0.0177 - 350.0);
        assert!(worst(angles(), exp, f64::exp) < 3.0);
        assert!(worst(angles().map(|x| x * 1e-3), expm1, f64::exp_m1) < 3.0);
        assert!(worst((1..1000).map(|i| i as f64 * 1e-3), log1p, f64::ln_1p) < 3.0);
        assert!(worst((0..1999).map(|i| i as f64 * 1e-3 - 0.999), arccos, f64::acos) < 3.0);
    }

    #[test]
    fn exponentials_reach_both_tails() {
        assert_eq!(exponential_of_word(0), 65.0 * std::f64::consts::LN_2);
        let least = exponential_of_word(u64::MAX);
        assert_eq!(least, 2f64.powi(-65));
        assert_eq!(exponential_of_word(1 << 63), exponential_of_word((1 << 63) - 1));
    }

    #[test]
    fn angles_go_round_the_circle() {
        for i in 0..64u64 {
            let word = i << 58 | 1 << 57;
            let angle = (word as f64) * 2f64.powi(-64) * std::f64::consts::TAU - std::f64::consts::FRAC_PI_4;
            let (sin, cos) = sin_cos_of_word(word);
            assert!((sin - angle.sin()).abs() < 1e-15 && (cos - angle.cos()).abs() < 1e-15, "{i}");
        }
    }

    #[test]
    fn factorials() {
        let mut sum = 0.0;
        for k in 1..200 {
            sum += f64::from(k).ln();
            assert!((log_factorial(f64::from(k)) - sum).abs() < 1e-13 * (1.0 + sum), "{k}");
        }
    }
}
