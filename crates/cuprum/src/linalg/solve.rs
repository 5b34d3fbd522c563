//! Systems of equations, inverses, determinants and the Cholesky factor.

use cuprum_core::{Error, Result, broadcast_shapes, show_shape};
use cuprum_graph::LinalgCall;

use super::{broadcast, check_square, common_dtype, converted, real_dtype, result, run, stack_of};
use crate::Array;

/// Solves `a @ x = b`; a vector `b` is one right-hand side, a matrix holds one a column.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[3.0, 1.0, 1.0, 2.0]).reshape(&[2, 2]).unwrap();
/// let x = linalg::solve(&a, &Array::from_slice(&[9.0, 8.0])).unwrap();
/// assert_eq!(x.to_vec::<f64>().unwrap(), vec![2.0, 3.0]);
/// let singular = Array::from_slice(&[1.0, 1.0, 1.0, 1.0]).reshape(&[2, 2]).unwrap();
/// let error = linalg::solve(&singular, &Array::from_slice(&[1.0, 2.0])).unwrap_err();
/// assert_eq!(error.to_string(), "solve: Singular matrix");
/// ```
pub fn solve(a: &Array, b: &Array) -> Result<Array> {
    let n = check_square("solve", a)?;
    let dtype = common_dtype("solve", &[a, b])?;
    if b.ndim() == 0 {
        return Err(Error::value("solve", "b must have at least one dimension, got a number"));
    }
    // A vector is solved for as a matrix of one column, and the result has that axis removed.
    let vector = b.ndim() == 1;
    let columns = if vector { b.with_layout(b.layout().insert_axis(1)) } else { b.clone() };
    if columns.shape()[columns.ndim() - 2] != n {
        let message = format!(
            "shapes {} and {} do not match: b must have {n} rows",
            show_shape(a.shape()),
            show_shape(b.shape())
        );
        return Err(Error::value("solve", message));
    }
    let stack = broadcast_shapes("solve", &[stack_of(a), stack_of(&columns)])?;
    let k = columns.shape()[columns.ndim() - 1];
    let x = result("solve", a, &stack, &[n, k], dtype)?;
    if x.size() > 0 {
        let a = broadcast("solve", &converted(a, dtype)?, &stack, 2)?;
        let b = broadcast("solve", &converted(&columns, dtype)?, &stack, 2)?;
        let (a, b, into) = (a.view().slot()?, b.view().slot()?, x.view().slot()?);
        run(&x, &stack, LinalgCall::Solve { a: &a, b: &b, x: &into })?;
    }
    Ok(if vector { x.with_layout(x.layout().remove_axis(x.ndim() - 1)) } else { x })
}

/// The inverse.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[0.0, 2.0, 4.0, 0.0]).reshape(&[2, 2]).unwrap();
/// assert_eq!(linalg::inv(&a).unwrap().to_vec::<f64>().unwrap(), vec![0.0, 0.25, 0.5, 0.0]);
/// ```
pub fn inv(a: &Array) -> Result<Array> {
    let n = check_square("inv", a)?;
    let dtype = common_dtype("inv", &[a])?;
    let out = result("inv", a, stack_of(a), &[n, n], dtype)?;
    if out.size() > 0 {
        let (input, into) = (converted(a, dtype)?.view().slot()?, out.view().slot()?);
        run(a, stack_of(a), LinalgCall::Inverse { a: &input, out: &into })?;
    }
    Ok(out)
}

/// The determinant.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[2.0, 1.0, 1.0, 3.0]).reshape(&[2, 2]).unwrap();
/// assert_eq!(linalg::det(&a).unwrap().item::<f64>().unwrap(), 5.0);
/// ```
pub fn det(a: &Array) -> Result<Array> {
    check_square("det", a)?;
    let dtype = common_dtype("det", &[a])?;
    let out = result("det", a, stack_of(a), &[], dtype)?;
    let (input, into) = (converted(a, dtype)?.view().slot()?, out.view().slot()?);
    run(a, stack_of(a), LinalgCall::Determinant { a: &input, out: &into })?;
    Ok(out)
}

/// The sign of the determinant (of absolute value one, or zero) and the logarithm of its absolute value.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[0.0, 1.0, 1.0, 0.0]).reshape(&[2, 2]).unwrap();
/// let (sign, log) = linalg::slogdet(&a).unwrap();
/// assert_eq!((sign.item::<f64>().unwrap(), log.item::<f64>().unwrap()), (-1.0, 0.0));
/// ```
pub fn slogdet(a: &Array) -> Result<(Array, Array)> {
    check_square("slogdet", a)?;
    let dtype = common_dtype("slogdet", &[a])?;
    let sign = result("slogdet", a, stack_of(a), &[], dtype)?;
    let log = result("slogdet", a, stack_of(a), &[], real_dtype(dtype))?;
    let (input, s, l) = (converted(a, dtype)?.view().slot()?, sign.view().slot()?, log.view().slot()?);
    run(a, stack_of(a), LinalgCall::LogDeterminant { a: &input, sign: &s, log: &l })?;
    Ok((sign, log))
}

/// The Cholesky factor of a Hermitian positive definite matrix: lower, or upper; only that triangle is read.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[4.0, 2.0, 2.0, 5.0]).reshape(&[2, 2]).unwrap();
/// assert_eq!(linalg::cholesky(&a, false).unwrap().to_vec::<f64>().unwrap(), vec![2.0, 0.0, 1.0, 2.0]);
/// ```
pub fn cholesky(a: &Array, upper: bool) -> Result<Array> {
    let n = check_square("cholesky", a)?;
    let dtype = common_dtype("cholesky", &[a])?;
    let out = result("cholesky", a, stack_of(a), &[n, n], dtype)?;
    if out.size() > 0 {
        let (input, into) = (converted(a, dtype)?.view().slot()?, out.view().slot()?);
        run(a, stack_of(a), LinalgCall::Cholesky { a: &input, out: &into, upper })?;
    }
    Ok(out)
}
