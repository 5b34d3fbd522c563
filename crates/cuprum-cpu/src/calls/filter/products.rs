//! Sums of products in the arithmetic of the elements themselves: convolution as NumPy and `scipy.signal` have it.

use cuprum_core::memory::{collected, filled};
use cuprum_core::{DType, Result, Scalar, SimdLevel};
use cuprum_graph::{Boundary, Extension, Slot};
use cuprum_threads::{Shared, run_tasks};

use super::tile::dense_steps;
use super::window::{Boxes, WindowRow};
use super::{LevelJob, NarrowResult, PARALLEL_MIN, end_block, run_at};
use crate::calls::start;
use cuprum_lanes::cast;

/// Runs sums of products; all operands are dense.
pub(super) fn run(
    input: &Slot,
    weights: &Slot,
    out: &Slot,
    starts: &[isize],
    boundary: Option<Boundary>,
    level: SimdLevel,
) -> Result<()> {
    let held = match out.dtype {
        DType::F16 | DType::BF16 | DType::F32 => DType::F64,
        other => other,
    };
    let Some(boundary) = boundary else {
        // Zeros are as good as nothing, but for weights that make no zeros of them.
        let zeros = Boundary { extension: Extension::Constant, fill: Scalar::zero(out.dtype) };
        run(input, weights, out, starts, Some(zeros), level)?;
        return if held == DType::F64 { mend_edges(input, weights, out, starts, level) } else { Ok(()) };
    };
    let fill = Scalar::wrapping(boundary.fill.number(), held);
    let boundary = if held == out.dtype { boundary } else { Boundary { fill, ..boundary } };
    let boxes = Boxes::new(input, out, &weights.layout.shape, starts, held, boundary, level);
    match held {
        DType::Bool => sums::<TruthRing>(&boxes, weights, held, out.dtype, level),
        DType::I8 | DType::U8 => sums::<u8>(&boxes, weights, held, out.dtype, level),
        DType::I16 | DType::U16 => sums::<u16>(&boxes, weights, held, out.dtype, level),
        DType::I32 | DType::U32 => sums::<u32>(&boxes, weights, held, out.dtype, level),
        DType::I64 | DType::U64 => sums::<u64>(&boxes, weights, held, out.dtype, level),
        _ => sums::<f64>(&boxes, weights, held, out.dtype, level),
    }
}

/// Computes the results whose windows reach beyond the input anew where weights are infinite or NaN, without the
/// products that have no element.
fn mend_edges(input: &Slot, weights: &Slot, out: &Slot, starts: &[isize], level: SimdLevel) -> Result<()> {
    let weight = as_f64(weights, level);
    if weight.iter().all(|weight| weight.is_finite()) {
        return Ok(());
    }
    let elements = as_f64(input, level);
    let narrow = NarrowResult::new(out.dtype, level);
    let (shape, lengths, window) = (&out.layout.shape, &input.layout.shape, &weights.layout.shape);
    let (in_steps, row) = (dense_steps(lengths), shape[shape.len() - 1]);
    let target = Shared(start(out));
    let parallel = out.layout.size().saturating_mul(weight.len()) >= PARALLEL_MIN;
    run_tasks(out.layout.size() / row, parallel, &|task| {
        let mut begin = positions(task * row, shape);
        begin.iter_mut().zip(starts).for_each(|(begin, start)| *begin += start);
        for at in task * row..(task + 1) * row {
            let reach = || begin.iter().zip(window.iter()).zip(lengths.iter());
            if reach().any(|((&begin, &window), &n)| begin < 0 || begin as usize + window > n) {
                let mut sum = 0.0;
                for (place, weight) in weight.iter().enumerate() {
                    let met =
                        positions(place, window).into_iter().zip(&begin).zip(lengths.iter()).zip(&in_steps);
                    let met = met.map(|(((along, begin), &n), step)| {
                        usize::try_from(along + begin).ok().filter(|at| *at < n).map(|at| at * step)
                    });
                    if let Some(offset) = met.sum::<Option<usize>>() {
                        sum += elements[offset] * weight;
                    }
                }
                // SAFETY: the result lies in the output, where it belongs to this task.
                unsafe { narrow.store(1, &sum, target.get().wrapping_add(at * out.dtype.size())) };
            }
            if let Some(last) = begin.last_mut() {
                *last += 1;
            }
        }
    })
}

/// The elements of a dense slot as float64.
fn as_f64(slot: &Slot, level: SimdLevel) -> Vec<f64> {
    let count = slot.layout.size();
    let mut values = filled(count, 0.0);
    // SAFETY: the slot is dense, and there is room for as many numbers.
    unsafe {
        cast(slot.dtype, DType::F64, level)(count, values.as_mut_ptr().cast(), [start(slot).cast_const(); 3])
    };
    values
}

/// The position along each axis of an element, by its number in C order.
fn positions(number: usize, shape: &[usize]) -> Vec<isize> {
    let mut rest = number;
    let mut found = vec![0; shape.len()];
    for (found, n) in found.iter_mut().zip(shape).rev() {
        *found = (rest % n) as isize;
        rest /= n;
    }
    found
}

/// What products are taken and added in.
trait Ring: Copy + Send + Sync + 'static {
    const ZERO: Self;
    fn plus_product(self, a: Self, b: Self) -> Self;
}

/// A truth value: any of both.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct TruthRing(u8);

impl Ring for TruthRing {
    const ZERO: TruthRing = TruthRing(0);
    #[inline(always)]
    fn plus_product(self, a: TruthRing, b: TruthRing) -> TruthRing {
        TruthRing(self.0 | (a.0 & b.0))
    }
}

impl Ring for f64 {
    const ZERO: f64 = 0.0;
    #[inline(always)]
    fn plus_product(self, a: f64, b: f64) -> f64 {
        self + a * b
    }
}

/// For `u8` this makes `impl Ring for u8` with wrapping operations, which serve `i8` as well.
macro_rules! wrapping {
    ($($int:ty),*) => {
        $(impl Ring for $int {
            const ZERO: $int = 0;
            #[inline(always)]
            fn plus_product(self, a: $int, b: $int) -> $int { self.wrapping_add(a.wrapping_mul(b)) }
        })*
    };
}
wrapping!(u8, u16, u32, u64);

fn sums<R: Ring>(boxes: &Boxes, weights: &Slot, held: DType, out: DType, level: SimdLevel) -> Result<()> {
    let count = weights.layout.size();
    let mut values = filled(count, R::ZERO);
    // SAFETY: the weights are dense, and `R` is what an element of the held dtype is.
    unsafe {
        cast(weights.dtype, held, level)(count, values.as_mut_ptr().cast(), [start(weights).cast_const(); 3])
    };
    let offsets = boxes.offsets(&collected(0..count));
    let taps: Vec<(usize, R)> = collected(offsets.into_iter().zip(values));
    let narrow = (out != held).then(|| NarrowResult::new(out, level));
    boxes.run(count, |row: WindowRow<R>, to: *mut R, place| {
        // SAFETY: the box and its slack hold what the offsets reach; the row lies in the output. Only float64 is
        // ever narrowed.
        unsafe {
            match size_of::<R>() {
                1 => run_at(level, Sums::<R, 128> { taps: &taps, row: &row, to }),
                2 => run_at(level, Sums::<R, 64> { taps: &taps, row: &row, to }),
                4 => run_at(level, Sums::<R, 64> { taps: &taps, row: &row, to }),
                _ => run_at(level, Sums::<R, 32> { taps: &taps, row: &row, to }),
            }
            match narrow {
                Some(narrow) => narrow.store(row.n, to.cast(), place),
                None => std::ptr::copy_nonoverlapping(to.cast(), place, row.n * size_of::<R>()),
            }
        }
    })
}

struct Sums<'a, R, const W: usize> {
    taps: &'a [(usize, R)],
    row: &'a WindowRow<R>,
    to: *mut R,
}

impl<R: Ring, const W: usize> LevelJob for Sums<'_, R, W> {
    #[inline(always)]
    unsafe fn call(self) {
        for at in (0..self.row.n).step_by(W) {
            let mut sums = [R::ZERO; W];
            // SAFETY: the maker's promise: the box and the results have room for a block more.
            unsafe {
                for &(offset, weight) in self.taps {
                    let x = self.row.from.add(at + offset);
                    for (k, sum) in sums.iter_mut().enumerate() {
                        *sum = sum.plus_product(*x.add(k), weight);
                    }
                }
                self.to.add(at).cast::<[R; W]>().write_unaligned(sums);
            }
            end_block();
        }
    }
}
