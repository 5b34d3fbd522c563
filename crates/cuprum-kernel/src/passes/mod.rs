//! What stands between a front end's IR and the back end: [`prepare`] makes of a kernel one small function, [`analysis`]
//! says of it what the back end wants to know, [`lockstep`] where lanes of a warp meet in memory, and [`fold`] what ops do
//! to numbers that are known.

pub mod analysis;
mod cfg;
mod control;
mod dead_code;
mod dominators;
mod expand;
pub mod fold;
mod identities;
mod if_conversion;
mod inline;
pub mod lockstep;
mod promote;
mod spin_loops;
mod uninit_locals;
mod unroll;
mod value_numbering;

pub use inline::Prepared;

use crate::Diagnostic;
use crate::ir::{Function, FunctionId, Module};

/// A kernel with everything that it calls in it, simplified. Functions that call themselves stay calls, and come with
/// it. Loops that wait for other threads have an [`Op::Yield`](crate::ir::Op::Yield) on their way back.
///
/// # Errors
/// The kernel grows too large, or a function that calls itself waits for other threads.
pub fn prepare(module: &Module, kernel: FunctionId) -> Result<Prepared, Diagnostic> {
    let mut prepared = inline::inline(module, kernel)?;
    expand::expand(&mut prepared.kernel);
    simplify(&mut prepared.kernel);
    if spin_loops::insert_yields(&mut prepared.kernel) {
        cfg::simplify(&mut prepared.kernel);
    }
    for (_, callee) in &mut prepared.callees {
        expand::expand(callee);
        simplify(callee);
    }
    Ok(prepared)
}

/// As [`prepare`], for the checking mode: no access of memory is left out and no slot becomes a local, so that every read
/// of what was never written is seen; variables that are no memory are watched by locals of their own.
///
/// # Errors
/// As `prepare`.
pub fn prepare_watched(module: &Module, kernel: FunctionId) -> Result<Prepared, Diagnostic> {
    let mut prepared = inline::inline(module, kernel)?;
    cfg::simplify(&mut prepared.kernel);
    if spin_loops::insert_yields(&mut prepared.kernel) {
        cfg::simplify(&mut prepared.kernel);
    }
    for function in std::iter::once(&mut prepared.kernel).chain(prepared.callees.iter_mut().map(|c| &mut c.1))
    {
        uninit_locals::join_members(function);
        uninit_locals::watch(function);
    }
    Ok(prepared)
}

/// How often slots are promoted: a slot's address may stand in another slot.
const PROMOTIONS: usize = 3;
/// How many loops within loops are written out.
const LOOPS: usize = 4;

/// Makes a function smaller and faster; it does the same as before.
pub fn simplify(function: &mut Function) {
    clean(function);
    promote_slots(function);
    let mut unrolled = false;
    for _ in 0..LOOPS {
        if !unroll::unroll(function) {
            break;
        }
        unrolled = true;
        clean(function);
    }
    if unrolled {
        promote_slots(function);
    }
    dead_code::compact(function);
}

fn promote_slots(function: &mut Function) {
    for _ in 0..PROMOTIONS {
        if !promote::promote(function) {
            break;
        }
        clean(function);
    }
}

/// Folds, drops what is dead, and joins blocks, twice: what one pass finds helps the others.
fn clean(function: &mut Function) {
    for _ in 0..2 {
        cfg::simplify(function);
        let chosen = if_conversion::convert_branches(function);
        if chosen {
            cfg::simplify(function);
        }
        let folded = value_numbering::simplify(function) | chosen;
        if !(dead_code::remove_dead(function) | folded) {
            break;
        }
    }
    cfg::simplify(function);
}
