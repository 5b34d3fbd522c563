//! `ndarray.flat`: the elements in C order, iterated, indexed and assigned.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum::indexing::{TakeMode, put};
use cuprum::{Arg, Array, Number, Order, Result, creation, elementwise, manipulation};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::{NdArray, set_item, stored_value, take_item};
use crate::convert::from_python::PyOperand;
use crate::gate;

/// An iterator over an array's elements in C order, which can also be indexed and assigned: what `a.flat` is.
///
/// Examples
/// --------
/// >>> flat = cp.array([[1, 2], [3, 4]]).flat
/// >>> isinstance(flat, cp.flatiter)
/// True
/// >>> flat[1:3]
/// array([2, 3])
#[pyclass(name = "flatiter", module = "cuprum", frozen)]
pub struct FlatIter {
    array: Py<NdArray>,
    next: AtomicUsize,
}

impl FlatIter {
    /// The elements of an array, from the first.
    pub fn new(array: Py<NdArray>) -> FlatIter {
        FlatIter { array, next: AtomicUsize::new(0) }
    }

    fn flattened(&self, py: Python<'_>) -> PyResult<Array> {
        let array = self.array.get().array(py);
        gate::compute(py, &[&array], || manipulation::ravel(&array, Order::C))
    }

    /// Stores values at positions in C order, repeated as often as needed.
    fn set(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = key.py();
        let array = self.array.get().array(py);
        if let PyOperand::Array(values) = stored_value(value, array.dtype())?
            && values.ndim() > 0
        {
            let places = gate::attached(py, || places(&array))?;
            let chosen = take_item(&places, key)?;
            if chosen.ndim() == 0 {
                return Err(PyValueError::new_err("flat: setting an array element with a sequence"));
            }
            return gate::detached(py, || put(&array, &chosen, Arg::Array(&values), TakeMode::Raise));
        }
        let flat = self.flattened(py)?;
        set_item(&flat.clone().with_writeable(array.is_writeable()), key, value)?;
        if flat.same_storage(&array) {
            return Ok(());
        }
        gate::detached(py, || {
            let shape: Vec<i64> = array.shape().iter().map(|&d| d as i64).collect();
            let back = manipulation::reshape(&flat, &shape, Order::C)?;
            elementwise::assign("flat", &array, Arg::Array(&back), None)
        })
    }
}

/// The element at a position in row-major order, which lies inside.
fn single<'py>(py: Python<'py>, array: &Array, at: usize) -> PyResult<Bound<'py, NdArray>> {
    let mut rest = at;
    let mut layout = array.layout().clone();
    for axis in (0..array.ndim()).rev() {
        let size = array.shape()[axis];
        layout = layout.slice_axis(axis, rest % size, 1, 1).remove_axis(axis);
        rest /= size;
    }
    let place = array.with_layout(layout);
    NdArray::wrap_element_of(py, super::element(py, &place)?, || Ok(place))
}

#[pymethods]
impl FlatIter {
    /// The array that is iterated.
    #[getter]
    fn base(&self, py: Python<'_>) -> Py<NdArray> {
        self.array.clone_ref(py)
    }

    /// The position of the next element.
    #[getter]
    fn index(&self) -> usize {
        self.next.load(Ordering::Relaxed)
    }

    /// The position of the next element along each axis.
    #[getter]
    fn coords(&self, py: Python<'_>) -> Vec<usize> {
        let shape = self.array.get().lock(py).dims();
        let mut rest = self.next.load(Ordering::Relaxed);
        let mut coords: Vec<usize> = Vec::with_capacity(shape.len());
        for (axis, &length) in shape.iter().enumerate().rev() {
            // Past the last element the first axis goes on counting.
            let length = if axis == 0 { usize::MAX } else { length.max(1) };
            coords.push(rest % length);
            rest /= length;
        }
        coords.reverse();
        coords
    }

    /// A copy of the elements in one dimension.
    ///
    /// Examples
    /// --------
    /// >>> cp.array([[1, 2], [3, 4]]).flat.copy()
    /// array([1, 2, 3, 4])
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, NdArray>> {
        let flat = self.flattened(py)?;
        NdArray::wrap(py, gate::compute(py, &[&flat], || flat.copy(Order::C))?)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.array.get().lock(py).size()
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, NdArray>>> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let array = self.array.get().array(py);
        if at >= array.size() {
            return Ok(None);
        }
        single(py, &array, at).map(Some)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
        let array = self.array.get().array(py);
        if key.is_exact_instance_of::<PyInt>()
            && let Ok(at) = key.extract::<i64>()
            && let Ok(size) = i64::try_from(array.size())
            && (-size..size).contains(&at)
        {
            return single(py, &array, at.rem_euclid(size) as usize);
        }
        let taken = take_item(&self.flattened(py)?, key)?;
        NdArray::wrap(py, gate::compute(py, &[&taken], || taken.copy(Order::C))?)
    }

    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !key.is_exact_instance_of::<PyInt>() {
            return self.set(key, value);
        }
        // NumPy looks at the position first, and calls whatever is wrong with a single value a ValueError.
        take_item(&self.flattened(py)?, key)?;
        self.set(key, value).map_err(|error| {
            let told = error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py);
            if told { PyValueError::new_err(format!("flat: {}", error.value(py))) } else { error }
        })
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        NdArray::wrap(py, self.flattened(py)?)?.rich_compare(other, op)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        NdArray::wrap(py, self.flattened(py)?)?.call_method1("__array__", (dtype, copy))
    }
}

/// `a.flat = value`: the values in order, repeated as often as needed.
pub fn assign_all(owner: &Bound<'_, NdArray>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = owner.py();
    let array = owner.get().array(py);
    let value = stored_value(value, array.dtype())?;
    gate::detached(py, || put(&array, &places(&array)?, value.arg(), TakeMode::Raise))
}

/// The positions of an array's elements in C order.
fn places(array: &Array) -> Result<Array> {
    let n = Number::Int(array.size() as i128);
    creation::arange(Number::Int(0), n, Number::Int(1), None)
}
