//! The engine's vectors in AVX2.

use std::arch::x86_64::*;

use crate::quick::sort::{SortRange, sort_range};
use crate::quick::vector::KeyVector;
use crate::quick::{PART_COUNT, classify_scalar};

/// 8 keys of 32 bits.
#[derive(Clone, Copy)]
pub(in crate::quick) struct I32x8(__m256i);

/// 4 keys of 64 bits.
#[derive(Clone, Copy)]
pub(in crate::quick) struct I64x4(__m256i);

/// For each mask over `LANES` lanes of `UNITS` numbers of 32 bits each, which number goes where, a byte each, so that the
/// lanes of the mask come first.
const fn sides<const MASKS: usize>(lanes: usize, units: usize) -> [u64; MASKS] {
    let mut table = [0; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut to, mut turn) = (0, 0);
        while turn < 2 {
            let mut lane = 0;
            while lane < lanes {
                if (mask >> lane & 1 == 1) == (turn == 0) {
                    let mut unit = 0;
                    while unit < units {
                        table[mask] |= ((lane * units + unit) as u64) << (8 * to);
                        to += 1;
                        unit += 1;
                    }
                }
                lane += 1;
            }
            turn += 1;
        }
        mask += 1;
    }
    table
}

static SIDES_8: [u64; 256] = sides(8, 1);
static SIDES_4: [u64; 16] = sides(4, 2);

/// The numbers of 32 bits where the bytes of `places` say.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn permuted(numbers: __m256i, places: u64) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(places as i64));
        _mm256_permutevar8x32_epi32(numbers, places)
    }
}

/// A mask over the first numbers of 32 bits, of 8.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn first_of_8(count: usize) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), lanes)
    }
}

// SAFETY: 8 keys of 4 bytes are 32 bytes.
unsafe impl KeyVector for I32x8 {
    type SortKey = i32;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(key: i32) -> Self {
        // SAFETY: the caller's promise, as below.
        unsafe { I32x8(_mm256_set1_epi32(key)) }
    }
    #[inline(always)]
    unsafe fn load(p: *const i32) -> Self {
        // SAFETY: 8 keys are readable.
        unsafe { I32x8(_mm256_loadu_si256(p.cast())) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut i32) {
        // SAFETY: 8 keys are writable.
        unsafe { _mm256_storeu_si256(p.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const i32, count: usize) -> Self {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe {
            let first = first_of_8(count);
            let keys = _mm256_maskload_epi32(p, first);
            I32x8(_mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), keys, first))
        }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut i32, count: usize) {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { _mm256_maskstore_epi32(p, first_of_8(count), self.0) }
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I32x8(_mm256_min_epi32(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I32x8(_mm256_max_epi32(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn reverse<const W: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I32x8(match W {
                2 => _mm256_shuffle_epi32::<0b10_11_00_01>(self.0),
                4 => _mm256_shuffle_epi32::<0b00_01_10_11>(self.0),
                _ => _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)),
            })
        }
    }
    #[inline(always)]
    unsafe fn swap<const D: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I32x8(match D {
                1 => _mm256_shuffle_epi32::<0b10_11_00_01>(self.0),
                2 => _mm256_shuffle_epi32::<0b01_00_11_10>(self.0),
                _ => _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn pick<const D: usize>(low: Self, high: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I32x8(match D {
                1 => _mm256_blend_epi32::<0b1010_1010>(low.0, high.0),
                2 => _mm256_blend_epi32::<0b1100_1100>(low.0, high.0),
                _ => _mm256_blend_epi32::<0b1111_0000>(low.0, high.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn split(self, pivot: Self) -> (Self, usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let below = _mm256_cmpgt_epi32(pivot.0, self.0);
            let mask = _mm256_movemask_ps(_mm256_castsi256_ps(below)) as usize;
            (I32x8(permuted(self.0, SIDES_8[mask])), mask.count_ones() as usize)
        }
    }
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    unsafe fn sort_range(keys: &mut [i32], range: SortRange<'_, i32>) {
        // SAFETY: the caller's promise.
        unsafe { sort_range::<Self>(keys, range) }
    }
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    unsafe fn classify(tree: &[i32; PART_COUNT], keys: &[i32], parts: &mut [u8]) {
        classify_scalar(tree, keys, parts);
    }
}

// SAFETY: 4 keys of 8 bytes are 32 bytes.
unsafe impl KeyVector for I64x4 {
    type SortKey = i64;
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(key: i64) -> Self {
        // SAFETY: the caller's promise, as below.
        unsafe { I64x4(_mm256_set1_epi64x(key)) }
    }
    #[inline(always)]
    unsafe fn load(p: *const i64) -> Self {
        // SAFETY: 4 keys are readable.
        unsafe { I64x4(_mm256_loadu_si256(p.cast())) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut i64) {
        // SAFETY: 4 keys are writable.
        unsafe { _mm256_storeu_si256(p.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const i64, count: usize) -> Self {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe {
            let first = first_of_8(2 * count);
            let keys = _mm256_maskload_epi64(p, first);
            I64x4(_mm256_blendv_epi8(_mm256_set1_epi64x(i64::MAX), keys, first))
        }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut i64, count: usize) {
        // SAFETY: lanes beyond `count` are not touched.
        unsafe { _mm256_maskstore_epi64(p, first_of_8(2 * count), self.0) }
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I64x4(_mm256_blendv_epi8(self.0, other.0, _mm256_cmpgt_epi64(self.0, other.0))) }
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { I64x4(_mm256_blendv_epi8(other.0, self.0, _mm256_cmpgt_epi64(self.0, other.0))) }
    }
    #[inline(always)]
    unsafe fn reverse<const W: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I64x4(match W {
                2 => _mm256_shuffle_epi32::<0b01_00_11_10>(self.0),
                _ => _mm256_permute4x64_epi64::<0b00_01_10_11>(self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn swap<const D: usize>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I64x4(match D {
                1 => _mm256_shuffle_epi32::<0b01_00_11_10>(self.0),
                _ => _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn pick<const D: usize>(low: Self, high: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            I64x4(match D {
                1 => _mm256_blend_epi32::<0b1100_1100>(low.0, high.0),
                _ => _mm256_blend_epi32::<0b1111_0000>(low.0, high.0),
            })
        }
    }
    #[inline(always)]
    unsafe fn split(self, pivot: Self) -> (Self, usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let below = _mm256_cmpgt_epi64(pivot.0, self.0);
            let mask = _mm256_movemask_pd(_mm256_castsi256_pd(below)) as usize;
            (I64x4(permuted(self.0, SIDES_4[mask])), mask.count_ones() as usize)
        }
    }
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    unsafe fn sort_range(keys: &mut [i64], range: SortRange<'_, i64>) {
        // SAFETY: the caller's promise.
        unsafe { sort_range::<Self>(keys, range) }
    }
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    unsafe fn classify(tree: &[i64; PART_COUNT], keys: &[i64], parts: &mut [u8]) {
        classify_scalar(tree, keys, parts);
    }
}
