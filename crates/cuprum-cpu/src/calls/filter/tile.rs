//! Boxes of the input, gathered with the boundary around them, and the memory that they stand in.

use std::cell::RefCell;

use cuprum_core::memory::{collected, lengthen};
use cuprum_core::{DType, Error, Result, SimdLevel};
use cuprum_graph::{Boundary, Extension, Slot};
use cuprum_threads::Shared;

use crate::calls::start;
use crate::{access, memory};
use cuprum_lanes::{Lane, cast};

/// Bytes behind a box that its loops may read, and write where it is their own: they work in whole blocks.
pub(super) const PADDING_BYTES: usize = 512;
/// Bytes of scratch memory that a thread keeps.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// The input position that stands at `index`, inside the axis or beyond it; `None` for the fill.
fn position(index: isize, length: usize, extension: Extension) -> Option<usize> {
    let n = length as isize;
    if (0..n).contains(&index) {
        return Some(index as usize);
    }
    let there = match extension {
        Extension::Constant => return None,
        Extension::Nearest => index.clamp(0, n - 1),
        Extension::Wrap => index.rem_euclid(n),
        Extension::Reflect => {
            let i = index.rem_euclid(2 * n);
            i.min(2 * n - 1 - i)
        }
        Extension::Mirror if n == 1 => 0,
        Extension::Mirror => {
            let i = index.rem_euclid(2 * n - 2);
            i.min(2 * n - 2 - i)
        }
    };
    Some(there as usize)
}

/// A dense input, as boxes see it.
pub(super) struct BoxSource {
    start: Shared,
    shape: Vec<usize>,
    steps: Vec<usize>,
    size: usize,
    /// How an element becomes one of the box; `None` where it is copied.
    convert: Option<Lane>,
    box_size: usize,
    extension: Extension,
    fill: [u8; 16],
}

impl BoxSource {
    /// The input, dense, under a shape of as many elements; boxes hold it in dtype `held`.
    pub(super) fn new(
        input: &Slot,
        shape: &[usize],
        held: DType,
        boundary: Boundary,
        level: SimdLevel,
    ) -> BoxSource {
        let mut fill = [0; 16];
        let bytes = boundary.fill.bytes();
        fill[..bytes.len()].copy_from_slice(bytes);
        BoxSource {
            start: Shared(start(input)),
            shape: shape.to_vec(),
            steps: dense_steps(shape),
            size: input.dtype.size(),
            convert: (held != input.dtype).then(|| cast(input.dtype, held, level)),
            box_size: held.size(),
            extension: boundary.extension,
            fill,
        }
    }

    /// Gathers the box that begins at `origin`, beyond the array's ends or not, to where `steps` says in `target`.
    ///
    /// # Safety
    /// `target` takes elements of the held dtype at every place of the box, the last axis of which is dense.
    pub(super) unsafe fn gather(
        &self,
        origin: &[isize],
        extents: &[usize],
        steps: &[usize],
        target: *mut u8,
    ) {
        let last = extents.len() - 1;
        if extents.contains(&0) {
            return;
        }
        let places: Vec<Vec<Option<usize>>> =
            (0..last).map(|axis| self.places(axis, origin[axis], extents[axis])).collect();
        let row = BoxRow::new(self, origin[last], extents[last]);
        let mut index = vec![0; last];
        loop {
            let mut from = Some(0);
            let mut to = 0;
            for axis in 0..last {
                let place = places[axis][index[axis]];
                from = from.zip(place).map(|(sum, place)| sum + place * self.steps[axis]);
                to += index[axis] * steps[axis];
            }
            // SAFETY: the row lies in the box; the positions that it comes from lie in the input.
            unsafe {
                let to = target.add(to * self.box_size);
                match from {
                    Some(from) => row.copy(self, self.start.get().add(from * self.size), to),
                    None => self.put_fill(to, extents[last]),
                }
            }
            if !advance(&mut index, &extents[..last]) {
                return;
            }
        }
    }

    fn places(&self, axis: usize, origin: isize, count: usize) -> Vec<Option<usize>> {
        let at = |k: usize| position(origin + k as isize, self.shape[axis], self.extension);
        collected((0..count).map(at))
    }

    /// # Safety
    /// `n` elements are readable at `from`, and writable in the held dtype at `to`.
    unsafe fn put(&self, from: *const u8, n: usize, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.convert {
                Some(convert) => convert(n, to, [from; 3]),
                None => std::ptr::copy_nonoverlapping(from, to, n * self.size),
            }
        }
    }

    /// # Safety
    /// `n` elements of the held dtype are writable at `to`.
    unsafe fn put_fill(&self, to: *mut u8, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { access::copy_from_strided(self.fill.as_ptr(), 0, to, n, self.box_size) };
    }
}

/// What a row of a box along the last axis consists of: elements side by side, and single ones before and after.
struct BoxRow {
    /// Where the input's own elements begin in the row, and where they end.
    inside: (usize, usize),
    /// The input position of the first of them.
    first: usize,
    /// The others: place in the row and position in the input.
    outside: Vec<(usize, Option<usize>)>,
}

impl BoxRow {
    fn new(source: &BoxSource, origin: isize, count: usize) -> BoxRow {
        let length = source.shape[source.shape.len() - 1];
        let begin = (-origin).clamp(0, count as isize) as usize;
        let end = (length as isize - origin).clamp(begin as isize, count as isize) as usize;
        let at = |k: usize| (k, position(origin + k as isize, length, source.extension));
        BoxRow {
            inside: (begin, end),
            first: (origin + begin as isize).max(0) as usize,
            outside: collected((0..begin).chain(end..count).map(at)),
        }
    }

    /// # Safety
    /// `from` is the input's row, and the row of the box is writable at `to`.
    unsafe fn copy(&self, source: &BoxSource, from: *const u8, to: *mut u8) {
        let (begin, end) = self.inside;
        // SAFETY: the caller's promise; positions lie in the input's row.
        unsafe {
            if end > begin {
                let from = from.add(self.first * source.size);
                source.put(from, end - begin, to.add(begin * source.box_size));
            }
            for &(place, position) in &self.outside {
                let to = to.add(place * source.box_size);
                match position {
                    Some(position) => source.put(from.add(position * source.size), 1, to),
                    None => source.put_fill(to, 1),
                }
            }
        }
    }
}

/// The step of each axis of a dense array, in elements.
pub(super) fn dense_steps(shape: &[usize]) -> Vec<usize> {
    let mut steps = vec![1; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        steps[axis] = steps[axis + 1] * shape[axis + 1];
    }
    steps
}

/// The next index in C order; false behind the last one.
pub(super) fn advance(index: &mut [usize], shape: &[usize]) -> bool {
    for axis in (0..shape.len()).rev() {
        index[axis] += 1;
        if index[axis] < shape[axis] {
            return true;
        }
        index[axis] = 0;
    }
    false
}

/// The bytes of a box; an error where a thread cannot have two of them.
pub(super) fn box_bytes(extents: &[usize], size: usize) -> Result<usize> {
    let bytes = extents.iter().fold(size, |bytes, &n| bytes.saturating_mul(n));
    let asked = bytes.saturating_mul(2);
    if asked > memory::total_memory() / 2 {
        return Err(Error::Memory { asked, used: 0, limit: Some(memory::total_memory()) });
    }
    Ok(bytes)
}

thread_local! {
    static SCRATCH: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Touches what a thread keeps for boxes.
pub(in crate::calls) fn touch_scratch() {
    SCRATCH.with(|_| {});
}

/// Calls `body` with two runs of this thread's memory, each of that many bytes and some slack, initialised with
/// whatever was there and aligned to cache lines.
pub(super) fn with_scratch(bytes: [usize; 2], body: impl FnOnce(*mut u8, *mut u8)) {
    let [first, second] = bytes.map(|bytes| (bytes + PADDING_BYTES).next_multiple_of(64));
    SCRATCH.with_borrow_mut(|scratch| {
        let words = (first + second + 64) / 8;
        lengthen(scratch, words, 0);
        let start = scratch.as_mut_ptr().cast::<u8>();
        let start = start.wrapping_add(start.align_offset(64));
        body(start, start.wrapping_add(first));
        if scratch.len() * 8 > MAX_KEPT_BYTES {
            *scratch = Vec::new();
        }
    });
}
