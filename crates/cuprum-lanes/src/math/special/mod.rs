//! Special functions: `i0`, which NumPy has too, and the families of `scipy.special`.
//!
//! A family is one file of plain functions of `f64`. It is compiled twice: [`portable`] for every CPU, `fused` for CPUs
//! with fused multiply-adds, whose functions call each other with the instructions that they were compiled for.
//! scripts/special_texts.py writes the same files in CUDA C. Other dtypes are computed in `f64` and rounded once.

#![allow(
    clippy::nonminimal_bool,
    clippy::needless_range_loop,
    reason = "these texts are taken over into CUDA C: loops and conditions stay as it has them"
)]

pub(crate) mod coefficients;
pub(crate) mod elementary;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::duplicate_mod)]
pub(crate) mod fused;
pub(crate) mod portable;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable as fused;

use std::mem::MaybeUninit;

use super::{ElementaryFunction, Exp};
use crate::Lane;

/// Elements that [`by_doubles`] converts and lanes keep aside at a time.
const CHUNK: usize = 256;

/// Elements that go through a recurrence together: as many as registers hold.
const BLOCK: usize = 16;

/// The elements from `at` on, zeros after the last of `n`.
///
/// # Safety
/// `from` has `n` elements, and `at` is below `n`.
#[inline(always)]
unsafe fn read_block(from: *const u8, at: usize, n: usize) -> [f64; BLOCK] {
    let from = from.cast::<f64>();
    if n - at >= BLOCK {
        // SAFETY: a whole block lies before the end.
        return unsafe { from.add(at).cast::<[f64; BLOCK]>().read() };
    }
    // SAFETY: below `n`.
    std::array::from_fn(|i| if at + i < n { unsafe { from.add(at + i).read() } } else { 0.0 })
}

/// Writes the elements from `at` on, up to the last of `n`.
///
/// # Safety
/// `to` has room for `n` elements, and `at` is below `n`.
#[inline(always)]
unsafe fn write_block(to: *mut u8, at: usize, n: usize, values: &[f64; BLOCK]) {
    let count = BLOCK.min(n - at);
    // SAFETY: `at + count` is at most `n`.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to.cast::<f64>().add(at), count) };
}

/// The first and the second parts of the elements from `at` on, zeros after the last of `n`.
///
/// # Safety
/// `from` has `n` elements of two parts, and `at` is below `n`.
#[inline(always)]
unsafe fn read_pairs(from: *const u8, at: usize, n: usize) -> [[f64; BLOCK]; 2] {
    let from = from.cast::<[f64; 2]>();
    let mut parts = [[0.0; BLOCK]; 2];
    for i in 0..BLOCK.min(n - at) {
        // SAFETY: `at + i` is below `n`.
        [parts[0][i], parts[1][i]] = unsafe { from.add(at + i).read() };
    }
    parts
}

/// Writes the first parts of the elements from `at` on, up to the last of `n`; the second ones are zero.
///
/// # Safety
/// `to` has room for `n` elements of two parts, and `at` is below `n`.
#[inline(always)]
unsafe fn write_pairs(to: *mut u8, at: usize, n: usize, values: &[f64; BLOCK]) {
    let to = to.cast::<[f64; 2]>();
    for (i, &value) in values.iter().enumerate().take(n - at) {
        // SAFETY: `at + i` is below `n`.
        unsafe { to.add(at + i).write([value, 0.0]) };
    }
}

/// Runs a lane of `f64` over `n` parts of `f32`, of which complex elements have two.
///
/// # Safety
/// The contract of [`Lane`], for `nin` arguments of `n` `f32` each; `run` takes `n / parts` elements.
pub(crate) unsafe fn by_doubles(
    run: Lane,
    nin: usize,
    parts: usize,
    n: usize,
    dst: *mut u8,
    src: [*const u8; 3],
) {
    let mut wide = [[MaybeUninit::<f64>::uninit(); CHUNK]; 3];
    let mut result = [MaybeUninit::<f64>::uninit(); CHUNK];
    let mut at = 0;
    while at < n {
        let m = CHUNK.min(n - at);
        let mut args = src;
        for k in 0..nin {
            for (i, to) in wide[k][..m].iter_mut().enumerate() {
                // SAFETY: the caller vouches for `n` elements, of which this is one.
                to.write(f64::from(unsafe { src[k].cast::<f32>().add(at + i).read() }));
            }
            args[k] = wide[k].as_ptr().cast();
        }
        // SAFETY: `m` parts have been written to each argument, and the result has room for as many.
        unsafe { run(m / parts, result.as_mut_ptr().cast(), args) };
        for (i, value) in result[..m].iter().enumerate() {
            // SAFETY: the lane has written `m` parts; the destination holds `n`, and its old elements have been read.
            unsafe { dst.cast::<f32>().add(at + i).write(value.assume_init() as f32) };
        }
        at += m;
    }
}

/// Chebyshev coefficients of `e^-x I0(x)` for `x` from 0 to 8.
const NEAR: [f64; 31] = [
    0.33839763720473803,
    -0.3046826723431984,
    0.17162090152220877,
    -0.09490109704804764,
    0.04930528423967071,
    -0.02373741480589947,
    0.010546460394594998,
    -0.004324309995050576,
    0.0016394756169413357,
    -0.0005763755745385824,
    0.00018850288509584165,
    -5.754195010082104e-05,
    1.6448448070728896e-05,
    -4.4167383584587505e-06,
    1.1173875391201037e-06,
    -2.670793853940612e-07,
    6.046995022541919e-08,
    -1.300025009986248e-08,
    2.6598237246823866e-09,
    -5.189795601635263e-10,
    9.675809035373237e-11,
    -1.726826291441556e-11,
    2.95505266312964e-12,
    -4.856446783111929e-13,
    7.676185498604936e-14,
    -1.1685332877993451e-14,
    1.715391285555133e-15,
    -2.431279846547955e-16,
    3.3307945188222384e-17,
    -4.4153416464793395e-18,
    5.669178006921496e-19,
];

/// Chebyshev coefficients of `e^-x sqrt(x) I0(x)` in `1/x`, from 0 to 1/8.
const FAR: [f64; 27] = [
    0.4022452055070544,
    0.0033691164782556943,
    6.889758346916825e-05,
    2.8913705208347567e-06,
    2.0489185894690638e-07,
    2.266668990498178e-08,
    3.3962320257083865e-09,
    4.94060238822497e-10,
    1.1889147107846439e-11,
    -3.1499165279632416e-11,
    -1.3215811840447713e-11,
    -1.7941785315068062e-12,
    7.180124451383666e-13,
    3.8527783827421426e-13,
    1.54008621752141e-14,
    -4.150569347287222e-14,
    -9.554846698828307e-15,
    3.8116806693526224e-15,
    1.7725601330565263e-15,
    -3.425485619677219e-16,
    -2.8276239805165836e-16,
    3.461222867697461e-17,
    4.46562142029676e-17,
    -4.830504485944182e-18,
    -7.233180487874754e-18,
    9.921475412173699e-19,
    1.193650890845982e-18,
];

/// The sum of a Chebyshev series at `t`, from -1 to 1, by Clenshaw's recurrence; the last step is written as
/// a difference, which rounds better at the ends of the interval.
#[inline(always)]
fn chebyshev<const N: usize>(t: f64, coefficients: &[f64; N]) -> f64 {
    let twice = 2.0 * t;
    let (mut b1, mut b2) = (0.0, 0.0);
    for &c in coefficients[1..].iter().rev() {
        (b1, b2) = (twice * b1 - b2 + c, b1);
    }
    0.5 * (twice * b1 - b2 + 2.0 * coefficients[0] - b2)
}

/// The modified Bessel function of the first kind, of order zero; free of branches.
///
/// ```
/// use cuprum_lanes::math::special::i0;
/// assert_eq!(i0(0.0), 1.0);
/// assert!((i0(1.0) - 1.2660658777520084).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn i0(x: f64) -> f64 {
    let x = x.abs();
    let near = x <= 8.0;
    let low = if near { x } else { 8.0 };
    let high = if near { 8.0 } else { x };
    // Where the whole exponential overflows before the result does, half of it is taken at a time.
    let (whole, half) = (Exp::fast(x), Exp::fast(0.5 * x));
    let series = if near {
        chebyshev(low / 4.0 - 1.0, &NEAR)
    } else {
        chebyshev(16.0 / high - 1.0, &FAR) / high.sqrt()
    };
    match x {
        0.0 => 1.0,
        f64::INFINITY => x,
        _ if x < 700.0 => whole * series,
        _ => half * series * half,
    }
}
