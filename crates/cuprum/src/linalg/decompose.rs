//! QR, singular values and eigenvalues.

use cuprum_core::Result;
use cuprum_graph::{LinalgCall, QrResult};

use super::{
    check_matrix, check_square, common_dtype, complex_dtype, converted, real_dtype, result, run, stack_of,
};
use crate::Array;

/// Which factors [`qr`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrMode {
    /// Q of shape (m, k) and R of shape (k, n), k being the smaller of m and n.
    Reduced,
    /// Q of shape (m, m) and R of shape (m, n).
    Complete,
    /// R alone, reduced; the first result is empty.
    R,
    /// The reflections as LAPACK packs them, transposed, and their factors.
    Raw,
}

/// `a = q @ r` with orthonormal columns of q and an upper triangle r, signed as LAPACK does.
///
/// ```
/// use cuprum::{Array, linalg, linalg::QrMode};
/// let a = Array::from_slice(&[3.0, 4.0]).reshape(&[2, 1]).unwrap();
/// let (q, r) = linalg::qr(&a, QrMode::Reduced).unwrap();
/// assert_eq!((q.shape(), r.item::<f64>().unwrap()), (&[2, 1][..], -5.0));
/// ```
pub fn qr(a: &Array, mode: QrMode) -> Result<(Array, Array)> {
    let (m, n) = check_matrix("qr", a)?;
    let dtype = common_dtype("qr", &[a])?;
    let (stack, k) = (stack_of(a), m.min(n));
    let made = |last: &[usize]| result("qr", a, stack, last, dtype);
    let (first, second) = match mode {
        QrMode::Reduced => (made(&[m, k])?, made(&[k, n])?),
        QrMode::Complete => (made(&[m, m])?, made(&[m, n])?),
        QrMode::R => (made(&[0])?, made(&[k, n])?),
        QrMode::Raw => (made(&[n, m])?, made(&[k])?),
    };
    // The packed factors are stored transposed, for Fortran.
    let packed = first.ndim() - 2 + usize::from(mode == QrMode::R);
    let turned = match mode {
        QrMode::Raw => {
            let mut order: Vec<usize> = (0..first.ndim()).collect();
            order.swap(packed, packed + 1);
            first.with_layout(first.layout().permute(&order))
        }
        _ => first.clone(),
    };
    let (input, x, y) = (converted(a, dtype)?.view().slot()?, turned.view().slot()?, second.view().slot()?);
    let wanted = match mode {
        QrMode::Reduced | QrMode::Complete => QrResult::QAndR(&x, &y),
        QrMode::R => QrResult::R(&y),
        QrMode::Raw => QrResult::Packed(&x, &y),
    };
    run(a, stack, LinalgCall::Qr { a: &input, result: wanted })?;
    Ok((first, second))
}

/// `a = u @ diag(s) @ vh`, s falling; with `full`, u and vh are square.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[0.0, 3.0, 4.0, 0.0]).reshape(&[2, 2]).unwrap();
/// let (u, s, vh) = linalg::svd(&a, true).unwrap();
/// assert_eq!((u.shape(), vh.shape()), (&[2, 2][..], &[2, 2][..]));
/// assert!((s.to_vec::<f64>().unwrap()[0] - 4.0).abs() < 1e-14);
/// ```
pub fn svd(a: &Array, full: bool) -> Result<(Array, Array, Array)> {
    let (m, n) = check_matrix("svd", a)?;
    let dtype = common_dtype("svd", &[a])?;
    let (stack, k) = (stack_of(a), m.min(n));
    let (columns, rows) = if full { (m, n) } else { (k, k) };
    let u = result("svd", a, stack, &[m, columns], dtype)?;
    let s = result("svd", a, stack, &[k], real_dtype(dtype))?;
    let vh = result("svd", a, stack, &[rows, n], dtype)?;
    let (input, values) = (converted(a, dtype)?.view().slot()?, s.view().slot()?);
    let (left, right) = (u.view().slot()?, vh.view().slot()?);
    run(a, stack, LinalgCall::Svd { a: &input, s: &values, vectors: Some((&left, &right)) })?;
    Ok((u, s, vh))
}

/// The singular values, falling.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[3.0, 4.0]).reshape(&[2, 1]).unwrap();
/// assert!((linalg::svdvals(&a).unwrap().to_vec::<f64>().unwrap()[0] - 5.0).abs() < 1e-14);
/// ```
pub fn svdvals(a: &Array) -> Result<Array> {
    let (m, n) = check_matrix("svd", a)?;
    let dtype = common_dtype("svd", &[a])?;
    let s = result("svd", a, stack_of(a), &[m.min(n)], real_dtype(dtype))?;
    if s.size() > 0 {
        let (input, values) = (converted(a, dtype)?.view().slot()?, s.view().slot()?);
        run(a, stack_of(a), LinalgCall::Svd { a: &input, s: &values, vectors: None })?;
    }
    Ok(s)
}

/// Eigenvalues, rising, and eigenvectors (columns) of a Hermitian matrix of which one triangle is read.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[2.0, 1.0, 1.0, 2.0]).reshape(&[2, 2]).unwrap();
/// let (w, v) = linalg::eigh(&a, false).unwrap();
/// let w = w.to_vec::<f64>().unwrap();
/// assert!((w[0] - 1.0).abs() < 1e-14 && (w[1] - 3.0).abs() < 1e-14 && v.shape() == [2, 2]);
/// ```
pub fn eigh(a: &Array, upper: bool) -> Result<(Array, Array)> {
    let n = check_square("eigh", a)?;
    let dtype = common_dtype("eigh", &[a])?;
    let w = result("eigh", a, stack_of(a), &[n], real_dtype(dtype))?;
    let v = result("eigh", a, stack_of(a), &[n, n], dtype)?;
    if v.size() > 0 {
        let (input, values, vectors) =
            (converted(a, dtype)?.view().slot()?, w.view().slot()?, v.view().slot()?);
        let call = LinalgCall::Eigh { a: &input, upper, values: &values, vectors: Some(&vectors) };
        run(a, stack_of(a), call)?;
    }
    Ok((w, v))
}

/// The eigenvalues of a Hermitian matrix, rising.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[0.0, 1.0, 1.0, 0.0]).reshape(&[2, 2]).unwrap();
/// let w = linalg::eigvalsh(&a, false).unwrap().to_vec::<f64>().unwrap();
/// assert!((w[0] + 1.0).abs() < 1e-15 && (w[1] - 1.0).abs() < 1e-15);
/// ```
pub fn eigvalsh(a: &Array, upper: bool) -> Result<Array> {
    let n = check_square("eigvalsh", a)?;
    let dtype = common_dtype("eigvalsh", &[a])?;
    let w = result("eigvalsh", a, stack_of(a), &[n], real_dtype(dtype))?;
    if w.size() > 0 {
        let (input, values) = (converted(a, dtype)?.view().slot()?, w.view().slot()?);
        run(a, stack_of(a), LinalgCall::Eigh { a: &input, upper, values: &values, vectors: None })?;
    }
    Ok(w)
}

/// Eigenvalues and eigenvectors (columns of length one) of a square matrix: complex numbers, so that the type of the
/// result does not depend on the elements.
///
/// ```
/// use cuprum::{Array, DType, linalg};
/// let a = Array::from_slice(&[0.0, -1.0, 1.0, 0.0]).reshape(&[2, 2]).unwrap();
/// let (w, v) = linalg::eig(&a).unwrap();
/// assert_eq!((w.dtype(), v.dtype()), (DType::C128, DType::C128));
/// ```
pub fn eig(a: &Array) -> Result<(Array, Array)> {
    let n = check_square("eig", a)?;
    let dtype = common_dtype("eig", &[a])?;
    let w = result("eig", a, stack_of(a), &[n], complex_dtype(dtype))?;
    let v = result("eig", a, stack_of(a), &[n, n], complex_dtype(dtype))?;
    if v.size() > 0 {
        let (input, values, vectors) =
            (converted(a, dtype)?.view().slot()?, w.view().slot()?, v.view().slot()?);
        run(a, stack_of(a), LinalgCall::Eig { a: &input, values: &values, vectors: Some(&vectors) })?;
    }
    Ok((w, v))
}

/// The eigenvalues of a square matrix, complex numbers in no particular order.
///
/// ```
/// use cuprum::{Array, Op, linalg};
/// let a = Array::from_slice(&[1.0, 5.0, 0.0, 2.0]).reshape(&[2, 2]).unwrap();
/// let w = linalg::eigvals(&a).unwrap().unary(Op::Real).unwrap();
/// assert_eq!(w.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// ```
pub fn eigvals(a: &Array) -> Result<Array> {
    let n = check_square("eigvals", a)?;
    let dtype = common_dtype("eigvals", &[a])?;
    let w = result("eigvals", a, stack_of(a), &[n], complex_dtype(dtype))?;
    if w.size() > 0 {
        let (input, values) = (converted(a, dtype)?.view().slot()?, w.view().slot()?);
        run(a, stack_of(a), LinalgCall::Eig { a: &input, values: &values, vectors: None })?;
    }
    Ok(w)
}
