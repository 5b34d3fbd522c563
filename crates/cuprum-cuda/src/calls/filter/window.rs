//! Filters whose window has several axes: correlation with weights, extrema and ranks over a footprint.

use cuprum_core::memory::{filled, with_capacity};
use cuprum_core::{DType, Result};
use cuprum_graph::{Boundary, Buffer, Footprint, Slot, WindowOp};

use super::{ComputedIn, Opening, THREADS, blocks, fill_bytes, number_of, ordered, rank, upload};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// The kernels' numbers of what they do.
const CORRELATE: u32 = 0;
const MINIMUM: u32 = 1;
const MAXIMUM: u32 = 2;
const MINIMUM_PLUS: u32 = 3;
const MAXIMUM_PLUS: u32 = 4;

/// The axes of a window over a dense input and output. Neighbouring axes along which nothing but the element itself is
/// seen are one.
pub(super) struct WindowGeometry {
    axes: Vec<Axis>,
}

#[derive(Clone, Copy)]
struct Axis {
    in_length: usize,
    in_step: usize,
    out_length: usize,
    window: usize,
    start: isize,
}

impl Axis {
    /// Whether every output sees the input element at its own position alone.
    fn is_plain(&self) -> bool {
        self.window == 1 && self.start == 0 && self.in_length == self.out_length
    }
}

impl WindowGeometry {
    pub(super) fn new(input: &[usize], out: &[usize], window: &[usize], starts: &[isize]) -> WindowGeometry {
        let mut axes: Vec<Axis> = Vec::with_capacity(input.len());
        for at in 0..input.len() {
            let in_step = input[at + 1..].iter().product();
            let axis = Axis {
                in_length: input[at],
                in_step,
                out_length: out[at],
                window: window[at],
                start: starts[at],
            };
            match axes.last_mut() {
                Some(last) if last.is_plain() && axis.is_plain() => {
                    last.in_length *= axis.in_length;
                    last.out_length *= axis.out_length;
                    last.in_step = axis.in_step;
                }
                _ => axes.push(axis),
            }
        }
        WindowGeometry { axes }
    }

    pub(super) fn axes(&self) -> usize {
        self.axes.len()
    }

    /// Rows of a window along the last axis.
    pub(super) fn rows(&self) -> usize {
        self.axes[..self.axes.len() - 1].iter().map(|axis| axis.window).product()
    }

    /// The same with three axes, images, rows and columns, where windows are boxes of rows and columns of one image.
    pub(super) fn of_images(&self) -> Option<WindowGeometry> {
        let plain = Axis { in_length: 1, in_step: 0, out_length: 1, window: 1, start: 0 };
        let mut axes = vec![plain; 3usize.saturating_sub(self.axes.len())];
        axes.extend(&self.axes);
        (axes.len() == 3 && axes[0].is_plain()).then_some(WindowGeometry { axes })
    }

    /// The length of an axis of the output, and its window.
    pub(super) fn axis(&self, at: usize) -> (usize, usize) {
        (self.axes[at].out_length, self.axes[at].window)
    }

    /// The kernels' argument.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let columns: [fn(&Axis) -> u64; 5] = [
            |axis| axis.in_length as u64,
            |axis| axis.in_step as u64,
            |axis| axis.out_length as u64,
            |axis| axis.window as u64,
            |axis| axis.start as u64,
        ];
        columns.iter().flat_map(|of| self.axes.iter().flat_map(|axis| of(axis).to_ne_bytes())).collect()
    }

    /// Where places of the window, numbered in C order, lie: how far from its first one in the input, and their
    /// positions along each axis.
    fn places(&self, places: &[usize]) -> (Vec<i64>, Vec<i32>) {
        let mut offsets = with_capacity(places.len());
        let mut along = filled(places.len() * self.axes.len(), 0);
        for (&place, along) in places.iter().zip(along.chunks_mut(self.axes.len())) {
            let (mut rest, mut offset) = (place, 0);
            for (axis, along) in self.axes.iter().zip(along).rev() {
                let at = rest % axis.window;
                rest /= axis.window;
                offset += at * axis.in_step;
                *along = at as i32;
            }
            offsets.push(offset as i64);
        }
        (offsets, along)
    }
}

/// The text of a filter over a window: its opening, what windows have in common, definitions and the kernel.
pub(super) fn text(opening: Opening, axes: usize, definitions: &str, kernel: &str) -> String {
    let common = include_str!("../../kernels/filter_window.cuh");
    format!("{}#define AXES {axes}\n{common}{definitions}{kernel}", opening.text())
}

/// Runs a filter over a footprint; input and output are dense.
pub(super) fn run(
    session: &Session,
    op: WindowOp<'_>,
    input: &Slot,
    out: &Slot,
    footprint: &Footprint,
    boundary: Boundary,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let last = footprint.places.len().saturating_sub(1);
    let (number, held, numbers): (u32, ComputedIn, &[f64]) = match op {
        WindowOp::Correlate(weights) => (CORRELATE, ComputedIn::As(DType::F64), weights),
        WindowOp::MinimumPlus(addends) => (MINIMUM_PLUS, ComputedIn::As(DType::F64), addends),
        WindowOp::MaximumPlus(addends) => (MAXIMUM_PLUS, ComputedIn::As(DType::F64), addends),
        WindowOp::Minimum => (MINIMUM, ComputedIn::Keys { nan_first: true }, &[]),
        WindowOp::Maximum => (MAXIMUM, ComputedIn::Keys { nan_first: false }, &[]),
        WindowOp::Rank(0) => (MINIMUM, ComputedIn::Keys { nan_first: false }, &[]),
        WindowOp::Rank(rank) if rank == last => (MAXIMUM, ComputedIn::Keys { nan_first: false }, &[]),
        WindowOp::Rank(rank) => return rank::run(session, rank, input, out, footprint, boundary),
    };
    if number == MINIMUM || number == MAXIMUM {
        ordered(input.dtype)?;
    }
    let tables = Tables::new(session, input, out, footprint, numbers)?;
    let total = out.layout.size();
    let opening = Opening::new(input.dtype, out.dtype, held, total);
    let [in_type, out_type, held_type, long] = opening.variant();
    let axes = tables.geometry.axes();
    let variant = [in_type, out_type, held_type, long, axes as u32, number];
    let kernel = session.kernel("filter_window", &variant, || text_of_fold(opening, axes, number))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out)).bytes(&tables.geometry.bytes());
    args.bytes(&tables.places()).i64(footprint.places.len() as i64);
    args.u32(number_of(boundary.extension)).bytes(&fill_bytes(boundary.fill, held)).u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &args) }
}

pub(super) fn text_of_fold(opening: Opening, axes: usize, number: u32) -> String {
    let kernel = include_str!("../../kernels/filter_window.cu");
    text(opening, axes, &format!("#define WINDOW_OP {number}\n"), kernel)
}

/// A footprint on the GPU: the offset of each place with the number that goes with it, then its positions along the axes.
pub(super) struct Tables {
    pub(super) geometry: WindowGeometry,
    buffer: Buffer,
    count: usize,
}

impl Tables {
    pub(super) fn new(
        session: &Session,
        input: &Slot,
        out: &Slot,
        footprint: &Footprint,
        numbers: &[f64],
    ) -> Result<Tables> {
        let (shape, starts) = (&footprint.shape, &footprint.starts);
        let geometry = WindowGeometry::new(&input.layout.shape, &out.layout.shape, shape, starts);
        let (offsets, along) = geometry.places(&footprint.places);
        let mut bytes = with_capacity(offsets.len() * 16 + along.len() * 4);
        for (i, offset) in offsets.iter().enumerate() {
            bytes.extend(offset.to_ne_bytes());
            bytes.extend(numbers.get(i).unwrap_or(&0.0).to_ne_bytes());
        }
        bytes.extend(along.iter().flat_map(|x| x.to_ne_bytes()));
        let buffer = upload(session, &bytes)?;
        Ok(Tables { geometry, buffer, count: offsets.len() })
    }

    /// The kernels' argument that says where the places are.
    pub(super) fn places(&self) -> [u8; 16] {
        let first = self.buffer.address();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&first.to_ne_bytes());
        bytes[8..].copy_from_slice(&(first + self.count * 16).to_ne_bytes());
        bytes
    }
}
