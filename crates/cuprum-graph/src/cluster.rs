//! Clusters: the pending nodes that run as one Program. Elements come first, then reductions of them, then what is made
//! of the results; other reductions of the same elements join where they are wanted as well. Views of pending results join
//! by the work behind them (`parts.rs`), where computing that again costs less than storing the result.

mod rows;
mod stored;

use std::cell::OnceCell;
use std::sync::Arc;

use cuprum_core::{Dims, Layout, Reduction};
use smallvec::SmallVec;

use crate::parts::{self, PieceSpan};
use crate::storage::Identity;
use crate::{Node, NodeArg, NodeKind, Storage, View};
use stored::elementwise_leaves;

/// The most members of a cluster once work has joined that the root does not read, or that computes parts of results.
const MAX_MEMBERS: usize = 64;
/// The most distinct arrays that such a cluster reads.
const MAX_LEAVES: usize = 16;
/// The largest total weight of a cluster's reductions, whose states have to stay in a thread's registers.
const MAX_WEIGHT: usize = 5;
/// How many pending results are searched for reductions that could join.
const MAX_LOOKED_AT: usize = 64;
/// Light ops that repeated elements may cost, as a part of the bytes that a device moves while a Program starts.
const REPEATED_PART: usize = 16;
/// Work on a reduction's result of at most this many elements joins the reduction even if nobody has asked for it yet: it
/// costs less there than as a Program of its own later.
const UNASKED_EPILOGUE_MAX: usize = 1 << 16;

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
    /// The view of the storage that the node computes; `None` if it computes the whole storage.
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
    /// The length of the packs in which elements are read follows from this, and with it the grouping of additions.
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
    /// Where the iteration has to be cut, by axis and position, so that each box reads one piece only.
    pub(crate) cuts: Vec<(usize, usize)>,
    /// The storages that cuts are for.
    cut_by: Vec<Identity>,
    /// Storages that must be stored before this cluster runs and are not computed by it.
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

    /// As [`Cluster::collect`]; storages that are refused do not join, and run before.
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
            // A reduction walks over one array: pieces are put together before.
            cluster.refused.append(&mut cluster.cut_by);
            return Cluster::collect_but(
                cluster.members.swap_remove(cluster.root).node,
                root,
                cluster.refused,
            );
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

    /// Whether computing a broadcast result once for every element takes less time than starting a Program for it.
    fn is_soon_repeated(&self, view: &View, inner: &Node) -> bool {
        let most = view.storage.device().start_cost().bytes / REPEATED_PART;
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

    /// Whether a leaf clashes with where the root goes; `clash` is told whether each of its elements is read by the step
    /// that writes it, and not by any other.
    pub(crate) fn clashes(&self, clash: impl Fn(&View, bool) -> bool) -> bool {
        let reduces = self.reduces();
        debug_assert!(!self.along_rows, "rows are reduced into memory of their own");
        let tables =
            || self.members.iter().filter(|m| m.node.is_take()).filter_map(|m| views(&m.node).next());
        tables().any(|table| clash(table, false))
            || self.leaves(|stage| stage == Stage::Results || !reduces).any(|leaf| clash(leaf, true))
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
            let small = member.node.layout.size() <= UNASKED_EPILOGUE_MAX;
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

/// The weight of a reduction, by the size of its state.
fn weight(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Reduce { op: Reduction::Variance, .. } => 2,
        // Folds from left to right have a walk of their own.
        NodeKind::Reduce { op: Reduction::Fold(_), .. } => MAX_WEIGHT + 1,
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
        NodeArg::View(view) => Some(view),
        NodeArg::Scalar(_) => None,
    })
}
