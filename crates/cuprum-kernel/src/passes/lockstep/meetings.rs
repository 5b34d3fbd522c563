//! Which lanes of a launch's warps meet in memory, by the addresses of their accesses.

use std::cmp::Ordering;

use super::accesses::{LaneAccess, LockstepFacts};
use super::evaluate::{Evaluator, LaneValue};
use super::sums::{Part, Sum};
use super::{LaunchFacts, Meets, Place, Round, WARP};
use crate::ir::Local;
use crate::passes::analysis::{Origin, provenance};

/// The most numbers that a local which changes is taken to be, one after the other.
const MAX_NUMBERS: usize = 40;

/// Numbers that locals which change are taken to be.
type Numbers = Vec<(Local, i64)>;
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
pub fn are_disjoint(a: &LaneAccess, b: &LaneAccess, overlaps: bool) -> bool {
    !overlaps && a.origin.is_known() && b.origin.is_known() && a.origin != b.origin
}

/// For each pair, which lanes of the launch's warps meet.
pub fn meeting_lanes(
    facts: &LockstepFacts,
    accesses: &[LaneAccess],
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

/// Each choice with each number of one more local.
fn with_each(choices: &[Numbers], local: Local, numbers: &[i64]) -> Vec<Numbers> {
    let with = |known: &Numbers, number: i64| known.iter().copied().chain([(local, number)]).collect();
    choices.iter().flat_map(|known| numbers.iter().map(move |number| with(known, *number))).collect()
}

/// Evaluates accesses of a launch.
pub struct Model<'a> {
    pub facts: &'a LockstepFacts,
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
            if choices.len() * numbers.len() > MAX_NUMBERS {
                continue;
            }
            choices = with_each(&choices, local, &numbers);
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
                        choices = with_each(&choices, local, set);
                        if choices.len() > MAX_NUMBERS * MAX_NUMBERS {
                            return None;
                        }
                    }
                    for numbers in &choices {
                        let mut evaluator = self.evaluator(0, numbers, at);
                        if !evaluator.may_reach(&guards) {
                            continue;
                        }
                        let LaneValue::Sum(sum) = evaluator.written(member, at, 0) else { return None };
                        let number = sum.as_number()?;
                        if !sets[i].contains(&number) {
                            sets[i].push(number);
                            changed = true;
                        }
                    }
                    if sets[i].len() > MAX_NUMBERS {
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
        access: &LaneAccess,
        choices: &[Numbers],
        ranks: std::ops::Range<u32>,
    ) -> Vec<Row> {
        let row = |numbers: &Numbers| {
            let lanes = ranks.clone().map(|rank| self.lane(number, access, rank, numbers)).collect();
            Row { numbers: numbers.clone(), lanes }
        };
        choices.iter().map(row).collect()
    }

    pub fn lane(&self, number: usize, access: &LaneAccess, rank: u32, numbers: &[(Local, i64)]) -> Lane {
        let mut evaluator = self.evaluator(rank, numbers, access.at);
        if !evaluator.may_reach(&self.facts.guards[number]) {
            return Lane::Absent;
        }
        let Some((address, offset)) = access.address else { return Lane::Anywhere };
        match evaluator.local(address, access.at, 0) {
            LaneValue::Sum(mut sum) => {
                sum.number = sum.number.wrapping_add(offset);
                Lane::At(sum)
            }
            LaneValue::Varies => Lane::Anywhere,
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
