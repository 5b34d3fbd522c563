//! Singular values and vectors. cuSOLVER wants at least as many rows as columns: a wide matrix is decomposed as its
//! transpose, `A^T = U S V^H` being `A = conj(V) S U^T`.

use cuprum_core::{Error, Result};
use cuprum_graph::Slot;

use super::scale::Scales;
use super::status::Status;
use super::{
    MANY, Work, copied, count, elements, int, kernels, lengths, matrix_bytes, solver, stacked, store, turned,
};
use crate::handles::{Solver, data_type, family, solver_check};
use crate::session::Session;

const OP: &str = "svd";
/// The order up to which Jacobi's method for many matrices works.
const TINY: usize = 32;
/// The order up to which Jacobi's method is faster than bidiagonalisation.
const SMALL: usize = 1500;

/// The ways to a decomposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Driver {
    /// Bidiagonalisation and QR iterations.
    Iterations,
    /// Jacobi's method.
    Jacobi,
    /// The polar decomposition, then that of a Hermitian matrix. Small singular values are less certain.
    Polar,
    /// Jacobi's method for many tiny matrices.
    ManyJacobi,
}

/// The fastest way for `count` matrices of `m` rows and `n` columns, `m >= n`. `CUPRUM_SVD_DRIVER` (`gesvd`, `gesvdj`,
/// `gesvdp`) overrules it for single matrices.
fn driver(m: usize, n: usize, count: usize) -> Driver {
    if m <= TINY && n <= TINY && count >= MANY {
        return Driver::ManyJacobi;
    }
    match std::env::var("CUPRUM_SVD_DRIVER").as_deref() {
        Ok("gesvd") => Driver::Iterations,
        Ok("gesvdj") => Driver::Jacobi,
        Ok("gesvdp") => Driver::Polar,
        _ if n <= SMALL => Driver::Jacobi,
        _ => Driver::Iterations,
    }
}

/// The tall matrices that are decomposed, by columns, and where their results go.
struct Tall<'a> {
    matrices: &'a Slot,
    m: usize,
    n: usize,
    values: &'a Slot,
    /// Whether vectors are wanted, or only memory for them.
    wanted: bool,
    /// U by columns, and V or its adjoint by columns.
    vectors: Option<(Slot, Slot)>,
    /// How many columns of U are wanted.
    columns: usize,
    status: &'a Status,
}

pub(super) fn run(session: &Session, a: &Slot, s: &Slot, vectors: Option<(&Slot, &Slot)>) -> Result<()> {
    let ((rows, columns), count) = (lengths(a), count(a));
    if rows.min(columns) == 0 {
        if let Some((u, vh)) = vectors {
            for basis in [u, vh].into_iter().filter(|basis| basis.layout.size() > 0) {
                session.into_dense(basis, |basis| kernels::identity(session, basis))?;
            }
        }
        return Ok(());
    }
    let wide = rows < columns;
    let (m, n) = (rows.max(columns), rows.min(columns));
    let matrices = copied(session, &if wide { a.clone() } else { turned(a) })?;
    let status = Status::new(session, count)?;
    let scales = Scales::normalize(session, &matrices, (m, n), false, &status)?;
    let values = session.new_slot(&stacked(a, 2, &[n]), s.dtype)?;
    let chosen = driver(m, n, count);
    // Of the long side's vectors all or the first n are wanted; Jacobi for many gives all.
    let long = vectors.map(|(u, vh)| if wide { lengths(vh).0 } else { lengths(u).1 });
    let made = if chosen == Driver::ManyJacobi { m } else { long.unwrap_or(n) };
    let wanted = vectors.is_some();
    // Jacobi's method works in the vectors' memory even where they are not wanted.
    let pair = if wanted || chosen != Driver::Iterations {
        let left = session.new_slot(&stacked(a, 2, &[made, m]), a.dtype)?;
        Some((left, session.new_slot(&stacked(a, 2, &[n, n]), a.dtype)?))
    } else {
        None
    };
    let tall = Tall {
        matrices: &matrices,
        m,
        n,
        values: &values,
        wanted,
        vectors: pair,
        columns: made,
        status: &status,
    };
    let adjoint = tall.decompose(session, chosen)?;
    scales.undo(session, &matrices, session.address(&values), n)?;
    store(session, &values, s)?;
    if let (Some((u, vh)), Some((left, right))) = (vectors, &tall.vectors) {
        let axis = left.layout.ndim() - 2;
        let kept = long.unwrap_or(n);
        let left = Slot { layout: left.layout.slice_axis(axis, 0, 1, kept), ..left.clone() };
        if !adjoint {
            kernels::conjugate(session, right)?;
        }
        // By columns, `right` now is V^H or conj(V), which is the transpose of V^H.
        let (long_out, short_out) = if wide { (vh, u) } else { (u, vh) };
        store(session, &if wide { left } else { turned(&left) }, long_out)?;
        store(session, &if wide == adjoint { right.clone() } else { turned(right) }, short_out)?;
    }
    let report = status.read(session)?;
    if report.any_failed() || report.any_fault() {
        return Err(Error::linalg(OP, "SVD did not converge"));
    }
    Ok(())
}

impl Tall<'_> {
    /// Gives whether the second vectors are those of the adjoint.
    fn decompose(&self, session: &Session, driver: Driver) -> Result<bool> {
        let solver = solver(session, OP)?;
        match driver {
            Driver::Iterations => self.iterate(session, &solver).map(|()| true),
            Driver::Jacobi => self.rotate(session, &solver).map(|()| false),
            Driver::Polar => self.polar(session, &solver).map(|()| false),
            Driver::ManyJacobi => self.rotate_many(session, &solver).map(|()| false),
        }
    }

    fn count(&self) -> usize {
        count(self.matrices)
    }

    /// The addresses of a matrix, its values and its vectors.
    fn at(&self, session: &Session, matrix: usize) -> [usize; 4] {
        let start = |slot: &Slot, bytes: usize| session.address(slot) + matrix * bytes;
        let values = start(self.values, self.n * self.values.dtype.size());
        let [u, v] = match &self.vectors {
            Some((u, v)) => [start(u, matrix_bytes(u)), start(v, matrix_bytes(v))],
            None => [0; 2],
        };
        [start(self.matrices, matrix_bytes(self.matrices)), values, u, v]
    }

    fn iterate(&self, session: &Session, solver: &Solver) -> Result<()> {
        let job = match (self.wanted, self.columns == self.m) {
            (false, _) => b'N',
            (_, true) => b'A',
            _ => b'S',
        } as i8;
        let (any, handle, parameters) = (&solver.tables.any, solver.handle, solver.parameters);
        let (kind, real) = (data_type(self.matrices.dtype), data_type(self.values.dtype));
        let (m, n) = (self.m as i64, self.n as i64);
        let [a, s, u, v] = self.at(session, 0);
        // SAFETY: only lengths are read, and two sizes written.
        let mut work = Work::new(session, OP, |device, host| unsafe {
            (any.cusolverDnXgesvd_bufferSize)(
                handle, parameters, job, job, m, n, kind, a, m, real, s, kind, u, m, kind, v, n, kind,
                device, host,
            )
        })?;
        for matrix in 0..self.count() {
            let [a, s, u, v] = self.at(session, matrix);
            // SAFETY: the handle is lent to this call; matrix, results and working memory are of the sizes told.
            let code = unsafe {
                (any.cusolverDnXgesvd)(
                    handle,
                    parameters,
                    job,
                    job,
                    m,
                    n,
                    kind,
                    a,
                    m,
                    real,
                    s,
                    kind,
                    u,
                    m,
                    kind,
                    v,
                    n,
                    kind,
                    work.device(),
                    work.device_bytes,
                    work.host(),
                    work.host.len(),
                    self.status.info(matrix),
                )
            };
            solver_check(OP, code)?;
        }
        Ok(())
    }

    fn rotate(&self, session: &Session, solver: &Solver) -> Result<()> {
        let which = family(OP, self.matrices.dtype)?;
        let (typed, handle, rules) = (&solver.tables.typed, solver.handle, solver.jacobi_singular);
        let job = i32::from(self.wanted);
        let first_columns = i32::from(self.columns < self.m);
        let (m, n) = (int(OP, self.m)?, int(OP, self.n)?);
        let [a, s, u, v] = self.at(session, 0);
        let size = self.matrices.dtype.size();
        // SAFETY: only lengths are read, and a size written.
        let (work, length) = elements(session, OP, size, |length| unsafe {
            (typed.gesvdj_buffer[which])(handle, job, first_columns, m, n, a, m, s, u, m, v, n, length, rules)
        })?;
        for matrix in 0..self.count() {
            let [a, s, u, v] = self.at(session, matrix);
            let info = self.status.info(matrix);
            // SAFETY: the handle is lent to this call; matrix, results and working memory are of the sizes told.
            let code = unsafe {
                (typed.gesvdj[which])(
                    handle,
                    job,
                    first_columns,
                    m,
                    n,
                    a,
                    m,
                    s,
                    u,
                    m,
                    v,
                    n,
                    work.address(),
                    length,
                    info,
                    rules,
                )
            };
            solver_check(OP, code)?;
        }
        Ok(())
    }

    fn rotate_many(&self, session: &Session, solver: &Solver) -> Result<()> {
        let which = family(OP, self.matrices.dtype)?;
        let (typed, handle, rules) = (&solver.tables.typed, solver.handle, solver.jacobi_singular);
        let job = i32::from(self.wanted);
        let (m, n, many) = (int(OP, self.m)?, int(OP, self.n)?, int(OP, self.count())?);
        let [a, s, u, v] = self.at(session, 0);
        let size = self.matrices.dtype.size();
        // SAFETY: only lengths are read, and a size written.
        let (work, length) = elements(session, OP, size, |length| unsafe {
            (typed.gesvdj_batched_buffer[which])(handle, job, m, n, a, m, s, u, m, v, n, length, rules, many)
        })?;
        // SAFETY: the handle is lent to this call; matrices, results and working memory are of the sizes told.
        let code = unsafe {
            (typed.gesvdj_batched[which])(
                handle,
                job,
                m,
                n,
                a,
                m,
                s,
                u,
                m,
                v,
                n,
                work.address(),
                length,
                self.status.info(0),
                rules,
                many,
            )
        };
        solver_check(OP, code)
    }

    fn polar(&self, session: &Session, solver: &Solver) -> Result<()> {
        let (any, handle, parameters) = (&solver.tables.any, solver.handle, solver.parameters);
        let (kind, real) = (data_type(self.matrices.dtype), data_type(self.values.dtype));
        let job = i32::from(self.wanted);
        let first_columns = i32::from(self.columns < self.m);
        let (m, n) = (self.m as i64, self.n as i64);
        let [a, s, u, v] = self.at(session, 0);
        // SAFETY: only lengths are read, and two sizes written.
        let mut work = Work::new(session, OP, |device, host| unsafe {
            (any.cusolverDnXgesvdp_bufferSize)(
                handle,
                parameters,
                job,
                first_columns,
                m,
                n,
                kind,
                a,
                m,
                real,
                s,
                kind,
                u,
                m,
                kind,
                v,
                n,
                kind,
                device,
                host,
            )
        })?;
        for matrix in 0..self.count() {
            let [a, s, u, v] = self.at(session, matrix);
            let mut perturbation = 0.0;
            // SAFETY: the handle is lent to this call; matrix, results and working memory are of the sizes told.
            let code = unsafe {
                (any.cusolverDnXgesvdp)(
                    handle,
                    parameters,
                    job,
                    first_columns,
                    m,
                    n,
                    kind,
                    a,
                    m,
                    real,
                    s,
                    kind,
                    u,
                    m,
                    kind,
                    v,
                    n,
                    kind,
                    work.device(),
                    work.device_bytes,
                    work.host(),
                    work.host.len(),
                    self.status.info(matrix),
                    &mut perturbation,
                )
            };
            solver_check(OP, code)?;
        }
        Ok(())
    }
}
