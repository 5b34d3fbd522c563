//! Launches of kernels written in Python: a compiled kernel is found by the types of the arguments, and an array is given
//! as its address, its sizes and, where its elements do not lie row by row, its steps. What is rarer than arrays and
//! Python's numbers goes the long way, in Python.

use cuprum::kernel::Argument;
use cuprum_core::Number;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyTuple};
use smallvec::SmallVec;

use super::arguments::Arguments;
use super::function::{KernelFunction, LaunchOptions, device_key};
use crate::convert::from_python;
use crate::ndarray::NdArray;

/// The types of the arguments, and the device.
type SpecializationKey = SmallVec<[u8; 48]>;

/// Launches the kernel that `kernels` holds for these arguments. Returns None if it did, the key if there is no such kernel
/// yet, and False if an argument needs the general path.
#[pyfunction]
pub fn launch_python(
    py: Python<'_>,
    kernels: &Bound<'_, PyDict>,
    grid: &Bound<'_, PyAny>,
    block: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
    shared_mem: usize,
    stream: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Py<PyAny>>> {
    let mut key = SpecializationKey::new();
    key.extend_from_slice(&device_key(py)?.to_le_bytes()[..2]);
    let mut arguments = Arguments::new();
    for item in args.iter_borrowed() {
        if !add(&item, &mut key, &mut arguments)? {
            return Ok(Some(PyBool::new(py, false).to_owned().into_any().unbind()));
        }
    }
    let key = PyBytes::new(py, &key);
    let Some(found) = kernels.get_item(&key)? else { return Ok(Some(key.into_any().unbind())) };
    let function = found.cast::<KernelFunction>()?.get();
    let how = LaunchOptions { shared_mem, stream, strided: true, ..LaunchOptions::default() };
    function.run(py, grid, block, &arguments, &how)?;
    Ok(None)
}

/// Adds an argument, if it is one that can be told by its class.
fn add(object: &Bound<'_, PyAny>, key: &mut SpecializationKey, arguments: &mut Arguments) -> PyResult<bool> {
    if let Ok(array) = object.cast::<NdArray>() {
        return Ok(add_array(array, key, arguments));
    }
    if let Some(number) = from_python::python_number(object)? {
        key.push(match number {
            Number::Bool(_) => b'b',
            Number::Int(value) if i64::try_from(value).is_ok() => b'i',
            Number::Float(_) => b'f',
            _ => return Ok(false),
        });
        arguments.push(Argument::Number(number));
        return Ok(true);
    }
    match object.getattr_opt("_cuprum_array")? {
        Some(inner) => Ok(inner.cast::<NdArray>().is_ok_and(|array| add_array(array, key, arguments))),
        None => Ok(false),
    }
}

/// Adds an array: its memory, the lengths of its axes and, unless it is contiguous, its steps in elements. Steps that
/// are no whole elements are refused in Python.
fn add_array(array: &Bound<'_, NdArray>, key: &mut SpecializationKey, arguments: &mut Arguments) -> bool {
    if array.get().is_element() {
        return false;
    }
    let array = array.get().array(array.py());
    let contiguous = array.is_contiguous();
    let (shape, strides) = (array.shape(), array.strides());
    let item = array.dtype().size() as isize;
    if !contiguous && strides.iter().any(|stride| stride % item != 0) {
        return false;
    }
    let form = if contiguous { b'a' } else { b's' };
    key.extend_from_slice(&[form, array.dtype() as u8, shape.len() as u8, u8::from(array.is_writeable())]);
    let mut sizes: SmallVec<[i64; 16]> = shape.iter().map(|length| *length as i64).collect();
    if !contiguous {
        sizes.extend(strides.iter().map(|stride| (stride / item) as i64));
    }
    arguments.push(Argument::Array(array));
    arguments.extend(sizes.into_iter().map(Argument::from));
    true
}
