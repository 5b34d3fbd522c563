//! Writing at index positions, one after the other, so that of several writes to one place the last one stays.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Error, Op, Reduction, Result, SimdLevel};
use cuprum_graph::Slot;

use super::gather::{BATCH_TUPLES, PREFETCH_DISTANCE, Positions, TrailingAxes, prefetch};
use super::number::{Accumulated, with_number};
use super::{dense, folding_lane, is_aligned, is_plain, start};
use cuprum_lanes::{Lane, cast, lane};
use cuprum_threads::interrupt::Watch;

pub(super) fn scatter(
    target: &Slot,
    indices: &[Slot],
    value: &Slot,
    op: Option<Op>,
    level: SimdLevel,
) -> Result<()> {
    if value.layout.size() == 0 {
        return Ok(());
    }
    let size = target.dtype.size();
    let positions = Positions::new(indices, &target.layout)?;
    let rows = TrailingAxes::new(&target.layout, indices.len(), size);
    let values = ValueRows::new(value, indices.first().map_or(0, |i| i.layout.ndim()), rows.length)?;
    let to = start(target);
    let Some(op) = op else {
        return for_each(&positions, to, |offset, k| {
            // SAFETY: indices are checked, so the row lies in the target; value row `k` exists.
            unsafe {
                let (from, to) = (values.row(k), to.offset(offset));
                match (rows.length, size) {
                    (1, 4) => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
                    (1, 8) => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
                    _ => rows.write(from, to, size),
                }
            }
        });
    };
    if value.dtype != target.dtype || op.output(value.dtype) != target.dtype {
        let through = ConvertedFold::new(op, target.dtype, value.dtype, rows.length, level)?;
        return fold_converted(&positions, &rows, &values, target, through);
    }
    let fold = folding_lane(op, target.dtype, level)?;
    if rows.length == 1
        && Reduction::of(op) == Reduction::Sum
        && let Some(done) = with_number!(target.dtype, add_elements(&positions, &values, target))
    {
        return done;
    }
    if rows.dense && is_aligned(target) {
        return for_each(&positions, to, |offset, k| {
            // SAFETY: as above; the row is one aligned run, the lane writes where it read.
            unsafe {
                let to = to.offset(offset);
                fold(rows.length, to, [to, values.row(k), values.row(k)]);
            }
        });
    }
    fold_strided(&positions, &rows, &values, target, fold)
}

/// Adds single elements: histograms are made of this, and a lane's call for each would cost more than the sum.
fn add_elements<T: Accumulated>(positions: &Positions, values: &ValueRows, target: &Slot) -> Result<()> {
    let to = start(target);
    for_each(positions, to, |offset, k| {
        // SAFETY: indices are checked, so the element lies in the target; it may be unaligned.
        unsafe {
            let at = to.offset(offset).cast::<T>();
            let value = values.row(k).cast::<T>().read_unaligned();
            at.write_unaligned(T::narrow(T::plus(at.read_unaligned().widen(), value.widen())));
        }
    })
}

/// Combines rows that no lane can work on where they are: they are copied out and back.
fn fold_strided(
    positions: &Positions,
    rows: &TrailingAxes,
    values: &ValueRows,
    target: &Slot,
    fold: Lane,
) -> Result<()> {
    let (to, size) = (start(target), target.dtype.size());
    let mut scratch = filled((rows.length * size).div_ceil(8), 0u64);
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    for_each(positions, to, |offset, k| {
        // SAFETY: indices are checked, so the row lies in the target; the scratch row is aligned and holds a row.
        unsafe {
            rows.read(to.offset(offset), scratch, size);
            fold(rows.length, scratch, [scratch, values.row(k), values.row(k)]);
            rows.write(scratch, to.offset(offset), size);
        }
    })
}

/// A fold in another dtype than the target's: rows are converted to the op's dtype, and its results back.
struct ConvertedFold {
    widen: Lane,
    fold: Lane,
    narrow: Lane,
    size: usize,
    /// Scratch rows in the target's dtype, the op's, and that of its result.
    scratch: [Vec<u64>; 3],
}

impl ConvertedFold {
    fn new(op: Op, target: DType, inner: DType, length: usize, level: SimdLevel) -> Result<ConvertedFold> {
        let closed = op.input(0, inner) == inner && op.input(1, inner) == inner;
        let fold = if closed { lane(op, inner, level) } else { None };
        let result = op.output(inner);
        Ok(ConvertedFold {
            widen: cast(target, inner, level),
            fold: fold.ok_or_else(|| Error::NoLoop { op: op.name().into(), dtypes: vec![inner, inner] })?,
            narrow: cast(result, target, level),
            size: target.size(),
            scratch: [target, inner, result].map(|d| filled((length * d.size()).div_ceil(8), 0)),
        })
    }
}

fn fold_converted(
    positions: &Positions,
    rows: &TrailingAxes,
    values: &ValueRows,
    target: &Slot,
    mut through: ConvertedFold,
) -> Result<()> {
    let to = start(target);
    let [own, inner, result] = through.scratch.each_mut().map(|s| s.as_mut_ptr().cast::<u8>());
    let (n, size) = (rows.length, through.size);
    for_each(positions, to, |offset, k| {
        // SAFETY: indices are checked, so the row lies in the target; the scratch rows are aligned, apart from each
        // other, and hold a row of their dtype each.
        unsafe {
            rows.read(to.offset(offset), own, size);
            (through.widen)(n, inner, [own; 3].map(<*mut u8>::cast_const));
            (through.fold)(n, result, [inner.cast_const(), values.row(k), values.row(k)]);
            (through.narrow)(n, own, [result; 3].map(<*mut u8>::cast_const));
            rows.write(own, to.offset(offset), size);
        }
    })
}

/// The values as dense rows, one for each index tuple; one row alone where all are the same.
struct ValueRows {
    slot: Slot,
    /// Bytes from one row to the next.
    step: usize,
}

impl ValueRows {
    fn new(value: &Slot, index_axes: usize, length: usize) -> Result<ValueRows> {
        let size = value.dtype.size();
        if is_plain(value) {
            return Ok(ValueRows { slot: value.clone(), step: length * size });
        }
        let steps = value.layout.shape.iter().zip(&value.layout.strides);
        if steps.take(index_axes).all(|(&dim, &step)| dim == 1 || step == 0) {
            let mut row = value.clone();
            row.layout.shape.drain(..index_axes);
            row.layout.strides.drain(..index_axes);
            return Ok(ValueRows { slot: dense(&row)?, step: 0 });
        }
        Ok(ValueRows { slot: dense(value)?, step: length * size })
    }

    /// # Safety
    /// There is an index tuple `k`.
    #[inline]
    unsafe fn row(&self, k: usize) -> *const u8 {
        // SAFETY: the slot holds a row for each index tuple, or one and a step of 0.
        unsafe { start(&self.slot).add(k * self.step) }
    }
}

/// Calls `write(offset, k)` for each index tuple `k`, in order; asks for the memory behind `to` ahead of it.
#[inline(always)]
fn for_each(positions: &Positions, to: *mut u8, mut write: impl FnMut(isize, usize)) -> Result<()> {
    let watch = Watch::start();
    let mut offsets = [0isize; BATCH_TUPLES];
    let mut done = 0;
    while done < positions.count {
        if watch.wants_stop() {
            return Err(cuprum_core::Error::Interrupted);
        }
        let count = BATCH_TUPLES.min(positions.count - done);
        positions.offsets(done, &mut offsets[..count]);
        for i in 0..count {
            // Behind the end of a batch lie offsets of the one before: harmless to ask for.
            prefetch(to.wrapping_offset(offsets[(i + PREFETCH_DISTANCE) % BATCH_TUPLES]));
            write(offsets[i], done + i);
        }
        done += count;
    }
    Ok(())
}
