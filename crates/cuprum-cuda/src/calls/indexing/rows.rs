//! Moving rows between dense memory and an array where index tuples, or numbered positions, point.
//!
//! Nothing is computed with the elements: what is copied at a time are units, as wide as alignment and the runs of memory
//! in a row allow. Elements at odd addresses come down to several units each.

use cuprum_core::{DType, Layout, Result};
use cuprum_graph::{Buffer, DeferredCheck, Slot};
use smallvec::SmallVec;

use crate::faults;
use crate::launch::LaunchArgs;
use crate::ops::FragmentSet;
use crate::session::Session;

/// Threads of a block, and units that each of them copies.
const THREADS: u32 = 256;
const UNITS_PER_THREAD: u64 = 4;
/// Blocks of a gather at most: each that checks positions waits once for an atomic count.
const MAX_GATHERING_BLOCKS: u32 = 4096;
/// Units along each side of a tile that is transposed.
const TILE_UNITS: usize = 32;
/// The widest unit.
const MAX_UNIT_BYTES: usize = 16;
/// What checks leave for the host.
pub(super) const DEFERRED_CHECK: &str = include_str!("../../kernels/deferred_check.cuh");
/// Numbers up to this are held in 32 bits, with room for a block more.
const MAX_32_BIT_INDEX: usize = 1 << 31;

/// Which rows of an array are meant, one after the other.
pub(in crate::calls) enum Places<'a> {
    /// Index tuples: a dense int64 array for each of the leading axes.
    Tuples(&'a [Slot]),
    /// Positions along the first axis that the gather checks: a dense int64 or int32 array, and what the check is told.
    Unchecked(&'a Slot, &'a CheckArgument),
    /// Positions numbered in C order over so many leading axes: one dense int64 array.
    Numbered(&'a Slot, usize),
}

impl Places<'_> {
    /// How many leading axes of the array they take.
    fn axes(&self) -> usize {
        match self {
            Places::Tuples(indices) => indices.len(),
            Places::Unchecked(..) => 1,
            Places::Numbered(_, axes) => *axes,
        }
    }

    /// How many rows they point at.
    pub(in crate::calls) fn count(&self) -> usize {
        match self {
            Places::Tuples(indices) => indices.first().map_or(1, |slot| slot.layout.size()),
            Places::Unchecked(positions, _) | Places::Numbered(positions, _) => positions.layout.size(),
        }
    }
}

/// The bytes of the kernels' argument `Check`.
pub(in crate::calls) struct CheckArgument([u64; 5]);

impl CheckArgument {
    pub(in crate::calls) fn new(
        session: &Session,
        mark: &DeferredCheck,
        axis: usize,
    ) -> Result<CheckArgument> {
        let faults = faults::of(session.device())?;
        let addresses = [session.tickets()?, faults.flag(mark), faults.found(mark), faults.any()];
        let [tickets, flag, record, any] = addresses.map(|address| address as u64);
        Ok(CheckArgument([axis as u64, tickets, flag, record, any]))
    }

    /// A placeholder, for making a kernel's text alone.
    #[cfg(test)]
    pub(super) fn placeholder() -> CheckArgument {
        CheckArgument([0; 5])
    }

    pub(in crate::calls) fn bytes(&self) -> SmallVec<[u8; 40]> {
        self.0.iter().flat_map(|x| x.to_ne_bytes()).collect()
    }
}

/// Which rows a scatter writes.
pub(in crate::calls) enum Keep {
    /// All: no two write the same place, or both write the same.
    All,
    /// Those whose byte here is not zero.
    Flagged(Buffer),
    /// Those whose stamp, of so many bytes, is in this table.
    Stamped(Buffer, usize),
}

/// How the rows of an array are copied: the unit, and the axes of a row in units with their byte steps.
pub(super) struct RowCopy {
    unit: usize,
    units: usize,
    axes: SmallVec<[(usize, isize); 4]>,
    /// Leading axes, for positions numbered over them: neighbours that lie as one are one.
    leading: SmallVec<[(usize, isize); 4]>,
}

/// Axes from the outermost to the innermost, neighbours merged where one stride covers both; axes of length one are left
/// out.
fn collapsed(shape: &[usize], strides: &[isize]) -> SmallVec<[(usize, isize); 4]> {
    let mut axes: SmallVec<[(usize, isize); 4]> = SmallVec::new();
    for (&length, &step) in shape.iter().zip(strides).filter(|(length, _)| **length != 1) {
        match axes.last_mut() {
            Some(last) if last.1 == step * length as isize => *last = (last.0 * length, step),
            _ => axes.push((length, step)),
        }
    }
    axes
}

impl RowCopy {
    /// The rows of `array` behind its first `leading` axes; `addresses` are those of all memory that is touched.
    pub(super) fn new(array: &Slot, leading: usize, addresses: &[usize]) -> RowCopy {
        let (run, common) = RowCopy::run_of(array, leading, addresses);
        RowCopy::in_units(array, leading, run, 1 << common.trailing_zeros())
    }

    /// The same in whole elements, which lie where elements may lie.
    pub(super) fn of_elements(array: &Slot, leading: usize) -> RowCopy {
        let (run, _) = RowCopy::run_of(array, leading, &[]);
        RowCopy::in_units(array, leading, run, array.dtype.size())
    }

    /// The bytes of the runs of memory that rows consist of, and a number divided by no more than all of these, addresses
    /// and steps are.
    fn run_of(array: &Slot, leading: usize, addresses: &[usize]) -> (usize, usize) {
        let size = array.dtype.size();
        let Layout { shape, strides, .. } = &array.layout;
        let mut axes = collapsed(&shape[leading..], &strides[leading..]);
        let run = match axes.last() {
            Some(&(length, step)) if step == size as isize => {
                axes.pop();
                length * size
            }
            _ => size,
        };
        axes.extend(collapsed(&shape[..leading], &strides[..leading]));
        let aligned = axes.iter().map(|axis| axis.1.unsigned_abs()).chain(addresses.iter().copied());
        (run, aligned.fold(run | MAX_UNIT_BYTES, |all, x| all | x))
    }

    fn in_units(array: &Slot, leading: usize, run: usize, unit: usize) -> RowCopy {
        let Layout { shape, strides, .. } = &array.layout;
        let mut axes = collapsed(&shape[leading..], &strides[leading..]);
        if run > array.dtype.size() {
            axes.pop();
        }
        if run > unit {
            axes.push((run / unit, unit as isize));
        }
        let units = axes.iter().map(|axis| axis.0).product();
        RowCopy { unit, units, axes, leading: collapsed(&shape[..leading], &strides[..leading]) }
    }

    /// Units of a row.
    pub(super) fn units(&self) -> usize {
        self.units
    }

    /// The definitions before the kernels' text and what they depend on, with the argument that says where rows are.
    pub(super) fn prepare(&self, array: &Slot, places: &Places<'_>, total: usize) -> Prepared {
        let mut bytes = SmallVec::new();
        let mut put = |x: u64| bytes.extend_from_slice(&x.to_ne_bytes());
        let mut long = total >= MAX_32_BIT_INDEX;
        let (indices, flat) = match places {
            Places::Tuples(slots) => {
                slots.iter().for_each(|slot| put((slot.buffer.address() + slot.layout.offset) as u64));
                array.layout.strides[..slots.len()].iter().for_each(|&step| put(step as u64));
                array.layout.shape[..slots.len()].iter().for_each(|&length| put(length as u64));
                put(0);
                (slots.len(), 0)
            }
            Places::Unchecked(slot, check) => {
                put((slot.buffer.address() + slot.layout.offset) as u64);
                put(array.layout.strides[0] as u64);
                put(array.layout.shape[0] as u64);
                put(0);
                check.0.iter().for_each(|&x| put(x));
                (1, 0)
            }
            Places::Numbered(slot, axes) => {
                put((slot.buffer.address() + slot.layout.offset) as u64);
                let whole = [(1, 0)];
                let leading = if self.leading.is_empty() { &whole } else { &self.leading[..] };
                leading.iter().for_each(|&(length, _)| put(length as u64));
                leading.iter().for_each(|&(_, step)| put(step as u64));
                long |= array.layout.shape[..*axes].iter().product::<usize>() >= MAX_32_BIT_INDEX;
                (0, leading.len())
            }
        };
        Prepared {
            place: bytes,
            indices,
            flat,
            row_axes: self.axes.len(),
            unit: self.unit,
            long,
            unchecked: match places {
                Places::Unchecked(slot, _) => slot.dtype.size(),
                _ => 0,
            },
            keep: 0,
            stamp: 4,
        }
    }

    /// The tiles to turn where neighbours in memory belong to different rows.
    fn transposed_tiles(&self, array: &Slot, places: &Places<'_>) -> Option<u32> {
        let Layout { shape, strides, .. } = &array.layout;
        let closest = |axes: &[(usize, isize)]| axes.iter().map(|axis| axis.1.unsigned_abs()).min();
        let leading = collapsed(&shape[..places.axes()], &strides[..places.axes()]);
        let (between, within) = (closest(&leading)?, closest(&self.axes)?);
        if between >= within || self.units < 8 || places.count() < 8 {
            return None;
        }
        u32::try_from(self.units.div_ceil(TILE_UNITS) * places.count().div_ceil(TILE_UNITS)).ok()
    }

    /// The argument that says what a row is.
    pub(super) fn row(&self) -> SmallVec<[u8; 64]> {
        let mut bytes = SmallVec::new();
        let mut put = |x: u64| bytes.extend_from_slice(&x.to_ne_bytes());
        put(self.units as u64);
        self.axes.iter().for_each(|&(length, _)| put(length as u64));
        put(0);
        self.axes.iter().for_each(|&(_, step)| put(step as u64));
        put(0);
        bytes
    }
}

/// What the text of a kernel depends on, and the bytes of its `Place`.
pub(super) struct Prepared {
    place: SmallVec<[u8; 64]>,
    indices: usize,
    flat: usize,
    row_axes: usize,
    unit: usize,
    long: bool,
    /// The bytes of a position that the kernel checks; 0 where all are checked.
    unchecked: usize,
    pub(super) keep: u32,
    pub(super) stamp: usize,
}

impl Prepared {
    pub(super) fn variant(&self) -> [u32; 8] {
        let [indices, flat, axes, unit, unchecked, stamp] =
            [self.indices, self.flat, self.row_axes, self.unit, self.unchecked, self.stamp].map(|x| x as u32);
        [indices, flat, axes, unit, u32::from(self.long), unchecked, self.keep, stamp]
    }

    /// The bytes of the kernels' argument `Place`.
    pub(super) fn place(&self) -> &[u8] {
        &self.place
    }

    /// Nothing is written where this check has failed. Index tuples only.
    pub(super) fn stop_after(&mut self, session: &Session, check: Option<&DeferredCheck>) -> Result<()> {
        if let Some(check) = check.filter(|_| self.indices > 0) {
            let flag = faults::of(session.device())?.flag(check);
            let end = self.place.len();
            self.place[end - 8..].copy_from_slice(&(flag as u64).to_ne_bytes());
        }
        Ok(())
    }

    /// `indexed_rows.cuh` with what it needs before it, but for the prelude.
    pub(super) fn definitions(&self) -> String {
        format!(
            "typedef {} Index;\n#define INDICES {}\n#define FLAT_AXES {}\n#define ROW_AXES {}\n#define CHECKED {}\n{}{}",
            if self.long { "u64" } else { "u32" },
            self.indices,
            self.flat,
            self.row_axes,
            u32::from(self.unchecked == 0),
            match self.unchecked {
                0 => String::new(),
                4 => format!("{DEFERRED_CHECK}typedef i32 Position;\n"),
                _ => format!("{DEFERRED_CHECK}typedef i64 Position;\n"),
            },
            include_str!("../../kernels/indexed_rows.cuh")
        )
    }

    pub(super) fn text(&self) -> String {
        format!(
            "{}{}typedef {} Unit;\ntypedef {} Stamp;\n#define KEEP {}\n{}",
            FragmentSet::NONE.text(),
            self.definitions(),
            unit_type(self.unit),
            if self.stamp == 8 { "u64" } else { "u32" },
            self.keep,
            include_str!("../../kernels/copy_rows.cu")
        )
    }
}

/// The type that copies so many bytes.
pub(in crate::calls) fn unit_type(bytes: usize) -> &'static str {
    match bytes {
        1 => "u8",
        2 => "u16",
        4 => "u32",
        8 => "u64",
        _ => "uint4",
    }
}

/// The size of an element, or of what it comes down to where it lies at an odd address.
pub(in crate::calls) fn element_unit(dtype: DType, addresses: &[usize]) -> usize {
    1 << addresses.iter().fold(dtype.size() | MAX_UNIT_BYTES, |all, x| all | x).trailing_zeros()
}

fn blocks(total: usize) -> u32 {
    (total as u64).div_ceil(u64::from(THREADS) * UNITS_PER_THREAD) as u32
}

/// Copies the rows of `source` at `places` to `out`, which is dense.
pub(in crate::calls) fn gather(
    session: &Session,
    source: &Slot,
    places: &Places<'_>,
    out: &Slot,
) -> Result<()> {
    let (from, to) = (session.address(source), session.address(out));
    let moves = RowCopy::new(source, places.axes(), &[from, to]);
    let total = places.count() * moves.units;
    let prepared = moves.prepare(source, places, total);
    if let Some(tiles) = moves.transposed_tiles(source, places) {
        let kernel = session.kernel("gather_transposed", &prepared.variant(), || prepared.text())?;
        let mut args = LaunchArgs::new();
        args.pointer(from).pointer(to).bytes(&prepared.place).bytes(&moves.row());
        args.u64(places.count() as u64);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe { session.launch_shaped(kernel, [tiles, 1, 1], [TILE_UNITS as u32, 8, 1], 0, &args) };
    }
    let kernel = session.kernel("gather_rows", &prepared.variant(), || prepared.text())?;
    let mut args = LaunchArgs::new();
    args.pointer(from).pointer(to).bytes(&prepared.place).bytes(&moves.row()).u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total).min(MAX_GATHERING_BLOCKS), THREADS, &args) }
}

/// Copies the dense rows of `values`, `step` bytes apart (or 0: one row for all), into `target` at `places`, unless `check`
/// has failed.
pub(in crate::calls) fn scatter(
    session: &Session,
    target: &Slot,
    places: &Places<'_>,
    values: &Slot,
    step: usize,
    keep: &Keep,
    check: Option<&DeferredCheck>,
) -> Result<()> {
    let (to, values) = (session.address(target), session.address(values));
    let moves = RowCopy::new(target, places.axes(), &[values, step, to]);
    let total = places.count() * moves.units;
    let mut prepared = moves.prepare(target, places, total);
    prepared.stop_after(session, check)?;
    let (mut kept, mut table) = (0, 0);
    match keep {
        Keep::All => {}
        Keep::Flagged(flags) => (prepared.keep, kept) = (1, flags.address()),
        Keep::Stamped(stamps, size) => {
            (prepared.keep, prepared.stamp, table) = (2, *size, stamps.address());
        }
    }
    let kernel = session.kernel("scatter_rows", &prepared.variant(), || prepared.text())?;
    let mut args = LaunchArgs::new();
    args.pointer(to).pointer(values).u64(step as u64).bytes(&prepared.place).bytes(&moves.row());
    args.u64(total as u64).pointer(kept).pointer(table);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &args) }
}
