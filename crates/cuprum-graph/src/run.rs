//! Programs on their way to a device: the one place that runs them.

#![allow(unsafe_code, reason = "devices trust Programs and the buffers that come with them")]

use cuprum_core::{DType, Error, Layout, Result, loss};
use smallvec::SmallVec;

use crate::{
    Buffer, Call, DeviceCache, DeviceKind, DeviceRef, Event, EventKind, Node, NodeArg, NodeKind, Program,
    ProgramRun, ReportTo, Slot, Span, log,
};

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
    let span = Span::begin_over(device, program.size());
    let before = loss::settled();
    // SAFETY: Programs are built from nodes that were checked when they were recorded; the buffers hold their layouts.
    let outcome = unsafe { device.run(program, inputs, outputs) };
    span.end(|| Event::of_program(program, lines).on(device));
    unless_lost(before, outcome)
}

/// Runs a take that nothing joins, as the library call that gathers; `None` unless that is what the node is and its arguments
/// are ready.
pub(crate) fn run_take(device: DeviceRef, node: &Node) -> Option<Result<Buffer>> {
    let (NodeKind::Take { check }, [NodeArg::View(table), NodeArg::View(positions), ..]) =
        (&node.kind, &node.args[..])
    else {
        return None;
    };
    let slot = |view: &crate::View| {
        let (layout, dtype) = (view.layout.clone(), view.dtype);
        let buffer = view.storage.buffer()?;
        layout.lies_within(dtype.size(), buffer.bytes()).then_some(Slot { buffer, layout, dtype })
    };
    let (source, indices) = (slot(table)?, [slot(positions)?]);
    let buffer = match device.allocate(node.layout.size() * node.dtype.size()) {
        Ok(buffer) => buffer,
        Err(error) => return Some(Err(error)),
    };
    let out = Slot { buffer: buffer.clone(), layout: node.layout.clone(), dtype: node.dtype };
    let call = Call::Gather {
        source: &source,
        indices: &indices,
        unchecked: Some(ReportTo::Check(check, 0)),
        out: &out,
    };
    let before = loss::settled();
    let span = Span::begin_call(device, node.layout.size());
    // SAFETY: the node was checked when it was recorded, the arrays lie in their memory, and the result in memory of its own.
    let outcome = unsafe { device.call(&call) };
    span.end(|| Event::new(EventKind::Call, call.name()).on(device));
    Some(unless_lost(before, outcome.map(|()| buffer)))
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
    let span = Span::begin_over(device, program.size());
    let before = loss::settled();
    // SAFETY: as for `run`; the plan cache keeps what is remembered with its Program.
    let outcome = unsafe { device.run_again(program, remembered, inputs, outputs) };
    span.end(|| Event::of_program(program, lines).on(device));
    unless_lost(before, outcome)
}

/// As [`run_again`], for Programs that each write one box of a result; the device may run them as one piece of work.
/// `remembered` has what the device keeps of each Program; where they run as one, the first entry holds what it keeps of
/// all. `reach` covers all runs.
pub(crate) fn run_together(
    device: DeviceRef,
    runs: &[ProgramRun<'_>],
    reach: &Reach,
    remembered: &mut [&mut DeviceCache],
    lines: &[u32],
) -> Result<()> {
    let largest = runs.iter().max_by_key(|run| run.program.size());
    if let (Some(largest), [of_all, _, ..]) = (largest, &mut *remembered) {
        reach.check(device.kind(), largest.buffers)?;
        let before = loss::settled();
        let span = Span::begin_over(device, runs.iter().map(|run| run.program.size()).sum());
        // SAFETY: as for `run`; boxes of a result have no element in common, and none is read by the work that fills it.
        let outcome = unsafe { device.run_together(runs, of_all) };
        if !matches!(outcome, Ok(false)) {
            runs.iter().for_each(|run| log::log_run(run.program));
            span.end(|| Event::of_program(largest.program, lines).on(device));
            return unless_lost(before, outcome.map(|_| ()));
        }
    }
    for (run, remembered) in runs.iter().zip(remembered) {
        let (inputs, outputs) = (run.input_buffers(), run.output_buffers());
        run_again(device, run.program, remembered, &inputs, &outputs, lines)?;
    }
    Ok(())
}

/// The outcome of work that began where `loss::settled` said `before`; an error where memory that it may have read was lost
/// meanwhile. What it was to fill stays pending then, so that each read runs the work again and raises, as the first one does.
pub(crate) fn unless_lost<T>(before: usize, outcome: Result<T>) -> Result<T> {
    if loss::is_intact(before) { outcome } else { Err(Error::device("memory that is read was lost")) }
}

/// How far into each of their buffers several Programs reach, in bytes.
pub(crate) struct Reach(SmallVec<[usize; 4]>);

impl Reach {
    /// The reach of Programs over this many buffers; each comes with the numbers of the buffers that it reads and writes.
    /// An error if a Program asks for a different number of buffers.
    pub(crate) fn of<'a>(
        buffers: usize,
        runs: impl Iterator<Item = (&'a Program, &'a [usize], &'a [usize])>,
    ) -> Result<Reach> {
        let mut reach: SmallVec<[usize; 4]> = SmallVec::from_elem(0, buffers);
        for (program, inputs, outputs) in runs {
            if program.input_buffers() != inputs.len() || program.output_buffers() != outputs.len() {
                return Err(Error::device("a Program has other buffers than it asks for"));
            }
            for (&at, (layout, dtype)) in inputs.iter().zip(read(program)) {
                reach[at] = reach[at].max(end_of(layout, dtype.size()));
            }
            for (&at, (layout, dtype)) in outputs.iter().zip(written(program)) {
                reach[at] = reach[at].max(end_of(layout, dtype.size()));
            }
        }
        Ok(Reach(reach))
    }

    fn check(&self, device: DeviceKind, buffers: &[Buffer]) -> Result<()> {
        let holds = |(buffer, &end): (&Buffer, &usize)| buffer.device() == device && end <= buffer.bytes();
        if self.0.len() == buffers.len() && buffers.iter().zip(&self.0).all(holds) {
            return Ok(());
        }
        Err(Error::device("a Program reaches beyond the memory it was given"))
    }
}

/// The bytes that a layout needs; more than there are where it cannot be told.
fn end_of(layout: &Layout, size: usize) -> usize {
    let (_, end) =
        if layout.lies_within(size, isize::MAX as usize) { layout.extent(size) } else { (0, usize::MAX) };
    end
}

/// An error unless every layout of a Program lies within its buffer.
fn check_buffers(device: DeviceKind, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
    let holds = |(buffer, (layout, dtype)): (&Buffer, (&Layout, DType))| {
        buffer.device() == device && layout.lies_within(dtype.size(), buffer.bytes())
    };
    let counts = program.input_buffers() == inputs.len() && program.output_buffers() == outputs.len();
    if counts
        && inputs.iter().zip(read(program)).all(holds)
        && outputs.iter().zip(written(program)).all(holds)
    {
        return Ok(());
    }
    Err(Error::device("a Program reaches beyond the memory it was given"))
}

/// What a Program reads, in the order of its buffers.
fn read(program: &Program) -> impl Iterator<Item = (&Layout, DType)> {
    let late = program.reduce.as_ref().map_or(&[][..], |reduce| reduce.late_inputs());
    program.inputs.iter().chain(late).map(|input| (&input.layout, input.dtype))
}

/// What a Program writes, in the order of its buffers.
fn written(program: &Program) -> impl Iterator<Item = (&Layout, DType)> {
    let late = program.reduce.as_ref().map_or(&[][..], |reduce| &reduce.epilogue.outputs);
    program.outputs.iter().chain(late).map(|output| (&output.layout, output.dtype))
}
