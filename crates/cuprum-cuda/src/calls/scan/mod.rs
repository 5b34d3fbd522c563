//! Running sums, products and folds. Long lines are scanned in one pass by tiles that look at each other's totals, short
//! ones by a warp or a thread each; the order in which elements are joined follows from the shape alone.

#[cfg(test)]
mod tests;
pub(super) mod text;

use cuprum_core::Result;
use cuprum_graph::{Buffer, ScanOp, Slot};

use crate::context::Gpu;
use crate::launch::LaunchArgs;
use crate::session::Session;
use text::Scan;

/// The longest line that one warp scans, in general and where there are few lines.
const WARP_MAX_LINE: usize = 4096;
const FEW_LINES_WARP_MAX: usize = 512;
/// This many lines keep a GPU busy with a warp each.
const WARPS_MIN_LINES: usize = 1024;
/// The longest line that one thread scans though its elements are neighbours.
const THREAD_MAX_LINE: usize = 16;
/// How many threads fill a large GPU.
const WANTED_THREADS: usize = 1 << 18;
/// The shortest segment that a line is cut into, and the most segments of a line: one thread goes through them.
const SEGMENT_MIN: usize = 16;
const MAX_SEGMENTS: usize = 512;
/// Up to this many lines that are not dense, of at least this length, are brought side by side.
const TRANSPOSED_MAX_LINES: usize = 2048;
const TRANSPOSED_MIN_LENGTH: usize = 1 << 15;
const THREADS: usize = 256;
/// Where lines are scanned in tiles: threads of a block, of which a multiprocessor has one, and tiles in its shared memory.
const TILE_THREADS: usize = 512;
const TILE_SLOTS: usize = 3;
const WARPS: usize = THREADS / 32;

pub(super) fn run(session: &Session, op: ScanOp, input: &Slot, out: &Slot, axis: usize) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    // Axes are taken in the order in which `out` nests them, so that Fortran order needs no copy.
    let mut order = out.layout.nesting();
    let place = order.iter().position(|&a| a == axis).expect("the nesting holds every axis");
    let shape = out.layout.permute(&order).shape;
    let mut lines = ScanLines::new(&shape, place);
    if lines.inner > 1
        && lines.outer * lines.inner <= TRANSPOSED_MAX_LINES
        && lines.length >= TRANSPOSED_MIN_LENGTH
    {
        order.remove(place);
        order.push(axis);
        lines = ScanLines { outer: lines.outer * lines.inner, inner: 1, ..lines };
    }
    let [input, out] = [input, out].map(|slot| Slot { layout: slot.layout.permute(&order), ..slot.clone() });
    let input = session.dense(&input)?;
    session.with_dense_out(&out, |out| {
        let Some(scan) = Scan::new(op, out.dtype)? else {
            return fold(session, op, &input, out, &lines);
        };
        let by_warp = if lines.outer >= WARPS_MIN_LINES || scan.is_in_turn() {
            WARP_MAX_LINE
        } else {
            FEW_LINES_WARP_MAX
        };
        if lines.inner > 1 || lines.length <= THREAD_MAX_LINE {
            by_threads(session, scan, &input, out, &lines)
        } else if lines.length <= by_warp {
            by_warps(session, scan, &input, out, &lines)
        } else {
            by_tiles(session, scan, &input, out, &lines)
        }
    })
}

/// An array seen as lines along an axis: how many elements lie before, along and inside it.
#[derive(Clone, Copy)]
struct ScanLines {
    outer: usize,
    length: usize,
    inner: usize,
}

impl ScanLines {
    fn new(shape: &[usize], axis: usize) -> ScanLines {
        ScanLines {
            outer: shape[..axis].iter().product(),
            length: shape[axis],
            inner: shape[axis + 1..].iter().product(),
        }
    }

    /// The lines cut into segments, as the kernels' struct.
    fn cut(&self, part: usize) -> [u8; 40] {
        let mut bytes = [0; 40];
        let fields = [self.outer, self.length, self.inner, part, self.length.div_ceil(part)];
        for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&(field as u64).to_ne_bytes());
        }
        bytes
    }
}

fn blocks(threads: usize) -> u32 {
    threads.div_ceil(THREADS) as u32
}

/// A thread a line, or a segment of one where the lines alone would leave most of the GPU idle.
fn by_threads(session: &Session, scan: Scan, input: &Slot, out: &Slot, lines: &ScanLines) -> Result<()> {
    let (from, to) = (session.address(input), session.address(out));
    let columns = lines.outer * lines.inner;
    let wanted = WANTED_THREADS.div_ceil(columns).min(lines.length.div_ceil(SEGMENT_MIN)).min(MAX_SEGMENTS);
    let wanted = if scan.is_in_turn() && lines.length <= WARP_MAX_LINE { 1 } else { wanted };
    let part = lines.length.div_ceil(wanted);
    let parts = lines.length.div_ceil(part);
    let kernel = |entry| session.kernel(entry, &scan.variant(), || scan.lines_text());
    let mut carries: Option<Buffer> = None;
    let shape = lines.cut(part);
    if parts > 1 {
        let totals = session.scratch(columns * parts * scan.accumulator_size())?;
        let mut args = LaunchArgs::new();
        args.pointer(from).bytes(&shape).pointer(totals.address());
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel("scan_totals")?, blocks(columns * parts), THREADS as u32, &args) }?;
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel("scan_carries")?, blocks(columns), THREADS as u32, &args) }?;
        carries = Some(totals);
    }
    let mut args = LaunchArgs::new();
    args.pointer(from).pointer(to).bytes(&shape);
    args.pointer(carries.as_ref().map_or(0, |buffer| buffer.address()));
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("scan_segments")?, blocks(columns * parts), THREADS as u32, &args) }
}

fn by_warps(session: &Session, scan: Scan, input: &Slot, out: &Slot, lines: &ScanLines) -> Result<()> {
    let (from, to) = (session.address(input), session.address(out));
    let kernel = session.kernel("scan_rows", &scan.variant(), || scan.lines_text())?;
    let mut args = LaunchArgs::new();
    args.pointer(from).pointer(to).u64(lines.outer as u64).u32(lines.length as u32);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, lines.outer.div_ceil(WARPS) as u32, THREADS as u32, &args) }
}

/// Packs of 16 bytes that each thread of a tile takes: an odd number for which there is shared memory.
fn packs(gpu: &Gpu) -> usize {
    const STATIC_SHARED: usize = 1 << 10;
    let most = (gpu.shared_memory as usize).saturating_sub(STATIC_SHARED) / (TILE_SLOTS * TILE_THREADS * 16);
    [9, 7, 5, 3].into_iter().find(|&packs| packs <= most).unwrap_or(1)
}

fn by_tiles(session: &Session, scan: Scan, input: &Slot, out: &Slot, lines: &ScanLines) -> Result<()> {
    let (from, to) = (session.address(input), session.address(out));
    let packs = packs(session.gpu());
    let kernel = session.kernel("scan_chain", &scan.variant(), || scan.chain_text(packs))?;
    let tiles = lines.length.div_ceil(scan.tile(packs));
    let all = lines.outer * tiles;
    // The ticket comes behind the board, and is cleared with it. A tile alone has no use for the board.
    let shared = if tiles > 1 { all } else { 0 };
    let board_bytes = shared * scan.accumulator_size().div_ceil(4) * 8;
    let board = session.scratch(board_bytes + 16)?;
    session.set_bytes(&board, 0, 0, board_bytes + 16)?;
    let bytes = lines.length * scan.dtype.size();
    let is_aligned = [from, to].iter().all(|address| address.is_multiple_of(16))
        && (lines.outer == 1 || bytes.is_multiple_of(16));
    let mut shape = [0; 24];
    shape[..8].copy_from_slice(&(lines.length as u64).to_ne_bytes());
    for (place, field) in shape[8..].chunks_exact_mut(4).zip([tiles, all, usize::from(is_aligned)]) {
        place.copy_from_slice(&(field as u32).to_ne_bytes());
    }
    let mut args = LaunchArgs::new();
    args.pointer(from).pointer(to).bytes(&shape);
    args.pointer(board.address()).pointer(board.address() + board_bytes);
    let grid = all.min(session.gpu().multiprocessors as usize) as u32;
    let memory = (TILE_SLOTS * TILE_THREADS * 16 * packs) as u32;
    session.allow_shared(kernel, memory)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch_shaped(kernel, [grid, 1, 1], [TILE_THREADS as u32, 1, 1], memory, &args) }
}

/// An op that has to be applied from left to right.
fn fold(session: &Session, op: ScanOp, input: &Slot, out: &Slot, lines: &ScanLines) -> Result<()> {
    let op = op.op();
    let kernel =
        session.kernel("scan_fold", &[op as u32, out.dtype as u32], || text::fold_text(op, out.dtype))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out));
    args.u64(lines.outer as u64).u64(lines.length as u64).u64(lines.inner as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, (lines.outer * lines.inner).div_ceil(128) as u32, 128, &args) }
}
