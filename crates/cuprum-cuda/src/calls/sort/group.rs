//! Elements of sparse matrices put in the order of their lines: a sort by line, with as few digits as there are lines.

use cuprum_core::Result;
use cuprum_graph::{SparseGroupCall, SparsePlaces};

use super::sweep::{SweepVariant, WIDE_COUNTS_MIN_ROW, sort_passes};
use super::{SortResult, SortRows, ordered};
use crate::calls::indexing::unit_type;
use crate::launch::LaunchArgs;
use crate::session::Session;

/// As in the kernels' text.
const PLACED_THREADS: usize = 256;
const PLACED_TILE: usize = 8 * PLACED_THREADS;

pub(in crate::calls) fn group(session: &Session, call: &SparseGroupCall<'_>) -> Result<()> {
    let (n, lines) = (call.lines.layout.size(), call.out_starts.layout.size() - 1);
    let index = call.lines.dtype;
    let [keys, values] = [call.lines, call.values].map(|slot| session.dense(slot));
    let (keys, values) = (keys?, values?);
    let highest = lines.saturating_sub(1).max(1);
    let plan = SweepVariant {
        places: (highest.ilog2() as usize / 8 + 1).min(index.size()),
        ..SweepVariant::new(index, SortResult::Positions, n >= WIDE_COUNTS_MIN_ROW)
    };
    let size = values.dtype.size();
    let [dtype, _, is_long] = plan.variant();
    let variant = [dtype, is_long, plan.places as u32, size as u32, 0];
    let kernel = |entry: &'static str| session.kernel(entry, &variant, || text(plan, size));
    let (SparsePlaces::Listed(given) | SparsePlaces::Starts(given)) = call.places;
    let given = session.dense(given)?;
    let places = match call.places {
        SparsePlaces::Listed(_) => given,
        SparsePlaces::Starts(_) => {
            let places = session.new_slot(&[n], index)?;
            let mut args = LaunchArgs::new();
            args.pointer(session.address(&given)).pointer(session.address(&places));
            args.u64(given.layout.size() as u64 - 1).u64(n as u64);
            let grid = n.div_ceil(PLACED_TILE) as u32;
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("group_places")?, grid, PLACED_THREADS as u32, &args) }?;
            places
        }
    };
    let sorted = session.scratch(n * index.size())?;
    session.with_dense_out(call.out_starts, |out_starts| {
        session.with_dense_out(call.out_places, |out_places| {
            session.with_dense_out(call.out_values, |out_values| {
                let moved = [&places, &values, out_places, out_values]
                    .map(|slot| session.address(slot).to_ne_bytes())
                    .concat();
                let rows = SortRows {
                    input: &keys,
                    out: out_places,
                    rows: 1,
                    length: n,
                    what: SortResult::Positions,
                };
                sort_passes(session, &rows, plan, sorted.address(), &moved, &kernel)?;
                let mut args = LaunchArgs::new();
                args.pointer(sorted.address()).pointer(session.address(out_starts));
                args.u64(lines as u64).u64(n as u64);
                let grid = (n + 1).div_ceil(PLACED_THREADS) as u32;
                // SAFETY: as above.
                unsafe { session.launch(kernel("group_starts")?, grid, PLACED_THREADS as u32, &args) }
            })
        })
    })
}

fn text(plan: SweepVariant, size: usize) -> String {
    plan.text_behind(&format!(
        "{}typedef {} V;\n#define GROUP\n{}",
        ordered(plan.dtype),
        unit_type(size),
        include_str!("../../kernels/group_lines.cuh")
    ))
}

#[cfg(test)]
mod tests {
    use cuprum_core::DType;
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        for index in [DType::I32, DType::I64] {
            for (size, is_long) in [(1, false), (8, true), (16, false)] {
                let plan =
                    SweepVariant { places: 3, ..SweepVariant::new(index, SortResult::Positions, is_long) };
                compiles(&format!("{index:?} {size} {is_long}"), &text(plan, size));
            }
        }
    }

    #[test]
    fn elements_of_a_line_stay_in_order() {
        let Some(gpu) = gpu() else { return };
        for (n, count) in [(1usize, 1usize), (30_000, 1), (30_000, 200), (30_000, 70_000), (5000, 300)] {
            let mut numbers = Numbers(5);
            let lines: Vec<i32> = (0..n).map(|_| (numbers.next() % count as u64) as i32).collect();
            let values: Vec<f64> = (0..n).map(|k| k as f64).collect();
            // Two elements of every third place, and the rest of the last one.
            let owners = n / 2 * 3 + 1;
            let mut starts: Vec<i32> =
                (0..=owners).map(|place| (place.div_ceil(3) * 2).min(n) as i32).collect();
            starts[owners] = n as i32;
            let made = [(count + 1, DType::I32), (n, DType::I32), (n, DType::F64)];
            let [out_starts, out_places, out_values] = made.map(|(size, dtype)| empty(gpu, &[size], dtype));
            let work = SparseGroupCall {
                lines: &upload(gpu, &lines, &[n], DType::I32),
                places: SparsePlaces::Starts(&upload(gpu, &starts, &[owners + 1], DType::I32)),
                values: &upload(gpu, &values, &[n], DType::F64),
                out_starts: &out_starts,
                out_places: &out_places,
                out_values: &out_values,
            };
            call(gpu, &Call::SparseGroup(work)).unwrap();
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_key(|k| lines[*k]);
            let got: Vec<f64> = download(gpu, &out_values);
            assert!(order.iter().zip(&got).all(|(k, value)| *k as f64 == *value), "{n} in {count}");
            let got: Vec<i32> = download(gpu, &out_places);
            for (k, place) in order.iter().zip(got) {
                let owner = starts.partition_point(|start| *start as usize <= *k) - 1;
                assert_eq!(place as usize, owner, "element {k} of {n}");
            }
            let got: Vec<i32> = download(gpu, &out_starts);
            for (line, start) in got.iter().enumerate() {
                let before = order.partition_point(|k| (lines[*k] as usize) < line);
                assert_eq!(*start as usize, before, "line {line} of {count}");
            }
        }
    }
}
