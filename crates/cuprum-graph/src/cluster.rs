//! Clusters: the pending nodes that run as one Program. Elements come first, then reductions of them, then what is made
//! of the results; other reductions of the same elements join where they are wanted as well.

use std::sync::Arc;

use cuprum_core::{Dims, Reduction};
use smallvec::SmallVec;

use crate::{Node, NodeKind, Source, Storage, View};

/// Members that a cluster has at most after others than its root's have joined.
const MOST_MEMBERS: usize = 64;
/// Distinct arrays that it reads at most then.
const MOST_LEAVES: usize = 16;
/// What the reductions of a cluster weigh at most: their states stay in a thread's registers.
const MOST_WEIGHT: usize = 5;
/// Pending results that are looked at for reductions to join.
const MOST_LOOKED_AT: usize = 64;
/// What follows on reduced shapes of at most this many elements is computed with the reduction unasked: it costs less
/// than a Program of its own later.
const SMALL: usize = 1 << 16;

/// Where in the Program a member is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Over the elements.
    Elements,
    /// From elements to results.
    Reduction,
    /// Over the results, in the epilogue.
    Results,
}

pub(crate) struct Member {
    /// The storage that the node fills; the root of a direct run has none.
    pub(crate) storage: Option<Arc<Storage>>,
    pub(crate) node: Arc<Node>,
    pub(crate) stage: Stage,
}

/// What reductions must agree in to run in one pass.
#[derive(PartialEq, Eq)]
struct Walk {
    shape: Dims,
    axes: SmallVec<[usize; 4]>,
    nesting: Dims,
    /// Elements are taken in packs, whose length follows from this: it decides about the grouping of additions.
    width: usize,
}

impl Walk {
    /// The walk of a node; `None` unless it is a reduction that can share one.
    fn of(node: &Node) -> Option<Walk> {
        let NodeKind::Reduce { dtype, axes, .. } = &node.kind else { return None };
        let Some(Source::View(view)) = node.args.first() else { return None };
        if axes.is_empty() {
            return None;
        }
        Some(Walk {
            shape: view.layout.shape.clone(),
            axes: axes.clone(),
            nesting: view.layout.nesting(),
            width: dtype.size().max(4),
        })
    }
}

/// Pending nodes that run as one Program, arguments before their users.
pub(crate) struct Cluster {
    pub(crate) members: Vec<Member>,
    /// The member that was asked for.
    pub(crate) root: usize,
    /// Pending storages that the members read but that cannot join them.
    pub(crate) boundary: Vec<Arc<Storage>>,
    walk: Option<Walk>,
}

impl Cluster {
    /// Everything pending behind `root` that can run with it.
    pub(crate) fn collect(root: Arc<Node>, storage: Option<&Arc<Storage>>) -> Cluster {
        let stage = if root.is_elementwise() { Stage::Results } else { Stage::Reduction };
        let mut cluster =
            Cluster { members: Vec::new(), root: 0, boundary: Vec::new(), walk: Walk::of(&root) };
        cluster.descend(Member { storage: storage.cloned(), node: root, stage });
        cluster.root = cluster.members.len() - 1;
        if !cluster.reduces() {
            cluster.members.iter_mut().for_each(|member| member.stage = Stage::Elements);
        }
        cluster
    }

    /// Whether there is a reduction among the members.
    pub(crate) fn reduces(&self) -> bool {
        self.members.iter().any(|member| member.stage == Stage::Reduction)
    }

    /// Adds a member after everything pending behind it that can run with it.
    fn descend(&mut self, top: Member) {
        let mut stack = vec![(top, 0)];
        while let Some((member, next)) = stack.last_mut() {
            let Some(arg) = member.node.args.get(*next) else {
                let (member, _) = stack.pop().expect("the stack is not empty here");
                self.members.push(member);
                continue;
            };
            *next += 1;
            let Source::View(view) = arg else { continue };
            let Some(inner) = view.storage.node() else { continue };
            match self.joins(member, view, &inner) {
                Some(_) if self.position(&view.storage).is_some() => {}
                Some(stage) => {
                    if stage == Stage::Reduction && self.walk.is_none() {
                        self.walk = Walk::of(&inner);
                    }
                    let storage = Some(view.storage.clone());
                    stack.push((Member { storage, node: inner, stage }, 0));
                }
                None if !self.boundary.iter().any(|b| Arc::ptr_eq(b, &view.storage)) => {
                    self.boundary.push(view.storage.clone());
                }
                None => {}
            }
        }
    }

    /// The stage in which a pending argument runs with its user; `None` where it cannot.
    fn joins(&self, user: &Member, view: &View, inner: &Node) -> Option<Stage> {
        let whole = inner.layout == view.layout && inner.dtype == view.dtype;
        if !whole || *inner.layout.shape != *user.node.iteration() {
            return None;
        }
        if inner.is_elementwise() {
            return Some(if user.stage == Stage::Reduction { Stage::Elements } else { user.stage });
        }
        if user.stage != Stage::Results {
            return None;
        }
        let walk = Walk::of(inner)?;
        let known = self.position(&view.storage).is_some();
        let fits = known || self.walk.as_ref().is_none_or(|known| *known == walk && self.has_room_for(inner));
        fits.then_some(Stage::Reduction)
    }

    pub(crate) fn position(&self, storage: &Arc<Storage>) -> Option<usize> {
        self.members.iter().position(|m| m.storage.as_ref().is_some_and(|s| Arc::ptr_eq(s, storage)))
    }

    /// The views that members of some stages read from ready memory.
    pub(crate) fn leaves(&self, of: impl Fn(Stage) -> bool) -> impl Iterator<Item = &View> {
        self.members
            .iter()
            .filter(move |m| of(m.stage))
            .flat_map(|m| views(&m.node))
            .filter(|view| self.position(&view.storage).is_none())
    }

    /// Whether somebody outside the cluster holds a member's storage.
    pub(crate) fn is_held(&self, member: &Member) -> bool {
        let Some(storage) = &member.storage else { return false };
        let reads = self.members.iter().flat_map(|m| views(&m.node));
        let own = 1 + reads.filter(|view| Arc::ptr_eq(&view.storage, storage)).count();
        Arc::strong_count(storage) > own
    }

    /// Whether a leaf clashes with where the root goes; `clash` is told whether each of its elements is read by the step
    /// that writes it, and not by any other.
    pub(crate) fn clashes(&self, clash: impl Fn(&View, bool) -> bool) -> bool {
        let reduces = self.reduces();
        self.leaves(|stage| stage == Stage::Results || !reduces).any(|leaf| clash(leaf, true))
            || self.leaves(|stage| stage != Stage::Results && reduces).any(|leaf| clash(leaf, false))
    }

    /// Leaves the members that the root does not need.
    pub(crate) fn narrow(&mut self) {
        self.members.truncate(self.root + 1);
    }

    fn has_room_for(&self, node: &Node) -> bool {
        let reductions = self.members.iter().filter(|m| m.stage == Stage::Reduction);
        reductions.map(|m| weight(&m.node)).sum::<usize>() + weight(node) <= MOST_WEIGHT
    }

    /// Takes in pending reductions of the same elements, and what follows from them: `wanted` results, which are about to
    /// be run, and small ones.
    pub(crate) fn widen(&mut self, wanted: &[Arc<Storage>]) {
        if self.boundary.is_empty() && self.walk.is_some() {
            self.add_reductions();
            self.add_results(wanted);
        }
    }

    /// Reductions over the same walk that share an array with this one.
    fn add_reductions(&mut self) {
        let below = |stage| stage != Stage::Results;
        let mut shared: Vec<View> = Vec::new();
        let members = self.members.iter().filter(|m| m.stage == Stage::Elements && m.storage.is_some());
        let made =
            members.filter_map(|m| Some(View::of(m.storage.clone()?, m.node.layout.clone(), m.node.dtype)));
        for view in self.leaves(below).cloned().chain(made) {
            if !shared.iter().any(|known| is_same(known, &view)) {
                shared.push(view);
            }
        }
        let mut at = 0;
        while at < shared.len().min(MOST_LOOKED_AT) {
            let view = shared[at].clone();
            at += 1;
            for reader in view.storage.pending_readers() {
                let Some(node) = reader.node() else { continue };
                if !views(&node).any(|read| is_same(read, &view)) || self.position(&reader).is_some() {
                    continue;
                }
                let walk = Walk::of(&node);
                if walk.is_some() && walk == self.walk {
                    self.try_reduction(reader, node);
                } else if node.is_elementwise() && node.layout.shape == view.layout.shape {
                    let made = View::of(reader, node.layout.clone(), node.dtype);
                    if !shared.iter().any(|known| is_same(known, &made)) {
                        shared.push(made);
                    }
                }
            }
        }
    }

    /// Adds a reduction with its producers, unless something of it would have to run before or there is no room.
    fn try_reduction(&mut self, storage: Arc<Storage>, node: Arc<Node>) {
        let leaves = self.leaves(|_| true).count();
        let has_room = self.has_room_for(&node)
            && self.members.len() + node.depth <= MOST_MEMBERS
            && leaves + node.leaves <= MOST_LEAVES;
        if !has_room {
            return;
        }
        let before = self.members.len();
        self.descend(Member { storage: Some(storage), node, stage: Stage::Reduction });
        if !self.boundary.is_empty() {
            self.boundary.clear();
            self.members.truncate(before);
        }
    }

    /// Elementwise work on results that needs nothing but this cluster.
    fn add_results(&mut self, wanted: &[Arc<Storage>]) {
        let is_wanted = |storage: &Arc<Storage>| wanted.iter().any(|w| Arc::ptr_eq(w, storage));
        let mut at = 0;
        while at < self.members.len() && self.members.len() < MOST_MEMBERS {
            let member = &self.members[at];
            at += 1;
            let Some(storage) = member.storage.clone().filter(|_| member.stage != Stage::Elements) else {
                continue;
            };
            let shape = member.node.layout.shape.clone();
            let small = member.node.layout.size() <= SMALL;
            for reader in storage.pending_readers() {
                let Some(node) = reader.node() else { continue };
                let follows = node.is_elementwise()
                    && node.layout.shape == shape
                    && self.position(&reader).is_none()
                    && self.members.len() < MOST_MEMBERS
                    && views(&node).all(|view| self.is_at_hand(view));
                if follows && (small || is_wanted(&reader)) {
                    self.members.push(Member { storage: Some(reader), node, stage: Stage::Results });
                }
            }
        }
    }

    /// Whether the epilogue can read a view: it is ready, or a result.
    fn is_at_hand(&self, view: &View) -> bool {
        match self.position(&view.storage) {
            Some(at) => {
                let member = &self.members[at];
                member.stage != Stage::Elements
                    && member.node.layout == view.layout
                    && member.node.dtype == view.dtype
            }
            None => !view.storage.is_pending(),
        }
    }
}

/// What a reduction's state weighs.
fn weight(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Reduce { op: Reduction::Variance, .. } => 2,
        // Folds from left to right have a walk of their own.
        NodeKind::Reduce { op: Reduction::Fold(_), .. } => MOST_WEIGHT + 1,
        NodeKind::Reduce { .. } => 1,
        _ => 0,
    }
}

fn is_same(a: &View, b: &View) -> bool {
    Arc::ptr_eq(&a.storage, &b.storage) && a.layout == b.layout && a.dtype == b.dtype
}

/// The arrays that a node reads.
pub(crate) fn views(node: &Node) -> impl Iterator<Item = &View> {
    node.args.iter().filter_map(|arg| match arg {
        Source::View(view) => Some(view),
        Source::Scalar(_) => None,
    })
}
