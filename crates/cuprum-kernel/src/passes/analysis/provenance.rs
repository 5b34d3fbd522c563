//! What an address may point into, by where it was made.

use crate::ir::{
    Binary, Convert, Function, GlobalId, Local, Op, ParameterKind, SharedId, SlotId, StringId, Type, Warp,
};

/// What a local's value, taken as an address, points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Nothing that is known to be an address: a number. As an address it has to be looked up.
    None,
    /// What the kernel's parameter of this number points to.
    Parameter(u32),
    /// A slot of the thread's frame.
    Slot(SlotId),
    /// A shared variable.
    Shared(SharedId),
    /// The block's dynamic shared memory.
    DynamicShared,
    /// A `__device__` or `__constant__` variable.
    Global(GlobalId),
    /// A text.
    String(StringId),
    /// An address that has to be looked up: it came from memory, or from different places on different paths.
    Unknown,
}

impl Origin {
    /// Whether it names one range of memory.
    pub fn is_known(self) -> bool {
        !matches!(self, Origin::None | Origin::Unknown)
    }

    fn join(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::None, it) | (it, Origin::None) => it,
            (a, b) if a == b => a,
            _ => Origin::Unknown,
        }
    }
}

/// What each local points into, whatever path led there: the join over everything that is assigned to it.
pub fn provenance(function: &Function) -> Vec<Origin> {
    let mut origins = vec![Origin::None; function.locals.len()];
    for param in &function.params {
        origins[param.index()] = Origin::Unknown;
    }
    // Origins only ever rise, at most two steps each.
    loop {
        let mut changed = false;
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(dst) = inst.op.dst() else { continue };
            if function.locals[dst.index()].ty != Type::POINTER {
                continue;
            }
            let origin = origins[dst.index()].join(result_origin(function, &inst.op, &origins));
            changed |= origin != origins[dst.index()];
            origins[dst.index()] = origin;
        }
        if !changed {
            return origins;
        }
    }
}

fn result_origin(function: &Function, op: &Op, origins: &[Origin]) -> Origin {
    let of = |local: &Local| origins[local.index()];
    match op {
        Op::Const { .. } | Op::Compare { .. } | Op::Special { .. } | Op::Math { .. } | Op::Unary { .. } => {
            Origin::None
        }
        Op::Copy { src, .. } => of(src),
        Op::Select { a, b, .. } => of(a).join(of(b)),
        Op::Binary { op, a, b, .. } => binary_origin(*op, of(a), of(b)),
        Op::Convert { kind: Convert::Bits, .. } => Origin::Unknown,
        Op::Convert { .. } => Origin::None,
        Op::SlotAddress { slot, .. } => Origin::Slot(*slot),
        Op::SharedAddress { shared, .. } => Origin::Shared(*shared),
        Op::DynamicShared { .. } => Origin::DynamicShared,
        Op::GlobalAddress { global, .. } => Origin::Global(*global),
        Op::StringAddress { string, .. } => Origin::String(*string),
        Op::Parameter { offset, .. } => parameter_origin(function, *offset),
        // Another thread's slot is not this one's.
        Op::Warp { op: Warp::MatchAny | Warp::MatchAll, .. } => Origin::None,
        Op::Warp { value, .. } => match of(value) {
            Origin::Slot(_) => Origin::Unknown,
            origin => origin,
        },
        _ => Origin::Unknown,
    }
}

/// The first operand is the address by the front end's custom (`base + offset`); a number that came from memory may be
/// added to it, but an address that came from memory stays one when a parameter is added.
fn binary_origin(op: Binary, a: Origin, b: Origin) -> Origin {
    match op {
        Binary::Add
        | Binary::And
        | Binary::Or
        | Binary::MinU
        | Binary::MaxU
        | Binary::MinS
        | Binary::MaxS => match (a, b) {
            (Origin::None, it) | (it, Origin::None) => it,
            (known, Origin::Unknown) if op == Binary::Add && known.is_known() => known,
            _ => Origin::Unknown,
        },
        Binary::Sub => match (a, b) {
            (a, b) if a.is_known() && b.is_known() => Origin::None,
            (Origin::None, Origin::None) => Origin::None,
            (a, Origin::None | Origin::Unknown) if a != Origin::None => a,
            _ => Origin::Unknown,
        },
        Binary::Xor => match (a, b) {
            (Origin::None, Origin::None) => Origin::None,
            _ => Origin::Unknown,
        },
        _ => Origin::None,
    }
}

fn parameter_origin(function: &Function, offset: u32) -> Origin {
    let params = function.kernel.iter().flat_map(|kernel| &kernel.params);
    let holder = params
        .enumerate()
        .find(|(_, param)| (param.offset..param.offset.saturating_add(param.bytes)).contains(&offset));
    match holder {
        Some((number, param)) => match param.kind {
            ParameterKind::Pointer { .. } if param.offset == offset => Origin::Parameter(number as u32),
            ParameterKind::Scalar(_) => Origin::None,
            _ => Origin::Unknown,
        },
        None => Origin::Unknown,
    }
}
