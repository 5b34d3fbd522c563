//! LU factorisation with partial pivoting, as LAPACK's `getrf` orders it, and what follows from it.

use cuprum_core::Result;
use cuprum_core::memory::collected;
use faer::{MatMut, MatRef, Par};

use crate::gemm::{GemmOperand, subtract};
use crate::triangular::{Triangle, solve_in_place};
use crate::{MatrixElement, RealElement, pool, simd, triangular};

/// Columns of a panel that is eliminated column by column.
const PANEL_COLUMNS: usize = 8;
/// Columns of a lower triangle that are inverted together; fixed, so that results do not depend on the number of threads.
const COLUMNS_PER_TASK: usize = 64;

/// Factors an `m` by `n` matrix in place: U above, L without its ones below the diagonal; row `i` was exchanged with
/// row `pivots[i]`. Gives the position of the first pivot that is zero.
///
/// ```
/// let mut a = [1.0, 2.0, 3.0, 4.0]; // [[1, 3], [2, 4]]
/// let mut pivots = [0; 2];
/// assert_eq!(cuprum_lapack::lu::factor(&mut a, 2, 2, &mut pivots, 1), None);
/// assert_eq!((a, pivots), ([2.0, 0.5, 4.0, 1.0], [1, 1]));
/// ```
pub fn factor<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    pivots: &mut [usize],
    threads: usize,
) -> Option<usize> {
    T::lu_factor(a, m, n, pivots, threads)
}

pub(crate) fn factor_any<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    pivots: &mut [usize],
    threads: usize,
) -> Option<usize> {
    let k = m.min(n);
    if k == 0 {
        return None;
    }
    match (m, n) {
        // Lengths that are known here leave the compiler no loops.
        (2, 2) => eliminate_small(a, 2, 2, pivots),
        (3, 3) => eliminate_small(a, 3, 3, pivots),
        (4, 4) => eliminate_small(a, 4, 4, pivots),
        _ if m <= PANEL_COLUMNS && n <= PANEL_COLUMNS => eliminate_small(a, m, n, pivots),
        _ => {
            let matrix = MatMut::from_column_major_slice_mut(a, m, n);
            if n <= PANEL_COLUMNS {
                eliminate(matrix, pivots);
            } else {
                pool::with_threads(threads, |par| factor_block(matrix, pivots, par));
            }
        }
    }
    (0..k).find(|&i| a[i + i * m] == T::ZERO)
}

/// Factors a matrix of any shape; pivots count from its first row.
fn factor_block<T: MatrixElement>(mut a: MatMut<'_, T>, pivots: &mut [usize], par: Par) {
    let (m, n) = (a.nrows(), a.ncols());
    if n <= PANEL_COLUMNS || m == 1 {
        return eliminate(a, pivots);
    }
    let k = m.min(n);
    let half = if n > m { k } else { (k / 2).next_multiple_of(PANEL_COLUMNS).min(k) };
    if half == n {
        return eliminate(a, pivots);
    }
    let (first, second) = pivots.split_at_mut(half);
    let (mut left, mut right) = a.as_mut().split_at_col_mut(half);
    factor_block(left.as_mut(), first, par);
    exchange_rows(right.as_mut(), first, par);
    let (top_left, bottom_left) = left.split_at_row_mut(half);
    let (mut top_right, mut bottom_right) = right.split_at_row_mut(half);
    solve_in_place(top_left.as_ref(), false, true, true, top_right.as_mut(), par);
    if bottom_right.nrows() == 0 {
        return;
    }
    let product = (GemmOperand::plain(bottom_left.as_ref()), GemmOperand::plain(top_right.as_ref()));
    subtract(bottom_right.as_mut(), product.0, product.1, par);
    factor_block(bottom_right, second, par);
    exchange_rows(bottom_left, second, par);
    for pivot in second {
        *pivot += half;
    }
}

/// Exchanges row `i` with row `pivots[i]`, one after the other.
fn exchange_rows<T: MatrixElement>(a: MatMut<'_, T>, pivots: &[usize], par: Par) {
    if par != Par::Seq && a.ncols() * pivots.len() > 1 << 16 {
        let half = a.ncols() / 2;
        let (left, right) = a.split_at_col_mut(half);
        rayon::join(|| exchange_rows(left, pivots, par), || exchange_rows(right, pivots, par));
        return;
    }
    for column in a.col_iter_mut() {
        let column = contiguous(column);
        for (i, &pivot) in pivots.iter().enumerate() {
            column.swap(i, pivot);
        }
    }
}

fn contiguous<T>(column: faer::ColMut<'_, T>) -> &mut [T] {
    column.try_as_col_major_mut().expect("a column of a column-major matrix").as_slice_mut()
}

/// Elimination column by column.
fn eliminate<T: MatrixElement>(mut a: MatMut<'_, T>, pivots: &mut [usize]) {
    let (m, n) = (a.nrows(), a.ncols());
    for k in 0..m.min(n) {
        let (mut column, rest) = a.as_mut().split_at_col_mut(k + 1);
        let column = contiguous(column.as_mut().col_mut(k));
        let pivot = k + simd::run(|| position_of_largest(&column[k..]));
        pivots[k] = pivot;
        if column[pivot] != T::ZERO {
            column.swap(k, pivot);
            let (head, tail) = column[k..].split_first_mut().expect("k is a row");
            simd::run(|| T::divide_all(tail, *head));
        }
        let factors = &column[k + 1..];
        for other in rest.col_iter_mut() {
            let other = contiguous(other);
            other.swap(k, pivot);
            let (head, tail) = other[k..].split_first_mut().expect("k is a row");
            let head = *head;
            simd::run(|| {
                for (x, &factor) in tail.iter_mut().zip(factors) {
                    *x -= factor * head;
                }
            });
        }
        if pivot != k {
            for j in 0..k {
                contiguous(a.as_mut().col_mut(j)).swap(k, pivot);
            }
        }
    }
}

/// The same for a matrix so small that finding out the machine's vectors would cost more than they save.
#[inline(always)]
fn eliminate_small<T: MatrixElement>(a: &mut [T], m: usize, n: usize, pivots: &mut [usize]) {
    let a = &mut a[..m * n];
    for k in 0..m.min(n) {
        let pivot = k + position_of_largest(&a[k * m + k..k * m + m]);
        pivots[k] = pivot;
        if pivot != k {
            (0..n).for_each(|j| a.swap(j * m + k, j * m + pivot));
        }
        let (columns, rest) = a.split_at_mut(k * m + m);
        let (head, factors) = columns[k * m + k..].split_first_mut().expect("k is a row");
        if *head != T::ZERO {
            T::divide_all(factors, *head);
        }
        for other in rest.chunks_exact_mut(m) {
            let (head, tail) = other[k..].split_first_mut().expect("k is a row");
            for (x, &factor) in tail.iter_mut().zip(factors.iter()) {
                *x -= factor * *head;
            }
        }
    }
}

/// The first element of largest `|re| + |im|`; NaN counts as small.
#[inline(always)]
fn position_of_largest<T: MatrixElement>(x: &[T]) -> usize {
    if x.len() < 32 {
        let (mut at, mut most) = (0, x[0].size1());
        for (i, y) in x.iter().enumerate().skip(1) {
            if y.size1() > most {
                (at, most) = (i, y.size1());
            }
        }
        return at;
    }
    let mut lanes = [T::RealElement::ZERO; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (lane, y) in lanes.iter_mut().zip(chunk) {
            let size = y.size1();
            *lane = if size > *lane { size } else { *lane };
        }
    }
    let sizes = lanes.into_iter().chain(rest.iter().map(|y| y.size1()));
    let most = sizes.fold(T::RealElement::ZERO, |most, size| if size > most { size } else { most });
    x.iter().position(|y| y.size1() == most).unwrap_or(0)
}

/// Solves in place with the factors, for `columns` right-hand sides; `kind` tells of transpose and conjugate.
///
/// ```
/// use cuprum_lapack::lu;
/// let (mut a, mut pivots, mut x) = ([1.0, 2.0, 3.0, 4.0], [0; 2], [7.0, 10.0]);
/// lu::factor(&mut a, 2, 2, &mut pivots, 1);
/// lu::solve(&a, 2, &pivots, Default::default(), &mut x, 1, 1);
/// assert_eq!(x, [1.0, 2.0]);
/// ```
pub fn solve<T: MatrixElement>(
    lu: &[T],
    n: usize,
    pivots: &[usize],
    kind: Triangle,
    b: &mut [T],
    columns: usize,
    threads: usize,
) {
    T::lu_solve(lu, n, pivots, kind, (b, columns), threads)
}

pub(crate) fn solve_any<T: MatrixElement>(
    lu: &[T],
    n: usize,
    pivots: &[usize],
    kind: Triangle,
    (b, columns): (&mut [T], usize),
    threads: usize,
) {
    if n == 0 || columns == 0 {
        return;
    }
    if n <= PANEL_COLUMNS {
        return match n {
            2 if kind == Triangle::default() => solve_small(lu, 2, pivots, Triangle::default(), b),
            3 if kind == Triangle::default() => solve_small(lu, 3, pivots, Triangle::default(), b),
            4 if kind == Triangle::default() => solve_small(lu, 4, pivots, Triangle::default(), b),
            _ => solve_small(lu, n, pivots, kind, b),
        };
    }
    let lower = Triangle { lower: true, unit: true, ..kind };
    let upper = Triangle { lower: false, unit: false, ..kind };
    if kind.transposed {
        triangular::solve(lu, n, upper, b, columns, threads);
        triangular::solve(lu, n, lower, b, columns, threads);
        for column in b.chunks_exact_mut(n) {
            for (i, &pivot) in pivots.iter().enumerate().rev() {
                column.swap(i, pivot);
            }
        }
    } else {
        exchange_rows(MatMut::from_column_major_slice_mut(b, n, columns), pivots, Par::Seq);
        triangular::solve(lu, n, lower, b, columns, threads);
        triangular::solve(lu, n, upper, b, columns, threads);
    }
}

/// Substitution without blocks.
#[inline(always)]
fn solve_small<T: MatrixElement>(lu: &[T], n: usize, pivots: &[usize], kind: Triangle, b: &mut [T]) {
    let at = |i: usize, j: usize| {
        let x = if kind.transposed { lu[j + i * n] } else { lu[i + j * n] };
        if kind.conjugated { x.conjugate() } else { x }
    };
    for x in b.chunks_exact_mut(n) {
        if !kind.transposed {
            for (i, &pivot) in pivots.iter().enumerate() {
                x.swap(i, pivot);
            }
        }
        for j in 0..n {
            if kind.transposed {
                x[j] = x[j].over(at(j, j));
            }
            let solved = x[j];
            for (i, x) in x.iter_mut().enumerate().skip(j + 1) {
                *x -= at(i, j) * solved;
            }
        }
        for j in (0..n).rev() {
            if !kind.transposed {
                x[j] = x[j].over(at(j, j));
            }
            let solved = x[j];
            for (i, x) in x.iter_mut().enumerate().take(j) {
                *x -= at(i, j) * solved;
            }
        }
        if kind.transposed {
            for (i, &pivot) in pivots.iter().enumerate().rev() {
                x.swap(i, pivot);
            }
        }
    }
}

/// The inverse from the factors.
///
/// ```
/// use cuprum_lapack::lu;
/// let (mut a, mut pivots, mut inverse) = ([0.0, 2.0, 4.0, 0.0], [0; 2], [0.0; 4]);
/// lu::factor(&mut a, 2, 2, &mut pivots, 1);
/// lu::invert(&a, 2, &pivots, &mut inverse, 1).unwrap();
/// assert_eq!(inverse, [0.0, 0.25, 0.5, 0.0]);
/// ```
pub fn invert<T: MatrixElement>(
    lu: &[T],
    n: usize,
    pivots: &[usize],
    out: &mut [T],
    threads: usize,
) -> Result<()> {
    T::lu_invert(lu, n, pivots, out, threads);
    Ok(())
}

/// `U^-1 L^-1`, whose columns are then exchanged as the rows of the matrix were.
pub(crate) fn invert_any<T: MatrixElement>(
    lu: &[T],
    n: usize,
    pivots: &[usize],
    out: &mut [T],
    threads: usize,
) {
    out.fill(T::ZERO);
    for i in 0..n {
        out[i + i * n] = T::ONE;
    }
    if n <= PANEL_COLUMNS {
        return solve_any(lu, n, pivots, Triangle::default(), (out, n), threads);
    }
    let factors = MatRef::from_column_major_slice(lu, n, n);
    let inverse = MatMut::from_column_major_slice_mut(&mut *out, n, n);
    pool::with_threads(threads, |par| {
        let mut inverse = inverse;
        invert_lower(factors, inverse.as_mut(), 0, par);
        solve_in_place(factors, false, false, false, inverse, par);
    });
    for (i, &pivot) in pivots.iter().enumerate().rev() {
        if pivot != i {
            let (left, right) = out.split_at_mut(pivot * n);
            left[i * n..(i + 1) * n].swap_with_slice(&mut right[..n]);
        }
    }
}

/// Solves `L X = I` in place of the identity's columns from `first` on: the rows before stay zero.
fn invert_lower<T: MatrixElement>(l: MatRef<'_, T>, x: MatMut<'_, T>, first: usize, par: Par) {
    let columns = x.ncols();
    if columns > COLUMNS_PER_TASK {
        let half = (columns / 2).next_multiple_of(COLUMNS_PER_TASK);
        let (left, right) = x.split_at_col_mut(half);
        let (invert_left, invert_right) =
            (|| invert_lower(l, left, first, par), || invert_lower(l, right, first + half, par));
        if par == Par::Seq {
            invert_left();
            invert_right();
        } else {
            rayon::join(invert_left, invert_right);
        }
        return;
    }
    let rest = l.nrows() - first;
    let below = l.submatrix(first, first, rest, rest);
    solve_in_place(below, false, true, true, x.subrows_mut(first, rest), par);
}

/// The determinant from the factors, as a number of size near one and an exponent of two, so that nothing overflows on
/// the way to a result that does not.
///
/// ```
/// assert_eq!(cuprum_lapack::lu::determinant(&[2.0, 0.5, 4.0, 1.0], 2, &[1, 1]), (-1.0, 1));
/// ```
pub fn determinant<T: MatrixElement>(lu: &[T], n: usize, pivots: &[usize]) -> (T, i32) {
    let (mut product, mut exponent) = (T::ONE, 0i64);
    for (i, &pivot) in pivots.iter().enumerate().take(n) {
        let factor = lu[i + i * n];
        let larger = |x: T| if x.re().size1() > x.im().size1() { x.re() } else { x.im() };
        let e = larger(factor).exponent();
        let near_one =
            |x: T, e: i32| T::from_reals(x.re().times_power_of_two(-e), x.im().times_power_of_two(-e));
        product *= near_one(factor, e);
        exponent += i64::from(e);
        let e = larger(product).exponent();
        product = near_one(product, e);
        exponent += i64::from(e);
        if pivot != i {
            product = -product;
        }
    }
    (product, exponent.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32)
}

/// The sign (a number of size one, or zero) and the logarithm of the size of the determinant.
///
/// ```
/// let (sign, log) = cuprum_lapack::lu::log_determinant(&[2.0, 0.5, 4.0, 1.0], 2, &[1, 1]);
/// assert_eq!((sign, log), (-1.0, 2f64.ln()));
/// ```
pub fn log_determinant<T: MatrixElement>(lu: &[T], n: usize, pivots: &[usize]) -> (T, T::RealElement) {
    let (mut sign, mut log) = (T::ONE, 0.0);
    for (i, &pivot) in pivots.iter().enumerate().take(n) {
        let factor = lu[i + i * n];
        let size = factor.modulus();
        if size == T::RealElement::ZERO {
            return (T::ZERO, T::RealElement::nearest(f64::NEG_INFINITY));
        }
        sign *= factor.over(T::from_real(size));
        log += size.to_f64().ln();
        if pivot != i {
            sign = -sign;
        }
    }
    (sign, T::RealElement::nearest(log))
}

/// The rows in the order that the exchanges bring them into: row `i` of the permuted matrix was row `order[i]`.
///
/// ```
/// assert_eq!(cuprum_lapack::lu::order_of_rows(&[2, 2], 3), vec![2, 0, 1]);
/// ```
pub fn order_of_rows(pivots: &[usize], m: usize) -> Vec<usize> {
    let mut order: Vec<usize> = collected(0..m);
    for (i, &pivot) in pivots.iter().enumerate() {
        order.swap(i, pivot);
    }
    order
}
