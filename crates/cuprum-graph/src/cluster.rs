//! Clusters: the pending nodes that run as one Program. Elements come first, then reductions of them, then what is made
//! of the results; other reductions of the same elements join where they are wanted as well. Views of pending results join
//! by the work behind them (`parts.rs`), where computing that again costs less than storing the result.

mod rows;

use std::cell::OnceCell;
use std::sync::Arc;

use cuprum_core::ops::Cost;
use cuprum_core::{Dims, Layout, Reduction};
use smallvec::SmallVec;

use crate::parts::{self, PieceSpan};
use crate::storage::Identity;
use crate::{DeviceKind, Node, NodeArg, NodeKind, Piece, Storage, View};

/// Members that a cluster has at most after others than its root's, or parts of results, have joined.
const MAX_MEMBERS: usize = 64;
/// Distinct arrays that it reads at most then.
const MAX_LEAVES: usize = 16;
/// What the reductions of a cluster weigh at most: their states stay in a thread's registers.
const MAX_WEIGHT: usize = 5;
/// Pending results that are looked at for reductions to join.
const MAX_LOOKED_AT: usize = 64;
/// What may be computed again at most, in light ops and reads, so that a result that is read in several parts need not be
/// stored and read back.
const MAX_RECOMPUTED: usize = 10;
/// Light ops that repeated elements may cost, as a part of the bytes that a device moves while a Program starts.
const REPEATED_PART: usize = 16;
/// The same for all elements of a part on a GPU: less work than that takes less time than a launch.
const LAUNCH_WORK: usize = 1 << 21;
/// Boxes that a Program is cut into at most by the pieces that it reads.
const MAX_BOXES: usize = 32;
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
    /// The view of the storage that the node computes, where that is a part or the like and not the whole.
    pub(crate) part: Option<Layout>,
}

impl Member {
    /// Whether it computes what a view shows.
    fn computes(&self, view: &View) -> bool {
        self.fills(&view.storage) && self.node.dtype == view.dtype && *self.shown() == view.layout
    }

    /// The view of the storage that it computes.
    fn shown(&self) -> &Layout {
        self.part.as_ref().unwrap_or(&self.node.layout)
    }

    fn fills(&self, storage: &Arc<Storage>) -> bool {
        self.storage.as_ref().is_some_and(|own| Arc::ptr_eq(own, storage))
    }
}

/// What reductions must agree in to run in one pass.
#[derive(Clone, PartialEq, Eq)]
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
        let Some(NodeArg::View(view)) = node.args.first() else { return None };
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
    /// Where the iteration has to be cut, axis and position, so that every box reads one of several pieces.
    pub(crate) cuts: Vec<(usize, usize)>,
    /// The storages that cuts are for.
    cut_by: Vec<Identity>,
    /// Storages that are to be stored before, not computed by this cluster.
    refused: Vec<Identity>,
    joins_parts: bool,
    may_cut: bool,
    /// The recorded work of which the root is a box.
    whole: Option<Arc<Node>>,
    recorded: OnceCell<Vec<Arc<Node>>>,
    walk: Option<Walk>,
    /// Whether reductions are instructions among others, along the rows that the walk has.
    along_rows: bool,
}

/// What a cluster is collected for.
#[derive(Clone, Default)]
pub(crate) struct Root {
    /// The storage that the root fills.
    pub(crate) storage: Option<Arc<Storage>>,
    /// Whether it may be cut into boxes.
    pub(crate) may_cut: bool,
    /// The recorded work of which it is a box.
    pub(crate) whole: Option<Arc<Node>>,
}

impl Cluster {
    /// Everything pending behind `node` that can run with it.
    pub(crate) fn collect(node: Arc<Node>, root: &Root) -> Cluster {
        let mut refused = Vec::new();
        if let Some(cluster) = Cluster::collect_rows(&node, root) {
            return cluster;
        }
        loop {
            let mut cluster = Cluster::collect_but(node.clone(), root, refused);
            let more = if cluster.boundary.is_empty() { cluster.refusals() } else { Vec::new() };
            if more.is_empty() {
                return cluster;
            }
            refused = std::mem::take(&mut cluster.refused);
            refused.extend(more);
        }
    }

    /// As [`Cluster::collect`]; what is refused has to run before.
    fn collect_but(node: Arc<Node>, root: &Root, refused: Vec<Identity>) -> Cluster {
        let reduces = matches!(node.kind, NodeKind::Reduce { .. });
        let stage = if reduces { Stage::Reduction } else { Stage::Results };
        let mut cluster = Cluster {
            members: Vec::new(),
            root: 0,
            boundary: Vec::new(),
            cuts: Vec::new(),
            cut_by: Vec::new(),
            refused,
            joins_parts: true,
            may_cut: root.may_cut && !reduces,
            whole: root.whole.clone(),
            recorded: OnceCell::new(),
            walk: Walk::of(&node),
            along_rows: false,
        };
        cluster.descend(Member { storage: root.storage.clone(), node, stage, part: None });
        cluster.root = cluster.members.len() - 1;
        if !cluster.reduces() {
            cluster.members.iter_mut().for_each(|member| member.stage = Stage::Elements);
        } else if !cluster.cuts.is_empty() {
            // Elements are reduced in one walk: pieces are put together before.
            cluster.refused.append(&mut cluster.cut_by);
            return Cluster::collect_but(
                cluster.members.swap_remove(cluster.root).node,
                root,
                cluster.refused,
            );
        }
        cluster
    }

    /// The storages that parts were taken of and that should be stored instead: they are referenced elsewhere, or they would be
    /// computed too often. Where the iteration is cut, nothing but the root is stored.
    fn refusals(&self) -> Vec<Identity> {
        let mut refusals = Vec::new();
        for (at, member) in self.members.iter().enumerate() {
            let Some(storage) = member.storage.as_ref().filter(|_| at != self.root) else { continue };
            if (member.part.is_none() && self.cuts.is_empty()) || refusals.contains(&storage.identity()) {
                continue;
            }
            let parts: SmallVec<[&Member; 8]> = self.members.iter().filter(|m| m.fills(storage)).collect();
            let is_repeated = parts.len() > 1
                && ((parts.len() - 1) * self.cost_behind(storage) > recomputed_at_most(member)
                    // Read along rows and down columns, every argument would be.
                    || parts.iter().any(|part| walk_order(part.shown()) != walk_order(parts[0].shown())));
            if (is_repeated && !are_apart(&parts, storage)) || self.is_kept(member, storage) {
                refusals.push(storage.identity());
            }
        }
        let shape = self.members[self.root].node.iteration();
        if !self.cuts.is_empty() && parts::boxes(shape, &self.cuts).len() > MAX_BOXES {
            refusals.extend(&self.cut_by);
        }
        refusals
    }

    /// Whether a result of which parts are computed is needed as a whole: the program holds it, or pending work outside the
    /// cluster that would have to compute much again.
    fn is_kept(&self, member: &Member, storage: &Arc<Storage>) -> bool {
        self.is_held(member)
            && (self.is_held_by_program(storage) || self.cost_behind(storage) > MAX_RECOMPUTED)
    }

    /// What the pending work behind a storage costs, in light ops and reads.
    fn cost_behind(&self, storage: &Arc<Storage>) -> usize {
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
                NodeKind::Pieces { .. } | NodeKind::Reduce { .. } => 0,
            };
            stack.extend(views(&node).map(|view| view.storage.clone()));
        }
        cost
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
            let NodeArg::View(view) = arg else { continue };
            let Some(inner) = view.storage.node() else { continue };
            match self.joins(member, view, &inner) {
                Joined::Member(_) if self.position(view).is_some() => {}
                Joined::Member(joined) => {
                    if joined.stage == Stage::Reduction && self.walk.is_none() {
                        self.walk = Walk::of(&joined.node);
                    }
                    stack.push((joined, 0));
                }
                Joined::Cut(cuts) => {
                    self.cuts.extend(cuts);
                    self.cut_by.push(view.storage.identity());
                }
                Joined::No if !self.boundary.iter().any(|b| Arc::ptr_eq(b, &view.storage)) => {
                    self.boundary.push(view.storage.clone());
                }
                Joined::No => {}
            }
        }
    }

    /// How a pending argument runs with its user.
    fn joins(&self, user: &Member, view: &View, inner: &Arc<Node>) -> Joined {
        if self.refused.contains(&view.storage.identity()) {
            return Joined::No;
        }
        if let Some(joined) = self.joins_row(view, inner) {
            return joined;
        }
        let storage = Some(view.storage.clone());
        let is_whole = inner.layout == view.layout && inner.dtype == view.dtype;
        // What reductions read are elements; all else is as its user is.
        let stage = if user.stage == Stage::Reduction { Stage::Elements } else { user.stage };
        if is_whole && inner.is_elementwise() {
            return Joined::Member(Member { storage, node: inner.clone(), stage, part: None });
        }
        if is_whole && user.stage == Stage::Results && self.reduces_alike(view, inner) {
            return Joined::Member(Member {
                storage,
                node: inner.clone(),
                stage: Stage::Reduction,
                part: None,
            });
        }
        let has_room = self.members.len() < MAX_MEMBERS;
        let is_part = || parts::is_part(view, inner) || self.is_soon_repeated(view, inner);
        if !self.joins_parts || !has_room || !is_part() {
            return Joined::No;
        }
        let work = match inner.pieces() {
            None => parts::work_of(view, inner),
            Some(pieces) => match parts::across(view, inner, pieces) {
                Some(PieceSpan::Piece(work)) => Some(*work),
                Some(PieceSpan::Cuts(cuts)) if self.may_cut => return Joined::Cut(cuts),
                _ => None,
            },
        };
        work.map_or(Joined::No, |work| {
            Joined::Member(Member { storage, node: Arc::new(work), stage, part: Some(view.layout.clone()) })
        })
    }

    /// Whether a result that is broadcast is computed for every element sooner than a Program of its own starts.
    fn is_soon_repeated(&self, view: &View, inner: &Node) -> bool {
        let most = view.storage.device().kind().launch_bytes() / REPEATED_PART;
        inner.is_elementwise()
            && view.dtype == inner.dtype
            && (1..=most).contains(&view.layout.size())
            && view.layout.size() * self.cost_behind(&view.storage) <= most
            // What follows from a reduction is its epilogue.
            && elementwise_leaves(&view.storage).is_some()
    }

    /// Whether a node is a reduction that runs in the cluster's pass.
    fn reduces_alike(&self, view: &View, node: &Node) -> bool {
        let Some(walk) = Walk::of(node) else { return false };
        let known = self.position(view).is_some();
        known || self.walk.as_ref().is_none_or(|known| *known == walk && self.has_room_for(node))
    }

    /// The bytes of the result that a member is, or is a box of.
    pub(crate) fn result_bytes(&self, at: usize) -> usize {
        match self.whole.as_ref().filter(|_| at == self.root) {
            Some(node) => node.layout.size() * node.dtype.size(),
            None => self.member_bytes(at),
        }
    }

    /// The bytes of what a member stores.
    pub(crate) fn member_bytes(&self, at: usize) -> usize {
        let size = self.members[at].node.dtype.size();
        match self.target_layout(at) {
            layout if self.along_rows && layout.size() > 0 => layout.extent(size).1,
            layout => layout.size() * size,
        }
    }

    /// Where a member is stored, in the Program's shape.
    pub(crate) fn target_layout(&self, at: usize) -> &Layout {
        let member = &self.members[at];
        if self.along_rows { member.shown() } else { &member.node.layout }
    }

    /// The member that computes what a view shows.
    pub(crate) fn position(&self, view: &View) -> Option<usize> {
        self.members.iter().position(|member| member.computes(view))
    }

    /// The views that members of some stages read from ready memory.
    pub(crate) fn leaves(&self, of: impl Fn(Stage) -> bool) -> impl Iterator<Item = &View> {
        self.members
            .iter()
            .filter(move |m| of(m.stage))
            .flat_map(|m| views(&m.node))
            .filter(|view| self.position(view).is_none())
    }

    /// Whether a member's storage is referenced outside the cluster.
    pub(crate) fn is_held(&self, member: &Member) -> bool {
        member.storage.as_ref().is_some_and(|storage| Arc::strong_count(storage) > self.references(storage))
    }

    /// Whether a member's storage is referenced outside the cluster and should be stored: not where all that holds it is other
    /// pending work, which computes it again at less cost than reading it.
    pub(crate) fn is_wanted(&self, member: &Member) -> bool {
        self.is_held(member)
            && !member
                .storage
                .as_ref()
                .is_some_and(|storage| self.is_cheap(storage) && !self.is_held_by_program(storage))
    }

    /// Whether a result costs little, and what it is made of takes less memory than the result.
    fn is_cheap(&self, storage: &Arc<Storage>) -> bool {
        elementwise_leaves(storage).is_some_and(|bytes| bytes.saturating_mul(2) <= storage.bytes())
            && self.cost_behind(storage) <= MAX_RECOMPUTED
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

    /// Whether all members are recorded work as it is.
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

    /// Whether a leaf clashes with where the root goes; `clash` is told whether each of its elements is read by the step
    /// that writes it, and not by any other.
    pub(crate) fn clashes(&self, clash: impl Fn(&View, bool) -> bool) -> bool {
        let reduces = self.reduces();
        debug_assert!(!self.along_rows, "rows are reduced into memory of their own");
        self.leaves(|stage| stage == Stage::Results || !reduces).any(|leaf| clash(leaf, true))
            || self.leaves(|stage| stage != Stage::Results && reduces).any(|leaf| clash(leaf, false))
    }

    /// Leaves the members that the root does not need.
    pub(crate) fn narrow(&mut self) {
        self.members.truncate(self.root + 1);
    }

    fn has_room_for(&self, node: &Node) -> bool {
        let reductions = self.members.iter().filter(|m| m.stage == Stage::Reduction);
        reductions.map(|m| weight(&m.node)).sum::<usize>() + weight(node) <= MAX_WEIGHT
    }

    /// Takes in pending reductions of the same elements, and what follows from them: `wanted` results, which are about to
    /// be run, and small ones.
    pub(crate) fn widen(&mut self, wanted: &[Arc<Storage>]) {
        if self.boundary.is_empty() && self.walk.is_some() && !self.along_rows {
            self.joins_parts = false;
            self.add_reductions();
            self.add_results(wanted);
        }
    }

    /// Reductions over the same walk that share an array with this one.
    fn add_reductions(&mut self) {
        let below = |stage| stage != Stage::Results;
        let mut shared: Vec<View> = Vec::new();
        let members = self.members.iter().filter(|m| m.stage == Stage::Elements && m.part.is_none());
        let made =
            members.filter_map(|m| Some(View::of(m.storage.clone()?, m.node.layout.clone(), m.node.dtype)));
        for view in self.leaves(below).cloned().chain(made) {
            if !shared.iter().any(|known| is_same(known, &view)) {
                shared.push(view);
            }
        }
        let mut at = 0;
        while at < shared.len().min(MAX_LOOKED_AT) {
            let view = shared[at].clone();
            at += 1;
            for reader in view.storage.pending_readers() {
                let Some(node) = reader.node() else { continue };
                if !views(&node).any(|read| is_same(read, &view)) || self.is_filled(&reader) {
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
            && self.members.len() + node.depth <= MAX_MEMBERS
            && leaves + node.leaves <= MAX_LEAVES;
        if !has_room {
            return;
        }
        let before = self.members.len();
        self.descend(Member { storage: Some(storage), node, stage: Stage::Reduction, part: None });
        if !self.boundary.is_empty() {
            self.boundary.clear();
            self.members.truncate(before);
        }
    }

    /// Elementwise work on results that needs nothing but this cluster.
    fn add_results(&mut self, wanted: &[Arc<Storage>]) {
        let is_wanted = |storage: &Arc<Storage>| wanted.iter().any(|w| Arc::ptr_eq(w, storage));
        let mut at = 0;
        while at < self.members.len() && self.members.len() < MAX_MEMBERS {
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
                    && !self.is_filled(&reader)
                    && self.members.len() < MAX_MEMBERS
                    && views(&node).all(|view| self.is_at_hand(view));
                if follows && (small || is_wanted(&reader)) {
                    self.members.push(Member {
                        storage: Some(reader),
                        node,
                        stage: Stage::Results,
                        part: None,
                    });
                }
            }
        }
    }

    /// Whether the epilogue can read a view: it is ready, or a result.
    fn is_at_hand(&self, view: &View) -> bool {
        match self.position(view) {
            Some(at) => self.members[at].stage != Stage::Elements,
            None => !view.storage.is_pending(),
        }
    }

    /// Whether a member fills the storage, or a part of it is computed.
    fn is_filled(&self, storage: &Arc<Storage>) -> bool {
        self.members.iter().any(|member| member.fills(storage))
    }
}

/// How a pending argument runs with its user.
enum Joined {
    /// As a member.
    Member(Member),
    /// As several, once the iteration is cut at these positions along axes.
    Cut(Vec<(usize, usize)>),
    /// Before.
    No,
}

/// The axes of more than one element from outermost to innermost, numbered without the others.
fn walk_order(layout: &Layout) -> Dims {
    let is_long = |axis: &usize| layout.shape[*axis] > 1;
    let number = |axis: usize| (0..axis).filter(is_long).count();
    layout.nesting().into_iter().filter(is_long).map(number).collect()
}

/// What may be computed again at most for each element of a member, in light ops and reads.
fn recomputed_at_most(member: &Member) -> usize {
    match member.storage.as_ref().map(|storage| storage.device().kind()) {
        Some(DeviceKind::Cuda(_)) => MAX_RECOMPUTED.max(LAUNCH_WORK / member.shown().size().max(1)),
        _ => MAX_RECOMPUTED,
    }
}

/// What a reduction's state weighs.
fn weight(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Reduce { op: Reduction::Variance, .. } => 2,
        // Folds from left to right have a walk of their own.
        NodeKind::Reduce { op: Reduction::Fold(_), .. } => MAX_WEIGHT + 1,
        NodeKind::Reduce { .. } => 1,
        _ => 0,
    }
}

/// The bytes of the arrays that elementwise work behind a storage reads; `None` where other work is behind it.
fn elementwise_leaves(storage: &Arc<Storage>) -> Option<usize> {
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

fn is_same(a: &View, b: &View) -> bool {
    Arc::ptr_eq(&a.storage, &b.storage) && a.layout == b.layout && a.dtype == b.dtype
}

/// The arrays that a node reads.
pub(crate) fn views(node: &Node) -> impl Iterator<Item = &View> {
    node.args.iter().filter_map(|arg| match arg {
        NodeArg::View(view) => Some(view),
        NodeArg::Scalar(_) => None,
    })
}
