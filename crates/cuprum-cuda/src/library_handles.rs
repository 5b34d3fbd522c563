//! Handles of NVIDIA's libraries for programs that call them directly: one for each thread and GPU, apart from those
//! that this crate's calls use.

use std::cell::RefCell;
use std::sync::Mutex;

use cuprum_core::{Error, Result};

use crate::check::cuda;
use crate::context::{Gpu, current_stream};
use crate::sys::{Library, cublas, cusolver, cusparse};

/// The libraries that [`library_handle`] gives handles of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandleKind {
    /// `cublasHandle_t`.
    Blas,
    /// `cusolverDnHandle_t`.
    Solver,
    /// `cusolverSpHandle_t`.
    SparseSolver,
    /// `cusparseHandle_t`.
    Sparse,
}

type Create = unsafe extern "C" fn(*mut usize) -> i32;
type SetStream = unsafe extern "C" fn(usize, usize) -> i32;

impl HandleKind {
    fn library(self) -> std::result::Result<&'static Library, String> {
        match self {
            HandleKind::Blas => cublas().map(|(any, _)| &any.library),
            HandleKind::Solver | HandleKind::SparseSolver => cusolver().map(|tables| &tables.any.library),
            HandleKind::Sparse => cusparse().map(|table| &table.library),
        }
    }

    /// The functions that make a handle and bind it to a stream.
    fn functions(self) -> std::result::Result<(Create, SetStream), String> {
        let (create, bind) = match self {
            HandleKind::Blas => ("cublasCreate_v2\0", "cublasSetStream_v2\0"),
            HandleKind::Solver => ("cusolverDnCreate\0", "cusolverDnSetStream\0"),
            HandleKind::SparseSolver => ("cusolverSpCreate\0", "cusolverSpSetStream\0"),
            HandleKind::Sparse => ("cusparseCreate\0", "cusparseSetStream\0"),
        };
        let library = self.library()?;
        let (create, bind) = (library.symbol(create)?, library.symbol(bind)?);
        // SAFETY: each library documents its functions of these names with these arguments and an int result.
        Ok(unsafe {
            (
                std::mem::transmute::<*mut libc::c_void, Create>(create),
                std::mem::transmute::<*mut libc::c_void, SetStream>(bind),
            )
        })
    }
}

/// A GPU's number, whose handle it is, and the handle.
type CachedHandle = (usize, HandleKind, usize);

/// Handles of threads that are gone.
static IDLE: Mutex<Vec<CachedHandle>> = Mutex::new(Vec::new());

#[derive(Default)]
struct ThreadHandles(Vec<CachedHandle>);

impl Drop for ThreadHandles {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(|e| e.into_inner()).append(&mut self.0);
    }
}

thread_local! {
    static THREAD_HANDLES: RefCell<ThreadHandles> = const { RefCell::new(ThreadHandles(Vec::new())) };
}

/// The calling thread's handle of a library for a GPU, bound to the thread's stream.
pub fn library_handle(gpu: &Gpu, kind: HandleKind) -> Result<usize> {
    let (create, bind) = kind.functions().map_err(Error::device)?;
    gpu.enter()?;
    // What waits comes before what the handle is used for.
    cuda()?;
    let is_it = |cached: &CachedHandle| cached.0 == gpu.ordinal && cached.1 == kind;
    let failure = |code| Error::device(format!("{kind:?}: the library gave no handle, but {code}"));
    THREAD_HANDLES.with_borrow_mut(|mine| {
        let cached = mine.0.iter().copied().find(is_it);
        let handle = match cached {
            Some((_, _, handle)) => handle,
            None => {
                let mut idle = IDLE.lock().unwrap_or_else(|e| e.into_inner());
                let kept = idle.iter().position(is_it).map(|place| idle.swap_remove(place).2);
                drop(idle);
                let handle = match kept {
                    Some(handle) => handle,
                    None => {
                        let mut handle = 0;
                        // SAFETY: writes one handle.
                        match unsafe { create(&raw mut handle) } {
                            0 => handle,
                            code => return Err(failure(code)),
                        }
                    }
                };
                mine.0.push((gpu.ordinal, kind, handle));
                handle
            }
        };
        // SAFETY: the handle is this thread's, the stream is alive.
        match unsafe { bind(handle, current_stream(gpu.ordinal)) } {
            0 => Ok(handle),
            code => Err(failure(code)),
        }
    })
}
