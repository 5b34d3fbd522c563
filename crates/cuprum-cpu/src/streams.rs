//! Stores past the caches, for results that are larger than they, and demands on memory ahead of time.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
use cuprum_core::SimdLevel;

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Copies bytes past the caches; for results larger than them.
///
/// Whole lines are written by the widest stores that there are: memory takes a line that comes at once about twice as
/// fast as one that comes in four parts. The ends of a range go past the caches too, since a line that is written both
/// ways is read and written twice.
///
/// # Safety
/// Both ranges are valid and do not overlap.
pub(crate) unsafe fn stream(source: *const u8, target: *mut u8, bytes: usize) {
    // Miri knows no such stores.
    #[cfg(target_arch = "x86_64")]
    if !cfg!(miri) && (target as usize).is_multiple_of(4) {
        let head = target.align_offset(CACHE_LINE).min(bytes);
        let whole = (bytes - head) / CACHE_LINE * CACHE_LINE;
        // SAFETY: the three parts make up the range; whole lines begin on a line, and the level is this CPU's.
        unsafe {
            stream_words(source, target, head);
            let (from, to) = (source.add(head), target.add(head));
            match SimdLevel::detect() {
                SimdLevel::Avx512 => stream_by_64(from, to, whole),
                SimdLevel::Avx2 => stream_by_32(from, to, whole),
                SimdLevel::Portable => stream_by_16(from, to, whole),
            }
            stream_words(from.add(whole), to.add(whole), bytes - head - whole);
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(source, target, bytes) };
}

/// Writes `bytes` bytes to an aligned target a line at a time.
///
/// # Safety
/// Both ranges hold whole lines and do not overlap; the target is aligned to one, the CPU has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn stream_by_64(source: *const u8, target: *mut u8, bytes: usize) {
    for at in (0..bytes).step_by(CACHE_LINE) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_stream_si512(target.add(at).cast(), _mm512_loadu_si512(source.add(at).cast())) };
    }
}

/// The same by halves of lines.
///
/// # Safety
/// As [`stream_by_64`], with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn stream_by_32(source: *const u8, target: *mut u8, bytes: usize) {
    for at in (0..bytes).step_by(32) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_stream_si256(target.add(at).cast(), _mm256_loadu_si256(source.add(at).cast())) };
    }
}

/// The same by quarters of lines.
///
/// # Safety
/// As [`stream_by_64`], on any CPU of the architecture.
#[cfg(target_arch = "x86_64")]
unsafe fn stream_by_16(source: *const u8, target: *mut u8, bytes: usize) {
    for at in (0..bytes).step_by(16) {
        // SAFETY: the caller's promise; SSE2 is part of x86-64.
        unsafe { _mm_stream_si128(target.add(at).cast(), _mm_loadu_si128(source.add(at).cast())) };
    }
}

/// Writes an end of a range by words; what is left of one goes through the caches.
///
/// # Safety
/// Both ranges are valid and do not overlap; the target is aligned to four bytes.
#[cfg(target_arch = "x86_64")]
unsafe fn stream_words(source: *const u8, target: *mut u8, bytes: usize) {
    let whole = bytes / 4 * 4;
    for at in (0..whole).step_by(4) {
        // SAFETY: the caller's promise; SSE2 is part of x86-64.
        unsafe { _mm_stream_si32(target.add(at).cast(), source.add(at).cast::<i32>().read_unaligned()) };
    }
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(source.add(whole), target.add(whole), bytes - whole) };
}

/// Makes streamed stores visible before other threads are told of them.
pub(crate) fn stream_fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: SSE is part of x86-64; a fence touches no memory.
    unsafe {
        _mm_sfence();
    }
}

/// Asks for some cache lines that will be read soon; any address will do.
#[inline(always)]
pub(crate) fn fetch_lines(start: *const u8, lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..lines {
        // SAFETY: a prefetch of any address is allowed; it touches no memory.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(start.wrapping_add(CACHE_LINE * line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, lines);
}

/// As [`fetch_lines`], of some rows that lie a stride apart. One function, since a copy in each loop that is compiled for every
/// dtype would be larger than what that does.
#[inline(never)]
pub(crate) fn fetch_rows(first: *const u8, stride: isize, rows: usize, lines: usize) {
    for row in 0..rows as isize {
        fetch_lines(first.wrapping_offset(row * stride), lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_writes_its_range_and_nothing_else() {
        let source: Vec<u8> = (0..700).map(|i| (i % 251) as u8 + 1).collect();
        // Miri takes a thousand times as long.
        let step = if cfg!(miri) { 23 } else { 1 };
        for offset in (0..70).step_by(step) {
            for bytes in (0..200).step_by(step).chain([400, 640, 700]) {
                let mut target = vec![0u8; 900];
                // SAFETY: the target has room from any of the offsets on.
                unsafe { stream(source.as_ptr(), target.as_mut_ptr().add(offset), bytes) };
                stream_fence();
                assert_eq!(target[offset..offset + bytes], source[..bytes]);
                assert!(target[..offset].iter().chain(&target[offset + bytes..]).all(|&x| x == 0));
            }
        }
    }
}
