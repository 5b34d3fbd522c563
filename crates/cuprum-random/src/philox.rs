//! Philox4x64-10, a block cipher in counter mode: any word of a stream can be had without the ones before it.
//!
//! The functions here read a [`Stream`] at any place, and move it on as if its words had been drawn one by one.

use cuprum_core::{SimdLevel, Stream};

use crate::simd::{self, Loop};

const MULTIPLIERS: [u64; 2] = [0xD2E7470EE14C6C93, 0xCA5A826395121157];
const WEYL: [u64; 2] = [0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B];
const ROUNDS: usize = 10;
/// Blocks that vector code enciphers side by side.
const BLOCKS_AT_A_TIME: usize = 32;

/// The four words of the block at a counter.
///
/// ```
/// use cuprum_random::block;
/// // The first words of `numpy.random.Philox(key=[1, 2])`.
/// assert_eq!(block([1, 2], [1, 0, 0, 0])[0], 5705853004827290377);
/// ```
#[inline(always)]
pub fn block(key: [u64; 2], counter: [u64; 4]) -> [u64; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let mut key = key;
    for _ in 0..ROUNDS {
        let low = u128::from(a) * u128::from(MULTIPLIERS[0]);
        let high = u128::from(c) * u128::from(MULTIPLIERS[1]);
        (a, b, c, d) =
            ((high >> 64) as u64 ^ b ^ key[0], high as u64, (low >> 64) as u64 ^ d ^ key[1], low as u64);
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    [a, b, c, d]
}

/// `counter + steps`, a number of 256 bits.
///
/// ```
/// use cuprum_random::counter_after;
/// assert_eq!(counter_after([u64::MAX, 0, 0, 0], [1, 0, 0, 0]), [0, 1, 0, 0]);
/// ```
#[inline(always)]
pub fn counter_after(counter: [u64; 4], steps: [u64; 4]) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut carry = false;
    for i in 0..4 {
        let (part, first) = counter[i].overflowing_add(steps[i]);
        let (part, second) = part.overflowing_add(u64::from(carry));
        (sum[i], carry) = (part, first | second);
    }
    sum
}

/// Fills `words` with those of the stream from number `from` on.
pub(crate) fn words_at(stream: &Stream, from: u64, words: &mut [u64], level: SimdLevel) {
    let leading = stream.leading() as u64;
    let mut filled = 0;
    while filled < words.len() && from + (filled as u64) < leading {
        words[filled] = stream.lead[stream.taken + from as usize + filled];
        filled += 1;
    }
    if filled == words.len() {
        return;
    }
    let past = from + filled as u64 - leading;
    let mut counter = counter_after(stream.counter, [past / 4 + 1, 0, 0, 0]);
    let skipped = (past % 4) as usize;
    if skipped > 0 {
        let first = block(stream.key, counter);
        let n = (4 - skipped).min(words.len() - filled);
        words[filled..filled + n].copy_from_slice(&first[skipped..skipped + n]);
        filled += n;
        counter = counter_after(counter, [1, 0, 0, 0]);
    }
    simd::run(
        level,
        Blocks { key: stream.key, counter, words: &mut words[filled..], side: level == SimdLevel::Avx512 },
    );
}

/// Fills `words` from a block's first word on.
struct Blocks<'a> {
    key: [u64; 2],
    counter: [u64; 4],
    words: &'a mut [u64],
    /// Whether vector code beats the CPU's wide multiplication.
    side: bool,
}

impl Loop for Blocks<'_> {
    #[inline(always)]
    fn run(self) {
        let Blocks { key, mut counter, mut words, side } = self;
        while side && words.len() >= 4 * BLOCKS_AT_A_TIME && counter[0] < u64::MAX - BLOCKS_AT_A_TIME as u64 {
            let (now, rest) = words.split_at_mut(4 * BLOCKS_AT_A_TIME);
            blocks_aside(key, counter, now);
            counter[0] += BLOCKS_AT_A_TIME as u64;
            words = rest;
        }
        let mut whole = words.chunks_exact_mut(4);
        for four in &mut whole {
            four.copy_from_slice(&block(key, counter));
            counter = counter_after(counter, [1, 0, 0, 0]);
        }
        let rest = whole.into_remainder();
        if !rest.is_empty() {
            rest.copy_from_slice(&block(key, counter)[..rest.len()]);
        }
    }
}

/// The low and the high word of a product, made of products of halves: vector units have no wider ones.
#[inline(always)]
fn wide_product(x: u64, y: u64) -> (u64, u64) {
    const LOW_HALF: u64 = 0xffff_ffff;
    let (x0, x1, y0, y1) = (x & LOW_HALF, x >> 32, y & LOW_HALF, y >> 32);
    let (p00, p01, p10, p11) = (x0 * y0, x0 * y1, x1 * y0, x1 * y1);
    let middle = p10 + (p00 >> 32);
    let carried = p01 + (middle & LOW_HALF);
    ((p00 & LOW_HALF) | (carried << 32), p11 + (middle >> 32) + (carried >> 32))
}

/// `BLOCKS_AT_A_TIME` blocks from a counter whose lowest word does not overflow among them.
#[inline(always)]
fn blocks_aside(key: [u64; 2], counter: [u64; 4], words: &mut [u64]) {
    let mut a: [u64; BLOCKS_AT_A_TIME] = std::array::from_fn(|lane| counter[0] + lane as u64);
    let (mut b, mut c, mut d) =
        ([counter[1]; BLOCKS_AT_A_TIME], [counter[2]; BLOCKS_AT_A_TIME], [counter[3]; BLOCKS_AT_A_TIME]);
    let mut key = key;
    for _ in 0..ROUNDS {
        for lane in 0..BLOCKS_AT_A_TIME {
            let (low0, high0) = wide_product(a[lane], MULTIPLIERS[0]);
            let (low1, high1) = wide_product(c[lane], MULTIPLIERS[1]);
            a[lane] = high1 ^ b[lane] ^ key[0];
            b[lane] = low1;
            c[lane] = high0 ^ d[lane] ^ key[1];
            d[lane] = low0;
        }
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    for (lane, four) in words.chunks_exact_mut(4).enumerate() {
        four.copy_from_slice(&[a[lane], b[lane], c[lane], d[lane]]);
    }
}

/// Moves the stream past `count` words.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_random::{block, skip_words};
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// skip_words(&mut stream, 5);
/// assert_eq!((stream.counter[0], stream.taken), (2, 1));
/// assert_eq!(stream.lead, block([1, 2], [2, 0, 0, 0]));
/// ```
pub fn skip_words(stream: &mut Stream, count: u64) {
    let leading = stream.leading() as u64;
    if count <= leading {
        stream.taken += count as usize;
        return;
    }
    let past = count - leading;
    stream.counter = counter_after(stream.counter, [past.div_ceil(4), 0, 0, 0]);
    stream.lead = block(stream.key, stream.counter);
    stream.taken = (past - 1) as usize % 4 + 1;
}

/// Moves the stream past `count` draws of 32 bits.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_random::skip_halves;
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// skip_halves(&mut stream, 3);
/// assert!(stream.has_half);
/// assert_eq!(u64::from(stream.half), stream.lead[1] >> 32);
/// ```
pub fn skip_halves(stream: &mut Stream, count: u64) {
    let Some(fresh) = count.checked_sub(u64::from(stream.has_half)) else { return };
    if count == 0 {
        return;
    }
    skip_words(stream, fresh.div_ceil(2));
    stream.has_half = fresh % 2 == 1;
    if fresh > 0 {
        // The word before the place where the stream now stands.
        stream.half = (stream.lead[stream.taken - 1] >> 32) as u32;
    }
}

/// Moves the stream past `count` blocks that elements own; leading words are passed over.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_random::skip_blocks;
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// skip_blocks(&mut stream, 7);
/// assert_eq!((stream.counter[0], stream.leading()), (7, 0));
/// ```
pub fn skip_blocks(stream: &mut Stream, count: u64) {
    stream.counter = counter_after(stream.counter, [count, 0, 0, 0]);
    stream.taken = 4;
}
