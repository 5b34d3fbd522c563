//! Writing into arrays that exist: pending readers run first, then right-hand side and store run as one Program.

use std::sync::Arc;

use cuprum_core::Result;

use crate::record::{check_devices, check_node, views};
use crate::shortcuts::run_into;
use crate::{Args, Buffer, Node, NodeKind, View, mark_written, plan};

/// The memory behind a view, about to be written: work that reads it, and the work that fills it, have run.
pub fn writable_buffer(target: &View) -> Result<Buffer> {
    let buffer = readied_buffer(target)?;
    let (begin, end) = target.layout.extent(target.dtype.size());
    mark_written(buffer.address() + begin, end - begin);
    Ok(buffer)
}

/// The memory behind a view, if it can be written without anything running first; whoever writes notes so himself.
#[inline]
pub fn buffer_if_idle(target: &View) -> Option<&Buffer> {
    target.storage.ready_buffer().filter(|_| !target.storage.may_have_readers())
}

/// As [`writable_buffer`], for whoever notes himself what he writes.
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
    let buffer = writable_buffer(target)?;
    let node = Node { kind, args, layout: target.layout.clone(), dtype: target.dtype, depth: 1, leaves: 0 };
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

fn overlaps(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0 < b.1 && b.0 < a.1
}
