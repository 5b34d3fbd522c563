//! Linear algebra by cuSOLVER.

use cuprum_core::{Error, Result};
use cuprum_graph::LinalgCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &LinalgCall<'_>) -> Result<()> {
    Err(Error::device("linalg: not on the GPU yet"))
}
