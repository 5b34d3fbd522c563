//! Library calls on the GPU, one file a family.

use cuprum_core::{Error, Result};
use cuprum_graph::Call;

use crate::memory::has_streams;
use crate::session::Session;

/// Runs a call in the session's stream.
pub(crate) fn run(session: &Session, call: &Call<'_>) -> Result<()> {
    if has_streams() {
        call.slots().into_iter().try_for_each(|slot| session.touch(&slot.buffer))?;
    }
    Err(Error::device(format!("{}: not on the GPU yet", call.name())))
}
