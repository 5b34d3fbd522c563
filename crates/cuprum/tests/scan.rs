//! Running results, segments and differences.

use cuprum::creation::{arange, ones, zeros};
use cuprum::prelude::*;
use cuprum::scan::*;
use cuprum::{Error, Result};

fn count(n: i64) -> Array {
    arange(Number::Int(0), Number::Int(n as i128), Number::Int(1), None).unwrap()
}

fn ints(a: &Array) -> Vec<i64> {
    a.to_vec::<i64>().unwrap()
}

#[test]
fn cumsum_along_each_axis() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    assert_eq!(ints(&cumsum(&a, None, None, None)?), vec![0, 1, 3, 6, 10, 15]);
    assert_eq!(ints(&cumsum(&a, Some(0), None, None)?), vec![0, 1, 2, 3, 5, 7]);
    assert_eq!(ints(&cumsum(&a, Some(-1), None, None)?), vec![0, 1, 3, 3, 7, 12]);
    assert_eq!(ints(&cumsum(&a.transpose(), Some(0), None, None)?), vec![0, 3, 1, 7, 3, 12]);
    assert!(matches!(cumsum(&a, Some(2), None, None), Err(Error::Axis { .. })));
    assert_eq!(cumsum(&zeros(&[], DType::F64)?, None, None, None)?.shape(), &[1]);
    assert_eq!(cumsum(&zeros(&[0], DType::F64)?, None, None, None)?.size(), 0);
    Ok(())
}

#[test]
fn scans_widen_small_integers() -> Result<()> {
    let a = Array::from_slice(&[200u8, 100]);
    assert_eq!(cumsum(&a, None, None, None)?.to_vec::<u64>()?, vec![200, 300]);
    assert_eq!(cumsum(&a, None, Some(DType::U8), None)?.to_vec::<u8>()?, vec![200, 44]);
    assert_eq!(cumsum(&ones(&[3], DType::Bool)?, None, None, None)?.to_vec::<i64>()?, vec![1, 2, 3]);
    assert_eq!(accumulate(Op::Maximum, &a, 0, None, None)?.dtype(), DType::U8);
    let out = zeros(&[2], DType::F32)?;
    cumprod(&Array::from_slice(&[2.0f32, 4.0]), None, None, Some(&out))?;
    assert_eq!(out.to_vec::<f32>()?, vec![2.0, 8.0]);
    Ok(())
}

#[test]
fn accumulate_takes_any_binary_op() -> Result<()> {
    let a = Array::from_slice(&[5i64, 1, 7]);
    assert_eq!(ints(&accumulate(Op::Minimum, &a, 0, None, None)?), vec![5, 1, 1]);
    assert_eq!(ints(&accumulate(Op::Subtract, &a, 0, None, None)?), vec![5, 4, -3]);
    let truth = accumulate(Op::LogicalAnd, &Array::from_slice(&[1, 2, 0, 3]), 0, None, None)?;
    assert_eq!(truth.to_vec::<bool>()?, vec![true, true, false, false]);
    assert!(matches!(accumulate(Op::Sqrt, &a, 0, None, None), Err(Error::Value { .. })));
    assert!(matches!(accumulate(Op::Add, &zeros(&[], DType::F64)?, 0, None, None), Err(Error::Type { .. })));
    assert!(matches!(accumulate(Op::Less, &a, 0, None, None), Err(Error::NoLoop { .. })));
    Ok(())
}

#[test]
fn segments() -> Result<()> {
    let a = count(8);
    let starts = Array::from_slice(&[0i64, 4, 1, 5]);
    assert_eq!(ints(&reduceat(Op::Add, &a, &starts, 0, None, None)?), vec![6, 4, 10, 18]);
    let m = count(6).reshape(&[2, 3])?;
    assert_eq!(
        ints(&reduceat(Op::Maximum, &m, &Array::from_slice(&[0i64, 2]), 1, None, None)?),
        vec![1, 2, 4, 5]
    );
    for bad in [-1i64, 8] {
        assert!(matches!(
            reduceat(Op::Add, &a, &Array::from_slice(&[bad]), 0, None, None),
            Err(Error::BadIndex { .. })
        ));
    }
    Ok(())
}

#[test]
fn differences() -> Result<()> {
    let a = Array::from_slice(&[1i64, 2, 4, 7]);
    assert_eq!(ints(&diff(&a, 1, -1, None, None)?), vec![1, 2, 3]);
    assert_eq!(ints(&diff(&a, 2, -1, None, None)?), vec![1, 1]);
    assert_eq!(diff(&a, 9, -1, None, None)?.size(), 0);
    assert_eq!(diff(&a, 0, -1, None, None)?.size(), 4);
    let zero = zeros(&[], DType::I64)?;
    assert_eq!(ints(&diff(&a, 1, 0, Some(&zero), Some(&zero))?), vec![1, 1, 2, 3, -7]);
    let flags = Array::from_slice(&[true, true, false]);
    assert_eq!(diff(&flags, 1, -1, None, None)?.to_vec::<bool>()?, vec![false, true]);
    let m = count(4).reshape(&[2, 2])?;
    assert_eq!(ints(&diff(&m, 1, 0, None, None)?), vec![2, 2]);
    assert!(diff(&zero, 1, -1, None, None).is_err());
    assert!(diff(&a, -1, -1, None, None).is_err());
    Ok(())
}
