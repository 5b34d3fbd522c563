//! Fourier transforms.

use cuprum::fft::{self, Family, Norm};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use pyo3::wrap_pyfunction;

use super::{ArrayResult, array_of, stored};
use crate::convert::arguments::OptArg;
use crate::convert::arguments::{self, Ints};
use crate::gate;
use crate::ndarray::NdArray;

/// Transforms longer than this are computed with the GIL released, however small the input.
const ATTACHED_MAX: i64 = 4096;

/// The transforms by the names that users know.
fn named(op: &str) -> PyResult<(&'static str, Family)> {
    Ok(match op {
        "fft" => ("fft", Family::Fft),
        "ifft" => ("ifft", Family::Ifft),
        "rfft" => ("rfft", Family::Rfft),
        "irfft" => ("irfft", Family::Irfft),
        "hfft" => ("hfft", Family::Hfft),
        "ihfft" => ("ihfft", Family::Ihfft),
        "fft2" => ("fft2", Family::Fft),
        "ifft2" => ("ifft2", Family::Ifft),
        "rfft2" => ("rfft2", Family::Rfft),
        "irfft2" => ("irfft2", Family::Irfft),
        "hfft2" => ("hfft2", Family::Hfft),
        "ihfft2" => ("ihfft2", Family::Ihfft),
        "fftn" => ("fftn", Family::Fft),
        "ifftn" => ("ifftn", Family::Ifft),
        "rfftn" => ("rfftn", Family::Rfft),
        "irfftn" => ("irfftn", Family::Irfft),
        "hfftn" => ("hfftn", Family::Hfft),
        "ihfftn" => ("ihfftn", Family::Ihfft),
        _ => return Err(PyValueError::new_err(format!("there is no transform {op:?}"))),
    })
}

fn norm_of(op: &str, norm: OptArg<'_, '_>) -> PyResult<Norm> {
    let Some(norm) = norm.filter(|n| !n.is_none()) else { return Ok(Norm::Backward) };
    let found = norm.cast::<PyString>().ok().and_then(|s| s.to_cow().ok().and_then(|s| Norm::from_name(&s)));
    found.ok_or_else(|| {
        let text = norm.str().map_or_else(|_| String::new(), |s| s.to_string());
        PyValueError::new_err(format!(
            "{op}: Invalid norm value {text}; should be \"backward\", \"ortho\" or \"forward\"."
        ))
    })
}

/// A length; too large a number is no length of an array.
fn length(op: &str, n: &Bound<'_, PyAny>) -> PyResult<i64> {
    if n.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{op}: the number of points must be an integer, got {n}")));
    }
    arguments::integer(n).map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(n.py()) {
            return PyValueError::new_err(format!("{op}: Maximum allowed dimension exceeded"));
        }
        let class = n.get_type();
        PyTypeError::new_err(format!("{op}: the number of points must be an integer, got {class}"))
    })
}

/// The transform `op` along one axis.
#[pyfunction]
#[pyo3(signature = (op, a, n, axis, norm=None, out=None))]
fn fft_along<'py>(
    py: Python<'py>,
    op: &str,
    a: &Bound<'py, PyAny>,
    n: OptArg<'_, 'py>,
    axis: &Bound<'py, PyAny>,
    norm: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (op, family) = named(op)?;
    let array = array_of(a)?;
    let n = n.filter(|n| !n.is_none()).map(|n| length(op, n)).transpose()?;
    let Ok(axis) = arguments::integer(axis) else {
        return Err(PyTypeError::new_err(format!("{op}: axis must be an integer, got {}", axis.get_type())));
    };
    let norm = norm_of(op, norm)?;
    if out.is_none_or(|o| o.is_none()) && n.is_none_or(|n| n <= ATTACHED_MAX) {
        let work = || fft::along(op, family, &array, n, axis, norm, None);
        return NdArray::wrap(py, gate::compute(py, &[&array], work)?);
    }
    stored(py, out, |out| fft::along(op, family, &array, n, axis, norm, out))
}

/// The transform `op` over several axes; a length of -1 is the axis's own.
#[pyfunction]
#[pyo3(signature = (op, a, s=None, axes=None, norm=None, out=None))]
fn fft_over<'py>(
    py: Python<'py>,
    op: &str,
    a: &Bound<'py, PyAny>,
    s: OptArg<'_, 'py>,
    axes: OptArg<'_, 'py>,
    norm: OptArg<'_, 'py>,
    out: OptArg<'_, 'py>,
) -> ArrayResult<'py> {
    let (op, family) = named(op)?;
    let array = array_of(a)?;
    let lengths = s
        .filter(|s| !s.is_none())
        .map(|s| arguments::listed(s)?.iter().map(|n| length(op, &n)).collect::<PyResult<Ints>>())
        .transpose()?;
    let axes = axes.filter(|x| !x.is_none()).map(arguments::integers).transpose()?;
    let norm = norm_of(op, norm)?;
    stored(py, out, |out| fft::over(op, family, &array, lengths.as_deref(), axes.as_deref(), norm, out))
}

/// The positions of coefficients, those from the middle on counted from the end.
#[pyfunction]
fn fft_positions(py: Python<'_>, n: usize) -> ArrayResult<'_> {
    stored(py, None, |_| fft::positions(n))
}

/// The zero frequency moved to the middle, or back.
#[pyfunction]
#[pyo3(signature = (x, axes, back))]
fn fft_shift<'py>(x: &Bound<'py, PyAny>, axes: OptArg<'_, 'py>, back: bool) -> ArrayResult<'py> {
    let array = array_of(x)?;
    let axes = axes.filter(|a| !a.is_none()).map(arguments::integers).transpose()?;
    let shift = if back { fft::ifftshift } else { fft::fftshift };
    stored(x.py(), None, |_| shift(&array, axes.as_deref()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fft_along, module)?)?;
    module.add_function(wrap_pyfunction!(fft_over, module)?)?;
    module.add_function(wrap_pyfunction!(fft_positions, module)?)?;
    module.add_function(wrap_pyfunction!(fft_shift, module)?)
}
