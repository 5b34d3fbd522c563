//! Launches from kernels: what threads ask for while their grid runs, and the grids that run when it has ended.
//!
//! CUDA orders the kernels that the threads of one block launch and promises nothing more; a grid is over when those that
//! it launched are. Here they all begin behind the grid that launched them, block by block, in the order of the
//! launches: memory is what CUDA says it may be, and the same on every run.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use cuprum_kernel::ir::FunctionId;

use crate::compiled_module::Kernel;
use crate::context::{Bounds, Context, Control};
use crate::entry;
use crate::fault::{Fault, FaultKind};
use crate::heap;
use crate::launch::{Extent, Launch, Memory};

/// How deep kernels launch kernels, as on a GPU.
const MAX_DEPTH: u32 = 24;
/// How many launches one grid may ask for.
const MAX_CHILDREN: usize = 1 << 20;
/// `cudaStreamTailLaunch`: behind all that the other streams have.
const TAIL: u64 = 3;

/// A launch that a thread has asked for.
pub(crate) struct Child {
    /// The number of the block that asked.
    block: u64,
    is_tail: bool,
    function: FunctionId,
    grid: [u32; 3],
    threads: [u32; 3],
    shared: usize,
    params: Vec<u8>,
}

/// Notes a launch. `words` are the eight numbers of its configuration, `params` the bytes of its parameters.
pub(crate) unsafe extern "C" fn launch(
    ctx: *mut Context<'_>,
    thread: u32,
    site: u32,
    function: u32,
    words: *const u64,
    params: *const u8,
    bytes: u64,
) -> u32 {
    // SAFETY: generated code passes the context that it was given, eight words and as many bytes as it says.
    let (ctx, words, params) = unsafe {
        (&mut *ctx, std::slice::from_raw_parts(words, 8), std::slice::from_raw_parts(params, bytes as usize))
    };
    let [x, y, z] = ctx.block_index.map(u64::from);
    let [width, height, _] = ctx.grid.map(u64::from);
    let extents = |at: usize| [words[at] as u32, words[at + 1] as u32, words[at + 2] as u32];
    let child = Child {
        block: (z * height + y) * width + x,
        is_tail: words[7] == TAIL,
        function: FunctionId(function),
        grid: extents(0),
        threads: extents(3),
        shared: words[6] as usize,
        params: params.to_vec(),
    };
    let mut children = lock(&ctx.control.children);
    if children.len() < MAX_CHILDREN {
        children.push(child);
        return 0;
    }
    drop(children);
    entry::note(ctx, thread, site, MAX_CHILDREN as u64, 0);
    1
}

fn lock(children: &Mutex<Vec<Child>>) -> std::sync::MutexGuard<'_, Vec<Child>> {
    children.lock().unwrap_or_else(|e| e.into_inner())
}

/// The memory of a launch within another one: what the outer one was given, and what it finds.
struct Nested<'a> {
    bounds: &'a [Bounds],
    globals: &'a [Extent],
    outer: &'a dyn Memory,
}

impl Memory for Nested<'_> {
    fn find(&self, address: usize) -> Option<Extent> {
        let own =
            self.bounds.iter().find(|bounds| (address as u64).wrapping_sub(bounds.start) < bounds.bytes);
        if let Some(found) = own {
            let (start, bytes) = (found.start as usize, found.bytes as usize);
            return Some(Extent { start, bytes, writable: found.writable > 0 });
        }
        let global = self.globals.iter().find(|of| address.wrapping_sub(of.start) < of.bytes);
        global.cloned().or_else(|| heap::find(address)).or_else(|| self.outer.find(address))
    }

    fn unwritten(&self, address: usize, bytes: usize) -> Option<usize> {
        self.outer.unwritten(address, bytes)
    }

    fn written(&self, address: usize, bytes: usize) {
        self.outer.written(address, bytes);
    }
}

/// Runs what a grid's threads have launched, and what those launch; the grid has ended. `depth` is the grid's own.
///
/// # Safety
/// As for [`Kernel::launch`], of the grid's own launch.
pub(crate) unsafe fn run(
    kernel: &Kernel,
    launch: &Launch<'_>,
    bounds: &[Bounds],
    control: &Control,
    asked: Option<&Arc<AtomicBool>>,
    depth: u32,
) -> Result<(), Fault> {
    let mut children = std::mem::take(&mut *lock(&control.children));
    if children.is_empty() {
        return Ok(());
    }
    if depth == MAX_DEPTH {
        let fault = Fault::new(FaultKind::Launch, kernel.name(), "launches are nested too deep");
        return Err(
            fault.explained(format!("kernels launch kernels at most {MAX_DEPTH} deep; end the recursion"))
        );
    }
    // A stable order: the launches of one block stay as they were made.
    children.sort_by_key(|child| (child.is_tail, child.block));
    let memory = Nested { bounds, globals: &kernel.program().globals, outer: launch.memory };
    for child in &children {
        let Some(launched) = kernel.sibling(child.function) else { continue };
        let inner = Launch {
            grid: child.grid,
            block: child.threads,
            dynamic_shared: child.shared,
            params: &child.params,
            extents: &[],
            memory: &memory,
            cooperative: false,
            deterministic: launch.deterministic,
            timeout: control.time_left(),
            check: launch.check.clone(),
            is_sole_writer: launch.is_sole_writer,
            print: launch.print,
        };
        // SAFETY: what the launch reaches is found by the outer launch's memory, which lives as long.
        unsafe { launched.launch_nested(&inner, asked.cloned(), depth + 1)? };
    }
    Ok(())
}
