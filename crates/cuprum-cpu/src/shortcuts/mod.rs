//! What the CPU computes without a Program: few elements at the call, single nodes, small products, rows at positions and
//! under masks.

mod dense;
mod rows;
mod single_node;
mod small;
mod small_rows;

use cuprum_core::memory::catch;
use cuprum_core::{DType, Reduction, Result};
use cuprum_graph::{DenseStep, IndexedRows, MaskedRows, NodeWork, Shortcuts, SmallProduct};

use crate::device::Cpu;
use crate::{calls, reduce};

impl Shortcuts for Cpu {
    unsafe fn run_dense(&self, step: &DenseStep) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { dense::run(step, self.level) }
    }

    unsafe fn run_small(&self, work: &NodeWork<'_>, result: usize) -> Result<bool> {
        // SAFETY: the caller's promise.
        unsafe { small::run(work, result, self.level) }
    }

    unsafe fn run_single_node(&self, work: &NodeWork<'_>, result: usize) -> Result<bool> {
        // SAFETY: the caller's promise.
        catch(|| unsafe { single_node::run(work, result, self.level) })
    }

    unsafe fn reduce_dense(
        &self,
        op: Reduction,
        dtype: DType,
        n: usize,
        input: usize,
        output: usize,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe { reduce::reduce_dense(op, dtype, n, input, output, self.level) }
    }

    unsafe fn multiply(&self, product: &SmallProduct) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { calls::multiply_small(product) }
    }

    unsafe fn take_rows(&self, rows: &IndexedRows, target: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { rows::take(rows, target) }
    }

    unsafe fn put_rows(&self, rows: &IndexedRows, source: usize, step: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { rows::put(rows, source, step) }
    }

    unsafe fn count_true(&self, mask: usize, n: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe { rows::count_true(mask, n) }
    }

    unsafe fn select_rows(&self, rows: &MaskedRows, target: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { rows::select(rows, target) }
    }
}
