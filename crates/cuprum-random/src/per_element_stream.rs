//! The words that an element has to itself: as many as a rejection takes, whatever other elements take.

use cuprum_core::Stream;

use crate::math;
use crate::philox::{block, counter_after};

/// The words of one element: its block of the stream, then the blocks 2^192 counters further on each time.
pub(crate) struct OwnWords {
    key: [u64; 2],
    counter: [u64; 4],
    words: [u64; 4],
    taken: usize,
    /// The normal variate of the first two words, where it was computed beside its neighbours'.
    first_normal: Option<f64>,
}

impl OwnWords {
    /// The words of element `index`, whose first block is known.
    #[inline(always)]
    pub(crate) fn new(stream: &Stream, index: u64, first: [u64; 4]) -> OwnWords {
        let counter = counter_after(stream.counter, [index, 0, 0, 0]);
        OwnWords {
            key: stream.key,
            counter: counter_after(counter, [1, 0, 0, 0]),
            words: first,
            taken: 0,
            first_normal: None,
        }
    }

    /// The same, the normal variate of its first two words known too.
    #[inline(always)]
    pub(crate) fn with_first_normal(self, normal: f64) -> OwnWords {
        OwnWords { first_normal: Some(normal), ..self }
    }

    #[inline(always)]
    pub(crate) fn word(&mut self) -> u64 {
        if self.taken == 4 {
            self.further();
        }
        self.taken += 1;
        self.words[self.taken - 1]
    }

    #[inline(never)]
    fn further(&mut self) {
        self.counter[3] = self.counter[3].wrapping_add(1);
        self.words = block(self.key, self.counter);
        self.taken = 0;
    }

    /// A uniform number in `[0, 1)`.
    #[inline(always)]
    pub(crate) fn uniform(&mut self) -> f64 {
        math::uniform_of_word(self.word())
    }

    /// A uniform number in `(0, 1]`, as small as 2^-65.
    #[inline(always)]
    pub(crate) fn open(&mut self) -> f64 {
        (self.word() as f64 + 0.5) * 2f64.powi(-64)
    }

    #[inline(always)]
    pub(crate) fn exponential(&mut self) -> f64 {
        math::exponential_of_word(self.word())
    }

    /// A normal variate of two words.
    #[inline(always)]
    pub(crate) fn normal(&mut self) -> f64 {
        if let (Some(normal), 0) = (self.first_normal.take(), self.taken) {
            self.taken = 2;
            return normal;
        }
        let (radius, angle) = (self.word(), self.word());
        math::normals_of_words(radius, angle).0
    }
}
