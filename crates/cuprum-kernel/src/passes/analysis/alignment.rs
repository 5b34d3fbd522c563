//! Which addresses are multiples of what: an access whose address surely is a multiple of its size needs no check.

use super::{Origin, provenance};
use crate::ir::{Binary, Convert, Function, Local, Module, Op, ParameterKind, Unary};

/// The most that is asked of an address, as a power of two: 16 bytes.
const MAX_LOG2_ALIGN: u8 = 4;

/// For each local an exponent: its value is always a multiple of that power of two, at most 16. Pointers that the launch
/// gives are taken to be multiples of 16; whoever relies on that looks at the launch.
pub fn alignment(module: &Module, function: &Function) -> Vec<u8> {
    let origins = provenance(function);
    let constants = constants(function);
    let mut known = vec![MAX_LOG2_ALIGN; function.locals.len()];
    for param in &function.params {
        known[param.index()] = 0;
    }
    // Exponents only ever fall, at most four steps each.
    loop {
        let mut changed = false;
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(dst) = inst.op.dst() else { continue };
            let facts =
                AlignmentFacts { module, function, origins: &origins, constants: &constants, known: &known };
            let exponent = facts.result(&inst.op).min(known[dst.index()]);
            changed |= exponent != known[dst.index()];
            known[dst.index()] = exponent;
        }
        if !changed {
            return known;
        }
    }
}

/// The numbers of locals that nothing else is ever written to.
pub fn constants(function: &Function) -> Vec<Option<u64>> {
    let mut constants = vec![None; function.locals.len()];
    let mut writers = vec![0_u32; function.locals.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let Some(dst) = inst.op.dst() else { continue };
        writers[dst.index()] += 1;
        if let Op::Const { bits, .. } = inst.op {
            constants[dst.index()] = Some(bits);
        }
    }
    for (constant, writers) in constants.iter_mut().zip(writers) {
        *constant = constant.filter(|_| writers == 1);
    }
    constants
}

struct AlignmentFacts<'a> {
    module: &'a Module,
    function: &'a Function,
    origins: &'a [Origin],
    constants: &'a [Option<u64>],
    known: &'a [u8],
}

/// The exponent of the largest power of two that divides a number.
fn exponent(number: u64) -> u8 {
    (number.trailing_zeros() as u8).min(MAX_LOG2_ALIGN)
}

impl AlignmentFacts<'_> {
    fn result(&self, op: &Op) -> u8 {
        let of = |local: &Local| self.known[local.index()];
        match op {
            Op::Const { bits, .. } => exponent(*bits),
            Op::Copy { src, .. } | Op::Unary { op: Unary::Neg, src, .. } => of(src),
            Op::Convert {
                kind: Convert::SignExtend | Convert::ZeroExtend | Convert::Narrow, src, ..
            } => of(src),
            Op::Select { a, b, .. } => of(a).min(of(b)),
            Op::Binary { op, a, b, .. } => self.binary(*op, *a, *b),
            Op::SlotAddress { slot, .. } => exponent(u64::from(self.function.slots[slot.index()].align)),
            Op::SharedAddress { shared, .. } => exponent(u64::from(self.module.shared[shared.index()].align)),
            Op::GlobalAddress { .. } | Op::DynamicShared { .. } => MAX_LOG2_ALIGN,
            Op::Parameter { offset, .. } => {
                let mut params = self.function.kernel.iter().flat_map(|kernel| &kernel.params);
                let pointer = params.any(|param| {
                    param.offset == *offset && matches!(param.kind, ParameterKind::Pointer { .. })
                });
                if pointer { MAX_LOG2_ALIGN } else { 0 }
            }
            Op::Warp { op, value, .. } if op.is_shuffle() => of(value),
            _ => 0,
        }
    }

    fn binary(&self, op: Binary, a: Local, b: Local) -> u8 {
        let (x, y) = (self.known[a.index()], self.known[b.index()]);
        let addresses = [a, b].iter().all(|local| self.origins[local.index()].is_known());
        match op {
            // The distance of two arrays follows from where the launch has placed them.
            Binary::Add | Binary::Sub | Binary::Or | Binary::Xor if addresses => 0,
            Binary::Add | Binary::Sub | Binary::Or | Binary::Xor => x.min(y),
            Binary::MinS | Binary::MinU | Binary::MaxS | Binary::MaxU => x.min(y),
            Binary::RemS | Binary::RemU => x.min(y),
            Binary::Mul => (x + y).min(MAX_LOG2_ALIGN),
            Binary::And => x.max(y),
            Binary::Shl => match self.constants[b.index()] {
                Some(by) => x.saturating_add(by.min(u64::from(MAX_LOG2_ALIGN)) as u8).min(MAX_LOG2_ALIGN),
                None => x,
            },
            Binary::ShrS | Binary::ShrU => match self.constants[b.index()] {
                Some(by) => x.saturating_sub(by.min(u64::from(MAX_LOG2_ALIGN)) as u8),
                None => 0,
            },
            _ => 0,
        }
    }
}
