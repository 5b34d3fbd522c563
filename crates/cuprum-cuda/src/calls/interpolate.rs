//! Straight lines between points.

use cuprum_core::{Error, Result};
use cuprum_graph::InterpolateCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &InterpolateCall<'_>) -> Result<()> {
    Err(Error::device("interp: not on the GPU yet"))
}
