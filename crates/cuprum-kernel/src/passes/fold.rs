//! What ops do to numbers, by their bits: exactly what `ir::op` says of them. Folding and constant expressions use it.
//!
//! A value is the bits of its type, the rest zero. Library functions are left to the back end.

use crate::ir::{Binary, Compare, Convert, Type, Unary};

/// The bits that a value of this type has.
pub fn mask(ty: Type) -> u64 {
    u64::MAX >> (64 - width(ty))
}

fn width(ty: Type) -> u32 {
    ty.bytes() * 8
}

/// The value as a signed number.
pub fn signed(ty: Type, bits: u64) -> i64 {
    let unused = 64 - width(ty);
    ((bits << unused) as i64) >> unused
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f32_bits(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// The value of a float.
pub fn float(ty: Type, bits: u64) -> f64 {
    if ty == Type::F32 { f64::from(f32_of(bits)) } else { f64::from_bits(bits) }
}

fn sign_bit(ty: Type) -> u64 {
    1 << (width(ty) - 1)
}

/// `op(a)`.
pub fn unary(op: Unary, ty: Type, a: u64) -> u64 {
    let of_float = |on32: fn(f32) -> f32, on64: fn(f64) -> f64| {
        if ty == Type::F32 { f32_bits(on32(f32_of(a))) } else { on64(f64::from_bits(a)).to_bits() }
    };
    let unused = 64 - width(ty);
    let result = match op {
        Unary::Neg => a.wrapping_neg(),
        Unary::Not => !a,
        Unary::FNeg => a ^ sign_bit(ty),
        Unary::FAbs => a & !sign_bit(ty),
        Unary::Sqrt => of_float(f32::sqrt, f64::sqrt),
        Unary::Ceil => of_float(f32::ceil, f64::ceil),
        Unary::Floor => of_float(f32::floor, f64::floor),
        Unary::Trunc => of_float(f32::trunc, f64::trunc),
        Unary::Nearest => of_float(f32::round_ties_even, f64::round_ties_even),
        Unary::LeadingZeros => u64::from(a.leading_zeros().saturating_sub(unused)),
        Unary::TrailingZeros => u64::from(a.trailing_zeros().min(width(ty))),
        Unary::CountOnes => u64::from(a.count_ones()),
        Unary::ReverseBits => a.reverse_bits() >> unused,
        Unary::ReverseBytes => a.swap_bytes() >> unused,
    };
    result & mask(ty)
}

/// `op(a, b)`.
pub fn binary(op: Binary, ty: Type, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let bits = u64::from(width(ty));
    let of_float = |on32: fn(f32, f32) -> f32, on64: fn(f64, f64) -> f64| {
        if ty == Type::F32 {
            f32_bits(on32(f32_of(a), f32_of(b)))
        } else {
            on64(f64::from_bits(a), f64::from_bits(b)).to_bits()
        }
    };
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::DivS if b == 0 => u64::MAX,
        Binary::DivS => sa.wrapping_div(sb) as u64,
        Binary::DivU => a.checked_div(b).unwrap_or(u64::MAX),
        Binary::RemS if b == 0 => a,
        Binary::RemS => sa.wrapping_rem(sb) as u64,
        Binary::RemU => a.checked_rem(b).unwrap_or(a),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl if b >= bits => 0,
        Binary::Shl => a << b,
        Binary::ShrS => (sa >> b.min(bits - 1)) as u64,
        Binary::ShrU if b >= bits => 0,
        Binary::ShrU => a >> b,
        Binary::MinS => sa.min(sb) as u64,
        Binary::MinU => a.min(b),
        Binary::MaxS => sa.max(sb) as u64,
        Binary::MaxU => a.max(b),
        Binary::MulHighS => ((i128::from(sa) * i128::from(sb)) >> bits) as u64,
        Binary::MulHighU => ((u128::from(a) * u128::from(b)) >> bits) as u64,
        Binary::FAdd => of_float(|a, b| a + b, |a, b| a + b),
        Binary::FSub => of_float(|a, b| a - b, |a, b| a - b),
        Binary::FMul => of_float(|a, b| a * b, |a, b| a * b),
        Binary::FDiv => of_float(|a, b| a / b, |a, b| a / b),
        Binary::FMin => smaller(ty, a, b, false),
        Binary::FMax => smaller(ty, a, b, true),
        Binary::CopySign => (a & !sign_bit(ty)) | (b & sign_bit(ty)),
    };
    result & mask(ty)
}

/// The smaller (or the larger) float; the other one where one is NaN.
fn smaller(ty: Type, a: u64, b: u64, larger: bool) -> u64 {
    let (x, y) = (float(ty, a), float(ty, b));
    if x.is_nan() {
        return b;
    }
    if y.is_nan() {
        return a;
    }
    // Equal numbers differ at most in the sign of a zero.
    let a_first = if x == y { x.is_sign_negative() } else { x < y };
    if a_first == larger { b } else { a }
}

/// Compares two values of type `ty`.
pub fn compare(op: Compare, ty: Type, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let (fa, fb) = (float(ty, a), float(ty, b));
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::LtS => sa < sb,
        Compare::LeS => sa <= sb,
        Compare::GtS => sa > sb,
        Compare::GeS => sa >= sb,
        Compare::LtU => a < b,
        Compare::LeU => a <= b,
        Compare::GtU => a > b,
        Compare::GeU => a >= b,
        Compare::FEq => fa == fb,
        Compare::FNe => fa != fb,
        Compare::FLt => fa < fb,
        Compare::FLe => fa <= fb,
        Compare::FGt => fa > fb,
        Compare::FGe => fa >= fb,
    }
}

/// A conversion.
pub fn convert(kind: Convert, from: Type, to: Type, a: u64) -> u64 {
    let as_float = |narrow: f32, wide: f64| {
        if to == Type::F32 { f32_bits(narrow) } else { wide.to_bits() }
    };
    let result = match kind {
        Convert::SignExtend => signed(from, a) as u64,
        Convert::ZeroExtend | Convert::Narrow | Convert::Bits => a,
        Convert::FromS => as_float(signed(from, a) as f32, signed(from, a) as f64),
        Convert::FromU => as_float(a as f32, a as f64),
        Convert::ToS if to == Type::I64 => float(from, a) as i64 as u64,
        Convert::ToS => i64::from(float(from, a) as i32) as u64,
        Convert::ToU if to == Type::I64 => float(from, a) as u64,
        Convert::ToU => u64::from(float(from, a) as u32),
        Convert::Promote => f64::from(f32_of(a)).to_bits(),
        Convert::Demote => f32_bits(f64::from_bits(a) as f32),
        Convert::FromHalf => f32_bits(from_small(a, 5, 10) as f32),
        Convert::ToHalf => to_small(float(from, a), 5, 10),
        Convert::FromBfloat => a << 16,
        Convert::ToBfloat => to_small(float(from, a), 8, 7),
    };
    result & mask(to)
}

/// `a * b + c`, rounded once.
pub fn fma(ty: Type, a: u64, b: u64, c: u64) -> u64 {
    if ty == Type::F32 {
        f32_bits(f32_of(a).mul_add(f32_of(b), f32_of(c)))
    } else {
        f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()
    }
}

/// The value of a float of 16 bits with this many bits of exponent and fraction.
fn from_small(bits: u64, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
    let exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let magnitude = if exponent == (1 << exponent_bits) - 1 {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else if exponent == 0 {
        fraction as f64 * power_of_two(1 - bias - fraction_bits as i32)
    } else {
        let significand = fraction | (1 << fraction_bits);
        significand as f64 * power_of_two(exponent as i32 - bias - fraction_bits as i32)
    };
    if negative { -magnitude } else { magnitude }
}

/// The nearest float of 16 bits, ties to even; NaN is the one that a GPU gives.
fn to_small(value: f64, exponent_bits: u32, fraction_bits: u32) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << (exponent_bits + fraction_bits);
    let largest_exponent = (1_i32 << exponent_bits) - 1;
    let infinity = (largest_exponent as u64) << fraction_bits;
    if value.is_nan() {
        return 0x7fff;
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | infinity;
    }
    let bias = (1_i32 << (exponent_bits - 1)) - 1;
    // Below the smallest normal number the steps stay as they are there.
    let exponent = (((magnitude.to_bits() >> 52) as i32) - 1023).max(1 - bias);
    if exponent > bias {
        return sign | infinity;
    }
    let steps = (magnitude / power_of_two(exponent - fraction_bits as i32)).round_ties_even() as u64;
    // A step count that reaches the next power of two carries into the exponent by itself, at last to infinity.
    let biased = (exponent + bias - 1) as u64;
    sign | (steps + (biased << fraction_bits))
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total() {
        assert_eq!(binary(Binary::DivS, Type::I32, 7, 0), 0xffff_ffff);
        assert_eq!(binary(Binary::RemS, Type::I32, 7, 0), 7);
        assert_eq!(binary(Binary::DivS, Type::I32, 0x8000_0000, 0xffff_ffff), 0x8000_0000);
        assert_eq!(binary(Binary::RemS, Type::I32, 0x8000_0000, 0xffff_ffff), 0);
        assert_eq!(binary(Binary::DivU, Type::I64, 7, 0), u64::MAX);
        assert_eq!(binary(Binary::DivS, Type::I64, 1 << 63, u64::MAX), 1 << 63);
        assert_eq!(binary(Binary::DivS, Type::I8, 0x80, 0xff), 0x80);
    }

    #[test]
    fn shifts_are_clamped() {
        assert_eq!(binary(Binary::Shl, Type::I32, 1, 32), 0);
        assert_eq!(binary(Binary::ShrU, Type::I32, 1 << 31, 40), 0);
        assert_eq!(binary(Binary::ShrS, Type::I32, 1 << 31, 40), 0xffff_ffff);
        assert_eq!(binary(Binary::ShrS, Type::I64, u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(binary(Binary::ShrS, Type::I16, 0x4000, 14), 1);
    }

    #[test]
    fn floats_become_integers_within_their_range() {
        let nan = u64::from(f32::NAN.to_bits());
        let big = u64::from(1e20_f32.to_bits());
        assert_eq!(convert(Convert::ToS, Type::F32, Type::I32, nan), 0);
        assert_eq!(convert(Convert::ToS, Type::F32, Type::I32, big), 0x7fff_ffff);
        assert_eq!(convert(Convert::ToU, Type::F32, Type::I32, big), 0xffff_ffff);
        assert_eq!(convert(Convert::ToU, Type::F64, Type::I64, (-3.5_f64).to_bits()), 0);
    }

    #[test]
    fn bits_are_counted_in_the_type() {
        assert_eq!(unary(Unary::LeadingZeros, Type::I32, 0), 32);
        assert_eq!(unary(Unary::LeadingZeros, Type::I16, 1), 15);
        assert_eq!(unary(Unary::TrailingZeros, Type::I8, 0), 8);
        assert_eq!(unary(Unary::ReverseBytes, Type::I32, 0x0102_0304), 0x0403_0201);
        assert_eq!(unary(Unary::ReverseBits, Type::I32, 1), 1 << 31);
    }

    #[test]
    fn the_smaller_of_zeros_and_of_nan() {
        let bits = |x: f32| u64::from(x.to_bits());
        assert_eq!(binary(Binary::FMin, Type::F32, bits(0.0), bits(-0.0)), bits(-0.0));
        assert_eq!(binary(Binary::FMax, Type::F32, bits(-0.0), bits(0.0)), bits(0.0));
        assert_eq!(binary(Binary::FMin, Type::F32, bits(f32::NAN), bits(2.0)), bits(2.0));
        assert_eq!(binary(Binary::FMax, Type::F32, bits(2.0), bits(f32::NAN)), bits(2.0));
    }

    #[test]
    fn half_numbers_round_once() {
        let to_half = |x: f64| convert(Convert::ToHalf, Type::F64, Type::I16, x.to_bits());
        assert_eq!(to_half(1.0), 0x3c00);
        assert_eq!(to_half(65504.0), 0x7bff);
        assert_eq!(to_half(65519.9), 0x7bff);
        assert_eq!(to_half(65520.0), 0x7c00);
        assert_eq!(to_half(-1e9), 0xfc00);
        assert_eq!(to_half(2.0_f64.powi(-24)), 1);
        assert_eq!(to_half(2.0_f64.powi(-25)), 0);
        assert_eq!(to_half(2.0_f64.powi(-25) * 1.0001), 1);
        assert_eq!(to_half(6.103_3e-5), 0x0400);
        // Rounded to single first this would be a tie, and go down.
        assert_eq!(to_half(1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40)), 0x3c01);
        assert_eq!(convert(Convert::ToBfloat, Type::F32, Type::I16, u64::from(1.0_f32.to_bits())), 0x3f80);
        let f32_max = u64::from(f32::MAX.to_bits());
        assert_eq!(convert(Convert::ToBfloat, Type::F32, Type::I16, f32_max), 0x7f80);
    }

    #[test]
    fn every_half_number_survives_the_way_there_and_back() {
        for bits in (0..0x1_0000_u64).filter(|bits| bits & 0x7c00 != 0x7c00 || bits & 0x3ff == 0) {
            let wide = convert(Convert::FromHalf, Type::I16, Type::F32, bits);
            assert_eq!(convert(Convert::ToHalf, Type::F32, Type::I16, wide), bits);
        }
        for bits in (0..0x1_0000_u64).filter(|bits| bits & 0x7f80 != 0x7f80 || bits & 0x7f == 0) {
            let wide = convert(Convert::FromBfloat, Type::I16, Type::F32, bits);
            assert_eq!(convert(Convert::ToBfloat, Type::F32, Type::I16, wide), bits);
        }
    }
}
