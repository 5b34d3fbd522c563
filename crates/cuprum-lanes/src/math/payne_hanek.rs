//! The reduction of far angles after Payne and Hanek: of an angle times `2/pi` only the digits that count modulo four
//! are formed, from a table of `2/pi`. The CUDA device's text has the same steps, so that both give the same bits.

use super::real::{Real, fast_two_sum};
use super::trig::Reduced;

/// `2/pi` after the binary point, with 64 zeros before it.
const TWO_OVER_PI: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// The 64 bits of the table from a bit on.
fn table_bits(first: usize) -> u64 {
    let (word, shift) = (first >> 6, first & 63);
    TWO_OVER_PI[word] << shift | (TWO_OVER_PI[word + 1] >> 1) >> (63 - shift)
}

/// The upper half of a product.
fn high_product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// Floats whose far angles are reduced here.
pub(super) trait ReduceBeyond: Real {
    /// The parts of a finite angle above [`Real::TRIG_LIMIT`].
    fn reduce_beyond(self) -> Reduced<Self>;
}

impl ReduceBeyond for f64 {
    /// 190 digits after the point are formed. No double is nearer than `2^-62` to a multiple of `pi/2`, so that at least
    /// 75 digits are left where the leading ones cancel.
    fn reduce_beyond(self) -> Reduced<f64> {
        let bits = self.to_bits();
        let m = (bits & ((1 << 52) - 1)) | 1 << 52;
        // The bit of 2/pi whose product with the last place of the angle is two.
        let first = 62 + (bits >> 52) as usize - 1075;
        let [w0, w1, w2] = [0, 64, 128].map(|further| table_bits(first + further));
        let low = m.wrapping_mul(w2);
        let middle = m.wrapping_mul(w1);
        let (carried, carry) = middle.overflowing_add(high_product(m, w2));
        let high = m.wrapping_mul(w0).wrapping_add(high_product(m, w1)).wrapping_add(u64::from(carry));
        let mut k = high >> 62;
        let mut upper = high << 2 | carried >> 62;
        let mut lower = carried << 2 | low >> 62;
        let above_half = upper >> 63 != 0;
        if above_half {
            k += 1;
            lower = lower.wrapping_neg();
            upper = (!upper).wrapping_add(u64::from(lower == 0));
        }
        let shift = upper.leading_zeros();
        let digits = upper << shift | (lower >> 1) >> (63 - shift);
        let more = lower << shift;
        let unit = f64::from_bits(u64::from(1023 - 53 - shift) << 52);
        let fine = f64::from_bits(u64::from(1023 - 53 - 53 - shift) << 52);
        let fraction = (digits >> 11) as f64 * unit;
        let rest = ((digits & 0x7ff) << 42 | more >> 22) as f64 * fine;
        let (right_angle, right_angle_tail) = f64::FRAC_PI_2;
        let r = fraction * right_angle;
        let tail = fraction.fma(right_angle, -r) + fraction.fma(right_angle_tail, rest * right_angle);
        let (r, tail) = fast_two_sum(r, tail);
        if above_half { (k, -r, -tail) } else { (k, r, tail) }
    }
}

impl ReduceBeyond for f32 {
    /// 126 digits after the point are plenty, and `f64` holds the fraction.
    fn reduce_beyond(self) -> Reduced<f32> {
        let bits = self.to_bits();
        let m = u64::from((bits & ((1 << 23) - 1)) | 1 << 23);
        let first = 62 + (bits >> 23) as usize - 150;
        let w1 = table_bits(first + 64);
        let high = m.wrapping_mul(table_bits(first)).wrapping_add(high_product(m, w1));
        let fraction = (high << 2 | m.wrapping_mul(w1) >> 62) as i64;
        // Two to the minus 64th times pi/2.
        let angle = fraction as f64 * 8.515303950216386e-20;
        let r = angle as f32;
        ((high >> 62) as u32 + u32::from(fraction < 0), r, (angle - f64::from(r)) as f32)
    }
}
