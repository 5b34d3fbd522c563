//! The functions of `cuprum._core`, by topic. The package documents and re-exports them under NumPy's names.

pub mod addresses;
pub mod creation;
pub mod cuda;
pub mod dtypes;
pub mod fft;
pub mod filters;
pub mod gpu;
pub mod gpu_memory;
pub mod linalg;
pub mod manipulation;
pub mod nan;
pub mod numpy_random;
pub mod products;
pub mod random;
pub mod selection;
pub mod sorting;
pub mod sparse;
pub mod state;
pub mod statistics;
pub mod textures;

use cuprum::{Array, Order, Result};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::arguments::OptArg;
use crate::convert::from_python;
use crate::gate;
use crate::ndarray::{NdArray, returned, single_out};

/// An array, or an exception.
pub type ArrayResult<'py> = PyResult<Bound<'py, NdArray>>;

/// An array from anything, itself where it is one.
pub fn array_of(object: &Bound<'_, PyAny>) -> PyResult<Array> {
    from_python::array(object, None, Order::K)
}

/// Runs work that gives a view of `object`, or a new array.
pub fn viewed<'py>(
    object: &Bound<'py, PyAny>,
    work: impl FnOnce(&Array) -> Result<Array> + Send,
) -> ArrayResult<'py> {
    let py = object.py();
    let array = array_of(object)?;
    let result = gate::compute(py, &[&array], || work(&array))?;
    derived(object, result)
}

/// A result that may be a view of `object`.
pub fn derived<'py>(object: &Bound<'py, PyAny>, result: Array) -> ArrayResult<'py> {
    match object.cast::<NdArray>() {
        Ok(owner) => NdArray::derive(owner, result),
        Err(_) => NdArray::wrap(object.py(), result),
    }
}

/// Runs work with an optional `out`; the caller's object is the result where it gave one.
pub fn stored<'py>(
    py: Python<'py>,
    out: OptArg<'_, 'py>,
    work: impl FnOnce(Option<&Array>) -> Result<Array> + Send,
) -> ArrayResult<'py> {
    let target = single_out(out)?;
    let target_array = target.as_ref().map(|t| t.get().array(py));
    let result = gate::detached(py, || work(target_array.as_ref()))?;
    returned(py, result, target)
}

/// A tuple of arrays.
pub fn tuple_of<'py>(py: Python<'py>, arrays: Vec<Array>) -> PyResult<Bound<'py, PyTuple>> {
    let wrapped = arrays.into_iter().map(|a| NdArray::wrap(py, a)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, wrapped)
}

/// Registers every function.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    addresses::register(module)?;
    creation::register(module)?;
    cuda::register(module)?;
    dtypes::register(module)?;
    fft::register(module)?;
    filters::register(module)?;
    gpu::register(module)?;
    gpu_memory::register(module)?;
    linalg::register(module)?;
    manipulation::register(module)?;
    nan::register(module)?;
    products::register(module)?;
    random::register(module)?;
    numpy_random::register(module)?;
    selection::register(module)?;
    sorting::register(module)?;
    sparse::register(module)?;
    state::register(module)?;
    statistics::register(module)?;
    textures::register(module)
}
