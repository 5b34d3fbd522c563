//! Storages: the memory of arrays, ready or still to be computed; and views of them.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use cuprum_core::{DType, Layout, Result};

use crate::{Buffer, DeviceRef, Node, Slot, plan};

/// Room for readers that is made at a time.
const READERS: usize = 16;

/// The content of an array and of all its views: memory, or the work that will fill it.
pub struct Storage {
    device: DeviceRef,
    bytes: usize,
    state: Mutex<State>,
    /// Pending work that reads this storage; a write runs it first.
    readers: Mutex<Vec<Weak<Storage>>>,
}

pub(crate) enum State {
    Ready(Buffer),
    Pending(Arc<Node>),
}

impl Storage {
    /// A storage over memory that holds its content already.
    pub fn ready(device: DeviceRef, buffer: Buffer) -> Arc<Storage> {
        Arc::new(Storage {
            device,
            bytes: buffer.bytes(),
            state: Mutex::new(State::Ready(buffer)),
            readers: Mutex::new(Vec::new()),
        })
    }

    pub(crate) fn pending(device: DeviceRef, node: Arc<Node>) -> Arc<Storage> {
        let bytes = node.layout.size() * node.dtype.size();
        Arc::new(Storage {
            device,
            bytes,
            state: Mutex::new(State::Pending(node)),
            readers: Mutex::new(Vec::new()),
        })
    }

    /// The device that the memory is on.
    #[inline]
    pub fn device(&self) -> DeviceRef {
        self.device
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The work still to be done, if any.
    pub fn node(&self) -> Option<Arc<Node>> {
        match &*self.lock() {
            State::Pending(node) => Some(node.clone()),
            State::Ready(_) => None,
        }
    }

    /// The bounds of the pending work, if any: nodes and leaves.
    pub(crate) fn bounds(&self) -> Option<(usize, usize)> {
        match &*self.lock() {
            State::Pending(node) => Some((node.depth, node.leaves)),
            State::Ready(_) => None,
        }
    }

    /// Whether the content is still to be computed.
    pub fn is_pending(&self) -> bool {
        matches!(&*self.lock(), State::Pending(_))
    }

    /// The memory, if the content is there.
    #[inline]
    pub fn buffer(&self) -> Option<Buffer> {
        match &*self.lock() {
            State::Ready(buffer) => Some(buffer.clone()),
            State::Pending(_) => None,
        }
    }

    /// The address of the memory, if the content is there.
    #[inline]
    pub fn ready_address(&self) -> Option<usize> {
        match &*self.lock() {
            State::Ready(buffer) => Some(buffer.address()),
            State::Pending(_) => None,
        }
    }

    /// The memory, after running whatever has to run to fill it.
    pub fn force(self: &Arc<Storage>) -> Result<Buffer> {
        if let Some(buffer) = self.buffer() {
            return Ok(buffer);
        }
        plan::run_pending(self)
    }

    pub(crate) fn set_ready(&self, buffer: Buffer) {
        // The node is dropped outside the lock: it may own the last reference to other storages.
        let _node = std::mem::replace(&mut *self.lock(), State::Ready(buffer));
    }

    /// Notes that pending work reads this storage.
    pub(crate) fn add_reader(&self, reader: &Arc<Storage>) {
        let mut readers = self.readers.lock().unwrap_or_else(|e| e.into_inner());
        if readers.len() == readers.capacity() {
            readers.retain(|weak| weak.upgrade().is_some_and(|storage| storage.is_pending()));
            readers.reserve(READERS);
        }
        readers.push(Arc::downgrade(reader));
    }

    /// Takes the pending work that reads this storage.
    pub(crate) fn take_readers(&self) -> Vec<Weak<Storage>> {
        std::mem::take(&mut *self.readers.lock().unwrap_or_else(|e| e.into_inner()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_pending() { "pending" } else { "ready" };
        write!(f, "Storage({} bytes, {state})", self.bytes)
    }
}

/// An array as the graph sees it: a storage and how its elements lie in it.
#[derive(Clone, Debug)]
pub struct View {
    /// The memory.
    pub storage: Arc<Storage>,
    /// Where the elements lie.
    pub layout: Layout,
    /// The element type.
    pub dtype: DType,
}

impl View {
    /// A view of the whole of a new storage.
    pub fn of(storage: Arc<Storage>, layout: Layout, dtype: DType) -> View {
        View { storage, layout, dtype }
    }

    /// The same storage under another layout.
    pub fn with_layout(&self, layout: Layout) -> View {
        View { storage: self.storage.clone(), layout, dtype: self.dtype }
    }

    /// Stretched to a shape.
    pub fn broadcast_to(&self, op: &'static str, shape: &[usize]) -> Result<View> {
        Ok(self.with_layout(self.layout.broadcast_to(op, shape)?))
    }

    /// Ready memory and layout, for a library call.
    pub fn slot(&self) -> Result<Slot> {
        Ok(Slot { buffer: self.storage.force()?, layout: self.layout.clone(), dtype: self.dtype })
    }
}
