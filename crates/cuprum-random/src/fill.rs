//! Filling slices: tasks of a fixed size, chunks that stay in the first-level cache, and the plain draws.
//!
//! Which words an element is made of depends on its place alone, so the number of threads changes nothing.

use std::mem::MaybeUninit;

use cuprum_core::{Cipher, Result, SimdLevel, Stream};
use cuprum_threads::{Shared, run_tasks};

use crate::math;
use crate::philox::words_at;
use crate::philox4x32::{light_words_at, word_before};
use crate::simd::{self, Loop};

/// Elements of a task.
pub(crate) const ELEMENTS_PER_TASK: usize = 1 << 15;
/// Elements of a chunk.
pub(crate) const CHUNK_ELEMENTS: usize = 1 << 10;
/// Elements from which other threads are worth waking.
pub(crate) const PARALLEL_MIN: usize = 1 << 14;
/// Bytes from which results go past the caches.
const STREAMED_MIN_BYTES: usize = 8 << 20;

/// Elements that draws are written as: plain numbers, for which any bits are a value.
pub trait DrawElement: Copy + Default + Send + Sync + 'static {}
impl DrawElement for f32 {}
impl DrawElement for f64 {}
impl DrawElement for i64 {}
impl DrawElement for u8 {}
impl DrawElement for u16 {}
impl DrawElement for u32 {}
impl DrawElement for u64 {}

/// The bytes of numbers, in the order of the machine.
///
/// ```
/// assert_eq!(cuprum_random::bytes_of(&[1u16, 2]).len(), 4);
/// ```
pub fn bytes_of<T: Plain>(numbers: &[T]) -> &[u8] {
    // SAFETY: `Plain` types are numbers without padding, and only this crate implements it.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

/// Numbers whose bytes can be looked at. Only this crate implements it.
pub trait Plain: DrawElement + plain::Sealed {}

mod plain {
    pub trait Sealed {}
}

macro_rules! plain {
    ($($t:ident)+) => {$(
        impl plain::Sealed for $t {}
        impl Plain for $t {}
    )+};
}
plain!(f32 f64 i64 u8 u16 u32 u64);

/// A slice that tasks write disjoint parts of.
pub(crate) struct DisjointSlice<T> {
    start: Shared,
    length: usize,
    streamed: bool,
    _elements: std::marker::PhantomData<T>,
}

impl<T: DrawElement> DisjointSlice<T> {
    pub(crate) fn new(out: &mut [T]) -> DisjointSlice<T> {
        let streamed = size_of_val(out) >= STREAMED_MIN_BYTES;
        let (start, length) = (Shared(out.as_mut_ptr().cast()), out.len());
        DisjointSlice { start, length, streamed, _elements: std::marker::PhantomData }
    }

    /// The elements from `at` on.
    ///
    /// # Safety
    /// No other task uses these elements, and the slice that the parts were made of is alive.
    #[allow(clippy::mut_from_ref)]
    pub(crate) unsafe fn part(&self, at: usize, n: usize) -> &mut [T] {
        debug_assert!(at + n <= self.length);
        // SAFETY: the range lies in the slice; the caller has it alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.get().cast::<T>().add(at), n) }
    }

    /// Writes a chunk, past the caches where the whole is large.
    ///
    /// # Safety
    /// As for [`DisjointSlice::part`].
    pub(crate) unsafe fn store(&self, at: usize, chunk: &[T]) {
        // SAFETY: the caller's promise.
        let target = unsafe { self.part(at, chunk.len()) };
        if self.streamed { stream(chunk, target) } else { target.copy_from_slice(chunk) }
    }
}

/// Copies past the caches where the target is aligned for it.
fn stream<T: DrawElement>(source: &[T], target: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let bytes = size_of_val(source);
        // Miri knows no such stores.
        if !cfg!(miri) && (target.as_ptr() as usize).is_multiple_of(16) && bytes.is_multiple_of(64) {
            let (from, to) = (source.as_ptr().cast::<__m128i>(), target.as_mut_ptr().cast::<__m128i>());
            for at in 0..bytes / 16 {
                // SAFETY: SSE2 is part of x86-64; the target is aligned to 16 bytes and both slices hold them.
                unsafe { _mm_stream_si128(to.add(at), _mm_loadu_si128(from.add(at))) };
            }
            return;
        }
    }
    target.copy_from_slice(source);
}

/// Makes streamed stores visible before other threads are told of them.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: SSE is part of x86-64; a fence touches no memory.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Fills `out` chunk by chunk: `make(at, chunk)` writes the elements from `at` on.
pub(crate) fn fill<T: DrawElement>(out: &mut [T], make: impl Fn(usize, &mut [T]) + Sync) -> Result<()> {
    let (length, parts) = (out.len(), DisjointSlice::new(out));
    run_tasks(length.div_ceil(ELEMENTS_PER_TASK), length >= PARALLEL_MIN, &|task| {
        let end = length.min((task + 1) * ELEMENTS_PER_TASK);
        let mut scratch = [T::default(); CHUNK_ELEMENTS];
        for at in (task * ELEMENTS_PER_TASK..end).step_by(CHUNK_ELEMENTS) {
            let n = CHUNK_ELEMENTS.min(end - at);
            // SAFETY: chunks of tasks are disjoint.
            let chunk = if parts.streamed { &mut scratch[..n] } else { unsafe { parts.part(at, n) } };
            make(at, chunk);
            if parts.streamed {
                // SAFETY: chunks of tasks are disjoint.
                unsafe { parts.store(at, &scratch[..n]) };
            }
        }
        fence();
    })
}

/// Room for the words of a chunk, and for one more at either end.
pub(crate) struct WordBuffer([MaybeUninit<u64>; CHUNK_ELEMENTS + 2]);

impl WordBuffer {
    #[inline]
    pub(crate) fn new() -> WordBuffer {
        WordBuffer([const { MaybeUninit::uninit() }; CHUNK_ELEMENTS + 2])
    }

    /// The words `from..from + n` of a stream.
    #[inline]
    pub(crate) fn read(
        &mut self,
        stream: &Stream,
        cipher: Cipher,
        from: u64,
        n: usize,
        level: SimdLevel,
    ) -> &[u64] {
        let room = &mut self.0[..n];
        // SAFETY: the words are integers, for which any bits are a value, and all of them are written next.
        let words = unsafe { &mut *(std::ptr::from_mut(room) as *mut [u64]) };
        match cipher {
            Cipher::Wide => words_at(stream, from, words, level),
            Cipher::Light => light_words_at(stream, from, words, level),
        }
        words
    }
}

/// The raw words.
///
/// ```
/// use cuprum_core::Stream;
/// let mut words = [0; 2];
/// cuprum_random::fill_raw(&Stream::new([1, 2], [0; 4]), &mut words, cuprum_core::SimdLevel::detect()).unwrap();
/// assert_eq!(words[0], 5705853004827290377);
/// ```
pub fn fill_raw(stream: &Stream, out: &mut [u64], level: SimdLevel) -> Result<()> {
    fill(out, |at, chunk| words_at(stream, at as u64, chunk, level))
}

/// Uniform numbers in `[0, 1)`, one of each word: NumPy's `Generator.random` where the words are the wide ones.
///
/// ```
/// use cuprum_core::{Cipher, Stream};
/// use cuprum_core::SimdLevel;
/// use cuprum_random::fill_uniform;
/// let (stream, mut numbers) = (Stream::new([1, 2], [0; 4]), [0.0; 3]);
/// fill_uniform(&stream, Cipher::Wide, &mut numbers, SimdLevel::detect()).unwrap();
/// assert_eq!(numbers[0], 0.30931491118583454);
/// ```
pub fn fill_uniform(stream: &Stream, cipher: Cipher, out: &mut [f64], level: SimdLevel) -> Result<()> {
    struct Convert<'a>(&'a [u64], &'a mut [f64]);
    impl Loop for Convert<'_> {
        #[inline(always)]
        fn run(self) {
            for (number, word) in self.1.iter_mut().zip(self.0) {
                *number = math::uniform_of_word(*word);
            }
        }
    }
    fill(out, |at, chunk| {
        let mut buffer = WordBuffer::new();
        let words = buffer.read(stream, cipher, at as u64, chunk.len(), level);
        simd::run(level, Convert(words, chunk));
    })
}

/// Uniform numbers in `[0, 1)` of 24 bits, one of each half word: NumPy's `Generator.random` of float32 where the words are
/// the wide ones.
pub fn fill_uniform_single(stream: &Stream, cipher: Cipher, out: &mut [f32], level: SimdLevel) -> Result<()> {
    struct Convert<'a>(&'a [u32], &'a mut [f32]);
    impl Loop for Convert<'_> {
        #[inline(always)]
        fn run(self) {
            for (number, half) in self.1.iter_mut().zip(self.0) {
                *number = (half >> 8) as i32 as f32 * 2f32.powi(-24);
            }
        }
    }
    fill(out, |at, chunk| {
        let mut halves = [0; CHUNK_ELEMENTS];
        halves_at(stream, cipher, at as u64, &mut halves[..chunk.len()], level);
        simd::run(level, Convert(&halves[..chunk.len()], chunk));
    })
}

/// The draws of 32 bits from number `from` on, at most a chunk.
pub(crate) fn halves_at(stream: &Stream, cipher: Cipher, from: u64, halves: &mut [u32], level: SimdLevel) {
    let before = word_before(stream);
    let (stream, halves, from) = match (stream.has_half, cipher) {
        (false, _) => (stream, halves, from),
        // The draw that waits is the upper half of the light word there.
        (true, Cipher::Light) => (&before, halves, from + 1),
        (true, Cipher::Wide) => match halves.split_first_mut() {
            Some((first, rest)) if from == 0 => {
                *first = stream.half;
                (stream, rest, 0)
            }
            _ => (stream, halves, from.saturating_sub(1)),
        },
    };
    if halves.is_empty() {
        return;
    }
    let odd = (from % 2) as usize;
    let n = (odd + halves.len()).div_ceil(2);
    let mut buffer = WordBuffer::new();
    let words = buffer.read(stream, cipher, from / 2, n, level);
    if odd == 0 {
        let pairs = halves.chunks_exact_mut(2);
        for (pair, word) in pairs.zip(words) {
            pair[0] = *word as u32;
            pair[1] = (*word >> 32) as u32;
        }
        if halves.len() % 2 == 1 {
            halves[halves.len() - 1] = words[n - 1] as u32;
        }
        return;
    }
    for (i, half) in halves.iter_mut().enumerate() {
        let place = odd + i;
        *half = (words[place / 2] >> (32 * (place % 2))) as u32;
    }
}

/// Draws of some number of bits, cut out of the stream in order.
pub(crate) trait BitDraw: DrawElement + Into<u64> {
    /// How many of them are one draw of 32 bits, or two where this is zero.
    const PER_HALF: u64;

    /// The draws from number `from` on, at most a chunk.
    fn units_at(stream: &Stream, from: u64, units: &mut [Self], level: SimdLevel);
}

impl BitDraw for u64 {
    const PER_HALF: u64 = 0;
    #[inline]
    fn units_at(stream: &Stream, from: u64, units: &mut [u64], level: SimdLevel) {
        words_at(stream, from, units, level);
    }
}

impl BitDraw for u32 {
    const PER_HALF: u64 = 1;
    #[inline]
    fn units_at(stream: &Stream, from: u64, units: &mut [u32], level: SimdLevel) {
        halves_at(stream, Cipher::Wide, from, units, level);
    }
}

/// Cuts `halves` into units, the first of them `skipped` units in.
fn cut<U, const N: usize>(halves: &[u32], skipped: usize, units: &mut [U], split: impl Fn(u32) -> [U; N])
where
    U: Copy,
{
    let mut rest = units;
    for (i, half) in halves.iter().enumerate() {
        let parts = split(*half);
        let parts = if i == 0 { &parts[skipped..] } else { &parts[..] };
        let n = parts.len().min(rest.len());
        let (now, after) = rest.split_at_mut(n);
        now.copy_from_slice(&parts[..n]);
        rest = after;
    }
}

/// Implements [`BitDraw`] for a part of a half word: `part_unit!(u16, 2, split)`, where `split` makes two units of one draw.
macro_rules! part_unit {
    ($unit:ident, $per_half:literal) => {
        impl BitDraw for $unit {
            const PER_HALF: u64 = $per_half;
            fn units_at(stream: &Stream, from: u64, units: &mut [$unit], level: SimdLevel) {
                let skipped = (from % $per_half) as usize;
                let n = (skipped + units.len()).div_ceil($per_half);
                let mut halves = [0; CHUNK_ELEMENTS / $per_half + 1];
                halves_at(stream, Cipher::Wide, from / $per_half, &mut halves[..n], level);
                cut(&halves[..n], skipped, units, |half| {
                    std::array::from_fn::<_, $per_half, _>(|i| (half >> (i as u32 * $unit::BITS)) as $unit)
                });
            }
        }
    };
}
part_unit!(u16, 2);
part_unit!(u8, 4);
