//! How values differ between neighbouring threads of a region: not at all, by a constant, or anyhow.

use cuprum_kernel::ir::{Binary, BlockId, Convert, End, Local, Op, Special, Type, Unary};

use super::lanes::is_two;
use super::vector_ops::power_of_two;

use crate::regions::Cut;

/// How a local's value grows from a thread to the next along x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// By this; 0 where all threads have one value.
    Stride(i64),
    Varying,
}

pub(super) const UNIFORM: Shape = Shape::Stride(0);

/// The shapes of all locals in one region, for threads that go through it together.
pub(super) struct Shapes<'c> {
    cut: &'c Cut,
    /// Bytes from one thread's slots to the next one's.
    slot_stride: i64,
    /// None: never written.
    shapes: Vec<Option<Shape>>,
}

impl<'c> Shapes<'c> {
    pub(super) fn of(cut: &'c Cut, entry: u32, slot_stride: i64) -> Shapes<'c> {
        let mut found = Shapes { cut, slot_stride, shapes: vec![None; cut.function.locals.len()] };
        let region = &cut.entries[entry as usize];
        let mut anew = Vec::new();
        for &local in &region.live {
            if entry == 0 {
                found.shapes[local.index()] = Some(UNIFORM);
            } else if cut.places[local.index()].is_none() {
                found.recomputed(local, &mut anew);
            } else {
                // What was assigned on different ways differs, unless the whole block went one way and came together.
                let uniform = cut.comes_together(region) && cut.uniform.is_uniform(local);
                found.shapes[local.index()] = Some(if uniform { UNIFORM } else { Shape::Varying });
            }
        }
        if let Some(dst) = region.wait.as_ref().and_then(Op::dst) {
            found.shapes[dst.index()] = Some(Shape::Varying);
        }
        let blocks = cut.reached(&[region.block]);
        while found.pass(&blocks, &anew) {}
        found
    }

    /// The definitions that are computed anew, operands first.
    fn recomputed(&self, local: Local, anew: &mut Vec<&'c Op>) {
        let Some(op) = self.cut.facts.definition(&self.cut.function, local) else { return };
        if !anew.iter().any(|known| std::ptr::eq(*known, op)) {
            op.visit_uses(|used| self.recomputed(used, anew));
            anew.push(op);
        }
    }

    /// The definitions that a local is computed anew by, operands first.
    pub(super) fn definitions(&self, local: Local) -> Vec<&'c Op> {
        let mut anew = Vec::new();
        self.recomputed(local, &mut anew);
        anew
    }

    fn pass(&mut self, blocks: &[BlockId], anew: &[&Op]) -> bool {
        let mut changed = false;
        let cut = self.cut;
        let ops =
            blocks.iter().flat_map(|block| &cut.function.blocks[block.index()].insts).map(|inst| &inst.op);
        for op in anew.iter().copied().chain(ops) {
            let Some(dst) = op.dst() else { continue };
            let shape = match (self.shapes[dst.index()], self.result(op)) {
                (None, new) => new,
                (Some(old), new) if old == new => old,
                _ => Shape::Varying,
            };
            changed |= self.shapes[dst.index()] != Some(shape);
            self.shapes[dst.index()] = Some(shape);
        }
        changed
    }

    pub(super) fn get(&self, local: Local) -> Shape {
        self.shapes[local.index()].unwrap_or(UNIFORM)
    }

    pub(super) fn is_uniform(&self, local: Local) -> bool {
        self.get(local) == UNIFORM
    }

    fn constant(&self, local: Local) -> Option<i64> {
        let bits = self.cut.facts.constant(&self.cut.function, local)?;
        let unused = 64 - 8 * self.cut.function.locals[local.index()].ty.bytes();
        Some(((bits << unused) as i64) >> unused)
    }

    /// The shape of what an op gives.
    pub(super) fn result(&self, op: &Op) -> Shape {
        let ty = |local: &Local| self.cut.function.locals[local.index()].ty;
        let stride =
            |a: Option<i64>| a.filter(|s| i32::try_from(*s).is_ok()).map_or(Shape::Varying, Shape::Stride);
        match op {
            Op::Special { register, .. } => match register {
                Special::ThreadIdx(0) | Special::ThreadRank => Shape::Stride(1),
                Special::LaneId | Special::Clock => Shape::Varying,
                _ => UNIFORM,
            },
            Op::SlotAddress { .. } => stride(Some(self.slot_stride)),
            Op::Copy { src, .. } => self.get(*src),
            Op::Convert { kind: Convert::SignExtend | Convert::ZeroExtend, dst, src }
                if ty(src) == Type::I32 && ty(dst) == Type::I64 =>
            {
                self.get(*src)
            }
            Op::Convert { kind: Convert::Narrow, dst, src } if ty(dst) == Type::I32 => self.get(*src),
            Op::Binary { op, a, b, dst } if matches!(ty(dst), Type::I32 | Type::I64) => {
                match (op, self.get(*a), self.get(*b)) {
                    (_, UNIFORM, UNIFORM) => UNIFORM,
                    (Binary::Add, Shape::Stride(x), Shape::Stride(y)) => stride(x.checked_add(y)),
                    (Binary::Sub, Shape::Stride(x), Shape::Stride(y)) => stride(x.checked_sub(y)),
                    (Binary::Mul, Shape::Stride(x), UNIFORM) => {
                        stride(self.constant(*b).and_then(|by| x.checked_mul(by)))
                    }
                    (Binary::Mul, UNIFORM, Shape::Stride(y)) => {
                        stride(self.constant(*a).and_then(|by| y.checked_mul(by)))
                    }
                    (Binary::Shl, Shape::Stride(x), UNIFORM) => match self.constant(*b) {
                        Some(by @ 0..=31) => stride(x.checked_mul(1 << by)),
                        _ => Shape::Varying,
                    },
                    _ => Shape::Varying,
                }
            }
            Op::Load { addr, volatile, .. } if !volatile && self.is_uniform(*addr) => UNIFORM,
            Op::Select { cond, a, b, .. } if self.is_uniform(*cond) && self.get(*a) == self.get(*b) => {
                self.get(*a)
            }
            Op::Load { .. }
            | Op::Call { .. }
            | Op::Atomic { .. }
            | Op::CompareAndSwap { .. }
            | Op::Printf { .. }
            | Op::Allocate { .. }
            | Op::Warp { .. }
            | Op::ActiveMask { .. }
            | Op::Barrier(_) => Shape::Varying,
            _ => {
                let mut uniform = true;
                op.visit_uses(|local| uniform &= self.is_uniform(local));
                if uniform { UNIFORM } else { Shape::Varying }
            }
        }
    }
}

/// Whether the vector path of a region is worth its code: what it does lane by lane costs more than the scalar path.
pub(super) fn pays(cut: &Cut, entry: u32, shapes: &Shapes<'_>, has_fma: bool) -> bool {
    let function = &cut.function;
    let ty = |local: &Local| function.locals[local.index()].ty;
    let (mut apart, mut together) = (0usize, 0usize);
    for block in cut.reached(&[cut.entries[entry as usize].block]) {
        let block = &function.blocks[block.index()];
        if matches!(block.end, End::Switch { .. }) {
            return false;
        }
        for inst in &block.insts {
            let op = &inst.op;
            if matches!(op, Op::Call { .. }) || matches!(op, Op::SlotAddress { .. }) && !cut.waits() {
                return false;
            }
            if matches!(op, Op::CheckAligned { .. }) {
                continue;
            }
            let mut uniform = true;
            op.visit_uses(|local| uniform &= shapes.is_uniform(local));
            let touches = matches!(
                op,
                Op::Atomic { .. }
                    | Op::CompareAndSwap { .. }
                    | Op::Printf { .. }
                    | Op::Allocate { .. }
                    | Op::Release { .. }
                    | Op::Launch { .. }
            );
            let wide = op.dst().map_or(1, |dst| 1 + usize::from(is_two(ty(&dst))));
            apart += 4;
            together += if !touches && (uniform || shapes.result(op) != Shape::Varying) {
                1
            } else {
                match op {
                    Op::Copy { .. } | Op::Compare { .. } | Op::Select { .. } => wide,
                    Op::Fma { .. } if has_fma => wide,
                    Op::Unary {
                        op: Unary::LeadingZeros | Unary::TrailingZeros | Unary::CountOnes, ..
                    } => 12,
                    Op::Unary { .. } => wide,
                    Op::Binary { op, dst, b, .. } => match op {
                        Binary::DivU | Binary::RemU if divides(cut, *op, *b) => wide,
                        Binary::DivS | Binary::RemS if divides(cut, *op, *b) => 5,
                        Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU | Binary::MulHighS => 12,
                        Binary::MulHighU | Binary::CopySign => 12,
                        Binary::Mul if is_two(ty(dst)) => 12,
                        _ => wide,
                    },
                    Op::Convert { kind: Convert::FromU | Convert::ToU | Convert::FromHalf, .. } => 12,
                    Op::Convert { kind: Convert::ToHalf | Convert::ToBfloat, .. } => 12,
                    Op::Convert { .. } => wide + 1,
                    Op::Load { addr, dst, .. }
                        if shapes.get(*addr) == Shape::Stride(i64::from(ty(dst).bytes())) =>
                    {
                        wide
                    }
                    Op::Store { addr, src, .. }
                        if shapes.get(*addr) == Shape::Stride(i64::from(ty(src).bytes())) =>
                    {
                        wide
                    }
                    Op::Barrier(_)
                    | Op::Lockstep
                    | Op::GridSync
                    | Op::ClusterSync
                    | Op::Yield
                    | Op::SyncWarp { .. }
                    | Op::ActiveMask { .. } => 1,
                    Op::Warp { .. } => wide + 1,
                    _ => 10,
                }
            };
        }
    }
    (1..=MAX_OPS * 4).contains(&apart) && together * 5 < apart * 4
}

/// Whether there is a vector form of a division by a local.
fn divides(cut: &Cut, op: Binary, by: Local) -> bool {
    let ty = cut.function.locals[by.index()].ty;
    cut.facts.constant(&cut.function, by).is_some_and(|by| power_of_two(ty, op, by).is_some())
}

/// The most ops of a region that has a vector path.
const MAX_OPS: usize = 2000;
