//! Reading and writing at positions.

use cuprum_core::{Error, Op, Result};
use cuprum_graph::Slot;

use crate::session::Session;

pub(super) fn gather(_session: &Session, _source: &Slot, _indices: &[Slot], _out: &Slot) -> Result<()> {
    Err(Error::device("gather: not on the GPU yet"))
}

pub(super) fn scatter(
    _session: &Session,
    _target: &Slot,
    _indices: &[Slot],
    _value: &Slot,
    _op: Option<Op>,
) -> Result<()> {
    Err(Error::device("scatter: not on the GPU yet"))
}

pub(super) fn check(_session: &Session, _indices: &Slot, _size: usize, _fault: &Slot) -> Result<()> {
    Err(Error::device("check_indices: not on the GPU yet"))
}
