//! Moves variables whose address was taken from their locals to their slots.

use crate::Span;
use crate::ir::{self, Inst, Local, LocalInfo, Op, SlotId, Type};

use crate::lower::memory::value::Frame;

/// The finished function: every read of such a variable is a load, every write a store.
pub(crate) fn demote(frame: Frame) -> ir::Function {
    let mut function = frame.b.function;
    let mut slots: Vec<Option<SlotId>> = vec![None; function.locals.len()];
    let mut any = false;
    for variable in &frame.variables {
        slots[variable.local.index()] = variable.slot;
        any |= variable.slot.is_some();
    }
    if !any {
        return function;
    }
    let mut moving = Moving { slots, locals: std::mem::take(&mut function.locals) };
    for block in &mut function.blocks {
        let mut insts = Vec::with_capacity(block.insts.len() * 2);
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.map_uses(|local| moving.read(local, inst.span, &mut insts));
            let written = inst.op.dst().and_then(|dst| Some((dst, moving.slot(dst)?)));
            match written {
                Some((dst, slot)) if matches!(inst.op, Op::Undefined { .. }) => {
                    let bytes = u64::from(moving.locals[dst.index()].ty.bytes());
                    let to = moving.fresh(Type::POINTER);
                    insts.push(Inst { op: Op::SlotAddress { dst: to, slot }, span: inst.span });
                    insts.push(Inst { op: Op::UndefinedBytes { to, bytes }, span: inst.span });
                }
                Some((dst, slot)) => {
                    let value = moving.fresh(moving.locals[dst.index()].ty);
                    if let Some(dst) = inst.op.dst_mut() {
                        *dst = value;
                    }
                    let span = inst.span;
                    insts.push(inst);
                    moving.write(slot, value, span, &mut insts);
                }
                None => insts.push(inst),
            }
        }
        let span = block.span;
        block.end.map_used(|local| moving.read(local, span, &mut insts));
        block.insts = insts;
    }
    // Arguments arrive in locals.
    let mut first = Vec::new();
    for &param in &function.params {
        if let Some(slot) = moving.slot(param) {
            moving.write(slot, param, function.span, &mut first);
        }
    }
    if let (Some(entry), false) = (function.blocks.first_mut(), first.is_empty()) {
        first.append(&mut entry.insts);
        entry.insts = first;
    }
    function.locals = moving.locals;
    function
}

struct Moving {
    slots: Vec<Option<SlotId>>,
    locals: Vec<LocalInfo>,
}

impl Moving {
    fn slot(&self, local: Local) -> Option<SlotId> {
        self.slots.get(local.index()).copied().flatten()
    }

    fn fresh(&mut self, ty: Type) -> Local {
        self.locals.push(LocalInfo { ty, name: String::new() });
        Local(self.locals.len() as u32 - 1)
    }

    fn read(&mut self, local: Local, span: Span, insts: &mut Vec<Inst>) -> Local {
        let Some(slot) = self.slot(local) else { return local };
        let (addr, dst) = (self.fresh(Type::POINTER), self.fresh(self.locals[local.index()].ty));
        insts.push(Inst { op: Op::SlotAddress { dst: addr, slot }, span });
        insts.push(Inst { op: Op::Load { dst, addr, offset: 0, volatile: false }, span });
        dst
    }

    fn write(&mut self, slot: SlotId, src: Local, span: Span, insts: &mut Vec<Inst>) {
        let addr = self.fresh(Type::POINTER);
        insts.push(Inst { op: Op::SlotAddress { dst: addr, slot }, span });
        insts.push(Inst { op: Op::Store { addr, offset: 0, src, volatile: false }, span });
    }
}
