//! Takes out what front ends write for the checking mode and for short: members become loads and stores.

use crate::ir::{Function, Inst, Local, LocalInfo, Op};

/// For plain runs: copies of members become loads and stores, and variables that begin without a value are no matter.
pub fn expand(function: &mut Function) {
    let mut writers = vec![0_u32; function.locals.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let (Some(dst), false) = (inst.op.dst(), matches!(inst.op, Op::Undefined { .. })) {
            writers[dst.index()] += 1;
        }
    }
    for param in &function.params {
        writers[param.index()] += 1;
    }
    let Function { blocks, locals, .. } = function;
    for block in blocks {
        if !block.insts.iter().any(|inst| is_short(&inst.op)) {
            continue;
        }
        let mut out = Vec::with_capacity(block.insts.len() + 8);
        for inst in std::mem::take(&mut block.insts) {
            match inst.op {
                // What nothing else writes has to have some value.
                Op::Undefined { dst } if writers[dst.index()] == 0 => {
                    out.push(Inst { op: Op::Const { dst, bits: 0 }, span: inst.span });
                }
                Op::Undefined { .. } | Op::UndefinedBytes { .. } | Op::Written { .. } => {}
                Op::CopyMembers { .. } => copy_members(&inst, locals, &mut out),
                _ => out.push(inst),
            }
        }
        block.insts = out;
    }
}

fn is_short(op: &Op) -> bool {
    matches!(
        op,
        Op::Undefined { .. } | Op::UndefinedBytes { .. } | Op::Written { .. } | Op::CopyMembers { .. }
    )
}

/// All members are read before the first is written: the two objects may be one.
fn copy_members(inst: &Inst, locals: &mut Vec<LocalInfo>, out: &mut Vec<Inst>) {
    let Op::CopyMembers { to, to_offset, from, from_offset, members, align, .. } = &inst.op else { return };
    // float4 and the like are one access on a GPU.
    if members.iter().all(|(_, ty)| ty.bytes() < *align) {
        for (addr, offset, write) in [(*from, *from_offset, false), (*to, *to_offset, true)] {
            let op = Op::CheckAligned { addr, offset, align: *align, write };
            out.push(Inst { op, span: inst.span });
        }
    }
    let mut stores = Vec::with_capacity(members.len());
    for &(at, ty) in members {
        let value = Local(locals.len() as u32);
        locals.push(LocalInfo { ty, name: String::new() });
        let offset = from_offset.wrapping_add(at as i64);
        let load = Op::Load { dst: value, addr: *from, offset, volatile: false };
        out.push(Inst { op: load, span: inst.span });
        let offset = to_offset.wrapping_add(at as i64);
        stores.push(Op::Store { addr: *to, offset, src: value, volatile: false });
    }
    out.extend(stores.into_iter().map(|op| Inst { op, span: inst.span }));
}
