//! Fourier transforms by cuFFT.

use cuprum_core::{Error, Result};
use cuprum_graph::FftCall;

use crate::session::Session;

pub(super) fn run(_session: &Session, _call: &FftCall<'_>) -> Result<()> {
    Err(Error::device("fft: not on the GPU yet"))
}
