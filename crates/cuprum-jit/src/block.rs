//! A block's memory: shared variables, slots, and what its threads keep while they wait.

use std::alloc::{Layout, alloc_zeroed, dealloc};

use cuprum_threads::interrupt::Watch;

use crate::codegen::FUEL;
use crate::compiled_module::Ready;
use crate::context::{Context, EXCHANGES, Exchange, WARP};
use crate::fault::{Fault, FaultKind};
use crate::launch::Launch;
use crate::run::Run;
use crate::stack;

/// Bytes for the slots of called functions: as much as CUDA gives a thread by default, many times.
const STACK: usize = 1 << 20;
const ALIGN: usize = 256;
/// The most memory that a thread keeps between launches.
const MAX_KEPT_BYTES: usize = 32 << 20;
/// What the checking mode fills shared and local memory with.
const POISON: u8 = 0xCB;

/// Where a block's memory parts are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    shared: usize,
    slots: usize,
    frames: usize,
    threads: usize,
    stack: usize,
}

impl Needs {
    pub(crate) fn of(ready: &Ready, launch: &Launch<'_>, threads: u32) -> Needs {
        let waits = ready.cut.waits();
        let copies = if waits { threads as usize } else { 1 };
        let tiles = threads.div_ceil(WARP) * WARP;
        Needs {
            shared: ready.layout.shared_bytes as usize + launch.dynamic_shared,
            slots: ready.layout.slot_bytes as usize * copies,
            frames: ready.cut.frame as usize * tiles as usize,
            threads: if waits { tiles as usize } else { 0 },
            stack: if ready.calls { STACK } else { 0 },
        }
    }

    /// Bytes of what warps exchange.
    fn exchange(&self) -> usize {
        self.threads / WARP as usize * size_of::<Exchange>()
    }

    /// Bytes of all parts, each with its alignment.
    pub(crate) fn bytes(&self) -> usize {
        let parts = [
            self.shared,
            self.slots,
            self.frames,
            self.threads * size_of::<u32>(),
            self.exchange(),
            self.stack,
        ];
        parts.iter().map(|part| part.next_multiple_of(ALIGN)).sum::<usize>() + ALIGN
    }
}

/// Memory that grows and is used again.
pub(crate) struct Arena {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: the memory belongs to whoever holds the arena.
unsafe impl Send for Arena {}

impl Arena {
    pub(crate) const fn new() -> Arena {
        Arena { start: std::ptr::null_mut(), bytes: 0 }
    }

    /// Gives memory back where it is more than a thread should keep between launches.
    pub(crate) fn trim(&mut self) {
        if self.bytes > MAX_KEPT_BYTES {
            *self = Arena::new();
        }
    }

    /// Memory of a size; none where it cannot be had.
    fn at_least(&mut self, bytes: usize) -> Option<*mut u8> {
        if self.bytes < bytes {
            *self = Arena::new();
            let layout = Arena::layout(bytes);
            // SAFETY: the size is not zero: every block needs its alignment at least.
            let start = unsafe { alloc_zeroed(layout) };
            if start.is_null() {
                return None;
            }
            *self = Arena { start, bytes };
        }
        Some(self.start)
    }

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, ALIGN).unwrap_or(Layout::new::<u64>())
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if self.bytes > 0 {
            // SAFETY: it was allocated with this layout.
            unsafe { dealloc(self.start, Arena::layout(self.bytes)) }
        }
    }
}

/// The shared memory of all blocks of a cluster, which each of them reaches: kept until the last of them has ended.
pub(crate) struct ClusterMemory {
    arena: Arena,
    /// Bytes of one block.
    step: usize,
    bytes: usize,
}

// SAFETY: the blocks of a cluster share the memory as they share all memory of the launch; the pointer itself does not
// change.
unsafe impl Sync for ClusterMemory {}

impl ClusterMemory {
    /// Memory for `blocks` blocks; none where it cannot be had.
    pub(crate) fn new(run: &Run<'_>, blocks: usize) -> Option<ClusterMemory> {
        let step = run.needs.shared.max(1).next_multiple_of(ALIGN);
        let mut arena = Arena::new();
        arena.at_least(step * blocks)?;
        Some(ClusterMemory { arena, step, bytes: step * blocks })
    }

    fn start(&self) -> *mut u8 {
        self.arena.start
    }

    fn of_block(&self, rank: usize) -> *mut u8 {
        let offset = rank * self.step;
        assert!(offset < self.bytes, "a block of the cluster");
        self.start().wrapping_add(offset)
    }
}

/// A block that runs, or waits.
pub(crate) struct Block<'a> {
    pub context: Context<'a>,
    needs: Needs,
    pub threads: u32,
    /// For each thread, whether it can run; used where threads are at different points.
    pub states: Vec<State>,
    /// The point where all threads are, while they are all at one.
    pub together: Option<u32>,
    /// Whether what they wait for there is left to the region's code.
    pub exchanges: bool,
}

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Ready,
    Waits,
    Done,
}

impl<'a> Block<'a> {
    /// A block in an arena's memory, which must not be used otherwise as long as the block lives.
    pub(crate) fn new(
        run: &'a Run<'a>,
        watch: Option<&'a Watch>,
        arena: &mut Arena,
        cluster: Option<(&ClusterMemory, usize)>,
    ) -> Result<Block<'a>, Fault> {
        let needs = run.needs;
        let no_memory = || {
            let fault = Fault::new(FaultKind::Memory, run.kernel.name(), "out of memory");
            fault.explained(format!("a block of {} threads needs {} bytes", run.threads, needs.bytes()))
        };
        let mut at = arena.at_least(needs.bytes()).ok_or_else(no_memory)?;
        let mut take = |bytes: usize| {
            let part = at;
            // SAFETY: the parts together are what the arena was asked for.
            at = unsafe { at.add(bytes.next_multiple_of(ALIGN)) };
            part
        };
        let own_shared = take(needs.shared);
        let (shared, cluster_shared, cluster_step, cluster_bytes) = match cluster {
            Some((memory, rank)) => (memory.of_block(rank), memory.start(), memory.step, memory.bytes),
            None => (own_shared, own_shared, 0, 0),
        };
        let slots = take(needs.slots);
        let frames = take(needs.frames);
        let next = take(needs.threads * size_of::<u32>()).cast::<u32>();
        let exchange = take(needs.exchange()).cast::<Exchange>();
        let stack = take(needs.stack);
        let context = Context {
            params: run.launch.params.as_ptr(),
            bounds: run.bounds.as_ptr(),
            functions: run.code.functions.as_ptr(),
            shared,
            frames,
            slots,
            next,
            exchange,
            stack,
            stack_end: stack.wrapping_add(needs.stack),
            native_limit: 0,
            found_read: [0; 2],
            found_write: [0; 2],
            block_index: [0; 3],
            grid: run.launch.grid,
            block: run.launch.block,
            dynamic_shared: run.launch.dynamic_shared as u32,
            cluster: run.cluster,
            cluster_shared,
            cluster_step: cluster_step as u32,
            status: 0,
            fuel: FUEL,
            shared_bytes: needs.shared,
            cluster_bytes,
            slots_bytes: needs.slots,
            stack_start: stack,
            launch: run.launch,
            control: run.control,
            watch,
            printer: run.printer,
            checker: run.checker.as_ref(),
            globals: &run.kernel.program().globals,
            strings: &run.kernel.program().strings,
            all_bounds: run.bounds,
            reached: Vec::new(),
            fault: None,
        };
        let (states, together, exchanges) = (Vec::new(), Some(0), false);
        Ok(Block { context, needs, threads: run.threads, states, together, exchanges })
    }

    /// Makes it the block of this index, before its first instruction.
    pub(crate) fn begin(&mut self, index: [u32; 3]) {
        self.context.block_index = index;
        self.together = Some(0);
        if self.context.launch.check.is_some() {
            // Memory that an earlier block has written must not count as written by this one.
            let parts = [
                (self.context.shared, self.context.shared_bytes),
                (self.context.slots, self.context.slots_bytes),
            ];
            for (start, bytes) in parts {
                // SAFETY: the block's own parts of its arena.
                unsafe { start.write_bytes(POISON, bytes) };
            }
        }
    }

    /// Tells the checking mode that what follows is of this block.
    pub(crate) fn enter(&self, number: u64) {
        let Some(checker) = self.context.checker else { return };
        let range = |start: *mut u8, bytes: usize| start as u64..start as u64 + bytes as u64;
        let shared = range(self.context.shared, self.context.shared_bytes);
        let slots = range(self.context.slots, self.context.slots_bytes);
        let stack = range(
            self.context.stack_start,
            self.context.stack_end as usize - self.context.stack_start as usize,
        );
        checker.lock().unwrap_or_else(|e| e.into_inner()).enter_block(number as u32, shared, [slots, stack]);
    }

    /// The memory that holds what its threads know and keep, from one wait to the next.
    pub(crate) fn parts(&self) -> [(usize, usize); 5] {
        let (needs, context) = (self.needs, &self.context);
        [
            (context.shared as usize, needs.shared),
            (context.slots as usize, needs.slots),
            (context.frames as usize, needs.frames),
            (context.next as usize, needs.threads * size_of::<u32>()),
            (context.exchange as usize, needs.exchange()),
        ]
    }

    /// The regions that the threads go on with.
    pub(crate) fn next(&mut self) -> &mut [u32] {
        // SAFETY: the arena holds one for each thread of a kernel that waits, and only those have them asked.
        unsafe { std::slice::from_raw_parts_mut(self.context.next, self.threads as usize) }
    }

    /// What the threads of each warp bring to what they wait for.
    pub(crate) fn exchange(&mut self) -> &mut [Exchange] {
        // SAFETY: as above, for each warp.
        unsafe { std::slice::from_raw_parts_mut(self.context.exchange, self.threads.div_ceil(WARP) as usize) }
    }

    /// Runs some threads through a region, by its number, perhaps with [`EXCHANGES`]; its status.
    pub(crate) fn call(&mut self, run: &Run<'_>, region: u32, begin: u32, end: u32) -> u32 {
        let function = run.code.regions[(region & !EXCHANGES) as usize];
        self.context.stack = self.context.stack_start;
        if run.ready.calls {
            self.context.native_limit = stack::limit();
        }
        let context = std::ptr::from_mut(&mut self.context).cast();
        // SAFETY: the function was compiled for this kernel, and the context holds all that its code reads; every
        // access of the kernel is checked against ranges that the launch may use.
        unsafe { function(context, region, begin, end) }
    }
}
