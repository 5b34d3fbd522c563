//! Cholesky factorisation. The lower triangle by rows is the upper one by columns of the transpose, whose upper factor
//! is the transpose of the lower one: nothing is transposed.

use cuprum_core::{Error, Result};
use cuprum_graph::Slot;

use super::lu::is_small;
use super::status::Status;
use super::{
    SolverMemory, addresses, copied, count, int, kernels, lengths, matrix_bytes, solver, transposed,
};
use crate::handles::{data_type, family, solver_check};
use crate::session::Session;

const OP: &str = "cholesky";

pub(super) fn run(session: &Session, a: &Slot, out: &Slot, upper: bool) -> Result<()> {
    let ((n, _), count) = (lengths(a), count(a));
    if n == 0 {
        return Ok(());
    }
    let status = Status::new(session, count)?;
    session.with_dense_out(out, |out| {
        session.copy(a, out)?;
        // By columns the other triangle.
        factor(session, out, i32::from(!upper), &status)?;
        kernels::keep_triangle(session, out, !upper)
    })?;
    let report = status.read(session)?;
    if !report.any_failed() {
        return Ok(());
    }
    // LAPACK goes on where it meets a NaN, and its factor has some.
    let given = copied(session, &if upper { a.clone() } else { transposed(a) })?;
    let largest = kernels::largest(session, &given, (n, n), true)?;
    let has_nan = kernels::matrices_with_nan(session, a.dtype, count, &largest)?;
    if (0..count).any(|matrix| report.failed(matrix) && !has_nan[matrix]) {
        return Err(Error::linalg(OP, "Matrix is not positive definite"));
    }
    session.with_dense_out(out, |dense| {
        session.copy(out, dense)?;
        kernels::fill_nan_factors(session, dense, (None, 8, 0), None, &largest)?;
        kernels::keep_triangle(session, dense, !upper)
    })
}

fn factor(session: &Session, stack: &Slot, upper: i32, status: &Status) -> Result<()> {
    let ((n, _), count) = (lengths(stack), count(stack));
    let solver = solver(session, OP)?;
    if is_small(count, n) {
        let table = addresses(session, stack)?;
        // SAFETY: the handle is lent to this call; the table holds the addresses of matrices of order n, and infos have
        // room for all of them.
        let code = unsafe {
            (solver.tables.typed.potrf_batched[family(OP, stack.dtype)?])(
                solver.handle,
                upper,
                int(OP, n)?,
                table.address(),
                int(OP, n)?,
                status.info(0),
                int(OP, count)?,
            )
        };
        return solver_check(OP, code);
    }
    let (any, kind, order) = (&solver.tables.any, data_type(stack.dtype), n as i64);
    let (handle, parameters, first) = (solver.handle, solver.parameters, session.address(stack));
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
        (any.cusolverDnXpotrf_bufferSize)(
            handle, parameters, upper, order, kind, first, order, kind, device, host,
        )
    })?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; matrix and working memory are of the sizes told.
        let code = unsafe {
            (any.cusolverDnXpotrf)(
                handle,
                parameters,
                upper,
                order,
                kind,
                first + matrix * matrix_bytes(stack),
                order,
                kind,
                work.device(),
                work.device_bytes,
                work.host(),
                work.host.len(),
                status.info(matrix),
            )
        };
        solver_check(OP, code)?;
    }
    Ok(())
}
