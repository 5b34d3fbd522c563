//! Storages: the memory of arrays, ready or still to be computed; and views of them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use cuprum_core::{DType, Error, Layout, Result};
use smallvec::SmallVec;

use crate::cluster::views;
use crate::{Buffer, DeviceRef, Node, Slot, plan};

/// How many readers a list has room for when it is made.
const READERS_CAPACITY: usize = 16;

/// Pending work that reads a storage, mostly one or two nodes at a time. Readers that are gone are removed before the list
/// grows.
pub(crate) type Readers = SmallVec<[Weak<Storage>; 2]>;

/// What tells a storage from all others that are alive.
pub(crate) type Identity = usize;

/// The content of an array and of all its views: memory, or the work that will fill it.
///
/// The content is set once and stays: whether it is ready, and where it is, is read without a lock.
pub struct Storage {
    device: DeviceRef,
    bytes: usize,
    /// The bounds of the pending work: nodes in the upper half, leaves in the lower one; zero once the content is ready.
    work: AtomicU64,
    ready: Content,
    node: Mutex<Option<Arc<Node>>>,
    /// Pending work that reads this storage; a write runs it first.
    readers: Mutex<Readers>,
    /// Whether the program has dropped it while it was pending.
    unread: AtomicBool,
    /// Whether the pending work, or work that reads this storage, has failed.
    failed: AtomicBool,
}

/// The memory of a storage.
enum Content {
    /// Memory that was there from the beginning; it needs no lock.
    Given(Buffer),
    /// Memory that is there once the work is done.
    Awaited(OnceLock<Buffer>),
}

impl Content {
    #[inline]
    fn get(&self) -> Option<&Buffer> {
        match self {
            Content::Given(buffer) => Some(buffer),
            Content::Awaited(buffer) => buffer.get(),
        }
    }

    /// Content that is ready stays.
    fn set(&self, buffer: Buffer) {
        if let Content::Awaited(content) = self {
            let _ = content.set(buffer);
        }
    }
}

impl Storage {
    /// A storage over memory that holds its content already.
    ///
    /// # Panics
    /// If the buffer is of another device.
    pub fn ready(device: DeviceRef, buffer: Buffer) -> Arc<Storage> {
        assert!(buffer.device() == device.kind(), "a buffer of another device");
        Arc::new(Storage {
            device,
            bytes: buffer.bytes(),
            work: AtomicU64::new(0),
            ready: Content::Given(buffer),
            node: Mutex::new(None),
            readers: Mutex::default(),
            unread: AtomicBool::new(false),
            failed: AtomicBool::new(false),
        })
    }

    pub(crate) fn pending(device: DeviceRef, node: Arc<Node>) -> Arc<Storage> {
        Arc::new(Storage {
            device,
            bytes: node.layout.size() * node.dtype.size(),
            work: AtomicU64::new(bounds_word(&node)),
            ready: Content::Awaited(OnceLock::new()),
            node: Mutex::new(Some(node)),
            readers: Mutex::default(),
            unread: AtomicBool::new(false),
            failed: AtomicBool::new(false),
        })
    }

    /// The device that the memory is on.
    #[inline]
    pub fn device(&self) -> DeviceRef {
        self.device
    }

    /// The size in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The work still to be done, if any.
    pub fn node(&self) -> Option<Arc<Node>> {
        if self.is_pending() { self.lock().clone() } else { None }
    }

    /// The bounds of the pending work, if any: nodes and leaves.
    #[inline]
    pub(crate) fn bounds(&self) -> Option<(usize, usize)> {
        match self.work.load(Ordering::Relaxed) {
            0 => None,
            both => Some(((both >> 32) as usize, both as u32 as usize)),
        }
    }

    /// Notes how much of a node's work, which fills this, is really pending: nodes and leaves.
    pub(crate) fn set_bounds(&self, of: &Arc<Node>, (nodes, leaves): (usize, usize)) {
        let node = self.lock();
        if node.as_ref().is_some_and(|node| Arc::ptr_eq(node, of)) {
            self.work.store((nodes as u64) << 32 | leaves as u64, Ordering::Relaxed);
        }
    }

    /// Whether the content is still to be computed.
    #[inline]
    pub fn is_pending(&self) -> bool {
        self.ready.get().is_none()
    }

    /// The memory, if the content is ready.
    #[inline]
    pub fn buffer(&self) -> Option<Buffer> {
        self.ready.get().cloned()
    }

    /// The memory, borrowed, if the content is ready.
    #[inline]
    pub fn ready_buffer(&self) -> Option<&Buffer> {
        self.ready.get()
    }

    /// Whether there may still be pending work that reads this storage.
    pub(crate) fn may_have_readers(&self) -> bool {
        let readers = self.readers.lock().unwrap_or_else(|e| e.into_inner());
        readers.iter().any(is_alive)
    }

    /// The address of the memory, if the content is ready.
    #[inline]
    pub fn ready_address(&self) -> Option<usize> {
        self.ready.get().map(Buffer::address)
    }

    /// The memory, after running whatever has to run to fill it.
    pub fn force(self: &Arc<Storage>) -> Result<Buffer> {
        self.run()?;
        self.buffer().ok_or_else(|| Error::device("a forced array has no memory"))
    }

    /// The names of the pending operations that fill this, each after those it reads; `None` where the content is ready.
    pub fn pending_operations(self: &Arc<Storage>) -> Option<Vec<&'static str>> {
        self.node()?;
        let (mut names, mut seen, mut stack) = (Vec::new(), Vec::new(), vec![(self.clone(), false)]);
        while let Some((storage, is_done)) = stack.pop() {
            let Some(node) = storage.node() else { continue };
            if is_done {
                names.push(node.kind.name());
            } else if !seen.contains(&storage.identity()) {
                seen.push(storage.identity());
                stack.push((storage, true));
                let read = crate::record::views(&node).map(|view| (view.storage.clone(), false));
                stack.extend(read.collect::<Vec<_>>().into_iter().rev());
            }
        }
        Some(names)
    }

    /// Whether pending work behind this storage reads another one.
    pub(crate) fn depends_on(self: &Arc<Storage>, other: &Arc<Storage>) -> bool {
        let (mut seen, mut stack) = (Vec::new(), vec![self.clone()]);
        while let Some(storage) = stack.pop() {
            let Some(node) = storage.node().filter(|_| !seen.contains(&storage.identity())) else { continue };
            seen.push(storage.identity());
            for view in views(&node) {
                if Arc::ptr_eq(&view.storage, other) {
                    return true;
                }
                stack.push(view.storage.clone());
            }
        }
        false
    }

    /// Runs whatever has to run to fill the memory.
    pub fn run(self: &Arc<Storage>) -> Result<()> {
        if self.is_pending() { plan::run_pending(self) } else { Ok(()) }
    }

    /// Gives the storage its content. Where two threads computed it, the first one's stays: both are the same.
    pub(crate) fn set_ready(&self, buffer: Buffer) {
        self.ready.set(buffer);
        self.work.store(0, Ordering::Relaxed);
        // The node is dropped outside the lock: it may own the last reference to other storages.
        let _node = self.lock().take();
    }

    /// Puts other work in the place of the pending work, if that is still to be done. Nothing may run meanwhile.
    pub(crate) fn exchange(self: &Arc<Storage>, old: &Arc<Node>, new: Arc<Node>) -> bool {
        for view in views(&new) {
            view.storage.add_reader(self);
        }
        let mut node = self.lock();
        let is_same = node.as_ref().is_some_and(|node| Arc::ptr_eq(node, old));
        if is_same {
            self.work.store(bounds_word(&new), Ordering::Relaxed);
            // The old work lives on in the new one: nothing is dropped under the lock.
            *node = Some(new);
        }
        is_same
    }

    /// Notes that pending work reads this storage.
    pub(crate) fn add_reader(&self, reader: &Arc<Storage>) {
        let mut readers = self.readers.lock().unwrap_or_else(|e| e.into_inner());
        // The last reader has often been dropped by now, and its memory is still in the cache.
        while readers.last().is_some_and(|weak| !is_alive(weak)) {
            readers.pop();
        }
        if readers.len() == readers.capacity() {
            readers.retain(|weak| is_alive(weak) && weak.upgrade().is_some_and(|s| s.is_pending()));
            if readers.len() == readers.capacity() {
                readers.reserve(READERS_CAPACITY);
            }
        }
        readers.push(Arc::downgrade(reader));
    }

    /// Whether an attempt to run the pending work, or work that reads this storage, has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Notes that the pending work has failed, for all that is behind it too: any of that may be the cause.
    pub(crate) fn set_failed(self: &Arc<Storage>) {
        let mut stack = vec![self.clone()];
        while let Some(storage) = stack.pop() {
            if storage.failed.swap(true, Ordering::Relaxed) && !Arc::ptr_eq(&storage, self) {
                continue;
            }
            let Some(node) = storage.node() else { continue };
            stack.extend(views(&node).map(|view| view.storage.clone()));
        }
    }

    /// Whether the program has dropped it before it was computed.
    #[inline]
    pub(crate) fn is_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed)
    }

    /// Notes that the program has dropped it.
    pub(crate) fn set_unread(&self) {
        self.unread.store(true, Ordering::Relaxed);
    }

    /// The pending work that reads this storage and whose results the program still holds.
    pub(crate) fn pending_readers(&self) -> Vec<Arc<Storage>> {
        // What turns out to be no longer pending is dropped outside the lock: it may be the last reference.
        let held: Vec<Arc<Storage>> = {
            let readers = self.readers.lock().unwrap_or_else(|e| e.into_inner());
            readers.iter().filter_map(Weak::upgrade).collect()
        };
        held.into_iter().filter(|storage| storage.is_pending() && !storage.is_unread()).collect()
    }

    /// Whether pending work reads this storage that is none of `own`. What was inspected is to be dropped outside all
    /// locks: it may be the last reference.
    pub(crate) fn has_other_pending_reader(
        &self,
        own: &impl Fn(Identity) -> bool,
        looked_at: &mut Vec<Arc<Storage>>,
    ) -> bool {
        let readers = self.readers.lock().unwrap_or_else(|e| e.into_inner());
        let others = readers.iter().filter(|weak| is_alive(weak) && !own(weak.as_ptr() as Identity));
        let before = looked_at.len();
        looked_at.extend(others.filter_map(Weak::upgrade));
        looked_at[before..].iter().any(|storage| storage.is_pending() && !storage.is_unread())
    }

    /// What tells this storage from all others.
    #[inline]
    pub(crate) fn identity(&self) -> Identity {
        std::ptr::from_ref(self) as Identity
    }

    /// Runs the pending work that reads this storage. What fails stays noted, and so does what comes after it: they have to
    /// run before a later write, too.
    pub(crate) fn run_readers(&self) -> Result<()> {
        let taken = std::mem::take(&mut *self.readers.lock().unwrap_or_else(|e| e.into_inner()));
        let taken = RunningReaders { storage: self, readers: taken };
        for reader in &taken.readers {
            if let Some(storage) = reader.upgrade() {
                storage.run()?;
            }
        }
        Ok(())
    }

    /// The work still to be done.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Arc<Node>>> {
        self.node.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// The bounds of pending work in one word.
fn bounds_word(node: &Node) -> u64 {
    let half = |count: usize| u64::from(u32::try_from(count).unwrap_or(u32::MAX));
    half(node.depth.max(1)) << 32 | half(node.leaves)
}

/// Readers that run; those that are still pending in the end are noted again.
struct RunningReaders<'a> {
    storage: &'a Storage,
    readers: Readers,
}

impl Drop for RunningReaders<'_> {
    fn drop(&mut self) {
        for reader in std::mem::take(&mut self.readers) {
            // Let go of outside the lock: it may be the last reference.
            if let Some(storage) = reader.upgrade().filter(|storage| storage.is_pending()) {
                self.storage.add_reader(&storage);
            }
        }
    }
}

/// Whether anybody still holds the storage.
#[inline]
pub(crate) fn is_alive(weak: &Weak<Storage>) -> bool {
    weak.strong_count() > 0
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_pending() { "pending" } else { "ready" };
        write!(f, "Storage({} bytes, {state})", self.bytes)
    }
}

/// An array as the graph sees it: a storage and how its elements lie in it. Every element lies within the storage.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) storage: Arc<Storage>,
    pub(crate) layout: Layout,
    pub(crate) dtype: DType,
}

impl View {
    /// The elements of a storage that a layout names.
    ///
    /// # Panics
    /// If one of them lies outside of the storage.
    pub fn new(storage: Arc<Storage>, layout: Layout, dtype: DType) -> View {
        assert!(
            layout.lies_within(dtype.size(), storage.bytes()),
            "a layout that reaches beyond its storage"
        );
        View { storage, layout, dtype }
    }

    /// As [`View::new`], unchecked.
    ///
    /// # Safety
    /// Every element lies within the storage.
    #[allow(unsafe_code, reason = "the caller's promise stands in for the check")]
    #[inline]
    pub unsafe fn new_unchecked(storage: Arc<Storage>, layout: Layout, dtype: DType) -> View {
        View::of(storage, layout, dtype)
    }

    /// The whole of a new storage, which has room for the layout.
    pub(crate) fn of(storage: Arc<Storage>, layout: Layout, dtype: DType) -> View {
        debug_assert!(layout.lies_within(dtype.size(), storage.bytes()));
        View { storage, layout, dtype }
    }

    /// The memory.
    #[inline]
    pub fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// Where the elements lie.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The same storage under another layout.
    ///
    /// # Panics
    /// If an element lies outside of the storage.
    pub fn with_layout(&self, layout: Layout) -> View {
        View::new(self.storage.clone(), layout, self.dtype)
    }

    /// Stretched to a shape.
    pub fn broadcast_to(&self, op: &'static str, shape: &[usize]) -> Result<View> {
        Ok(self.with_layout(self.layout.broadcast_to(op, shape)?))
    }

    /// The address of the first element, if the elements are materialised and aligned to their size.
    #[inline]
    pub fn aligned_address(&self) -> Option<usize> {
        let address = self.storage.ready_address()? + self.layout.offset;
        address.is_multiple_of(self.dtype.size()).then_some(address)
    }

    /// Ready memory and layout, for a library call.
    pub fn slot(&self) -> Result<Slot> {
        Ok(Slot { buffer: self.storage.force()?, layout: self.layout.clone(), dtype: self.dtype })
    }
}
