//! What ops do to numbers, told by Rust's own types of each width: nothing here is shared with the code under test.
//!
//! A value is the bits of its type, the rest zero.

use cuprum_kernel::ir::{Binary, Compare, Convert, Type, Unary};

/// The ops on integers of one width: `binary`, `unary` and `compare` of the module.
macro_rules! integers {
    ($module:ident, $signed:ty, $unsigned:ty) => {
        mod $module {
            use super::*;

            pub fn binary(op: Binary, a: u64, b: u64) -> u64 {
                let (ua, ub) = (a as $unsigned, b as $unsigned);
                let (sa, sb) = (ua as $signed, ub as $signed);
                // Rust's checked shifts refuse counts of the width or more.
                let count = u32::try_from(ub).unwrap_or(u32::MAX);
                let beyond = if sa < 0 { -1 } else { 0 };
                let result = match op {
                    Binary::Add => ua.wrapping_add(ub),
                    Binary::Sub => ua.wrapping_sub(ub),
                    Binary::Mul => ua.wrapping_mul(ub),
                    Binary::DivS if sb == 0 => <$unsigned>::MAX,
                    Binary::DivS => sa.wrapping_div(sb) as $unsigned,
                    Binary::DivU => ua.checked_div(ub).unwrap_or(<$unsigned>::MAX),
                    Binary::RemS if sb == 0 => ua,
                    Binary::RemS => sa.wrapping_rem(sb) as $unsigned,
                    Binary::RemU => ua.checked_rem(ub).unwrap_or(ua),
                    Binary::And => ua & ub,
                    Binary::Or => ua | ub,
                    Binary::Xor => ua ^ ub,
                    Binary::Shl => ua.checked_shl(count).unwrap_or(0),
                    Binary::ShrS => sa.checked_shr(count).unwrap_or(beyond) as $unsigned,
                    Binary::ShrU => ua.checked_shr(count).unwrap_or(0),
                    Binary::MinS => sa.min(sb) as $unsigned,
                    Binary::MinU => ua.min(ub),
                    Binary::MaxS => sa.max(sb) as $unsigned,
                    Binary::MaxU => ua.max(ub),
                    Binary::MulHighS => ((sa as i128 * sb as i128) >> <$signed>::BITS) as $unsigned,
                    Binary::MulHighU => ((ua as u128 * ub as u128) >> <$unsigned>::BITS) as $unsigned,
                    _ => panic!("{op:?} is not for integers"),
                };
                result as u64
            }

            pub fn unary(op: Unary, a: u64) -> u64 {
                let a = a as $unsigned;
                let result = match op {
                    Unary::Neg => (a as $signed).wrapping_neg() as $unsigned,
                    Unary::Not => !a,
                    Unary::LeadingZeros => a.leading_zeros() as $unsigned,
                    Unary::TrailingZeros => a.trailing_zeros() as $unsigned,
                    Unary::CountOnes => a.count_ones() as $unsigned,
                    Unary::ReverseBits => a.reverse_bits(),
                    Unary::ReverseBytes => a.swap_bytes(),
                    _ => panic!("{op:?} is not for integers"),
                };
                result as u64
            }

            pub fn compare(op: Compare, a: u64, b: u64) -> bool {
                let (ua, ub) = (a as $unsigned, b as $unsigned);
                let (sa, sb) = (ua as $signed, ub as $signed);
                match op {
                    Compare::Eq => ua == ub,
                    Compare::Ne => ua != ub,
                    Compare::LtS => sa < sb,
                    Compare::LeS => sa <= sb,
                    Compare::GtS => sa > sb,
                    Compare::GeS => sa >= sb,
                    Compare::LtU => ua < ub,
                    Compare::LeU => ua <= ub,
                    Compare::GtU => ua > ub,
                    Compare::GeU => ua >= ub,
                    _ => panic!("{op:?} is not for integers"),
                }
            }
        }
    };
}

/// The ops on floats of one width.
macro_rules! floats {
    ($module:ident, $float:ty, $bits:ty) => {
        mod $module {
            use super::*;

            fn of(bits: u64) -> $float {
                <$float>::from_bits(bits as $bits)
            }

            pub fn binary(op: Binary, a: u64, b: u64) -> u64 {
                let (a, b) = (of(a), of(b));
                let result = match op {
                    Binary::FAdd => a + b,
                    Binary::FSub => a - b,
                    Binary::FMul => a * b,
                    Binary::FDiv => a / b,
                    Binary::FMin | Binary::FMax if a.is_nan() => b,
                    Binary::FMin | Binary::FMax if b.is_nan() => a,
                    // The total order puts -0 before 0.
                    Binary::FMin => std::cmp::min_by(a, b, <$float>::total_cmp),
                    Binary::FMax => std::cmp::max_by(a, b, <$float>::total_cmp),
                    Binary::CopySign => a.copysign(b),
                    _ => panic!("{op:?} is not for floats"),
                };
                u64::from(result.to_bits())
            }

            pub fn unary(op: Unary, a: u64) -> u64 {
                let a = of(a);
                let result = match op {
                    Unary::FNeg => -a,
                    Unary::FAbs => a.abs(),
                    Unary::Sqrt => a.sqrt(),
                    Unary::Ceil => a.ceil(),
                    Unary::Floor => a.floor(),
                    Unary::Trunc => a.trunc(),
                    Unary::Nearest => a.round_ties_even(),
                    _ => panic!("{op:?} is not for floats"),
                };
                u64::from(result.to_bits())
            }

            pub fn compare(op: Compare, a: u64, b: u64) -> bool {
                let (a, b) = (of(a), of(b));
                match op {
                    Compare::FEq => a == b,
                    Compare::FNe => a != b,
                    Compare::FLt => a < b,
                    Compare::FLe => a <= b,
                    Compare::FGt => a > b,
                    Compare::FGe => a >= b,
                    _ => panic!("{op:?} is not for floats"),
                }
            }
        }
    };
}

integers!(int8, i8, u8);
integers!(int16, i16, u16);
integers!(int32, i32, u32);
integers!(int64, i64, u64);
floats!(single, f32, u32);
floats!(double, f64, u64);

/// `op(a, b)`.
pub fn binary(op: Binary, ty: Type, a: u64, b: u64) -> u64 {
    match ty {
        Type::I8 => int8::binary(op, a, b),
        Type::I16 => int16::binary(op, a, b),
        Type::I32 => int32::binary(op, a, b),
        Type::I64 => int64::binary(op, a, b),
        Type::F32 => single::binary(op, a, b),
        Type::F64 => double::binary(op, a, b),
    }
}

/// `op(a)`.
pub fn unary(op: Unary, ty: Type, a: u64) -> u64 {
    match ty {
        Type::I8 => int8::unary(op, a),
        Type::I16 => int16::unary(op, a),
        Type::I32 => int32::unary(op, a),
        Type::I64 => int64::unary(op, a),
        Type::F32 => single::unary(op, a),
        Type::F64 => double::unary(op, a),
    }
}

/// Compares two values.
pub fn compare(op: Compare, ty: Type, a: u64, b: u64) -> bool {
    match ty {
        Type::I8 => int8::compare(op, a, b),
        Type::I16 => int16::compare(op, a, b),
        Type::I32 => int32::compare(op, a, b),
        Type::I64 => int64::compare(op, a, b),
        Type::F32 => single::compare(op, a, b),
        Type::F64 => double::compare(op, a, b),
    }
}

/// A conversion.
pub fn convert(kind: Convert, from: Type, to: Type, a: u64) -> u64 {
    let (single, double) = (f32::from_bits(a as u32), f64::from_bits(a));
    let signed = match from {
        Type::I8 => i64::from(a as u8 as i8),
        Type::I16 => i64::from(a as u16 as i16),
        Type::I32 => i64::from(a as u32 as i32),
        _ => a as i64,
    };
    let cut = |value: i64| match to {
        Type::I8 => u64::from(value as u8),
        Type::I16 => u64::from(value as u16),
        Type::I32 => u64::from(value as u32),
        _ => value as u64,
    };
    match (kind, from, to) {
        (Convert::SignExtend, ..) => cut(signed),
        (Convert::ZeroExtend | Convert::Bits, ..) => a,
        (Convert::Narrow, ..) => cut(a as i64),
        (Convert::FromS, _, Type::F32) => u64::from((signed as f32).to_bits()),
        (Convert::FromS, ..) => (signed as f64).to_bits(),
        (Convert::FromU, _, Type::F32) => u64::from((a as f32).to_bits()),
        (Convert::FromU, ..) => (a as f64).to_bits(),
        // Rust's conversions saturate, and make 0 of NaN.
        (Convert::ToS, Type::F32, Type::I32) => u64::from(single as i32 as u32),
        (Convert::ToS, Type::F32, _) => single as i64 as u64,
        (Convert::ToS, _, Type::I32) => u64::from(double as i32 as u32),
        (Convert::ToS, ..) => double as i64 as u64,
        (Convert::ToU, Type::F32, Type::I32) => u64::from(single as u32),
        (Convert::ToU, Type::F32, _) => single as u64,
        (Convert::ToU, _, Type::I32) => u64::from(double as u32),
        (Convert::ToU, ..) => double as u64,
        (Convert::Promote, ..) => f64::from(single).to_bits(),
        (Convert::Demote, ..) => u64::from((double as f32).to_bits()),
        (Convert::FromHalf, ..) => u64::from((small(a as u16, 10) as f32).to_bits()),
        (Convert::FromBfloat, ..) => u64::from((small(a as u16, 7) as f32).to_bits()),
        (Convert::ToHalf, Type::F32, _) => nearest_small(f64::from(single), 10),
        (Convert::ToHalf, ..) => nearest_small(double, 10),
        (Convert::ToBfloat, Type::F32, _) => nearest_small(f64::from(single), 7),
        (Convert::ToBfloat, ..) => nearest_small(double, 7),
    }
}

/// The value of a float of 16 bits, by the definition of such formats: exact in double precision.
fn small(bits: u16, fraction_bits: i32) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from((bits & 0x7fff) >> fraction_bits);
    let fraction = f64::from(bits & ((1 << fraction_bits) - 1)) / f64::from(1 << fraction_bits);
    let largest = (1 << (15 - fraction_bits)) - 1;
    let bias = largest / 2;
    if exponent == largest {
        return if fraction == 0.0 { sign * f64::INFINITY } else { f64::NAN };
    }
    let (whole, exponent) = if exponent == 0 { (0.0, 1) } else { (1.0, exponent) };
    sign * (whole + fraction) * 2f64.powi(exponent - bias)
}

/// The float of 16 bits that is nearest, found among all of them; the even one of two.
fn nearest_small(value: f64, fraction_bits: i32) -> u64 {
    if value.is_nan() {
        return 0x7fff;
    }
    let infinity = ((1u16 << (15 - fraction_bits)) - 1) << fraction_bits;
    // The first that is not smaller, and the one before. For rounding, infinity stands where the next number would.
    let size = |bits: u16| match bits {
        _ if bits < infinity => small(bits, fraction_bits),
        _ => 2.0 * small(bits - 1, fraction_bits) - small(bits - 2, fraction_bits),
    };
    let magnitude = value.abs();
    let (mut low, mut high) = (0, infinity);
    while low < high {
        let middle = low + (high - low) / 2;
        if size(middle) < magnitude { low = middle + 1 } else { high = middle }
    }
    let below = low.saturating_sub(1);
    let (up, down) = (size(low) - magnitude, magnitude - size(below));
    let nearest = if down < up || down == up && below % 2 == 0 { below } else { low };
    u64::from(nearest) | u64::from(value.is_sign_negative()) << 15
}
