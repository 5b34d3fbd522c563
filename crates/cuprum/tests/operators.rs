//! The operators and methods of arrays.

use cuprum::prelude::*;
use cuprum::{Result, creation};

fn floats(a: &Array) -> Vec<f64> {
    a.to_vec::<f64>().unwrap()
}

#[test]
fn operators_take_arrays_references_and_numbers() {
    let (a, b) = (Array::from_slice(&[1.0, 2.0]), Array::from_slice(&[3.0, 5.0]));
    assert_eq!(floats(&(&a + &b)), vec![4.0, 7.0]);
    assert_eq!(floats(&(a.clone() * b.clone() - &a)), vec![2.0, 8.0]);
    assert_eq!(floats(&(2.0 / &a)), vec![2.0, 1.0]);
    assert_eq!(floats(&(&b % 2)), vec![1.0, 1.0]);
    assert_eq!(floats(&-&a), vec![-1.0, -2.0]);
    let bits = Array::from_slice(&[5i64, 3]);
    assert_eq!((&bits & 6i64).to_vec::<i64>().unwrap(), vec![4, 2]);
    assert_eq!((&bits << 1).to_vec::<i64>().unwrap(), vec![10, 6]);
    assert_eq!((!&bits).to_vec::<i64>().unwrap(), vec![-6, -4]);
}

#[test]
fn operators_in_place_keep_the_dtype_and_reach_views() {
    let mut a = Array::from_slice(&[1.0f32, 2.0]);
    a += 1;
    a *= 2.0;
    assert_eq!(a.to_vec::<f32>().unwrap(), vec![4.0, 6.0]);
    let base = Array::from_slice(&[1.0, 2.0, 3.0]);
    let mut tail = base.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }]).unwrap();
    tail -= 1.0;
    assert_eq!(floats(&base), vec![1.0, 1.0, 2.0]);
}

#[test]
#[should_panic(expected = "add: operands could not be broadcast together")]
fn operators_panic_with_the_error() {
    let _ = Array::from_slice(&[1.0, 2.0]) + Array::from_slice(&[1.0, 2.0, 3.0]);
}

#[test]
fn methods_give_results() -> Result<()> {
    let a = Array::from_slice(&[9.0, 16.0]);
    assert_eq!(floats(&a.sqrt()?), vec![3.0, 4.0]);
    assert_eq!(floats(&a.maximum(10.0)?), vec![10.0, 16.0]);
    assert!(a.maximum(&Array::from_slice(&[1.0, 2.0, 3.0])).is_err());
    let m = creation::arange(Number::Int(0), Number::Int(6), Number::Int(1), None)?.reshape(&[2, 3])?;
    assert_eq!(m.sum_axis(0)?.to_vec::<i64>()?, vec![3, 5, 7]);
    assert_eq!(m.mean()?.item::<f64>()?, 2.5);
    assert_eq!(m.argmax()?.item::<i64>()?, 5);
    assert_eq!(m.transpose().argmax_axis(0)?.to_vec::<i64>()?, vec![2, 2]);
    assert_eq!(m.matmul(&m.transpose())?.to_vec::<i64>()?, vec![5, 14, 14, 50]);
    Ok(())
}
