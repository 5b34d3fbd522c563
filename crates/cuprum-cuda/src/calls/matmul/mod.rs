//! Matrix products: cuBLAS for floats and complex numbers, a kernel of our own for integers and bool.

mod blas;
mod integers;
mod operand;
#[cfg(test)]
mod tests;

use cuprum_core::{DType, Result};
use cuprum_graph::Slot;

use crate::session::Session;

pub(super) fn run(session: &Session, a: &Slot, b: &Slot, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    if a.layout.shape[a.layout.ndim() - 1] == 0 {
        return session.with_dense_out(out, |out| session.set_slot(out, 0));
    }
    match out.dtype {
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 | DType::C64 | DType::C128 => {
            blas::run(session, a, b, out)
        }
        _ => session.with_dense_out(out, |out| integers::run(session, a, b, out)),
    }
}
