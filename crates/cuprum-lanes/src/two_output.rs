//! Lanes of two results: the sine and the cosine of the same angles, which cost little more together than one of them.

use std::mem::MaybeUninit;

use cuprum_core::{DType, SimdLevel};

use crate::math::SinCos;

/// `dst[0][i] = f(src[i])` and `dst[1][i] = g(src[i])` for `i < n`.
///
/// # Safety
/// The CPU has the instructions of the [`SimdLevel`] that the lane was asked for. Each pointer is aligned to its element and
/// valid for `n` elements; a destination equals the source or overlaps nothing.
pub type DualLane = unsafe fn(n: usize, dst: [*mut u8; 2], src: *const u8);

/// The lane of sine and cosine, with the bits of each alone; `None` for dtypes that have none of their own.
///
/// ```
/// use cuprum_core::DType;
/// use cuprum_core::SimdLevel;
/// use cuprum_lanes::sin_cos;
/// let (mut sines, mut cosines) = ([0.0f64; 2], [0.0f64; 2]);
/// let lane = sin_cos(DType::F64, SimdLevel::detect()).unwrap();
/// // SAFETY: three arrays of two doubles each.
/// unsafe {
///     lane(2, [sines.as_mut_ptr().cast(), cosines.as_mut_ptr().cast()], [0.0f64, 1e22].as_ptr().cast());
/// }
/// assert_eq!((sines[0], cosines[0]), (0.0, 1.0));
/// ```
pub fn sin_cos(dtype: DType, level: SimdLevel) -> Option<DualLane> {
    match dtype {
        DType::F32 => Some(at_level::<f32>(level)),
        DType::F64 => Some(at_level::<f64>(level)),
        _ => None,
    }
}

fn at_level<T: SinCos>(level: SimdLevel) -> DualLane {
    match level {
        SimdLevel::Portable => portable::<T>,
        SimdLevel::Avx2 => avx2::<T>,
        SimdLevel::Avx512 => avx512::<T>,
    }
}

at_levels!(portable, avx2, avx512, <T: SinCos>,
    (n: usize, dst: [*mut u8; 2], src: *const u8), sweep::<T>(n, dst, src));

/// Angles that are copied aside at a time, since results may go where they are.
const CHUNK_ELEMENTS: usize = 256;
/// Elements side by side, as in [`loops`](super::loops).
const LANES_AT_A_TIME: usize = 16;

/// Runs over one block.
///
/// # Safety
/// As [`DualLane`].
#[inline(always)]
unsafe fn sweep<T: SinCos>(n: usize, dst: [*mut u8; 2], src: *const u8) {
    let mut angles = [T::ZERO; CHUNK_ELEMENTS];
    for at in (0..n).step_by(CHUNK_ELEMENTS) {
        let count = CHUNK_ELEMENTS.min(n - at);
        // SAFETY: `at + count <= n`, and the buffer has room.
        let (sines, cosines) = unsafe {
            std::ptr::copy_nonoverlapping(src.cast::<T>().add(at), angles.as_mut_ptr(), count);
            let [sines, cosines] =
                dst.map(|to| std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>().add(at), count));
            (sines, cosines)
        };
        chunk(&angles[..count], sines, cosines);
    }
}

#[inline(always)]
fn chunk<T: SinCos>(angles: &[T], sines: &mut [MaybeUninit<T>], cosines: &mut [MaybeUninit<T>]) {
    let mut any = [0u32; LANES_AT_A_TIME];
    let whole = angles.len() / LANES_AT_A_TIME * LANES_AT_A_TIME;
    let results = sines.chunks_exact_mut(LANES_AT_A_TIME).zip(cosines.chunks_exact_mut(LANES_AT_A_TIME));
    for (angles, (sines, cosines)) in angles.chunks_exact(LANES_AT_A_TIME).zip(results) {
        for k in 0..LANES_AT_A_TIME {
            let (sine, cosine) = T::sin_cos(angles[k]);
            sines[k].write(sine);
            cosines[k].write(cosine);
            any[k] |= u32::from(T::is_rare(angles[k]));
        }
    }
    for at in whole..angles.len() {
        let (sine, cosine) = T::sin_cos(angles[at]);
        sines[at].write(sine);
        cosines[at].write(cosine);
        any[0] |= u32::from(T::is_rare(angles[at]));
    }
    if any.iter().fold(0, |all, word| all | word) != 0 {
        for (at, &angle) in angles.iter().enumerate().filter(|(_, angle)| T::is_rare(**angle)) {
            let (sine, cosine) = T::rare_sin_cos(angle);
            sines[at].write(sine);
            cosines[at].write(cosine);
        }
    }
}
