//! QR factorisation by Householder reflections, stored and signed as LAPACK's `geqrf` has them.

use cuprum_core::Result;
use cuprum_core::memory::collected;
use faer::{Accum, MatMut, MatRef, Par};

use crate::gemm::{BlockStructure, GemmOperand, multiply, subtract};
use crate::{MatrixElement, RealElement, pool, simd, zeros};

/// Columns of a block whose reflections are applied together.
const BLOCK_COLUMNS: usize = 48;
/// Columns that are reflected one by one.
const LEAF_COLUMNS: usize = 4;

/// A factored matrix: R on and above the diagonal of `a`, the reflections' vectors below it.
#[derive(Debug)]
pub struct Qr<T> {
    m: usize,
    n: usize,
    /// The factors of the reflections `I - tau v v^H`.
    pub tau: Vec<T>,
    /// The triangles that join the reflections of a block, side by side, `BLOCK_COLUMNS` rows.
    joints: Vec<T>,
}

/// Factors an `m` by `n` matrix in place.
///
/// ```
/// let mut a = [3.0, 4.0]; // one column
/// let qr = cuprum_lapack::qr::factor(&mut a, 2, 1, 1).unwrap();
/// assert_eq!((a, qr.tau.as_slice()), ([-5.0, 0.5], &[1.6][..]));
/// ```
pub fn factor<T: MatrixElement>(a: &mut [T], m: usize, n: usize, threads: usize) -> Result<Qr<T>> {
    T::qr_factor(a, m, n, threads)
}

pub(crate) fn factor_any<T: MatrixElement>(a: &mut [T], m: usize, n: usize, threads: usize) -> Result<Qr<T>> {
    let k = m.min(n);
    let (mut tau, mut joints) = (zeros(k)?, zeros(BLOCK_COLUMNS.min(k) * k)?);
    let mut scratch = zeros(BLOCK_COLUMNS.min(k) * n)?;
    if k > 0 {
        let matrix = MatMut::from_column_major_slice_mut(a, m, n);
        let triangles = MatMut::from_column_major_slice_mut(&mut joints, BLOCK_COLUMNS.min(k), k);
        pool::with_threads(threads, |par| factor_matrix(matrix, &mut tau, triangles, &mut scratch, par));
    }
    Ok(Qr { m, n, tau, joints })
}

fn factor_matrix<T: MatrixElement>(
    mut a: MatMut<'_, T>,
    tau: &mut [T],
    mut joints: MatMut<'_, T>,
    scratch: &mut [T],
    par: Par,
) {
    let (m, n) = (a.nrows(), a.ncols());
    let k = m.min(n);
    for at in (0..k).step_by(BLOCK_COLUMNS) {
        let width = BLOCK_COLUMNS.min(k - at);
        let (mut panel, rest) = a.as_mut().submatrix_mut(at, at, m - at, n - at).split_at_col_mut(width);
        let mut joint = joints.as_mut().submatrix_mut(0, at, width, width);
        factor_panel(panel.as_mut(), &mut tau[at..at + width], joint.as_mut(), scratch, par);
        reflect(panel.as_ref(), joint.as_ref(), true, rest, scratch, par);
    }
}

impl<T: MatrixElement> Qr<T> {
    /// The first `columns` columns of Q, at least as many as there are reflections, from the factored matrix.
    ///
    /// ```
    /// let mut a = [3.0, 4.0];
    /// let qr = cuprum_lapack::qr::factor(&mut a, 2, 1, 1).unwrap();
    /// let mut q = [0.0; 2];
    /// qr.form_q(&a, &mut q, 1, 1).unwrap();
    /// assert!((q[0] + 0.6f64).abs() < 1e-15 && (q[1] + 0.8).abs() < 1e-15);
    /// ```
    pub fn form_q(&self, a: &[T], q: &mut [T], columns: usize, threads: usize) -> Result<()> {
        let m = self.m;
        q.fill(T::ZERO);
        for i in 0..m.min(columns) {
            q[i + i * m] = T::ONE;
        }
        if m > 0 && columns > 0 {
            let matrix = MatMut::from_column_major_slice_mut(q, m, columns);
            T::qr_apply(self, a, matrix, true, threads)?;
        }
        Ok(())
    }

    /// Q times a matrix in place; `leading` where its columns before `i` are zero in the rows from `i` on.
    pub(crate) fn apply(&self, a: &[T], c: MatMut<'_, T>, leading: bool, threads: usize) -> Result<()> {
        let (m, n, k) = (self.m, self.n, self.tau.len());
        let (a, columns) = (MatRef::from_column_major_slice(a, m, n), c.ncols());
        let joints = MatRef::from_column_major_slice(&self.joints, BLOCK_COLUMNS.min(k), k);
        let mut scratch = zeros(BLOCK_COLUMNS.min(k) * columns)?;
        pool::with_threads(threads, move |par| {
            let mut c = c;
            for at in (0..k).step_by(BLOCK_COLUMNS).rev() {
                let width = BLOCK_COLUMNS.min(k - at);
                let panel = a.submatrix(at, at, m - at, width);
                let first = if leading { at } else { 0 };
                let part = c.as_mut().submatrix_mut(at, first, m - at, columns - first);
                reflect(panel, joints.submatrix(0, at, width, width), false, part, &mut scratch, par);
            }
        });
        Ok(())
    }
}

/// Factors a panel and joins its reflections: `H_0 H_1 ... = I - V T V^H`.
fn factor_panel<T: MatrixElement>(
    a: MatMut<'_, T>,
    tau: &mut [T],
    mut joint: MatMut<'_, T>,
    scratch: &mut [T],
    par: Par,
) {
    let n = a.ncols();
    if n <= LEAF_COLUMNS {
        return factor_leaf(a, tau, joint);
    }
    let half = n / 2;
    let m = a.nrows();
    let (mut left, mut right) = a.split_at_col_mut(half);
    let (tau_left, tau_right) = tau.split_at_mut(half);
    let (mut first, mut corner, _, mut second) = joint.as_mut().split_at_mut(half, half);
    factor_panel(left.as_mut(), tau_left, first.as_mut(), scratch, par);
    reflect(left.as_ref(), first.as_ref(), true, right.as_mut(), scratch, par);
    let mut below = right.submatrix_mut(half, 0, m - half, n - half);
    factor_panel(below.as_mut(), tau_right, second.as_mut(), scratch, par);
    // T12 = -T1 (V1^H V2) T2; V2 begins `half` rows below V1.
    let width = n - half;
    let (middle, tail) = left.as_ref().submatrix(half, 0, m - half, half).split_at_row(width);
    let (unit, v2) = below.as_ref().split_at_row(width);
    let lower = BlockStructure::UnitTriangularLower;
    let whole = BlockStructure::Rectangular;
    let (adjoint, unit) = (GemmOperand::adjoint(middle), GemmOperand::plain(unit).only(lower));
    multiply(corner.as_mut(), whole, Accum::Replace, T::ONE, adjoint, unit, Par::Seq);
    let (adjoint, v2) = (GemmOperand::adjoint(tail), GemmOperand::plain(v2));
    multiply(corner.as_mut(), whole, Accum::Add, T::ONE, adjoint, v2, par);
    let upper = BlockStructure::TriangularUpper;
    let mut product = MatMut::from_column_major_slice_mut(&mut scratch[..half * width], half, width);
    let (t1, t2) =
        (GemmOperand::plain(first.as_ref()).only(upper), GemmOperand::plain(second.as_ref()).only(upper));
    multiply(
        product.as_mut(),
        whole,
        Accum::Replace,
        -T::ONE,
        t1,
        GemmOperand::plain(corner.as_ref()),
        Par::Seq,
    );
    multiply(corner, whole, Accum::Replace, T::ONE, GemmOperand::plain(product.as_ref()), t2, Par::Seq);
}

/// Applies the block of reflections, or its conjugate transpose, to `c` from the left.
fn reflect<T: MatrixElement>(
    v: MatRef<'_, T>,
    joint: MatRef<'_, T>,
    adjoint: bool,
    mut c: MatMut<'_, T>,
    scratch: &mut [T],
    par: Par,
) {
    let (k, n) = (v.ncols(), c.ncols());
    if n == 0 {
        return;
    }
    let (whole, unit) = (BlockStructure::Rectangular, BlockStructure::UnitTriangularUpper);
    let (head, tail) = v.split_at_row(k);
    let mut w = MatMut::from_column_major_slice_mut(&mut scratch[..k * n], k, n);
    let (mut top, mut bottom) = c.as_mut().split_at_row_mut(k);
    // W = V^H C
    let head_adjoint = GemmOperand::adjoint(head).only(unit);
    multiply(w.as_mut(), whole, Accum::Replace, T::ONE, head_adjoint, GemmOperand::plain(top.as_ref()), par);
    if bottom.nrows() > 0 {
        let below = (GemmOperand::adjoint(tail), GemmOperand::plain(bottom.as_ref()));
        multiply(w.as_mut(), whole, Accum::Add, T::ONE, below.0, below.1, par);
    }
    // W = T W, in place from the side where T has its zeros.
    triangle_times(joint, adjoint, w.as_mut());
    // C -= V W
    let lower = BlockStructure::UnitTriangularLower;
    subtract(top.as_mut(), GemmOperand::plain(head).only(lower), GemmOperand::plain(w.as_ref()), par);
    if bottom.nrows() > 0 {
        subtract(bottom.as_mut(), GemmOperand::plain(tail), GemmOperand::plain(w.as_ref()), par);
    }
}

/// `w = t @ w` for an upper triangle, or its conjugate transpose.
fn triangle_times<T: MatrixElement>(t: MatRef<'_, T>, adjoint: bool, w: MatMut<'_, T>) {
    let k = t.nrows();
    let mut columns = [T::ZERO; BLOCK_COLUMNS * BLOCK_COLUMNS];
    for j in 0..k {
        for i in 0..=j {
            // The matrix that multiplies, column by column.
            if adjoint {
                columns[j + i * BLOCK_COLUMNS] = t[(i, j)].conjugate();
            } else {
                columns[i + j * BLOCK_COLUMNS] = t[(i, j)];
            }
        }
    }
    simd::run(|| {
        let mut product = [T::ZERO; BLOCK_COLUMNS];
        for column in w.col_iter_mut() {
            let column = column.try_as_col_major_mut().expect("scratch is column-major").as_slice_mut();
            product[..k].fill(T::ZERO);
            for (j, &x) in column.iter().enumerate() {
                let range = if adjoint { j..k } else { 0..j + 1 };
                let from = &columns[j * BLOCK_COLUMNS..][range.clone()];
                for (sum, &y) in product[range].iter_mut().zip(from) {
                    *sum += y * x;
                }
            }
            column.copy_from_slice(&product[..k]);
        }
    });
}

fn factor_leaf<T: MatrixElement>(mut a: MatMut<'_, T>, tau: &mut [T], mut joint: MatMut<'_, T>) {
    let (m, n) = (a.nrows(), a.ncols());
    for j in 0..n {
        let (mut done, rest) = a.as_mut().split_at_col_mut(j + 1);
        let column = done.as_mut().col_mut(j).try_as_col_major_mut().expect("column-major").as_slice_mut();
        let (head, tail) = column[j..].split_first_mut().expect("j is a row");
        tau[j] = reflector(head, tail);
        let (v, factor) = (&*tail, tau[j].conjugate());
        for other in rest.col_iter_mut() {
            let other = other.try_as_col_major_mut().expect("column-major").as_slice_mut();
            let (head, tail) = other[j..].split_first_mut().expect("j is a row");
            let along = factor * (*head + simd::run(|| dot(v, tail)));
            *head -= along;
            simd::run(|| {
                for (x, &y) in tail.iter_mut().zip(v) {
                    *x -= y * along;
                }
            });
        }
        joint[(j, j)] = tau[j];
        let mut overlaps = [T::ZERO; LEAF_COLUMNS];
        for (i, overlap) in overlaps.iter_mut().enumerate().take(j) {
            let columns = done.as_ref();
            let at = |j: usize| columns.col(j).try_as_col_major().expect("column-major").as_slice();
            *overlap = at(i)[j].conjugate() + simd::run(|| dot(&at(i)[j + 1..m], &at(j)[j + 1..m]));
        }
        for i in 0..j {
            let sum = (i..j).fold(T::ZERO, |sum, k| sum + joint[(i, k)] * overlaps[k]);
            joint[(i, j)] = -(tau[j] * sum);
        }
    }
}

/// Makes `I - tau v v^H` that takes `(head, tail)` to `(beta, 0)`: `head` becomes beta, `tail` v without its leading
/// one. Beta is real and has the sign opposite to the head's real part; LAPACK's `larfg`.
pub(crate) fn reflector<T: MatrixElement>(head: &mut T, tail: &mut [T]) -> T {
    let (mut alpha, mut length) = (*head, norm(tail));
    if length == T::RealElement::ZERO && alpha.im() == T::RealElement::ZERO {
        return T::ZERO;
    }
    let size = |alpha: T, length: T::RealElement| {
        let size = alpha.modulus().hypotenuse(length);
        -size.with_sign_of(alpha.re())
    };
    let mut beta = size(alpha, length);
    // Where beta is tiny its reciprocal overflows: the vector is enlarged, and beta taken back.
    let tiny = T::RealElement::TINY / T::RealElement::EPSILON;
    let mut steps = 0;
    while beta.size1() < tiny && steps < 20 {
        let up = T::RealElement::ONE / tiny;
        for x in tail.iter_mut() {
            *x = x.times(up);
        }
        alpha = alpha.times(up);
        length = norm(tail);
        beta = size(alpha, length);
        steps += 1;
    }
    let tau = T::from_reals((beta - alpha.re()) / beta, -alpha.im() / beta);
    let divisor = alpha - T::from_real(beta);
    let inverse = T::ONE.over(divisor);
    simd::run(|| {
        for x in tail.iter_mut() {
            *x *= inverse;
        }
    });
    for _ in 0..steps {
        beta *= tiny;
    }
    *head = T::from_real(beta);
    tau
}

/// The Euclidean length, without overflow or underflow on the way.
pub(crate) fn norm<T: MatrixElement>(x: &[T]) -> T::RealElement {
    let sum = simd::run(|| sum_of_squares(x, T::RealElement::ONE));
    let (low, high) =
        (T::RealElement::TINY / T::RealElement::EPSILON, T::RealElement::LARGEST * T::RealElement::EPSILON);
    if sum > low && sum < high {
        return sum.root();
    }
    let most = x.iter().fold(T::RealElement::ZERO, |most, y| {
        let size = if y.re().size1() > y.im().size1() { y.re().size1() } else { y.im().size1() };
        if size > most || size.partial_cmp(&size).is_none() { size } else { most }
    });
    if most == T::RealElement::ZERO || !most.finite() {
        return most;
    }
    let e = most.exponent();
    // Two factors: one alone may overflow.
    let half = |e: i32| T::RealElement::ONE.times_power_of_two(e);
    let scaled: Vec<T> = collected(x.iter().map(|y| y.times(half(-e / 2)).times(half(-e - -e / 2))));
    sum_of_squares(&scaled, T::RealElement::ONE).root().times_power_of_two(e)
}

#[inline(always)]
fn sum_of_squares<T: MatrixElement>(x: &[T], scale: T::RealElement) -> T::RealElement {
    let square = |y: &T| (y.re() * scale) * (y.re() * scale) + (y.im() * scale) * (y.im() * scale);
    let mut lanes = [T::RealElement::ZERO; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (lane, y) in lanes.iter_mut().zip(chunk) {
            *lane += square(y);
        }
    }
    let tail = rest.iter().fold(T::RealElement::ZERO, |sum, y| sum + square(y));
    fold_lanes(lanes) + tail
}

/// `conj(x) . y`
#[inline(always)]
pub(crate) fn dot<T: MatrixElement>(x: &[T], y: &[T]) -> T {
    let mut lanes = [T::ZERO; 16];
    let length = x.len().min(y.len());
    let (chunks, rest) = x[..length].as_chunks::<16>();
    let (others, others_rest) = y[..length].as_chunks::<16>();
    for (a, b) in chunks.iter().zip(others) {
        for i in 0..16 {
            lanes[i] += a[i].conjugate() * b[i];
        }
    }
    let tail = rest.iter().zip(others_rest).fold(T::ZERO, |sum, (&a, &b)| sum + a.conjugate() * b);
    fold_lanes(lanes) + tail
}

#[inline(always)]
fn fold_lanes<T: MatrixElement>(mut lanes: [T; 16]) -> T {
    for width in [8, 4, 2, 1] {
        for i in 0..width {
            let other = lanes[i + width];
            lanes[i] += other;
        }
    }
    lanes[0]
}
