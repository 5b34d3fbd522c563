//! The C library's mathematics under CUDA's names: `sin` for float and double, `sinf`, the fast `__sinf`.
//!
//! Integers count as double, as in C++. The fast forms are the exact ones: a CPU gains nothing by being less exact.

use super::Ty::{Bool, Double, Float, Int, Llong, Long, Pointer, Text};
use super::{Builtin, Call, How, Signature, Step, Ty, row, sig};
use crate::Diagnostic;
use crate::ir::{Binary, Compare, Convert, Local, Math, Op, Type, Unary};

const FLOAT_POINTER: Ty = Pointer(&Float);
const DOUBLE_POINTER: Ty = Pointer(&Double);
const INT_POINTER: Ty = Pointer(&Int);

/// `table! { NAME = [floats] [floats] [doubles] "sin" "sinf" => how; ... }` makes `NAME`: for every line a builtin of the first
/// name that takes floats or doubles, and one of the second that takes floats.
macro_rules! table {
    ($table:ident = $floats:tt $doubles:tt $($name:literal $single:literal => $how:expr;)*) => {
        pub(super) const $table: &[Builtin] = &[$(
            row($name, &[sig(Float, &$floats, $how), sig(Double, &$doubles, $how).for_integers()]),
            row($single, &[sig(Float, &$floats, $how)]),
        )*];
    };
}

const fn unary(op: Unary) -> How {
    How::Step(Step::Unary(op))
}

const fn binary(op: Binary) -> How {
    How::Step(Step::Binary(op))
}

table! { UNARY = [Float] [Double]
    "sin" "sinf" => How::Math(Math::Sin);
    "cos" "cosf" => How::Math(Math::Cos);
    "tan" "tanf" => How::Math(Math::Tan);
    "asin" "asinf" => How::Math(Math::Asin);
    "acos" "acosf" => How::Math(Math::Acos);
    "atan" "atanf" => How::Math(Math::Atan);
    "sinh" "sinhf" => How::Math(Math::Sinh);
    "cosh" "coshf" => How::Math(Math::Cosh);
    "tanh" "tanhf" => How::Math(Math::Tanh);
    "asinh" "asinhf" => How::Math(Math::Asinh);
    "acosh" "acoshf" => How::Math(Math::Acosh);
    "atanh" "atanhf" => How::Math(Math::Atanh);
    "sinpi" "sinpif" => How::Math(Math::Sinpi);
    "cospi" "cospif" => How::Math(Math::Cospi);
    "exp" "expf" => How::Math(Math::Exp);
    "exp2" "exp2f" => How::Math(Math::Exp2);
    "exp10" "exp10f" => How::Math(Math::Exp10);
    "expm1" "expm1f" => How::Math(Math::Expm1);
    "log" "logf" => How::Math(Math::Log);
    "log2" "log2f" => How::Math(Math::Log2);
    "log10" "log10f" => How::Math(Math::Log10);
    "log1p" "log1pf" => How::Math(Math::Log1p);
    "logb" "logbf" => How::Math(Math::Logb);
    "cbrt" "cbrtf" => How::Math(Math::Cbrt);
    "rcbrt" "rcbrtf" => How::Math(Math::Rcbrt);
    "rsqrt" "rsqrtf" => How::Math(Math::Rsqrt);
    "erf" "erff" => How::Math(Math::Erf);
    "erfc" "erfcf" => How::Math(Math::Erfc);
    "erfinv" "erfinvf" => How::Math(Math::Erfinv);
    "erfcinv" "erfcinvf" => How::Math(Math::Erfcinv);
    "erfcx" "erfcxf" => How::Math(Math::Erfcx);
    "normcdf" "normcdff" => How::Math(Math::Normcdf);
    "normcdfinv" "normcdfinvf" => How::Math(Math::Normcdfinv);
    "tgamma" "tgammaf" => How::Math(Math::Tgamma);
    "lgamma" "lgammaf" => How::Math(Math::Lgamma);
    "j0" "j0f" => How::Math(Math::J0);
    "j1" "j1f" => How::Math(Math::J1);
    "y0" "y0f" => How::Math(Math::Y0);
    "y1" "y1f" => How::Math(Math::Y1);
    "cyl_bessel_i0" "cyl_bessel_i0f" => How::Math(Math::CylBesselI0);
    "cyl_bessel_i1" "cyl_bessel_i1f" => How::Math(Math::CylBesselI1);
    "round" "roundf" => How::Math(Math::Round);
    "sqrt" "sqrtf" => unary(Unary::Sqrt);
    "ceil" "ceilf" => unary(Unary::Ceil);
    "floor" "floorf" => unary(Unary::Floor);
    "trunc" "truncf" => unary(Unary::Trunc);
    "rint" "rintf" => unary(Unary::Nearest);
    "nearbyint" "nearbyintf" => unary(Unary::Nearest);
    "fabs" "fabsf" => unary(Unary::FAbs);
}

table! { BINARY = [Float, Float] [Double, Double]
    "atan2" "atan2f" => How::Math(Math::Atan2);
    "hypot" "hypotf" => How::Math(Math::Hypot);
    "rhypot" "rhypotf" => How::Math(Math::Rhypot);
    "fmod" "fmodf" => How::Math(Math::Fmod);
    "remainder" "remainderf" => How::Math(Math::Remainder);
    "nextafter" "nextafterf" => How::Math(Math::Nextafter);
    "fdim" "fdimf" => How::Math(Math::Fdim);
    "fmin" "fminf" => binary(Binary::FMin);
    "fmax" "fmaxf" => binary(Binary::FMax);
    "copysign" "copysignf" => binary(Binary::CopySign);
}

table! { TERNARY = [Float, Float, Float] [Double, Double, Double]
    "fma" "fmaf" => How::Step(Step::Fma);
    "norm3d" "norm3df" => How::Math(Math::Norm3d);
    "rnorm3d" "rnorm3df" => How::Math(Math::Rnorm3d);
}

table! { QUATERNARY = [Float, Float, Float, Float] [Double, Double, Double, Double]
    "norm4d" "norm4df" => How::Math(Math::Norm4d);
    "rnorm4d" "rnorm4df" => How::Math(Math::Rnorm4d);
}

table! { WITH_INT = [Float, Int] [Double, Int]
    "ldexp" "ldexpf" => How::Math(Math::Ldexp);
    "scalbn" "scalbnf" => How::Math(Math::Ldexp);
    "powi" "powif" => How::Custom(power_of_int);
}

table! { WITH_LONG = [Float, Long] [Double, Long]
    "scalbln" "scalblnf" => How::Custom(scale_by_long);
}

table! { AFTER_INT = [Int, Float] [Int, Double]
    "jn" "jnf" => How::Math(Math::Jn);
    "yn" "ynf" => How::Math(Math::Yn);
}

table! { FREXP = [Float, INT_POINTER] [Double, INT_POINTER]
    "frexp" "frexpf" => How::Custom(frexp);
}

table! { MODF = [Float, FLOAT_POINTER] [Double, DOUBLE_POINTER]
    "modf" "modff" => How::Custom(modf);
}

table! { REMQUO = [Float, Float, INT_POINTER] [Double, Double, INT_POINTER]
    "remquo" "remquof" => How::Custom(remquo);
}

/// `pow` alone has rows for whole exponents.
pub(super) const POWER: &[Builtin] = &[
    Builtin {
        name: "pow",
        signatures: &[
            sig(Float, &[Float, Float], How::Math(Math::Pow)),
            sig(Double, &[Double, Double], How::Math(Math::Pow)).for_integers(),
            sig(Float, &[Float, Int], How::Custom(power_of_int)),
            sig(Double, &[Double, Int], How::Custom(power_of_int)).for_integers(),
        ],
    },
    row("powf", &[sig(Float, &[Float, Float], How::Math(Math::Pow))]),
];

/// Results that are whole numbers, truth values, or several.
pub(super) const OTHER: &[Builtin] = &[
    row("lrint", &[sig(Long, &[Float], NEAREST), sig(Long, &[Double], NEAREST).for_integers()]),
    row("lrintf", &[sig(Long, &[Float], NEAREST)]),
    row("llrint", &[sig(Llong, &[Float], NEAREST), sig(Llong, &[Double], NEAREST).for_integers()]),
    row("llrintf", &[sig(Llong, &[Float], NEAREST)]),
    row("lround", &[sig(Long, &[Float], ROUND), sig(Long, &[Double], ROUND).for_integers()]),
    row("lroundf", &[sig(Long, &[Float], ROUND)]),
    row("llround", &[sig(Llong, &[Float], ROUND), sig(Llong, &[Double], ROUND).for_integers()]),
    row("llroundf", &[sig(Llong, &[Float], ROUND)]),
    row(
        "ilogb",
        &[
            sig(Int, &[Float], How::Math(Math::Ilogb)),
            sig(Int, &[Double], How::Math(Math::Ilogb)).for_integers(),
        ],
    ),
    row("ilogbf", &[sig(Int, &[Float], How::Math(Math::Ilogb))]),
    row("isnan", &[sig(Bool, &[Float], IS_NAN), sig(Bool, &[Double], IS_NAN).for_integers()]),
    row("isinf", &[sig(Bool, &[Float], IS_INFINITE), sig(Bool, &[Double], IS_INFINITE).for_integers()]),
    row("isfinite", &[sig(Bool, &[Float], IS_FINITE), sig(Bool, &[Double], IS_FINITE).for_integers()]),
    row("isnormal", &[sig(Bool, &[Float], IS_NORMAL), sig(Bool, &[Double], IS_NORMAL).for_integers()]),
    row("signbit", &[sig(Bool, &[Float], SIGN_BIT), sig(Bool, &[Double], SIGN_BIT).for_integers()]),
    row("__isnan", &[sig(Bool, &[Double], IS_NAN)]),
    row("__isnanf", &[sig(Bool, &[Float], IS_NAN)]),
    row("__isinf", &[sig(Bool, &[Double], IS_INFINITE)]),
    row("__isinff", &[sig(Bool, &[Float], IS_INFINITE)]),
    row("__finite", &[sig(Bool, &[Double], IS_FINITE)]),
    row("__finitef", &[sig(Bool, &[Float], IS_FINITE)]),
    row("__signbit", &[sig(Bool, &[Double], SIGN_BIT)]),
    row("__signbitf", &[sig(Bool, &[Float], SIGN_BIT)]),
    Builtin {
        name: "sincos",
        signatures: &[
            sig(Ty::Void, &[Float, FLOAT_POINTER, FLOAT_POINTER], How::Custom(sincos)),
            sig(Ty::Void, &[Double, DOUBLE_POINTER, DOUBLE_POINTER], How::Custom(sincos)).for_integers(),
        ],
    },
    row("sincosf", SINCOS),
    row("__sincosf", SINCOS),
    Builtin {
        name: "sincospi",
        signatures: &[
            sig(Ty::Void, &[Float, FLOAT_POINTER, FLOAT_POINTER], How::Custom(sincospi)),
            sig(Ty::Void, &[Double, DOUBLE_POINTER, DOUBLE_POINTER], How::Custom(sincospi)).for_integers(),
        ],
    },
    row("sincospif", SINCOSPI),
    row("nan", &[sig(Double, &[Text], How::Custom(not_a_number))]),
    row("nanf", &[sig(Float, &[Text], How::Custom(not_a_number))]),
    row("__sinf", &[sig(Float, &[Float], How::Math(Math::Sin))]),
    row("__cosf", &[sig(Float, &[Float], How::Math(Math::Cos))]),
    row("__tanf", &[sig(Float, &[Float], How::Math(Math::Tan))]),
    row("__tanhf", &[sig(Float, &[Float], How::Math(Math::Tanh))]),
    row("__expf", &[sig(Float, &[Float], How::Math(Math::Exp))]),
    row("__exp10f", &[sig(Float, &[Float], How::Math(Math::Exp10))]),
    row("__logf", &[sig(Float, &[Float], How::Math(Math::Log))]),
    row("__log2f", &[sig(Float, &[Float], How::Math(Math::Log2))]),
    row("__log10f", &[sig(Float, &[Float], How::Math(Math::Log10))]),
    row("__powf", &[sig(Float, &[Float, Float], How::Math(Math::Pow))]),
    row("__fdividef", &[sig(Float, &[Float, Float], binary(Binary::FDiv))]),
    row("fdividef", &[sig(Float, &[Float, Float], binary(Binary::FDiv))]),
    row("__saturatef", &[sig(Float, &[Float], How::Custom(saturate))]),
];

const NEAREST: How = How::Custom(to_nearest_whole);
const ROUND: How = How::Custom(to_rounded_whole);
const IS_NAN: How = How::Custom(is_nan);
const IS_INFINITE: How = How::Custom(is_infinite);
const IS_FINITE: How = How::Custom(is_finite);
const IS_NORMAL: How = How::Custom(is_normal);
const SIGN_BIT: How = How::Custom(sign_bit);
const SINCOS: &[Signature] = &[sig(Ty::Void, &[Float, FLOAT_POINTER, FLOAT_POINTER], How::Custom(sincos))];
const SINCOSPI: &[Signature] =
    &[sig(Ty::Void, &[Float, FLOAT_POINTER, FLOAT_POINTER], How::Custom(sincospi))];

type Lowered = Result<Option<Local>, Diagnostic>;

fn math(call: &mut Call, result: Type, function: Math, args: &[Local]) -> Local {
    let dst = call.builder.local(result);
    call.builder.emit(Op::Math { dst, function, args: args.to_vec() });
    dst
}

fn float_type(call: &Call) -> Type {
    call.builder.type_of(call.arg(0))
}

/// A float constant of the type of the first argument.
fn number(call: &mut Call, value: f64) -> Local {
    match float_type(call) {
        Type::F32 => call.builder.constant(Type::F32, u64::from((value as f32).to_bits())),
        _ => call.builder.constant(Type::F64, value.to_bits()),
    }
}

fn power_of_int(call: &mut Call) -> Lowered {
    // By way of double, which holds every int: the exponent loses nothing.
    let (base, exponent) = (call.arg(0), call.arg(1));
    let exponent = call.builder.convert(Convert::FromS, Type::F64, exponent);
    if float_type(call) == Type::F64 {
        return Ok(Some(math(call, Type::F64, Math::Pow, &[base, exponent])));
    }
    let base = call.builder.convert(Convert::Promote, Type::F64, base);
    let power = math(call, Type::F64, Math::Pow, &[base, exponent]);
    Ok(Some(call.builder.convert(Convert::Demote, Type::F32, power)))
}

fn scale_by_long(call: &mut Call) -> Lowered {
    let (x, exponent) = (call.arg(0), call.arg(1));
    // Far beyond what any float can be scaled by without ending at zero or infinity.
    let least = call.builder.constant(Type::I64, -100_000i64 as u64);
    let most = call.builder.constant(Type::I64, 100_000);
    let exponent = call.builder.binary(Binary::MaxS, exponent, least);
    let exponent = call.builder.binary(Binary::MinS, exponent, most);
    let exponent = call.builder.convert(Convert::Narrow, Type::I32, exponent);
    let ty = float_type(call);
    Ok(Some(math(call, ty, Math::Ldexp, &[x, exponent])))
}

fn frexp(call: &mut Call) -> Lowered {
    let (x, to, ty) = (call.arg(0), call.arg(1), float_type(call));
    let exponent = math(call, Type::I32, Math::FrexpExponent, &[x]);
    let mantissa = math(call, ty, Math::FrexpMantissa, &[x]);
    call.builder.store(to, 0, exponent);
    Ok(Some(mantissa))
}

fn modf(call: &mut Call) -> Lowered {
    let (x, to) = (call.arg(0), call.arg(1));
    let whole = call.builder.unary(Unary::Trunc, x);
    call.builder.store(to, 0, whole);
    // A whole number and an infinity leave a zero of their sign.
    let rest = call.builder.binary(Binary::FSub, x, whole);
    let zero = number(call, 0.0);
    let same = call.builder.compare(Compare::FEq, x, whole);
    let rest = call.builder.select(same, zero, rest);
    Ok(Some(call.builder.binary(Binary::CopySign, rest, x)))
}

fn remquo(call: &mut Call) -> Lowered {
    let (x, y, to, ty) = (call.arg(0), call.arg(1), call.arg(2), float_type(call));
    let quotient = math(call, Type::I32, Math::RemquoQuotient, &[x, y]);
    let rest = math(call, ty, Math::Remainder, &[x, y]);
    call.builder.store(to, 0, quotient);
    Ok(Some(rest))
}

fn two_results(call: &mut Call, first: Math, second: Math) -> Lowered {
    let (x, ty) = (call.arg(0), float_type(call));
    let (to_first, to_second) = (call.arg(1), call.arg(2));
    let a = math(call, ty, first, &[x]);
    let b = math(call, ty, second, &[x]);
    call.builder.store(to_first, 0, a);
    call.builder.store(to_second, 0, b);
    Ok(None)
}

fn sincos(call: &mut Call) -> Lowered {
    two_results(call, Math::Sin, Math::Cos)
}

fn sincospi(call: &mut Call) -> Lowered {
    two_results(call, Math::Sinpi, Math::Cospi)
}

fn to_nearest_whole(call: &mut Call) -> Lowered {
    let whole = call.builder.unary(Unary::Nearest, call.args[0].local);
    Ok(Some(super::convert::to_integer(call.builder, whole, Type::I64, true)))
}

fn to_rounded_whole(call: &mut Call) -> Lowered {
    let (x, ty) = (call.arg(0), float_type(call));
    let whole = math(call, ty, Math::Round, &[x]);
    Ok(Some(super::convert::to_integer(call.builder, whole, Type::I64, true)))
}

fn is_nan(call: &mut Call) -> Lowered {
    let x = call.arg(0);
    Ok(Some(call.builder.compare(Compare::FNe, x, x)))
}

fn compare_size(call: &mut Call, op: Compare, limit: f64) -> Local {
    let size = call.builder.unary(Unary::FAbs, call.args[0].local);
    let limit = number(call, limit);
    call.builder.compare(op, size, limit)
}

fn is_infinite(call: &mut Call) -> Lowered {
    Ok(Some(compare_size(call, Compare::FEq, f64::INFINITY)))
}

fn is_finite(call: &mut Call) -> Lowered {
    Ok(Some(compare_size(call, Compare::FLt, f64::INFINITY)))
}

fn is_normal(call: &mut Call) -> Lowered {
    let finite = compare_size(call, Compare::FLt, f64::INFINITY);
    let least = if float_type(call) == Type::F32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    let large = compare_size(call, Compare::FGe, least);
    Ok(Some(call.builder.binary(Binary::And, finite, large)))
}

fn sign_bit(call: &mut Call) -> Lowered {
    let ty = if float_type(call) == Type::F32 { Type::I32 } else { Type::I64 };
    let bits = call.builder.convert(Convert::Bits, ty, call.args[0].local);
    let zero = call.builder.constant(ty, 0);
    Ok(Some(call.builder.compare(Compare::LtS, bits, zero)))
}

fn not_a_number(call: &mut Call) -> Lowered {
    let (ty, bits) = match call.name {
        "nanf" => (Type::F32, 0x7fff_ffff),
        _ => (Type::F64, 0x7fff_ffff_ffff_ffff),
    };
    Ok(Some(call.builder.constant(ty, bits)))
}

fn saturate(call: &mut Call) -> Lowered {
    // The larger of NaN and 0 is 0.
    let (x, zero, one) = (call.arg(0), number(call, 0.0), number(call, 1.0));
    let x = call.builder.binary(Binary::FMax, x, zero);
    Ok(Some(call.builder.binary(Binary::FMin, x, one)))
}
