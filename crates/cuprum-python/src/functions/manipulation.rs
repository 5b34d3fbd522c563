//! Shapes and arrangements: joining, splitting, repeating, moving and padding.

use cuprum::manipulation::{self, PadMode, Sections, Statistic};
use cuprum::{Array, Casting, Error, Number, Scalar};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyTuple};
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, derived, stored, viewed};
use crate::convert::arguments::OptArg;
use crate::convert::{arguments, dtype, from_python, to_python};
use crate::gate;
use crate::ndarray::NdArray;
use crate::numpy::numpy;

fn arrays_of(sequence: &Bound<'_, PyAny>) -> PyResult<Vec<Array>> {
    if let Ok(tuple) = sequence.cast_exact::<PyTuple>() {
        return tuple.iter_borrowed().map(|item| array_of(&item)).collect();
    }
    if let Ok(list) = sequence.cast_exact::<PyList>() {
        return list.iter().map(|item| array_of(&item)).collect();
    }
    arguments::each(sequence, array_of)
}

/// Arrays joined along an axis that exists.
#[pyfunction]
#[pyo3(signature = (arrays, axis=AxisOrFlat::Axis(0), out=None, dtype=None, casting=None))]
fn concatenate<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyAny>,
    axis: AxisOrFlat,
    out: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    casting: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let arrays = arrays_of(arrays)?;
    let dtype = dtype::optional(dtype)?;
    let casting = arguments::casting(casting, Casting::SameKind)?;
    let axis = match axis {
        AxisOrFlat::Axis(axis) => Some(axis),
        AxisOrFlat::Flat => None,
    };
    let parts: Vec<&Array> = arrays.iter().collect();
    stored(py, out, |out| manipulation::concatenate(&parts, axis, dtype, casting, out))
}

/// An axis, or `None` for the flattened arrays, where leaving it out means an axis.
enum AxisOrFlat {
    Axis(i64),
    Flat,
}

impl<'a, 'py> FromPyObject<'a, 'py> for AxisOrFlat {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<AxisOrFlat> {
        if object.is_none() {
            Ok(AxisOrFlat::Flat)
        } else {
            arguments::integer(&object).map(AxisOrFlat::Axis)
        }
    }
}

/// Arrays of one shape joined along a new axis.
#[pyfunction]
#[pyo3(signature = (arrays, axis=0, out=None, dtype=None, casting=None))]
fn stack<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyAny>,
    axis: i64,
    out: OptArg<'_, 'py>,
    dtype: OptArg<'_, 'py>,
    casting: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let arrays = arrays_of(arrays)?;
    let dtype = dtype::optional(dtype)?;
    let casting = arguments::casting(casting, Casting::SameKind)?;
    let parts: Vec<&Array> = arrays.iter().collect();
    stored(py, out, |out| manipulation::stack(&parts, axis, dtype, casting, out))
}

/// The parts of an array along an axis.
#[pyfunction]
#[pyo3(signature = (ary, indices_or_sections, axis=0))]
fn array_split<'py>(
    py: Python<'py>,
    ary: &Bound<'py, PyAny>,
    indices_or_sections: &Bound<'py, PyAny>,
    axis: i64,
) -> PyResult<Vec<Bound<'py, NdArray>>> {
    let array = array_of(ary)?;
    let parts = match arguments::integer(indices_or_sections) {
        Ok(count) => gate::detached(py, || manipulation::array_split(&array, Sections::Count(count), axis))?,
        Err(_) => {
            let points = arguments::integers(indices_or_sections)?;
            gate::detached(py, || manipulation::array_split(&array, Sections::At(&points), axis))?
        }
    };
    parts.into_iter().map(|part| derived(ary, part)).collect()
}

/// An array repeated as a whole.
#[pyfunction]
#[pyo3(name = "tile")]
fn tile<'py>(a: &Bound<'py, PyAny>, reps: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let reps = arguments::integers(reps)?;
    gate::named(a.py(), "tile", viewed(a, |a| manipulation::tile(a, &reps)))
}

/// Each element several times.
#[pyfunction]
#[pyo3(signature = (a, repeats, axis=None))]
pub fn repeat<'py>(
    a: &Bound<'py, PyAny>,
    repeats: &Bound<'py, PyAny>,
    axis: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let py = a.py();
    let axis = arguments::axis(axis)?;
    if let Ok(count) = arguments::integer(repeats) {
        return gate::named(py, "repeat", viewed(a, |a| manipulation::repeat(a, count, axis)));
    }
    let array = array_of(a)?;
    let typed = repeats.is_instance_of::<NdArray>() || repeats.is_instance(numpy(py)?.ndarray.bind(py))?;
    // Numbers and sequences of Python's convert as `int()` converts them; arrays must cast safely.
    let counts = if typed { array_of(repeats)? } else { from_python::sequence(repeats, cuprum::DType::I64)? };
    if !counts.dtype().can_cast(cuprum::DType::I64, Casting::Safe) {
        let error = Error::Cast {
            op: "repeat".into(),
            from: counts.dtype(),
            to: cuprum::DType::I64,
            casting: Casting::Safe,
        };
        return Err(gate::exception(py, &error));
    }
    let result = gate::detached(py, || manipulation::repeat_each(&array, &counts, axis))?;
    NdArray::wrap(py, result)
}

/// The elements moved along axes, round the ends.
#[pyfunction]
#[pyo3(signature = (a, shift, axis=None))]
fn roll<'py>(a: &Bound<'py, PyAny>, shift: &Bound<'py, PyAny>, axis: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let shifts = whole_numbers(shift)?;
    let axes = axis.filter(|a| !a.is_none()).map(arguments::integers).transpose()?;
    viewed(a, |a| manipulation::roll(a, &shifts, axes.as_deref()))
}

/// Integers, or numbers that `int()` makes them of.
fn whole_numbers(object: &Bound<'_, PyAny>) -> PyResult<arguments::Ints> {
    arguments::integers(object).or_else(|error| {
        if !error.is_instance_of::<PyTypeError>(object.py()) {
            return Err(error);
        }
        let int = object.py().get_type::<PyInt>();
        let items = items(object)?.unwrap_or_else(|| vec![object.clone()]);
        items.iter().map(|item| int.call1((item,))?.extract::<i64>()).collect()
    })
}

/// The elements in reverse along axes.
#[pyfunction]
#[pyo3(signature = (m, axis=None))]
fn flip<'py>(m: &Bound<'py, PyAny>, axis: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let axes = axis.filter(|a| !a.is_none()).map(arguments::integers).transpose()?;
    viewed(m, |a| manipulation::flip(a, axes.as_deref()))
}

/// Turned by 90 degrees in a plane.
#[pyfunction]
#[pyo3(signature = (m, k=1, axes=None))]
fn rot90<'py>(m: &Bound<'py, PyAny>, k: i64, axes: OptArg<'_, 'py>) -> ArrayResult<'py> {
    let axes = axes.map_or(Ok(smallvec::smallvec![0, 1]), arguments::integers)?;
    let [first, second] = axes.as_slice() else { return Err(PyValueError::new_err("len(axes) must be 2.")) };
    viewed(m, |a| manipulation::rot90(a, k, (*first, *second)))
}

/// Stretched to a shape, without a copy.
#[pyfunction]
fn broadcast_to<'py>(array: &Bound<'py, PyAny>, shape: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let shape = arguments::shape("broadcast_to", shape)?;
    viewed(array, |a| manipulation::broadcast_to(a, &shape))
}

/// Windows that slide along axes, without a copy.
#[pyfunction]
fn windows<'py>(
    array: &Bound<'py, PyAny>,
    lengths: Vec<i64>,
    axes: Vec<i64>,
    writeable: bool,
) -> ArrayResult<'py> {
    viewed(array, |a| {
        let view = manipulation::windows(a, &lengths, &axes)?;
        Ok(view.with_writeable(writeable && a.is_writeable()))
    })
}

/// The memory behind an array under any shape and strides that stay inside it.
#[pyfunction]
fn as_strided<'py>(
    array: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
    strides: Vec<isize>,
    writeable: bool,
) -> ArrayResult<'py> {
    let shape = arguments::shape("as_strided", shape)?;
    viewed(array, |a| {
        let view = manipulation::as_strided(a, &shape, &strides)?;
        Ok(view.with_writeable(writeable && a.is_writeable()))
    })
}

/// Stretched to their common shape, without copies.
#[pyfunction]
#[pyo3(signature = (*arrays))]
fn broadcast_arrays<'py>(py: Python<'py>, arrays: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let converted = arrays.iter().map(|a| array_of(&a)).collect::<PyResult<Vec<Array>>>()?;
    let parts: Vec<&Array> = converted.iter().collect();
    let wide = gate::detached(py, || manipulation::broadcast_arrays(&parts))?;
    let objects = wide
        .into_iter()
        .zip(arrays.iter())
        .map(|(a, owner)| derived(&owner, a))
        .collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, objects)
}

/// The shape that shapes broadcast to.
#[pyfunction]
#[pyo3(signature = (*shapes))]
fn broadcast_shapes<'py>(py: Python<'py>, shapes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let shapes =
        shapes.iter().map(|s| arguments::shape("broadcast_shapes", &s)).collect::<PyResult<Vec<_>>>()?;
    let parts: Vec<&[usize]> = shapes.iter().map(|s| s.as_slice()).collect();
    let common = gate::attached(py, || cuprum_core::broadcast_shapes("broadcast_shapes", &parts))?;
    to_python::tuple(py, &common)
}

/// Axes moved to new places.
#[pyfunction]
fn moveaxis<'py>(
    a: &Bound<'py, PyAny>,
    source: &Bound<'py, PyAny>,
    destination: &Bound<'py, PyAny>,
) -> ArrayResult<'py> {
    let (source, destination) = (arguments::integers(source)?, arguments::integers(destination)?);
    viewed(a, |a| manipulation::moveaxis(a, &source, &destination))
}

/// An axis rolled back to a position.
#[pyfunction]
#[pyo3(signature = (a, axis, start=0))]
fn rollaxis<'py>(a: &Bound<'py, PyAny>, axis: i64, start: i64) -> ArrayResult<'py> {
    viewed(a, |a| manipulation::rollaxis(a, axis, start))
}

/// With axes of length one put in.
#[pyfunction]
fn expand_dims<'py>(a: &Bound<'py, PyAny>, axis: &Bound<'py, PyAny>) -> ArrayResult<'py> {
    let axes = arguments::integers(axis)?;
    viewed(a, |a| manipulation::expand_dims(a, &axes))
}

/// The items of a sequence; `None` for a single value.
fn items<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    if object.try_iter().is_err() {
        return Ok(None);
    }
    Ok(Some(arguments::listed(object)?.iter().collect()))
}

/// Pairs (before, after) for each axis, from NumPy's forms: one number, one pair, or a pair for each axis.
fn pairs<T: Copy>(
    object: &Bound<'_, PyAny>,
    ndim: usize,
    read: &impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<(T, T)>> {
    let pair = |o: &Bound<'_, PyAny>| -> PyResult<(T, T)> {
        match items(o)?.as_deref() {
            None => read(o).map(|one| (one, one)),
            Some([one]) => read(one).map(|one| (one, one)),
            Some([before, after]) => Ok((read(before)?, read(after)?)),
            Some(_) => Err(PyValueError::new_err("pad: expected pairs (before, after)")),
        }
    };
    let Some(outer) = items(object)? else { return Ok(vec![pair(object)?; ndim]) };
    let nested = outer.iter().any(|o| o.try_iter().is_ok());
    match outer.as_slice() {
        [one] => Ok(vec![pair(one)?; ndim]),
        [_, _] if !nested => Ok(vec![pair(object)?; ndim]),
        many if many.len() == ndim => many.iter().map(pair).collect(),
        _ => Err(PyValueError::new_err(format!("pad: operands could not be broadcast to shape ({ndim}, 2)"))),
    }
}

fn width(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    let number = match from_python::number(object, "pad")? {
        Number::Int(i) => i,
        Number::Bool(b) => b as i128,
        _ => return Err(PyTypeError::new_err("`pad_width` must be of integral type.")),
    };
    usize::try_from(number).map_err(|_| PyValueError::new_err("index can't contain negative values"))
}

/// An array with elements added at its edges.
#[pyfunction]
#[pyo3(signature = (array, pad_width, mode="constant", **keywords))]
fn pad<'py>(
    array: &Bound<'py, PyAny>,
    pad_width: &Bound<'py, PyAny>,
    mode: &str,
    keywords: Option<&Bound<'py, PyDict>>,
) -> ArrayResult<'py> {
    gate::named(array.py(), "pad", padded(array, pad_width, mode, keywords))
}

fn padded<'py>(
    array: &Bound<'py, PyAny>,
    pad_width: &Bound<'py, PyAny>,
    mode: &str,
    keywords: Option<&Bound<'py, PyDict>>,
) -> ArrayResult<'py> {
    let py = array.py();
    let source = array_of(array)?;
    let (ndim, dtype) = (source.ndim(), source.dtype());
    let widths = pairs(pad_width, ndim, &width)?;
    let allowed: &[&str] = match mode {
        "constant" => &["constant_values"],
        "linear_ramp" => &["end_values"],
        "maximum" | "mean" | "median" | "minimum" => &["stat_length"],
        "reflect" | "symmetric" => &["reflect_type"],
        "edge" | "empty" | "wrap" => &[],
        _ => return Err(PyValueError::new_err(format!("mode '{mode}' is not supported"))),
    };
    if let Some(given) = keywords {
        for name in given.keys() {
            let name: String = name.extract()?;
            if !allowed.contains(&name.as_str()) {
                let message = format!("unsupported keyword arguments for mode '{mode}': {{'{name}'}}");
                return Err(PyValueError::new_err(message));
            }
        }
    }
    let keyword = |name: &str| -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(keywords.map(|k| k.get_item(name)).transpose()?.flatten().filter(|v| !v.is_none()))
    };
    let run = |mode: PadMode<'_>| gate::detached(py, || manipulation::pad(&source, &widths, mode));
    let odd = keyword("reflect_type")?.map_or(Ok(false), |t| t.extract::<String>().map(|t| t == "odd"))?;
    let statistic = |which: Statistic| match keyword("stat_length")? {
        None => run(PadMode::Statistic(which, None)),
        Some(lengths) => {
            let lengths = pairs(&lengths, ndim, &width)?;
            run(PadMode::Statistic(which, Some(&lengths)))
        }
    };
    let number = |o: &Bound<'_, PyAny>| from_python::number(o, "pad");
    let result = match mode {
        "constant" => {
            let values = match keyword("constant_values")? {
                None => vec![(Number::Int(0), Number::Int(0)); ndim],
                Some(values) => pairs(&values, ndim, &number)?,
            };
            let scalars = values
                .into_iter()
                .map(|(a, b)| Ok((Scalar::new("pad", a, dtype)?, Scalar::new("pad", b, dtype)?)))
                .collect::<cuprum::Result<Vec<_>>>()
                .map_err(|e| gate::exception(py, &e))?;
            run(PadMode::Constant(&scalars))
        }
        "linear_ramp" => {
            let values = match keyword("end_values")? {
                None => vec![(Number::Int(0), Number::Int(0)); ndim],
                Some(values) => pairs(&values, ndim, &number)?,
            };
            run(PadMode::LinearRamp(&values))
        }
        "maximum" => statistic(Statistic::Maximum),
        "mean" => statistic(Statistic::Mean),
        "median" => statistic(Statistic::Median),
        "minimum" => statistic(Statistic::Minimum),
        "reflect" => run(PadMode::Reflect { odd }),
        "symmetric" => run(PadMode::Symmetric { odd }),
        "edge" => run(PadMode::Edge),
        "empty" => run(PadMode::Empty),
        _ => run(PadMode::Wrap),
    }?;
    NdArray::wrap(py, result)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(concatenate, module)?)?;
    module.add_function(wrap_pyfunction!(stack, module)?)?;
    module.add_function(wrap_pyfunction!(array_split, module)?)?;
    module.add_function(wrap_pyfunction!(tile, module)?)?;
    module.add_function(wrap_pyfunction!(repeat, module)?)?;
    module.add_function(wrap_pyfunction!(roll, module)?)?;
    module.add_function(wrap_pyfunction!(flip, module)?)?;
    module.add_function(wrap_pyfunction!(rot90, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_to, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(moveaxis, module)?)?;
    module.add_function(wrap_pyfunction!(rollaxis, module)?)?;
    module.add_function(wrap_pyfunction!(expand_dims, module)?)?;
    module.add_function(wrap_pyfunction!(windows, module)?)?;
    module.add_function(wrap_pyfunction!(as_strided, module)?)?;
    module.add_function(wrap_pyfunction!(pad, module)?)
}
