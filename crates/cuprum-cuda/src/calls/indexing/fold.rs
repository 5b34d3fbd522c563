//! `ufunc.at`: values combined with the elements that index tuples point at, one tuple after the other.
//!
//! Updates that commute exactly, those of integers, are made by atomics in any order. All others are made in order: tuples
//! are sorted by place, stably, and one thread, or warp, goes through those of a place.

use cuprum_core::{DType, Op, Reduction, Result};
use cuprum_graph::{Buffer, DeferredCheck, Slot, SortCall};

use super::ValueRows;
use super::last_writer::{self, Tuples};
use super::rows::{Places, Prepared, RowCopy};
use crate::calls::sort;
use crate::compile::Kernel;
use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, expression, fragments, memory_type, type_name};
use crate::session::Session;

const THREADS: u32 = 256;

/// The order in which the updates of an element are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FoldOrder {
    /// In the order of the index tuples.
    InOrder,
    /// In any order, by the atomic of this number in the kernels.
    Atomic(u32),
}

impl FoldOrder {
    /// The order for updates of elements of dtype `target` by `op`, which is computed in `inner`.
    fn of(op: Op, target: DType, inner: DType) -> FoldOrder {
        let exact = target == inner && op.output(inner) == target && inner.is_integral();
        if !exact {
            return FoldOrder::InOrder;
        }
        let number = match Reduction::of(op) {
            Reduction::Prod | Reduction::All | Reduction::Any | Reduction::Xor => 1,
            Reduction::Sum => 2,
            Reduction::Fold(op) if op.row().undoes == Some(Op::Add) => 3,
            Reduction::Max | Reduction::Fmax => 4,
            Reduction::Min | Reduction::Fmin => 5,
            Reduction::BitAnd => 6,
            Reduction::BitOr => 7,
            Reduction::BitXor => 8,
            Reduction::Fold(_)
            | Reduction::ArgMin
            | Reduction::ArgMax
            | Reduction::Count
            | Reduction::Variance => return FoldOrder::InOrder,
        };
        // The hardware has atomics of 4 and 8 bytes.
        FoldOrder::Atomic(if inner.size() < 4 { 1 } else { number })
    }

    fn number(self) -> u32 {
        match self {
            FoldOrder::InOrder => 0,
            FoldOrder::Atomic(number) => number,
        }
    }
}

/// What the text depends on, but for rows and places.
#[derive(Clone, Copy)]
pub(super) struct Folding {
    pub(super) op: Op,
    pub(super) target: DType,
    pub(super) inner: DType,
}

impl Folding {
    fn order(&self) -> FoldOrder {
        FoldOrder::of(self.op, self.target, self.inner)
    }

    pub(super) fn text(&self, prepared: &Prepared) -> String {
        let Folding { op, target, inner } = *self;
        let needed = [FragmentSet::of_dtype(target), FragmentSet::of_dtype(inner)];
        let set = needed.into_iter().fold(fragments(op, inner), FragmentSet::union);
        format!(
            "{}typedef {} Target;\ntypedef {} Stored;\ntypedef {} Inner;\ntypedef {inner} T;\n#define ATOMIC {}\n\
             inline {} combined({inner} a, {inner} b) {{ return {}; }}\n{}{}",
            set.text(),
            memory_type(target),
            type_name(target),
            memory_type(inner),
            self.order().number(),
            type_name(op.output(inner)),
            expression(op, &["a", "b"]),
            prepared.definitions(),
            include_str!("../../kernels/scatter_op.cu"),
            inner = type_name(inner),
        )
    }

    fn kernel(&self, session: &Session, entry: &'static str, prepared: &Prepared) -> Result<Kernel> {
        let mut variant = prepared.variant().to_vec();
        variant.extend([self.op as u32, self.target as u32, self.inner as u32]);
        session.kernel(entry, &variant, || self.text(prepared))
    }
}

fn blocks(total: usize) -> u32 {
    total.div_ceil(THREADS as usize) as u32
}

/// `target = op(target, value)` at each of the index tuples, which are dense, unless `check` has failed.
pub(super) fn run(
    session: &Session,
    op: Op,
    target: &Slot,
    indices: &[Slot],
    values: &ValueRows,
    check: Option<&DeferredCheck>,
) -> Result<()> {
    let size = target.dtype.size();
    let steps = target.layout.strides.iter().map(|step| step.unsigned_abs());
    if !steps.fold(session.address(target), |all, step| all | step).is_multiple_of(size.min(8)) {
        // Elements at odd addresses: combined in a copy.
        let copy = session.new_slot(&target.layout.shape, target.dtype)?;
        session.copy(target, &copy)?;
        run(session, op, &copy, indices, values, check)?;
        return session.copy(&copy, target);
    }
    let inner = values.slot.dtype;
    let folding = Folding { op, target: target.dtype, inner };
    let moves = RowCopy::of_elements(target, indices.len());
    let places = Places::Tuples(indices);
    let (count, total) = (places.count(), places.count() * moves.units());
    let mut prepared = moves.prepare(target, &places, total);
    prepared.stop_after(session, check)?;
    let step = (values.step / inner.size()) as u64;
    let mut common = LaunchArgs::new();
    common.pointer(session.address(target)).pointer(session.address(&values.slot)).u64(step);
    common.bytes(prepared.place());
    if folding.order() != FoldOrder::InOrder {
        common.bytes(&moves.row()).u64(total as u64);
        let kernel = folding.kernel(session, "change_rows", &prepared)?;
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe { session.launch(kernel, blocks(total), THREADS, &common) };
    }

    let (order, first) = in_order(session, indices, &target.layout.shape[..indices.len()])?;
    let single = moves.units() == 1;
    if !single {
        common.bytes(&moves.row());
    }
    common.pointer(first.address()).pointer(session.address(&order)).u64(count as u64);
    if single {
        let kernel = folding.kernel(session, "fold_elements", &prepared)?;
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe { session.launch(kernel, blocks(count), THREADS, &common) };
    }
    common.u64(total as u64);
    let kernel = folding.kernel(session, "fold_rows", &prepared)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &common) }
}

/// The kernels' text for so many index arrays and places numbered by `key`.
pub(super) fn text_of_sorted_tuples(axes: usize, key: DType) -> String {
    let kernels = include_str!("../../kernels/sorted_tuples.cu");
    format!("{}typedef {} Key;\n{kernels}", last_writer::definitions(axes), type_name(key))
}

/// The numbers of index tuples in the order of their places, those of one place ascending, and a byte for each that says
/// whether it is the first of its place.
fn in_order(session: &Session, indices: &[Slot], lengths: &[usize]) -> Result<(Slot, Buffer)> {
    let tuples = Tuples::new(session, indices, lengths);
    let (count, axes) = (tuples.count, tuples.axes);
    let key = match tuples.places {
        0..=0x100 => DType::U8,
        0x101..=0x1_0000 => DType::U16,
        0x1_0001..=0x1_0000_0000 => DType::U32,
        _ => DType::U64,
    };
    let kernel =
        |entry| session.kernel(entry, &[axes as u32, key as u32], || text_of_sorted_tuples(axes, key));
    let keys = session.new_slot(&[count], key)?;
    let mut args = LaunchArgs::new();
    args.bytes(&tuples.bytes).u64(count as u64).pointer(session.address(&keys));
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("number_places")?, blocks(count), THREADS, &args) }?;
    let order = session.new_slot(&[count], DType::I64)?;
    sort::run(session, &SortCall::ArgSort { input: &keys, out: &order, axis: 0 })?;
    let first = session.scratch(count)?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(&keys)).pointer(session.address(&order)).u64(count as u64);
    args.pointer(first.address());
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("mark_first")?, blocks(count), THREADS, &args) }?;
    Ok((order, first))
}
