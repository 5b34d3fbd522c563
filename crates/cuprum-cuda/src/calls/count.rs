//! Counting by value and by bins. Counts are added up in tables in shared memory; weights are summed in blocks of
//! elements, in order, and then the blocks' sums in order.

use cuprum_core::{DType, Error, Result};
use cuprum_graph::{CountCall, Slot};

use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, memory_type};
use crate::session::Session;

const THREADS: usize = 256;
const WARPS: usize = THREADS / 32;
/// Shared memory that a block's tables may take.
const TABLES_MAX_SHARED: usize = 32 << 10;
/// Blocks that the counting is shared out to, at most.
const MAX_BLOCKS: usize = 1 << 11;
/// The fewest elements whose weights are summed one after the other: as many as on the CPU.
const BLOCK_MIN_ELEMENTS: usize = 1 << 16;
/// Table entries that exist at a time, unless a few tables are larger, and the fewest tables.
const WAVE_MAX_ENTRIES: usize = 1 << 25;
const WAVE_MIN_TABLES: usize = 8;

pub(super) fn run(session: &Session, call: &CountCall<'_>) -> Result<()> {
    match *call {
        CountCall::Occurrences { values, weights, out } => {
            // The bits are read as unsigned numbers, but for those of bools.
            let dtype = match values.dtype.size() {
                1 if values.dtype == DType::Bool => DType::Bool,
                1 => DType::U8,
                2 => DType::U16,
                4 => DType::U32,
                _ => DType::U64,
            };
            tally(session, dtype, values, None, weights, out)
        }
        CountCall::Histogram { values, edges, weights, out } => match values.dtype {
            DType::I64 | DType::U64 | DType::F32 | DType::F64 => {
                tally(session, values.dtype, values, Some(edges), weights, out)
            }
            other => Err(Error::NoLoop { op: "histogram".into(), dtypes: vec![other] }),
        },
    }
}

/// What the kernels' text depends on.
#[derive(Clone, Copy)]
struct CountVariant {
    dtype: DType,
    has_edges: bool,
    weights: Option<DType>,
}

impl CountVariant {
    fn weighted(self) -> u32 {
        match self.weights {
            None => 0,
            Some(DType::I64) => 1,
            Some(_) => 2,
        }
    }

    fn variant(self) -> [u32; 3] {
        [self.dtype as u32, u32::from(self.has_edges), self.weighted()]
    }

    fn text(self) -> String {
        format!(
            "{}\ntypedef {} V;\n#define EDGES {}\n#define WEIGHTED {}\n{}",
            FragmentSet::NONE.text(),
            memory_type(self.dtype),
            u8::from(self.has_edges),
            self.weighted(),
            include_str!("../kernels/histogram.cu")
        )
    }
}

fn tally(
    session: &Session,
    dtype: DType,
    values: &Slot,
    edges: Option<&Slot>,
    weights: Option<&Slot>,
    out: &Slot,
) -> Result<()> {
    let (n, bins) = (values.layout.size(), out.layout.size());
    if u32::try_from(bins).is_err() {
        return Err(Error::value("bincount", format!("{bins} bins are more than can be counted")));
    }
    let values = session.dense(values)?;
    let edges = edges.map(|slot| session.dense(slot)).transpose()?;
    let weights = weights.map(|slot| session.dense(slot)).transpose()?;
    let plan =
        CountVariant { dtype, has_edges: edges.is_some(), weights: weights.as_ref().map(|slot| slot.dtype) };
    let work = CountWork {
        plan,
        session,
        values: &values,
        weights: weights.as_ref(),
        edges: edges.as_ref(),
        n,
        bins,
    };
    session.with_dense_out(out, |out| {
        session.set_slot(out, 0)?;
        if n == 0 || bins == 0 {
            return Ok(());
        }
        if plan.weighted() == 2 { sum_weights(&work, out) } else { count(&work, out) }
    })
}

/// Values and bins on the GPU.
struct CountWork<'a> {
    plan: CountVariant,
    session: &'a Session,
    values: &'a Slot,
    weights: Option<&'a Slot>,
    edges: Option<&'a Slot>,
    n: usize,
    bins: usize,
}

impl CountWork<'_> {
    /// The arguments that both kernels begin with: the values, their weights or null, and how many a block takes.
    fn args(&self, per_block: usize) -> LaunchArgs {
        let mut args = LaunchArgs::new();
        args.pointer(self.session.address(self.values));
        args.pointer(self.weights.map_or(0, |slot| self.session.address(slot)));
        args.u64(self.n as u64).u64(per_block as u64);
        args
    }

    /// The kernels' struct of the bins.
    fn bins(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let edges = self.edges.map_or(0, |slot| self.session.address(slot));
        bytes[..8].copy_from_slice(&edges.to_ne_bytes());
        bytes[8..12].copy_from_slice(&(self.bins as u32).to_ne_bytes());
        bytes
    }
}

fn count(work: &CountWork, out: &Slot) -> Result<()> {
    let session = work.session;
    let kernel = session.kernel("count_values", &work.plan.variant(), || work.plan.text())?;
    let table = work.bins * if work.plan.weighted() == 1 { 8 } else { 4 };
    let copies = (TABLES_MAX_SHARED / table).min(WARPS);
    // A block adds a whole table to the result: it should have counted more than that.
    let least = if copies > 0 { 16 * work.bins } else { 0 };
    let chunk = work.n.div_ceil(MAX_BLOCKS).max(least).next_multiple_of(THREADS).max(4 * THREADS);
    let mut args = work.args(chunk);
    args.bytes(&work.bins()).u32(copies as u32).pointer(session.address(out));
    let shared = (copies * table).next_multiple_of(8) as u32;
    let grid = [work.n.div_ceil(chunk) as u32, 1, 1];
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch_shaped(kernel, grid, [THREADS as u32, 1, 1], shared, &args) }
}

fn sum_weights(work: &CountWork, out: &Slot) -> Result<()> {
    let session = work.session;
    let kernel = |entry| session.kernel(entry, &work.plan.variant(), || work.plan.text());
    let (fill, add) = (kernel("weigh_blocks")?, kernel("weigh_sum")?);
    let block = BLOCK_MIN_ELEMENTS.max(work.bins.next_multiple_of(BLOCK_MIN_ELEMENTS));
    let blocks = work.n.div_ceil(block);
    let wave = (WAVE_MAX_ENTRIES / work.bins).max(WAVE_MIN_TABLES).min(blocks);
    let tables = session.scratch(wave * work.bins * 8)?;
    let is_shared = work.bins * 8 <= TABLES_MAX_SHARED;
    let shared = if is_shared { (work.bins * 8) as u32 } else { 0 };
    for first in (0..blocks).step_by(wave) {
        let these = wave.min(blocks - first);
        let mut args = work.args(block);
        args.u64(first as u64).bytes(&work.bins()).u32(u32::from(is_shared)).pointer(tables.address());
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch_shaped(fill, [these as u32, 1, 1], [32, 1, 1], shared, &args) }?;
        let mut args = LaunchArgs::new();
        args.pointer(tables.address()).u32(these as u32).u32(work.bins as u32);
        args.pointer(session.address(out));
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(add, work.bins.div_ceil(THREADS) as u32, THREADS as u32, &args) }?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        for weights in [None, Some(DType::I64), Some(DType::F64)] {
            for dtype in [DType::U8, DType::U16, DType::U32, DType::U64] {
                compiles("occurrences", &CountVariant { dtype, has_edges: false, weights }.text());
            }
            for dtype in [DType::I64, DType::U64, DType::F32, DType::F64] {
                compiles("histogram", &CountVariant { dtype, has_edges: true, weights }.text());
            }
        }
    }

    #[test]
    fn occurrences_are_counted() {
        let Some(gpu) = gpu() else { return };
        for (n, bins) in [(0, 5), (1, 1), (1000, 10), (70_000, 300), (5000, 9000), (70_000, 3)] {
            let mut numbers = Numbers(n as u64);
            let host: Vec<u32> = (0..n).map(|_| (numbers.next() % (bins + 2)) as u32).collect();
            let weights: Vec<i64> = (0..n).map(|_| numbers.next() as i64).collect();
            let bins = bins as usize;
            let values = upload(gpu, &host, &[n], DType::I32);
            let out = empty(gpu, &[bins], DType::I64);
            let occurrences = CountCall::Occurrences { values: &values, weights: None, out: &out };
            call(gpu, &Call::Count(occurrences)).unwrap();
            let (mut want, mut sums) = (vec![0i64; bins], vec![0i64; bins]);
            for (value, weight) in host.iter().zip(&weights) {
                if (*value as usize) < bins {
                    want[*value as usize] += 1;
                    sums[*value as usize] = sums[*value as usize].wrapping_add(*weight);
                }
            }
            assert_eq!(download::<i64>(gpu, &out), want, "{n} values, {bins} bins");
            let weights = upload(gpu, &weights, &[n], DType::I64);
            let weighed = CountCall::Occurrences { values: &values, weights: Some(&weights), out: &out };
            call(gpu, &Call::Count(weighed)).unwrap();
            assert_eq!(download::<i64>(gpu, &out), sums, "weights of {n} values, {bins} bins");
        }
    }

    #[test]
    fn weights_are_summed_in_order() {
        let Some(gpu) = gpu() else { return };
        for (n, bins) in [(1000, 1), (1000, 10), (200_000, 7), (200_000, 5000), (150_000, 70_000)] {
            let mut numbers = Numbers(n as u64);
            let host: Vec<u64> = (0..n).map(|_| numbers.next() % bins).collect();
            let weights: Vec<f64> = (0..n).map(|_| numbers.next() as f64 / 3e18 - 1.0).collect();
            let bins = bins as usize;
            let block = BLOCK_MIN_ELEMENTS.max(bins.next_multiple_of(BLOCK_MIN_ELEMENTS));
            let mut want = vec![0.0f64; bins];
            for (values, weights) in host.chunks(block).zip(weights.chunks(block)) {
                let mut table = vec![0.0; bins];
                values.iter().zip(weights).for_each(|(value, weight)| table[*value as usize] += weight);
                want.iter_mut().zip(table).for_each(|(sum, part)| *sum += part);
            }
            let values = upload(gpu, &host, &[n], DType::U64);
            let weights = upload(gpu, &weights, &[n], DType::F64);
            let out = empty(gpu, &[bins], DType::F64);
            let weighed = CountCall::Occurrences { values: &values, weights: Some(&weights), out: &out };
            call(gpu, &Call::Count(weighed)).unwrap();
            assert!(download::<f64>(gpu, &out) == want, "{n} values, {bins} bins");
        }
    }

    #[test]
    fn values_between_edges_are_counted() {
        let Some(gpu) = gpu() else { return };
        let even: Vec<f64> = (0..=50).map(|i| f64::from(i) / 50.0).collect();
        let uneven: Vec<f64> = (0..=50).map(|i| (f64::from(i) / 50.0).powi(7)).collect();
        let equal = vec![0.0, 0.25, 0.25, 0.5, 0.5];
        let one = vec![0.3, 0.3];
        for edges in [even, uneven, equal, one] {
            let mut numbers = Numbers(9);
            let mut host: Vec<f64> = (0..5000).map(|_| numbers.next() as f64 / 1.7e19 - 0.01).collect();
            host.extend(&edges);
            host.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]);
            let top = edges.len() - 2;
            let mut want = vec![0i64; top + 1];
            for x in &host {
                if *x >= edges[0] && *x <= edges[top + 1] {
                    want[(edges.iter().filter(|e| *e <= x).count() - 1).min(top)] += 1;
                }
            }
            let values = upload(gpu, &host, &[host.len()], DType::F64);
            let (on_gpu, out) =
                (upload(gpu, &edges, &[edges.len()], DType::F64), empty(gpu, &[top + 1], DType::I64));
            let histogram =
                CountCall::Histogram { values: &values, edges: &on_gpu, weights: None, out: &out };
            call(gpu, &Call::Count(histogram)).unwrap();
            assert_eq!(download::<i64>(gpu, &out), want, "{edges:?}");
        }
    }
}
