//! Reductions of segments.

use cuprum_core::{Error, Reduction, Result};
use cuprum_graph::Slot;

use crate::session::Session;

pub(super) fn run(
    _session: &Session,
    _op: Reduction,
    _input: &Slot,
    _starts: &Slot,
    _out: &Slot,
    _axis: usize,
) -> Result<()> {
    Err(Error::device("reduceat: not on the GPU yet"))
}
