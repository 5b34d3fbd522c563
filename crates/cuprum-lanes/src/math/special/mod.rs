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

use self::coefficients::{I0_FAR, I0_NEAR};
use self::elementary::{horner, plain_exp, poly};
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
    let is_near = x <= 12.0;
    let half = 0.5 * if is_near { x } else { 12.0 };
    let square = half * half;
    let series = horner(square, &I0_NEAR);
    // What the square lost, by some digits of the derivative.
    let near = (series * half.mul_add(half, -square)).mul_add(1.0 / (half + 1.0), series);
    let high = if is_near {
        12.0
    } else if x < 1400.0 {
        x
    } else {
        1400.0
    };
    let inverse = 1.0 / high;
    let far = poly(24.0f64.mul_add(inverse, -1.0), &I0_FAR) * inverse.sqrt();
    // Where the whole exponential overflows before the result does, half of it is taken at a time.
    let root = plain_exp(if x < 700.0 { high } else { 0.5 * high });
    match x {
        _ if is_near => near,
        _ if x < 700.0 => root * far,
        _ if x < 1400.0 => root * far * root,
        _ => x * f64::INFINITY,
    }
}
