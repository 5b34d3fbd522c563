//! Where the memory of arrays comes from: the device's own pool or another one, which may take its memory from a function of the
//! user's, for the whole process or for one thread. Devices ask here before they allocate.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};

use cuprum_core::Result;

use crate::{Buffer, Device, DeviceRef};

/// Memory of one device, counted and limited. Freed blocks are kept for later.
pub trait MemoryPool: Send + Sync {
    /// Memory for `bytes` bytes, uninitialised.
    fn provide(self: Arc<Self>, bytes: usize) -> Result<Buffer>;

    /// Bytes that arrays use.
    fn used(&self) -> usize;

    /// Bytes that are kept for later.
    fn free_bytes(&self) -> usize;

    /// Blocks that are kept for later.
    fn free_blocks(&self) -> usize;

    /// Gives what is kept for later back to the system or the driver.
    fn free_all(&self);

    /// The limit in bytes, where one is set.
    fn limit(&self) -> Option<usize>;

    /// Sets or lifts the limit. What is in use already stays.
    fn set_limit(&self, limit: Option<usize>);

    /// Bytes that may be used at most: the limit, or the device's memory.
    fn allowed(&self) -> usize;
}

/// A function of the user's that gives memory.
pub type AllocateFunction = Arc<dyn Fn(usize) -> Result<Buffer> + Send + Sync>;

/// Where a pool gets its memory.
#[derive(Clone)]
pub enum MemorySource {
    /// The system, or the device's driver.
    Device,
    /// Memory that host and device share, and that moves to where it is used.
    Managed,
    /// A function of the user's.
    Function(AllocateFunction),
}

/// Where the memory of a device's arrays comes from.
#[derive(Clone)]
pub enum Allocator {
    /// The device's own pool.
    Default,
    /// Another pool of the device.
    Pool(Arc<dyn MemoryPool>),
}

/// An allocator and the device that it serves.
pub type Replacement = (DeviceRef, Allocator);

/// The allocator that the process uses instead of the device's pool.
static PROCESS: RwLock<Option<Replacement>> = RwLock::new(None);
/// Whether any allocator was ever set: the usual case is one relaxed load.
static REPLACED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The allocator that this thread uses instead of the process's.
    static THREAD: RefCell<Option<Replacement>> = const { RefCell::new(None) };
}

/// Sets the allocator of the whole process for one device; `None` leaves every device its own pool.
///
/// ```
/// cuprum_graph::set_allocator(None);
/// ```
pub fn set_allocator(allocator: Option<Replacement>) {
    REPLACED.store(true, Ordering::Relaxed);
    let old = std::mem::replace(&mut *PROCESS.write().unwrap_or_else(|e| e.into_inner()), allocator);
    // Outside the lock: an allocator of the user's may run code when it goes.
    drop(old);
}

/// Sets the allocator of this thread, which goes before the process's, and gives the one that was set.
///
/// ```
/// assert!(cuprum_graph::replace_thread_allocator(None).is_none());
/// ```
pub fn replace_thread_allocator(allocator: Option<Replacement>) -> Option<Replacement> {
    REPLACED.store(true, Ordering::Relaxed);
    THREAD.try_with(|own| std::mem::replace(&mut *own.borrow_mut(), allocator)).unwrap_or(None)
}

/// The allocator that stands in for a device's own pool; `None` for none.
#[inline]
pub fn replaced_allocator(device: &dyn Device) -> Option<Allocator> {
    if REPLACED.load(Ordering::Relaxed) { find(device) } else { None }
}

fn find(device: &dyn Device) -> Option<Allocator> {
    let serves = |found: &Replacement| std::ptr::addr_eq(found.0, device);
    let own = THREAD.try_with(|own| own.borrow().clone().filter(&serves)).ok().flatten();
    let found = own.or_else(|| PROCESS.read().unwrap_or_else(|e| e.into_inner()).clone().filter(serves));
    found.map(|(_, allocator)| allocator)
}
