//! Where a mask holds: counting, choosing, storing, positions.

use cuprum_core::{Error, Result};
use cuprum_graph::Slot;

use crate::session::Session;

pub(super) fn count(_session: &Session, _mask: &Slot, _out: &Slot) -> Result<()> {
    Err(Error::device("count_nonzero: not on the GPU yet"))
}

pub(super) fn compress(_session: &Session, _source: &Slot, _mask: &Slot, _out: &Slot) -> Result<()> {
    Err(Error::device("compress: not on the GPU yet"))
}

pub(super) fn expand(_session: &Session, _target: &Slot, _mask: &Slot, _value: &Slot) -> Result<()> {
    Err(Error::device("expand: not on the GPU yet"))
}

pub(super) fn nonzero(_session: &Session, _mask: &Slot, _out: &Slot) -> Result<()> {
    Err(Error::device("nonzero: not on the GPU yet"))
}
