//! Building Programs: a cluster's members become instructions over the elements and over the results of reductions;
//! common subexpressions merge, and registers are numbered at the end.

use std::sync::Arc;

use cuprum_core::{DType, Dims, Layout, Scalar};
use smallvec::SmallVec;

use crate::cluster::{Cluster, Member, Stage};
use crate::program::{Input, Instr, InstrKind, Output, Program, Reduce, Reduced, Reg, Rows};
use crate::storage::Identity;
use crate::{Buffer, Node, NodeArg, NodeKind, Storage, View};

/// A value while a Program is being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    /// The result of a reduction, in the epilogue.
    Result(usize),
    Input(usize),
    Param(usize),
    Code(usize),
}

/// A Program with the buffers that it reads and the members whose results it stores, in the order of its outputs.
pub(crate) struct Built {
    pub(crate) program: Program,
    pub(crate) inputs: Vec<Buffer>,
    /// The storages of those buffers.
    pub(crate) sources: Vec<Identity>,
    pub(crate) stored: Vec<usize>,
    /// Whether a parameter is no scalar of the work, but one that was converted.
    pub(crate) converts_scalars: bool,
}

impl Cluster {
    /// The Program. The root is stored and, where asked for, everything else that is still referenced.
    pub(crate) fn build(&self, interior: bool) -> Built {
        if let Some(rows) = self.rows() {
            return self.build_rows(rows, interior);
        }
        let root = &self.members[self.root].node;
        let reduction = self.members.iter().find(|m| m.stage == Stage::Reduction);
        let shape = reduction.map_or(root.iteration(), |m| m.node.iteration());
        let mut elements = Builder::over(shape);
        let mut epilogue = Builder::over(&reduction.map_or(Dims::new(), |m| m.node.layout.shape.clone()));
        let mut results: SmallVec<[(Reduced, Value); 1]> = SmallVec::new();
        let mut values: Vec<Value> = Vec::with_capacity(self.members.len());
        for (at, member) in self.members.iter().enumerate() {
            let is_stored = at == self.root || (interior && member.part.is_none() && self.is_wanted(member));
            let value = match member.stage {
                Stage::Elements => {
                    let value = self.compute(&mut elements, &values, &member.node);
                    if is_stored {
                        elements.store(value, at);
                    }
                    value
                }
                Stage::Reduction => {
                    let (reduced, value) = self.reduced(&mut elements, &values, member);
                    let known = results.iter().position(|known| *known == (reduced.clone(), value));
                    let nth = known.unwrap_or_else(|| {
                        results.push((reduced.clone(), value));
                        epilogue
                            .results
                            .push(Input { dtype: reduced.output, layout: member.node.layout.clone() });
                        results.len() - 1
                    });
                    if is_stored {
                        epilogue.store(Value::Result(nth), at);
                    }
                    Value::Result(nth)
                }
                Stage::Results => {
                    let value = self.compute(&mut epilogue, &values, &member.node);
                    if is_stored {
                        epilogue.store(value, at);
                    }
                    value
                }
            };
            values.push(value);
        }
        let stored = elements.stored.iter().chain(&epilogue.stored).map(|&(_, at)| at).collect();
        let inputs = elements.buffers.iter().chain(&epilogue.buffers).cloned().collect();
        let sources = elements.inputs.iter().chain(&epilogue.inputs).map(|(s, _)| s.identity()).collect();
        let converts_scalars = elements.converts_scalars || epilogue.converts_scalars;
        let mut program = elements.finish(self);
        program.reduce = reduction.and_then(|member| match (&member.node.kind, &member.node.args[0]) {
            (NodeKind::Reduce { axes, .. }, NodeArg::View(view)) => Some(Reduce {
                axes: axes.clone(),
                nesting: view.layout.nesting(),
                results: results
                    .into_iter()
                    .map(|(reduced, value)| Reduced { reg: elements.reg(value), ..reduced })
                    .collect(),
                epilogue: Box::new(epilogue.finish(self)),
            }),
            _ => None,
        });
        Built { program, inputs, sources, stored, converts_scalars }
    }

    /// The Program of members that are all computed for every element of rows, or once for each row.
    fn build_rows(&self, rows: Rows, interior: bool) -> Built {
        let mut builder = Builder::over(self.members[self.root].node.iteration());
        let mut values: Vec<Value> = Vec::with_capacity(self.members.len());
        for (at, member) in self.members.iter().enumerate() {
            let value = match member.stage {
                Stage::Reduction => {
                    let (reduced, value) = self.reduced(&mut builder, &values, member);
                    let Reduced { op, dtype, output, .. } = reduced;
                    builder.emit(InstrKind::Reduce(op), dtype, output, SmallVec::from_elem(value, 1))
                }
                Stage::Elements | Stage::Results => self.compute(&mut builder, &values, &member.node),
            };
            if at == self.root || (interior && self.is_storable(member) && self.is_wanted(member)) {
                builder.store(value, at);
            }
            values.push(value);
        }
        let stored = builder.stored.iter().map(|&(_, at)| at).collect();
        let sources = builder.inputs.iter().map(|(storage, _)| storage.identity()).collect();
        let program = Program { rows: Some(rows), ..builder.finish(self) };
        let converts_scalars = builder.converts_scalars;
        Built { program, inputs: builder.buffers, sources, stored, converts_scalars }
    }

    /// What a reduction reduces; its register is filled in when all are numbered.
    fn reduced(&self, builder: &mut Builder, values: &[Value], member: &Member) -> (Reduced, Value) {
        let node = &member.node;
        let NodeKind::Reduce { op, dtype, .. } = node.kind else {
            unreachable!("only reductions are in that stage")
        };
        let (value, from) = self.argument(builder, values, &node.args[0]);
        (Reduced { op, reg: 0, dtype, output: node.dtype }, builder.convert(value, from, dtype))
    }

    /// The value of an elementwise node.
    fn compute(&self, builder: &mut Builder, values: &[Value], node: &Node) -> Value {
        let table = match &node.args[..] {
            [NodeArg::View(table), ..] if node.is_take() => Some((builder.table(table), table.dtype)),
            _ => None,
        };
        let others = node.args.iter().skip(usize::from(table.is_some()));
        let mut args: SmallVec<[(Value, DType); 3]> = table.into_iter().collect();
        args.extend(others.map(|arg| self.argument(builder, values, arg)));
        match &node.kind {
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
            NodeKind::Take { .. } => {
                let mut regs: SmallVec<[Value; 3]> = args.iter().map(|&(value, _)| value).collect();
                regs[1] = builder.convert(args[1].0, args[1].1, DType::I64);
                builder.emit(InstrKind::Take, node.dtype, node.dtype, regs)
            }
            NodeKind::Iota { axis } => {
                builder.emit(InstrKind::Iota(*axis), DType::I64, DType::I64, SmallVec::new())
            }
            NodeKind::Reduce { .. } | NodeKind::Pieces { .. } => {
                unreachable!("reductions have a stage of their own, and pieces join by the work behind them")
            }
        }
    }

    fn argument(&self, builder: &mut Builder, values: &[Value], arg: &NodeArg) -> (Value, DType) {
        match arg {
            NodeArg::Scalar(scalar) => (builder.param(*scalar), scalar.dtype()),
            NodeArg::View(view) => match self.position(view) {
                Some(at) => (values[at], view.dtype),
                None => (builder.input(view), view.dtype),
            },
        }
    }
}

/// One stage of a Program.
#[derive(Default)]
struct Builder {
    shape: Dims,
    /// The results of reductions, which come before the inputs.
    results: Vec<Input>,
    inputs: Vec<(Arc<Storage>, Input)>,
    /// The inputs that are tables.
    tables: SmallVec<[usize; 2]>,
    buffers: Vec<Buffer>,
    params: Vec<Scalar>,
    code: Vec<(InstrKind, DType, DType, SmallVec<[Value; 3]>)>,
    /// What is stored, of which members.
    stored: Vec<(Value, usize)>,
    converts_scalars: bool,
}

impl Builder {
    fn over(shape: &[usize]) -> Builder {
        Builder { shape: Dims::from_slice(shape), ..Builder::default() }
    }

    fn input(&mut self, view: &View) -> Value {
        let input = Input { dtype: view.dtype, layout: view.layout.clone() };
        let known = self.known(&view.storage, &input).find(|at| !self.tables.contains(at));
        Value::Input(known.unwrap_or_else(|| self.push_input(view, input)))
    }

    /// The table of a take: its first element, everywhere.
    fn table(&mut self, view: &View) -> Value {
        let strides = SmallVec::from_elem(0, self.shape.len());
        let layout = Layout { shape: self.shape.clone(), strides, offset: view.layout.offset };
        let input = Input { dtype: view.dtype, layout };
        let known = self.known(&view.storage, &input).find(|at| self.tables.contains(at));
        Value::Input(known.unwrap_or_else(|| {
            let at = self.push_input(view, input);
            self.tables.push(at);
            at
        }))
    }

    /// The inputs that are the same array in the same layout.
    fn known(&self, storage: &Arc<Storage>, input: &Input) -> impl Iterator<Item = usize> {
        let inputs = self.inputs.iter().enumerate();
        inputs.filter(move |(_, (s, i))| Arc::ptr_eq(s, storage) && i == input).map(|(at, _)| at)
    }

    fn push_input(&mut self, view: &View, input: Input) -> usize {
        let buffer = view.storage.buffer().expect("a leaf is ready: boundaries run first");
        self.inputs.push((view.storage.clone(), input));
        self.buffers.push(buffer);
        self.inputs.len() - 1
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
            Value::Param(at) => {
                self.converts_scalars = true;
                self.param(self.params[at].cast(to))
            }
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

    fn store(&mut self, value: Value, member: usize) {
        self.stored.push((value, member));
    }

    fn reg(&self, value: Value) -> Reg {
        let (results, inputs, params) = (self.results.len(), self.inputs.len(), self.params.len());
        (match value {
            Value::Result(i) => i,
            Value::Input(i) => results + i,
            Value::Param(i) => results + inputs + i,
            Value::Code(i) => results + inputs + params + i,
        }) as Reg
    }

    fn finish(&self, cluster: &Cluster) -> Program {
        let instr = |(kind, dtype, output, args): &(InstrKind, DType, DType, SmallVec<[Value; 3]>)| Instr {
            kind: *kind,
            dtype: *dtype,
            output: *output,
            args: args.iter().map(|&a| self.reg(a)).collect(),
        };
        let output = |&(value, member): &(Value, usize)| {
            let dtype = cluster.members[member].node.dtype;
            Output { reg: self.reg(value), dtype, layout: cluster.target_layout(member).clone() }
        };
        Program {
            shape: self.shape.clone(),
            inputs: self.results.iter().chain(self.inputs.iter().map(|(_, input)| input)).cloned().collect(),
            params: self.params.clone(),
            code: self.code.iter().map(instr).collect(),
            outputs: self.stored.iter().map(output).collect(),
            reduce: None,
            rows: None,
        }
    }
}
