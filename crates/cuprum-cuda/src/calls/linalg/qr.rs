//! QR factorisation by Householder reflections, with LAPACK's signs: many small matrices by a kernel of our own, others
//! by cuSOLVER. Matrices are brought near one first, since lengths are sums of squares.

use cuprum_core::Result;
use cuprum_graph::{QrResult, Slot};

use super::scale::Scales;
use super::status::Status;
use super::{
    BATCHED_MIN_COUNT, SolverMemory, by_columns, count, elements, int, kernels, lengths, matrix_bytes,
    solver, stacked, store, store_columns, transposed,
};
use crate::handles::{data_type, family, solver_check};
use crate::session::Session;

const OP: &str = "qr";
/// The lengths up to which a block factors a matrix of a stack.
const BLOCK_MAX_LENGTH: usize = 96;

pub(super) fn run(session: &Session, a: &Slot, result: &QrResult<'_>) -> Result<()> {
    let (m, n) = lengths(a);
    if m.min(n) == 0 {
        // Without a column or a row there are no reflections: Q is the identity.
        return match *result {
            QrResult::QAndR(q, _) if q.layout.size() > 0 => {
                session.with_dense_out(q, |q| kernels::identity(session, q))
            }
            _ => Ok(()),
        };
    }
    let packed = by_columns(session, a)?;
    let scales = Scales::bring_near_one(session, &packed, (m, n))?;
    let factors = session.new_slot(&stacked(a, 2, &[m.min(n)]), a.dtype)?;
    let wanted = match *result {
        QrResult::QAndR(q, _) => Some(q),
        _ => None,
    };
    if count(a) >= BATCHED_MIN_COUNT && m.max(n) <= BLOCK_MAX_LENGTH {
        reflect_many(session, &packed, &factors, (m, n), wanted)?;
    } else {
        reflect(session, &packed, &factors, (m, n))?;
        if let Some(q) = wanted {
            basis(session, &packed, &factors, q)?;
        }
    }
    scales.undo_triangle(session, &packed, (m, n))?;
    match *result {
        QrResult::R(r) | QrResult::QAndR(_, r) => triangle(session, &packed, r),
        QrResult::Packed(h, tau) => {
            store_columns(session, &packed, h)?;
            store(session, &factors, tau)
        }
    }
}

/// All matrices in one launch.
fn reflect_many(
    session: &Session,
    packed: &Slot,
    factors: &Slot,
    lengths: (usize, usize),
    q: Option<&Slot>,
) -> Result<()> {
    let Some(q) = q else { return kernels::reflect(session, packed, factors, lengths, None) };
    let (m, k) = super::lengths(q);
    let made = session.new_slot(&stacked(q, 2, &[k, m]), q.dtype)?;
    kernels::reflect(session, packed, factors, lengths, Some((&made, k)))?;
    store_columns(session, &made, q)
}

/// Packs matrices that lie by columns as LAPACK does; the factors of the reflections go into `factors`.
fn reflect(session: &Session, packed: &Slot, factors: &Slot, (m, n): (usize, usize)) -> Result<()> {
    let (count, k) = (count(packed), m.min(n));
    let status = Status::new(session, count)?;
    let solver = solver(session, OP)?;
    let (any, kind) = (&solver.tables.any, data_type(packed.dtype));
    let (handle, parameters) = (solver.handle, solver.parameters);
    let (rows, columns) = (m as i64, n as i64);
    let (first, first_factor) = (session.address(packed), session.address(factors));
    // SAFETY: only lengths are read, and two sizes written.
    let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
        (any.cusolverDnXgeqrf_bufferSize)(
            handle,
            parameters,
            rows,
            columns,
            kind,
            first,
            rows,
            kind,
            first_factor,
            kind,
            device,
            host,
        )
    })?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; matrix, factors and working memory are of the sizes told.
        let code = unsafe {
            (any.cusolverDnXgeqrf)(
                handle,
                parameters,
                rows,
                columns,
                kind,
                first + matrix * matrix_bytes(packed),
                rows,
                kind,
                first_factor + matrix * k * packed.dtype.size(),
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

/// R: the first rows of the packed matrices, without what is below the diagonal.
fn triangle(session: &Session, packed: &Slot, r: &Slot) -> Result<()> {
    if r.layout.size() == 0 {
        return Ok(());
    }
    let (rows, _) = lengths(r);
    let all = transposed(packed);
    let top = Slot { layout: all.layout.slice_axis(all.layout.ndim() - 2, 0, 1, rows), ..all };
    session.with_dense_out(r, |r| {
        session.copy(&top, r)?;
        kernels::keep_triangle(session, r, false)
    })
}

/// Q, of as many columns as the slot has.
fn basis(session: &Session, packed: &Slot, factors: &Slot, q: &Slot) -> Result<()> {
    let ((m, k), count) = (lengths(q), count(q));
    let size = q.dtype.size();
    let reflections = factors.layout.shape[factors.layout.ndim() - 1];
    let axis = packed.layout.ndim() - 2;
    let made = session.new_slot(&stacked(q, 2, &[k, m]), q.dtype)?;
    let first =
        |slot: &Slot| Slot { layout: slot.layout.slice_axis(axis, 0, 1, reflections), ..slot.clone() };
    session.copy(&first(packed), &first(&made))?;
    let solver = solver(session, OP)?;
    let typed = &solver.tables.typed;
    let which = family(OP, q.dtype)?;
    let (rows, columns, reflectors) = (int(OP, m)?, int(OP, k)?, int(OP, reflections)?);
    let (start, start_factor) = (session.address(&made), session.address(factors));
    let status = Status::new(session, count)?;
    // SAFETY: only lengths are read, and a size written.
    let (work, work_length) = elements(session, OP, size, |length| unsafe {
        (typed.orgqr_buffer[which])(
            solver.handle,
            rows,
            columns,
            reflectors,
            start,
            rows,
            start_factor,
            length,
        )
    })?;
    for matrix in 0..count {
        // SAFETY: the handle is lent to this call; matrix, factors and working memory are of the sizes told.
        let code = unsafe {
            (typed.orgqr[which])(
                solver.handle,
                rows,
                columns,
                reflectors,
                start + matrix * matrix_bytes(&made),
                rows,
                start_factor + matrix * reflections * size,
                work.address(),
                work_length,
                status.info(matrix),
            )
        };
        solver_check(OP, code)?;
    }
    store_columns(session, &made, q)
}
