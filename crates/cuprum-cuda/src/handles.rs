//! Handles of cuBLAS and cuSOLVER. A handle is lent to one call at a time and bound to that call's stream; there are as
//! many as were ever lent at once.

use std::sync::Mutex;

use cuprum_core::{DType, Error, Result};
use cuprum_graph::{Buffer, MemoryPool};

use crate::check::cuda;
use crate::memory::Pool;
use crate::queue;
use crate::session::Session;
use crate::sys::{Cublas, CublasTyped, CusolverTables, cublas, cusolver};

/// How many idle handles of a GPU wait for their own stream before one is bound to another.
const MAX_IDLE_HANDLES: usize = 8;
/// What cuBLAS is advised to have for its working memory, on Hopper and later and before.
const WORKSPACE_BYTES: [usize; 2] = [32 << 20, 4 << 20];
/// `CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION`: partial sums of 16-bit products stay float32.
const FULL_PRECISION_SUMS: i32 = 16;
const NO_STREAM: usize = usize::MAX;

/// `cudaDataType` of an element type that NVIDIA's libraries know.
pub(crate) fn data_type(dtype: DType) -> i32 {
    match dtype {
        DType::F16 => 2,
        DType::BF16 => 14,
        DType::F32 => 0,
        DType::F64 => 1,
        DType::C64 => 4,
        _ => 5,
    }
}

/// The place of an element type in a family of functions: float32, float64, complex64, complex128.
pub(crate) fn family(op: &'static str, dtype: DType) -> Result<usize> {
    match dtype {
        DType::F32 => Ok(0),
        DType::F64 => Ok(1),
        DType::C64 => Ok(2),
        DType::C128 => Ok(3),
        other => Err(Error::NoLoop { op: op.into(), dtypes: vec![other] }),
    }
}

/// A handle that waits, and what it is bound to.
struct Idle<H> {
    ordinal: usize,
    stream: usize,
    /// Graphs of its stream use its working memory: it is bound to no other.
    recorded: bool,
    handle: H,
}

/// Takes the handle that was bound to this stream last; one of another stream only where many wait.
fn take<H>(idle: &Mutex<Vec<Idle<H>>>, ordinal: usize, stream: usize) -> Option<Idle<H>> {
    let mut idle = idle.lock().unwrap_or_else(|e| e.into_inner());
    let own = idle.iter().position(|i| i.ordinal == ordinal && i.stream == stream);
    let any = || {
        let is_free = |i: &Idle<H>| i.ordinal == ordinal && !i.recorded;
        let waiting = idle.iter().filter(|i| is_free(i)).count();
        (waiting >= MAX_IDLE_HANDLES).then(|| idle.iter().position(is_free)).flatten()
    };
    own.or_else(any).map(|at| idle.remove(at))
}

/// Gives a handle back, to be the first one found.
fn give<H>(idle: &Mutex<Vec<Idle<H>>>, handle: Option<Idle<H>>) {
    if let Some(handle) = handle {
        idle.lock().unwrap_or_else(|e| e.into_inner()).insert(0, handle);
    }
}

/// Makes something of a library's; where its memory ran out, what the pool keeps for later is freed first.
pub(crate) fn with_memory(session: &Session, failed: i32, mut make: impl FnMut() -> i32) -> i32 {
    match make() {
        code if code == failed => {
            session.device().pool().free_all();
            make()
        }
        code => code,
    }
}

static BLAS: Mutex<Vec<Idle<BlasHandle>>> = Mutex::new(Vec::new());
static SOLVER: Mutex<Vec<Idle<SolverHandle>>> = Mutex::new(Vec::new());

struct BlasHandle {
    handle: usize,
    /// From a pool of its own: it is no array's memory, and no limit of the user's is meant for it.
    workspace: Buffer,
}

/// cuBLAS for one call.
pub(crate) struct Blas {
    pub(crate) any: &'static Cublas,
    pub(crate) typed: &'static CublasTyped,
    pub(crate) handle: usize,
    lent: Option<Idle<BlasHandle>>,
}

impl Drop for Blas {
    fn drop(&mut self) {
        give(&BLAS, self.lent.take());
    }
}

impl Blas {
    /// A handle bound to the session's stream, with working memory of its own, so that results do not depend on other work.
    pub(crate) fn lend(session: &Session, op: &'static str) -> Result<Blas> {
        let (any, typed) = cublas().map_err(|message| Error::device(format!("{op}: {message}")))?;
        queue::stay_direct();
        cuda()?;
        let (ordinal, stream) = (session.gpu().ordinal, session.stream());
        let mut lent = match take(&BLAS, ordinal, stream) {
            Some(lent) => lent,
            None => Idle {
                ordinal,
                stream: NO_STREAM,
                recorded: false,
                handle: BlasHandle::new(session, any, op)?,
            },
        };
        lent.recorded |= session.is_capturing();
        let BlasHandle { handle, ref workspace } = lent.handle;
        session.touch(workspace)?;
        if lent.stream != stream {
            // SAFETY: the handle is ours alone while it is lent, the stream is alive, the memory is the handle's.
            let code = unsafe {
                match (any.cublasSetStream_v2)(handle, stream) {
                    0 => (any.cublasSetWorkspace_v2)(handle, workspace.address(), workspace.bytes()),
                    code => code,
                }
            };
            blas_check(op, code)?;
            lent.stream = stream;
        }
        Ok(Blas { any, typed, handle, lent: Some(lent) })
    }
}

impl BlasHandle {
    fn new(session: &Session, any: &Cublas, op: &'static str) -> Result<BlasHandle> {
        let mut handle = 0;
        // SAFETY: writes one handle.
        let code = with_memory(session, 3, || unsafe { (any.cublasCreate_v2)(&raw mut handle) });
        blas_check(op, code)?;
        // SAFETY: the handle is new.
        blas_check(op, unsafe { (any.cublasSetMathMode)(handle, FULL_PRECISION_SUMS) })?;
        let bytes = WORKSPACE_BYTES[usize::from(session.gpu().capability.0 < 9)];
        let pool = Pool::new(session.gpu(), false);
        let workspace = pool.allocate(bytes).or_else(|_| {
            session.device().pool().free_all();
            pool.allocate(bytes)
        })?;
        Ok(BlasHandle { handle, workspace })
    }
}

struct SolverHandle {
    handle: usize,
    parameters: usize,
    jacobi_eigen: usize,
    jacobi_singular: usize,
}

/// cuSOLVER for one call.
pub(crate) struct Solver {
    pub(crate) tables: &'static CusolverTables,
    pub(crate) handle: usize,
    /// `cusolverDnParams_t`.
    pub(crate) parameters: usize,
    /// `syevjInfo_t`.
    pub(crate) jacobi_eigen: usize,
    /// `gesvdjInfo_t`.
    pub(crate) jacobi_singular: usize,
    lent: Option<Idle<SolverHandle>>,
}

impl Drop for Solver {
    fn drop(&mut self) {
        give(&SOLVER, self.lent.take());
    }
}

impl Solver {
    /// A handle bound to the session's stream.
    pub(crate) fn lend(session: &Session, op: &'static str) -> Result<Solver> {
        let tables = cusolver().map_err(|message| Error::device(format!("{op}: {message}")))?;
        queue::stay_direct();
        cuda()?;
        let (ordinal, stream) = (session.gpu().ordinal, session.stream());
        let mut lent = match take(&SOLVER, ordinal, stream) {
            Some(lent) => lent,
            None => Idle {
                ordinal,
                stream: NO_STREAM,
                recorded: false,
                handle: SolverHandle::new(session, tables, op)?,
            },
        };
        lent.recorded |= session.is_capturing();
        let SolverHandle { handle, parameters, jacobi_eigen, jacobi_singular } = lent.handle;
        if lent.stream != stream {
            // SAFETY: the handle is ours alone while it is lent, the stream is alive.
            solver_check(op, unsafe { (tables.any.cusolverDnSetStream)(handle, stream) })?;
            lent.stream = stream;
        }
        Ok(Solver { tables, handle, parameters, jacobi_eigen, jacobi_singular, lent: Some(lent) })
    }
}

impl SolverHandle {
    fn new(session: &Session, tables: &CusolverTables, op: &'static str) -> Result<SolverHandle> {
        let [mut handle, mut parameters, mut jacobi_eigen, mut jacobi_singular] = [0; 4];
        let any = &tables.any;
        // SAFETY: writes one handle.
        let code = with_memory(session, 2, || unsafe { (any.cusolverDnCreate)(&raw mut handle) });
        solver_check(op, code)?;
        // SAFETY: each writes one handle.
        unsafe {
            solver_check(op, (any.cusolverDnCreateParams)(&mut parameters))?;
            solver_check(op, (any.cusolverDnCreateSyevjInfo)(&mut jacobi_eigen))?;
            solver_check(op, (any.cusolverDnCreateGesvdjInfo)(&mut jacobi_singular))?;
        }
        Ok(SolverHandle { handle, parameters, jacobi_eigen, jacobi_singular })
    }
}

/// An error unless cuBLAS's code is success.
#[inline]
pub(crate) fn blas_check(op: &'static str, code: i32) -> Result<()> {
    let name = match code {
        0 => return Ok(()),
        1 => "NOT_INITIALIZED",
        3 => "ALLOC_FAILED",
        7 => "INVALID_VALUE",
        8 => "ARCH_MISMATCH",
        11 => "MAPPING_ERROR",
        13 => "EXECUTION_FAILED",
        14 => "INTERNAL_ERROR",
        15 => "NOT_SUPPORTED",
        16 => "LICENSE_ERROR",
        _ => "an unknown code",
    };
    Err(Error::device(format!("{op}: cuBLAS returned {code} ({name})")))
}

/// An error unless cuSOLVER's code is success.
#[inline]
pub(crate) fn solver_check(op: &'static str, code: i32) -> Result<()> {
    let name = match code {
        0 => return Ok(()),
        1 => "NOT_INITIALIZED",
        2 => "ALLOC_FAILED",
        3 => "INVALID_VALUE",
        4 => "ARCH_MISMATCH",
        5 => "MAPPING_ERROR",
        6 => "EXECUTION_FAILED",
        7 => "INTERNAL_ERROR",
        8 => "MATRIX_TYPE_NOT_SUPPORTED",
        9 => "NOT_SUPPORTED",
        31 => "INVALID_WORKSPACE",
        _ => "an unknown code",
    };
    Err(Error::device(format!("{op}: cuSOLVER returned {code} ({name})")))
}
