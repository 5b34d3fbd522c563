//! Slices that are split, on several threads, against the standard library's stable sort.

use std::cmp::Ordering;
use std::fmt::Debug;

use num_complex::Complex;

use super::*;
use crate::{argpartition, argsort, argsort_work, partition, sort, sort_work};

/// Lengths about that from which on slices are split, and of several chunks.
const LENGTHS: [usize; 3] = [SPLIT_MIN - 1, SPLIT_MIN, 3 * SPLIT_MIN + 77];

/// Numbers with few distinct values, many, and in order.
fn draws(n: usize, kind: usize) -> impl Iterator<Item = u64> {
    let mut state = 88_172_645_463_325_252_u64;
    (0..n).map(move |i| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match kind {
            0 => state,
            1 => state % 7,
            _ => i as u64,
        }
    })
}

fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| !cfg!(miri) || *level == SimdLevel::Portable)
}

fn check<T: SortElement + Debug>(
    make: impl Fn(u64) -> T,
    order: impl Fn(&T, &T) -> Ordering,
    bits: impl Fn(&T) -> [u64; 2],
) {
    let lengths = if cfg!(miri) { &LENGTHS[1..2] } else { &LENGTHS[..] };
    for (&n, kind) in
        lengths.iter().flat_map(|n| (0..if cfg!(miri) { 1 } else { 3 }).map(move |kind| (n, kind)))
    {
        let source: Vec<T> = draws(n, kind).map(&make).collect();
        let mut want: Vec<i64> = (0..n as i64).collect();
        want.sort_by(|a, b| order(&source[*a as usize], &source[*b as usize]));
        let sorted: Vec<[u64; 2]> = want.iter().map(|at| bits(&source[*at as usize])).collect();
        let bytes = sort_work::<T>(n).max(argsort_work::<T>(n));
        let mut work = vec![MaybeUninit::uninit(); bytes.div_ceil(8)];
        for level in levels() {
            let mut positions = vec![0; n];
            argsort(&source, &mut positions, &mut work, level).unwrap();
            assert_eq!(positions, want, "argsort of {n}, kind {kind}, {level:?}");
            let mut out = source.clone();
            sort(&source, &mut out, &mut work, level).unwrap();
            assert_eq!(
                out.iter().map(&bits).collect::<Vec<_>>(),
                sorted,
                "sort of {n}, kind {kind}, {level:?}"
            );
            let wanted = [0, n / 3, n - 1];
            partition(&source, &mut out, &wanted, &mut work, level).unwrap();
            argpartition(&source, &mut positions, &wanted, &mut work, level).unwrap();
            for at in wanted {
                let there = &source[want[at] as usize];
                assert_eq!(
                    order(&out[at], there),
                    Ordering::Equal,
                    "partition of {n}, kind {kind}, {level:?}"
                );
                let placed = &source[positions[at] as usize];
                assert_eq!(
                    order(placed, there),
                    Ordering::Equal,
                    "argpartition of {n}, kind {kind}, {level:?}"
                );
            }
        }
    }
}

fn of_floats(a: f64, b: f64) -> Ordering {
    a.is_nan().cmp(&b.is_nan()).then(a.partial_cmp(&b).unwrap_or(Ordering::Equal))
}

/// A number of few or many values, zeros of both signs and NaN among them.
fn float(x: u64) -> f64 {
    match x % 7 {
        0 => -0.0,
        1 => 0.0,
        2 => f64::NAN,
        _ => (x as i64 >> 20) as f64 / 8.0,
    }
}

#[test]
fn integers_are_split_and_sorted() {
    check(|x| x as u32, u32::cmp, |x| [u64::from(*x), 0]);
    if !cfg!(miri) {
        check(|x| x as i64, i64::cmp, |x| [*x as u64, 0]);
    }
}

#[test]
fn small_integers_are_counted() {
    check(|x| x as u8, u8::cmp, |x| [u64::from(*x), 0]);
}

#[test]
fn floats_are_split_and_sorted() {
    check(float, |a, b| of_floats(*a, *b), |x| [x.to_bits(), 0]);
    if cfg!(miri) {
        return;
    }
    check(
        |x| float(x) as f32,
        |a, b| of_floats(f64::from(*a), f64::from(*b)),
        |x| [u64::from(x.to_bits()), 0],
    );
}

#[test]
fn complex_numbers_are_split_and_sorted() {
    // Parts that are NaN come last, by classes of their own: here are none.
    let part = |x: u64| if x % 7 == 2 { 2.5 } else { float(x) };
    check(
        |x| Complex::new(part(x), part(x.rotate_left(23))),
        |a, b| of_floats(a.re, b.re).then(of_floats(a.im, b.im)),
        |x| [x.re.to_bits(), x.im.to_bits()],
    );
}
