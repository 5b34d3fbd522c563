//! Filters on the CPU.
//!
//! Every task takes a box of the output, gathers the part of the input that its windows see into memory of its own,
//! with the boundary already put around it, and runs plain loops over that. Boxes have a fixed size, so results do not
//! depend on the number of threads.

mod keys;
mod line;
mod products;
mod rank;
mod tile;
mod window;

use cuprum_core::{DType, Result, SimdLevel};
use cuprum_graph::FilterCall;

use cuprum_lanes::{Lane, cast};

pub(super) use tile::touch_scratch;

/// Products, sums or comparisons below which starting other threads costs more than it gains.
const PARALLEL_MIN: usize = 1 << 16;

/// Runs a filter.
pub(super) fn run(call: &FilterCall<'_>, level: SimdLevel) -> Result<()> {
    match *call {
        FilterCall::Line { op, input, out, axis, start, boundary } => super::with_dense_out(out, |out| {
            line::run(op, &super::dense(input)?, out, axis, start, boundary, level)
        }),
        FilterCall::Window { op, input, out, footprint, boundary } => super::with_dense_out(out, |out| {
            window::run(op, &super::dense(input)?, out, footprint, boundary, level)
        }),
        FilterCall::Products { input, weights, out, starts, boundary } => super::with_dense_out(out, |out| {
            products::run(&super::dense(input)?, &super::dense(weights)?, out, starts, boundary, level)
        }),
    }
}

/// Work that is compiled for each instruction set: `call` must be inlined.
pub(super) trait LevelJob {
    /// # Safety
    /// As the implementation states.
    unsafe fn call(self);
}

/// Runs a job with the instructions of a level.
///
/// # Safety
/// The processor has them, and the job's own conditions hold.
pub(super) unsafe fn run_at<J: LevelJob>(level: SimdLevel, job: J) {
    // SAFETY: the caller's promise.
    unsafe {
        match level {
            SimdLevel::Portable => portable(job),
            SimdLevel::Avx2 => with_avx2(job),
            SimdLevel::Avx512 => with_avx512(job),
        }
    }
}

#[inline(never)]
unsafe fn portable<J: LevelJob>(job: J) {
    // SAFETY: the caller's promise.
    unsafe { job.call() }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt"))]
unsafe fn with_avx2<J: LevelJob>(job: J) {
    // SAFETY: the caller's promise.
    unsafe { job.call() }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt"
    )
)]
unsafe fn with_avx512<J: LevelJob>(job: J) {
    // SAFETY: the caller's promise.
    unsafe { job.call() }
}

/// Ends a block: without it the compiler may vectorise across blocks, by gathers, instead of inside them. No
/// instruction comes of it.
#[inline(always)]
fn end_block() {
    std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
}

/// How results leave float64: rounded to a float, truncated to an integer.
#[derive(Clone, Copy)]
struct NarrowResult {
    lane: Lane,
    /// Whether the lane writes bytes of which only "zero or not" is wanted: a truth value is what is left of the
    /// number once truncated, so that a half is false.
    truth: bool,
}

impl NarrowResult {
    fn new(to: DType, level: SimdLevel) -> NarrowResult {
        let truth = to == DType::Bool;
        NarrowResult { lane: cast(DType::F64, if truth { DType::U8 } else { to }, level), truth }
    }

    /// # Safety
    /// `n` numbers are readable at `from`, and as many results writable at `to`.
    unsafe fn store(self, n: usize, from: *const f64, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            (self.lane)(n, to, [from.cast(); 3]);
            if self.truth {
                std::slice::from_raw_parts_mut(to, n).iter_mut().for_each(|x| *x = u8::from(*x != 0));
            }
        }
    }
}
