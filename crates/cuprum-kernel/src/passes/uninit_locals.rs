//! The checking mode's care of variables that are no memory: each that may be read before it is written gets a local
//! beside it that says whether it was.
//!
//! A value that was never given may be copied, chosen and shuffled: what it is copied to has no value either. Computing
//! with it, branching on it, storing it or passing it to a function that stays a call is a fault.

use super::analysis::{BitSet, liveness};
use crate::Span;
use crate::ir::{Block, BlockId, Convert, End, Function, Inst, Local, LocalInfo, Op, Type};

/// Puts the checks in.
pub fn watch(function: &mut Function) {
    let suspects = suspects(function);
    let shadows = suspects.iter().map(|number| (number, shadow_of(function, number))).collect::<Vec<_>>();
    let mut watcher = Watcher {
        shadow: vec![None; function.locals.len()],
        read_from: reads(function),
        out: Vec::new(),
        span: function.span,
    };
    for &(variable, shadow) in &shadows {
        watcher.shadow[variable] = Some(shadow);
    }
    let mut blocks = std::mem::take(&mut function.blocks);
    for block in &mut blocks {
        for inst in std::mem::take(&mut block.insts) {
            watcher.span = inst.span;
            watcher.rewrite(function, inst.op);
        }
        watcher.span = block.span;
        if let Some(local) = block.end.used() {
            watcher.check(local);
        }
        block.insts = std::mem::take(&mut watcher.out);
    }
    function.blocks = blocks;
    begin(function, &shadows);
}

/// For each local without a name that is read from a variable in one place: the variable, and the place.
fn reads(function: &Function) -> Vec<Option<(Local, Span)>> {
    let mut reads = vec![None; function.locals.len()];
    let mut writers = vec![0_u32; function.locals.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let Some(dst) = inst.op.dst() else { continue };
        writers[dst.index()] += 1;
        if let Op::Copy { src, .. } = inst.op {
            let (has_name, is_variable) = (named(function, dst), named(function, src));
            reads[dst.index()] = (!has_name && is_variable).then_some((src, inst.span));
        }
    }
    for (read, writers) in reads.iter_mut().zip(writers) {
        *read = read.filter(|_| writers == 1);
    }
    reads
}

fn named(function: &Function, local: Local) -> bool {
    !function.locals[local.index()].name.is_empty()
}

fn shadow_of(function: &mut Function, variable: usize) -> Local {
    let name = format!("whether {} is written", function.locals[variable].name);
    function.locals.push(LocalInfo { ty: Type::I8, name });
    Local(function.locals.len() as u32 - 1)
}

/// At the function's beginning nothing but its parameters has a value; the entry is not gone back to.
fn begin(function: &mut Function, shadows: &[(usize, Local)]) {
    if shadows.is_empty() {
        return;
    }
    let moved = BlockId(function.blocks.len() as u32);
    let given = |variable: usize| function.params.iter().any(|param| param.index() == variable);
    let insts = shadows.iter().map(|&(variable, dst)| Inst {
        op: Op::Const { dst, bits: u64::from(given(variable)) },
        span: function.span,
    });
    let first = Block { insts: insts.collect(), end: End::Jump(moved), span: function.span };
    let entry = std::mem::replace(&mut function.blocks[0], first);
    function.blocks.push(entry);
    for block in &mut function.blocks[1..] {
        block.end.map_successors(|to| if to == BlockId(0) { moved } else { to });
    }
}

/// The locals that may be read without a value: variables that are not written on every way to a read, and what they are
/// copied to.
fn suspects(function: &Function) -> BitSet {
    let mut suspects = BitSet::new(function.locals.len());
    let live = liveness(function);
    for local in live.live_in(0) {
        // What has no name is the compiler's own: addresses that are computed where a variable is declared and are the
        // same on every way.
        if named(function, local) && !function.params.contains(&local) {
            suspects.insert(local.index());
        }
    }
    for (index, block) in function.blocks.iter().enumerate() {
        let mut alive = BitSet::new(function.locals.len());
        for local in live.live_out(index).chain(block.end.used()) {
            alive.insert(local.index());
        }
        for inst in block.insts.iter().rev() {
            if let Some(dst) = inst.op.dst() {
                if matches!(inst.op, Op::Undefined { .. }) && alive.contains(dst.index()) {
                    suspects.insert(dst.index());
                }
                alive.remove(dst.index());
            }
            inst.op.visit_uses(|local| {
                alive.insert(local.index());
            });
        }
    }
    if suspects.is_empty() {
        return suspects;
    }
    let passes_on = |suspects: &mut BitSet| {
        let mut changed = false;
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let from: &[Local] = match &inst.op {
                Op::Copy { src, .. } => &[*src],
                Op::Select { a, b, .. } => &[*a, *b],
                Op::Warp { op, value, .. } if op.is_shuffle() => &[*value],
                _ => continue,
            };
            if let Some(dst) = inst.op.dst()
                && from.iter().any(|local| suspects.contains(local.index()))
            {
                changed |= suspects.insert(dst.index());
            }
        }
        changed
    };
    while passes_on(&mut suspects) {}
    suspects
}

struct Watcher {
    /// For each variable that is watched, the local that says whether it is written.
    shadow: Vec<Option<Local>>,
    /// What locals without a name are read from, and where.
    read_from: Vec<Option<(Local, Span)>>,
    out: Vec<Inst>,
    span: Span,
}

impl Watcher {
    fn push(&mut self, op: Op) {
        self.out.push(Inst { op, span: self.span });
    }

    fn shadow(&self, local: Local) -> Option<Local> {
        self.shadow.get(local.index()).copied().flatten()
    }

    /// The local is used.
    fn check(&mut self, variable: Local) {
        if let Some(written) = self.shadow(variable) {
            let read = self.read_from.get(variable.index()).copied().flatten();
            let (variable, span) = read.unwrap_or((variable, self.span));
            self.out.push(Inst { op: Op::CheckWritten { variable, written }, span });
        }
    }

    fn local(&self, function: &mut Function, ty: Type) -> Local {
        function.locals.push(LocalInfo { ty, name: String::new() });
        Local(function.locals.len() as u32 - 1)
    }

    /// Whether a local is written, as a local.
    fn written(&mut self, function: &mut Function, local: Local) -> Local {
        self.shadow(local).unwrap_or_else(|| {
            let dst = self.local(function, Type::I8);
            self.push(Op::Const { dst, bits: 1 });
            dst
        })
    }

    fn rewrite(&mut self, function: &mut Function, op: Op) {
        match op {
            Op::Undefined { dst } => {
                self.push(Op::Const { dst, bits: 0 });
                if let Some(shadow) = self.shadow(dst) {
                    self.push(Op::Const { dst: shadow, bits: 0 });
                }
            }
            Op::Copy { dst, src } => {
                if let Some(shadow) = self.shadow(dst) {
                    let src = self.written(function, src);
                    self.push(Op::Copy { dst: shadow, src });
                }
                self.push(op);
            }
            Op::Select { dst, cond, a, b } => {
                self.check(cond);
                if let Some(shadow) = self.shadow(dst) {
                    let (a, b) = (self.written(function, a), self.written(function, b));
                    self.push(Op::Select { dst: shadow, cond, a, b });
                }
                self.push(op);
            }
            Op::Warp { op: kind, mask, value, lane, width, dst } if kind.is_shuffle() => {
                [mask, lane, width].into_iter().for_each(|used| self.check(used));
                if let Some(shadow) = self.shadow(dst) {
                    let written = self.written(function, value);
                    let [value, got] = [(); 2].map(|()| self.local(function, Type::I32));
                    self.push(Op::Convert { dst: value, kind: Convert::ZeroExtend, src: written });
                    self.push(Op::Warp { dst: got, op: kind, mask, value, lane, width });
                    let kept = self.local(function, Type::I8);
                    self.push(Op::Convert { dst: kept, kind: Convert::Narrow, src: got });
                    self.push(op);
                    return self.push(Op::Copy { dst: shadow, src: kept });
                }
                self.push(op);
            }
            op => {
                op.visit_uses(|local| self.check(local));
                let written = op.dst().and_then(|dst| self.shadow(dst));
                self.push(op);
                if let Some(dst) = written {
                    self.push(Op::Const { dst, bits: 1 });
                }
            }
        }
    }
}

/// For the checking mode: copies of members stay copies of one object, parts of which may have no value.
pub fn join_members(function: &mut Function) {
    let Function { blocks, locals, .. } = function;
    for block in blocks {
        let mut out = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts) {
            let Op::CopyMembers { to, to_offset, from, from_offset, bytes, align, .. } = inst.op else {
                out.push(inst);
                continue;
            };
            for (addr, offset, write) in [(from, from_offset, false), (to, to_offset, true)] {
                let op = Op::CheckAligned { addr, offset, align, write };
                out.push(Inst { op, span: inst.span });
            }
            let mut moved = |base: Local, offset: i64| {
                if offset == 0 {
                    return base;
                }
                let [by, dst] = [(); 2].map(|()| {
                    locals.push(LocalInfo { ty: Type::POINTER, name: String::new() });
                    Local(locals.len() as u32 - 1)
                });
                out.push(Inst { op: Op::Const { dst: by, bits: offset as u64 }, span: inst.span });
                let op = Op::Binary { dst, op: crate::ir::Binary::Add, a: base, b: by };
                out.push(Inst { op, span: inst.span });
                dst
            };
            let (to, from) = (moved(to, to_offset), moved(from, from_offset));
            out.push(Inst { op: Op::CopyBytes { to, from, bytes }, span: inst.span });
        }
        block.insts = out;
    }
}
