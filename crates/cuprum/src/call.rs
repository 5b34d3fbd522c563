//! Library calls on their way to a device: the one place that makes them.

#![allow(unsafe_code, reason = "devices trust the shapes and dtypes of library calls")]

use cuprum_core::{Error, Result};
use cuprum_graph::{Call, DeviceRef};

/// Runs a library call whose shapes, dtypes and overlaps the caller has checked; that every array lies in its memory is checked
/// here.
pub(crate) fn run_call(device: DeviceRef, call: &Call<'_>) -> Result<()> {
    let kind = device.kind();
    let holds = |slot: &&cuprum_graph::Slot| {
        slot.buffer.device() == kind && slot.layout.lies_within(slot.dtype.size(), slot.buffer.bytes())
    };
    if !call.slots().iter().all(holds) {
        return Err(Error::device(format!("{}: an array reaches beyond its memory", call.name())));
    }
    // SAFETY: every array lies in its memory; the functions of this crate, the only callers, check what the call asks of shapes
    // and dtypes.
    unsafe { device.call(call) }
}
