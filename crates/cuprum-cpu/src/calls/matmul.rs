//! Matrix products: batch axes are unrolled into offsets, and the products handed to `gemm`.

use cuprum_core::{DType, Dims, Error, Result};
use cuprum_graph::Slot;

use super::{dense, has_whole_strides, start, with_dense_out};
use crate::gemm::{Gemm, Kind, gemm, gemm_batch};
use crate::space::Space;
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
    let mut offsets = vec![[0; 3]; count];
    for (position, offset) in offsets.iter_mut().enumerate() {
        space.offsets(position, offset);
    }
    // SAFETY: as above for each matrix of the batch; those of `out` are distinct.
    whole(unsafe { gemm_batch(kind, &product, &offsets, thread_count()) })
}

/// An error where the user asked to stop.
fn whole(all: bool) -> Result<()> {
    if all { Ok(()) } else { Err(Error::Interrupted) }
}

fn kind_of(dtype: DType) -> Kind {
    match dtype {
        DType::Bool => Kind::Bool,
        DType::I8 => Kind::I8,
        DType::U8 => Kind::U8,
        DType::I16 => Kind::I16,
        DType::U16 => Kind::U16,
        DType::I32 => Kind::I32,
        DType::U32 => Kind::U32,
        DType::I64 => Kind::I64,
        DType::U64 => Kind::U64,
        DType::F16 => Kind::F16,
        DType::BF16 => Kind::Bf16,
        DType::F32 => Kind::F32,
        DType::F64 => Kind::F64,
        DType::C64 => Kind::C64,
        DType::C128 => Kind::C128,
    }
}
