//! The bits of numbers as other numbers, conversions with a named rounding, and arithmetic that is rounded to nearest
//! under its own name. The forms that round up, down or to zero are written in CUDA C: `headers/rounding.h`.

use super::Ty::{Double, Float, Int, Llong, Uint, Ullong, Ushort};
use super::{Builder, Builtin, Call, How, Step, row, sig};
use crate::Diagnostic;
use crate::ir::{Binary, Compare, Convert, Local, Type, Unary};

const BITS: How = How::Step(Step::Convert(Convert::Bits));
const FROM_SIGNED: How = How::Step(Step::Convert(Convert::FromS));
const FROM_UNSIGNED: How = How::Step(Step::Convert(Convert::FromU));
const ADD: How = How::Step(Step::Binary(Binary::FAdd));
const SUB: How = How::Step(Step::Binary(Binary::FSub));
const MUL: How = How::Step(Step::Binary(Binary::FMul));
const DIV: How = How::Step(Step::Binary(Binary::FDiv));
const SQRT: How = How::Step(Step::Unary(Unary::Sqrt));
const RECIPROCAL: How = How::Custom(reciprocal);
const TO_SIGNED: How = How::Custom(to_signed);
const TO_UNSIGNED: How = How::Custom(to_unsigned);

/// `roundings! { TABLE = "__float2int" Float => Int TO_SIGNED; ... }` makes rows of the four roundings, and adds others.
macro_rules! roundings {
    ($table:ident = $($rn:literal $rz:literal $ru:literal $rd:literal $from:ident => $to:ident $how:expr;)*
     + $($name:literal $result:ident $params:expr, $other:expr;)*) => {
        pub(super) const $table: &[Builtin] = &[
            $(row($rn, &[sig($to, &[$from], $how)]), row($rz, &[sig($to, &[$from], $how)]),
              row($ru, &[sig($to, &[$from], $how)]), row($rd, &[sig($to, &[$from], $how)]),)*
            $(row($name, &[sig($result, &$params, $other)]),)*
        ];
    };
}

roundings! { TABLE =
    "__float2int_rn" "__float2int_rz" "__float2int_ru" "__float2int_rd" Float => Int TO_SIGNED;
    "__float2uint_rn" "__float2uint_rz" "__float2uint_ru" "__float2uint_rd" Float => Uint TO_UNSIGNED;
    "__float2ll_rn" "__float2ll_rz" "__float2ll_ru" "__float2ll_rd" Float => Llong TO_SIGNED;
    "__float2ull_rn" "__float2ull_rz" "__float2ull_ru" "__float2ull_rd" Float => Ullong TO_UNSIGNED;
    "__double2int_rn" "__double2int_rz" "__double2int_ru" "__double2int_rd" Double => Int TO_SIGNED;
    "__double2uint_rn" "__double2uint_rz" "__double2uint_ru" "__double2uint_rd" Double => Uint TO_UNSIGNED;
    "__double2ll_rn" "__double2ll_rz" "__double2ll_ru" "__double2ll_rd" Double => Llong TO_SIGNED;
    "__double2ull_rn" "__double2ull_rz" "__double2ull_ru" "__double2ull_rd" Double => Ullong TO_UNSIGNED;
    +
    "__int2float_rn" Float [Int], FROM_SIGNED;
    "__uint2float_rn" Float [Uint], FROM_UNSIGNED;
    "__ll2float_rn" Float [Llong], FROM_SIGNED;
    "__ull2float_rn" Float [Ullong], FROM_UNSIGNED;
    "__int2double_rn" Double [Int], FROM_SIGNED;
    "__uint2double_rn" Double [Uint], FROM_UNSIGNED;
    "__ll2double_rn" Double [Llong], FROM_SIGNED;
    "__ull2double_rn" Double [Ullong], FROM_UNSIGNED;
    "__double2float_rn" Float [Double], How::Step(Step::Convert(Convert::Demote));
    "__float_as_int" Int [Float], BITS;
    "__float_as_uint" Uint [Float], BITS;
    "__int_as_float" Float [Int], BITS;
    "__uint_as_float" Float [Uint], BITS;
    "__double_as_longlong" Llong [Double], BITS;
    "__longlong_as_double" Double [Llong], BITS;
    "__double2hiint" Int [Double], How::Custom(upper_half);
    "__double2loint" Int [Double], How::Custom(lower_half);
    "__hiloint2double" Double [Int, Int], How::Custom(from_halves);
    "__fadd_rn" Float [Float, Float], ADD;
    "__fsub_rn" Float [Float, Float], SUB;
    "__fmul_rn" Float [Float, Float], MUL;
    "__fdiv_rn" Float [Float, Float], DIV;
    "__frcp_rn" Float [Float], RECIPROCAL;
    "__fsqrt_rn" Float [Float], SQRT;
    "__frsqrt_rn" Float [Float], How::Custom(reciprocal_root);
    "__fmaf_rn" Float [Float, Float, Float], How::Step(Step::Fma);
    "__dadd_rn" Double [Double, Double], ADD;
    "__dsub_rn" Double [Double, Double], SUB;
    "__dmul_rn" Double [Double, Double], MUL;
    "__ddiv_rn" Double [Double, Double], DIV;
    "__drcp_rn" Double [Double], RECIPROCAL;
    "__dsqrt_rn" Double [Double], SQRT;
    "__fma_rn" Double [Double, Double, Double], How::Step(Step::Fma);
    // What cuda_fp16.h and cuda_bf16.h stand on.
    "__cuprum_half_to_float" Float [Ushort], How::Step(Step::Convert(Convert::FromHalf));
    "__cuprum_float_to_half" Ushort [Float], How::Step(Step::Convert(Convert::ToHalf));
    "__cuprum_double_to_half" Ushort [Double], How::Step(Step::Convert(Convert::ToHalf));
    "__cuprum_bfloat_to_float" Float [Ushort], How::Step(Step::Convert(Convert::FromBfloat));
    "__cuprum_float_to_bfloat" Ushort [Float], How::Step(Step::Convert(Convert::ToBfloat));
    "__cuprum_double_to_bfloat" Ushort [Double], How::Step(Step::Convert(Convert::ToBfloat));
}

type Lowered = Result<Option<Local>, Diagnostic>;

/// A whole float as an integer: saturating; NaN is 0 in 32 bits and the top bit alone in 64, as a GPU has it.
pub(super) fn to_integer(builder: &mut Builder, whole: Local, to: Type, signed: bool) -> Local {
    let result = builder.convert(if signed { Convert::ToS } else { Convert::ToU }, to, whole);
    if to != Type::I64 {
        return result;
    }
    let top = builder.constant(Type::I64, 1 << 63);
    let number = builder.compare(Compare::FEq, whole, whole);
    builder.select(number, result, top)
}

fn rounded(call: &mut Call, signed: bool) -> Lowered {
    let how = match call.name.rsplit('_').next() {
        Some("rn") => Unary::Nearest,
        Some("ru") => Unary::Ceil,
        Some("rd") => Unary::Floor,
        _ => Unary::Trunc,
    };
    let whole = call.builder.unary(how, call.args[0].local);
    let to = if call.name.contains("ll_") { Type::I64 } else { Type::I32 };
    Ok(Some(to_integer(call.builder, whole, to, signed)))
}

fn to_signed(call: &mut Call) -> Lowered {
    rounded(call, true)
}

fn to_unsigned(call: &mut Call) -> Lowered {
    rounded(call, false)
}

fn upper_half(call: &mut Call) -> Lowered {
    let bits = call.builder.convert(Convert::Bits, Type::I64, call.args[0].local);
    let count = call.builder.constant(Type::I64, 32);
    let upper = call.builder.binary(Binary::ShrU, bits, count);
    Ok(Some(call.builder.convert(Convert::Narrow, Type::I32, upper)))
}

fn lower_half(call: &mut Call) -> Lowered {
    let bits = call.builder.convert(Convert::Bits, Type::I64, call.args[0].local);
    Ok(Some(call.builder.convert(Convert::Narrow, Type::I32, bits)))
}

fn from_halves(call: &mut Call) -> Lowered {
    let upper = call.builder.convert(Convert::ZeroExtend, Type::I64, call.args[0].local);
    let lower = call.builder.convert(Convert::ZeroExtend, Type::I64, call.args[1].local);
    let count = call.builder.constant(Type::I64, 32);
    let upper = call.builder.binary(Binary::Shl, upper, count);
    let bits = call.builder.binary(Binary::Or, upper, lower);
    Ok(Some(call.builder.convert(Convert::Bits, Type::F64, bits)))
}

fn one(call: &mut Call, ty: Type) -> Local {
    let bits = if ty == Type::F32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
    call.builder.constant(ty, bits)
}

fn reciprocal(call: &mut Call) -> Lowered {
    let x = call.arg(0);
    let ty = call.builder.type_of(x);
    let one = one(call, ty);
    Ok(Some(call.builder.binary(Binary::FDiv, one, x)))
}

fn reciprocal_root(call: &mut Call) -> Lowered {
    // Double has more than twice the digits: what is rounded twice here comes out as if rounded once.
    let x = call.builder.convert(Convert::Promote, Type::F64, call.args[0].local);
    let root = call.builder.unary(Unary::Sqrt, x);
    let one = one(call, Type::F64);
    let result = call.builder.binary(Binary::FDiv, one, root);
    Ok(Some(call.builder.convert(Convert::Demote, Type::F32, result)))
}
