//! Random numbers from Philox streams.

use cuprum_core::{Error, Result};
use cuprum_graph::RandomCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &RandomCall<'_>) -> Result<()> {
    Err(Error::device("random: not on the GPU yet"))
}
