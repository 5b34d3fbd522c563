//! Writing into arrays that exist: pending readers run first, then right-hand side and store run as one Program. A write of
//! most of a pending array is recorded: its content is then put together from what is written and what stays.

use std::sync::Arc;

use cuprum_core::{Layout, Result};

use crate::events::line_of_work;
use crate::parts::box_of;
use crate::record::{arg_views, check_devices, check_node, pending_node, put_together, views};
use crate::shortcuts::run_into;
use crate::{Args, Buffer, Node, NodeArg, NodeKind, Storage, View, defer_enabled, mark_written, plan};

/// The memory behind a view, about to be written: work that reads it, and the work that fills it, have run.
pub fn writable_buffer(target: &View) -> Result<Buffer> {
    let buffer = readied_buffer(target)?;
    let (begin, end) = target.layout.extent(target.dtype.size());
    mark_written(buffer.address() + begin, end - begin);
    Ok(buffer)
}

/// The memory behind a view, if it can be written without anything running first; the caller notes the write.
#[inline]
pub fn buffer_if_idle(target: &View) -> Option<&Buffer> {
    target.storage.ready_buffer().filter(|_| !target.storage.may_have_readers())
}

/// As [`writable_buffer`], for a caller that notes the write itself.
pub fn readied_buffer(target: &View) -> Result<Buffer> {
    target.storage.run_readers()?;
    target.storage.force()
}

/// Computes `kind` over `args` (broadcast to the target's shape already), converts to the target's dtype and stores.
pub fn write(target: &View, kind: NodeKind, args: Args) -> Result<()> {
    if target.layout.size() == 0 {
        return Ok(());
    }
    check_devices(target.storage.device(), &kind, &args)?;
    if target.storage.is_pending() && record_write(target, &kind, &args)? {
        return Ok(());
    }
    run_dependent_args(target, &args)?;
    let buffer = writable_buffer(target)?;
    let (layout, dtype) = (target.layout.clone(), target.dtype);
    let line = line_of_work(target.storage.device(), layout.size(), || arg_views(&args));
    let node = Node { kind, args, layout, dtype, depth: 1, leaves: 0, line };
    check_node(&node)?;
    let extent = target.layout.extent(target.dtype.size());
    // An element that is read by the very step that writes it may lie where it goes.
    let clash = |leaf: &View, in_step: bool| {
        let same_memory = Arc::ptr_eq(&leaf.storage, &target.storage);
        let same_elements = in_step && leaf.layout == target.layout && leaf.dtype == target.dtype;
        same_memory && !same_elements && overlaps(leaf.layout.extent(leaf.dtype.size()), extent)
    };
    if !views(&node).any(|view| clash(view, true)) && run_into(target, &buffer, &node)? {
        return Ok(());
    }
    plan::run_node_into(target.storage.device(), Arc::new(node), &buffer, clash)
}

/// Runs arguments that are computed from the target's present content, each as one Program: as pending readers of the
/// target they would run one by one.
fn run_dependent_args(target: &View, args: &[NodeArg]) -> Result<()> {
    if !target.storage.may_have_readers() {
        return Ok(());
    }
    for arg in args {
        if let NodeArg::View(view) = arg
            && view.storage.depends_on(&target.storage)
        {
            view.storage.run()?;
        }
    }
    Ok(())
}

/// Records a write of a box of a pending array; `false` where it has to be done: less than half of the array is written, or
/// it is so small that writing it twice costs less than Programs for what lies around the box.
fn record_write(target: &View, kind: &NodeKind, args: &Args) -> Result<bool> {
    let device = target.storage.device();
    let bytes = target.storage.bytes();
    let is_small = bytes < 4 * device.start_cost().bytes;
    if !defer_enabled() || is_small || 2 * target.layout.size() * target.dtype.size() < bytes {
        return Ok(false);
    }
    target.storage.run_readers()?;
    let Some(old) = target.storage.node().filter(|node| node.dtype == target.dtype) else { return Ok(false) };
    let Some(place) = box_of(&target.layout, &old.layout) else { return Ok(false) };
    let before = View::of(Storage::pending(device, old.clone()), old.layout.clone(), old.dtype);
    // The right-hand side reads what was there before.
    let mut args = args.clone();
    for arg in &mut args {
        if let NodeArg::View(view) = arg
            && Arc::ptr_eq(&view.storage, &target.storage)
        {
            view.storage = before.storage.clone();
        }
    }
    let layout = Layout::dense(&target.layout.shape, &target.layout.nesting(), target.dtype.size());
    let (kind, dtype) = (kind.clone(), target.dtype);
    let line = line_of_work(device, layout.size(), || arg_views(&args));
    let value = Node { kind, args, layout, dtype, depth: 1, leaves: 0, line };
    check_node(&value)?;
    let Some(value) = pending_node(device, value) else { return Ok(false) };
    let value = value.with_layout(place.axes_of(&value.layout));
    let Some(new) = put_together(&before, place.piece, value) else { return Ok(false) };
    plan::exchange(&target.storage, &old, new)
}

fn overlaps(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0 < b.1 && b.0 < a.1
}
