//! Programs on their way to a device: the one place that runs them.

#![allow(unsafe_code, reason = "devices trust Programs and the buffers that come with them")]

use cuprum_core::{DType, Error, Layout, Result};

use crate::{Buffer, DeviceCache, DeviceKind, DeviceRef, Event, Program, ProgramRun, Span, log};

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

/// As [`run_again`], for Programs that each write a box of one result, as one piece of work where the device can. Each has what
/// the device keeps of its own runs; the first one's is that of all where they run as one.
pub(crate) fn run_together(
    device: DeviceRef,
    runs: &[ProgramRun<'_>],
    remembered: &mut [&mut DeviceCache],
    lines: &[u32],
) -> Result<()> {
    let largest = runs.iter().max_by_key(|run| run.program.size());
    if let (Some(largest), [of_all, _, ..]) = (largest, &mut *remembered) {
        for ProgramRun { program, inputs, outputs } in runs {
            check_buffers(device.kind(), program, inputs, outputs)?;
        }
        let span = Span::begin_on(device);
        // SAFETY: as for `run`; boxes of a result have no element in common, and none is read by the work that fills it.
        let outcome = unsafe { device.run_together(runs, of_all) };
        if !matches!(outcome, Ok(false)) {
            runs.iter().for_each(|run| log::log_run(run.program));
            span.end(|| Event::of_program(largest.program, lines).on(device));
            return outcome.map(|_| ());
        }
    }
    for (run, remembered) in runs.iter().zip(remembered) {
        run_again(device, run.program, remembered, run.inputs, run.outputs, lines)?;
    }
    Ok(())
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
