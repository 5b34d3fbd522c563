//! The class `cuprum.ndarray`, by topic: attributes, operators, indexing, methods, reductions and protocols.
//!
//! A Python array holds an [`Array`] behind a mutex, so that an in-place op on an array without other references can put a
//! new, still unevaluated value in its place. Cloning the array out of the lock is cheap.

mod attributes;
mod fields;
mod files;
mod flags;
mod flat;
mod indexing;
mod methods;
mod operators;
mod out;
mod protocols;
mod reductions;
mod shaping;
mod sorting;
mod subclass;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use cuprum::{Array, DType, Order, Result, creation};
use cuprum_core::{Layout, Strides};
use cuprum_graph::DeviceKind;
use cuprum_threads::fork;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};

pub use flags::Flags;
pub use flat::FlatIter;
pub use indexing::{element, put_value, set_item, stored_value, take_item, with_items};
pub use methods::take_mode;
pub use operators::{try_call, try_call_into};
pub use out::{array_out, returned, single_out};
pub use protocols::{ArrayIter, dispatch, unpickle};
pub use reductions::{InitialArgument, ReductionCall, degrees, spread_about};
pub use subclass::{in_class, install as install_subclassing, template};

use crate::convert::{arguments, dtype, from_python};
use crate::functions::addresses;
use crate::functions::cuda::MemoryBlock;
use crate::kernels::settings;
use crate::{exports, gate};

/// An array of numbers of one dtype, with any number of axes.
///
/// Arrays are made by `cuprum.array`, `cuprum.zeros` and the other functions that create them.
///
/// Parameters
/// ----------
/// shape : int or tuple of ints
///     The lengths of the axes.
/// dtype : dtype, optional
///     The type of the elements; float64 by default.
/// memptr : cuprum.cuda.MemoryPointer, optional
///     Memory that exists already, to be used as it is; new memory by default.
/// strides : tuple of ints, optional
///     The bytes from one element to the next along each axis, where `memptr` is given.
/// order : {'C', 'F'}, optional
///     Whether rows or columns lie together in memory.
///
/// Examples
/// --------
/// >>> cp.ndarray((2, 3)).shape
/// (2, 3)
#[pyclass(name = "ndarray", module = "cuprum", frozen, weakref, subclass)]
pub struct NdArray {
    inner: Mutex<Array>,
    /// The array that owns the elements, where this is a view.
    base: Option<Py<NdArray>>,
    /// Set once the address is known outside: the elements must stay where they are.
    pinned: AtomicBool,
    /// Whether this is what NumPy has a scalar for: `a[i]` of a single element.
    is_element: bool,
    /// Of a single element, its place in the array that it was taken from, where `KEEPS_ORIGINS` is set.
    origin: Option<Box<Array>>,
}

/// Whether single elements know where they were taken from. In CuPy they are views, and its programs let kernels write into
/// them: while its names are installed, kernels find the place by this.
static KEEPS_ORIGINS: AtomicBool = AtomicBool::new(false);

/// Lets single elements know, from now on or no longer, where they were taken from.
pub fn keep_origins(keep: bool) {
    KEEPS_ORIGINS.store(keep, Ordering::Relaxed);
}

impl NdArray {
    /// A Python array of new elements.
    pub fn new(array: Array) -> NdArray {
        NdArray {
            inner: Mutex::new(array),
            base: None,
            pinned: AtomicBool::new(false),
            is_element: false,
            origin: None,
        }
    }

    /// Whether this is `a[i]` of a single element, which is a copy.
    pub fn is_element(&self) -> bool {
        self.is_element
    }

    /// A single element, which is a value of its own.
    pub fn wrap_element(py: Python<'_>, array: Array) -> PyResult<Bound<'_, NdArray>> {
        Bound::new(py, NdArray { is_element: true, ..NdArray::new(array) })
    }

    /// A single element with the view that shows its place, which is asked for only where it is kept.
    pub fn wrap_element_of(
        py: Python<'_>,
        array: Array,
        view: impl FnOnce() -> PyResult<Array>,
    ) -> PyResult<Bound<'_, NdArray>> {
        if !KEEPS_ORIGINS.load(Ordering::Relaxed) {
            return NdArray::wrap_element(py, array);
        }
        let origin = Some(Box::new(view()?));
        Bound::new(py, NdArray { is_element: true, origin, ..NdArray::new(array) })
    }

    /// Makes a single element a view of its place, so that what is written to it reaches the array; false where the place is
    /// not known.
    pub fn write_through(&self, py: Python<'_>) -> bool {
        let Some(place) = self.origin.as_deref() else { return false };
        self.replace(py, place.clone());
        true
    }

    /// The array that a write reaches: of a single element its place, where that is known.
    pub fn written(&self, py: Python<'_>) -> Array {
        if self.is_element {
            self.write_through(py);
        }
        self.array(py)
    }

    /// A Python array over memory that another object owns.
    pub fn pinned(array: Array) -> NdArray {
        NdArray { pinned: AtomicBool::new(true), ..NdArray::new(array) }
    }

    /// A Python array of new elements.
    pub fn wrap(py: Python<'_>, array: Array) -> PyResult<Bound<'_, NdArray>> {
        Bound::new(py, NdArray::new(array))
    }

    /// A result that may be a view of `owner`.
    pub fn derive<'py>(owner: &Bound<'py, NdArray>, array: Array) -> PyResult<Bound<'py, NdArray>> {
        if owner.get().same_storage(owner.py(), &array) {
            return NdArray::view_of(owner, array);
        }
        NdArray::wrap_like(owner, array)
    }

    /// A view of `owner`, in its class.
    #[inline]
    pub fn view_of<'py>(owner: &Bound<'py, NdArray>, array: Array) -> PyResult<Bound<'py, NdArray>> {
        NdArray::like(owner, NdArray::plain_view(owner, array)?)
    }

    /// A view of `owner` as a plain array.
    pub fn plain_view<'py>(owner: &Bound<'py, NdArray>, array: Array) -> PyResult<Bound<'py, NdArray>> {
        let py = owner.py();
        let base = match &owner.get().base {
            Some(base) => base.clone_ref(py),
            None => owner.clone().unbind(),
        };
        Bound::new(py, NdArray { base: Some(base), ..NdArray::new(array) })
    }

    /// The same array for another object: how one of a derived class is made.
    fn adopted(&self, py: Python<'_>) -> NdArray {
        NdArray {
            inner: Mutex::new(self.array(py)),
            base: self.base.as_ref().map(|base| base.clone_ref(py)),
            pinned: AtomicBool::new(self.pinned.load(Ordering::Relaxed)),
            is_element: self.is_element,
            origin: self.origin.clone(),
        }
    }

    fn same_storage(&self, py: Python<'_>, array: &Array) -> bool {
        self.lock(py).same_storage(array)
    }

    /// The result of work on this array, without a clone, if it runs at once and is short; `None` if not, or if the work
    /// refuses.
    pub fn at_once<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&Array) -> Option<Result<Array>>,
    ) -> Option<PyResult<Bound<'py, NdArray>>> {
        let array = self.peek().filter(|array| gate::is_eager(&[array]))?;
        let outcome = gate::caught(|| work(&array).transpose());
        drop(array);
        let result = gate::finish(py, outcome).transpose()?;
        Some(result.and_then(|result| NdArray::wrap(py, result)))
    }

    /// The array, without waiting; `None` while another thread changes it in place.
    #[inline]
    pub fn peek(&self) -> Option<MutexGuard<'_, Array>> {
        match self.inner.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The lock. The GIL is released while it has to be waited for: its holder may need the GIL.
    pub fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Array> {
        self.peek().unwrap_or_else(|| {
            // Whoever gets the lock here has the GIL only later: no fork may come between.
            let _call = fork::hold();
            self.inner.lock_py_attached(py).unwrap_or_else(|e| e.into_inner())
        })
    }

    /// The array; the clone shares its elements.
    pub fn array(&self, py: Python<'_>) -> Array {
        self.lock(py).clone()
    }

    /// Changes the array in place, with the GIL released.
    pub fn update(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Array) -> Result<()> + Send,
    ) -> PyResult<()> {
        let mut guard = self.lock(py);
        // A second reference makes the change go into the memory that is there instead of taking its place.
        let _alias = self.pinned.load(Ordering::Relaxed).then(|| guard.clone());
        let target: &mut Array = &mut guard;
        gate::detached(py, move || change(target))
    }

    /// Replaces the view of the elements: `shape` and `flags.writeable` are set this way.
    fn replace(&self, py: Python<'_>, array: Array) {
        *self.lock(py) = array;
    }

    /// Notes that the elements' address is known outside.
    pub fn pin(&self) {
        self.pinned.store(true, Ordering::Relaxed);
    }
}

#[pymethods]
impl NdArray {
    /// Takes anything, as CuPy's does: classes that derive from it pass on what their own `__new__` took.
    #[pyo3(signature = (*_args, **_named))]
    fn __init__(&self, _args: &Bound<'_, PyTuple>, _named: Option<&Bound<'_, PyDict>>) {}

    #[new]
    #[pyo3(signature = (shape, dtype=None, memptr=None, strides=None, order=None))]
    fn __new__(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        memptr: Option<&Bound<'_, PyAny>>,
        strides: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<NdArray> {
        if let Some(source) = memptr.and_then(|m| m.cast::<NdArray>().ok()) {
            return Ok(source.get().adopted(py));
        }
        let shape = arguments::shape("ndarray", shape)?;
        let dtype = match dtype.filter(|d| !d.is_none()) {
            Some(dtype) => dtype::in_memory("ndarray", dtype)?,
            None => DType::F64,
        };
        let order = arguments::order(order, Order::C)?;
        let Some(memptr) = memptr.filter(|m| !m.is_none()) else {
            let made = gate::detached(py, || settings::handed_out(creation::empty(&shape, dtype, order)?))?;
            return match strides.filter(|s| !s.is_none()) {
                None => Ok(NdArray::new(made)),
                Some(strides) => strided(made, &steps(strides)?).map(NdArray::new),
            };
        };
        let layout = match order {
            Order::F => Layout::fortran(&shape, dtype.size()),
            _ => Layout::contiguous(&shape, dtype.size()),
        };
        let strides = match strides.filter(|s| !s.is_none()) {
            Some(given) => Strides::from_vec(steps(given)?),
            None => layout.strides,
        };
        if strides.len() != shape.len() {
            return Err(PyValueError::new_err("ndarray: strides and shape must have the same length"));
        }
        let address: usize = memptr.getattr("ptr")?.extract()?;
        if !address.is_multiple_of(dtype.real().size()) {
            return Err(PyValueError::new_err(format!(
                "ndarray: memory at {address:#x} is not aligned for {dtype}"
            )));
        }
        let array = match within_block(memptr, address, &shape, &strides, dtype)? {
            Some(array) => array,
            None => {
                let device = gate::attached(py, cuprum::default_device)?;
                let keeper = Arc::new(memptr.clone().unbind());
                // SAFETY: whoever made the pointer vouches for its memory; how much there is of it is checked below.
                let array = unsafe { from_python::foreign(device, address, &shape, strides, dtype, keeper) }?;
                let writeable = check_room(memptr, &array)?;
                array.with_writeable(writeable)
            }
        };
        // Whoever has the pointer can write behind our back: what reads the array is computed at once.
        gate::detached(py, || exports::add(&array))?;
        Ok(NdArray::pinned(array))
    }
}

/// An array within a block of our own that a pointer leads into: its `data.mem` is all of the block, as that of a view is.
fn within_block(
    memptr: &Bound<'_, PyAny>,
    address: usize,
    shape: &[usize],
    strides: &Strides,
    dtype: DType,
) -> PyResult<Option<Array>> {
    let Ok(owner) = memptr.getattr("mem").and_then(|memory| memory.getattr("_block")) else {
        return Ok(None);
    };
    let Ok(block) = owner.cast::<MemoryBlock>() else { return Ok(None) };
    if block.get().is_hosts() {
        return Ok(None);
    }
    let memory = block.get().array();
    let buffer = gate::detached(memptr.py(), || memory.force())?;
    let Some(wanted) = from_python::memory_of(address, shape, strides, dtype) else { return Ok(None) };
    let end = buffer.address().saturating_add(buffer.bytes());
    if wanted.is_empty() || wanted.start < buffer.address() || wanted.end > end {
        return Ok(None);
    }
    let layout = Layout { shape: shape.into(), strides: strides.clone(), offset: address - buffer.address() };
    Ok(Some(Array::from_buffer(memory.device(), buffer, layout, dtype)))
}

/// Raises unless the memory that a pointer leads into holds all elements of an array that is to lie there; says whether it
/// can be written.
fn check_room(memptr: &Bound<'_, PyAny>, array: &Array) -> PyResult<bool> {
    let (py, needs) = (memptr.py(), array.force().map_err(|error| gate::exception(memptr.py(), &error))?);
    let (start, needed) = (needs.address(), needs.bytes());
    if needed == 0 {
        return Ok(true);
    }
    let message = || {
        let shape = array.shape();
        let text =
            format!("ndarray: shape {shape:?} needs {needed} bytes at {start:#x}, where there are fewer");
        PyValueError::new_err(text)
    };
    if array.device().kind() != DeviceKind::Cpu && exports::leaves_its_array(&(start..start + needed)) {
        return Err(message());
    }
    if let Ok(memory) = memptr.getattr("mem") {
        let first: usize = memory.getattr("ptr")?.extract()?;
        let size: usize = memory.getattr("size")?.extract()?;
        let before = start.checked_sub(first);
        if before.and_then(|before| before.checked_add(needed)).is_none_or(|end| end > size) {
            let place = before.map_or_else(
                || format!("{} bytes before its beginning", first - start),
                |before| format!("byte {before}"),
            );
            let message = format!(
                "ndarray: shape {:?} of {} needs {needed} bytes from {place} on, of memory with {size} bytes",
                array.shape(),
                array.dtype()
            );
            return Err(PyValueError::new_err(message));
        }
        if array.device().kind() != DeviceKind::Cpu {
            return Ok(true);
        }
    }
    if array.device().kind() != DeviceKind::Cpu {
        // A kernel that reads memory which is not there ends all work of the process on the GPU.
        let ends = [start, start.saturating_add(needed - 1)];
        let there = gate::detached(py, || {
            Ok(ends.map(cuprum_cuda::pointer_facts).into_iter().all(|end| end.is_ok_and(|end| end.kind != 0)))
        })?;
        return if there { Ok(true) } else { Err(message()) };
    }
    let range = start..start + needed;
    gate::released(py, || {
        let there = |usage| addresses::present(range.clone(), usage, addresses::From::Anywhere).is_some();
        if there(addresses::Use::Write) { Some(true) } else { there(addresses::Use::Read).then_some(false) }
    })
    .ok_or_else(message)
}

/// The strides that a program gives.
fn steps(given: &Bound<'_, PyAny>) -> PyResult<Vec<isize>> {
    Ok(arguments::integers(given)?.iter().map(|&step| step as isize).collect())
}

/// New memory with elements as far apart as asked for, which they must have room for.
fn strided(array: Array, strides: &[isize]) -> PyResult<Array> {
    let size = array.dtype().size();
    let shape = array.shape();
    let aligned = strides.iter().all(|s| s.unsigned_abs().is_multiple_of(array.dtype().real().size()));
    let fits = |reach: isize| reach >= 0 && reach as usize + size <= array.size() * size;
    let reaches = shape.iter().zip(strides).map(|(&n, &s)| (n as isize - 1).saturating_mul(s));
    let inside = array.size() == 0
        || (reaches.clone().all(|r| r >= 0) && fits(reaches.fold(0, |sum: isize, r| sum.saturating_add(r))));
    if strides.len() != shape.len() || !aligned || !inside {
        let message =
            format!("ndarray: strides {strides:?} do not fit shape {shape:?} in memory of its size");
        return Err(PyValueError::new_err(message));
    }
    let layout = Layout { strides: Strides::from_slice(strides), ..array.layout().clone() };
    Ok(array.with_layout(layout))
}
