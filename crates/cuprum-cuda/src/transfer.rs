//! Copies between the host and a GPU. Pageable memory goes through page-locked blocks, several at a time, so that the
//! host's copying and the GPU's overlap.

use std::sync::{Mutex, MutexGuard};

use cuprum_core::Result;

use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::faults;
use crate::memory::PinnedBlock;
use crate::stream::Event;

/// The size of a page-locked block.
const BLOCK: usize = 4 << 20;
/// How many there are: enough for as many threads to copy at once as memory bandwidth is worth.
const BLOCKS: usize = 16;
/// Up to this size the driver's own way is the quickest to the GPU: it copies the bytes before it returns.
const SMALL_UPLOAD: usize = 64 << 10;
/// Up to this size bytes come from the GPU through one block kept for it.
const SMALL_DOWNLOAD: usize = 4 << 10;

/// Page-locked blocks of one GPU, made when they are first needed.
#[derive(Default)]
pub(crate) struct Staging {
    /// One transfer of large memory at a time: it takes all of the bus anyway.
    large: Mutex<Vec<Place>>,
    small: Mutex<Option<PinnedBlock>>,
}

struct Place {
    block: PinnedBlock,
    /// When the GPU is done with the block.
    done: Event,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

fn places(gpu: &'static Gpu, places: &mut Vec<Place>, wanted: usize) -> Result<()> {
    while places.len() < wanted.min(BLOCKS) {
        places.push(Place { block: PinnedBlock::new(gpu, BLOCK)?, done: Event::new(gpu, false, false)? });
    }
    Ok(())
}

/// Whether the driver knows the address as page-locked memory of the host.
fn is_pinned(address: usize) -> bool {
    const MEMORY_TYPE: i32 = 2;
    const HOST: u32 = 1;
    let mut kind = 0u32;
    let Ok(cuda) = cuda() else { return false };
    let (mut attribute, mut place) = (MEMORY_TYPE, (&raw mut kind).cast());
    // SAFETY: one number is asked for and written; for an address that the driver does not know it is zero.
    let code = unsafe { (cuda.cuPointerGetAttributes)(1, &mut attribute, &mut place, address) };
    code == 0 && kind == HOST
}

impl Staging {
    /// Copies bytes to the GPU; they may change once this returns.
    pub(crate) fn upload(
        &self,
        gpu: &'static Gpu,
        stream: usize,
        target: usize,
        source: &[u8],
    ) -> Result<()> {
        if source.is_empty() {
            return Ok(());
        }
        gpu.enter()?;
        let cuda = cuda()?;
        let direct = |bytes: &[u8], target: usize| {
            // SAFETY: the caller owns the target, and the bytes outlive the copy: see each use.
            let code =
                unsafe { (cuda.cuMemcpyHtoDAsync_v2)(target, bytes.as_ptr().cast(), bytes.len(), stream) };
            check(code, "cuMemcpyHtoDAsync")
        };
        if source.len() <= SMALL_UPLOAD {
            // The driver copies pageable memory of this size before it returns; page-locked memory it reads later.
            direct(source, target)?;
            return if is_pinned(source.as_ptr() as usize) { wait(stream) } else { Ok(()) };
        }
        if is_pinned(source.as_ptr() as usize) {
            direct(source, target)?;
            return wait(stream);
        }
        let mut large = lock(&self.large);
        let pieces = source.len().div_ceil(BLOCK);
        places(gpu, &mut large, pieces)?;
        let outcome = Mutex::new(Ok(()));
        let count = large.len();
        // Each worker owns a block, and fills it anew when the GPU has read it.
        let work = |worker: usize| {
            let place = &large[worker];
            let run = || {
                gpu.enter()?;
                for piece in (worker..pieces).step_by(count) {
                    let bytes = &source[piece * BLOCK..source.len().min((piece + 1) * BLOCK)];
                    place.done.wait()?;
                    // SAFETY: the block is as large as a piece, ours alone, and the GPU is done with it.
                    let staged = unsafe {
                        let block = place.block.address() as *mut u8;
                        std::ptr::copy_nonoverlapping(bytes.as_ptr(), block, bytes.len());
                        std::slice::from_raw_parts(block, bytes.len())
                    };
                    direct(staged, target + piece * BLOCK)?;
                    place.done.record(stream)?;
                }
                Ok(())
            };
            keep_first(&outcome, run());
        };
        cuprum_threads::run_tasks(count, true, &work)?;
        outcome.into_inner().unwrap_or_else(|e| e.into_inner())
    }

    /// Copies bytes to the host, after the stream's work so far.
    pub(crate) fn download(
        &self,
        gpu: &'static Gpu,
        stream: usize,
        source: usize,
        target: &mut [u8],
    ) -> Result<()> {
        if target.is_empty() {
            return Ok(());
        }
        gpu.enter()?;
        let cuda = cuda()?;
        let direct = |address: usize, source: usize, bytes: usize| {
            // SAFETY: the host's range is ours until the copy is done: see each use.
            let code = unsafe { (cuda.cuMemcpyDtoHAsync_v2)(address as *mut _, source, bytes, stream) };
            check(code, "cuMemcpyDtoHAsync")
        };
        if target.len() <= SMALL_DOWNLOAD {
            let mut small = lock(&self.small);
            let block = match &mut *small {
                Some(block) => block,
                empty => empty.insert(PinnedBlock::new(gpu, SMALL_DOWNLOAD)?),
            };
            direct(block.address(), source, target.len())?;
            wait(stream)?;
            // SAFETY: the block holds so many bytes, and the copy is done.
            unsafe {
                std::ptr::copy_nonoverlapping(block.address() as *const u8, target.as_mut_ptr(), target.len())
            };
            return faults::raise(gpu);
        }
        let address = target.as_mut_ptr() as usize;
        if target.len() <= SMALL_UPLOAD || is_pinned(address) {
            direct(address, source, target.len())?;
            wait(stream)?;
            return faults::raise(gpu);
        }
        let mut large = lock(&self.large);
        let pieces = target.len().div_ceil(BLOCK);
        places(gpu, &mut large, pieces)?;
        let (count, length) = (large.len(), target.len());
        let outcome = Mutex::new(Ok(()));
        let work = |worker: usize| {
            let place = &large[worker];
            let run = || {
                gpu.enter()?;
                for piece in (worker..pieces).step_by(count) {
                    let start = piece * BLOCK;
                    let bytes = BLOCK.min(length - start);
                    direct(place.block.address(), source + start, bytes)?;
                    place.done.record(stream)?;
                    place.done.wait()?;
                    // SAFETY: the copy into the block is done; pieces of the target do not overlap, and the target is
                    // borrowed until all workers are done.
                    unsafe {
                        let block = place.block.address() as *const u8;
                        std::ptr::copy_nonoverlapping(block, (address + start) as *mut u8, bytes)
                    };
                }
                Ok(())
            };
            keep_first(&outcome, run());
        };
        cuprum_threads::run_tasks(count, true, &work)?;
        outcome.into_inner().unwrap_or_else(|e| e.into_inner())?;
        faults::raise(gpu)
    }
}

fn keep_first(outcome: &Mutex<Result<()>>, result: Result<()>) {
    if result.is_err() {
        let mut outcome = lock(outcome);
        if outcome.is_ok() {
            *outcome = result;
        }
    }
}

fn wait(stream: usize) -> Result<()> {
    // SAFETY: the stream is alive.
    check(unsafe { (cuda()?.cuStreamSynchronize)(stream) }, "cuStreamSynchronize")
}
