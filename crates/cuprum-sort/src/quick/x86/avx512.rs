//! The engine's vectors in AVX-512.

use std::arch::x86_64::*;

use crate::quick::PART_COUNT;
use crate::quick::sort::{SortRange, sort_range};
use crate::quick::vector::KeyVector;

/// 16 keys of 32 bits.
#[derive(Clone, Copy)]
pub(in crate::quick) struct I32x16(__m512i);

/// 8 keys of 64 bits.
#[derive(Clone, Copy)]
pub(in crate::quick) struct I64x8(__m512i);

/// The lanes, of 16, whose number has a bit.
const fn lanes_with(bit: usize) -> u16 {
    let mut mask = 0;
    let mut lane = 0;
    while lane < 16 {
        if lane & bit != 0 {
            mask |= 1 << lane;
        }
        lane += 1;
    }
    mask
}

/// The lowest bits, as many as there are elements left in a vector.
#[inline(always)]
fn mask_of(left: usize, lanes: usize) -> u32 {
    if left >= lanes { (1 << lanes) - 1 } else { (1 << left) - 1 }
}

// SAFETY: 16 keys of 4 bytes are 64 bytes.
unsafe impl KeyVector for I32x16 {
    type SortKey = i32;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(key: i32) -> Self {
        // SAFETY: the caller's promise, as below.
        unsafe { I32x16(_mm512_set1_epi32(key)) }
    }
    #[inline(always)]
    unsafe fn load(p: *const i32) -> Self {
        // SAFETY: 16 keys are readable.
        unsafe { I32x16(_mm512_loadu_epi32(p)) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut i32) {
        // SAFETY: 16 keys are writable.
        unsafe { _mm512_storeu_epi32(p, self.0) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const i32, count: usize) -> Self {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { I32x16(_mm512_mask_loadu_epi32(_mm512_set1_epi32(i32::MAX), (1 << count) - 1, p)) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut i32, count: usize) {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { _mm512_mask_storeu_epi32(p, (1 << count) - 1, self.0) }
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I32x16(_mm512_min_epi32(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I32x16(_mm512_max_epi32(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn reverse<const W: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I32x16(match W {
                2 => _mm512_shuffle_epi32::<0b10_11_00_01>(self.0),
                4 => _mm512_shuffle_epi32::<0b00_01_10_11>(self.0),
                8 => {
                    let lanes = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
                    _mm512_permutexvar_epi32(lanes, self.0)
                }
                _ => {
                    let lanes = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
                    _mm512_permutexvar_epi32(lanes, self.0)
                }
            })
        }
    }
    #[inline(always)]
    unsafe fn swap<const D: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I32x16(match D {
                1 => _mm512_shuffle_epi32::<0b10_11_00_01>(self.0),
                2 => _mm512_shuffle_epi32::<0b01_00_11_10>(self.0),
                4 => _mm512_permutex_epi64::<0b01_00_11_10>(self.0),
                _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn pick<const D: usize>(low: Self, high: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I32x16(_mm512_mask_mov_epi32(low.0, const { lanes_with(D) }, high.0)) }
    }
    #[inline(always)]
    unsafe fn split(self, pivot: Self) -> (Self, usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let below = _mm512_cmplt_epi32_mask(self.0, pivot.0);
            let count = below.count_ones() as usize;
            let first = _mm512_maskz_compress_epi32(below, self.0);
            let others = _mm512_maskz_compress_epi32(!below, self.0);
            let last = (0xFFFF_u32 << count) as u16;
            (I32x16(_mm512_mask_expand_epi32(first, last, others)), count)
        }
    }
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    unsafe fn sort_range(keys: &mut [i32], range: SortRange<'_, i32>) {
        // SAFETY: the caller's promise.
        unsafe { sort_range::<Self>(keys, range) }
    }
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    unsafe fn classify(tree: &[i32; PART_COUNT], keys: &[i32], parts: &mut [u8]) {
        assert_eq!(keys.len(), parts.len(), "one part for each key");
        // SAFETY: loads and stores cover the keys and parts, the last ones under a mask.
        unsafe {
            let t: [__m512i; 4] = std::array::from_fn(|i| _mm512_loadu_epi32(tree.as_ptr().add(16 * i)));
            let one = _mm512_set1_epi32(1);
            for at in (0..keys.len()).step_by(16) {
                let these = mask_of(keys.len() - at, 16) as u16;
                let key = _mm512_maskz_loadu_epi32(these, keys.as_ptr().add(at));
                let mut node = one;
                // Permutations look at as many bits of a node's number as they need: its place in a level of the tree.
                for level in 0..6 {
                    let splitter = match level {
                        0..4 => _mm512_permutexvar_epi32(node, t[0]),
                        4 => _mm512_permutexvar_epi32(node, t[1]),
                        _ => _mm512_permutex2var_epi32(t[2], node, t[3]),
                    };
                    let above = _mm512_cmpge_epi32_mask(key, splitter);
                    node = _mm512_add_epi32(node, node);
                    node = _mm512_mask_add_epi32(node, above, node, one);
                }
                // The numbers of leaves are 64 to 127.
                let part = _mm512_and_epi32(node, _mm512_set1_epi32(63));
                _mm_mask_storeu_epi8(parts.as_mut_ptr().add(at).cast(), these, _mm512_cvtepi32_epi8(part));
            }
        }
    }
}

// SAFETY: 8 keys of 8 bytes are 64 bytes.
unsafe impl KeyVector for I64x8 {
    type SortKey = i64;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(key: i64) -> Self {
        // SAFETY: the caller's promise, as below.
        unsafe { I64x8(_mm512_set1_epi64(key)) }
    }
    #[inline(always)]
    unsafe fn load(p: *const i64) -> Self {
        // SAFETY: 8 keys are readable.
        unsafe { I64x8(_mm512_loadu_epi64(p)) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut i64) {
        // SAFETY: 8 keys are writable.
        unsafe { _mm512_storeu_epi64(p, self.0) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const i64, count: usize) -> Self {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { I64x8(_mm512_mask_loadu_epi64(_mm512_set1_epi64(i64::MAX), (1 << count) - 1, p)) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut i64, count: usize) {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { _mm512_mask_storeu_epi64(p, (1 << count) - 1, self.0) }
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I64x8(_mm512_min_epi64(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I64x8(_mm512_max_epi64(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn reverse<const W: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I64x8(match W {
                2 => _mm512_shuffle_epi32::<0b01_00_11_10>(self.0),
                4 => _mm512_permutex_epi64::<0b00_01_10_11>(self.0),
                _ => _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn swap<const D: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I64x8(match D {
                1 => _mm512_shuffle_epi32::<0b01_00_11_10>(self.0),
                2 => _mm512_permutex_epi64::<0b01_00_11_10>(self.0),
                _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn pick<const D: usize>(low: Self, high: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I64x8(_mm512_mask_mov_epi64(low.0, const { lanes_with(D) as u8 }, high.0)) }
    }
    #[inline(always)]
    unsafe fn split(self, pivot: Self) -> (Self, usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let below = _mm512_cmplt_epi64_mask(self.0, pivot.0);
            let count = below.count_ones() as usize;
            let first = _mm512_maskz_compress_epi64(below, self.0);
            let others = _mm512_maskz_compress_epi64(!below, self.0);
            let last = (0xFF_u32 << count) as u8;
            (I64x8(_mm512_mask_expand_epi64(first, last, others)), count)
        }
    }
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    unsafe fn sort_range(keys: &mut [i64], range: SortRange<'_, i64>) {
        // SAFETY: the caller's promise.
        unsafe { sort_range::<Self>(keys, range) }
    }
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    unsafe fn classify(tree: &[i64; PART_COUNT], keys: &[i64], parts: &mut [u8]) {
        assert_eq!(keys.len(), parts.len(), "one part for each key");
        // SAFETY: as for 32 bits.
        unsafe {
            let t: [__m512i; 8] = std::array::from_fn(|i| _mm512_loadu_epi64(tree.as_ptr().add(8 * i)));
            let one = _mm512_set1_epi64(1);
            for at in (0..keys.len()).step_by(8) {
                let these = mask_of(keys.len() - at, 8) as u8;
                let key = _mm512_maskz_loadu_epi64(these, keys.as_ptr().add(at));
                let mut node = one;
                for level in 0..6 {
                    let splitter = match level {
                        0..3 => _mm512_permutexvar_epi64(node, t[0]),
                        3 => _mm512_permutexvar_epi64(node, t[1]),
                        4 => _mm512_permutex2var_epi64(t[2], node, t[3]),
                        _ => {
                            let low = _mm512_permutex2var_epi64(t[4], node, t[5]);
                            let high = _mm512_permutex2var_epi64(t[6], node, t[7]);
                            let is_high = _mm512_test_epi64_mask(node, _mm512_set1_epi64(16));
                            _mm512_mask_mov_epi64(low, is_high, high)
                        }
                    };
                    let above = _mm512_cmpge_epi64_mask(key, splitter);
                    node = _mm512_add_epi64(node, node);
                    node = _mm512_mask_add_epi64(node, above, node, one);
                }
                let part = _mm512_and_epi64(node, _mm512_set1_epi64(63));
                let bytes = _mm512_cvtepi64_epi8(part);
                _mm_mask_storeu_epi8(parts.as_mut_ptr().add(at).cast(), these.into(), bytes);
            }
        }
    }
}
