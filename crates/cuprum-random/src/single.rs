//! Normal variates in single precision: Box and Muller's transformation by functions that give the same bits on every
//! device. Every operation is rounded, and those that are fused are named: nothing else is.

use std::f32::consts::{FRAC_PI_4, LN_2};

/// `-2 log(1 + f) / f` as a polynomial of `f`, for `1 + f` from `sqrt(1/2)` to `sqrt(2)`; highest power first.
const LOG: [f32; 9] = [
    -0.174_695_01,
    0.286_149_65,
    -0.298_359_78,
    0.331_410_3,
    -0.399_241_42,
    0.500_035_1,
    -0.666_679,
    0.999_999_8,
    -2.0,
];
/// `(sin(x) - x) / x^3` and `(cos(x) - 1) / x^2` as polynomials of `x^2`, up to a quarter of pi.
const SIN: [f32; 3] = [-0.000_195_172_98, 0.008_332_178, -0.166_666_55];
const COS: [f32; 3] = [-0.001_359_782_2, 0.041_656_293, -0.499_998_96];

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
    let r = twice_exponential::<F>((word >> 32) as u32).sqrt();
    let (level, upright) = turn::<F>(word as u32);
    (r * level, r * upright)
}

/// `-2 log(u)` of a uniform number in `(0, 1)`: the half's place in 2^32, taken from the nearer end so that both tails are
/// exact.
#[inline(always)]
fn twice_exponential<F: Fused>(half: u32) -> f32 {
    const SQRT_HALF_BITS: u32 = 0x3f3504f3;
    let upper = (half as i32) < 0;
    let near = if upper { !half } else { half };
    // Below 2^31 the conversion is the signed one, which vector units have.
    let o = F::fused(near as i32 as f32, 2f32.powi(-32), 2f32.powi(-33));
    let u = if upper { 1.0 - o } else { o };
    let above = u.to_bits().wrapping_sub(SQRT_HALF_BITS) as i32;
    let mantissa = u.to_bits().wrapping_sub((above & !0x007f_ffff) as u32);
    let f = f32::from_bits(mantissa) - 1.0;
    let f = if upper && above >= 0 { -o } else { f };
    let mut sum = LOG[0];
    for coefficient in &LOG[1..] {
        sum = F::fused(sum, f, *coefficient);
    }
    F::fused(sum, f, (above >> 23) as f32 * (-2.0 * LN_2))
}

/// A point of the unit circle: thirty bits of the angle within a quarter, one for the quarter's axis and one for its end.
#[inline(always)]
fn turn<F: Fused>(half: u32) -> (f32, f32) {
    // Two more, half a step, keep the angle off the axes.
    let x = half.wrapping_mul(4).wrapping_add(2) as i32 as f32 * (FRAC_PI_4 * 2f32.powi(-31));
    let z = x * x;
    let sin = F::fused(x * z, F::fused(F::fused(SIN[0], z, SIN[1]), z, SIN[2]), x);
    let cos = F::fused(z, F::fused(F::fused(COS[0], z, COS[1]), z, COS[2]), 1.0);
    let cos = f32::from_bits(cos.to_bits() ^ (half & (1 << 31)));
    if half & (1 << 30) != 0 { (sin, cos) } else { (cos, sin) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves() -> impl Iterator<Item = u32> {
        let edges = [0, 1, 2, 7, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
        edges.into_iter().chain((0..200_000u32).map(|i| i.wrapping_mul(2_654_435_769) ^ (i >> 3)))
    }

    #[test]
    fn radii_are_right_at_both_ends() {
        for half in halves() {
            let u = (f64::from(half) + 0.5) * 2f64.powi(-32);
            let exact = if half >> 31 != 0 { -2.0 * (u - 1.0).ln_1p() } else { -2.0 * u.ln() };
            let got = f64::from(twice_exponential::<Native>(half));
            assert!((got - exact).abs() <= 3e-7 * exact, "{half:#x}: {got} {exact}");
        }
    }

    #[test]
    fn turns_are_points_of_the_circle() {
        let mut quarters = [0; 4];
        for half in halves() {
            let (level, upright) = turn::<Native>(half);
            let (level, upright) = (f64::from(level), f64::from(upright));
            assert!((level * level + upright * upright - 1.0).abs() < 4e-7, "{half:#x}");
            let within = f64::from(half.wrapping_mul(4).wrapping_add(2) as i32) * 2f64.powi(-31);
            let sin = (within * std::f64::consts::FRAC_PI_4).sin();
            let smaller = if half & (1 << 30) != 0 { level } else { upright };
            assert!((smaller - sin).abs() < 1.2e-7, "{half:#x}");
            quarters[(half >> 30) as usize] += 1;
        }
        assert!(quarters.iter().all(|&n| n > 40_000));
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
        // Few bits, so that sums lie halfway between numbers; then also far from each other, so that they nearly do.
        let mut short = |spread: i32, middle: i32| {
            let bits = next();
            let mantissa = 1.0 + (bits >> 20) as f32 / 4096.0;
            let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            sign * mantissa * 2f32.powi((bits >> 1 & 0xff) as i32 % spread - spread / 2 + middle)
        };
        for _ in 0..300_000 {
            check([short(20, 0), short(20, 0), short(40, 0)]);
            check([short(2, 0), short(2, -24), short(2, 0)]);
            check([short(60, 0), short(60, -36), short(120, 0)]);
            check([short(40, -60), short(40, -66), short(40, -120)]);
        }
        for _ in 0..300_000 {
            check([next(), next(), next()].map(|bits| f32::from_bits(bits >> 9 | 0x3f00_0000) - 0.7));
            check([next(), next(), next()].map(f32::from_bits));
        }
    }
}
