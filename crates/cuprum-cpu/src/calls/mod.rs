//! Library calls on the CPU: what runs as a whole instead of through the block machine.
//!
//! Each call works on dense memory where that is what it is fast at; this module brings operands of other layouts
//! there and back. Work is cut into tasks of a fixed size, so results do not depend on the number of threads.

mod count;
mod fft;
mod filter;
mod gather;
mod interpolate;
mod linalg;
mod locate;
mod matmul;
mod number;
mod random;
mod recurrence;
mod reduceat;
mod scan;
mod scatter;
mod select;
mod sort;
mod sparse;
#[cfg(test)]
mod tests;

use cuprum_core::{DType, Dims, Error, Layout, Op, Result, SimdLevel};
use cuprum_graph::{Call, ReportTo, Slot};

use crate::space::Space;
use crate::{access, memory};
use cuprum_lanes::{Lane, lane};
use cuprum_threads::{Shared, run_tasks};

pub(crate) use matmul::multiply_small;

/// Touches what a thread keeps for calls.
pub(crate) fn touch_scratch() {
    filter::touch_scratch();
    scan::touch_scratch();
}

/// Elements below which starting other threads costs more than it gains.
const PARALLEL_MIN: usize = 1 << 16;
/// Elements that a task copies.
const COPIED_PER_TASK: usize = if cfg!(miri) { 1 << 6 } else { 1 << 16 };

/// Runs a library call.
pub(crate) fn run(call: &Call<'_>, level: SimdLevel) -> Result<()> {
    match *call {
        Call::Matmul { a, b, out } => matmul::matmul(a, b, out),
        Call::Scan { op, input, out, axis } => scan::scan(op, input, out, axis, level),
        Call::Gather { source, indices, unchecked: None, out } => gather::gather(source, indices, out),
        Call::Gather { source, indices, unchecked: Some(ReportTo::Slot(fault)), out } => {
            gather::gather_checked(source, &indices[0], fault, out, level)
        }
        Call::Gather { unchecked: Some(ReportTo::Check(..)), .. } => {
            unreachable!("the CPU gives no marks for checks that come later")
        }
        Call::Scatter { target, indices, value, op, .. } => {
            scatter::scatter(target, indices, value, op, level)
        }
        Call::CheckIndices { indices, size, report: ReportTo::Slot(fault) } => {
            gather::check_indices(indices, size, fault, level)
        }
        Call::CheckIndices { report: ReportTo::Check(..), .. } => {
            unreachable!("errors come at the call on the CPU")
        }
        Call::CountNonzero { mask, out } => select::count_nonzero(mask, out, level),
        Call::Compress { source, mask, out } => select::compress(source, mask, out, level),
        Call::Expand { target, mask, value } => select::expand(target, mask, value, level),
        Call::Nonzero { mask, out } => select::nonzero(mask, out, level),
        Call::ReduceAt { op, input, starts, out, axis } => {
            reduceat::reduceat(op, input, starts, out, axis, level)
        }
        Call::Sort(ref call) => sort::run(call, level),
        Call::Count(ref call) => count::count(call, level),
        Call::Interpolate(ref call) => interpolate::interpolate(call),
        Call::Fft(ref call) => fft::fft(call),
        Call::Random(ref call) => random::run(call, level),
        Call::Filter(ref call) => filter::run(call, level),
        Call::Recurrence(ref call) => recurrence::run(call, level),
        Call::Linalg(ref call) => linalg::run(call),
        Call::SparseProduct(ref call) => sparse::multiply(call),
        Call::SparseTransposedProduct(ref call) => sparse::multiply_transposed(call),
        Call::SparseGroup(ref call) => sparse::group(call),
        Call::SparsePairStarts(ref call) => sparse::pair_starts(call, level),
        Call::SparsePair(ref call) => sparse::pair(call, level),
    }
}

/// The address of the first element.
fn start(slot: &Slot) -> *mut u8 {
    (slot.buffer.address() + slot.layout.offset) as *mut u8
}

/// The elements of a dense slot.
fn elements<T>(slot: &Slot) -> &[T] {
    debug_assert!(slot.dtype.size() == size_of::<T>() && is_plain(slot));
    // SAFETY: a dense slot holds that many elements of a size, row by row and aligned; it outlives the slice.
    unsafe { std::slice::from_raw_parts(start(slot).cast(), slot.layout.size()) }
}

/// Whether every element lies at a multiple of its alignment.
fn is_aligned(slot: &Slot) -> bool {
    let align = slot.dtype.size().min(8);
    let steps = slot.layout.shape.iter().zip(&slot.layout.strides);
    (start(slot) as usize).is_multiple_of(align)
        && steps.filter(|(dim, _)| **dim > 1).all(|(_, step)| step % align as isize == 0)
}

/// Whether strides can be counted in elements, and every element is aligned.
fn has_whole_strides(slot: &Slot) -> bool {
    let size = slot.dtype.size() as isize;
    let steps = slot.layout.shape.iter().zip(&slot.layout.strides);
    is_aligned(slot) && steps.filter(|(dim, _)| **dim > 1).all(|(_, step)| step % size == 0)
}

/// Whether the elements lie row by row without gaps, aligned.
fn is_plain(slot: &Slot) -> bool {
    slot.layout.is_contiguous(slot.dtype.size()) && is_aligned(slot)
}

/// New memory for an array, row by row.
fn allocate(shape: &[usize], dtype: DType) -> Result<Slot> {
    let layout = Layout::contiguous(shape, dtype.size());
    Ok(Slot { buffer: memory::allocate(layout.size() * dtype.size())?, layout, dtype })
}

/// The elements row by row and aligned: the slot itself where it is so, else a copy.
fn dense(slot: &Slot) -> Result<Slot> {
    if is_plain(slot) {
        return Ok(slot.clone());
    }
    let copy = allocate(&slot.layout.shape, slot.dtype)?;
    copy_to_dense(slot, &copy)?;
    Ok(copy)
}

/// Calls `fill` with a slot that is dense and aligned: `out`, or memory that is copied to it afterwards.
fn with_dense_out(out: &Slot, fill: impl FnOnce(&Slot) -> Result<()>) -> Result<()> {
    let made = if is_plain(out) { None } else { Some(allocate(&out.layout.shape, out.dtype)?) };
    // Called in one place, so that there is one copy of it.
    fill(made.as_ref().unwrap_or(out))?;
    made.map_or(Ok(()), |made| copy_from_dense(&made, out))
}

/// The axes of a layout in order, merged where they can be.
fn space_of(layout: &Layout) -> Space {
    let order: Dims = (0..layout.ndim()).collect();
    let mut space = Space::new(&layout.shape, &order, &[&layout.strides]);
    space.collapse();
    space
}

/// Copies an array to a dense one of the same shape and dtype.
fn copy_to_dense(source: &Slot, target: &Slot) -> Result<()> {
    let (from, to, size) = (Shared(start(source)), Shared(start(target)), source.dtype.size());
    copy_blocks(&source.layout, |space, at, n| {
        // SAFETY: the slot's layout lies in its buffer, the target holds all of its elements, tasks copy disjoint parts.
        unsafe {
            let block = to.get().add(at * size);
            access::gather(from.get(), &space.dims, &space.steps[0], size, at, n, block);
        }
    })
}

/// Copies a dense array to one of the same shape and dtype.
fn copy_from_dense(source: &Slot, target: &Slot) -> Result<()> {
    let (from, to, size) = (Shared(start(source)), Shared(start(target)), target.dtype.size());
    copy_blocks(&target.layout, |space, at, n| {
        // SAFETY: as in `copy_to_dense`; an output's elements are distinct.
        unsafe {
            let block = from.get().add(at * size);
            access::scatter(to.get(), &space.dims, &space.steps[0], size, at, n, block);
        }
    })
}

fn copy_blocks(layout: &Layout, copy: impl Fn(&Space, usize, usize) + Sync) -> Result<()> {
    let (space, size) = (space_of(layout), layout.size());
    run_tasks(size.div_ceil(COPIED_PER_TASK), size >= PARALLEL_MIN, &|task| {
        let at = task * COPIED_PER_TASK;
        copy(&space, at, COPIED_PER_TASK.min(size - at));
    })
}

/// The lane that folds elements of `dtype` into one of the same dtype.
fn folding_lane(op: Op, dtype: DType, level: SimdLevel) -> Result<Lane> {
    let closed = op.output(dtype) == dtype && op.input(0, dtype) == dtype && op.input(1, dtype) == dtype;
    let found = if closed { lane(op, dtype, level) } else { None };
    found.ok_or_else(|| Error::NoLoop { op: op.name().into(), dtypes: vec![dtype, dtype] })
}

/// An array seen around one axis: how many elements lie before, along and inside it.
#[derive(Clone, Copy)]
struct AxisSplit {
    outer: usize,
    length: usize,
    inner: usize,
}

impl AxisSplit {
    fn new(shape: &[usize], axis: usize) -> AxisSplit {
        AxisSplit {
            outer: shape[..axis].iter().product(),
            length: shape[axis],
            inner: shape[axis + 1..].iter().product(),
        }
    }

    fn size(self) -> usize {
        self.outer * self.length * self.inner
    }
}
