//! Sorts and searches on a GPU against sorts by comparison on the host.

use std::cmp::Ordering;

use cuprum_core::DType;
use cuprum_graph::{Call, Side, SortCall};

use super::{SortResult, SortRows, rows_text, search, short_text, sweep};
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, transposed, upload};

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for dtype in DType::ALL {
        for what in [SortResult::Elements, SortResult::Positions] {
            let name = format!("{dtype:?}, positions: {}", what == SortResult::Positions);
            compiles(&name, &short_text(dtype, what));
            compiles(&name, &rows_text(dtype, what, if dtype.size() == 16 { 8 } else { 16 }));
            compiles(&name, &sweep::SweepVariant::new(dtype, what, false).text());
        }
        compiles(&format!("search {dtype:?}"), &search::text(dtype, Side::Left, true));
    }
    compiles("long", &sweep::SweepVariant::new(DType::F32, SortResult::Positions, true).text());
}

/// An element's bytes as numbers that order as it does: what decides first, and what decides then.
pub(super) fn rank(dtype: DType, bytes: &[u8]) -> (i128, i128) {
    let word = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(wide)
    };
    let float = |bytes: &[u8]| -> (bool, i128) {
        let value = if bytes.len() == 4 {
            f64::from(f32::from_bits(word(bytes) as u32))
        } else {
            f64::from_bits(word(bytes))
        };
        if value.is_nan() {
            return (true, i128::MAX);
        }
        let bits = (value + 0.0).to_bits() as i64;
        (false, i128::from(if bits < 0 { i64::MIN - bits } else { bits }))
    };
    let half = |mantissa: u32| {
        let bits = word(bytes) as i64;
        let magnitude = i128::from(bits & 0x7fff);
        let infinity = ((0x7fff >> mantissa) << mantissa) as i128;
        if magnitude > infinity {
            i128::MAX
        } else if bits & 0x8000 != 0 {
            -magnitude
        } else {
            magnitude
        }
    };
    match dtype {
        DType::Bool | DType::U8 | DType::U16 | DType::U32 | DType::U64 => (word(bytes).into(), 0),
        DType::I8 => (i128::from(word(bytes) as i8), 0),
        DType::I16 => (i128::from(word(bytes) as i16), 0),
        DType::I32 => (i128::from(word(bytes) as i32), 0),
        DType::I64 => (i128::from(word(bytes) as i64), 0),
        DType::F16 => (half(10), 0),
        DType::BF16 => (half(7), 0),
        DType::F32 | DType::F64 => (float(bytes).1, 0),
        DType::C64 | DType::C128 => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            match (float(re), float(im)) {
                ((false, a), (false, b)) => (a, b),
                ((false, a), (true, _)) => (i128::MAX - 1, a),
                ((true, _), (_, b)) => (i128::MAX, b),
            }
        }
    }
}

/// Bytes of elements: random ones of which some are equal, with zeros of both signs and NaNs among floats.
pub(super) fn elements(dtype: DType, n: usize, seed: u64, few: bool) -> Vec<u8> {
    let mut numbers = Numbers(seed);
    let size = dtype.size();
    let parts = if dtype.is_complex() { 2 } else { 1 };
    let specials: &[f64] = &[0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.5];
    let mut bytes = Vec::with_capacity(n * size);
    for _ in 0..n * parts {
        let x = numbers.next();
        let is_special = few || x.is_multiple_of(7);
        let special = specials[(x >> 8) as usize % specials.len()];
        match (dtype, size / parts) {
            (DType::Bool, _) => bytes.push((x & 1) as u8),
            (DType::F64 | DType::C128, _) => {
                let value = if is_special { special } else { f64::from_bits(numbers.next()) };
                bytes.extend(value.to_le_bytes());
            }
            (DType::F32 | DType::C64, _) => {
                let value = if is_special { special as f32 } else { f32::from_bits(numbers.next() as u32) };
                bytes.extend(value.to_le_bytes());
            }
            (_, width) => {
                let value = if is_special { (x >> 8) % 5 } else { numbers.next() };
                bytes.extend(&value.to_le_bytes()[..width]);
            }
        }
    }
    bytes
}

pub(super) fn sorted_positions(dtype: DType, row: &[u8]) -> Vec<usize> {
    let size = dtype.size();
    let ranks: Vec<_> = row.chunks_exact(size).map(|e| rank(dtype, e)).collect();
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|&i| ranks[i]);
    order
}

fn check(dtype: DType, rows: usize, n: usize, few: bool) {
    let Some(gpu) = gpu() else { return };
    let size = dtype.size();
    let host = elements(dtype, rows * n, n as u64, few);
    let input = upload(gpu, &host, &[rows, n], dtype);
    let (out, order) = (empty(gpu, &[rows, n], dtype), empty(gpu, &[rows, n], DType::I64));
    call(gpu, &Call::Sort(SortCall::Sort { input: &input, out: &out, axis: 1 })).unwrap();
    call(gpu, &Call::Sort(SortCall::ArgSort { input: &input, out: &order, axis: 1 })).unwrap();
    let (got, positions) = (download::<u8>(gpu, &out), download::<i64>(gpu, &order));
    assert_eq!(download::<u8>(gpu, &input), host, "the input stays as it is");
    for row in 0..rows {
        let line = &host[row * n * size..(row + 1) * n * size];
        let want = sorted_positions(dtype, line);
        let at = |i: usize| &line[i * size..(i + 1) * size];
        for (i, &place) in want.iter().enumerate() {
            let label = || format!("{dtype:?} {rows}x{n} row {row}: element {i}");
            assert_eq!(positions[row * n + i], place as i64, "{}", label());
            assert_eq!(&got[(row * n + i) * size..][..size], at(place), "{}", label());
        }
    }
    call(gpu, &Call::Sort(SortCall::Sort { input: &input, out: &input, axis: 1 })).unwrap();
    assert_eq!(download::<u8>(gpu, &input), got, "{dtype:?} {rows}x{n} in place");
}

#[test]
fn short_rows_are_sorted() {
    for dtype in DType::ALL {
        for n in [1, 2, 3, 31, 32, 33, 127, 128] {
            check(dtype, 7, n, n % 2 == 0);
        }
    }
}

#[test]
fn rows_in_shared_memory_are_sorted() {
    for dtype in DType::ALL {
        for n in [129, 512, 513, 1000, 2048] {
            check(dtype, 2, n, n == 1000);
        }
    }
    check(DType::F32, 1, 4096, false);
    check(DType::I64, 1, 4095, false);
}

#[test]
fn long_rows_are_sorted() {
    for dtype in DType::ALL {
        check(dtype, 1, 4097, false);
    }
    for (dtype, rows, n) in [
        (DType::F32, 1, 8191),
        (DType::F32, 1, 8192),
        (DType::F32, 3, 20_001),
        (DType::I16, 2, 16_385),
        (DType::U8, 2, 30_000),
        (DType::I64, 2, 9_000),
        (DType::C64, 1, 9_000),
    ] {
        check(dtype, rows, n, false);
        check(dtype, rows, n, true);
    }
}

#[test]
fn counts_of_64_bits_sort_the_same() {
    let Some(gpu) = gpu() else { return };
    let (rows, length, dtype) = (2, 9000, DType::F32);
    let host = elements(dtype, rows * length, 8, false);
    let input = upload(gpu, &host, &[rows, length], dtype);
    let session = gpu.session().unwrap();
    let sorted = |what, out: &cuprum_graph::Slot, is_long| {
        let rows = SortRows { input: &input, out, rows, length, what };
        sweep::sort_by(&session, &rows, sweep::SweepVariant::new(dtype, what, is_long)).unwrap();
    };
    let (out, order) = (empty(gpu, &[rows, length], dtype), empty(gpu, &[rows, length], DType::I64));
    let both = |is_long| {
        sorted(SortResult::Elements, &out, is_long);
        sorted(SortResult::Positions, &order, is_long);
        (download::<u32>(gpu, &out), download::<i64>(gpu, &order))
    };
    assert!(both(true) == both(false));
}

#[test]
fn lines_of_any_layout_are_sorted() {
    let Some(gpu) = gpu() else { return };
    let (rows, n) = (3, 200);
    let mut numbers = Numbers(4);
    let host: Vec<u32> = (0..rows * n).map(|_| numbers.next() as u32).collect();
    let mut want = host.clone();
    want.chunks_exact_mut(n).for_each(|row| row.sort_unstable());
    let input = upload(gpu, &host, &[rows, n], DType::U32);
    let plain = empty(gpu, &[n, rows], DType::U32);
    // Columns of the transposed array are the rows; into a dense array, and into a transposed one.
    call(gpu, &Call::Sort(SortCall::Sort { input: &transposed(&input), out: &plain, axis: 0 })).unwrap();
    let got = download::<u32>(gpu, &plain);
    assert!((0..rows * n).all(|i| got[i % n * rows + i / n] == want[i]));
    let out = empty(gpu, &[rows, n], DType::U32);
    let (from, to) = (transposed(&input), transposed(&out));
    call(gpu, &Call::Sort(SortCall::Sort { input: &from, out: &to, axis: 0 })).unwrap();
    assert_eq!(download::<u32>(gpu, &out), want);
    let order = empty(gpu, &[n, rows], DType::I64);
    call(gpu, &Call::Sort(SortCall::ArgSort { input: &from, out: &order, axis: 0 })).unwrap();
    let order = download::<i64>(gpu, &order);
    assert!((0..rows * n).all(|i| host[i / n * n + order[i % n * rows + i / n] as usize] == want[i]));
}

#[test]
fn rows_of_equal_elements_and_narrow_ranges_take_fewer_passes() {
    let Some(gpu) = gpu() else { return };
    // Rows whose elements differ in 0, 1, 2 and 3 of their digits.
    let n = 5000u64;
    let row = |shifts: &[u32]| {
        let shifts = shifts.to_vec();
        (0..n).map(move |i| {
            let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            shifts.iter().fold(7u64, |sum, s| sum | ((x >> 11) & 0xff) << s)
        })
    };
    let shifts: [&[u32]; 4] = [&[], &[16], &[8, 40], &[8, 24, 56]];
    let host: Vec<u64> = shifts.iter().flat_map(|shifts| row(shifts)).collect();
    let input = upload(gpu, &host, &[4, n as usize], DType::U64);
    let (out, order) = (empty(gpu, &[4, n as usize], DType::U64), empty(gpu, &[4, n as usize], DType::I64));
    call(gpu, &Call::Sort(SortCall::Sort { input: &input, out: &out, axis: 1 })).unwrap();
    call(gpu, &Call::Sort(SortCall::ArgSort { input: &input, out: &order, axis: 1 })).unwrap();
    let (got, order) = (download::<u64>(gpu, &out), download::<i64>(gpu, &order));
    for (i, line) in host.chunks_exact(n as usize).enumerate() {
        let mut want: Vec<(u64, i64)> = line.iter().copied().zip(0..).collect();
        want.sort_unstable();
        for (j, (value, place)) in want.into_iter().enumerate() {
            let at = i * n as usize + j;
            assert_eq!((got[at], order[at]), (value, place), "row {i}, element {j}");
        }
    }
}

#[test]
fn needles_are_found() {
    let Some(gpu) = gpu() else { return };
    for dtype in DType::ALL {
        let size = dtype.size();
        for n in [0usize, 1, 2, 63, 64, 65] {
            let shuffled = elements(dtype, n, 3, true);
            let order = sorted_positions(dtype, &shuffled);
            let sorted: Vec<u8> =
                order.iter().flat_map(|&i| shuffled[i * size..(i + 1) * size].to_vec()).collect();
            let needles = elements(dtype, 300, 5, true);
            let positions: Vec<i64> = order.iter().map(|&i| i as i64).collect();
            let on_gpu = upload(gpu, &needles, &[300], dtype);
            let out = empty(gpu, &[300], DType::I64);
            for (side, keeps) in [(Side::Left, Ordering::Less), (Side::Right, Ordering::Equal)] {
                let want: Vec<i64> = needles
                    .chunks_exact(size)
                    .map(|needle| {
                        let is_before = |e: &&[u8]| rank(dtype, e).cmp(&rank(dtype, needle)) <= keeps;
                        sorted.chunks_exact(size).filter(is_before).count() as i64
                    })
                    .collect();
                let plain = upload(gpu, &sorted, &[n], dtype);
                let search = |sorted, order| {
                    let needles = &on_gpu;
                    let search = SortCall::Search { sorted, order, needles, out: &out, side };
                    call(gpu, &Call::Sort(search)).unwrap();
                    download::<i64>(gpu, &out)
                };
                assert_eq!(search(&plain, None), want, "{dtype:?} {n} {side:?}");
                let (loose, order) =
                    (upload(gpu, &shuffled, &[n], dtype), upload(gpu, &positions, &[n], DType::I64));
                assert_eq!(search(&loose, Some(&order)), want, "{dtype:?} {n} {side:?} by order");
            }
        }
    }
}
