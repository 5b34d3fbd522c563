//! MT19937: Matsumoto and Nishimura's Mersenne Twister, words of 32 bits.

use super::tables::JUMP;
use super::words::WordSource;

/// Words of state.
pub(super) const N: usize = 624;
const M: usize = 397;
const MATRIX: u32 = 0x9908_b0df;
const UPPER: u32 = 0x8000_0000;
/// The degree of the characteristic polynomial.
const DEGREE: usize = 19937;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mt19937 {
    pub(super) key: [u32; N],
    /// How many words of `key` were drawn; `N` before the next batch.
    pub(super) position: usize,
}

impl Mt19937 {
    /// The generator of mixed entropy, as `numpy.random.MT19937(seed)` makes it.
    pub(super) fn new(words: &[u32; N]) -> Mt19937 {
        let mut key = *words;
        // Whatever the seed, not all bits of the state are zero.
        key[0] = UPPER;
        Mt19937 { key, position: N - 1 }
    }

    /// The generator of one word, as `numpy.random.RandomState(seed)` makes it: Knuth's sequence.
    pub(super) fn from_word(seed: u32) -> Mt19937 {
        let mut key = [0; N];
        let mut word = seed;
        for (place, slot) in (1u32..).zip(&mut key) {
            *slot = word;
            word = 1_812_433_253u32.wrapping_mul(word ^ (word >> 30)).wrapping_add(place);
        }
        Mt19937 { key, position: N }
    }

    /// The generator of several words, as `RandomState` makes it of a sequence: the reference's `init_by_array`.
    pub(super) fn from_words(seed: &[u32]) -> Mt19937 {
        let mut made = Mt19937::from_word(19_650_218);
        let key = &mut made.key;
        let (mut i, mut j) = (1, 0);
        let advance = |key: &mut [u32; N], i: &mut usize| {
            *i += 1;
            if *i >= N {
                key[0] = key[N - 1];
                *i = 1;
            }
        };
        for _ in 0..N.max(seed.len()) {
            let before = key[i - 1];
            key[i] = (key[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(seed[j])
                .wrapping_add(j as u32);
            advance(key, &mut i);
            j = (j + 1) % seed.len();
        }
        for _ in 0..N - 1 {
            let before = key[i - 1];
            key[i] = (key[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            advance(key, &mut i);
        }
        key[0] = UPPER;
        made
    }

    /// Makes the next batch of words.
    #[cold]
    fn refill(&mut self) {
        let key = &mut self.key;
        for i in 0..N - M {
            key[i] = twisted(key[i], key[i + 1], key[i + M]);
        }
        for i in N - M..N - 1 {
            key[i] = twisted(key[i], key[i + 1], key[i + M - N]);
        }
        key[N - 1] = twisted(key[N - 1], key[0], key[M - 1]);
        self.position = 0;
    }

    /// Moves on by 2^128 words: the step's polynomial at the state, by Horner's method.
    pub(super) fn jump(&mut self) {
        if self.position >= N {
            self.position = 0;
        }
        let holds = |power: usize| JUMP[power / 32] >> (power % 32) & 1 == 1;
        let Some(highest) = (0..DEGREE).rev().find(|power| holds(*power)) else { return };
        let mut sum = self.clone();
        for power in (0..highest).rev() {
            sum.step();
            if holds(power) {
                sum.add(self);
            }
        }
        *self = sum;
    }

    /// Replaces one word of state and moves to the next.
    fn step(&mut self) {
        let i = self.position;
        self.key[i] = twisted(self.key[i], self.key[(i + 1) % N], self.key[(i + M) % N]);
        self.position = (i + 1) % N;
    }

    /// Adds a state word by word, each from its own position on.
    fn add(&mut self, other: &Mt19937) {
        for i in 0..N {
            self.key[(self.position + i) % N] ^= other.key[(other.position + i) % N];
        }
    }
}

#[inline]
fn twisted(upper: u32, lower: u32, far: u32) -> u32 {
    let joined = (upper & UPPER) | (lower & !UPPER);
    far ^ (joined >> 1) ^ ((joined & 1).wrapping_neg() & MATRIX)
}

impl WordSource for Mt19937 {
    #[inline]
    fn next32(&mut self) -> u32 {
        if self.position >= N {
            self.refill();
        }
        let mut word = self.key[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    #[inline]
    fn next64(&mut self) -> u64 {
        let upper = u64::from(self.next32());
        upper << 32 | u64::from(self.next32())
    }

    #[inline]
    fn raw(&mut self) -> u64 {
        u64::from(self.next32())
    }

    #[inline]
    fn next_double(&mut self) -> f64 {
        let (a, b) = (self.next32() >> 5, self.next32() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }
}
