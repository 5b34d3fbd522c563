//! Sorting and searching.

use cuprum_core::{Error, Result};
use cuprum_graph::SortCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &SortCall<'_>) -> Result<()> {
    Err(Error::device("sort: not on the GPU yet"))
}
