//! Arrays put together from pieces: arrays joined, rolled or padded with a number.
//!
//! The result is recorded as its pieces, so that what reads it can read them instead of a copy. Results that the CPU copies
//! faster than it starts a Program, and those of many pieces, are copied at the call.

use cuprum_core::{DType, Layout, Result, Scalar};
use cuprum_graph::{Args, DeviceRef, NodeArg, Piece, assemble, defer_enabled, mixed_devices, same_device};

use crate::Array;
use crate::elementwise::{Arg, assign};

/// Results of more pieces than this are copied at the call: no Program reads that many arrays.
const MAX_PIECES: usize = 16;

/// What fills a piece.
pub(super) enum Content {
    /// An array of the piece's shape.
    Array(Array),
    /// A number.
    Scalar(Scalar),
}

/// Whether a result of so many bytes is copied at the call. A GPU starts a kernel for each copy.
pub(super) fn is_small(device: DeviceRef, bytes: usize) -> bool {
    device.shortcuts().is_some() && bytes < device.start_cost().bytes
}

/// The array of a layout that these pieces cover; contents of other dtypes are converted.
pub(super) fn put_together(
    op: &'static str,
    device: DeviceRef,
    pieces: Vec<(Piece, Content)>,
    layout: Layout,
    dtype: DType,
) -> Result<Array> {
    let is_recorded =
        defer_enabled() && !is_small(device, layout.size() * dtype.size()) && pieces.len() <= MAX_PIECES;
    if !is_recorded {
        let out = Array::uninitialized(device, layout, dtype)?;
        return store(op, &pieces, &out).map(|()| out);
    }
    let mut args = Args::with_capacity(pieces.len());
    let mut places = Vec::with_capacity(pieces.len());
    for (piece, content) in pieces {
        if piece.shape.contains(&0) {
            continue;
        }
        args.push(match content {
            Content::Array(array) if !same_device(array.device(), device) => {
                return Err(mixed_devices(op, device, array.device()));
            }
            Content::Array(array) if array.dtype() == dtype => NodeArg::View(array.view().clone()),
            Content::Array(array) => NodeArg::View(array.astype(dtype)?.view().clone()),
            Content::Scalar(scalar) => NodeArg::Scalar(scalar.cast(dtype)),
        });
        places.push(piece);
    }
    Ok(Array::from_view(assemble(device, places, args, layout, dtype)?))
}

/// Writes the pieces into an array.
pub(super) fn store(op: &'static str, pieces: &[(Piece, Content)], out: &Array) -> Result<()> {
    for (piece, content) in pieces {
        let mut layout = out.layout().clone();
        for (axis, (&start, &length)) in piece.start.iter().zip(&piece.shape).enumerate() {
            layout = layout.slice_axis(axis, start, 1, length);
        }
        let value = match content {
            Content::Array(array) => Arg::Array(array),
            Content::Scalar(scalar) => Arg::Scalar(*scalar),
        };
        assign(op, &out.with_layout(layout), value, None)?;
    }
    Ok(())
}
