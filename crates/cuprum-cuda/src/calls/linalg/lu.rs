//! LU factorisation with partial pivoting, and determinants by it.

use cuprum_core::{DType, Result};
use cuprum_graph::{Buffer, Slot};

use super::status::Status;
use super::{
    BATCHED_MIN_COUNT, SolverMemory, by_columns, count, int, kernels, lengths, matrix_bytes, solver,
    store_columns,
};
use crate::handles::{Blas, blas_check, data_type, family, solver_check};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// A stack of factors.
pub(super) struct Factored {
    /// By columns.
    pub(super) factors: Slot,
    /// Counting from one, `min(m, n)` of each matrix.
    pub(super) pivots: Buffer,
    /// The bytes of one pivot: 4 where the stack was factored all at once, else 8.
    pub(super) pivot: usize,
    pub(super) status: Status,
}

impl Factored {
    /// Whether the functions for many matrices go with the pivots.
    pub(super) fn all_at_once(&self) -> bool {
        self.pivot == 4
    }
}

/// Whether a stack of square matrices is factored in one batch. A multiprocessor works on one matrix at a time, so larger
/// matrices pay only if there are more of them.
pub(super) fn is_small(count: usize, n: usize) -> bool {
    count >= BATCHED_MIN_COUNT && n <= 512 && 16 * count >= n
}

/// Factors a stack that is not empty. NaNs spread over the factors of their matrices, as they do in LAPACK, where cuSOLVER
/// takes them for zeros.
pub(super) fn factor(session: &Session, op: &'static str, a: &Slot) -> Result<Factored> {
    let factors = by_columns(session, a)?;
    let (m, n) = lengths(a);
    let largest = kernels::largest(session, &factors, (m, n), false)?;
    let made = factor_finite(session, op, a, factors)?;
    let pivots = (Some(&made.pivots), made.pivot, m.min(n));
    kernels::fill_nan_factors(session, &made.factors, pivots, Some(&made.status), &largest)?;
    Ok(made)
}

fn factor_finite(session: &Session, op: &'static str, a: &Slot, factors: Slot) -> Result<Factored> {
    let ((m, n), count) = (lengths(a), count(a));
    let status = Status::new(session, count)?;
    if m == n && is_small(count, n) {
        let pivots = session.scratch(4 * n * count)?;
        let table = super::addresses(session, &factors)?;
        let blas = Blas::lend(session, op)?;
        // SAFETY: the handle is lent to this call; the table holds the address of every matrix of order n, pivots and
        // infos have room for all of them.
        let code = unsafe {
            (blas.typed.getrf_batched[family(op, a.dtype)?])(
                blas.handle,
                int(op, n)?,
                table.address(),
                int(op, n)?,
                pivots.address(),
                status.info(0),
                int(op, count)?,
            )
        };
        blas_check(op, code)?;
        return Ok(Factored { factors, pivots, pivot: 4, status });
    }
    let k = m.min(n);
    let pivots = session.scratch(8 * k * count)?;
    let solver = solver(session, op)?;
    let (any, kind) = (&solver.tables.any, data_type(a.dtype));
    let (handle, parameters) = (solver.handle, solver.parameters);
    let (rows, columns) = (m as i64, n as i64);
    let first = session.address(&factors);
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, op, |device, host| unsafe {
        (any.cusolverDnXgetrf_bufferSize)(
            handle, parameters, rows, columns, kind, first, rows, kind, device, host,
        )
    })?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; matrix, pivots and working memory are of the sizes told.
        let code = unsafe {
            (any.cusolverDnXgetrf)(
                handle,
                parameters,
                rows,
                columns,
                kind,
                first + matrix * matrix_bytes(&factors),
                rows,
                pivots.address() + 8 * k * matrix,
                kind,
                work.device(),
                work.device_bytes,
                work.host(),
                work.host.len(),
                status.info(matrix),
            )
        };
        solver_check(op, code)?;
    }
    Ok(Factored { factors, pivots, pivot: 8, status })
}

pub(super) fn run(session: &Session, a: &Slot, out: &Slot, pivots: &Slot) -> Result<()> {
    let (m, n) = lengths(a);
    if m.min(n) == 0 {
        return Ok(());
    }
    let made = factor(session, "lu", a)?;
    store_columns(session, &made.factors, out)?;
    session.with_dense_out(pivots, |pivots| {
        let (source, target) = ((made.pivots.address(), made.pivot), (session.address(pivots), 4));
        // SAFETY: a factorisation made as many pivots as the dense output holds.
        unsafe { kernels::pivots(session, source, target, pivots.layout.size(), -1) }
    })
}

/// Sets a slot to one number.
fn set(session: &Session, out: &Slot, value: i64) -> Result<()> {
    let one = session.new_slot(&[], DType::I64)?;
    session.upload_small(&one.buffer, one.layout.offset, &value.to_ne_bytes())?;
    let all = one.layout.broadcast_to("det", &out.layout.shape)?;
    session.copy(&Slot { layout: all, ..one }, out)
}

pub(super) fn determinant(session: &Session, a: &Slot, out: &Slot) -> Result<()> {
    let ((n, _), count) = (lengths(a), count(a));
    if n == 0 {
        return set(session, out, 1);
    }
    let made = factor(session, "det", a)?;
    session.with_dense_out(out, |out| {
        let mut args = LaunchArgs::new();
        args.pointer(session.address(&made.factors))
            .pointer(made.pivots.address())
            .pointer(made.status.info(0))
            .pointer(session.address(out))
            .u64(n as u64)
            .u64(count as u64);
        // SAFETY: the kernel's own arguments; the factors are of `count` matrices, and so are pivots, infos and the output.
        unsafe { kernels::determinant(session, "linalg_determinant", a.dtype, made.pivot, count, &args) }
    })
}

pub(super) fn log_determinant(session: &Session, a: &Slot, sign: &Slot, log: &Slot) -> Result<()> {
    let ((n, _), count) = (lengths(a), count(a));
    if n == 0 {
        set(session, sign, 1)?;
        return set(session, log, 0);
    }
    let made = factor(session, "slogdet", a)?;
    session.with_dense_out(sign, |sign| {
        session.with_dense_out(log, |log| {
            let mut args = LaunchArgs::new();
            args.pointer(session.address(&made.factors))
                .pointer(made.pivots.address())
                .pointer(made.status.info(0))
                .pointer(session.address(sign))
                .pointer(session.address(log))
                .u64(n as u64)
                .u64(count as u64);
            // SAFETY: as in `determinant`, with two outputs.
            unsafe {
                kernels::determinant(session, "linalg_log_determinant", a.dtype, made.pivot, count, &args)
            }
        })
    })
}
