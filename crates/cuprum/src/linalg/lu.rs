//! LU factors and triangular systems, as SciPy has them.

use cuprum_core::memory::{try_filled, try_with_capacity};
use cuprum_core::{DType, Error, Number, Order, Result, broadcast_shapes, show_shape};
use cuprum_graph::LinalgCall;

use super::{broadcast, check_matrix, check_square, common_dtype, converted, result, run, stack_of};
use crate::Array;
use crate::device::check_devices;
use crate::elementwise::{Arg, assign};

/// Which system is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transpose {
    /// `a x = b`
    #[default]
    No,
    /// `a^T x = b`
    Plain,
    /// `a^H x = b`
    Conjugate,
}

/// LU factors packed into one matrix, and the pivots: row `i` was exchanged with row `pivots[i]`, in this order.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[1.0, 3.0, 2.0, 4.0]).reshape(&[2, 2]).unwrap();
/// let (lu, pivots) = linalg::lu_factor(&a).unwrap();
/// assert_eq!(lu.to_vec::<f64>().unwrap(), vec![2.0, 4.0, 0.5, 1.0]);
/// assert_eq!(pivots.to_vec::<i32>().unwrap(), vec![1, 1]);
/// ```
pub fn lu_factor(a: &Array) -> Result<(Array, Array)> {
    let (m, n) = check_matrix("lu_factor", a)?;
    let dtype = common_dtype("lu_factor", &[a])?;
    let factors = result("lu_factor", a, stack_of(a), &[m, n], dtype)?;
    let pivots = result("lu_factor", a, stack_of(a), &[m.min(n)], DType::I32)?;
    if factors.size() > 0 {
        let (input, x, p) =
            (converted(a, dtype)?.view().slot()?, factors.view().slot()?, pivots.view().slot()?);
        run(a, stack_of(a), LinalgCall::Lu { a: &input, lu: &x, pivots: &p })?;
    }
    Ok((factors, pivots))
}

/// The factors `(order, l, u)` of a matrix: `a[i] = (l u)[order[i]]`, with a unit lower triangle l and an upper
/// triangle u.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[1.0, 3.0, 2.0, 4.0]).reshape(&[2, 2]).unwrap();
/// let (order, l, u) = linalg::lu(&a).unwrap();
/// assert_eq!(order.to_vec::<i64>().unwrap(), vec![1, 0]);
/// assert_eq!(l.to_vec::<f64>().unwrap(), vec![1.0, 0.0, 0.5, 1.0]);
/// assert_eq!(u.to_vec::<f64>().unwrap(), vec![2.0, 4.0, 0.0, 1.0]);
/// ```
pub fn lu(a: &Array) -> Result<(Array, Array, Array)> {
    let (m, n) = check_matrix("lu", a)?;
    let (factors, pivots) = lu_factor(a)?;
    let k = m.min(n);
    let part = |rows: usize, columns: usize| {
        let axis = factors.ndim() - 2;
        let layout = factors.layout().slice_axis(axis, 0, 1, rows).slice_axis(axis + 1, 0, 1, columns);
        factors.with_layout(layout)
    };
    let l = crate::creation::tril(&part(m, k), -1)?;
    let ones = crate::manipulation::diagonal(&l, 0, -2, -1)?.with_writeable(true);
    assign("lu", &ones, Arg::Number(Number::Int(1)), None)?;
    let u = crate::creation::triu(&part(k, n), 0)?;
    Ok((row_order(&pivots, m)?, l, u))
}

/// Where each row of the matrix went: the inverse of the permutation that the exchanges make.
fn row_order(pivots: &Array, m: usize) -> Result<Array> {
    let k = pivots.shape()[pivots.ndim() - 1];
    let swaps = pivots.contiguous()?.to_vec::<i32>()?;
    let count = pivots.shape()[..pivots.ndim() - 1].iter().product::<usize>();
    let mut places = try_with_capacity(count * m)?;
    for one in 0..count {
        let mut order = try_with_capacity(m)?;
        order.extend(0..m);
        for (i, &pivot) in swaps[one * k..(one + 1) * k].iter().enumerate() {
            order.swap(i, pivot as usize);
        }
        let mut place = try_filled(m, 0i64)?;
        for (to, &from) in order.iter().enumerate() {
            place[from] = to as i64;
        }
        places.extend(place);
    }
    let mut shape: Vec<i64> = pivots.shape().iter().map(|&d| d as i64).collect();
    *shape.last_mut().expect("pivots have an axis") = m as i64;
    crate::manipulation::reshape(&Array::from_slice_on(pivots.device(), &places)?, &shape, Order::C)
}

/// Solves with the factors of [`lu_factor`].
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[3.0, 1.0, 1.0, 2.0]).reshape(&[2, 2]).unwrap();
/// let (lu, pivots) = linalg::lu_factor(&a).unwrap();
/// let x = linalg::lu_solve(&lu, &pivots, &Array::from_slice(&[9.0, 8.0]), Default::default()).unwrap();
/// assert_eq!(x.to_vec::<f64>().unwrap(), vec![2.0, 3.0]);
/// ```
pub fn lu_solve(lu: &Array, pivots: &Array, b: &Array, transpose: Transpose) -> Result<Array> {
    let n = check_square("lu_solve", lu)?;
    let dtype = common_dtype("lu_solve", &[lu, b])?;
    check_devices("lu_solve", [lu, pivots])?;
    if pivots.ndim() == 0 || pivots.shape()[pivots.ndim() - 1] != n {
        let message = format!("pivots must be {n} a matrix, got shape {}", show_shape(pivots.shape()));
        return Err(Error::value("lu_solve", message));
    }
    let (columns, vector) = right_hand_sides("lu_solve", lu, b, n)?;
    let lead = &pivots.shape()[..pivots.ndim() - 1];
    let stack = broadcast_shapes("lu_solve", &[stack_of(lu), lead, stack_of(&columns)])?;
    let x = result("lu_solve", lu, &stack, &[n, columns.shape()[columns.ndim() - 1]], dtype)?;
    if x.size() > 0 {
        let f = broadcast("lu_solve", &converted(lu, dtype)?, &stack, 2)?;
        let p = broadcast("lu_solve", &checked_pivots(pivots, n)?, &stack, 1)?;
        let b = broadcast("lu_solve", &converted(&columns, dtype)?, &stack, 2)?;
        let (lu, pivots, b, into) = (f.view().slot()?, p.view().slot()?, b.view().slot()?, x.view().slot()?);
        let call = LinalgCall::LuSolve {
            lu: &lu,
            pivots: &pivots,
            b: &b,
            x: &into,
            transposed: transpose != Transpose::No,
            conjugated: transpose == Transpose::Conjugate,
        };
        run(&x, &stack, call)?;
    }
    Ok(if vector { x.with_layout(x.layout().remove_axis(x.ndim() - 1)) } else { x })
}

/// Exchanges that name rows, as int32.
fn checked_pivots(pivots: &Array, n: usize) -> Result<Array> {
    let p = converted(pivots, DType::I32)?.contiguous()?;
    if p.to_vec::<i32>()?.iter().any(|&p| p < 0 || p as usize >= n) {
        return Err(Error::value("lu_solve", format!("pivots must be from 0 to {}", n.saturating_sub(1))));
    }
    Ok(p)
}

/// `b` as a matrix of columns, and whether it was one vector.
fn right_hand_sides(op: &'static str, a: &Array, b: &Array, n: usize) -> Result<(Array, bool)> {
    let vector = b.ndim() == 1;
    let columns = if vector { b.with_layout(b.layout().insert_axis(1)) } else { b.clone() };
    if b.ndim() == 0 || columns.shape()[columns.ndim() - 2] != n {
        let message = format!(
            "shapes {} and {} do not match: b must have {n} rows",
            show_shape(a.shape()),
            show_shape(b.shape())
        );
        return Err(Error::value(op, message));
    }
    Ok((columns, vector))
}

/// Solves with one triangle of `a`, the rest of which is not read; with `unit`, its diagonal is taken as ones.
///
/// ```
/// use cuprum::{Array, linalg};
/// let a = Array::from_slice(&[2.0, f64::NAN, 1.0, 4.0]).reshape(&[2, 2]).unwrap();
/// let b = Array::from_slice(&[2.0, 9.0]);
/// let x = linalg::solve_triangular(&a, &b, Default::default(), true, false).unwrap();
/// assert_eq!(x.to_vec::<f64>().unwrap(), vec![1.0, 2.0]);
/// ```
pub fn solve_triangular(
    a: &Array,
    b: &Array,
    transpose: Transpose,
    lower: bool,
    unit: bool,
) -> Result<Array> {
    let n = check_square("solve_triangular", a)?;
    let dtype = common_dtype("solve_triangular", &[a, b])?;
    let (columns, vector) = right_hand_sides("solve_triangular", a, b, n)?;
    let stack = broadcast_shapes("solve_triangular", &[stack_of(a), stack_of(&columns)])?;
    let x = result("solve_triangular", a, &stack, &[n, columns.shape()[columns.ndim() - 1]], dtype)?;
    if x.size() > 0 {
        let a = broadcast("solve_triangular", &converted(a, dtype)?, &stack, 2)?;
        let b = broadcast("solve_triangular", &converted(&columns, dtype)?, &stack, 2)?;
        let (a, b, into) = (a.view().slot()?, b.view().slot()?, x.view().slot()?);
        let call = LinalgCall::SolveTriangular {
            a: &a,
            b: &b,
            x: &into,
            lower,
            unit,
            transposed: transpose != Transpose::No,
            conjugated: transpose == Transpose::Conjugate,
        };
        run(&x, &stack, call)?;
    }
    Ok(if vector { x.with_layout(x.layout().remove_axis(x.ndim() - 1)) } else { x })
}
