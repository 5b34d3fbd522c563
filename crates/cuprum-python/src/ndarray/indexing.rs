//! `a[key]` and `a[key] = value`: every form of NumPy's indices, turned into the library's items.

use cuprum::indexing::{self, Item, checked, refused_sequence};
use cuprum::{Array, DType, Index, Kind, Number, Op, Order, Result, Scalar};
use cuprum_graph::single_node;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyEllipsis, PyFloat, PyInt, PyList, PySlice, PyString, PyTuple};
use smallvec::SmallVec;

use super::NdArray;
use crate::convert::from_python::{self, PyOperand};
use crate::convert::{devices, positions};
use crate::gate;
use crate::numpy::{numpy, warn_of_cast};

const BAD_INDEX_DTYPE: &str = "index: arrays used as indices must be of integer (or boolean) type";
const BAD_INDEX: &str = "index: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean \
                         arrays are valid indices";

/// A converted item of an index.
enum IndexKey {
    Basic(Index),
    Array(Array),
    Mask(Array),
    /// An integer that came as an array of no dimensions: the result is a copy.
    Scalar(i64),
}

impl IndexKey {
    fn item(&self) -> Item<'_> {
        match self {
            IndexKey::Basic(index) => Item::Basic(*index),
            IndexKey::Array(array) => Item::Array(array),
            IndexKey::Mask(array) => Item::Mask(array),
            IndexKey::Scalar(i) => Item::Basic(Index::Int(*i)),
        }
    }

    fn array(&self) -> Option<&Array> {
        match self {
            IndexKey::Array(array) | IndexKey::Mask(array) => Some(array),
            IndexKey::Basic(_) | IndexKey::Scalar(_) => None,
        }
    }
}

type Keys = SmallVec<[IndexKey; 4]>;

#[pymethods]
impl NdArray {
    fn __getitem__<'py>(slf: &Bound<'py, Self>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
        let py = slf.py();
        if let Some(index) = plain(key)? {
            let array = slf.get().lock(py);
            if let (Index::Int(place), 1) = (index, array.ndim())
                && let Some(element) = gate::attached(py, || indexing::element(&array, &[place]).transpose())?
            {
                drop(array);
                let place = || gate::attached(py, || slf.get().array(py).index(&[index]));
                return NdArray::wrap_element_of(py, element, place);
            }
            let view = gate::attached(py, || array.index(&[index]))?;
            drop(array);
            if view.ndim() == 0 {
                return NdArray::wrap_element_of(py, element(py, &view)?, || Ok(view));
            }
            return NdArray::view_of(slf, view);
        }
        if let Some(places) = places(key)? {
            let view = |array: &Array| {
                let items: SmallVec<[Index; 4]> = places.iter().map(|&place| Index::Int(place)).collect();
                gate::attached(py, || array.index(&items))
            };
            if let Some(element) = slf.get().element(py, &places)? {
                return NdArray::wrap_element_of(py, element, || view(&slf.get().array(py)));
            }
            let array = slf.get().array(py);
            if places.len() == array.ndim() {
                let view = view(&array)?;
                return NdArray::wrap_element_of(py, element(py, &view)?, || Ok(view));
            }
        }
        if let Some(items) = basic_items(key)? {
            let array = slf.get().lock(py);
            let view = gate::attached(py, || array.index(&items))?;
            drop(array);
            return NdArray::view_of(slf, view);
        }
        if let Ok(positions) = key.cast_exact::<NdArray>()
            && let Some(taken) = taken_at_once(slf.get(), positions)?
        {
            return NdArray::wrap_like(slf, taken);
        }
        let array = slf.get().array(py);
        let _guard = devices::enter_device_of(&array);
        let keys = keys(key)?;
        if let Some(items) = element_items(&keys, array.ndim()) {
            let view = gate::attached(py, || array.index(&items))?;
            return NdArray::wrap_element_of(py, element(py, &view)?, || Ok(view));
        }
        NdArray::derive(slf, take(&array, key, &keys)?)
    }

    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(places) = places(key)?
            && self.set_element(py, &places, value)?
        {
            return Ok(());
        }
        set_item(&self.written(py), key, value)
    }

    /// Adds values at an index; an element that is named twice gets both.
    ///
    /// Parameters
    /// ----------
    /// slices : index
    ///     Anything that can stand in ``a[...]``.
    /// value : array_like
    ///     The values.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.zeros(3)
    /// >>> a.scatter_add([0, 0, 2], 1.5)
    /// >>> a
    /// array([3. , 0. , 1.5])
    fn scatter_add(
        &self,
        py: Python<'_>,
        slices: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        scatter(&self.written(py), Op::Add, slices, value)
    }

    /// Keeps at an index the larger of what is there and the values.
    ///
    /// Parameters
    /// ----------
    /// slices : index
    ///     Anything that can stand in ``a[...]``.
    /// value : array_like
    ///     The values.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([1, 5, 2])
    /// >>> a.scatter_max([0, 1, 0], [3, 4, 2])
    /// >>> a
    /// array([3, 5, 2])
    fn scatter_max(
        &self,
        py: Python<'_>,
        slices: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        scatter(&self.written(py), Op::Maximum, slices, value)
    }

    /// Keeps at an index the smaller of what is there and the values.
    ///
    /// Parameters
    /// ----------
    /// slices : index
    ///     Anything that can stand in ``a[...]``.
    /// value : array_like
    ///     The values.
    ///
    /// Examples
    /// --------
    /// >>> a = cp.array([1, 5, 2])
    /// >>> a.scatter_min([0, 1, 0], [3, 4, -2])
    /// >>> a
    /// array([-2,  4,  2])
    fn scatter_min(
        &self,
        py: Python<'_>,
        slices: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        scatter(&self.written(py), Op::Minimum, slices, value)
    }

    fn __delitem__(&self, _key: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyValueError::new_err("cannot delete array elements"))
    }
}

impl NdArray {
    /// A copy of the element at these positions, where that takes no time; `None` otherwise.
    pub(super) fn element(&self, py: Python<'_>, places: &[i64]) -> PyResult<Option<Array>> {
        let Some(array) = self.peek() else { return Ok(None) };
        gate::attached(py, || indexing::element(&array, places).transpose())
    }

    /// Stores a number at these positions; `false` and nothing done where that needs more than a moment or is an error.
    fn set_element(&self, py: Python<'_>, places: &[i64], value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Some(array) = self.peek() else { return Ok(false) };
        let dtype = array.dtype();
        let scalar = match from_python::python_number(value)? {
            Some(number) => {
                // What is wrong with it is told after what is wrong with the positions.
                from_python::check_number(py, number, dtype)
                    .ok()
                    .and_then(|()| Scalar::new("index", number, dtype).ok())
            }
            None => match value.cast_exact::<NdArray>() {
                // Another dtype is converted as arrays are.
                Ok(given) => {
                    let given = given.get().peek().filter(|given| given.dtype() == dtype);
                    let read = |given: &Array| indexing::value_at(given, &[]).transpose();
                    given.map_or(Ok(None), |given| gate::attached(py, || read(&given)))?
                }
                // A complex number that loses its imaginary part goes the other way, which warns.
                Err(_) => from_python::common_scalar(value)?
                    .filter(|scalar| dtype.is_complex() || !scalar.dtype().is_complex())
                    .map(|scalar| scalar.cast(dtype)),
            },
        };
        let Some(scalar) = scalar else { return Ok(false) };
        gate::attached(py, || indexing::set_element(&array, places, scalar).transpose())
            .map(|done| done.is_some())
    }
}

/// `array[positions]` or `array[mask]` where that takes no time; `None` otherwise.
fn taken_at_once(array: &NdArray, positions: &Bound<'_, NdArray>) -> PyResult<Option<Array>> {
    let (Some(array), Some(at)) = (array.peek(), positions.get().peek()) else { return Ok(None) };
    gate::attached(positions.py(), || {
        let taken = match at.dtype() {
            DType::Bool => indexing::select_rows(&array, &at),
            _ => indexing::take_rows(&array, &at),
        };
        taken.transpose()
    })
}

/// `array[key]`
pub fn take_item(array: &Array, key: &Bound<'_, PyAny>) -> PyResult<Array> {
    let _guard = devices::enter_device_of(array);
    take(array, key, &keys(key)?)
}

/// `array[key]`, whose parts are `keys`.
fn take(array: &Array, key: &Bound<'_, PyAny>, keys: &Keys) -> PyResult<Array> {
    let py = key.py();
    if let Some(basic) = basic(keys) {
        let view = gate::attached(py, || array.index(&basic))?;
        let elementwise =
            view.ndim() == 0 && basic.iter().all(|i| matches!(i, Index::Int(_))) && !basic.is_empty();
        if !elementwise && !keys.iter().any(|k| matches!(k, IndexKey::Scalar(_))) {
            return Ok(view);
        }
        return element(py, &view);
    }
    let items: SmallVec<[Item<'_>; 4]> = keys.iter().map(IndexKey::item).collect();
    let at_once = positions::beyond_array(array, key)?;
    let work = || checked(at_once, || indexing::get(array, &items));
    if is_short(array, keys) { gate::attached(py, work) } else { gate::detached(py, work) }
}

/// Whether all that an index reads is there, and it reads little.
fn is_short(array: &Array, keys: &Keys) -> bool {
    let parts = || keys.iter().filter_map(IndexKey::array).chain([array]);
    let elements = parts().fold(1, |product: usize, part| product.saturating_mul(part.size().max(1)));
    // Far more than what most of these read: one array of positions among as many elements is quadratic here.
    single_node(array.device(), elements).is_some() && parts().all(gate::is_ready)
}

/// The integers of an index that is nothing but integers.
fn places(key: &Bound<'_, PyAny>) -> PyResult<Option<SmallVec<[i64; 4]>>> {
    if key.is_exact_instance_of::<PyInt>() {
        return integer(key).map(|i| Some(SmallVec::from_elem(i, 1)));
    }
    let Ok(tuple) = key.cast_exact::<PyTuple>() else { return Ok(None) };
    if tuple.is_empty() || !tuple.iter_borrowed().all(|item| item.is_exact_instance_of::<PyInt>()) {
        return Ok(None);
    }
    tuple.iter_borrowed().map(|item| integer(&item)).collect::<PyResult<_>>().map(Some)
}

/// The items of a tuple of integers, slices, new axes and an ellipsis that makes a view: not all of them are integers.
fn basic_items(key: &Bound<'_, PyAny>) -> PyResult<Option<SmallVec<[Index; 4]>>> {
    let Ok(tuple) = key.cast_exact::<PyTuple>() else { return Ok(None) };
    let mut items = SmallVec::new();
    for item in tuple.iter_borrowed() {
        items.push(match plain(&item)? {
            Some(index) => index,
            None if item.is_none() => Index::NewAxis,
            None if item.is_instance_of::<PyEllipsis>() => Index::Ellipsis,
            None => return Ok(None),
        });
    }
    let is_view = items.iter().any(|item| !matches!(item, Index::Int(_)));
    Ok(is_view.then_some(items))
}

/// The one integer or slice that most indices are.
fn plain(key: &Bound<'_, PyAny>) -> PyResult<Option<Index>> {
    if key.is_exact_instance_of::<PyInt>() {
        return integer(key).map(|i| Some(Index::Int(i)));
    }
    key.cast_exact::<PySlice>().ok().map(convert_slice).transpose()
}

/// A copy of what a view shows. A single element is a value of its own, as NumPy's scalars are: later writes do not
/// reach it.
pub fn element(py: Python<'_>, view: &Array) -> PyResult<Array> {
    if view.size() == 1 && view.ndim() == 0 && gate::is_eager(&[view]) {
        return gate::attached(py, || view.single());
    }
    gate::compute(py, &[view], || view.copy(Order::K))
}

/// `array[key] = value`
pub fn set_item(array: &Array, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let _guard = devices::enter_device_of(array);
    let keys = keys(key)?;
    if is_sequence(value) && names_element(&keys, array.ndim()) {
        let class = value.get_type().name()?.to_string();
        let error = refused_sequence("index", array.dtype(), Some(&class));
        return Err(gate::exception(value.py(), &error));
    }
    let value = stored_value(value, array.dtype()).or_else(|refused| {
        // A position that does not exist is the first thing that NumPy finds.
        if let Some(basic) = basic(&keys) {
            gate::attached(key.py(), || array.index(&basic))?;
        }
        Err(refused)
    })?;
    let items: SmallVec<[Item<'_>; 4]> = keys.iter().map(IndexKey::item).collect();
    let reads: SmallVec<[&Array; 4]> = keys.iter().filter_map(IndexKey::array).chain(value.array()).collect();
    let at_once = positions::beyond_array(array, key)?;
    gate::change(key.py(), array, &reads, || checked(at_once, || indexing::set(array, &items, value.arg())))
}

/// Combines values into the elements at an index by an op.
fn scatter(array: &Array, op: Op, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let _guard = devices::enter_device_of(array);
    let value = from_python::operand(value)?;
    with_items(array, key, |items| indexing::scatter_at(op, array, items, Some(value.arg())))
}

/// Runs work with the items of an index into an array: what `ufunc.at` needs.
pub fn with_items(
    array: &Array,
    key: &Bound<'_, PyAny>,
    work: impl FnOnce(&[Item<'_>]) -> Result<()> + Send,
) -> PyResult<()> {
    let keys = keys(key)?;
    let items: SmallVec<[Item<'_>; 4]> = keys.iter().map(IndexKey::item).collect();
    let at_once = positions::beyond_array(array, key)?;
    gate::detached(key.py(), || checked(at_once, || work(&items)))
}

/// A value to store into elements of a dtype, converted as NumPy's assignment converts.
pub fn stored_value(value: &Bound<'_, PyAny>, dtype: DType) -> PyResult<PyOperand> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return parsed(value, dtype);
    }
    if is_sequence(value) {
        return from_python::sequence(value, dtype).map(PyOperand::Array);
    }
    let operand = from_python::operand(value).or_else(|refused| stored_dates(value)?.ok_or(refused))?;
    match &operand {
        PyOperand::Number(number) => from_python::check_number(value.py(), *number, dtype)?,
        PyOperand::Scalar(scalar) => warn_of_cast(value.py(), scalar.dtype(), dtype)?,
        PyOperand::Array(array) => warn_of_cast(value.py(), array.dtype(), dtype)?,
    }
    Ok(operand)
}

/// Dates as an array of numbers stores them, where a value is such: a single one is refused if the array cannot hold its
/// count, as Python's integers are; arrays are cast.
fn stored_dates(value: &Bound<'_, PyAny>) -> PyResult<Option<PyOperand>> {
    let Some(counts) = counts_of_dates(value) else { return Ok(None) };
    if is_single_date(value)?
        && let Some(count) = counts.array()
    {
        let count = gate::detached(value.py(), || count.item::<i64>())?;
        return Ok(Some(PyOperand::Number(Number::Int(count.into()))));
    }
    Ok(Some(counts))
}

/// A value to store into elements of a dtype as `put` converts it: single dates are cast, as arrays of them are.
pub fn put_value(value: &Bound<'_, PyAny>, dtype: DType) -> PyResult<PyOperand> {
    if is_single_date(value)?
        && let Some(counts) = counts_of_dates(value)
    {
        return Ok(counts);
    }
    stored_value(value, dtype)
}

/// Dates, or differences of dates, as an array of numbers stores them: their counts; structures of one field as what
/// they hold. None for anything else.
fn counts_of_dates(value: &Bound<'_, PyAny>) -> Option<PyOperand> {
    let stored = value.py().import("cuprum._stored").ok()?;
    let counts = stored.call_method1("counts_of", (value,)).ok()?;
    Some(PyOperand::Array(counts.cast::<NdArray>().ok()?.get().array(value.py())))
}

/// Whether a value is one date or difference of NumPy's.
fn is_single_date(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    Ok(value.is_instance(numpy(py)?.generic.bind(py))? && from_python::is_numpy_date(value)?)
}

fn is_sequence(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyList>() || value.is_exact_instance_of::<PyTuple>()
}

/// A string stored into an array is read as Python reads a number.
fn parsed(text: &Bound<'_, PyAny>, dtype: DType) -> PyResult<PyOperand> {
    let py = text.py();
    let number = match dtype.kind() {
        Kind::Complex => py.get_type::<pyo3::types::PyComplex>().call1((text,))?,
        Kind::Float => py.get_type::<PyFloat>().call1((text,))?,
        _ => py.get_type::<PyInt>().call1((text,))?,
    };
    from_python::operand(&number)
}

/// The integers of an index that has one for each axis, NumPy's among them; `None` for others, and for arrays of no
/// dimensions, which give copies.
fn element_items(keys: &Keys, ndim: usize) -> Option<SmallVec<[Index; 4]>> {
    let integers = || keys.iter().all(|key| matches!(key, IndexKey::Basic(Index::Int(_))));
    if keys.len() == ndim && integers() { basic(keys) } else { None }
}

/// Whether the keys are one integer for each axis.
fn names_element(keys: &Keys, ndim: usize) -> bool {
    keys.len() == ndim
        && keys.iter().all(|k| matches!(k, IndexKey::Basic(Index::Int(_)) | IndexKey::Scalar(_)))
}

fn basic(keys: &Keys) -> Option<SmallVec<[Index; 4]>> {
    keys.iter()
        .map(|key| match key {
            IndexKey::Basic(index) => Some(*index),
            IndexKey::Scalar(i) => Some(Index::Int(*i)),
            _ => None,
        })
        .collect()
}

fn keys(key: &Bound<'_, PyAny>) -> PyResult<Keys> {
    match key.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter_borrowed().map(|item| convert(&item)).collect(),
        Err(_) => Ok(SmallVec::from_iter([convert(key)?])),
    }
}

fn convert(item: &Bound<'_, PyAny>) -> PyResult<IndexKey> {
    if item.is_exact_instance_of::<PyInt>() {
        return integer(item).map(|i| IndexKey::Basic(Index::Int(i)));
    }
    if let Ok(slice) = item.cast::<PySlice>() {
        return convert_slice(slice).map(IndexKey::Basic);
    }
    if item.is_none() {
        return Ok(IndexKey::Basic(Index::NewAxis));
    }
    if item.cast_exact::<PyEllipsis>().is_ok() {
        return Ok(IndexKey::Basic(Index::Ellipsis));
    }
    if item.is_exact_instance_of::<PyBool>() {
        return truth(item);
    }
    if let Ok(array) = item.cast::<NdArray>() {
        return from_array(item.py(), array.get().array(item.py()), false);
    }
    other(item)
}

fn other(item: &Bound<'_, PyAny>) -> PyResult<IndexKey> {
    let py = item.py();
    if is_sequence(item) {
        return listed(item, true);
    }
    let np = numpy(py)?;
    if item.get_type_ptr() == np.bool_.as_ptr().cast() {
        return truth(item);
    }
    if let Some(array) = from_python::other_library(item)? {
        return from_array(py, array, false);
    }
    let is_numpy_array = item.is_instance(np.ndarray.bind(py))?;
    // SAFETY: `item` is a live object and the GIL is held.
    if !is_numpy_array && unsafe { ffi::PyIndex_Check(item.as_ptr()) } == 1 {
        return integer(item).map(|i| IndexKey::Basic(Index::Int(i)));
    }
    let scalar = item.is_instance_of::<PyString>()
        || item.is_instance_of::<PyBytes>()
        || item.is_instance_of::<PyFloat>();
    if scalar {
        return Err(PyIndexError::new_err(BAD_INDEX));
    }
    listed(item, !is_numpy_array)
}

/// An index array from something that is none of ours.
fn listed(item: &Bound<'_, PyAny>, from_list: bool) -> PyResult<IndexKey> {
    let py = item.py();
    let array = from_python::array(item, None, Order::K).map_err(|error| {
        let unusable = error.is_instance_of::<PyTypeError>(py);
        let words = if from_list { BAD_INDEX } else { BAD_INDEX_DTYPE };
        if unusable { PyIndexError::new_err(words) } else { error }
    })?;
    from_array(py, array, from_list)
}

fn truth(item: &Bound<'_, PyAny>) -> PyResult<IndexKey> {
    let scalar = Scalar::wrapping(Number::Bool(item.is_truthy()?), DType::Bool);
    gate::attached(item.py(), || Array::from_scalar(scalar)).map(IndexKey::Mask)
}

/// An index array; an empty list has no type of its own and counts as integers.
fn from_array(py: Python<'_>, array: Array, from_list: bool) -> PyResult<IndexKey> {
    match array.dtype().kind() {
        Kind::Bool => Ok(IndexKey::Mask(array)),
        Kind::Signed | Kind::Unsigned if array.ndim() == 0 => {
            match gate::detached(py, || array.scalar())?.number() {
                Number::Int(i) => i64::try_from(i).map(IndexKey::Scalar).map_err(|_| too_large()),
                _ => Err(PyIndexError::new_err(BAD_INDEX)),
            }
        }
        Kind::Signed | Kind::Unsigned => Ok(IndexKey::Array(array)),
        _ if from_list && array.size() == 0 => {
            gate::attached(py, || array.astype(DType::I64)).map(IndexKey::Array)
        }
        _ if array.ndim() == 0 => Err(PyIndexError::new_err(BAD_INDEX)),
        _ => Err(PyIndexError::new_err(BAD_INDEX_DTYPE)),
    }
}

fn integer(item: &Bound<'_, PyAny>) -> PyResult<i64> {
    item.extract::<i64>()
        .map_err(|error| if error.is_instance_of::<PyOverflowError>(item.py()) { too_large() } else { error })
}

fn too_large() -> PyErr {
    PyIndexError::new_err("index: cannot fit 'int' into an index-sized integer")
}

/// The parts of a slice as CPython reads them: bounds beyond 64 bits are as far out as can be.
fn convert_slice(slice: &Bound<'_, PySlice>) -> PyResult<Index> {
    let (mut start, mut stop, mut step) = (0, 0, 0);
    // SAFETY: `slice` is a live slice object, the GIL is held, and the three places are writable.
    let failed = unsafe { ffi::PySlice_Unpack(slice.as_ptr(), &mut start, &mut stop, &mut step) } < 0;
    if failed {
        return Err(PyErr::fetch(slice.py()));
    }
    Ok(Index::Slice { start: Some(start as i64), stop: Some(stop as i64), step: step as i64 })
}
