//! Linear algebra on matrices and stacks of them: the last two axes are the matrix.
//!
//! Integers and booleans are computed as float64, single precision stays single, half precision is refused, as in NumPy.
//! What has no answer (a singular matrix, an iteration that does not end) is `Error::Linalg`.

mod decompose;
mod lu;
mod solve;

pub use decompose::{QrMode, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals};
pub use lu::{Transpose, lu, lu_factor, lu_solve, solve_triangular};
pub use solve::{cholesky, det, inv, slogdet, solve};

use cuprum_core::{DType, Dims, Error, Layout, Result, show_shape};
use cuprum_graph::{Call, LinalgCall};

use crate::Array;
use crate::call::run_call;
use crate::creation::checked_size;

/// The dtype in which linear algebra on these arrays is done.
fn common_dtype(op: &'static str, arrays: &[&Array]) -> Result<DType> {
    crate::device::check_devices(op, arrays.iter().copied())?;
    let (mut double, mut complex) = (false, false);
    for array in arrays {
        match array.dtype() {
            DType::F16 | DType::BF16 => {
                let message = format!("array type {} is unsupported in linalg", array.dtype());
                return Err(Error::type_error(op, message));
            }
            DType::F32 => {}
            DType::C64 => complex = true,
            DType::C128 => (double, complex) = (true, true),
            _ => double = true,
        }
    }
    Ok(match (double, complex) {
        (false, false) => DType::F32,
        (true, false) => DType::F64,
        (false, true) => DType::C64,
        (true, true) => DType::C128,
    })
}

/// The real dtype of the same precision.
fn real_dtype(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// The complex dtype of the same precision.
fn complex_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::C64,
        DType::F64 => DType::C128,
        other => other,
    }
}

/// Refuses what has no two axes; gives the lengths of the last two.
fn check_matrix(op: &'static str, a: &Array) -> Result<(usize, usize)> {
    match a.shape() {
        [.., m, n] => Ok((*m, *n)),
        _ => {
            let message =
                format!("{}-dimensional array given. Array must be at least two-dimensional", a.ndim());
            Err(Error::linalg(op, message))
        }
    }
}

/// Refuses what is not square; gives the order.
fn check_square(op: &'static str, a: &Array) -> Result<usize> {
    let (m, n) = check_matrix(op, a)?;
    if m != n {
        let message =
            format!("Last 2 dimensions of the array must be square, got shape {}", show_shape(a.shape()));
        return Err(Error::linalg(op, message));
    }
    Ok(n)
}

fn converted(a: &Array, dtype: DType) -> Result<Array> {
    if a.dtype() == dtype { Ok(a.clone()) } else { a.astype(dtype) }
}

/// A new array with a stack's axes followed by these, row by row.
fn result(op: &'static str, like: &Array, stack: &[usize], last: &[usize], dtype: DType) -> Result<Array> {
    let mut shape = Dims::from_slice(stack);
    shape.extend_from_slice(last);
    checked_size(like.device(), op, &shape, dtype.size())?;
    Array::uninitialized(like.device(), Layout::contiguous(&shape, dtype.size()), dtype)
}

/// The axes before the last two.
fn stack_of(a: &Array) -> &[usize] {
    &a.shape()[..a.ndim() - 2]
}

/// The stack axes broadcast to `stack`.
fn broadcast(op: &'static str, a: &Array, stack: &[usize], own: usize) -> Result<Array> {
    let mut shape = Dims::from_slice(stack);
    shape.extend_from_slice(&a.shape()[a.ndim() - own..]);
    Ok(a.with_layout(a.layout().broadcast_to(op, &shape)?))
}

/// Runs a call on the device of `like`, unless the stack is empty.
fn run(like: &Array, stack: &[usize], call: LinalgCall<'_>) -> Result<()> {
    if stack.contains(&0) {
        return Ok(());
    }
    run_call(like.device(), &Call::Linalg(call))
}
