//! Shapes, joins, arrangements and pads, with known answers.

use cuprum::creation::{arange, zeros};
use cuprum::manipulation::*;
use cuprum::prelude::*;
use cuprum::{Error, Result};

fn count(n: i64) -> Array {
    arange(Number::Int(0), Number::Int(n as i128), Number::Int(1), None).unwrap()
}

fn ints(a: &Array) -> Vec<i64> {
    a.to_vec::<i64>().unwrap()
}

fn message<T>(result: Result<T>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn reshape_is_a_view_where_it_can_be() -> Result<()> {
    let a = count(6);
    let b = a.reshape(&[2, 3])?;
    assert!(b.same_storage(&a));
    assert_eq!(ints(&reshape(&b.transpose(), &[6], Order::C)?), vec![0, 3, 1, 4, 2, 5]);
    assert_eq!(ints(&reshape(&b, &[3, 2], Order::F)?), vec![0, 4, 3, 2, 1, 5]);
    assert!(reshape(&b.transpose(), &[6], Order::A)?.same_storage(&a));
    assert_eq!(count(0).reshape(&[-1, 3])?.shape(), &[0, 3]);
    assert!(count(0).reshape(&[0, -1]).is_err());
    Ok(())
}

#[test]
fn reshape_errors_say_what_they_got() {
    let a = count(6);
    assert_eq!(message(a.reshape(&[4])), "reshape: cannot reshape array of size 6 into shape (4,)");
    assert_eq!(message(a.reshape(&[-1, 4])), "reshape: cannot reshape array of size 6 into shape (-1, 4)");
    assert_eq!(message(a.reshape(&[-1, -1])), "reshape: can only specify one unknown dimension");
    assert!(matches!(a.reshape(&[i64::MAX, i64::MAX]), Err(Error::Value { .. })));
}

#[test]
fn ravel_and_flatten_read_in_order() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    assert!(ravel(&a, Order::C)?.same_storage(&a));
    assert!(ravel(&a.transpose(), Order::F)?.same_storage(&a));
    assert_eq!(ints(&ravel(&a.transpose(), Order::C)?), vec![0, 2, 1, 3]);
    assert_eq!(ints(&ravel(&a.transpose(), Order::K)?), vec![0, 1, 2, 3]);
    assert!(!flatten(&a, Order::C)?.same_storage(&a));
    Ok(())
}

#[test]
fn axes_move() -> Result<()> {
    let a = zeros(&[2, 3, 4], DType::I8)?;
    assert_eq!(transpose(&a, None)?.shape(), &[4, 3, 2]);
    assert_eq!(moveaxis(&a, &[0, 1], &[-1, -2])?.shape(), &[4, 3, 2]);
    assert_eq!(swapaxes(&a, 0, 1)?.shape(), &[3, 2, 4]);
    assert_eq!(rollaxis(&a, 2, 0)?.shape(), &[4, 2, 3]);
    assert_eq!(expand_dims(&a, &[1, -1])?.shape(), &[2, 1, 3, 4, 1]);
    assert_eq!(message(transpose(&a, Some(&[0, 0, 1]))), "transpose: repeated axis in transpose");
    assert!(matches!(swapaxes(&a, 0, 3), Err(Error::Axis { .. })));
    assert!(message(squeeze(&a, Some(&[0]))).starts_with("squeeze: cannot select an axis"));
    Ok(())
}

#[test]
fn broadcast_results_are_read_only() -> Result<()> {
    let a = broadcast_to(&count(3), &[2, 3])?;
    assert_eq!(ints(&a), vec![0, 1, 2, 0, 1, 2]);
    assert!(!a.is_writeable());
    assert!(matches!(broadcast_to(&count(3), &[2]), Err(Error::Broadcast { .. })));
    assert!(broadcast_to(&zeros(&[1], DType::F64)?, &[1 << 40, 1 << 40]).is_err());
    Ok(())
}

#[test]
fn concatenate_joins_values_and_dtypes() -> Result<()> {
    let (a, b) = (count(4).reshape(&[2, 2])?, Array::from_slice(&[0.5f32, 1.5]).reshape(&[1, 2])?);
    let c = concatenate(&[&a, &b], Some(0), None, Casting::SameKind, None)?;
    assert_eq!(c.to_vec::<f64>()?, vec![0.0, 1.0, 2.0, 3.0, 0.5, 1.5]);
    let flat = concatenate(&[&a, &count(2)], None, None, Casting::SameKind, None)?;
    assert_eq!(ints(&flat), vec![0, 1, 2, 3, 0, 1]);
    let columns = concatenate(&[&a.transpose(), &a.transpose()], Some(1), None, Casting::SameKind, None)?;
    assert_eq!(ints(&columns), vec![0, 2, 0, 2, 1, 3, 1, 3]);
    assert!(columns.is_fortran());
    let into_f32 = concatenate(&[&a], Some(0), Some(DType::F32), Casting::Safe, None);
    assert!(matches!(into_f32, Err(Error::Cast { .. })));
    Ok(())
}

#[test]
fn concatenate_into_an_array_that_is_read() -> Result<()> {
    let a = count(4);
    let (low, high) = (a.index(&[slice(0, 2)])?, a.index(&[slice(2, 4)])?);
    concatenate(&[&high, &low], Some(0), None, Casting::SameKind, Some(&a))?;
    assert_eq!(ints(&a), vec![2, 3, 0, 1]);
    Ok(())
}

fn slice(start: i64, stop: i64) -> Index {
    Index::Slice { start: Some(start), stop: Some(stop), step: 1 }
}

#[test]
fn concatenate_errors_name_the_dimension() -> Result<()> {
    let (a, b) = (zeros(&[2, 3], DType::F64)?, zeros(&[2, 4], DType::F64)?);
    let join = |arrays: &[&Array], axis| concatenate(arrays, axis, None, Casting::SameKind, None);
    assert!(message(join(&[&a, &b], Some(0))).contains("along dimension 1, the array at index 0 has size 3"));
    assert!(message(join(&[&a, &count(2)], Some(0))).contains("same number of dimensions"));
    assert_eq!(message(join(&[], Some(0))), "concatenate: need at least one array to concatenate");
    let number = zeros(&[], DType::F64)?;
    assert_eq!(
        message(join(&[&number], Some(0))),
        "concatenate: zero-dimensional arrays cannot be concatenated"
    );
    Ok(())
}

#[test]
fn stack_and_split_are_inverse() -> Result<()> {
    let (a, b) = (count(2), count(2));
    let s = stack(&[&a, &b], -1, None, Casting::SameKind, None)?;
    assert_eq!(ints(&s), vec![0, 0, 1, 1]);
    assert!(message(stack(&[&a, &count(3)], 0, None, Casting::SameKind, None)).contains("same shape"));
    let parts = array_split(&count(7), Sections::Count(3), 0)?;
    assert_eq!(parts.iter().map(ints).collect::<Vec<_>>(), vec![vec![0, 1, 2], vec![3, 4], vec![5, 6]]);
    let at = split(&count(5), Sections::At(&[3, 1, 9]), 0)?;
    assert_eq!(
        at.iter().map(ints).collect::<Vec<_>>(),
        vec![vec![0, 1, 2], vec![], vec![1, 2, 3, 4], vec![]]
    );
    assert_eq!(
        message(split(&count(5), Sections::Count(2), 0)),
        "split: array split does not result in an equal division"
    );
    assert!(split(&count(5), Sections::Count(0), 0).is_err());
    Ok(())
}

#[test]
fn tile_and_repeat() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    assert_eq!(ints(&tile(&a, &[2])?), vec![0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!(tile(&a, &[2, 1, 1])?.shape(), &[2, 2, 2]);
    assert_eq!(tile(&a, &[0])?.shape(), &[2, 0]);
    assert_eq!(ints(&repeat(&a, 2, Some(1))?), vec![0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(ints(&repeat(&a, 2, Some(0))?), vec![0, 1, 0, 1, 2, 3, 2, 3]);
    let counts = Array::from_slice(&[0i64, 3]);
    assert_eq!(ints(&repeat_each(&a, &counts, Some(0))?), vec![2, 3, 2, 3, 2, 3]);
    assert_eq!(repeat_each(&a, &Array::from_slice(&[0i64, 0]), Some(1))?.shape(), &[2, 0]);
    assert!(message(repeat(&a, -1, None)).contains("negative"));
    assert!(message(repeat_each(&a, &Array::from_slice(&[1i64, -1]), Some(0))).contains("negative"));
    assert!(matches!(repeat_each(&a, &count(3), Some(0)), Err(Error::Broadcast { .. })));
    Ok(())
}

#[test]
fn flip_roll_and_turn() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    assert_eq!(ints(&flip(&a, Some(&[0]))?), vec![2, 3, 0, 1]);
    assert_eq!(ints(&roll(&count(5), &[2], None)?), vec![3, 4, 0, 1, 2]);
    assert_eq!(ints(&roll(&count(5), &[-7], None)?), vec![2, 3, 4, 0, 1]);
    let m = count(6).reshape(&[2, 3])?;
    assert_eq!(ints(&roll(&m, &[1, 1], Some(&[0, 1]))?), vec![5, 3, 4, 2, 0, 1]);
    assert_eq!(ints(&roll(&m, &[1], None)?), vec![5, 0, 1, 2, 3, 4]);
    assert_eq!(roll(&count(0), &[1], None)?.size(), 0);
    assert_eq!(ints(&rot90(&a, 2, (0, 1))?), vec![3, 2, 1, 0]);
    assert_eq!(ints(&rot90(&a, -1, (0, 1))?), vec![2, 0, 3, 1]);
    assert!(matches!(rot90(&count(3), 1, (0, 1)), Err(Error::Value { .. })));
    Ok(())
}

#[test]
fn pads_of_every_mode() -> Result<()> {
    let a = Array::from_slice(&[1i64, 2, 3]);
    let run = |widths, mode| pad(&a, &[widths], mode).map(|r| ints(&r));
    let seven = Scalar::new("pad", Number::Int(7), DType::I64)?;
    let constants = [(seven, Scalar::zero(DType::I64))];
    assert_eq!(run((1, 2), PadMode::Constant(&constants))?, vec![7, 1, 2, 3, 0, 0]);
    assert_eq!(run((2, 1), PadMode::Edge)?, vec![1, 1, 1, 2, 3, 3]);
    assert_eq!(run((2, 2), PadMode::Symmetric { odd: false })?, vec![2, 1, 1, 2, 3, 3, 2]);
    assert_eq!(run((5, 5), PadMode::Reflect { odd: false })?, vec![2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2]);
    assert_eq!(run((2, 2), PadMode::Reflect { odd: true })?, vec![-1, 0, 1, 2, 3, 4, 5]);
    assert_eq!(run((4, 4), PadMode::Wrap)?, vec![3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    let ends = [(Number::Int(5), Number::Int(-4))];
    assert_eq!(run((2, 3), PadMode::LinearRamp(&ends))?, vec![5, 3, 1, 2, 3, 0, -2, -4]);
    assert_eq!(run((1, 1), PadMode::Statistic(Statistic::Maximum, None))?, vec![3, 1, 2, 3, 3]);
    assert_eq!(run((1, 1), PadMode::Statistic(Statistic::Mean, None))?, vec![2, 1, 2, 3, 2]);
    assert_eq!(run((1, 1), PadMode::Statistic(Statistic::Minimum, Some(&[(2, 2)])))?, vec![1, 1, 2, 3, 2]);
    assert_eq!(run((1, 1), PadMode::Statistic(Statistic::Median, None))?, vec![2, 1, 2, 3, 2]);
    assert!(
        message(run((1, 1), PadMode::Statistic(Statistic::Maximum, Some(&[(0, 0)])))).contains("stat_length")
    );
    Ok(())
}

#[test]
fn pads_fill_the_corners() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    let edge = pad(&a, &[(1, 0), (0, 1)], PadMode::Edge)?;
    assert_eq!(ints(&edge), vec![0, 1, 1, 0, 1, 1, 2, 3, 3]);
    let constant = pad(
        &a,
        &[(1, 0), (0, 1)],
        PadMode::Constant(&[(Scalar::zero(DType::I64), Scalar::zero(DType::I64)); 2]),
    )?;
    assert_eq!(ints(&constant), vec![0, 0, 0, 0, 1, 0, 2, 3, 0]);
    let wrapped = pad(&a, &[(1, 1), (1, 1)], PadMode::Wrap)?;
    assert_eq!(ints(&wrapped), vec![3, 2, 3, 2, 1, 0, 1, 0, 3, 2, 3, 2, 1, 0, 1, 0]);
    assert!(message(pad(&count(0), &[(1, 1)], PadMode::Edge)).contains("can't extend empty axis 0"));
    Ok(())
}

#[test]
fn median_pads_of_floats() -> Result<()> {
    let a = Array::from_slice(&[4.0, 1.0, 2.0, 2.0]);
    let median = pad(&a, &[(1, 0)], PadMode::Statistic(Statistic::Median, None))?;
    assert_eq!(median.to_vec::<f64>()?[0], 2.0);
    let a = Array::from_slice(&[4.0, 1.0, 3.0, 2.0]);
    let median = pad(&a, &[(0, 1)], PadMode::Statistic(Statistic::Median, None))?;
    assert_eq!(median.to_vec::<f64>()?[4], 2.5);
    let a = Array::from_slice(&[4.0, f64::NAN, 3.0]);
    let median = pad(&a, &[(0, 1)], PadMode::Statistic(Statistic::Median, None))?;
    assert!(median.to_vec::<f64>()?[3].is_nan());
    Ok(())
}

#[test]
fn other_views_of_the_bytes() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    assert_eq!(ints(&diagonal(&a, 1, 0, 1)?), vec![1]);
    assert_eq!(diagonal(&a, 5, 0, 1)?.size(), 0);
    assert!(message(diagonal(&a, 0, 0, 0)).contains("cannot be the same"));
    assert_eq!(view_dtype(&a, DType::I32)?.to_vec::<i32>()?, vec![0, 0, 1, 0, 2, 0, 3, 0]);
    assert_eq!(view_dtype(&a, DType::C128)?.shape(), &[2, 1]);
    assert!(message(view_dtype(&a.transpose(), DType::I32)).contains("last axis must be contiguous"));
    assert!(view_dtype(&count(3), DType::C128).is_err());
    let z = view_dtype(&Array::from_slice(&[1.0, 2.0, 3.0, 4.0]), DType::C128)?;
    assert_eq!(real(&z).to_vec::<f64>()?, vec![1.0, 3.0]);
    assert_eq!(imag(&z)?.to_vec::<f64>()?, vec![2.0, 4.0]);
    assert!(!imag(&a)?.is_writeable());
    Ok(())
}

#[test]
fn repeats_that_overflow_are_refused() {
    let counts = Array::from_slice(&[1i64 << 62, 1 << 62, 1 << 62, (1 << 62) + 4]);
    assert!(matches!(repeat_each(&count(4), &counts, None), Err(Error::Value { .. })));
}
