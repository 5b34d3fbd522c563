//! Eigenvalues and right eigenvectors of general matrices.

use cuprum_core::{Error, Result};
use cuprum_graph::Slot;

use super::scale::Scales;
use super::status::Status;
use super::{
    SolverMemory, by_columns, count, kernels, lengths, matrix_bytes, solver, stacked, store, store_columns,
};
use crate::handles::{data_type, solver_check};
use crate::launch::LaunchArgs;
use crate::session::Session;

const OP: &str = "eig";
const NO_VECTORS: i32 = 0;

pub(super) fn run(session: &Session, a: &Slot, values: &Slot, vectors: Option<&Slot>) -> Result<()> {
    let ((n, _), count) = (lengths(a), count(a));
    if n == 0 {
        return Ok(());
    }
    let matrices = by_columns(session, a)?;
    let status = Status::new(session, count)?;
    let scales = Scales::normalize(session, &matrices, (n, n), false, &status)?;
    // Of a real matrix: all real parts of the values, then all imaginary ones, and vectors packed as LAPACK does.
    let parts = if a.dtype.is_complex() { 1 } else { 2 };
    let found = session.new_slot(&stacked(a, 2, &[parts * n]), a.dtype)?;
    let right = match vectors {
        Some(_) => Some(session.new_slot(&stacked(a, 2, &[n, n]), a.dtype)?),
        None => None,
    };
    decompose(session, &matrices, &found, right.as_ref(), &status)?;
    scales.undo(session, &matrices, &found, 2 * n)?;
    if a.dtype.is_complex() {
        store(session, &found, values)?;
        if let (Some(right), Some(vectors)) = (&right, vectors) {
            store_columns(session, right, vectors)?;
        }
    } else {
        session.with_dense_out(values, |values| {
            let mut args = LaunchArgs::new();
            args.pointer(session.address(&found)).pointer(session.address(values));
            args.u64(n as u64).u64(count as u64);
            // SAFETY: the kernel's own arguments, over the values of `count` matrices.
            unsafe { kernels::join(session, "linalg_join_values", a.dtype, n * count, &args) }
        })?;
        if let (Some(right), Some(vectors)) = (&right, vectors) {
            let joined = session.new_slot(&stacked(a, 2, &[n, n]), vectors.dtype)?;
            let mut args = LaunchArgs::new();
            args.pointer(session.address(right)).pointer(session.address(&found));
            args.pointer(session.address(&joined)).u64(n as u64).u64(count as u64);
            // SAFETY: the kernel's own arguments, over the vectors of `count` matrices.
            unsafe { kernels::join(session, "linalg_join_vectors", a.dtype, n * n * count, &args)? };
            store_columns(session, &joined, vectors)?;
        }
    }
    let report = status.read(session)?;
    if report.any_fault() {
        return Err(Error::linalg(OP, "Array must not contain infs or NaNs"));
    }
    if report.any_failed() {
        return Err(Error::linalg(OP, "Eigenvalues did not converge"));
    }
    Ok(())
}

fn decompose(
    session: &Session,
    matrices: &Slot,
    values: &Slot,
    vectors: Option<&Slot>,
    status: &Status,
) -> Result<()> {
    let ((n, _), count) = (lengths(matrices), count(matrices));
    let solver = solver(session, OP)?;
    let Some(geev) = &solver.tables.geev else {
        return Err(Error::device(
            "eig: this cuSOLVER is older than CUDA 12.6, which brought it: \
             pip install --upgrade nvidia-cusolver-cu12",
        ));
    };
    let (job, order, kind) = (i32::from(vectors.is_some()), n as i64, data_type(matrices.dtype));
    let (handle, parameters) = (solver.handle, solver.parameters);
    let (first, first_value) = (session.address(matrices), session.address(values));
    let first_vector = vectors.map_or(0, |vectors| session.address(vectors));
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
        (geev.cusolverDnXgeev_bufferSize)(
            handle,
            parameters,
            NO_VECTORS,
            job,
            order,
            kind,
            first,
            order,
            kind,
            first_value,
            kind,
            0,
            order,
            kind,
            first_vector,
            order,
            kind,
            device,
            host,
        )
    })?;
    let each_value = values.layout.shape[values.layout.ndim() - 1] * values.dtype.size();
    for matrix in 0..count {
        let vector = vectors.map_or(0, |vectors| first_vector + matrix * matrix_bytes(vectors));
        // SAFETY: the handle is lent to this call; matrix, values, vectors and working memory are of the sizes told.
        let code = unsafe {
            (geev.cusolverDnXgeev)(
                handle,
                parameters,
                NO_VECTORS,
                job,
                order,
                kind,
                first + matrix * matrix_bytes(matrices),
                order,
                kind,
                first_value + matrix * each_value,
                kind,
                0,
                order,
                kind,
                vector,
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
