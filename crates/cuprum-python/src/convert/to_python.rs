//! Arrays to NumPy, elements to Python's numbers, nested lists.

use cuprum::{Array, DType, Number, Order, Result};
use cuprum_graph::DeviceKind;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::convert::host_array::HostArray;
use crate::convert::{dtype, host_memory};
use crate::gate;
use crate::numpy::numpy;
use crate::strict::check_wait;

/// A number as Python's own.
pub fn number(py: Python<'_>, number: Number) -> PyResult<Py<PyAny>> {
    match number {
        Number::Bool(b) => b.into_py_any(py),
        Number::Int(i) => match i64::try_from(i) {
            Ok(small) => integer(py, small),
            Err(_) => i.into_py_any(py),
        },
        Number::Float(x) | Number::Huge(x) => float(py, x),
        Number::Complex(re, im) => Ok(pyo3::types::PyComplex::from_doubles(py, re, im).into_any().unbind()),
    }
}

/// The only element as a Python number.
pub fn item(py: Python<'_>, array: &Array) -> PyResult<Py<PyAny>> {
    check_wait(py)?;
    let scalar = if gate::is_eager(&[array]) {
        gate::attached(py, || array.scalar())?
    } else {
        gate::detached(py, || array.scalar())?
    };
    number(py, scalar.number())
}

/// A tuple of integers.
pub fn tuple<'py, T: Copy + IntoPyObject<'py>>(
    py: Python<'py>,
    items: &[T],
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, items.iter().copied())
}

/// A fresh NumPy array with the same elements.
pub fn numpy_array<'py>(py: Python<'py>, array: &Array, order: Order) -> PyResult<Bound<'py, PyAny>> {
    ordered(py, array, order, |permuted| {
        let host = empty(py, permuted)?;
        read_into(py, permuted, &host)?;
        Ok(host)
    })
}

/// The NumPy array of an order that `make` gives in C order for a permutation of the axes.
pub fn ordered<'py>(
    py: Python<'py>,
    array: &Array,
    order: Order,
    make: impl FnOnce(&Array) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if array.dtype() == DType::BF16 && !dtype::is_numpy_dtype(py, DType::BF16)? {
        return Err(PyTypeError::new_err(
            "NumPy has no bfloat16: use astype(numpy.float32), or install ml_dtypes",
        ));
    }
    if array.is_contiguous() && (order != Order::F || array.ndim() < 2) {
        return make(array);
    }
    // Memory is filled in the order that NumPy will read it in: transposed arrays stay transposed.
    let itemsize = array.dtype().size();
    let nesting = array.layout().copied(itemsize, itemsize, order).nesting();
    let host = make(&array.with_layout(array.layout().permute(&nesting)))?;
    if nesting.is_sorted() {
        return Ok(host);
    }
    let mut back: Vec<usize> = vec![0; nesting.len()];
    nesting.iter().enumerate().for_each(|(to, &from)| back[from] = to);
    host.call_method1("transpose", (tuple(py, &back)?,))
}

/// A new NumPy array for an array's elements. A GPU fills large ones faster than the system makes pages for them: their
/// memory is kept.
fn empty<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyAny>> {
    let (shape, dtype) = (array.shape(), array.dtype());
    let make = || numpy(py)?.empty.bind(py).call1((tuple(py, shape)?, dtype::to_python(py, dtype)?));
    let large = array.size() * dtype.size() >= host_memory::POOLED_MIN_BYTES;
    if large && array.device().kind() != DeviceKind::Cpu {
        return host_memory::with_kept_memory(py, make);
    }
    make()
}

/// The address of a NumPy array's first element.
pub fn address_of(host: &Bound<'_, PyAny>) -> PyResult<usize> {
    HostArray::of(host).map(|facts| facts.address)
}

/// Copies the elements of an array on another device straight into a NumPy array of its shape and dtype; `false` where
/// that is not writeable memory in C order.
pub fn fill_numpy(py: Python<'_>, array: &Array, host: &Bound<'_, PyAny>) -> PyResult<bool> {
    if array.device().kind() == DeviceKind::Cpu || !is_plain_target(host)? {
        return Ok(false);
    }
    read_into(py, array, host)?;
    Ok(true)
}

/// Whether a NumPy array is writeable memory in C order.
pub fn is_plain_target(host: &Bound<'_, PyAny>) -> PyResult<bool> {
    let flags = host.getattr("flags")?;
    let flag = |name: &str| -> PyResult<bool> { flags.getattr(name)?.extract() };
    Ok(flag("c_contiguous")? && flag("writeable")?)
}

/// Copies the elements, row by row, into a writeable C-contiguous NumPy array of the same size.
fn read_into(py: Python<'_>, array: &Array, host: &Bound<'_, PyAny>) -> PyResult<()> {
    let bytes = array.size() * array.dtype().size();
    if bytes == 0 {
        return Ok(());
    }
    check_wait(py)?;
    let address = address_of(host)?;
    let read = || -> Result<()> {
        // SAFETY: `host` owns `bytes` contiguous bytes at `address` and is kept alive by the caller's reference. It was made by
        // us just now, or handed over as the place to write to: nobody else may use it meanwhile.
        let target = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, bytes) };
        array.read_into(target)
    };
    if gate::is_eager(&[array]) { gate::attached(py, read) } else { gate::detached(py, read) }
}

/// The elements' bytes.
pub fn bytes<'py>(py: Python<'py>, array: &Array, order: Order) -> PyResult<Bound<'py, PyBytes>> {
    check_wait(py)?;
    let fortran = match order {
        Order::F => true,
        Order::A | Order::K => array.is_fortran() && !array.is_contiguous(),
        Order::C => false,
    };
    let array = if fortran { array.with_layout(array.layout().transpose()) } else { array.clone() };
    // What is not dense is copied first: an array far beyond the machine's memory is refused there.
    let dense = gate::detached(py, || array.contiguous())?;
    let size = dense.size().saturating_mul(dense.dtype().size());
    let read = |target: &mut [u8]| gate::detached(py, || dense.read_into(target));
    PyBytes::new_with(py, size, read).map_err(|error| gate::sized(py, error, size))
}

/// Nested lists of Python numbers; one number for an array of no dimensions.
pub fn list(py: Python<'_>, array: &Array) -> PyResult<Py<PyAny>> {
    check_wait(py)?;
    let read = || array.to_bytes();
    let bytes = if gate::is_eager(&[array]) { gate::attached(py, read)? } else { gate::detached(py, read)? };
    let mut rest = &bytes[..];
    let listed = nested(py, array.shape(), array.dtype(), &mut rest);
    listed.map_err(|error| gate::sized(py, error, array.size().saturating_mul(size_of::<usize>())))
}

/// The lists of a shape, made of the elements in front of `rest`, which then begins behind them.
fn nested(py: Python<'_>, shape: &[usize], dtype: DType, rest: &mut &[u8]) -> PyResult<Py<PyAny>> {
    let size = dtype.size();
    match *shape {
        [] => {
            let bytes = take_front(rest, size);
            number(py, cuprum::Scalar::from_bytes(dtype, bytes).number())
        }
        [count] => row(py, dtype, take_front(rest, count * size)),
        [count, ref inner @ ..] => list_of(py, count, (0..count).map(|_| nested(py, inner, dtype, rest))),
    }
}

/// A list of so many items. Memory that cannot be had is an error.
fn list_of(
    py: Python<'_>,
    count: usize,
    items: impl Iterator<Item = PyResult<Py<PyAny>>>,
) -> PyResult<Py<PyAny>> {
    let length = isize::try_from(count).map_err(|_| PyMemoryError::new_err(()))?;
    // SAFETY: a new list of `length` empty places, each of which gets an item of its own; a list that is dropped before all have
    // one is a valid list to drop.
    unsafe {
        let list = Bound::from_owned_ptr_or_err(py, ffi::PyList_New(length))?;
        for (place, item) in (0..length).zip(items) {
            if ffi::PyList_SetItem(list.as_ptr(), place, item?.into_ptr()) < 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(list.unbind())
    }
}

/// A Python number that the C function made, or its error.
///
/// # Safety
/// A new reference, or null with an error set.
unsafe fn made(py: Python<'_>, number: *mut ffi::PyObject) -> PyResult<Py<PyAny>> {
    // SAFETY: the caller's promise.
    unsafe { Bound::from_owned_ptr_or_err(py, number) }.map(Bound::unbind)
}

fn float(py: Python<'_>, x: f64) -> PyResult<Py<PyAny>> {
    // SAFETY: the GIL is held.
    unsafe { made(py, ffi::PyFloat_FromDouble(x)) }
}

fn integer(py: Python<'_>, i: i64) -> PyResult<Py<PyAny>> {
    // SAFETY: the GIL is held.
    unsafe { made(py, ffi::PyLong_FromLongLong(i)) }
}

fn take_front<'b>(rest: &mut &'b [u8], bytes: usize) -> &'b [u8] {
    let (front, behind) = rest.split_at(bytes);
    *rest = behind;
    front
}

/// A list of elements. The dtypes that Python's own numbers have take no detour.
fn row(py: Python<'_>, dtype: DType, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    let eight = || bytes.as_chunks().0.iter();
    let four = || bytes.as_chunks().0.iter();
    let count = bytes.len() / dtype.size();
    match dtype {
        DType::F64 => list_of(py, count, eight().map(|b| float(py, f64::from_ne_bytes(*b)))),
        DType::F32 => list_of(py, count, four().map(|b| float(py, f64::from(f32::from_ne_bytes(*b))))),
        DType::I64 => list_of(py, count, eight().map(|b| integer(py, i64::from_ne_bytes(*b)))),
        DType::I32 => list_of(py, count, four().map(|b| integer(py, i32::from_ne_bytes(*b).into()))),
        _ => {
            let elements = bytes.chunks_exact(dtype.size());
            let items = elements.map(|b| number(py, cuprum::Scalar::from_bytes(dtype, b).number()));
            list_of(py, count, items)
        }
    }
}
