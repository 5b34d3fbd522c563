//! Scaling by powers of two, which is exact: iterations square their elements.

use cuprum_core::Result;
use cuprum_graph::{Buffer, Slot};

use super::status::Status;
use super::{count, kernels};
use crate::session::Session;

/// How far matrices were scaled.
pub(super) struct Scales {
    largest: Buffer,
}

impl Scales {
    /// Brings matrices, which lie by columns in `rows` rows, near one; one that is not finite becomes zero and a fault.
    /// With `lower`, what lies above the diagonal is not looked at and becomes zero.
    pub(super) fn normalize(
        session: &Session,
        matrices: &Slot,
        lengths: (usize, usize),
        lower: bool,
        status: &Status,
    ) -> Result<Scales> {
        let largest = kernels::largest(session, matrices, lengths, lower)?;
        kernels::normalize(session, matrices, lengths, lower, &largest, Some(status))?;
        Ok(Scales { largest })
    }

    /// The same without faults: what is not finite stays as it is.
    pub(super) fn bring_near_one(
        session: &Session,
        matrices: &Slot,
        lengths: (usize, usize),
    ) -> Result<Scales> {
        let largest = kernels::largest(session, matrices, lengths, false)?;
        kernels::normalize(session, matrices, lengths, false, &largest, None)?;
        Ok(Scales { largest })
    }

    /// Takes what is on and above the diagonals back, of matrices that lie by columns.
    pub(super) fn undo_triangle(
        &self,
        session: &Session,
        matrices: &Slot,
        lengths: (usize, usize),
    ) -> Result<()> {
        kernels::triangle_back(session, matrices, lengths, &self.largest)
    }

    /// Takes `each` real numbers (or parts) of every matrix's results back, at `values`.
    pub(super) fn undo(&self, session: &Session, matrices: &Slot, values: &Slot, each: usize) -> Result<()> {
        kernels::scale_back(session, matrices.dtype, values, each, count(matrices), &self.largest)
    }
}
