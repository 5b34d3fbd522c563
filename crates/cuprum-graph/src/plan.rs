//! Planning: which pending nodes run together, and the Program that they become.

use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_core::{DType, Error, Layout, Result, Scalar};
use smallvec::SmallVec;

use crate::program::{Input, Instr, InstrKind, Output, Program, Reduce, Reg};
use crate::{Buffer, DeviceRef, Node, NodeKind, Source, Storage, View, log};

/// One plan is made and run at a time: a Program uses all the threads there are, and what it makes ready is seen whole.
static RUN: Mutex<()> = Mutex::new(());

/// Runs what a pending storage needs, and the storage itself.
pub(crate) fn run_pending(root: &Arc<Storage>) -> Result<Buffer> {
    let _one_at_a_time = RUN.lock().unwrap_or_else(|e| e.into_inner());
    let mut stack = vec![root.clone()];
    while let Some(top) = stack.last() {
        let Some(node) = top.node() else {
            stack.pop();
            continue;
        };
        let cluster = Cluster::collect(node, Some(top));
        if !cluster.boundary.is_empty() {
            stack.extend(cluster.boundary);
            continue;
        }
        cluster.run(top.device(), None)?;
        stack.pop();
    }
    root.buffer().ok_or_else(|| Error::device("a forced array has no memory"))
}

/// Runs one node that is not recorded; its pending arguments run first.
pub(crate) fn run_node(device: DeviceRef, node: Arc<Node>) -> Result<Buffer> {
    let (cluster, _guard) = ready_cluster(node, |_| false)?;
    cluster.run(device, None)
}

/// Runs one node into memory that exists, laid out as the node says; pending arguments fuse with it. Leaves for which
/// `clash` holds get memory of their own first.
pub(crate) fn run_node_into(
    device: DeviceRef,
    node: Arc<Node>,
    target: &Buffer,
    clash: impl Fn(&View) -> bool,
) -> Result<()> {
    let (cluster, _guard) = ready_cluster(node, clash)?;
    cluster.run(device, Some(target))?;
    Ok(())
}

/// The cluster of a node after everything outside it that it needs has run, under the lock where it makes others'
/// storages ready.
fn ready_cluster(
    mut node: Arc<Node>,
    clash: impl Fn(&View) -> bool,
) -> Result<(Cluster, Option<MutexGuard<'static, ()>>)> {
    loop {
        let mut cluster = Cluster::collect(node.clone(), None);
        let mut guard = None;
        if cluster.boundary.is_empty() && cluster.members.len() > 1 {
            guard = Some(RUN.lock().unwrap_or_else(|e| e.into_inner()));
            cluster = Cluster::collect(node.clone(), None);
        }
        if cluster.boundary.is_empty() {
            if !cluster.leaves().any(&clash) {
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
fn separated(node: &Node, clash: &impl Fn(&View) -> bool) -> Result<Node> {
    let mut args = node.args.clone();
    for arg in &mut args {
        let Source::View(view) = arg else { continue };
        view.storage.force()?;
        if clash(view) {
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
    let mut stack: Vec<Arc<Storage>> = pending_views(node).map(|v| v.storage.clone()).collect();
    while let Some(storage) = stack.pop() {
        let pointer = Arc::as_ptr(&storage);
        match storage.node() {
            Some(inner) if !nodes.contains(&pointer) => {
                nodes.push(pointer);
                stack.extend(pending_views(&inner).map(|v| v.storage.clone()));
            }
            None if !leaves.contains(&pointer) => leaves.push(pointer),
            _ => {}
        }
    }
    (nodes.len() + 1, leaves.len())
}

fn pending_views(node: &Node) -> impl Iterator<Item = &View> {
    node.args.iter().filter_map(|arg| match arg {
        Source::View(view) => Some(view),
        Source::Scalar(_) => None,
    })
}

/// Pending nodes that run as one Program: the last is the root.
struct Cluster {
    members: Vec<Member>,
    /// Pending storages that the members read but that cannot join them.
    boundary: Vec<Arc<Storage>>,
}

struct Member {
    /// The storage that the node fills; the root of a direct run has none.
    storage: Option<Arc<Storage>>,
    node: Arc<Node>,
}

impl Cluster {
    /// Everything pending behind `root` that iterates over the same shape, arguments before their users.
    fn collect(root: Arc<Node>, storage: Option<&Arc<Storage>>) -> Cluster {
        let shape: SmallVec<[usize; 4]> = SmallVec::from_slice(root.iteration());
        let mut cluster = Cluster { members: Vec::new(), boundary: Vec::new() };
        let mut stack = vec![(Member { storage: storage.cloned(), node: root }, 0)];
        while let Some((member, next)) = stack.last_mut() {
            let Some(arg) = member.node.args.get(*next) else {
                let (member, _) = stack.pop().expect("the stack is not empty here");
                cluster.members.push(member);
                continue;
            };
            *next += 1;
            let Source::View(view) = arg else { continue };
            let Some(inner) = view.storage.node() else { continue };
            if cluster.position(&view.storage).is_some() {
                continue;
            }
            let joins = inner.is_elementwise()
                && inner.layout == view.layout
                && inner.dtype == view.dtype
                && inner.layout.shape == shape;
            if joins {
                let member = Member { storage: Some(view.storage.clone()), node: inner };
                stack.push((member, 0));
            } else if !cluster.boundary.iter().any(|b| Arc::ptr_eq(b, &view.storage)) {
                cluster.boundary.push(view.storage.clone());
            }
        }
        cluster
    }

    fn position(&self, storage: &Arc<Storage>) -> Option<usize> {
        self.members.iter().position(|m| m.storage.as_ref().is_some_and(|s| Arc::ptr_eq(s, storage)))
    }

    /// The views that members read from ready memory.
    fn leaves(&self) -> impl Iterator<Item = &View> {
        self.members
            .iter()
            .flat_map(|m| pending_views(&m.node))
            .filter(|view| self.position(&view.storage).is_none())
    }

    /// How many references to a member's storage the cluster itself holds.
    fn internal_references(&self, storage: &Arc<Storage>) -> usize {
        let reads = self.members.iter().flat_map(|m| pending_views(&m.node));
        1 + reads.filter(|view| Arc::ptr_eq(&view.storage, storage)).count()
    }

    /// Builds the Program, runs it and makes its storages ready; returns the root's memory.
    fn run(self, device: DeviceRef, target: Option<&Buffer>) -> Result<Buffer> {
        let (mut program, mut inputs, mut stored) = self.build(true);
        let outputs = match self.allocate(device, &stored, target) {
            // Interior results can wait: they stay pending, and are computed again if somebody looks.
            Err(Error::Memory { .. }) if stored.len() > 1 => {
                (program, inputs, stored) = self.build(false);
                self.allocate(device, &stored, target)?
            }
            outcome => outcome?,
        };
        log::log_run(&program);
        device.run(&program, &inputs, &outputs)?;
        let root = outputs.last().expect("the root is always stored").clone();
        for (&at, buffer) in stored.iter().zip(outputs) {
            if let Some(storage) = &self.members[at].storage {
                storage.set_ready(buffer);
            }
        }
        Ok(root)
    }

    /// Memory for the results that are stored; the root's is `target` where that is given.
    fn allocate(&self, device: DeviceRef, stored: &[usize], target: Option<&Buffer>) -> Result<Vec<Buffer>> {
        let memory = |&at: &usize| {
            let node = &self.members[at].node;
            match target {
                Some(buffer) if at + 1 == self.members.len() => Ok(buffer.clone()),
                _ => device.allocate(node.layout.size() * node.dtype.size()),
            }
        };
        stored.iter().map(memory).collect()
    }

    /// The Program, its input buffers, and the members whose results are stored, in the order of the outputs: the
    /// root and, where asked for, the interior ones that somebody holds.
    fn build(&self, interior: bool) -> (Program, Vec<Buffer>, Vec<usize>) {
        let mut builder = Builder::default();
        let mut values: Vec<Value> = Vec::with_capacity(self.members.len());
        let mut outputs: Vec<(Value, usize)> = Vec::new();
        let mut reduce = None;
        let last = self.members.len() - 1;
        for (at, member) in self.members.iter().enumerate() {
            let node = &member.node;
            let args: SmallVec<[(Value, DType); 3]> =
                node.args.iter().map(|arg| self.argument(&mut builder, &values, arg)).collect();
            let value = match &node.kind {
                NodeKind::Map { op, dtype } => {
                    let regs = args
                        .iter()
                        .enumerate()
                        .map(|(i, &(value, from))| builder.convert(value, from, op.input(i, *dtype)))
                        .collect();
                    let made = builder.emit(InstrKind::Map(*op), *dtype, op.output(*dtype), regs);
                    builder.convert(made, op.output(*dtype), node.dtype)
                }
                NodeKind::Cast => builder.convert(args[0].0, args[0].1, node.dtype),
                NodeKind::Iota { axis } => {
                    builder.emit(InstrKind::Iota(*axis), DType::I64, DType::I64, SmallVec::new())
                }
                NodeKind::Reduce { dtype, .. } => builder.convert(args[0].0, args[0].1, *dtype),
            };
            values.push(value);
            if at == last && !node.is_elementwise() {
                reduce = Some(value);
                continue;
            }
            let held =
                member.storage.as_ref().is_some_and(|s| Arc::strong_count(s) > self.internal_references(s));
            if at == last || (interior && held) {
                outputs.push((value, at));
            }
        }
        let root = &self.members[last].node;
        let mut stored: Vec<usize> = outputs.iter().map(|o| o.1).collect();
        let program = builder.finish(root, &outputs, reduce, |at| &self.members[at].node);
        if reduce.is_some() {
            stored.push(last);
        }
        (program, builder.buffers, stored)
    }

    fn argument(&self, builder: &mut Builder, values: &[Value], arg: &Source) -> (Value, DType) {
        match arg {
            Source::Scalar(scalar) => (builder.param(*scalar), scalar.dtype()),
            Source::View(view) => match self.position(&view.storage) {
                Some(at) => (values[at], view.dtype),
                None => (builder.input(view), view.dtype),
            },
        }
    }
}

/// A value while a Program is being built; registers are numbered at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Input(usize),
    Param(usize),
    Code(usize),
}

#[derive(Default)]
struct Builder {
    inputs: Vec<(Arc<Storage>, Input)>,
    buffers: Vec<Buffer>,
    params: Vec<Scalar>,
    code: Vec<(InstrKind, DType, DType, SmallVec<[Value; 3]>)>,
}

impl Builder {
    fn input(&mut self, view: &View) -> Value {
        let input = Input { dtype: view.dtype, layout: view.layout.clone() };
        let known = self.inputs.iter().position(|(s, i)| Arc::ptr_eq(s, &view.storage) && *i == input);
        Value::Input(known.unwrap_or_else(|| {
            let buffer = view.storage.buffer().expect("a leaf is ready: boundaries run first");
            self.inputs.push((view.storage.clone(), input));
            self.buffers.push(buffer);
            self.inputs.len() - 1
        }))
    }

    fn param(&mut self, scalar: Scalar) -> Value {
        Value::Param(self.params.iter().position(|p| *p == scalar).unwrap_or_else(|| {
            self.params.push(scalar);
            self.params.len() - 1
        }))
    }

    /// The value in another dtype; a scalar is converted here and now.
    fn convert(&mut self, value: Value, from: DType, to: DType) -> Value {
        if from == to {
            return value;
        }
        match value {
            Value::Param(at) => self.param(self.params[at].cast(to)),
            _ => self.emit(InstrKind::Cast, from, to, SmallVec::from_elem(value, 1)),
        }
    }

    /// The result of an instruction; the same instruction on the same values is emitted once.
    fn emit(&mut self, kind: InstrKind, dtype: DType, output: DType, args: SmallVec<[Value; 3]>) -> Value {
        let instr = (kind, dtype, output, args);
        Value::Code(self.code.iter().position(|known| *known == instr).unwrap_or_else(|| {
            self.code.push(instr);
            self.code.len() - 1
        }))
    }

    fn finish<'a>(
        &self,
        root: &Node,
        outputs: &[(Value, usize)],
        reduce: Option<Value>,
        node: impl Fn(usize) -> &'a Arc<Node>,
    ) -> Program {
        let (inputs, params) = (self.inputs.len(), self.params.len());
        let reg = |value: Value| -> Reg {
            (match value {
                Value::Input(i) => i,
                Value::Param(i) => inputs + i,
                Value::Code(i) => inputs + params + i,
            }) as Reg
        };
        let reduce = reduce.map(|value| match &root.kind {
            NodeKind::Reduce { op, dtype, axes } => Reduce {
                op: *op,
                reg: reg(value),
                dtype: *dtype,
                axes: axes.clone(),
                nesting: match &root.args[0] {
                    Source::View(view) => view.layout.nesting(),
                    Source::Scalar(_) => unreachable!("a reduction reads an array"),
                },
                output: root.dtype,
                layout: root.layout.clone(),
            },
            _ => unreachable!("only reductions set a reduced value"),
        });
        Program {
            shape: SmallVec::from_slice(root.iteration()),
            inputs: self.inputs.iter().map(|(_, input)| input.clone()).collect(),
            params: self.params.clone(),
            code: self
                .code
                .iter()
                .map(|(kind, dtype, output, args)| Instr {
                    kind: *kind,
                    dtype: *dtype,
                    output: *output,
                    args: args.iter().map(|&a| reg(a)).collect(),
                })
                .collect(),
            outputs: outputs
                .iter()
                .map(|&(value, at)| Output {
                    reg: reg(value),
                    dtype: node(at).dtype,
                    layout: node(at).layout.clone(),
                })
                .collect(),
            reduce,
        }
    }
}
