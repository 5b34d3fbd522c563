//! Half and bfloat16 numbers, by their bits: each conversion rounds once, ties to even.

/// A 16-bit format.
struct Format {
    /// Bits of the fraction.
    fraction: u32,
    /// The exponent of the smallest normal number.
    smallest: i32,
}

const HALF: Format = Format { fraction: 10, smallest: -14 };
const BFLOAT: Format = Format { fraction: 7, smallest: -126 };

/// NaN as CUDA's conversions give it.
const NAN: u16 = 0x7fff;

impl Format {
    fn infinity(&self) -> u16 {
        0x7fff >> self.fraction << self.fraction
    }

    fn encode(&self, x: f64) -> u16 {
        if x.is_nan() {
            return NAN;
        }
        let sign = ((x.to_bits() >> 48) & 0x8000) as u16;
        let size = x.abs();
        let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(self.smallest);
        let infinity = u32::from(self.infinity());
        if exponent > 1 - self.smallest {
            return sign | infinity as u16;
        }
        // Steps of the last place; a power of two, so that the product is exact.
        let steps = (size * power_of_two(self.fraction as i32 - exponent)).round_ties_even() as u32;
        let bits = (((exponent - self.smallest) as u32) << self.fraction) + steps;
        sign | bits.min(infinity) as u16
    }

    fn decode(&self, bits: u16) -> f32 {
        let sign = f32::from_bits(u32::from(bits & 0x8000) << 16);
        let size = bits & 0x7fff;
        let (exponent, fraction) = (size >> self.fraction, size & ((1 << self.fraction) - 1));
        let value = if size >= self.infinity() {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else if exponent == 0 {
            f64::from(fraction) * power_of_two(self.smallest - self.fraction as i32)
        } else {
            let steps = f64::from(fraction | 1 << self.fraction);
            steps * power_of_two(i32::from(exponent) - 1 + self.smallest - self.fraction as i32)
        };
        (value as f32).copysign(sign)
    }
}

/// `2^n` for `n` of normal numbers.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// `F32` to a half number.
pub extern "C" fn half_from_f32(x: f32) -> u16 {
    HALF.encode(f64::from(x))
}

/// `F64` to a half number.
pub extern "C" fn half_from_f64(x: f64) -> u16 {
    HALF.encode(x)
}

/// A half number to `F32`.
pub extern "C" fn half_to_f32(bits: u16) -> f32 {
    HALF.decode(bits)
}

/// `F32` to a bfloat16 number.
pub extern "C" fn bfloat_from_f32(x: f32) -> u16 {
    BFLOAT.encode(f64::from(x))
}

/// `F64` to a bfloat16 number.
pub extern "C" fn bfloat_from_f64(x: f64) -> u16 {
    BFLOAT.encode(x)
}

/// A bfloat16 number to `F32`.
pub extern "C" fn bfloat_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back() {
        for bits in 0..=u16::MAX {
            for (to, from) in [
                (half_to_f32 as extern "C" fn(u16) -> f32, half_from_f32 as extern "C" fn(f32) -> u16),
                (bfloat_to_f32, bfloat_from_f32),
            ] {
                let value = to(bits);
                let back = from(value);
                assert!(
                    if value.is_nan() { back == NAN } else { back == bits },
                    "{bits:#x} {value} {back:#x}"
                );
            }
            let decoded = BFLOAT.decode(bits);
            assert!(decoded.is_nan() || decoded.to_bits() == bfloat_to_f32(bits).to_bits(), "{bits:#x}");
        }
    }

    #[test]
    fn known_halves() {
        let values = [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x0400, 6.103_515_6e-5),
            (0x3555, 0.333_251_95),
        ];
        for (bits, value) in values {
            assert_eq!(half_to_f32(bits).to_bits(), f32::to_bits(value), "{bits:#x}");
        }
    }

    #[test]
    fn halfway_goes_to_the_even_one_and_just_beside_it_does_not() {
        // For each pair of neighbours, what lies between: to the nearer; the middle to the even one.
        for bits in 0..HALF.infinity() - 1 {
            let (low, high) = (f64::from(half_to_f32(bits)), f64::from(half_to_f32(bits + 1)));
            let middle = (low + high) / 2.0;
            assert_eq!(half_from_f64(middle), bits + (bits & 1), "{middle}");
            assert_eq!(half_from_f64(middle.next_down()), bits);
            assert_eq!(half_from_f64(middle.next_up()), bits + 1);
        }
        assert_eq!(half_from_f64(65520.0), 0x7c00);
        assert_eq!(half_from_f64(65520.0_f64.next_down()), 0x7bff);
        assert_eq!(half_from_f64(1e300), 0x7c00);
        assert_eq!(half_from_f64(-5e-324), 0x8000);
        // By way of single precision this would be rounded twice, to the other side.
        assert_eq!(half_from_f64(1.0 + 1.0 / 2048.0 + 1e-12), 0x3c01);
        assert_eq!(bfloat_from_f32(f32::MAX), 0x7f80);
        assert_eq!(bfloat_from_f64(1.0 + 1.0 / 256.0), 0x3f80);
        assert_eq!(bfloat_from_f64((1.0_f64 + 1.0 / 256.0).next_up()), 0x3f81);
        assert_eq!(bfloat_from_f64(-1e-300), 0x8000);
    }
}
