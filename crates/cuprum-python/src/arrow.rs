//! Arrow's C data interface: what Polars, PyArrow and others ask of an array, by `__arrow_c_array__`.
//!
//! Arrow's arrays never change, so the elements are copied. Truth values become bits; each axis after the first becomes
//! lists of one length.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use cuprum::{Array, DType};
use cuprum_core::memory::try_filled;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::{gate, strict};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// What a schema's pointers lead to.
struct SchemaParts {
    format: CString,
    child: [*mut ArrowSchema; 1],
}

/// What an array's pointers lead to.
struct ArrayParts {
    elements: Vec<u64>,
    buffers: [*const c_void; 2],
    child: [*mut ArrowArray; 1],
}

/// Arrow's name for a dtype; `None` where it has none.
fn format_of(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::Bool => "b",
        DType::I8 => "c",
        DType::U8 => "C",
        DType::I16 => "s",
        DType::U16 => "S",
        DType::I32 => "i",
        DType::U32 => "I",
        DType::I64 => "l",
        DType::U64 => "L",
        DType::F16 => "e",
        DType::F32 => "f",
        DType::F64 => "g",
        DType::BF16 | DType::C64 | DType::C128 => return None,
    })
}

/// The capsules of a schema and of a copy of the elements, as `__arrow_c_array__` returns them.
pub fn export<'py>(py: Python<'py>, array: &Array) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if strict::is_apart(array) {
        return Err(PyTypeError::new_err(
            "Implicit conversion to Arrow's memory on the host is not allowed. Please use `.get()` or \
             `cp.asnumpy(a)` to construct a NumPy array explicitly.",
        ));
    }
    let Some(format) = format_of(array.dtype()) else {
        return Err(PyTypeError::new_err(format!(
            "__arrow_c_array__: Arrow has no {}: convert the array with astype, or take its real and imaginary parts",
            array.dtype().name()
        )));
    };
    if array.ndim() == 0 {
        return Err(PyTypeError::new_err(
            "__arrow_c_array__: an array without axes is no column: use reshape(1)",
        ));
    }
    let elements = gate::detached(py, || packed(array))?;
    let (schema, made) = nested(array.shape(), format, elements);
    // SAFETY: a boxed schema and a boxed array, which belong to the capsules from here on.
    unsafe {
        Ok((capsule(py, schema.cast(), SCHEMA, drop_schema)?, capsule(py, made.cast(), ARRAY, drop_array)?))
    }
}

/// The elements in C order, aligned for every dtype; truth values as bits, the lowest first.
fn packed(array: &Array) -> cuprum::Result<Vec<u64>> {
    let bytes = array.size() * array.dtype().size();
    let mut words = try_filled(bytes.div_ceil(8), 0u64)?;
    // SAFETY: the words are initialised and have at least as many bytes; bytes have no alignment.
    let view = unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), bytes) };
    array.read_into(view)?;
    if array.dtype() != DType::Bool {
        return Ok(words);
    }
    let bits = view.chunks(64).map(|chunk| {
        chunk.iter().enumerate().fold(0u64, |word, (at, &truth)| word | (u64::from(truth != 0) << at))
    });
    Ok(bits.map(u64::to_le).collect())
}

/// A boxed schema and array: one level for each axis, the elements at the innermost.
fn nested(shape: &[usize], format: &str, elements: Vec<u64>) -> (*mut ArrowSchema, *mut ArrowArray) {
    let mut length: usize = shape.iter().product();
    // SAFETY: the innermost level has no child, and each other one takes the box of the level inside it.
    unsafe {
        let mut schema = schema_of(format, ptr::null_mut());
        let mut made = array_of(length, Some(elements), ptr::null_mut());
        for (axis, &extent) in shape.iter().enumerate().skip(1).rev() {
            length = shape[..axis].iter().product();
            schema = schema_of(&format!("+w:{extent}"), schema);
            made = array_of(length, None, made);
        }
        (schema, made)
    }
}

/// A boxed schema over a child, if there is one.
///
/// # Safety
/// The child is null, or a box of [`schema_of`] that nobody else will free.
unsafe fn schema_of(format: &str, child: *mut ArrowSchema) -> *mut ArrowSchema {
    let format = CString::new(format).expect("a format has no zero byte");
    let parts = Box::into_raw(Box::new(SchemaParts { format, child: [child] }));
    // SAFETY: the box was made just now; what it holds stays where it is until `release_schema`.
    let (format, children) = unsafe { ((*parts).format.as_ptr(), (&raw mut (*parts).child).cast()) };
    let has_child = !child.is_null();
    Box::into_raw(Box::new(ArrowSchema {
        format,
        name: c"".as_ptr(),
        metadata: ptr::null(),
        flags: 0,
        n_children: i64::from(has_child),
        children: if has_child { children } else { ptr::null_mut() },
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: parts.cast(),
    }))
}

/// A boxed array of elements, or one of lists over a child.
///
/// # Safety
/// The child is null, or a box of [`array_of`] that nobody else will free.
unsafe fn array_of(length: usize, elements: Option<Vec<u64>>, child: *mut ArrowArray) -> *mut ArrowArray {
    let n_buffers = 1 + i64::from(elements.is_some());
    let elements = elements.unwrap_or_default();
    // The first buffer would say which elements are missing: none is.
    let buffers = [ptr::null(), elements.as_ptr().cast()];
    let parts = Box::into_raw(Box::new(ArrayParts { elements, buffers, child: [child] }));
    // SAFETY: the box was made just now; what it holds stays where it is until `release_array`.
    let (buffers, children) =
        unsafe { ((&raw mut (*parts).buffers).cast(), (&raw mut (*parts).child).cast()) };
    let has_child = !child.is_null();
    Box::into_raw(Box::new(ArrowArray {
        length: length as i64,
        null_count: 0,
        offset: 0,
        n_buffers,
        n_children: i64::from(has_child),
        buffers,
        children: if has_child { children } else { ptr::null_mut() },
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: parts.cast(),
    }))
}

/// Frees what a schema leads to; the structure itself is its holder's.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: consumers call this once, with a structure that `schema_of` filled or that was moved from such a one.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        free_schema(parts.child[0]);
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: consumers call this once, with a structure that `array_of` filled or that was moved from such a one.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        drop(parts.elements);
        free_array(parts.child[0]);
        (*array).release = None;
    }
}

/// Frees a boxed schema and, where nobody has moved it out, what it leads to.
///
/// # Safety
/// The pointer is null, or that of a box that nobody else will free.
unsafe fn free_schema(schema: *mut ArrowSchema) {
    if !schema.is_null() {
        // SAFETY: the caller vouches for it.
        let mut schema = unsafe { Box::from_raw(schema) };
        if let Some(release) = schema.release {
            // SAFETY: a structure with a release function has not been released.
            unsafe { release(&mut *schema) }
        }
    }
}

/// As [`free_schema`], for arrays.
///
/// # Safety
/// The pointer is null, or that of a box that nobody else will free.
unsafe fn free_array(array: *mut ArrowArray) {
    if !array.is_null() {
        // SAFETY: the caller vouches for it.
        let mut array = unsafe { Box::from_raw(array) };
        if let Some(release) = array.release {
            // SAFETY: a structure with a release function has not been released.
            unsafe { release(&mut *array) }
        }
    }
}

/// A capsule that owns what a pointer leads to.
///
/// # Safety
/// The pointer is a box of the kind that the name says and that the destructor frees; nobody else will free it.
unsafe fn capsule<'py>(
    py: Python<'py>,
    pointer: *mut c_void,
    name: &'static CStr,
    destructor: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller's promise.
    let made = unsafe { ffi::PyCapsule_New(pointer, name.as_ptr(), Some(destructor)) };
    // SAFETY: PyCapsule_New returns a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}

unsafe extern "C" fn drop_schema(capsule: *mut ffi::PyObject) {
    // SAFETY: CPython destroys `capsule`, of which we made the name and the pointer; consumers do not rename it.
    unsafe { free_schema(ffi::PyCapsule_GetPointer(capsule, SCHEMA.as_ptr()).cast()) }
}

unsafe extern "C" fn drop_array(capsule: *mut ffi::PyObject) {
    // SAFETY: as in `drop_schema`.
    unsafe { free_array(ffi::PyCapsule_GetPointer(capsule, ARRAY.as_ptr()).cast()) }
}
