//! Positions that come from the host: the call itself says that one lies beyond its axis, though the device would find out
//! later and blame another line.

use cuprum::{Array, Kind, Number, Order, cpu};
use cuprum_graph::DeviceKind;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use super::{devices, from_python};
use crate::gate;
use crate::numpy::numpy;

/// Whether numbers of the host's own, of which a GPU would learn later, may lie beyond an axis of the array; of the whole
/// array where there is no axis.
pub fn beyond_axis(array: &Array, positions: &Bound<'_, PyAny>, axis: Option<i64>) -> PyResult<bool> {
    let length = |axis: i64| {
        let from_front = if axis < 0 { axis + array.ndim() as i64 } else { axis };
        usize::try_from(from_front).ok().and_then(|axis| array.shape().get(axis).copied())
    };
    beyond(array, positions, axis.map_or(Some(array.size()), length).unwrap_or(0))
}

/// Whether an index may name something beyond the array, as above.
pub fn beyond_array(array: &Array, key: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(items) = key.cast::<PyTuple>() else {
        return beyond(array, key, array.shape().first().copied().unwrap_or(0));
    };
    let least = array.shape().iter().copied().min().unwrap_or(0);
    for item in items.iter_borrowed() {
        if beyond(array, &item, least)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn beyond(array: &Array, positions: &Bound<'_, PyAny>, size: usize) -> PyResult<bool> {
    if array.device().kind() == DeviceKind::Cpu {
        return Ok(false);
    }
    let py = positions.py();
    let outside = |at: i64| at >= size as i64 || at < -(size as i64);
    if positions.is_exact_instance_of::<PyInt>() {
        return Ok(positions.extract::<i64>().map_or(true, outside));
    }
    let listed = positions.is_exact_instance_of::<PyList>() || positions.is_exact_instance_of::<PyTuple>();
    if !listed && !positions.is_instance(numpy(py)?.ndarray.bind(py))? {
        return Ok(false);
    }
    let _host = devices::enter_device(cpu());
    // What cannot be converted is an error of the index itself, which says so better.
    let Ok(host) = from_python::array(positions, None, Order::K) else { return Ok(false) };
    if !matches!(host.dtype().kind(), Kind::Signed | Kind::Unsigned) || host.size() == 0 {
        return Ok(false);
    }
    let ends = gate::detached(py, || Ok([host.min()?.scalar()?, host.max()?.scalar()?]))?;
    let is_outside = |number| match number {
        Number::Int(at) => i64::try_from(at).map_or(true, outside),
        _ => false,
    };
    Ok(ends.iter().any(|end| is_outside(end.number())))
}
