//! Several index tuples may write to one place, where the last one wins: finds the tuples that are the last of their
//! place.

use cuprum_core::Result;
use cuprum_graph::{Buffer, Slot};

use super::rows::Keep;
use crate::compile::Kernel;
use crate::launch::LaunchArgs;
use crate::ops::FragmentSet;
use crate::session::Session;

const THREADS: u32 = 256;
/// Up to this many tuples, each is compared with all others.
const PAIRWISE_MAX_TUPLES: usize = 1024;
/// Places for each tuple up to which the target gets a stamp for every one; beyond, places are hashed.
const STAMPED_MAX_PLACES_PER_TUPLE: usize = 16;

/// Index tuples and the axes that they index.
pub(super) struct Tuples {
    pub(super) count: usize,
    /// The number of places that they may point at.
    pub(super) places: usize,
    pub(super) axes: usize,
    stamp: usize,
    /// The kernels' argument.
    pub(super) bytes: Vec<u8>,
}

impl Tuples {
    pub(super) fn new(session: &Session, indices: &[Slot], lengths: &[usize]) -> Tuples {
        let count = indices[0].layout.size();
        let addresses = indices.iter().map(|slot| session.address(slot));
        let words = addresses.chain(lengths.iter().copied()).map(|x| (x as u64).to_ne_bytes());
        Tuples {
            count,
            places: lengths.iter().product(),
            axes: indices.len(),
            stamp: if count < u32::MAX as usize { 4 } else { 8 },
            bytes: words.flatten().collect(),
        }
    }

    fn kernel(&self, session: &Session, entry: &'static str) -> Result<Kernel> {
        session.kernel(entry, &[self.axes as u32, self.stamp as u32], || text(self.axes, self.stamp))
    }

    fn launch(
        &self,
        session: &Session,
        entry: &'static str,
        buffers: &[&Buffer],
        last: &[u64],
    ) -> Result<()> {
        let mut args = LaunchArgs::new();
        args.bytes(&self.bytes).u64(self.count as u64);
        buffers.iter().for_each(|buffer| {
            args.pointer(buffer.address());
        });
        last.iter().for_each(|&x| {
            args.u64(x);
        });
        let blocks = self.count.div_ceil(THREADS as usize) as u32;
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(self.kernel(session, entry)?, blocks, THREADS, &args) }
    }
}

/// `index_tuples.cuh` with what it needs before it.
pub(super) fn definitions(axes: usize) -> String {
    let tuples = include_str!("../../kernels/index_tuples.cuh");
    format!("{}#define INDICES {axes}\n{tuples}", FragmentSet::NONE.text())
}

/// The kernels' text for so many index arrays and stamps of so many bytes.
pub(super) fn text(axes: usize, stamp: usize) -> String {
    let stamp = if stamp == 8 { "u64" } else { "u32" };
    let kernels = include_str!("../../kernels/last_writer.cu");
    format!("{}typedef {stamp} Stamp;\n{kernels}", definitions(axes))
}

/// Finds the last writes of index tuples into axes of these lengths.
pub(super) fn last_writes(session: &Session, indices: &[Slot], lengths: &[usize]) -> Result<Keep> {
    let tuples = Tuples::new(session, indices, lengths);
    if tuples.count < 2 {
        return Ok(Keep::All);
    }
    if tuples.count <= PAIRWISE_MAX_TUPLES {
        let kept = session.scratch(tuples.count)?;
        tuples.launch(session, "compare_all", &[&kept], &[])?;
        return Ok(Keep::Flagged(kept));
    }
    if tuples.places / STAMPED_MAX_PLACES_PER_TUPLE <= tuples.count {
        let bytes = tuples.places * tuples.stamp;
        let table = session.scratch(bytes)?;
        session.set_bytes(&table, 0, 0, bytes)?;
        tuples.launch(session, "stamp_table", &[&table], &[])?;
        return Ok(Keep::Stamped(table, tuples.stamp));
    }
    let slots = (2 * tuples.count).next_power_of_two();
    let (places, stamps) = (session.scratch(slots * 8)?, session.scratch(slots * tuples.stamp)?);
    let kept = session.scratch(tuples.count)?;
    session.set_bytes(&places, 0, 0xff, slots * 8)?;
    session.set_bytes(&stamps, 0, 0, slots * tuples.stamp)?;
    let mask = slots as u64 - 1;
    tuples.launch(session, "stamp_hashed", &[&places, &stamps], &[mask])?;
    let mut args = LaunchArgs::new();
    args.bytes(&tuples.bytes).u64(tuples.count as u64).pointer(places.address()).pointer(stamps.address());
    args.u64(mask).pointer(kept.address());
    let blocks = tuples.count.div_ceil(THREADS as usize) as u32;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(tuples.kernel(session, "keep_hashed")?, blocks, THREADS, &args) }?;
    Ok(Keep::Flagged(kept))
}
