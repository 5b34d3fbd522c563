//! Arguments that many functions share: shapes, axes, orders and casting rules.

use cuprum::{Casting, Order};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PySequence, PyString, PyTuple};
use smallvec::SmallVec;

use crate::gate;

/// A Python argument that may be left out.
pub type OptArg<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
/// Integers of a shape or of axes, as the user wrote them.
pub type Ints = SmallVec<[i64; 4]>;
/// A shape.
pub type ShapeArgument = SmallVec<[usize; 4]>;

/// More integers are no shape, and no axes or positions that a call names one by one.
const MAX_INTEGERS: usize = 1 << 20;
/// So many items are turned before it is asked whether there is memory for more, and how much.
const MEMORY_ASKED_EVERY: usize = 1 << 10;
const ROOM_BYTES: usize = 4 << 20;

/// An integer by `__index__`; floats and strings are TypeErrors.
pub fn integer(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract::<i64>()
}

/// One integer or a sequence of them.
pub fn integers(object: &Bound<'_, PyAny>) -> PyResult<Ints> {
    if object.is_exact_instance_of::<PyInt>() {
        return Ok(SmallVec::from_elem(integer(object)?, 1));
    }
    if let Ok(tuple) = object.cast::<PyTuple>()
        && tuple.len() <= MAX_INTEGERS
    {
        return tuple.iter_borrowed().map(|item| integer(&item)).collect();
    }
    if let Ok(list) = object.cast::<PyList>()
        && list.len() <= MAX_INTEGERS
    {
        return list.iter().map(|item| integer(&item)).collect();
    }
    match integer(object) {
        Ok(one) => Ok(SmallVec::from_elem(one, 1)),
        Err(error)
            if !error.is_instance_of::<PyTypeError>(object.py()) || object.is_instance_of::<PyString>() =>
        {
            Err(error)
        }
        Err(error) => match object.try_iter() {
            Ok(items) => {
                let too_many = || PyValueError::new_err(format!("more than {MAX_INTEGERS} integers"));
                if object.len().is_ok_and(|length| length > MAX_INTEGERS) {
                    return Err(too_many());
                }
                let found: Ints =
                    items.take(MAX_INTEGERS + 1).map(|item| integer(&item?)).collect::<PyResult<_>>()?;
                if found.len() > MAX_INTEGERS { Err(too_many()) } else { Ok(found) }
            }
            Err(_) => Err(error),
        },
    }
}

/// What any iterable gives, as a list: Python raises a MemoryError where there is no room for so many.
pub fn listed<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    Ok(object.py().get_type::<PyList>().call1((object,))?.cast_into()?)
}

/// What each item of an iterable is turned into. A MemoryError where they are so many that memory ends.
pub fn each<'py, T>(
    object: &Bound<'py, PyAny>,
    mut turned: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let list = listed(object)?;
    let mut found = Vec::new();
    for (i, item) in list.iter().enumerate() {
        if i.is_multiple_of(MEMORY_ASKED_EVERY) && i > 0 {
            let asked = list.len().saturating_mul(size_of::<T>());
            let is_room = found.try_reserve(MEMORY_ASKED_EVERY).is_ok() && has_room();
            if !is_room {
                return Err(gate::sized(object.py(), PyMemoryError::new_err(()), asked));
            }
        }
        found.push(turned(&item)?);
    }
    Ok(found)
}

/// Whether there is memory for some more small objects.
fn has_room() -> bool {
    Vec::<u8>::new().try_reserve_exact(ROOM_BYTES).is_ok()
}

/// A shape that `op` is given: an integer or a sequence of them, none negative.
pub fn shape(op: &str, object: &Bound<'_, PyAny>) -> PyResult<ShapeArgument> {
    if object.is_exact_instance_of::<PyBool>() {
        let message = format!("{op}: expected a sequence of integers or a single integer, got '{object}'");
        return Err(PyTypeError::new_err(message));
    }
    let dims = integers(object).map_err(|error| {
        let beyond = error.is_instance_of::<PyOverflowError>(object.py());
        if beyond { PyValueError::new_err("Maximum allowed dimension exceeded") } else { error }
    });
    gate::named(object.py(), op, dims.and_then(|dims| checked_shape(&dims)))
}

/// The integers as a shape whose elements can be counted.
pub fn checked_shape(dims: &[i64]) -> PyResult<ShapeArgument> {
    if dims.len() > cuprum_core::MAX_DIMS {
        let message = format!("maximum supported dimension for an ndarray is 64, found {}", dims.len());
        return Err(PyValueError::new_err(message));
    }
    let mut total: usize = 1;
    let mut out = ShapeArgument::new();
    for &dim in dims {
        let dim =
            usize::try_from(dim).map_err(|_| PyValueError::new_err("negative dimensions are not allowed"))?;
        total = total.checked_mul(dim.max(1)).filter(|t| *t <= isize::MAX as usize).ok_or_else(|| {
            PyValueError::new_err("array is too big; the number of its elements does not fit 63 bits")
        })?;
        out.push(dim);
    }
    Ok(out)
}

/// Axes of a reduction: `None`, one, or a tuple.
pub fn axes(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Ints>> {
    match object.filter(|o| !o.is_none()) {
        None => Ok(None),
        Some(o) if o.is_instance_of::<PyInt>() => Ok(Some(SmallVec::from_elem(integer(o)?, 1))),
        Some(o) if o.cast::<PyTuple>().is_ok() || o.cast::<PySequence>().is_err() => integers(o).map(Some),
        Some(o) => Ok(Some(SmallVec::from_elem(integer(o)?, 1))),
    }
}

/// Whether axes are given as a tuple.
pub fn is_tuple(object: Option<&Bound<'_, PyAny>>) -> bool {
    object.is_some_and(|o| o.cast::<PyTuple>().is_ok())
}

/// Axes of a reduction; those of a tuple must be there, while a single value may be reduced along an axis that it does
/// not have, as in NumPy.
pub fn axes_within(
    op: &'static str,
    object: Option<&Bound<'_, PyAny>>,
    ndim: usize,
) -> PyResult<Option<Ints>> {
    let axes = axes(object)?;
    if let (true, Some(object), Some(axes)) = (is_tuple(object), object, &axes) {
        gate::attached(object.py(), || cuprum_core::normalize_axes(op, axes, ndim))?;
    }
    Ok(axes)
}

/// One axis or `None`.
pub fn axis(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<i64>> {
    object.filter(|o| !o.is_none()).map(integer).transpose()
}

/// An order, `default` where none is given.
pub fn order(object: Option<&Bound<'_, PyAny>>, default: Order) -> PyResult<Order> {
    let Some(object) = object.filter(|o| !o.is_none()) else { return Ok(default) };
    let Ok(text) = object.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("order must be str, not {}", object.get_type().name()?)));
    };
    let text = text.to_cow()?;
    Order::from_name(&text).ok_or_else(|| {
        PyValueError::new_err(format!("order must be one of 'C', 'F', 'A', or 'K' (got '{text}')"))
    })
}

/// A casting rule, `default` where none is given.
pub fn casting(object: Option<&Bound<'_, PyAny>>, default: Casting) -> PyResult<Casting> {
    let Some(object) = object.filter(|o| !o.is_none()) else { return Ok(default) };
    let Ok(text) = object.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("casting must be str, not {}", object.get_type().name()?)));
    };
    let text = text.to_cow()?;
    Casting::from_name(&text).ok_or_else(|| {
        PyValueError::new_err(format!(
            "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', 'same_value' (got '{text}')"
        ))
    })
}

/// The arguments of `reshape(*shape)`-like methods: one sequence, or integers.
pub fn spread(arguments: &Bound<'_, PyTuple>) -> PyResult<Ints> {
    if arguments.len() == 1 {
        return integers(&arguments.get_item(0)?);
    }
    arguments.iter_borrowed().map(|item| integer(&item)).collect()
}
