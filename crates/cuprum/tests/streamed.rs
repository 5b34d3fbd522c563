//! Results too large for the caches are written past them, piece by piece: they equal what small arrays give, which are
//! written through.

use cuprum::prelude::*;

/// Elements of a small array.
const PART: usize = 10_007;

fn numbers(n: usize, seed: f64, dtype: DType) -> Array {
    let values: Vec<f64> =
        (0..n).map(|i| ((i as f64 + seed) * 0.618_033_988_7).fract() * 8.0 - 4.0).collect();
    Array::from_slice(&values).astype(dtype).expect("numbers convert")
}

fn part(a: &Array, from: usize, to: usize) -> Array {
    let slice = Index::Slice { start: Some(from as i64), stop: Some(to as i64), step: 1 };
    a.index(&[slice]).expect("a part lies in the array")
}

fn check(n: usize, skip: usize, dtype: DType, run: impl Fn(&Array, &Array) -> cuprum::Result<Array>) {
    let (a, b) = (numbers(n + skip, 0.25, dtype), numbers(n, 0.75, dtype));
    // A view that does not begin at a cache line.
    let a = part(&a, skip, n + skip);
    let whole = run(&a, &b).and_then(|r| r.to_bytes()).expect("the whole is computed");
    let mut parts = Vec::with_capacity(whole.len());
    for from in (0..n).step_by(PART) {
        let to = n.min(from + PART);
        let result = run(&part(&a, from, to), &part(&b, from, to)).and_then(|r| r.to_bytes());
        parts.extend(result.expect("a part is computed"));
    }
    assert!(whole == parts, "{n} elements of {dtype} after {skip}");
}

#[test]
fn large_results_are_those_of_their_parts() {
    for (n, skip) in [(4_300_001, 0), (4_250_000, 3)] {
        for dtype in [DType::F32, DType::F64] {
            check(n, skip, dtype, |a, b| Ok(a + b));
            check(n, skip, dtype, |a, b| (a.square()? + b.square()?).sqrt());
            check(n, skip, dtype, |a, b| Ok(a.square()? + 2.0 * b));
            check(n, skip, dtype, |a, _| Ok(a.tanh()? * 2.0 + 1.0));
            check(n, skip, dtype, |a, b| Ok(a.sin()? * b.cos()? / (a + 5.0)));
        }
        check(n, skip, DType::F64, |a, _| a.astype(DType::I32));
        check(n, skip, DType::F32, |a, _| a.astype(DType::F64));
    }
}
