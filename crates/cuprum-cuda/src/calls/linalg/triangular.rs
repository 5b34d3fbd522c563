//! Triangular systems by cuBLAS. A matrix stored by rows is its transpose by columns, so `A X = B` is solved as
//! `X^T A^T = B^T`, and nothing is transposed.

use std::ffi::c_void;

use cuprum_core::memory::filled;
use cuprum_core::{DType, Error, Result};
use cuprum_graph::Slot;

use super::{addresses, count, kernels, lengths, matrix_bytes, store};
use crate::handles::{Blas, blas_check, family};
use crate::session::Session;

const OP: &str = "solve_triangular";
const FROM_THE_RIGHT: i32 = 1;

/// What a triangular matrix is to be taken as.
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub(super) lower: bool,
    pub(super) unit: bool,
    pub(super) transposed: bool,
    pub(super) conjugated: bool,
}

pub(super) fn run(session: &Session, a: &Slot, b: &Slot, x: &Slot, kind: Triangle) -> Result<()> {
    let (n, _) = lengths(a);
    if n == 0 {
        return Ok(());
    }
    let a = session.dense(a)?;
    let found = if kind.unit { None } else { Some(zero_on_diagonal(session, &a)?) };
    let right = super::copied(session, b)?;
    if right.layout.size() > 0 {
        // conj(A) x = b is A conj(x) = conj(b).
        let around = kind.conjugated && !kind.transposed;
        if around {
            kernels::conjugate(session, &right)?;
        }
        substitute(session, &a, &right, kind)?;
        if around {
            kernels::conjugate(session, &right)?;
        }
        store(session, &right, x)?;
    }
    let Some(found) = found else { return Ok(()) };
    let mut bytes = filled(4 * count(&a), 0);
    session.download_small(&found, &mut bytes)?;
    let (words, _) = bytes.as_chunks::<4>();
    match words.iter().map(|&word| i32::from_ne_bytes(word)).find(|&place| (place as usize) < n) {
        Some(place) => {
            let message = format!("singular matrix: resolution failed at diagonal {place}");
            Err(Error::linalg(OP, message))
        }
        None => Ok(()),
    }
}

/// For each matrix the place of the first zero on its diagonal, or a large number.
fn zero_on_diagonal(session: &Session, a: &Slot) -> Result<cuprum_graph::Buffer> {
    let found = session.scratch(4 * count(a))?;
    session.set_bytes(&found, 0, 0x7f, 4 * count(a))?;
    kernels::zero_on_diagonal(session, a, &found)?;
    Ok(found)
}

/// The number one of an element type, and zeros after it.
fn one(dtype: DType) -> [f64; 2] {
    let is_single = dtype.size() == 4 || dtype == DType::C64;
    [if is_single { f64::from_bits(u64::from(1f32.to_bits())) } else { 1.0 }, 0.0]
}

/// Solves in place by the factors of one matrix: by the lower one, whose diagonal is one, and by the upper one. All of them
/// lie by columns, at the addresses given.
///
/// # Safety
/// A matrix of `n` rows and columns is at `factors`, one of `n` rows and `columns` columns at `right`, both of the dtype and on
/// the session's GPU.
pub(super) unsafe fn by_factors(
    session: &Session,
    op: &'static str,
    dtype: DType,
    (n, columns): (usize, usize),
    factors: usize,
    right: usize,
) -> Result<()> {
    const FROM_THE_LEFT: i32 = 0;
    let one = one(dtype);
    let blas = Blas::lend(session, op)?;
    let which = family(op, dtype)?;
    for is_upper in [false, true] {
        // SAFETY: the handle is lent to this call; the caller vouches for the matrices.
        let code = unsafe {
            (blas.typed.trsm[which])(
                blas.handle,
                FROM_THE_LEFT,
                i32::from(is_upper),
                0,
                i32::from(!is_upper),
                n as i64,
                columns as i64,
                one.as_ptr().cast::<c_void>(),
                factors,
                n as i64,
                right,
                n as i64,
            )
        };
        blas_check(op, code)?;
    }
    Ok(())
}

fn substitute(session: &Session, a: &Slot, right: &Slot, kind: Triangle) -> Result<()> {
    let ((n, columns), count) = (lengths(right), count(right));
    let one = one(right.dtype);
    let one = one.as_ptr().cast::<c_void>();
    // The lower triangle by rows is the upper one by columns.
    let upper = i32::from(kind.lower);
    let operation = match (kind.transposed, kind.conjugated) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    let (rows, order, unit) = (columns as i64, n as i64, i32::from(kind.unit));
    let blas = Blas::lend(session, OP)?;
    let which = family(OP, right.dtype)?;
    if count > 1 {
        let (matrices, rights) = (addresses(session, a)?, addresses(session, right)?);
        // SAFETY: the handle is lent to this call; the tables hold the addresses of triangles of order n and of
        // right-hand sides of as many columns.
        let code = unsafe {
            (blas.typed.trsm_batched[which])(
                blas.handle,
                FROM_THE_RIGHT,
                upper,
                operation,
                unit,
                rows,
                order,
                one,
                matrices.address(),
                order,
                rights.address(),
                rows,
                count as i64,
            )
        };
        return blas_check(OP, code);
    }
    debug_assert_eq!(matrix_bytes(right), n * columns * right.dtype.size());
    // SAFETY: as above, for one.
    let code = unsafe {
        (blas.typed.trsm[which])(
            blas.handle,
            FROM_THE_RIGHT,
            upper,
            operation,
            unit,
            rows,
            order,
            one,
            session.address(a),
            order,
            session.address(right),
            rows,
        )
    };
    blas_check(OP, code)
}
