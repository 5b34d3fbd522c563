//! Eigenvalues and vectors of Hermitian matrices.

use cuprum_core::{DType, Error, Result};
use cuprum_graph::Slot;

use super::scale::Scales;
use super::status::Status;
use super::{
    BATCHED_MIN_COUNT, SolverMemory, copied, count, elements, int, kernels, lengths, matrix_bytes, solver,
    stacked, store, transposed,
};
use crate::handles::{Solver, data_type, family, solver_check};
use crate::session::Session;

const OP: &str = "eigh";
const LOWER: i32 = 0;
/// The order up to which the methods for many matrices win.
const BATCHED_MAX_ORDER: usize = 512;
/// The order up to which Jacobi's method for many matrices wins.
const JACOBI_MAX_ORDER: usize = 32;

pub(super) fn run(
    session: &Session,
    a: &Slot,
    upper: bool,
    values: &Slot,
    vectors: Option<&Slot>,
) -> Result<()> {
    let ((n, _), count) = (lengths(a), count(a));
    if n == 0 {
        return Ok(());
    }
    for way in [EighMethod::Fast, EighMethod::Rounded, EighMethod::Rotated] {
        // Of the transpose, whose vectors are the conjugates, the upper triangle is the lower one by columns; of the
        // matrix itself, the lower one.
        let matrices = copied(session, &if upper { a.clone() } else { transposed(a) })?;
        let status = Status::new(session, count)?;
        let scales = Scales::normalize(session, &matrices, (n, n), true, &status)?;
        if way != EighMethod::Fast {
            kernels::drop_tiny(session, &matrices)?;
        }
        let found = session.new_slot(&stacked(a, 2, &[n]), values.dtype)?;
        decompose(session, &matrices, &found, vectors.is_some(), &status, way)?;
        scales.undo(session, &matrices, &found, n)?;
        store(session, &found, values)?;
        if let Some(vectors) = vectors {
            if upper {
                kernels::conjugate(session, &matrices)?;
            }
            super::store_columns(session, &matrices, vectors)?;
        }
        let report = status.read(session)?;
        if report.any_fault() {
            break;
        }
        if !report.any_failed() {
            return Ok(());
        }
    }
    Err(Error::linalg(OP, "Eigenvalues did not converge"))
}

/// How matrices are decomposed: each way is taken where the one before it did not converge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EighMethod {
    /// By the method that is fastest for their order and number.
    Fast,
    /// By the same, with elements that are too small to be squared taken for zero: reflections of complex numbers lose
    /// their way among them.
    Rounded,
    /// By Jacobi's method.
    Rotated,
}

/// Decomposes by the lower triangle of matrices that lie by columns; vectors take the matrices' place.
fn decompose(
    session: &Session,
    matrices: &Slot,
    values: &Slot,
    vectors: bool,
    status: &Status,
    way: EighMethod,
) -> Result<()> {
    let ((n, _), count) = (lengths(matrices), count(matrices));
    let solver = solver(session, OP)?;
    if way == EighMethod::Rotated {
        return rotate(session, &solver, matrices, values, vectors, status);
    }
    if count >= BATCHED_MIN_COUNT && n <= BATCHED_MAX_ORDER && solver.tables.syev_batched.is_some() {
        return all_at_once(session, &solver, matrices, values, vectors, status);
    }
    if count >= BATCHED_MIN_COUNT && n <= JACOBI_MAX_ORDER {
        return rotate(session, &solver, matrices, values, vectors, status);
    }
    let (any, job, order) = (&solver.tables.any, i32::from(vectors), n as i64);
    let (kind, real) = (data_type(matrices.dtype), data_type(values.dtype));
    let (handle, parameters) = (solver.handle, solver.parameters);
    let (first, first_value) = (session.address(matrices), session.address(values));
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
        (any.cusolverDnXsyevd_bufferSize)(
            handle,
            parameters,
            job,
            LOWER,
            order,
            kind,
            first,
            order,
            real,
            first_value,
            kind,
            device,
            host,
        )
    })?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; matrix, values and working memory are of the sizes told.
        let code = unsafe {
            (any.cusolverDnXsyevd)(
                handle,
                parameters,
                job,
                LOWER,
                order,
                kind,
                first + matrix * matrix_bytes(matrices),
                order,
                real,
                first_value + matrix * n * values.dtype.size(),
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

fn all_at_once(
    session: &Session,
    solver: &Solver,
    matrices: &Slot,
    values: &Slot,
    vectors: bool,
    status: &Status,
) -> Result<()> {
    let Some(batched) = &solver.tables.syev_batched else {
        return Err(Error::device("eigh: cuSOLVER has no cusolverDnXsyevBatched"));
    };
    let ((n, _), count) = (lengths(matrices), count(matrices));
    let (job, order) = (i32::from(vectors), n as i64);
    let (kind, real) = (data_type(matrices.dtype), data_type(values.dtype));
    let (handle, parameters) = (solver.handle, solver.parameters);
    let (first, first_value) = (session.address(matrices), session.address(values));
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
        (batched.cusolverDnXsyevBatched_bufferSize)(
            handle,
            parameters,
            job,
            LOWER,
            order,
            kind,
            first,
            order,
            real,
            first_value,
            kind,
            device,
            host,
            count as i64,
        )
    })?;
    // SAFETY: the handle is lent to this call; matrices, values, infos and working memory are of the sizes told.
    let code = unsafe {
        (batched.cusolverDnXsyevBatched)(
            handle,
            parameters,
            job,
            LOWER,
            order,
            kind,
            first,
            order,
            real,
            first_value,
            kind,
            work.device(),
            work.device_bytes,
            work.host(),
            work.host.len(),
            status.info(0),
            count as i64,
        )
    };
    solver_check(OP, code)
}

/// Jacobi's method for many small matrices.
fn rotate(
    session: &Session,
    solver: &Solver,
    matrices: &Slot,
    values: &Slot,
    vectors: bool,
    status: &Status,
) -> Result<()> {
    let ((n, _), count) = (lengths(matrices), count(matrices));
    let which = family(OP, matrices.dtype)?;
    let (typed, handle, rules) = (&solver.tables.typed, solver.handle, solver.jacobi_eigen);
    let (job, order, many) = (i32::from(vectors), int(OP, n)?, int(OP, count)?);
    let (first, first_value) = (session.address(matrices), session.address(values));
    let size = matrices.dtype.size().max(DType::F64.size());
    // SAFETY: only lengths are read, and a size written.
    let (work, work_length) = elements(session, OP, size, |length| unsafe {
        (typed.syevj_batched_buffer[which])(
            handle,
            job,
            LOWER,
            order,
            first,
            order,
            first_value,
            length,
            rules,
            many,
        )
    })?;
    // SAFETY: the handle is lent to this call; matrices, values, infos and working memory are of the sizes told.
    let code = unsafe {
        (typed.syevj_batched[which])(
            handle,
            job,
            LOWER,
            order,
            first,
            order,
            first_value,
            work.address(),
            work_length,
            status.info(0),
            rules,
            many,
        )
    };
    solver_check(OP, code)
}
