//! Sorting and searching. Lines are brought side by side as rows; short rows are sorted by counting, those that fit a block
//! in its shared memory, longer ones digit by digit in global memory. All of them are stable. Few places of long rows are
//! found without a sort.

mod group;
mod kth;
#[cfg(test)]
mod kth_tests;
mod search;
mod sweep;
#[cfg(test)]
mod tests;

use cuprum_core::{DType, Dims, Result};
use cuprum_graph::{Slot, SortCall};

use super::indexing::unit_type;
use crate::launch::LaunchArgs;
use crate::ops::{CudaText, FragmentSet, memory_type};
use crate::session::Session;

pub(super) use group::group;

const ORDER: &str = include_str!("../../kernels/sort_keys.cuh");
const RADIX: &str = include_str!("../../kernels/radix_rank.cuh");

/// The longest row whose elements count those before them.
const COUNTED_MAX_ROW: usize = 128;
/// Threads of a block that sorts a row in shared memory.
const ROW_THREADS: usize = 256;
/// The most bytes that are brought onto the GPU in one go.
const MAX_UPLOAD_BYTES: usize = 64 << 10;

pub(super) fn run(session: &Session, call: &SortCall<'_>) -> Result<()> {
    match *call {
        SortCall::Sort { input, out, axis } => {
            by_rows(session, input, out, axis, SortResult::Elements, sort_rows)
        }
        SortCall::ArgSort { input, out, axis } => {
            by_rows(session, input, out, axis, SortResult::Positions, sort_rows)
        }
        // Nothing asked for leaves the order as it is.
        SortCall::Partition { input, out, kth: [], .. } => session.copy(input, out),
        SortCall::ArgPartition { out, axis, kth: [], .. } => {
            let equal = session.new_slot(&out.layout.shape, DType::Bool)?;
            session.set_slot(&equal, 0)?;
            by_rows(session, &equal, out, axis, SortResult::Positions, sort_rows)
        }
        SortCall::Partition { input, out, axis, kth } => {
            by_rows(session, input, out, axis, SortResult::Elements, |session, rows| {
                partition_rows(session, rows, kth)
            })
        }
        SortCall::ArgPartition { input, out, axis, kth } => {
            by_rows(session, input, out, axis, SortResult::Positions, |session, rows| {
                partition_rows(session, rows, kth)
            })
        }
        SortCall::Select { input, out, axis, kth } => {
            by_rows(session, input, out, axis, SortResult::Elements, |session, rows| {
                select_from_rows(session, rows, kth)
            })
        }
        SortCall::Search { sorted, order, needles, out, side } => {
            search::run(session, sorted, order, needles, out, side)
        }
    }
}

/// What a sort writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SortResult {
    Elements,
    Positions,
}

/// Rows of elements, one after the other, and where the results go.
#[derive(Clone, Copy)]
struct SortRows<'a> {
    input: &'a Slot,
    out: &'a Slot,
    rows: usize,
    length: usize,
    what: SortResult,
}

impl SortRows<'_> {
    /// A copy of the input where the results would overwrite it.
    fn input_aside(&self, session: &Session) -> Result<Option<Slot>> {
        if session.address(self.input) != session.address(self.out) {
            return Ok(None);
        }
        let copy = session.new_slot(&self.input.layout.shape, self.input.dtype)?;
        let bytes = copy.layout.size() * copy.dtype.size();
        session.copy_bytes((&copy.buffer, 0), (&self.input.buffer, self.input.layout.offset), bytes)?;
        Ok(Some(copy))
    }
}

/// Brings the lines along an axis side by side and runs `work` on them; where the result is not so, it is copied after.
fn by_rows(
    session: &Session,
    input: &Slot,
    out: &Slot,
    axis: usize,
    what: SortResult,
    work: impl FnOnce(&Session, &SortRows) -> Result<()>,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let (size, length) = (input.layout.size(), input.layout.shape[axis]);
    // The axes around the lines as `out` nests them, so that Fortran order needs no copy.
    let mut order: Dims = out.layout.nesting().iter().copied().filter(|a| *a != axis).collect();
    order.push(axis);
    let [input, out] = [input, out].map(|slot| Slot { layout: slot.layout.permute(&order), ..slot.clone() });
    let input = session.dense(&input)?;
    session.with_dense_out(&out, |out| {
        work(session, &SortRows { input: &input, out, rows: size / length, length, what })
    })
}

/// A sorted row is partitioned at every place: rows for which nothing is faster are sorted.
fn partition_rows(session: &Session, rows: &SortRows, kth: &[usize]) -> Result<()> {
    // Elements of one byte are sorted in one pass.
    if rows.input.dtype.size() > 1 && kth::suits(rows.input.dtype, rows.length, kth) {
        kth::split(session, rows, kth)
    } else {
        sort_rows(session, rows)
    }
}

fn select_from_rows(session: &Session, rows: &SortRows, kth: &[usize]) -> Result<()> {
    if kth::suits(rows.input.dtype, rows.length, kth) {
        return kth::elements(session, rows, kth);
    }
    let size = rows.input.dtype.size();
    let sorted = session.new_slot(&rows.input.layout.shape, rows.input.dtype)?;
    sort_rows(session, &SortRows { out: &sorted, ..*rows })?;
    let kernel = session.kernel("pick_sorted", &[size as u32], || {
        format!(
            "{}typedef {} Unit;\n{}",
            FragmentSet::NONE.text(),
            unit_type(size),
            include_str!("../../kernels/pick_sorted.cu")
        )
    })?;
    let places = session.scratch(kth.len() * 8)?;
    let bytes: Vec<u8> = kth.iter().flat_map(|place| (*place as u64).to_ne_bytes()).collect();
    for (i, part) in bytes.chunks(MAX_UPLOAD_BYTES).enumerate() {
        session.upload_small(&places, i * MAX_UPLOAD_BYTES, part)?;
    }
    let count = rows.rows * kth.len();
    let mut args = LaunchArgs::new();
    args.pointer(session.address(&sorted)).u64(rows.length as u64).pointer(places.address());
    args.u64(kth.len() as u64).u64(count as u64).pointer(session.address(rows.out));
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, count.div_ceil(ROW_THREADS) as u32, ROW_THREADS as u32, &args) }
}

fn sort_rows(session: &Session, rows: &SortRows) -> Result<()> {
    if rows.length <= COUNTED_MAX_ROW {
        return sort_short(session, rows);
    }
    match items_in_shared(rows) {
        Some(items) => sort_in_shared(session, rows, items),
        None => sweep::sort(session, rows),
    }
}

/// How many elements each thread of a block takes when the block sorts a row, where that fits.
fn items_in_shared(rows: &SortRows) -> Option<usize> {
    let most = if rows.input.dtype.size() == 16 { 8 } else { 16 };
    [2, 4, 8, 16].into_iter().find(|items| items * ROW_THREADS >= rows.length).filter(|items| *items <= most)
}

/// What both results of a sort are to a kernel: one of the pointers is null.
fn targets(session: &Session, args: &mut LaunchArgs, rows: &SortRows) {
    let out = session.address(rows.out);
    match rows.what {
        SortResult::Elements => args.pointer(out).pointer(0),
        SortResult::Positions => args.pointer(0).pointer(out),
    };
}

fn sort_short(session: &Session, rows: &SortRows) -> Result<()> {
    let arg = u32::from(rows.what == SortResult::Positions);
    let kernel = session
        .kernel("sort_short", &[rows.input.dtype as u32, arg], || short_text(rows.input.dtype, rows.what))?;
    let per_block = 256 / rows.length;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(rows.input));
    targets(session, &mut args, rows);
    args.u64(rows.rows as u64).u32(rows.length as u32).u32(per_block as u32);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, rows.rows.div_ceil(per_block) as u32, 256, &args) }
}

fn sort_in_shared(session: &Session, rows: &SortRows, items: usize) -> Result<()> {
    let arg = u32::from(rows.what == SortResult::Positions);
    let kernel = session.kernel("sort_rows", &[rows.input.dtype as u32, arg, items as u32], || {
        rows_text(rows.input.dtype, rows.what, items)
    })?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(rows.input));
    targets(session, &mut args, rows);
    args.u32(rows.length as u32);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, rows.rows as u32, ROW_THREADS as u32, &args) }
}

/// The text that a kernel begins with that compares elements: their type `T` and their order.
pub(super) fn ordered(dtype: DType) -> String {
    let fragments = FragmentSet::of_dtype(dtype);
    let half = if fragments.has(CudaText::Half) { "#define ORDER_HALF\n" } else { "" };
    let complex = if fragments.has(CudaText::Complex) { "#define ORDER_COMPLEX\n" } else { "" };
    format!("{}\n{half}{complex}{ORDER}\ntypedef {} T;\n", fragments.text(), memory_type(dtype))
}

fn arg_text(what: SortResult) -> &'static str {
    match what {
        SortResult::Elements => "#define ARG 0\n",
        SortResult::Positions => "#define ARG 1\n",
    }
}

fn short_text(dtype: DType, what: SortResult) -> String {
    format!("{}{}{}", ordered(dtype), arg_text(what), include_str!("../../kernels/sort_short.cu"))
}

fn rows_text(dtype: DType, what: SortResult, items: usize) -> String {
    format!(
        "{}{}#define ITEMS {items}\n#define THREADS {ROW_THREADS}\n#define PLACES {}\n{RADIX}{}",
        ordered(dtype),
        arg_text(what),
        dtype.size(),
        include_str!("../../kernels/sort_rows.cu")
    )
}
