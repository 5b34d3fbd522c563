//! Python's values as arrays and arguments: numbers, NumPy scalars and arrays, nested sequences, buffers and whatever
//! says how it converts itself.

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use cuprum::{Arg, Array, DType, Kind, Number, Order, Scalar, default_device};
use cuprum_core::{Layout, Strides, size_of_shape};
use cuprum_graph::{Buffer, DeviceKind, DeviceRef, Event, EventKind, Span, count_to_device, fingerprint};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyList, PySequence, PyString, PyTuple};

use crate::convert::host_array::HostArray;
use crate::convert::{dtype, sequences, to_python};
use crate::functions::cuda::MemoryBlock;
use crate::ndarray::NdArray;
use crate::numpy::numpy;
use crate::{cuda_interface, gate};

/// Whoever keeps foreign memory alive.
pub type Keeper = Arc<dyn Any + Send + Sync>;

/// A converted argument of an elementwise op.
#[derive(Clone, Debug)]
pub enum PyOperand {
    /// An array.
    Array(Array),
    /// A Python number, which takes its neighbours' dtype.
    Number(Number),
    /// A value with a dtype.
    Scalar(Scalar),
}

impl PyOperand {
    /// The argument as the library takes it.
    pub fn arg(&self) -> Arg<'_> {
        match self {
            PyOperand::Array(a) => Arg::Array(a),
            PyOperand::Number(n) => Arg::Number(*n),
            PyOperand::Scalar(s) => Arg::Scalar(*s),
        }
    }

    /// The array, where it is one.
    pub fn array(&self) -> Option<&Array> {
        match self {
            PyOperand::Array(a) => Some(a),
            _ => None,
        }
    }
}

/// A Python number, exactly of Python's own types; `None` for anything else.
#[inline]
pub fn python_number(object: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
    if object.is_exact_instance_of::<PyFloat>() {
        return Ok(Some(Number::Float(object.cast::<PyFloat>()?.value())));
    }
    if object.is_exact_instance_of::<PyInt>() {
        return long(object).map(Some);
    }
    if object.is_exact_instance_of::<PyBool>() {
        return Ok(Some(Number::Bool(object.is_truthy()?)));
    }
    if let Ok(z) = object.cast_exact::<PyComplex>() {
        return Ok(Some(Number::Complex(z.real(), z.imag())));
    }
    Ok(None)
}

fn long(object: &Bound<'_, PyAny>) -> PyResult<Number> {
    if let Ok(small) = object.extract::<i64>() {
        return Ok(Number::Int(small as i128));
    }
    if let Ok(wide) = object.extract::<i128>() {
        return Ok(Number::Int(wide));
    }
    match object.extract::<f64>() {
        Ok(near) => Ok(Number::Huge(near)),
        Err(_) if object.lt(0)? => Ok(Number::Huge(f64::NEG_INFINITY)),
        Err(_) => Ok(Number::Huge(f64::INFINITY)),
    }
}

/// Subclasses of Python's numbers: enumerations and the like.
pub fn number_like(object: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
    if object.is_instance_of::<PyInt>() {
        return long(object).map(Some);
    }
    if let Ok(x) = object.cast::<PyFloat>() {
        return Ok(Some(Number::Float(x.value())));
    }
    if let Ok(z) = object.cast::<PyComplex>() {
        return Ok(Some(Number::Complex(z.real(), z.imag())));
    }
    Ok(None)
}

/// A NumPy scalar; `None` for anything else.
pub fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    if let Some(scalar) = common_scalar(object)? {
        return Ok(Some(scalar));
    }
    let py = object.py();
    if !object.is_instance(numpy(py)?.generic.bind(py))? {
        return Ok(None);
    }
    let dtype = dtype::from_numpy(&object.getattr("dtype")?)?;
    let bytes = object.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    Ok(Some(Scalar::from_bytes(dtype, bytes.as_bytes())))
}

/// A scalar of one of NumPy's classes of numbers, known by the class alone; `None` for anything else.
pub fn common_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    let Some(dtype) = dtype::of_scalar(object)? else { return Ok(None) };
    let number = match dtype {
        DType::Bool => Number::Bool(object.is_truthy()?),
        DType::F64 => Number::Float(object.cast::<PyFloat>()?.value()),
        DType::F32 | DType::F16 => Number::Float(object.extract::<f64>()?),
        DType::C128 => {
            let z = object.cast::<PyComplex>()?;
            Number::Complex(z.real(), z.imag())
        }
        DType::U64 => Number::Int(object.extract::<u64>()? as i128),
        _ if dtype.is_integral() => Number::Int(object.extract::<i64>()? as i128),
        _ => return Ok(None),
    };
    Ok(Some(Scalar::wrapping(number, dtype)))
}

/// An argument of an elementwise op, from anything that is an array, a number, or converts to one.
pub fn operand(object: &Bound<'_, PyAny>) -> PyResult<PyOperand> {
    if let Some(found) = simple_operand(object)? {
        return Ok(found);
    }
    array(object, None, Order::K).map(PyOperand::Array)
}

/// An argument of an operator; `None` for what operators leave to the other side.
pub fn operator_operand(object: &Bound<'_, PyAny>) -> PyResult<Option<PyOperand>> {
    match simple_operand(object) {
        // NumPy's ufunc comes back to ours, which leaves them to the class of dates.
        Err(_) if is_numpy_date(object)? => return Ok(None),
        found => {
            if let Some(found) = found? {
                return Ok(Some(found));
            }
        }
    }
    if !converts(object)? || has_own_ufuncs(object)? || is_numpy_date(object)? {
        return Ok(None);
    }
    array(object, None, Order::K).map(PyOperand::Array).map(Some)
}

/// Whether an object is NumPy's dates or differences of dates: an array, or one of them.
pub fn is_numpy_date(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let np = numpy(py)?;
    if !object.is_instance(np.generic.bind(py))? && !object.is_instance(np.ndarray.bind(py))? {
        return Ok(false);
    }
    let kind: char = object.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    Ok(matches!(kind, 'm' | 'M'))
}

/// Whether an object computes ufuncs itself, or says that it will have none of them: NumPy's arrays and ours do not count.
pub fn has_own_ufuncs(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let np = numpy(py)?;
    if object.is_instance_of::<NdArray>() || object.is_instance(np.generic.bind(py))? {
        return Ok(false);
    }
    let own = object.get_type().getattr("__array_ufunc__").is_ok_and(|f| !f.is(&np.array_ufunc));
    // What gives us an array of ours takes part as that.
    Ok(own && !object.hasattr("__cupy_get_ndarray__")?)
}

fn simple_operand(object: &Bound<'_, PyAny>) -> PyResult<Option<PyOperand>> {
    if let Ok(array) = object.cast_exact::<NdArray>() {
        return Ok(Some(PyOperand::Array(array.get().array(object.py()))));
    }
    if let Some(number) = python_number(object)? {
        return Ok(Some(PyOperand::Number(number)));
    }
    if let Ok(array) = object.cast::<NdArray>() {
        return Ok(Some(PyOperand::Array(array.get().array(object.py()))));
    }
    if let Some(scalar) = numpy_scalar(object)? {
        return Ok(Some(PyOperand::Scalar(scalar)));
    }
    Ok(number_like(object)?.map(PyOperand::Number))
}

/// Whether an object that is no number converts to an array: sequences, NumPy arrays, and what speaks a protocol.
fn converts(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return Ok(true);
    }
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return Ok(false);
    }
    if object.cast::<PySequence>().is_ok() {
        return Ok(true);
    }
    Ok(["__array_interface__", "__array__", "__dlpack__", "__cuda_array_interface__", "__cupy_get_ndarray__"]
        .iter()
        .any(|name| object.hasattr(*name).unwrap_or(false)))
}

/// An array from anything, without a copy where it is one of ours in that dtype already.
pub fn array(object: &Bound<'_, PyAny>, dtype: Option<DType>, order: Order) -> PyResult<Array> {
    let py = object.py();
    if let Ok(ours) = object.cast::<NdArray>() {
        return converted(py, ours.get().array(py), dtype, order);
    }
    if let Some(number) = python_number(object)? {
        let dtype = dtype.unwrap_or(number.default_dtype());
        check_number(py, number, dtype)?;
        return gate::attached(py, || Array::from_scalar(Scalar::new("array", number, dtype)?));
    }
    if let Some(made) = plain_sequence(object, dtype, order)? {
        return Ok(made);
    }
    let np = numpy(py)?;
    if object.is_instance(np.ndarray.bind(py))? {
        return from_numpy(object, dtype, order);
    }
    if let Some(scalar) = numpy_scalar(object)? {
        return gate::attached(py, || Array::from_scalar(scalar.cast(dtype.unwrap_or(scalar.dtype()))));
    }
    if let Some(shared) = other_library(object)? {
        return converted(py, shared, dtype, order).and_then(|a| {
            gate::detached(py, || {
                // The owner may change the memory as soon as this call returns.
                let copy = a.copy(Order::K)?.to_device(default_device()?)?;
                copy.force()?;
                Ok(copy)
            })
        });
    }
    host_array(object, dtype).and_then(|host| from_numpy(&host, dtype, order))
}

/// The array of a list or tuple of Python's own numbers, where it lies row by row.
fn plain_sequence(object: &Bound<'_, PyAny>, dtype: Option<DType>, order: Order) -> PyResult<Option<Array>> {
    let made = sequences::regular(object, dtype)?;
    Ok(made.filter(|array| order != Order::F || array.is_fortran()))
}

/// Whether an object is a number, a sequence of Python's or a NumPy array: no array of another library.
pub fn is_plain(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyTuple>()
        || object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyInt>()
        || object.is_instance(numpy(object.py())?.ndarray.bind(object.py()))?)
}

/// An array of another library's that NumPy cannot read, over its memory: on a GPU, or with nothing but DLPack.
pub fn other_library(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    if is_plain(object)? {
        return Ok(None);
    }
    if let Ok(give) = object.getattr("__cupy_get_ndarray__") {
        return Ok(Some(give.call0()?.cast::<NdArray>()?.get().array(object.py())));
    }
    if let Some(interface) = cuda_interface::of(object)? {
        return cuda_interface::import(object, &interface).map(Some);
    }
    let only_dlpack = object.hasattr("__dlpack__")?
        && !object.hasattr("__array__")?
        && !object.hasattr("__array_interface__")?;
    if only_dlpack { crate::dlpack::import(object).map(Some) } else { Ok(None) }
}

thread_local! {
    /// Whether this thread lets NumPy parse a sequence for us: then arrays on a GPU in it may be read.
    static CONVERTING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a sequence is being parsed for us, in which arrays on a GPU may be read without being asked to.
pub fn is_converting() -> bool {
    CONVERTING.get()
}

/// Parsing Python's objects is work for the host: NumPy finds the shape and the common type of nested sequences.
fn host_array<'py>(object: &Bound<'py, PyAny>, dtype: Option<DType>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let make = numpy(py)?.array.bind(py);
    let wanted = dtype.filter(|d| *d != DType::BF16);
    let outer = CONVERTING.replace(true);
    let made = match wanted {
        Some(d) => dtype::to_python(py, d).and_then(|d| make.call1((object, d))),
        None => make.call1((object,)),
    };
    CONVERTING.set(outer);
    let host = made?;
    if dtype::from_numpy(&host.getattr("dtype")?).is_err() {
        return Err(no_numbers(object, &host));
    }
    Ok(host)
}

/// The error for an object of which NumPy makes an array that holds no numbers.
fn no_numbers(object: &Bound<'_, PyAny>, host: &Bound<'_, PyAny>) -> PyErr {
    let message = || -> PyResult<String> {
        let dtype = host.getattr("dtype")?;
        let elements = match dtype.getattr("kind")?.extract::<char>()? {
            'U' => "are strings".to_owned(),
            'S' => "are bytes".to_owned(),
            _ if object.hasattr("__next__")? => "come one by one: write list(...)".to_owned(),
            _ => format!("have dtype {}", dtype.getattr("name")?.extract::<String>()?),
        };
        let class = object.get_type().name()?;
        Ok(format!("array: cannot make an array of numbers from this {class}: its elements {elements}"))
    };
    message().map_or_else(|error| error, PyTypeError::new_err)
}

/// An error for Python numbers that do not convert to a dtype as `int()` and `float()` convert.
pub fn check_number(py: Python<'_>, number: Number, dtype: DType) -> PyResult<()> {
    let integer = matches!(dtype.kind(), Kind::Signed | Kind::Unsigned);
    match number {
        Number::Complex(..) if !dtype.is_complex() && dtype != DType::Bool => {
            Err(PyTypeError::new_err(format!("a complex number cannot be stored in an array of {dtype}")))
        }
        Number::Float(x) if integer && x.is_nan() => {
            Err(PyValueError::new_err("cannot convert float NaN to integer"))
        }
        Number::Float(x) if integer && x.is_infinite() => {
            Err(PyOverflowError::new_err("cannot convert float infinity to integer"))
        }
        Number::Float(x) if integer => {
            gate::attached(py, || Scalar::new("array", Number::Int(x as i128), dtype)).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// A sequence of Python's, converted element by element as assignment converts.
pub fn sequence(object: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Array> {
    if let Some(made) = sequences::regular(object, Some(dtype))? {
        return Ok(made);
    }
    host_array(object, Some(dtype)).and_then(|host| from_numpy(&host, Some(dtype), Order::K))
}

/// An array of ours in another dtype and order; itself where nothing changes.
pub fn converted(py: Python<'_>, array: Array, dtype: Option<DType>, order: Order) -> PyResult<Array> {
    let dtype = dtype.unwrap_or(array.dtype());
    if dtype == array.dtype() && is_ordered(&array, order) {
        return Ok(array);
    }
    gate::compute(py, &[&array], || array.astype_ordered(dtype, order))
}

/// Whether an array lies in an order already.
pub fn is_ordered(array: &Array, order: Order) -> bool {
    match order {
        Order::C => array.is_contiguous(),
        Order::F => array.is_fortran(),
        Order::A => array.is_contiguous() || array.is_fortran(),
        Order::K => true,
    }
}

/// A copy of a NumPy array of any strides, alignment and byte order.
pub fn from_numpy(host: &Bound<'_, PyAny>, dtype: Option<DType>, order: Order) -> PyResult<Array> {
    let py = host.py();
    let facts = HostArray::of(host)?;
    let found = match facts.dtype {
        Some(found) => found,
        None => dtype::from_numpy(&host.getattr("dtype")?).map_err(|error| {
            if error.is_instance_of::<PyTypeError>(py) { no_numbers(host, host) } else { error }
        })?,
    };
    let target = dtype.unwrap_or(found);
    let bytes = size_of_shape(&facts.shape) * found.size();
    let span = default_device().map_or_else(|_| Span::begin(), |device| Span::begin_over(device, bytes));
    let made = copied(py, host, &facts, found, target, order)?;
    span.end(|| {
        let lies_dense = facts.is_contiguous(found);
        // SAFETY: as for `upload`.
        let sample = if lies_dense { fingerprint(unsafe { slice_at(facts.address, bytes) }) } else { 0 };
        Event {
            address: facts.address,
            fingerprint: sample,
            page_locked: is_page_locked(host),
            ..Event::new(EventKind::ToDevice, "array").on(made.device()).bytes(bytes)
        }
    });
    Ok(made)
}

/// Whether the memory of a NumPy array is page-locked: a block of ours that is the host's, or what the driver says.
fn is_page_locked(host: &Bound<'_, PyAny>) -> bool {
    let mut owner = host.clone();
    while let Ok(base) = owner.getattr("base")
        && !base.is_none()
    {
        owner = base;
    }
    let memory = owner.getattr("obj").unwrap_or(owner);
    memory.cast::<MemoryBlock>().is_ok_and(|block| block.get().is_hosts())
        || to_python::address_of(host).is_ok_and(|address| {
            default_device().is_ok_and(|device| device.kind() != DeviceKind::Cpu)
                && cuprum_cuda::is_pinned(address)
        })
}

fn copied(
    py: Python<'_>,
    host: &Bound<'_, PyAny>,
    facts: &HostArray,
    found: DType,
    target: DType,
    order: Order,
) -> PyResult<Array> {
    if facts.plain && target == found && order != Order::F && facts.is_contiguous(found) {
        return gate::make(py, size_of_shape(&facts.shape), || upload(facts, found));
    }
    let foreign = if facts.plain {
        HostArray::of(host)?.borrow(host, found)?
    } else {
        let plain = host.getattr("dtype")?.call_method1("newbyteorder", ("=",))?;
        let plain = host.call_method1("astype", (plain,))?;
        HostArray::of(&plain)?.borrow(&plain, found)?
    };
    gate::detached(py, || {
        let device = default_device()?;
        if device.kind() != DeviceKind::Cpu {
            // The host brings the elements into order; whoever has the fewer bytes to move for it converts them.
            let first = if target.size() <= found.size() { target } else { found };
            let ready = first == found && is_ordered(&foreign, order);
            let ordered = if ready { foreign } else { foreign.astype_ordered(first, order)? };
            let there = ordered.to_device(device)?;
            return if target == first { Ok(there) } else { there.astype(target) };
        }
        let copy = foreign.astype_ordered(target, order)?;
        // The owner may change the memory as soon as this call returns.
        copy.force()?;
        count_to_device(copy.size() * copy.dtype().size());
        Ok(copy)
    })
}

/// Writes a NumPy array's elements straight into an array of the same shape and dtype, where both lie row by row.
pub fn overwrite(array: &Array, host: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = host.py();
    let plain = host.getattr("flags")?.getattr("carray")?.is_truthy()?;
    // On the CPU the two may be the same memory.
    let apart = array.device().kind() != DeviceKind::Cpu;
    if !plain || !apart || !array.is_contiguous() || array.size() == 0 {
        return Ok(false);
    }
    let foreign = HostArray::of(host)?.borrow(host, array.dtype())?;
    gate::detached(py, || {
        let buffer = foreign.force()?;
        let bytes = foreign.size() * foreign.dtype().size();
        // SAFETY: the buffer reaches over all elements from the offset on, in memory that its keeper holds.
        let source = unsafe { slice_at(buffer.address() + foreign.layout().offset, bytes) };
        array.overwrite(source)
    })?;
    Ok(true)
}

/// A copy of contiguous elements of a NumPy array that the caller holds.
fn upload(host: &HostArray, dtype: DType) -> cuprum::Result<Array> {
    let bytes = size_of_shape(&host.shape) * dtype.size();
    // SAFETY: the elements lie there without gaps, as NumPy says; a writer in another thread is a race of the program's own.
    let source = unsafe { slice_at(host.address, bytes) };
    Array::from_bytes(source, &host.shape, dtype)
}

/// The bytes at an address, none for an empty range at any address.
///
/// # Safety
/// `bytes` bytes at `address` are readable while the slice lives.
unsafe fn slice_at<'a>(address: usize, bytes: usize) -> &'a [u8] {
    if bytes == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for the range, which is not empty and so not null.
    unsafe { std::slice::from_raw_parts(address as *const u8, bytes) }
}

/// An array over memory of a device that `keeper` keeps alive.
///
/// # Safety
/// While the keeper lives, the extent of the shape and the strides around `address` is memory of the device. An array over
/// what may not be written is made read-only.
pub unsafe fn foreign(
    device: DeviceRef,
    address: usize,
    shape: &[usize],
    strides: Strides,
    dtype: DType,
    keeper: Keeper,
) -> PyResult<Array> {
    let Some(memory) = memory_of(address, shape, &strides, dtype) else {
        let message = format!("an array of shape {shape:?} with strides {:?} is too large", &strides[..]);
        return Err(PyValueError::new_err(message));
    };
    let layout = Layout { shape: shape.into(), strides, offset: address.wrapping_sub(memory.start) };
    // SAFETY: the caller's promise.
    let buffer = unsafe { Buffer::new(device.kind(), memory.start, memory.len(), keeper) };
    Ok(Array::from_buffer(device, buffer, layout, dtype))
}

/// The addresses that the elements of an array lie at, whose first is at `address`; `None` where no memory is that large, or
/// the elements are more than can be counted.
pub fn memory_of(address: usize, shape: &[usize], strides: &[isize], dtype: DType) -> Option<Range<usize>> {
    if shape.contains(&0) {
        return Some(address..address);
    }
    shape
        .iter()
        .try_fold(dtype.size() as isize, |bytes, &dim| bytes.checked_mul(isize::try_from(dim).ok()?))?;
    let (mut below, mut above) = (0isize, dtype.size() as isize);
    for (&dim, &stride) in shape.iter().zip(strides) {
        let reach = isize::try_from(dim - 1).ok()?.checked_mul(stride)?;
        let side = if reach < 0 { &mut below } else { &mut above };
        *side = side.checked_add(reach)?;
    }
    // Offsets within it are signed.
    above.checked_sub(below)?;
    Some(address.checked_add_signed(below)?..address.checked_add_signed(above)?)
}

/// A mask: anything that is or converts safely to booleans.
pub fn mask(object: &Bound<'_, PyAny>) -> PyResult<Array> {
    let array = array(object, None, Order::K)?;
    if array.dtype() != DType::Bool {
        let message =
            format!("cannot cast where mask from {} to bool according to the rule 'safe'", array.dtype());
        return Err(PyTypeError::new_err(message));
    }
    Ok(array)
}

/// The optional `where` of ufuncs and reductions; `True` selects everything.
pub fn optional_mask(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Array>> {
    match object {
        None => Ok(None),
        Some(o) if o.is_exact_instance_of::<PyBool>() && o.is_truthy()? => Ok(None),
        Some(o) => mask(o).map(Some),
    }
}

/// A single number: what `arange`, `linspace` and `full` take.
pub fn number(object: &Bound<'_, PyAny>, op: &str) -> PyResult<Number> {
    match operand(object)? {
        PyOperand::Number(n) => Ok(n),
        PyOperand::Scalar(s) => Ok(s.number()),
        PyOperand::Array(a) if a.size() == 1 => {
            gate::detached(object.py(), || a.scalar()).map(|s| s.number())
        }
        PyOperand::Array(a) => {
            let shape = cuprum_core::show_shape(a.shape());
            Err(PyTypeError::new_err(format!("{op}: expected a number, got an array of shape {shape}")))
        }
    }
}

/// A NumPy array of the caller's that receives elements: right shape and dtype, C-contiguous and writeable or not at all.
pub fn check_host_target(host: &Bound<'_, PyAny>, array: &Array) -> PyResult<()> {
    let py = host.py();
    if !host.is_instance(numpy(py)?.ndarray.bind(py))? {
        return Err(PyTypeError::new_err("only numpy.ndarray can be obtained from an array"));
    }
    let shape: Vec<usize> = host.getattr("shape")?.extract()?;
    if shape != array.shape() {
        let message = format!(
            "shape mismatch: expected {}, got {}",
            cuprum_core::show_shape(array.shape()),
            cuprum_core::show_shape(&shape)
        );
        return Err(PyValueError::new_err(message));
    }
    let found = dtype::from_numpy(&host.getattr("dtype")?)?;
    if found != array.dtype() {
        return Err(PyTypeError::new_err(format!("dtype mismatch: expected {}, got {found}", array.dtype())));
    }
    Ok(())
}
