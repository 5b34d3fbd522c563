//! Python's values as arguments of a launch.

use cuprum::Scalar;
use cuprum::kernel::Argument;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;

use super::mdspan::Mdspan;
use crate::convert::{dtype, from_python};
use crate::cuda_interface;
use crate::ndarray::NdArray;
use crate::numpy::numpy;

/// The arguments of one launch.
pub type Arguments = SmallVec<[Argument; 8]>;

/// Adds the arguments that a tuple, a list or any other iterable holds: so many are not moved for nothing.
pub fn add_arguments(arguments: &mut Arguments, object: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        for item in tuple.iter_borrowed() {
            arguments.push(argument(&item)?);
        }
        return Ok(());
    }
    // `args=(x)` for `args=(x,)`: CuPy takes the array's address then, too.
    if object.is_instance_of::<NdArray>() {
        arguments.push(argument(object)?);
        return Ok(());
    }
    if object.is_instance_of::<PyString>() {
        let class = object.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!("args must be a tuple of arguments, got {class}")));
    }
    let items = object.try_iter().map_err(|_| {
        PyTypeError::new_err(format!("args must be a tuple of arguments, got {}", class_name(object)))
    })?;
    for item in items {
        arguments.push(argument(&item?)?);
    }
    Ok(())
}

fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".into(), |name| name.to_string())
}

/// One argument.
fn argument(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    let py = object.py();
    if let Ok(array) = object.cast::<NdArray>() {
        let array = array.get();
        if array.is_element() {
            let is_view = array.write_through(py);
            let inner = array.array(py);
            return Ok(if is_view { Argument::ElementView(inner) } else { Argument::Element(inner) });
        }
        return Ok(Argument::Array(array.array(py)));
    }
    if object.is_none() {
        return Ok(Argument::Null);
    }
    if let Ok(mdspan) = object.cast::<Mdspan>() {
        return Ok(Argument::Prefix(SmallVec::from_slice(&mdspan.get().bytes), "an mdspan".into()));
    }
    if let Some(number) = from_python::python_number(object)? {
        return Ok(Argument::Number(number));
    }
    if let Some(argument) = from_numpy(object)? {
        return Ok(argument);
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Argument::Bytes(bytes.as_bytes().into(), "bytes".into()));
    }
    if let Some(argument) = pointer(object)? {
        return Ok(argument);
    }
    if let Some(interface) = cuda_interface::of(object)? {
        return Ok(Argument::Array(cuda_interface::import(object, &interface)?));
    }
    if let Some(number) = from_python::number_like(object)? {
        return Ok(Argument::Number(number));
    }
    structure(object)
}

/// A scalar or an array of NumPy's.
fn from_numpy(object: &Bound<'_, PyAny>) -> PyResult<Option<Argument>> {
    let py = object.py();
    let np = numpy(py)?;
    let generic = object.is_instance(np.generic.bind(py))?;
    if !generic && !object.is_instance(np.ndarray.bind(py))? {
        return Ok(None);
    }
    if let Some(scalar) = from_python::common_scalar(object)? {
        return Ok(Some(Argument::Scalar(scalar)));
    }
    let its_dtype = object.getattr("dtype")?;
    if !generic && object.getattr("size")?.extract::<usize>()? != 1 {
        let shape = object.getattr("shape")?.repr()?;
        return Err(PyTypeError::new_err(format!(
            "a NumPy array of shape {shape} cannot be given to a kernel: pass cp.asarray(x)"
        )));
    }
    let plain = its_dtype.getattr("fields")?.is_none() && its_dtype.getattr("subdtype")?.is_none();
    let kind: String = its_dtype.getattr("kind")?.extract()?;
    if plain && kind != "V" {
        if generic && let Some(scalar) = from_python::numpy_scalar(object)? {
            return Ok(Some(Argument::Scalar(scalar)));
        }
        let found = dtype::from_numpy(&its_dtype)?;
        let bytes = object.call_method0("tobytes")?.extract::<Vec<u8>>()?;
        return Ok(Some(Argument::Scalar(Scalar::from_bytes(found, &bytes))));
    }
    if plain && let Ok(found) = dtype::from_numpy(&its_dtype) {
        // bfloat16 of ml_dtypes: void to NumPy.
        let bytes = object.call_method0("tobytes")?.extract::<Vec<u8>>()?;
        return Ok(Some(Argument::Scalar(Scalar::from_bytes(found, &bytes))));
    }
    let bytes = object.call_method0("tobytes")?.extract::<Vec<u8>>()?;
    let what = format!("a value of dtype {}", its_dtype.str()?);
    Ok(Some(Argument::Bytes(SmallVec::from_vec(bytes), what)))
}

/// A `MemoryPointer`, or anything else with an address in `ptr`.
fn pointer(object: &Bound<'_, PyAny>) -> PyResult<Option<Argument>> {
    let Some(address) = object.getattr_opt("ptr")? else { return Ok(None) };
    let Ok(address) = address.extract::<usize>() else { return Ok(None) };
    let extent = match object.getattr_opt("mem")? {
        Some(mem) => Some((mem.getattr("ptr")?.extract()?, mem.getattr("size")?.extract()?)),
        None => None,
    };
    Ok(Some(Argument::Memory { address, extent }))
}

/// Anything that shows its bytes, such as a `ctypes.Structure`.
fn structure(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    let view = object.py().import("builtins")?.getattr("memoryview")?.call1((object,));
    let Ok(view) = view else {
        let class = class_name(object);
        let message = format!("an argument of type '{class}' cannot be given to a kernel");
        return Err(PyTypeError::new_err(message));
    };
    let bytes = view.call_method0("tobytes")?.extract::<Vec<u8>>()?;
    Ok(Argument::Bytes(SmallVec::from_vec(bytes), class_name(object)))
}

/// A grid or a block: an integer, or one to three of them.
pub fn dimensions(what: &str, object: &Bound<'_, PyAny>) -> PyResult<[u64; 3]> {
    let mut sizes = [1; 3];
    let size = |item: &Bound<'_, PyAny>| -> PyResult<u64> {
        let value: i64 = item.extract().map_err(|_| {
            let class = class_name(item);
            PyTypeError::new_err(format!("{what} must be an int or a tuple of up to three ints, got {class}"))
        })?;
        u64::try_from(value)
            .map_err(|_| PyValueError::new_err(format!("{what} must be positive, got {value}")))
    };
    if object.is_exact_instance_of::<PyInt>() {
        sizes[0] = size(object)?;
        return Ok(sizes);
    }
    let check = |count: usize| {
        if (1..=3).contains(&count) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("{what} must have one to three dimensions, got {count}")))
    };
    if let Ok(tuple) = object.cast::<PyTuple>() {
        check(tuple.len())?;
        for (axis, item) in tuple.iter_borrowed().enumerate() {
            sizes[axis] = size(&item)?;
        }
        return Ok(sizes);
    }
    if let Ok(list) = object.cast::<PyList>() {
        check(list.len())?;
        for (axis, item) in list.iter().enumerate() {
            sizes[axis] = size(&item)?;
        }
        return Ok(sizes);
    }
    // A dim3-like object, or an integer of NumPy's.
    if let Ok(one) = size(object) {
        sizes[0] = one;
        return Ok(sizes);
    }
    let items: Vec<Bound<'_, PyAny>> = match object.try_iter() {
        Ok(items) => items.take(sizes.len() + 1).collect::<PyResult<_>>()?,
        Err(_) => return size(object).map(|_| sizes),
    };
    check(items.len())?;
    for (axis, item) in items.iter().enumerate() {
        sizes[axis] = size(item)?;
    }
    Ok(sizes)
}
