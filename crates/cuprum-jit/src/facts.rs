//! What is known of a function's locals before it runs: where addresses come from, constants, definitions.

use cuprum_kernel::ir::{Binary, BlockId, Convert, Function, Local, Module, Op};
use cuprum_kernel::passes::analysis::{Origin, alignment, provenance};

/// What is known of each local of a function.
pub(crate) struct FunctionFacts {
    origins: Vec<Origin>,
    /// What each is a multiple of, as an exponent of two.
    alignment: Vec<u8>,
    /// The position of the only instruction that writes a local.
    single: Vec<Option<(u32, u32)>>,
    /// Whether some block reads a local before it writes it.
    crosses: Vec<bool>,
    /// The heads of loops that soon end by themselves.
    short: Vec<BlockId>,
}

impl FunctionFacts {
    pub(crate) fn of(module: &Module, function: &Function) -> FunctionFacts {
        let count = function.locals.len();
        let mut written = vec![0u32; count];
        let mut single = vec![None; count];
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                if let Some(dst) = inst.op.dst() {
                    written[dst.index()] += 1;
                    single[dst.index()] = Some((b as u32, i as u32));
                }
            }
        }
        for param in &function.params {
            written[param.index()] += 2;
        }
        for (count, single) in written.iter().zip(&mut single) {
            if *count != 1 {
                *single = None;
            }
        }
        let alignment = alignment(module, function);
        let crosses = crosses(function);
        FunctionFacts { origins: provenance(function), alignment, single, crosses, short: Vec::new() }
    }

    /// Whether a local's value may come from another block.
    pub(crate) fn crosses(&self, local: Local) -> bool {
        self.crosses[local.index()]
    }

    /// Of a function whose loops end soon where `short` says so: by their heads.
    pub(crate) fn with_short_loops(mut self, short: Vec<BlockId>) -> FunctionFacts {
        self.short = short;
        self
    }

    /// Whether a loop with this head soon ends by itself.
    pub(crate) fn is_short(&self, head: BlockId) -> bool {
        self.short.contains(&head)
    }

    pub(crate) fn origin(&self, local: Local) -> Origin {
        self.origins[local.index()]
    }

    /// Whether `local + offset` is a multiple of `bytes`, where the launch's pointers are.
    pub(crate) fn is_aligned(&self, local: Local, offset: i64, bytes: u64) -> bool {
        bytes == 1
            || self.origin(local).is_known()
                && (offset as u64).is_multiple_of(bytes)
                && 1 << self.alignment[local.index()] >= bytes
    }

    /// What the launch's pointers must be multiples of, by the parameter's number, for `is_aligned` to hold.
    pub(crate) fn needed_alignment(&self, function: &Function) -> Vec<u64> {
        let count = function.kernel.as_ref().map_or(0, |kernel| kernel.params.len());
        let mut needed = vec![1; count];
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let (addr, offset, bytes) = match inst.op {
                Op::Load { dst, addr, offset, volatile: false } => {
                    (addr, offset, function.locals[dst.index()].ty.bytes())
                }
                Op::Store { src, addr, offset, volatile: false } => {
                    (addr, offset, function.locals[src.index()].ty.bytes())
                }
                Op::CheckAligned { addr, offset, align, .. } => (addr, offset, align),
                Op::Atomic { addr, value, .. } | Op::CompareAndSwap { addr, value, .. } => {
                    (addr, 0, function.locals[value.index()].ty.bytes())
                }
                _ => continue,
            };
            if let Origin::Parameter(number) = self.origin(addr)
                && self.is_aligned(addr, offset, u64::from(bytes))
                && let Some(needed) = needed.get_mut(number as usize)
            {
                *needed = (*needed).max(u64::from(bytes));
            }
        }
        needed
    }

    /// The only instruction that writes a local.
    pub(crate) fn definition<'f>(&self, function: &'f Function, local: Local) -> Option<&'f Op> {
        let (block, inst) = self.single[local.index()]?;
        Some(&function.blocks[block as usize].insts[inst as usize].op)
    }

    /// The number that a local always holds.
    pub(crate) fn constant(&self, function: &Function, local: Local) -> Option<u64> {
        match self.definition(function, local)? {
            Op::Const { bits, .. } => Some(*bits),
            Op::Copy { src, .. } if src != &local => self.constant_of_copy(function, *src),
            _ => None,
        }
    }

    fn constant_of_copy(&self, function: &Function, local: Local) -> Option<u64> {
        match self.definition(function, local)? {
            Op::Const { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The largest number that an integer can be, as unsigned. A local that is read before it was written is zero.
    pub(crate) fn most(&self, function: &Function, local: Local, depth: u32) -> Option<u64> {
        let ty = function.locals[local.index()].ty;
        let of_type = u64::MAX >> (64 - 8 * ty.bytes());
        let narrow = (ty.bytes() < 4).then_some(of_type);
        if depth == 0 || ty.is_float() {
            return narrow;
        }
        let most = |local: Local| self.most(function, local, depth - 1);
        let number = |local: Local| self.constant(function, local);
        let found = match self.definition(function, local) {
            Some(Op::Const { bits, .. }) => Some(*bits),
            Some(Op::Copy { src, .. }) => most(*src),
            Some(Op::Convert { kind: Convert::ZeroExtend, src, .. }) => {
                let source = function.locals[src.index()].ty;
                most(*src).or(Some(u64::MAX >> (64 - 8 * source.bytes())))
            }
            Some(Op::Convert { kind: Convert::SignExtend, src, .. }) => {
                let sign = 1 << (8 * function.locals[src.index()].ty.bytes() - 1);
                most(*src).filter(|most| *most < sign)
            }
            Some(Op::Binary { op: Binary::And, a, b, .. }) => match (most(*a), most(*b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Some(Op::Binary { op: Binary::Add, a, b, .. }) => most(*a)?.checked_add(most(*b)?),
            Some(Op::Binary { op: Binary::Mul, a, b, .. }) => most(*a)?.checked_mul(most(*b)?),
            Some(Op::Binary { op: Binary::Shl, a, b, .. }) => {
                let by = number(*b).filter(|by| *by < 64)?;
                most(*a)?.checked_mul(1 << by)
            }
            Some(Op::Binary { op: Binary::RemU, b, .. }) => number(*b)?.checked_sub(1),
            _ => None,
        };
        found.filter(|most| *most <= of_type).or(narrow)
    }

    /// How far an address is from the start of the slot or variable that it comes from, where that is always the same.
    pub(crate) fn fixed_offset(&self, function: &Function, local: Local, depth: u32) -> Option<i64> {
        if depth == 0 {
            return None;
        }
        match self.definition(function, local)? {
            Op::SlotAddress { .. }
            | Op::SharedAddress { .. }
            | Op::GlobalAddress { .. }
            | Op::StringAddress { .. } => Some(0),
            Op::Copy { src, .. } => self.fixed_offset(function, *src, depth - 1),
            Op::Binary { op: Binary::Add, a, b, .. } => {
                let by = self.constant(function, *b)? as i64;
                self.fixed_offset(function, *a, depth - 1)?.checked_add(by)
            }
            _ => None,
        }
    }
}

/// For each local, whether some block reads it before it writes it.
fn crosses(function: &Function) -> Vec<bool> {
    let mut crosses = vec![false; function.locals.len()];
    let mut written_in = vec![usize::MAX; function.locals.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for inst in &block.insts {
            inst.op.visit_uses(|local| crosses[local.index()] |= written_in[local.index()] != b);
            if let Some(dst) = inst.op.dst() {
                written_in[dst.index()] = b;
            }
        }
        if let Some(local) = block.end.used() {
            crosses[local.index()] |= written_in[local.index()] != b;
        }
    }
    crosses
}
