//! Triangular systems: halved until a block fits the registers, the rest by products.

use faer::{MatMut, MatRef, Par};

use crate::gemm::{GemmOperand, subtract};
use crate::{MatrixElement, pool, simd};

/// The order of a system that is solved directly.
const UNBLOCKED_MAX: usize = 16;
/// Right-hand sides that a task solves; fixed, so that results do not depend on the number of threads.
const COLUMNS_PER_TASK: usize = 256;

/// What a triangular matrix is to be taken as.
///
/// ```
/// use cuprum_lapack::triangular::{Triangle, solve};
/// // [[2, 0], [1, 4]], column by column
/// let mut x = [2.0, 9.0];
/// solve(&[2.0, 1.0, f64::NAN, 4.0], 2, Triangle { lower: true, ..Triangle::default() }, &mut x, 1, 1);
/// assert_eq!(x, [1.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triangle {
    /// The part below the diagonal is read, else the one above it.
    pub lower: bool,
    /// The diagonal is taken as ones.
    pub unit: bool,
    /// The system of the transpose is solved.
    pub transposed: bool,
    /// The system of the conjugate is solved; with `transposed`, of the conjugate transpose.
    pub conjugated: bool,
}

/// Solves in place for `columns` right-hand sides with the triangle of a matrix of order `n`. A zero on the diagonal
/// gives infinities or NaN; see [`zero_on_diagonal`].
pub fn solve<T: MatrixElement>(
    a: &[T],
    n: usize,
    kind: Triangle,
    b: &mut [T],
    columns: usize,
    threads: usize,
) {
    T::triangular_solve(a, n, kind, b, columns, threads)
}

pub(crate) fn solve_any<T: MatrixElement>(
    a: &[T],
    n: usize,
    kind: Triangle,
    b: &mut [T],
    columns: usize,
    threads: usize,
) {
    if n == 0 || columns == 0 {
        return;
    }
    let matrix = MatRef::from_column_major_slice(a, n, n);
    let matrix = if kind.transposed { matrix.transpose() } else { matrix };
    let b = MatMut::from_column_major_slice_mut(b, n, columns);
    let lower = kind.lower != kind.transposed;
    pool::with_threads(threads, |par| solve_in_place(matrix, kind.conjugated, lower, kind.unit, b, par));
}

/// The position of the first zero on the diagonal.
///
/// ```
/// use cuprum_lapack::triangular::zero_on_diagonal;
/// assert_eq!(zero_on_diagonal(&[1.0, 2.0, 3.0, 0.0], 2), Some(1));
/// ```
pub fn zero_on_diagonal<T: MatrixElement>(a: &[T], n: usize) -> Option<usize> {
    (0..n).find(|&i| a[i + i * n] == T::ZERO)
}

/// Solves `A x = b`, A being triangular, its conjugate where so said.
pub(crate) fn solve_in_place<T: MatrixElement>(
    a: MatRef<'_, T>,
    conjugate: bool,
    lower: bool,
    unit: bool,
    b: MatMut<'_, T>,
    par: Par,
) {
    if b.ncols() > COLUMNS_PER_TASK {
        let half = COLUMNS_PER_TASK * (b.ncols().div_ceil(COLUMNS_PER_TASK) / 2);
        let (left, right) = b.split_at_col_mut(half);
        let solve = |b: MatMut<'_, T>| solve_in_place(a, conjugate, lower, unit, b, par);
        if par == Par::Seq {
            solve(left);
            solve(right);
        } else {
            rayon::join(|| solve(left), || solve(right));
        }
        return;
    }
    halve(a, conjugate, lower, unit, b, par);
}

fn halve<T: MatrixElement>(
    a: MatRef<'_, T>,
    conjugate: bool,
    lower: bool,
    unit: bool,
    b: MatMut<'_, T>,
    par: Par,
) {
    let n = a.nrows();
    if n <= UNBLOCKED_MAX {
        return leaf(a, conjugate, lower, unit, b);
    }
    let half = (n / 2).next_multiple_of(UNBLOCKED_MAX);
    let (top_left, top_right, bottom_left, bottom_right) = a.split_at(half, half);
    let (mut top, mut bottom) = b.split_at_row_mut(half);
    if lower {
        halve(top_left, conjugate, lower, unit, top.as_mut(), par);
        let done = GemmOperand::plain(top.as_ref());
        subtract(bottom.as_mut(), GemmOperand::conjugated(bottom_left, conjugate), done, par);
        halve(bottom_right, conjugate, lower, unit, bottom, par);
    } else {
        halve(bottom_right, conjugate, lower, unit, bottom.as_mut(), par);
        let done = GemmOperand::plain(bottom.as_ref());
        subtract(top.as_mut(), GemmOperand::conjugated(top_right, conjugate), done, par);
        halve(top_left, conjugate, lower, unit, top, par);
    }
}

fn leaf<T: MatrixElement>(a: MatRef<'_, T>, conjugate: bool, lower: bool, unit: bool, mut b: MatMut<'_, T>) {
    let n = a.nrows();
    let mut triangle = [T::ZERO; UNBLOCKED_MAX * UNBLOCKED_MAX];
    for j in 0..n {
        for i in if lower { j..n } else { 0..j + 1 } {
            triangle[i + j * UNBLOCKED_MAX] = if conjugate { a[(i, j)].conjugate() } else { a[(i, j)] };
        }
    }
    let columns = b.ncols();
    let mut at = 0;
    while at < columns {
        // Few right-hand sides do not pay for a wide block.
        let width = if columns - at >= 8 { 32.min(columns - at) } else { 1 };
        let block = b.as_mut().subcols_mut(at, width);
        if width == 1 {
            substitute::<T, 1>(&triangle, n, lower, unit, block);
        } else {
            simd::run(|| substitute::<T, 32>(&triangle, n, lower, unit, block));
        }
        at += width;
    }
}

/// Forward or backward substitution on up to `W` columns, side by side.
#[inline(always)]
fn substitute<T: MatrixElement, const W: usize>(
    triangle: &[T; UNBLOCKED_MAX * UNBLOCKED_MAX],
    n: usize,
    lower: bool,
    unit: bool,
    mut b: MatMut<'_, T>,
) {
    let mut rows = [[T::ZERO; W]; UNBLOCKED_MAX];
    let width = b.ncols();
    for (i, row) in rows.iter_mut().enumerate().take(n) {
        for (j, x) in row.iter_mut().enumerate().take(width) {
            *x = b[(i, j)];
        }
    }
    for step in 0..n {
        let j = if lower { step } else { n - 1 - step };
        if !unit {
            T::divide_all(&mut rows[j][..width], triangle[j + j * UNBLOCKED_MAX]);
        }
        let solved = rows[j];
        for i in if lower { j + 1..n } else { 0..j } {
            let factor = triangle[i + j * UNBLOCKED_MAX];
            for (x, &y) in rows[i].iter_mut().zip(&solved) {
                *x -= factor * y;
            }
        }
    }
    for (i, row) in rows.iter().enumerate().take(n) {
        for (j, &x) in row.iter().enumerate().take(width) {
            b[(i, j)] = x;
        }
    }
}
