//! Reductions of segments: a thread a result, a block a result, or several blocks where few segments are long.

use cuprum_core::{DType, Error, Op, Reduction, Result};
use cuprum_graph::Slot;

use super::scan::text::{accumulator, joining, neutral, scanning};
use crate::launch::LaunchArgs;
use crate::session::Session;

const THREADS: usize = 256;
/// From this many elements a segment on, on average, each gets a block.
const BLOCK_MIN_MEAN_SEGMENT: usize = 256;
/// Up to this many results, each gets a block where some of the segments may be long.
const BLOCK_MAX_RESULTS: usize = 1 << 14;
/// Elements of a part, where several blocks share a segment.
const PART_ELEMENTS: usize = 1 << 15;
/// Up to this many results, blocks share segments.
const SHARED_MAX_RESULTS: usize = 512;

pub(super) fn run(
    session: &Session,
    reduction: Reduction,
    input: &Slot,
    starts: &Slot,
    out: &Slot,
    axis: usize,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let row = reduction.row();
    let op = row.op.ok_or_else(|| Error::value("reduceat", format!("{} has no binary op", row.name)))?;
    let starts = session.dense(starts)?;
    // Bools are folded as bools.
    let dtype = op.output(input.dtype);
    let input = if input.dtype == dtype {
        session.dense(input)?
    } else {
        let cast = session.new_slot(&input.layout.shape, dtype)?;
        session.copy(input, &cast)?;
        cast
    };
    session.with_dense_out(out, |out| {
        if out.dtype == dtype {
            return reduce(session, op, &input, &starts, out, axis);
        }
        let made = session.new_slot(&out.layout.shape, dtype)?;
        reduce(session, op, &input, &starts, &made, axis)?;
        session.copy(&made, out)
    })
}

fn reduce(session: &Session, op: Op, input: &Slot, starts: &Slot, out: &Slot, axis: usize) -> Result<()> {
    let (shape, dtype, results) = (&input.layout.shape, input.dtype, out.layout.size());
    let inner: usize = shape[axis + 1..].iter().product();
    let (outer, length, segments) =
        (shape[..axis].iter().product::<usize>(), shape[axis], starts.layout.size());
    let mut lines = [0; 32];
    for (place, field) in lines.chunks_exact_mut(8).zip([outer, length, inner, segments]) {
        place.copy_from_slice(&(field as u64).to_ne_bytes());
    }
    let kernel = |entry| session.kernel(entry, &[op as u32, dtype as u32], || text(op, dtype));
    let addresses = [input, starts, out].map(|slot| session.address(slot));
    let [from, starts, to] = addresses;
    let threads = THREADS as u32;

    let is_long = length / segments >= BLOCK_MIN_MEAN_SEGMENT
        || (results <= BLOCK_MAX_RESULTS && length >= 64 * BLOCK_MIN_MEAN_SEGMENT);
    if neutral(op, dtype).is_none() || !is_long {
        let mut args = LaunchArgs::new();
        args.pointer(from).pointer(starts).bytes(&lines).pointer(to);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe {
            session.launch(kernel("reduceat_threads")?, results.div_ceil(THREADS) as u32, threads, &args)
        };
    }
    if results > SHARED_MAX_RESULTS || length <= 2 * PART_ELEMENTS {
        let mut args = LaunchArgs::new();
        args.pointer(from).pointer(starts).bytes(&lines).pointer(to);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        return unsafe { session.launch(kernel("reduceat_blocks")?, results as u32, threads, &args) };
    }
    let parts = length.div_ceil(PART_ELEMENTS);
    let totals_bytes = results * parts * accumulator(op, dtype).size();
    let totals = session.scratch(totals_bytes + results * 4)?;
    let unsure = totals.address() + totals_bytes;
    session.set_bytes(&totals, totals_bytes, 0, results * 4)?;
    let mut args = LaunchArgs::new();
    args.pointer(from).pointer(starts).bytes(&lines).u64(PART_ELEMENTS as u64).u32(parts as u32);
    args.pointer(totals.address()).pointer(unsure);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("reduceat_parts")?, (results * parts) as u32, threads, &args) }?;
    args.pointer(to);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("reduceat_finish")?, results.div_ceil(THREADS) as u32, threads, &args) }
}

fn text(op: Op, dtype: DType) -> String {
    let kernels = include_str!("../kernels/reduceat.cu");
    match scanning(op, dtype) {
        Some(start) => format!("{start}#define PARALLEL 1\n{kernels}"),
        None => format!("{}#define PARALLEL 0\n{kernels}", joining(op, dtype)),
    }
}

#[cfg(test)]
mod tests {
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        for dtype in DType::ALL {
            for op in [Op::Add, Op::Multiply, Op::Maximum] {
                compiles(&format!("{op:?} {dtype:?}"), &text(op, dtype));
            }
        }
        compiles("subtract", &text(Op::Subtract, DType::F16));
    }

    fn check<T: Copy + Default + PartialEq + std::fmt::Debug>(
        (op, dtype): (Reduction, DType),
        shape: &[usize],
        axis: usize,
        starts: &[i64],
        of: impl Fn(usize) -> T,
        join: impl Fn(T, T) -> T,
    ) {
        let gpu = gpu().expect("asked before");
        let host: Vec<T> = (0..shape.iter().product()).map(of).collect();
        let (length, inner) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
        let mut out_shape = shape.to_vec();
        out_shape[axis] = starts.len();
        let input = upload(gpu, &host, shape, dtype);
        let (on_gpu, out) = (upload(gpu, starts, &[starts.len()], DType::I64), empty(gpu, &out_shape, dtype));
        call(gpu, &Call::ReduceAt { op, input: &input, starts: &on_gpu, out: &out, axis }).unwrap();
        for (i, got) in download::<T>(gpu, &out).into_iter().enumerate() {
            let (inside, number, outer) = (i % inner, i / inner % starts.len(), i / inner / starts.len());
            let begin = starts[number] as usize;
            let end = starts.get(number + 1).map_or(length, |end| *end as usize).max(begin + 1);
            let at = |k: usize| host[(outer * length + k) * inner + inside];
            let want = (begin + 1..end).fold(at(begin), |total, k| join(total, at(k)));
            assert_eq!(got, want, "{op:?} {dtype:?} {shape:?} axis {axis} result {i}");
        }
    }

    #[test]
    fn segments_are_reduced() {
        if gpu().is_none() {
            return;
        }
        let few = |i: usize| (i * 7 % 13) as f64 - 6.0;
        let sum = (Reduction::Sum, DType::F64);
        check(sum, &[10], 0, &[0, 4, 2, 2, 9], few, |a, b| a + b);
        check(sum, &[3, 4000], 1, &[0, 1000, 3000], few, |a, b| a + b);
        check(sum, &[200_000], 0, &[100_000, 3, 70_000], few, |a, b| a + b);
        check(sum, &[1000, 5], 0, &[0, 300], few, |a, b| a + b);
        check(sum, &[2, 6, 5], 1, &[5, 0, 3], few, |a, b| a + b);
        check((Reduction::Fold(Op::Subtract), DType::F64), &[3000], 0, &[0, 2000], few, |a, b| a - b);
        check((Reduction::Max, DType::F64), &[3000], 0, &[0, 2000], few, f64::max);
        let number = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        check((Reduction::BitXor, DType::U64), &[90_000], 0, &[7, 0], number, |a, b| a ^ b);
        check((Reduction::Sum, DType::I64), &[90_000], 0, &[7, 0], number, u64::wrapping_add);
    }

    #[test]
    fn a_product_whose_parts_leave_the_range_is_taken_in_turn() {
        if gpu().is_none() {
            return;
        }
        // The factors of a thread underflow alone; from left to right they stay in range.
        let swing = |i: usize| {
            if i % 256 == 3 {
                1e-20f32
            } else if i % 256 == 4 {
                1e20
            } else {
                1.0
            }
        };
        let product = (Reduction::Prod, DType::F32);
        check(product, &[3000], 0, &[0, 2000], swing, |a, b| a * b);
        check(product, &[100_000], 0, &[0], swing, |a, b| a * b);
    }
}
