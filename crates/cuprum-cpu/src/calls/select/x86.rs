//! Selection with AVX-512. Vectors are compressed in registers and stored whole, since compressing stores are slow on some
//! CPUs; near the end of the room, where the next block's elements begin, under a mask.

use std::arch::x86_64::*;

/// The mask bits of up to 64 bytes.
///
/// # Safety
/// The CPU has AVX-512 BW.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn bits(bytes: &[u8]) -> u64 {
    let whole = if bytes.len() >= 64 { u64::MAX } else { (1 << bytes.len()) - 1 };
    // SAFETY: bytes beyond the slice are masked out, and not touched.
    let bytes = unsafe { _mm512_maskz_loadu_epi8(whole, bytes.as_ptr().cast()) };
    _mm512_test_epi8_mask(bytes, bytes)
}

/// How many bytes are not zero.
///
/// # Safety
/// The CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn count(bytes: &[u8]) -> usize {
    bytes.chunks(64).map(|word| bits(word).count_ones() as usize).sum()
}

/// # Safety
/// As for `compress_run`, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn compress_128(source: *const u8, mask: &[u8], target: *mut u8, room: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { super::compress_words::<[u64; 2]>(|word| bits(word), source, mask, target, room) }
}

/// # Safety
/// As for `expand_run`, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn expand<T: Copy>(source: *const u8, mask: &[u8], target: *mut u8, room: usize) {
    // SAFETY: the caller's promise.
    unsafe { super::expand_words::<T>(|word| bits(word), source, mask, target, room) }
}

/// # Safety
/// As for `compress_run`, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn compress_32(source: *const u32, mask: &[u8], target: *mut u32, room: usize) -> usize {
    let mut written = 0;
    for (i, bytes) in mask.chunks(64).enumerate() {
        let mut bits = bits(bytes);
        let mut from = source.wrapping_add(i * 64);
        while bits != 0 {
            let these = bits as u16;
            // SAFETY: only elements whose mask bit is set are read, and no more are stored than there is room for.
            unsafe {
                let values = _mm512_maskz_compress_epi32(these, _mm512_maskz_loadu_epi32(these, from.cast()));
                let count = these.count_ones() as usize;
                if written + 16 <= room {
                    _mm512_storeu_epi32(target.add(written).cast(), values);
                    written += count;
                } else {
                    let kept = count.min(room - written);
                    let lanes = ((1u32 << kept) - 1) as u16;
                    _mm512_mask_storeu_epi32(target.add(written).cast(), lanes, values);
                    written += kept;
                }
            }
            bits >>= 16;
            from = from.wrapping_add(16);
        }
    }
    written
}

/// # Safety
/// As for `compress_run`, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn compress_64(source: *const u64, mask: &[u8], target: *mut u64, room: usize) -> usize {
    let mut written = 0;
    for (i, bytes) in mask.chunks(64).enumerate() {
        let mut bits = bits(bytes);
        let mut from = source.wrapping_add(i * 64);
        while bits != 0 {
            let these = bits as u8;
            // SAFETY: as in `compress_32`.
            unsafe {
                let values = _mm512_maskz_compress_epi64(these, _mm512_maskz_loadu_epi64(these, from.cast()));
                written += store_64(values, these, target.cast(), written, room);
            }
            bits >>= 8;
            from = from.wrapping_add(8);
        }
    }
    written
}

/// # Safety
/// As for `positions_run`, and the CPU has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub(super) unsafe fn positions(mask: &[u8], first: i64, target: *mut i64, room: usize) -> usize {
    let counting = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    let mut written = 0;
    for (i, bytes) in mask.chunks(64).enumerate() {
        let mut bits = bits(bytes);
        let mut at = first + (i * 64) as i64;
        while bits != 0 {
            let these = bits as u8;
            let values =
                _mm512_maskz_compress_epi64(these, _mm512_add_epi64(counting, _mm512_set1_epi64(at)));
            // SAFETY: the target takes `room` positions.
            written += unsafe { store_64(values, these, target, written, room) };
            bits >>= 8;
            at += 8;
        }
    }
    written
}

/// Stores the first lanes, as many as `these` has bits and there is room for, behind `written` others; returns how many.
///
/// # Safety
/// `target` takes `room` elements, no fewer than `written`; the CPU has AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
unsafe fn store_64(values: __m512i, these: u8, target: *mut i64, written: usize, room: usize) -> usize {
    let count = these.count_ones() as usize;
    // SAFETY: a whole vector is stored only where there is room for it.
    unsafe {
        if written + 8 <= room {
            _mm512_storeu_epi64(target.add(written), values);
            return count;
        }
        let kept = count.min(room - written);
        _mm512_mask_storeu_epi64(target.add(written), ((1u32 << kept) - 1) as u8, values);
        kept
    }
}
