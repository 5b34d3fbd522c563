//! Numbers known at compile time, and what the IR's ops make of them. The rules are those of `ir::Op`: what is folded
//! here is what would have been computed at run time.

use super::types::TypeId;
use crate::ir::{Binary, Compare, Convert, Type, Unary};

/// A number: its bits, of the width of its type, the rest zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    pub ty: TypeId,
    pub bits: u64,
}

impl Constant {
    pub fn int(value: i32) -> Constant {
        Constant { ty: TypeId::INT, bits: u64::from(value as u32) }
    }

    pub fn bool(value: bool) -> Constant {
        Constant { ty: TypeId::BOOL, bits: u64::from(value) }
    }

    pub fn size(value: u64) -> Constant {
        Constant { ty: TypeId::ULONG, bits: value }
    }
}

/// The bits of a type's width.
pub fn mask(ty: Type) -> u64 {
    match ty.bytes() {
        8 => u64::MAX,
        bytes => (1 << (bytes * 8)) - 1,
    }
}

/// An integer's bits as a signed number.
pub fn signed(ty: Type, bits: u64) -> i64 {
    let unused = 64 - ty.bytes() * 8;
    ((bits << unused) as i64) >> unused
}

pub fn unary(op: Unary, ty: Type, x: u64) -> u64 {
    let width = u64::from(ty.bytes() * 8);
    let unused = 64 - width as u32;
    match ty {
        Type::F32 => u64::from(float_unary(op, f32::from_bits(x as u32))),
        Type::F64 => double_unary(op, f64::from_bits(x)),
        _ => {
            let result = match op {
                Unary::Neg => x.wrapping_neg(),
                Unary::Not => !x,
                Unary::LeadingZeros => u64::from((x << unused).leading_zeros()).min(width),
                Unary::TrailingZeros => u64::from(x.trailing_zeros()).min(width),
                Unary::CountOnes => u64::from(x.count_ones()),
                Unary::ReverseBits => x.reverse_bits() >> unused,
                Unary::ReverseBytes => x.swap_bytes() >> unused,
                _ => x,
            };
            result & mask(ty)
        }
    }
}

fn float_unary(op: Unary, x: f32) -> u32 {
    match op {
        Unary::FNeg => x.to_bits() ^ 0x8000_0000,
        Unary::FAbs => x.to_bits() & 0x7fff_ffff,
        Unary::Sqrt => x.sqrt().to_bits(),
        Unary::Ceil => x.ceil().to_bits(),
        Unary::Floor => x.floor().to_bits(),
        Unary::Trunc => x.trunc().to_bits(),
        Unary::Nearest => x.round_ties_even().to_bits(),
        _ => x.to_bits(),
    }
}

fn double_unary(op: Unary, x: f64) -> u64 {
    match op {
        Unary::FNeg => x.to_bits() ^ (1 << 63),
        Unary::FAbs => x.to_bits() & !(1 << 63),
        Unary::Sqrt => x.sqrt().to_bits(),
        Unary::Ceil => x.ceil().to_bits(),
        Unary::Floor => x.floor().to_bits(),
        Unary::Trunc => x.trunc().to_bits(),
        Unary::Nearest => x.round_ties_even().to_bits(),
        _ => x.to_bits(),
    }
}

pub fn binary(op: Binary, ty: Type, a: u64, b: u64) -> u64 {
    match ty {
        Type::F32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                Binary::FAdd => x + y,
                Binary::FSub => x - y,
                Binary::FMul => x * y,
                Binary::FDiv => x / y,
                Binary::FMin => f64_min(f64::from(x), f64::from(y)) as f32,
                Binary::FMax => -f64_min(-f64::from(x), -f64::from(y)) as f32,
                Binary::CopySign => x.copysign(y),
                _ => x,
            };
            u64::from(result.to_bits())
        }
        Type::F64 => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                Binary::FAdd => x + y,
                Binary::FSub => x - y,
                Binary::FMul => x * y,
                Binary::FDiv => x / y,
                Binary::FMin => f64_min(x, y),
                Binary::FMax => -f64_min(-x, -y),
                Binary::CopySign => x.copysign(y),
                _ => x,
            };
            result.to_bits()
        }
        _ => integer(op, ty, a, b) & mask(ty),
    }
}

/// The smaller one, the other where one is NaN, -0 below 0.
fn f64_min(x: f64, y: f64) -> f64 {
    if x.is_nan() {
        y
    } else if y.is_nan() || x < y || (x == y && x.is_sign_negative()) {
        x
    } else {
        y
    }
}

fn integer(op: Binary, ty: Type, a: u64, b: u64) -> u64 {
    let width = u64::from(ty.bytes() * 8);
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    match op {
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
        Binary::Shl if b >= width => 0,
        Binary::Shl => a << b,
        Binary::ShrU if b >= width => 0,
        Binary::ShrU => a >> b,
        Binary::ShrS => (sa >> b.min(width - 1)) as u64,
        Binary::MinS => sa.min(sb) as u64,
        Binary::MinU => a.min(b),
        Binary::MaxS => sa.max(sb) as u64,
        Binary::MaxU => a.max(b),
        Binary::MulHighS => ((i128::from(sa) * i128::from(sb)) >> width) as u64,
        Binary::MulHighU => ((u128::from(a) * u128::from(b)) >> width) as u64,
        _ => a,
    }
}

pub fn compare(op: Compare, ty: Type, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let float = |bits: u64| match ty {
        Type::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
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
        Compare::FEq => float(a) == float(b),
        Compare::FNe => float(a) != float(b),
        Compare::FLt => float(a) < float(b),
        Compare::FLe => float(a) <= float(b),
        Compare::FGt => float(a) > float(b),
        Compare::FGe => float(a) >= float(b),
    }
}

/// A conversion; `None` where it is not done at compile time (half and bfloat16 numbers).
pub fn convert(kind: Convert, from: Type, to: Type, x: u64) -> Option<u64> {
    let wide = match from {
        Type::F32 => f64::from(f32::from_bits(x as u32)),
        _ => f64::from_bits(x),
    };
    Some(match kind {
        Convert::SignExtend => signed(from, x) as u64 & mask(to),
        Convert::ZeroExtend | Convert::Bits => x,
        Convert::Narrow => x & mask(to),
        Convert::FromS => match to {
            Type::F32 => u64::from((signed(from, x) as f32).to_bits()),
            _ => (signed(from, x) as f64).to_bits(),
        },
        Convert::FromU => match to {
            Type::F32 => u64::from((x as f32).to_bits()),
            _ => (x as f64).to_bits(),
        },
        Convert::ToS => match to {
            Type::I32 => u64::from(wide as i32 as u32),
            _ => wide as i64 as u64,
        },
        Convert::ToU => match to {
            Type::I32 => u64::from(wide as u32),
            _ => wide as u64,
        },
        Convert::Promote => wide.to_bits(),
        Convert::Demote => u64::from((wide as f32).to_bits()),
        Convert::FromHalf | Convert::ToHalf | Convert::FromBfloat | Convert::ToBfloat => return None,
    })
}
