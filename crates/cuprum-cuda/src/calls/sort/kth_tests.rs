//! Elements found and rows split around them on a GPU, against sorts by comparison on the host.

use cuprum_core::DType;
use cuprum_graph::{Call, Slot, SortCall};

use super::tests::{elements, rank, sorted_positions};
use super::{SortResult, SortRows, kth};
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, transposed, upload};
use crate::device::Cuda;

fn real() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| !dtype.is_complex())
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_of_few_elements_compiles() {
    texts_compile(true);
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_of_many_elements_compiles() {
    texts_compile(false);
}

fn texts_compile(is_few: bool) {
    for dtype in real() {
        let plan = kth::KthVariant { dtype, is_few };
        compiles(&format!("{dtype:?}, few: {is_few}"), &plan.text());
        for what in [SortResult::Elements, SortResult::Positions] {
            let name = format!("{dtype:?}, few: {is_few}, positions: {}", what == SortResult::Positions);
            compiles(&name, &plan.pass_text(what));
            compiles(&name, &plan.split_text(what));
        }
    }
}

/// Places of a row: its ends, its middle, and others until they are `count`.
fn places(length: usize, count: usize) -> Vec<usize> {
    let mut numbers = Numbers(length as u64);
    let mut kth: Vec<usize> = [length / 2, length - 1, 0, length / 2 - 1].into_iter().take(count).collect();
    while kth.len() < count {
        kth.push(numbers.next() as usize % length);
    }
    kth.sort_unstable();
    kth.dedup();
    kth
}

/// Whether rows are those of the host split around the elements at places.
fn check_split(
    dtype: DType,
    host: &[u8],
    n: usize,
    kth: &[usize],
    got: &[u8],
    positions: &[i64],
    label: &str,
) {
    let size = dtype.size();
    for (row, line) in host.chunks_exact(n * size).enumerate() {
        let ranks: Vec<_> = line.chunks_exact(size).map(|e| rank(dtype, e)).collect();
        let sorted: Vec<_> = sorted_positions(dtype, line).into_iter().map(|i| ranks[i]).collect();
        let mine = &got[row * n * size..(row + 1) * n * size];
        let values: Vec<_> = mine.chunks_exact(size).map(|e| rank(dtype, e)).collect();
        let order = &positions[row * n..(row + 1) * n];
        let by_order: Vec<_> = order.iter().map(|&i| ranks[i as usize]).collect();
        let mut places = order.to_vec();
        places.sort_unstable();
        assert!(places.iter().copied().eq(0..n as i64), "{label} row {row}: every position once");
        for (what, values) in [("elements", values), ("positions", by_order)] {
            let mut again = values.clone();
            again.sort_unstable();
            assert!(again == sorted, "{label} row {row}: {what} are those of the row");
            for &k in kth {
                assert_eq!(values[k], sorted[k], "{label} row {row}: {what} at {k}");
                assert!(values[..k].iter().all(|v| *v <= sorted[k]), "{label} row {row}: {what} before {k}");
                assert!(values[k..].iter().all(|v| *v >= sorted[k]), "{label} row {row}: {what} behind {k}");
            }
        }
        let mut bits: Vec<&[u8]> = mine.chunks_exact(size).collect();
        let mut wanted: Vec<&[u8]> = line.chunks_exact(size).collect();
        bits.sort_unstable();
        wanted.sort_unstable();
        assert!(bits == wanted, "{label} row {row}: the same bits");
    }
}

fn check(gpu: &'static Cuda, dtype: DType, rows: usize, n: usize, count: usize, few: bool) {
    let size = dtype.size();
    let host = elements(dtype, rows * n, (n + count) as u64, few);
    check_host(gpu, dtype, rows, n, &places(n, count), &host);
    assert_eq!(host.len(), rows * n * size);
}

fn check_host(gpu: &'static Cuda, dtype: DType, rows: usize, n: usize, kth: &[usize], host: &[u8]) {
    let (size, session) = (dtype.size(), gpu.session().unwrap());
    let label = format!("{dtype:?} {rows}x{n} at {kth:?}");
    let input = upload(gpu, host, &[rows, n], dtype);
    let found = empty(gpu, &[rows, kth.len()], dtype);
    let (out, order) = (empty(gpu, &[rows, n], dtype), empty(gpu, &[rows, n], DType::I64));
    let rows_to = |out, what| SortRows { input: &input, out, rows, length: n, what };
    kth::elements(&session, &rows_to(&found, SortResult::Elements), kth).unwrap();
    let chosen = download::<u8>(gpu, &found);
    for (row, line) in host.chunks_exact(n * size).enumerate() {
        let sorted = sorted_positions(dtype, line);
        for (j, &k) in kth.iter().enumerate() {
            let got = &chosen[(row * kth.len() + j) * size..][..size];
            let at = sorted[k] * size;
            assert_eq!(rank(dtype, got), rank(dtype, &line[at..at + size]), "{label} row {row}: element {k}");
            assert!(
                line.chunks_exact(size).any(|e| e == got) || rank(dtype, got).0 == i128::MAX,
                "{label} row {row}: {k} is one of the elements"
            );
        }
    }
    let both = || {
        kth::split(&session, &rows_to(&out, SortResult::Elements), kth).unwrap();
        kth::split(&session, &rows_to(&order, SortResult::Positions), kth).unwrap();
        (download::<u8>(gpu, &out), download::<i64>(gpu, &order))
    };
    let (got, positions) = both();
    check_split(dtype, host, n, kth, &got, &positions, &label);
    assert!(both() == (got.clone(), positions), "{label}: the same again");
    assert_eq!(download::<u8>(gpu, &input), host, "{label}: the input stays as it is");
    kth::split(&session, &rows_to(&input, SortResult::Elements), kth).unwrap();
    assert!(download::<u8>(gpu, &input) == got, "{label}: in place");
}

#[test]
fn rows_are_split_around_elements_of_every_dtype() {
    let Some(gpu) = gpu() else { return };
    for dtype in real() {
        check(gpu, dtype, 1, 20_001, 1, false);
        check(gpu, dtype, 1, 9000, 1, true);
        check(gpu, dtype, 2, 9000, 3, false);
        check(gpu, dtype, 1, 9000, 7, false);
        check(gpu, dtype, 1, 6000, 12, true);
    }
}

#[test]
fn rows_of_any_length_are_split() {
    let Some(gpu) = gpu() else { return };
    for n in [2, 3, 31, 33, 511, 512, 4096, 8191, 8192, 8193] {
        check(gpu, DType::F32, 3, n, 1, n % 2 == 0);
        check(gpu, DType::I64, 1, n, 2, false);
    }
    check(gpu, DType::F64, 3, 30_000, 2, false);
    check(gpu, DType::F16, 5, 17_000, 3, false);
}

/// Keys that differ in few bits, high or low: what all have in common is not looked at.
#[test]
fn elements_that_have_much_in_common() {
    let Some(gpu) = gpu() else { return };
    let n = 9000;
    for (shift, bits) in [(0, 0), (0, 1), (0, 12), (40, 1), (52, 12), (20, 30), (3, 50), (63, 1), (51, 2)] {
        let mut numbers = Numbers(shift + bits);
        let mask = if bits == 0 { 0 } else { (!0u64 >> (64 - bits)) << shift };
        let host: Vec<u8> = (0..n)
            .flat_map(|_| (numbers.next() & mask | 0x5a5a_0ff0_1234_8001 & !mask).to_le_bytes())
            .collect();
        for dtype in [DType::U64, DType::I64, DType::F64] {
            check_host(gpu, dtype, 1, n, &[0], &host);
            check_host(gpu, dtype, 1, n, &[n / 2 - 1, n / 2, n - 1], &host);
            check_host(gpu, dtype, 1, n, &places(n, 9), &host);
        }
    }
}

/// Partitions and selections as calls: of long rows, of short ones, along any axis.
#[test]
fn calls_split_and_select_along_any_axis() {
    let Some(gpu) = gpu() else { return };
    for (dtype, shape, count) in [
        (DType::F32, [2, 140_000], 1),
        (DType::F32, [1, 132_000], 3),
        (DType::U8, [1, 132_000], 2),
        (DType::C64, [1, 20_000], 2),
        (DType::F32, [5, 100], 3),
        (DType::I16, [2, 3000], 20),
        (DType::F64, [1, 132_000], 13),
    ] {
        let [rows, n] = shape;
        let kth = places(n, count);
        let count = kth.len();
        let host = elements(dtype, rows * n, 9, false);
        let input = upload(gpu, &host, &shape, dtype);
        let label = format!("{dtype:?} {shape:?} at {kth:?}");
        let (out, order) = (empty(gpu, &shape, dtype), empty(gpu, &shape, DType::I64));
        // Rows as they are, and as columns of the transposed array.
        for turned in [false, true] {
            let turn = |slot: &Slot| if turned { transposed(slot) } else { slot.clone() };
            let axis = usize::from(!turned);
            let (from, to, places) = (&turn(&input), &turn(&out), &turn(&order));
            call(gpu, &Call::Sort(SortCall::Partition { input: from, out: to, axis, kth: &kth })).unwrap();
            call(gpu, &Call::Sort(SortCall::ArgPartition { input: from, out: places, axis, kth: &kth }))
                .unwrap();
            let (got, positions) = (download::<u8>(gpu, &out), download::<i64>(gpu, &order));
            check_split(dtype, &host, n, &kth, &got, &positions, &label);

            let chosen = empty(gpu, &[rows, count], dtype);
            let to = &turn(&chosen);
            call(gpu, &Call::Sort(SortCall::Select { input: from, out: to, axis, kth: &kth })).unwrap();
            let (chosen, size) = (download::<u8>(gpu, &chosen), dtype.size());
            for row in 0..rows {
                for (j, &k) in kth.iter().enumerate() {
                    let of = |bytes: &[u8], at: usize| rank(dtype, &bytes[at * size..(at + 1) * size]);
                    assert_eq!(
                        of(&chosen, row * count + j),
                        of(&got, row * n + k),
                        "{label}: {k} in row {row}"
                    );
                }
            }
        }
    }
}
