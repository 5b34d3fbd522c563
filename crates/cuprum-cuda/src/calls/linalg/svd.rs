//! Singular values and vectors. cuSOLVER wants at least as many rows as columns: of a wide matrix the transpose is
//! decomposed, `A^T = U S V^H` being `A = (V^H)^T S U^T`.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Error, Result, svd_starts_with_qr};
use cuprum_graph::{QrResult, Slot};

use super::scale::Scales;
use super::status::Status;
use super::{
    BATCHED_MIN_COUNT, SolverMemory, by_columns, copied, count, elements, int, kernels, lengths,
    matrix_bytes, qr, solver, stacked, store, store_columns, transposed,
};
use crate::calls::matmul;
use crate::handles::{Solver, data_type, family, solver_check};
use crate::session::Session;

const OP: &str = "svd";
/// The order up to which Jacobi's method for many matrices works.
const BATCHED_JACOBI_MAX_ORDER: usize = 32;
/// The order up to which Jacobi's method is faster than bidiagonalisation.
const JACOBI_MAX_ORDER: usize = 1500;

/// The ways to a decomposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Driver {
    /// Bidiagonalisation and QR iterations.
    Gesvd,
    /// Jacobi's method.
    Jacobi,
    /// The polar decomposition, then that of a Hermitian matrix. What is nearly singular is perturbed first, by how much
    /// is told.
    Polar,
    /// Jacobi's method for many tiny matrices.
    ManyJacobi,
}

/// The fastest way for `count` matrices of `m` rows and `n` columns, `m >= n`. `CUPRUM_SVD_DRIVER` (`gesvd`, `gesvdj`,
/// `gesvdp`) overrules it for single matrices.
fn driver(m: usize, n: usize, count: usize) -> Driver {
    if m <= BATCHED_JACOBI_MAX_ORDER && n <= BATCHED_JACOBI_MAX_ORDER && count >= BATCHED_MIN_COUNT {
        return Driver::ManyJacobi;
    }
    match std::env::var("CUPRUM_SVD_DRIVER").as_deref() {
        Ok("gesvd") => Driver::Gesvd,
        Ok("gesvdj") => Driver::Jacobi,
        Ok("gesvdp") => Driver::Polar,
        _ if n <= JACOBI_MAX_ORDER => Driver::Jacobi,
        _ => Driver::Gesvd,
    }
}

pub(super) fn run(session: &Session, a: &Slot, s: &Slot, vectors: Option<(&Slot, &Slot)>) -> Result<()> {
    let ((m, n), count) = (lengths(a), count(a));
    if m.min(n) == 0 {
        if let Some((u, vh)) = vectors {
            for basis in [u, vh].into_iter().filter(|basis| basis.layout.size() > 0) {
                session.with_dense_out(basis, |basis| kernels::identity(session, basis))?;
            }
        }
        return Ok(());
    }
    if m < n {
        let transposed_vectors = vectors.map(|(u, vh)| (transposed(vh), transposed(u)));
        return run(session, &transposed(a), s, transposed_vectors.as_ref().map(|(u, vh)| (u, vh)));
    }
    let matrices = by_columns(session, a)?;
    let status = Status::new(session, count)?;
    let scales = Scales::normalize(session, &matrices, (m, n), false, &status)?;
    let values = session.new_slot(&stacked(a, 2, &[n]), s.dtype)?;
    let chosen = driver(m, n, count);
    let first_columns = vectors.is_none_or(|(u, _)| lengths(u).1 == n);
    let triangle = svd_starts_with_qr(m, n) && first_columns && chosen != Driver::ManyJacobi;
    let decompose = |driver: Driver| match triangle {
        true => by_triangle(session, driver, &matrices, &values, vectors, &status),
        false => directly(session, driver, &matrices, &values, vectors, &status),
    };
    let perturbation = decompose(chosen)?;
    let mut report = status.read(session)?;
    let limit =
        if matches!(a.dtype, DType::F32 | DType::C64) { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let failed = report.any_failed() || perturbation.iter().any(|&x| x > limit);
    if failed && chosen != Driver::Gesvd && !report.any_fault() {
        decompose(Driver::Gesvd)?;
        report = status.read(session)?;
    }
    if report.any_failed() || report.any_fault() {
        return Err(Error::linalg(OP, "SVD did not converge"));
    }
    scales.undo(session, &matrices, &values, n)?;
    store(session, &values, s)
}

/// Of matrices much taller than wide, the triangular factors are decomposed: `A = Q R`, `R = U S V^H`.
fn by_triangle(
    session: &Session,
    driver: Driver,
    matrices: &Slot,
    values: &Slot,
    vectors: Option<(&Slot, &Slot)>,
    status: &Status,
) -> Result<Vec<f64>> {
    let (n, _) = lengths(matrices);
    let r = session.new_slot(&stacked(matrices, 2, &[n, n]), matrices.dtype)?;
    let Some((u, vh)) = vectors else {
        qr::run(session, &transposed(matrices), &QrResult::R(&r))?;
        return directly(session, driver, &by_columns(session, &r)?, values, None, status);
    };
    let (q, inner) =
        (session.new_slot(&u.layout.shape, u.dtype)?, session.new_slot(&r.layout.shape, r.dtype)?);
    qr::run(session, &transposed(matrices), &QrResult::QAndR(&q, &r))?;
    let columns = by_columns(session, &r)?;
    let perturbation = directly(session, driver, &columns, values, Some((&inner, vh)), status)?;
    matmul::run(session, &q, &inner, u)?;
    Ok(perturbation)
}

/// Decomposes matrices that lie by columns, which stay. Gives by how much each was perturbed, written once the work is
/// done.
fn directly(
    session: &Session,
    driver: Driver,
    matrices: &Slot,
    values: &Slot,
    vectors: Option<(&Slot, &Slot)>,
    status: &Status,
) -> Result<Vec<f64>> {
    let (n, m) = lengths(matrices);
    // Jacobi's method for many gives all columns of U, and all methods want room for vectors.
    let wanted = vectors.map_or(n, |(u, _)| lengths(u).1);
    let columns = if driver == Driver::ManyJacobi { m } else { wanted };
    let room = |shape: [usize; 2]| session.new_slot(&stacked(matrices, 2, &shape), matrices.dtype);
    let mut tall = Tall {
        matrices: &copied(session, matrices)?,
        m,
        n,
        values,
        u: room([columns, m])?,
        v: room([n, n])?,
        vectors: vectors.is_some(),
        columns,
        status,
        perturbation: filled(count(matrices), 0.0),
    };
    let adjoint = tall.decompose(session, driver)?;
    if let Some((u, vh)) = vectors {
        let axis = tall.u.layout.ndim() - 2;
        let first = Slot { layout: tall.u.layout.slice_axis(axis, 0, 1, wanted), ..tall.u.clone() };
        store_columns(session, &first, u)?;
        // V by columns is the transpose of V by rows: conjugated, V^H.
        if adjoint {
            store_columns(session, &tall.v, vh)?;
        } else {
            kernels::conjugate(session, &tall.v)?;
            store(session, &tall.v, vh)?;
        }
    }
    Ok(tall.perturbation)
}

/// The tall matrices that are decomposed, by columns, and where their results go.
struct Tall<'a> {
    matrices: &'a Slot,
    m: usize,
    n: usize,
    values: &'a Slot,
    /// U by columns.
    u: Slot,
    /// V or its adjoint by columns.
    v: Slot,
    /// Whether vectors are wanted.
    vectors: bool,
    /// How many columns of U there are.
    columns: usize,
    status: &'a Status,
    perturbation: Vec<f64>,
}

impl Tall<'_> {
    /// Gives whether the second vectors are those of the adjoint.
    fn decompose(&mut self, session: &Session, driver: Driver) -> Result<bool> {
        let solver = solver(session, OP)?;
        match driver {
            Driver::Gesvd => self.iterate(session, &solver).map(|()| true),
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
        let (u, v) = (start(&self.u, matrix_bytes(&self.u)), start(&self.v, matrix_bytes(&self.v)));
        [start(self.matrices, matrix_bytes(self.matrices)), values, u, v]
    }

    fn iterate(&self, session: &Session, solver: &Solver) -> Result<()> {
        let job = match (self.vectors, self.columns == self.m) {
            (false, _) => b'N',
            (_, true) => b'A',
            _ => b'S',
        } as i8;
        let (any, handle, parameters) = (&solver.tables.any, solver.handle, solver.parameters);
        let (kind, real) = (data_type(self.matrices.dtype), data_type(self.values.dtype));
        let (m, n) = (self.m as i64, self.n as i64);
        let [a, s, u, v] = self.at(session, 0);
        // SAFETY: only lengths are read, and two sizes written.
        let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
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
        let job = i32::from(self.vectors);
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
        let job = i32::from(self.vectors);
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

    fn polar(&mut self, session: &Session, solver: &Solver) -> Result<()> {
        let (any, handle, parameters) = (&solver.tables.any, solver.handle, solver.parameters);
        let (kind, real) = (data_type(self.matrices.dtype), data_type(self.values.dtype));
        let job = i32::from(self.vectors);
        let first_columns = i32::from(self.columns < self.m);
        let (m, n) = (self.m as i64, self.n as i64);
        let [a, s, u, v] = self.at(session, 0);
        // SAFETY: only lengths are read, and two sizes written.
        let mut work = SolverMemory::new(session, OP, |device, host| unsafe {
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
            let perturbation = &raw mut self.perturbation[matrix];
            // SAFETY: the handle is lent to this call; matrix, results and working memory are of the sizes told, and the
            // number on the host lives until the status is read, after all work.
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
                    perturbation,
                )
            };
            solver_check(OP, code)?;
        }
        Ok(())
    }
}
