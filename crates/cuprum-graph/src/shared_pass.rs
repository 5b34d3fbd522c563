//! Results that share a pass. Where a result is asked for, and the program also holds one that a few light ops make of it,
//! the Program of the latter stores both: the elements are in registers, and would be read from memory again later.

use std::sync::Arc;

use cuprum_core::Layout;
use cuprum_core::ops::Cost;

use crate::cluster::views;
use crate::storage::Identity;
use crate::{Node, NodeKind, Storage, View};

/// Light ops that make one result of another at most. They take less time than the pass over memory that is saved, so that
/// little is lost if the program drops the result unread.
const MAX_OPS: usize = 8;

/// The result whose Program is to run where `asked` is asked for: one that the program holds and that is made of it.
pub(crate) fn result_made_of(asked: &Arc<Storage>) -> Option<Arc<Storage>> {
    if !asked.may_have_readers() {
        return None;
    }
    let node = asked.node()?;
    // Looked up once there is a reader.
    let mut behind: Option<Vec<Identity>> = None;
    let mut made = vec![asked.clone()];
    let mut found = None;
    let mut at = 0;
    while at < made.len() {
        for reader in made[at].pending_readers() {
            let is_known = made.iter().any(|known| Arc::ptr_eq(known, &reader));
            let Some(next) = reader.node().filter(|next| !is_known && is_light(next, &node.layout)) else {
                continue;
            };
            let behind = match &behind {
                Some(known) => known,
                None => behind.insert(elementwise_behind(&node)?),
            };
            let is_at_hand = |storage: &Arc<Storage>| {
                !storage.is_pending()
                    || behind.contains(&storage.identity())
                    || made.iter().any(|known| Arc::ptr_eq(known, storage))
            };
            if made.len() > MAX_OPS || !views(&next).all(|view| is_at_hand(&view.storage)) {
                continue;
            }
            // The reference that this loop has is none of the program's.
            if Arc::strong_count(&reader) - 1 > references_of_work(&reader) {
                found = Some(made.len());
            }
            made.push(reader);
        }
        at += 1;
    }
    found.map(|at| made.swap_remove(at))
}

/// Whether a node is one light op over whole arrays of a layout's shape.
fn is_light(node: &Node, layout: &Layout) -> bool {
    let is_cheap = match &node.kind {
        NodeKind::Map { op, .. } => op.row().cost == Cost::Light,
        NodeKind::Cast => true,
        NodeKind::Iota { .. } | NodeKind::Take { .. } | NodeKind::Reduce { .. } | NodeKind::Pieces { .. } => {
            false
        }
    };
    is_cheap && node.layout.shape == layout.shape && views(node).all(is_whole)
}

/// Whether a view shows all of its storage, where that is pending.
fn is_whole(view: &View) -> bool {
    view.storage.node().is_none_or(|inner| inner.layout == view.layout && inner.dtype == view.dtype)
}

/// The pending storages behind a node, where all of that is elementwise work over whole arrays: one Program.
fn elementwise_behind(node: &Arc<Node>) -> Option<Vec<Identity>> {
    let (mut seen, mut stack) = (Vec::new(), vec![node.clone()]);
    while let Some(node) = stack.pop() {
        if !node.is_elementwise() || !views(&node).all(is_whole) {
            return None;
        }
        for view in views(&node) {
            if !seen.contains(&view.storage.identity())
                && let Some(inner) = view.storage.node()
            {
                seen.push(view.storage.identity());
                stack.push(inner);
            }
        }
    }
    Some(seen)
}

/// How many references to a storage are those of pending work.
fn references_of_work(storage: &Arc<Storage>) -> usize {
    let nodes = storage.pending_readers().into_iter().filter_map(|reader| reader.node());
    nodes.map(|node| views(&node).filter(|view| Arc::ptr_eq(&view.storage, storage)).count()).sum()
}
