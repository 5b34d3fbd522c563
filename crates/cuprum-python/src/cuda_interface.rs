//! `__cuda_array_interface__`, both ways: arrays on one GPU are shared with other libraries without a copy.
//!
//! On the CPU, objects of a program may describe memory that Cuprum gave out by its address; other addresses of the host are
//! refused.

use std::ops::Range;

use cuprum::{Array, DType};
use cuprum_core::{Layout, MAX_DIMS, Strides};
use cuprum_graph::DeviceKind;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{arguments, dtype, from_python, to_python};
use crate::functions::addresses::{From, Present, Use, present};
use crate::{exports, gate};

const VERSION: i32 = 3;
/// How the interface and DLPack name the legacy default stream, which is 0 to the driver.
const LEGACY_STREAM: usize = 1;

/// The stream that the calling thread works in on a GPU, as the interface and DLPack name it.
pub fn stream_name(ordinal: usize) -> usize {
    match cuprum_cuda::current_stream(ordinal) {
        0 => LEGACY_STREAM,
        stream => stream,
    }
}

/// The dictionary of an array on a GPU whose first element is at `address`.
pub fn export<'py>(py: Python<'py>, array: &Array, address: usize) -> PyResult<Bound<'py, PyDict>> {
    let DeviceKind::Cuda(ordinal) = array.device().kind() else {
        return Err(PyAttributeError::new_err(
            "'cuprum.ndarray' object has no attribute '__cuda_array_interface__': the array is on the CPU",
        ));
    };
    if array.dtype() == DType::BF16 {
        return Err(PyAttributeError::new_err("bfloat16 arrays have no __cuda_array_interface__"));
    }
    let interface = PyDict::new(py);
    interface.set_item("shape", to_python::tuple(py, array.shape())?)?;
    interface.set_item("typestr", dtype::to_python(py, array.dtype())?.getattr(py, "str")?)?;
    // A null pointer stands for no elements.
    let address = if array.size() == 0 { 0 } else { address };
    interface.set_item("data", (address, !array.is_writeable()))?;
    let strides = (!array.is_contiguous()).then(|| to_python::tuple(py, array.strides())).transpose()?;
    interface.set_item("strides", strides)?;
    interface.set_item("stream", stream_name(ordinal))?;
    interface.set_item("version", VERSION)?;
    Ok(interface)
}

/// The interface of another library's array, if it has one.
pub fn of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    match object.getattr("__cuda_array_interface__") {
        Ok(interface) => Ok(Some(interface.cast_into::<PyDict>()?)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// An array over the memory of another library's array, which it keeps alive. Our work waits for the owner's.
pub fn import(owner: &Bound<'_, PyAny>, interface: &Bound<'_, PyDict>) -> PyResult<Array> {
    let py = owner.py();
    let field = |name: &str| {
        let missing = || PyTypeError::new_err(format!("__cuda_array_interface__ has no '{name}'"));
        interface.get_item(name)?.ok_or_else(missing)
    };
    let shape = arguments::shape("array", &field("shape")?)?.into_vec();
    let described = numpy_dtype(&field("typestr")?)?;
    let found = dtype::from_numpy(&described)?;
    if !described.getattr("isnative")?.extract::<bool>()? {
        let message =
            format!("array: elements of dtype {described} are not in this machine's order of bytes");
        return Err(PyValueError::new_err(message));
    }
    let (address, read_only): (Option<usize>, bool) = field("data")?.extract()?;
    let strides = match interface.get_item("strides")?.filter(|s| !s.is_none()) {
        Some(given) => arguments::integers(&given)?.iter().map(|&step| step as isize).collect(),
        None => Layout::contiguous(&shape, found.size()).strides,
    };
    if interface.get_item("mask")?.is_some_and(|mask| !mask.is_none()) {
        return Err(PyValueError::new_err(
            "array: __cuda_array_interface__ with a mask: Cuprum does not support it",
        ));
    }
    let stream = match interface.get_item("stream")?.filter(|s| !s.is_none()) {
        Some(stream) => Some(stream.extract::<usize>()?),
        None => None,
    };
    let address = address.unwrap_or(0);
    if strides.len() != shape.len() || shape.len() > MAX_DIMS {
        let message = format!("array: {} strides for {} dimensions", strides.len(), shape.len());
        return Err(PyValueError::new_err(message));
    }
    let Some(range) = from_python::memory_of(address, &shape, &strides, found) else {
        let message = format!("array: an array of shape {shape:?} with strides {strides:?} is too large");
        return Err(PyValueError::new_err(message));
    };
    let unit = found.real().size();
    if !address.is_multiple_of(unit) || strides.iter().any(|step| !step.unsigned_abs().is_multiple_of(unit)) {
        let message =
            format!("array: memory at {address:#x} with strides {strides:?} is not aligned for {found}");
        return Err(PyValueError::new_err(message));
    }
    if let Some(array) = on_the_cpu(owner, address, range.clone(), &shape, &strides, found, read_only)? {
        gate::detached(py, || exports::add(&array))?;
        return Ok(array);
    }
    let keeper = std::sync::Arc::new(owner.clone().unbind());
    let device = gate::detached(py, || {
        let ordinal = owner_of(range)?;
        let device = cuprum::cuda(ordinal)?;
        if let Some(first) = stream {
            let (gpu, current) = (cuprum_cuda::gpu(ordinal)?, cuprum_cuda::current_stream(ordinal));
            // SAFETY: the producer vouches for the stream that it names, as the interface asks of it.
            unsafe { cuprum_cuda::follow(gpu, current, first)? };
        }
        Ok(device)
    })?;
    // SAFETY: whoever exports the interface vouches for its memory while the object lives.
    let array = unsafe { from_python::foreign(device, address, &shape, strides, found, keeper) }?;
    let array = array.with_writeable(!read_only);
    gate::detached(py, || exports::add(&array))?;
    Ok(array)
}

/// Which GPU all of a range belongs to. Of our own memory we know where it ends, of others' the driver is asked.
fn owner_of(range: Range<usize>) -> cuprum::Result<usize> {
    let nothing_at = |address: usize| {
        let text = format!(
            "__cuda_array_interface__ names {address:#x}, which is no memory of a GPU or of Cuprum's"
        );
        cuprum_core::Error::value("array", text)
    };
    let ordinal = cuprum_cuda::owner_of(range.start).map_err(|_| nothing_at(range.start))?;
    if range.is_empty() {
        return Ok(ordinal);
    }
    let last = range.end - 1;
    if exports::leaves_its_array(&range) {
        let text =
            format!("__cuda_array_interface__ describes memory up to {last:#x}, beyond the array it lies in");
        return Err(cuprum_core::Error::value("array", text));
    }
    match cuprum_cuda::owner_of(last) {
        Ok(same) if same == ordinal => Ok(ordinal),
        _ => Err(nothing_at(last)),
    }
}

/// The array where the description is of no elements, or of memory on the CPU that we gave out and that is still there; the
/// array keeps that memory, whatever becomes of its owner.
fn on_the_cpu(
    owner: &Bound<'_, PyAny>,
    address: usize,
    range: Range<usize>,
    shape: &[usize],
    strides: &Strides,
    found: DType,
    read_only: bool,
) -> PyResult<Option<Array>> {
    let on_cpu = gate::attached(owner.py(), cuprum::default_device)?.kind() == DeviceKind::Cpu;
    let known = |usage| if range.is_empty() { None } else { present(range.clone(), usage, From::Us) };
    let (writable, readable) = (known(Use::Write), known(Use::Read));
    let writeable = !read_only && (writable.is_some() || range.is_empty());
    let kept: Option<Present> = readable.or(writable);
    if kept.is_none() && !(range.is_empty() && on_cpu) {
        return Ok(None);
    }
    let keeper = std::sync::Arc::new((owner.clone().unbind(), kept));
    // SAFETY: the extent was looked up among our memory, which the keeper holds.
    let array =
        unsafe { from_python::foreign(cuprum::cpu(), address, shape, strides.clone(), found, keeper) }?;
    Ok(Some(array.with_writeable(writeable)))
}

fn numpy_dtype<'py>(typestr: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    typestr.py().import("numpy")?.getattr("dtype")?.call1((typestr,))
}
