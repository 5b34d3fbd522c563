//! Planning: what runs before what, and the memory that results go to.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use cuprum_core::{Error, Layout, Result};
use smallvec::SmallVec;

use crate::builder::Built;
use crate::cluster::{Cluster, views};
use crate::hooks::is_giving_memory;
use crate::plan_cache::{Plans, Trace};
use crate::shortcuts::run_single_node;
use crate::{Buffer, DeviceRef, Node, NodeKind, Source, Storage, View, run};

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

/// Runs what a pending storage needs, and the storage itself.
pub(crate) fn run_pending(root: &Arc<Storage>) -> Result<()> {
    let mut plans = one_at_a_time()?;
    if !root.is_pending() {
        return Ok(());
    }
    let device = root.device();
    if device.shortcuts().is_some()
        && let Some(node) = root.node()
        && let Some(buffer) = run_single_node(device, &node)
    {
        root.set_ready(buffer?);
        return Ok(());
    }
    let mut trace = Trace::new();
    if plans.run(root, &mut trace)? {
        return Ok(());
    }
    let mut first = Some(trace);
    let mut stack = vec![root.clone()];
    while let Some(top) = stack.last() {
        let trace = match first.take() {
            Some(trace) => trace,
            None => {
                let mut trace = Trace::new();
                if plans.run(top, &mut trace)? {
                    stack.pop();
                    continue;
                }
                trace
            }
        };
        let Some(node) = top.node() else {
            stack.pop();
            continue;
        };
        let mut cluster = Cluster::collect(node, Some(top));
        if !cluster.boundary.is_empty() {
            stack.extend(cluster.boundary);
            continue;
        }
        cluster.widen(&stack);
        let (_, built) = cluster.run(top.device(), None)?;
        if let Some(built) = built {
            plans.keep(&trace, &cluster, built);
        }
        stack.pop();
    }
    Ok(())
}

/// Runs one node that is not recorded; its pending arguments run first.
pub(crate) fn run_node(device: DeviceRef, node: Arc<Node>) -> Result<Buffer> {
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

/// The cluster of a node after everything outside it that it needs has run, under the lock where it makes others'
/// storages ready.
fn ready_cluster(
    mut node: Arc<Node>,
    clash: impl Fn(&View, bool) -> bool,
) -> Result<(Cluster, Option<MutexGuard<'static, Plans>>)> {
    loop {
        let mut cluster = Cluster::collect(node.clone(), None);
        let mut guard = None;
        if cluster.boundary.is_empty() && cluster.members.len() > 1 {
            guard = Some(one_at_a_time()?);
            cluster = Cluster::collect(node.clone(), None);
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
    for arg in &mut args {
        let Source::View(view) = arg else { continue };
        view.storage.force()?;
        if clash(view, true) {
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
        args: SmallVec::from_elem(Source::View(view.clone()), 1),
        layout: layout.clone(),
        dtype: view.dtype,
        depth: 1,
        leaves: 1,
    };
    let buffer = run_node(device, Arc::new(node))?;
    Ok(View::of(Storage::ready(device, buffer), layout, view.dtype))
}

/// How many nodes and leaves are really behind a node, shared ones counted once.
pub(crate) fn measure(node: &Node) -> (usize, usize) {
    let mut nodes: Vec<*const Storage> = Vec::new();
    let mut leaves: Vec<*const Storage> = Vec::new();
    let mut stack: Vec<Arc<Storage>> = views(node).map(|v| v.storage.clone()).collect();
    while let Some(storage) = stack.pop() {
        let pointer = Arc::as_ptr(&storage);
        match storage.node() {
            Some(inner) if !nodes.contains(&pointer) => {
                nodes.push(pointer);
                stack.extend(views(&inner).map(|v| v.storage.clone()));
            }
            None if !leaves.contains(&pointer) => leaves.push(pointer),
            _ => {}
        }
    }
    (nodes.len() + 1, leaves.len())
}

impl Cluster {
    /// Builds the Program, runs it and makes its storages ready; returns the root's memory, and what was built where that
    /// had memory for all its results.
    fn run(&mut self, device: DeviceRef, target: Option<&Buffer>) -> Result<(Buffer, Option<Built>)> {
        let mut built = self.build(true);
        let mut whole = true;
        let outputs = match self.allocate(device, &built.stored, target) {
            // All but the root can wait: it stays pending, and is computed again if somebody looks.
            Err(Error::Memory { .. }) if built.stored.len() > 1 => {
                self.narrow();
                whole = false;
                built = self.build(false);
                self.allocate(device, &built.stored, target)?
            }
            outcome => outcome?,
        };
        run::run(device, &built.program, &built.inputs, &outputs)?;
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
        let memory = |&at: &usize| {
            let node = &self.members[at].node;
            match target {
                Some(buffer) if at == self.root => Ok(buffer.clone()),
                _ => device.allocate(node.layout.size() * node.dtype.size()),
            }
        };
        stored.iter().map(memory).collect()
    }
}
