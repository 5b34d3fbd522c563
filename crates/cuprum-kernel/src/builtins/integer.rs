//! Integer intrinsics: bits, bytes, upper halves of products, minimum and maximum.

use super::Ty::{Double, Float, Int, Llong, Long, T, Uint, Ullong, Ushort};
use super::{Builder, Builtin, Call, How, Set, Step, generic, row, sig};
use crate::Diagnostic;
use crate::ir::{Binary, Compare, Convert, Local, Type, Unary};

const fn unary(op: Unary) -> How {
    How::Step(Step::Unary(op))
}

const fn binary(op: Binary) -> How {
    How::Step(Step::Binary(op))
}

/// The smaller or larger by what the common type of the arguments is.
const fn order(signed: Binary, unsigned: Binary, float: Binary) -> How {
    How::BySign { signed: Step::Binary(signed), unsigned: Step::Binary(unsigned), float: Step::Binary(float) }
}

const MIN: How = order(Binary::MinS, Binary::MinU, Binary::FMin);
const MAX: How = order(Binary::MaxS, Binary::MaxU, Binary::FMax);
const ABS: How = How::Custom(absolute);
const FABS: How = unary(Unary::FAbs);
const COUNT_ONES: How = How::Custom(count_ones);
const LEADING: How = How::Custom(leading_zeros);
const TRAILING: How = How::Custom(trailing_zeros);
const FIRST: How = How::Custom(first_set);
const FUNNEL: How = How::Custom(funnel_shift);
const DOT4: How = How::Custom(dot_of_bytes);
const DOT2: How = How::Custom(dot_of_shorts);

pub(super) const TABLE: &[Builtin] = &[
    row("min", &[generic(Set::Number, T, &[T, T], MIN)]),
    row("max", &[generic(Set::Number, T, &[T, T], MAX)]),
    row("umin", &[sig(Uint, &[Uint, Uint], binary(Binary::MinU))]),
    row("umax", &[sig(Uint, &[Uint, Uint], binary(Binary::MaxU))]),
    row("llmin", &[sig(Llong, &[Llong, Llong], binary(Binary::MinS))]),
    row("llmax", &[sig(Llong, &[Llong, Llong], binary(Binary::MaxS))]),
    row("ullmin", &[sig(Ullong, &[Ullong, Ullong], binary(Binary::MinU))]),
    row("ullmax", &[sig(Ullong, &[Ullong, Ullong], binary(Binary::MaxU))]),
    row(
        "abs",
        &[
            sig(Int, &[Int], ABS),
            sig(Long, &[Long], ABS),
            sig(Llong, &[Llong], ABS),
            sig(Float, &[Float], FABS),
            sig(Double, &[Double], FABS),
        ],
    ),
    row("labs", &[sig(Long, &[Long], ABS)]),
    row("llabs", &[sig(Llong, &[Llong], ABS)]),
    row("__clz", &[sig(Int, &[Int], LEADING)]),
    row("__clzll", &[sig(Int, &[Llong], LEADING)]),
    row("__popc", &[sig(Int, &[Uint], COUNT_ONES)]),
    row("__popcll", &[sig(Int, &[Ullong], COUNT_ONES)]),
    row("__ffs", &[sig(Int, &[Int], FIRST)]),
    row("__ffsll", &[sig(Int, &[Llong], FIRST)]),
    row("__brev", &[sig(Uint, &[Uint], unary(Unary::ReverseBits))]),
    row("__brevll", &[sig(Ullong, &[Ullong], unary(Unary::ReverseBits))]),
    row("__builtin_clz", &[sig(Int, &[Uint], LEADING)]),
    row("__builtin_clzll", &[sig(Int, &[Ullong], LEADING)]),
    row("__builtin_ctz", &[sig(Int, &[Uint], TRAILING)]),
    row("__builtin_ctzll", &[sig(Int, &[Ullong], TRAILING)]),
    row("__builtin_popcount", &[sig(Int, &[Uint], COUNT_ONES)]),
    row("__builtin_popcountll", &[sig(Int, &[Ullong], COUNT_ONES)]),
    row("__builtin_ffs", &[sig(Int, &[Int], FIRST)]),
    row("__builtin_bswap32", &[sig(Uint, &[Uint], unary(Unary::ReverseBytes))]),
    row("__builtin_bswap64", &[sig(Ullong, &[Ullong], unary(Unary::ReverseBytes))]),
    row("__builtin_bswap16", &[sig(Ushort, &[Ushort], unary(Unary::ReverseBytes))]),
    row("__mulhi", &[sig(Int, &[Int, Int], binary(Binary::MulHighS))]),
    row("__umulhi", &[sig(Uint, &[Uint, Uint], binary(Binary::MulHighU))]),
    row("__mul64hi", &[sig(Llong, &[Llong, Llong], binary(Binary::MulHighS))]),
    row("__umul64hi", &[sig(Ullong, &[Ullong, Ullong], binary(Binary::MulHighU))]),
    row("mulhi", &[sig(Int, &[Int, Int], binary(Binary::MulHighS))]),
    row("mul64hi", &[sig(Llong, &[Llong, Llong], binary(Binary::MulHighS))]),
    row("__mul24", &[sig(Int, &[Int, Int], How::Custom(product_of_24_bits))]),
    row("__umul24", &[sig(Uint, &[Uint, Uint], How::Custom(product_of_24_bits))]),
    row("__sad", &[sig(Uint, &[Int, Int, Uint], How::Custom(sum_of_difference))]),
    row("__usad", &[sig(Uint, &[Uint, Uint, Uint], How::Custom(sum_of_difference))]),
    row("__hadd", &[sig(Int, &[Int, Int], How::Custom(average))]),
    row("__rhadd", &[sig(Int, &[Int, Int], How::Custom(average))]),
    row("__uhadd", &[sig(Uint, &[Uint, Uint], How::Custom(average))]),
    row("__urhadd", &[sig(Uint, &[Uint, Uint], How::Custom(average))]),
    row("__byte_perm", &[sig(Uint, &[Uint, Uint, Uint], How::Custom(permute_bytes))]),
    row("__funnelshift_l", &[sig(Uint, &[Uint, Uint, Uint], FUNNEL)]),
    row("__funnelshift_r", &[sig(Uint, &[Uint, Uint, Uint], FUNNEL)]),
    row("__funnelshift_lc", &[sig(Uint, &[Uint, Uint, Uint], FUNNEL)]),
    row("__funnelshift_rc", &[sig(Uint, &[Uint, Uint, Uint], FUNNEL)]),
    row("__dp4a", &[sig(Int, &[Int, Int, Int], DOT4), sig(Uint, &[Uint, Uint, Uint], DOT4)]),
    row("__dp2a_lo", &[sig(Int, &[Int, Int, Int], DOT2), sig(Uint, &[Uint, Uint, Uint], DOT2)]),
    row("__dp2a_hi", &[sig(Int, &[Int, Int, Int], DOT2), sig(Uint, &[Uint, Uint, Uint], DOT2)]),
];

type Lowered = Result<Option<Local>, Diagnostic>;

/// An operation with a constant on the right.
fn with(builder: &mut Builder, op: Binary, a: Local, constant: u64) -> Local {
    let constant = builder.constant(builder.type_of(a), constant);
    builder.binary(op, a, constant)
}

/// A count as `int`, whatever it was counted in.
fn as_int(builder: &mut Builder, count: Local) -> Local {
    match builder.type_of(count) {
        Type::I32 => count,
        _ => builder.convert(Convert::Narrow, Type::I32, count),
    }
}

fn absolute(call: &mut Call) -> Lowered {
    let x = call.arg(0);
    let negated = call.builder.unary(Unary::Neg, x);
    Ok(Some(call.builder.binary(Binary::MaxS, x, negated)))
}

fn counted(call: &mut Call, op: Unary) -> Lowered {
    let count = call.builder.unary(op, call.args[0].local);
    Ok(Some(as_int(call.builder, count)))
}

fn count_ones(call: &mut Call) -> Lowered {
    counted(call, Unary::CountOnes)
}

fn leading_zeros(call: &mut Call) -> Lowered {
    counted(call, Unary::LeadingZeros)
}

fn trailing_zeros(call: &mut Call) -> Lowered {
    counted(call, Unary::TrailingZeros)
}

fn first_set(call: &mut Call) -> Lowered {
    let x = call.arg(0);
    let count = call.builder.unary(Unary::TrailingZeros, x);
    let count = as_int(call.builder, count);
    let place = with(call.builder, Binary::Add, count, 1);
    let none = call.builder.int(0);
    Ok(Some(call.builder.select(x, place, none)))
}

fn product_of_24_bits(call: &mut Call) -> Lowered {
    let extend = if call.name == "__umul24" { Binary::ShrU } else { Binary::ShrS };
    let [a, b] = [0, 1].map(|at| {
        let up = with(call.builder, Binary::Shl, call.args[at].local, 8);
        with(call.builder, extend, up, 8)
    });
    Ok(Some(call.builder.binary(Binary::Mul, a, b)))
}

fn sum_of_difference(call: &mut Call) -> Lowered {
    let (a, b, c) = (call.arg(0), call.arg(1), call.arg(2));
    let less = if call.name == "__usad" { Compare::LtU } else { Compare::LtS };
    let less = call.builder.compare(less, a, b);
    let below = call.builder.binary(Binary::Sub, b, a);
    let above = call.builder.binary(Binary::Sub, a, b);
    let difference = call.builder.select(less, below, above);
    Ok(Some(call.builder.binary(Binary::Add, difference, c)))
}

fn average(call: &mut Call) -> Lowered {
    let unsigned = call.name.starts_with("__u");
    let (extend, shift) =
        if unsigned { (Convert::ZeroExtend, Binary::ShrU) } else { (Convert::SignExtend, Binary::ShrS) };
    let a = call.builder.convert(extend, Type::I64, call.args[0].local);
    let b = call.builder.convert(extend, Type::I64, call.args[1].local);
    let mut sum = call.builder.binary(Binary::Add, a, b);
    if call.name.contains("rhadd") {
        sum = with(call.builder, Binary::Add, sum, 1);
    }
    let half = with(call.builder, shift, sum, 1);
    Ok(Some(call.builder.convert(Convert::Narrow, Type::I32, half)))
}

/// `upper` and `lower` as one number of 64 bits.
fn joined(builder: &mut Builder, upper: Local, lower: Local) -> Local {
    let upper = builder.convert(Convert::ZeroExtend, Type::I64, upper);
    let lower = builder.convert(Convert::ZeroExtend, Type::I64, lower);
    let upper = with(builder, Binary::Shl, upper, 32);
    builder.binary(Binary::Or, upper, lower)
}

fn permute_bytes(call: &mut Call) -> Lowered {
    let (x, y, selector) = (call.arg(0), call.arg(1), call.arg(2));
    let b = &mut *call.builder;
    let bytes = joined(b, y, x);
    let mut result = b.int(0);
    for at in 0..4 {
        let pick = with(b, Binary::ShrU, selector, 4 * at);
        let place = with(b, Binary::And, pick, 7);
        let place = with(b, Binary::Shl, place, 3);
        let place = b.convert(Convert::ZeroExtend, Type::I64, place);
        let byte = b.binary(Binary::ShrU, bytes, place);
        let byte = b.convert(Convert::Narrow, Type::I8, byte);
        let byte = b.convert(Convert::ZeroExtend, Type::I32, byte);
        let byte = with(b, Binary::Shl, byte, 8 * at);
        result = b.binary(Binary::Or, result, byte);
    }
    Ok(Some(result))
}

fn funnel_shift(call: &mut Call) -> Lowered {
    let (low, high, count) = (call.arg(0), call.arg(1), call.arg(2));
    let left = call.name.contains("_l");
    let clamped = call.name.ends_with('c');
    let b = &mut *call.builder;
    let both = joined(b, high, low);
    let count = if clamped { with(b, Binary::MinU, count, 32) } else { with(b, Binary::And, count, 31) };
    let count = b.convert(Convert::ZeroExtend, Type::I64, count);
    let shifted = if left {
        let up = b.binary(Binary::Shl, both, count);
        with(b, Binary::ShrU, up, 32)
    } else {
        b.binary(Binary::ShrU, both, count)
    };
    Ok(Some(b.convert(Convert::Narrow, Type::I32, shifted)))
}

/// Lane `at` of `width` bits, extended to 32.
fn lane(b: &mut Builder, word: Local, at: u64, width: u64, signed: bool) -> Local {
    let up = with(b, Binary::Shl, word, 32 - width * (at + 1));
    with(b, if signed { Binary::ShrS } else { Binary::ShrU }, up, 32 - width)
}

fn is_signed(call: &Call) -> bool {
    call.args[0].ty.is_signed()
}

fn dot_of_bytes(call: &mut Call) -> Lowered {
    let signed = is_signed(call);
    let (x, y, mut sum) = (call.arg(0), call.arg(1), call.arg(2));
    for at in 0..4 {
        let a = lane(call.builder, x, at, 8, signed);
        let b = lane(call.builder, y, at, 8, signed);
        let product = call.builder.binary(Binary::Mul, a, b);
        sum = call.builder.binary(Binary::Add, sum, product);
    }
    Ok(Some(sum))
}

fn dot_of_shorts(call: &mut Call) -> Lowered {
    let signed = is_signed(call);
    let first = if call.name.ends_with("hi") { 2 } else { 0 };
    let (x, y, mut sum) = (call.arg(0), call.arg(1), call.arg(2));
    for at in 0..2 {
        let a = lane(call.builder, x, at, 16, signed);
        let b = lane(call.builder, y, first + at, 8, signed);
        let product = call.builder.binary(Binary::Mul, a, b);
        sum = call.builder.binary(Binary::Add, sum, product);
    }
    Ok(Some(sum))
}
