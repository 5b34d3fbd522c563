//! Products of sparse matrices in compressed rows with dense arrays.

use cuprum_core::{DType, Error, Order, Result, show_shape};
use cuprum_graph::{Call, SparseProductCall};

use crate::Array;
use crate::call::run_call;
use crate::creation::{result_array, zeros_on};
use crate::device::check_devices;

const OP: &str = "sparse_product";

/// The product of a sparse matrix with a dense matrix: row `i` has `values[k]` in column `columns[k]` for `k` from
/// `starts[i]` up to `starts[i + 1]`. Products of a row are added in order on the CPU.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sparse::product;
/// let (starts, columns) = (Array::from_slice(&[0i64, 2, 3]), Array::from_slice(&[0i64, 2, 1]));
/// let values = Array::from_slice(&[1.0, 2.0, 3.0]);
/// let x = Array::from_slice(&[1.0, 10.0, 100.0]).reshape(&[3, 1]).unwrap();
/// let y = product(&starts, &columns, &values, &x).unwrap();
/// assert_eq!(y.to_vec::<f64>().unwrap(), vec![201.0, 30.0]);
/// ```
pub fn product(starts: &Array, columns: &Array, values: &Array, x: &Array) -> Result<Array> {
    check_devices(OP, [starts, columns, values, x])?;
    let index = columns.dtype();
    if !matches!(index, DType::I32 | DType::I64) || starts.dtype() != index {
        return Err(Error::type_error(
            OP,
            "indices must be int32 or int64, those of rows like those of columns",
        ));
    }
    if [starts, columns, values].iter().any(|part| part.ndim() != 1)
        || starts.size() == 0
        || columns.size() != values.size()
        || x.ndim() != 2
    {
        let shapes = [starts, columns, values, x].map(|part| show_shape(part.shape())).join(", ");
        return Err(Error::value(
            OP,
            format!("a matrix in compressed rows and a dense one expected, got {shapes}"),
        ));
    }
    let dtype = values.dtype().promote(x.dtype());
    if matches!(dtype, DType::F16 | DType::BF16) {
        return Err(Error::type_error(OP, format!("no products of {dtype:?}; convert to float32")));
    }
    let (rows, width) = (starts.size() - 1, x.shape()[1]);
    if values.size() == 0 || rows * width == 0 {
        return zeros_on(x.device(), &[rows, width], dtype);
    }
    let cast = |a: &Array| if a.dtype() == dtype { Ok(a.clone()) } else { a.astype_ordered(dtype, Order::C) };
    let (values, x) = (cast(values)?, cast(x)?);
    let out = result_array(OP, &x, &[rows, width], dtype)?;
    let (starts, columns) = (starts.view().slot()?, columns.view().slot()?);
    let (values, x, target) = (values.view().slot()?, x.view().slot()?, out.view().slot()?);
    let call = SparseProductCall { starts: &starts, columns: &columns, values: &values, x: &x, out: &target };
    run_call(out.device(), &Call::SparseProduct(call))?;
    Ok(out)
}
