//! Triangular systems by cuBLAS. A matrix stored by rows is its transpose by columns, so `A X = B` is solved as
//! `X^T A^T = B^T`, and nothing is turned.

use std::ffi::c_void;

use cuprum_core::{Error, Result};
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
    let mut bytes = vec![0; 4 * count(&a)];
    session.download_small(found.address(), &mut bytes)?;
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
    session.set_bytes(found.address(), 0x7f, 4 * count(a))?;
    kernels::zero_on_diagonal(session, a, found.address())?;
    Ok(found)
}

fn substitute(session: &Session, a: &Slot, right: &Slot, kind: Triangle) -> Result<()> {
    let ((n, columns), count) = (lengths(right), count(right));
    let one: [f64; 2] = if right.dtype.size() == 4 || right.dtype == cuprum_core::DType::C64 {
        [f64::from_bits(u64::from(1f32.to_bits())), 0.0]
    } else {
        [1.0, 0.0]
    };
    let one = (&raw const one).cast::<c_void>();
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
