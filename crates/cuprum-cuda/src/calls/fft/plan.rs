//! A cache of cuFFT's plans, one for each geometry; the least recently used ones are dropped.

use std::sync::{Arc, Mutex, MutexGuard};

use cuprum_core::{DType, Error, Result};

use crate::capture::keep_for_graph;
use crate::check::cuda;
use crate::context::{Gpu, MAX_GPUS, gpu};
use crate::handles::{data_type, with_memory};
use crate::session::Session;
use crate::sys::{Cufft, cufft};

const OP: &str = "fft";
/// The default limit of plans for each GPU.
const DEFAULT_MAX_PLANS: usize = 64;
/// `CUFFT_ALLOC_FAILED`.
const ALLOC_FAILED: i32 = 2;

/// The most axes of one plan.
pub(super) const MAX_AXES: usize = 3;

/// The layout of a batch of transforms, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// The lengths of the enclosing array, of which only those after the first count.
    pub(super) embed: [i64; MAX_AXES],
    /// The step from one element to the next along the last axis.
    pub(super) step: i64,
    /// The step from one transform to the next.
    pub(super) apart: i64,
}

/// The key of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CufftGeometry {
    pub(super) ordinal: usize,
    pub(super) rank: usize,
    pub(super) lengths: [i64; MAX_AXES],
    pub(super) input: Placement,
    pub(super) output: Placement,
    pub(super) from: DType,
    pub(super) to: DType,
    pub(super) batch: i64,
}

struct CufftPlan {
    geometry: CufftGeometry,
    cufft: &'static Cufft,
    handle: i32,
    /// Bytes of working memory.
    work: usize,
}

/// The plans of one GPU.
struct CufftPlanCache {
    /// The most recently used plan is the last.
    plans: Vec<Arc<CufftPlan>>,
    limits: PlanLimits,
    hits: u64,
    misses: u64,
}

/// The limits of a GPU's cache of plans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanLimits {
    /// The number of plans.
    pub plans: usize,
    /// Bytes of working memory that all plans together may ask for; `None` for no limit.
    pub bytes: Option<usize>,
}

/// The state of a GPU's cache of plans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanFacts {
    /// The limits.
    pub limits: PlanLimits,
    /// Each plan's geometry as text, and its working memory in bytes; the most recently used plan is the last.
    pub plans: Vec<(String, usize)>,
    /// Cache hits.
    pub hits: u64,
    /// Cache misses.
    pub misses: u64,
}

impl CufftPlanCache {
    const fn new() -> CufftPlanCache {
        let limits = PlanLimits { plans: DEFAULT_MAX_PLANS, bytes: None };
        CufftPlanCache { plans: Vec::new(), limits, hits: 0, misses: 0 }
    }

    /// The plan of a geometry, made where there is none.
    fn plan(
        &mut self,
        session: &Session,
        cufft: &'static Cufft,
        geometry: &CufftGeometry,
    ) -> Result<Arc<CufftPlan>> {
        if let Some(at) = self.plans.iter().position(|plan| plan.geometry == *geometry) {
            self.hits += 1;
            let plan = self.plans.remove(at);
            self.plans.push(plan.clone());
            return Ok(plan);
        }
        self.misses += 1;
        let plan = Arc::new(CufftPlan::new(session, cufft, geometry)?);
        self.plans.push(plan.clone());
        self.shrink();
        Ok(plan)
    }

    /// Drops the least recently used plans until the limits are met.
    fn shrink(&mut self) {
        let bytes = self.limits.bytes.unwrap_or(usize::MAX);
        while self.plans.len() > self.limits.plans
            || self.plans.iter().map(|plan| plan.work).sum::<usize>() > bytes
        {
            self.plans.remove(0);
        }
    }
}

/// The plans of each GPU.
static CACHES: [Mutex<CufftPlanCache>; MAX_GPUS] = [const { Mutex::new(CufftPlanCache::new()) }; MAX_GPUS];

fn cache(ordinal: usize) -> MutexGuard<'static, CufftPlanCache> {
    CACHES[ordinal].lock().unwrap_or_else(|e| e.into_inner())
}

/// The state of a GPU's cache of plans.
///
/// ```
/// let facts = cuprum_cuda::fft_plans(0);
/// assert!(facts.plans.len() <= facts.limits.plans);
/// ```
pub fn fft_plans(ordinal: usize) -> PlanFacts {
    let cache = cache(ordinal);
    let plans = cache.plans.iter().map(|plan| (plan.geometry.text(), plan.work)).collect();
    PlanFacts { limits: cache.limits, plans, hits: cache.hits, misses: cache.misses }
}

/// Sets the limits of a GPU's cache of plans; plans beyond them are dropped.
pub fn limit_fft_plans(ordinal: usize, limits: PlanLimits) {
    let mut cache = cache(ordinal);
    cache.limits = limits;
    cache.shrink();
}

/// Drops all plans of a GPU, and resets its hits and misses.
pub fn clear_fft_plans(ordinal: usize) {
    let mut cache = cache(ordinal);
    cache.plans.clear();
    (cache.hits, cache.misses) = (0, 0);
}

/// Runs a plan from one address to another.
///
/// # Safety
/// At both addresses are the elements of the geometry, on the session's GPU.
pub(super) unsafe fn execute(
    session: &Session,
    geometry: &CufftGeometry,
    input: usize,
    output: usize,
    inverse: bool,
) -> Result<()> {
    let cufft = cufft().map_err(|message| Error::device(format!("{OP}: {message}")))?;
    // A plan's stream and working memory are set for each use, so no other thread may have it meanwhile.
    let mut cache = cache(geometry.ordinal);
    let plan = cache.plan(session, cufft, geometry)?;
    // A plan has tables on the GPU that its transforms read.
    // SAFETY: the session's stream is alive.
    unsafe { keep_for_graph(session.stream(), plan.clone()) };
    let work = session.scratch(plan.work)?;
    let direction = if inverse { 1 } else { -1 };
    // Queued launches are submitted before the library's own.
    cuda()?;
    // SAFETY: the plan is ours alone under the lock; input and output have the elements of its geometry; the working
    // memory is of the size it asked for, and free for others in this stream once the work is launched.
    unsafe {
        check((cufft.cufftSetStream)(plan.handle, session.stream()))?;
        check((cufft.cufftSetWorkArea)(plan.handle, work.address()))?;
        check((cufft.cufftXtExec)(plan.handle, input, output, direction))
    }
}

impl CufftPlan {
    fn new(session: &Session, cufft: &'static Cufft, geometry: &CufftGeometry) -> Result<CufftPlan> {
        let mut handle = 0;
        // SAFETY: writes one handle.
        check(unsafe { (cufft.cufftCreate)(&mut handle) })?;
        let mut plan = CufftPlan { geometry: geometry.clone(), cufft, handle, work: 0 };
        let made = check(with_memory(session, ALLOC_FAILED, || plan.make(cufft)));
        match made {
            Ok(()) => Ok(plan),
            // Plans of some lengths compute their tables on the GPU and wait for them.
            Err(error) if session.is_capturing() => Err(Error::device(format!(
                "{OP}: a plan for {} cannot be made while a graph is captured; transform once before the capture begins ({error})",
                geometry.text()
            ))),
            Err(error) => Err(error),
        }
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
}

impl Drop for CufftPlan {
    fn drop(&mut self) {
        if gpu(self.geometry.ordinal).and_then(Gpu::enter).is_ok() {
            // SAFETY: the handle is alive, and nobody has it any more. A code here has nobody to tell.
            unsafe { (self.cufft.cufftDestroy)(self.handle) };
        }
    }
}

impl CufftGeometry {
    /// Lengths, dtypes and batch, to be shown.
    fn text(&self) -> String {
        let lengths: Vec<String> = self.lengths[..self.rank].iter().map(i64::to_string).collect();
        let (from, to) = (self.from.name(), self.to.name());
        format!("{} {from} to {to}, batch {}", lengths.join(" x "), self.batch)
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
