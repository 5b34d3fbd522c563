//! Philox4x32-7: the words of normal variates in single precision, and of uniform numbers that owe NumPy nothing, by a cipher
//! of a third of the cost.
//!
//! They have the places of the stream's own words, so that a stream stands where it would without them: block `n` of the
//! stream is two light blocks here. The lowest word of the counter is enciphered; all the others and the key are
//! first enciphered themselves, into the light key and the light counter's upper half.

use cuprum_core::{SimdLevel, Stream};

use crate::philox::{block, counter_after};
use crate::simd::{self, Loop};

const MULTIPLIERS: [u32; 2] = [0xD2511F53, 0xCD9E8D57];
const WEYL: [u32; 2] = [0x9E3779B9, 0xBB67AE85];
const ROUNDS: usize = 7;
/// Light blocks that vector code enciphers side by side: two of each block of the stream.
const BLOCKS_AT_A_TIME: usize = 32;
/// The highest word of the counters that light keys are made at: no stream gets there by drawing.
const KEY_COUNTER_WORD: u64 = 0x6c69_6768_7421_0000;

/// What light blocks of one stream share while the counter's lowest word does not overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Light {
    /// The key.
    pub key: [u32; 2],
    /// The upper half of the counter, of which the lowest bit tells a block's halves apart.
    pub upper: [u32; 2],
}

impl Light {
    /// Of a stream's key and a counter's words but the lowest.
    ///
    /// ```
    /// use cuprum_random::Light;
    /// assert_eq!(Light::new([1, 2], [3, 0, 0, 0]), Light::new([1, 2], [4, 0, 0, 0]));
    /// assert_ne!(Light::new([1, 2], [3, 0, 0, 0]), Light::new([1, 2], [3, 1, 0, 0]));
    /// ```
    pub fn new(key: [u64; 2], counter: [u64; 4]) -> Light {
        let [key, upper, ..] = block(key, [counter[1], counter[2], counter[3], KEY_COUNTER_WORD]);
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        Light { key: halves(key), upper: halves(upper & !1) }
    }
}

/// The four words of 32 bits of a light block.
///
/// ```
/// // The known answer for a key and a counter of zeros.
/// let words = cuprum_random::light_block([0; 2], [0; 4]);
/// assert_eq!(words, [0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48]);
/// ```
#[inline(always)]
pub fn light_block(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let mut key = key;
    for _ in 0..ROUNDS {
        let low = u64::from(a) * u64::from(MULTIPLIERS[0]);
        let high = u64::from(c) * u64::from(MULTIPLIERS[1]);
        (a, b, c, d) =
            ((high >> 32) as u32 ^ b ^ key[0], high as u32, (low >> 32) as u32 ^ d ^ key[1], low as u32);
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    [a, b, c, d]
}

/// The four words of 64 bits that stand for the block at a counter.
fn words_of_block(light: Light, lowest: u64) -> [u64; 4] {
    let half = |which: u32| {
        let counter = [lowest as u32, (lowest >> 32) as u32, light.upper[0] | which, light.upper[1]];
        let [a, b, c, d] = light_block(light.key, counter).map(u64::from);
        [a | b << 32, c | d << 32]
    };
    let ([a, b], [c, d]) = (half(0), half(1));
    [a, b, c, d]
}

/// The place one word before the stream's: that of a draw of 32 bits that waits. Only light words can be read there.
pub(crate) fn word_before(stream: &Stream) -> Stream {
    match stream.taken {
        0 => Stream { counter: counter_after(stream.counter, [u64::MAX; 4]), taken: 3, ..*stream },
        taken => Stream { taken: taken.min(4) - 1, ..*stream },
    }
}

/// Fills `words` with light words, from number `from` of the stream on.
pub(crate) fn light_words_at(stream: &Stream, from: u64, words: &mut [u64], level: SimdLevel) {
    let place = stream.taken.min(4) as u64 + from;
    let mut counter = counter_after(stream.counter, [place / 4, 0, 0, 0]);
    let skipped = (place % 4) as usize;
    let mut words = words;
    if skipped > 0 {
        let first = words_of_block(Light::new(stream.key, counter), counter[0]);
        let n = (4 - skipped).min(words.len());
        let (now, rest) = words.split_at_mut(n);
        now.copy_from_slice(&first[skipped..skipped + n]);
        (words, counter) = (rest, counter_after(counter, [1, 0, 0, 0]));
    }
    while !words.is_empty() {
        // As many blocks as the lowest word has before it overflows.
        let until = u64::MAX - counter[0];
        let n = words.len().min(
            usize::try_from(until).map_or(usize::MAX, |blocks| blocks.saturating_mul(4).saturating_add(4)),
        );
        let (now, rest) = words.split_at_mut(n);
        simd::run(level, Blocks { light: Light::new(stream.key, counter), lowest: counter[0], words: now });
        (words, counter) = (rest, counter_after(counter, [n.div_ceil(4) as u64, 0, 0, 0]));
    }
}

/// Fills `words` from a block's first word on; the counter's lowest word does not overflow.
struct Blocks<'a> {
    light: Light,
    lowest: u64,
    words: &'a mut [u64],
}

impl Loop for Blocks<'_> {
    #[inline(always)]
    fn run(self) {
        let Blocks { light, mut lowest, words } = self;
        let mut many = words.chunks_exact_mut(2 * BLOCKS_AT_A_TIME);
        for now in &mut many {
            blocks_aside(light, lowest, now);
            lowest = lowest.wrapping_add(BLOCKS_AT_A_TIME as u64 / 2);
        }
        for words in many.into_remainder().chunks_mut(4) {
            words.copy_from_slice(&words_of_block(light, lowest)[..words.len()]);
            lowest = lowest.wrapping_add(1);
        }
    }
}

/// The upper halves of lanes may hold anything: products and results are made of the lower ones.
#[inline(always)]
fn product(lane: u64, which: usize) -> u64 {
    (lane & 0xffff_ffff) * u64::from(MULTIPLIERS[which])
}

/// `BLOCKS_AT_A_TIME` light blocks.
#[inline(always)]
fn blocks_aside(light: Light, lowest: u64, words: &mut [u64]) {
    let counter = |lane: usize| lowest.wrapping_add(lane as u64 / 2);
    let mut a: [u64; BLOCKS_AT_A_TIME] = std::array::from_fn(counter);
    let mut b: [u64; BLOCKS_AT_A_TIME] = std::array::from_fn(|lane| counter(lane) >> 32);
    let mut c: [u64; BLOCKS_AT_A_TIME] =
        std::array::from_fn(|lane| u64::from(light.upper[0]) | (lane as u64 & 1));
    let mut d = [u64::from(light.upper[1]); BLOCKS_AT_A_TIME];
    let mut key = light.key;
    for _ in 0..ROUNDS {
        let [first, second] = key.map(u64::from);
        for lane in 0..BLOCKS_AT_A_TIME {
            let (low, high) = (product(a[lane], 0), product(c[lane], 1));
            a[lane] = (high >> 32) ^ b[lane] ^ first;
            b[lane] = high;
            c[lane] = (low >> 32) ^ d[lane] ^ second;
            d[lane] = low;
        }
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    for (lane, pair) in words.chunks_exact_mut(2).enumerate() {
        pair[0] = (a[lane] & 0xffff_ffff) | b[lane] << 32;
        pair[1] = (c[lane] & 0xffff_ffff) | d[lane] << 32;
    }
}
