//! Copies between the host and a GPU. Pageable memory goes through page-locked blocks, several at a time, so that the
//! host's copying and the GPU's overlap.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use cuprum_core::Result;
use cuprum_graph::Buffer;

use crate::capture::{check_can_end, keep_bytes};
use crate::check::{check, cuda};
use crate::context::Gpu;
use crate::faults;
use crate::memory::PinnedBlock;
use crate::queue::note_host_wait;
use crate::session::Session;
use crate::stream::Event;

/// The size of a page-locked block.
const BLOCK_BYTES: usize = 2 << 20;
/// How many there are.
const MAX_BLOCKS: usize = 16;
/// How many threads copy between them and pageable memory: more do not make it faster.
const MAX_COPIERS: usize = 6;
/// How often they look for more before others may run.
const MAX_SPINS: usize = 64;
/// Up to this size the driver's own way is the quickest to the GPU: it copies the bytes before it returns.
const DIRECT_UPLOAD_MAX_BYTES: usize = 64 << 10;
/// Up to this size bytes come from the GPU through one block kept for it.
const DIRECT_DOWNLOAD_MAX_BYTES: usize = 4 << 10;

/// Page-locked blocks of one GPU, made when they are first needed.
#[derive(Default)]
pub(crate) struct Staging {
    /// One transfer of large memory at a time: it takes all of the bus anyway.
    large: Mutex<Vec<StagingBlock>>,
    small: Mutex<Option<PinnedBlock>>,
}

struct StagingBlock {
    block: PinnedBlock,
    /// When the GPU is done with the block.
    done: Event,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// At least `wanted` places, or all there may be, with which the GPU is done.
fn places(gpu: &'static Gpu, places: &mut Vec<StagingBlock>, wanted: usize) -> Result<()> {
    while places.len() < wanted.min(MAX_BLOCKS) {
        places.push(StagingBlock {
            block: PinnedBlock::new(gpu, BLOCK_BYTES)?,
            done: Event::new(gpu, false, false)?,
        });
    }
    places.iter().try_for_each(|place| place.done.wait())
}

/// Whether the driver knows the address as page-locked memory of the host.
pub fn is_pinned(address: usize) -> bool {
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
    /// Copies bytes into a buffer of the GPU, from an offset on; they may change once this returns.
    pub(crate) fn upload(
        &self,
        session: &Session,
        target: &Buffer,
        offset: usize,
        source: &[u8],
    ) -> Result<()> {
        if source.is_empty() {
            return Ok(());
        }
        let (gpu, stream) = (session.gpu(), session.stream());
        let target = session.range(target, offset, source.len())?;
        gpu.enter()?;
        let cuda = cuda()?;
        let direct = |bytes: &[u8], target: usize| {
            // SAFETY: the target is a part of the buffer, and the bytes outlive the copy: see each use.
            let code =
                unsafe { (cuda.cuMemcpyHtoDAsync_v2)(target, bytes.as_ptr().cast(), bytes.len(), stream) };
            check(code, "cuMemcpyHtoDAsync")
        };
        // SAFETY: the session's stream is alive.
        if let Some(kept) = unsafe { keep_bytes(gpu, stream, source) }? {
            // SAFETY: a copy of the bytes, as long as the graph whose launches read it.
            return direct(unsafe { std::slice::from_raw_parts(kept as *const u8, source.len()) }, target);
        }
        if source.len() <= DIRECT_UPLOAD_MAX_BYTES {
            // The driver copies pageable memory of this size before it returns; page-locked memory it reads later.
            direct(source, target)?;
            return if is_pinned(source.as_ptr() as usize) { wait(session) } else { Ok(()) };
        }
        if is_pinned(source.as_ptr() as usize) {
            direct(source, target)?;
            return wait(session);
        }
        let mut large = lock(&self.large);
        let pieces = source.len().div_ceil(BLOCK_BYTES);
        places(gpu, &mut large, pieces)?;
        // SAFETY: the source is borrowed until the relay has run.
        let relay = unsafe { Relay::new(source.as_ptr() as usize, source.len(), true, &large) };
        let drive = || {
            gpu.enter()?;
            let (mut sent, mut read) = (0, 0);
            while sent < pieces {
                // The blocks that the GPU has read may be filled anew.
                while read < sent && large[read % large.len()].done.is_done()? {
                    read += 1;
                }
                relay.open(read + large.len());
                if !relay.is_copied(sent) {
                    relay.help();
                    continue;
                }
                let (start, bytes) = relay.range(sent);
                let place = &large[sent % large.len()];
                // SAFETY: the block is as large as a piece, filled, and not filled anew before the event is reached.
                let staged = unsafe { std::slice::from_raw_parts(place.block.address() as *const u8, bytes) };
                direct(staged, target + start)?;
                // SAFETY: the stream of the session that copies.
                unsafe { place.done.record(stream)? };
                sent += 1;
            }
            Ok(())
        };
        relay.run(&drive)
    }

    /// Copies bytes of a buffer, from an offset on, to the host, after the stream's work so far.
    pub(crate) fn download(
        &self,
        session: &Session,
        source: &Buffer,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        if target.is_empty() {
            return Ok(());
        }
        let (gpu, stream) = (session.gpu(), session.stream());
        let source = session.range(source, offset, target.len())?;
        // SAFETY: the session's stream is alive.
        unsafe { check_can_end(stream, "get")? };
        gpu.enter()?;
        let cuda = cuda()?;
        let direct = |address: usize, source: usize, bytes: usize| {
            // SAFETY: the source is a part of the buffer; the host's range is ours until the copy is done: see each use.
            let code = unsafe { (cuda.cuMemcpyDtoHAsync_v2)(address as *mut _, source, bytes, stream) };
            check(code, "cuMemcpyDtoHAsync")
        };
        if target.len() <= DIRECT_DOWNLOAD_MAX_BYTES {
            let mut small = lock(&self.small);
            let block = match &mut *small {
                Some(block) => block,
                empty => empty.insert(PinnedBlock::new(gpu, DIRECT_DOWNLOAD_MAX_BYTES)?),
            };
            direct(block.address(), source, target.len())?;
            wait(session)?;
            // SAFETY: the block holds so many bytes, and the copy is done.
            unsafe {
                std::ptr::copy_nonoverlapping(block.address() as *const u8, target.as_mut_ptr(), target.len())
            };
            return faults::raise(gpu);
        }
        let address = target.as_mut_ptr() as usize;
        if target.len() <= DIRECT_UPLOAD_MAX_BYTES || is_pinned(address) {
            direct(address, source, target.len())?;
            wait(session)?;
            return faults::raise(gpu);
        }
        let mut large = lock(&self.large);
        let pieces = target.len().div_ceil(BLOCK_BYTES);
        places(gpu, &mut large, pieces)?;
        // SAFETY: the target is borrowed until the relay has run.
        let relay = unsafe { Relay::new(address, target.len(), false, &large) };
        let drive = || {
            gpu.enter()?;
            let (mut asked, mut arrived) = (0, 0);
            while arrived < pieces {
                // A block whose last piece was copied out of it takes the next.
                while asked < pieces && (asked < large.len() || relay.is_copied(asked - large.len())) {
                    let (start, bytes) = relay.range(asked);
                    let place = &large[asked % large.len()];
                    direct(place.block.address(), source + start, bytes)?;
                    // SAFETY: the stream of the session that copies.
                    unsafe { place.done.record(stream)? };
                    asked += 1;
                }
                if arrived < asked && large[arrived % large.len()].done.is_done()? {
                    arrived += 1;
                    relay.open(arrived);
                } else {
                    relay.help();
                }
            }
            while !relay.is_done() {
                relay.help();
            }
            Ok(())
        };
        relay.run(&drive)?;
        faults::raise(gpu)
    }
}

/// Copies between pageable memory and page-locked blocks, piece by piece: piece `p` goes through block `p % blocks`. One
/// thread drives the GPU and says which pieces may be copied; others copy them, or the driving one where there are none.
struct Relay<'a> {
    /// The pageable memory.
    address: usize,
    length: usize,
    /// Whether pieces go into the blocks.
    fills: bool,
    places: &'a [StagingBlock],
    pieces: usize,
    /// The next piece that nobody has taken.
    next: AtomicUsize,
    /// Pieces before this one may be copied.
    opened: AtomicUsize,
    copied: Vec<AtomicBool>,
    /// How many threads copy.
    copiers: AtomicUsize,
    over: AtomicBool,
}

impl<'a> Relay<'a> {
    /// # Safety
    /// While the relay runs, `length` bytes at `address` may be read, and written unless they fill the blocks.
    unsafe fn new(address: usize, length: usize, fills: bool, places: &'a [StagingBlock]) -> Relay<'a> {
        let pieces = length.div_ceil(BLOCK_BYTES);
        Relay {
            address,
            length,
            fills,
            places,
            pieces,
            next: AtomicUsize::new(0),
            opened: AtomicUsize::new(0),
            copied: (0..pieces).map(|_| AtomicBool::new(false)).collect(),
            copiers: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// Where a piece begins, and its length.
    fn range(&self, piece: usize) -> (usize, usize) {
        let start = piece * BLOCK_BYTES;
        (start, BLOCK_BYTES.min(self.length - start))
    }

    /// Lets pieces before `piece` be copied.
    fn open(&self, piece: usize) {
        self.opened.store(piece, Ordering::Release);
    }

    fn is_copied(&self, piece: usize) -> bool {
        self.copied[piece].load(Ordering::Acquire)
    }

    fn is_done(&self) -> bool {
        self.copied.iter().all(|copied| copied.load(Ordering::Acquire))
    }

    /// Copies one piece, if one is waiting to be copied.
    fn copy_one(&self) -> bool {
        let most = self.opened.load(Ordering::Acquire).min(self.pieces);
        let take = |next| (next < most).then_some(next + 1);
        let Ok(piece) = self.next.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take) else {
            return false;
        };
        let (start, bytes) = self.range(piece);
        let (block, memory) = (self.places[piece % self.places.len()].block.address(), self.address + start);
        let (to, from) = if self.fills { (block, memory) } else { (memory, block) };
        // SAFETY: the piece was opened, so the GPU is done with its block, and taken by us alone; pieces do not overlap, and
        // whoever made the relay vouches for the pageable memory.
        unsafe { copy_past_caches(to as *mut u8, from as *const u8, bytes) };
        self.copied[piece].store(true, Ordering::Release);
        true
    }

    /// Lets the thread that drives the GPU copy pieces while it has nothing else to do.
    fn help(&self) {
        if self.copiers.load(Ordering::Relaxed) == 0 {
            self.copy_one();
        } else {
            std::hint::spin_loop();
        }
    }

    /// Runs `drive` on one thread, and copies on others.
    fn run(&self, drive: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        let outcome = Mutex::new(Ok(()));
        // Tasks begin in their order: who copies can rely on somebody driving.
        let work = |task: usize| {
            if task == 0 {
                let _ends = DoneOnDrop(&self.over);
                *lock(&outcome) = drive();
                return;
            }
            self.copiers.fetch_add(1, Ordering::Relaxed);
            let mut idle = 0usize;
            while self.next.load(Ordering::Relaxed) < self.pieces && !self.over.load(Ordering::Acquire) {
                if self.copy_one() {
                    continue;
                }
                // Whoever drives may be waiting for this very core.
                idle += 1;
                if idle.is_multiple_of(MAX_SPINS) { std::thread::yield_now() } else { std::hint::spin_loop() }
            }
            self.copiers.fetch_sub(1, Ordering::Relaxed);
        };
        cuprum_threads::run_tasks(1 + MAX_COPIERS.min(self.pieces - 1), true, &work)?;
        outcome.into_inner().unwrap_or_else(|e| e.into_inner())
    }
}

/// Says that nothing is driven any more, even where driving panics.
struct DoneOnDrop<'a>(&'a AtomicBool);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Copies bytes without reading the target's lines into the caches first, where the machine can.
///
/// # Safety
/// Both ranges exist, nobody else uses the target, and they do not overlap.
unsafe fn copy_past_caches(to: *mut u8, from: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
        const LINE: usize = 64;
        let head = to.align_offset(LINE).min(bytes);
        let lines = (bytes - head) / LINE;
        // SAFETY: all offsets lie in the ranges; stores of 16 bytes begin at multiples of it. The fence orders these stores
        // before whatever tells others of them.
        unsafe {
            std::ptr::copy_nonoverlapping(from, to, head);
            for line in 0..lines {
                let at = head + line * LINE;
                let source = from.add(at).cast::<__m128i>();
                let target = to.add(at).cast::<__m128i>();
                let (a, b) = (_mm_loadu_si128(source), _mm_loadu_si128(source.add(1)));
                let (c, d) = (_mm_loadu_si128(source.add(2)), _mm_loadu_si128(source.add(3)));
                _mm_stream_si128(target, a);
                _mm_stream_si128(target.add(1), b);
                _mm_stream_si128(target.add(2), c);
                _mm_stream_si128(target.add(3), d);
            }
            let at = head + lines * LINE;
            std::ptr::copy_nonoverlapping(from.add(at), to.add(at), bytes - at);
            _mm_sfence();
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the caller vouches for the ranges.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, bytes);
    }
}

fn wait(session: &Session) -> Result<()> {
    note_host_wait();
    // SAFETY: the session's stream is alive.
    check(unsafe { (cuda()?.cuStreamSynchronize)(session.stream()) }, "cuStreamSynchronize")
}
