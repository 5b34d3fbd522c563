//! Who touched each byte last. A page of shadow stands for 4 KiB of memory and keeps a cell for each word; it turns to
//! a cell for each byte when smaller values are touched.

use std::collections::HashMap;
use std::ops::Range;

use super::PastAccess;
use super::order::{NEVER, Order, Stamp};

const PAGE_BITS: u32 = 12;
const WORD_BITS: u32 = 2;

/// Bytes of shadow that one launch may use.
const MAX_SHADOW_BYTES: usize = 2 << 30;

/// The shadow would be too large.
pub struct ShadowTooLarge;

/// The end of the page that holds `address`.
pub fn page_end(address: u64) -> u64 {
    ((address >> PAGE_BITS) + 1) << PAGE_BITS
}

/// Last, second, other: as [`Order::remember`] keeps them.
type Recent = [Stamp; 3];

/// Whether a plain read meets an atomic, as at the beginning of a loop of compare and swap.
fn begins_a_loop(read: Stamp, atomic: Stamp) -> bool {
    !read.writes() && !read.synchronises() && atomic.synchronises()
}

#[derive(Default)]
pub struct Page {
    /// A cell stands for `1 << bits` bytes.
    bits: u32,
    /// By sort: reads, writes, volatile reads, atomics and volatile writes. Empty until there are some.
    sorts: [Vec<Recent>; 4],
}

const WRITES: usize = 1;
const ATOMICS: usize = 3;

#[derive(Default)]
pub struct Shadow {
    pages: HashMap<u64, usize>,
    all: Vec<Page>,
    /// The page that was used last.
    last: Option<(u64, usize)>,
    bytes: usize,
}

impl Shadow {
    /// The page that holds `begin..end`, with cells that are no larger than the range, ready to note an access of a sort.
    pub fn page(&mut self, begin: u64, end: u64, sort: Option<usize>) -> Result<&mut Page, ShadowTooLarge> {
        let number = begin >> PAGE_BITS;
        let at = match self.last {
            Some((last, at)) if last == number => at,
            _ => {
                let at = *self.pages.entry(number).or_insert_with(|| {
                    self.all.push(Page { bits: WORD_BITS, ..Page::default() });
                    self.all.len() - 1
                });
                self.last = Some((number, at));
                at
            }
        };
        let page = &mut self.all[at];
        let before = page.size();
        if (begin | end) & ((1 << WORD_BITS) - 1) != 0 {
            page.split();
        }
        if let Some(sort) = sort {
            page.prepare(sort);
        }
        self.bytes += page.size() - before;
        if self.bytes > MAX_SHADOW_BYTES { Err(ShadowTooLarge) } else { Ok(page) }
    }
}

impl Page {
    fn size(&self) -> usize {
        self.sorts.iter().map(|cells| cells.capacity() * size_of::<Recent>()).sum()
    }

    fn prepare(&mut self, sort: usize) {
        if self.sorts[sort].is_empty() {
            self.sorts[sort] = vec![[NEVER; 3]; 1 << (PAGE_BITS - self.bits)];
        }
    }

    /// A cell for each byte from now on.
    fn split(&mut self) {
        if self.bits == 0 {
            return;
        }
        for cells in &mut self.sorts {
            *cells = cells.iter().flat_map(|cell| std::iter::repeat_n(*cell, 1 << self.bits)).collect();
        }
        self.bits = 0;
    }

    /// The cells of a range of addresses in this page.
    pub fn cells(&self, begin: u64, end: u64) -> Range<usize> {
        let within = |address: u64| (address & ((1 << PAGE_BITS) - 1)) as usize;
        within(begin) >> self.bits..(within(end - 1) >> self.bits) + 1
    }

    /// The first address of a cell of the page that holds `near`.
    pub fn address(&self, near: u64, cell: usize) -> u64 {
        (near >> PAGE_BITS << PAGE_BITS) + ((cell as u64) << self.bits)
    }

    fn recent(&self, sort: usize, cell: usize) -> Recent {
        self.sorts[sort].get(cell).copied().unwrap_or([NEVER; 3])
    }

    /// Whether this block (this thread where `own`) has written the cell.
    pub fn initialised(&self, cell: usize, order: &Order, now: Stamp, own: bool) -> bool {
        [WRITES, ATOMICS].iter().any(|sort| {
            let [last, ..] = self.recent(*sort, cell);
            last != NEVER && order.same_block(last, now) && (!own || last.thread() == now.thread())
        })
    }

    /// An access of another thread that nothing orders with `now`; of this block alone where `shared`.
    pub fn conflict(&self, cell: usize, order: &Order, now: Stamp, shared: bool) -> Option<PastAccess> {
        (0..4).flat_map(|sort| self.recent(sort, cell)).find_map(|old| {
            let harmless = old == NEVER
                || !(old.writes() || now.writes())
                || old.synchronises() && now.synchronises()
                || !shared && (begins_a_loop(old, now) || begins_a_loop(now, old))
                || order.is_before(old, now)
                || shared && !order.same_block(old, now);
            (!harmless).then(|| order.past(old))
        })
    }

    /// Nobody has written the cell.
    pub fn forget(&mut self, cell: usize) {
        for sort in [WRITES, ATOMICS] {
            if let Some(recent) = self.sorts[sort].get_mut(cell) {
                *recent = [NEVER; 3];
            }
        }
    }

    /// Nobody has touched the cell.
    pub fn renew(&mut self, cell: usize) {
        for recent in self.sorts.iter_mut().filter_map(|sort| sort.get_mut(cell)) {
            *recent = [NEVER; 3];
        }
    }

    pub fn note(&mut self, cell: usize, order: &Order, now: Stamp) {
        order.remember(&mut self.sorts[now.sort()][cell], now);
    }
}
