//! Threads of different warps or blocks that meet in memory: no GPU promises their order.

use super::accesses::{LaneAccess, LockstepFacts};
use super::meetings::{Lane, Model};
use super::{LaunchFacts, Round, WARP};
use crate::Span;
use crate::ir::Op;
use crate::passes::analysis::{Origin, provenance};

/// Two accesses by which threads meet whose order is not defined.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// Where it is written.
    pub write: Span,
    /// Where it is read.
    pub read: Span,
    /// The threads are of different blocks; else of different warps of one.
    pub between_blocks: bool,
}

/// The addresses of an access with the warps of the threads that make it; none where they cannot be told.
type Addresses = Option<Vec<(i64, u32)>>;

/// The most accesses of a kernel that is looked at.
const MAX_ACCESSES: usize = 64;

/// A race that surely is one, if each thread comes to its accesses: their addresses are known and equal.
pub fn race(
    facts: &LockstepFacts,
    accesses: &[LaneAccess],
    pairs: &[(usize, usize, Round)],
    launch: &LaunchFacts<'_>,
) -> Option<Race> {
    if accesses.len() > MAX_ACCESSES || launch.overlaps {
        return None;
    }
    // Locks, tickets and barriers of the grid make an order that is not seen here.
    let orders = |op: &Op| {
        matches!(op, Op::Fence | Op::GridSync | Op::ClusterSync | Op::Yield | Op::CompareAndSwap { .. })
    };
    if facts.function.blocks.iter().flat_map(|block| &block.insts).any(|inst| orders(&inst.op)) {
        return None;
    }
    let origins = provenance(&facts.function);
    let blocks: Vec<[u32; 3]> = std::iter::once([0; 3])
        .chain((0..3).filter(|axis| launch.grid[*axis] > 1).map(|axis| {
            let mut next = [0; 3];
            next[axis] = 1;
            next
        }))
        .collect();
    // For each access of each block, where its threads are.
    let threads = |number: usize, block: [u32; 3]| -> Option<Vec<(i64, u32)>> {
        let model = Model { facts, launch, origins: &origins, block: Some(block) };
        let mut found = Vec::new();
        let mut terms = None;
        for rank in 0..launch.threads() {
            match model.lane(number, &accesses[number], rank, &[]) {
                Lane::Absent => {}
                Lane::Anywhere => return None,
                Lane::At(sum) => {
                    if *terms.get_or_insert_with(|| sum.terms().to_vec()) != sum.terms() {
                        return None;
                    }
                    found.push((sum.number, rank / WARP));
                }
            }
        }
        // Parts that differ from access to access would have to be compared.
        let only_base = terms.is_none_or(|terms| terms.len() <= 1);
        only_base.then_some(found)
    };
    let found: Vec<Vec<Addresses>> = (0..accesses.len())
        .map(|number| {
            let of_launch = matches!(accesses[number].origin, Origin::Parameter(_) | Origin::Global(_));
            let shared = matches!(accesses[number].origin, Origin::Shared(_) | Origin::DynamicShared);
            blocks
                .iter()
                .enumerate()
                .map(|(i, block)| if of_launch || shared && i == 0 { threads(number, *block) } else { None })
                .collect()
        })
        .collect();
    let span = |number: usize| {
        let (block, at) = accesses[number].at;
        facts.function.blocks[block.index()].insts[at as usize].span
    };
    let plain = |number: usize| !accesses[number].atomic && !accesses[number].volatile;
    let fits = |write: usize, read: usize| {
        let (a, b) = (&accesses[write], &accesses[read]);
        plain(write) && plain(read) && a.writes && !b.writes && a.origin == b.origin
    };
    let sizes = |a: usize, b: usize| (accesses[a].bytes as i64, accesses[b].bytes as i64);
    for &(a, b, round) in pairs {
        let (write, read) = if accesses[a].writes { (a, b) } else { (b, a) };
        if round == Round::Same
            && fits(write, read)
            && let (Some(x), Some(y)) = (&found[write][0], &found[read][0])
            && meet(x, y, sizes(write, read), |one, other| one != other)
        {
            return Some(Race { write: span(write), read: span(read), between_blocks: false });
        }
    }
    for write in 0..accesses.len() {
        for read in (0..accesses.len()).filter(|read| fits(write, *read)) {
            for other in 1..blocks.len() {
                for (i, j) in [(0, other), (other, 0)] {
                    if let (Some(x), Some(y)) = (&found[write][i], &found[read][j])
                        && meet(x, y, sizes(write, read), |_, _| true)
                    {
                        return Some(Race { write: span(write), read: span(read), between_blocks: true });
                    }
                }
            }
        }
    }
    None
}

/// Whether some of two lists of addresses overlap, of warps that fit.
fn meet(a: &[(i64, u32)], b: &[(i64, u32)], sizes: (i64, i64), fit: impl Fn(u32, u32) -> bool) -> bool {
    let mut sorted = b.to_vec();
    sorted.sort_unstable();
    a.iter().any(|(at, warp)| {
        let from = sorted.partition_point(|(other, _)| *other <= at - sizes.1);
        sorted[from..]
            .iter()
            .take_while(|(other, _)| *other < at + sizes.0)
            .any(|(_, with)| fit(*warp, *with))
    })
}
