//! What a profiler hears of: Programs, library calls, kernels, copies, waits, memory and compilations, each with its time and
//! the line of the user's program that it comes from. Code that does such work reports it by a [`Span`]; while no profiler is active, that
//! is one relaxed load.

use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::{DType, Layout};
use smallvec::SmallVec;

use crate::{DeviceKind, DeviceRef, InstrKind, Node, Program, View};

mod clock;
mod log;
mod spans;

pub use log::{listen, report_memory, take_events, touch_thread_log};
pub use spans::Span;

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// Recorded work that ran as one pass.
    Program,
    /// Few elements, computed at the call.
    Small,
    /// A library call: a product, a sort, a transform.
    Call,
    /// A kernel of the user's.
    Kernel,
    /// A copy from the host's memory.
    ToDevice,
    /// A copy to the host's memory.
    ToHost,
    /// Time in which a thread waited for results.
    Wait,
    /// A block of memory was handed out.
    Allocate,
    /// A block of memory came back.
    Free,
    /// A kernel was compiled.
    Compile,
}

/// A mark in a device's order of work; the time between two of them is known later.
pub type Mark = Box<dyn Any + Send + Sync>;

/// Something that happened.
#[derive(Debug)]
pub struct Event {
    /// What it is.
    pub kind: EventKind,
    /// Names: the operations of a Program, or what was called.
    pub names: SmallVec<[&'static str; 4]>,
    /// A name of the user's.
    pub label: Option<Box<str>>,
    /// How many alike it stands for: of small work, only a sample is reported.
    pub weight: u32,
    /// Nanoseconds from the start of the clock.
    pub start: u64,
    /// Nanoseconds that the calling thread spent in it.
    pub duration: u64,
    /// The thread that did it, counted from one.
    pub thread: u32,
    /// The device.
    pub device: Option<DeviceKind>,
    /// The line of the user's program that it happened in; zero where that is not known.
    pub line: u32,
    /// The lines that the operations of a Program were recorded in.
    pub lines: SmallVec<[u32; 4]>,
    /// The elements that a Program iterates over.
    pub elements: usize,
    /// The bytes that were moved, read and written, or handed out.
    pub bytes: usize,
    /// Where memory is, or was copied from.
    pub address: usize,
    /// A sample of the bytes that were copied, to tell whether the same came again.
    pub fingerprint: u64,
    /// Whether a Program reads an array whose elements lie apart, or in another order than its others.
    pub strided: bool,
    /// Whether a Program converts float32 or narrower elements to float64.
    pub widened: bool,
    /// Whether a copy came from page-locked memory.
    pub page_locked: bool,
    /// The device's own note of where in its order the work stands.
    pub mark: Option<Mark>,
}

impl Event {
    /// An event of a kind, with a name.
    pub fn new(kind: EventKind, name: &'static str) -> Event {
        Event { names: SmallVec::from_slice(&[name]), ..Event::of(kind) }
    }

    /// An event of a kind, with a name of the user's.
    pub fn labelled(kind: EventKind, label: &str) -> Event {
        Event { label: Some(label.into()), ..Event::of(kind) }
    }

    fn of(kind: EventKind) -> Event {
        Event {
            kind,
            names: SmallVec::new(),
            label: None,
            weight: 1,
            start: 0,
            duration: 0,
            thread: 0,
            device: None,
            line: 0,
            lines: SmallVec::new(),
            elements: 0,
            bytes: 0,
            address: 0,
            fingerprint: 0,
            strided: false,
            widened: false,
            page_locked: false,
            mark: None,
        }
    }

    /// Of a device's work; the device notes where in its own order it stands.
    pub fn on(mut self, device: DeviceRef) -> Event {
        self.device = Some(device.kind());
        self.mark = device.mark();
        self
    }

    /// With so many bytes.
    pub fn bytes(mut self, bytes: usize) -> Event {
        self.bytes = bytes;
        self
    }

    /// What a Program computes, how much memory it moves, and what a profiler warns of.
    pub(crate) fn of_program(program: &Program, lines: &[u32]) -> Event {
        let mut event = Event::of(EventKind::Program);
        let late = program.reduce.iter().flat_map(|reduce| &reduce.epilogue.code);
        for instr in program.code.iter().chain(late) {
            match instr.kind {
                InstrKind::Map(op) => event.names.push(op.name()),
                InstrKind::Cast if instr.output.size() > instr.dtype.size() => {
                    event.widened |= is_double(instr.output) && is_narrow_float(instr.dtype);
                }
                InstrKind::Reduce(op) => event.names.push(op.row().name),
                InstrKind::Take => event.names.push("take"),
                InstrKind::Cast | InstrKind::Iota(_) => {}
            }
        }
        if let Some(reduce) = &program.reduce {
            event.names.extend(reduce.results.iter().map(|result| result.op.row().name));
        }
        if event.names.is_empty() {
            event.names.push("copy");
        }
        let operands = program.inputs.iter().map(|input| (&input.layout, input.dtype));
        let results = program.outputs.iter().map(|output| (&output.layout, output.dtype));
        event.strided = operands.clone().any(|(layout, dtype)| lies_apart(layout, dtype.size()));
        event.bytes = operands.chain(results).map(|(layout, dtype)| touched(layout, dtype.size())).sum();
        event.elements = program.shape.iter().product();
        event.lines = distinct(lines);
        event
    }

    /// A node that runs by itself.
    pub(crate) fn of_node(node: &Node) -> Event {
        let mut event = Event::new(EventKind::Program, node.kind.name());
        event.elements = node.elements();
        event.lines = distinct(&[node.line]);
        event.bytes = touched(&node.layout, node.dtype.size());
        for view in crate::record::views(node) {
            event.bytes += touched(&view.layout, view.dtype.size());
            event.strided |= lies_apart(&view.layout, view.dtype.size());
            event.widened |= is_narrow_float(view.dtype) && is_double(node.dtype);
        }
        event
    }
}

fn is_double(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
}

fn is_narrow_float(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16 | DType::F32 | DType::C64)
}

/// Whether neighbours of an array are not neighbours in memory.
fn lies_apart(layout: &Layout, itemsize: usize) -> bool {
    let steps = layout.shape.iter().zip(&layout.strides).filter(|(length, step)| **length > 1 && **step != 0);
    steps.map(|(_, step)| step.unsigned_abs()).min().is_some_and(|nearest| nearest > itemsize)
}

/// The bytes of the elements, each once: a row that is repeated is read from the cache.
fn touched(layout: &Layout, itemsize: usize) -> usize {
    let axes = layout.shape.iter().zip(&layout.strides).filter(|(_, step)| **step != 0);
    axes.map(|(length, _)| *length).product::<usize>() * itemsize
}

fn distinct(lines: &[u32]) -> SmallVec<[u32; 4]> {
    let mut found: SmallVec<[u32; 4]> = SmallVec::new();
    for &line in lines {
        if line != 0 && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

static ON: AtomicBool = AtomicBool::new(false);

/// Whether a profiler is active.
#[inline]
pub fn is_listening() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The front end's function that tells the line of the user's program that this thread is in.
pub type LineFunction = fn() -> u32;

static LINE: OnceLock<LineFunction> = OnceLock::new();

/// Sets the function that tells the current line; the first one stays.
///
/// ```
/// cuprum_graph::set_line_function(|| 0);
/// ```
pub fn set_line_function(function: LineFunction) {
    let _ = LINE.set(function);
}

/// The line of the user's program that this thread is in, zero where no profiler is active or it is not known.
#[inline]
pub(crate) fn current_line() -> u32 {
    if is_listening() { LINE.get().map_or(0, |line| line()) } else { 0 }
}

/// The line that work on so many elements is recorded in. Nobody asks for it where the work, run next, would not be reported, and
/// joins no work whose line is known.
#[inline]
pub(crate) fn line_of_work<'a, V: Iterator<Item = &'a View>>(
    device: DeviceRef,
    elements: usize,
    reads: impl FnOnce() -> V,
) -> u32 {
    if !is_listening() {
        return 0;
    }
    let has_line = |view: &View| view.storage().node().is_some_and(|node| node.line != 0);
    if spans::is_passed_over(device, elements) && !reads().any(has_line) { 0 } else { current_line() }
}

/// Nanoseconds of the clock that events are timed by.
///
/// ```
/// assert!(cuprum_graph::event_clock() <= cuprum_graph::event_clock());
/// ```
pub fn event_clock() -> u64 {
    clock::nanoseconds()
}

/// A sample of bytes: their number and some sixty of them, at every place within elements.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let step = (bytes.len() / 61) | 1;
    bytes.iter().step_by(step).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |hash, &byte| mix(hash, byte))
}
