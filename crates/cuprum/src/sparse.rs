//! Sparse matrices in compressed rows (CSR): products with dense arrays, elements grouped into rows, ops of two
//! matrices.

use cuprum_core::ops::{OperandType, resolve};
use cuprum_core::{Casting, DType, Error, Index, Op, Order, Result, show_shape};
use cuprum_graph::{
    Call, DeviceKind, Slot, SparseGroupCall, SparsePair, SparsePairCall, SparsePairStartsCall, SparsePlaces,
    SparseProductCall, SparseRows, SparseTransposedProductCall,
};

use crate::Array;
use crate::call::run_call;
use crate::creation::{result_array, zeros_on};
use crate::device::check_devices;
use crate::indexing::{Item, get};

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
    check_indices(OP, starts, columns)?;
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
    let dtype = product_dtype(OP, values, x)?;
    let (rows, width) = (starts.size() - 1, x.shape()[1]);
    if values.size() == 0 || rows * width == 0 {
        return zeros_on(x.device(), &[rows, width], dtype);
    }
    let (values, x) = (cast(values, dtype)?, cast(x, dtype)?);
    let out = result_array(OP, &x, &[rows, width], dtype)?;
    let (starts, columns) = (starts.view().slot()?, columns.view().slot()?);
    let (values, x, target) = (values.view().slot()?, x.view().slot()?, out.view().slot()?);
    let call = SparseProductCall { starts: &starts, columns: &columns, values: &values, x: &x, out: &target };
    run_call(out.device(), &Call::SparseProduct(call))?;
    Ok(out)
}

/// The product of a transposed sparse matrix with a vector: `values[k]` times `x[i]` is added to element `columns[k]` of the
/// result, for `k` from `starts[i]` up to `starts[i + 1]`. `width` is the length of the result.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sparse::transposed_product;
/// let (starts, columns) = (Array::from_slice(&[0i64, 2, 3]), Array::from_slice(&[0i64, 2, 2]));
/// let values = Array::from_slice(&[1.0, 2.0, 3.0]);
/// let y = transposed_product(&starts, &columns, &values, &Array::from_slice(&[1.0, 10.0]), 3).unwrap();
/// assert_eq!(y.to_vec::<f64>().unwrap(), vec![1.0, 0.0, 32.0]);
/// ```
pub fn transposed_product(
    starts: &Array,
    columns: &Array,
    values: &Array,
    x: &Array,
    width: usize,
) -> Result<Array> {
    const OP: &str = "sparse_transposed_product";
    check_devices(OP, [starts, columns, values, x])?;
    check_indices(OP, starts, columns)?;
    if [starts, columns, values, x].iter().any(|part| part.ndim() != 1)
        || starts.size() != x.size() + 1
        || columns.size() != values.size()
    {
        let shapes = [starts, columns, values, x].map(|part| show_shape(part.shape())).join(", ");
        return Err(Error::value(
            OP,
            format!("a matrix in compressed rows and an element for each expected, got {shapes}"),
        ));
    }
    let dtype = product_dtype(OP, values, x)?;
    if values.size() == 0 || width == 0 {
        return zeros_on(x.device(), &[width], dtype);
    }
    let (values, x) = (cast(values, dtype)?, cast(x, dtype)?);
    let out = result_array(OP, &x, &[width], dtype)?;
    let (starts, columns) = (starts.view().slot()?, columns.view().slot()?);
    let (values, x, target) = (values.view().slot()?, x.view().slot()?, out.view().slot()?);
    let call = SparseTransposedProductCall {
        starts: &starts,
        columns: &columns,
        values: &values,
        x: &x,
        out: &target,
    };
    run_call(out.device(), &Call::SparseTransposedProduct(call))?;
    Ok(out)
}

/// The places of elements within their lines, for [`group`]: columns if lines are rows.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// The place of each element.
    Listed(&'a Array),
    /// Elements come in the order of their places: where those of each place begin, and the end of the last.
    Starts(&'a Array),
}

/// Groups the elements of a sparse matrix by lines, its rows or its columns, of which there are `count`. Elements of
/// a line keep their order. Returns where lines begin, the places and the values: compressed rows (CSR) or columns
/// (CSC).
///
/// ```
/// use cuprum::Array;
/// use cuprum::sparse::{Places, group};
/// let (lines, places) = (Array::from_slice(&[1i32, 0, 1]), Array::from_slice(&[5i32, 6, 4]));
/// let values = Array::from_slice(&[1.0, 2.0, 3.0]);
/// let [starts, places, values] = group(&lines, Places::Listed(&places), &values, 2).unwrap();
/// assert_eq!(starts.to_vec::<i32>().unwrap(), vec![0, 1, 3]);
/// assert_eq!(places.to_vec::<i32>().unwrap(), vec![6, 5, 4]);
/// assert_eq!(values.to_vec::<f64>().unwrap(), vec![2.0, 1.0, 3.0]);
/// ```
pub fn group(lines: &Array, places: Places<'_>, values: &Array, count: usize) -> Result<[Array; 3]> {
    const OP: &str = "sparse_group";
    let (Places::Listed(given) | Places::Starts(given)) = places;
    check_devices(OP, [lines, given, values])?;
    check_indices(OP, given, lines)?;
    let fits = match places {
        Places::Listed(places) => places.size() == lines.size(),
        Places::Starts(starts) => starts.size() > 0,
    };
    if [lines, given, values].iter().any(|part| part.ndim() != 1) || !fits || lines.size() != values.size() {
        let shapes = [lines, given, values].map(|part| show_shape(part.shape())).join(", ");
        return Err(Error::value(OP, format!("lines, places and values of elements expected, got {shapes}")));
    }
    let (index, size) = (lines.dtype(), values.size());
    if index == DType::I32 && count.max(size) > i32::MAX as usize {
        return Err(Error::value(OP, format!("{size} elements in {count} lines need int64 indices")));
    }
    let starts = result_array(OP, values, &[count + 1], index)?;
    if size == 0 {
        let starts = zeros_on(values.device(), &[count + 1], index)?;
        return Ok([starts, lines.clone(), values.clone()]);
    }
    let out_places = result_array(OP, values, &[size], index)?;
    let out_values = result_array(OP, values, &[size], values.dtype())?;
    let slots = [lines, given, values, &starts, &out_places, &out_values].map(|part| part.view().slot());
    let [lines, given, values, to_starts, to_places, to_values] = slots;
    let (lines, given, values) = (lines?, given?, values?);
    let call = SparseGroupCall {
        lines: &lines,
        places: match places {
            Places::Listed(_) => SparsePlaces::Listed(&given),
            Places::Starts(_) => SparsePlaces::Starts(&given),
        },
        values: &values,
        out_starts: &to_starts?,
        out_places: &to_places?,
        out_values: &to_values?,
    };
    run_call(starts.device(), &Call::SparseGroup(call))?;
    Ok([starts, out_places, out_values])
}

/// A sparse matrix in compressed rows: row `i` has `values[k]` in column `columns[k]` for `k` from `starts[i]` up to
/// `starts[i + 1]`. Indices are int32 or int64.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Where each row begins, and the end of the last one.
    pub starts: &'a Array,
    /// The column of each element.
    pub columns: &'a Array,
    /// The elements.
    pub values: &'a Array,
}

/// The sparse matrix that an op of two others gives: arrays as in [`Rows`].
#[derive(Debug)]
pub struct Pair {
    /// Where each row begins, and the end of the last one.
    pub starts: Array,
    /// The column of each element.
    pub columns: Array,
    /// The elements.
    pub values: Array,
    /// How many of the stored results are zero.
    pub zeros: usize,
}

/// The product of two sparse matrices in the CPU's memory, of which the second has `width` columns. Columns of a row come in the
/// order in which they are met.
///
/// ```
/// use cuprum::Array;
/// use cuprum::sparse::{Rows, matmul};
/// let (starts, columns) = (Array::from_slice(&[0i32, 1, 3]), Array::from_slice(&[1i32, 0, 1]));
/// let values = Array::from_slice(&[1.0, 2.0, 3.0]);
/// let a = Rows { starts: &starts, columns: &columns, values: &values };
/// let square = matmul(a, a, 2).unwrap();
/// assert_eq!(square.columns.to_vec::<i32>().unwrap(), vec![0, 1, 1, 0]);
/// assert_eq!(square.values.to_vec::<f64>().unwrap(), vec![2.0, 3.0, 11.0, 6.0]);
/// ```
pub fn matmul(a: Rows<'_>, b: Rows<'_>, width: usize) -> Result<Pair> {
    let dtype = product_dtype("sparse_matmul", a.values, b.values)?;
    combined("sparse_matmul", SparsePair::Product, [a, b], width, [dtype; 2], dtype)
}

/// An op of two sparse matrices of one shape in the CPU's memory, with `width` columns that ascend in each row.
/// Results are stored at every place that either of them stores or, without `is_union`, that both store.
///
/// ```
/// use cuprum::sparse::{Rows, merge};
/// use cuprum::{Array, Op};
/// let (starts, columns) = (Array::from_slice(&[0i32, 1]), Array::from_slice(&[1i32]));
/// let (others, values) = (Array::from_slice(&[0i32]), Array::from_slice(&[2.0]));
/// let a = Rows { starts: &starts, columns: &columns, values: &values };
/// let sum = merge(Op::Add, true, a, Rows { columns: &others, ..a }, 2).unwrap();
/// assert_eq!(sum.columns.to_vec::<i32>().unwrap(), vec![0, 1]);
/// assert_eq!(sum.values.to_vec::<f64>().unwrap(), vec![2.0, 2.0]);
/// ```
pub fn merge(op: Op, is_union: bool, a: Rows<'_>, b: Rows<'_>, width: usize) -> Result<Pair> {
    let types = [a, b].map(|part| OperandType::Typed(part.values.dtype()));
    let signature = resolve(op, &types, None, Casting::SameKind)?;
    let given = [op.input(0, signature.dtype), op.input(1, signature.dtype)];
    let pair = if is_union { SparsePair::Union(op) } else { SparsePair::Intersection(op) };
    if given[0] != given[1] || a.starts.size() != b.starts.size() {
        return Err(Error::value(
            "sparse_merge",
            format!("{} of two matrices of one shape expected", op.name()),
        ));
    }
    combined("sparse_merge", pair, [a, b], width, given, signature.output)
}

fn combined(
    op: &'static str,
    pair: SparsePair,
    given: [Rows<'_>; 2],
    width: usize,
    dtypes: [DType; 2],
    made: DType,
) -> Result<Pair> {
    let [a, b] = given;
    let parts = [a.starts, a.columns, a.values, b.starts, b.columns, b.values];
    check_devices(op, parts)?;
    check_indices(op, a.starts, a.columns)?;
    check_indices(op, b.starts, b.columns)?;
    let is_matrix = |rows: &Rows<'_>| rows.starts.size() > 0 && rows.columns.size() == rows.values.size();
    if parts.iter().any(|part| part.ndim() != 1) || !given.iter().all(is_matrix) {
        let shapes = parts.map(|part| show_shape(part.shape())).join(", ");
        return Err(Error::value(op, format!("two matrices in compressed rows expected, got {shapes}")));
    }
    if !is_host(a.values) {
        return Err(Error::value(
            op,
            "matrices of a GPU are combined by cuprum.scipy.sparse; copy them to the CPU",
        ));
    }
    let narrow = a.columns.dtype() == b.columns.dtype() && width <= i32::MAX as usize;
    let mut index = if narrow { a.columns.dtype() } else { DType::I64 };
    let values = [cast(a.values, dtypes[0])?, cast(b.values, dtypes[1])?];
    let starts = result_array(op, a.values, &[a.starts.size()], DType::I64)?;
    let zeros = result_array(op, a.values, &[1], DType::I64)?;
    let made_starts = starts.view().slot()?;
    let indices = |index: DType| -> Result<Vec<Slot>> {
        let parts = [a.starts, a.columns, b.starts, b.columns];
        parts.into_iter().map(|part| cast(part, index)?.view().slot()).collect()
    };
    let [x, y] = [values[0].view().slot()?, values[1].view().slot()?];
    let mut slots = indices(index)?;
    let call = SparsePairStartsCall { pair, operands: rows_of(&slots, [&x, &y]), width, out: &made_starts };
    run_call(starts.device(), &Call::SparsePairStarts(call))?;
    let last = a.starts.size() - 1;
    let total = get(&starts, &[Item::Basic(Index::Int(last as i64))])?.item::<i64>()? as usize;
    if index == DType::I32 && total > i32::MAX as usize {
        index = DType::I64;
        slots = indices(index)?;
    }
    if total == 0 {
        let [columns, values] =
            [zeros_on(a.values.device(), &[0], index)?, zeros_on(a.values.device(), &[0], made)?];
        return Ok(Pair { starts: cast(&starts, index)?, columns, values, zeros: 0 });
    }
    let columns = result_array(op, a.values, &[total], index)?;
    let out = result_array(op, a.values, &[total], made)?;
    let call = SparsePairCall {
        pair,
        operands: rows_of(&slots, [&x, &y]),
        width,
        starts: &made_starts,
        out_columns: &columns.view().slot()?,
        out_values: &out.view().slot()?,
        out_zeros: &zeros.view().slot()?,
    };
    run_call(starts.device(), &Call::SparsePair(call))?;
    let zeros = zeros.to_vec::<i64>()?[0] as usize;
    Ok(Pair { starts: cast(&starts, index)?, columns, values: out, zeros })
}

/// Two matrices of their starts and columns, and their values.
fn rows_of<'a>(indices: &'a [Slot], values: [&'a Slot; 2]) -> [SparseRows<'a>; 2] {
    [0, 1].map(|at| SparseRows {
        starts: &indices[2 * at],
        columns: &indices[2 * at + 1],
        values: values[at],
    })
}

/// Whether an array lies in the host's memory.
fn is_host(array: &Array) -> bool {
    array.device().kind() == DeviceKind::Cpu
}

fn check_indices(op: &'static str, starts: &Array, columns: &Array) -> Result<()> {
    let index = columns.dtype();
    if matches!(index, DType::I32 | DType::I64) && starts.dtype() == index {
        return Ok(());
    }
    Err(Error::type_error(op, "indices must be int32 or int64, those of rows like those of columns"))
}

fn product_dtype(op: &'static str, values: &Array, x: &Array) -> Result<DType> {
    let dtype = values.dtype().promote(x.dtype());
    if matches!(dtype, DType::F16 | DType::BF16) {
        return Err(Error::type_error(op, format!("no products of {dtype:?}; convert to float32")));
    }
    Ok(dtype)
}

fn cast(a: &Array, dtype: DType) -> Result<Array> {
    if a.dtype() == dtype { Ok(a.clone()) } else { a.astype_ordered(dtype, Order::C) }
}
