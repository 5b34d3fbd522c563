//! Selection by a mask: counting, compressing, expanding, and the positions where it holds.
//!
//! Selections run in two passes over fixed blocks: the blocks' counts say where in the result each one writes. Other threads
//! of the program may change the mask between the passes, so a block writes no more than it was given room for.

#[cfg(target_arch = "x86_64")]
mod x86;

use cuprum_core::memory::filled;
use cuprum_core::{Layout, Result, SimdLevel};
use cuprum_graph::Slot;

use super::gather::TrailingAxes;
use super::{PARALLEL_MIN, dense, space_of, start, with_dense_out};
use crate::access;
use cuprum_threads::{Shared, run_tasks};

/// Elements of a mask that a task handles.
const MASK_PER_TASK: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };
/// Masks shorter than this are counted by one thread: a byte costs next to nothing.
const PARALLEL_MIN_MASK: usize = 1 << 19;
/// Elements that are put aside at a time, in the first-level cache.
const STAGED_ELEMENTS: usize = if cfg!(miri) { 16 } else { 512 };

/// The bytes of a dense mask.
#[derive(Clone, Copy)]
struct Mask {
    bytes: Shared,
    length: usize,
}

impl Mask {
    /// The mask of a dense slot, which has to outlive it.
    fn new(slot: &Slot) -> Mask {
        Mask { bytes: Shared(start(slot)), length: slot.layout.size() }
    }

    fn part(&self, at: usize, n: usize) -> &[u8] {
        assert!(at <= self.length && n <= self.length - at);
        // SAFETY: the slot holds `length` bytes and outlives the mask.
        unsafe { std::slice::from_raw_parts(self.bytes.get().add(at), n) }
    }

    fn block(&self, block: usize, size: usize) -> &[u8] {
        let at = block * size;
        self.part(at, size.min(self.length - at))
    }

    /// How many elements hold in each block of `size`, summed: entry `i` is what the blocks before `i` hold.
    fn offsets(&self, size: usize, level: SimdLevel) -> Result<Vec<usize>> {
        let blocks = self.length.div_ceil(size);
        let mut offsets = filled(blocks + 1, 0);
        let counts = Shared(offsets.as_mut_ptr().cast());
        run_tasks(blocks, self.length >= PARALLEL_MIN_MASK, &|block| {
            let count = count_bytes(self.block(block, size), level);
            // SAFETY: the vector has an entry behind each block, written by this task alone.
            unsafe { counts.get().cast::<usize>().add(block + 1).write(count) };
        })?;
        for i in 1..=blocks {
            offsets[i] += offsets[i - 1];
        }
        Ok(offsets)
    }

    /// The offsets of a selection whose caller has counted `count` elements: none lies behind it, and the last one is it.
    fn offsets_within(&self, count: usize, size: usize, level: SimdLevel) -> Result<Vec<usize>> {
        let mut offsets = self.offsets(size, level)?;
        offsets.iter_mut().for_each(|offset| *offset = count.min(*offset));
        if let Some(last) = offsets.last_mut() {
            *last = count;
        }
        Ok(offsets)
    }
}

/// How many bytes are not zero.
fn count_bytes(bytes: &[u8], level: SimdLevel) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level == SimdLevel::Avx512 {
        // SAFETY: the level is this CPU's.
        return unsafe { x86::count(bytes) };
    }
    let _ = level;
    bytes.chunks(64).map(|word| word_bits(word).count_ones() as usize).sum()
}

/// Which of up to 64 bytes are not zero.
#[inline(always)]
fn word_bits(bytes: &[u8]) -> u64 {
    let mut bits = 0;
    let mut groups = bytes.chunks_exact(8);
    for (at, group) in (&mut groups).enumerate() {
        let word = u64::from_le_bytes(group.try_into().expect("a group has eight bytes"));
        bits |= byte_bits(word) << (8 * at);
    }
    let rest = groups.remainder();
    if !rest.is_empty() {
        let mut group = [0; 8];
        group[..rest.len()].copy_from_slice(rest);
        bits |= byte_bits(u64::from_le_bytes(group)) << (8 * (bytes.len() / 8));
    }
    bits
}

/// Which of eight bytes are not zero, the first in the lowest bit.
#[inline(always)]
fn byte_bits(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Adding carries into the highest bit of a byte wherever one of the lower ones is set.
    let set = (((word & LOW) + LOW) | word) & !LOW;
    (set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Calls `run(start, length)` for every run of ones among the bits.
#[inline(always)]
fn each_run(mut bits: u64, mut run: impl FnMut(usize, usize)) {
    let mut at = 0;
    while bits != 0 {
        let gap = bits.trailing_zeros();
        bits >>= gap;
        at += gap;
        let length = bits.trailing_ones();
        run(at as usize, length as usize);
        bits = bits.checked_shr(length).unwrap_or(0);
        at += length;
    }
}

pub(super) fn count_nonzero(mask: &Slot, out: &Slot, level: SimdLevel) -> Result<()> {
    let count = match mask.layout.size() {
        0 => 0,
        length if mask.layout.is_dense(1) => {
            // The order of axes does not matter to a count: the run of memory is read as it lies.
            let bytes = Shared((mask.buffer.address() + mask.layout.extent(1).0) as *mut u8);
            *Mask { bytes, length }
                .offsets(MASK_PER_TASK, level)?
                .last()
                .expect("there is one more than blocks")
        }
        _ => {
            let mask = dense(mask)?;
            *Mask::new(&mask).offsets(MASK_PER_TASK, level)?.last().expect("there is one more than blocks")
        }
    };
    // SAFETY: the slot holds one int64.
    unsafe { start(out).cast::<i64>().write_unaligned(count as i64) };
    Ok(())
}

/// How the mask is shared out: elements of a block, and how many hold before each. A single thread takes all of it, and
/// need not count again what is known to hold.
fn shares(
    mask: &Mask,
    rows: &TrailingAxes,
    count: usize,
    parallel: bool,
    level: SimdLevel,
) -> Result<(usize, Vec<usize>)> {
    if !parallel {
        return Ok((mask.length.max(1), vec![0, count]));
    }
    let size = (MASK_PER_TASK / rows.length.max(1)).max(1);
    Ok((size, mask.offsets_within(count, size, level)?))
}

pub(super) fn compress(source: &Slot, mask: &Slot, out: &Slot, level: SimdLevel) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let size = source.dtype.size();
    let axes = mask.layout.ndim();
    let rows = TrailingAxes::new(&source.layout, axes, size);
    let selected = Layout {
        shape: source.layout.shape[..axes].into(),
        strides: source.layout.strides[..axes].into(),
        offset: 0,
    };
    let mask_slot = dense(mask)?;
    let mask = Mask::new(&mask_slot);
    let space = space_of(&selected);
    let parallel = mask.length * rows.length >= PARALLEL_MIN;
    let (block_size, offsets) = shares(&mask, &rows, out.layout.shape[0], parallel, level)?;
    let in_place = selected.is_contiguous(size);
    with_dense_out(out, |out| {
        let (from, to) = (Shared(start(source)), Shared(start(out)));
        run_tasks(offsets.len() - 1, parallel, &|block| {
            let (at, room) = (block * block_size, offsets[block + 1] - offsets[block]);
            let part = mask.block(block, block_size);
            if room == 0 {
                return;
            }
            // SAFETY: the mask's axes are the source's first ones; this block's rows of the result begin at
            // `offsets[block]`, and `room` rows are its own.
            unsafe {
                let target = to.get().add(offsets[block] * rows.length * size);
                let mut written = 0;
                if rows.length > 1 {
                    let mut done = 0;
                    access::walk_runs(&space.dims, &space.steps[0], at, part.len(), |offset, step, count| {
                        let chosen = part[done..done + count].iter().enumerate().filter(|(_, b)| **b != 0);
                        for (i, _) in chosen.take(room - written) {
                            let row = target.add(written * rows.length * size);
                            rows.read(from.get().offset(offset + i as isize * step), row, size);
                            written += 1;
                        }
                        done += count;
                    });
                } else if in_place {
                    written = compress_run(size, from.get().add(at * size), part, target, room, level);
                } else {
                    let mut piece = [[0u64; 2]; STAGED_ELEMENTS];
                    let piece = piece.as_mut_ptr().cast::<u8>();
                    for (i, part) in part.chunks(STAGED_ELEMENTS).enumerate() {
                        let at = at + i * STAGED_ELEMENTS;
                        let steps = &space.steps[0];
                        access::gather(from.get(), &space.dims, steps, size, at, part.len(), piece);
                        let target = target.add(written * size);
                        written += compress_run(size, piece, part, target, room - written, level);
                    }
                }
                let row = rows.length * size;
                target.add(written * row).write_bytes(0, (room - written) * row);
            }
        })
    })
}

/// Writes the elements of a dense run where the mask holds, at most `room` of them, and returns how many.
///
/// # Safety
/// `source` holds an element for each byte of the mask; `target` takes `room` elements.
unsafe fn compress_run(
    size: usize,
    source: *const u8,
    mask: &[u8],
    target: *mut u8,
    room: usize,
    level: SimdLevel,
) -> usize {
    // SAFETY: the caller's promise; the level is this CPU's.
    unsafe {
        match (size, level) {
            #[cfg(target_arch = "x86_64")]
            (4, SimdLevel::Avx512) => x86::compress_32(source.cast(), mask, target.cast(), room),
            #[cfg(target_arch = "x86_64")]
            (8, SimdLevel::Avx512) => x86::compress_64(source.cast(), mask, target.cast(), room),
            (1, _) => compress_words::<u8>(word_bits, source, mask, target, room),
            (2, _) => compress_words::<u16>(word_bits, source, mask, target, room),
            (4, _) => compress_words::<u32>(word_bits, source, mask, target, room),
            (8, _) => compress_words::<u64>(word_bits, source, mask, target, room),
            #[cfg(target_arch = "x86_64")]
            (16, SimdLevel::Avx512) => x86::compress_128(source, mask, target, room),
            _ => compress_words::<[u64; 2]>(word_bits, source, mask, target, room),
        }
    }
}

/// Compresses by words of the mask, whose bits `word_bits` gives.
///
/// # Safety
/// As for [`compress_run`].
#[inline(always)]
unsafe fn compress_words<T: Copy>(
    word_bits: impl Fn(&[u8]) -> u64,
    source: *const u8,
    mask: &[u8],
    target: *mut u8,
    room: usize,
) -> usize {
    let (source, target) = (source.cast::<T>(), target.cast::<T>());
    let mut written = 0;
    for (word, bytes) in mask.chunks(64).enumerate() {
        each_run(word_bits(bytes), |start, length| {
            let from = word * 64 + start;
            let length = length.min(room - written);
            for i in 0..length {
                // SAFETY: the source holds an element for each byte of the mask, the target takes `room`; both may be
                // unaligned.
                unsafe { target.add(written + i).write_unaligned(source.add(from + i).read_unaligned()) };
            }
            written += length;
        });
    }
    written
}

/// Stores one value after the other into the elements where a mask holds.
pub(super) fn expand(target: &Slot, mask: &Slot, value: &Slot, level: SimdLevel) -> Result<()> {
    let size = target.dtype.size();
    let axes = mask.layout.ndim();
    let rows = TrailingAxes::new(&target.layout, axes, size);
    let selected = Layout {
        shape: target.layout.shape[..axes].into(),
        strides: target.layout.strides[..axes].into(),
        offset: 0,
    };
    let (mask_slot, value) = (dense(mask)?, dense(value)?);
    let mask = Mask::new(&mask_slot);
    let space = space_of(&selected);
    let parallel = mask.length * rows.length >= PARALLEL_MIN;
    let (block_size, offsets) = shares(&mask, &rows, value.layout.shape[0], parallel, level)?;
    let in_place = rows.length == 1 && selected.is_contiguous(size);
    let (from, to) = (Shared(start(&value)), Shared(start(target)));
    run_tasks(offsets.len() - 1, parallel, &|block| {
        let (at, room) = (block * block_size, offsets[block + 1] - offsets[block]);
        if room == 0 {
            return;
        }
        let part = mask.block(block, block_size);
        // SAFETY: the mask's axes are the target's first ones; this block's values begin at row `offsets[block]`, of which
        // there are `room`, and blocks write elements of their own.
        unsafe {
            let values = from.get().add(offsets[block] * rows.length * size).cast_const();
            if in_place {
                return expand_run(size, values, part, to.get().add(at * size), room, level);
            }
            let (mut done, mut read) = (0, 0);
            access::walk_runs(&space.dims, &space.steps[0], at, part.len(), |offset, step, count| {
                let chosen = part[done..done + count].iter().enumerate().filter(|(_, b)| **b != 0);
                for (i, _) in chosen.take(room - read) {
                    let row = values.add(read * rows.length * size);
                    rows.write(row, to.get().offset(offset + i as isize * step), size);
                    read += 1;
                }
                done += count;
            });
        }
    })
}

/// Stores values, one after the other and at most `room` of them, into the elements of a dense run where the mask holds.
///
/// # Safety
/// `target` has an element for each byte of the mask, `source` has `room` values.
unsafe fn expand_run(
    size: usize,
    source: *const u8,
    mask: &[u8],
    target: *mut u8,
    room: usize,
    level: SimdLevel,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match (size, level) {
            #[cfg(target_arch = "x86_64")]
            (4, SimdLevel::Avx512) => x86::expand::<u32>(source, mask, target, room),
            #[cfg(target_arch = "x86_64")]
            (8, SimdLevel::Avx512) => x86::expand::<u64>(source, mask, target, room),
            #[cfg(target_arch = "x86_64")]
            (16, SimdLevel::Avx512) => x86::expand::<[u64; 2]>(source, mask, target, room),
            (1, _) => expand_words::<u8>(word_bits, source, mask, target, room),
            (2, _) => expand_words::<u16>(word_bits, source, mask, target, room),
            (4, _) => expand_words::<u32>(word_bits, source, mask, target, room),
            (8, _) => expand_words::<u64>(word_bits, source, mask, target, room),
            _ => expand_words::<[u64; 2]>(word_bits, source, mask, target, room),
        }
    }
}

/// Expands by words of the mask, whose bits `word_bits` gives.
///
/// # Safety
/// As for [`expand_run`].
#[inline(always)]
unsafe fn expand_words<T: Copy>(
    word_bits: impl Fn(&[u8]) -> u64,
    source: *const u8,
    mask: &[u8],
    target: *mut u8,
    room: usize,
) {
    let (source, target) = (source.cast::<T>(), target.cast::<T>());
    let mut read = 0;
    for (word, bytes) in mask.chunks(64).enumerate() {
        each_run(word_bits(bytes), |start, length| {
            let to = word * 64 + start;
            let length = length.min(room - read);
            for i in 0..length {
                // SAFETY: the caller's promise; both may be unaligned.
                unsafe { target.add(to + i).write_unaligned(source.add(read + i).read_unaligned()) };
            }
            read += length;
        });
    }
}

pub(super) fn nonzero(mask: &Slot, out: &Slot, level: SimdLevel) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let shape = mask.layout.shape.clone();
    let mask_slot = dense(mask)?;
    let mask = Mask::new(&mask_slot);
    let count = out.layout.shape[1];
    let offsets = mask.offsets_within(count, MASK_PER_TASK, level)?;
    with_dense_out(out, |out| {
        let to = Shared(start(out));
        run_tasks(offsets.len() - 1, mask.length >= PARALLEL_MIN, &|block| {
            let rows = (0..shape.len()).map(|axis| {
                // SAFETY: `out` has `count` positions for each axis; this block's begin at its offset.
                unsafe { to.get().cast::<i64>().add(axis * count + offsets[block]) }
            });
            let rows: smallvec::SmallVec<[*mut i64; 4]> = rows.collect();
            let room = offsets[block + 1] - offsets[block];
            // SAFETY: `room` positions behind the block's offset are its own.
            unsafe {
                nonzero_block(
                    mask.block(block, MASK_PER_TASK),
                    block * MASK_PER_TASK,
                    &shape,
                    &rows,
                    room,
                    level,
                )
            };
        })
    })
}

/// Writes the coordinates of a block of the mask that begins at element `at`: `room` of them, zeros behind the last one.
///
/// # Safety
/// Each of `rows` takes `room` positions.
unsafe fn nonzero_block(
    mask: &[u8],
    at: usize,
    shape: &[usize],
    rows: &[*mut i64],
    room: usize,
    level: SimdLevel,
) {
    let last = shape.len() - 1;
    let mut coordinates: smallvec::SmallVec<[usize; 4]> = smallvec::SmallVec::from_elem(0, shape.len());
    let mut rest = at;
    for axis in (0..=last).rev() {
        coordinates[axis] = rest % shape[axis];
        rest /= shape[axis];
    }
    let (mut done, mut written) = (0, 0);
    while done < mask.len() {
        let count = (mask.len() - done).min(shape[last] - coordinates[last]);
        let run = &mask[done..done + count];
        // SAFETY: no more than `room` positions are found.
        unsafe {
            let target = rows[last].add(written);
            let found = positions_run(run, coordinates[last] as i64, target, room - written, level);
            for axis in 0..last {
                std::slice::from_raw_parts_mut(rows[axis].add(written), found).fill(coordinates[axis] as i64);
            }
            written += found;
        }
        done += count;
        coordinates[last] += count;
        let mut axis = last;
        while axis > 0 && coordinates[axis] == shape[axis] {
            coordinates[axis] = 0;
            axis -= 1;
            coordinates[axis] += 1;
        }
    }
    for row in rows {
        // SAFETY: the rows take `room` positions.
        unsafe { row.add(written).write_bytes(0, room - written) };
    }
}

/// Writes `first + i` for each `i` where the mask holds, at most `room` of them, and returns how many.
///
/// # Safety
/// `target` takes `room` positions.
unsafe fn positions_run(mask: &[u8], first: i64, target: *mut i64, room: usize, level: SimdLevel) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level == SimdLevel::Avx512 {
        // SAFETY: the caller's promise; the level is this CPU's.
        return unsafe { x86::positions(mask, first, target, room) };
    }
    let _ = level;
    let mut piece = [0i64; STAGED_ELEMENTS];
    let mut written = 0;
    for (p, part) in mask.chunks(STAGED_ELEMENTS).enumerate() {
        let mut count = 0;
        for (i, byte) in part.iter().enumerate() {
            piece[count] = first + (p * STAGED_ELEMENTS + i) as i64;
            count += usize::from(*byte != 0);
        }
        let count = count.min(room - written);
        // SAFETY: the target takes `room` positions.
        unsafe { std::ptr::copy_nonoverlapping(piece.as_ptr(), target.add(written), count) };
        written += count;
    }
    written
}
