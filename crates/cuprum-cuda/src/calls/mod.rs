//! Library calls on the GPU, one file a family.

mod count;
mod fft;
mod filter;
mod indexing;
mod interpolate;
mod linalg;
mod masks;
mod matmul;
mod random;
mod recurrence;
mod reduceat;
mod scan;
mod sort;
mod sparse;
#[cfg(test)]
mod testing;

use cuprum_core::Result;
use cuprum_graph::{Call, ReportTo};

pub use fft::{PlanFacts, PlanLimits, clear_fft_plans, fft_plans, limit_fft_plans};

use crate::session::Session;

/// Runs a call in the session's stream.
pub(crate) fn run(session: &Session, call: &Call<'_>) -> Result<()> {
    call.slots().into_iter().try_for_each(|slot| session.touch(&slot.buffer))?;
    match call {
        Call::Matmul { a, b, out } => matmul::run(session, a, b, out),
        Call::Scan { op, input, out, axis } => scan::run(session, *op, input, out, *axis),
        Call::Gather { source, indices, unchecked, out } => {
            let marked = match unchecked {
                Some(ReportTo::Check(mark, axis)) => Some((*mark, *axis)),
                Some(ReportTo::Slot(_)) => unreachable!("errors at the call are those of checks before"),
                None => None,
            };
            indexing::gather(session, source, indices, marked, out)
        }
        Call::Scatter { target, indices, value, op, later } => {
            indexing::scatter(session, target, indices, value, *op, *later)
        }
        Call::CheckIndices { indices, size, report } => indexing::check(session, indices, *size, *report),
        Call::CountNonzero { mask, out } => masks::count(session, mask, out),
        Call::Compress { source, mask, out } => masks::compress(session, source, mask, out),
        Call::Expand { target, mask, value } => masks::expand(session, target, mask, value),
        Call::Nonzero { mask, out } => masks::nonzero(session, mask, out),
        Call::ReduceAt { op, input, starts, out, axis } => {
            reduceat::run(session, *op, input, starts, out, *axis)
        }
        Call::Sort(call) => sort::run(session, call),
        Call::Count(call) => count::run(session, call),
        Call::Interpolate(call) => interpolate::run(session, call),
        Call::Fft(call) => fft::run(session, call),
        Call::Random(call) => random::run(session, call),
        Call::Filter(call) => filter::run(session, call),
        Call::Recurrence(call) => recurrence::run(session, call),
        Call::Linalg(call) => linalg::run(session, call),
        Call::SparseProduct(call) => sparse::run(session, call),
        Call::SparseTransposedProduct(call) => sparse::transposed::run(session, call),
        Call::SparseGroup(call) => sort::group(session, call),
        Call::SparsePairStarts(_) | Call::SparsePair(_) => {
            unreachable!("two sparse matrices of a GPU are combined by the kernels of cuprum.scipy.sparse")
        }
    }
}
