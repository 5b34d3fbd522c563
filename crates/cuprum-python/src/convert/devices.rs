//! Devices as Python names them: strings such as `'cpu'` and `'cuda:1'`, or a `cuprum.cuda.Device`.

use cuprum::Error;
use cuprum_graph::DeviceRef;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::gate;

/// The device that a keyword asks for; `None` for none.
pub fn optional(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DeviceRef>> {
    object.filter(|o| !o.is_none()).map(device).transpose()
}

fn device(object: &Bound<'_, PyAny>) -> PyResult<DeviceRef> {
    let name = match object.cast::<PyString>() {
        Ok(name) => name.to_string(),
        Err(_) => match object.getattr("_name") {
            Ok(name) => name.extract()?,
            Err(_) => {
                let class = object.get_type().name()?.to_string();
                return Err(PyTypeError::new_err(format!("device must be a name or a Device, not {class}")));
            }
        },
    };
    gate::detached(object.py(), || {
        cuprum::device_by_name(&name).map_err(|error| match error {
            Error::Device { message } => Error::value(format!("no device {name}"), message),
            other => other,
        })
    })
}
