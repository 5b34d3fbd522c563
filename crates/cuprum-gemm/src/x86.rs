//! The vectors of `simd.rs` in AVX2 with FMA, and in AVX-512.

use core::arch::x86_64::*;

use super::element::Bits;
use super::simd::{GemmJob, GemmVector};

/// Implements `GemmVector` for a newtype around a register: the name, its register and number, the instruction
/// sets, the tile's rows, then an expression for each operation.
macro_rules! vector {
    (
        $(#[$doc:meta])*
        $name:ident($reg:ty) of $real:ty, $lanes:literal lanes, $rows:literal rows, $dots:literal dots,
        $features:literal,
        splat($x:ident) $splat:expr, load($lp:ident) $load:expr, store($sp:ident, $sv:ident) $store:expr,
        load_first($fp:ident, $fc:ident) $load_first:expr,
        store_first($gp:ident, $gc:ident, $gv:ident) $store_first:expr,
        add($p:ident, $q:ident) $add:expr, mul_add($a:ident, $b:ident, $c:ident) $mul_add:expr
        $(, sum($s:ident) $sum:expr)? $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($reg);

        // SAFETY: the loads and stores below move the whole register, or its first `count` numbers.
        unsafe impl GemmVector for $name {
            type GemmReal = $real;
            const LANES: usize = $lanes;
            const ROWS: usize = $rows;
            const DOT_ROWS: usize = $dots;

            #[inline]
            unsafe fn run<J: GemmJob>(job: J) {
                #[target_feature(enable = $features)]
                unsafe fn compiled<J: GemmJob>(job: J) {
                    // SAFETY: the caller's promise.
                    unsafe { job.call() }
                }
                // SAFETY: the caller has checked the instruction sets.
                unsafe { compiled(job) }
            }
            #[inline(always)]
            unsafe fn splat($x: $real) -> Self {
                // SAFETY: inside `run`.
                unsafe { $name($splat) }
            }
            #[inline(always)]
            unsafe fn load($lp: *const $real) -> Self {
                // SAFETY: inside `run`; a register's worth is readable.
                unsafe { $name($load) }
            }
            #[inline(always)]
            unsafe fn store(self, $sp: *mut $real) {
                let $sv = self.0;
                // SAFETY: inside `run`; a register's worth is writable.
                unsafe { $store }
            }
            #[inline(always)]
            unsafe fn load_first($fp: *const $real, $fc: usize) -> Self {
                // SAFETY: inside `run`; the lanes past `count` are masked.
                unsafe { $name($load_first) }
            }
            #[inline(always)]
            unsafe fn store_first(self, $gp: *mut $real, $gc: usize) {
                let $gv = self.0;
                // SAFETY: inside `run`; the lanes past `count` are masked.
                unsafe { $store_first }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                let ($p, $q) = (self.0, other.0);
                // SAFETY: inside `run`.
                unsafe { $name($add) }
            }
            #[inline(always)]
            unsafe fn mul_add(self, b: Self, c: Self) -> Self {
                let ($a, $b, $c) = (self.0, b.0, c.0);
                // SAFETY: inside `run`.
                unsafe { $name($mul_add) }
            }
            $(#[inline(always)]
            unsafe fn sum(self) -> $real {
                let $s = self.0;
                // SAFETY: inside `run`.
                unsafe { $sum }
            })?
        }
    };
}

/// The sum of four doubles, in the order of `GemmVector::sum`.
#[inline(always)]
unsafe fn sum4(v: __m256d) -> f64 {
    // SAFETY: called inside `run`.
    unsafe {
        let pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
        _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)))
    }
}

/// The sum of eight floats, in the order of `GemmVector::sum`.
#[inline(always)]
unsafe fn sum8(v: __m256) -> f32 {
    // SAFETY: called inside `run`.
    unsafe {
        let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

vector! {
    /// Eight doubles.
    F64x8(__m512d) of f64, 8 lanes, 12 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_pd(x),
    load(p) _mm512_loadu_pd(p),
    store(p, v) _mm512_storeu_pd(p, v),
    load_first(p, n) _mm512_maskz_loadu_pd(((1u32 << n) - 1) as u8, p),
    store_first(p, n, v) _mm512_mask_storeu_pd(p, ((1u32 << n) - 1) as u8, v),
    add(p, q) _mm512_add_pd(p, q), mul_add(a, b, c) _mm512_fmadd_pd(a, b, c),
    sum(v) sum4(_mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v))),
}

vector! {
    /// Sixteen floats.
    F32x16(__m512) of f32, 16 lanes, 12 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_ps(x),
    load(p) _mm512_loadu_ps(p),
    store(p, v) _mm512_storeu_ps(p, v),
    load_first(p, n) _mm512_maskz_loadu_ps(((1u32 << n) - 1) as u16, p),
    store_first(p, n, v) _mm512_mask_storeu_ps(p, ((1u32 << n) - 1) as u16, v),
    add(p, q) _mm512_add_ps(p, q), mul_add(a, b, c) _mm512_fmadd_ps(a, b, c),
    sum(v) sum8(_mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps::<1>(v))),
}

vector! {
    /// Thirty-two 16-bit integers.
    U16x32(__m512i) of u16, 32 lanes, 6 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_epi16(x as i16),
    load(p) _mm512_loadu_epi16(p.cast()),
    store(p, v) _mm512_storeu_epi16(p.cast(), v),
    load_first(p, n) _mm512_maskz_loadu_epi16(((1u64 << n) - 1) as u32, p.cast()),
    store_first(p, n, v) _mm512_mask_storeu_epi16(p.cast(), ((1u64 << n) - 1) as u32, v),
    add(p, q) _mm512_add_epi16(p, q), mul_add(a, b, c) _mm512_add_epi16(_mm512_mullo_epi16(a, b), c),
}

vector! {
    /// Sixteen 32-bit integers.
    U32x16(__m512i) of u32, 16 lanes, 6 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_epi32(x as i32),
    load(p) _mm512_loadu_epi32(p.cast()),
    store(p, v) _mm512_storeu_epi32(p.cast(), v),
    load_first(p, n) _mm512_maskz_loadu_epi32(((1u32 << n) - 1) as u16, p.cast()),
    store_first(p, n, v) _mm512_mask_storeu_epi32(p.cast(), ((1u32 << n) - 1) as u16, v),
    add(p, q) _mm512_add_epi32(p, q), mul_add(a, b, c) _mm512_add_epi32(_mm512_mullo_epi32(a, b), c),
}

vector! {
    /// Eight 64-bit integers.
    U64x8(__m512i) of u64, 8 lanes, 6 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_epi64(x as i64),
    load(p) _mm512_loadu_epi64(p.cast()),
    store(p, v) _mm512_storeu_epi64(p.cast(), v),
    load_first(p, n) _mm512_maskz_loadu_epi64(((1u32 << n) - 1) as u8, p.cast()),
    store_first(p, n, v) _mm512_mask_storeu_epi64(p.cast(), ((1u32 << n) - 1) as u8, v),
    add(p, q) _mm512_add_epi64(p, q), mul_add(a, b, c) _mm512_add_epi64(_mm512_mullo_epi64(a, b), c),
}

vector! {
    /// Eight words of truths.
    Bits8(__m512i) of Bits, 8 lanes, 6 rows, 4 dots,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    splat(x) _mm512_set1_epi64(x.0 as i64),
    load(p) _mm512_loadu_epi64(p.cast()),
    store(p, v) _mm512_storeu_epi64(p.cast(), v),
    load_first(p, n) _mm512_maskz_loadu_epi64(((1u32 << n) - 1) as u8, p.cast()),
    store_first(p, n, v) _mm512_mask_storeu_epi64(p.cast(), ((1u32 << n) - 1) as u8, v),
    add(p, q) _mm512_or_si512(p, q), mul_add(a, b, c) _mm512_or_si512(_mm512_and_si512(a, b), c),
}

/// Four 64-bit lanes, of which the first `count` are all ones.
#[inline(always)]
unsafe fn mask64(count: usize) -> __m256i {
    // SAFETY: called inside `run` of an AVX2 vector.
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), _mm256_set_epi64x(3, 2, 1, 0)) }
}

/// Eight 32-bit lanes, of which the first `count` are all ones.
#[inline(always)]
unsafe fn mask32(count: usize) -> __m256i {
    // SAFETY: called inside `run` of an AVX2 vector.
    unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)) }
}

/// Low 64 bits of the products: AVX2 multiplies 32 bits at a time.
#[inline(always)]
unsafe fn mullo64(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: called inside `run` of an AVX2 vector.
    unsafe {
        let low = _mm256_mul_epu32(a, b);
        let crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32::<0b10_11_00_01>(b));
        let sum = _mm256_add_epi32(crossed, _mm256_srli_epi64::<32>(crossed));
        _mm256_add_epi64(low, _mm256_slli_epi64::<32>(sum))
    }
}

/// The first `count` of sixteen 16-bit numbers: AVX2 has no mask of that width.
#[inline(always)]
unsafe fn load16_first(p: *const u16, count: usize) -> __m256i {
    let mut lanes = [0u16; 16];
    // SAFETY: `count <= 16` numbers are readable at `p`; called inside `run` of an AVX2 vector.
    unsafe {
        p.copy_to_nonoverlapping(lanes.as_mut_ptr(), count);
        _mm256_loadu_si256(lanes.as_ptr().cast())
    }
}

/// Stores the first `count` of sixteen 16-bit numbers.
#[inline(always)]
unsafe fn store16_first(p: *mut u16, count: usize, v: __m256i) {
    let mut lanes = [0u16; 16];
    // SAFETY: `count <= 16` numbers are writable at `p`; called inside `run` of an AVX2 vector.
    unsafe {
        _mm256_storeu_si256(lanes.as_mut_ptr().cast(), v);
        p.copy_from_nonoverlapping(lanes.as_ptr(), count);
    }
}

vector! {
    /// Four doubles.
    F64x4(__m256d) of f64, 4 lanes, 6 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_pd(x),
    load(p) _mm256_loadu_pd(p),
    store(p, v) _mm256_storeu_pd(p, v),
    load_first(p, n) _mm256_maskload_pd(p, mask64(n)),
    store_first(p, n, v) _mm256_maskstore_pd(p, mask64(n), v),
    add(p, q) _mm256_add_pd(p, q), mul_add(a, b, c) _mm256_fmadd_pd(a, b, c),
    sum(v) sum4(v),
}

vector! {
    /// Eight floats.
    F32x8(__m256) of f32, 8 lanes, 6 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_ps(x),
    load(p) _mm256_loadu_ps(p),
    store(p, v) _mm256_storeu_ps(p, v),
    load_first(p, n) _mm256_maskload_ps(p, mask32(n)),
    store_first(p, n, v) _mm256_maskstore_ps(p, mask32(n), v),
    add(p, q) _mm256_add_ps(p, q), mul_add(a, b, c) _mm256_fmadd_ps(a, b, c),
    sum(v) sum8(v),
}

vector! {
    /// Sixteen 16-bit integers.
    U16x16(__m256i) of u16, 16 lanes, 4 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_epi16(x as i16),
    load(p) _mm256_loadu_si256(p.cast()),
    store(p, v) _mm256_storeu_si256(p.cast(), v),
    load_first(p, n) load16_first(p, n),
    store_first(p, n, v) store16_first(p, n, v),
    add(p, q) _mm256_add_epi16(p, q), mul_add(a, b, c) _mm256_add_epi16(_mm256_mullo_epi16(a, b), c),
}

vector! {
    /// Eight 32-bit integers.
    U32x8(__m256i) of u32, 8 lanes, 4 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_epi32(x as i32),
    load(p) _mm256_loadu_si256(p.cast()),
    store(p, v) _mm256_storeu_si256(p.cast(), v),
    load_first(p, n) _mm256_maskload_epi32(p.cast(), mask32(n)),
    store_first(p, n, v) _mm256_maskstore_epi32(p.cast(), mask32(n), v),
    add(p, q) _mm256_add_epi32(p, q), mul_add(a, b, c) _mm256_add_epi32(_mm256_mullo_epi32(a, b), c),
}

vector! {
    /// Four 64-bit integers.
    U64x4(__m256i) of u64, 4 lanes, 4 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_epi64x(x as i64),
    load(p) _mm256_loadu_si256(p.cast()),
    store(p, v) _mm256_storeu_si256(p.cast(), v),
    load_first(p, n) _mm256_maskload_epi64(p.cast(), mask64(n)),
    store_first(p, n, v) _mm256_maskstore_epi64(p.cast(), mask64(n), v),
    add(p, q) _mm256_add_epi64(p, q), mul_add(a, b, c) _mm256_add_epi64(mullo64(a, b), c),
}

vector! {
    /// Four words of truths.
    Bits4(__m256i) of Bits, 4 lanes, 4 rows, 2 dots,
    "avx2,fma",
    splat(x) _mm256_set1_epi64x(x.0 as i64),
    load(p) _mm256_loadu_si256(p.cast()),
    store(p, v) _mm256_storeu_si256(p.cast(), v),
    load_first(p, n) _mm256_maskload_epi64(p.cast(), mask64(n)),
    store_first(p, n, v) _mm256_maskstore_epi64(p.cast(), mask64(n), v),
    add(p, q) _mm256_or_si256(p, q), mul_add(a, b, c) _mm256_or_si256(_mm256_and_si256(a, b), c),
}
