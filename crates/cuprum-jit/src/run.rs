//! One launch: what it may be, the blocks on worker threads, and how it ends.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use cuprum_kernel::ir::ParameterKind;
use cuprum_threads::interrupt::Watch;

use crate::block::{Arena, Block, Needs};
use crate::codegen::Code;
use crate::compiled_module::{Kernel, Ready};
use crate::context::{Bounds, Control};
use crate::fault::{Fault, FaultKind};
use crate::launch::Launch;
use crate::report::{self, Launched};
use crate::runtime::check::Checker;
use crate::runtime::print::Printer;
use crate::{children, grid, schedule};

/// The most shared memory of a block, as on current GPUs.
pub(crate) const MAX_SHARED: u64 = 227 << 10;
/// The most threads of a block.
const MAX_THREADS: u64 = 1024;
/// Threads below which a kernel without loops is not worth a second worker.
const ONE_WORKER_MAX_THREADS: u64 = 4096;
/// Threads that a task runs at least.
const TASK_THREADS: u64 = 4096;

/// What all workers of one launch share.
pub(crate) struct Run<'a> {
    pub kernel: &'a Kernel,
    pub ready: &'a Ready,
    pub code: &'a Code,
    pub launch: &'a Launch<'a>,
    pub bounds: &'a [Bounds],
    pub control: &'a Control,
    pub printer: &'a Printer<'a>,
    pub needs: Needs,
    /// Threads of a block.
    pub threads: u32,
    /// Blocks of a cluster along x, y, z.
    pub cluster: [u32; 3],
    /// The checking mode's shadow memory.
    pub checker: Option<Mutex<Checker>>,
    /// The fault of the first block that had one.
    fault: Mutex<Option<(u64, Fault)>>,
}

impl<'a> Run<'a> {
    /// Keeps a fault, unless an earlier block had one; the launch stops.
    pub(crate) fn fail(&self, block: u64, fault: Fault) {
        let mut kept = self.fault.lock().unwrap_or_else(|e| e.into_inner());
        if kept.as_ref().is_none_or(|(first, _)| block < *first) {
            *kept = Some((block, fault));
        }
        self.control.stop();
    }

    /// Tells the checking mode.
    pub(crate) fn watched(&self, tell: impl FnOnce(&mut Checker)) {
        if let Some(checker) = &self.checker {
            tell(&mut checker.lock().unwrap_or_else(|e| e.into_inner()));
        }
    }

    pub(crate) fn launched(&self) -> Launched<'a> {
        Launched {
            kernel: self.kernel,
            code: self.code,
            bounds: self.bounds,
            grid: self.launch.grid,
            block: self.launch.block,
            dynamic_shared: self.launch.dynamic_shared,
            shared: &self.ready.layout.shared,
        }
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        self.launch.grid.iter().map(|extent| u64::from(*extent)).product()
    }

    /// The number of the block at an index.
    pub(crate) fn block_number(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = self.launch.grid.map(u64::from);
        (u64::from(z) * height + u64::from(y)) * width + u64::from(x)
    }

    /// `blockIdx` of a block's number.
    pub(crate) fn block_index(&self, number: u64) -> [u32; 3] {
        let [width, height, _] = self.launch.grid.map(u64::from);
        [(number % width) as u32, (number / width % height) as u32, (number / width / height) as u32]
    }
}

impl Run<'_> {
    /// The index of the block after this one.
    fn block_after(&self, [x, y, z]: [u32; 3]) -> [u32; 3] {
        let [width, height, _] = self.launch.grid;
        if x + 1 < width {
            [x + 1, y, z]
        } else if y + 1 < height {
            [0, y + 1, z]
        } else {
            [0, 0, z + 1]
        }
    }
}

thread_local! {
    /// Memory that a thread's blocks use one after another, kept between launches.
    static ARENA: RefCell<Arena> = const { RefCell::new(Arena::new()) };
}

/// Has worker threads touch the memory that they keep for blocks when they begin, rather than in a kernel.
///
/// ```
/// cuprum_jit::prepare_workers();
/// ```
pub fn prepare_workers() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| cuprum_threads::at_worker_start(|| ARENA.with(|_| {})));
}

/// Runs a launch and what it launches. `asked` is set where the user wants to stop and the calling thread is not the one
/// that is asked; `depth` is how many kernels have launched one another up to here.
///
/// # Safety
/// As for [`Kernel::launch`].
pub(crate) unsafe fn run(
    kernel: &Kernel,
    ready: &Ready,
    code: &Code,
    launch: &Launch<'_>,
    asked: Option<Arc<AtomicBool>>,
    depth: u32,
) -> Result<(), Fault> {
    let threads = check(kernel, ready, launch)?;
    let bounds = bounds(kernel, launch);
    let control = Control::new(launch, asked.clone());
    let printer = Printer::new(launch.print);
    let needs = Needs::of(ready, launch, threads);
    let run = Run {
        kernel,
        ready,
        code,
        launch,
        bounds: &bounds,
        control: &control,
        printer: &printer,
        needs,
        threads,
        cluster: kernel.function().kernel.as_ref().map_or([1; 3], |kernel| kernel.cluster),
        checker: checker(ready, launch, threads),
        fault: Mutex::new(None),
    };
    let watch = Watch::start();
    if ready.resident {
        grid::run(&run, &watch)?;
    } else {
        share_blocks(&run, &watch);
    }
    if let Some((_, fault)) = run.fault.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(fault);
    }
    if control.timed_out() {
        let seconds = launch.timeout.unwrap_or_default().as_secs_f64();
        let fault = Fault::new(FaultKind::Timeout, kernel.name(), "timeout");
        return Err(fault.explained(format!("it ran for more than {seconds} s")));
    }
    if control.interrupted() {
        return Err(Fault::new(FaultKind::Interrupted, kernel.name(), "interrupted"));
    }
    // SAFETY: the caller's promise.
    unsafe { children::run(kernel, launch, &bounds, &control, asked.as_ref(), depth) }
}

fn checker(ready: &Ready, launch: &Launch<'_>, threads: u32) -> Option<Mutex<Checker>> {
    let check = launch.check.as_ref().filter(|check| check.races || check.uninitialised)?;
    Some(Mutex::new(Checker::new(check.races, check.uninitialised, threads, ready.resident)))
}

/// Blocks that do not wait for one another: in ascending order, on one or all threads.
fn share_blocks(run: &Run<'_>, watch: &Watch) {
    let blocks = run.blocks();
    let all_threads = blocks.saturating_mul(u64::from(run.threads));
    let small = all_threads <= ONE_WORKER_MAX_THREADS && !run.ready.loops;
    let workers = if blocks < 2 || small || in_order(run) { 1 } else { cuprum_threads::thread_count() };
    let chunk = if workers == 1 {
        blocks
    } else {
        let least = TASK_THREADS.div_ceil(u64::from(run.threads));
        least.min(blocks.div_ceil(workers as u64)).max(blocks.div_ceil(1 << 20)).max(1)
    };
    let caller = std::thread::current().id();
    // The watch asks on the calling thread alone.
    let watch = OnCaller(watch);
    let body = |task: usize| {
        let watch = (std::thread::current().id() == caller).then(|| watch.get());
        let first = task as u64 * chunk;
        run_blocks(run, watch, first, (first + chunk).min(blocks));
    };
    cuprum_threads::share(workers, blocks.div_ceil(chunk) as usize, &body, || {
        run.control.poll(Some(watch.get()))
    });
}

/// A reference to what only the calling thread uses.
#[derive(Clone, Copy)]
pub(crate) struct OnCaller<'a>(pub &'a Watch);

// SAFETY: whoever holds it asks for it on the thread that made it alone.
unsafe impl Send for OnCaller<'_> {}
// SAFETY: as above.
unsafe impl Sync for OnCaller<'_> {}

impl<'a> OnCaller<'a> {
    pub(crate) fn get(self) -> &'a Watch {
        self.0
    }
}

/// Whether the blocks run one after another.
pub(crate) fn in_order(run: &Run<'_>) -> bool {
    run.launch.deterministic.unwrap_or(run.ready.order_matters) || run.launch.check.is_some()
}

fn run_blocks(run: &Run<'_>, watch: Option<&Watch>, first: u64, end: u64) {
    ARENA.with(|arena| match arena.try_borrow_mut() {
        Ok(mut arena) => {
            run_in(run, watch, first, end, &mut arena);
            arena.trim();
        }
        // A launch within a launch on this thread.
        Err(_) => run_in(run, watch, first, end, &mut Arena::new()),
    });
}

fn run_in(run: &Run<'_>, watch: Option<&Watch>, first: u64, end: u64, arena: &mut Arena) {
    let mut block = match Block::new(run, watch, arena, None) {
        Ok(block) => block,
        Err(fault) => return run.fail(first, fault),
    };
    let mut index = run.block_index(first);
    for number in first..end {
        if number > first && run.control.stopped() {
            return;
        }
        block.begin(index);
        block.enter(number);
        if let Err(fault) = schedule::run_block(run, &mut block) {
            if let Some(fault) = fault {
                run.fail(number, fault);
            }
            return;
        }
        if (number - first) % 64 == 63 && run.control.poll(watch) {
            return;
        }
        index = run.block_after(index);
    }
}

/// The ranges that the parameters may reach.
fn bounds(kernel: &Kernel, launch: &Launch<'_>) -> Vec<Bounds> {
    let params = kernel.function().kernel.as_ref().map_or(&[][..], |kernel| &kernel.params);
    let of = |(i, param): (usize, &cuprum_kernel::ir::Parameter)| {
        if !matches!(param.kind, ParameterKind::Pointer { .. }) {
            return Bounds::default();
        }
        if let Some(Some(extent)) = launch.extents.get(i) {
            return Bounds::of(extent);
        }
        let at = param.offset as usize;
        let value = launch.params.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        match value.map(usize::from_ne_bytes) {
            Some(address) if address != 0 => {
                launch.memory.find(address).map_or_else(Bounds::default, |found| Bounds::of(&found))
            }
            _ => Bounds::default(),
        }
    };
    params.iter().enumerate().map(of).collect()
}

/// Refuses launches that cannot be; the threads of a block.
fn check(kernel: &Kernel, ready: &Ready, launch: &Launch<'_>) -> Result<u32, Fault> {
    let refuse = |detail: String| {
        Err(Fault::new(FaultKind::Launch, kernel.name(), "it cannot be launched").explained(detail))
    };
    let show = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let (grid, block) = (launch.grid, launch.block);
    if grid.contains(&0) || block.contains(&0) {
        return refuse(format!(
            "grid {} and block {} must be at least 1 along each axis",
            show(grid),
            show(block)
        ));
    }
    let threads: u64 = block.iter().map(|extent| u64::from(*extent)).product();
    if threads > MAX_THREADS || block[2] > 64 {
        return refuse(format!(
            "block {} has {threads} threads; a block has at most {MAX_THREADS} threads, and 64 along z",
            show(block)
        ));
    }
    let bound = kernel.function().kernel.as_ref().and_then(|kernel| kernel.max_threads);
    if let Some(bound) = bound
        && threads > u64::from(bound)
    {
        return refuse(format!(
            "block {} has {threads} threads; __launch_bounds__ allows {bound}",
            show(block)
        ));
    }
    if grid[0] > i32::MAX as u32 || grid[1] > 65535 || grid[2] > 65535 {
        return refuse(format!(
            "grid {} is too large; it has at most (2147483647, 65535, 65535) blocks",
            show(grid)
        ));
    }
    let cluster = kernel.function().kernel.as_ref().map_or([1; 3], |kernel| kernel.cluster);
    if (0..3).any(|axis| !grid[axis].is_multiple_of(cluster[axis])) {
        return refuse(format!(
            "grid {} is no multiple of its clusters {} (__cluster_dims__)",
            show(grid),
            show(cluster)
        ));
    }
    let shared = ready.layout.static_bytes.saturating_add(launch.dynamic_shared as u64);
    if shared > MAX_SHARED {
        return refuse(format!(
            "it needs {shared} bytes of shared memory ({} static, {} dynamic); a block has {MAX_SHARED}",
            ready.layout.static_bytes, launch.dynamic_shared
        ));
    }
    let wanted = kernel.function().kernel.as_ref().map_or(0, |kernel| kernel.param_bytes as usize);
    if launch.params.len() < wanted {
        let given = launch.params.len();
        return refuse(format!("its parameters have {wanted} bytes, {given} were given"));
    }
    Ok(threads as u32)
}

/// The fault that a block's context noted, if it was its own.
pub(crate) fn noted(run: &Run<'_>, block: &Block<'_>) -> Option<Fault> {
    block.context.fault.map(|raw| report::fault(&run.launched(), raw))
}
