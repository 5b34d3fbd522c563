//! Warp collectives of a block whose threads are all at one of them: no lists of who waits where are needed.

use cuprum_kernel::ir::{Op, Type, Warp};

use crate::block::Block;
use crate::context::{Exchange, WARP};
use crate::run::Run;
use crate::runtime::warp::{self, LANES, Lane};

/// Fires a collective that all threads of a block wait at. False, with nothing done, where some lane's mask leaves out
/// lanes of its warp.
pub(crate) fn fire_together(run: &Run<'_>, block: &mut Block<'_>, op: &Op) -> bool {
    let ty = match op {
        Op::Warp { value, .. } => run.ready.cut.function.locals[value.index()].ty,
        Op::SyncWarp { .. } => Type::I32,
        _ => return false,
    };
    let all = |warp: &[Exchange]| u32::MAX >> (WARP as usize - warp.len());
    let covers = |warp: &[Exchange]| warp.iter().all(|lane| lane.mask & all(warp) == all(warp));
    if !block.exchange().chunks(LANES).all(covers) {
        return false;
    }
    for (number, warp) in block.exchange().chunks_mut(LANES).enumerate() {
        let mask = all(warp);
        match op {
            Op::Warp { op, .. } if warp::is_shuffle(*op) => shuffle(*op, warp),
            Op::Warp { op, .. } => collect(*op, ty, mask, warp),
            _ => run.watched(|checker| checker.sync_warp(number as u32, mask)),
        }
    }
    true
}

fn shuffle(op: Warp, warp: &mut [Exchange]) {
    let Exchange { lane, width, .. } = warp[0];
    let same = warp.iter().all(|other| other.lane == lane && other.width == width);
    let mut values = [0; LANES];
    for (value, lane) in values.iter_mut().zip(warp.iter()) {
        *value = lane.value;
    }
    let lanes = warp.len();
    let step = match op {
        // Whole warps that all shift by one number: no lane's source has to be worked out.
        Warp::ShuffleDown if same && width == WARP && lanes == LANES => Some(lane as usize & (LANES - 1)),
        _ => None,
    };
    if let Some(step) = step {
        for (own, exchange) in warp.iter_mut().enumerate() {
            exchange.result = values[if own + step < LANES { own + step } else { own }];
        }
        return;
    }
    for (own, exchange) in warp.iter_mut().enumerate() {
        let from = warp::source(op, own as u32, exchange.lane, exchange.width) as usize;
        exchange.result = values[if from < lanes { from } else { own }];
    }
}

fn collect(op: Warp, ty: Type, mask: u32, warp: &mut [Exchange]) {
    let mut lanes = [Lane::default(); LANES];
    for (lane, brought) in lanes.iter_mut().zip(warp.iter()) {
        lane.value = brought.value;
    }
    let results = warp::evaluate(op, ty, mask, &lanes);
    for (exchange, result) in warp.iter_mut().zip(results) {
        exchange.result = result;
    }
}
