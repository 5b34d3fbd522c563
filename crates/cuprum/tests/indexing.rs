//! Advanced indexing: NumPy's rules for masks, broadcasting, the place of the result's axes, and errors.

use cuprum::creation::{arange, zeros};
use cuprum::indexing::*;
use cuprum::prelude::*;
use cuprum::{Error, Result};

fn count(n: i64) -> Array {
    arange(Number::Int(0), Number::Int(n as i128), Number::Int(1), None).unwrap()
}

fn cube() -> Array {
    count(24).reshape(&[2, 3, 4]).unwrap()
}

fn places(values: &[i64]) -> Array {
    Array::from_slice(values)
}

fn ints(a: &Array) -> Vec<i64> {
    a.to_vec::<i64>().unwrap()
}

fn message<T>(result: Result<T>) -> String {
    result.err().expect("an error").to_string()
}

const ALL: Item<'static> = Item::Basic(Index::ALL);
const ELLIPSIS: Item<'static> = Item::Basic(Index::Ellipsis);
const NEW: Item<'static> = Item::Basic(Index::NewAxis);

#[test]
fn adjacent_arrays_stay_in_place_and_separated_ones_come_first() -> Result<()> {
    let (a, p) = (cube(), places(&[0, 1]));
    let q = Item::Array(&p);
    assert_eq!(get(&a, &[ALL, q, q])?.shape(), &[2, 2]);
    assert_eq!(get(&a, &[q, ALL, q])?.shape(), &[2, 3]);
    assert_eq!(get(&a, &[ALL, q])?.shape(), &[2, 2, 4]);
    assert_eq!(get(&a, &[ALL, q, NEW, q])?.shape(), &[2, 2, 1]);
    assert_eq!(get(&a, &[Item::Basic(Index::Int(0)), ALL, q])?.shape(), &[2, 3]);
    assert_eq!(get(&a, &[NEW, Item::Basic(Index::Int(0)), q])?.shape(), &[1, 2, 4]);
    assert_eq!(get(&a, &[ELLIPSIS, q])?.shape(), &[2, 3, 2]);
    assert_eq!(get(&a, &[q, ELLIPSIS, q])?.shape(), &[2, 3]);
    let grid = p.reshape(&[2, 1])?;
    assert_eq!(get(&a, &[ALL, Item::Array(&grid), q])?.shape(), &[2, 2, 2]);
    Ok(())
}

#[test]
fn gathered_values_are_the_right_ones() -> Result<()> {
    let a = cube();
    let (p, q) = (places(&[2, 0]), places(&[-1, 1]));
    assert_eq!(ints(&get(&a, &[ALL, Item::Array(&p), Item::Array(&q)])?), vec![11, 1, 23, 13]);
    assert_eq!(
        ints(&get(&a, &[Item::Array(&places(&[1])), ALL, Item::Array(&q)])?),
        vec![15, 19, 23, 13, 17, 21]
    );
    assert_eq!(
        ints(&get(&a, &[Item::Basic(Index::Int(-1)), Item::Array(&p)])?),
        vec![20, 21, 22, 23, 12, 13, 14, 15]
    );
    let step = Item::Basic(Index::Slice { start: None, stop: None, step: -2 });
    assert_eq!(ints(&get(&a, &[Item::Basic(Index::Int(0)), Item::Array(&p), step])?), vec![11, 9, 3, 1]);
    let small = places(&[1]).astype(DType::U8)?;
    assert_eq!(ints(&get(&a, &[Item::Array(&small), Item::Array(&small), ALL])?), vec![16, 17, 18, 19]);
    Ok(())
}

#[test]
fn masks_select() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let odd = a.binary(Op::Remainder, 2)?.binary(Op::Equal, 1)?;
    assert_eq!(ints(&get(&a, &[Item::Mask(&odd)])?), vec![1, 3, 5]);
    let rows = Array::from_slice(&[false, true]);
    assert_eq!(ints(&get(&a, &[Item::Mask(&rows)])?), vec![3, 4, 5]);
    let columns = Array::from_slice(&[true, false, true]);
    assert_eq!(ints(&get(&a, &[ALL, Item::Mask(&columns)])?), vec![0, 2, 3, 5]);
    assert_eq!(ints(&get(&a, &[Item::Mask(&rows), Item::Mask(&columns)])?), vec![3, 5]);
    assert_eq!(ints(&get(&a.transpose(), &[Item::Mask(&odd.transpose())])?), vec![3, 1, 5]);
    let none = zeros(&[2, 3], DType::Bool)?;
    assert_eq!(get(&a, &[Item::Mask(&none)])?.shape(), &[0]);
    Ok(())
}

#[test]
fn masks_of_no_dimensions_add_an_axis() -> Result<()> {
    let a = count(3);
    let (yes, no) = (zeros(&[], DType::Bool)?.logical_not()?, zeros(&[], DType::Bool)?);
    assert_eq!(get(&a, &[Item::Mask(&yes)])?.shape(), &[1, 3]);
    assert_eq!(get(&a, &[Item::Mask(&no)])?.shape(), &[0, 3]);
    set(&a, &[Item::Mask(&no)], Arg::from(9))?;
    assert_eq!(ints(&a), vec![0, 1, 2]);
    set(&a, &[Item::Mask(&yes)], Arg::from(9))?;
    assert_eq!(ints(&a), vec![9, 9, 9]);
    Ok(())
}

#[test]
fn index_errors_are_numpys() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let bad = places(&[0, 7]);
    assert_eq!(
        message(get(&a, &[ALL, Item::Array(&bad)])),
        "index: index 7 is out of bounds for axis 1 with size 3"
    );
    assert_eq!(
        message(get(&a, &[Item::Array(&places(&[-3]))])),
        "index: index -3 is out of bounds for axis 0 with size 2"
    );
    let short = Array::from_slice(&[true; 3]);
    assert_eq!(
        message(get(&a, &[Item::Mask(&short)])),
        "index: boolean index did not match indexed array along axis 0; size of axis is 2 but size of corresponding \
         boolean axis is 3"
    );
    let (two, three) = (places(&[0, 1]), places(&[0, 1, 1]));
    assert!(message(get(&a, &[Item::Array(&two), Item::Array(&three)])).contains("(2,) (3,)"));
    let float = Array::from_slice(&[1.0]);
    assert!(matches!(get(&a, &[Item::Array(&float)]), Err(Error::BadIndex { .. })));
    assert!(matches!(get(&a, &[Item::Array(&two), ALL, ALL]), Err(Error::BadIndex { .. })));
    assert!(message(get(&a, &[ELLIPSIS, ELLIPSIS, Item::Array(&two)])).contains("single ellipsis"));
    Ok(())
}

#[test]
fn empty_indices_give_empty_results() -> Result<()> {
    let a = cube();
    let none = zeros(&[0], DType::I64)?;
    assert_eq!(get(&a, &[Item::Array(&none)])?.shape(), &[0, 3, 4]);
    set(&a, &[Item::Array(&none)], Arg::from(5))?;
    assert_eq!(ints(&a), (0..24).collect::<Vec<i64>>());
    Ok(())
}

#[test]
fn assignment_broadcasts_and_the_last_write_stays() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let twice = places(&[1, 1]);
    set(&a, &[Item::Basic(Index::Int(0)), Item::Array(&twice)], Arg::Array(&places(&[8, 9])))?;
    assert_eq!(ints(&a), vec![0, 9, 2, 3, 4, 5]);
    set(&a, &[ALL, Item::Array(&places(&[0, 2]))], Arg::Array(&places(&[7, 6])))?;
    assert_eq!(ints(&a), vec![7, 9, 6, 7, 4, 6]);
    let error = message(set(&a, &[Item::Array(&places(&[0, 1]))], Arg::Array(&places(&[1, 2]))));
    assert_eq!(
        error,
        "index: shape mismatch: value array of shape (2,) could not be broadcast to indexing result of shape (2, 3)"
    );
    Ok(())
}

#[test]
fn assignment_reads_an_overlapping_value_first() -> Result<()> {
    let a = count(4);
    let reversed = a.index(&[Index::Slice { start: None, stop: None, step: -1 }])?;
    set(&a, &[Item::Array(&places(&[0, 1, 2, 3]))], Arg::Array(&reversed))?;
    assert_eq!(ints(&a), vec![3, 2, 1, 0]);
    Ok(())
}

#[test]
fn masked_assignment() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let big = a.greater(3)?;
    set(&a, &[Item::Mask(&big)], Arg::from(0))?;
    assert_eq!(ints(&a), vec![0, 1, 2, 3, 0, 0]);
    set(&a, &[Item::Mask(&big)], Arg::Array(&places(&[7, 8])))?;
    assert_eq!(ints(&a), vec![0, 1, 2, 3, 7, 8]);
    let rows = Array::from_slice(&[true, false]);
    set(&a, &[Item::Mask(&rows)], Arg::Array(&places(&[4, 5, 6])))?;
    assert_eq!(ints(&a), vec![4, 5, 6, 3, 7, 8]);
    let error = message(set(&a, &[Item::Mask(&big)], Arg::Array(&places(&[1, 2, 3]))));
    assert!(error.contains("cannot assign 3 input values to the 2 output values"), "{error}");
    Ok(())
}

#[test]
fn a_pending_reader_keeps_the_old_values() -> Result<()> {
    let a = zeros(&[100_000], DType::F64)?;
    a.force()?;
    let later = &a + 1.0;
    set(&a, &[Item::Array(&places(&[0]))], Arg::from(5.0))?;
    assert_eq!(later.to_vec::<f64>()?[0], 1.0);
    assert_eq!(a.to_vec::<f64>()?[0], 5.0);
    Ok(())
}

#[test]
fn read_only_targets_are_refused() -> Result<()> {
    let a = count(3).with_writeable(false);
    assert!(matches!(set(&a, &[Item::Array(&places(&[0]))], Arg::from(1)), Err(Error::Value { .. })));
    assert!(put(&a, &places(&[0]), Arg::from(1), TakeMode::Raise).is_err());
    Ok(())
}

#[test]
fn take_in_every_mode() -> Result<()> {
    let a = count(6).reshape(&[2, 3])?;
    let p = places(&[4, -1]);
    assert_eq!(ints(&take(&a, &p, Some(1), TakeMode::Wrap, None)?), vec![1, 2, 4, 5]);
    assert_eq!(ints(&take(&a, &p, Some(1), TakeMode::Clip, None)?), vec![2, 0, 5, 3]);
    assert_eq!(ints(&take(&a, &p, None, TakeMode::Raise, None)?), vec![4, 5]);
    assert_eq!(
        message(take(&a, &p, Some(1), TakeMode::Raise, None)),
        "take: index 4 is out of bounds for axis 1 with size 3"
    );
    let grid = places(&[0, 1, 1, 0]).reshape(&[2, 2])?;
    let r = take(&a, &grid, Some(1), TakeMode::Raise, None)?;
    assert_eq!((r.shape(), ints(&r)), (&[2, 2, 2][..], vec![0, 1, 1, 0, 3, 4, 4, 3]));
    let out = zeros(&[2], DType::F64)?;
    take(&a, &p, None, TakeMode::Raise, Some(&out))?;
    assert_eq!(out.to_vec::<f64>()?, vec![4.0, 5.0]);
    assert!(matches!(
        take(&zeros(&[0], DType::F64)?, &p, None, TakeMode::Raise, None),
        Err(Error::BadIndex { .. })
    ));
    Ok(())
}

#[test]
fn put_repeats_values_and_sees_strides() -> Result<()> {
    let a = count(4).reshape(&[2, 2])?;
    put(&a.transpose(), &places(&[1, -1, 0]), Arg::Array(&places(&[7, 8])), TakeMode::Raise)?;
    // In the transpose's order the elements are 0, 2, 1, 3.
    assert_eq!(ints(&a), vec![7, 1, 7, 8]);
    assert_eq!(
        message(put(&a, &places(&[4]), Arg::from(1), TakeMode::Raise)),
        "put: index 4 is out of bounds for axis 0 with size 4"
    );
    Ok(())
}

#[test]
fn along_an_axis() -> Result<()> {
    let a = Array::from_slice(&[3i64, 1, 2, 6, 5, 4]).reshape(&[2, 3])?;
    let order = places(&[1, 2, 0, 2, 1, 0]).reshape(&[2, 3])?;
    assert_eq!(ints(&take_along_axis(&a, &order, Some(1))?), vec![1, 2, 3, 4, 5, 6]);
    put_along_axis(&a, &places(&[0, 0]).reshape(&[2, 1])?, Arg::from(9), Some(-1))?;
    assert_eq!(ints(&a), vec![9, 1, 2, 9, 5, 4]);
    assert!(take_along_axis(&a, &places(&[0]), Some(1)).is_err());
    assert!(
        message(take_along_axis(&a, &places(&[3, 0]).reshape(&[2, 1])?, Some(1)))
            .starts_with("take_along_axis: index 3")
    );
    Ok(())
}

#[test]
fn positions_and_conditions() -> Result<()> {
    let a = Array::from_slice(&[0.0, 1.5, f64::NAN, 0.0]).reshape(&[2, 2])?;
    let found = nonzero(&a)?;
    assert_eq!((ints(&found[0]), ints(&found[1])), (vec![0, 1], vec![1, 0]));
    assert!(nonzero(&zeros(&[], DType::F64)?).is_err());
    let b = count(6).reshape(&[2, 3])?;
    let kept = compress(&Array::from_slice(&[false, true]), &b, Some(1), None)?;
    assert_eq!(ints(&kept), vec![1, 4]);
    assert_eq!(ints(&extract(&b.greater(3)?, &b)?), vec![4, 5]);
    Ok(())
}

#[test]
fn place_and_putmask_repeat_values() -> Result<()> {
    let a = count(5);
    place(&a, &a.greater(0)?, &places(&[7, 8]))?;
    assert_eq!(ints(&a), vec![0, 7, 8, 7, 8]);
    let b = count(5);
    putmask(&b, &b.greater(0)?, &places(&[7, 8]))?;
    assert_eq!(ints(&b), vec![0, 8, 7, 8, 7]);
    assert!(message(place(&a, &a.greater(0)?, &places(&[]))).starts_with("place: "));
    assert!(place(&a, &count(4), &places(&[1])).is_err());
    Ok(())
}

#[test]
fn at_changes_an_element_as_often_as_it_is_selected() -> Result<()> {
    let a = Array::from_slice(&[1.0f64, 2.0, 3.0]);
    let twice = places(&[0, 0, 2]);
    scatter_at(Op::Multiply, &a, &[Item::Array(&twice)], Some(Arg::from(2.0)))?;
    assert_eq!(a.to_vec::<f64>()?, vec![4.0, 2.0, 6.0]);
    scatter_at(Op::Negative, &a, &[Item::Array(&twice)], None)?;
    assert_eq!(a.to_vec::<f64>()?, vec![4.0, 2.0, -6.0]);
    let m = zeros(&[2, 2], DType::I64)?;
    scatter_at(Op::Add, &m, &[ALL, Item::Array(&places(&[1, 1]))], Some(Arg::Array(&places(&[1, 10]))))?;
    assert_eq!(ints(&m), vec![0, 11, 0, 11]);
    // As in NumPy, each step converts to the op's dtype and back: 11 + 1.5 is 12.5, stored as 12.
    scatter_at(Op::Add, &m, &[Item::Array(&places(&[0]))], Some(Arg::from(1.5)))?;
    assert_eq!(ints(&m), vec![1, 12, 0, 11]);
    Ok(())
}
