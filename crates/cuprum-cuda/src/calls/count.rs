//! Counting by value and between edges.

use cuprum_core::{Error, Result};
use cuprum_graph::CountCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &CountCall<'_>) -> Result<()> {
    Err(Error::device("count: not on the GPU yet"))
}
