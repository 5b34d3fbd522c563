//! Filters along one axis: correlation with weights, means, minima and maxima.

use cuprum_core::{DType, Result};
use cuprum_graph::{Boundary, LineOp, Slot};

use super::{ComputedIn, Opening, THREADS, blocks, fill_bytes, number_of, ordered, upload};
use crate::compile::Kernel;
use crate::launch::LaunchArgs;
use crate::session::Session;

/// Windows up to this length are held in registers.
const REGISTER_MAX_WINDOW: usize = 49;
/// Outputs of a thread there, and the shortest lines that are worth blocks of their own along the last axis.
const OUTPUTS_PER_THREAD: usize = 4;
const OWN_BLOCKS_MIN_LINE: usize = OUTPUTS_PER_THREAD * THREADS as usize / 2;
/// Windows up to this length are read through; longer ones are put together from runs.
const DIRECT_MAX_WINDOW: usize = 128;

/// The kernels' numbers of what they do.
const CORRELATE: u32 = 0;
const SUMS: u32 = 1;
const DIFFERENCES: u32 = 2;
const MEAN: u32 = 3;
const MINIMUM: u32 = 4;
const MAXIMUM: u32 = 5;

/// Lines of an input and an output, both dense: what lies around the axis, and along it.
struct FilterLines {
    outer: usize,
    inner: usize,
    in_length: usize,
    out_length: usize,
    start: isize,
}

/// Runs a filter along an axis; input and output are dense.
pub(super) fn run(
    session: &Session,
    op: LineOp<'_>,
    input: &Slot,
    out: &Slot,
    axis: usize,
    start: isize,
    boundary: Boundary,
) -> Result<()> {
    let shape = &out.layout.shape;
    let lines = FilterLines {
        outer: shape[..axis].iter().product(),
        inner: shape[axis + 1..].iter().product(),
        in_length: input.layout.shape[axis],
        out_length: shape[axis],
        start,
    };
    if out.layout.size() == 0 {
        return Ok(());
    }
    let (number, held) = match op {
        LineOp::Correlate(weights) => (pairing(weights), ComputedIn::As(DType::F64)),
        LineOp::Mean(_) => (MEAN, ComputedIn::As(DType::F64)),
        LineOp::Minimum(_) => (MINIMUM, ComputedIn::Keys { nan_first: true }),
        LineOp::Maximum(_) => (MAXIMUM, ComputedIn::Keys { nan_first: false }),
    };
    if number >= MINIMUM {
        ordered(input.dtype)?;
    }
    if number >= MEAN && op.size() > DIRECT_MAX_WINDOW {
        return run_long(session, &lines, (number, held), op.size(), input, out, boundary);
    }
    let weights = match op {
        LineOp::Correlate(weights) => weights,
        _ => &[],
    };
    if op.size() <= REGISTER_MAX_WINDOW && (lines.inner > 1 || lines.out_length >= OWN_BLOCKS_MIN_LINE) {
        return run_short(session, &lines, (number, held), (op.size(), weights), input, out, boundary);
    }
    let table = upload(session, &weights.iter().flat_map(|w| w.to_ne_bytes()).collect::<Vec<u8>>())?;
    let total = out.layout.size();
    let kernel = read_through(session, Opening::new(input.dtype, out.dtype, held, total), number)?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out));
    args.i64(lines.in_length as i64).i64(lines.out_length as i64).i64(lines.inner as i64);
    args.i64(lines.start as i64).u32(number_of(boundary.extension)).bytes(&fill_bytes(boundary.fill, held));
    args.pointer(table.address()).i64(op.size() as i64).u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &args) }
}

/// Windows that a thread holds in registers.
fn run_short(
    session: &Session,
    lines: &FilterLines,
    (number, held): (u32, ComputedIn),
    (size, weights): (usize, &[f64]),
    input: &Slot,
    out: &Slot,
    boundary: Boundary,
) -> Result<()> {
    let parts = lines.out_length.div_ceil(OUTPUTS_PER_THREAD * THREADS as usize);
    let runs = lines.outer * lines.out_length.div_ceil(OUTPUTS_PER_THREAD) * lines.inner;
    let opening = Opening::new(input.dtype, out.dtype, held, runs);
    let [in_type, out_type, held_type, long] = opening.variant();
    let variant = [in_type, out_type, held_type, long, number, size as u32];
    let kernel = |entry| session.kernel(entry, &variant, || text_of_taps(opening, number, size));
    let mut table: Vec<u8> = weights.iter().flat_map(|w| w.to_ne_bytes()).collect();
    table.resize(size * 8, 0);
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out));
    args.i64(lines.in_length as i64).i64(lines.out_length as i64);
    if lines.inner > 1 {
        args.i64(lines.inner as i64);
    }
    args.i64(lines.start as i64).u32(number_of(boundary.extension)).bytes(&fill_bytes(boundary.fill, held));
    args.bytes(&table);
    if lines.inner > 1 {
        args.u64(runs as u64);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe { session.launch(kernel("filter_across")?, blocks(runs), THREADS, &args) };
    }
    args.u32(parts as u32);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("filter_along")?, (lines.outer * parts) as u32, THREADS, &args) }
}

pub(super) fn text_of_taps(opening: Opening, number: u32, size: usize) -> String {
    let kernels = include_str!("../../kernels/filter_line_short.cu");
    format!("{}#define LINE_OP {number}\n#define SIZE {size}\n{kernels}", opening.text())
}

fn read_through(session: &Session, opening: Opening, number: u32) -> Result<Kernel> {
    let [input, out, held, long] = opening.variant();
    session.kernel("filter_line", &[input, out, held, long, number], || text(opening, number))
}

pub(super) fn text(opening: Opening, number: u32) -> String {
    let kernels = include_str!("../../kernels/filter_line.cu");
    format!("{}#define LINE_OP {number}\n{kernels}", opening.text())
}

pub(super) fn text_of_runs(opening: Opening, number: u32) -> String {
    let kernels = include_str!("../../kernels/filter_line_long.cu");
    format!("{}#define RUN_OP {number}\n{kernels}", opening.text())
}

/// Whether weights of an odd number are symmetric or antisymmetric within the epsilon of float64.
fn pairing(weights: &[f64]) -> u32 {
    let half = weights.len() / 2;
    let all = |close: &dyn Fn(f64, f64) -> f64| {
        (1..=half).all(|i| {
            let apart = close(weights[half + i], weights[half - i]).abs();
            apart <= f64::EPSILON || apart.is_nan()
        })
    };
    match weights.len() % 2 {
        1 if all(&|a, b| a - b) => SUMS,
        1 if all(&|a, b| a + b) => DIFFERENCES,
        _ => CORRELATE,
    }
}

/// A mean or extremum of long windows: lines with what lies beyond their ends, then runs that grow by doubling.
fn run_long(
    session: &Session,
    lines: &FilterLines,
    (number, held): (u32, ComputedIn),
    size: usize,
    input: &Slot,
    out: &Slot,
    boundary: Boundary,
) -> Result<()> {
    let length = lines.out_length + size - 1;
    let total = lines.outer * length * lines.inner;
    let opening = Opening::new(input.dtype, out.dtype, held, total);
    let bytes = total * if number == MEAN { 8 } else { input.dtype.size() };
    let [input_type, out_type, held_type, long] = opening.variant();
    let kernel = |entry| {
        let variant = [input_type, out_type, held_type, long, number];
        session.kernel(entry, &variant, || text_of_runs(opening, number))
    };
    let extended = session.scratch(bytes)?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(extended.address()).i64(lines.in_length as i64);
    args.i64(length as i64)
        .i64(lines.inner as i64)
        .i64(lines.start as i64)
        .u32(number_of(boundary.extension));
    args.bytes(&fill_bytes(boundary.fill, held)).u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("extend_lines")?, blocks(total), THREADS, &args) }?;

    let join = kernel("join_runs")?;
    let spare = [session.scratch(bytes)?, session.scratch(bytes)?];
    let mut runs = extended.address();
    let mut turn = 0;
    let mut join_into = |apart: usize, single: Option<usize>| {
        let to = spare[turn].address();
        let mut args = LaunchArgs::new();
        args.pointer(runs).pointer(to).u64((apart * lines.inner) as u64);
        args.pointer(single.map_or(0, |_| extended.address()));
        args.u64((single.unwrap_or(0) * lines.inner) as u64).u64(total as u64);
        (runs, turn) = (to, 1 - turn);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(join, blocks(total), THREADS, &args) }.map(|()| to)
    };
    let mut last = extended.address();
    let mut run = 1;
    if number == MEAN {
        // Runs of the leading bits of `size`: each further bit doubles them, and adds an element where it is set.
        for bit in (0..size.ilog2()).rev() {
            let longer = size >> bit;
            last = join_into(run, (longer > 2 * run).then_some(2 * run))?;
            run = longer;
        }
    } else {
        while 2 * run <= size {
            last = join_into(run, None)?;
            run *= 2;
        }
        // The two runs joined last overlap and cover the window.
        if run < size {
            last = join_into(size - run, None)?;
        }
    }
    let count = out.layout.size();
    let mut args = LaunchArgs::new();
    args.pointer(last).pointer(session.address(out)).i64(length as i64).i64(lines.out_length as i64);
    args.i64(lines.inner as i64).i64(size as i64).u64(count as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("store_runs")?, blocks(count), THREADS, &args) }
}
