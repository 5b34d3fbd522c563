//! Elements at given places of long rows, without a sort: a few launches find them digit by digit, and one more splits the
//! rows around them where that is asked for.

use cuprum_core::{DType, Result};
use cuprum_graph::{Buffer, Slot};

use super::{SortResult, SortRows, arg_text, ordered, sweep, targets};
use crate::launch::LaunchArgs;
use crate::session::Session;

const SPLIT: &str = include_str!("../../kernels/split_targets.cuh");
const LOOKBACK: &str = include_str!("../../kernels/lookback.cuh");
/// Threads of a block that counts, and how many blocks a multiprocessor holds: few, since each adds its counts to the
/// others' in the end.
const THREADS: usize = 1024;
const BLOCKS_PER_MULTIPROCESSOR: usize = 1;
/// The same for splitting around one element.
const SPLIT_THREADS: usize = 512;
const SPLIT_BLOCKS_PER_MULTIPROCESSOR: usize = 2;
/// Shorter rows are sorted, which takes less time.
const KTH_MIN_ROW: usize = 1 << 17;
/// Places that can be asked for: with few, digits have more bits.
const WIDE_DIGIT_MAX_PLACES: usize = 3;
const MAX_PLACES: usize = 12;

/// What the kernels' text depends on.
#[derive(Clone, Copy)]
pub(super) struct KthVariant {
    pub dtype: DType,
    pub is_few: bool,
}

impl KthVariant {
    fn new(dtype: DType, places: usize) -> KthVariant {
        KthVariant { dtype, is_few: places <= WIDE_DIGIT_MAX_PLACES }
    }

    fn targets(self) -> usize {
        if self.is_few { WIDE_DIGIT_MAX_PLACES } else { MAX_PLACES }
    }

    /// Bits of an element's rank.
    fn bits(self) -> usize {
        8 * self.dtype.size()
    }

    /// Bits of the first digit: many, since what goes on after it is written and read again.
    fn first(self) -> usize {
        self.bits().min(if self.dtype.size() == 8 { 13 } else { 12 })
    }

    /// Bits of the second: fewer than those of others, while elements are many.
    fn second(self) -> usize {
        let rest = self.bits() - self.first();
        let others = self.others() * self.launches().saturating_sub(1);
        (rest - others).max(rest.min(6))
    }

    /// Bits of the others, at most.
    fn others(self) -> usize {
        if self.is_few { 11 } else { 9 }
    }

    /// Launches after the first.
    fn launches(self) -> usize {
        (self.bits() - self.first()).div_ceil(self.others())
    }

    /// Bytes of what is known of a row, of its counts, and of what it is split by: `Row`, `TABLE` and `Split` in the text.
    fn sizes(self) -> [usize; 3] {
        let (targets, key) = (self.targets(), if self.dtype.size() == 8 { 8 } else { 4 });
        let row = (2 + targets) * key + (3 * targets + 7) * 4;
        let split = targets * key + (2 * targets + 2) * 4;
        let table = 4 * (1 << self.first()).max(targets << self.others());
        [row.next_multiple_of(key), table, split.next_multiple_of(key)]
    }

    fn variant(self) -> [u32; 2] {
        [self.dtype as u32, u32::from(self.is_few)]
    }

    fn head(self) -> String {
        format!(
            "{}#define KEY {}\n#define TARGETS {}\n{SPLIT}",
            ordered(self.dtype),
            if self.dtype.size() == 8 { "u64" } else { "u32" },
            self.targets(),
        )
    }

    pub fn text(self) -> String {
        format!(
            "{}#define FIRST {}\n#define SECOND {}\n#define BITS {}\n#define THREADS {THREADS}\n#define BLOCKS {BLOCKS_PER_MULTIPROCESSOR}\n{}",
            self.head(),
            self.first(),
            self.second(),
            self.others(),
            include_str!("../../kernels/select_kth.cu")
        )
    }

    /// For rows that are split around one element.
    pub fn split_text(self, what: SortResult) -> String {
        format!(
            "{}{}#define ITEMS {}\n#define THREADS {SPLIT_THREADS}\n#define BLOCKS {SPLIT_BLOCKS_PER_MULTIPROCESSOR}\n{LOOKBACK}{}",
            self.head(),
            arg_text(what),
            self.items(),
            include_str!("../../kernels/partition_rows.cu")
        )
    }

    /// For rows that are split around several: a pass of the sort.
    pub fn pass_text(self, what: SortResult) -> String {
        let head = format!("#define SPLIT\n{}", self.head());
        sweep::SweepVariant::new(self.dtype, what, false).text_behind(&head)
    }

    /// Elements that a thread takes which splits around one.
    fn items(self) -> usize {
        (64 / self.dtype.size()).min(16)
    }
}

/// Whether finding the elements at these places takes less time than sorting the rows.
pub(super) fn suits(dtype: DType, length: usize, kth: &[usize]) -> bool {
    !dtype.is_complex()
        && (KTH_MIN_ROW..sweep::WIDE_COUNTS_MIN_ROW).contains(&length)
        && (1..=MAX_PLACES).contains(&kth.len())
}

/// The elements at places of each row, ascending, each once: for each row, one for each place.
pub(super) fn elements(session: &Session, rows: &SortRows, kth: &[usize]) -> Result<()> {
    find(session, rows, kth, Some(rows.out), 0).map(drop)
}

/// Rows, or the positions of their elements, split around the elements at places.
pub(super) fn split(session: &Session, rows: &SortRows, kth: &[usize]) -> Result<()> {
    let copy = rows.input_aside(session)?;
    let rows = SortRows { input: copy.as_ref().unwrap_or(rows.input), ..*rows };
    match kth {
        [place] => split_around_one(session, &rows, *place),
        _ => split_around_several(session, &rows, kth),
    }
}

fn split_around_one(session: &Session, rows: &SortRows, place: usize) -> Result<()> {
    let plan = KthVariant::new(rows.input.dtype, 1);
    let tiles = rows.length.div_ceil(SPLIT_THREADS * plan.items());
    let found = find(session, rows, &[place], None, rows.rows * tiles * 8)?;
    let variant = [rows.input.dtype as u32, u32::from(rows.what == SortResult::Positions)];
    let kernel = session.kernel("split_rows", &variant, || plan.split_text(rows.what))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(rows.input));
    targets(session, &mut args, rows);
    args.u64(rows.length as u64).u32(tiles as u32);
    args.pointer(found.splits).pointer(found.board).pointer(found.ticket);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, (rows.rows * tiles) as u32, SPLIT_THREADS as u32, &args) }
}

fn split_around_several(session: &Session, rows: &SortRows, kth: &[usize]) -> Result<()> {
    let plan = KthVariant::new(rows.input.dtype, kth.len());
    let pass = sweep::SweepVariant::new(rows.input.dtype, rows.what, false);
    let (tiles, board_bytes) = pass.tiles(rows);
    let found = find(session, rows, kth, None, board_bytes)?;
    let [dtype, is_few] = plan.variant();
    // A pass of a sort has variants of fewer numbers.
    let variant = [dtype, is_few, u32::from(rows.what == SortResult::Positions), 1];
    let kernel = session.kernel("sort_pass", &variant, || plan.pass_text(rows.what))?;
    let (target, result) = match rows.what {
        SortResult::Elements => (session.address(rows.out), 0),
        SortResult::Positions => (0, session.address(rows.out)),
    };
    let mut args = LaunchArgs::new();
    args.pointer(session.address(rows.input))
        .pointer(target)
        .pointer(0)
        .pointer(0)
        .pointer(0)
        .pointer(result);
    args.u64(rows.length as u64).u32(tiles as u32).u32(0).pointer(0).pointer(found.splits);
    args.pointer(found.board).pointer(0).pointer(found.ticket);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, (rows.rows * tiles) as u32, pass.block().0 as u32, &args) }
}

/// What a search leaves: what each row is split by, and cleared memory behind a cleared ticket.
struct KthSearch {
    splits: usize,
    ticket: usize,
    board: usize,
    _work: Buffer,
}

/// Finds the elements at places, which go to `out` or to [`KthSearch::splits`]; beside that, clears memory for what follows.
fn find(
    session: &Session,
    rows: &SortRows,
    kth: &[usize],
    out: Option<&Slot>,
    board_bytes: usize,
) -> Result<KthSearch> {
    debug_assert!((1..=MAX_PLACES).contains(&kth.len()));
    let (plan, size) = (KthVariant::new(rows.input.dtype, kth.len()), rows.input.dtype.size());
    let kernel = |entry| session.kernel(entry, &plan.variant(), || plan.text());
    let [row, table, split] = plan.sizes().map(|bytes| rows.rows * bytes);
    let row = row.next_multiple_of(16);
    // States, counts, the ticket and the board are cleared together.
    let cleared = row + table + 16 + board_bytes;
    let work = session.scratch(cleared + split)?;
    let states = work.address();
    let (tables, ticket) = (states + row, states + row + table);
    let board = ticket + 16;
    let splits = board + board_bytes;
    session.set_bytes(&work, 0, 0, cleared)?;

    let n = rows.rows * rows.length;
    let chunk = n
        .div_ceil(BLOCKS_PER_MULTIPROCESSOR * session.gpu().multiprocessors as usize)
        .next_multiple_of(THREADS)
        .clamp(4 * THREADS, 1 << 20);
    let chunks = rows.length.div_ceil(chunk);
    let blocks = rows.rows * chunks;
    let mut places = [0u64; MAX_PLACES];
    for (place, k) in places.iter_mut().zip(kth) {
        *place = *k as u64;
    }
    let bytes: Vec<u8> = places[..plan.targets()].iter().flat_map(|place| place.to_ne_bytes()).collect();
    let mut args = LaunchArgs::new();
    args.pointer(session.address(rows.input)).u64(rows.length as u64).u32(chunk as u32).u32(chunks as u32);
    args.pointer(states).pointer(tables).bytes(&bytes).u32(kth.len() as u32);
    args.pointer(out.map_or(0, |slot| session.address(slot))).pointer(if out.is_some() { 0 } else { splits });
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("kth_first")?, blocks as u32, THREADS as u32, &args) }?;
    if plan.launches() > 0 {
        let (kept, counts) = (session.scratch(n * size)?, session.scratch(blocks * 4)?);
        args.pointer(kept.address()).pointer(counts.address());
        let next = kernel("kth_next")?;
        for _ in 0..plan.launches() {
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(next, blocks as u32, THREADS as u32, &args) }?;
        }
    }
    Ok(KthSearch { splits, ticket, board, _work: work })
}
