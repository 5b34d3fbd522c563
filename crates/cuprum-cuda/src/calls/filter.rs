//! Filters: windows along one axis or all.

use cuprum_core::{Error, Result};
use cuprum_graph::FilterCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &FilterCall<'_>) -> Result<()> {
    Err(Error::device("filter: not on the GPU yet"))
}
