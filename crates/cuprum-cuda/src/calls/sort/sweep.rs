//! Long rows: one kernel counts all digits, then each digit is one pass over the elements.

use cuprum_core::{DType, Result};

use super::{RADIX, SortResult, SortRows, arg_text, ordered};
use crate::launch::LaunchArgs;
use crate::session::Session;

const DIGITS: usize = 256;
/// From this row length on, counts and positions take 64 bits: two bits of a count are flags.
pub(super) const WIDE_COUNTS_MIN_ROW: usize = 1 << 30;
/// Blocks of a multiprocessor that the counting is shared out to: as many as run at once, since each adds its counts to the
/// others' in the end.
const COUNTING_BLOCKS_PER_MULTIPROCESSOR: usize = 4;

/// What the kernels' text depends on.
#[derive(Clone, Copy)]
pub(super) struct SweepVariant {
    pub dtype: DType,
    pub what: SortResult,
    pub is_long: bool,
}

impl SweepVariant {
    pub fn new(dtype: DType, what: SortResult, is_long: bool) -> SweepVariant {
        SweepVariant { dtype, what, is_long }
    }

    /// How many digits are sorted by, from the lowest on: one for each byte of an element.
    fn places(self) -> usize {
        self.dtype.size()
    }

    fn count_size(self) -> usize {
        if self.is_long { 8 } else { 4 }
    }

    /// Threads of a block, and how many blocks a multiprocessor is to hold: more and smaller ones where a thread's
    /// elements are few bytes.
    pub fn block(self) -> (usize, usize) {
        if self.what == SortResult::Elements && self.dtype.size() <= 4 { (384, 3) } else { (512, 2) }
    }

    /// Elements that a thread takes: 64 bytes of them at most.
    fn items(self) -> usize {
        let positions = if self.what == SortResult::Positions { self.count_size() } else { 0 };
        (64 / self.dtype.size().max(positions)).min(16)
    }

    /// Tiles of a row, and bytes of the board on which those of all rows publish their counts.
    pub fn tiles(self, rows: &SortRows) -> (usize, usize) {
        let tiles = rows.length.div_ceil(self.block().0 * self.items());
        (tiles, rows.rows * tiles * DIGITS * self.count_size())
    }

    pub fn variant(self) -> [u32; 3] {
        [self.dtype as u32, u32::from(self.what == SortResult::Positions), u32::from(self.is_long)]
    }

    pub fn text(self) -> String {
        self.text_behind(&ordered(self.dtype))
    }

    /// The text behind another that defines the elements and their order.
    pub fn text_behind(self, head: &str) -> String {
        let (threads, blocks) = self.block();
        format!(
            "{head}{}#define ITEMS {}\n#define THREADS {threads}\n#define BLOCKS {blocks}\n#define PLACES {}\ntypedef {} Count;\n{RADIX}{}",
            arg_text(self.what),
            self.items(),
            self.places(),
            if self.is_long { "u64" } else { "u32" },
            include_str!("../../kernels/sort_sweep.cu")
        )
    }
}

pub(super) fn sort(session: &Session, rows: &SortRows) -> Result<()> {
    sort_by(session, rows, SweepVariant::new(rows.input.dtype, rows.what, rows.length >= WIDE_COUNTS_MIN_ROW))
}

pub(super) fn sort_by(session: &Session, rows: &SortRows, plan: SweepVariant) -> Result<()> {
    let aside = match rows.what {
        SortResult::Elements => None,
        SortResult::Positions => Some(session.scratch(rows.rows * rows.length * rows.input.dtype.size())?),
    };
    let target = aside.as_ref().map_or(session.address(rows.out), |buffer| buffer.address());
    let kernel = |entry: &'static str| session.kernel(entry, &plan.variant(), || plan.text());
    let (places, size, n) = (plan.places(), rows.input.dtype.size(), rows.rows * rows.length);
    let copy = rows.input_aside(session)?;
    let source = session.address(copy.as_ref().unwrap_or(rows.input));

    let (threads, _) = plan.block();
    let (tiles_per_row, board_bytes) = plan.tiles(rows);
    let tiles = rows.rows * tiles_per_row;
    // Counts, tickets (of each pass, of each row's counting) and the first status board are cleared together; the second
    // board by the first pass.
    let counts_bytes = rows.rows * places * DIGITS * plan.count_size();
    let tickets_bytes = ((places + rows.rows) * 4).next_multiple_of(16);
    let work = session.scratch(counts_bytes + tickets_bytes + 2 * board_bytes)?;
    let counts = work.address();
    let tickets = counts + counts_bytes;
    let boards = [tickets + tickets_bytes, tickets + tickets_bytes + board_bytes];
    session.set_bytes(&work, 0, 0, counts_bytes + tickets_bytes + board_bytes)?;
    let passes = session.scratch(rows.rows * (places + 1) * 4)?;

    let per_block = n
        .div_ceil(COUNTING_BLOCKS_PER_MULTIPROCESSOR * session.gpu().multiprocessors as usize)
        .next_multiple_of(threads)
        .clamp(4 * threads, 1 << 20);
    let chunks = rows.length.div_ceil(per_block);
    let mut args = LaunchArgs::new();
    args.pointer(source).u64(rows.length as u64).u32(per_block as u32).u32(chunks as u32).pointer(counts);
    args.pointer(tickets + 4 * places).pointer(passes.address());
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("sort_count")?, (rows.rows * chunks) as u32, threads as u32, &args) }?;

    // Elements go back and forth between two buffers; the last pass writes elements to the first of them, which is the
    // result, or positions alone.
    let spare = session.scratch(n * size)?;
    let (orders, result);
    match rows.what {
        SortResult::Elements => (orders, result) = (None, 0),
        SortResult::Positions => {
            let bytes = n * plan.count_size();
            orders = Some((session.scratch(bytes)?, session.scratch(bytes)?));
            result = session.address(rows.out);
        }
    }
    let order = orders.as_ref().map_or([0, 0], |(a, b)| [a.address(), b.address()]);
    let pass = kernel("sort_pass")?;
    for place in 0..places {
        let mut args = LaunchArgs::new();
        args.pointer(source).pointer(target).pointer(spare.address());
        args.pointer(order[0]).pointer(order[1]).pointer(result);
        args.u64(rows.length as u64).u32(tiles_per_row as u32).u32(place as u32);
        args.pointer(counts).pointer(passes.address());
        args.pointer(boards[place % 2]).pointer(boards[(place + 1) % 2]).pointer(tickets + 4 * place);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(pass, tiles as u32, threads as u32, &args) }?;
    }
    Ok(())
}
