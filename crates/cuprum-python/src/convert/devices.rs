//! Devices as Python names them: strings such as `'cpu'` and `'cuda:1'`, or a `cuprum.cuda.Device`.

use cuprum::{Array, Error, default_device, set_current_device};
use cuprum_graph::{DeviceRef, same_device};
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

/// While it lives, what this thread converts goes to an array's device, beside it.
#[must_use]
pub struct DeviceGuard {
    /// The device that was set before, where another one had to be set.
    before: Option<Option<DeviceRef>>,
}

/// Makes the conversions that follow go to the array's device.
#[inline]
pub fn enter_device_of(array: &Array) -> DeviceGuard {
    enter_device(array.device())
}

/// Makes the conversions that follow go to a device.
#[inline]
pub fn enter_device(device: DeviceRef) -> DeviceGuard {
    let there = default_device().is_ok_and(|current| same_device(current, device));
    DeviceGuard { before: (!there).then(|| set_current_device(Some(device))) }
}

impl Drop for DeviceGuard {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.before {
            set_current_device(before);
        }
    }
}
