//! Plans of cuFFT: made once for each geometry, the least recently used one let go of where there are many.

use std::sync::Mutex;

use cuprum_core::{DType, Error, Result};

use crate::handles::{data_type, with_memory};
use crate::session::Session;
use crate::sys::{Cufft, cufft};

const OP: &str = "fft";
/// How many plans are kept.
const KEPT: usize = 64;
/// `CUFFT_ALLOC_FAILED`.
const NO_MEMORY: i32 = 2;

/// The most axes of one plan.
pub(super) const MOST_AXES: usize = 3;

/// How the elements of a batch of transforms lie, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// The lengths of the enclosing array, of which only those after the first count.
    pub(super) embed: [i64; MOST_AXES],
    /// From one element to the next along the last axis.
    pub(super) step: i64,
    /// From one transform to the next.
    pub(super) apart: i64,
}

/// What tells one plan from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Geometry {
    pub(super) ordinal: usize,
    pub(super) rank: usize,
    pub(super) lengths: [i64; MOST_AXES],
    pub(super) input: Placement,
    pub(super) output: Placement,
    pub(super) from: DType,
    pub(super) to: DType,
    pub(super) batch: i64,
}

struct Plan {
    geometry: Geometry,
    handle: i32,
    /// Bytes of working memory.
    work: usize,
}

/// Plans, the one used last at the end.
static PLANS: Mutex<Vec<Plan>> = Mutex::new(Vec::new());

/// Transforms from one address to another.
pub(super) fn execute(
    session: &Session,
    geometry: &Geometry,
    input: usize,
    output: usize,
    inverse: bool,
) -> Result<()> {
    let cufft = cufft().map_err(|message| Error::device(format!("{OP}: {message}")))?;
    // A plan's stream and working memory are set for each use, so no other thread may have it meanwhile.
    let mut plans = PLANS.lock().unwrap_or_else(|e| e.into_inner());
    match plans.iter().position(|plan| plan.geometry == *geometry) {
        Some(at) => {
            let plan = plans.remove(at);
            plans.push(plan);
        }
        None => {
            let plan = Plan::new(session, cufft, geometry)?;
            if plans.len() == KEPT {
                plans.remove(0).destroy(cufft);
            }
            plans.push(plan);
        }
    }
    let plan = plans.last().expect("one was put there");
    let work = session.scratch(plan.work)?;
    let direction = if inverse { 1 } else { -1 };
    // SAFETY: the plan is ours alone under the lock; input and output have the elements of its geometry; the working
    // memory is of the size it asked for, and free for others in this stream once the work is launched.
    unsafe {
        check((cufft.cufftSetStream)(plan.handle, session.stream()))?;
        check((cufft.cufftSetWorkArea)(plan.handle, work.address()))?;
        check((cufft.cufftXtExec)(plan.handle, input, output, direction))
    }
}

impl Plan {
    fn new(session: &Session, cufft: &Cufft, geometry: &Geometry) -> Result<Plan> {
        let mut handle = 0;
        // SAFETY: writes one handle.
        check(unsafe { (cufft.cufftCreate)(&mut handle) })?;
        let mut plan = Plan { geometry: geometry.clone(), handle, work: 0 };
        let code = with_memory(session, NO_MEMORY, || plan.make(cufft));
        if let Err(error) = check(code) {
            plan.destroy(cufft);
            return Err(error);
        }
        Ok(plan)
    }

    fn make(&mut self, cufft: &Cufft) -> i32 {
        let g = &mut self.geometry;
        let computed = match g.from {
            DType::F32 | DType::C64 => DType::C64,
            _ => DType::C128,
        };
        // SAFETY: the handle is new; the arrays have as many lengths as the rank says and are only read.
        unsafe {
            match (cufft.cufftSetAutoAllocation)(self.handle, 0) {
                0 => (cufft.cufftXtMakePlanMany)(
                    self.handle,
                    g.rank as i32,
                    g.lengths.as_mut_ptr(),
                    g.input.embed.as_mut_ptr(),
                    g.input.step,
                    g.input.apart,
                    data_type(g.from),
                    g.output.embed.as_mut_ptr(),
                    g.output.step,
                    g.output.apart,
                    data_type(g.to),
                    g.batch,
                    &mut self.work,
                    data_type(computed),
                ),
                code => code,
            }
        }
    }

    fn destroy(self, cufft: &Cufft) {
        // SAFETY: the handle is alive, and nobody has it any more. A code here has nobody to tell.
        unsafe { (cufft.cufftDestroy)(self.handle) };
    }
}

fn check(code: i32) -> Result<()> {
    let name = match code {
        0 => return Ok(()),
        1 => "INVALID_PLAN",
        2 => "ALLOC_FAILED",
        3 => "INVALID_TYPE",
        4 => "INVALID_VALUE",
        5 => "INTERNAL_ERROR",
        6 => "EXEC_FAILED",
        7 => "SETUP_FAILED",
        8 => "INVALID_SIZE",
        9 => "UNALIGNED_DATA",
        11 => "INVALID_DEVICE",
        13 => "NO_WORKSPACE",
        14 => "NOT_IMPLEMENTED",
        16 => "NOT_SUPPORTED",
        _ => "an unknown code",
    };
    Err(Error::device(format!("{OP}: cuFFT returned {code} ({name})")))
}
