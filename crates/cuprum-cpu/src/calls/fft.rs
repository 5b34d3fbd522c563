//! Fourier transforms: operands are brought to whole strides, the rest is done in `cuprum-fft`.

use cuprum_core::{DType, Error, Result};
use cuprum_fft::{Direction, FftReal, Lease, Strided, Transform, TransformKind, transform};
use cuprum_graph::{FftCall, FftKind, Slot};
use smallvec::SmallVec;

use super::{dense, has_whole_strides, start, with_dense_out};
use crate::memory;

pub(super) fn fft(call: &FftCall<'_>) -> Result<()> {
    match call.out.dtype {
        DType::F32 | DType::C64 => run::<f32>(call),
        DType::F64 | DType::C128 => run::<f64>(call),
        other => Err(Error::NoLoop { op: "fft".into(), dtypes: vec![call.input.dtype, other] }),
    }
}

fn run<T: FftReal>(call: &FftCall<'_>) -> Result<()> {
    let input = if has_whole_strides(call.input) { call.input.clone() } else { dense(call.input)? };
    if has_whole_strides(call.out) {
        return run_strided::<T>(call, &input, call.out);
    }
    with_dense_out(call.out, |out| run_strided::<T>(call, &input, out))
}

fn run_strided<T: FftReal>(call: &FftCall<'_>, input: &Slot, out: &Slot) -> Result<()> {
    let kind = match call.kind {
        FftKind::Complex if input.dtype.is_complex() => TransformKind::Complex,
        FftKind::Complex => TransformKind::RealToComplex,
        FftKind::RealToHalf => TransformKind::RealToHalf,
        FftKind::HalfToReal => TransformKind::HalfToReal,
    };
    let direction = if call.inverse { Direction::Inverse } else { Direction::Forward };
    let job = Transform { kind, direction, axes: call.axes, lengths: call.lengths, scale: call.scale };
    let steps = [input, out].map(element_steps);
    let source = Strided { start: start(input), shape: &input.layout.shape, strides: &steps[0] };
    let target = Strided { start: start(out), shape: &out.layout.shape, strides: &steps[1] };
    // SAFETY: dtypes are those of the kind and of precision T, strides are whole and aligned, layouts lie in their
    // buffers, and the result overlaps nothing.
    unsafe { transform::<T>(&job, source, target, &lend) }
}

/// Strides counted in elements.
fn element_steps(slot: &Slot) -> SmallVec<[isize; 4]> {
    slot.layout.strides.iter().map(|step| step / slot.dtype.size() as isize).collect()
}

/// Working memory from the pool.
fn lend(bytes: usize) -> Result<Lease> {
    let buffer = memory::allocate(bytes)?;
    // SAFETY: the buffer is new and goes along with the lease.
    Ok(unsafe { Lease::new(buffer.address() as *mut u8, bytes, Box::new(buffer)) })
}
