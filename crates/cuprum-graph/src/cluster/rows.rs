//! Clusters along rows: reductions whose results are broadcast back over the rows that they were made of, as in a softmax.
//! Every member is computed for each element, or once for each row; a reduction is an instruction among others.

use std::cell::OnceCell;
use std::sync::Arc;

use cuprum_core::{Layout, Reduction};
use smallvec::SmallVec;

use super::{Cluster, Joined, MAX_MEMBERS, Member, Root, Stage, Walk, views};
use crate::parts::work_of;
use crate::storage::Identity;
use crate::{Node, NodeArg, NodeKind, RowShape, Rows, Storage, View};

/// Reductions that a cluster along rows has at most.
const MAX_REDUCTIONS: usize = 8;
/// Walks of reductions behind a root that are tried.
const MAX_WALKS: usize = 4;

impl Walk {
    /// Whether the axes that go are the innermost ones.
    fn goes_along_rows(&self) -> bool {
        let long = self.nesting.iter().rev().filter(|&&axis| self.shape[axis] > 1);
        let mut inner = long.skip_while(|axis| self.axes.contains(axis));
        inner.all(|axis| !self.axes.contains(axis))
    }

    fn row_shape(&self) -> RowShape {
        let length = self.axes.iter().map(|&axis| self.shape[axis]).product();
        let size: usize = self.shape.iter().product();
        RowShape { count: size.checked_div(length).unwrap_or(0), length, width: self.width }
    }

    /// Whether a layout over the walk's shape has stride zero along rows.
    fn is_of_rows(&self, layout: &Layout) -> bool {
        layout.shape == self.shape
            && self.axes.iter().all(|&a| layout.shape[a] <= 1 || layout.strides[a] == 0)
    }

    /// The layout of results, one for each row, over the walk's shape; they may have axes of length one for those that went.
    fn lifted(&self, results: &Layout) -> Option<Layout> {
        if results.ndim() == self.shape.len() && !self.axes.is_empty() {
            let mut lifted = results.clone();
            for (axis, &length) in self.shape.iter().enumerate() {
                let has_gone = self.axes.contains(&axis);
                if results.shape[axis] != if has_gone { 1 } else { length } {
                    return None;
                }
                if has_gone {
                    (lifted.shape[axis], lifted.strides[axis]) = (length, 0);
                }
            }
            return Some(lifted);
        }
        let mut strides = results.strides.iter();
        let mut shape = results.shape.iter();
        let mut lifted =
            Layout { shape: self.shape.clone(), strides: SmallVec::new(), offset: results.offset };
        for (axis, &length) in self.shape.iter().enumerate() {
            let stride = if self.axes.contains(&axis) {
                0
            } else {
                let stride = *strides.next()?;
                (*shape.next()? == length).then_some(stride)?
            };
            lifted.strides.push(stride);
        }
        strides.next().is_none().then_some(lifted)
    }
}

impl Cluster {
    /// The rows along which members reduce, if that is how this cluster runs.
    pub(crate) fn rows(&self) -> Option<Rows> {
        let walk = self.walk.as_ref().filter(|_| self.along_rows)?;
        Some(Rows { axes: walk.axes.clone(), nesting: walk.nesting.clone() })
    }

    /// Everything pending behind `node` as one Program along rows; `None` unless a result is broadcast back, and the device
    /// takes such rows.
    pub(super) fn collect_rows(node: &Arc<Node>, root: &Root) -> Option<Cluster> {
        let device = root.storage.as_ref()?.device();
        if node.pieces().is_some() {
            return None;
        }
        let mut tried: SmallVec<[Walk; 2]> = SmallVec::new();
        for walk in walks_behind(node) {
            let is_new = tried.len() < MAX_WALKS && !tried.contains(&walk);
            if !is_new || !walk.goes_along_rows() || !device.takes_rows(&walk.row_shape()) {
                continue;
            }
            tried.push(walk.clone());
            let mut refused = Vec::new();
            for _ in 0..MAX_MEMBERS {
                let Some(cluster) = Cluster::along(node, root, walk.clone(), refused.clone()) else { break };
                let more = cluster.row_refusals();
                if more.is_empty() {
                    return Some(cluster);
                }
                refused.extend(more);
            }
        }
        None
    }

    /// The cluster of one walk; what is refused has to run before.
    fn along(node: &Arc<Node>, root: &Root, walk: Walk, refused: Vec<Identity>) -> Option<Cluster> {
        let storage = root.storage.clone()?;
        let top = if let NodeKind::Reduce { op, .. } = node.kind {
            let lifted = (!is_fold(op) && Walk::of(node).as_ref() == Some(&walk))
                .then(|| walk.lifted(&node.layout))?;
            Member { storage: Some(storage), node: node.clone(), stage: Stage::Reduction, part: lifted }
        } else if node.layout.shape == walk.shape {
            Member { storage: Some(storage), node: node.clone(), stage: Stage::Elements, part: None }
        } else if node.is_take() {
            return None;
        } else {
            let lifted = walk.lifted(&node.layout)?;
            let view = View::of(storage.clone(), lifted.clone(), node.dtype);
            let work = work_of(&view, node)?;
            Member {
                storage: Some(storage),
                node: Arc::new(work),
                stage: Stage::Elements,
                part: Some(lifted),
            }
        };
        let mut cluster = Cluster {
            members: Vec::new(),
            root: 0,
            boundary: Vec::new(),
            cuts: Vec::new(),
            cut_by: Vec::new(),
            refused,
            joins_parts: true,
            may_cut: false,
            whole: None,
            recorded: OnceCell::new(),
            walk: Some(walk),
            along_rows: true,
        };
        cluster.descend(top);
        cluster.root = cluster.members.len() - 1;
        let reductions = cluster.members.iter().filter(|m| m.stage == Stage::Reduction).count();
        let fits = reductions <= MAX_REDUCTIONS && cluster.members.len() <= MAX_MEMBERS;
        (fits && cluster.is_broadcast_back()).then_some(cluster)
    }

    /// Whether some element is computed from a reduction of its row.
    fn is_broadcast_back(&self) -> bool {
        let mut follows: Vec<bool> = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let reads_one = views(&member.node).any(|view| {
                self.position(view).is_some_and(|at| {
                    follows.get(at).copied().unwrap_or(false) || self.members[at].stage == Stage::Reduction
                })
            });
            // Values that exist once for each row lead from one reduction to the next, or to an output.
            let is_element = !self.is_of_row(member);
            if reads_one && is_element {
                return true;
            }
            follows.push(reads_one);
        }
        false
    }

    /// Whether a member has one value for each row.
    fn is_of_row(&self, member: &Member) -> bool {
        let of_rows = |layout: &Layout| self.walk.as_ref().is_some_and(|walk| walk.is_of_rows(layout));
        member.stage == Stage::Reduction || member.part.as_ref().is_some_and(of_rows)
    }

    /// The storages that should be stored before: they are seen in several ways, or referenced elsewhere though only a part of
    /// them is computed here.
    fn row_refusals(&self) -> Vec<Identity> {
        let mut refusals = Vec::new();
        for (at, member) in self.members.iter().enumerate().filter(|(at, _)| *at != self.root) {
            let Some(storage) = &member.storage else { continue };
            let is_again = self.members[..at].iter().any(|other| other.fills(storage));
            if is_again || (!self.is_storable(member) && self.is_wanted(member)) {
                refusals.push(storage.identity());
            }
        }
        refusals
    }

    /// Whether all of what a member's storage holds is computed, so that it can be stored.
    pub(crate) fn is_storable(&self, member: &Member) -> bool {
        member.part.is_none() || (self.along_rows && self.is_of_row(member))
    }

    /// How a pending argument of a member along rows joins as one value for each row; `None` where it is none, or this cluster
    /// does not go along rows.
    pub(super) fn joins_row(&self, view: &View, inner: &Arc<Node>) -> Option<Joined> {
        let walk = self.walk.as_ref().filter(|_| self.along_rows)?;
        let member = |node: Arc<Node>, stage: Stage| {
            let (storage, part) = (Some(view.storage.clone()), Some(view.layout.clone()));
            Joined::Member(Member { storage, node, stage, part })
        };
        if let NodeKind::Reduce { op, .. } = &inner.kind {
            let joins = Walk::of(inner).as_ref() == Some(walk)
                && !is_fold(*op)
                && view.dtype == inner.dtype
                && walk.lifted(&inner.layout).as_ref() == Some(&view.layout);
            return Some(if joins { member(inner.clone(), Stage::Reduction) } else { Joined::No });
        }
        let moving = view.layout.shape.iter().zip(&view.layout.strides).filter(|(_, stride)| **stride != 0);
        let covers = || moving.map(|(length, _)| length).product::<usize>() == inner.layout.size();
        let is_of_row = inner.is_elementwise()
            && view.dtype == inner.dtype
            && walk.is_of_rows(&view.layout)
            && walk.row_shape().length > 1
            && covers();
        // Positions are checked where there are elements: what takes by row runs before.
        if is_of_row && inner.is_take() {
            return Some(Joined::No);
        }
        // What is there for each row is computed once for each.
        is_of_row
            .then(|| work_of(view, inner).map_or(Joined::No, |work| member(Arc::new(work), Stage::Elements)))
    }
}

/// Whether elements are folded from left to right: that has a walk of its own.
fn is_fold(op: Reduction) -> bool {
    matches!(op, Reduction::Fold(_))
}

/// The walks of the reductions behind a node, that of the node itself first.
fn walks_behind(node: &Arc<Node>) -> Vec<Walk> {
    let mut walks: Vec<Walk> = Walk::of(node).into_iter().collect();
    let (mut seen, mut stack): (Vec<*const Storage>, Vec<Arc<Node>>) = (Vec::new(), vec![node.clone()]);
    while let Some(node) = stack.pop() {
        for arg in &node.args {
            let NodeArg::View(view) = arg else { continue };
            let pointer = Arc::as_ptr(&view.storage);
            if seen.contains(&pointer) {
                continue;
            }
            let Some(inner) = view.storage.node() else { continue };
            seen.push(pointer);
            walks.extend(Walk::of(&inner));
            if inner.is_elementwise() {
                stack.push(inner);
            }
        }
    }
    walks
}
