//! Memory hooks: a function that a thread sets is called when pools get memory, hand it out and take it back.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_core::Result;

use crate::DeviceKind;

/// What happens to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryStage {
    /// A pool is about to ask the system or the driver for more.
    BeforeAlloc,
    /// It got it.
    AfterAlloc,
    /// A pool is about to hand out a block.
    BeforeMalloc,
    /// It has.
    AfterMalloc,
    /// A block is about to go back to its pool.
    BeforeFree,
    /// It has.
    AfterFree,
}

/// A block of memory as hooks hear of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockInfo {
    /// Whose memory it is.
    pub device: DeviceKind,
    /// The bytes that were asked for.
    pub asked: usize,
    /// The bytes that the block has, or that the pool asks for.
    pub size: usize,
    /// The address, once it is known.
    pub address: usize,
    /// Tells blocks that are in use apart.
    pub id: usize,
}

/// A function that hears of memory; what it refuses before memory is handed out is not handed out.
pub type MemoryHook = Arc<dyn Fn(MemoryStage, BlockInfo) -> Result<()> + Send + Sync>;

/// How many threads have a hook: the usual case is one relaxed load.
static HOOKS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static HOOK: RefCell<Option<MemoryHook>> = const { RefCell::new(None) };
    /// Whether the thread is inside a hook or an allocator of the user's: of what these do themselves no hook is told.
    static GIVING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is inside a hook or an allocator of the user's.
pub(crate) fn is_giving_memory() -> bool {
    GIVING.get()
}

/// Runs a hook or an allocator of the user's: both may be called by a plan that runs.
///
/// ```
/// assert_eq!(cuprum_graph::giving_memory(|| 5), 5);
/// ```
pub fn giving_memory<T>(act: impl FnOnce() -> T) -> T {
    let outer = GIVING.replace(true);
    let outcome = act();
    GIVING.set(outer);
    outcome
}

/// Sets the hook of this thread, and gives the one that was set.
///
/// ```
/// assert!(cuprum_graph::replace_memory_hook(None).is_none());
/// ```
pub fn replace_memory_hook(hook: Option<MemoryHook>) -> Option<MemoryHook> {
    let is_set = hook.is_some();
    let old = HOOK.try_with(|own| std::mem::replace(&mut *own.borrow_mut(), hook)).unwrap_or(None);
    match (old.is_some(), is_set) {
        (false, true) => HOOKS.fetch_add(1, Ordering::Relaxed),
        (true, false) => HOOKS.fetch_sub(1, Ordering::Relaxed),
        _ => 0,
    };
    old
}

/// Whether the calling thread may have a hook.
#[inline]
pub fn has_memory_hooks() -> bool {
    HOOKS.load(Ordering::Relaxed) != 0
}

/// Tells the calling thread's hook, where there is one.
pub fn tell_memory_hook(stage: MemoryStage, news: BlockInfo) -> Result<()> {
    let Some(hook) = HOOK.try_with(|own| own.borrow().clone()).ok().flatten() else { return Ok(()) };
    if GIVING.get() { Ok(()) } else { giving_memory(|| hook(stage, news)) }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_hook_hears_of_its_own_thread_and_not_of_itself() {
        let news = BlockInfo { device: DeviceKind::Cpu, asked: 5, size: 64, address: 0, id: 0 };
        let heard = Arc::new(Mutex::new(Vec::new()));
        let list = heard.clone();
        let hook: MemoryHook = Arc::new(move |stage, news| {
            tell_memory_hook(MemoryStage::BeforeFree, news)?;
            list.lock().unwrap().push((stage, news.asked));
            Ok(())
        });
        assert!(replace_memory_hook(Some(hook)).is_none());
        assert!(has_memory_hooks());
        tell_memory_hook(MemoryStage::BeforeMalloc, news).unwrap();
        std::thread::spawn(move || tell_memory_hook(MemoryStage::AfterMalloc, news).unwrap()).join().unwrap();
        assert_eq!(*heard.lock().unwrap(), [(MemoryStage::BeforeMalloc, 5)]);
        assert!(replace_memory_hook(None).is_some());
        tell_memory_hook(MemoryStage::AfterFree, news).unwrap();
        assert_eq!(heard.lock().unwrap().len(), 1);
    }
}
