//! Bounded integers: `Generator`'s by Lemire's method, `RandomState`'s by masks, both of NumPy's draws of 8, 16, 32 and 64 bits.

use cuprum_core::{Error, Result};

use super::bits::{Bits, with_words};
use super::words::WordSource;
use crate::Integers;

/// The smallest number of the form `2^k - 1` that is at least `most`.
fn mask_of(most: u64) -> u64 {
    if most == 0 { 0 } else { u64::MAX >> most.leading_zeros() }
}

/// An integer from 0 to `most` by masking: what shuffles and samples draw.
#[inline]
pub(super) fn interval<W: WordSource>(words: &mut W, most: u64) -> u64 {
    if most == 0 {
        return 0;
    }
    let mask = mask_of(most);
    loop {
        let value = if most <= u64::from(u32::MAX) {
            u64::from(words.next32()) & mask
        } else {
            words.next64() & mask
        };
        if value <= most {
            return value;
        }
    }
}

/// An integer from 0 to `span` by Lemire's method, of 32 bits where they are enough.
#[inline]
pub(super) fn lemire<W: WordSource>(words: &mut W, span: u64) -> u64 {
    bounded64(words, span, false)
}

#[inline]
fn bounded64<W: WordSource>(words: &mut W, span: u64, masked: bool) -> u64 {
    if span <= u64::from(u32::MAX) {
        return u64::from(bounded32(words, span as u32, masked));
    }
    if span == u64::MAX {
        return words.next64();
    }
    if masked {
        return interval(words, span);
    }
    let values = span + 1;
    let mut product = u128::from(words.next64()) * u128::from(values);
    if (product as u64) < values {
        let threshold = (u64::MAX - span) % values;
        while (product as u64) < threshold {
            product = u128::from(words.next64()) * u128::from(values);
        }
    }
    (product >> 64) as u64
}

#[inline]
fn bounded32<W: WordSource>(words: &mut W, span: u32, masked: bool) -> u32 {
    if span == 0 {
        return 0;
    }
    if span == u32::MAX {
        return words.next32();
    }
    if masked {
        return interval(words, u64::from(span)) as u32;
    }
    let values = span + 1;
    let mut product = u64::from(words.next32()) * u64::from(values);
    if (product as u32) < values {
        let threshold = (u32::MAX - span) % values;
        while (product as u32) < threshold {
            product = u64::from(words.next32()) * u64::from(values);
        }
    }
    (product >> 32) as u32
}

/// A word of 32 bits that smaller draws are cut out of, lowest bits first. It lasts for one call.
#[derive(Default)]
struct Cut {
    word: u32,
    left: u32,
}

impl Cut {
    /// The next `bits` bits.
    #[inline]
    fn next<W: WordSource>(&mut self, words: &mut W, bits: u32) -> u32 {
        if self.left == 0 {
            self.word = words.next32();
            self.left = 32 / bits - 1;
        } else {
            self.word >>= bits;
            self.left -= 1;
        }
        self.word & ((1 << bits) - 1)
    }

    /// An integer from 0 to `span`, of 8 or 16 bits.
    #[inline]
    fn bounded<W: WordSource>(&mut self, words: &mut W, bits: u32, span: u32, masked: bool) -> u32 {
        let whole = (1 << bits) - 1;
        if span == 0 {
            return 0;
        }
        if span == whole {
            return self.next(words, bits);
        }
        if masked {
            let mask = mask_of(u64::from(span)) as u32;
            loop {
                let value = self.next(words, bits) & mask;
                if value <= span {
                    return value;
                }
            }
        }
        let values = span + 1;
        let mut product = self.next(words, bits) * values;
        if product & whole < values {
            let threshold = (whole - span) % values;
            while product & whole < threshold {
                product = self.next(words, bits) * values;
            }
        }
        product >> bits
    }
}

/// Bounds of one draw, or of all.
trait Bounds {
    fn at(&self, i: usize) -> (u64, u64);

    /// The bounds of all draws, where they are the same.
    fn same(&self) -> Option<(u64, u64)> {
        None
    }
}

impl Bounds for (u64, u64) {
    #[inline]
    fn at(&self, _: usize) -> (u64, u64) {
        *self
    }

    #[inline]
    fn same(&self) -> Option<(u64, u64)> {
        Some(*self)
    }
}

impl Bounds for (&[u64], &[u64]) {
    #[inline]
    fn at(&self, i: usize) -> (u64, u64) {
        (self.0[i], self.1[i])
    }
}

/// Fills `out` with `offset + v`, modulo the width, `v` from 0 to `span`; `masked` chooses the method of `RandomState`.
///
/// ```
/// use cuprum_random::Integers;
/// use cuprum_random::sequential::{Bits, fill_bounded};
/// let mut dice = [0; 4];
/// fill_bounded(&mut Bits::mt19937_of_word(0), 1, 5, true, Integers::Bits64(&mut dice));
/// // numpy.random.RandomState(0).randint(1, 7, 4)
/// assert_eq!(dice, [5, 6, 1, 4]);
/// ```
pub fn fill_bounded(bits: &mut Bits, offset: u64, span: u64, masked: bool, out: Integers<'_>) {
    with_words!(bits, words => fill(words, (offset, span), masked, out));
}

/// The same with an offset and a span for each element.
pub fn fill_bounded_between(
    bits: &mut Bits,
    offsets: &[u64],
    spans: &[u64],
    masked: bool,
    out: Integers<'_>,
) -> Result<()> {
    let length = match &out {
        Integers::Bool(out) | Integers::Bits8(out) => out.len(),
        Integers::Bits16(out) => out.len(),
        Integers::Bits32(out) => out.len(),
        Integers::Bits64(out) => out.len(),
    };
    if offsets.len() != length || spans.len() != length {
        return Err(Error::value("integers", "bounds and draws differ in number"));
    }
    with_words!(bits, words => fill(words, (offsets, spans), masked, out));
    Ok(())
}

fn fill<W: WordSource>(words: &mut W, bounds: impl Bounds, masked: bool, out: Integers<'_>) {
    let mut cut = Cut::default();
    match out {
        Integers::Bool(out) => {
            each(out, bounds, |offset, span| if span == 0 { offset as u8 } else { cut.next(words, 1) as u8 })
        }
        Integers::Bits8(out) => each(out, bounds, |offset, span| {
            (offset as u8).wrapping_add(cut.bounded(words, 8, span as u32, masked) as u8)
        }),
        Integers::Bits16(out) => each(out, bounds, |offset, span| {
            (offset as u16).wrapping_add(cut.bounded(words, 16, span as u32, masked) as u16)
        }),
        Integers::Bits32(out) => match bounds.same() {
            Some((offset, span)) => {
                each_narrow(words, span as u32, masked, out, |v| (offset as u32).wrapping_add(v));
            }
            None => each(out, bounds, |offset, span| {
                (offset as u32).wrapping_add(bounded32(words, span as u32, masked))
            }),
        },
        Integers::Bits64(out) => match bounds.same() {
            Some((offset, span)) if span <= u64::from(u32::MAX) => {
                each_narrow(words, span as u32, masked, out, |v| offset.wrapping_add(u64::from(v)));
            }
            _ => each(out, bounds, |offset, span| offset.wrapping_add(bounded64(words, span, masked))),
        },
    }
}

/// Draws of 32 bits with one span for all: what [`bounded32`] decides for each element is decided once.
#[inline]
fn each_narrow<W: WordSource, T>(
    words: &mut W,
    span: u32,
    masked: bool,
    out: &mut [T],
    place: impl Fn(u32) -> T,
) {
    if span == 0 {
        return out.iter_mut().for_each(|slot| *slot = place(0));
    }
    if span == u32::MAX {
        return out.iter_mut().for_each(|slot| *slot = place(words.next32()));
    }
    if masked {
        let mask = mask_of(u64::from(span)) as u32;
        return out.iter_mut().for_each(|slot| {
            *slot = loop {
                let value = words.next32() & mask;
                if value <= span {
                    break place(value);
                }
            }
        });
    }
    let values = span + 1;
    let threshold = (u32::MAX - span) % values;
    out.iter_mut().for_each(|slot| {
        *slot = loop {
            let product = u64::from(words.next32()) * u64::from(values);
            if product as u32 >= threshold {
                break place((product >> 32) as u32);
            }
        }
    });
}

#[inline]
fn each<T>(out: &mut [T], bounds: impl Bounds, mut draw: impl FnMut(u64, u64) -> T) {
    for (i, place) in out.iter_mut().enumerate() {
        let (offset, span) = bounds.at(i);
        *place = draw(offset, span);
    }
}
