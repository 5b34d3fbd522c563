//! Library calls: the one place that hands them to a device.

#![allow(unsafe_code, reason = "devices trust the shapes and dtypes of library calls")]

use cuprum_core::{Error, Result};
use cuprum_graph::{Call, DeviceRef, Event, EventKind, Span};

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
    let elements = call.slots().iter().map(|slot| slot.layout.size()).max().unwrap_or(0);
    let span = Span::begin_call(device, elements);
    // SAFETY: every array lies in its memory; the functions of this crate, the only callers, check what the call asks of shapes
    // and dtypes.
    let outcome = unsafe { device.call(call) };
    span.end(|| Event::new(EventKind::Call, call.name()).on(device).bytes(bytes_of(call)));
    outcome
}

/// The bytes of the arrays that a call reads and writes.
fn bytes_of(call: &Call<'_>) -> usize {
    call.slots().iter().map(|slot| slot.layout.size() * slot.dtype.size()).sum()
}
