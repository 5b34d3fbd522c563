//! Masks on a GPU against loops on the host.

use cuprum_core::DType;
use cuprum_graph::{Call, Device, Slot};

use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};
use crate::device::Cuda;

/// Lengths around those of a thread's bytes and of a tile, in one axis and several.
const SHAPES: [&[usize]; 12] = [
    &[1],
    &[15],
    &[16],
    &[17],
    &[33],
    &[4097],
    &[8191],
    &[8192],
    &[8193],
    &[3, 50, 70],
    &[40_001],
    &[2, 1, 9],
];

/// A mask that begins this many bytes into its memory; one in `rare` elements holds.
fn mask(gpu: &Cuda, shape: &[usize], skip: usize, rare: u64) -> (Slot, Vec<bool>) {
    let n: usize = shape.iter().product();
    let mut numbers = Numbers(n as u64 + rare);
    let bytes: Vec<u8> = (0..n + skip + 20).map(|_| u8::from(numbers.next().is_multiple_of(rare))).collect();
    let mut slot = empty(gpu, shape, DType::Bool);
    slot.buffer = gpu.allocate(bytes.len()).unwrap();
    slot.layout.offset = skip;
    gpu.upload(&slot.buffer, 0, &bytes).unwrap();
    let holds = bytes[skip..skip + n].iter().map(|&b| b != 0).collect();
    (slot, holds)
}

fn places(holds: &[bool]) -> Vec<usize> {
    (0..holds.len()).filter(|&i| holds[i]).collect()
}

#[test]
fn elements_that_hold_are_counted() {
    let Some(gpu) = gpu() else { return };
    for shape in SHAPES.into_iter().chain([&[0usize][..], &[700_000]]) {
        for (skip, rare) in [(0, 1), (0, 2), (1, 3), (15, 1), (9, 1000)] {
            let (slot, holds) = mask(gpu, shape, skip, rare);
            let out = upload(gpu, &[-5i64], &[], DType::I64);
            call(gpu, &Call::CountNonzero { mask: &slot, out: &out }).unwrap();
            assert_eq!(download::<i64>(gpu, &out), [places(&holds).len() as i64], "{shape:?} from {skip}");
        }
    }
    let (mut slot, holds) = mask(gpu, &[40, 90], 3, 2);
    slot.layout = slot.layout.transpose();
    let out = upload(gpu, &[-5i64], &[], DType::I64);
    call(gpu, &Call::CountNonzero { mask: &slot, out: &out }).unwrap();
    assert_eq!(download::<i64>(gpu, &out), [places(&holds).len() as i64]);
}

/// Rows of `row` elements for a mask's elements: compressed, and expanded again.
fn check_rows(
    gpu: &Cuda,
    shape: &[usize],
    row: &[usize],
    dtype: DType,
    skip: usize,
    rare: u64,
    turned: bool,
) {
    let (slot, holds) = mask(gpu, shape, skip, rare);
    let chosen = places(&holds);
    let bytes = row.iter().product::<usize>() * dtype.size();
    let mut whole = shape.to_vec();
    whole.extend(row);
    let mut numbers = Numbers(7);
    let host: Vec<u8> = (0..holds.len() * bytes).map(|_| numbers.next() as u8).collect();
    let mut source = upload(gpu, &host, &whole, dtype);
    // The same elements in another order of memory.
    let mut stored = host.clone();
    if turned {
        let reversed: Vec<usize> = whole.iter().rev().copied().collect();
        source.layout = cuprum_core::Layout::contiguous(&reversed, dtype.size()).transpose();
        let size = dtype.size();
        for i in 0..host.len() / size {
            let at = offset_of(i, &whole, &source.layout.strides);
            stored[at..at + size].copy_from_slice(&host[i * size..][..size]);
        }
        gpu.upload(&source.buffer, 0, &stored).unwrap();
    }
    let mut out_shape = vec![chosen.len()];
    out_shape.extend(row);
    let out = empty(gpu, &out_shape, dtype);
    let label = format!("{dtype:?} {shape:?} rows {row:?} from {skip}, one in {rare}, turned: {turned}");
    call(gpu, &Call::Compress { source: &source, mask: &slot, out: &out }).unwrap();
    let want: Vec<u8> = chosen.iter().flat_map(|i| &host[i * bytes..][..bytes]).copied().collect();
    assert_eq!(download::<u8>(gpu, &out), want, "compress {label}");

    let value: Vec<u8> = want.iter().map(|b| b ^ 0x55).collect();
    let values = upload(gpu, &value, &out_shape, dtype);
    call(gpu, &Call::Expand { target: &source, mask: &slot, value: &values }).unwrap();
    let mut expanded = vec![0; stored.len()];
    gpu.download(&source.buffer, 0, &mut expanded).unwrap();
    let size = dtype.size();
    for (k, i) in chosen.iter().enumerate() {
        for e in 0..bytes / size {
            let at = offset_of(i * bytes / size + e, &whole, &source.layout.strides);
            stored[at..at + size].copy_from_slice(&value[k * bytes + e * size..][..size]);
        }
    }
    assert_eq!(expanded, stored, "expand {label}");
}

fn offset_of(element: usize, shape: &[usize], strides: &[isize]) -> usize {
    let (mut rest, mut at) = (element, 0);
    for (n, step) in shape.iter().zip(strides).rev() {
        at += (rest % n) as isize * step;
        rest /= n;
    }
    at as usize
}

#[test]
fn elements_are_chosen_and_stored_by_a_mask() {
    let Some(gpu) = gpu() else { return };
    for shape in SHAPES {
        for (dtype, skip, rare) in [
            (DType::U8, 0, 2),
            (DType::F16, 3, 1),
            (DType::F32, 0, 2),
            (DType::F64, 8, 5),
            (DType::C128, 1, 2),
        ] {
            check_rows(gpu, shape, &[], dtype, skip, rare, false);
        }
    }
}

#[test]
fn rows_and_other_orders_are_chosen_by_a_mask() {
    let Some(gpu) = gpu() else { return };
    for dtype in [DType::U8, DType::F32, DType::C128] {
        check_rows(gpu, &[300], &[4], dtype, 1, 2, false);
        check_rows(gpu, &[20, 30], &[3, 5], dtype, 0, 2, true);
        check_rows(gpu, &[70, 80], &[], dtype, 0, 3, true);
    }
}

#[test]
fn positions_where_a_mask_holds() {
    let Some(gpu) = gpu() else { return };
    for shape in SHAPES {
        for (skip, rare) in [(0, 2), (5, 1), (0, 50)] {
            let (slot, holds) = mask(gpu, shape, skip, rare);
            let chosen = places(&holds);
            let out = empty(gpu, &[shape.len(), chosen.len()], DType::I64);
            call(gpu, &Call::Nonzero { mask: &slot, out: &out }).unwrap();
            let along = |axis: usize| {
                let (inner, length) = (shape[axis + 1..].iter().product::<usize>(), shape[axis]);
                chosen.iter().map(move |i| (i / inner % length) as i64)
            };
            let want: Vec<i64> = (0..shape.len()).flat_map(along).collect();
            assert_eq!(download::<i64>(gpu, &out), want, "{shape:?} from {skip}");
        }
    }
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for unit in [1, 2, 4, 8, 16] {
        compiles("compress", &super::text(0, unit, 1, false));
        compiles("expand", &super::text(1, unit, 1, false));
    }
    compiles("positions", &super::text(2, 1, 1, false));
    for (axes, long) in [(1, false), (2, true), (5, false)] {
        compiles("coordinates", &super::text(3, 1, axes, long));
    }
}
