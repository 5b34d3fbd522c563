//! What a cluster stores: its root, and results that are needed elsewhere, unless computing them again costs less.

use std::sync::Arc;

use cuprum_core::ops::Cost;
use cuprum_core::{Dims, Layout};
use smallvec::SmallVec;

use super::{Cluster, Member, Stage, views};
use crate::parts;
use crate::row_stages::TAKE_COST;
use crate::storage::Identity;
use crate::{Node, NodeKind, Piece, Storage};

/// What may be computed again at most, in light ops and reads, so that a result that is read in several parts need not be
/// stored and read back.
const MAX_RECOMPUTED: usize = 10;
/// Boxes that a Program is cut into at most by the pieces that it reads.
const MAX_BOXES: usize = 32;
/// A result of at least this many bytes is too large for caches: a few ops take less time than reading it back.
const BEYOND_CACHES_MIN_BYTES: usize = 1 << 26;

impl Cluster {
    /// The storages that parts were taken of and that should be stored instead: they are referenced elsewhere, or they would be
    /// computed too often. Where the iteration is cut, nothing but the root is stored.
    pub(super) fn refusals(&self) -> Vec<Identity> {
        let mut refusals = Vec::new();
        for (at, member) in self.members.iter().enumerate() {
            let Some(storage) = member.storage.as_ref().filter(|_| at != self.root) else { continue };
            if (member.part.is_none() && self.cuts.is_empty()) || refusals.contains(&storage.identity()) {
                continue;
            }
            let parts: SmallVec<[&Member; 8]> = self.members.iter().filter(|m| m.fills(storage)).collect();
            let is_repeated = parts.len() > 1
                && ((parts.len() - 1) * self.cost_behind(storage) > recomputed_at_most(member)
                    // If one were read along rows and down columns, so would be each of its arguments.
                    || parts.iter().any(|part| walk_order(part.shown()) != walk_order(parts[0].shown())));
            if (is_repeated && !are_apart(&parts, storage)) || self.is_wanted(member) {
                refusals.push(storage.identity());
            }
        }
        let shape = self.members[self.root].node.iteration();
        if !self.cuts.is_empty() && parts::boxes(shape, &self.cuts).len() > MAX_BOXES {
            refusals.extend(&self.cut_by);
        }
        refusals
    }

    /// What the pending work behind a storage costs, in light ops and reads.
    pub(super) fn cost_behind(&self, storage: &Arc<Storage>) -> usize {
        let (mut cost, mut seen, mut stack) = (0usize, Vec::new(), vec![storage.clone()]);
        while let Some(storage) = stack.pop() {
            let Some(node) = storage.node().filter(|_| !self.refused.contains(&storage.identity())) else {
                cost += 1;
                continue;
            };
            if seen.contains(&storage.identity()) {
                continue;
            }
            seen.push(storage.identity());
            cost += match &node.kind {
                NodeKind::Map { op, .. } => match op.row().cost {
                    Cost::Light => 1,
                    Cost::Division => 4,
                    Cost::Function => 16,
                },
                NodeKind::Cast | NodeKind::Iota { .. } => 1,
                NodeKind::Take { .. } => TAKE_COST,
                NodeKind::Pieces { .. } | NodeKind::Reduce { .. } => 0,
            };
            stack.extend(views(&node).map(|view| view.storage.clone()));
        }
        cost
    }

    /// Whether a member's storage is referenced outside the cluster.
    pub(crate) fn is_held(&self, member: &Member) -> bool {
        member.storage.as_ref().is_some_and(|storage| Arc::strong_count(storage) > self.references(storage))
    }

    /// Whether a member's storage is referenced outside the cluster and is to be stored; else it stays pending. It may stay so
    /// where computing it again costs little, and
    /// - what it is made of takes less memory: if it is too large for caches, or nothing but pending work holds it;
    /// - or no more than a part of it is computed here: if nothing but pending work holds it.
    pub(crate) fn is_wanted(&self, member: &Member) -> bool {
        let Some(storage) = member.storage.as_ref().filter(|_| self.is_held(member)) else { return false };
        if self.cost_behind(storage) > MAX_RECOMPUTED {
            return true;
        }
        let behind = elementwise_leaves(storage);
        let has_less_behind = behind.is_some_and(|bytes| bytes.saturating_mul(2) <= storage.bytes());
        if has_less_behind && storage.bytes() >= BEYOND_CACHES_MIN_BYTES {
            return false;
        }
        let is_made_whole = self.cuts.is_empty() && self.is_storable(member);
        (is_made_whole && !has_less_behind) || self.is_held_by_program(storage)
    }

    /// Whether anything but pending work references a storage.
    fn is_held_by_program(&self, storage: &Arc<Storage>) -> bool {
        let own = self.members.iter().map(|member| &member.node).chain(self.recorded());
        let own: Vec<*const Node> = own.map(Arc::as_ptr).collect();
        let others: usize = (storage.pending_readers().iter())
            .filter_map(|reader| reader.node())
            .filter(|node| !own.contains(&Arc::as_ptr(node)))
            .map(|node| views(&node).filter(|view| Arc::ptr_eq(&view.storage, storage)).count())
            .sum();
        Arc::strong_count(storage) > self.references(storage) + others
    }

    /// How many references to a storage are the cluster's own, or those of recorded work behind its root.
    fn references(&self, storage: &Arc<Storage>) -> usize {
        let reads = |node: &Node| views(node).filter(|view| Arc::ptr_eq(&view.storage, storage)).count();
        let own = self.members.iter().filter(|member| member.fills(storage)).count();
        if self.is_plain() {
            return own + self.members.iter().map(|member| reads(&member.node)).sum::<usize>();
        }
        // A reduction along rows is recorded work, however its result is seen.
        let is_part = |member: &Member| member.part.is_some() && member.stage != Stage::Reduction;
        let is_made = |at: usize| is_part(&self.members[at]) || (at == self.root && self.whole.is_some());
        let made = (0..self.members.len()).filter(|&at| is_made(at));
        own + made.map(|at| reads(&self.members[at].node)).sum::<usize>()
            + self.recorded().iter().map(|node| reads(node)).sum::<usize>()
    }

    /// Whether every member is a recorded node as it was recorded, neither a part nor a box of one.
    fn is_plain(&self) -> bool {
        self.whole.is_none()
            && self.cuts.is_empty()
            && self.members.iter().all(|member| member.part.is_none())
    }

    /// The recorded work that parts and boxes were made of: all that is pending behind the root.
    fn recorded(&self) -> &[Arc<Node>] {
        self.recorded.get_or_init(|| {
            let root = self.whole.as_ref().unwrap_or(&self.members[self.root].node);
            let (mut nodes, mut seen) = (vec![root.clone()], Vec::new());
            let mut at = 0;
            while let Some(node) = nodes.get(at).cloned() {
                at += 1;
                for view in views(&node) {
                    if !seen.contains(&view.storage.identity())
                        && let Some(inner) = view.storage.node()
                    {
                        seen.push(view.storage.identity());
                        nodes.push(inner);
                    }
                }
            }
            nodes
        })
    }
}

/// The axes of more than one element from outermost to innermost, numbered without the others.
fn walk_order(layout: &Layout) -> Dims {
    let is_long = |axis: &usize| layout.shape[*axis] > 1;
    let number = |axis: usize| (0..axis).filter(is_long).count();
    layout.nesting().into_iter().filter(is_long).map(number).collect()
}

/// What may be computed again at most for each element of a member, in light ops and reads.
fn recomputed_at_most(member: &Member) -> usize {
    let ops = member.storage.as_ref().map_or(0, |storage| storage.device().start_cost().ops);
    MAX_RECOMPUTED.max(ops / member.shown().size().max(1))
}

/// The bytes of the arrays that elementwise work behind a storage reads; `None` where other work is behind it.
pub(super) fn elementwise_leaves(storage: &Arc<Storage>) -> Option<usize> {
    let (mut bytes, mut seen, mut stack) = (0usize, Vec::new(), vec![storage.clone()]);
    while let Some(storage) = stack.pop() {
        if seen.contains(&storage.identity()) {
            continue;
        }
        seen.push(storage.identity());
        match storage.node() {
            Some(node) if !node.is_elementwise() => return None,
            Some(node) => stack.extend(views(&node).map(|view| view.storage.clone())),
            None => bytes = bytes.saturating_add(storage.bytes()),
        }
    }
    Some(bytes)
}

/// Whether parts of a storage have no element in common.
fn are_apart(parts: &[&Member], storage: &Storage) -> bool {
    let Some(node) = storage.node() else { return false };
    let boxes: Option<Vec<Piece>> =
        parts.iter().map(|part| Some(parts::box_of(part.shown(), &node.layout)?.piece)).collect();
    boxes
        .is_some_and(|boxes| boxes.iter().enumerate().all(|(i, a)| boxes[..i].iter().all(|b| !a.overlaps(b))))
}
