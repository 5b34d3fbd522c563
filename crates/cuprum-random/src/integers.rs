//! Bounded integers by Lemire's method, with NumPy's numbers: a draw is multiplied by the number of values, the upper part is the
//! value, and the few lower parts that would favour some values are passed over.
//!
//! Passing over keeps the accepted draws in order, so it is a compaction. A round takes as many draws as values
//! are missing, never more than NumPy would have taken, and the rounds go on until none is.

use cuprum_core::memory::filled;
use cuprum_core::{Cipher, Error, Result, SimdLevel, Stream};
use cuprum_threads::run_tasks;

use crate::fill::{
    BitDraw, CHUNK_ELEMENTS, DisjointSlice, DrawElement, ELEMENTS_PER_TASK, PARALLEL_MIN, fence, fill,
    halves_at,
};
use crate::philox::{block, counter_after, skip_halves, skip_words};
use crate::simd::{self, Loop};

/// Integers of a width, by reference to the memory that they go to. Signed ones are their bits.
#[derive(Debug)]
pub enum Integers<'a> {
    /// Booleans, one byte each, 0 or 1.
    Bool(&'a mut [u8]),
    /// 8 bits.
    Bits8(&'a mut [u8]),
    /// 16 bits.
    Bits16(&'a mut [u16]),
    /// 32 bits.
    Bits32(&'a mut [u32]),
    /// 64 bits.
    Bits64(&'a mut [u64]),
}

/// Fills `out` with `offset + v`, modulo the width, `v` from 0 to `span` inclusive; moves the stream on.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_core::SimdLevel;
/// use cuprum_random::{Integers, fill_integers};
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// let mut dice = [0u64; 5];
/// fill_integers(&mut stream, 1, 5, Integers::Bits64(&mut dice), SimdLevel::detect()).unwrap();
/// assert!(dice.iter().all(|d| (1..=6).contains(d)));
/// ```
pub fn fill_integers(
    stream: &mut Stream,
    offset: u64,
    span: u64,
    out: Integers<'_>,
    level: SimdLevel,
) -> Result<()> {
    let wide = span > u64::from(u32::MAX);
    match out {
        Integers::Bool(out) => booleans(stream, offset, span, out, level),
        Integers::Bits8(out) => bounded::<u8, u8>(stream, offset, span, out, level),
        Integers::Bits16(out) => bounded::<u16, u16>(stream, offset, span, out, level),
        Integers::Bits32(out) => bounded::<u32, u32>(stream, offset, span, out, level),
        Integers::Bits64(out) if wide => bounded::<u64, u64>(stream, offset, span, out, level),
        Integers::Bits64(out) => bounded::<u32, u64>(stream, offset, span, out, level),
    }
}

/// What becomes of a value.
trait FromDraw: DrawElement {
    fn of(value: u64) -> Self;
}

macro_rules! places {
    ($($t:ident)+) => {$(impl FromDraw for $t {
        #[inline(always)]
        fn of(value: u64) -> $t {
            value as $t
        }
    })+};
}
places!(u8 u16 u32 u64);

/// A draw's value and what decides whether it counts: the upper and the lower part of a product.
trait Lemire: BitDraw {
    const MAX: u64;
    fn product(self, values: u64) -> (u64, u64);
}

macro_rules! lemire {
    ($($t:ident $wide:ident)+) => {$(impl Lemire for $t {
        const MAX: u64 = $t::MAX as u64;
        #[inline(always)]
        fn product(self, values: u64) -> (u64, u64) {
            let product = $wide::from(self).wrapping_mul(values as $wide);
            ((product >> $t::BITS) as u64, product as $t as u64)
        }
    })+};
}
lemire!(u8 u16 u16 u32 u32 u64 u64 u128);

/// How a draw becomes a value.
#[derive(Clone, Copy)]
struct Rule {
    offset: u64,
    /// How many values there are; 0 where every draw is one.
    values: u64,
    /// Lower parts below this are passed over.
    threshold: u64,
}

fn bounded<U: Lemire, T: FromDraw>(
    stream: &mut Stream,
    offset: u64,
    span: u64,
    out: &mut [T],
    level: SimdLevel,
) -> Result<()> {
    if span == 0 {
        out.fill(T::of(offset));
        return Ok(());
    }
    let values = if span == U::MAX { 0 } else { span + 1 };
    let threshold = if values == 0 { 0 } else { (U::MAX - span) % values };
    let rule = Rule { offset, values, threshold };
    let mut drawn = 0;
    let mut have = 0;
    while have < out.len() {
        let missing = &mut out[have..];
        let accepted = round::<U, T>(stream, drawn, rule, missing, level)?;
        drawn += missing.len() as u64;
        have += accepted;
    }
    match U::PER_HALF {
        0 => skip_words(stream, drawn),
        // What is left of the last draw of 32 bits is forgotten, as NumPy does.
        parts => skip_halves(stream, drawn.div_ceil(parts)),
    }
    Ok(())
}

/// One draw for each element of `out`; the accepted ones stand at its beginning in order. Says how many they are.
fn round<U: Lemire, T: FromDraw>(
    stream: &Stream,
    drawn: u64,
    rule: Rule,
    out: &mut [T],
    level: SimdLevel,
) -> Result<usize> {
    let length = out.len();
    let tasks = length.div_ceil(ELEMENTS_PER_TASK);
    let mut counts = filled(tasks, 0u64);
    let (parts, counted) = (DisjointSlice::new(out), DisjointSlice::new(&mut counts));
    run_tasks(tasks, length >= PARALLEL_MIN, &|task| {
        let (start, end) = (task * ELEMENTS_PER_TASK, length.min((task + 1) * ELEMENTS_PER_TASK));
        let mut units = [U::default(); CHUNK_ELEMENTS];
        let mut values = [T::default(); CHUNK_ELEMENTS];
        let mut accepted = 0;
        for at in (start..end).step_by(CHUNK_ELEMENTS) {
            let n = CHUNK_ELEMENTS.min(end - at);
            U::units_at(stream, drawn + at as u64, &mut units[..n], level);
            let mut kept = n;
            simd::run(
                level,
                MapDraws { rule, units: &units[..n], values: &mut values[..n], kept: &mut kept },
            );
            // SAFETY: what is kept stays within the task's own elements.
            unsafe { parts.store(start + accepted, &values[..kept]) };
            accepted += kept;
        }
        fence();
        // SAFETY: each task writes its own count.
        unsafe { counted.part(task, 1)[0] = accepted as u64 };
    })?;
    let mut have = 0;
    for (task, count) in counts.iter().enumerate() {
        let (start, count) = (task * ELEMENTS_PER_TASK, *count as usize);
        if have != start {
            out.copy_within(start..start + count, have);
        }
        have += count;
    }
    Ok(have)
}

/// The values of a chunk of draws, those that count in front.
struct MapDraws<'a, U, T> {
    rule: Rule,
    units: &'a [U],
    values: &'a mut [T],
    kept: &'a mut usize,
}

impl<U: Lemire, T: FromDraw> Loop for MapDraws<'_, U, T> {
    #[inline(always)]
    fn run(self) {
        let Rule { offset, values: count, threshold } = self.rule;
        if count == 0 {
            for (value, unit) in self.values.iter_mut().zip(self.units) {
                *value = T::of(offset.wrapping_add((*unit).into()));
            }
            return;
        }
        let mut least = u64::MAX;
        for (value, unit) in self.values.iter_mut().zip(self.units) {
            let (upper, lower) = unit.product(count);
            *value = T::of(offset.wrapping_add(upper));
            least = least.min(lower);
        }
        if least >= threshold {
            return;
        }
        let mut kept = 0;
        for unit in self.units {
            let (upper, lower) = unit.product(count);
            self.values[kept] = T::of(offset.wrapping_add(upper));
            kept += usize::from(lower >= threshold);
        }
        *self.kept = kept;
    }
}

/// One bit a value.
fn booleans(stream: &mut Stream, offset: u64, span: u64, out: &mut [u8], level: SimdLevel) -> Result<()> {
    if span == 0 {
        out.fill((offset != 0) as u8);
        return Ok(());
    }
    let from = *stream;
    fill(out, |at, chunk| {
        // Chunks begin at multiples of 32.
        let mut halves = [0; CHUNK_ELEMENTS / 32];
        let n = chunk.len().div_ceil(32);
        halves_at(&from, Cipher::Wide, at as u64 / 32, &mut halves[..n], level);
        for (i, value) in chunk.iter_mut().enumerate() {
            *value = (halves[i / 32] >> (i % 32)) as u8 & 1;
        }
    })?;
    skip_halves(stream, out.len().div_ceil(32) as u64);
    Ok(())
}

/// Fills `out` with `offsets[i] + v`, `v` from 0 to `spans[i]` inclusive; moves the stream on.
///
/// Each value takes its draws after those of the values before it, as in NumPy, so this runs on one thread.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_random::{Integers, fill_integers_between};
/// let mut stream = Stream::new([1, 2], [0; 4]);
/// let mut out = [0u64; 2];
/// fill_integers_between(&mut stream, &[5, 100], &[0, 9], Integers::Bits64(&mut out)).unwrap();
/// assert!(out[0] == 5 && (100..110).contains(&out[1]));
/// ```
pub fn fill_integers_between(
    stream: &mut Stream,
    offsets: &[u64],
    spans: &[u64],
    out: Integers<'_>,
) -> Result<()> {
    let count = match &out {
        Integers::Bool(out) | Integers::Bits8(out) => out.len(),
        Integers::Bits16(out) => out.len(),
        Integers::Bits32(out) => out.len(),
        Integers::Bits64(out) => out.len(),
    };
    if offsets.len() != count || spans.len() != count {
        return Err(Error::value("integers", "bounds and results differ in number"));
    }
    let bounds = offsets.iter().zip(spans);
    let mut draws = OneByOne { stream, rest: 0, parts: 0 };
    match out {
        Integers::Bool(out) => {
            for (value, (offset, span)) in out.iter_mut().zip(bounds) {
                let drawn = if *span == 0 { *offset } else { draws.part(1) };
                *value = (drawn != 0) as u8;
            }
        }
        Integers::Bits8(out) => {
            for (value, (offset, span)) in out.iter_mut().zip(bounds) {
                *value = offset.wrapping_add(draws.value::<u8>(*span, |d| d.part(8) as u8)) as u8;
            }
        }
        Integers::Bits16(out) => {
            for (value, (offset, span)) in out.iter_mut().zip(bounds) {
                *value = offset.wrapping_add(draws.value::<u16>(*span, |d| d.part(16) as u16)) as u16;
            }
        }
        Integers::Bits32(out) => {
            for (value, (offset, span)) in out.iter_mut().zip(bounds) {
                *value = offset.wrapping_add(draws.value(*span, OneByOne::half)) as u32;
            }
        }
        Integers::Bits64(out) => {
            for (value, (offset, span)) in out.iter_mut().zip(bounds) {
                let drawn = if *span > u64::from(u32::MAX) {
                    draws.value(*span, OneByOne::word)
                } else {
                    draws.value(*span, OneByOne::half)
                };
                *value = offset.wrapping_add(drawn);
            }
        }
    }
    Ok(())
}

/// Draws taken one after the other.
struct OneByOne<'a> {
    stream: &'a mut Stream,
    /// What is left of a draw of 32 bits that is used in parts.
    rest: u32,
    /// How many parts are left.
    parts: u32,
}

impl OneByOne<'_> {
    fn word(&mut self) -> u64 {
        let stream = &mut *self.stream;
        if stream.taken >= 4 {
            stream.counter = counter_after(stream.counter, [1, 0, 0, 0]);
            stream.lead = block(stream.key, stream.counter);
            stream.taken = 0;
        }
        stream.taken += 1;
        stream.lead[stream.taken - 1]
    }

    fn half(&mut self) -> u32 {
        if self.stream.has_half {
            self.stream.has_half = false;
            return self.stream.half;
        }
        let word = self.word();
        (self.stream.has_half, self.stream.half) = (true, (word >> 32) as u32);
        word as u32
    }

    fn part(&mut self, bits: u32) -> u64 {
        if self.parts == 0 {
            (self.rest, self.parts) = (self.half(), 32 / bits);
        }
        let part = self.rest & ((1 << bits) - 1);
        (self.rest, self.parts) = (self.rest >> bits, self.parts - 1);
        u64::from(part)
    }

    /// A value from 0 to `span`.
    fn value<U: Lemire>(&mut self, span: u64, draw: impl Fn(&mut Self) -> U) -> u64 {
        if span == 0 {
            return 0;
        }
        if span == U::MAX {
            return draw(self).into();
        }
        let values = span + 1;
        let threshold = (U::MAX - span) % values;
        loop {
            let (upper, lower) = draw(self).product(values);
            if lower >= threshold {
                return upper;
            }
        }
    }
}
