//! Sorting and searching: lines of any layout are brought to `cuprum-sort`, which works on slices.
//!
//! Many short lines are shared out among the threads, in groups that are gathered and scattered as tiles; a long line is
//! sorted on all of them.

use std::mem::MaybeUninit;

use cuprum_core::{DType, Dims, Layout, Result, SimdLevel};
use cuprum_graph::{Side, Slot, SortCall};
use cuprum_sort::SortElement;
use cuprum_threads::{Shared, run_tasks};

use super::{dense, is_aligned, is_plain, locate, start, with_dense_out};
use crate::space::Space;
use crate::{access, memory};

/// Elements of a group of lines, which is one task.
const GROUP_ELEMENTS: usize = 1 << 14;
/// Elements of a line that is sorted on several threads.
const PARALLEL_LINE_MIN: usize = 1 << 17;
/// Elements, all lines together, that are worth several threads.
const PARALLEL_MIN: usize = 1 << 13;
/// Needles that a task looks for, and how many are worth several threads.
const NEEDLES_PER_TASK: usize = 1 << 12;

/// Calls a generic function with the element type of a dtype.
macro_rules! with_element {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            DType::Bool => $function::<cuprum_sort::SortBool>($($argument),*),
            DType::U8 => $function::<u8>($($argument),*),
            DType::I8 => $function::<i8>($($argument),*),
            DType::U16 => $function::<u16>($($argument),*),
            DType::I16 => $function::<i16>($($argument),*),
            DType::U32 => $function::<u32>($($argument),*),
            DType::I32 => $function::<i32>($($argument),*),
            DType::U64 => $function::<u64>($($argument),*),
            DType::I64 => $function::<i64>($($argument),*),
            DType::F16 => $function::<half::f16>($($argument),*),
            DType::BF16 => $function::<half::bf16>($($argument),*),
            DType::F32 => $function::<f32>($($argument),*),
            DType::F64 => $function::<f64>($($argument),*),
            DType::C64 => $function::<num_complex::Complex<f32>>($($argument),*),
            DType::C128 => $function::<num_complex::Complex<f64>>($($argument),*),
        }
    };
}

pub(super) fn run(call: &SortCall<'_>, level: SimdLevel) -> Result<()> {
    match *call {
        SortCall::Sort { input, out, axis } => {
            with_element!(input.dtype, along_values(input, out, axis, None, level))
        }
        SortCall::Partition { input, out, axis, kth } => {
            with_element!(input.dtype, along_values(input, out, axis, Some(kth), level))
        }
        SortCall::Select { input, out, axis, kth } => select(input, out, axis, kth, level),
        SortCall::ArgSort { input, out, axis } => {
            with_element!(input.dtype, along_positions(input, out, axis, None, level))
        }
        SortCall::ArgPartition { input, out, axis, kth } => {
            with_element!(input.dtype, along_positions(input, out, axis, Some(kth), level))
        }
        SortCall::Search { sorted, order: None, needles, out, side }
            if locate::search(sorted, needles, out, side)? =>
        {
            Ok(())
        }
        SortCall::Search { sorted, order, needles, out, side } => {
            with_element!(sorted.dtype, search(sorted, order, needles, out, side))
        }
    }
}

/// What is done with each line.
trait LineJob: Sync {
    type In: SortElement;
    type Out: Copy;
    /// A line on this thread.
    fn short(&self, source: &[Self::In], target: &mut [Self::Out]);
    /// A line on several threads.
    fn long(&self, source: &[Self::In], target: &mut [Self::Out]) -> Result<()>;
}

/// Elements in order, or partitioned at the wanted positions.
struct SortedValues<'a, T> {
    wanted: Option<&'a [usize]>,
    level: SimdLevel,
    element: std::marker::PhantomData<fn(T)>,
}

impl<T: SortElement> LineJob for SortedValues<'_, T> {
    type In = T;
    type Out = T;

    fn short(&self, source: &[T], target: &mut [T]) {
        target.copy_from_slice(source);
        match self.wanted {
            None => cuprum_sort::sort_line(target, self.level),
            Some(wanted) => cuprum_sort::partition_line(target, wanted, self.level),
        }
    }

    fn long(&self, source: &[T], target: &mut [T]) -> Result<()> {
        let mut buffer = memory::allocate(cuprum_sort::sort_work::<T>(source.len()))?;
        let work = work_in(&mut buffer);
        match self.wanted {
            None => cuprum_sort::sort(source, target, work, self.level),
            Some(wanted) => cuprum_sort::partition(source, target, wanted, work, self.level),
        }
    }
}

/// Positions that put elements in order, or partition them at the wanted positions.
struct SortedPositions<'a, T> {
    wanted: Option<&'a [usize]>,
    level: SimdLevel,
    element: std::marker::PhantomData<fn(T)>,
}

impl<T: SortElement> LineJob for SortedPositions<'_, T> {
    type In = T;
    type Out = i64;

    fn short(&self, source: &[T], target: &mut [i64]) {
        match self.wanted {
            None => cuprum_sort::argsort_line(source, target, self.level),
            Some(wanted) => cuprum_sort::argpartition_line(source, target, wanted, self.level),
        }
    }

    fn long(&self, source: &[T], target: &mut [i64]) -> Result<()> {
        let mut buffer = memory::allocate(cuprum_sort::argsort_work::<T>(source.len()))?;
        let work = work_in(&mut buffer);
        match self.wanted {
            None => cuprum_sort::argsort(source, target, work, self.level),
            Some(wanted) => cuprum_sort::argpartition(source, target, wanted, work, self.level),
        }
    }
}

/// A buffer of the pool as memory for work.
fn work_in(buffer: &mut cuprum_graph::Buffer) -> &mut [MaybeUninit<u64>] {
    // SAFETY: the buffer is this call's own, aligned to a cache line, and need not be initialised.
    unsafe { std::slice::from_raw_parts_mut(buffer.address() as *mut MaybeUninit<u64>, buffer.bytes() / 8) }
}

fn along_values<T: SortElement>(
    input: &Slot,
    out: &Slot,
    axis: usize,
    wanted: Option<&[usize]>,
    level: SimdLevel,
) -> Result<()> {
    along(&SortedValues::<T> { wanted, level, element: std::marker::PhantomData }, input, out, axis)
}

/// Partitions into memory of its own, and copies the elements that are asked for.
fn select(input: &Slot, out: &Slot, axis: usize, kth: &[usize], level: SimdLevel) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let part = super::allocate(&input.layout.shape, input.dtype)?;
    with_element!(input.dtype, along_values(input, &part, axis, Some(kth), level))?;
    for (i, &k) in kth.iter().enumerate() {
        let [from, to] = [(&part, k), (out, i)].map(|(slot, at)| {
            let mut layout = slot.layout.clone();
            layout.offset = layout.offset.wrapping_add_signed(at as isize * layout.strides[axis]);
            layout.shape[axis] = 1;
            Slot { layout, ..slot.clone() }
        });
        let line = dense(&from)?;
        super::copy_from_dense(&line, &to)?;
    }
    Ok(())
}

fn along_positions<T: SortElement>(
    input: &Slot,
    out: &Slot,
    axis: usize,
    wanted: Option<&[usize]>,
    level: SimdLevel,
) -> Result<()> {
    along(&SortedPositions::<T> { wanted, level, element: std::marker::PhantomData }, input, out, axis)
}

/// Runs a job over the lines along an axis.
fn along<J: LineJob>(job: &J, input: &Slot, out: &Slot, axis: usize) -> Result<()> {
    let (size, length) = (out.layout.size(), out.layout.shape[axis]);
    if size == 0 {
        return Ok(());
    }
    // Other threads of the program may write to an array that is sorted in place: its lines are sorted in memory of this call.
    let in_place = input.buffer.address() == out.buffer.address();
    if length >= PARALLEL_LINE_MIN {
        return long_lines(job, input, out, axis, in_place);
    }
    if size == length && !in_place && is_plain(input) && is_plain(out) {
        // SAFETY: plain slots hold `length` elements of their dtypes, aligned, and do not overlap.
        let (source, target) = unsafe {
            let source = std::slice::from_raw_parts(start(input).cast::<J::In>(), length);
            (source, std::slice::from_raw_parts_mut(start(out).cast::<J::Out>(), length))
        };
        job.short(source, target);
        return Ok(());
    }
    short_lines(job, input, out, axis, in_place)
}

/// The axes around the lines, outermost first, with the input's and the output's steps.
fn lines_of(input: &Slot, out: &Slot, axis: usize) -> Space {
    let order: Dims = out.layout.nesting().iter().copied().filter(|a| *a != axis).collect();
    let mut space = Space::new(&out.layout.shape, &order, &[&input.layout.strides, &out.layout.strides]);
    space.collapse();
    space
}

fn long_lines<J: LineJob>(job: &J, input: &Slot, out: &Slot, axis: usize, in_place: bool) -> Result<()> {
    let space = lines_of(input, out, axis);
    let length = out.layout.shape[axis];
    for line in 0..space.size() {
        let mut offsets = [0; 2];
        space.offsets(line, &mut offsets);
        let line_of = |slot: &Slot, offset: isize| {
            let mut layout = Layout::contiguous(&[length], slot.dtype.size());
            layout.offset = slot.layout.offset.wrapping_add_signed(offset);
            layout.strides[0] = slot.layout.strides[axis];
            Slot { layout, ..slot.clone() }
        };
        let (source, target) = (line_of(input, offsets[0]), line_of(out, offsets[1]));
        let source = dense(&source)?;
        let sort = |target: &Slot| {
            // SAFETY: both are dense and aligned lines of `length` elements, and memory of their own.
            let (source, target) = unsafe {
                let source = std::slice::from_raw_parts(start(&source).cast::<J::In>(), length);
                (source, std::slice::from_raw_parts_mut(start(target).cast::<J::Out>(), length))
            };
            job.long(source, target)
        };
        if in_place {
            let sorted = super::allocate(&[length], target.dtype)?;
            sort(&sorted)?;
            super::copy_from_dense(&sorted, &target)?;
        } else {
            with_dense_out(&target, sort)?;
        }
    }
    Ok(())
}

fn short_lines<J: LineJob>(job: &J, input: &Slot, out: &Slot, axis: usize, in_place: bool) -> Result<()> {
    let space = lines_of(input, out, axis);
    let (size, length) = (out.layout.size(), out.layout.shape[axis]);
    // Lines are grouped along the innermost axis around them.
    let side = space.dims.last().copied().unwrap_or(1);
    let step = |operand: usize| space.steps[operand].last().copied().unwrap_or(0);
    let steps = |slot: &Slot, operand: usize| (step(operand), slot.layout.strides[axis]);
    let (from, to) = (Shared(start(input)), Shared(start(out)));
    let (in_steps, out_steps) = (steps(input, 0), steps(out, 1));
    let (in_size, out_size) = (size_of::<J::In>(), size_of::<J::Out>());
    let in_dense = length_step(length, in_steps.1, in_size) && is_aligned(input);
    let out_dense = !in_place && length_step(length, out_steps.1, out_size) && is_aligned(out);
    let rows = (GROUP_ELEMENTS / length).clamp(1, side);
    let groups = side.div_ceil(rows);
    let tasks = size / length / side * groups;
    let failed = std::sync::Mutex::new(None);
    run_tasks(tasks, size >= PARALLEL_MIN, &|task| {
        let row = task % groups * rows;
        let rows = rows.min(side - row);
        let mut offsets = [0; 2];
        space.offsets(task / groups * side + row, &mut offsets);
        let group = || -> Result<()> {
            let source_block = if in_dense { None } else { Some(memory::allocate(rows * length * in_size)?) };
            let target_block =
                if out_dense { None } else { Some(memory::allocate(rows * length * out_size)?) };
            // SAFETY: the lines of this group lie inside their slots, blocks hold `rows * length` elements, and no
            // other task touches the group's output.
            unsafe {
                let (source, target) = (from.get().offset(offsets[0]), to.get().offset(offsets[1]));
                if let Some(block) = &source_block {
                    access::gather_tile(source, in_steps, rows, length, in_size, block.address() as *mut u8);
                }
                for r in 0..rows {
                    let line_in = match &source_block {
                        Some(block) => (block.address() as *mut u8).add(r * length * in_size),
                        None => source.offset(r as isize * in_steps.0),
                    };
                    let line_out = match &target_block {
                        Some(block) => (block.address() as *mut u8).add(r * length * out_size),
                        None => target.offset(r as isize * out_steps.0),
                    };
                    job.short(
                        std::slice::from_raw_parts(line_in.cast(), length),
                        std::slice::from_raw_parts_mut(line_out.cast(), length),
                    );
                }
                if let Some(block) = &target_block {
                    access::scatter_tile(
                        target,
                        out_steps,
                        rows,
                        length,
                        out_size,
                        block.address() as *const u8,
                    );
                }
            }
            Ok(())
        };
        if let Err(error) = group() {
            *failed.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
        }
    })?;
    failed.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
}

/// Whether elements of a line this far apart lie without gaps.
fn length_step(length: usize, step: isize, size: usize) -> bool {
    length == 1 || step == size as isize
}

fn search<T: SortElement>(
    sorted: &Slot,
    order: Option<&Slot>,
    needles: &Slot,
    out: &Slot,
    side: Side,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let side = match side {
        Side::Left => cuprum_sort::Side::Left,
        Side::Right => cuprum_sort::Side::Right,
    };
    let (sorted, needles) = (dense(sorted)?, dense(needles)?);
    let order = order.map(dense).transpose()?;
    with_dense_out(out, |out| {
        let places = Shared(start(out));
        let count = out.layout.size();
        // SAFETY: dense and aligned slots of as many elements as their layouts say.
        let (sorted, needles, order) = unsafe {
            (elements::<T>(&sorted), elements::<T>(&needles), order.as_ref().map(|o| elements::<i64>(o)))
        };
        run_tasks(count.div_ceil(NEEDLES_PER_TASK), count >= NEEDLES_PER_TASK, &|task| {
            let at = task * NEEDLES_PER_TASK;
            let part = &needles[at..count.min(at + NEEDLES_PER_TASK)];
            // SAFETY: the output is dense, and each task writes places of its own.
            let places =
                unsafe { std::slice::from_raw_parts_mut(places.get().cast::<i64>().add(at), part.len()) };
            cuprum_sort::search(sorted, order, part, side, places);
        })
    })
}

/// The elements of a slot.
///
/// # Safety
/// The slot is dense, aligned, and of the element's size.
unsafe fn elements<T>(slot: &Slot) -> &[T] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(start(slot).cast(), slot.layout.size()) }
}
