//! One plan's worth of a transform: from a slot to a slot along at most three axes, by cuFFT's own strides where they
//! suffice.

use cuprum_core::Result;
use cuprum_graph::Slot;
use smallvec::SmallVec;

use super::plan::{CufftGeometry, MAX_AXES, Placement, execute};
use super::{Axes, permuted};
use crate::session::Session;

/// The most transforms of an outer batch axis that are launched one by one instead of copying.
const MAX_LAUNCHES: usize = 16;

/// Whether the address suits cuFFT, which reads real numbers by twos, and steps can be counted in elements.
pub(super) fn aligned(session: &Session, slot: &Slot) -> bool {
    let size = slot.dtype.size();
    let unit = if slot.dtype.is_complex() { size } else { 2 * size };
    session.address(slot).is_multiple_of(unit)
        && slot.layout.strides.iter().all(|&step| step >= 0 && (step as usize).is_multiple_of(size))
}

/// Transforms along `axes`, the last one being the real one in real transforms; `lengths` are those of the numbers, of
/// which the complex side has half of the last axis. `input` may be `out`.
pub(super) fn transform(
    session: &Session,
    input: &Slot,
    out: &Slot,
    axes: &[usize],
    lengths: &[usize],
    inverse: bool,
) -> Result<()> {
    let order = axes_last(input.layout.ndim(), axes);
    let (from, to) = (permuted(input, &order), permuted(out, &order));
    let work = |input: &Slot, out: &Slot| execute_all(session, input, out, lengths, inverse);
    let described = |slot: &Slot| aligned(session, slot) && describe(slot, lengths.len()).is_some();
    let together = |a: &Slot, b: &Slot| batches(a, b, lengths.len()).is_some();
    let mut from = from;
    if !described(&from) || (!together(&from, &to) && !is_dense(&from)) {
        let dense = session.new_slot(&from.layout.shape, from.dtype)?;
        session.copy(&from, &dense)?;
        from = dense;
    }
    if described(&to) && together(&from, &to) {
        return work(&from, &to);
    }
    // A dense result has a batch of one axis, but the input's may be of more.
    let dense = session.new_slot(&to.layout.shape, to.dtype)?;
    if !together(&from, &dense) {
        let copy = session.new_slot(&from.layout.shape, from.dtype)?;
        session.copy(&from, &copy)?;
        from = copy;
    }
    work(&from, &dense)?;
    session.copy(&dense, &to)
}

fn is_dense(slot: &Slot) -> bool {
    slot.layout.is_contiguous(slot.dtype.size())
}

/// The axes with the transformed ones at the end.
fn axes_last(ndim: usize, axes: &[usize]) -> Axes {
    (0..ndim).filter(|axis| !axes.contains(axis)).chain(axes.iter().copied()).collect()
}

/// How the last `rank` axes lie: the step along the last one, and the enclosing lengths; `None` where cuFFT cannot
/// describe it.
fn describe(slot: &Slot, rank: usize) -> Option<(i64, [i64; MAX_AXES])> {
    let (ndim, size) = (slot.layout.ndim(), slot.dtype.size() as isize);
    let (shape, strides) = (&slot.layout.shape[ndim - rank..], &slot.layout.strides[ndim - rank..]);
    let step = if shape[rank - 1] == 1 { 1 } else { strides[rank - 1] / size };
    if step < 1 {
        return None;
    }
    let mut embed = [1; MAX_AXES];
    let mut inner = step;
    for axis in (1..rank).rev() {
        // The axis before this one has a stride of as many of its elements as the enclosing array has.
        let length = shape[axis] as isize;
        let outer = strides[axis - 1] / size;
        let embedded = if shape[axis - 1] == 1 { length } else { outer / inner };
        if embedded < length || (shape[axis - 1] != 1 && embedded * inner != outer) {
            return None;
        }
        embed[axis] = embedded as i64;
        inner *= embedded;
    }
    embed[0] = shape[0] as i64;
    Some((step as i64, embed))
}

/// A batch axis: its length, and the elements from one transform to the next in input and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TransformAxis {
    length: usize,
    apart: [i64; 2],
}

/// The batch as at most two axes, the outer of few transforms; `None` where there are more.
fn batches(input: &Slot, out: &Slot, rank: usize) -> Option<SmallVec<[TransformAxis; 2]>> {
    let mut axes: SmallVec<[TransformAxis; 2]> = SmallVec::new();
    for axis in 0..out.layout.ndim() - rank {
        let length = out.layout.shape[axis];
        if length == 1 {
            continue;
        }
        let apart = [input, out].map(|slot| slot.layout.strides[axis] as i64 / slot.dtype.size() as i64);
        // One input for several results is no batch of cuFFT's.
        if apart.contains(&0) {
            return None;
        }
        match axes.last_mut() {
            Some(outer) if (0..2).all(|i| outer.apart[i] == apart[i] * length as i64) => {
                outer.length *= length;
                outer.apart = apart;
            }
            _ => axes.push(TransformAxis { length, apart }),
        }
    }
    match axes[..] {
        [] | [_] => Some(axes),
        [outer, inner] if outer.length.min(inner.length) <= MAX_LAUNCHES => {
            // The shorter axis is the one that is gone through here.
            if inner.length < outer.length {
                axes.swap(0, 1);
            }
            // The address of each launch must be aligned as the first one is.
            let even = |slot: &Slot, which: usize| slot.dtype.is_complex() || axes[0].apart[which] % 2 == 0;
            (even(input, 0) && even(out, 1)).then_some(axes)
        }
        _ => None,
    }
}

fn execute_all(session: &Session, input: &Slot, out: &Slot, lengths: &[usize], inverse: bool) -> Result<()> {
    let rank = lengths.len();
    let no_words = || cuprum_core::Error::device("fft: strides that cuFFT cannot describe");
    let axes = batches(input, out, rank).ok_or_else(no_words)?;
    let one = TransformAxis { length: 1, apart: [1; 2] };
    let (outer, inner) = match axes[..] {
        [] => (one, one),
        [inner] => (one, inner),
        _ => (axes[0], axes[1]),
    };
    let placement = |slot: &Slot, which: usize| {
        let (step, embed) = describe(slot, rank)?;
        // The distance of a single transform is any.
        let reach = embed[1..rank].iter().product::<i64>() * embed[0] * step;
        let apart = if inner.length == 1 { reach } else { inner.apart[which] };
        Some(Placement { embed, step, apart })
    };
    let mut sizes = [1; MAX_AXES];
    for (size, &length) in sizes.iter_mut().zip(lengths) {
        *size = length as i64;
    }
    let geometry = CufftGeometry {
        ordinal: session.gpu().ordinal,
        rank,
        lengths: sizes,
        input: placement(input, 0).ok_or_else(no_words)?,
        output: placement(out, 1).ok_or_else(no_words)?,
        from: input.dtype,
        to: out.dtype,
        batch: inner.length as i64,
    };
    for position in 0..outer.length {
        let start = |slot: &Slot, which: usize| {
            session.address(slot) + position * outer.apart[which] as usize * slot.dtype.size()
        };
        // SAFETY: the geometry is that of both slots' layouts, from each position of the outer axis on.
        unsafe { execute(session, &geometry, start(input, 0), start(out, 1), inverse)? };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cuprum_core::{DType, Layout};
    use cuprum_graph::{Buffer, DeviceKind};

    use super::*;

    fn slot(layout: Layout) -> Slot {
        // SAFETY: nothing is run on it.
        let buffer = unsafe { Buffer::new(DeviceKind::Cuda(0), 512, 1 << 20, Arc::new(())) };
        Slot { buffer, layout, dtype: DType::C64 }
    }

    #[test]
    fn strided_axes_are_described() {
        let whole = Layout::contiguous(&[4, 5, 6], 8);
        assert_eq!(describe(&slot(whole.clone()), 1), Some((1, [6, 1, 1])));
        assert_eq!(describe(&slot(whole.clone()), 3), Some((1, [4, 5, 6])));
        // Along the first axis: steps of 30 elements.
        assert_eq!(describe(&slot(whole.permute(&[1, 2, 0])), 1), Some((30, [4, 1, 1])));
        // A part of a wider array.
        assert_eq!(describe(&slot(whole.slice_axis(2, 0, 1, 3)), 2), Some((1, [5, 6, 1])));
        // Exchanged axes cannot be described.
        assert_eq!(describe(&slot(whole.permute(&[0, 2, 1])), 2), None);
    }

    #[test]
    fn batches_join_or_are_gone_through() {
        let whole = slot(Layout::contiguous(&[4, 5, 6], 8));
        assert_eq!(
            batches(&whole, &whole, 1).unwrap().as_slice(),
            &[TransformAxis { length: 20, apart: [6; 2] }]
        );
        let middle = permuted(&whole, &[0, 2, 1]);
        let expected =
            [TransformAxis { length: 4, apart: [30; 2] }, TransformAxis { length: 6, apart: [1; 2] }];
        assert_eq!(batches(&middle, &middle, 1).unwrap().as_slice(), &expected);
        let once = Layout::contiguous(&[6], 8).broadcast_to("fft", &[4, 5, 6]).unwrap();
        assert_eq!(batches(&slot(once), &whole, 1), None);
        let many = slot(Layout::contiguous(&[40, 5, 60], 8));
        assert_eq!(batches(&permuted(&many, &[0, 2, 1]), &permuted(&many, &[0, 2, 1]), 1), None);
    }
}
