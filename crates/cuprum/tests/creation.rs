//! New arrays: values, dtypes, lengths and the errors of impossible sizes.

use cuprum::creation::*;
use cuprum::prelude::*;
use cuprum::{Error, Result};

fn int(i: i64) -> Number {
    Number::Int(i as i128)
}

#[test]
fn constants_have_their_value_everywhere() -> Result<()> {
    assert_eq!(zeros(&[2, 2], DType::F32)?.to_vec::<f32>()?, vec![0.0; 4]);
    assert_eq!(ones(&[3], DType::Bool)?.to_vec::<bool>()?, vec![true; 3]);
    assert_eq!(full_scalar(&[], Scalar::new("full", int(-4), DType::I8)?)?.item::<i8>()?, -4);
    assert_eq!(zeros(&[3, 0], DType::F64)?.size(), 0);
    let f = full_ordered("full", &[2, 3], Scalar::zero(DType::F64), Order::F)?;
    assert_eq!(f.strides(), &[8, 16]);
    Ok(())
}

#[test]
fn arange_counts_as_numpy_does() -> Result<()> {
    assert_eq!(arange(int(5), int(0), int(-2), None)?.to_vec::<i64>()?, vec![5, 3, 1]);
    assert_eq!(arange(int(5), int(0), int(1), None)?.size(), 0);
    assert_eq!(arange(0.0.into(), 0.3.into(), 0.1.into(), None)?.size(), 3);
    // (1.3 - 1) / 0.1 is a little above 3: four elements, the famous surprise.
    assert_eq!(arange(1.0.into(), 1.3.into(), 0.1.into(), None)?.size(), 4);
    assert_eq!(arange(int(0), int(3), int(1), Some(DType::F32))?.to_vec::<f32>()?, vec![0.0, 1.0, 2.0]);
    // In an integer dtype the step is what the first two elements differ by, after truncation.
    assert_eq!(arange(0.0.into(), 3.0.into(), 0.5.into(), Some(DType::I32))?.to_vec::<i32>()?, vec![0; 6]);
    assert_eq!(
        arange(int(250), int(256), int(1), Some(DType::U8))?.to_vec::<u8>()?,
        (250..=255).collect::<Vec<u8>>()
    );
    Ok(())
}

#[test]
fn arange_elements_are_start_plus_i_delta() -> Result<()> {
    let (start, step) = (0.1f64, 0.1f64);
    let second = start + step;
    let delta = second - start;
    let mut expected: Vec<f64> = (0..9).map(|i| start + i as f64 * delta).collect();
    expected[1] = second;
    assert_eq!(arange(start.into(), 0.95.into(), step.into(), None)?.to_vec::<f64>()?, expected);
    Ok(())
}

#[test]
fn half_precision_ranges_are_computed_in_single() -> Result<()> {
    let a = arange(0.into(), 1.into(), 0.1.into(), Some(DType::F16))?;
    let bits = cuprum::manipulation::view_dtype(&a, DType::U16)?.to_vec::<u16>()?;
    assert_eq!(bits, vec![0, 11878, 12902, 13516, 13926, 14336, 14540, 14745, 14950, 15155]);
    Ok(())
}

#[test]
fn complex_ranges() -> Result<()> {
    let a = linspace(Number::Complex(1.0, 1.0), 2.into(), 4, true, None)?;
    assert_eq!(
        cuprum::manipulation::real(&a).to_vec::<f64>()?,
        vec![1.0, 1.3333333333333333, 1.6666666666666665, 2.0]
    );
    let imaginary = cuprum::manipulation::imag(&a)?.to_vec::<f64>()?;
    assert_eq!(imaginary, vec![1.0, 0.6666666666666667, 0.33333333333333337, 0.0]);
    Ok(())
}

#[test]
fn arange_refuses_what_has_no_length() {
    assert!(matches!(arange(int(0), int(1), int(0), None), Err(Error::ZeroDivision { .. })));
    assert!(matches!(arange(0.0.into(), f64::NAN.into(), 1.0.into(), None), Err(Error::Value { .. })));
    assert!(matches!(arange(0.0.into(), f64::INFINITY.into(), 1.0.into(), None), Err(Error::Value { .. })));
    assert!(matches!(
        arange(int(0), int(i64::MAX), int(1), None),
        Err(Error::Value { .. } | Error::Memory { .. })
    ));
    assert!(matches!(arange(int(300), int(301), int(1), Some(DType::U8)), Err(Error::Overflow { .. })));
}

#[test]
fn linspace_ends_exactly_at_stop() -> Result<()> {
    assert_eq!(
        linspace(2.0.into(), 3.0.into(), 5, true, None)?.to_vec::<f64>()?,
        vec![2.0, 2.25, 2.5, 2.75, 3.0]
    );
    assert_eq!(
        linspace(0.0.into(), 1.0.into(), 4, false, None)?.to_vec::<f64>()?,
        vec![0.0, 0.25, 0.5, 0.75]
    );
    let last = linspace(0.0.into(), 0.1.into(), 8, true, None)?.to_vec::<f64>()?[7];
    assert_eq!(last, 0.1);
    assert_eq!(linspace(3.0.into(), 9.0.into(), 1, true, None)?.to_vec::<f64>()?, vec![3.0]);
    assert_eq!(linspace(1.0.into(), 1.0.into(), 3, true, None)?.to_vec::<f64>()?, vec![1.0; 3]);
    assert_eq!(linspace(int(0), int(10), 4, true, Some(DType::I32))?.to_vec::<i32>()?, vec![0, 3, 6, 10]);
    assert_eq!(linspace(int(0), int(-5), 3, true, Some(DType::I32))?.to_vec::<i32>()?, vec![0, -3, -5]);
    assert_eq!(linspace(0.0.into(), 1.0.into(), 0, true, None)?.size(), 0);
    let error = linspace(0.0.into(), 1.0.into(), -1, true, None).unwrap_err();
    assert_eq!(error.to_string(), "linspace: number of samples, -1, must be non-negative");
    Ok(())
}

#[test]
fn triangles_and_diagonals() -> Result<()> {
    assert_eq!(eye(2, 2, 0, DType::F64)?.to_vec::<f64>()?, vec![1.0, 0.0, 0.0, 1.0]);
    assert_eq!(eye(3, 2, -1, DType::I32)?.to_vec::<i32>()?, vec![0, 0, 1, 0, 0, 1]);
    assert_eq!(eye(2, 2, i64::MAX, DType::I32)?.to_vec::<i32>()?, vec![0; 4]);
    assert_eq!(tri(3, 3, -1, DType::I32)?.to_vec::<i32>()?, vec![0, 0, 0, 1, 0, 0, 1, 1, 0]);
    let a = arange(int(1), int(10), int(1), None)?.reshape(&[3, 3])?;
    assert_eq!(tril(&a, 0)?.to_vec::<i64>()?, vec![1, 0, 0, 4, 5, 0, 7, 8, 9]);
    assert_eq!(triu(&a, 1)?.to_vec::<i64>()?, vec![0, 2, 3, 0, 0, 6, 0, 0, 0]);
    assert_eq!(tril(&a.transpose(), 0)?.to_vec::<i64>()?, vec![1, 0, 0, 2, 5, 0, 3, 6, 9]);
    assert_eq!(diag(&Array::from_slice(&[1, 2]), 1)?.to_vec::<i32>()?, vec![0, 1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(diag(&a, -1)?.to_vec::<i64>()?, vec![4, 8]);
    assert!(!diag(&a, 0)?.is_writeable());
    assert!(diag(&zeros(&[1, 1, 1], DType::F64)?, 0).is_err());
    Ok(())
}

#[test]
fn stacks_of_matrices_have_triangles_too() -> Result<()> {
    let a = ones(&[2, 2, 2], DType::I32)?;
    assert_eq!(triu(&a, 0)?.to_vec::<i32>()?, vec![1, 1, 0, 1, 1, 1, 0, 1]);
    assert_eq!(tril(&Array::from_slice(&[1, 2]), 0)?.to_vec::<i32>()?, vec![1, 0, 1, 2]);
    Ok(())
}

#[test]
fn impossible_sizes_are_errors() {
    let huge = 1usize << 62;
    assert!(matches!(zeros(&[huge, huge], DType::F64), Err(Error::Value { .. })));
    assert!(matches!(zeros(&[0, huge, huge], DType::F64), Err(Error::Value { .. })));
    assert!(matches!(zeros(&[1 << 55], DType::F64), Err(Error::Memory { .. })));
    assert!(zeros(&[1; 65], DType::F64).is_err());
    assert!(eye(huge, huge, 0, DType::F64).is_err());
    assert!(indices(&[huge, huge], DType::I64).is_err());
}
