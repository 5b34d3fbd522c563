//! Every op on numbers, at the edges of its types: what kernels compute and what is folded beforehand, against Rust's own
//! arithmetic.

use cuprum_kernel::ir::{Binary, Compare, Convert, End, Local, Op, Type, Unary};
use cuprum_kernel::passes::fold;

use crate::harness::*;
use crate::oracle;

const INTEGERS: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];
const FLOATS: [Type; 2] = [Type::F32, Type::F64];

/// Numbers of a type that arithmetic goes wrong at.
fn edges(ty: Type) -> Vec<u64> {
    match ty {
        Type::F32 => [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.5,
            2.5,
            3.5,
            1e10,
            -1e10,
            2147483648.0,
            -2147483648.0,
            4294967296.0,
            1e30,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::MAX,
            65504.0,
            65519.996,
            65520.0,
            1.000_488_3,
            1.001_464_8,
            6.103_515_6e-5,
            5.960_464_5e-8,
            2.980_232_2e-8,
            1.003_906_2,
            1.011_718_8,
            9.183_55e-41,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]
        .map(|x: f32| u64::from(x.to_bits()))
        .to_vec(),
        Type::F64 => [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.5,
            2.5,
            4.5,
            1e10,
            -3e9,
            9223372036854775808.0,
            -9223372036854775808.0,
            1e300,
            18446744073709551616.0,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            65504.0,
            65520.0,
            1.0009765625,
            1.00048828125,
            5.960_464_5e-8,
        ]
        .map(f64::to_bits)
        .to_vec(),
        _ => {
            let bits = 8 * ty.bytes() as u64;
            let mask = u64::MAX >> (64 - bits);
            let mut edges = vec![0, 1, 2, 3, 7, bits - 1, bits, bits + 1, 100, mask, mask - 1, mask >> 1];
            edges.extend([
                (mask >> 1) + 1,
                (mask >> 1) - 1,
                0x0123_4567_89AB_CDEF & mask,
                0xF0F0_F0F0_F0F0_F0F0 & mask,
            ]);
            edges
        }
    }
}

fn pack(ty: Type, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()[..ty.bytes() as usize].to_vec()).collect()
}

fn unpack(ty: Type, bytes: &[u8]) -> Vec<u64> {
    let value = |part: &[u8]| part.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    bytes.chunks(ty.bytes() as usize).map(value).collect()
}

/// What a kernel makes of each pair of values of dense arrays: an op of `(a, b)`.
fn apply(from: Type, to: Type, pairs: &[(u64, u64)], op: impl Fn(Local, Local, Local) -> Op) -> Vec<u64> {
    let mut k = kernel("apply", 3, 0);
    let i = k.global_index();
    let (x, y, z) = (k.pointer(0), k.pointer(1), k.pointer(2));
    let (px, py) = (k.element(x, i, u64::from(from.bytes())), k.element(y, i, u64::from(from.bytes())));
    let pz = k.element(z, i, u64::from(to.bytes()));
    let (a, b) = (k.load(from, px, 0), k.load(from, py, 0));
    let r = k.local(to);
    k.push(op(r, a, b));
    k.store(pz, 0, r);
    k.end(End::Return(None));
    let program = program(k);
    // One by one, and several at a time with some left over.
    let run = |threads: usize| {
        let padded = pairs.len().next_multiple_of(threads);
        let pair = |i: usize| pairs[i.min(pairs.len() - 1)];
        let mut x = pack(from, &(0..padded).map(|i| pair(i).0).collect::<Vec<_>>());
        let mut y = pack(from, &(0..padded).map(|i| pair(i).1).collect::<Vec<_>>());
        let mut z = vec![0u8; padded * to.bytes() as usize];
        let setup = Setup::new((padded / threads) as u32, threads as u32);
        setup.launch(&program, "apply", &mut [&mut x, &mut y, &mut z], &[]).unwrap();
        let mut z = unpack(to, &z);
        z.truncate(pairs.len());
        z
    };
    let (alone, together) = (run(1), run(35));
    for ((pair, a), b) in pairs.iter().zip(&alone).zip(&together) {
        assert!(same(to, *a, *b), "{pair:x?}: {a:#x} alone, {b:#x} together");
    }
    alone
}

/// Whether two results are the same value: NaN is any NaN.
fn same(ty: Type, a: u64, b: u64) -> bool {
    a == b || is_nan(ty, a) && is_nan(ty, b)
}

fn is_nan(ty: Type, bits: u64) -> bool {
    match ty {
        Type::F32 => f32::from_bits(bits as u32).is_nan(),
        Type::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// What the kernel and the folding of constants have to give.
fn assert_both(ty: Type, what: &str, expected: u64, got: u64, folded: u64) {
    assert!(same(ty, got, expected), "{what}: {got:#x}, not {expected:#x}");
    assert!(same(ty, folded, expected), "{what} is folded to {folded:#x}, not {expected:#x}");
}

fn pairs(ty: Type) -> Vec<(u64, u64)> {
    let edges = edges(ty);
    edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b))).collect()
}

#[test]
fn ops_of_two_integers() {
    use Binary::*;
    let ops = [
        Add, Sub, Mul, DivS, DivU, RemS, RemU, And, Or, Xor, Shl, ShrS, ShrU, MinS, MinU, MaxS, MaxU,
        MulHighS, MulHighU,
    ];
    for ty in INTEGERS {
        let pairs = pairs(ty);
        for op in ops {
            let got = apply(ty, ty, &pairs, |dst, a, b| Op::Binary { dst, op, a, b });
            for ((a, b), got) in pairs.iter().zip(got) {
                let what = format!("{op:?} {ty} {a:#x} {b:#x}");
                assert_both(ty, &what, oracle::binary(op, ty, *a, *b), got, fold::binary(op, ty, *a, *b));
            }
        }
    }
}

#[test]
fn ops_of_two_floats() {
    use Binary::*;
    for ty in FLOATS {
        let pairs = pairs(ty);
        for op in [FAdd, FSub, FMul, FDiv, FMin, FMax, CopySign] {
            let got = apply(ty, ty, &pairs, |dst, a, b| Op::Binary { dst, op, a, b });
            for ((a, b), got) in pairs.iter().zip(got) {
                let what = format!("{op:?} {ty} {a:#x} {b:#x}");
                assert_both(ty, &what, oracle::binary(op, ty, *a, *b), got, fold::binary(op, ty, *a, *b));
            }
        }
    }
}

#[test]
fn ops_of_one_number() {
    use Unary::*;
    let check = |ty: Type, op: Unary| {
        let values: Vec<(u64, u64)> = edges(ty).into_iter().map(|a| (a, 0)).collect();
        let got = apply(ty, ty, &values, |dst, src, _| Op::Unary { dst, op, src });
        for ((a, _), got) in values.iter().zip(got) {
            let what = format!("{op:?} {ty} {a:#x}");
            assert_both(ty, &what, oracle::unary(op, ty, *a), got, fold::unary(op, ty, *a));
        }
    };
    for ty in INTEGERS {
        for op in [Neg, Not, LeadingZeros, TrailingZeros, CountOnes, ReverseBits, ReverseBytes] {
            check(ty, op);
        }
    }
    for ty in FLOATS {
        for op in [FNeg, FAbs, Sqrt, Ceil, Floor, Trunc, Nearest] {
            check(ty, op);
        }
    }
}

#[test]
fn comparisons() {
    use Compare::*;
    let check = |ty: Type, op: Compare| {
        let pairs = pairs(ty);
        let got = apply(ty, Type::I8, &pairs, |dst, a, b| Op::Compare { dst, op, a, b });
        for ((a, b), got) in pairs.iter().zip(got) {
            let what = format!("{op:?} {ty} {a:#x} {b:#x}");
            let folded = u64::from(fold::compare(op, ty, *a, *b));
            assert_both(Type::I8, &what, u64::from(oracle::compare(op, ty, *a, *b)), got, folded);
        }
    };
    for ty in INTEGERS {
        for op in [Eq, Ne, LtS, LeS, GtS, GeS, LtU, LeU, GtU, GeU] {
            check(ty, op);
        }
    }
    for ty in FLOATS {
        for op in [FEq, FNe, FLt, FLe, FGt, FGe] {
            check(ty, op);
        }
    }
}

#[test]
fn conversions() {
    use Convert::*;
    use Type::*;
    let mut rows = Vec::new();
    for (i, from) in INTEGERS.into_iter().enumerate() {
        for to in &INTEGERS[i + 1..] {
            rows.extend([(SignExtend, from, *to), (ZeroExtend, from, *to), (Narrow, *to, from)]);
        }
    }
    for float in FLOATS {
        for int in [I32, I64] {
            rows.extend([(FromS, int, float), (FromU, int, float), (ToS, float, int), (ToU, float, int)]);
        }
    }
    rows.extend([
        (Promote, F32, F64),
        (Demote, F64, F32),
        (Bits, I32, F32),
        (Bits, F64, I64),
        (Bits, I64, F64),
    ]);
    rows.extend([(FromHalf, I16, F32), (ToHalf, F32, I16), (ToHalf, F64, I16)]);
    rows.extend([(FromBfloat, I16, F32), (ToBfloat, F32, I16), (ToBfloat, F64, I16)]);
    for (kind, from, to) in rows {
        let values: Vec<(u64, u64)> = edges(from).into_iter().map(|a| (a, 0)).collect();
        let got = apply(from, to, &values, |dst, src, _| Op::Convert { dst, kind, src });
        for ((a, _), got) in values.iter().zip(got) {
            // Of a NaN's bits only that they are a NaN's is said.
            if matches!(kind, ToHalf | ToBfloat) && is_nan(from, *a) {
                let infinity = if kind == ToHalf { 0x7c00 } else { 0x7f80 };
                assert!(got & 0x7fff > infinity, "{kind:?} {from} {a:#x}: {got:#x} is no NaN");
                continue;
            }
            let what = format!("{kind:?} {from} {to} {a:#x}");
            let folded = fold::convert(kind, from, to, *a);
            assert_both(to, &what, oracle::convert(kind, from, to, *a), got, folded);
        }
    }
}

#[test]
fn selection_and_fused_products() {
    let pairs: Vec<(u64, u64)> = vec![(0, 5), (1, 5), (256, 7), (1 << 31, 9)];
    let got = apply(Type::I32, Type::I32, &pairs, |dst, a, b| Op::Select { dst, cond: a, a: b, b: a });
    assert_eq!(got, [0, 5, 7, 9]);
    let x = 1.0 + f64::EPSILON;
    let pairs = [(x.to_bits(), (-1.0f64).to_bits())];
    let got = apply(Type::F64, Type::F64, &pairs, |dst, a, b| Op::Fma { dst, a, b: a, c: b });
    assert_eq!(f64::from_bits(got[0]), x.mul_add(x, -1.0));
}
