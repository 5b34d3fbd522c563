//! Elements of sparse matrices put in the order of their lines: a sort by line, with as few digits as there are lines.

use cuprum_core::{DType, Result};
use cuprum_graph::{SparseGroupCall, SparsePlaces};

use crate::calls::indexing::unit_type;
use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, type_name};
use crate::session::Session;

/// As in the kernels' texts.
const PLACED_THREADS: usize = 256;
const PLACED_TILE: usize = 8 * PLACED_THREADS;
const THREADS: usize = 256;
const TILE: usize = 16 * THREADS;
/// Threads of a block that chains the counts of 32 digits.
const CHAIN_THREADS: u32 = 1024;
/// Bits of a digit, at least and at most.
const MIN_DIGIT_BITS: usize = 5;
const MAX_DIGIT_BITS: usize = 10;

/// What the kernels' text depends on.
#[derive(Clone, Copy)]
struct GroupVariant {
    index: DType,
    value_size: usize,
    digit_bits: usize,
    is_long: bool,
}

impl GroupVariant {
    /// With as many passes as the numbers of lines need, and digits of one size.
    fn new(index: DType, value_size: usize, lines: usize, n: usize) -> (GroupVariant, usize) {
        let bits = (usize::BITS - lines.saturating_sub(1).leading_zeros()).max(1) as usize;
        let passes = bits.div_ceil(MAX_DIGIT_BITS);
        let digit_bits = bits.div_ceil(passes).max(MIN_DIGIT_BITS);
        (GroupVariant { index, value_size, digit_bits, is_long: n > u32::MAX as usize }, passes)
    }

    fn count_size(self) -> usize {
        if self.is_long { 8 } else { 4 }
    }

    fn text(self) -> String {
        format!(
            "{}\ntypedef {} T;\ntypedef {} V;\ntypedef {} Count;\n#define DIGIT_BITS {}\n{}{}",
            FragmentSet::of_dtype(self.index).text(),
            type_name(self.index),
            unit_type(self.value_size),
            if self.is_long { "u64" } else { "u32" },
            self.digit_bits,
            include_str!("../../kernels/group_lines.cuh"),
            include_str!("../../kernels/group_sweep.cu")
        )
    }
}

/// The addresses of lines, places and values.
type Elements = [usize; 3];

pub(in crate::calls) fn group(session: &Session, call: &SparseGroupCall<'_>) -> Result<()> {
    let (n, lines) = (call.lines.layout.size(), call.out_starts.layout.size() - 1);
    let index = call.lines.dtype;
    let [keys, values] = [call.lines, call.values].map(|slot| session.dense(slot));
    let (keys, values) = (keys?, values?);
    let size = values.dtype.size();
    let (plan, passes) = GroupVariant::new(index, size, lines, n);
    let variant = [index as u32, size as u32, plan.digit_bits as u32, u32::from(plan.is_long)];
    let kernel = |entry: &'static str| session.kernel(entry, &variant, || plan.text());
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
    // Elements go back and forth between the result and room of their own, and the last pass writes the result.
    let room = if passes > 1 { n.next_multiple_of(16) } else { 0 };
    let spare = session.scratch(room * (2 * index.size() + size))?;
    let aside = [0, room * index.size(), 2 * room * index.size()].map(|offset| spare.address() + offset);
    let tiles = n.div_ceil(TILE);
    let digits = 1 << plan.digit_bits;
    let board = session.scratch((tiles + 1) * digits * plan.count_size())?;
    session.with_dense_out(call.out_starts, |out_starts| {
        session.with_dense_out(call.out_places, |out_places| {
            session.with_dense_out(call.out_values, |out_values| {
                let made = [sorted.address(), session.address(out_places), session.address(out_values)];
                let mut source: Elements = [&keys, &places, &values].map(|slot| session.address(slot));
                for pass in 0..passes {
                    let target = if (passes - pass) % 2 == 1 { made } else { aside };
                    let shift = (pass * plan.digit_bits) as u32;
                    let chained = board.address() + tiles * digits * plan.count_size();
                    let mut args = LaunchArgs::new();
                    args.pointer(source[0]).u64(n as u64).u32(shift).pointer(board.address());
                    // SAFETY: as above; the board has a count for each digit of a tile, and one more for each digit.
                    unsafe { session.launch(kernel("group_count")?, tiles as u32, THREADS as u32, &args) }?;
                    let mut args = LaunchArgs::new();
                    args.pointer(board.address()).pointer(chained).u32(tiles as u32);
                    // SAFETY: as above.
                    unsafe {
                        session.launch(kernel("group_chain")?, digits as u32 / 32, CHAIN_THREADS, &args)
                    }?;
                    let mut args = LaunchArgs::new();
                    for address in source.into_iter().chain(target) {
                        args.pointer(address);
                    }
                    args.u64(n as u64).u32(shift).pointer(board.address()).pointer(chained);
                    // SAFETY: as above.
                    unsafe { session.launch(kernel("group_move")?, tiles as u32, THREADS as u32, &args) }?;
                    source = target;
                }
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
            for (value_size, digit_bits, is_long) in [(1, 5, false), (8, 10, true), (16, 10, false)] {
                let plan = GroupVariant { index, value_size, digit_bits, is_long };
                compiles(&format!("{index:?} {value_size} {digit_bits} {is_long}"), &plan.text());
            }
        }
    }

    #[test]
    fn lines_take_as_few_passes_as_their_numbers_have_digits() {
        for (lines, passes, digit_bits) in
            [(0, 1, 5), (1, 1, 5), (1024, 1, 10), (1025, 2, 6), (1 << 20, 2, 10), (1 << 31, 4, 8)]
        {
            let (plan, found) = GroupVariant::new(DType::I32, 8, lines, 100);
            assert_eq!((found, plan.digit_bits), (passes, digit_bits), "{lines} lines");
        }
    }

    #[test]
    fn elements_of_a_line_stay_in_order() {
        let Some(gpu) = gpu() else { return };
        for (n, count) in
            [(1usize, 1usize), (30_000, 1), (30_000, 200), (30_000, 70_000), (30_000, 3_000_000), (5000, 300)]
        {
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
