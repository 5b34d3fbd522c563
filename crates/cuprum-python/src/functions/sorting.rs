//! Sorting, partitioning and searching.

use cuprum::sorting::{self, Side, UniqueOptions};
use cuprum::{Array, DType, Kind, Order};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, tuple_of};
use crate::convert::arguments::OptArg;
use crate::convert::{arguments, from_python};
use crate::gate;
use crate::ndarray::NdArray;

/// Checks what NumPy lets callers say about the way of sorting; every sort here is stable.
pub fn check_kind(
    op: &str,
    kind: OptArg<'_, '_>,
    order: OptArg<'_, '_>,
    stable: OptArg<'_, '_>,
) -> PyResult<()> {
    if let Some(kind) = kind.filter(|k| !k.is_none()) {
        if stable.is_some_and(|s| !s.is_none()) {
            return Err(PyValueError::new_err(format!("{op}: give `kind` or `stable`, not both")));
        }
        let Ok(text) = kind.cast::<PyString>() else {
            return Err(PyTypeError::new_err(format!(
                "{op}: sort kind must be str, not {}",
                kind.get_type().name()?
            )));
        };
        let text = text.to_cow()?;
        if !matches!(text.bytes().next(), Some(b'q' | b'h' | b's' | b'm' | b'Q' | b'H' | b'S' | b'M')) {
            return Err(PyValueError::new_err(format!(
                "{op}: sort kind must be one of 'quick', 'heap', or 'stable' (got '{text}')"
            )));
        }
    }
    check_order(op, order)
}

/// The same for partitioning.
pub fn check_select_kind(op: &str, kind: OptArg<'_, '_>, order: OptArg<'_, '_>) -> PyResult<()> {
    if let Some(kind) = kind {
        let text = kind.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!("{op}: select kind must be str, not {}", kind.get_type()))
        })?;
        if text.to_cow()? != "introselect" {
            let message = format!("{op}: select kind must be 'introselect' (got '{}')", text.to_cow()?);
            return Err(PyValueError::new_err(message));
        }
    }
    check_order(op, order)
}

fn check_order(op: &str, order: OptArg<'_, '_>) -> PyResult<()> {
    match order.filter(|o| !o.is_none()) {
        None => Ok(()),
        Some(_) => Err(PyValueError::new_err(format!(
            "{op}: cannot specify order when the array has no fields; leave it out"
        ))),
    }
}

/// Positions to partition at: an integer, or an array of them.
pub fn kth_positions(op: &str, kth: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    // One integer, the usual case, without an array, which would have to come back from a GPU.
    if kth.is_exact_instance_of::<PyInt>()
        && let Ok(place) = kth.extract()
    {
        return Ok(vec![place]);
    }
    let array = array_of(kth)?;
    match array.dtype().kind() {
        Kind::Signed | Kind::Unsigned => {}
        Kind::Bool => {
            return Err(PyValueError::new_err(format!("{op}: booleans are no partition indices")));
        }
        _ => {
            let message = format!("{op}: partition index must be integer, got {}", array.dtype());
            return Err(PyTypeError::new_err(message));
        }
    }
    if array.ndim() > 1 {
        let message = format!("{op}: kth must have at most one dimension, not {}", array.ndim());
        return Err(PyValueError::new_err(message));
    }
    let array = from_python::converted(kth.py(), array, Some(DType::I64), Order::C)?;
    gate::detached(kth.py(), || array.to_vec::<i64>())
}

/// The side that a name says.
pub fn side_of(side: &Bound<'_, PyAny>) -> PyResult<Side> {
    let Ok(text) = side.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!(
            "searchsorted: search side must be str, not {}",
            side.get_type().name()?
        )));
    };
    match &*text.to_cow()? {
        "left" => Ok(Side::Left),
        "right" => Ok(Side::Right),
        other => Err(PyValueError::new_err(format!(
            "searchsorted: search side must be 'left' or 'right' (got '{other}')"
        ))),
    }
}

/// Runs work that reads an array and gives a new one.
fn made<'py>(
    py: Python<'py>,
    array: &Array,
    work: impl FnOnce(&Array) -> cuprum::Result<Array> + Send,
) -> ArrayResult<'py> {
    let result = gate::compute(py, &[array], || work(array))?;
    NdArray::wrap(py, result)
}

/// The elements in order along an axis.
#[pyfunction]
#[pyo3(signature = (a, axis=None, kind=None, order=None, stable=None))]
pub fn sort<'py>(
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    kind: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
    stable: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    check_kind("sort", kind, order, stable)?;
    let (array, axis) = (array_of(a)?, arguments::axis(axis)?);
    made(a.py(), &array, |a| sorting::sort(a, axis))
}

/// The positions that sort along an axis.
#[pyfunction]
#[pyo3(signature = (a, axis=None, kind=None, order=None, stable=None))]
pub fn argsort<'py>(
    a: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    kind: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
    stable: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    check_kind("argsort", kind, order, stable)?;
    let (array, axis) = (array_of(a)?, arguments::axis(axis)?);
    made(a.py(), &array, |a| sorting::argsort(a, axis))
}

/// The positions that sort by several keys, the last one first.
#[pyfunction]
#[pyo3(signature = (keys, axis=-1))]
fn lexsort<'py>(py: Python<'py>, keys: &Bound<'py, PyAny>, axis: i64) -> ArrayResult<'py> {
    let none = || PyTypeError::new_err("lexsort: need a sequence of keys, one or more");
    keys.try_iter().map_err(|_| none())?;
    let arrays = arguments::each(keys, array_of)?;
    let result = gate::detached(py, || sorting::lexsort(&arrays, axis))?;
    NdArray::wrap(py, result)
}

/// The elements partitioned along an axis.
#[pyfunction]
#[pyo3(signature = (a, kth, axis=None, kind=None, order=None))]
pub fn partition<'py>(
    a: &Bound<'py, PyAny>,
    kth: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    kind: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    check_select_kind("partition", kind, order)?;
    let (array, kth, axis) = (array_of(a)?, kth_positions("partition", kth)?, arguments::axis(axis)?);
    made(a.py(), &array, |a| sorting::partition(a, &kth, axis))
}

/// The positions that partition along an axis.
#[pyfunction]
#[pyo3(signature = (a, kth, axis=None, kind=None, order=None))]
pub fn argpartition<'py>(
    a: &Bound<'py, PyAny>,
    kth: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
    kind: OptArg<'_, 'py>,
    order: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    check_select_kind("argpartition", kind, order)?;
    let (array, kth, axis) = (array_of(a)?, kth_positions("argpartition", kth)?, arguments::axis(axis)?);
    made(a.py(), &array, |a| sorting::argpartition(a, &kth, axis))
}

/// The elements at positions along an axis of the array sorted: ascending positions, each once.
#[pyfunction]
fn select_sorted<'py>(a: &Bound<'py, PyAny>, kth: Vec<i64>, axis: i64) -> ArrayResult<'py> {
    let array = array_of(a)?;
    made(a.py(), &array, |a| sorting::select(a, &kth, axis))
}

/// Where elements belong in a sorted array.
#[pyfunction]
#[pyo3(signature = (a, v, side, sorter=None))]
fn searchsorted<'py>(
    a: &Bound<'py, PyAny>,
    v: &Bound<'py, PyAny>,
    side: &Bound<'py, PyAny>,
    sorter: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    searched(a, v, side_of(side)?, sorter)
}

/// Where elements belong on one side of equal ones.
pub fn searched<'py>(
    a: &Bound<'py, PyAny>,
    v: &Bound<'py, PyAny>,
    side: Side,
    sorter: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let py = a.py();
    let (sorted, needles) = (array_of(a)?, array_of(v)?);
    let sorter = sorter.filter(|s| !s.is_none()).map(array_of).transpose()?;
    let work = || sorting::searchsorted(&sorted, &needles, side, sorter.as_ref());
    // The product of the sizes, which decides whether work is short, is what a search does not cost.
    let short = sorter.is_none()
        && sorted.dtype() == needles.dtype()
        && gate::is_eager(&[&needles])
        && gate::is_ready(&sorted);
    let result = if short { gate::attached(py, work)? } else { gate::detached(py, work)? };
    NdArray::wrap(py, result)
}

/// The unique elements, and what else is asked for.
#[pyfunction]
fn unique<'py>(
    a: &Bound<'py, PyAny>,
    index: bool,
    inverse: bool,
    counts: bool,
    equal_nan: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let (py, array) = (a.py(), array_of(a)?);
    let options = UniqueOptions { index, inverse, counts, distinct_nan: !equal_nan };
    let work = || sorting::unique(&array, options);
    let found = if gate::is_eager(&[&array]) { gate::attached(py, work)? } else { gate::detached(py, work)? };
    let parts = [Some(found.values), found.index, found.inverse, found.counts];
    tuple_of(py, parts.into_iter().flatten().collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sort, module)?)?;
    module.add_function(wrap_pyfunction!(argsort, module)?)?;
    module.add_function(wrap_pyfunction!(lexsort, module)?)?;
    module.add_function(wrap_pyfunction!(partition, module)?)?;
    module.add_function(wrap_pyfunction!(argpartition, module)?)?;
    module.add_function(wrap_pyfunction!(select_sorted, module)?)?;
    module.add_function(wrap_pyfunction!(searchsorted, module)?)?;
    module.add_function(wrap_pyfunction!(unique, module)?)
}
