//! Matrix products: batch axes are unrolled into offsets, and the products handed to `gemm`.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Dims, Error, Result};
use cuprum_graph::{Slot, SmallProduct};

use super::{dense, has_whole_strides, start, with_dense_out};
use crate::space::Space;
use cuprum_gemm::{Gemm, GemmType, gemm, gemm_batch};
use cuprum_threads::thread_count;

pub(super) fn matmul(a: &Slot, b: &Slot, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let (a, b) = (addressable(a)?, addressable(b)?);
    if has_whole_strides(out) {
        return multiply(&a, &b, out);
    }
    with_dense_out(out, |out| multiply(&a, &b, out))
}

/// The slot itself where strides can be counted in elements, else a copy.
pub(super) fn addressable(slot: &Slot) -> Result<Slot> {
    if has_whole_strides(slot) { Ok(slot.clone()) } else { dense(slot) }
}

fn multiply(a: &Slot, b: &Slot, out: &Slot) -> Result<()> {
    let batch = out.layout.ndim() - 2;
    let size = out.dtype.size() as isize;
    let matrix = |slot: &Slot| [slot.layout.strides[batch] / size, slot.layout.strides[batch + 1] / size];
    let product = Gemm {
        m: out.layout.shape[batch],
        n: out.layout.shape[batch + 1],
        k: a.layout.shape[batch + 1],
        a: start(a),
        a_strides: matrix(a),
        b: start(b),
        b_strides: matrix(b),
        c: start(out),
        c_strides: matrix(out),
    };
    let kind = kind_of(out.dtype);
    let order: Dims = (0..batch).collect();
    let strides = [a, b, out].map(|slot| &slot.layout.strides[..batch]);
    let mut space = Space::new(&out.layout.shape[..batch], &order, &strides);
    space.collapse();
    let count = space.size();
    if count == 1 {
        // SAFETY: shapes agree, strides were checked to be whole and aligned, `out` overlaps no operand.
        return whole(unsafe { gemm(kind, &product, thread_count()) });
    }
    if let Some(product) = as_one(&product, &space, size) {
        // SAFETY: as above; its rows are those of all products.
        return whole(unsafe { gemm(kind, &product, thread_count()) });
    }
    let mut offsets = filled(count, [0; 3]);
    for (position, offset) in offsets.iter_mut().enumerate() {
        space.offsets(position, offset);
    }
    // SAFETY: as above for each matrix of the batch; those of `out` are distinct.
    whole(unsafe { gemm_batch(kind, &product, &offsets, thread_count()) })
}

/// A batch of products with one small matrix as a single product, where the rows of the other ones follow each other; columns
/// that follow each other are the rows of transposes. Bits are the same: sums so short are added up in one run, in any product.
fn as_one(product: &Gemm, batch: &Space, size: isize) -> Option<Gemm> {
    const MAX_SUM: usize = 512;
    const MAX_SHARED_BYTES: usize = 128 << 10;
    /// Longer sums of products with a vector are added up in parts.
    const MAX_VECTOR_SUM: usize = 8;
    let flip = |[row, column]: [isize; 2]| [column, row];
    let transposed = || Gemm {
        m: product.n,
        n: product.m,
        a: product.b,
        a_strides: flip(product.b_strides),
        b: product.a,
        b_strides: flip(product.a_strides),
        c_strides: flip(product.c_strides),
        ..*product
    };
    let [a, b, c] = batch.steps.as_slice() else { return None };
    let (&[a], &[b], &[c]) = (a.as_slice(), b.as_slice(), c.as_slice()) else { return None };
    let (mut one, step) = match (a, b) {
        (a, 0) => (*product, a),
        (0, b) => (transposed(), b),
        _ => return None,
    };
    if one.m == 1 {
        // A single row lies any step from the next.
        (one.a_strides[0], one.c_strides[0]) = (step / size, c / size);
    }
    let rows = one.m as isize * size;
    let follow = step == rows * one.a_strides[0] && c == rows * one.c_strides[0];
    let is_short = one.k <= if one.m == 1 || one.n == 1 { MAX_VECTOR_SUM } else { MAX_SUM };
    let is_small = one.n * one.k * size as usize <= MAX_SHARED_BYTES;
    (follow && is_short && is_small && one.n > 1).then(|| Gemm { m: one.m * batch.dims[0], ..one })
}

/// Computes a small product on the calling thread.
///
/// # Safety
/// As [`SmallProduct`] says.
pub(crate) unsafe fn multiply_small(product: &SmallProduct) -> Result<()> {
    let ([m, n, k], [a, b, c]) = (product.lengths, product.addresses);
    let [a_strides, b_strides, c_strides] = product.strides;
    let (a, b, c) = (a as *const u8, b as *const u8, c as *mut u8);
    let product_of_one = Gemm { m, n, k, a, a_strides, b, b_strides, c, c_strides };
    // SAFETY: the caller's promise.
    whole(unsafe { gemm(kind_of(product.dtype), &product_of_one, 1) })
}

/// An error where the user asked to stop.
fn whole(all: bool) -> Result<()> {
    if all { Ok(()) } else { Err(Error::Interrupted) }
}

fn kind_of(dtype: DType) -> GemmType {
    match dtype {
        DType::Bool => GemmType::Bool,
        DType::I8 => GemmType::I8,
        DType::U8 => GemmType::U8,
        DType::I16 => GemmType::I16,
        DType::U16 => GemmType::U16,
        DType::I32 => GemmType::I32,
        DType::U32 => GemmType::U32,
        DType::I64 => GemmType::I64,
        DType::U64 => GemmType::U64,
        DType::F16 => GemmType::F16,
        DType::BF16 => GemmType::Bf16,
        DType::F32 => GemmType::F32,
        DType::F64 => GemmType::F64,
        DType::C64 => GemmType::C64,
        DType::C128 => GemmType::C128,
    }
}
