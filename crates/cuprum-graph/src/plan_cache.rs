//! Plans made before: pending work of a structure that has run already is neither clustered nor built again.
//!
//! All that a plan depends on is written down as words while the pending nodes are walked: the device, ops, dtypes, layouts,
//! which arguments coincide and which results somebody holds. Work whose words are equal, compared whole, has one plan.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use cuprum_core::{Layout, Reduction, Result, Scalar};
use smallvec::SmallVec;

use crate::builder::Built;
use crate::cluster::{Cluster, views};
use crate::storage::Identity;
use crate::{Buffer, DeviceRef, Node, NodeKind, Program, Remembered, Source, Storage, View, run};

/// How many plans are kept; one more, and all are forgotten.
const MOST_PLANS: usize = 1024;
/// Work of more nodes than this is planned each time. The bits of one word tell which of them are held.
const MOST_MEMBERS: usize = 64;

/// The plans that are known, by the hash of their words.
pub(crate) struct Plans {
    known: HashMap<u64, SmallVec<[CachedPlan; 1]>, BuildIdentityHasher>,
    count: usize,
}

/// A plan: the Program, and what its buffers and scalars are in a trace of equal words.
struct CachedPlan {
    words: Box<[usize]>,
    program: Program,
    /// The leaf that each input is, and whether they come as the trace has them.
    inputs: SmallVec<[usize; 4]>,
    in_order: bool,
    /// The scalar that each parameter is, the epilogue's after the others.
    params: SmallVec<[usize; 4]>,
    /// The member that each output is the result of, and its size in bytes.
    stored: SmallVec<[(usize, usize); 1]>,
    remembered: Remembered,
}

/// What was found on a walk over pending work.
pub(crate) struct Trace {
    words: SmallVec<[usize; 64]>,
    hash: u64,
    /// Pending results, each after its arguments; the root, which is the last, is not among them.
    members: SmallVec<[Seen; 8]>,
    /// The ready arrays that are read.
    leaves: SmallVec<[Identity; 8]>,
    buffers: SmallVec<[Buffer; 8]>,
    scalars: SmallVec<[Scalar; 4]>,
    /// The members that somebody else than one argument holds.
    shared: SmallVec<[(usize, Arc<Storage>); 2]>,
    reduces: bool,
    /// Whether all of it can run as one.
    whole: bool,
}

/// A member: how often it is read, and how many held it when it was found.
struct Seen {
    storage: Identity,
    reads: usize,
    holders: usize,
}

impl Seen {
    /// Whether somebody holds it beside the work that reads it.
    fn is_held(&self) -> bool {
        self.holders > self.reads
    }
}

impl Plans {
    pub(crate) const fn new() -> Plans {
        Plans { known: HashMap::with_hasher(BuildIdentityHasher), count: 0 }
    }

    /// Runs a pending storage by a plan that is known: `true` where there is one. What was found on the way is left in
    /// `trace`, for [`Plans::keep`].
    pub(crate) fn run(&mut self, root: &Arc<Storage>, trace: &mut Trace) -> Result<bool> {
        if trace.walk(root).is_some() {
            let known = self.known.get_mut(&trace.hash);
            let known = known.and_then(|known| known.iter_mut().find(|k| *k.words == *trace.words));
            if let Some(known) = known
                && !(trace.reduces && trace.is_read_elsewhere(root))
                && let Some(outcome) = known.run(root, trace)
            {
                return outcome.map(|()| true);
            }
            trace.whole = true;
        }
        // References of ours would count as somebody's who holds a result.
        trace.shared.clear();
        trace.buffers.clear();
        Ok(false)
    }

    /// Keeps the plan that was made for a trace, where it is a function of the trace's words alone.
    pub(crate) fn keep(&mut self, trace: &Trace, cluster: &Cluster, built: Built) {
        let Some(known) = CachedPlan::of(trace, cluster, built) else { return };
        if self.count >= MOST_PLANS {
            self.known.clear();
            self.count = 0;
        }
        self.known.entry(trace.hash).or_default().push(known);
        self.count += 1;
    }
}

impl CachedPlan {
    fn of(trace: &Trace, cluster: &Cluster, built: Built) -> Option<CachedPlan> {
        // What else has joined is no part of the words; nor are the values of scalars, which conversions have changed.
        let joined = cluster.members.len() != trace.members.len() + 1;
        if !trace.whole || joined || built.converts_scalars {
            return None;
        }
        let place = |at: usize| {
            if at == cluster.root {
                return Some(trace.members.len());
            }
            let storage = cluster.members[at].storage.as_ref()?.identity();
            trace.members.iter().position(|seen| seen.storage == storage)
        };
        let mut places = (0..cluster.members.len()).map(place);
        // Others may let go of a result, or take hold of it, while its plan is made.
        let is_stored = |at: usize| built.stored.iter().any(|&stored| place(stored) == Some(at));
        let mut held = trace.members.iter().enumerate();
        if places.any(|place| place.is_none()) || held.any(|(at, seen)| seen.is_held() != is_stored(at)) {
            return None;
        }
        let size = |at: usize| cluster.members[at].node.layout.size() * cluster.members[at].node.dtype.size();
        let stored: Option<_> = built.stored.iter().map(|&at| Some((place(at)?, size(at)))).collect();
        let leaf = |storage: &Identity| trace.leaves.iter().position(|leaf| leaf == storage);
        let inputs: Option<SmallVec<[usize; 4]>> = built.sources.iter().map(leaf).collect();
        let inputs = inputs?;
        let late = built.program.reduce.iter().flat_map(|reduce| &reduce.epilogue.params);
        let params: Option<_> =
            built.program.params.iter().chain(late).map(|param| trace.scalar(param)).collect();
        Some(CachedPlan {
            words: trace.words.as_slice().into(),
            in_order: inputs.iter().copied().eq(0..trace.leaves.len()),
            inputs,
            params: params?,
            stored: stored?,
            program: built.program,
            remembered: None,
        })
    }

    /// Runs the plan on what a trace of its words has found; `None` where there is no memory for all results.
    fn run(&mut self, root: &Arc<Storage>, trace: &Trace) -> Option<Result<()>> {
        let device = root.device();
        let mut outputs: SmallVec<[Buffer; 2]> = SmallVec::new();
        for &(_, bytes) in &self.stored {
            outputs.push(device.allocate(bytes).ok()?);
        }
        let late = self.program.reduce.iter_mut().flat_map(|reduce| &mut reduce.epilogue.params);
        for (param, &at) in self.program.params.iter_mut().chain(late).zip(&self.params) {
            *param = trace.scalars[at];
        }
        let gathered: SmallVec<[Buffer; 4]>;
        let inputs = if self.in_order {
            trace.buffers.as_slice()
        } else {
            gathered = self.inputs.iter().map(|&leaf| trace.buffers[leaf].clone()).collect();
            gathered.as_slice()
        };
        if let Err(error) = run::run_again(device, &self.program, &mut self.remembered, inputs, &outputs) {
            return Some(Err(error));
        }
        for (&(member, _), buffer) in self.stored.iter().zip(outputs) {
            if member == trace.members.len() {
                root.set_ready(buffer);
            } else if let Some((_, storage)) = trace.shared.iter().find(|(at, _)| *at == member) {
                storage.set_ready(buffer);
            }
        }
        Some(Ok(()))
    }
}

impl Trace {
    pub(crate) fn new() -> Trace {
        Trace {
            words: SmallVec::new(),
            hash: 0,
            members: SmallVec::new(),
            leaves: SmallVec::new(),
            buffers: SmallVec::new(),
            scalars: SmallVec::new(),
            shared: SmallVec::new(),
            reduces: false,
            whole: false,
        }
    }

    /// Walks over everything pending behind a storage; `None` where something of it has to run before.
    fn walk(&mut self, root: &Arc<Storage>) -> Option<()> {
        self.words.push(address_of(root.device()));
        self.visit(root.lock().as_deref()?)?;
        let members = self.members.iter().enumerate();
        let held = members.fold(0, |bits, (at, seen)| bits | usize::from(seen.is_held()) << at);
        self.words.push(held);
        let mix = |hash: u64, word: &usize| {
            (hash.rotate_left(5) ^ *word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        self.hash = self.words.iter().fold(0, mix);
        Some(())
    }

    /// Writes down a node after everything pending behind it.
    fn visit(&mut self, node: &Node) -> Option<()> {
        let mut pending: SmallVec<[Option<usize>; 4]> = SmallVec::new();
        for arg in &node.args {
            pending.push(match arg {
                Source::View(view) if view.storage.is_pending() => Some(self.member(node, view)?),
                _ => None,
            });
        }
        let (kind, dtype) = match &node.kind {
            NodeKind::Map { op, dtype } => (*op as usize, *dtype as usize),
            NodeKind::Cast => (1 << 8, 0),
            NodeKind::Iota { axis } => (2 << 8 | axis << 40, 0),
            NodeKind::Reduce { op, dtype, .. } => (3 << 8 | reduction(*op), *dtype as usize),
        };
        let kind = kind | dtype << 24 | (node.dtype as usize) << 32 | node.args.len() << 56;
        self.words.push(kind);
        if let NodeKind::Reduce { axes, .. } = &node.kind {
            self.reduces = true;
            self.words.push(axes.len());
            self.words.extend_from_slice(axes);
        }
        self.layout(&node.layout);
        for (arg, pending) in node.args.iter().zip(pending) {
            match (arg, pending) {
                (_, Some(member)) => self.words.push(member << 8 | 1),
                (Source::Scalar(scalar), _) => {
                    let at = self.scalar(scalar).unwrap_or_else(|| {
                        self.scalars.push(*scalar);
                        self.scalars.len() - 1
                    });
                    self.words.push(at << 16 | (scalar.dtype() as usize) << 8 | 2);
                }
                (Source::View(view), None) => {
                    let leaf = self.leaf(view)?;
                    self.words.push(leaf << 16 | (view.dtype as usize) << 8 | 3);
                    self.layout(&view.layout);
                }
            }
        }
        Some(())
    }

    /// The place of a pending argument, which is written down where it is new.
    fn member(&mut self, user: &Node, view: &View) -> Option<usize> {
        let guard = view.storage.lock();
        let node = guard.as_deref()?;
        let whole = node.dtype == view.dtype && node.layout == view.layout;
        if !whole || *node.layout.shape != *user.iteration() {
            return None;
        }
        let storage = view.storage.identity();
        if let Some(at) = self.members.iter().position(|seen| seen.storage == storage) {
            self.members[at].reads += 1;
            return Some(at);
        }
        let holders = Arc::strong_count(&view.storage);
        self.visit(node)?;
        let at = self.members.len();
        if at == MOST_MEMBERS {
            return None;
        }
        self.members.push(Seen { storage, reads: 1, holders });
        if holders > 1 {
            self.shared.push((at, view.storage.clone()));
        }
        Some(at)
    }

    /// The place of a ready argument.
    fn leaf(&mut self, view: &View) -> Option<usize> {
        let storage = view.storage.identity();
        if let Some(at) = self.leaves.iter().position(|leaf| *leaf == storage) {
            return Some(at);
        }
        self.buffers.push(view.storage.buffer()?);
        self.leaves.push(storage);
        Some(self.leaves.len() - 1)
    }

    fn scalar(&self, scalar: &Scalar) -> Option<usize> {
        self.scalars.iter().position(|known| known == scalar)
    }

    fn layout(&mut self, layout: &Layout) {
        self.words.push(layout.shape.len());
        self.words.push(layout.offset);
        self.words.extend_from_slice(&layout.shape);
        self.words.extend(layout.strides.iter().map(|&step| step as usize));
    }

    /// Whether other pending work reads what this reads or makes: reductions may join there.
    fn is_read_elsewhere(&self, root: &Arc<Storage>) -> bool {
        let own = |reader: Identity| {
            reader == root.identity() || self.members.iter().any(|seen| seen.storage == reader)
        };
        let mut search = Search { seen: SmallVec::new(), looked_at: Vec::new() };
        search.finds_other(root, &own)
    }
}

/// A search for pending work that reads what other work reads or makes.
struct Search {
    seen: SmallVec<[Identity; 16]>,
    looked_at: Vec<Arc<Storage>>,
}

impl Search {
    /// Whether work other than `own` reads a storage, or anything behind it that was not seen yet.
    fn finds_other(&mut self, storage: &Storage, own: &impl Fn(Identity) -> bool) -> bool {
        if self.seen.contains(&storage.identity()) {
            return false;
        }
        self.seen.push(storage.identity());
        if storage.has_pending_reader_beside(own, &mut self.looked_at) {
            return true;
        }
        let guard = storage.lock();
        guard.iter().flat_map(|node| views(node)).any(|view| self.finds_other(&view.storage, own))
    }
}

fn address_of(device: DeviceRef) -> usize {
    std::ptr::from_ref(device).cast::<()>() as usize
}

fn reduction(op: Reduction) -> usize {
    let named = || Reduction::NAMED.iter().position(|known| *known == op);
    match op {
        Reduction::Fold(op) => 1 << 16 | op as usize,
        _ => named().expect("all but folds have a name"),
    }
}

/// Takes the hash of a plan's words as it is.
#[derive(Clone, Copy)]
struct BuildIdentityHasher;

struct IdentityHasher(u64);

impl BuildHasher for BuildIdentityHasher {
    type Hasher = IdentityHasher;

    fn build_hasher(&self) -> IdentityHasher {
        IdentityHasher(0)
    }
}

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |h, b| h.rotate_left(8) ^ u64::from(*b));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
    fn finish(&self) -> u64 {
        // A table takes its place from the lower bits, and those of a product are the poorest.
        self.0 ^ self.0 >> 32
    }
}
