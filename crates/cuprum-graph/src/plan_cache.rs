//! Plans made before: pending work of a structure that has run already is neither clustered nor built again.
//!
//! A walk over the pending nodes writes down everything that a plan depends on as a key, a list of integers: the device,
//! ops, dtypes, layouts, which arguments coincide and which results are still referenced. Work with equal keys has the same
//! plan: the Programs that it takes, in order. Keys are compared in full.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use cuprum_core::{Layout, Reduction, Result, Scalar};
use smallvec::SmallVec;

use crate::builder::Built;
use crate::cluster::{Cluster, views};
use crate::run::Reach;
use crate::storage::Identity;
use crate::{
    Buffer, DeviceCache, DeviceRef, Node, NodeArg, NodeKind, Program, ProgramRun, Storage, View, run,
};

/// How many plans are kept; one more, and all are forgotten.
const MAX_PLANS: usize = 1024;
/// Work of more nodes than this is planned each time. The bits of one number of the key tell which of them are held.
const MAX_MEMBERS: usize = 64;

/// The plans that are known, by the hash of their keys.
pub(crate) struct Plans {
    known: HashMap<u64, SmallVec<[CachedPlan; 1]>, BuildIdentityHasher>,
    count: usize,
}

/// A plan: the Programs that a piece of work is, in a trace with an equal key.
struct CachedPlan {
    key: Box<[usize]>,
    /// In the order in which they run; none where work with this key is planned each time.
    steps: Vec<CachedStep>,
    /// The results that are stored, each with the last step that reads or writes it.
    stored: SmallVec<[(usize, usize); 2]>,
}

/// What runs as one: a Program, or several that each write a box of one result.
#[derive(Default)]
pub(crate) struct CachedStep {
    runs: SmallVec<[CachedRun; 1]>,
    /// What several Programs read and write, made when they first run.
    joined: Option<Joined>,
}

/// The places in a table of buffers of what a Program reads, and of what it writes.
type Places = (SmallVec<[usize; 8]>, SmallVec<[usize; 1]>);

/// What several Programs that run as one read and write.
struct Joined {
    /// Each of their buffers once.
    table: SmallVec<[Read; 4]>,
    /// The places in the table of each of them.
    places: Vec<Places>,
    reach: Reach,
}

/// A Program, and what its buffers and scalars are in the trace.
struct CachedRun {
    program: Program,
    inputs: SmallVec<[Read; 4]>,
    /// Whether the inputs are the trace's leaves as it has them.
    in_order: bool,
    /// The scalar that each parameter is, the epilogue's after the others.
    params: SmallVec<[usize; 4]>,
    /// The result that each output is, or is a box of, and its size in bytes.
    outputs: SmallVec<[(usize, usize); 1]>,
    remembered: DeviceCache,
}

/// What a step reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// An array that is ready before.
    Leaf(usize),
    /// The result of a step before.
    Result(usize),
}

/// What is known about pending work.
pub(crate) enum Lookup {
    /// It has run, by the plan that was kept.
    Ran,
    /// Nothing: a plan may be kept.
    New,
    /// No plan can be kept or used: its parts are planned by themselves.
    Apart,
}

/// Why a step cannot be kept.
pub(crate) enum NotCached {
    /// It depends on more than the key.
    Always,
    /// Other work has joined this time.
    ThisTime,
}

/// What was found on a walk over pending work.
pub(crate) struct Trace {
    key: SmallVec<[usize; 64]>,
    hash: u64,
    /// Pending results, each after its arguments; the root, which is the last, is not among them.
    members: SmallVec<[MemberUse; 8]>,
    /// The ready arrays that are read.
    leaves: SmallVec<[Identity; 8]>,
    buffers: SmallVec<[Buffer; 8]>,
    scalars: SmallVec<[Scalar; 4]>,
    /// The lines that recorded the members, where a profiler listens.
    lines: SmallVec<[u32; 8]>,
    /// The members that are referenced by more than one argument.
    shared: SmallVec<[(usize, Arc<Storage>); 2]>,
    reduces: bool,
    root: Identity,
}

/// A member: how often it is read, and how many held it when it was found.
struct MemberUse {
    storage: Identity,
    reads: usize,
    holders: usize,
}

impl MemberUse {
    /// Whether it is referenced by more than the work that reads it.
    fn is_held(&self) -> bool {
        self.holders > self.reads
    }
}

impl Plans {
    pub(crate) const fn new() -> Plans {
        Plans { known: HashMap::with_hasher(BuildIdentityHasher), count: 0 }
    }

    /// Runs a pending storage by a plan that is known, if there is one. What was found on the way is left in `trace`, for
    /// [`Plans::keep`].
    pub(crate) fn run(&mut self, root: &Arc<Storage>, trace: &mut Trace) -> Result<Lookup> {
        let mut found = Lookup::Apart;
        if trace.walk(root).is_some() {
            let known = self.known.get_mut(&trace.hash);
            match known.and_then(|known| known.iter_mut().find(|k| *k.key == *trace.key)) {
                None => found = Lookup::New,
                Some(known) => {
                    let may_be_joined = || trace.reduces && trace.is_read_elsewhere(root);
                    let has_plan = !known.steps.is_empty();
                    if has_plan
                        && !may_be_joined()
                        && let Some(outcome) = known.run(root, trace)
                    {
                        outcome?;
                        found = Lookup::Ran;
                    }
                }
            }
        }
        // References of our own would count as the program's.
        trace.shared.clear();
        trace.buffers.clear();
        Ok(found)
    }

    /// Keeps the plan that was made for a trace; without steps, that there is none.
    pub(crate) fn keep(&mut self, trace: &Trace, steps: Vec<CachedStep>) {
        if self.count >= MAX_PLANS {
            self.known.clear();
            self.count = 0;
        }
        self.known.entry(trace.hash).or_default().push(CachedPlan::of(trace, steps));
        self.count += 1;
    }
}

impl CachedPlan {
    fn of(trace: &Trace, steps: Vec<CachedStep>) -> CachedPlan {
        let mut stored: SmallVec<[(usize, usize); 2]> = SmallVec::new();
        for (at, step) in steps.iter().enumerate() {
            for &(result, _) in step.outputs() {
                if !stored.iter().any(|known| known.0 == result) {
                    stored.push((result, at));
                }
            }
            let uses = |result: usize| {
                let mut inputs = step.runs.iter().flat_map(|run| &run.inputs);
                inputs.any(|read| *read == Read::Result(result)) || step.outputs().any(|out| out.0 == result)
            };
            stored.iter_mut().filter(|known| uses(known.0)).for_each(|known| known.1 = at);
        }
        CachedPlan { key: trace.key.as_slice().into(), steps, stored }
    }

    /// Runs the plan on what a trace with its key has found; `None` where there is no memory for all results.
    fn run(&mut self, root: &Arc<Storage>, trace: &Trace) -> Option<Result<()>> {
        let device = root.device();
        let result_of_all = trace.members.len();
        let holder =
            |result: usize| trace.shared.iter().find(|(at, _)| *at == result).map(|(_, storage)| storage);
        let mut results: SmallVec<[(usize, Buffer); 2]> = SmallVec::new();
        for (at, step) in self.steps.iter_mut().enumerate() {
            for &(result, bytes) in step.outputs() {
                if !results.iter().any(|(known, _)| *known == result) {
                    results.push((result, device.allocate(bytes).ok()?));
                }
            }
            if let Err(error) = step.run(device, trace, &results) {
                return Some(Err(error));
            }
            let is_done = |result: usize| self.stored.contains(&(result, at));
            results.retain(|(result, _)| {
                *result == result_of_all || holder(*result).is_some() || !is_done(*result)
            });
        }
        for (result, buffer) in results {
            if result == result_of_all {
                root.set_ready(buffer);
            } else if let Some(storage) = holder(result) {
                storage.set_ready(buffer);
            }
        }
        Some(Ok(()))
    }
}

impl CachedStep {
    /// The step as the trace has it, where it is a function of the trace's key alone; the cluster's root is what fills the
    /// storage, or a box of that.
    pub(crate) fn of(
        trace: &Trace,
        cluster: &Cluster,
        built: &Built,
        filled: &Storage,
    ) -> std::result::Result<CachedStep, NotCached> {
        let place = |at: usize| {
            let storage = match &cluster.members[at].storage {
                _ if at == cluster.root => filled.identity(),
                Some(storage) => storage.identity(),
                None => return None,
            };
            trace.result(storage)
        };
        if (0..cluster.members.len()).any(|at| place(at).is_none()) {
            return Err(NotCached::ThisTime);
        }
        // The values of scalars are no part of the key, and conversions have changed them.
        if built.converts_scalars {
            return Err(NotCached::Always);
        }
        let outputs = built.stored.iter().map(|&at| Some((place(at)?, cluster.result_bytes(at)))).collect();
        let read = |storage: &Identity| {
            let leaf = trace.leaves.iter().position(|leaf| leaf == storage).map(Read::Leaf);
            leaf.or_else(|| trace.result(*storage).map(Read::Result))
        };
        let inputs: Option<SmallVec<[Read; 4]>> = built.sources.iter().map(read).collect();
        let late = built.program.reduce.iter().flat_map(|reduce| &reduce.epilogue.params);
        let params: Option<_> =
            built.program.params.iter().chain(late).map(|param| trace.scalar(param)).collect();
        let (Some(outputs), Some(inputs), Some(params)) = (outputs, inputs, params) else {
            return Err(NotCached::Always);
        };
        let in_order = inputs.iter().copied().eq((0..trace.leaves.len()).map(Read::Leaf));
        let program = built.program.clone();
        let run = CachedRun { program, inputs, in_order, params, outputs, remembered: None };
        Ok(CachedStep { runs: SmallVec::from_iter([run]), joined: None })
    }

    /// Whether there is nothing to run.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds what another step runs, another box of the same result.
    pub(crate) fn join(&mut self, other: CachedStep) {
        self.runs.extend(other.runs);
        self.joined = None;
    }

    /// The results that it writes, and their sizes in bytes.
    fn outputs(&self) -> impl Iterator<Item = &(usize, usize)> {
        self.runs.iter().flat_map(|run| &run.outputs)
    }

    fn run(&mut self, device: DeviceRef, trace: &Trace, results: &[(usize, Buffer)]) -> Result<()> {
        let result = |at: usize| {
            let found = results.iter().find(|(result, _)| *result == at);
            &found.expect("a step comes after those whose results it reads").1
        };
        for run in &mut self.runs {
            run.set_params(trace);
        }
        if let [run] = &mut self.runs[..] {
            let gathered = run.gathered(trace, result);
            let inputs = gathered.as_deref().unwrap_or(&trace.buffers);
            let outputs: SmallVec<[Buffer; 2]> =
                run.outputs.iter().map(|(at, _)| result(*at).clone()).collect();
            return run::run_again(device, &run.program, &mut run.remembered, inputs, &outputs, &trace.lines);
        }
        let joined = match &mut self.joined {
            Some(joined) => joined,
            empty => empty.insert(Joined::of(&self.runs)?),
        };
        let buffers = joined.buffers(trace, result);
        let (mut runs, mut remembered): (SmallVec<[_; 16]>, SmallVec<[_; 16]>) = Default::default();
        for (run, (inputs, outputs)) in self.runs.iter_mut().zip(&joined.places) {
            runs.push(ProgramRun { program: &run.program, buffers: &buffers, inputs, outputs });
            remembered.push(&mut run.remembered);
        }
        run::run_together(device, &runs, &joined.reach, &mut remembered, &trace.lines)
    }
}

impl Joined {
    fn of(runs: &[CachedRun]) -> Result<Joined> {
        let mut table: SmallVec<[Read; 4]> = SmallVec::new();
        let mut place = |read: Read| {
            table.iter().position(|known| *known == read).unwrap_or_else(|| {
                table.push(read);
                table.len() - 1
            })
        };
        let mut places: Vec<Places> = Vec::new();
        for run in runs {
            let inputs = run.inputs.iter().map(|read| place(*read)).collect();
            let outputs = run.outputs.iter().map(|(at, _)| place(Read::Result(*at))).collect();
            places.push((inputs, outputs));
        }
        let all = runs
            .iter()
            .zip(&places)
            .map(|(run, (inputs, outputs))| (&run.program, &inputs[..], &outputs[..]));
        let reach = Reach::of(table.len(), all)?;
        Ok(Joined { table, places, reach })
    }

    /// The buffers of the table.
    fn buffers<'a>(&self, trace: &'a Trace, result: impl Fn(usize) -> &'a Buffer) -> SmallVec<[Buffer; 4]> {
        let buffer = |read: &Read| match *read {
            Read::Leaf(leaf) => trace.buffers[leaf].clone(),
            Read::Result(at) => result(at).clone(),
        };
        self.table.iter().map(buffer).collect()
    }
}

impl CachedRun {
    /// Gives the Program the trace's scalars.
    fn set_params(&mut self, trace: &Trace) {
        let late = self.program.reduce.iter_mut().flat_map(|reduce| &mut reduce.epilogue.params);
        for (param, &at) in self.program.params.iter_mut().chain(late).zip(&self.params) {
            *param = trace.scalars[at];
        }
    }

    /// What the Program reads; `None` where that is what the trace has, in its order.
    fn gathered<'a>(
        &self,
        trace: &Trace,
        result: impl Fn(usize) -> &'a Buffer,
    ) -> Option<SmallVec<[Buffer; 4]>> {
        let buffer = |read: &Read| match *read {
            Read::Leaf(leaf) => trace.buffers[leaf].clone(),
            Read::Result(at) => result(at).clone(),
        };
        (!self.in_order).then(|| self.inputs.iter().map(buffer).collect())
    }
}

impl Trace {
    pub(crate) fn new() -> Trace {
        Trace {
            key: SmallVec::new(),
            hash: 0,
            members: SmallVec::new(),
            leaves: SmallVec::new(),
            buffers: SmallVec::new(),
            scalars: SmallVec::new(),
            lines: SmallVec::new(),
            shared: SmallVec::new(),
            reduces: false,
            root: 0,
        }
    }

    /// Walks over everything pending behind a storage; `None` where that is too much.
    fn walk(&mut self, root: &Arc<Storage>) -> Option<()> {
        self.root = root.identity();
        self.key.push(address_of(root.device()));
        self.visit(root.lock().as_deref()?)?;
        let members = self.members.iter().enumerate();
        let held = members.fold(0, |bits, (at, seen)| bits | usize::from(seen.is_held()) << at);
        self.key.push(held);
        let mix = |hash: u64, part: &usize| {
            (hash.rotate_left(5) ^ *part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        self.hash = self.key.iter().fold(0, mix);
        Some(())
    }

    /// Writes down a node after everything pending behind it.
    fn visit(&mut self, node: &Node) -> Option<()> {
        let mut pending: SmallVec<[Option<(usize, bool)>; 4]> = SmallVec::new();
        for arg in &node.args {
            pending.push(match arg {
                NodeArg::View(view) if view.storage.is_pending() => Some(self.member(view)?),
                _ => None,
            });
        }
        if node.line != 0 {
            self.lines.push(node.line);
        }
        let (kind, dtype) = match &node.kind {
            NodeKind::Map { op, dtype } => (*op as usize, *dtype as usize),
            NodeKind::Cast => (1 << 8, 0),
            NodeKind::Iota { axis } => (2 << 8 | axis << 40, 0),
            NodeKind::Reduce { op, dtype, .. } => (3 << 8 | reduction(*op), *dtype as usize),
            NodeKind::Pieces { .. } => (4 << 8, 0),
            NodeKind::Take { .. } => (5 << 8, 0),
        };
        let kind = kind | dtype << 24 | (node.dtype as usize) << 32 | node.args.len() << 56;
        self.key.push(kind);
        if let NodeKind::Reduce { axes, .. } = &node.kind {
            self.reduces = true;
            self.key.push(axes.len());
            self.key.extend_from_slice(axes);
        }
        for piece in node.pieces().unwrap_or_default() {
            self.key.extend_from_slice(&piece.start);
            self.key.extend_from_slice(&piece.shape);
        }
        self.layout(&node.layout, node.dtype.size());
        for (arg, pending) in node.args.iter().zip(pending) {
            match (arg, pending) {
                (_, Some((member, true))) => self.key.push(member << 8 | 1),
                (NodeArg::View(view), Some((member, false))) => {
                    self.key.push(member << 16 | (view.dtype as usize) << 8 | 4);
                    self.layout(&view.layout, view.dtype.size());
                }
                (NodeArg::Scalar(scalar), _) => {
                    let at = self.scalar(scalar).unwrap_or_else(|| {
                        self.scalars.push(*scalar);
                        self.scalars.len() - 1
                    });
                    self.key.push(at << 16 | (scalar.dtype() as usize) << 8 | 2);
                }
                (NodeArg::View(view), None) => {
                    let leaf = self.leaf(view)?;
                    self.key.push(leaf << 16 | (view.dtype as usize) << 8 | 3);
                    self.layout(&view.layout, view.dtype.size());
                }
            }
        }
        Some(())
    }

    /// The place of a pending argument, which is written down where it is new, and whether all of it is read.
    fn member(&mut self, view: &View) -> Option<(usize, bool)> {
        let guard = view.storage.lock();
        let node = guard.as_deref()?;
        let is_whole = node.dtype == view.dtype && node.layout == view.layout;
        let storage = view.storage.identity();
        // Most read what came just before.
        if let Some(at) = self.members.iter().rposition(|seen| seen.storage == storage) {
            self.members[at].reads += 1;
            return Some((at, is_whole));
        }
        let holders = Arc::strong_count(&view.storage);
        self.visit(node)?;
        let at = self.members.len();
        if at == MAX_MEMBERS {
            return None;
        }
        self.members.push(MemberUse { storage, reads: 1, holders });
        if holders > 1 {
            self.shared.push((at, view.storage.clone()));
        }
        Some((at, is_whole))
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

    /// The place of a pending result; the root comes after the members.
    fn result(&self, storage: Identity) -> Option<usize> {
        if storage == self.root {
            return Some(self.members.len());
        }
        self.members.iter().position(|seen| seen.storage == storage)
    }

    fn scalar(&self, scalar: &Scalar) -> Option<usize> {
        self.scalars.iter().position(|known| known == scalar)
    }

    /// Writes down a layout; of rows of rows from the beginning on the shape says all.
    fn layout(&mut self, layout: &Layout, size: usize) {
        if layout.offset == 0 && has_steps_of_rows(layout, size) {
            self.key.push(layout.shape.len() | 1 << 8);
            self.key.extend_from_slice(&layout.shape);
            return;
        }
        self.key.push(layout.shape.len());
        self.key.push(layout.offset);
        self.key.extend_from_slice(&layout.shape);
        self.key.extend(layout.strides.iter().map(|&step| step as usize));
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
        if storage.has_other_pending_reader(own, &mut self.looked_at) {
            return true;
        }
        let guard = storage.lock();
        guard.iter().flat_map(|node| views(node)).any(|view| self.finds_other(&view.storage, own))
    }
}

/// Whether all steps are those of rows of rows, also along axes of one element.
fn has_steps_of_rows(layout: &Layout, size: usize) -> bool {
    let mut step = size as isize;
    layout.shape.iter().zip(&layout.strides).rev().all(|(&length, &stride)| {
        let is_same = stride == step;
        step = step.wrapping_mul(length as isize);
        is_same
    })
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

/// Takes the hash of a plan's key as it is.
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
