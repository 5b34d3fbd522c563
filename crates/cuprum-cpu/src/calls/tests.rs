//! Library calls against naive loops: odd sizes, strides of every sign, nothing at all.

use cuprum_core::{DType, Layout, Op, Reduction, SimdLevel, size_of_shape};
use cuprum_graph::{Call, ReportTo, ScanOp, Slot};
use half::f16;
use num_complex::Complex;

use super::{allocate, run, start};

trait Element: Copy + PartialEq + std::fmt::Debug {
    const DTYPE: DType;
}
macro_rules! elements {
    ($($element:ty => $dtype:ident),*) => { $(impl Element for $element { const DTYPE: DType = DType::$dtype; })* };
}
elements!(bool => Bool, u8 => U8, i16 => I16, i32 => I32, i64 => I64, f16 => F16, f32 => F32, f64 => F64);
elements!(Complex<f64> => C128);

fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_available())
}

/// Numbers that look random, the same each time.
fn noise(n: usize, seed: u64) -> impl Iterator<Item = u64> {
    (0..n as u64).map(move |i| {
        let mut x = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.wrapping_mul(0xD1B5_4A32_D192_ED03);
        x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x ^ (x >> 32)
    })
}

/// An array of this shape, dense.
fn array<T: Element>(shape: &[usize], values: &[T]) -> Slot {
    assert_eq!(size_of_shape(shape), values.len());
    let slot = allocate(shape, T::DTYPE).unwrap();
    // SAFETY: the slot was made for as many elements.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), start(&slot).cast(), values.len()) };
    slot
}

fn empty<T: Element>(shape: &[usize]) -> Slot {
    let slot = allocate(shape, T::DTYPE).unwrap();
    // SAFETY: the slot is that large.
    unsafe { std::ptr::write_bytes(start(&slot), 0, slot.layout.size() * T::DTYPE.size()) };
    slot
}

/// The same elements laid out the other way round: every axis reversed and two elements apart, in Fortran order.
fn scattered<T: Element>(shape: &[usize], values: &[T]) -> Slot {
    let size = T::DTYPE.size();
    let mut layout = Layout::fortran(shape, 2 * size);
    let buffer = empty::<T>(&[2 * values.len() + 1]).buffer;
    for (stride, &dim) in layout.strides.iter_mut().zip(shape) {
        layout.offset += dim.saturating_sub(1) * *stride as usize;
        *stride = -*stride;
    }
    let slot = Slot { buffer, layout, dtype: T::DTYPE };
    for (i, value) in values.iter().enumerate() {
        // SAFETY: the layout was made for this buffer.
        unsafe { element::<T>(&slot, i).write(*value) };
    }
    slot
}

fn element<T>(slot: &Slot, position: usize) -> *mut T {
    let mut rest = position;
    let mut at = start(slot);
    for (&dim, &stride) in slot.layout.shape.iter().zip(&slot.layout.strides).rev() {
        at = at.wrapping_offset((rest % dim) as isize * stride);
        rest /= dim;
    }
    at.cast()
}

fn values<T: Element>(slot: &Slot) -> Vec<T> {
    // SAFETY: positions of the slot, of its dtype.
    (0..slot.layout.size()).map(|i| unsafe { *element::<T>(slot, i) }).collect()
}

fn both<T: Element>(shape: &[usize], items: &[T]) -> [Slot; 2] {
    [array(shape, items), scattered(shape, items)]
}

/// Folds along an axis one element after the other.
fn naive_scan<T: Copy>(items: &[T], shape: &[usize], axis: usize, fold: impl Fn(T, T) -> T) -> Vec<T> {
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = items.to_vec();
    for i in 0..items.len() {
        if !(i / inner).is_multiple_of(shape[axis]) {
            out[i] = fold(out[i - inner], items[i]);
        }
    }
    out
}

fn check_scan<T: Element>(op: ScanOp, shape: &[usize], items: &[T], fold: impl Fn(T, T) -> T + Copy) {
    for axis in 0..shape.len() {
        let expected = naive_scan(items, shape, axis, fold);
        for level in levels() {
            for input in both(shape, items) {
                for out in [empty::<T>(shape), scattered(shape, items)] {
                    run(&Call::Scan { op, input: &input, out: &out, axis }, level).unwrap();
                    assert_eq!(values::<T>(&out), expected, "{op:?} {shape:?} {axis} {level:?}");
                }
            }
        }
    }
}

/// The most elements that an array has under Miri, which takes a thousand times as long.
const MAX_ELEMENTS: usize = if cfg!(miri) { 130 } else { 1 << 40 };

/// Long arrays are shorter by this under Miri, and cut into tasks and blocks from as much smaller sizes on.
const FEWER: usize = if cfg!(miri) { 100 } else { 1 };

const SHAPES: [&[usize]; 10] =
    [&[1], &[7], &[129], &[1025], &[3, 5], &[2, 1030], &[4, 3, 2], &[40, 3, 2], &[0], &[3, 0, 2]];

#[test]
fn scans_of_whole_numbers_are_exact() {
    for shape in SHAPES.into_iter().filter(|shape| size_of_shape(shape) <= MAX_ELEMENTS) {
        let n = size_of_shape(shape);
        let wide: Vec<i64> = noise(n, 1).map(|x| x as i64).collect();
        check_scan(ScanOp::Sum, shape, &wide, i64::wrapping_add);
        check_scan(ScanOp::Prod, shape, &wide, i64::wrapping_mul);
        check_scan(ScanOp::Fold(Op::Maximum), shape, &wide, i64::max);
        check_scan(ScanOp::Fold(Op::Subtract), shape, &wide, i64::wrapping_sub);
        let small: Vec<u8> = noise(n, 2).map(|x| x as u8).collect();
        check_scan(ScanOp::Sum, shape, &small, u8::wrapping_add);
        let floats: Vec<f64> = noise(n, 3).map(|x| (x % 1000) as f64 - 500.0).collect();
        check_scan(ScanOp::Sum, shape, &floats, |a, b| a + b);
        let complex: Vec<Complex<f64>> = floats.iter().map(|&x| Complex::new(x, -2.0 * x)).collect();
        check_scan(ScanOp::Sum, shape, &complex, |a, b| a + b);
        let truth: Vec<bool> = noise(n, 4).map(|x| x % 3 > 0).collect();
        check_scan(ScanOp::Prod, shape, &truth, |a, b| a & b);
        let halves: Vec<f16> = noise(n, 5).map(|x| f16::from_f32((x % 3) as f32 - 1.0)).collect();
        check_scan(ScanOp::Sum, shape, &halves, |a, b| a + b);
    }
}

#[test]
fn long_sums_are_exact_whatever_the_chunks() {
    let lengths = if cfg!(miri) { [127, 128, 129, 513, 1001] } else { [16383, 16384, 16385, 65537, 300_001] };
    for n in lengths {
        let items: Vec<i32> = noise(n, 6).map(|x| x as i32).collect();
        let (input, out) = (array(&[n], &items), empty::<i32>(&[n]));
        run(&Call::Scan { op: ScanOp::Sum, input: &input, out: &out, axis: 0 }, SimdLevel::detect()).unwrap();
        assert_eq!(values::<i32>(&out), naive_scan(&items, &[n], 0, i32::wrapping_add));
    }
}

#[test]
fn long_folds_by_tiles() {
    for n in if cfg!(miri) { [32, 33, 50] } else { [8192, 8193, 20_000] } {
        let items: Vec<i64> =
            noise(2 * n, 21).enumerate().map(|(i, x)| (x % 1000) as i64 + i as i64 / 9).collect();
        check_scan(ScanOp::Fold(Op::Maximum), &[2, n], &items, i64::max);
        check_scan(ScanOp::Fold(Op::BitwiseXor), &[n], &items[..n], |a, b| a ^ b);
        let mut floats: Vec<f32> = items[..n].iter().map(|&x| -x as f32).collect();
        check_scan(ScanOp::Fold(Op::Minimum), &[n], &floats, f32::min);
        let bad = if cfg!(miri) { 20 } else { 5000 };
        floats[bad] = f32::NAN;
        let (input, out) = (array(&[n], &floats), empty::<f32>(&[n]));
        let op = ScanOp::Fold(Op::Minimum);
        run(&Call::Scan { op, input: &input, out: &out, axis: 0 }, SimdLevel::detect()).unwrap();
        let folded = values::<f32>(&out);
        assert!(folded[bad - 1].is_finite() && folded[bad..].iter().all(|x| x.is_nan()));
    }
}

#[test]
fn a_long_row_sums_to_the_same_bits_alone_or_among_others() {
    let n = 70_001 / FEWER;
    let items: Vec<f32> = noise(2 * n, 7).map(|x| x as f32 / 1e19).collect();
    let (input, out) = (array(&[2, n], &items), empty::<f32>(&[2, n]));
    run(&Call::Scan { op: ScanOp::Sum, input: &input, out: &out, axis: 1 }, SimdLevel::Portable).unwrap();
    let (input, alone) = (array(&[n], &items[n..]), empty::<f32>(&[n]));
    run(&Call::Scan { op: ScanOp::Sum, input: &input, out: &alone, axis: 0 }, SimdLevel::detect()).unwrap();
    assert_eq!(values::<f32>(&out)[n..], values::<f32>(&alone));
    let exact: f64 = items[n..].iter().map(|&x| x as f64).sum();
    assert!((values::<f32>(&alone)[n - 1] as f64 / exact - 1.0).abs() < 1e-6);
}

#[test]
fn sums_keep_signed_zeros_infinities_and_near_overflow() {
    let sum = |items: &[f64]| {
        let (input, out) = (array(&[items.len()], items), empty::<f64>(&[items.len()]));
        run(&Call::Scan { op: ScanOp::Sum, input: &input, out: &out, axis: 0 }, SimdLevel::detect()).unwrap();
        values::<f64>(&out)
    };
    assert!(sum(&[-0.0])[0].is_sign_negative());
    // The second run overflows alone, though not behind what precedes it.
    let run = if cfg!(miri) { 8 } else { 128 };
    let mut items = vec![0.0; 100_000 / FEWER];
    items[3] = -1.5e308;
    items[run + 2] = 1.5e308;
    items[run + 3] = 1.0e308;
    assert_eq!(sum(&items), naive_scan(&items, &[items.len()], 0, |a, b| a + b));
    let (first, second) = (70_000 / FEWER, 90_000 / FEWER);
    items[first] = f64::INFINITY;
    let sums = sum(&items);
    assert!(sums[first - 1].is_finite() && sums[first..].iter().all(|x| *x == f64::INFINITY));
    items[second] = f64::NEG_INFINITY;
    assert!(sum(&items)[second..].iter().all(|x| x.is_nan()));
}

fn naive_matmul(a: &[i64], b: &[i64], [m, k, n]: [usize; 3]) -> Vec<i64> {
    (0..m * n).map(|c| (0..k).map(|i| a[c / n * k + i] * b[i * n + c % n]).sum()).collect()
}

#[test]
fn products_with_batches_and_odd_strides() {
    for dims in [[1, 1, 1], [3, 5, 7], [17, 33, 9], [4, 0, 3], [0, 2, 2]] {
        let [m, k, n] = dims;
        if m * k * n > MAX_ELEMENTS {
            continue;
        }
        let a: Vec<i64> = noise(m * k, 8).map(|x| x as i64 % 100).collect();
        let b: Vec<i64> = noise(k * n, 9).map(|x| x as i64 % 100).collect();
        let expected = naive_matmul(&a, &b, dims);
        for (a, b) in both(&[m, k], &a).iter().flat_map(|a| both(&[k, n], &b).map(|b| (a.clone(), b))) {
            let out = empty::<i64>(&[m, n]);
            run(&Call::Matmul { a: &a, b: &b, out: &out }, SimdLevel::detect()).unwrap();
            assert_eq!(values::<i64>(&out), expected);
            let wide = a.layout.broadcast_to("matmul", &[2, 3, m, k]).unwrap();
            let a = Slot { layout: wide, ..a };
            let b = Slot { layout: b.layout.broadcast_to("matmul", &[2, 3, k, n]).unwrap(), ..b };
            let out = scattered(&[2, 3, m, n], &vec![-1i64; 6 * m * n]);
            run(&Call::Matmul { a: &a, b: &b, out: &out }, SimdLevel::detect()).unwrap();
            assert_eq!(values::<i64>(&out), expected.repeat(6));
        }
    }
}

#[test]
fn an_operand_between_elements_is_copied_first() {
    let a = array(&[2, 2], &[1i32, 2, 3, 4]);
    let mut shifted = array(&[5], &[0i32; 5]);
    shifted.layout = Layout { offset: 2, ..Layout::contiguous(&[2, 2], 4) };
    for i in 0..4 {
        // SAFETY: 16 bytes from offset 2 lie in the 20 of the buffer.
        unsafe { element::<i32>(&shifted, i).write_unaligned(i as i32 + 1) };
    }
    let out = empty::<i32>(&[2, 2]);
    run(&Call::Matmul { a: &a, b: &shifted, out: &out }, SimdLevel::detect()).unwrap();
    assert_eq!(values::<i32>(&out), [7, 10, 15, 22]);
}

#[test]
fn gathers_and_scatters() {
    let (rows, cols) = if cfg!(miri) { (3, 4) } else { (11, 13) };
    let items: Vec<f64> = (0..rows * cols * 3).map(|i| i as f64).collect();
    for count in [0, 1, 5, 90, 1000, 70_000].into_iter().filter(|count| *count <= MAX_ELEMENTS) {
        let first: Vec<i64> = noise(count, 10).map(|x| (x % rows as u64) as i64).collect();
        let second: Vec<i64> = noise(count, 11).map(|x| (x % cols as u64) as i64).collect();
        let indices = [array(&[count], &first), array(&[count], &second)];
        for source in both(&[rows, cols, 3], &items) {
            let row = |k: usize| (first[k] as usize * cols + second[k] as usize) * 3;
            let expected: Vec<f64> =
                (0..count).flat_map(|k| (0..3).map(move |c| (row(k) + c) as f64)).collect();
            let out = empty::<f64>(&[count, 3]);
            run(
                &Call::Gather { source: &source, indices: &indices, unchecked: None, out: &out },
                SimdLevel::detect(),
            )
            .unwrap();
            assert_eq!(values::<f64>(&out), expected);

            let plane = Slot { layout: source.layout.remove_axis(2), ..source.clone() };
            let out = empty::<f64>(&[count]);
            run(
                &Call::Gather { source: &plane, indices: &indices, unchecked: None, out: &out },
                SimdLevel::detect(),
            )
            .unwrap();
            let expected: Vec<f64> = (0..count).map(|k| row(k) as f64).collect();
            assert_eq!(values::<f64>(&out), expected);

            let line = Slot { layout: plane.layout.remove_axis(1), ..plane.clone() };
            let out = empty::<f64>(&[count]);
            run(
                &Call::Gather { source: &line, indices: &indices[..1], unchecked: None, out: &out },
                SimdLevel::detect(),
            )
            .unwrap();
            let expected: Vec<f64> = first.iter().map(|&i| (i as usize * cols * 3) as f64).collect();
            assert_eq!(values::<f64>(&out), expected);
        }
        for (value, op) in
            [(0, None), (0, Some(Op::Add)), (1, None), (1, Some(Op::Add)), (2, Some(Op::Subtract))]
        {
            let news: Vec<f64> = noise(count * 3, 12).map(|x| (x % 100) as f64).collect();
            for target in both(&[rows, cols, 3], &items) {
                let value = match value {
                    0 => array(&[count, 3], &news),
                    1 => scattered(&[count, 3], &news),
                    _ => {
                        let one = array(&[1, 3], &[1.0, 2.0, 3.0]);
                        Slot { layout: one.layout.broadcast_to("put", &[count, 3]).unwrap(), ..one }
                    }
                };
                let mut expected = items.clone();
                let news = values::<f64>(&value);
                for k in 0..3 * count {
                    let at =
                        &mut expected[(first[k / 3] as usize * cols + second[k / 3] as usize) * 3 + k % 3];
                    *at = match op {
                        None => news[k],
                        Some(Op::Add) => *at + news[k],
                        Some(_) => *at - news[k],
                    };
                }
                let call =
                    Call::Scatter { target: &target, indices: &indices, value: &value, op, later: None };
                run(&call, SimdLevel::detect()).unwrap();
                assert_eq!(values::<f64>(&target), expected);
            }
        }
    }
}

#[test]
fn gathers_along_an_inner_axis() {
    let shapes = if cfg!(miri) { [[2, 3, 2], [7, 2, 1]] } else { [[5, 7, 3], [40, 7, 1]] };
    shapes.into_iter().for_each(check_gathers_along_an_inner_axis);
}

fn check_gathers_along_an_inner_axis(shape: [usize; 3]) {
    let [planes, rows, columns] = shape;
    let items: Vec<i32> = (0..(planes * rows * columns) as i32).collect();
    for count in [1, 6, if cfg!(miri) { 9 } else { 1100 }] {
        let given: Vec<i64> =
            noise(count, 14).map(|x| (x % (2 * rows) as u64) as i64 - rows as i64).collect();
        let wrapped: Vec<i64> = given.iter().map(|i| i.rem_euclid(rows as i64)).collect();
        let place = |i: usize| (i / columns % count, i / columns / count, i % columns);
        let expected: Vec<i32> = (0..planes * count * columns)
            .map(place)
            .map(|(k, p, c)| items[(p * rows + wrapped[k] as usize) * columns + c])
            .collect();
        for source in both(&shape, &items) {
            let source = Slot { layout: source.layout.permute(&[1, 0, 2]), ..source };
            for result in both(&[planes, count, columns], &vec![0; expected.len()]) {
                let out = Slot { layout: result.layout.permute(&[1, 0, 2]), ..result.clone() };
                let (checked, fault) = (array(&[count], &given), array(&[1], &[7i64]));
                let plain = [array(&[count], &wrapped)];
                let checked = std::slice::from_ref(&checked);
                for (indices, unchecked) in [(checked, Some(ReportTo::Slot(&fault))), (&plain, None)] {
                    let call = Call::Gather { source: &source, indices, unchecked, out: &out };
                    run(&call, SimdLevel::detect()).unwrap();
                    assert_eq!(values::<i32>(&result), expected);
                }
                assert_eq!(values::<i64>(&fault), [-1]);
                let bad = array(&[count], &vec![rows as i64; count]);
                let unchecked = Some(ReportTo::Slot(&fault));
                let call = Call::Gather { source: &source, indices: &[bad], unchecked, out: &out };
                run(&call, SimdLevel::detect()).unwrap();
                assert_eq!(values::<i64>(&fault), [0]);
                assert_eq!(values::<i32>(&result), expected, "nothing is written for bad positions");
            }
        }
    }
}

#[test]
fn gathers_of_every_item_size() {
    fn check<T: Element>(items: &[T]) {
        let index: Vec<i64> = noise(100, 13).map(|x| (x % items.len() as u64) as i64).collect();
        let expected: Vec<T> = index.iter().map(|&i| items[i as usize]).collect();
        let indices = [array(&[10, 10], &index)];
        for source in both(&[items.len()], items) {
            let out = empty::<T>(&[10, 10]);
            run(
                &Call::Gather { source: &source, indices: &indices, unchecked: None, out: &out },
                SimdLevel::detect(),
            )
            .unwrap();
            assert_eq!(values::<T>(&out), expected);
        }
    }
    check(&[1u8, 2, 3]);
    check(&[1i16, 2, 3]);
    check(&[1i32, 2, 3]);
    check(&[1i64, 2, 3]);
    check(&[Complex::new(1.0, 2.0), Complex::new(3.0, 4.0), Complex::new(5.0, 6.0)]);
}

#[test]
fn indices_are_wrapped_and_the_first_bad_one_is_named() {
    let check = |items: &[i64], size: usize| {
        let (indices, fault) = (array(&[items.len()], items), array(&[1], &[7i64]));
        run(
            &Call::CheckIndices { indices: &indices, size, report: ReportTo::Slot(&fault) },
            SimdLevel::detect(),
        )
        .unwrap();
        (values::<i64>(&indices), values::<i64>(&fault)[0])
    };
    assert_eq!(check(&[], 0), (vec![], -1));
    assert_eq!(check(&[0, -1, 2, -3], 3), (vec![0, 2, 2, 0], -1));
    assert_eq!(check(&[0, -4, 3], 3), (vec![0, -4, 3], 1));
    assert_eq!(check(&[0], 0).1, 0);
    let (first, last) = (150_000 / FEWER, 199_999 / FEWER);
    let mut many = vec![-1; last + 1];
    many[first] = i64::MIN;
    many[last] = i64::MAX;
    assert_eq!(check(&many, 5).1, first as i64);
}

fn check_selection<T: Element>(shape: &[usize], items: &[T], mask: &[bool]) {
    let mask_shape = &shape[..shape.len() - 1];
    let row = shape[shape.len() - 1];
    let found: Vec<usize> = (0..mask.len()).filter(|&i| mask[i]).collect();
    for (mask, source) in
        both(mask_shape, mask).iter().flat_map(|m| both(shape, items).map(|s| (m.clone(), s)))
    {
        for level in levels() {
            let count = array(&[], &[-1i64]);
            run(&Call::CountNonzero { mask: &mask, out: &count }, level).unwrap();
            assert_eq!(values::<i64>(&count), [found.len() as i64]);

            let out = empty::<T>(&[found.len(), row]);
            run(&Call::Compress { source: &source, mask: &mask, out: &out }, level).unwrap();
            let expected: Vec<T> =
                found.iter().flat_map(|&i| items[i * row..(i + 1) * row].to_vec()).collect();
            assert_eq!(values::<T>(&out), expected);

            let out = empty::<i64>(&[mask_shape.len(), found.len()]);
            run(&Call::Nonzero { mask: &mask, out: &out }, level).unwrap();
            let mut expected = vec![];
            for axis in 0..mask_shape.len() {
                let inner: usize = mask_shape[axis + 1..].iter().product();
                expected.extend(found.iter().map(|&i| (i / inner % mask_shape[axis]) as i64));
            }
            assert_eq!(values::<i64>(&out), expected);
        }
    }
}

#[test]
fn selections() {
    for shape in [
        &[1, 1][..],
        &[63, 1],
        &[64, 1],
        &[65, 1],
        &[1000, 1],
        &[70_003, 1],
        &[300, 3],
        &[0, 1],
        &[31, 33, 1],
        &[40, 17, 2],
        &[3, 30_000, 1],
        &[2, 3, 5, 7, 1],
        &[2, 3, 5, 2],
    ] {
        let n = size_of_shape(shape);
        if n > MAX_ELEMENTS {
            continue;
        }
        let cells = n / shape[shape.len() - 1];
        let bits: Vec<u64> = noise(n, 14).collect();
        for mask in [
            noise(cells, 15).map(|x| x % 2 == 0).collect::<Vec<_>>(),
            noise(cells, 16).map(|x| x % 50 == 0).collect(),
            vec![true; cells],
            vec![false; cells],
        ] {
            check_selection(shape, &bits.iter().map(|&x| x as u8).collect::<Vec<_>>(), &mask);
            check_selection(shape, &bits.iter().map(|&x| x as i16).collect::<Vec<_>>(), &mask);
            check_selection(shape, &bits.iter().map(|&x| x as i32).collect::<Vec<_>>(), &mask);
            check_selection(shape, &bits.iter().map(|&x| x as i64).collect::<Vec<_>>(), &mask);
            let complex = bits.iter().map(|&x| Complex::new(x as f64, 1.0)).collect::<Vec<_>>();
            check_selection(shape, &complex, &mask);
        }
    }
}

/// A selection whose mask has changed since it was counted: it holds at more elements than `room`, or at fewer.
fn check_changed_mask<T: Element>(cells: usize, row: usize, mask: &[bool], room: usize, items: &[T]) {
    const GUARD: usize = if cfg!(miri) { 8 } else { 64 };
    let held = mask.iter().filter(|holds| **holds).count();
    let sentinel = items[0];
    // The result is the beginning of a larger array, whose rest must stay.
    let part = |shape: &[usize], whole: &Slot| Slot {
        layout: Layout::contiguous(shape, whole.dtype.size()),
        ..whole.clone()
    };
    let shape = [cells, row];
    for level in levels() {
        for (mask, source) in
            both(&[cells], mask).iter().flat_map(|m| both(&shape, items).map(|s| (m.clone(), s)))
        {
            let whole = array(&[room * row + GUARD], &vec![sentinel; room * row + GUARD]);
            let out = part(&[room, row], &whole);
            run(&Call::Compress { source: &source, mask: &mask, out: &out }, level).unwrap();
            assert_eq!(
                values::<T>(&whole)[room * row..],
                [sentinel; GUARD],
                "{cells} {row} {room} {level:?}"
            );

            let whole = array(&[room + GUARD], &vec![-7i64; room + GUARD]);
            run(&Call::Nonzero { mask: &mask, out: &part(&[1, room], &whole) }, level).unwrap();
            let found = values::<i64>(&whole);
            assert_eq!(found[room..], [-7; GUARD], "{cells} {row} {room} {level:?}");
            assert!(found[..room].iter().all(|at| (0..cells as i64).contains(at)));

            // Of the values only those that are there are stored.
            let stored = vec![items[1]; room * row];
            for target in both(&shape, &vec![sentinel; cells * row]) {
                let value = array(&[room, row], &stored);
                run(&Call::Expand { target: &target, mask: &mask, value: &value }, level).unwrap();
                let changed = values::<T>(&target).iter().filter(|x| **x != sentinel).count();
                assert_eq!(changed, held.min(room) * row, "{cells} {row} {room} {level:?}");
            }
        }
    }
}

#[test]
fn a_mask_that_changed_writes_no_further_than_there_is_room() {
    for (cells, row) in [(3, 1), (11, 2), (100, 1), (1000, 3), (70_003, 1), (30_000, 4)] {
        if cells > MAX_ELEMENTS / 20 {
            continue;
        }
        let numbers: Vec<u64> = (0..(cells * row) as u64).collect();
        for mask in [vec![true; cells], noise(cells, 21).map(|x| x % 3 > 0).collect::<Vec<_>>()] {
            let held = mask.iter().filter(|holds| **holds).count();
            for room in [1, held / 2 + 1, held.max(2) - 1, held + 1, held + if cfg!(miri) { 20 } else { 200 }]
            {
                let complex: Vec<_> = numbers.iter().map(|&x| Complex::new(x as f64, 1.0)).collect();
                check_changed_mask(cells, row, &mask, room, &complex);
                check_changed_mask(
                    cells,
                    row,
                    &mask,
                    room,
                    &numbers.iter().map(|&x| x as i64).collect::<Vec<_>>(),
                );
                check_changed_mask(
                    cells,
                    row,
                    &mask,
                    room,
                    &numbers.iter().map(|&x| x as i32).collect::<Vec<_>>(),
                );
                check_changed_mask(
                    cells,
                    row,
                    &mask,
                    room,
                    &numbers.iter().map(|&x| x as u8).collect::<Vec<_>>(),
                );
            }
        }
    }
}

fn check_reduceat<T: Element>(
    op: Reduction,
    shape: &[usize],
    items: &[T],
    starts: &[i64],
    fold: impl Fn(T, T) -> T,
) {
    let starts_slot = array(&[starts.len()], starts);
    for axis in 0..shape.len() {
        let inner: usize = shape[axis + 1..].iter().product();
        let outer: usize = shape[..axis].iter().product();
        let starts: Vec<usize> = starts.iter().map(|&s| s as usize % shape[axis]).collect();
        let wrapped: Vec<i64> = starts.iter().map(|&s| s as i64).collect();
        let starts_slot = array(&starts_slot.layout.shape, &wrapped);
        let mut expected = vec![];
        for (o, s) in (0..outer).flat_map(|o| (0..starts.len()).map(move |s| (o, s))) {
            let end = starts.get(s + 1).copied().unwrap_or(shape[axis]).max(starts[s] + 1);
            for column in 0..inner {
                let at = |row: usize| items[(o * shape[axis] + row) * inner + column];
                expected.push((starts[s] + 1..end).fold(at(starts[s]), |acc, row| fold(acc, at(row))));
            }
        }
        let mut out_shape = shape.to_vec();
        out_shape[axis] = starts.len();
        for input in both(shape, items) {
            for level in levels() {
                let out = empty::<T>(&out_shape);
                let (input, starts) = (&input, &starts_slot);
                run(&Call::ReduceAt { op, input, starts, out: &out, axis }, level).unwrap();
                assert_eq!(values::<T>(&out), expected, "{op:?} {shape:?} {axis}");
            }
        }
    }
}

#[test]
fn segments() {
    for shape in [&[1][..], &[9], &[1000], &[12, 3], &[30, 7], &[5, 200, 3]] {
        let n = size_of_shape(shape);
        if n > MAX_ELEMENTS {
            continue;
        }
        for starts in [&[0][..], &[0, 4, 2, 2, 8], &[8, 1, 5], &[3, 150, 700]] {
            let floats: Vec<f64> = noise(n, 17).map(|x| (x % 1000) as f64 - 500.0).collect();
            check_reduceat(Reduction::Sum, shape, &floats, starts, |a, b| a + b);
            check_reduceat(Reduction::Max, shape, &floats, starts, f64::max);
            check_reduceat(Reduction::Fold(Op::Subtract), shape, &floats, starts, |a, b| a - b);
            let ints: Vec<i32> = noise(n, 18).map(|x| x as i32).collect();
            check_reduceat(Reduction::Prod, shape, &ints, starts, i32::wrapping_mul);
            check_reduceat(Reduction::BitXor, shape, &ints, starts, |a, b| a ^ b);
            let truth: Vec<bool> = noise(n, 19).map(|x| x % 9 == 0).collect();
            check_reduceat(Reduction::Any, shape, &truth, starts, |a, b| a | b);
            let halves: Vec<f16> = noise(n, 20).map(|x| f16::from_f32((x % 3) as f32 - 1.0)).collect();
            check_reduceat(Reduction::Sum, shape, &halves, starts, |a, b| a + b);
        }
    }
}

#[test]
fn segments_of_numbers_reduce_to_truth() {
    let input = array(&[4], &[0.0f64, 0.0, 0.5, 0.0]);
    let (starts, out) = (array(&[2], &[0i64, 2]), empty::<bool>(&[2]));
    let call = Call::ReduceAt { op: Reduction::Any, input: &input, starts: &starts, out: &out, axis: 0 };
    run(&call, SimdLevel::detect()).unwrap();
    assert_eq!(values::<bool>(&out), [false, true]);
}

#[test]
fn what_has_no_loop_is_an_error() {
    let (input, out) = (array(&[2], &[1.0f64, 2.0]), empty::<f64>(&[2]));
    for op in [Op::Less, Op::BitwiseAnd, Op::Ldexp] {
        assert!(
            run(&Call::Scan { op: ScanOp::Fold(op), input: &input, out: &out, axis: 0 }, SimdLevel::Portable)
                .is_err()
        );
    }
}
