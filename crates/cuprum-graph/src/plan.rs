//! Planning: what runs before what, and the memory that results go to.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use cuprum_core::{Error, Layout, Result};
use smallvec::SmallVec;

use crate::builder::Built;
use crate::cluster::{Cluster, Root, views};
use crate::hooks::is_giving_memory;
use crate::parts::{boxed, boxes};
use crate::plan_cache::{CachedStep, Lookup, NotCached, Plans, Trace};
use crate::run::Reach;
use crate::shared_pass::result_made_of;
use crate::shortcuts::run_single_node;
use crate::storage::Identity;
use crate::{Buffer, DeviceCache, DeviceRef, Node, NodeArg, NodeKind, Piece, ProgramRun, Storage, View, run};

/// One plan is made and run at a time: a Program uses all the threads there are, and what it makes ready is seen whole.
static RUN: Mutex<Plans> = Mutex::new(Plans::new());

fn one_at_a_time() -> Result<MutexGuard<'static, Plans>> {
    match RUN.try_lock() {
        Ok(plans) => Ok(plans),
        Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
        // The plan that runs may be the one that asked for memory: it would wait for itself.
        Err(TryLockError::WouldBlock) if is_giving_memory() => Err(Error::device(
            "an allocator or a memory hook is called by work that runs: it cannot compute with arrays itself",
        )),
        Err(TryLockError::WouldBlock) => Ok(RUN.lock().unwrap_or_else(|e| e.into_inner())),
    }
}

/// Puts other work in the place of a storage's pending work, unless that has run by now: `false` then.
pub(crate) fn exchange(storage: &Arc<Storage>, old: &Arc<Node>, new: Arc<Node>) -> Result<bool> {
    let _none_runs = one_at_a_time()?;
    Ok(storage.exchange(old, new))
}

/// Runs what a pending storage needs, and the storage itself.
pub(crate) fn run_pending(root: &Arc<Storage>) -> Result<()> {
    let mut plans = one_at_a_time()?;
    if let Some(result) = result_made_of(root) {
        // Nobody asked for it: if it cannot be computed, whoever reads it gets the error.
        let _ = run_storage(&mut plans, &result, &mut Vec::new());
    }
    let outcome = run_storage(&mut plans, root, &mut Vec::new());
    if outcome.is_err() {
        root.set_failed();
    }
    outcome
}

/// As [`run_pending`]; `wanted` are storages that will run in any case.
fn run_storage(plans: &mut Plans, root: &Arc<Storage>, wanted: &mut Vec<Arc<Storage>>) -> Result<()> {
    let device = root.device();
    while let Some(node) = root.node() {
        if device.shortcuts().is_some()
            && let Some(buffer) = run_single_node(device, &node)
        {
            root.set_ready(buffer?);
            return Ok(());
        }
        if let Some(buffer) = run::run_take(device, &node) {
            root.set_ready(buffer?);
            return Ok(());
        }
        let mut trace = Trace::new();
        match plans.run(root, &mut trace)? {
            Lookup::Ran => return Ok(()),
            Lookup::New => {
                let mut recording = Recording { trace: &trace, steps: Ok(Vec::new()) };
                Planner { plans, wanted, recording: Some(&mut recording) }.fill(root)?;
                match recording.steps {
                    Ok(steps) => plans.keep(&trace, steps),
                    Err(NotCached::Always) => plans.keep(&trace, Vec::new()),
                    Err(NotCached::ThisTime) => {}
                }
                return Ok(());
            }
            Lookup::Apart => {
                let before = collect(root, &node).boundary;
                if before.is_empty() {
                    return Planner { plans, wanted, recording: None }.fill(root);
                }
                drop(node);
                Planner { plans, wanted, recording: None }.run_before(root, before)?;
            }
        }
    }
    Ok(())
}

/// What runs as one with a storage's pending work.
fn collect(storage: &Arc<Storage>, node: &Arc<Node>) -> Cluster {
    Cluster::collect(node.clone(), &Root { storage: Some(storage.clone()), may_cut: true, whole: None })
}

/// Broadcasts to fewer elements than this are not looked for: computing them again costs less than planning.
const REPEATED_MIN: usize = 1 << 16;

/// The pending results that have to be stored before a storage's work runs; none unless one of them is broadcast to many
/// elements, as `counted` says.
pub(crate) fn stored_before(
    storage: &Arc<Storage>,
    node: &Arc<Node>,
    counted: &Measured,
) -> Vec<Arc<Storage>> {
    if counted.repeats { collect(storage, node).boundary } else { Vec::new() }
}

/// The steps of a plan that is being made.
struct Recording<'a> {
    trace: &'a Trace,
    steps: std::result::Result<Vec<CachedStep>, NotCached>,
}

impl Recording<'_> {
    fn note(&mut self, step: std::result::Result<CachedStep, NotCached>) {
        let Ok(steps) = &mut self.steps else { return };
        match step {
            Ok(step) if step.is_empty() => {}
            Ok(step) => steps.push(step),
            Err(why) => self.steps = Err(why),
        }
    }
}

/// Runs pending work Program by Program, what others need first.
struct Planner<'a, 'b> {
    plans: &'a mut Plans,
    /// Storages that will run in any case.
    wanted: &'a mut Vec<Arc<Storage>>,
    recording: Option<&'a mut Recording<'b>>,
}

impl Planner<'_, '_> {
    /// Runs a storage's work, after what it needs.
    fn fill(&mut self, storage: &Arc<Storage>) -> Result<()> {
        while let Some(node) = storage.node() {
            if let Some(pieces) = node.pieces() {
                return self.fill_in_boxes(storage, &node, pieces.to_vec());
            }
            let mut cluster = collect(storage, &node);
            if !cluster.boundary.is_empty() {
                let before = std::mem::take(&mut cluster.boundary);
                drop((cluster, node));
                self.run_before(storage, before)?;
                continue;
            }
            if !cluster.cuts.is_empty() {
                let boxes = boxes(node.iteration(), &cluster.cuts);
                drop(cluster);
                return self.fill_in_boxes(storage, &node, boxes);
            }
            cluster.widen(self.wanted);
            let (_, built) = cluster.run(storage.device(), None)?;
            if let Some(recording) = &mut self.recording {
                // Where memory was short not all was stored.
                let step = built.ok_or(NotCached::ThisTime);
                recording
                    .note(step.and_then(|built| CachedStep::of(recording.trace, &cluster, &built, storage)));
            }
        }
        Ok(())
    }

    /// Runs storages that another one needs: as steps of its plan while one is made, else by plans of their own.
    fn run_before(&mut self, storage: &Arc<Storage>, before: Vec<Arc<Storage>>) -> Result<()> {
        let known = self.wanted.len();
        self.wanted.push(storage.clone());
        self.wanted.extend(before);
        let mut outcome = Ok(());
        for at in (known + 1..self.wanted.len()).rev() {
            let next = self.wanted[at].clone();
            outcome = match &self.recording {
                Some(recording) if recording.steps.is_ok() => self.fill(&next),
                _ => run_storage(self.plans, &next, self.wanted),
            };
            if outcome.is_err() {
                break;
            }
        }
        self.wanted.truncate(known);
        outcome
    }

    /// Runs a storage's work box by box, as Programs that each write a part of the result.
    fn fill_in_boxes(
        &mut self,
        storage: &Arc<Storage>,
        node: &Arc<Node>,
        mut boxes: Vec<Piece>,
    ) -> Result<()> {
        let device = storage.device();
        let buffer = device.allocate(node.layout.size() * node.dtype.size())?;
        boxes.retain(|piece| !piece.shape.contains(&0));
        // The largest first; equals as they were.
        boxes.sort_by_key(|piece| std::cmp::Reverse(piece.shape.iter().product::<usize>()));
        let made = self.boxes_of(storage, node, boxes, &buffer)?;
        made.run(device, buffer.clone())?;
        if let Some(recording) = &mut self.recording {
            recording.note(made.step);
        }
        storage.set_ready(buffer);
        Ok(())
    }

    /// The Programs of boxes, after everything outside that they need has run; those that store more than their box run here.
    fn boxes_of(
        &mut self,
        storage: &Arc<Storage>,
        node: &Arc<Node>,
        boxes_asked: Vec<Piece>,
        buffer: &Buffer,
    ) -> Result<BoxPrograms> {
        let device = storage.device();
        let trace = self.recording.as_ref().filter(|recording| recording.steps.is_ok()).map(|r| r.trace);
        let mut made = BoxPrograms { built: Vec::new(), step: Ok(CachedStep::default()), lines: Vec::new() };
        let mut waiting = boxes_asked;
        waiting.reverse();
        while let Some(piece) = waiting.pop() {
            let part = boxed(node, &piece).ok_or_else(|| Error::device("work that cannot be cut"))?;
            let root = Root { storage: None, may_cut: true, whole: Some(node.clone()) };
            let mut cluster = Cluster::collect(Arc::new(part), &root);
            if !cluster.boundary.is_empty() {
                let before = std::mem::take(&mut cluster.boundary);
                drop(cluster);
                self.run_before(storage, before)?;
                waiting.push(piece);
                continue;
            }
            if !cluster.cuts.is_empty() {
                let smaller = boxes(&piece.shape, &cluster.cuts);
                waiting.extend(smaller.into_iter().map(|inner| inner.moved_by(&piece.start)));
                continue;
            }
            let built = cluster.build(true);
            if built.stored.len() > 1 {
                let (_, built) = cluster.run(device, Some(buffer))?;
                if let Some(recording) = &mut self.recording {
                    let step = built.ok_or(NotCached::ThisTime);
                    recording.note(
                        step.and_then(|built| CachedStep::of(recording.trace, &cluster, &built, storage)),
                    );
                }
                continue;
            }
            if let Some(trace) = trace {
                made.add(CachedStep::of(trace, &cluster, &built, storage));
            }
            made.lines.extend(cluster.members.iter().map(|member| member.node.line));
            made.built.push(built);
        }
        Ok(made)
    }
}

/// The Programs that write one result box by box.
struct BoxPrograms {
    built: Vec<Built>,
    /// All of them as a step of a plan.
    step: std::result::Result<CachedStep, NotCached>,
    lines: Vec<u32>,
}

impl BoxPrograms {
    /// Runs them into the memory of their result.
    fn run(&self, device: DeviceRef, result: Buffer) -> Result<()> {
        let mut buffers = vec![result];
        let mut place = |buffer: &Buffer| {
            let is_same = |known: &Buffer| Arc::ptr_eq(known.keeper(), buffer.keeper());
            let is_whole =
                |known: &Buffer| (known.address(), known.bytes()) == (buffer.address(), buffer.bytes());
            buffers.iter().position(|known| is_same(known) && is_whole(known)).unwrap_or_else(|| {
                buffers.push(buffer.clone());
                buffers.len() - 1
            })
        };
        let inputs: Vec<Vec<usize>> =
            self.built.iter().map(|built| built.inputs.iter().map(&mut place).collect()).collect();
        let runs: Vec<_> = self
            .built
            .iter()
            .zip(&inputs)
            .map(|(built, inputs)| ProgramRun {
                program: &built.program,
                buffers: &buffers,
                inputs,
                outputs: &[0],
            })
            .collect();
        let reach = Reach::of(buffers.len(), runs.iter().map(|run| (run.program, run.inputs, run.outputs)))?;
        let mut caches: Vec<DeviceCache> = runs.iter().map(|_| None).collect();
        let mut caches: Vec<&mut DeviceCache> = caches.iter_mut().collect();
        run::run_together(device, &runs, &reach, &mut caches, &self.lines)
    }

    /// Adds a Program's step to that of all.
    fn add(&mut self, step: std::result::Result<CachedStep, NotCached>) {
        match (&mut self.step, step) {
            (Ok(all), Ok(one)) => all.join(one),
            (Ok(_), Err(why)) => self.step = Err(why),
            (Err(_), _) => {}
        }
    }
}

/// Runs one node that is not recorded; its pending arguments run first.
pub(crate) fn run_node(device: DeviceRef, node: Arc<Node>) -> Result<Buffer> {
    if node.pieces().is_some() {
        let storage = Storage::pending(device, node);
        return storage.force();
    }
    let (mut cluster, _guard) = ready_cluster(node, |_, _| false)?;
    Ok(cluster.run(device, None)?.0)
}

/// Runs one node into memory that exists, laid out as the node says; pending arguments fuse with it. Leaves for which
/// `clash` holds get memory of their own first; it is told whether each element is read by the step that writes it.
pub(crate) fn run_node_into(
    device: DeviceRef,
    node: Arc<Node>,
    target: &Buffer,
    clash: impl Fn(&View, bool) -> bool,
) -> Result<()> {
    let (mut cluster, _guard) = ready_cluster(node, clash)?;
    cluster.run(device, Some(target))?;
    Ok(())
}

/// The cluster of a node, after all work that it needs from outside has run. The lock is held if the cluster makes other
/// storages ready.
fn ready_cluster(
    mut node: Arc<Node>,
    clash: impl Fn(&View, bool) -> bool,
) -> Result<(Cluster, Option<MutexGuard<'static, Plans>>)> {
    loop {
        let mut cluster = Cluster::collect(node.clone(), &Root::default());
        let mut guard = None;
        if cluster.boundary.is_empty() && cluster.members.len() > 1 {
            guard = Some(one_at_a_time()?);
            cluster = Cluster::collect(node.clone(), &Root::default());
        }
        if cluster.boundary.is_empty() {
            if !cluster.clashes(&clash) {
                return Ok((cluster, guard));
            }
            drop(guard);
            node = Arc::new(separated(&node, &clash)?);
            continue;
        }
        drop(guard);
        for storage in std::mem::take(&mut cluster.boundary) {
            storage.force()?;
        }
    }
}

/// The node with every pending argument run and every clashing one copied.
fn separated(node: &Node, clash: &impl Fn(&View, bool) -> bool) -> Result<Node> {
    let mut args = node.args.clone();
    for (at, arg) in args.iter_mut().enumerate() {
        let NodeArg::View(view) = arg else { continue };
        view.storage.force()?;
        let is_table = at == 0 && node.is_take();
        if clash(view, !is_table) {
            *view = copied(view)?;
        }
    }
    Ok(Node { kind: node.kind.clone(), args, layout: node.layout.clone(), ..*node })
}

fn copied(view: &View) -> Result<View> {
    let device = view.storage.device();
    let layout = Layout::contiguous(&view.layout.shape, view.dtype.size());
    let node = Node {
        kind: NodeKind::Cast,
        args: SmallVec::from_elem(NodeArg::View(view.clone()), 1),
        layout: layout.clone(),
        dtype: view.dtype,
        depth: 1,
        leaves: 1,
        line: 0,
    };
    let buffer = run_node(device, Arc::new(node))?;
    Ok(View::of(Storage::ready(device, buffer), layout, view.dtype))
}

/// What is really behind a node.
pub(crate) struct Measured {
    /// Pending nodes and ready arrays, shared ones counted once.
    pub(crate) bounds: (usize, usize),
    /// Whether a pending result is broadcast to many elements.
    repeats: bool,
}

/// Looks at everything pending behind a node.
pub(crate) fn measure(node: &Node) -> Measured {
    let mut count =
        Count { seen: SmallVec::new(), filter: [0; FILTER_WORDS], nodes: 1, leaves: 0, repeats: false };
    count.add(node);
    Measured { bounds: (count.nodes, count.leaves), repeats: count.repeats }
}

/// Words of the filter that recognises most storages that have not been counted yet without a search.
const FILTER_WORDS: usize = 16;

struct Count {
    seen: SmallVec<[Identity; 64]>,
    filter: [u64; FILTER_WORDS],
    nodes: usize,
    leaves: usize,
    repeats: bool,
}

impl Count {
    /// Counts what is behind a node.
    fn add(&mut self, node: &Node) {
        for view in views(node) {
            if !self.is_new(view.storage.identity()) {
                continue;
            }
            if !view.storage.is_pending() {
                self.leaves += 1;
                continue;
            }
            match view.storage.lock().as_deref() {
                Some(inner) => {
                    let size = view.layout.size();
                    self.repeats |= size >= REPEATED_MIN && size * view.dtype.size() > view.storage.bytes();
                    self.nodes += 1;
                    self.add(inner);
                }
                None => self.leaves += 1,
            }
        }
    }

    fn is_new(&mut self, storage: Identity) -> bool {
        let hash = (storage as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (word, bit) = ((hash >> 60) as usize % FILTER_WORDS, 1u64 << (hash >> 54 & 63));
        if self.filter[word] & bit != 0 && self.seen.contains(&storage) {
            return false;
        }
        self.filter[word] |= bit;
        self.seen.push(storage);
        true
    }
}

impl Cluster {
    /// Builds the Program, runs it and makes its storages ready; returns the root's memory, and what was built where that
    /// had memory for all its results.
    fn run(&mut self, device: DeviceRef, target: Option<&Buffer>) -> Result<(Buffer, Option<Built>)> {
        let mut built = self.build(true);
        let mut whole = true;
        let outputs = match self.allocate(device, &built.stored, target) {
            // All but the root can wait: it stays pending, and is computed again if it is read.
            Err(Error::Memory { .. }) if built.stored.len() > 1 => {
                self.narrow();
                whole = false;
                built = self.build(false);
                self.allocate(device, &built.stored, target)?
            }
            outcome => outcome?,
        };
        let lines: SmallVec<[u32; 8]> = self.members.iter().map(|member| member.node.line).collect();
        run::run(device, &built.program, &built.inputs, &outputs, &lines)?;
        let root = built.stored.iter().position(|&at| at == self.root);
        let root = outputs[root.expect("the root is always stored")].clone();
        for (&at, buffer) in built.stored.iter().zip(outputs) {
            if let Some(storage) = &self.members[at].storage {
                storage.set_ready(buffer);
            }
        }
        Ok((root, whole.then_some(built)))
    }

    /// Memory for the results that are stored; the root's is `target` where that is given.
    fn allocate(&self, device: DeviceRef, stored: &[usize], target: Option<&Buffer>) -> Result<Vec<Buffer>> {
        let memory = |&at: &usize| match target {
            Some(buffer) if at == self.root => Ok(buffer.clone()),
            _ => device.allocate(self.member_bytes(at)),
        };
        stored.iter().map(memory).collect()
    }
}
