//! Puts the functions that a kernel calls into it. Functions that call themselves stay calls, and so do large ones once
//! the kernel has grown large; those that wait for other threads cannot.

use super::cfg;
use crate::Diagnostic;
use crate::ir::{BlockId, End, Function, FunctionId, Inst, Local, LocalInfo, Module, Op, SlotId};

/// A kernel, and the functions that it still calls, directly or through others.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The kernel.
    pub kernel: Function,
    /// The functions that stay calls, by the numbers that calls name them with.
    pub callees: Vec<(FunctionId, Function)>,
}

/// Beyond this many instructions a function of more than [`ALWAYS_INLINE_INSTS`] stays a call if it can.
const MAX_GROWTH_INSTS: usize = 20_000;
/// What is put into its callers however large they are.
const ALWAYS_INLINE_INSTS: usize = 40;
/// The most instructions of one function.
const MAX_FUNCTION_INSTS: usize = 150_000;

/// Puts what `kernel` calls into it.
pub fn inline(module: &Module, kernel: FunctionId) -> Result<Prepared, Diagnostic> {
    let graph = CallGraph::new(module, kernel)?;
    let mut inliner = Inliner { module, graph: &graph, done: vec![None; module.functions.len()] };
    // Callees come before their callers, so what is put in is complete already.
    for &id in &graph.order {
        let function = inliner.expand(id)?;
        inliner.done[id.index()] = Some(function);
    }
    let Some(kernel) = inliner.done[kernel.index()].take() else {
        return Err(Diagnostic::error(crate::Span::default(), "there is no such kernel"));
    };
    let mut callees: Vec<(FunctionId, Function)> = Vec::new();
    let mut wanted = calls_of(&kernel);
    while let Some(id) = wanted.pop() {
        if let Some(function) = inliner.done[id.index()].take() {
            wanted.extend(calls_of(&function));
            callees.push((id, function));
        }
    }
    callees.sort_by_key(|callee| callee.0);
    Ok(Prepared { kernel, callees })
}

fn calls_of(function: &Function) -> Vec<FunctionId> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let mut calls: Vec<FunctionId> = insts
        .filter_map(|inst| match inst.op {
            Op::Call { function, .. } => Some(function),
            _ => None,
        })
        .collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// Who calls whom, as far as the kernel reaches.
struct CallGraph {
    /// All functions that are reached, callees before callers.
    order: Vec<FunctionId>,
    /// Whether it calls itself, perhaps by way of others.
    recursive: Vec<bool>,
    /// Whether it, or what it calls, waits for other threads.
    suspends: Vec<bool>,
}

impl CallGraph {
    /// Tarjan's strongly connected components, without recursion.
    fn new(module: &Module, root: FunctionId) -> Result<CallGraph, Diagnostic> {
        const UNSEEN: u32 = u32::MAX;
        let count = module.functions.len();
        let mut graph =
            CallGraph { order: Vec::new(), recursive: vec![false; count], suspends: vec![false; count] };
        let mut number = vec![UNSEEN; count];
        let mut low = vec![0_u32; count];
        let mut open = Vec::new();
        let mut is_open = vec![false; count];
        let mut next = 0;
        let mut stack = vec![(root, None::<Vec<FunctionId>>)];
        while let Some((id, calls)) = stack.last_mut() {
            let i = id.index();
            let calls = calls.get_or_insert_with(|| {
                number[i] = next;
                low[i] = next;
                next += 1;
                open.push(*id);
                is_open[i] = true;
                graph.suspends[i] = suspends(&module.functions[i]);
                let calls = calls_of(&module.functions[i]);
                graph.recursive[i] = calls.contains(id);
                calls
            });
            if let Some(callee) = calls.pop() {
                if number[callee.index()] == UNSEEN {
                    stack.push((callee, None));
                } else {
                    graph.suspends[i] |= graph.suspends[callee.index()];
                    if is_open[callee.index()] {
                        low[i] = low[i].min(number[callee.index()]);
                    }
                }
                continue;
            }
            let id = *id;
            stack.pop();
            if let Some((caller, _)) = stack.last() {
                low[caller.index()] = low[caller.index()].min(low[i]);
                graph.suspends[caller.index()] |= graph.suspends[i];
            }
            if low[i] == number[i] {
                graph.close(&mut open, &mut is_open, id);
            }
        }
        for &id in &graph.order {
            let function = &module.functions[id.index()];
            if graph.recursive[id.index()] && graph.suspends[id.index()] {
                let message = format!(
                    "`{}` calls itself and waits for other threads (a barrier, a warp collective or a grid sync); \
                     on the CPU such functions must not be recursive: write a loop",
                    function.name
                );
                return Err(Diagnostic::error(function.span, message));
            }
        }
        Ok(graph)
    }

    /// Takes the component whose first member is `first` from the open functions.
    fn close(&mut self, open: &mut Vec<FunctionId>, is_open: &mut [bool], first: FunctionId) {
        let start = open.iter().rposition(|&member| member == first).unwrap_or(0);
        let members = open.split_off(start);
        let suspends = members.iter().any(|member| self.suspends[member.index()]);
        for &member in &members {
            is_open[member.index()] = false;
            self.recursive[member.index()] |= members.len() > 1;
            self.suspends[member.index()] = suspends;
        }
        self.order.extend(members);
    }
}

/// Whether it waits for other threads itself.
fn suspends(function: &Function) -> bool {
    function.blocks.iter().flat_map(|block| &block.insts).any(|inst| inst.op.suspends())
}

fn too_large(function: &Function) -> Diagnostic {
    let message = format!(
        "`{}` has more than {MAX_FUNCTION_INSTS} instructions with the functions that it calls; make it smaller",
        function.name
    );
    Diagnostic::error(function.span, message)
}

fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.insts.len() + 1).sum()
}

struct Inliner<'a> {
    module: &'a Module,
    graph: &'a CallGraph,
    /// Functions whose calls are done.
    done: Vec<Option<Function>>,
}

impl Inliner<'_> {
    /// A copy of the function with its calls replaced.
    fn expand(&self, id: FunctionId) -> Result<Function, Diagnostic> {
        let mut function = self.module.functions[id.index()].clone();
        let mut total = size(&function);
        let mut block = 0;
        if total > MAX_FUNCTION_INSTS {
            return Err(too_large(&function));
        }
        while block < function.blocks.len() {
            // What is put in has no calls left that could be put in; the rest of the block comes after it.
            let call = function.blocks[block].insts.iter().position(|inst| match inst.op {
                Op::Call { function, .. } => self.may_inline(function, total),
                _ => false,
            });
            if let Some(position) = call {
                total += self.splice(&mut function, block, position);
                if total > MAX_FUNCTION_INSTS {
                    return Err(too_large(&function));
                }
            }
            block += 1;
        }
        cfg::simplify(&mut function);
        Ok(function)
    }

    fn may_inline(&self, callee: FunctionId, total: usize) -> bool {
        if self.graph.recursive[callee.index()] {
            return false;
        }
        let Some(function) = &self.done[callee.index()] else { return false };
        let own = size(function);
        self.graph.suspends[callee.index()] || own <= ALWAYS_INLINE_INSTS || total + own <= MAX_GROWTH_INSTS
    }

    /// Replaces one call; what follows it moves to a new block. Returns how many instructions came in.
    fn splice(&self, function: &mut Function, block: usize, position: usize) -> usize {
        let tail = function.blocks[block].insts.split_off(position + 1);
        let call = function.blocks[block].insts.pop();
        let Some(Inst { op: Op::Call { dst, function: callee, args }, span }) = call else { return 0 };
        let Some(callee) = &self.done[callee.index()] else { return 0 };

        let locals = function.locals.len() as u32;
        let slots = function.slots.len() as u32;
        let first = function.blocks.len() as u32;
        let after = BlockId(first + callee.blocks.len() as u32);
        function
            .locals
            .extend(callee.locals.iter().map(|info| LocalInfo { ty: info.ty, name: info.name.clone() }));
        function.slots.extend(callee.slots.iter().cloned());

        let head = &mut function.blocks[block];
        for (param, arg) in callee.params.iter().zip(args) {
            head.insts.push(Inst { op: Op::Copy { dst: Local(param.0 + locals), src: arg }, span });
        }
        let end = std::mem::replace(&mut head.end, End::Jump(BlockId(first)));
        let end_span = std::mem::replace(&mut head.span, span);

        for source in &callee.blocks {
            let mut copy = source.clone();
            for inst in &mut copy.insts {
                inst.op.map_locals(|local| Local(local.0 + locals));
                if let Op::SlotAddress { slot, .. } = &mut inst.op {
                    *slot = SlotId(slot.0 + slots);
                }
            }
            copy.end.map_used(|local| Local(local.0 + locals));
            copy.end.map_successors(|to| BlockId(to.0 + first));
            if let End::Return(value) = copy.end {
                if let (Some(dst), Some(src)) = (dst, value) {
                    copy.insts.push(Inst { op: Op::Copy { dst, src }, span: copy.span });
                }
                copy.end = End::Jump(after);
            }
            function.blocks.push(copy);
        }
        function.blocks.push(crate::ir::Block { insts: tail, end, span: end_span });
        size(callee)
    }
}
