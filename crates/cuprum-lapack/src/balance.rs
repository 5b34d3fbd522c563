//! Balancing: rows and columns are permuted and scaled so that eigenvalues do not drown in large elements, as LAPACK's
//! `gebal` does. Scaling is by powers of two, which is exact.

use cuprum_core::memory::{collected, filled};

use crate::{MatrixElement, RealElement, qr};

/// What was done to a matrix.
pub(crate) struct Balance<P> {
    /// The rows and columns that still mix: outside of them the matrix is triangular.
    low: usize,
    high: usize,
    /// Which row and column each one outside was exchanged with.
    exchanged: Vec<usize>,
    scales: Vec<P>,
}

fn exchange<T: MatrixElement>(a: &mut [T], n: usize, i: usize, j: usize) {
    if i == j {
        return;
    }
    for k in 0..n {
        a.swap(k + i * n, k + j * n);
    }
    for k in 0..n {
        a.swap(i + k * n, j + k * n);
    }
}

/// Balances a matrix of order `n` in place.
pub(crate) fn balance<T: MatrixElement>(a: &mut [T], n: usize) -> Balance<T::RealElement> {
    let (mut low, mut high) = (0, n);
    let mut exchanged: Vec<usize> = collected(0..n);
    // A row without elements off the diagonal isolates an eigenvalue: it goes to the end.
    while high > low {
        let found = (0..high).rev().find(|&i| (0..high).all(|j| i == j || a[i + j * n] == T::ZERO));
        let Some(row) = found else { break };
        exchanged[high - 1] = row;
        exchange(a, n, row, high - 1);
        high -= 1;
    }
    // So does such a column: it goes to the beginning.
    while low < high {
        let found = (low..high).find(|&j| (low..high).all(|i| i == j || a[i + j * n] == T::ZERO));
        let Some(column) = found else { break };
        exchanged[low] = column;
        exchange(a, n, column, low);
        low += 1;
    }
    let mut scales = filled(n, T::RealElement::ONE);
    // Every row and column is scaled in each round; rounds go on until one changes nothing.
    loop {
        let mut changed = false;
        for (i, scale) in scales.iter_mut().enumerate().take(high).skip(low) {
            changed |= scale_one(a, n, low, high, i, scale);
        }
        if !changed {
            break;
        }
    }
    Balance { low, high, exchanged, scales }
}

/// Makes row and column `i` of one size; says whether that was worth it.
fn scale_one<T: MatrixElement>(
    a: &mut [T],
    n: usize,
    low: usize,
    high: usize,
    i: usize,
    scale: &mut T::RealElement,
) -> bool {
    let two = T::RealElement::ONE + T::RealElement::ONE;
    let mut column = qr::norm(&a[low + i * n..high + i * n]);
    let line: Vec<T> = collected((low..high).map(|j| a[i + j * n]));
    let mut row = qr::norm(&line);
    if column == T::RealElement::ZERO || row == T::RealElement::ZERO {
        return false;
    }
    let small = T::RealElement::TINY / T::RealElement::EPSILON * two;
    let large = T::RealElement::ONE / small;
    let (mut factor, before) = (T::RealElement::ONE, column + row);
    while column < row / two && column < large && factor < large && row > small {
        factor *= two;
        column *= two;
        row /= two;
    }
    while column / two >= row && row < large && factor > small && column > small {
        factor /= two;
        column /= two;
        row *= two;
    }
    let limits = (factor < T::RealElement::ONE && *scale * factor <= small)
        || (factor > T::RealElement::ONE && *scale >= large / factor);
    if column + row >= before * T::RealElement::nearest(0.95) || factor == T::RealElement::ONE || limits {
        return false;
    }
    *scale *= factor;
    for j in 0..n {
        a[i + j * n] = a[i + j * n].times(T::RealElement::ONE / factor);
    }
    for x in &mut a[i * n..(i + 1) * n] {
        *x = x.times(factor);
    }
    true
}

impl<P: RealElement> Balance<P> {
    /// Takes the eigenvectors of the balanced matrix, columns of `v`, back to those of the matrix.
    pub(crate) fn undo<T: MatrixElement<RealElement = P>>(&self, v: &mut [T], n: usize) {
        for column in v.chunks_exact_mut(n.max(1)) {
            for (x, &scale) in column.iter_mut().zip(&self.scales) {
                *x = x.times(scale);
            }
            for i in (0..self.low).rev().chain(self.high..n) {
                column.swap(i, self.exchanged[i]);
            }
        }
    }
}
