//! Memory for large NumPy arrays that elements of a GPU are copied into: blocks are kept when such an array goes, since
//! fresh pages cost more than the copy.
//!
//! NumPy asks whoever is set as its handler for the memory of a new array, and the same one when the array grows or goes:
//! the array owns its memory, as any other.

use std::collections::HashMap;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_graph::{Buffer, MemoryPool};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCapsule;

/// Arrays of at least this size are worth it.
pub const POOLED_MIN_BYTES: usize = 1 << 20;
/// Bytes that are kept for later at most.
const MAX_KEPT_BYTES: usize = 512 << 20;
/// The place of `PyDataMem_SetHandler` in NumPy's table of functions, which it keeps for good.
const SET_HANDLER_SLOT: usize = 304;

/// The blocks of arrays that live, by their addresses.
static BLOCKS: Mutex<Option<HashMap<usize, Buffer>>> = Mutex::new(None);

fn blocks() -> MutexGuard<'static, Option<HashMap<usize, Buffer>>> {
    BLOCKS.lock().unwrap_or_else(|e| e.into_inner())
}

fn pool() -> Arc<cuprum_cpu::Pool> {
    static POOL: Mutex<Option<Arc<cuprum_cpu::Pool>>> = Mutex::new(None);
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    pool.get_or_insert_with(|| Arc::new(cuprum_cpu::Pool::new(true))).clone()
}

/// NumPy's `PyDataMemAllocator`.
#[repr(C)]
struct Allocator {
    context: *mut c_void,
    malloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void, usize),
}

/// NumPy's `PyDataMem_Handler`.
#[repr(C)]
struct Handler {
    name: [c_char; 127],
    version: u8,
    allocator: Allocator,
}

// SAFETY: constant, and its context is null.
unsafe impl Sync for Handler {}

static HANDLER: Handler = Handler {
    name: named(b"cuprum"),
    version: 1,
    allocator: Allocator { context: std::ptr::null_mut(), malloc, calloc, realloc, free },
};

const fn named(text: &[u8]) -> [c_char; 127] {
    let mut name = [0; 127];
    let mut at = 0;
    while at < text.len() {
        name[at] = text[at] as c_char;
        at += 1;
    }
    name
}

/// NumPy's functions of memory.
///
/// # Safety
/// As for C's `malloc`, here and below: a block is null or came from here, and its holder is the caller.
unsafe extern "C" fn malloc(_: *mut c_void, bytes: usize) -> *mut c_void {
    let Ok(buffer) = pool().provide(bytes.max(1)) else { return std::ptr::null_mut() };
    let address = buffer.address();
    blocks().get_or_insert_default().insert(address, buffer);
    address as *mut c_void
}

unsafe extern "C" fn calloc(context: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else { return std::ptr::null_mut() };
    // SAFETY: takes no block.
    let made = unsafe { malloc(context, bytes) };
    if !made.is_null() {
        // SAFETY: the block holds so many bytes and is nobody else's.
        unsafe { std::ptr::write_bytes(made.cast::<u8>(), 0, bytes) };
    }
    made
}

unsafe extern "C" fn realloc(context: *mut c_void, old: *mut c_void, bytes: usize) -> *mut c_void {
    let known = blocks().as_ref().and_then(|blocks| blocks.get(&(old as usize)).cloned());
    // SAFETY: takes no block.
    let made = unsafe { malloc(context, bytes) };
    if let (Some(known), false) = (known, made.is_null()) {
        // SAFETY: both blocks are at least so large, and different; the caller gives the old one up.
        unsafe {
            std::ptr::copy_nonoverlapping(
                old.cast::<u8>().cast_const(),
                made.cast::<u8>(),
                bytes.min(known.bytes()),
            );
            free(context, old, known.bytes());
        }
    }
    made
}

unsafe extern "C" fn free(_: *mut c_void, block: *mut c_void, _: usize) {
    let gone = blocks().as_mut().and_then(|blocks| blocks.remove(&(block as usize)));
    drop(gone);
    let pool = pool();
    if pool.free_bytes() > MAX_KEPT_BYTES {
        pool.free_all();
    }
}

type SetHandler = unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject;

/// NumPy's function that sets the handler, and ours as it takes it.
struct Numpy {
    set: SetHandler,
    handler: Py<PyCapsule>,
}

fn numpy_functions(py: Python<'_>) -> PyResult<&'static Numpy> {
    static FOUND: PyOnceLock<Numpy> = PyOnceLock::new();
    FOUND.get_or_try_init(py, || {
        let table = py.import("numpy._core._multiarray_umath")?.getattr("_ARRAY_API")?;
        // SAFETY: NumPy's capsule holds its table of functions, has no name, and lives as long as NumPy.
        let functions = unsafe { ffi::PyCapsule_GetPointer(table.as_ptr(), std::ptr::null()) };
        if functions.is_null() {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: the table has at least so many entries since NumPy 1.22, and this one is the function of that type.
        let set = unsafe {
            std::mem::transmute::<*mut c_void, SetHandler>(
                *functions.cast::<*mut c_void>().add(SET_HANDLER_SLOT),
            )
        };
        // SAFETY: the handler is static; NumPy takes capsules of this name.
        let handler = unsafe {
            let made =
                ffi::PyCapsule_New((&raw const HANDLER).cast_mut().cast(), c"mem_handler".as_ptr(), None);
            Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked::<PyCapsule>().unbind()
        };
        Ok(Numpy { set, handler })
    })
}

/// Runs `make` with new arrays of NumPy's getting their memory here.
pub fn with_kept_memory<T>(py: Python<'_>, make: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let numpy = numpy_functions(py)?;
    // SAFETY: takes a capsule of ours and gives a new reference to the handler before, or an error.
    let before = unsafe { Bound::from_owned_ptr_or_err(py, (numpy.set)(numpy.handler.as_ptr()))? };
    let made = make();
    // SAFETY: as above; what it gives is our own capsule.
    unsafe { Bound::from_owned_ptr_or_err(py, (numpy.set)(before.as_ptr()))? };
    made
}
