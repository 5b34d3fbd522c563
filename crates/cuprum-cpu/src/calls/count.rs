//! Counting by value and between edges, and sums of weights.
//!
//! Tasks fill tables of their own, which are added up in order: neither counts nor sums depend on the number of threads.
//! The tables of a wave of tasks exist at a time, so that many bins do not take memory without bound.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Error, Result, SimdLevel};
use cuprum_graph::{CountCall, Slot};

use super::locate::{Locator, RealOrdered, UNSURE};
use super::{PARALLEL_MIN, dense, elements, start, with_dense_out};
use cuprum_threads::{Shared, run_tasks};

/// The fewest elements of a block; weights are summed within blocks of this size by NumPy's `histogram` too.
const BLOCK_MIN_ELEMENTS: usize = 1 << 16;
/// The most table entries of a wave, unless a few tables are larger.
const WAVE_MAX_ENTRIES: usize = 1 << 20;
/// The fewest tables of a wave: some for every thread.
const WAVE_MIN_TABLES: usize = 8;
/// Elements whose bins are found before they are counted.
const BATCH_ELEMENTS: usize = if cfg!(miri) { 64 } else { 512 };
/// With at most this many bins, elements are counted in several tables in turn: counting the same bin again and again
/// would wait for the store before.
const ROTATED_MAX_BINS: usize = 256;
/// How many tables that are.
const ROTATED_TABLES: usize = 4;

pub(super) fn count(call: &CountCall<'_>, level: SimdLevel) -> Result<()> {
    match *call {
        CountCall::Occurrences { values, weights, out } => {
            let values = dense(values)?;
            match values.dtype.size() {
                1 if values.dtype == DType::Bool => {
                    tally(&BinNumbers::<CountedBool>(elements(&values)), weights, out)
                }
                1 => tally(&BinNumbers::<u8>(elements(&values)), weights, out),
                2 => tally(&BinNumbers::<u16>(elements(&values)), weights, out),
                4 => tally(&BinNumbers::<u32>(elements(&values)), weights, out),
                _ => tally(&BinNumbers::<u64>(elements(&values)), weights, out),
            }
        }
        CountCall::Histogram { values, edges, weights, out } => {
            let (values, edges) = (dense(values)?, dense(edges)?);
            match values.dtype {
                DType::F64 => tally(&EdgeBins::<f64>::new(&values, &edges, level), weights, out),
                DType::F32 => tally(&EdgeBins::<f32>::new(&values, &edges, level), weights, out),
                DType::I64 => tally(&EdgeBins::<i64>::new(&values, &edges, level), weights, out),
                DType::U64 => tally(&EdgeBins::<u64>::new(&values, &edges, level), weights, out),
                other => Err(Error::NoLoop { op: "histogram".into(), dtypes: vec![other] }),
            }
        }
    }
}

/// What says which bin each element belongs to.
trait Bins: Sync {
    fn count(&self) -> usize;
    /// The bins of the elements from `at` on; `none` for an element that has no bin.
    fn find(&self, at: usize, none: u32, bins: &mut [u32]);

    /// Adds how many of the elements `at..at + n` lie in each bin.
    fn tally(&self, at: usize, n: usize, table: &mut [i64]) {
        let none = table.len() as u32;
        let mut counts = Counts::new(table);
        let mut found = [0u32; BATCH_ELEMENTS];
        for done in (0..n).step_by(BATCH_ELEMENTS) {
            let found = &mut found[..BATCH_ELEMENTS.min(n - done)];
            self.find(at + done, none, found);
            counts.add(found);
        }
        counts.finish();
    }
}

/// Counts of a block, in one table or in several in turn (`rotated`).
struct Counts<'a> {
    table: &'a mut [i64],
    rotated: Vec<u32>,
}

impl<'a> Counts<'a> {
    fn new(table: &'a mut [i64]) -> Counts<'a> {
        let rotated = if table.len() <= ROTATED_MAX_BINS {
            filled(table.len() * ROTATED_TABLES, 0)
        } else {
            Vec::new()
        };
        Counts { table, rotated }
    }

    /// Counts some bins; numbers beyond the table count nowhere.
    #[inline(always)]
    fn add<T: Copy + Into<u64>>(&mut self, bins: &[T]) {
        let place = |bin: T| usize::try_from(bin.into()).unwrap_or(usize::MAX);
        if self.rotated.is_empty() {
            for bin in bins {
                if let Some(count) = self.table.get_mut(place(*bin)) {
                    *count += 1;
                }
            }
            return;
        }
        let mut tables = self.rotated.chunks_exact_mut(self.table.len());
        let mut next = || tables.next().unwrap_or_default();
        let (first, second, third, fourth) = (next(), next(), next(), next());
        let count = |table: &mut [u32], bin: T| {
            if let Some(count) = table.get_mut(place(bin)) {
                *count += 1;
            }
        };
        let mut quads = bins.chunks_exact(ROTATED_TABLES);
        for quad in &mut quads {
            count(first, quad[0]);
            count(second, quad[1]);
            count(third, quad[2]);
            count(fourth, quad[3]);
        }
        quads.remainder().iter().for_each(|bin| count(first, *bin));
    }

    fn finish(self) {
        if self.rotated.is_empty() {
            return;
        }
        for table in self.rotated.chunks_exact(self.table.len()) {
            self.table.iter_mut().zip(table).for_each(|(total, count)| *total += i64::from(*count));
        }
    }
}

/// A bool, which counts as 0 or 1 whatever its byte.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct CountedBool(u8);

impl From<CountedBool> for u64 {
    #[inline(always)]
    fn from(truth: CountedBool) -> u64 {
        u64::from(truth.0 != 0)
    }
}

/// Values that are the numbers of their bins.
struct BinNumbers<'a, T>(&'a [T]);

impl<T: Copy + Into<u64> + Sync> Bins for BinNumbers<'_, T> {
    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn find(&self, at: usize, none: u32, bins: &mut [u32]) {
        for (bin, value) in bins.iter_mut().zip(&self.0[at..]) {
            *bin = (*value).into().min(u64::from(none)) as u32;
        }
    }

    fn tally(&self, at: usize, n: usize, table: &mut [i64]) {
        let mut counts = Counts::new(table);
        counts.add(&self.0[at..at + n]);
        counts.finish();
    }
}

/// Values whose bins lie between edges.
struct EdgeBins<'a, T> {
    values: &'a [T],
    locator: Locator<'a, T>,
    first: T,
    last: T,
    /// The number of the last bin.
    top: usize,
    /// Where the edges are even, how far inside a cell values surely belong to it.
    slack: Option<f64>,
    level: SimdLevel,
}

impl<'a, T: RealOrdered> EdgeBins<'a, T> {
    fn new(values: &'a Slot, edges: &'a Slot, level: SimdLevel) -> EdgeBins<'a, T> {
        let (values, edges) = (elements::<T>(values), elements::<T>(edges));
        let locator = Locator::new(edges, values.len(), 1);
        let (first, last, top) = (edges[0], edges[edges.len() - 1], edges.len() - 2);
        let slack = locator.slack();
        EdgeBins { values, locator, first, last, top, slack, level }
    }

    #[inline(always)]
    fn bin(&self, value: T, none: u32) -> u32 {
        let found = self.locator.not_beyond(value).wrapping_sub(1).min(self.top);
        if value >= self.first && value <= self.last { found as u32 } else { none }
    }
}

impl<T: RealOrdered> Bins for EdgeBins<'_, T> {
    fn count(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn find(&self, at: usize, none: u32, bins: &mut [u32]) {
        let values = &self.values[at..at + bins.len()];
        let Some(slack) = self.slack else {
            bins.iter_mut().zip(values).for_each(|(bin, value)| *bin = self.bin(*value, none));
            return;
        };
        self.locator.sure_cells(values, slack, bins, self.level);
        for (bin, &value) in bins.iter_mut().zip(values) {
            if *bin == UNSURE {
                *bin = self.bin(value, none);
            }
        }
    }
}

/// What a table holds: counts or sums.
trait TableEntry: Copy + Default + Send + Sync + 'static {
    fn add(&mut self, other: Self);
}

impl TableEntry for i64 {
    #[inline(always)]
    fn add(&mut self, other: i64) {
        *self = self.wrapping_add(other);
    }
}

impl TableEntry for f64 {
    #[inline(always)]
    fn add(&mut self, other: f64) {
        *self += other;
    }
}

fn tally(bins: &impl Bins, weights: Option<&Slot>, out: &Slot) -> Result<()> {
    if u32::try_from(out.layout.size()).is_err() {
        let message = format!("{} bins are more than can be counted", out.layout.size());
        return Err(Error::value("bincount", message));
    }
    let Some(weights) = weights else {
        return with_dense_out(out, |out| {
            gather_tables::<i64>(bins.count(), out, &|table, at, n| bins.tally(at, n, table))
        });
    };
    let weights = dense(weights)?;
    match weights.dtype {
        DType::I64 => sum(bins, elements::<i64>(&weights), out),
        _ => sum(bins, elements::<f64>(&weights), out),
    }
}

fn sum<E: TableEntry>(bins: &impl Bins, weights: &[E], out: &Slot) -> Result<()> {
    with_dense_out(out, |out| {
        gather_tables::<E>(bins.count(), out, &|table, at, n| {
            sum_block(bins, at, &weights[at..at + n], table)
        })
    })
}

/// Fills a table for each block of the elements and adds the tables up, in order.
fn gather_tables<E: TableEntry>(
    count: usize,
    out: &Slot,
    fill: &(dyn Fn(&mut [E], usize, usize) + Sync),
) -> Result<()> {
    let bins = out.layout.size();
    // SAFETY: the slot is dense, holds that many entries, and nobody else has it.
    let totals = unsafe { std::slice::from_raw_parts_mut(start(out).cast::<E>(), bins) };
    totals.fill(E::default());
    if bins == 0 || count == 0 {
        return Ok(());
    }
    let block = BLOCK_MIN_ELEMENTS.max(bins.next_multiple_of(BLOCK_MIN_ELEMENTS));
    let blocks = count.div_ceil(block);
    if blocks == 1 {
        fill(totals, 0, count);
        return Ok(());
    }
    let wave = (WAVE_MAX_ENTRIES / bins).max(WAVE_MIN_TABLES).min(blocks);
    let mut tables = filled(wave * bins, E::default());
    for first in (0..blocks).step_by(wave) {
        let these = wave.min(blocks - first);
        let shared = Shared(tables.as_mut_ptr().cast());
        run_tasks(these, count >= PARALLEL_MIN, &|task| {
            let at = (first + task) * block;
            // SAFETY: the vector has a table for each task of the wave.
            let table =
                unsafe { std::slice::from_raw_parts_mut(shared.get().cast::<E>().add(task * bins), bins) };
            table.fill(E::default());
            fill(table, at, block.min(count - at));
        })?;
        for table in tables[..these * bins].chunks_exact(bins) {
            totals.iter_mut().zip(table).for_each(|(total, entry)| total.add(*entry));
        }
    }
    Ok(())
}

/// Adds the weights of the elements from `at` on to their bins, in order.
fn sum_block<E: TableEntry>(bins: &impl Bins, at: usize, weights: &[E], table: &mut [E]) {
    let none = table.len() as u32;
    let mut found = [0u32; BATCH_ELEMENTS];
    for (piece, weights) in weights.chunks(BATCH_ELEMENTS).enumerate() {
        let found = &mut found[..weights.len()];
        bins.find(at + piece * BATCH_ELEMENTS, none, found);
        for (bin, weight) in found.iter().zip(weights) {
            if let Some(sum) = table.get_mut(*bin as usize) {
                sum.add(*weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_counted_in_blocks_and_out_of_range_values_nowhere() {
        let values: Vec<u16> =
            (0..if cfg!(miri) { 300u32 } else { 300_000 }).map(|i| (i * 7919 % 1013) as u16).collect();
        for bins in [1000, 100].into_iter().skip(usize::from(cfg!(miri))) {
            let mut table = vec![0i64; bins];
            BinNumbers(&values).tally(0, values.len(), &mut table);
            for (bin, count) in table.iter().enumerate() {
                assert_eq!(*count, values.iter().filter(|v| **v as usize == bin).count() as i64);
            }
        }
    }

    #[test]
    fn weights_are_summed_in_order() {
        let values = [1u8, 0, 1, 1];
        let mut table = vec![0.0; 2];
        sum_block(&BinNumbers(&values), 0, &[1e16, 2.0, 1.0, -1e16], &mut table);
        assert_eq!(table, vec![2.0, 0.0]);
    }
}
