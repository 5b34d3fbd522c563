//! Single nodes without a Program: over dense operands one lane over all elements, one fill, one copy or one reduction, and piece
//! by piece over what lies otherwise. Every bit is the block machine's.

use cuprum_core::{DType, Layout, Result, SimdLevel};
use cuprum_graph::{DenseStep, NodeKind, NodeWork, Operand, View};

use super::{dense, small};
use crate::access::fill;
use crate::block::is_busy;
use crate::reduce::reduce_dense;
use cuprum_lanes as lanes;

/// Elementary functions of more elements than this are worth a second thread, and so a Program.
const MAX_FUNCTION_ELEMENTS: usize = 1 << 14;
/// Elements that do not lie dense are taken in pieces where there are no more of them than this: a Program has larger ones. Those
/// of long rows are taken where they are.
const MAX_STRIDED_ELEMENTS: usize = 1 << 14;
/// Elements of a row that is long.
const LONG_ROW_MIN: usize = 64;

/// Computes work into memory at `result`; `false` for what has no shortcut.
///
/// # Safety
/// As [`cuprum_graph::Shortcuts::run_single_node`] says.
pub(super) unsafe fn run(work: &NodeWork<'_>, result: usize, level: SimdLevel) -> Result<bool> {
    if let NodeKind::Map { op, .. } = work.kind
        && is_busy(*op)
        && work.layout.size() > MAX_FUNCTION_ELEMENTS
    {
        return Ok(false);
    }
    // SAFETY: the caller's promise.
    if unsafe { run_dense(work, result, level) }? {
        return Ok(true);
    }
    let (length, most_steps) =
        if work.layout.size() > MAX_STRIDED_ELEMENTS { (LONG_ROW_MIN, 1) } else { (1, 4) };
    if !work.operands.iter().all(|operand| lies_along(operand, work, length, most_steps)) {
        return Ok(false);
    }
    match work.kind {
        // SAFETY: the caller's promise.
        NodeKind::Map { .. } | NodeKind::Cast => unsafe { small::run(work, result, level) },
        NodeKind::Iota { .. } | NodeKind::Take { .. } | NodeKind::Reduce { .. } | NodeKind::Pieces { .. } => {
            Ok(false)
        }
    }
}

/// Whether an operand is walked in steps of few elements, or stays, where the result is walked along its innermost axis, which has
/// at least so many elements.
fn lies_along(operand: &Operand<'_>, work: &NodeWork<'_>, length: usize, most_steps: usize) -> bool {
    let Operand::View(view) = operand else { return true };
    let layout = view.layout();
    if layout.shape != work.layout.shape {
        return false;
    }
    let step = |axis: usize| layout.strides[axis].unsigned_abs();
    let axes = work.layout.shape.iter().zip(&work.layout.strides).enumerate();
    let inner = axes.filter(|(_, (length, _))| **length > 1).min_by_key(|(_, (_, step))| step.unsigned_abs());
    inner.is_none_or(|(axis, (along, _))| *along >= length && step(axis) <= most_steps * view.dtype().size())
}

/// Computes work whose operands and result all lie dense.
///
/// # Safety
/// As for [`run`].
unsafe fn run_dense(work: &NodeWork<'_>, result: usize, level: SimdLevel) -> Result<bool> {
    let (n, size) = (work.layout.size(), work.dtype.size());
    let lies_dense =
        result.is_multiple_of(size) && (work.layout.is_contiguous(size) || work.layout.is_fortran(size));
    if !lies_dense {
        return Ok(false);
    }
    match (work.kind, work.operands) {
        (&NodeKind::Map { op, dtype }, operands) if operands.len() <= 3 => {
            let output = op.output(dtype);
            let mut step =
                DenseStep { op, dtype, output, n, inputs: [None; 3], scalars: [[0; 16]; 3], result };
            for (i, operand) in operands.iter().enumerate() {
                let wanted = op.input(i, dtype);
                match operand {
                    Operand::Scalar(scalar) => {
                        let scalar = scalar.cast(wanted);
                        step.scalars[i][..scalar.bytes().len()].copy_from_slice(scalar.bytes());
                    }
                    Operand::View(view) if view.dtype() == wanted => {
                        step.inputs[i] = dense_address(view, work.layout, work.dtype);
                        if step.inputs[i].is_none() {
                            return Ok(false);
                        }
                    }
                    Operand::View(_) => return Ok(false),
                }
            }
            if output != work.dtype {
                return Ok(false);
            }
            // SAFETY: every operand is dense, aligned and in the loop's dtype, and so is the result.
            unsafe { dense::run(&step, level) }.map(|()| true)
        }
        (NodeKind::Cast, [Operand::Scalar(scalar)]) => {
            // SAFETY: there is memory for all elements of the result, which lies dense.
            unsafe { fill(result as *mut u8, scalar.cast(work.dtype).bytes(), n) };
            Ok(true)
        }
        (NodeKind::Cast, [Operand::View(view)]) => {
            let Some(source) = dense_address(view, work.layout, work.dtype) else { return Ok(false) };
            let (source, target) = (source as *const u8, result as *mut u8);
            // SAFETY: as many elements lie dense and aligned at the source, and there is memory for those of the result: each
            // its own, or apart.
            unsafe {
                if view.dtype() == work.dtype {
                    std::ptr::copy(source, target, n * size);
                } else {
                    lanes::cast(view.dtype(), work.dtype, level)(n, target, [source; 3]);
                }
            }
            Ok(true)
        }
        (NodeKind::Iota { .. }, _) if work.dtype == DType::I64 && work.layout.ndim() == 1 => {
            let target = result as *mut i64;
            for at in 0..n {
                // SAFETY: there is memory for all elements of the result, aligned.
                unsafe { target.add(at).write(at as i64) };
            }
            Ok(true)
        }
        (NodeKind::Reduce { op, dtype, axes }, [Operand::View(view)]) => {
            let layout = view.layout();
            if axes.len() != layout.ndim() || view.dtype() != *dtype || !layout.is_contiguous(dtype.size()) {
                return Ok(false);
            }
            let Some(input) = dense_address(view, layout, *dtype) else { return Ok(false) };
            // SAFETY: the operand is dense, aligned and of the dtype; there is memory for the result.
            Ok(unsafe { reduce_dense(*op, *dtype, layout.size(), input, result, level) })
        }
        _ => Ok(false),
    }
}

/// Where the elements of an operand begin, if they lie dense, aligned and in the order of the result's, whose dtype is given.
fn dense_address(view: &View, like: &Layout, dtype: DType) -> Option<usize> {
    let (layout, size) = (view.layout(), view.dtype().size());
    let in_rows = || like.is_contiguous(dtype.size()) && layout.is_contiguous(size);
    let in_columns = || like.is_fortran(dtype.size()) && layout.is_fortran(size);
    if layout.shape != like.shape || !(in_rows() || in_columns()) {
        return None;
    }
    view.aligned_address()
}
