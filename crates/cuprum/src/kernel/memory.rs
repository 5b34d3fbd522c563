//! Memory whose address was given out. On the CPU a kernel may reach it by addresses that stand in arrays or structs: its
//! extents are found here, so that such accesses are checked like all others.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use cuprum_graph::{Buffer, UninitMap, mark_written, uninit_maps};
use cuprum_jit::{Extent, Memory};

type Keeper = dyn Any + Send + Sync;

struct Exposed {
    bytes: usize,
    writable: bool,
    keeper: Weak<Keeper>,
}

#[derive(Default)]
struct MemoryRegister {
    /// By the first address; pieces that begin at one address are kept side by side.
    pieces: BTreeMap<usize, Vec<Exposed>>,
    /// The longest piece: nothing that begins further before an address can hold it.
    longest: usize,
    count: usize,
    prune_at: usize,
}

static REGISTER: Mutex<Option<MemoryRegister>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<MemoryRegister>> {
    REGISTER.lock().unwrap_or_else(|e| e.into_inner())
}

/// Notes that the address of a buffer of the CPU is known outside. The buffer is not kept alive.
///
/// ```
/// use cuprum::Array;
/// let a = Array::from_slice(&[1, 2, 3]).to_device(cuprum::cpu()).unwrap();
/// cuprum::kernel::expose(&a.force().unwrap(), true);
/// ```
pub fn expose(buffer: &Buffer, writable: bool) {
    let whole = buffer.whole();
    if whole.bytes() == 0 {
        return;
    }
    let mut guard = lock();
    let register = guard.get_or_insert_default();
    let pieces = register.pieces.entry(whole.address()).or_default();
    let keeper = Arc::downgrade(whole.keeper());
    if let Some(known) = pieces.iter_mut().find(|p| p.bytes == whole.bytes() && p.keeper.ptr_eq(&keeper)) {
        known.writable |= writable;
        return;
    }
    pieces.retain(|piece| piece.keeper.strong_count() > 0);
    pieces.push(Exposed { bytes: whole.bytes(), writable, keeper });
    register.longest = register.longest.max(whole.bytes());
    register.count += 1;
    if register.count > register.prune_at {
        register.prune();
    }
}

impl MemoryRegister {
    fn prune(&mut self) {
        self.pieces.retain(|_, pieces| {
            pieces.retain(|piece| piece.keeper.strong_count() > 0);
            !pieces.is_empty()
        });
        let live = self.pieces.values().flatten();
        self.longest = live.clone().map(|piece| piece.bytes).max().unwrap_or(0);
        self.count = live.count();
        self.prune_at = (2 * self.count).max(256);
    }

    /// The largest piece that holds an address, and what keeps it alive.
    fn find(&self, address: usize) -> Option<(Extent, Arc<Keeper>)> {
        let first = address.saturating_sub(self.longest);
        let mut best: Option<(Extent, Arc<Keeper>)> = None;
        for (&start, pieces) in self.pieces.range(first..=address).rev() {
            for piece in pieces.iter().filter(|piece| address - start < piece.bytes) {
                let wider = best.as_ref().is_none_or(|(known, _)| piece.bytes > known.bytes);
                if let Some(keeper) = piece.keeper.upgrade().filter(|_| wider) {
                    best = Some((Extent { start, bytes: piece.bytes, writable: piece.writable }, keeper));
                }
            }
        }
        best
    }
}

/// A piece of memory whose address was given out; it stays alive with this.
pub struct ExposedMemory {
    extent: Extent,
    _keeper: Arc<Keeper>,
}

impl ExposedMemory {
    /// The addresses of its bytes.
    pub fn range(&self) -> Range<usize> {
        self.extent.start..self.extent.start + self.extent.bytes
    }

    /// Whether it may be written.
    pub fn is_writable(&self) -> bool {
        self.extent.writable
    }
}

/// The piece of memory that holds an address, if its address was given out by [`expose`] and it is still alive.
///
/// ```
/// use cuprum::Array;
/// use cuprum::kernel::{expose, exposed_at};
/// let a = Array::from_slice(&[1u8, 2, 3]).to_device(cuprum::cpu()).unwrap();
/// let buffer = a.force().unwrap();
/// expose(&buffer, true);
/// assert!(exposed_at(buffer.address() + 2).unwrap().is_writable());
/// assert!(exposed_at(1).is_none());
/// ```
pub fn exposed_at(address: usize) -> Option<ExposedMemory> {
    let (extent, keeper) = lock().as_ref()?.find(address)?;
    Some(ExposedMemory { extent, _keeper: keeper })
}

/// What one launch finds; it stays alive until the launch is over.
#[derive(Default)]
pub(super) struct LaunchMemory {
    keepers: Mutex<Vec<Arc<Keeper>>>,
    /// Uninitialised memory, by address; `None` where it is not checked.
    unwritten: Option<Vec<Arc<UninitMap>>>,
}

impl LaunchMemory {
    /// For a launch that is told what is uninitialised, and reports what it writes.
    pub(super) fn watched() -> LaunchMemory {
        LaunchMemory { unwritten: Some(uninit_maps()), ..LaunchMemory::default() }
    }

    /// The piece that holds an address; what a kernel may reach in one access lies in one piece.
    fn piece(&self, address: usize) -> Option<&UninitMap> {
        let pieces = self.unwritten.as_ref()?;
        let after = pieces.partition_point(|piece| piece.start() <= address);
        pieces[..after].last().map(|piece| &**piece)
    }
}

impl Memory for LaunchMemory {
    fn unwritten(&self, address: usize, bytes: usize) -> Option<usize> {
        self.piece(address)?.first(address, bytes)
    }

    fn written(&self, address: usize, bytes: usize) {
        if let Some(piece) = self.piece(address) {
            piece.write(address, bytes);
        }
    }

    fn find(&self, address: usize) -> Option<Extent> {
        let found = lock().as_ref()?.find(address);
        let (extent, keeper) = found?;
        if extent.writable && self.unwritten.is_none() {
            mark_written(extent.start, extent.bytes);
        }
        let mut keepers = self.keepers.lock().unwrap_or_else(|e| e.into_inner());
        if !keepers.iter().any(|known| Arc::ptr_eq(known, &keeper)) {
            keepers.push(keeper);
        }
        Some(extent)
    }
}

#[cfg(test)]
#[allow(unsafe_code, reason = "buffers over addresses that nothing reads")]
mod tests {
    use cuprum_graph::DeviceKind;

    use super::*;

    fn piece(address: usize, bytes: usize) -> Buffer {
        // SAFETY: nothing is read or written there.
        unsafe { Buffer::new(DeviceKind::Cpu, address, bytes, Arc::new(address)) }
    }

    #[test]
    fn memory_is_found_while_it_lives_and_as_a_whole() {
        // Addresses that no allocation of this process has.
        let base = 0x10;
        let whole = piece(base, 64);
        let part = whole.part(8, 8).unwrap();
        expose(&part, true);
        let found = LaunchMemory::default();
        assert_eq!(found.find(base + 60).map(|e| (e.start, e.bytes, e.writable)), Some((base, 64, true)));
        assert!(found.find(base + 64).is_none());
        drop((whole, part));
        assert!(found.find(base).is_some(), "kept for the launch");
        drop(found);
        assert!(LaunchMemory::default().find(base).is_none());
    }

    #[test]
    fn the_widest_of_overlapping_pieces_counts() {
        let base = 0x1000;
        let (wide, narrow) = (piece(base, 100), piece(base + 10, 20));
        expose(&wide, false);
        expose(&narrow, true);
        let extent = LaunchMemory::default().find(base + 15).unwrap();
        assert_eq!((extent.start, extent.bytes, extent.writable), (base, 100, false));
    }
}
