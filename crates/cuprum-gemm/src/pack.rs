//! Packing: a panel of an operand copied into the order in which the micro-kernel reads it, widened on the
//! way.

use core::marker::PhantomData;

use super::element::{GemmElement, PackedNumber};
use super::simd::{GemmJob, GemmVector};

/// A panel of `lanes` rows of A (or columns of B) by `depth` steps along k, packed step by step.
pub(super) struct Panel<E: GemmElement> {
    pub source: *const E,
    pub lane_stride: isize,
    pub depth_stride: isize,
    pub lanes: usize,
    pub depth: usize,
    pub target: *mut E::PackedNumber,
}

/// Steps of a panel that are asked for ahead: each lies in another page of a wide matrix, where memory does not see the walk.
const STEPS_AHEAD: usize = 16;

struct Packing<E: GemmElement, V> {
    panel: Panel<E>,
    vector: PhantomData<V>,
}

/// Packs a panel.
///
/// # Safety
/// The processor has the vector's instructions, the source is readable, and the target has room for
/// `lanes * depth` numbers.
pub(super) unsafe fn pack<E: GemmElement, V: GemmVector>(panel: Panel<E>) {
    // SAFETY: the caller's promise.
    unsafe { V::run(Packing::<E, V> { panel, vector: PhantomData }) }
}

impl<E: GemmElement, V: GemmVector> GemmJob for Packing<E, V> {
    #[inline(always)]
    unsafe fn call(self) {
        let panel = self.panel;
        let columns = 2 * V::LANES / E::PackedNumber::REALS;
        let rows = V::ROWS / E::PackedNumber::REALS;
        // SAFETY: the caller of `pack` vouches for the panel.
        unsafe {
            if panel.lane_stride == 1 {
                // The length of a full panel is a constant here, so its copy is a few vector moves.
                if panel.lanes == columns {
                    copy_steps::<E, V>(&panel, columns);
                } else if panel.lanes == rows {
                    copy_steps::<E, V>(&panel, rows);
                } else {
                    copy_steps::<E, V>(&panel, panel.lanes);
                }
            } else if panel.depth_stride == 1 && E::DIRECT {
                transpose(&panel);
            } else if panel.depth_stride == 1 {
                widen_lanes(&panel);
            } else {
                gather(&panel, 0..panel.lanes, 0..panel.depth);
            }
        }
    }
}

/// Packs a panel whose lanes are contiguous.
///
/// # Safety
/// As `pack`; `lanes` is the panel's.
#[inline(always)]
unsafe fn copy_steps<E: GemmElement, V: GemmVector>(panel: &Panel<E>, lanes: usize) {
    for p in 0..panel.depth {
        let step = |p: usize| panel.source.wrapping_offset(p as isize * panel.depth_stride);
        let source = step(p);
        let ahead = step(p + STEPS_AHEAD);
        V::prefetch(ahead.cast());
        V::prefetch(ahead.wrapping_add(lanes - 1).cast());
        // SAFETY: a step of the panel.
        unsafe {
            let target = panel.target.add(p * panel.lanes);
            if E::DIRECT {
                target.copy_from_nonoverlapping(source.cast(), lanes);
            } else {
                widen::<E>(source, target, lanes);
            }
        }
    }
}

/// Packs a panel whose steps are contiguous, in blocks of four lanes that the compiler turns into shuffles.
///
/// # Safety
/// As `pack`.
#[inline(always)]
unsafe fn transpose<E: GemmElement>(panel: &Panel<E>) {
    const LANES: usize = 4;
    const STEPS: usize = 8;
    let (whole_lanes, whole_depth) = (panel.lanes / LANES * LANES, panel.depth / STEPS * STEPS);
    // SAFETY: blocks inside the panel.
    unsafe {
        for p in (0..whole_depth).step_by(STEPS) {
            for l in (0..whole_lanes).step_by(LANES) {
                let mut block = [[E::PackedNumber::ZERO; LANES]; STEPS];
                for i in 0..LANES {
                    let source =
                        panel.source.wrapping_offset((l + i) as isize * panel.lane_stride).wrapping_add(p);
                    let run = source.cast::<[E::PackedNumber; STEPS]>().read_unaligned();
                    for (row, x) in block.iter_mut().zip(run) {
                        row[i] = x;
                    }
                }
                for (j, row) in block.into_iter().enumerate() {
                    panel
                        .target
                        .add((p + j) * panel.lanes + l)
                        .cast::<[E::PackedNumber; LANES]>()
                        .write_unaligned(row);
                }
            }
        }
        gather(panel, whole_lanes..panel.lanes, 0..whole_depth);
        gather(panel, 0..panel.lanes, whole_depth..panel.depth);
    }
}

/// Packs a panel whose steps are contiguous and whose elements need widening: in runs, which conversions are
/// fast at.
///
/// # Safety
/// As `pack`.
#[inline(always)]
unsafe fn widen_lanes<E: GemmElement>(panel: &Panel<E>) {
    const STEPS: usize = 32;
    let mut run = [E::PackedNumber::ZERO; STEPS];
    for p in (0..panel.depth).step_by(STEPS) {
        let steps = STEPS.min(panel.depth - p);
        for l in 0..panel.lanes {
            // SAFETY: a run inside the panel.
            unsafe {
                let source = panel.source.wrapping_offset(l as isize * panel.lane_stride).wrapping_add(p);
                widen::<E>(source, run.as_mut_ptr(), steps);
                for (j, x) in run[..steps].iter().enumerate() {
                    panel.target.add((p + j) * panel.lanes + l).write(*x);
                }
            }
        }
    }
}

/// Packs part of a panel element by element.
///
/// # Safety
/// As `pack`; the ranges lie in the panel.
#[inline(always)]
unsafe fn gather<E: GemmElement>(
    panel: &Panel<E>,
    lanes: core::ops::Range<usize>,
    depth: core::ops::Range<usize>,
) {
    for p in depth {
        for l in lanes.clone() {
            let offset = l as isize * panel.lane_stride + p as isize * panel.depth_stride;
            // SAFETY: an element of the panel.
            unsafe {
                panel.target.add(p * panel.lanes + l).write((*panel.source.wrapping_offset(offset)).widen())
            };
        }
    }
}

/// Widens a contiguous run.
///
/// # Safety
/// `len` elements are readable at `source`, and `len` initialised or plain numbers writable at `target`.
#[inline(always)]
pub(super) unsafe fn widen<E: GemmElement>(source: *const E, target: *mut E::PackedNumber, len: usize) {
    // SAFETY: the caller's promise; the numbers written over have no invalid bit patterns.
    unsafe {
        E::widen_run(core::slice::from_raw_parts(source, len), core::slice::from_raw_parts_mut(target, len));
    }
}
