//! Normal variates in single precision: Box and Muller's transformation by functions that give the same bits on every
//! device. Every operation is rounded, and those that are fused are named: nothing else is.

/// `-2^23 log2(1 + f) / f` as a polynomial of `f`, for `1 + f` from a half to one; highest power first.
const LOG: [f32; 8] = [
    14_340_462.0,
    13_089_320.0,
    9_505_640.0,
    -460_041.6,
    3_294_840.5,
    -4_016_268.2,
    6_051_544.0,
    -12_102_201.0,
];
/// `s sin(x) / x` and `s cos(x)` as polynomials of `x^2`, up to half of pi, where `s^2` is `2 log(2) 2^-23`: what makes a radius of
/// the root of `2^23` times a number of halvings.
const SIN: [f32; 5] = [1.057_727_8e-9, -8.052_128e-8, 3.387_548e-6, -6.775_342_6e-5, 4.065_208e-4];
const COS: [f32; 5] = [9.412_555e-9, -5.631_819e-7, 1.693_711_4e-5, -2.032_600_2e-4, 4.065_208e-4];

/// How a product and a sum are rounded once.
pub(crate) trait Fused {
    fn fused(a: f32, b: f32, c: f32) -> f32;
}

/// By the CPU's instruction.
pub(crate) struct Native;

impl Fused for Native {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// In double precision, for CPUs without that instruction: the product is exact there, and the sum is rounded twice. That is
/// right unless the first rounding ends halfway between two single numbers, which a sum seldom does.
pub(crate) struct Doubled;

impl Fused for Doubled {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        // The bits that a normal number loses when it becomes single, and what they are halfway between two of those.
        const LOST: u64 = (1 << 29) - 1;
        const HALFWAY: u64 = 1 << 28;
        let sum = f64::from(a) * f64::from(b) + f64::from(c);
        if sum.to_bits() & LOST == HALFWAY || sum.abs() < f64::from(f32::MIN_POSITIVE) {
            return rounded_to_odd(a, b, c) as f32;
        }
        sum as f32
    }
}

/// `a * b + c` with an odd last bit if anything was lost: rounded to single it is what the exact sum is.
#[cold]
#[inline(never)]
fn rounded_to_odd(a: f32, b: f32, c: f32) -> f64 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let added = sum - product;
    let lost = (product - (sum - added)) + (c - added);
    // Towards zero where the sum was rounded away from it.
    let beyond = u64::from(lost != 0.0 && (lost < 0.0) != (sum < 0.0));
    f64::from_bits((sum.to_bits() - beyond) | u64::from(lost != 0.0))
}

/// Two independent normal variates of one word: its lower half is the angle, its upper one the radius.
#[inline(always)]
pub(crate) fn normals_of_word<F: Fused>(word: u64) -> (f32, f32) {
    let (angle, radius) = (word as u32, (word >> 32) as u32);
    let r = halvings::<F>(radius).sqrt();
    let (level, upright) = half_turn::<F>(angle);
    // The bit that the size of a number does not tell: which half of the circle it is.
    let level = f32::from_bits(level.to_bits() ^ (radius & (1 << 31)));
    (r * level, r * upright)
}

/// `-2^23 log2(u)` of a uniform number in `(0, 1)`, the size of the half's place from `-2^31` to `2^31`. The factor is that of
/// whole halvings as they stand in a number's bits, which thus need no product.
#[inline(always)]
fn halvings<F: Fused>(half: u32) -> f32 {
    const MANTISSA: u32 = 0x007f_ffff;
    const HALF_BITS: u32 = 0x3f00_0000;
    // Above zero by half of a step, and below one.
    const STEP: f32 = (1.0 - f32::EPSILON / 2.0) * (1.0 / (1u32 << 31) as f32);
    let u = F::fused((half as i32 as f32).abs(), STEP, 2f32.powi(-33));
    let mantissa = (u.to_bits() & MANTISSA) | HALF_BITS;
    let whole = mantissa.wrapping_sub(u.to_bits()) as i32 as f32;
    let f = f32::from_bits(mantissa) - 1.0;
    F::fused(polynomial::<F, 8>(f, &LOG), f, whole)
}

/// A point of the right half of a small circle, by the angle from `-pi / 2` to `pi / 2`.
#[inline(always)]
fn half_turn<F: Fused>(half: u32) -> (f32, f32) {
    let x = half as i32 as f32 * (std::f32::consts::FRAC_PI_2 * 2f32.powi(-31));
    let z = x * x;
    (polynomial::<F, 5>(z, &COS), polynomial::<F, 5>(z, &SIN) * x)
}

#[inline(always)]
fn polynomial<F: Fused, const N: usize>(x: f32, coefficients: &[f32; N]) -> f32 {
    let mut sum = coefficients[0];
    for coefficient in &coefficients[1..] {
        sum = F::fused(sum, x, *coefficient);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many numbers are tried; Miri takes a thousand times as long.
    const COUNT: u32 = if cfg!(miri) { 300 } else { 200_000 };

    fn halves() -> impl Iterator<Item = u32> {
        let edges = [0, 1, 2, 7, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
        edges.into_iter().chain((0..COUNT).map(|i| i.wrapping_mul(2_654_435_769) ^ (i >> 3)))
    }

    /// The factor between the numbers of halvings and radii.
    fn scale() -> f64 {
        (2.0 * std::f64::consts::LN_2 * 2f64.powi(-23)).sqrt()
    }

    #[test]
    fn radii_are_right() {
        for half in halves() {
            let u = f64::from((half as i32).unsigned_abs()) * 2f64.powi(-31) + 2f64.powi(-33);
            let got = f64::from(halvings::<Native>(half).sqrt()) * scale();
            // That the number is rounded, and kept off one, moves the square by three halves of its last bit at most.
            let (square, exact) = (got * got, -2.0 * u.ln());
            assert!(
                (square - exact).abs() <= 4e-7 * exact.abs() + 2.0 * 1.5 * 2f64.powi(-24),
                "{half:#x}: {got}"
            );
        }
        let largest = f64::from(halvings::<Native>(0).sqrt()) * scale();
        assert!((largest - (66.0 * std::f64::consts::LN_2).sqrt()).abs() < 1e-6);
        let least = f64::from(halvings::<Native>(1 << 31).sqrt()) * scale();
        assert!((least - 2f64.powf(-11.5)).abs() < 1e-9);
    }

    #[test]
    fn turns_are_points_of_the_circle() {
        for half in halves() {
            let (level, upright) = half_turn::<Native>(half);
            let (level, upright) = (f64::from(level) / scale(), f64::from(upright) / scale());
            let angle = f64::from(half as i32) * 2f64.powi(-31) * std::f64::consts::FRAC_PI_2;
            assert!((upright - angle.sin()).abs() < 2e-7, "{half:#x}: {upright}");
            assert!((level - angle.cos()).abs() < 3e-7, "{half:#x}: {level}");
        }
    }

    #[test]
    fn pairs_lie_in_every_quarter() {
        let mut quarters = [0; 4];
        for word in halves().map(|half| u64::from(half) << 32 | u64::from(half.wrapping_mul(0x9e37_79b9))) {
            let (level, upright) = normals_of_word::<Native>(word);
            quarters[usize::from(level < 0.0) * 2 + usize::from(upright < 0.0)] += 1;
        }
        assert!(quarters.iter().all(|&n| n > COUNT / 5), "{quarters:?}");
    }

    #[test]
    fn doubled_products_are_rounded_once() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        };
        let check = |[a, b, c]: [f32; 3]| {
            let (got, exact) = (Doubled::fused(a, b, c), Native::fused(a, b, c));
            assert!(got.to_bits() == exact.to_bits() || got.is_nan() && exact.is_nan(), "{a:e} {b:e} {c:e}");
        };
        // Less than half a step beyond an odd number of the smallest steps, by less than a double number of that size can tell.
        let step = f32::from_bits(1);
        check([
            (1.0 + f32::EPSILON) * 2f32.powi(-75),
            (1.0 - f32::EPSILON) * 2f32.powi(-75),
            1_048_577.0 * step,
        ]);
        // Few bits, so that sums lie halfway between numbers; then also far from each other, so that they nearly do.
        let mut short = |spread: i32, middle: i32| {
            let bits = next();
            let mantissa = 1.0 + (bits >> 20) as f32 / 4096.0;
            let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            sign * mantissa * 2f32.powi((bits >> 1 & 0xff) as i32 % spread - spread / 2 + middle)
        };
        for _ in 0..COUNT * 3 / 2 {
            check([short(20, 0), short(20, 0), short(40, 0)]);
            check([short(2, 0), short(2, -24), short(2, 0)]);
            check([short(60, 0), short(60, -36), short(120, 0)]);
            check([short(40, -60), short(40, -66), short(40, -120)]);
        }
        for _ in 0..COUNT * 3 / 2 {
            check([next(), next(), next()].map(|bits| f32::from_bits(bits >> 9 | 0x3f00_0000) - 0.7));
            check([next(), next(), next()].map(f32::from_bits));
        }
    }
}
