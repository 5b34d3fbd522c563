//! Elements where a mask is true: counting, selecting, storing, positions.
//!
//! A dense mask with, for elements, a dense array takes one pass. For rows, and for arrays that are not dense, the
//! positions where the mask is true are found first.

#[cfg(test)]
mod tests;

use cuprum_core::{DType, Result};
use cuprum_graph::{Buffer, Slot};

use super::indexing::{Keep, Places, element_unit, gather_rows, scatter_rows, unit_type};
use crate::device::SESSION_TICKETS;
use crate::launch::LaunchArgs;
use crate::ops::FragmentSet;
use crate::session::Session;

/// Reads masks sixteen bytes at a time.
const LOAD16: &str = include_str!("../../kernels/load16.cuh");
const THREADS: u32 = 256;
/// What a tile needs to know of those before it.
const LOOKBACK: &str = include_str!("../../kernels/lookback.cuh");
/// Bytes of a mask that a block takes which selects: 32 for each thread.
const TILE_BYTES: usize = 32 * THREADS as usize;
/// Tiles whose words fit the stream's counters, behind two of them.
const MAX_COUNTED_TILES: usize = SESSION_TICKETS / 2 - 1;

/// The bytes of a mask from a multiple of 16 on: where they begin, how many come before the first element, and how
/// many there are in all.
struct MaskBytes {
    start: usize,
    skip: usize,
    length: usize,
}

impl MaskBytes {
    fn new(address: usize, elements: usize) -> MaskBytes {
        let skip = address % 16;
        MaskBytes { start: address - skip, skip, length: elements + skip }
    }
}

/// How many elements of a mask are true.
pub(super) fn count(session: &Session, mask: &Slot, out: &Slot) -> Result<()> {
    let size = mask.layout.size();
    if size == 0 {
        return session.set_slot(out, 0);
    }
    // The order of axes does not matter to a count: a run of memory is read as it lies.
    let (mask, first) = if mask.layout.is_dense(1) {
        (mask.clone(), mask.buffer.address() + mask.layout.extent(1).0)
    } else {
        let dense = session.dense(mask)?;
        let first = session.address(&dense);
        (dense, first)
    };
    let bytes = MaskBytes::new(first, mask.layout.size());
    let kernel = session.kernel("count_nonzero", &[], || {
        format!("{}{LOAD16}{}", FragmentSet::NONE.text(), include_str!("../../kernels/count_nonzero.cu"))
    })?;
    let most = session.gpu().multiprocessors as usize * 8;
    let blocks = bytes.length.div_ceil(2 * TILE_BYTES).min(most) as u32;
    let mut args = LaunchArgs::new();
    args.pointer(bytes.start).u32(bytes.skip as u32).u64(bytes.length as u64);
    args.pointer(session.tickets()?).pointer(session.address(out));
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks, THREADS, &args) }
}

/// What is done with the elements where the mask is true; the numbers are the kernel's.
#[derive(Clone, Copy)]
enum Action<'a> {
    /// From dense elements of the first slot to those of the second, in units of so many bytes.
    Compress(&'a Slot, &'a Slot, usize),
    /// Into dense elements of the first slot from those of the second.
    Expand(&'a Slot, &'a Slot, usize),
    /// Their numbers, to this slot.
    Positions(&'a Slot),
    /// Their positions along each axis, to this slot.
    Coordinates(&'a Slot),
}

/// The kernel's text for an action, a unit of so many bytes and a mask of so many axes.
fn text(number: u32, unit: usize, axes: usize, long: bool) -> String {
    format!(
        "{}typedef {} Unit;\ntypedef {} Index;\n#define ACTION {number}\n#define AXES {axes}\n{LOAD16}{LOOKBACK}{}",
        FragmentSet::NONE.text(),
        unit_type(unit),
        if long { "u64" } else { "u32" },
        include_str!("../../kernels/select_by_mask.cu")
    )
}

/// Selects where a dense mask is true: `count` elements.
fn select(session: &Session, mask: &Slot, count: usize, action: Action<'_>) -> Result<()> {
    let shape = &mask.layout.shape;
    let bytes = MaskBytes::new(session.address(mask), mask.layout.size());
    let (number, unit, array, dense, positions) = match action {
        Action::Compress(array, dense, unit) => (0, unit, Some(array), Some(dense), None),
        Action::Expand(array, dense, unit) => (1, unit, Some(array), Some(dense), None),
        Action::Positions(to) => (2, 1, None, None, Some(to)),
        Action::Coordinates(to) => (3, 1, None, None, Some(to)),
    };
    let [array, dense, positions] =
        [array, dense, positions].map(|slot| slot.map_or(0, |slot| session.address(slot)));
    let axes = if number == 3 { shape.len() } else { 1 };
    let long = number == 3 && mask.layout.size() > u32::MAX as usize;
    let variant = [number, unit as u32, axes as u32, u32::from(long)];
    let kernel = session.kernel("select_masked", &variant, || text(number, unit, axes, long))?;
    let tiles = bytes.length.div_ceil(TILE_BYTES);
    let (state, own) = tile_words(session, tiles)?;
    let lengths: Vec<u8> =
        shape.iter().chain([&1]).take(axes).flat_map(|&n| (n as u64).to_ne_bytes()).collect();
    let mut args = LaunchArgs::new();
    args.pointer(bytes.start)
        .u32(bytes.skip as u32)
        .u64(bytes.length as u64)
        .pointer(state)
        .pointer(state + 8);
    args.u32(u32::from(own.is_none())).pointer(array).pointer(dense).pointer(positions).u64(count as u64);
    args.bytes(&lengths);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, tiles as u32, THREADS, &args) }
}

/// Zeroed words for so many tiles: the stream's counters, which are cleared after, or memory of their own.
fn tile_words(session: &Session, tiles: usize) -> Result<(usize, Option<Buffer>)> {
    if tiles <= MAX_COUNTED_TILES {
        return Ok((session.tickets()?, None));
    }
    let bytes = (tiles + 1) * 8;
    let words = session.scratch(bytes)?;
    session.set_bytes(&words, 0, 0, bytes)?;
    Ok((words.address(), Some(words)))
}

/// The numbers of the elements that are true.
fn positions(session: &Session, mask: &Slot, count: usize) -> Result<Slot> {
    let slot = session.new_slot(&[count], DType::I64)?;
    select(session, mask, count, Action::Positions(&slot))?;
    Ok(slot)
}

/// Whether an array has one dense element for each of the mask's.
fn is_elementwise(array: &Slot, mask: &Slot) -> bool {
    array.layout.is_contiguous(array.dtype.size()) && array.layout.size() == mask.layout.size()
}

pub(super) fn compress(session: &Session, source: &Slot, mask: &Slot, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let (mask, count) = (session.dense(mask)?, out.layout.shape[0]);
    session.with_dense_out(out, |out| {
        let (from, to) = (session.address(source), session.address(out));
        let unit = element_unit(source.dtype, &[from, to]);
        if is_elementwise(source, &mask) && unit == source.dtype.size() {
            return select(session, &mask, count, Action::Compress(source, out, unit));
        }
        let positions = positions(session, &mask, count)?;
        gather_rows(session, source, &Places::Numbered(&positions, mask.layout.ndim()), out)
    })
}

pub(super) fn expand(session: &Session, target: &Slot, mask: &Slot, value: &Slot) -> Result<()> {
    if value.layout.size() == 0 {
        return Ok(());
    }
    let (mask, value) = (session.dense(mask)?, session.dense(value)?);
    let count = value.layout.shape[0];
    let (to, from) = (session.address(target), session.address(&value));
    let unit = element_unit(target.dtype, &[from, to]);
    if is_elementwise(target, &mask) && unit == target.dtype.size() {
        return select(session, &mask, count, Action::Expand(target, &value, unit));
    }
    let positions = positions(session, &mask, count)?;
    let row: usize = value.layout.shape[1..].iter().product();
    let places = Places::Numbered(&positions, mask.layout.ndim());
    scatter_rows(session, target, &places, &value, row * value.dtype.size(), &Keep::All, None)
}

pub(super) fn nonzero(session: &Session, mask: &Slot, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let mask = session.dense(mask)?;
    session.with_dense_out(out, |out| select(session, &mask, out.layout.shape[1], Action::Coordinates(out)))
}
