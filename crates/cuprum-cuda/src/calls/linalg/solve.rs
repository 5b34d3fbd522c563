//! Systems of equations by LU factors, and inverses, which are the solutions for the identity.

use cuprum_core::{Error, Result};
use cuprum_graph::Slot;

use super::lu::{Factored, factor, is_small};
use super::status::Status;
use super::{by_columns, count, int, kernels, lengths, matrix_bytes, solver, store_columns, triangular};
use crate::handles::{Blas, blas_check, data_type, family, solver_check};
use crate::session::Session;

const PLAIN: i32 = 0;
const TRANSPOSED: i32 = 1;
const ADJOINT: i32 = 2;

fn singular(op: &'static str) -> Error {
    Error::linalg(op, "Singular matrix")
}

pub(super) fn run(session: &Session, a: &Slot, b: &Slot, x: &Slot) -> Result<()> {
    let (n, _) = lengths(a);
    if n == 0 {
        return Ok(());
    }
    let made = factor(session, "solve", a)?;
    let right = by_columns(session, b)?;
    let right = substitute(session, "solve", &made, right, PLAIN)?;
    store_columns(session, &right, x)?;
    if made.status.read(session)?.any_failed() { Err(singular("solve")) } else { Ok(()) }
}

pub(super) fn invert(session: &Session, a: &Slot, out: &Slot) -> Result<()> {
    let (n, _) = lengths(a);
    if n == 0 {
        return Ok(());
    }
    if n <= kernels::SMALL_ORDER {
        let (dense, mut failed) = (session.dense(a)?, false);
        session.with_dense_out(out, |out| {
            failed = kernels::small_inverse(session, &dense, out)?;
            Ok(())
        })?;
        return if failed { Err(singular("inv")) } else { Ok(()) };
    }
    let made = factor(session, "inv", a)?;
    let right = session.new_slot(&out.layout.shape, out.dtype)?;
    kernels::identity(session, &right)?;
    let right = substitute(session, "inv", &made, right, PLAIN)?;
    store_columns(session, &right, out)?;
    if made.status.read(session)?.any_failed() { Err(singular("inv")) } else { Ok(()) }
}

/// With factors that the caller has.
pub(super) fn with_factors(
    session: &Session,
    lu: &Slot,
    pivots: &Slot,
    b: &Slot,
    x: &Slot,
    transposed: bool,
    conjugated: bool,
) -> Result<()> {
    let ((n, _), count) = (lengths(lu), count(lu));
    if n == 0 || lengths(b).1 == 0 {
        return Ok(());
    }
    let pivot = if is_small(count, n) { 4 } else { 8 };
    let given = session.dense(pivots)?;
    let counted = session.scratch(pivot * n * count)?;
    // SAFETY: the dense slot holds the pivots of `count` matrices, and there is room for them.
    unsafe {
        kernels::pivots(session, (session.address(&given), 4), (counted.address(), pivot), n * count, 1)?;
    }
    let status = Status::new(session, count)?;
    let made = Factored { factors: by_columns(session, lu)?, pivots: counted, pivot, status };
    let right = by_columns(session, b)?;
    // conj(A) x = b is A conj(x) = conj(b).
    let (operation, around) = match (transposed, conjugated) {
        (false, conjugated) => (PLAIN, conjugated),
        (true, false) => (TRANSPOSED, false),
        (true, true) => (ADJOINT, false),
    };
    if around {
        kernels::conjugate(session, &right)?;
    }
    let right = substitute(session, "lu_solve", &made, right, operation)?;
    if around {
        kernels::conjugate(session, &right)?;
    }
    store_columns(session, &right, x)
}

/// The solutions for right-hand sides that lie by columns, in their place or another.
fn substitute(
    session: &Session,
    op: &'static str,
    made: &Factored,
    right: Slot,
    operation: i32,
) -> Result<Slot> {
    let ((n, _), (columns, _)) = (lengths(&made.factors), lengths(&right));
    if columns == 0 {
        return Ok(right);
    }
    let count = count(&right);
    let kind = data_type(right.dtype);
    if made.all_at_once() {
        let (matrices, rights) =
            (super::addresses(session, &made.factors)?, super::addresses(session, &right)?);
        let blas = Blas::lend(session, op)?;
        let mut info = 0;
        // SAFETY: the handle is lent to this call; the tables hold the addresses of matrices of order n and of as many
        // rows in right-hand sides; the info is about the arguments and is written before the call returns.
        let code = unsafe {
            (blas.typed.getrs_batched[family(op, right.dtype)?])(
                blas.handle,
                operation,
                int(op, n)?,
                int(op, columns)?,
                matrices.address(),
                int(op, n)?,
                made.pivots.address(),
                rights.address(),
                int(op, n)?,
                &mut info,
                int(op, count)?,
            )
        };
        blas_check(op, code)?;
        return Ok(right);
    }
    if operation == PLAIN && n <= kernels::PERMUTED_MAX_ORDER {
        // cuSOLVER takes longer for the exchanges alone than this for exchanges and substitutions.
        let right = kernels::exchanged(session, &right, &made.pivots)?;
        for matrix in 0..count {
            let factors = session.address(&made.factors) + matrix * matrix_bytes(&made.factors);
            let sides = session.address(&right) + matrix * matrix_bytes(&right);
            // SAFETY: both are matrices of the stacks, whose factors have n rows and columns and whose sides have n rows.
            unsafe { triangular::by_factors(session, op, right.dtype, (n, columns), factors, sides) }?;
        }
        return Ok(right);
    }
    let solver = solver(session, op)?;
    // The info of a substitution is about its arguments, not about the matrix.
    let info = session.scratch(4)?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; factors, pivots and right-hand sides are of the sizes told.
        let code = unsafe {
            (solver.tables.any.cusolverDnXgetrs)(
                solver.handle,
                solver.parameters,
                operation,
                n as i64,
                columns as i64,
                kind,
                session.address(&made.factors) + matrix * matrix_bytes(&made.factors),
                n as i64,
                made.pivots.address() + 8 * n * matrix,
                kind,
                session.address(&right) + matrix * matrix_bytes(&right),
                n as i64,
                info.address(),
            )
        };
        solver_check(op, code)?;
    }
    Ok(right)
}
