//! What an op reads and writes, and where ends lead: what passes and back ends ask of every instruction.

use super::{Barrier, BlockId, Compare, End, Local, Op, Special, Warp};

impl Special {
    /// Whether it is `I64`.
    pub fn is_wide(self) -> bool {
        matches!(self, Special::Clock | Special::SharedBase | Special::ClusterShared)
    }
}

impl Warp {
    /// Whether it is a shuffle: the collectives that read `lane` and `width`.
    pub fn is_shuffle(self) -> bool {
        matches!(self, Warp::Shuffle | Warp::ShuffleUp | Warp::ShuffleDown | Warp::ShuffleXor)
    }
}

// The two lists of operands stand once, for reading and for changing: `match` binds `&Local` where `$op` is `&Op`, and
// `&mut Local` where it is `&mut Op`.

/// `Option<&Local>` or `Option<&mut Local>`: what an op writes.
macro_rules! written {
    ($op:expr) => {
        match $op {
            Op::Const { dst, .. }
            | Op::Copy { dst, .. }
            | Op::Unary { dst, .. }
            | Op::Binary { dst, .. }
            | Op::Compare { dst, .. }
            | Op::Convert { dst, .. }
            | Op::Select { dst, .. }
            | Op::Fma { dst, .. }
            | Op::Load { dst, .. }
            | Op::SlotAddress { dst, .. }
            | Op::SharedAddress { dst, .. }
            | Op::DynamicShared { dst, .. }
            | Op::GlobalAddress { dst, .. }
            | Op::StringAddress { dst, .. }
            | Op::Parameter { dst, .. }
            | Op::Special { dst, .. }
            | Op::Atomic { dst, .. }
            | Op::CompareAndSwap { dst, .. }
            | Op::ActiveMask { dst, .. }
            | Op::Math { dst, .. }
            | Op::Warp { dst, .. }
            | Op::Printf { dst, .. }
            | Op::Allocate { dst, .. }
            | Op::Undefined { dst }
            | Op::Barrier(Barrier::Count { dst, .. })
            | Op::Barrier(Barrier::And { dst, .. })
            | Op::Barrier(Barrier::Or { dst, .. }) => Some(dst),
            Op::Call { dst, .. } => dst.into(),
            Op::Store { .. }
            | Op::CopyBytes { .. }
            | Op::CopyMembers { .. }
            | Op::ZeroBytes { .. }
            | Op::UndefinedBytes { .. }
            | Op::Written { .. }
            | Op::CheckWritten { .. }
            | Op::CheckAligned { .. }
            | Op::Fence
            | Op::Barrier(Barrier::Plain)
            | Op::SyncWarp { .. }
            | Op::Lockstep
            | Op::GridSync
            | Op::ClusterSync
            | Op::Release { .. }
            | Op::Launch { .. }
            | Op::Assert { .. }
            | Op::CheckIndex { .. }
            | Op::Yield => None,
        }
    };
}

/// Calls `$f` with `&Local` or `&mut Local` for everything that an op reads, in order.
macro_rules! read {
    ($op:expr, $f:ident) => {
        match $op {
            Op::Const { .. }
            | Op::SlotAddress { .. }
            | Op::SharedAddress { .. }
            | Op::DynamicShared { .. }
            | Op::GlobalAddress { .. }
            | Op::StringAddress { .. }
            | Op::Parameter { .. }
            | Op::Special { .. }
            | Op::ActiveMask { .. }
            | Op::Undefined { .. }
            | Op::Fence
            | Op::Lockstep
            | Op::GridSync
            | Op::ClusterSync
            | Op::Yield
            | Op::Barrier(Barrier::Plain) => {}
            Op::Copy { src, .. } | Op::Unary { src, .. } | Op::Convert { src, .. } => {
                $f(src);
            }
            Op::Binary { a, b, .. } | Op::Compare { a, b, .. } => {
                $f(a);
                $f(b);
            }
            Op::Select { cond, a, b, .. } => {
                $f(cond);
                $f(a);
                $f(b);
            }
            Op::Fma { a, b, c, .. } => {
                $f(a);
                $f(b);
                $f(c);
            }
            Op::Load { addr, .. } | Op::CheckAligned { addr, .. } => {
                $f(addr);
            }
            Op::Store { addr, src, .. } => {
                $f(addr);
                $f(src);
            }
            Op::CopyBytes { to, from, .. } | Op::CopyMembers { to, from, .. } => {
                $f(to);
                $f(from);
            }
            Op::ZeroBytes { to, .. } | Op::UndefinedBytes { to, .. } | Op::Written { to, .. } => {
                $f(to);
            }
            Op::CheckWritten { variable, written } => {
                $f(variable);
                $f(written);
            }
            Op::Atomic { addr, value, .. } => {
                $f(addr);
                $f(value);
            }
            Op::CompareAndSwap { addr, expected, value, .. } => {
                $f(addr);
                $f(expected);
                $f(value);
            }
            Op::SyncWarp { mask } => {
                $f(mask);
            }
            Op::Assert { condition, .. } => {
                $f(condition);
            }
            Op::Allocate { bytes, .. } => {
                $f(bytes);
            }
            Op::Release { address } => {
                $f(address);
            }
            Op::CheckIndex { index, size, .. } => {
                $f(index);
                $f(size);
            }
            Op::Barrier(
                Barrier::Count { predicate, .. }
                | Barrier::And { predicate, .. }
                | Barrier::Or { predicate, .. },
            ) => $f(predicate),
            Op::Call { args, .. } | Op::Math { args, .. } | Op::Printf { args, .. } => {
                for arg in args {
                    $f(arg);
                }
            }
            Op::Launch { config, values, .. } => {
                for local in config {
                    $f(local);
                }
                for (_, local) in values {
                    $f(local);
                }
            }
            Op::Warp { op, mask, value, lane, width, .. } => {
                $f(mask);
                $f(value);
                if op.is_shuffle() {
                    $f(lane);
                    $f(width);
                }
            }
        }
    };
}

impl Op {
    /// The local that it writes; no op writes two.
    pub fn dst(&self) -> Option<Local> {
        let found: Option<&Local> = written!(self);
        found.copied()
    }

    /// The local that it writes, to be changed.
    pub fn dst_mut(&mut self) -> Option<&mut Local> {
        written!(self)
    }

    /// Calls `f` for every local that it reads, in order.
    pub fn visit_uses(&self, mut f: impl FnMut(Local)) {
        let mut each = |local: &Local| f(*local);
        read!(self, each);
    }

    /// Puts `f(local)` in place of every local that it reads. Collectives without lane and width get one that is read in their
    /// place, so that nothing names a local that is gone.
    pub fn map_uses(&mut self, mut f: impl FnMut(Local) -> Local) {
        let mut each = |local: &mut Local| *local = f(*local);
        read!(self, each);
        if let Op::Warp { op, mask, lane, width, .. } = self
            && !op.is_shuffle()
        {
            (*lane, *width) = (*mask, *mask);
        }
    }

    /// Puts `f(local)` in place of every local, read or written.
    pub fn map_locals(&mut self, mut f: impl FnMut(Local) -> Local) {
        self.map_uses(&mut f);
        if let Some(dst) = self.dst_mut() {
            *dst = f(*dst);
        }
    }

    /// Whether leaving it out could be noticed although nobody reads what it writes.
    pub fn has_side_effects(&self) -> bool {
        match self {
            Op::Load { volatile, .. } => *volatile,
            Op::Special { register: Special::Clock, .. } => true,
            Op::Const { .. }
            | Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Fma { .. }
            | Op::Math { .. }
            | Op::SlotAddress { .. }
            | Op::SharedAddress { .. }
            | Op::DynamicShared { .. }
            | Op::GlobalAddress { .. }
            | Op::StringAddress { .. }
            | Op::Parameter { .. }
            | Op::Special { .. }
            | Op::Undefined { .. }
            | Op::ActiveMask { .. } => false,
            _ => true,
        }
    }

    /// Whether its value follows from its operands (and the thread) alone, so that it may be done earlier, later or
    /// only once.
    pub fn is_pure(&self) -> bool {
        !self.has_side_effects() && !matches!(self, Op::Load { .. } | Op::ActiveMask { .. })
    }

    /// Whether the thread may have to wait for others there: barriers, collectives, yields.
    pub fn suspends(&self) -> bool {
        matches!(
            self,
            Op::Barrier(_)
                | Op::SyncWarp { .. }
                | Op::Warp { .. }
                | Op::ActiveMask { .. }
                | Op::Lockstep
                | Op::GridSync
                | Op::ClusterSync
                | Op::Yield
        )
    }
}

impl End {
    /// Where it may lead; a block that several values lead to is named for each.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + '_ {
        let (first, second, cases): (Option<BlockId>, Option<BlockId>, &[(u64, BlockId)]) = match self {
            End::Jump(to) => (Some(*to), None, &[]),
            End::Branch { then, otherwise, .. } => (Some(*then), Some(*otherwise), &[]),
            End::Switch { cases, default, .. } => (Some(*default), None, cases),
            End::Return(_) | End::Unreachable => (None, None, &[]),
        };
        first.into_iter().chain(second).chain(cases.iter().map(|case| case.1))
    }

    /// Puts `f(block)` in place of every block that it leads to.
    pub fn map_successors(&mut self, mut f: impl FnMut(BlockId) -> BlockId) {
        match self {
            End::Jump(to) => *to = f(*to),
            End::Branch { then, otherwise, .. } => {
                *then = f(*then);
                *otherwise = f(*otherwise);
            }
            End::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|case| case.1 = f(case.1));
                *default = f(*default);
            }
            End::Return(_) | End::Unreachable => {}
        }
    }

    /// The local that it reads.
    pub fn used(&self) -> Option<Local> {
        match self {
            End::Branch { cond, .. } => Some(*cond),
            End::Switch { value, .. } => Some(*value),
            End::Return(value) => *value,
            End::Jump(_) | End::Unreachable => None,
        }
    }

    /// Puts `f(local)` in place of the local that it reads.
    pub fn map_used(&mut self, f: impl FnOnce(Local) -> Local) {
        match self {
            End::Branch { cond: local, .. } | End::Switch { value: local, .. } | End::Return(Some(local)) => {
                *local = f(*local)
            }
            End::Return(None) | End::Jump(_) | End::Unreachable => {}
        }
    }
}

impl Compare {
    /// Whether it compares floats.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Compare::FEq | Compare::FNe | Compare::FLt | Compare::FLe | Compare::FGt | Compare::FGe
        )
    }
}
