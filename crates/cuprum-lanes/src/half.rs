//! Conversions between `f32` and the 16-bit floats, to nearest even, by bits or by the F16C instructions.
//!
//! All levels give the same bits, NaNs included: a NaN stays one, quieted, with the upper bits of its payload.

use half::{bf16, f16};

use super::loops::Map;

/// From a 16-bit float to `f32`.
pub(super) struct Widen;
/// From `f32` to a 16-bit float, to nearest even.
pub(super) struct Narrow;

impl Map<f16> for Widen {
    type A = f16;
    type B = ();
    type C = ();
    type Out = f32;
    #[inline(always)]
    fn map(x: f16, _: (), _: ()) -> f32 {
        widen_f16(x)
    }
}

impl Map<f16> for Narrow {
    type A = f32;
    type B = ();
    type C = ();
    type Out = f16;
    #[inline(always)]
    fn map(x: f32, _: (), _: ()) -> f16 {
        narrow_f16(x)
    }
}

impl Map<bf16> for Widen {
    type A = bf16;
    type B = ();
    type C = ();
    type Out = f32;
    #[inline(always)]
    fn map(x: bf16, _: (), _: ()) -> f32 {
        f32::from_bits((x.to_bits() as u32) << 16)
    }
}

impl Map<bf16> for Narrow {
    type A = f32;
    type B = ();
    type C = ();
    type Out = bf16;
    #[inline(always)]
    fn map(x: f32, _: (), _: ()) -> bf16 {
        let bits = x.to_bits();
        let nearest = (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16;
        let nan = (bits >> 16) as u16 | 0x40;
        bf16::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { nearest })
    }
}

#[inline(always)]
fn widen_f16(x: f16) -> f32 {
    let bits = x.to_bits() as u32;
    let magnitude = bits & 0x7fff;
    let rebias = (127 - 15) << 23;
    let normal = (magnitude << 13).wrapping_add(rebias);
    let special = (normal.wrapping_add(rebias)) | if magnitude > 0x7c00 { 1 << 22 } else { 0 };
    // Two to the minus 24th is the unit of binary16's subnormals.
    let subnormal = (magnitude as i32 as f32 * f32::from_bits((127 - 24) << 23)).to_bits();
    let finite = if magnitude < 0x400 { subnormal } else { normal };
    let result = if magnitude >= 0x7c00 { special } else { finite };
    f32::from_bits(result | (bits & 0x8000) << 16)
}

#[inline(always)]
fn narrow_f16(x: f32) -> f16 {
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = (bits >> 16) & 0x8000;
    let rounded = magnitude.wrapping_add(0xfff + ((magnitude >> 13) & 1));
    let normal = rounded.wrapping_sub((127 - 15) << 23) >> 13;
    // Adding one half leaves the subnormal's digits, rounded by the addition itself, in the low bits.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let bounded = if magnitude >= 0x4780_0000 { 0x7c00 } else { finite };
    let result = if magnitude > 0x7f80_0000 { nan } else { bounded };
    f16::from_bits((result | sign) as u16)
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;

    use super::{f16, narrow_f16, widen_f16};

    /// Generates the lanes of one width; for `widen_avx512`, in short:
    ///
    /// ```text
    /// pub unsafe fn widen_avx512(n: usize, dst: *mut u8, src: [*const u8; 3]) {
    ///     while i + 16 <= n { _mm512_storeu_ps(dst + i, _mm512_cvtph_ps(_mm256_loadu_si256(src + i))); i += 16 }
    ///     while i < n { *(dst + i) = widen_f16(*(src + i)); i += 1 }
    /// }
    /// ```
    macro_rules! lanes {
        ($widen:ident, $narrow:ident, $features:literal, $width:literal, $store_ps:ident, $load_ps:ident,
         $load_half:ident, $store_half:ident, $to_single:ident, $to_half:ident) => {
            #[target_feature(enable = $features)]
            pub(in super::super) unsafe fn $widen(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                let (from, to) = (src[0].cast::<f16>(), dst.cast::<f32>());
                let mut i = 0;
                while i + $width <= n {
                    // SAFETY: the block holds `n` elements on both sides.
                    unsafe { $store_ps(to.add(i), $to_single($load_half(from.add(i).cast()))) };
                    i += $width;
                }
                while i < n {
                    // SAFETY: `i < n`.
                    unsafe { to.add(i).write(widen_f16(from.add(i).read())) };
                    i += 1;
                }
            }

            #[target_feature(enable = $features)]
            pub(in super::super) unsafe fn $narrow(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                let (from, to) = (src[0].cast::<f32>(), dst.cast::<f16>());
                let mut i = 0;
                while i + $width <= n {
                    // SAFETY: the block holds `n` elements on both sides.
                    unsafe {
                        let halves = $to_half::<_MM_FROUND_TO_NEAREST_INT>($load_ps(from.add(i)));
                        $store_half(to.add(i).cast(), halves);
                    }
                    i += $width;
                }
                while i < n {
                    // SAFETY: `i < n`.
                    unsafe { to.add(i).write(narrow_f16(from.add(i).read())) };
                    i += 1;
                }
            }
        };
    }

    lanes!(
        widen_avx2,
        narrow_avx2,
        "avx2,f16c",
        8,
        _mm256_storeu_ps,
        _mm256_loadu_ps,
        _mm_loadu_si128,
        _mm_storeu_si128,
        _mm256_cvtph_ps,
        _mm256_cvtps_ph
    );
    lanes!(
        widen_avx512,
        narrow_avx512,
        "avx512f,f16c",
        16,
        _mm512_storeu_ps,
        _mm512_loadu_ps,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm512_cvtph_ps,
        _mm512_cvtps_ph
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of so many values one is taken: Miri takes a thousand times as long.
    const STEP: usize = if cfg!(miri) { 1021 } else { 1 };

    #[test]
    fn every_half_survives_the_round_trip() {
        for bits in (0..=u16::MAX).step_by(STEP) {
            let x = f16::from_bits(bits);
            assert_eq!(widen_f16(x).to_bits(), x.to_f32_const().to_bits(), "{bits:#06x}");
            let back = narrow_f16(widen_f16(x));
            assert_eq!(back.to_bits(), if x.is_nan() { bits | 0x200 } else { bits });
            let y = bf16::from_bits(bits);
            let back = <Narrow as Map<bf16>>::map(<Widen as Map<bf16>>::map(y, (), ()), (), ());
            assert_eq!(back.to_bits(), if y.is_nan() { bits | 0x40 } else { bits });
        }
    }

    #[test]
    fn narrowing_rounds_to_nearest_even() {
        // Every 4099th single passes all exponents, ties and neighbours of ties are added by hand.
        let ties = (0..0x7c00u32).step_by(STEP).flat_map(|h| {
            let low = widen_f16(f16::from_bits(h as u16)).to_bits();
            let high = widen_f16(f16::from_bits(h as u16 + 1)).to_bits();
            let middle = low.midpoint(high);
            [middle - 1, middle, middle + 1]
        });
        for bits in (0..=u32::MAX).step_by(4099 * STEP).chain(ties) {
            let x = f32::from_bits(bits);
            assert_eq!(narrow_f16(x).to_bits(), f16::from_f32_const(x).to_bits(), "{bits:#010x}");
            assert_eq!(<Narrow as Map<bf16>>::map(x, (), ()).to_bits(), bf16::from_f32_const(x).to_bits());
        }
    }
}
