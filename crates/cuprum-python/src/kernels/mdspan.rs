//! An array as a kernel takes a `cuda::std::mdspan`: its address, the lengths of its axes and their steps.

use cuprum::{Array, DType};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::ndarray::NdArray;

/// What a kernel is given for a `cuda::std::mdspan`; made by `ndarray.mdspan`.
#[pyclass(name = "mdspan", module = "cuprum", frozen)]
pub struct Mdspan {
    pub bytes: SmallVec<[u8; 64]>,
    _owner: Py<NdArray>,
}

impl Mdspan {
    /// The array `array` of `owner`, whose elements begin at `address`.
    pub fn new(
        owner: &Bound<'_, NdArray>,
        array: &Array,
        address: usize,
        index_type: DType,
        allow_unsafe: bool,
    ) -> PyResult<Mdspan> {
        if !matches!(index_type, DType::I32 | DType::I64) {
            let message = format!("mdspan: index_type must be int32 or int64, got {index_type}");
            return Err(PyValueError::new_err(message));
        }
        if index_type == DType::I32 && i32::try_from(array.size()).is_err() {
            let message = format!("mdspan: size {} exceeds int32 maximum: use int64", array.size());
            return Err(PyValueError::new_err(message));
        }
        let item = array.dtype().size() as isize;
        let (shape, strides) = (array.shape(), array.strides());
        if !allow_unsafe {
            let sizes = shape.iter().map(|length| (*length == 0, "size zero"));
            let steps = strides.iter().map(|step| (*step <= 0, "non-positive stride"));
            for (axis, (is_bad, what)) in sizes.enumerate().chain(steps.enumerate()) {
                if is_bad {
                    return Err(PyRuntimeError::new_err(format!(
                        "mdspan: {axis}-th dimension has {what}, which C++ leaves undefined: pass allow_unsafe=True, or a copy"
                    )));
                }
            }
        }
        if strides.iter().any(|step| step % item != 0) {
            return Err(PyValueError::new_err(
                "mdspan: strides must be multiples of the itemsize: pass a copy",
            ));
        }
        let mut bytes: SmallVec<[u8; 64]> = SmallVec::from_slice(&address.to_le_bytes());
        let numbers =
            shape.iter().map(|length| *length as i64).chain(strides.iter().map(|step| (step / item) as i64));
        for number in numbers {
            match index_type {
                DType::I32 => bytes.extend_from_slice(&(number as i32).to_le_bytes()),
                _ => bytes.extend_from_slice(&number.to_le_bytes()),
            }
        }
        Ok(Mdspan { bytes, _owner: owner.clone().unbind() })
    }
}
