//! Linear algebra on stacks of matrices: each one is brought into column-major memory, handed to `cuprum-lapack`, and
//! its results taken back. Small matrices share the threads among them; a large one has them all.

use std::sync::Mutex;

use cuprum_core::memory::{collected, filled, lengthen};
use cuprum_core::{DType, Dims, Error, Result};
use cuprum_graph::{LinalgCall, QrResult, Slot};
use cuprum_lapack::svd::Vectors;
use cuprum_lapack::triangular::{Triangle, zero_on_diagonal};
use cuprum_lapack::{
    MatrixElement, Outcome, RealElement, cholesky, eig, eigh, lu, qr, run_apart, svd, triangular,
};
use cuprum_threads::interrupt::Watch;
use cuprum_threads::{run_tasks, thread_count};
use num_complex::Complex;
use smallvec::SmallVec;

use super::matmul::addressable;
use super::start;
use crate::space::Space;

/// The order from which a matrix has all threads.
const ALL_THREADS_MIN_ORDER: usize = 96;
/// The order from which a factorisation takes so long that a user may want to stop waiting for it.
const INTERRUPTIBLE_MIN_ORDER: usize = 512;
/// Multiplications that a task of small matrices does, about.
const PRODUCTS_PER_TASK: usize = 1 << 17;
/// Elements along each side of a square that is transposed at a time.
const TILE: usize = 16;

pub(super) fn run(call: &LinalgCall<'_>) -> Result<()> {
    let input = match *call {
        LinalgCall::Lu { a, .. }
        | LinalgCall::Solve { a, .. }
        | LinalgCall::SolveTriangular { a, .. }
        | LinalgCall::Inverse { a, .. }
        | LinalgCall::Determinant { a, .. }
        | LinalgCall::LogDeterminant { a, .. }
        | LinalgCall::Cholesky { a, .. }
        | LinalgCall::Qr { a, .. }
        | LinalgCall::Svd { a, .. }
        | LinalgCall::Eigh { a, .. }
        | LinalgCall::Eig { a, .. } => a,
        LinalgCall::LuSolve { lu, .. } => lu,
    };
    match input.dtype {
        DType::F32 => run_typed::<f32>(call),
        DType::F64 => run_typed::<f64>(call),
        DType::C64 => run_typed::<Complex<f32>>(call),
        DType::C128 => run_typed::<Complex<f64>>(call),
        dtype => Err(Error::NoLoop { op: call.name().into(), dtypes: vec![dtype] }),
    }
}

fn run_typed<T: MatrixElement>(call: &LinalgCall<'_>) -> Result<()>
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    match *call {
        LinalgCall::Lu { a, lu, pivots } => factor_lu::<T>(a, lu, pivots),
        LinalgCall::LuSolve { lu, pivots, b, x, transposed, conjugated } => {
            let kind = Triangle { transposed, conjugated, ..Triangle::default() };
            solve_lu::<T>(lu, pivots, b, x, kind)
        }
        LinalgCall::Solve { a, b, x } => solve::<T>(a, b, x),
        LinalgCall::SolveTriangular { a, b, x, lower, unit, transposed, conjugated } => {
            solve_triangular::<T>(a, b, x, Triangle { lower, unit, transposed, conjugated })
        }
        LinalgCall::Inverse { a, out } => invert::<T>(a, out),
        LinalgCall::Determinant { a, out } => determinant::<T>(a, out),
        LinalgCall::LogDeterminant { a, sign, log } => log_determinant::<T>(a, sign, log),
        LinalgCall::Cholesky { a, out, upper } => factor_cholesky::<T>(a, out, upper),
        LinalgCall::Qr { a, ref result } => factor_qr::<T>(a, result),
        LinalgCall::Svd { a, s, vectors } => decompose_svd::<T>(a, s, vectors),
        LinalgCall::Eigh { a, upper, values, vectors } => decompose_eigh::<T>(a, upper, values, vectors),
        LinalgCall::Eig { a, values, vectors } => decompose_eig::<T>(a, values, vectors),
    }
}

/// Stacks of matrices, addressable, with their matrix axes (0 to 2) apart from those of the stack.
struct Stacks {
    /// Keeps the memory of copies.
    _slots: Vec<Slot>,
    space: Space,
    /// The first matrix of each.
    first: SmallVec<[StackItem; 4]>,
}

/// One matrix or vector of a stack.
#[derive(Clone, Copy)]
struct StackItem {
    at: *mut u8,
    shape: [usize; 2],
    /// In elements.
    steps: [isize; 2],
}

impl Stacks {
    /// `axes[i]` says how many axes of `slots[i]` belong to the matrix. Results, from `inputs` on, are written in place.
    fn new(slots: &[&Slot], axes: &[usize], inputs: usize) -> Result<Stacks> {
        let mut kept = Vec::with_capacity(slots.len());
        for (i, slot) in slots.iter().enumerate() {
            kept.push(if i < inputs { addressable(slot)? } else { (*slot).clone() });
        }
        let batch = kept[0].layout.ndim() - axes[0];
        let order: Dims = (0..batch).collect();
        let strides: Vec<&[isize]> = kept.iter().map(|s| &s.layout.strides[..batch]).collect();
        let mut space = Space::new(&kept[0].layout.shape[..batch], &order, &strides);
        space.collapse();
        let place = |(slot, &axes): (&Slot, &usize)| {
            let (size, ndim) = (slot.dtype.size() as isize, slot.layout.ndim());
            let mut place = StackItem { at: start(slot), shape: [1; 2], steps: [0; 2] };
            for axis in 0..axes {
                place.shape[axis] = slot.layout.shape[ndim - axes + axis];
                place.steps[axis] = slot.layout.strides[ndim - axes + axis] / size;
            }
            place
        };
        let first = kept.iter().zip(axes).map(place).collect();
        Ok(Stacks { _slots: kept, space, first })
    }

    fn count(&self) -> usize {
        self.space.size()
    }

    /// Where matrix number `position` of each stack lies.
    fn places(&self, position: usize) -> SmallVec<[StackItem; 4]> {
        let mut offsets: SmallVec<[isize; 4]> = SmallVec::from_elem(0, self.first.len());
        self.space.offsets(position, &mut offsets);
        let moved = |(place, offset): (&StackItem, isize)| StackItem {
            at: place.at.wrapping_offset(offset),
            ..*place
        };
        self.first.iter().zip(offsets).map(moved).collect()
    }
}

impl StackItem {
    /// The matrix's transpose.
    fn transposed(self) -> StackItem {
        StackItem {
            at: self.at,
            shape: [self.shape[1], self.shape[0]],
            steps: [self.steps[1], self.steps[0]],
        }
    }

    /// Calls `visit` with every row and column, in squares, so that reading and writing both stay near.
    fn for_each(self, mut visit: impl FnMut(usize, usize, isize)) {
        let [rows, columns] = self.shape;
        for top in (0..rows).step_by(TILE) {
            for left in (0..columns).step_by(TILE) {
                for j in left..(left + TILE).min(columns) {
                    for i in top..(top + TILE).min(rows) {
                        visit(i, j, i as isize * self.steps[0] + j as isize * self.steps[1]);
                    }
                }
            }
        }
    }

    /// Copies the matrix to column-major memory.
    fn load<T: Copy>(self, to: &mut [T]) {
        let (from, rows) = (self.at.cast::<T>(), self.shape[0]);
        assert!(to.len() >= rows * self.shape[1]);
        if self.steps[0] == 1 && self.steps[1] == rows as isize {
            // SAFETY: the slot's layout lies in its buffer; the matrix is dense, column by column.
            let source = unsafe { std::slice::from_raw_parts(from, rows * self.shape[1]) };
            return to[..source.len()].copy_from_slice(source);
        }
        // SAFETY: the slot's layout lies in its buffer and is aligned.
        self.for_each(|i, j, offset| to[i + j * rows] = unsafe { *from.offset(offset) });
    }

    /// Copies column-major memory of `rows` rows to the matrix, each element through `change`.
    fn store<T: Copy>(self, from: &[T], rows: usize, change: impl Fn(T) -> T) {
        let to = self.at.cast::<T>();
        assert!(from.len() >= if self.shape[1] > 0 { rows * (self.shape[1] - 1) + self.shape[0] } else { 0 });
        self.for_each(|i, j, offset| {
            // SAFETY: as in `load`; results are distinct elements that nobody else writes.
            unsafe { *to.offset(offset) = change(from[i + j * rows]) }
        });
    }

    /// Stores a value.
    fn put<T>(self, value: T) {
        // SAFETY: as in `store`.
        unsafe { *self.at.cast::<T>() = value }
    }
}

/// The order of the square matrices that take so many multiplications: what decides how threads are used.
fn order_of(multiplications: &[usize]) -> usize {
    let product = multiplications.iter().fold(1.0, |product, &length| product * length as f64);
    product.cbrt() as usize
}

/// Calls `work` with the places of every matrix of the stacks and how many threads it has; `scratch` makes what a
/// task keeps from one matrix to the next. The first error by position is given.
fn for_each_matrix<S>(
    slots: &[&Slot],
    axes: &[usize],
    inputs: usize,
    order: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[StackItem], usize) -> Result<()> + Sync,
) -> Result<()> {
    let stacks = Stacks::new(slots, axes, inputs)?;
    let count = stacks.count();
    if count == 1 || order >= ALL_THREADS_MIN_ORDER {
        // To wake others takes longer than a small matrix.
        let threads = if order >= ALL_THREADS_MIN_ORDER { thread_count() } else { 1 };
        let mut kept = scratch();
        let watch = Watch::start();
        for position in 0..count {
            if watch.wants_stop() {
                return Err(Error::Interrupted);
            }
            work(&mut kept, &stacks.places(position), threads)?;
        }
        return Ok(());
    }
    let each = (PRODUCTS_PER_TASK / (order * order * order + 64)).clamp(1, count);
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let stacks = &SharedStacks(stacks);
    run_tasks(count.div_ceil(each), true, &|task| {
        let mut kept = scratch();
        for position in task * each..count.min((task + 1) * each) {
            if let Err(error) = work(&mut kept, &stacks.get().places(position), 1) {
                let mut failed = failed.lock().unwrap_or_else(|e| e.into_inner());
                if failed.as_ref().is_none_or(|(at, _)| position < *at) {
                    *failed = Some((position, error));
                }
                return;
            }
        }
    })?;
    let failed = failed.into_inner().unwrap_or_else(|e| e.into_inner());
    failed.map_or(Ok(()), |(_, error)| Err(error))
}

/// Works on what a task keeps. A matrix of such an order may take seconds, which the algorithms cannot be stopped in: they run
/// on another thread then, on memory that is theirs, and a user who stops leaves them to it.
fn stoppable<S: Default + Send + 'static, R: Send + 'static>(
    order: usize,
    threads: usize,
    kept: &mut S,
    work: impl FnOnce(&mut S) -> R + Send + 'static,
) -> Result<R> {
    if order < INTERRUPTIBLE_MIN_ORDER {
        return Ok(work(kept));
    }
    let (memory, result) = run_apart(threads, std::mem::take(kept), work)?;
    *kept = memory;
    Ok(result)
}

/// Stacks that tasks share, each working on matrices of its own.
struct SharedStacks(Stacks);

// SAFETY: tasks read distinct or unwritten matrices and write distinct ones; buffers outlive `run_tasks`.
unsafe impl Sync for SharedStacks {}

impl SharedStacks {
    fn get(&self) -> &Stacks {
        &self.0
    }
}

/// The matrix's two lengths.
fn lengths(slot: &Slot) -> (usize, usize) {
    let shape = &slot.layout.shape;
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

fn singular(op: &'static str) -> Error {
    Error::linalg(op, "Singular matrix")
}

/// Memory for one matrix and its pivots.
fn matrix_and_pivots<T: MatrixElement>(m: usize, n: usize) -> (Vec<T>, Vec<usize>) {
    (filled(m * n, T::ZERO), filled(m.min(n), 0))
}

fn factor_lu<T: MatrixElement>(a: &Slot, out: &Slot, pivots: &Slot) -> Result<()> {
    let (m, n) = lengths(a);
    let scratch = || matrix_and_pivots::<T>(m, n);
    for_each_matrix(&[a, out, pivots], &[2, 2, 1], 1, m.max(n), scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        stoppable(m.min(n), threads, kept, move |(x, p)| lu::factor(x, m, n, p, threads))?;
        let (x, p) = kept;
        at[1].store(x, m, |x| x);
        let narrow: Vec<i32> = collected(p.iter().map(|&p| p as i32));
        at[2].store(&narrow, narrow.len(), |p| p);
        Ok(())
    })
}

fn solve_lu<T: MatrixElement>(
    factors: &Slot,
    pivots: &Slot,
    b: &Slot,
    x: &Slot,
    kind: Triangle,
) -> Result<()> {
    let ((n, _), (_, k)) = (lengths(factors), lengths(b));
    let scratch = || (filled(n * n, T::ZERO), filled(n, 0i32), filled(n * k, T::ZERO));
    let slots = [factors, pivots, b, x];
    for_each_matrix(&slots, &[2, 1, 2, 2], 3, n.max(k), scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        at[1].load(&mut kept.1);
        at[2].load(&mut kept.2);
        stoppable(n.min(k), threads, kept, move |(f, p, rhs)| {
            let wide: Vec<usize> = collected(p.iter().map(|&p| p as usize));
            lu::solve(f, n, &wide, kind, rhs, k, threads);
        })?;
        at[3].store(&kept.2, n, |x| x);
        Ok(())
    })
}

fn solve<T: MatrixElement>(a: &Slot, b: &Slot, x: &Slot) -> Result<()> {
    let ((n, _), (_, k)) = (lengths(a), lengths(b));
    let scratch = || (matrix_and_pivots::<T>(n, n), filled(n * k, T::ZERO));
    for_each_matrix(&[a, b, x], &[2, 2, 2], 2, n.max(k), scratch, |kept, at, threads| {
        at[0].load(&mut kept.0.0);
        at[1].load(&mut kept.1);
        let solved = stoppable(n, threads, kept, move |((m, p), rhs)| {
            let regular = lu::factor(m, n, n, p, threads).is_none();
            if regular {
                lu::solve(m, n, p, Triangle::default(), rhs, k, threads);
            }
            regular
        })?;
        if !solved {
            return Err(singular("solve"));
        }
        at[2].store(&kept.1, n, |x| x);
        Ok(())
    })
}

fn solve_triangular<T: MatrixElement>(a: &Slot, b: &Slot, x: &Slot, kind: Triangle) -> Result<()> {
    let ((n, _), (_, k)) = (lengths(a), lengths(b));
    let scratch = || (filled(n * n, T::ZERO), filled(n * k, T::ZERO));
    for_each_matrix(&[a, b, x], &[2, 2, 2], 2, n.max(k), scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        if !kind.unit
            && let Some(i) = zero_on_diagonal(&kept.0, n)
        {
            let message = format!("singular matrix: resolution failed at diagonal {i}");
            return Err(Error::linalg("solve_triangular", message));
        }
        at[1].load(&mut kept.1);
        stoppable(n.min(k), threads, kept, move |(m, rhs)| triangular::solve(m, n, kind, rhs, k, threads))?;
        at[2].store(&kept.1, n, |x| x);
        Ok(())
    })
}

fn invert<T: MatrixElement>(a: &Slot, out: &Slot) -> Result<()> {
    let (n, _) = lengths(a);
    let scratch = || (matrix_and_pivots::<T>(n, n), filled(n * n, T::ZERO));
    for_each_matrix(&[a, out], &[2, 2], 1, n, scratch, |kept, at, threads| {
        at[0].load(&mut kept.0.0);
        stoppable(n, threads, kept, move |((m, p), inverse)| match lu::factor(m, n, n, p, threads) {
            Some(_) => Err(singular("inv")),
            None => lu::invert(m, n, p, inverse, threads),
        })??;
        at[1].store(&kept.1, n, |x| x);
        Ok(())
    })
}

fn determinant<T: MatrixElement>(a: &Slot, out: &Slot) -> Result<()> {
    let (n, _) = lengths(a);
    let scratch = || matrix_and_pivots::<T>(n, n);
    for_each_matrix(&[a, out], &[2, 0], 1, n, scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        stoppable(n, threads, kept, move |(m, p)| lu::factor(m, n, n, p, threads))?;
        let (m, p) = kept;
        let (x, e) = lu::determinant(m, n, p);
        at[1].put(T::from_reals(x.re().times_power_of_two(e), x.im().times_power_of_two(e)));
        Ok(())
    })
}

fn log_determinant<T: MatrixElement>(a: &Slot, sign: &Slot, log: &Slot) -> Result<()> {
    let (n, _) = lengths(a);
    let scratch = || matrix_and_pivots::<T>(n, n);
    for_each_matrix(&[a, sign, log], &[2, 0, 0], 1, n, scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        stoppable(n, threads, kept, move |(m, p)| lu::factor(m, n, n, p, threads))?;
        let (m, p) = kept;
        let (s, l) = lu::log_determinant(m, n, p);
        at[1].put(s);
        at[2].put(l);
        Ok(())
    })
}

fn factor_cholesky<T: MatrixElement>(a: &Slot, out: &Slot, upper: bool) -> Result<()> {
    let (n, _) = lengths(a);
    let scratch = || filled(n * n, T::ZERO);
    for_each_matrix(&[a, out], &[2, 2], 1, n, scratch, |m, at, threads| {
        // The upper factor of A is the transpose of the lower factor of A's transpose.
        let turn = |place: StackItem| if upper { place.transposed() } else { place };
        turn(at[0]).load(m);
        if !stoppable(n, threads, m, move |m| cholesky::factor(m, n, threads))? {
            return Err(Error::linalg("cholesky", "Matrix is not positive definite"));
        }
        turn(at[1]).store(m, n, |x| x);
        Ok(())
    })
}

fn factor_qr<T: MatrixElement>(a: &Slot, result: &QrResult<'_>) -> Result<()> {
    let (m, n) = lengths(a);
    let scratch = || (filled(m * n, T::ZERO), Vec::new());
    let order = match result {
        QrResult::QAndR(q, _) => order_of(&[m, n.max(lengths(q).1), m.min(n)]),
        QrResult::R(_) | QrResult::Packed(..) => order_of(&[m, n, m.min(n)]),
    };
    let clear_below = |x: &mut [T]| {
        for (j, column) in x.chunks_exact_mut(m.max(1)).enumerate() {
            column[(j + 1).min(m)..].fill(T::ZERO);
        }
    };
    match *result {
        QrResult::R(r) => for_each_matrix(&[a, r], &[2, 2], 1, order, scratch, |kept, at, threads| {
            at[0].load(&mut kept.0);
            stoppable(order, threads, kept, move |(x, _)| qr::factor(x, m, n, threads))??;
            clear_below(&mut kept.0);
            at[1].store(&kept.0, m, |x| x);
            Ok(())
        }),
        QrResult::QAndR(q, r) => {
            let (_, k) = lengths(q);
            for_each_matrix(&[a, q, r], &[2, 2, 2], 1, order, scratch, |kept, at, threads| {
                at[0].load(&mut kept.0);
                lengthen(&mut kept.1, m * k, T::ZERO);
                stoppable(order, threads, kept, move |(x, basis)| {
                    qr::factor(x, m, n, threads)?.form_q(x, basis, k, threads)
                })??;
                let (x, basis) = kept;
                at[1].store(basis, m, |x| x);
                clear_below(x);
                at[2].store(x, m, |x| x);
                Ok(())
            })
        }
        QrResult::Packed(h, tau) => {
            for_each_matrix(&[a, h, tau], &[2, 2, 1], 1, order, scratch, |kept, at, threads| {
                at[0].load(&mut kept.0);
                let factored = stoppable(order, threads, kept, move |(x, _)| qr::factor(x, m, n, threads))??;
                at[1].store(&kept.0, m, |x| x);
                at[2].store(&factored.tau, factored.tau.len(), |x| x);
                Ok(())
            })
        }
    }
}

fn decompose_svd<T: MatrixElement>(a: &Slot, s: &Slot, vectors: Option<(&Slot, &Slot)>) -> Result<()> {
    let (m, n) = lengths(a);
    let k = m.min(n);
    let failed = || Error::linalg("svd", "SVD did not converge");
    let Some((u, vh)) = vectors else {
        let scratch = || (filled(m * n, T::ZERO), filled(k, T::RealElement::ZERO));
        let order = order_of(&[m, n, k]);
        return for_each_matrix(&[a, s], &[2, 1], 1, order, scratch, |kept, at, threads| {
            at[0].load(&mut kept.0);
            let outcome = stoppable(order, threads, kept, move |(x, values)| {
                svd::svd(x, m, n, values, None, threads)
            })??;
            if outcome == Outcome::Failed {
                return Err(failed());
            }
            at[1].store(&kept.1, k, |x| x);
            Ok(())
        });
    };
    let (columns, rows) = (lengths(u).1, lengths(vh).0);
    let full = columns == m && rows == n;
    let order = order_of(&[m.max(n), columns.max(rows), k]);
    let scratch = || {
        let (left, right) = (filled(m * columns, T::ZERO), filled(n * rows, T::ZERO));
        (filled(m * n, T::ZERO), filled(k, T::RealElement::ZERO), left, right)
    };
    for_each_matrix(&[a, s, u, vh], &[2, 1, 2, 2], 1, order, scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        let outcome = stoppable(order, threads, kept, move |(x, values, left, right)| {
            svd::svd(x, m, n, values, Some(Vectors { u: left, v: right, full }), threads)
        })??;
        if outcome == Outcome::Failed {
            return Err(failed());
        }
        let (_, values, left, right) = kept;
        at[1].store(values, k, |x| x);
        at[2].store(left, m, |x| x);
        at[3].transposed().store(right, n, |x| x.conjugate());
        Ok(())
    })
}

fn decompose_eigh<T: MatrixElement>(
    a: &Slot,
    upper: bool,
    values: &Slot,
    vectors: Option<&Slot>,
) -> Result<()> {
    let (n, _) = lengths(a);
    let failed = || Error::linalg("eigh", "Eigenvalues did not converge");
    let scratch = || (filled(n * n, T::ZERO), filled(n, T::RealElement::ZERO), Vec::new());
    let mut slots = vec![a, values];
    slots.extend(vectors);
    let wants_vectors = vectors.is_some();
    for_each_matrix(&slots, &[2, 1, 2], 1, n, scratch, |kept, at, threads| {
        // The transpose has the same eigenvalues and conjugate vectors, and the other triangle below.
        (if upper { at[0].transposed() } else { at[0] }).load(&mut kept.0);
        if wants_vectors {
            lengthen(&mut kept.2, n * n, T::ZERO);
        }
        let outcome = stoppable(n, threads, kept, move |(x, w, v)| {
            eigh::eigh(x, n, w, wants_vectors.then_some(v.as_mut_slice()), threads)
        })??;
        if outcome == Outcome::Failed {
            return Err(failed());
        }
        let (_, w, v) = kept;
        at[1].store(w, n, |x| x);
        if vectors.is_some() {
            at[2].store(v, n, |x| if upper { x.conjugate() } else { x });
        }
        Ok(())
    })
}

fn decompose_eig<T: MatrixElement>(a: &Slot, values: &Slot, vectors: Option<&Slot>) -> Result<()>
where
    Complex<T::RealElement>: MatrixElement<RealElement = T::RealElement>,
{
    let (n, _) = lengths(a);
    let scratch = || (filled(n * n, T::ZERO), filled(n, Complex::<T::RealElement>::ZERO), Vec::new());
    let mut slots = vec![a, values];
    slots.extend(vectors);
    let wants_vectors = vectors.is_some();
    for_each_matrix(&slots, &[2, 1, 2], 1, n, scratch, |kept, at, threads| {
        at[0].load(&mut kept.0);
        if kept.0.iter().any(|x| !x.finite()) {
            return Err(Error::linalg("eig", "Array must not contain infs or NaNs"));
        }
        if wants_vectors {
            lengthen(&mut kept.2, n * n, Complex::<T::RealElement>::ZERO);
        }
        let outcome = stoppable(n, threads, kept, move |(x, w, v)| {
            eig::eig(x, n, w, wants_vectors.then_some(v.as_mut_slice()), threads)
        })??;
        if outcome == Outcome::Failed {
            return Err(Error::linalg("eig", "Eigenvalues did not converge"));
        }
        let (_, w, v) = kept;
        at[1].store(w, n, |x| x);
        if vectors.is_some() {
            at[2].store(v, n, |x| x);
        }
        Ok(())
    })
}
