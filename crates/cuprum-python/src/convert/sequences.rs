//! Nested lists and tuples of Python's own numbers, and of single elements: the sequences that programs write most, read
//! without NumPy.
//!
//! Anything that is not a regular nest of such numbers is left to NumPy, which knows what it means or what is wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cuprum::{Array, DType, Number, indexing};
use cuprum_core::Dims;
use cuprum_core::memory::{collected, push as push_to};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::gate;
use crate::ndarray::NdArray;

/// Nests deeper than this are NumPy's to judge.
const MAX_DEPTH: usize = 16;

/// The numbers of a nest, of the kind that all have in common.
enum Leaves {
    Unknown,
    Truths(Vec<u8>),
    Ints(Vec<i64>),
    Floats(Vec<f64>),
}

/// The array in C order of a list or tuple, in the dtype asked for or the one that NumPy would find; `None` for what is left
/// to NumPy.
pub fn regular(object: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Option<Array>> {
    let read = AssertUnwindSafe(|| read_regular(object, dtype));
    catch_unwind(read).unwrap_or_else(|panic| gate::finish(object.py(), Err(panic)))
}

fn read_regular(object: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Option<Array>> {
    let Some(shape) = shape_of(object) else { return Ok(None) };
    let mut leaves = Leaves::Unknown;
    if !collect(object.as_borrowed(), &shape, &mut leaves) {
        return Ok(None);
    }
    let py = object.py();
    match (leaves, dtype) {
        (Leaves::Truths(truths), None | Some(DType::Bool)) => made(py, &truths, &shape, DType::Bool),
        (Leaves::Ints(ints), None | Some(DType::I64)) => made(py, &ints, &shape, DType::I64),
        (Leaves::Ints(ints), Some(DType::F64)) => {
            let floats: Vec<f64> = collected(ints.into_iter().map(|i| i as f64));
            made(py, &floats, &shape, DType::F64)
        }
        (Leaves::Floats(floats), None | Some(DType::F64)) => made(py, &floats, &shape, DType::F64),
        (Leaves::Floats(floats), Some(DType::F32)) => {
            let singles: Vec<f32> = collected(floats.iter().map(|&x| x as f32));
            // NumPy warns of what does not fit.
            let fit = floats.iter().zip(&singles).all(|(x, single)| x.is_finite() == single.is_finite());
            if fit { made(py, &singles, &shape, DType::F32) } else { Ok(None) }
        }
        _ => Ok(None),
    }
}

fn made<T: Copy>(py: Python<'_>, elements: &[T], shape: &[usize], dtype: DType) -> PyResult<Option<Array>> {
    // SAFETY: numbers without padding, read as the bytes that they are.
    let bytes = unsafe {
        std::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), std::mem::size_of_val(elements))
    };
    gate::make(py, elements.len(), || Array::from_bytes(bytes, shape, dtype)).map(Some)
}

/// The lengths of the first sequence on each level; `None` where there is none, or one without items.
fn shape_of(object: &Bound<'_, PyAny>) -> Option<Dims> {
    let mut shape = Dims::new();
    let mut at = object.as_borrowed();
    while let Some(length) = length(at) {
        if length == 0 || shape.len() == MAX_DEPTH {
            return None;
        }
        shape.push(length);
        at = item(at, 0)?;
    }
    (!shape.is_empty()).then_some(shape)
}

/// The length of what is exactly a list or a tuple.
#[inline]
fn length(object: Borrowed<'_, '_, PyAny>) -> Option<usize> {
    if object.is_exact_instance_of::<PyList>() {
        // SAFETY: a live list, and the GIL is held.
        return usize::try_from(unsafe { ffi::PyList_Size(object.as_ptr()) }).ok();
    }
    if object.is_exact_instance_of::<PyTuple>() {
        // SAFETY: a live tuple, and the GIL is held.
        return usize::try_from(unsafe { ffi::PyTuple_Size(object.as_ptr()) }).ok();
    }
    None
}

/// An item of what is exactly a list or a tuple. No code of the program's runs while it is looked at: it stays where it is.
#[inline]
fn item<'a, 'py>(of: Borrowed<'a, 'py, PyAny>, at: usize) -> Option<Borrowed<'a, 'py, PyAny>> {
    // SAFETY: the position is within, the GIL is held throughout, and the sequence keeps the item.
    unsafe {
        let found = if of.is_exact_instance_of::<PyList>() {
            ffi::PyList_GetItem(of.as_ptr(), at as isize)
        } else {
            ffi::PyTuple_GetItem(of.as_ptr(), at as isize)
        };
        Borrowed::from_ptr_or_opt(of.py(), found)
    }
}

/// Adds the numbers of a sequence of this shape, row by row; `false` where it is not of that shape, or holds anything else.
fn collect(object: Borrowed<'_, '_, PyAny>, shape: &[usize], leaves: &mut Leaves) -> bool {
    let Some((&count, inner)) = shape.split_first() else { return push(object, leaves) };
    length(object) == Some(count)
        && (0..count).all(|at| item(object, at).is_some_and(|item| collect(item, inner, leaves)))
}

#[inline]
fn push(leaf: Borrowed<'_, '_, PyAny>, leaves: &mut Leaves) -> bool {
    let object = leaf.as_ptr();
    // SAFETY: a live object, and the GIL is held; each is read as what its class says that it is.
    unsafe {
        let class = ffi::Py_TYPE(object);
        if class == &raw mut ffi::PyFloat_Type {
            return push_float(ffi::PyFloat_AsDouble(object), leaves);
        }
        if class == &raw mut ffi::PyLong_Type {
            let mut overflow = 0;
            let value = ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow);
            return overflow == 0 && push_int(value, leaves);
        }
        if class == &raw mut ffi::PyBool_Type {
            return push_truth(object == ffi::Py_True(), leaves);
        }
    }
    leaf.cast_exact::<NdArray>().is_ok_and(|array| push_element(array.get(), leaves))
}

/// Adds a single element of ours that is there, of a dtype that Python's own numbers have.
fn push_element(array: &NdArray, leaves: &mut Leaves) -> bool {
    let value = array.peek().and_then(|array| indexing::value_at(&array, &[]));
    let Some(Ok(value)) = value else { return false };
    match (value.dtype(), value.number()) {
        (DType::F64, Number::Float(x)) => push_float(x, leaves),
        (DType::I64, Number::Int(i)) => i64::try_from(i).is_ok_and(|i| push_int(i, leaves)),
        (DType::Bool, Number::Bool(truth)) => push_truth(truth, leaves),
        _ => false,
    }
}

fn push_float(value: f64, leaves: &mut Leaves) -> bool {
    match leaves {
        Leaves::Floats(floats) => push_to(floats, value),
        Leaves::Unknown => *leaves = Leaves::Floats(vec![value]),
        // Integers beside floats are floats.
        Leaves::Ints(ints) => {
            *leaves = Leaves::Floats(collected(ints.iter().map(|&i| i as f64).chain([value])));
        }
        Leaves::Truths(_) => return false,
    }
    true
}

fn push_int(value: i64, leaves: &mut Leaves) -> bool {
    match leaves {
        Leaves::Ints(ints) => push_to(ints, value),
        Leaves::Floats(floats) => push_to(floats, value as f64),
        Leaves::Unknown => *leaves = Leaves::Ints(vec![value]),
        Leaves::Truths(_) => return false,
    }
    true
}

fn push_truth(value: bool, leaves: &mut Leaves) -> bool {
    match leaves {
        Leaves::Truths(truths) => push_to(truths, value.into()),
        Leaves::Unknown => *leaves = Leaves::Truths(vec![value.into()]),
        Leaves::Ints(_) | Leaves::Floats(_) => return false,
    }
    true
}
