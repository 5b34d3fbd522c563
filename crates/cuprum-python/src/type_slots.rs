//! Slots of our classes that the stable ABI of Python 3.10 lets no extension declare, or not for a class that PyO3 makes.
//!
//! CPython has kept these layouts unchanged from 3.10 to 3.14 (in builds with a GIL), and every heap type has a place for the
//! slots, so they are filled in after the type is made: on CPython of a known version, nowhere else.

use std::ffi::{c_char, c_int, c_ulong, c_void};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// `Py_TPFLAGS_HAVE_VECTORCALL`.
const HAVE_VECTORCALL: c_ulong = 1 << 11;

/// `Py_buffer`.
#[repr(C)]
pub struct PyBuffer {
    pub buf: *mut c_void,
    pub obj: *mut ffi::PyObject,
    pub len: isize,
    pub itemsize: isize,
    pub readonly: c_int,
    pub ndim: c_int,
    pub format: *const c_char,
    pub shape: *mut isize,
    pub strides: *mut isize,
    pub suboffsets: *mut isize,
    pub internal: *mut c_void,
}

/// `PyBufferProcs`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BufferSlots {
    pub get: Option<unsafe extern "C" fn(*mut ffi::PyObject, *mut PyBuffer, c_int) -> c_int>,
    pub release: Option<unsafe extern "C" fn(*mut ffi::PyObject, *mut PyBuffer)>,
}

/// `vectorcallfunc`: what is called, the arguments, their number and the names of those by keyword.
pub type VectorCall = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    usize,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// `PyTypeObject` up to `tp_flags`.
#[repr(C)]
struct TypePrefix {
    reference_count: isize,
    class: *mut c_void,
    size: isize,
    name: *const c_char,
    basic_size: isize,
    item_size: isize,
    dealloc: *mut c_void,
    vectorcall_offset: isize,
    getattr: *mut c_void,
    setattr: *mut c_void,
    as_async: *mut c_void,
    repr: *mut c_void,
    as_number: *mut c_void,
    as_sequence: *mut c_void,
    as_mapping: *mut c_void,
    hash: *mut c_void,
    call: *mut c_void,
    str: *mut c_void,
    getattro: *mut c_void,
    setattro: *mut c_void,
    as_buffer: *mut BufferSlots,
    flags: c_ulong,
}

/// `PyTypeObject` from `tp_flags` to `tp_new`.
#[repr(C)]
struct TypeRest {
    prefix: TypePrefix,
    doc: *const c_char,
    /// From `tp_traverse` to `tp_alloc`.
    between: [*mut c_void; 16],
    new: Option<pyo3::ffi::newfunc>,
}

/// Whether this interpreter's structures are the ones described here.
pub fn are_as_described(py: Python<'_>) -> PyResult<bool> {
    let sys = py.import("sys")?;
    let implementation = sys.getattr("implementation")?;
    let cpython = implementation.getattr("name")?.extract::<String>()? == "cpython";
    let (major, minor): (u8, u8) = {
        let version = sys.getattr("version_info")?;
        (version.get_item(0)?.extract()?, version.get_item(1)?.extract()?)
    };
    let debug = sys.hasattr("gettotalrefcount")?;
    let free_threaded =
        sys.getattr("abiflags").and_then(|f| f.extract::<String>()).is_ok_and(|f| f.contains('t'));
    Ok(cpython && !debug && !free_threaded && major == 3 && (10..=14).contains(&minor))
}

/// Fills the buffer slots of one of our classes, or of one derived from them, if [`are_as_described`] allows it.
pub fn fill_buffer(class: &Bound<'_, PyType>, slots: BufferSlots) {
    let prefix = class.as_ptr().cast::<TypePrefix>();
    // SAFETY: `class` is a heap type of an interpreter whose `PyTypeObject` begins as `TypePrefix` does; its `tp_as_buffer`
    // points into the heap type itself, and the GIL is held while the slots are set.
    unsafe {
        if let Some(filled) = (*prefix).as_buffer.as_mut() {
            *filled = slots;
        }
    }
}

/// Makes a function of ours the constructor of one of our classes, and of classes that are derived from it later, if
/// [`are_as_described`] allows it.
///
/// # Safety
/// The function does what `old` does, the class's `__new__`, and no class is derived from it yet.
pub unsafe fn fill_new(class: &Bound<'_, PyType>, old: ffi::newfunc, new: ffi::newfunc) {
    let whole = class.as_ptr().cast::<TypeRest>();
    // SAFETY: `class` is a heap type of an interpreter whose `PyTypeObject` begins as `TypeRest` does, and the GIL is held
    // while the field is set.
    unsafe {
        if (*whole).new.is_some_and(|found| std::ptr::fn_addr_eq(found, old)) {
            (*whole).new = Some(new);
        }
    };
}

/// Makes the function stored `offset` bytes into each object the vector call of one of our classes, if [`are_as_described`]
/// allows it.
///
/// # Safety
/// In every object of the class a [`VectorCall`] stands there, and does what the class's `__call__` does.
pub unsafe fn fill_vectorcall(class: &Bound<'_, PyType>, offset: usize) {
    let prefix = class.as_ptr().cast::<TypePrefix>();
    // SAFETY: `class` is a heap type of an interpreter whose `PyTypeObject` begins as `TypePrefix` does, and the GIL is held
    // while the fields are set.
    unsafe {
        (*prefix).vectorcall_offset = offset as isize;
        (*prefix).flags |= HAVE_VECTORCALL;
    }
}
