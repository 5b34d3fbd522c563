//! Programs on their way to a device: the one place that runs them.

#![allow(unsafe_code, reason = "devices trust Programs and the buffers that come with them")]

use cuprum_core::{DType, Error, Layout, Result};

use crate::{Buffer, DeviceCache, DeviceKind, DeviceRef, Event, Program, Span, log};

/// Runs a Program that the graph has built, on buffers that are checked.
pub(crate) fn run(
    device: DeviceRef,
    program: &Program,
    inputs: &[Buffer],
    outputs: &[Buffer],
    lines: &[u32],
) -> Result<()> {
    check_buffers(device.kind(), program, inputs, outputs)?;
    log::log_run(program);
    let span = Span::begin_on(device);
    // SAFETY: Programs are built from nodes that were checked when they were recorded; the buffers hold their layouts.
    let outcome = unsafe { device.run(program, inputs, outputs) };
    span.end(|| Event::of_program(program, lines).on(device));
    outcome
}

/// As [`run`], for a Program that may have run before.
pub(crate) fn run_again(
    device: DeviceRef,
    program: &Program,
    remembered: &mut DeviceCache,
    inputs: &[Buffer],
    outputs: &[Buffer],
    lines: &[u32],
) -> Result<()> {
    check_buffers(device.kind(), program, inputs, outputs)?;
    log::log_run(program);
    let span = Span::begin_on(device);
    // SAFETY: as for `run`; the plan cache keeps what is remembered with its Program.
    let outcome = unsafe { device.run_again(program, remembered, inputs, outputs) };
    span.end(|| Event::of_program(program, lines).on(device));
    outcome
}

/// An error unless every layout of a Program lies within its buffer.
fn check_buffers(device: DeviceKind, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
    let holds = |(buffer, (layout, dtype)): (&Buffer, (&Layout, DType))| {
        buffer.device() == device && layout.lies_within(dtype.size(), buffer.bytes())
    };
    let epilogue = program.reduce.as_ref();
    let late_inputs = epilogue.map_or(&[][..], |reduce| reduce.late_inputs());
    let late_outputs = epilogue.map_or(&[][..], |reduce| &reduce.epilogue.outputs);
    let read = program.inputs.iter().chain(late_inputs).map(|input| (&input.layout, input.dtype));
    let written = program.outputs.iter().chain(late_outputs).map(|output| (&output.layout, output.dtype));
    let counts = program.input_buffers() == inputs.len() && program.output_buffers() == outputs.len();
    if counts && inputs.iter().zip(read).all(holds) && outputs.iter().zip(written).all(holds) {
        return Ok(());
    }
    Err(Error::device("a Program reaches beyond the memory it was given"))
}
