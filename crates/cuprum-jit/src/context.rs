//! What generated code sees of a launch and of the block that it runs: one flat record, read by fixed offsets.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cuprum_kernel::ir::Type;
use cuprum_threads::interrupt::Watch;

use crate::children::Child;
use crate::launch::{Extent, Launch};
use crate::runtime::check::{Checker, Finding};
use crate::runtime::print::Printer;

/// The status of a region, and the next region of a thread: it has returned.
pub(crate) const DONE: u32 = u32::MAX;
/// The status of a region: its threads ended at different points.
pub(crate) const MIXED: u32 = u32::MAX - 1;
/// The status of a region: a thread did something that stops the launch.
pub(crate) const STOPPED: u32 = u32::MAX - 2;
/// Threads of a warp, and of a tile of a frame.
pub(crate) const WARP: u32 = 32;
/// Beside a region's number: all threads of the block begin it, the block's warps are whole, and what they exchange is
/// left to the region's code.
pub(crate) const EXCHANGES: u32 = 1 << 31;

/// A range that a parameter may reach. An access of `1 << k` bytes at `address` is within it where
/// `address - start < read[k]`; `read[k]` is 0 where the range holds no such value. `write` likewise: all 0 where the
/// range may not be written.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Bounds {
    pub start: u64,
    pub bytes: u64,
    pub read: [u64; 6],
    pub write: [u64; 6],
    /// `bytes` where the range may be written, else 0.
    pub writable: u64,
}

impl Bounds {
    pub(crate) fn of(extent: &Extent) -> Bounds {
        let bytes = extent.bytes as u64;
        let read = [1u64, 2, 4, 8, 16, 32].map(|size| (bytes + 1).saturating_sub(size));
        let write = if extent.writable { read } else { [0; 6] };
        let writable = if extent.writable { bytes } else { 0 };
        Bounds { start: extent.start as u64, bytes, read, write, writable }
    }
}

/// What the lanes of a warp bring to a collective or a barrier with a predicate, and what they take from it. Values of 64
/// bits have an array of their own: lanes of one warp may bring different types to different collectives.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Exchange {
    pub words: [u32; WARP as usize],
    pub longs: [u64; WARP as usize],
    pub word_results: [u32; WARP as usize],
    pub long_results: [u64; WARP as usize],
    pub mask: [u32; WARP as usize],
    pub lane: [u32; WARP as usize],
    pub width: [u32; WARP as usize],
}

impl Exchange {
    /// The bits that a lane brought as a value of a type.
    pub(crate) fn value(&self, ty: Type, lane: usize) -> u64 {
        if ty.bytes() == 8 { self.longs[lane] } else { u64::from(self.words[lane]) }
    }

    /// Gives a lane its result, of a type.
    pub(crate) fn give(&mut self, ty: Type, lane: usize, bits: u64) {
        if ty.bytes() == 8 {
            self.long_results[lane] = bits;
        } else {
            self.word_results[lane] = bits as u32;
        }
    }
}

/// The check that failed first in this context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawFault {
    pub site: u32,
    pub thread: u32,
    pub block: [u32; 3],
    pub a: u64,
    pub b: u64,
    /// What the checking mode found.
    pub finding: Option<Finding>,
}

/// What generated code is given. The offsets of its fields are part of the code.
#[repr(C)]
pub(crate) struct Context<'a> {
    /// The launch's parameters.
    pub params: *const u8,
    /// One for each parameter.
    pub bounds: *const Bounds,
    /// The machine code of functions that are called, by the function's number.
    pub functions: *const *const u8,
    /// The block's shared memory: static variables, then the dynamic part.
    pub shared: *mut u8,
    /// Values of threads that wait, in tiles of a warp.
    pub frames: *mut u8,
    /// The slots of the kernel; a copy for each thread where threads wait.
    pub slots: *mut u8,
    /// The next region of each thread.
    pub next: *mut u32,
    /// For each warp.
    pub exchange: *mut Exchange,
    /// Free memory for the slots of called functions, and its end.
    pub stack: *mut u8,
    pub stack_end: *mut u8,
    /// The lowest stack pointer that a called function may have.
    pub native_limit: usize,
    /// A range that was found for a read of unknown origin, and one for a write.
    pub found_read: [u64; 2],
    pub found_write: [u64; 2],
    pub block_index: [u32; 3],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    /// Blocks of a cluster.
    pub cluster: [u32; 3],
    /// The shared memory of all blocks of the cluster: each has so many bytes, the next one's right behind.
    pub cluster_shared: *mut u8,
    pub cluster_step: u32,
    /// What a thunk's function returned.
    pub status: u32,
    /// How many calls and ways back of called functions are left before one of them looks whether to stop.
    pub fuel: u32,

    // What follows is not read by generated code.
    /// Bytes of static and dynamic shared memory.
    pub shared_bytes: usize,
    /// Bytes of the shared memory of all blocks of the cluster; 0 where the kernel does not reach it.
    pub cluster_bytes: usize,
    /// Bytes of all slots.
    pub slots_bytes: usize,
    pub stack_start: *mut u8,
    /// The launch that this is part of.
    pub launch: &'a Launch<'a>,
    pub control: &'a Control,
    /// Asks for Ctrl-C; on the thread that called alone.
    pub watch: Option<&'a Watch>,
    pub printer: &'a Printer<'a>,
    /// The checking mode's shadow memory.
    pub checker: Option<&'a Mutex<Checker>>,
    pub globals: &'a [Extent],
    pub strings: &'a [Box<[u8]>],
    pub all_bounds: &'a [Bounds],
    /// Ranges that were looked up before.
    pub reached: Vec<Bounds>,
    pub fault: Option<RawFault>,
}

/// What the threads that work on one launch share.
pub(crate) struct Control {
    /// Nobody begins another block, and loops end.
    stop: AtomicBool,
    interrupted: AtomicBool,
    timed_out: AtomicBool,
    deadline: Option<Instant>,
    /// Set by a caller that only waits, where the user wants to stop.
    asked: Option<Arc<AtomicBool>>,
    /// Memory that the launch was not given and that its threads found.
    reached: Mutex<Vec<(u64, u64)>>,
    /// What threads have launched.
    pub(crate) children: Mutex<Vec<Child>>,
}

impl Control {
    pub(crate) fn new(launch: &Launch<'_>, asked: Option<Arc<AtomicBool>>) -> Control {
        Control {
            stop: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
            timed_out: AtomicBool::new(false),
            deadline: launch.timeout.and_then(|time| Instant::now().checked_add(time)),
            asked,
            reached: Mutex::default(),
            children: Mutex::default(),
        }
    }

    /// What is left of the time that the launch was given.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Notes memory that a thread found, where it may be written.
    pub(crate) fn note_reached(&self, found: &Extent) {
        let range = (found.start as u64, found.bytes as u64);
        let mut reached = self.reached.lock().unwrap_or_else(|e| e.into_inner());
        if found.writable && !reached.contains(&range) {
            reached.push(range);
        }
    }

    /// What was noted so.
    pub(crate) fn reached(&self) -> Vec<(u64, u64)> {
        self.reached.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    pub(crate) fn timed_out(&self) -> bool {
        self.timed_out.load(Ordering::Relaxed)
    }

    /// Looks at the clock and for Ctrl-C; says whether the launch is to stop.
    pub(crate) fn poll(&self, watch: Option<&Watch>) -> bool {
        if self.stopped() {
            return true;
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.timed_out.store(true, Ordering::Relaxed);
            self.stop();
            return true;
        }
        let asked = self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed));
        if asked || watch.is_some_and(Watch::wants_stop) {
            self.interrupted.store(true, Ordering::Relaxed);
            self.stop();
            return true;
        }
        false
    }
}
