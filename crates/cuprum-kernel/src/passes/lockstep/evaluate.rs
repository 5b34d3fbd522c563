//! Addresses of lanes in a launch: sums of a number and multiples of what is the same for all lanes of a warp.

use std::cmp::Ordering;

use super::accesses::{Access, Counter, Facts, Guard, MAX_DEPTH};
use super::{LaunchFacts, Meets, Place, Round};
use crate::ir::{Binary, Compare, Convert, Local, Op, Special, Unary};
use crate::passes::analysis::{Origin, provenance};
use crate::passes::fold;

/// Lanes of a warp.
const WARP: u32 = 32;
/// The most parts of a sum.
const PARTS: usize = 5;
/// The most numbers that a local which changes is taken to be, one after the other.
const NUMBERS: usize = 40;

/// What is the same for all lanes of a warp.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Where a variable or array begins.
    Base(u8, u32),
    /// `blockIdx` along an axis.
    Block(u8),
    /// How often a loop has gone round.
    Rounds(u32),
    /// A local.
    Local(Local),
    /// A scalar among the parameters, by its offset.
    Parameter(u32),
}

/// `number + part * factor + ...`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    pub number: i64,
    count: usize,
    parts: [(Part, i64); PARTS],
}

/// What is known of a value in a lane.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Sum(Sum),
    Varies,
}

impl Sum {
    fn number(number: i64) -> Sum {
        Sum { number, count: 0, parts: [(Part::Block(0), 0); PARTS] }
    }

    fn part(part: Part) -> Sum {
        let mut sum = Sum::number(0);
        sum.parts[0] = (part, 1);
        sum.count = 1;
        sum
    }

    fn as_number(&self) -> Option<i64> {
        (self.count == 0).then_some(self.number)
    }

    pub fn terms(&self) -> &[(Part, i64)] {
        &self.parts[..self.count]
    }

    /// `self + other * factor`; none where there are too many parts.
    fn plus(&self, other: &Sum, factor: i64) -> Option<Sum> {
        let mut sum = Sum::number(self.number.wrapping_add(other.number.wrapping_mul(factor)));
        let (mut a, mut b) = (self.terms().iter().peekable(), other.terms().iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => return Some(sum),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(x), Some(y)) => x.0.cmp(&y.0),
            };
            let mut term = (Part::Block(0), 0i64);
            if next != Ordering::Greater {
                term = *a.next()?;
            }
            if next != Ordering::Less {
                let (part, by) = *b.next()?;
                term = (part, term.1.wrapping_add(by.wrapping_mul(factor)));
            }
            if term.1 != 0 {
                *sum.parts.get_mut(sum.count)? = term;
                sum.count += 1;
            }
        }
    }

    fn times(&self, factor: i64) -> Option<Sum> {
        Sum::number(0).plus(self, factor)
    }
}

/// Numbers that locals which change are taken to be.
type Numbers = Vec<(Local, i64)>;

struct Evaluator<'a> {
    facts: &'a Facts,
    launch: &'a LaunchFacts<'a>,
    origins: &'a [Origin],
    block: Option<[u32; 3]>,
    rank: u32,
    numbers: &'a [(Local, i64)],
    /// The place of the access that is looked at.
    root: Place,
    /// Values that have been found, in the order of that.
    known: Vec<(Local, Value)>,
}

impl Evaluator<'_> {
    fn local(&mut self, local: Local, at: Place, depth: u32) -> Value {
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
            return Value::Sum(Sum::number(*number));
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
    fn may_reach(&mut self, guards: &[Guard]) -> bool {
        guards.iter().all(|guard| match self.local(guard.cond, guard.at, 0) {
            Value::Sum(cond) => cond.as_number().is_none_or(|cond| (cond != 0) == guard.holds),
            Value::Varies => true,
        })
    }

    fn counted(&mut self, counter: &Counter, at: Place, depth: u32) -> Option<Value> {
        let Value::Sum(first) = self.written(counter.local, counter.init, depth + 1) else { return None };
        let step = self.step(counter, depth)?;
        let rounds = Sum::part(Part::Rounds(counter.of as u32));
        let ahead = i64::from(self.facts.before(counter.stepped, at));
        let mut sum = first.plus(&rounds, step)?;
        sum.number = sum.number.wrapping_add(step.wrapping_mul(ahead));
        Some(Value::Sum(sum))
    }

    fn step(&mut self, counter: &Counter, depth: u32) -> Option<i64> {
        match self.local(counter.step, counter.stepped, depth + 1) {
            Value::Sum(step) => step.as_number().map(|step| if counter.down { -step } else { step }),
            Value::Varies => None,
        }
    }

    /// How often the loop of a counter goes round at most.
    fn most_rounds(&mut self, counter: &Counter) -> Option<i64> {
        let (op, bound, at) = counter.bound?;
        let Value::Sum(first) = self.written(counter.local, counter.init, 1) else { return None };
        let Value::Sum(bound) = self.local(bound, at, 1) else { return None };
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
        Some(distance.max(0).div_ceil_by(step.abs()))
    }

    /// What is the same for all lanes stands for itself.
    fn unknown(&self, local: Local) -> Value {
        if self.facts.uniform.is_uniform(local) {
            Value::Sum(Sum::part(Part::Local(local)))
        } else {
            Value::Varies
        }
    }

    /// What the op at a place writes.
    fn written(&mut self, local: Local, place: Place, depth: u32) -> Value {
        let facts = self.facts;
        let Some(op) = facts.op(place) else { return self.unknown(local) };
        let ty = facts.function.locals[local.index()].ty;
        if ty.is_float() {
            return self.unknown(local);
        }
        let found = self.result(op, local, place, depth + 1);
        match found {
            // Numbers wrap as their type does.
            Some(sum) if sum.count == 0 => {
                Value::Sum(Sum::number(fold::signed(ty, sum.number as u64 & fold::mask(ty))))
            }
            Some(sum) => Value::Sum(sum),
            None => self.unknown(local),
        }
    }

    fn result(&mut self, op: &Op, dst: Local, at: Place, depth: u32) -> Option<Sum> {
        let facts = self.facts;
        let ty = |local: Local| facts.function.locals[local.index()].ty;
        let mut of = |local: Local| match self.local(local, at, depth) {
            Value::Sum(sum) => Some(sum),
            Value::Varies => None,
        };
        match op {
            Op::Const { bits, .. } => Some(Sum::number(fold::signed(ty(dst), *bits))),
            Op::Copy { src, .. } => of(*src),
            Op::Convert { kind: Convert::SignExtend | Convert::Narrow, src, .. } => of(*src),
            Op::Convert { kind: Convert::ZeroExtend, src, .. } => {
                let sum = of(*src)?;
                let bits = sum.number as u64 & fold::mask(ty(*src));
                Some(if sum.count == 0 { Sum::number(bits as i64) } else { sum })
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
            Special::Clock | Special::SharedBase => return None,
        };
        Some(Sum::number(i64::from(number)))
    }
}

trait DivCeil {
    fn div_ceil_by(self, by: i64) -> i64;
}

impl DivCeil for i64 {
    fn div_ceil_by(self, by: i64) -> i64 {
        (self + by - 1) / by
    }
}

fn binary(op: Binary, ty: crate::ir::Type, x: Option<Sum>, y: Option<Sum>) -> Option<Sum> {
    let zero = |sum: &Option<Sum>| sum.as_ref().and_then(Sum::as_number) == Some(0);
    if op == Binary::And && (zero(&x) || zero(&y)) {
        return Some(Sum::number(0));
    }
    let (x, y) = (x?, y?);
    if let (Some(a), Some(b)) = (x.as_number(), y.as_number()) {
        let (a, b) = (a as u64 & fold::mask(ty), b as u64 & fold::mask(ty));
        return Some(Sum::number(fold::signed(ty, fold::binary(op, ty, a, b))));
    }
    match op {
        Binary::Add => x.plus(&y, 1),
        Binary::Sub => x.plus(&y, -1),
        Binary::Mul => match (x.as_number(), y.as_number()) {
            (Some(by), _) => y.times(by),
            (_, Some(by)) => x.times(by),
            _ => None,
        },
        Binary::Shl => x.times(1i64.checked_shl(u32::try_from(y.as_number()?).ok()?)?),
        _ => None,
    }
}

fn compare(op: Compare, ty: crate::ir::Type, x: &Sum, y: &Sum) -> Option<Sum> {
    let truth = |holds: bool| Some(Sum::number(i64::from(holds)));
    if let (Some(a), Some(b)) = (x.as_number(), y.as_number()) {
        let (a, b) = (a as u64 & fold::mask(ty), b as u64 & fold::mask(ty));
        return truth(fold::compare(op, ty, a, b));
    }
    let distance = x.plus(y, -1)?.as_number()?;
    truth(match op {
        Compare::Eq => distance == 0,
        Compare::Ne => distance != 0,
        Compare::LtS | Compare::LtU => distance < 0,
        Compare::LeS | Compare::LeU => distance <= 0,
        Compare::GtS | Compare::GtU => distance > 0,
        Compare::GeS | Compare::GeU => distance >= 0,
        _ => return None,
    })
}

/// What a lane does at an access.
#[derive(Clone, Copy, Debug)]
pub enum Lane {
    /// It does not come there.
    Absent,
    At(Sum),
    Anywhere,
}

/// The lanes of a warp at an access, while locals that change are these numbers.
struct Row {
    numbers: Numbers,
    lanes: Vec<Lane>,
}

/// The most accesses of lanes that are looked at for one launch; lanes are taken to meet where that is not enough.
const MAX_LANES: usize = 1 << 20;

/// Whether two accesses are of different arrays that have nothing in common.
pub fn are_disjoint(a: &Access, b: &Access, overlaps: bool) -> bool {
    !overlaps && a.origin.is_known() && b.origin.is_known() && a.origin != b.origin
}

/// For each pair, which lanes of the launch's warps meet.
pub fn meeting_lanes(
    facts: &Facts,
    accesses: &[Access],
    pairs: &[(usize, usize, Round)],
    launch: &LaunchFacts<'_>,
) -> Vec<Meets> {
    let origins = provenance(&facts.function);
    let apart = |a: usize, b: usize| are_disjoint(&accesses[a], &accesses[b], launch.overlaps);
    let together = pairs.iter().filter(|(a, b, _)| !apart(*a, *b));
    let mut used: Vec<usize> = together.flat_map(|(a, b, _)| [*a, *b]).collect();
    used.sort_unstable();
    used.dedup();
    let model = Model { facts, launch, origins: &origins, block: None };
    let choices: Vec<Vec<Numbers>> = (0..accesses.len())
        .map(|i| if used.binary_search(&i).is_ok() { model.choices(i) } else { Vec::new() })
        .collect();
    let mut found = vec![Meets::default(); pairs.len()];
    let threads = launch.threads();
    let lanes: usize = choices.iter().map(Vec::len).sum::<usize>() * threads as usize;
    let compared = |(a, b, round): &(usize, usize, Round)| {
        let (x, y) = (choices[*a].len(), choices[*b].len());
        if *round == Round::Same { x.max(y) } else { x * y }
    };
    let compared = pairs.iter().map(compared).sum::<usize>() * threads as usize;
    if lanes > MAX_LANES || compared > MAX_LANES {
        let all = |(a, b, _): &(usize, usize, Round)| !apart(*a, *b);
        return pairs.iter().map(|pair| Meets { against: all(pair), along: all(pair) }).collect();
    }
    let rounds = model.rounds();
    for first in (0..threads).step_by(WARP as usize) {
        let ranks = first..(first + WARP).min(threads);
        let rows: Vec<Vec<Row>> = choices
            .iter()
            .enumerate()
            .map(|(i, choices)| model.rows(i, &accesses[i], choices, ranks.clone()))
            .collect();
        for ((a, b, round), meets) in pairs.iter().zip(&mut found) {
            if meets.against && meets.along || apart(*a, *b) {
                continue;
            }
            let sizes = (accesses[*a].bytes, accesses[*b].bytes);
            for x in &rows[*a] {
                for y in rows[*b].iter().filter(|y| *round == Round::Later || agree(&x.numbers, &y.numbers)) {
                    model.compare_rows((x, y), *round, sizes, &rounds, meets);
                }
            }
        }
    }
    found
}

/// Whether two choices of numbers can hold at the same time.
fn agree(a: &Numbers, b: &Numbers) -> bool {
    a.iter().all(|(local, number)| b.iter().all(|(other, with)| local != other || number == with))
}

/// Evaluates accesses of a launch.
pub struct Model<'a> {
    pub facts: &'a Facts,
    pub launch: &'a LaunchFacts<'a>,
    pub origins: &'a [Origin],
    /// `blockIdx`, where one block is looked at.
    pub block: Option<[u32; 3]>,
}

impl<'a> Model<'a> {
    fn evaluator<'b>(&'b self, rank: u32, numbers: &'b [(Local, i64)], root: Place) -> Evaluator<'b> {
        let (facts, launch, origins) = (self.facts, self.launch, self.origins);
        let block = self.block;
        Evaluator { facts, launch, origins, block, rank, numbers, root, known: Vec::new() }
    }

    /// How often each loop goes round at most, whatever the thread.
    fn rounds(&self) -> Vec<Option<i64>> {
        let mut most = vec![None; self.facts.loops.len()];
        let threads = self.launch.threads();
        for counter in &self.facts.counters {
            let root = (self.facts.loops[counter.of].head, 0);
            let of = |rank: u32| self.evaluator(rank, &[], root).most_rounds(counter);
            // Bounds grow or fall with the thread's number where they depend on it at all.
            let all = [0, threads - 1, threads.min(WARP) - 1].map(of);
            if let [Some(a), Some(b), Some(c)] = all {
                let rounds = a.max(b).max(c);
                most[counter.of] = Some(most[counter.of].map_or(rounds, |known: i64| known.min(rounds)));
            }
        }
        most
    }

    /// The numbers that the locals which an access depends on may be, as far as they are few.
    fn choices(&self, number: usize) -> Vec<Numbers> {
        let mut choices = vec![Vec::new()];
        for &local in &self.facts.changing[number] {
            if !self.facts.uniform.is_uniform(local) {
                continue;
            }
            let Some(numbers) = self.numbers_of(local) else { continue };
            if choices.len() * numbers.len() > NUMBERS {
                continue;
            }
            choices = choices
                .iter()
                .flat_map(|known: &Numbers| {
                    numbers.iter().map(move |number| {
                        let mut known = known.clone();
                        known.push((local, *number));
                        known
                    })
                })
                .collect();
        }
        choices
    }

    /// All numbers that a local which changes may be: those that it is made of by its own writes.
    fn numbers_of(&self, local: Local) -> Option<Vec<i64>> {
        // What its writes depend on: itself and others that change.
        let mut group = vec![local];
        let mut next = 0;
        while let Some(&member) = group.get(next) {
            for &at in &self.facts.writers[member.index()] {
                let guards = self.facts.guards_of(at);
                for used in self.facts.changing_used(at, &guards) {
                    if !group.contains(&used) {
                        group.push(used);
                    }
                }
            }
            next += 1;
            if group.len() > 4 || !self.facts.uniform.is_uniform(member) {
                return None;
            }
        }
        let mut sets: Vec<Vec<i64>> = vec![Vec::new(); group.len()];
        loop {
            let mut changed = false;
            for (i, &member) in group.iter().enumerate() {
                for &at in &self.facts.writers[member.index()] {
                    let guards = self.facts.guards_of(at);
                    let used = self.facts.changing_used(at, &guards);
                    let mut choices: Vec<Numbers> = vec![Vec::new()];
                    for local in used {
                        let set = &sets[group.iter().position(|member| *member == local)?];
                        choices = choices
                            .iter()
                            .flat_map(|known| {
                                set.iter().map(move |number| {
                                    let mut known = known.clone();
                                    known.push((local, *number));
                                    known
                                })
                            })
                            .collect();
                        if choices.len() > NUMBERS * NUMBERS {
                            return None;
                        }
                    }
                    for numbers in &choices {
                        let mut evaluator = self.evaluator(0, numbers, at);
                        if !evaluator.may_reach(&guards) {
                            continue;
                        }
                        let Value::Sum(sum) = evaluator.written(member, at, 0) else { return None };
                        let number = sum.as_number()?;
                        if !sets[i].contains(&number) {
                            sets[i].push(number);
                            changed = true;
                        }
                    }
                    if sets[i].len() > NUMBERS {
                        return None;
                    }
                }
            }
            if !changed {
                return Some(std::mem::take(&mut sets[0]));
            }
        }
    }

    fn rows(
        &self,
        number: usize,
        access: &Access,
        choices: &[Numbers],
        ranks: std::ops::Range<u32>,
    ) -> Vec<Row> {
        let row = |numbers: &Numbers| {
            let lanes = ranks.clone().map(|rank| self.lane(number, access, rank, numbers)).collect();
            Row { numbers: numbers.clone(), lanes }
        };
        choices.iter().map(row).collect()
    }

    pub fn lane(&self, number: usize, access: &Access, rank: u32, numbers: &[(Local, i64)]) -> Lane {
        let mut evaluator = self.evaluator(rank, numbers, access.at);
        if !evaluator.may_reach(&self.facts.guards[number]) {
            return Lane::Absent;
        }
        let Some((address, offset)) = access.address else { return Lane::Anywhere };
        match evaluator.local(address, access.at, 0) {
            Value::Sum(mut sum) => {
                sum.number = sum.number.wrapping_add(offset);
                Lane::At(sum)
            }
            Value::Varies => Lane::Anywhere,
        }
    }

    fn compare_rows(
        &self,
        (x, y): (&Row, &Row),
        round: Round,
        sizes: (u64, u64),
        rounds: &[Option<i64>],
        meets: &mut Meets,
    ) {
        for (t, earlier) in x.lanes.iter().enumerate() {
            for (u, later) in y.lanes.iter().enumerate() {
                let flag = match t.cmp(&u) {
                    Ordering::Equal => continue,
                    Ordering::Greater => &mut meets.against,
                    Ordering::Less => &mut meets.along,
                };
                if *flag {
                    continue;
                }
                *flag = match (earlier, later) {
                    (Lane::Absent, _) | (_, Lane::Absent) => false,
                    (Lane::At(a), Lane::At(b)) => self.may_overlap(a, b, round, sizes, rounds),
                    _ => true,
                };
            }
        }
    }

    /// Whether `a..a + sizes.0` and `b..b + sizes.1` may have a byte in common.
    fn may_overlap(&self, a: &Sum, b: &Sum, round: Round, sizes: (u64, u64), rounds: &[Option<i64>]) -> bool {
        let base = |sum: &Sum| {
            let mut bases = sum.terms().iter().filter(|(part, _)| matches!(part, Part::Base(..)));
            let base = bases.next().filter(|(_, factor)| *factor == 1).map(|(part, _)| *part);
            base.filter(|_| bases.next().is_none())
        };
        if let (Some(x), Some(y)) = (base(a), base(b))
            && x != y
        {
            return false;
        }
        let number = i128::from(a.number.wrapping_sub(b.number));
        let (mut low, mut high, mut common) = (0i128, 0i128, 0u64);
        let mut free = |part: Part, factor: i64| -> bool {
            if matches!(part, Part::Base(..)) {
                return false;
            }
            common = gcd(common, factor.unsigned_abs());
            let most = match part {
                Part::Block(axis) => Some(i64::from(self.launch.grid[axis as usize]) - 1),
                Part::Rounds(number) => rounds[number as usize].map(|most| (most - 1).max(0)),
                _ => None,
            };
            let reach = most.map(|most| i128::from(most) * i128::from(factor));
            let (least, greatest) = match (part, reach) {
                (_, Some(reach)) => (reach.min(0), reach.max(0)),
                (Part::Rounds(_), None) if factor > 0 => (0, FAR),
                (Part::Rounds(_), None) => (-FAR, 0),
                _ => (-FAR, FAR),
            };
            low += least;
            high += greatest;
            true
        };
        let stays = |part: Part| match part {
            Part::Base(..) | Part::Block(_) | Part::Parameter(_) => true,
            Part::Rounds(_) => false,
            Part::Local(local) => match self.facts.values[local.index()] {
                Some(at) => !self.facts.loops.iter().any(|found| found.contains(at.0)),
                None => false,
            },
        };
        // What both have in common falls out, unless another round has another value of it.
        let mut in_both = |one: &Sum, other: &Sum, sign: i64| -> Option<()> {
            for &(part, factor) in one.terms() {
                let with = other.terms().iter().find(|(known, _)| *known == part).map(|(_, factor)| *factor);
                match with {
                    Some(with) if round == Round::Same || stays(part) => {
                        // Counted once, from the first of the two.
                        if sign > 0 && factor != with && !free(part, factor.wrapping_sub(with)) {
                            return None;
                        }
                    }
                    _ => {
                        if !free(part, factor.wrapping_mul(sign)) {
                            return None;
                        }
                    }
                }
            }
            Some(())
        };
        if in_both(a, b, 1).and_then(|()| in_both(b, a, -1)).is_none() {
            return true;
        }
        // Some distance from -sizes.0 to sizes.1, both left out.
        let (from, to) = (1 - i128::from(sizes.0), i128::from(sizes.1) - 1);
        if common == 0 {
            return (from..=to).contains(&number);
        }
        let (from, to) = (from.max(number + low), to.min(number + high));
        let first = from + (number - from).rem_euclid(i128::from(common));
        from <= to && first <= to
    }
}

/// Farther than any two addresses are apart.
const FAR: i128 = 1 << 80;

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
