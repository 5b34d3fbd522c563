//! Products of arrays: matrix, dot, inner, outer, tensor, Kronecker and cross products, traces and Einstein sums.
//!
//! All contractions end in the device's one matrix product; what needs none is recorded and fuses.

mod einsum;

pub use einsum::einsum;

use cuprum_core::{
    Casting, DType, Dims, Error, Layout, Op, Order, Result, Scalar, broadcast_shapes, normalize_axes,
    normalize_axis, show_shape,
};
use cuprum_graph::{Call, NodeArg, map};
use smallvec::SmallVec;

use crate::call::run_call;
use crate::creation::{result_array, zeros_on};
use crate::device::check_devices;
use crate::elementwise::{Arg, assign};
use crate::fast_path;
use crate::manipulation::{ravel, reshape};
use crate::reduction::{self, ReduceOptions};
use crate::{Array, manipulation};

/// Rows and columns of matrices whose product is recorded, at most.
const SHORT_SIDE: usize = 8;

/// The matrix product, over broadcast leading axes: `a @ b`.
///
/// ```
/// use cuprum::products::matmul;
/// use cuprum::{Array, DType, creation};
/// let a = Array::from_slice(&[1.0, 2.0, 3.0, 4.0]).reshape(&[2, 2]).unwrap();
/// let v = Array::from_slice(&[1.0, 1.0]);
/// assert_eq!(matmul(&a, &v, None).unwrap().to_vec::<f64>().unwrap(), vec![3.0, 7.0]);
/// let (p, q) = (creation::zeros(&[3, 4], DType::F64).unwrap(), creation::zeros(&[5, 6], DType::F64).unwrap());
/// assert_eq!(
///     matmul(&p, &q, None).unwrap_err().to_string(),
///     "matmul: shapes (3, 4) and (5, 6) do not match: 4 != 5"
/// );
/// ```
pub fn matmul(a: &Array, b: &Array, out: Option<&Array>) -> Result<Array> {
    if let Some(result) = fast_path::multiply(a, b, out) {
        return result;
    }
    // As in every ufunc, types are settled before shapes are looked at.
    check_storable("matmul", a.dtype().promote(b.dtype()), out)?;
    for (i, operand) in [a, b].into_iter().enumerate() {
        if operand.ndim() == 0 {
            let message =
                format!("input operand {i} does not have enough dimensions (has 0, needs at least 1)");
            return Err(Error::value("matmul", message));
        }
    }
    stored("matmul", product("matmul", a, b)?, out)
}

/// The matrix product of operands with axes. A vector is a row on the left and a column on the right; its extra axis goes away
/// again.
fn product(op: &'static str, a: &Array, b: &Array) -> Result<Array> {
    let left = if a.ndim() == 1 { a.with_layout(a.layout().insert_axis(0)) } else { a.clone() };
    let right = if b.ndim() == 1 { b.with_layout(b.layout().insert_axis(1)) } else { b.clone() };
    let (k, inner) = (left.shape()[left.ndim() - 1], right.shape()[right.ndim() - 2]);
    if k != inner {
        let message = format!(
            "shapes {} and {} do not match: {k} != {inner}",
            show_shape(a.shape()),
            show_shape(b.shape())
        );
        return Err(Error::value(op, message));
    }
    let product = multiply_matrices(op, &left, &right)?;
    let mut layout = product.layout().clone();
    if b.ndim() == 1 {
        layout = layout.remove_axis(layout.ndim() - 1);
    }
    if a.ndim() == 1 {
        let row = layout.ndim() - if b.ndim() == 1 { 1 } else { 2 };
        layout = layout.remove_axis(row);
    }
    Ok(product.with_layout(layout))
}

/// The product of stacks of matrices whose inner lengths agree.
fn multiply_matrices(op: &'static str, a: &Array, b: &Array) -> Result<Array> {
    check_devices(op, [a, b])?;
    let dtype = a.dtype().promote(b.dtype());
    let (na, nb) = (a.ndim() - 2, b.ndim() - 2);
    let batch = broadcast_shapes(op, &[&a.shape()[..na], &b.shape()[..nb]])?;
    let mut shape = batch.clone();
    shape.extend_from_slice(&[a.shape()[na], b.shape()[nb + 1]]);
    if a.shape()[na + 1] == 0 {
        return zeros_on(a.device(), &shape, dtype);
    }
    if is_short(a, b, dtype) && !shape.contains(&0) {
        return short_product(op, &converted(a, dtype)?, &converted(b, dtype)?, &shape);
    }
    let out = result_array(op, a, &shape, dtype)?;
    if out.size() == 0 {
        return Ok(out);
    }
    let (a, b) = (matrices(op, a, &batch, dtype)?, matrices(op, b, &batch, dtype)?);
    let (a, b, c) = (a.view().slot()?, b.view().slot()?, out.view().slot()?);
    run_call(out.device(), &Call::Matmul { a: &a, b: &b, out: &c })?;
    Ok(out)
}

/// Whether matrices are so small that their product is recorded as multiplications and additions.
fn is_short(a: &Array, b: &Array, dtype: DType) -> bool {
    let (m, k, n) = (a.shape()[a.ndim() - 2], a.shape()[a.ndim() - 1], b.shape()[b.ndim() - 1]);
    let sums_in_itself = matches!(dtype, DType::F32 | DType::F64 | DType::C64 | DType::C128);
    sums_in_itself && k <= a.device().short_products() && m <= SHORT_SIDE && n <= SHORT_SIDE
}

/// The product of stacks of small matrices, recorded as multiplications and additions. A sum starts with the first
/// product, and adds a zero at the end: so a negative zero gets the sign that it has in sums that start at zero.
fn short_product(op: &'static str, a: &Array, b: &Array, shape: &[usize]) -> Result<Array> {
    let (device, dtype) = (a.device(), a.dtype());
    let layout = Layout::contiguous(shape, dtype.size());
    // Elements that are read more than once are stored before.
    for (operand, times) in [(a, shape[shape.len() - 1]), (b, shape[shape.len() - 2])] {
        if times > 1 {
            operand.view().storage().force()?;
        }
    }
    let column = |at: usize| -> Result<NodeArg> {
        let column = a.layout().slice_axis(a.ndim() - 1, at, 1, 1).broadcast_to(op, shape)?;
        Ok(NodeArg::View(a.with_layout(column).view().clone()))
    };
    let row = |at: usize| -> Result<NodeArg> {
        let row = b.layout().slice_axis(b.ndim() - 2, at, 1, 1).broadcast_to(op, shape)?;
        Ok(NodeArg::View(b.with_layout(row).view().clone()))
    };
    let record = |op: Op, first: NodeArg, second: NodeArg| {
        map(device, op, dtype, SmallVec::from_buf([first, second]), layout.clone()).map(NodeArg::View)
    };
    let mut total = record(Op::Multiply, column(0)?, row(0)?)?;
    for at in 1..a.shape()[a.ndim() - 1] {
        let next = record(Op::Multiply, column(at)?, row(at)?)?;
        total = record(Op::Add, total, next)?;
    }
    let zero = NodeArg::Scalar(Scalar::zero(dtype));
    let view = map(device, Op::Add, dtype, SmallVec::from_buf([total, zero]), layout.clone())?;
    Ok(Array::from_view(view))
}

/// A stack of matrices in a dtype, its leading axes broadcast.
fn matrices(op: &'static str, a: &Array, batch: &[usize], dtype: DType) -> Result<Array> {
    let a = converted(a, dtype)?;
    let mut shape = Dims::from_slice(batch);
    shape.extend_from_slice(&a.shape()[a.ndim() - 2..]);
    Ok(a.with_layout(a.layout().broadcast_to(op, &shape)?))
}

fn converted(a: &Array, dtype: DType) -> Result<Array> {
    if a.dtype() == dtype { Ok(a.clone()) } else { a.astype(dtype) }
}

/// The result, or `out` with the result in it.
fn stored(op: &'static str, result: Array, out: Option<&Array>) -> Result<Array> {
    let Some(out) = out else { return Ok(result) };
    if out.shape() != result.shape() {
        let message = format!(
            "output has shape {}, the result has shape {}",
            show_shape(out.shape()),
            show_shape(result.shape())
        );
        return Err(Error::value(op, message));
    }
    check_storable(op, result.dtype(), Some(out))?;
    assign(op, out, Arg::Array(&result), None)?;
    Ok(out.clone())
}

fn check_storable(op: &'static str, from: DType, out: Option<&Array>) -> Result<()> {
    match out.map(Array::dtype) {
        Some(to) if !from.can_cast(to, Casting::SameKind) => {
            Err(Error::Cast { op: op.into(), from, to, casting: Casting::SameKind })
        }
        _ => Ok(()),
    }
}

/// The dot product: last axis of `a` with the last but one of `b`; with a number it is multiplication.
///
/// ```
/// use cuprum::products::dot;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3]);
/// assert_eq!(dot(&a, &a, None).unwrap().item::<i32>().unwrap(), 14);
/// ```
pub fn dot(a: &Array, b: &Array, out: Option<&Array>) -> Result<Array> {
    if let Some(result) = fast_path::multiply(a, b, out) {
        return result;
    }
    if a.ndim() == 0 || b.ndim() == 0 {
        return stored("dot", times_number(a, b)?, out);
    }
    let axis = b.ndim().saturating_sub(2);
    if a.shape()[a.ndim() - 1] != b.shape()[axis] {
        return Err(not_aligned("dot", a, a.ndim() - 1, b, axis));
    }
    if a.ndim() <= 2 && b.ndim() <= 2 {
        return stored("dot", product("dot", a, b)?, out);
    }
    stored("dot", contract("dot", a, &[a.ndim() - 1], b, &[axis])?, out)
}

/// The product with a number. Matrices of BLAS's dtypes come in rows, as NumPy has them from BLAS; others keep the
/// order of their axes in memory.
fn times_number(a: &Array, b: &Array) -> Result<Array> {
    let result = a.binary(Op::Multiply, b)?;
    let is_blas = matches!(result.dtype(), DType::F32 | DType::F64 | DType::C64 | DType::C128);
    if is_blas && result.ndim() == 2 && !result.is_contiguous() { result.copy(Order::C) } else { Ok(result) }
}

fn not_aligned(op: &'static str, a: &Array, x: usize, b: &Array, y: usize) -> Error {
    let message = format!(
        "shapes {} and {} not aligned: {} (dim {x}) != {} (dim {y})",
        show_shape(a.shape()),
        show_shape(b.shape()),
        a.shape()[x],
        b.shape()[y]
    );
    Error::value(op, message)
}

/// The sum of products over the last axes.
///
/// ```
/// use cuprum::products::inner;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(inner(&a, &a, None).unwrap().to_vec::<i32>().unwrap(), vec![5, 11, 11, 25]);
/// ```
pub fn inner(a: &Array, b: &Array, out: Option<&Array>) -> Result<Array> {
    if a.ndim() == 0 || b.ndim() == 0 {
        return stored("inner", times_number(a, b)?, out);
    }
    let (x, y) = (a.ndim() - 1, b.ndim() - 1);
    if a.shape()[x] != b.shape()[y] {
        return Err(not_aligned("inner", a, x, b, y));
    }
    stored("inner", contract("inner", a, &[x], b, &[y])?, out)
}

/// All products of an element of one with an element of the other, both flattened.
///
/// ```
/// use cuprum::products::outer;
/// use cuprum::Array;
/// let (a, b) = (Array::from_slice(&[1, 2]), Array::from_slice(&[3, 4]));
/// assert_eq!(outer(&a, &b, None).unwrap().to_vec::<i32>().unwrap(), vec![3, 4, 6, 8]);
/// ```
pub fn outer(a: &Array, b: &Array, out: Option<&Array>) -> Result<Array> {
    let (a, b) = (ravel(a, Order::C)?, ravel(b, Order::C)?);
    let column = a.with_layout(a.layout().insert_axis(1));
    stored("outer", column.binary(Op::Multiply, &b)?, out)
}

/// The dot product of flattened arrays, the first one conjugated.
///
/// ```
/// use cuprum::products::vdot;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1.0, 2.0]);
/// assert_eq!(vdot(&a, &a).unwrap().item::<f64>().unwrap(), 5.0);
/// ```
pub fn vdot(a: &Array, b: &Array) -> Result<Array> {
    let (a, b) = (ravel(a, Order::C)?, ravel(b, Order::C)?);
    if a.size() != b.size() {
        return Err(not_aligned("vdot", &a, 0, &b, 0));
    }
    contract("vdot", &conjugated(&a)?, &[0], &b, &[0])
}

fn conjugated(a: &Array) -> Result<Array> {
    if a.dtype().is_complex() { a.unary(Op::Conjugate) } else { Ok(a.clone()) }
}

/// The sum of products over `axes_a` of `a` paired with `axes_b` of `b`.
///
/// ```
/// use cuprum::products::tensordot;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(tensordot(&a, &a, &[0, 1], &[1, 0]).unwrap().item::<i32>().unwrap(), 29);
/// ```
pub fn tensordot(a: &Array, b: &Array, axes_a: &[i64], axes_b: &[i64]) -> Result<Array> {
    if axes_a.len() != axes_b.len() {
        return Err(Error::value("tensordot", "shape-mismatch for sum: the lists of axes differ in length"));
    }
    let x = normalize_axes("tensordot", axes_a, a.ndim())?;
    let y = normalize_axes("tensordot", axes_b, b.ndim())?;
    if x.iter().zip(&y).any(|(&x, &y)| a.shape()[x] != b.shape()[y]) {
        let message = format!(
            "shape-mismatch for sum: shapes {} and {} over axes {axes_a:?} and {axes_b:?}",
            show_shape(a.shape()),
            show_shape(b.shape())
        );
        return Err(Error::value("tensordot", message));
    }
    contract("tensordot", a, &x, b, &y)
}

/// Sums products over paired axes: both operands become matrices, the product gets the axes left over.
fn contract(op: &'static str, a: &Array, x: &[usize], b: &Array, y: &[usize]) -> Result<Array> {
    if let ([0], [0], 1, 1) = (x, y, a.ndim(), b.ndim()) {
        return product(op, a, b);
    }
    let keep_a: Dims = (0..a.ndim()).filter(|d| !x.contains(d)).collect();
    let keep_b: Dims = (0..b.ndim()).filter(|d| !y.contains(d)).collect();
    let length = |array: &Array, axes: &[usize]| axes.iter().map(|&d| array.shape()[d]).product::<usize>();
    let (m, k, n) = (length(a, &keep_a), length(a, x), length(b, &keep_b));
    let shape: Vec<i64> = keep_a
        .iter()
        .map(|&d| a.shape()[d])
        .chain(keep_b.iter().map(|&d| b.shape()[d]))
        .map(|d| d as i64)
        .collect();
    let order_a: Dims = keep_a.iter().chain(x).copied().collect();
    let order_b: Dims = y.iter().chain(&keep_b).copied().collect();
    let as_matrix = |array: &Array, order: &[usize], rows: usize, columns: usize| {
        reshape(&array.with_layout(array.layout().permute(order)), &[rows as i64, columns as i64], Order::C)
    };
    let product = multiply_matrices(op, &as_matrix(a, &order_a, m, k)?, &as_matrix(b, &order_b, k, n)?)?;
    reshape(&product, &shape, Order::C)
}

/// The Kronecker product: `b` scaled by every element of `a`, in blocks.
///
/// ```
/// use cuprum::products::kron;
/// use cuprum::Array;
/// let r = kron(&Array::from_slice(&[1, 10]), &Array::from_slice(&[5, 6])).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![5, 6, 50, 60]);
/// ```
pub fn kron(a: &Array, b: &Array) -> Result<Array> {
    let ndim = a.ndim().max(b.ndim());
    let padded = |array: &Array| (array.ndim()..ndim).fold(array.layout().clone(), |l, _| l.insert_axis(0));
    let (mut left, mut right) = (padded(a), padded(b));
    let shape: Vec<i64> = left
        .shape
        .iter()
        .zip(&right.shape)
        .map(|(x, y)| x.checked_mul(*y).and_then(|n| i64::try_from(n).ok()))
        .collect::<Option<_>>()
        .ok_or_else(|| Error::value("kron", "the result is too big"))?;
    for axis in (0..ndim).rev() {
        left = left.insert_axis(axis + 1);
        right = right.insert_axis(axis);
    }
    let product = a.with_layout(left).binary(Op::Multiply, &b.with_layout(right))?;
    reshape(&product, &shape, Order::C)
}

/// The sum along a diagonal of two axes.
///
/// ```
/// use cuprum::products::trace;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(trace(&a, 0, 0, 1, None, None).unwrap().item::<i64>().unwrap(), 5);
/// ```
pub fn trace(
    a: &Array,
    offset: i64,
    axis1: i64,
    axis2: i64,
    dtype: Option<DType>,
    out: Option<&Array>,
) -> Result<Array> {
    if a.ndim() < 2 {
        return Err(Error::value("trace", "diag requires an array of at least two dimensions"));
    }
    let (first, second) =
        (normalize_axis("trace", axis1, a.ndim())?, normalize_axis("trace", axis2, a.ndim())?);
    let line = manipulation::diagonal(a, offset, first as i64, second as i64)?;
    reduction::reduce_op(
        "trace",
        Op::Add,
        &line,
        &ReduceOptions { axes: Some(&[-1]), dtype, out, ..Default::default() },
    )
}

/// The dot products of vectors along an axis, the first ones conjugated; the other axes broadcast.
///
/// ```
/// use cuprum::products::vecdot;
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(vecdot(&a, &a, -1).unwrap().to_vec::<i32>().unwrap(), vec![5, 25]);
/// ```
pub fn vecdot(a: &Array, b: &Array, axis: i64) -> Result<Array> {
    if a.ndim() == 0 || b.ndim() == 0 {
        return Err(Error::value("vecdot", "the operands must have at least one dimension"));
    }
    let (x, y) = (normalize_axis("vecdot", axis, a.ndim())?, normalize_axis("vecdot", axis, b.ndim())?);
    if a.shape()[x] != b.shape()[y] {
        return Err(not_aligned("vecdot", a, x, b, y));
    }
    let last = |array: &Array, axis: usize| manipulation::moveaxis(array, &[axis as i64], &[-1]);
    let product = conjugated(&last(a, x)?)?.binary(Op::Multiply, &last(b, y)?)?;
    summed("vecdot", &product, &[-1])
}

/// The sum over axes in the array's own dtype; of bool, whether any holds.
pub(super) fn summed(op: &'static str, a: &Array, axes: &[i64]) -> Result<Array> {
    if a.dtype() == DType::Bool {
        return reduction::reduce_op(
            op,
            Op::LogicalOr,
            a,
            &ReduceOptions { axes: Some(axes), ..Default::default() },
        );
    }
    let options = ReduceOptions { axes: Some(axes), dtype: Some(a.dtype()), ..Default::default() };
    reduction::reduce_op(op, Op::Add, a, &options)
}

/// The cross product of vectors of three (or two) components along given axes.
///
/// ```
/// use cuprum::products::cross;
/// use cuprum::Array;
/// let (x, y) = (Array::from_slice(&[1, 0, 0]), Array::from_slice(&[0, 1, 0]));
/// assert_eq!(cross(&x, &y, -1, -1, -1).unwrap().to_vec::<i32>().unwrap(), vec![0, 0, 1]);
/// ```
pub fn cross(a: &Array, b: &Array, axis_a: i64, axis_b: i64, axis_c: i64) -> Result<Array> {
    let (x, y) = (normalize_axis("cross", axis_a, a.ndim())?, normalize_axis("cross", axis_b, b.ndim())?);
    let (na, nb) = (a.shape()[x], b.shape()[y]);
    if !(2..=3).contains(&na) || !(2..=3).contains(&nb) {
        let message = format!(
            "incompatible dimensions for cross product (dimension must be 2 or 3), got {na} and {nb}"
        );
        return Err(Error::value("cross", message));
    }
    let part = |array: &Array, axis: usize, i: usize| {
        array.with_layout(array.layout().slice_axis(axis, i, 1, 1).remove_axis(axis))
    };
    // a_i * b_j - a_j * b_i, where a component that a plane vector lacks is zero.
    let minor = |i: usize, j: usize| -> Result<Array> {
        let product = |p: usize, q: usize| match p < na && q < nb {
            true => part(a, x, p).binary(Op::Multiply, &part(b, y, q)).map(Some),
            false => Ok(None),
        };
        match (product(i, j)?, product(j, i)?) {
            (Some(first), Some(second)) => first.binary(Op::Subtract, &second),
            (Some(only), None) => Ok(only),
            (None, Some(only)) => only.unary(Op::Negative),
            (None, None) => unreachable!("one of the vectors has three components"),
        }
    };
    if na == 2 && nb == 2 {
        return minor(0, 1);
    }
    let parts = [minor(1, 2)?, minor(2, 0)?, minor(0, 1)?];
    let axis = normalize_axis("cross", axis_c, parts[0].ndim() + 1)? as i64;
    manipulation::stack(&[&parts[0], &parts[1], &parts[2]], axis, None, Casting::SameKind, None)
}
