//! DLPack, both ways and without copies, on the CPU and on a GPU: versioned capsules (1.x) and the older ones.

use std::ffi::{CStr, c_void};

use cuprum::{Array, DType, Order};
use cuprum_core::{Layout, MAX_DIMS, Strides};
use cuprum_graph::{DeviceKind, DeviceRef, same_device};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::convert::{devices, from_python};
use crate::ndarray::NdArray;
use crate::{cuda_interface, exports, gate};

/// DLPack's numbers of devices; memory that the GPU shares with the host, or that is pinned for it, is of kinds of its own.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_PINNED: i32 = 3;
const CUDA_MANAGED: i32 = 13;
/// The stream that means: nobody has to wait.
const NO_WAIT: i64 = -1;
const VERSION: (u32, u32) = (1, 0);
const READ_ONLY: u64 = 1;
const COPIED: u64 = 2;

const NAME: &CStr = c"dltensor";
const NAME_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: Tensor,
}

/// What an exported tensor keeps alive.
struct ExportedTensor {
    array: Array,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

fn type_code(dtype: DType) -> (u8, u8) {
    let bits = (dtype.size() * 8) as u8;
    let code = match dtype {
        DType::Bool => 6,
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => 0,
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => 1,
        DType::F16 | DType::F32 | DType::F64 => 2,
        DType::BF16 => 4,
        DType::C64 | DType::C128 => 5,
    };
    (code, bits)
}

/// The device of an array as DLPack numbers it.
pub fn device_of(array: &Array) -> (i32, i32) {
    match array.device().kind() {
        DeviceKind::Cpu => (CPU, 0),
        DeviceKind::Cuda(ordinal) => (CUDA, ordinal as i32),
    }
}

/// Makes the consumer's stream wait for the work that fills the array.
fn hand_over(
    array: &Array,
    stream: Option<i64>,
) -> PyResult<impl FnOnce() -> cuprum::Result<()> + Send + use<>> {
    let target = match (array.device().kind(), stream) {
        // What fills the array has run before the capsule leaves: every stream of the CPU's may read it.
        (DeviceKind::Cpu, _) | (_, Some(NO_WAIT)) => None,
        (DeviceKind::Cuda(_), Some(0)) => {
            return Err(PyValueError::new_err("__dlpack__: stream 0 is ambiguous, use 1 or 2"));
        }
        // Without a word about it the consumer works in the legacy default stream.
        (DeviceKind::Cuda(ordinal), stream) => Some((ordinal, stream.unwrap_or(1) as usize)),
    };
    Ok(move || match target {
        None => Ok(()),
        Some((ordinal, stream)) => {
            let (gpu, current) = (cuprum_cuda::gpu(ordinal)?, cuprum_cuda::current_stream(ordinal));
            // SAFETY: the consumer vouches for the stream that it names, as DLPack asks of it.
            unsafe { cuprum_cuda::follow(gpu, stream, current) }
        }
    })
}

/// A capsule of an array's elements.
pub fn export<'py>(
    owner: &Bound<'py, NdArray>,
    stream: Option<i64>,
    max_version: Option<(u32, u32)>,
    device: Option<(i32, i32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    let mut array = owner.get().array(py);
    let moves = device.is_some_and(|d| d != device_of(&array));
    if moves && (device != Some((CPU, 0)) || copy == Some(false)) {
        let message = format!("__dlpack__: the array is on {} and stays there", array.device().name());
        return Err(PyBufferError::new_err(message));
    }
    let copied = moves || copy == Some(true);
    let wait = hand_over(&array, stream)?;
    if moves {
        array = gate::detached(py, || array.to_device(cuprum::cpu()))?;
    } else if copied {
        array = gate::detached(py, || array.copy(Order::K))?;
    }
    let versioned = max_version.is_some_and(|(major, _)| major >= 1);
    if !versioned && !array.is_writeable() {
        return Err(PyBufferError::new_err("a read-only array can only be exported by DLPack 1.0 or later"));
    }
    let address = gate::detached(py, || {
        let address = exports::add(&array)?;
        wait()?;
        Ok(address)
    })?;
    let (device_type, device_id) = device_of(&array);
    let item = array.dtype().size() as isize;
    let mut held = Box::new(ExportedTensor {
        shape: array.shape().iter().map(|&d| d as i64).collect(),
        strides: array.strides().iter().map(|&s| (s / item) as i64).collect(),
        array,
    });
    let (code, bits) = type_code(held.array.dtype());
    let tensor = Tensor {
        data: address as *mut c_void,
        device_type,
        device_id,
        ndim: held.shape.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: held.shape.as_mut_ptr(),
        strides: held.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let flags = u64::from(!held.array.is_writeable()) * READ_ONLY + u64::from(copied) * COPIED;
    let context: *mut c_void = Box::into_raw(held).cast();
    if versioned {
        let (major, minor) = VERSION;
        let managed =
            ManagedVersioned { major, minor, context, deleter: Some(delete_versioned), flags, tensor };
        // SAFETY: a boxed tensor of the kind that the name says and that the destructor expects.
        unsafe { capsule(py, Box::into_raw(Box::new(managed)).cast(), VERSIONED, drop_versioned_capsule) }
    } else {
        let managed = Managed { tensor, context, deleter: Some(delete) };
        // SAFETY: as above.
        unsafe { capsule(py, Box::into_raw(Box::new(managed)).cast(), NAME, drop_capsule) }
    }
}

/// # Safety
/// `pointer` is a boxed managed tensor of the kind that `name` says and that `destructor` expects.
unsafe fn capsule<'py>(
    py: Python<'py>,
    pointer: *mut c_void,
    name: &'static CStr,
    destructor: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller's promise.
    let made = unsafe { ffi::PyCapsule_New(pointer, name.as_ptr(), Some(destructor)) };
    // SAFETY: PyCapsule_New returns a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}

/// Lets go of what an export held.
///
/// # Safety
/// `context` is a `ExportedTensor` box that nobody else will free.
unsafe fn let_go(context: *mut c_void) {
    // SAFETY: the caller vouches for it.
    let held = unsafe { Box::from_raw(context.cast::<ExportedTensor>()) };
    exports::remove(&held.array);
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: the consumer calls the deleter once, with the tensor that `export` boxed.
    unsafe { let_go(Box::from_raw(managed).context) }
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: the consumer calls the deleter once, with the tensor that `export` boxed.
    unsafe { let_go(Box::from_raw(managed).context) }
}

/// A capsule that nobody took still owns its tensor.
unsafe extern "C" fn drop_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: CPython destroys `capsule`, of which we made the name and the pointer; a consumer renames it.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn drop_versioned_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: as in `drop_capsule`.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// Calls a producer's deleter when the last array over its memory goes.
struct Imported {
    release: Release,
}

enum Release {
    Old(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

// SAFETY: the pointer is used once, to call the deleter, which DLPack allows from any thread.
unsafe impl Send for Imported {}
// SAFETY: a shared reference gives no access to the pointer.
unsafe impl Sync for Imported {}

impl Drop for Imported {
    fn drop(&mut self) {
        // Producers in Python need the GIL to let go; at interpreter exit there is none to be had, and nothing to do.
        let release = || match self.release {
            // SAFETY: the tensor was taken out of its capsule by `import` and is deleted once, here.
            Release::Old(managed) => unsafe {
                if let Some(deleter) = (*managed).deleter {
                    deleter(managed);
                }
            },
            // SAFETY: as above.
            Release::Versioned(managed) => unsafe {
                if let Some(deleter) = (*managed).deleter {
                    deleter(managed);
                }
            },
        };
        Python::try_attach(|_| release());
    }
}

/// The array of a DLPack producer, sharing its memory, which the producer may write unseen.
pub fn import(producer: &Bound<'_, PyAny>) -> PyResult<Array> {
    let array = over_memory_of(producer)?;
    gate::detached(producer.py(), || exports::add(&array))?;
    Ok(array)
}

/// An array over the memory of a DLPack producer that nobody will write but through it: a file that was mapped for it, a
/// message that has arrived. Work that reads it is deferred like any other.
#[pyfunction]
pub fn adopt<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
    Bound::new(x.py(), NdArray::pinned(over_memory_of(x)?))
}

fn over_memory_of(producer: &Bound<'_, PyAny>) -> PyResult<Array> {
    let py = producer.py();
    let (kind, number): (i32, i32) = producer.call_method0("__dlpack_device__")?.extract()?;
    let keywords = PyDict::new(py);
    let device = device_named(py, kind, number)?;
    if let DeviceKind::Cuda(ordinal) = device.kind() {
        keywords.set_item("stream", cuda_interface::stream_name(ordinal))?;
    }
    let plain = keywords.copy()?;
    keywords.set_item("max_version", VERSION)?;
    let capsule = match producer.call_method("__dlpack__", (), Some(&keywords)) {
        Ok(capsule) => capsule,
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            producer.call_method("__dlpack__", (), Some(&plain))?
        }
        Err(error) => return Err(error),
    };
    take(device, &capsule.cast_into::<PyCapsule>()?)
}

/// An array that shares the memory of a DLPack capsule, which can be used once.
///
/// Parameters
/// ----------
/// dltensor : capsule
///     What `__dlpack__` of another library's array gave.
///
/// Returns
/// -------
/// out : ndarray
///     An array over the same memory.
///
/// Examples
/// --------
/// >>> cp.fromDlpack(cp.arange(3).toDlpack())
/// array([0, 1, 2])
#[pyfunction]
pub fn from_capsule<'py>(dltensor: &Bound<'py, PyAny>) -> PyResult<Bound<'py, NdArray>> {
    let py = dltensor.py();
    let Ok(capsule) = dltensor.cast::<PyCapsule>() else {
        let class = dltensor.get_type().name()?;
        return Err(PyTypeError::new_err(format!("fromDlpack: expected a DLPack capsule, got {class}")));
    };
    let (kind, number) = device_in(capsule)?;
    let device = device_named(py, kind, number)?;
    let array = take(device, capsule)?;
    gate::detached(py, || exports::add(&array))?;
    Bound::new(py, NdArray::pinned(array))
}

/// The device that a capsule names.
fn device_in(capsule: &Bound<'_, PyCapsule>) -> PyResult<(i32, i32)> {
    let object = capsule.as_ptr();
    // SAFETY: `object` is a capsule; its name tells which structure it points to.
    unsafe {
        if ffi::PyCapsule_IsValid(object, VERSIONED.as_ptr()) == 1 {
            let managed: *mut ManagedVersioned = ffi::PyCapsule_GetPointer(object, VERSIONED.as_ptr()).cast();
            return Ok(((*managed).tensor.device_type, (*managed).tensor.device_id));
        }
        if ffi::PyCapsule_IsValid(object, NAME.as_ptr()) == 1 {
            let managed: *mut Managed = ffi::PyCapsule_GetPointer(object, NAME.as_ptr()).cast();
            return Ok(((*managed).tensor.device_type, (*managed).tensor.device_id));
        }
    }
    Err(PyValueError::new_err(
        "from_dlpack: not a DLPack capsule, or one that was used already: it cannot be consumed multiple times",
    ))
}

fn device_named(py: Python<'_>, kind: i32, number: i32) -> PyResult<DeviceRef> {
    match kind {
        CPU | CUDA_PINNED => Ok(cuprum::cpu()),
        CUDA | CUDA_MANAGED => {
            let ordinal = usize::try_from(number).unwrap_or(0);
            gate::detached(py, || cuprum::cuda(ordinal)).map_err(|error| {
                PyBufferError::new_err(format!("from_dlpack: the array is on a GPU: {}", error.value(py)))
            })
        }
        _ => Err(PyBufferError::new_err(format!(
            "from_dlpack: the array is on a device of type {kind}, neither the CPU nor an NVIDIA GPU"
        ))),
    }
}

fn take(device: DeviceRef, capsule: &Bound<'_, PyCapsule>) -> PyResult<Array> {
    let object = capsule.as_ptr();
    // SAFETY: `object` is a capsule; its name tells which structure it points to, and renaming it tells its
    // destructor that the tensor is ours to delete.
    unsafe {
        if ffi::PyCapsule_IsValid(object, VERSIONED.as_ptr()) == 1 {
            let managed: *mut ManagedVersioned = ffi::PyCapsule_GetPointer(object, VERSIONED.as_ptr()).cast();
            if (*managed).major > VERSION.0 {
                let message =
                    format!("from_dlpack: version {}.{} is too new", (*managed).major, (*managed).minor);
                return Err(PyBufferError::new_err(message));
            }
            ffi::PyCapsule_SetName(object, VERSIONED_USED.as_ptr());
            let keeper = Imported { release: Release::Versioned(managed) };
            let writeable = (*managed).flags & READ_ONLY == 0;
            return Ok(over(device, &(*managed).tensor, keeper)?.with_writeable(writeable));
        }
        if ffi::PyCapsule_IsValid(object, NAME.as_ptr()) == 1 {
            let managed: *mut Managed = ffi::PyCapsule_GetPointer(object, NAME.as_ptr()).cast();
            ffi::PyCapsule_SetName(object, NAME_USED.as_ptr());
            return over(device, &(*managed).tensor, Imported { release: Release::Old(managed) });
        }
    }
    Err(PyValueError::new_err(
        "from_dlpack: not a DLPack capsule, or one that was used already: it cannot be consumed multiple times",
    ))
}

/// An array over a tensor's memory.
///
/// # Safety
/// The tensor is what its producer says it is, and lives as long as `keeper`.
unsafe fn over(device: DeviceRef, tensor: &Tensor, keeper: Imported) -> PyResult<Array> {
    let found =
        DType::ALL.into_iter().find(|d| type_code(*d) == (tensor.code, tensor.bits) && tensor.lanes == 1);
    let Some(dtype) = found else {
        let message =
            format!("from_dlpack: dtype code {} of {} bits is not supported", tensor.code, tensor.bits);
        return Err(PyBufferError::new_err(message));
    };
    let refused = |what: String| PyBufferError::new_err(format!("from_dlpack: {what}"));
    let ndim = match usize::try_from(tensor.ndim) {
        Ok(ndim) if ndim <= MAX_DIMS => ndim,
        _ => {
            return Err(refused(format!(
                "an array of {} dimensions, at most {MAX_DIMS} are supported",
                tensor.ndim
            )));
        }
    };
    if ndim > 0 && tensor.shape.is_null() {
        return Err(refused(format!("an array of {ndim} dimensions without a shape")));
    }
    let read = |pointer: *const i64| -> Vec<i64> {
        if ndim == 0 {
            return Vec::new();
        }
        // SAFETY: shape and strides are arrays of `ndim` integers that live as long as the tensor.
        unsafe { std::slice::from_raw_parts(pointer, ndim) }.to_vec()
    };
    let lengths = read(tensor.shape);
    let counted: Result<Vec<usize>, _> = lengths.iter().map(|&length| usize::try_from(length)).collect();
    let shape = counted.map_err(|_| refused(format!("negative lengths in shape {lengths:?}")))?;
    let too_large =
        || refused(format!("an array of shape {shape:?} with its strides and offset is too large"));
    let item = dtype.size();
    // Contiguous strides are products of lengths; with a length of 0 the others may be of any size.
    let elements =
        shape.iter().try_fold(item as isize, |bytes, &n| bytes.checked_mul(n.max(1).try_into().ok()?));
    let strides: Strides = if tensor.strides.is_null() {
        elements.ok_or_else(too_large)?;
        Layout::contiguous(&shape, item).strides
    } else {
        let scaled =
            read(tensor.strides).into_iter().map(|s| isize::try_from(s).ok()?.checked_mul(item as isize));
        scaled.collect::<Option<Strides>>().ok_or_else(too_large)?
    };
    let offset = usize::try_from(tensor.byte_offset).map_err(|_| too_large())?;
    let address = (tensor.data as usize).checked_add(offset).ok_or_else(too_large)?;
    let memory = from_python::memory_of(address, &shape, &strides, dtype).ok_or_else(too_large)?;
    if tensor.data.is_null() && !memory.is_empty() {
        return Err(refused(format!("an array of shape {shape:?} at a null pointer")));
    }
    // SAFETY: whoever exports a tensor vouches for its memory until it is let go of.
    unsafe { from_python::foreign(device, address, &shape, strides, dtype, std::sync::Arc::new(keeper)) }
}

/// An array that shares the memory of a DLPack producer.
///
/// Parameters
/// ----------
/// x : object
///     Anything with `__dlpack__` and `__dlpack_device__`, on the CPU or on a GPU.
///
/// Returns
/// -------
/// out : ndarray
///     An array over the same memory.
///
/// Examples
/// --------
/// >>> host = np.arange(3)
/// >>> a = cp.from_dlpack(host)
/// >>> host[0] = 7
/// >>> a
/// array([7, 1, 2])
#[pyfunction]
#[pyo3(signature = (x, /, *, device=None, copy=None))]
pub fn from_dlpack<'py>(
    x: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, NdArray>> {
    let py = x.py();
    let device = devices::optional(device)?;
    let array = import(x)?;
    if let Some(device) = device.filter(|d| !same_device(*d, array.device())) {
        if copy == Some(false) {
            let message = format!("from_dlpack: the array is on {} and stays there", array.device().name());
            return Err(PyBufferError::new_err(message));
        }
        return NdArray::wrap(py, gate::detached(py, || array.to_device(device))?);
    }
    if copy == Some(true) {
        let copy = gate::detached(py, || {
            let copy = array.copy(Order::K)?;
            copy.force()?;
            Ok(copy)
        })?;
        return NdArray::wrap(py, copy);
    }
    Bound::new(py, NdArray::pinned(array))
}
