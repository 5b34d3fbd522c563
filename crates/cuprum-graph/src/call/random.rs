//! Random numbers as library calls: what a device makes of the words of a Philox stream.
//!
//! A device does not keep streams: each call says where in its stream it begins, and who calls moves the stream on. Elements are
//! numbered in C order of `out`. Which words an element is made of follows from its number alone (`cuprum_core::Words`), and
//! what is made of them from sums, products, quotients and square roots, each rounded and none fused, in the order that
//! `cuprum-random` has them: every device gives the same bits.

use cuprum_core::{Cipher, Distribution, Stream};

use super::Slot;

/// A parameter of a distribution: one number, or a float64 array of the result's shape, broadcast already.
#[derive(Clone, Debug)]
pub enum RandomParameter {
    /// One number for all elements.
    Same(f64),
    /// One for each element.
    Each(Slot),
}

/// Draws from a stream.
#[derive(Debug)]
pub enum RandomCall<'a> {
    /// The words themselves; `out` is uint64.
    Raw {
        /// Where to begin.
        stream: &'a Stream,
        /// The result.
        out: &'a Slot,
    },
    /// Numbers in [0, 1): `(word >> 11) * 2^-53` of each word for float64, `(half >> 8) * 2^-24` of each draw of 32 bits
    /// for float32. A draw of 32 bits that waits has its place among the light words too, as the half of a word that it is.
    Uniform {
        /// Where to begin.
        stream: &'a Stream,
        /// Which words they are made of.
        cipher: Cipher,
        /// The result.
        out: &'a Slot,
    },
    /// `offset + v` modulo the width of `out`'s dtype, bool or any integer, `v` from 0 to `span` inclusive, by Lemire's
    /// method: of a draw `u` of `b` bits, the value is the upper half of `u * (span + 1)` and counts if the lower half is
    /// at least `(2^b - 1 - span) % (span + 1)`. The draws that count become elements in order. `b` is the width of the dtype, but
    /// 32 for 64-bit ones whose span fits; bool takes single bits; where `span` is 2^b - 1 the draw is the value, and where it
    /// is 0 nothing is drawn. Draws narrower than 32 bits begin with a new draw of 32 bits, and what is left of the last is
    /// forgotten.
    Integers {
        /// Where to begin.
        stream: &'a Stream,
        /// The lowest value.
        offset: u64,
        /// The highest value less the lowest.
        span: u64,
        /// The result.
        out: &'a Slot,
        /// Three uint64: the words drawn, then the stream's `has_half` and `half` afterwards.
        moved: &'a Slot,
    },
    /// The same with bounds for each element; an element's draws come after those of the elements before it.
    IntegersBetween {
        /// Where to begin.
        stream: &'a Stream,
        /// The lowest values, uint64, of `out`'s shape.
        offsets: &'a Slot,
        /// The spans, uint64, of `out`'s shape.
        spans: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// As for `Integers`.
        moved: &'a Slot,
    },
    /// Draws of a distribution; `out` is float64, float32 or int64. Single precision is the double draw rounded, but for the normal
    /// family: there the word `i` makes elements `2i` and `2i + 1` in single precision.
    Draw {
        /// Where to begin.
        stream: &'a Stream,
        /// Which words formulas of one word take (`Words::One`); the others have theirs.
        cipher: Cipher,
        /// The distribution.
        distribution: Distribution,
        /// Its parameters, in its row's order, within their bounds.
        parameters: &'a [RandomParameter],
        /// The result.
        out: &'a Slot,
    },
    /// Random orders of `0..n`, one in each row of `out`, int64 of shape (rows, n): the ascending, stable order of the row's `n`
    /// words, or, with weights, of `e / weight` with the exponential variate `e` of each word.
    Orders {
        /// Where to begin.
        stream: &'a Stream,
        /// `n` float64 weights, not negative.
        weights: Option<&'a Slot>,
        /// The result.
        out: &'a Slot,
    },
    /// Indices by a cumulative distribution: the first `k` with `cumulative[k] > (word >> 11) * 2^-53`, or the last one; int64.
    Choices {
        /// Where to begin.
        stream: &'a Stream,
        /// One-dimensional float64, ascending to 1.
        cumulative: &'a Slot,
        /// The result.
        out: &'a Slot,
    },
    /// How often each outcome comes up: `out` is int64 of shape (rows, outcomes). Row `i` owns block `i`, as elements of
    /// `Words::Block` do, and draws binomial variates of what is left, outcome by outcome.
    Multinomial {
        /// Where to begin.
        stream: &'a Stream,
        /// The trials of each row, int64, one-dimensional; one element serves all rows.
        trials: &'a Slot,
        /// The chances of the outcomes, one-dimensional float64.
        chances: &'a Slot,
        /// The result.
        out: &'a Slot,
    },
}

impl RandomCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        match self {
            RandomCall::Raw { out, .. } | RandomCall::Uniform { out, .. } => vec![out],
            RandomCall::Integers { out, moved, .. } => vec![out, moved],
            RandomCall::IntegersBetween { offsets, spans, out, moved, .. } => {
                vec![offsets, spans, out, moved]
            }
            RandomCall::Draw { parameters, out, .. } => {
                let each = parameters.iter().filter_map(|parameter| match parameter {
                    RandomParameter::Same(_) => None,
                    RandomParameter::Each(slot) => Some(slot),
                });
                each.chain([*out]).collect()
            }
            RandomCall::Orders { weights, out, .. } => [*out].into_iter().chain(*weights).collect(),
            RandomCall::Choices { cumulative, out, .. } => vec![cumulative, out],
            RandomCall::Multinomial { trials, chances, out, .. } => vec![trials, chances, out],
        }
    }
}
