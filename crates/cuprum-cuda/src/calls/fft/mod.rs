//! Fourier transforms by cuFFT: up to three axes a plan. Elements that no plan describes are brought into a dense copy
//! whose last axes are the transformed ones.

mod plan;
mod steps;
#[cfg(test)]
mod tests;

use cuprum_core::{DType, Error, Result};
use cuprum_graph::{FftCall, FftKind, Slot};
use smallvec::SmallVec;

use crate::launch::LaunchArgs;
use crate::ops::{CudaText, FragmentSet, type_name};
use crate::session::Session;
use steps::{aligned, transform};

pub use plan::{PlanFacts, PlanLimits, clear_fft_plans, fft_plans, limit_fft_plans};

type Axes = SmallVec<[usize; 4]>;

pub(super) fn run(session: &Session, call: &FftCall<'_>) -> Result<()> {
    let complex = match call.out.dtype {
        DType::F32 | DType::C64 => DType::C64,
        DType::F64 | DType::C128 => DType::C128,
        other => {
            return Err(Error::NoLoop { op: "fft".into(), dtypes: vec![call.input.dtype, other] });
        }
    };
    match call.kind {
        FftKind::Complex => to_complex(session, call, complex),
        FftKind::RealToHalf => to_half(session, call, complex),
        FftKind::HalfToReal => to_real(session, call, complex),
    }
}

/// All axes complex.
fn to_complex(session: &Session, call: &FftCall<'_>, complex: DType) -> Result<()> {
    let lengths = input_lengths(call, None);
    let input = fitted(session, call.input, call.axes, &lengths, complex)?;
    let axes: Axes = long_axes(call.axes, call.lengths);
    into_aligned(session, call.out, |out| {
        transform_all(session, &input, out, &axes, call.inverse)?;
        scale(session, out, call.scale, false)
    })
}

/// Real numbers to half of the coefficients. The coefficients of a real input under the inverse transform are the
/// conjugates of those under the forward one.
fn to_half(session: &Session, call: &FftCall<'_>, complex: DType) -> Result<()> {
    let real = real_of(complex);
    let lengths = input_lengths(call, None);
    let input = fitted(session, call.input, call.axes, &lengths, real)?;
    let (&last, others) = call.axes.split_last().expect("there is an axis");
    let axes = long_axes(others, call.lengths);
    into_aligned(session, call.out, |out| {
        if call.lengths[others.len()] == 1 {
            session.copy(&input, out)?;
            transform_all(session, out, out, &axes, false)?;
        } else {
            // The last axes go with the real one; what is left over follows.
            let (rest, near) = axes.split_at(axes.len().saturating_sub(plan::MAX_AXES - 1));
            let first: Axes = near.iter().copied().chain([last]).collect();
            transform(session, &input, out, &first, &lengths_of(&input, &first), false)?;
            transform_all(session, out, out, rest, false)?;
        }
        scale(session, out, call.scale, call.inverse)
    })
}

/// Half of the coefficients to real numbers: the other axes first, since only then is a line's first coefficient
/// known, whose imaginary part counts as zero.
fn to_real(session: &Session, call: &FftCall<'_>, complex: DType) -> Result<()> {
    let (&last, others) = call.axes.split_last().expect("there is an axis");
    let length = call.lengths[others.len()];
    let half = length / 2 + 1;
    let lengths = input_lengths(call, Some(half));
    let input = fitted(session, call.input, call.axes, &lengths, complex)?;
    let axes = long_axes(others, call.lengths);
    // cuFFT writes over the input of this kind: lines of their own, one after the other.
    let mut order: Axes = (0..input.layout.ndim()).filter(|&axis| axis != last).collect();
    order.push(last);
    let permuted = permuted(&input, &order);
    let lines = session.new_slot(&permuted.layout.shape, complex)?;
    if axes.is_empty() {
        session.copy(&permuted, &lines)?;
    } else {
        let back = inverse_order(&order);
        let in_order = Slot { layout: lines.layout.permute(&back), ..lines.clone() };
        transform_all(session, &input, &in_order, &axes, call.inverse)?;
    }
    let conjugated = !call.inverse;
    ready_half(session, &lines, half, length, call.scale, conjugated)?;
    into_aligned(session, call.out, |out| {
        let out = self::permuted(out, &order);
        if length == 1 {
            return session.copy(&lines, &out);
        }
        transform(session, &lines, &out, &[order.len() - 1], &[length], true)
    })
}

/// The lengths that the input must be brought to: those of the transform, of the last axis perhaps another.
fn input_lengths(call: &FftCall<'_>, last: Option<usize>) -> Axes {
    let mut lengths: Axes = call.lengths.into();
    if let (Some(length), Some(last)) = (lengths.last_mut(), last) {
        *length = last;
    }
    lengths
}

/// The axes along which a transform does anything.
fn long_axes(axes: &[usize], lengths: &[usize]) -> Axes {
    axes.iter().zip(lengths).filter(|(_, length)| **length > 1).map(|(&axis, _)| axis).collect()
}

fn lengths_of(slot: &Slot, axes: &[usize]) -> Axes {
    axes.iter().map(|&axis| slot.layout.shape[axis]).collect()
}

fn real_of(complex: DType) -> DType {
    if complex == DType::C64 { DType::F32 } else { DType::F64 }
}

fn permuted(slot: &Slot, order: &[usize]) -> Slot {
    Slot { layout: slot.layout.permute(order), ..slot.clone() }
}

fn inverse_order(order: &[usize]) -> Axes {
    (0..order.len()).map(|axis| order.iter().position(|&o| o == axis).expect("a permutation")).collect()
}

/// The input in the dtype of the transform and with its lengths along the axes: cut off, or filled up with zeros.
fn fitted(session: &Session, input: &Slot, axes: &[usize], lengths: &[usize], dtype: DType) -> Result<Slot> {
    let mut cut = input.clone();
    let mut wanted = input.layout.shape.clone();
    for (&axis, &length) in axes.iter().zip(lengths) {
        let kept = length.min(cut.layout.shape[axis]);
        cut.layout = cut.layout.slice_axis(axis, 0, 1, kept);
        wanted[axis] = length;
    }
    let short = cut.layout.shape != wanted;
    if !short && input.dtype == dtype {
        return Ok(cut);
    }
    let made = session.new_slot(&wanted, dtype)?;
    if short {
        session.set_slot(&made, 0)?;
    }
    let mut part = made.clone();
    for &axis in axes {
        part.layout = part.layout.slice_axis(axis, 0, 1, cut.layout.shape[axis]);
    }
    if cut.layout.size() > 0 {
        session.copy(&cut, &part)?;
    }
    Ok(made)
}

/// Complex transforms along any number of axes, perhaps none; `input` may be `out`.
fn transform_all(session: &Session, input: &Slot, out: &Slot, axes: &[usize], inverse: bool) -> Result<()> {
    let same = input.buffer.address() == out.buffer.address() && input.layout == out.layout;
    if axes.is_empty() {
        return if same { Ok(()) } else { session.copy(input, out) };
    }
    // From the last axes to the first ones; all but the first step are in place.
    let mut from = input;
    for group in axes.rchunks(plan::MAX_AXES) {
        transform(session, from, out, group, &lengths_of(out, group), inverse)?;
        from = out;
    }
    Ok(())
}

/// Runs `fill` on `out` where its address and steps suit cuFFT, else on new memory that is copied into it after.
fn into_aligned(session: &Session, out: &Slot, fill: impl FnOnce(&Slot) -> Result<()>) -> Result<()> {
    if aligned(session, out) && out.layout.is_dense(out.dtype.size()) {
        return fill(out);
    }
    let made = session.new_slot(&out.layout.shape, out.dtype)?;
    fill(&made)?;
    session.copy(&made, out)
}

const THREADS: u32 = 256;

fn text(complex: DType) -> String {
    let real = type_name(real_of(complex));
    let prelude = FragmentSet::of(CudaText::Complex).text();
    format!("{prelude}\ntypedef {real} P;\n{}", include_str!("../../kernels/fft_scale.cu"))
}

fn blocks(session: &Session, size: usize) -> u32 {
    size.div_ceil(THREADS as usize).min(session.gpu().multiprocessors as usize * 32) as u32
}

/// A part of a complex number as an argument.
fn part(args: &mut LaunchArgs, complex: DType, value: f64) {
    if complex == DType::C64 {
        args.bytes(&(value as f32).to_ne_bytes());
    } else {
        args.f64(value);
    }
}

/// Multiplies all elements, which fill one run of memory.
fn scale(session: &Session, out: &Slot, scale: f64, conjugated: bool) -> Result<()> {
    if scale == 1.0 && !conjugated {
        return Ok(());
    }
    let parts = out.layout.size() * 2;
    let kernel = session.kernel("fft_scale", &[out.dtype as u32], || text(out.dtype))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(out)).u64(parts as u64);
    part(&mut args, out.dtype, scale);
    part(&mut args, out.dtype, if conjugated { -1.0 } else { 1.0 });
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, parts), THREADS, &args) }
}

fn ready_half(
    session: &Session,
    lines: &Slot,
    half: usize,
    length: usize,
    scale: f64,
    conjugated: bool,
) -> Result<()> {
    let size = lines.layout.size();
    let kernel = session.kernel("fft_ready_half", &[lines.dtype as u32], || text(lines.dtype))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(lines)).u64(size as u64).u64(half as u64).u64(length as u64);
    part(&mut args, lines.dtype, scale);
    part(&mut args, lines.dtype, if conjugated { -1.0 } else { 1.0 });
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, size), THREADS, &args) }
}

#[cfg(test)]
mod text_tests {
    use super::*;
    use crate::calls::testing::compiles;

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn texts_compile() {
        compiles("float32", &text(DType::C64));
        compiles("float64", &text(DType::C128));
    }

    #[test]
    fn orders_are_undone() {
        let order = [2, 0, 3, 1];
        let back = inverse_order(&order);
        assert!((0..4).all(|axis| order[back[axis]] == axis));
    }
}
