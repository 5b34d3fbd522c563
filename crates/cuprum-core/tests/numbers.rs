//! Numbers of Python's beside dtypes: what fits, what is refused, and what a narrower casting rule forbids.

use cuprum_core::ops::{Op, OperandType, resolve};
use cuprum_core::{Casting, DType, Number, Scalar};

fn loop_of(op: Op, operands: &[OperandType], casting: Casting) -> Option<DType> {
    resolve(op, operands, None, casting).ok().map(|signature| signature.dtype)
}

#[test]
fn integers_of_more_than_128_bits_have_their_value_beside_floats_alone() {
    let huge = Number::Huge(1e40);
    assert!(Scalar::new("add", huge, DType::I64).is_err());
    assert!(Scalar::new("add", huge, DType::U64).is_err());
    assert_eq!(Scalar::new("add", huge, DType::F64).map(|s| s.number()), Ok(Number::Float(1e40)));
    assert!(Scalar::new("add", Number::Huge(f64::INFINITY), DType::F64).is_err());
}

#[test]
fn floats_become_integers_as_the_processor_cuts_them() {
    let cut = |x: f64, dtype| Scalar::wrapping(Number::Float(x), dtype).number();
    assert_eq!(cut(-1.5, DType::U8), Number::Int(255));
    assert_eq!(cut(1e10, DType::I16), Number::Int(0));
    assert_eq!(cut(f64::NAN, DType::I32), Number::Int(i32::MIN as i128));
    assert_eq!(cut(3e9, DType::U32), Number::Int(3_000_000_000));
}

#[test]
fn narrow_casting_rules_hold_for_inputs() {
    let (small, double) = (OperandType::Typed(DType::I8), OperandType::Typed(DType::F64));
    assert_eq!(loop_of(Op::Sqrt, &[small], Casting::Safe), Some(DType::F16));
    assert_eq!(loop_of(Op::Sqrt, &[small], Casting::No), None);
    assert_eq!(loop_of(Op::Sqrt, &[double], Casting::No), Some(DType::F64));
    assert_eq!(loop_of(Op::Add, &[small, double], Casting::Equiv), None);
    assert_eq!(loop_of(Op::LogicalAnd, &[small, double], Casting::No), Some(DType::F64));
}

#[test]
fn a_python_number_takes_any_dtype_of_its_kind() {
    let single = OperandType::Typed(DType::F32);
    for number in [Number::Int(1), Number::Float(0.5)] {
        let operands = [single, OperandType::Weak(number)];
        assert_eq!(loop_of(Op::Multiply, &operands, Casting::No), Some(DType::F32));
        assert_eq!(loop_of(Op::Multiply, &operands, Casting::Safe), Some(DType::F32));
        assert_eq!(loop_of(Op::Multiply, &operands, Casting::Equiv), None);
    }
    let complex = [OperandType::Typed(DType::C64), OperandType::Weak(Number::Complex(0.0, 1.0))];
    assert_eq!(loop_of(Op::Multiply, &complex, Casting::Safe), Some(DType::C64));
    let asked = |number, dtype| {
        resolve(
            Op::Add,
            &[OperandType::Weak(number), OperandType::Weak(number)],
            Some(dtype),
            Casting::SameKind,
        )
    };
    assert!(asked(Number::Int(7), DType::U8).is_ok());
    assert!(asked(Number::Float(7.5), DType::U8).is_err());
}

#[test]
fn python_numbers_alone_have_dtypes_of_their_own() {
    let alone = |i| loop_of(Op::Absolute, &[OperandType::Weak(Number::Int(i))], Casting::SameKind);
    assert_eq!(alone(-3), Some(DType::I64));
    assert_eq!(alone(1 << 63), Some(DType::U64));
    assert_eq!(alone(1 << 64), None);
}
