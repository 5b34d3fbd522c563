//! Reductions that have no other order: from the first element to the last.

use cuprum_core::{Error, Op, Result, SimdLevel};
use cuprum_graph::Reduced;
use cuprum_lanes::{self as lanes, Lane};
use cuprum_threads::{Shared, run_spread};

use super::ReductionWalk;
use crate::block::{Evaluator, REDUCTION_BLOCK};

impl ReductionWalk<'_> {
    /// Folds from left to right; the results are accumulated in their own memory.
    ///
    /// # Safety
    /// There is room for the results at `out`.
    pub(super) unsafe fn fold(&self, reduce: &Reduced, op: Op, out: Shared, level: SimdLevel) -> Result<()> {
        let lane = lanes::lane(op, reduce.dtype, level)
            .ok_or_else(|| Error::device(format!("{} has no lane for {}", op.name(), reduce.dtype)))?;
        let size = reduce.dtype.size();
        let (results, length) = (self.kept.size(), self.reduced.size());
        if self.rows_are_inner() {
            let parallel = self.kernel.pays_parallel(results * length);
            return run_spread(results, parallel, &|result| {
                let mut evaluator =
                    Evaluator::new(&self.kernel, &self.kept, &self.reduced, REDUCTION_BLOCK.min(length));
                for start in (0..length).step_by(REDUCTION_BLOCK) {
                    let n = REDUCTION_BLOCK.min(length - start);
                    evaluator.eval_whole(result, start, n, &[reduce.reg]);
                    // SAFETY: the block holds `n` elements; each task folds into a result of its own.
                    unsafe {
                        fold_block(
                            lane,
                            out.get().add(result * size),
                            evaluator.pointer(reduce.reg),
                            n,
                            size,
                            start == 0,
                        )
                    };
                }
            });
        }
        let blocks = results.div_ceil(REDUCTION_BLOCK);
        run_spread(blocks, self.kernel.pays_parallel(results * length), &|block| {
            let start = block * REDUCTION_BLOCK;
            let n = REDUCTION_BLOCK.min(results - start);
            let mut evaluator = Evaluator::new(&self.kernel, &self.reduced, &self.kept, n);
            for row in 0..length {
                evaluator.eval_whole(row, start, n, &[reduce.reg]);
                let x = evaluator.pointer(reduce.reg);
                // SAFETY: the task's results are its own; the block holds `n` elements.
                unsafe {
                    let target = out.get().add(start * size);
                    if row == 0 {
                        std::ptr::copy_nonoverlapping(x, target, n * size);
                    } else {
                        lane(n, target, [target, x, x]);
                    }
                }
            }
        })
    }
}

/// Folds a block into one accumulator; the first element of all starts it.
///
/// # Safety
/// `x` holds `n` elements of `size` bytes, `acc` one; the lane is of that dtype.
unsafe fn fold_block(lane: Lane, acc: *mut u8, x: *const u8, n: usize, size: usize, starts: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        if starts {
            std::ptr::copy_nonoverlapping(x, acc, size);
        }
        for i in usize::from(starts)..n {
            lane(1, acc, [acc, x.add(i * size), x]);
        }
    }
}
