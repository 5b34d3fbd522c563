//! Work without a Program: what a device computes on the calling thread because a Program would cost more than the work.
//!
//! Who may take a shortcut is decided here and nowhere else: [`eager`] for work at the call, [`written`] for an op into an
//! array, [`single_node`] for a pending node that runs by itself. docs/architecture.md has the table of all shortcuts.

#![allow(unsafe_code, reason = "shortcuts take addresses; what they need to hold is checked here")]

use std::sync::Arc;

use cuprum_core::ops::{Cost, Namespace};
use cuprum_core::{DType, Error, Layout, Op, Reduction, Result, loss};
use smallvec::SmallVec;

use crate::run::unless_lost;
use crate::{
    Buffer, DeviceRef, Event, EventKind, Node, NodeKind, Operand, Span, Storage, View, log, same_device,
};

/// Work over at most this many elements runs at the call instead of being recorded, where its operands are materialised.
pub const EAGER_MAX: usize = 4096;
/// An op over at most this many elements that is written into an array runs at the call: it would not be recorded, and takes
/// less time than finding out how to share it among threads.
pub const WRITTEN_MAX: usize = 1 << 14;
/// A node over at most this many elements runs without a Program, where nothing fuses with it. One core is done with so many
/// before others could help.
pub const SINGLE_NODE_MAX: usize = 1 << 16;

/// The device's shortcuts, if work over so many elements runs at the call; `None` where it is recorded or planned.
#[inline]
pub fn eager(device: DeviceRef, elements: usize) -> Option<&'static dyn Shortcuts> {
    if elements <= EAGER_MAX { device.shortcuts() } else { None }
}

/// As [`eager`], for an op that is written into an array. Special functions and those of complex numbers take longer, and the
/// log of Programs shows what has more elements as Programs.
#[inline]
pub fn written(device: DeviceRef, op: Op, dtype: DType, elements: usize) -> Option<&'static dyn Shortcuts> {
    let is_short = || {
        let row = op.row();
        row.cost < Cost::Function || (row.namespace == Namespace::Ufunc && !dtype.is_complex())
    };
    let fits = elements <= EAGER_MAX || (elements <= WRITTEN_MAX && !log::is_on() && is_short());
    if fits { device.shortcuts() } else { None }
}

/// As [`eager`], for a node that runs by itself. The log of Programs shows these as Programs.
#[inline]
pub fn single_node(device: DeviceRef, elements: usize) -> Option<&'static dyn Shortcuts> {
    if elements <= SINGLE_NODE_MAX && !log::is_on() { device.shortcuts() } else { None }
}

/// What a device computes without a Program. All of it happens on the calling thread, before the function returns.
///
/// The functions take addresses that they do not check: callers have checked shapes, dtypes and bounds.
pub trait Shortcuts: Send + Sync {
    /// Runs one op on dense operands.
    ///
    /// # Safety
    /// As [`DenseStep`] says.
    unsafe fn run_dense(&self, step: &DenseStep) -> Result<()>;

    /// Computes a node's work over few elements into memory at `result`, laid out as the work says; `false`, and nothing
    /// written, for what has no shortcut.
    ///
    /// # Safety
    /// As [`NodeWork`] says, with at least one element and at most [`EAGER_MAX`]. There is memory for the result. It overlaps an
    /// operand in place only, with equal dtype and layout.
    unsafe fn run_small(&self, work: &NodeWork<'_>, result: usize) -> Result<bool>;

    /// As [`Shortcuts::run_small`], for up to [`SINGLE_NODE_MAX`] elements, most of them dense.
    ///
    /// # Safety
    /// As for [`Shortcuts::run_small`].
    unsafe fn run_single_node(&self, work: &NodeWork<'_>, result: usize) -> Result<bool>;

    /// Reduces `n` elements to one result; `false`, and nothing written, where this reduction has no shortcut.
    ///
    /// # Safety
    /// `n` dense, aligned elements of `dtype` are at `input`, and there is memory for one aligned result at `output`.
    unsafe fn reduce_dense(&self, op: Reduction, dtype: DType, n: usize, input: usize, output: usize)
    -> bool;

    /// Multiplies two matrices.
    ///
    /// # Safety
    /// As [`SmallProduct`] says.
    unsafe fn multiply(&self, product: &SmallProduct) -> Result<()>;

    /// Copies the rows at the positions to `target`, one behind the other; `false` where a position is out of range.
    ///
    /// # Safety
    /// As [`IndexedRows`] says. The target has memory for a row for each position and overlaps neither rows nor positions.
    unsafe fn take_rows(&self, rows: &IndexedRows, target: usize) -> bool;

    /// The reverse of [`Shortcuts::take_rows`]: row after row from `source`, each `step` bytes behind the one before, goes to its
    /// position. `false`, and nothing written, where a position is out of range.
    ///
    /// # Safety
    /// As [`IndexedRows`] says, of rows that may be written. The source holds a row for each position and overlaps neither rows
    /// nor positions; neither do the positions overlap the rows.
    unsafe fn put_rows(&self, rows: &IndexedRows, source: usize, step: usize) -> bool;

    /// How many of `n` truth values hold.
    ///
    /// # Safety
    /// `n` bytes are readable at `mask`.
    unsafe fn count_true(&self, mask: usize, n: usize) -> usize;

    /// Copies the rows whose truth value holds to `target`; `false` where there are not as many as said.
    ///
    /// # Safety
    /// As [`MaskedRows`] says. The target has memory for the chosen rows and overlaps neither rows nor mask.
    unsafe fn select_rows(&self, rows: &MaskedRows, target: usize) -> bool;
}

/// An op on dense operands that are in the loop's dtypes already.
///
/// Each address holds `n` dense, aligned elements. The result is in place of an argument with elements of its size, or apart
/// from all of them.
pub struct DenseStep {
    /// The op.
    pub op: Op,
    /// The loop's dtype.
    pub dtype: DType,
    /// The result's dtype.
    pub output: DType,
    /// How many elements.
    pub n: usize,
    /// The addresses of the arguments; `None` where a scalar stands.
    pub inputs: [Option<usize>; 3],
    /// The bytes of the scalars.
    pub scalars: [[u8; 16]; 3],
    /// The address of the result.
    pub result: usize,
}

/// A product of two matrices of few elements, all of one dtype.
///
/// No length is zero. Addresses are aligned, and all elements that lengths and strides lead to from there are materialised.
/// Those of the result are distinct and apart from the operands.
pub struct SmallProduct {
    /// The dtype of operands and result.
    pub dtype: DType,
    /// The rows of the result, its columns, and the length of each sum.
    pub lengths: [usize; 3],
    /// The addresses of the first matrix, the second one and the result.
    pub addresses: [usize; 3],
    /// Their steps from a row to the next and from a column to the next, in elements.
    pub strides: [[isize; 2]; 3],
}

/// Contiguous rows, and positions among them.
pub struct IndexedRows {
    /// The address of the first row.
    pub rows: usize,
    /// How many rows there are.
    pub count: usize,
    /// The bytes of a row.
    pub bytes: usize,
    /// The address of the positions: aligned int64, not yet checked, negative ones counted from the back.
    pub positions: usize,
    /// How many positions there are.
    pub n: usize,
}

/// Contiguous rows, and a truth value for each.
pub struct MaskedRows {
    /// The address of the first row.
    pub rows: usize,
    /// How many rows and truth values there are.
    pub count: usize,
    /// The bytes of a row.
    pub bytes: usize,
    /// The address of the truth values.
    pub mask: usize,
    /// How many of them held when they were counted.
    pub chosen: usize,
}

/// A node's work over materialised operands on one device.
///
/// An elementwise op has as many operands as its row says, arrays whose shapes broadcast to the layout's, and a loop of its
/// dtype.
pub struct NodeWork<'a> {
    /// What is computed.
    pub kind: &'a NodeKind,
    /// From what.
    pub operands: &'a [Operand<'a>],
    /// The layout of the result, its offset aside.
    pub layout: &'a Layout,
    /// The dtype of the result.
    pub dtype: DType,
}

impl NodeWork<'_> {
    /// The shortcuts that may run it at the call; `None` unless it has few elements and all operands are materialised.
    fn eager(&self, device: DeviceRef) -> Option<&'static dyn Shortcuts> {
        eager(device, self.elements()?).filter(|_| self.is_ready(device))
    }

    /// The shortcuts that may run it as a single node.
    fn single_node(&self, device: DeviceRef) -> Option<&'static dyn Shortcuts> {
        single_node(device, self.elements()?).filter(|_| self.is_ready(device))
    }

    /// How many elements are iterated over; `None` for none, and for pieces and takes, which have no shortcut.
    fn elements(&self) -> Option<usize> {
        let elements = match (self.kind, self.operands.first()) {
            (NodeKind::Pieces { .. } | NodeKind::Take { .. }, _) => return None,
            (NodeKind::Reduce { .. }, Some(Operand::View(view))) => view.layout.size(),
            _ => self.layout.size(),
        };
        (elements > 0).then_some(elements)
    }

    /// Whether all operands are materialised on the device, and as many as the kind takes.
    fn is_ready(&self, device: DeviceRef) -> bool {
        let is_here = |operand: &Operand<'_>| match operand {
            Operand::View(view) => same_device(view.storage.device(), device) && !view.storage.is_pending(),
            Operand::Scalar(_) => true,
        };
        self.operands.len() == self.kind.operands() && self.operands.iter().all(is_here)
    }

    /// Memory for the result; an error unless the layout is dense.
    fn allocate(&self, device: DeviceRef) -> Result<Buffer> {
        let size = self.dtype.size();
        let bytes = self.layout.size().saturating_mul(size);
        if !self.layout.lies_within(size, bytes) {
            return Err(Error::device("the layout of a result is not dense"));
        }
        device.allocate(bytes)
    }
}

/// Computes work at the call; `None` unless it has few elements, all operands are materialised and the device has a shortcut.
pub(crate) fn run_eager(device: DeviceRef, work: &NodeWork<'_>) -> Result<Option<Arc<Storage>>> {
    let Some(shortcuts) = work.eager(device) else { return Ok(None) };
    let span = Span::begin_small();
    let buffer = work.allocate(device)?;
    // SAFETY: operands are as many as the kind takes and materialised; the memory is new and takes the result.
    let done = unsafe { shortcuts.run_small(work, buffer.address()) }?;
    span.end(|| Event::new(EventKind::Small, work.kind.name()).on(device));
    Ok(done.then(|| Storage::ready(device, buffer)))
}

/// Computes one node without a Program; `None` unless it is small enough, all operands are materialised and the device has a
/// shortcut.
pub(crate) fn run_single_node(device: DeviceRef, node: &Node) -> Option<Result<Buffer>> {
    node.as_work(|work| {
        let shortcuts = work.single_node(device)?;
        let span = Span::begin_over(device, node.elements());
        // Where memory is short the planner knows what to do.
        let buffer = work.allocate(device).ok()?;
        let before = loss::settled();
        // SAFETY: as for `run_eager`.
        let done = unsafe { shortcuts.run_single_node(work, buffer.address()) };
        match unless_lost(before, done) {
            Ok(true) => {
                span.end(|| Event::of_node(node).on(device));
                Some(Ok(buffer))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    })
}

/// Computes a node into a view's memory without a Program; `false`, and nothing written, for what has no shortcut. The node has
/// the view's layout and dtype and reads nothing of it but in place.
pub(crate) fn run_into(target: &View, buffer: &Buffer, node: &Node) -> Result<bool> {
    debug_assert!(node.layout == target.layout && node.dtype == target.dtype);
    let device = target.storage.device();
    let address = buffer.address() + target.layout.offset;
    node.as_work(|work| {
        // SAFETY: operands are as many as the kind takes and materialised; the view's elements are the result's.
        unsafe {
            match (work.eager(device), work.single_node(device)) {
                (Some(shortcuts), _) => {
                    let span = Span::begin_small();
                    let done = shortcuts.run_small(work, address);
                    span.end(|| Event::new(EventKind::Small, work.kind.name()).on(device));
                    done
                }
                (None, Some(shortcuts)) => {
                    let span = Span::begin_over(device, node.elements());
                    let done = shortcuts.run_single_node(work, address);
                    if let Ok(true) = done {
                        span.end(|| Event::of_node(node).on(device));
                    }
                    done
                }
                (None, None) => Ok(false),
            }
        }
    })
}

/// Reduces a small dense array to one result, at the call; `None` for anything else.
pub(crate) fn reduce_whole(op: Reduction, dtype: DType, arg: &View) -> Result<Option<View>> {
    let device = arg.storage.device();
    let n = arg.layout.size();
    let Some(shortcuts) = eager(device, n).filter(|_| n > 0 && arg.dtype == dtype) else { return Ok(None) };
    let Some(address) = arg.aligned_address() else { return Ok(None) };
    if !arg.layout.is_contiguous(dtype.size()) {
        return Ok(None);
    }
    let output = op.output(dtype);
    let span = Span::begin_small();
    let buffer = device.allocate(output.size())?;
    // SAFETY: the view has `n` dense, aligned elements of the dtype; the memory takes one result.
    if !unsafe { shortcuts.reduce_dense(op, dtype, n, address, buffer.address()) } {
        return Ok(None);
    }
    span.end(|| Event::new(EventKind::Small, op.row().name).on(device));
    Ok(Some(View::of(Storage::ready(device, buffer), Layout::contiguous(&[], output.size()), output)))
}

impl Node {
    /// The node as work over materialised operands.
    pub(crate) fn as_work<T>(&self, run: impl FnOnce(&NodeWork<'_>) -> T) -> T {
        let operands: SmallVec<[Operand<'_>; 3]> = self.args.iter().map(Operand::of).collect();
        run(&NodeWork { kind: &self.kind, operands: &operands, layout: &self.layout, dtype: self.dtype })
    }
}
