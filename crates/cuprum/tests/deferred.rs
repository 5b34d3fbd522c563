//! The routines on arrays large enough to be pending: work that is recorded gives what running at once gives.

use cuprum::creation::*;
use cuprum::indexing::*;
use cuprum::manipulation::*;
use cuprum::prelude::*;
use cuprum::products::*;
use cuprum::scan::*;
use cuprum::{Result, creation};

const N: usize = 50_000;

/// 0, 1, 2, ... as a result that is still to be computed.
fn pending() -> Array {
    let a = arange(Number::Int(0), Number::Int(N as i128), Number::Int(1), None).unwrap();
    (&a + 1) - 1
}

fn expected(f: impl Fn(i64) -> i64) -> Vec<i64> {
    (0..N as i64).map(f).collect()
}

fn ints(a: &Array) -> Vec<i64> {
    a.to_vec::<i64>().unwrap()
}

#[test]
fn creation_fuses_with_what_follows() -> Result<()> {
    assert_eq!(ints(&(pending() * 3)), expected(|i| 3 * i));
    let n = 300;
    let m = &tril(&creation::ones(&[n, n], DType::I64)?, 0)? + &eye(n, n, 0, DType::I64)?;
    assert_eq!(m.sum()?.item::<i64>()?, (n * (n + 1) / 2 + n) as i64);
    let line = linspace(0.0.into(), 1.0.into(), N as i64, true, None)?;
    assert_eq!(line.to_vec::<f64>()?[N - 1], 1.0);
    Ok(())
}

#[test]
fn pieces_that_are_pending_join() -> Result<()> {
    let (a, b) = (pending(), pending() + 7);
    let joined = concatenate(&[&a, &b], Some(0), None, Casting::SameKind, None)?;
    let mut values = expected(|i| i);
    values.extend(expected(|i| i + 7));
    assert_eq!(ints(&joined), values);
    let rows = stack(&[&a, &b], 0, None, Casting::SameKind, None)?;
    assert_eq!(ints(&rows.index(&[Index::Int(1)])?), expected(|i| i + 7));
    Ok(())
}

#[test]
fn rearranging_what_is_pending() -> Result<()> {
    let n = N as i64;
    assert_eq!(ints(&roll(&pending(), &[3], None)?), expected(|i| (i - 3).rem_euclid(n)));
    assert_eq!(ints(&flip(&pending(), None)?), expected(|i| n - 1 - i));
    let square = pending().reshape(&[200, 250])?;
    assert_eq!(ints(&square.transpose().reshape(&[-1])?), expected(|i| (i % 200) * 250 + i / 200));
    let padded = pad(&pending(), &[(2, 2)], PadMode::Reflect { odd: false })?;
    assert_eq!(ints(&padded)[..3], [2, 1, 0]);
    let doubled = repeat(&pending(), 2, None)?;
    assert_eq!(ints(&doubled)[..5], [0, 0, 1, 1, 2]);
    Ok(())
}

#[test]
fn selecting_from_what_is_pending() -> Result<()> {
    let a = pending();
    let even = (&a % 2).equal(0)?;
    let kept = get(&a, &[Item::Mask(&even)])?;
    assert_eq!(ints(&kept), (0..N as i64).step_by(2).collect::<Vec<_>>());
    let backwards = (N as i64 - 1) - &a;
    assert_eq!(ints(&take(&a, &backwards, None, TakeMode::Raise, None)?), expected(|i| N as i64 - 1 - i));
    set(&a, &[Item::Mask(&even)], Arg::from(-1))?;
    assert_eq!(ints(&a), expected(|i| if i % 2 == 0 { -1 } else { i }));
    Ok(())
}

#[test]
fn a_view_sees_the_store_into_its_base() -> Result<()> {
    let a = pending();
    let tail = a.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }])?;
    let later = &tail + 0;
    set(&a, &[Item::Array(&Array::from_slice(&[1i64, -1]))], Arg::from(0))?;
    assert_eq!(ints(&tail)[0], 0);
    assert_eq!(ints(&later)[0], 1, "what was recorded before the store keeps the old value");
    Ok(())
}

#[test]
fn scans_and_products_of_what_is_pending() -> Result<()> {
    let sums = cumsum(&pending(), None, None, None)?;
    assert_eq!(ints(&sums), expected(|i| i * (i + 1) / 2));
    assert_eq!(ints(&diff(&sums, 1, -1, None, None)?), expected(|i| i)[1..]);
    let ones = creation::ones(&[N], DType::F64)?;
    assert_eq!(dot(&(pending() * 1.0), &ones, None)?.item::<f64>()?, (N * (N - 1) / 2) as f64);
    let m = (pending() * 1.0).reshape(&[200, 250])?;
    assert_eq!(einsum("ij->", &[&m], None, None)?.item::<f64>()?, (N * (N - 1) / 2) as f64);
    Ok(())
}

#[test]
fn the_median_of_a_window_needs_no_sort() -> Result<()> {
    let a = ((pending() * 7919) % 401).index(&[Index::Slice { start: None, stop: Some(401), step: 1 }])?;
    let padded = pad(&a, &[(0, 1)], PadMode::Statistic(Statistic::Median, None))?;
    assert_eq!(ints(&padded)[401], 200);
    Ok(())
}

/// The tests above once more with nothing recorded; the switch is the process's, and changes no other test's results.
#[test]
fn running_at_once_changes_nothing() -> Result<()> {
    let all = [
        creation_fuses_with_what_follows,
        pieces_that_are_pending_join,
        rearranging_what_is_pending,
        selecting_from_what_is_pending,
        a_view_sees_the_store_into_its_base,
        scans_and_products_of_what_is_pending,
        the_median_of_a_window_needs_no_sort,
    ];
    cuprum_graph::set_defer(false);
    let result = all.iter().try_for_each(|test| test());
    cuprum_graph::set_defer(true);
    result
}
