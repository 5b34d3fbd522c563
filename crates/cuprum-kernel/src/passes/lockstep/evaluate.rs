//! Values of locals in one lane of a launch: sums of a number and multiples of what is the same for all lanes of a warp.

use super::accesses::{Counter, Guard, LockstepFacts, MAX_DEPTH};
use super::sums::{Part, Sum, binary, compare};
use super::{LaunchFacts, Place, WARP};
use crate::ir::{Compare, Convert, Local, Op, Special, Unary};
use crate::passes::analysis::Origin;
use crate::passes::fold;

/// What is known of a value in a lane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LaneValue {
    Sum(Sum),
    Varies,
}

/// Finds the values of locals in one lane.
pub struct Evaluator<'a> {
    pub facts: &'a LockstepFacts,
    pub launch: &'a LaunchFacts<'a>,
    pub origins: &'a [Origin],
    /// `blockIdx`, if one block is looked at.
    pub block: Option<[u32; 3]>,
    /// The thread's number in its block.
    pub rank: u32,
    /// Numbers that locals which change are taken to be.
    pub numbers: &'a [(Local, i64)],
    /// The place of the access that is looked at.
    pub root: Place,
    /// Values found so far.
    pub known: Vec<(Local, LaneValue)>,
}

impl Evaluator<'_> {
    pub fn local(&mut self, local: Local, at: Place, depth: u32) -> LaneValue {
        if depth > MAX_DEPTH {
            return self.unknown(local);
        }
        if let Some(place) = self.facts.values[local.index()] {
            if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == local) {
                return *known;
            }
            let value = self.written(local, place, depth);
            self.known.push((local, value));
            return value;
        }
        if let Some((_, number)) = self.numbers.iter().find(|(known, _)| *known == local) {
            return LaneValue::Sum(Sum::number(*number));
        }
        let facts = self.facts;
        match facts.counter(local, at) {
            // Behind the loop, lanes may have left it after different rounds.
            Some(counter) if facts.loops[counter.of].contains(self.root.0) => {
                self.counted(counter, at, depth).unwrap_or_else(|| self.unknown(local))
            }
            _ => self.unknown(local),
        }
    }

    /// Whether a thread may come to a place behind some branches.
    pub fn may_reach(&mut self, guards: &[Guard]) -> bool {
        guards.iter().all(|guard| match self.local(guard.cond, guard.at, 0) {
            LaneValue::Sum(cond) => cond.as_number().is_none_or(|cond| (cond != 0) == guard.holds),
            LaneValue::Varies => true,
        })
    }

    fn counted(&mut self, counter: &Counter, at: Place, depth: u32) -> Option<LaneValue> {
        let LaneValue::Sum(first) = self.written(counter.local, counter.init, depth + 1) else { return None };
        let step = self.step(counter, depth)?;
        let rounds = Sum::part(Part::Rounds(counter.of as u32));
        let ahead = i64::from(self.facts.before(counter.stepped, at));
        let mut sum = first.plus(&rounds, step)?;
        sum.number = sum.number.wrapping_add(step.wrapping_mul(ahead));
        Some(LaneValue::Sum(sum))
    }

    fn step(&mut self, counter: &Counter, depth: u32) -> Option<i64> {
        match self.local(counter.step, counter.stepped, depth + 1) {
            LaneValue::Sum(step) => step.as_number().map(|step| if counter.down { -step } else { step }),
            LaneValue::Varies => None,
        }
    }

    /// How often the loop of a counter goes round at most.
    pub fn most_rounds(&mut self, counter: &Counter) -> Option<i64> {
        let (op, bound, at) = counter.bound?;
        let LaneValue::Sum(first) = self.written(counter.local, counter.init, 1) else { return None };
        let LaneValue::Sum(bound) = self.local(bound, at, 1) else { return None };
        let distance = bound.plus(&first, -1)?.as_number()?;
        let step = self.step(counter, 1)?;
        let distance = match op {
            Compare::LtS | Compare::LtU if step > 0 => distance,
            Compare::LeS | Compare::LeU if step > 0 => distance + 1,
            Compare::GtS | Compare::GtU if step < 0 => -distance,
            Compare::GeS | Compare::GeU if step < 0 => -distance + 1,
            Compare::Ne if step != 0 && distance % step == 0 => distance.abs(),
            _ => return None,
        };
        Some(div_ceil(distance.max(0), step.abs()))
    }

    /// What is the same for all lanes stands for itself.
    fn unknown(&self, local: Local) -> LaneValue {
        if self.facts.uniform.is_uniform(local) {
            LaneValue::Sum(Sum::part(Part::Local(local)))
        } else {
            LaneValue::Varies
        }
    }

    /// What the op at a place writes.
    pub fn written(&mut self, local: Local, place: Place, depth: u32) -> LaneValue {
        let facts = self.facts;
        let Some(op) = facts.op(place) else { return self.unknown(local) };
        let ty = facts.function.locals[local.index()].ty;
        if ty.is_float() {
            return self.unknown(local);
        }
        let found = self.result(op, local, place, depth + 1);
        match found {
            // Numbers wrap as their type does.
            Some(sum) => LaneValue::Sum(match sum.as_number() {
                Some(number) => Sum::number(fold::signed(ty, number as u64 & fold::mask(ty))),
                None => sum,
            }),
            None => self.unknown(local),
        }
    }

    fn result(&mut self, op: &Op, dst: Local, at: Place, depth: u32) -> Option<Sum> {
        let facts = self.facts;
        let ty = |local: Local| facts.function.locals[local.index()].ty;
        let mut of = |local: Local| match self.local(local, at, depth) {
            LaneValue::Sum(sum) => Some(sum),
            LaneValue::Varies => None,
        };
        match op {
            Op::Const { bits, .. } => Some(Sum::number(fold::signed(ty(dst), *bits))),
            Op::Copy { src, .. } => of(*src),
            Op::Convert { kind: Convert::SignExtend | Convert::Narrow, src, .. } => of(*src),
            Op::Convert { kind: Convert::ZeroExtend, src, .. } => {
                let sum = of(*src)?;
                let unsigned = |number: i64| Sum::number((number as u64 & fold::mask(ty(*src))) as i64);
                Some(sum.as_number().map_or(sum, unsigned))
            }
            Op::Unary { op: Unary::Neg, src, .. } => of(*src)?.times(-1),
            Op::Unary { op, src, .. } => {
                let bits = of(*src)?.as_number()? as u64 & fold::mask(ty(*src));
                Some(Sum::number(fold::signed(ty(dst), fold::unary(*op, ty(*src), bits))))
            }
            Op::Binary { op, a, b, .. } => {
                let (x, y) = (of(*a), of(*b));
                binary(*op, ty(dst), x, y)
            }
            Op::Compare { op, a, b, .. } if !op.is_float() => compare(*op, ty(*a), &of(*a)?, &of(*b)?),
            Op::Select { cond, a, b, .. } => {
                let (x, y) = (of(*a), of(*b));
                match of(*cond).and_then(|cond| cond.as_number()) {
                    Some(0) => y,
                    Some(_) => x,
                    None => x.filter(|x| y == Some(*x)),
                }
            }
            Op::Special { register, .. } => self.special(*register),
            Op::Parameter { offset, .. } => {
                if let (Origin::Parameter(number), false) = (self.origins[dst.index()], self.launch.overlaps)
                {
                    return Some(Sum::part(Part::Base(0, number)));
                }
                if self.launch.any_scalars {
                    return Some(Sum::part(Part::Parameter(*offset)));
                }
                let bits = self.launch.parameter(*offset, ty(dst).bytes())?;
                Some(Sum::number(fold::signed(ty(dst), bits)))
            }
            Op::SharedAddress { shared, .. } => Some(Sum::part(Part::Base(1, shared.0))),
            Op::DynamicShared { .. } => Some(Sum::part(Part::Base(2, 0))),
            Op::GlobalAddress { global, .. } => Some(Sum::part(Part::Base(3, global.0))),
            _ => None,
        }
    }

    fn special(&self, register: Special) -> Option<Sum> {
        let launch = self.launch;
        let number = match register {
            Special::ThreadIdx(axis) => launch.thread_index(self.rank)[axis as usize],
            Special::BlockIdx(axis) if launch.grid[axis as usize] == 1 => 0,
            Special::BlockIdx(axis) => match self.block {
                Some(index) => index[axis as usize],
                None => return Some(Sum::part(Part::Block(axis))),
            },
            Special::BlockDim(axis) => launch.block[axis as usize],
            Special::GridDim(axis) => launch.grid[axis as usize],
            Special::LaneId => self.rank % WARP,
            Special::ThreadRank => self.rank,
            Special::DynamicSharedBytes => launch.dynamic_shared,
            Special::Clock
            | Special::SharedBase
            | Special::ClusterDim(_)
            | Special::ClusterShared
            | Special::ClusterStep => return None,
        };
        Some(Sum::number(i64::from(number)))
    }
}

/// The quotient of two numbers that are not negative, rounded up.
fn div_ceil(a: i64, b: i64) -> i64 {
    (a + b - 1) / b
}
