//! Marsaglia and Tsang's ziggurat, in NumPy's form: normal and exponential variates of mostly one word.

use super::words::WordSource;
use super::ziggurat_tables::{
    EXPONENTIAL_DENSITY, EXPONENTIAL_INSIDE, EXPONENTIAL_STEP, NORMAL_DENSITY, NORMAL_INSIDE, NORMAL_STEP,
};

/// Where the tail of the normal begins, and one over it.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
const NORMAL_TAIL_INVERSE: f64 = 0.273_661_237_329_758_3;
/// Where the tail of the exponential begins.
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;

/// The tables in single precision, whose fractions have 23 bits.
struct Single {
    inside: [u32; 256],
    step: [f32; 256],
    density: [f32; 256],
}

/// Rounds tables to single precision; `shift` bits of the fraction are given up. Entries of `steps` and `densities` are NumPy's, which come from
/// more digits than a double has.
const fn single(
    inside: &[u64; 256],
    step: &[f64; 256],
    density: &[f64; 256],
    shift: u32,
    steps: &[(usize, f32)],
    densities: &[(usize, f32)],
) -> Single {
    let mut made = Single { inside: [0; 256], step: [0.0; 256], density: [0.0; 256] };
    let mut i = 0;
    while i < 256 {
        made.inside[i] = ((inside[i] + (1 << (shift - 1))) >> shift) as u32;
        made.step[i] = (step[i] * (1u64 << shift) as f64) as f32;
        made.density[i] = density[i] as f32;
        i += 1;
    }
    i = 0;
    while i < steps.len() {
        made.step[steps[i].0] = steps[i].1;
        i += 1;
    }
    i = 0;
    while i < densities.len() {
        made.density[densities[i].0] = densities[i].1;
        i += 1;
    }
    made
}

static NORMAL_SINGLE: Single = single(&NORMAL_INSIDE, &NORMAL_STEP, &NORMAL_DENSITY, 29, &[], &[]);
static EXPONENTIAL_SINGLE: Single = single(
    &EXPONENTIAL_INSIDE,
    &EXPONENTIAL_STEP,
    &EXPONENTIAL_DENSITY,
    30,
    &[(226, 4.400_254_7e-7)],
    &[(128, 0.188_181_19), (154, 0.132_445_34), (171, 0.101_322_99)],
);

/// A normal variate.
#[inline]
pub(super) fn normal<W: WordSource>(words: &mut W) -> f64 {
    let word = words.next64();
    let layer = (word & 0xff) as usize;
    let steps = (word >> 9) & 0x000f_ffff_ffff_ffff;
    let x = signed(steps as f64 * NORMAL_STEP[layer], word >> 8 & 1 == 1);
    if steps < NORMAL_INSIDE[layer] { x } else { normal_outside(words, layer, steps, x) }
}

#[inline]
fn signed(x: f64, negative: bool) -> f64 {
    if negative { -x } else { x }
}

#[cold]
fn normal_outside<W: WordSource>(words: &mut W, mut layer: usize, mut steps: u64, mut x: f64) -> f64 {
    loop {
        if layer == 0 {
            loop {
                let xx = -NORMAL_TAIL_INVERSE * (-words.next_double()).ln_1p();
                let yy = -(-words.next_double()).ln_1p();
                if yy + yy > xx * xx {
                    return signed(NORMAL_TAIL + xx, steps >> 8 & 1 == 1);
                }
            }
        }
        let (above, below) = (NORMAL_DENSITY[layer - 1], NORMAL_DENSITY[layer]);
        if (above - below) * words.next_double() + below < (-0.5 * x * x).exp() {
            return x;
        }
        let word = words.next64();
        layer = (word & 0xff) as usize;
        steps = (word >> 9) & 0x000f_ffff_ffff_ffff;
        x = signed(steps as f64 * NORMAL_STEP[layer], word >> 8 & 1 == 1);
        if steps < NORMAL_INSIDE[layer] {
            return x;
        }
    }
}

/// The same in single precision, of a word of 32 bits.
#[inline]
pub(super) fn normal_single<W: WordSource>(words: &mut W) -> f32 {
    let table = &NORMAL_SINGLE;
    loop {
        let word = words.next32();
        let layer = (word & 0xff) as usize;
        let steps = word >> 9;
        let x = steps as f32 * table.step[layer];
        let x = if word >> 8 & 1 == 1 { -x } else { x };
        if steps < table.inside[layer] {
            return x;
        }
        if layer == 0 {
            loop {
                let xx = -(NORMAL_TAIL_INVERSE as f32) * (-words.next_float()).ln_1p();
                let yy = -(-words.next_float()).ln_1p();
                if yy + yy > xx * xx {
                    let far = NORMAL_TAIL as f32 + xx;
                    return if steps >> 8 & 1 == 1 { -far } else { far };
                }
            }
        }
        let (above, below) = (table.density[layer - 1], table.density[layer]);
        let wide = f64::from(x);
        if f64::from((above - below) * words.next_float() + below) < (-0.5 * wide * wide).exp() {
            return x;
        }
    }
}

/// An exponential variate of mean one.
#[inline]
pub(super) fn exponential<W: WordSource>(words: &mut W) -> f64 {
    let word = words.next64() >> 3;
    let (layer, steps) = ((word & 0xff) as usize, word >> 8);
    let x = steps as f64 * EXPONENTIAL_STEP[layer];
    if steps < EXPONENTIAL_INSIDE[layer] { x } else { exponential_outside(words, layer, x) }
}

#[cold]
fn exponential_outside<W: WordSource>(words: &mut W, layer: usize, x: f64) -> f64 {
    if layer == 0 {
        return EXPONENTIAL_TAIL - (-words.next_double()).ln_1p();
    }
    let (above, below) = (EXPONENTIAL_DENSITY[layer - 1], EXPONENTIAL_DENSITY[layer]);
    if (above - below) * words.next_double() + below < (-x).exp() { x } else { exponential(words) }
}

/// The same in single precision.
#[inline]
pub(super) fn exponential_single<W: WordSource>(words: &mut W) -> f32 {
    let table = &EXPONENTIAL_SINGLE;
    loop {
        let word = words.next32() >> 1;
        let (layer, steps) = ((word & 0xff) as usize, word >> 8);
        let x = steps as f32 * table.step[layer];
        if steps < table.inside[layer] {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_TAIL as f32 - (-words.next_float()).ln_1p();
        }
        let (above, below) = (table.density[layer - 1], table.density[layer]);
        if (above - below) * words.next_float() + below < (-x).exp() {
            return x;
        }
    }
}
