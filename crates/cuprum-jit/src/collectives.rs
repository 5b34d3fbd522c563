//! Warp collectives of a block whose threads are all at one of them: no lists of who waits where are needed.

use cuprum_kernel::ir::{Op, Type, Warp};

use crate::block::Block;
use crate::context::{Exchange, WARP};
use crate::regions::{Entry, Operands};
use crate::run::Run;
use crate::runtime::warp::{self, LANES, Lane};

/// Fires a collective that all threads of a block wait at, or leaves it to the code of the region behind it. False, with
/// nothing done, where some lane's mask leaves out lanes of its warp.
pub(crate) fn fire_together(run: &Run<'_>, block: &mut Block<'_>, region: u32) -> bool {
    let entry = &run.ready.cut.entries[region as usize];
    let Some(op) = &entry.wait else { return false };
    let threads = block.threads;
    match op {
        Op::Warp { .. } | Op::SyncWarp { .. } if !all_are_meant(&entry.operands, block) => return false,
        Op::Warp { .. } if run.code.exchanges[region as usize] && threads.is_multiple_of(WARP) => {
            block.exchanges = true;
        }
        Op::Warp { op, value, .. } => {
            let ty = run.ready.cut.function.locals[value.index()].ty;
            for (number, warp) in block.exchange().iter_mut().enumerate() {
                fire(*op, ty, entry, warp, lanes_of(threads, number));
            }
        }
        Op::SyncWarp { .. } => run.watched(|checker| {
            for number in 0..threads.div_ceil(WARP) {
                checker.sync_warp(number, mask(lanes_of(threads, number as usize)));
            }
        }),
        Op::ActiveMask { .. } => {
            for (number, warp) in block.exchange().iter_mut().enumerate() {
                warp.word_results = [mask(lanes_of(threads, number)); LANES];
            }
        }
        _ => return false,
    }
    true
}

/// The lanes that a warp of the block has.
fn lanes_of(threads: u32, warp: usize) -> usize {
    (threads as usize - warp * LANES).min(LANES)
}

/// A bit for each of some lanes.
fn mask(lanes: usize) -> u32 {
    u32::MAX >> (LANES - lanes)
}

/// Whether every lane's mask has all lanes of its warp.
fn all_are_meant(operands: &Operands, block: &mut Block<'_>) -> bool {
    if operands.means_everyone() {
        return true;
    }
    let threads = block.threads;
    block.exchange().iter().enumerate().all(|(number, warp)| {
        let lanes = lanes_of(threads, number);
        let common = (0..lanes).fold(u32::MAX, |common, lane| common & operands.mask(warp, lane));
        common & mask(lanes) == mask(lanes)
    })
}

fn fire(op: Warp, ty: Type, entry: &Entry, warp: &mut Exchange, lanes: usize) {
    if op.is_shuffle() {
        return shuffle(op, ty, &entry.operands, warp, lanes);
    }
    if matches!(op, Warp::Ballot | Warp::All | Warp::Any) && ty.bytes() < 8 {
        let nonzero = (0..LANES).fold(0, |bits, lane| bits | u32::from(warp.words[lane] != 0) << lane);
        let votes = nonzero & mask(lanes);
        let common = match op {
            Warp::Ballot => votes,
            Warp::All => u32::from(votes == mask(lanes)),
            _ => u32::from(votes != 0),
        };
        warp.word_results = [common; LANES];
        return;
    }
    let mut brought = [Lane::default(); LANES];
    for (lane, brought) in brought.iter_mut().enumerate() {
        brought.value = warp.value(ty, lane);
    }
    let results = warp::evaluate(op, ty, mask(lanes), &brought);
    for (result, bits) in warp.word_results.iter_mut().zip(results) {
        *result = bits as u32;
    }
}

/// A lane that is not there is not read: the lane keeps its own value.
fn shuffle(op: Warp, ty: Type, operands: &Operands, warp: &mut Exchange, lanes: usize) {
    let from: [usize; LANES] = std::array::from_fn(|own| {
        let from = warp::source(op, own as u32, operands.lane(warp, own), operands.width(warp, own));
        if (from as usize) < lanes { from as usize % LANES } else { own }
    });
    if ty.bytes() == 8 {
        warp.long_results = from.map(|from| warp.longs[from]);
    } else {
        warp.word_results = from.map(|from| warp.words[from]);
    }
}
