//! Gathers, scatters and checks on a GPU against loops on the host.

use std::sync::Arc;

use cuprum_core::{DType, Error, Layout, Op};
use cuprum_graph::{Buffer, Call, Device, DeviceKind, ReportTo, Slot};

use super::fold::{self, Folding};
use super::last_writer;
use super::rows::{CheckArgument, Places, RowCopy};
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};
use crate::device::Cuda;

/// A strided array on the GPU, its memory filled with numbers without a pattern.
struct Strided {
    slot: Slot,
    bytes: Vec<u8>,
}

impl Strided {
    fn new(gpu: &Cuda, shape: &[usize], strides: &[isize], offset: usize, dtype: DType) -> Strided {
        let layout = Layout { shape: shape.into(), strides: strides.into(), offset };
        let reach = shape.iter().zip(strides).map(|(n, s)| (*n as isize - 1).max(0) * (*s).max(0));
        let length = offset + reach.sum::<isize>() as usize + dtype.size();
        let mut numbers = Numbers(length as u64);
        let bytes: Vec<u8> =
            (0..length).map(|_| numbers.next() as u8 & if dtype == DType::Bool { 1 } else { 255 }).collect();
        let buffer = gpu.allocate(length).unwrap();
        gpu.upload(&buffer, 0, &bytes).unwrap();
        Strided { slot: Slot { buffer, layout, dtype }, bytes }
    }

    fn contiguous(gpu: &Cuda, shape: &[usize], dtype: DType) -> Strided {
        let layout = Layout::contiguous(shape, dtype.size());
        Strided::new(gpu, shape, &layout.strides, 0, dtype)
    }

    /// Where the elements lie, in C order.
    fn offsets(&self) -> Vec<usize> {
        let Layout { shape, strides, offset } = &self.slot.layout;
        (0..self.slot.layout.size())
            .map(|i| {
                let (mut rest, mut at) = (i, *offset as isize);
                for (n, step) in shape.iter().zip(strides).rev() {
                    at += (rest % n) as isize * step;
                    rest /= n;
                }
                at as usize
            })
            .collect()
    }

    fn downloaded(&self, gpu: &Cuda) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes.len()];
        gpu.download(&self.slot.buffer, 0, &mut bytes).unwrap();
        bytes
    }
}

/// Index arrays of one shape for axes of these lengths, and for each tuple the number of its place.
fn tuples(gpu: &Cuda, lengths: &[usize], count: usize, seed: u64) -> (Vec<Slot>, Vec<usize>) {
    let mut numbers = Numbers(seed);
    let mut places = vec![0; count];
    let slots = lengths.iter().map(|&n| {
        let index: Vec<i64> = (0..count).map(|_| (numbers.next() % n as u64) as i64).collect();
        places.iter_mut().zip(&index).for_each(|(place, &i)| *place = *place * n + i as usize);
        upload(gpu, &index, &[count], DType::I64)
    });
    let slots = slots.collect();
    (slots, places)
}

/// Shape, strides, first byte and indexed axes of arrays of elements of `size` bytes.
fn layouts(size: isize) -> Vec<(Vec<usize>, Vec<isize>, usize, usize)> {
    vec![
        (vec![37], vec![size], 0, 1),
        (vec![37], vec![-3 * size], 36 * 3 * size as usize, 1),
        (vec![9, 5], vec![5 * size, size], 0, 1),
        (vec![9, 5], vec![5 * size, size], 0, 2),
        (vec![5, 9], vec![size, 5 * size], 0, 1),
        (vec![6, 4, 8], vec![size, 48 * size, 6 * size], 0, 1),
        (vec![6, 4, 3, 8], vec![96 * size, 24 * size, -8 * size, size], 16 * size as usize, 2),
        (vec![7, 16], vec![16 * size, size], 0, 1),
        (vec![7, 5], vec![size, size], 0, 1),
        (vec![70, 45], vec![size, 70 * size], 0, 1),
        (vec![5, 3, 4, 9], vec![size, 180 * size, 5 * size, 20 * size], 0, 2),
        (vec![7, 5], vec![5 * size + 1, size], 1, 1),
    ]
}

#[test]
fn rows_are_gathered_from_every_layout() {
    let Some(gpu) = gpu() else { return };
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64, DType::C128] {
        let size = dtype.size();
        for (case, (shape, strides, offset, axes)) in layouts(size as isize).into_iter().enumerate() {
            let source = Strided::new(gpu, &shape, &strides, offset, dtype);
            let (indices, places) = tuples(gpu, &shape[..axes], 50, case as u64);
            let mut out_shape = vec![50];
            out_shape.extend(&shape[axes..]);
            let out = empty(gpu, &out_shape, dtype);
            call(gpu, &Call::Gather { source: &source.slot, indices: &indices, unchecked: None, out: &out })
                .unwrap();
            let (row, at) = (shape[axes..].iter().product::<usize>(), source.offsets());
            let want: Vec<u8> = places
                .iter()
                .flat_map(|place| &at[place * row..][..row])
                .flat_map(|&from| &source.bytes[from..from + size])
                .copied()
                .collect();
            assert_eq!(download::<u8>(gpu, &out), want, "{dtype:?}, layout {case}");
        }
    }
}

#[test]
fn of_several_writes_the_last_stays() {
    let Some(gpu) = gpu() else { return };
    // Few tuples; many for the places; many, but few for the places.
    for (count, places_of) in [(1, 5), (2, 1), (700, 40), (5000, 300), (5000, 3_000_000)] {
        for (dtype, row) in [(DType::I16, 1), (DType::F32, 1), (DType::U8, 3), (DType::F64, 4)] {
            let mut target = Strided::contiguous(gpu, &[places_of, row], dtype);
            let (indices, places) = tuples(gpu, &[places_of], count, count as u64);
            let value = Strided::contiguous(gpu, &[count, row], dtype);
            let call_it = Call::Scatter {
                target: &target.slot,
                indices: &indices,
                value: &value.slot,
                op: None,
                later: None,
            };
            call(gpu, &call_it).unwrap();
            let bytes = row * dtype.size();
            for (k, place) in places.iter().enumerate() {
                target.bytes[place * bytes..][..bytes].copy_from_slice(&value.bytes[k * bytes..][..bytes]);
            }
            assert_eq!(target.downloaded(gpu), target.bytes, "{dtype:?}: {count} to {places_of}");
        }
    }
}

#[test]
fn rows_are_scattered_into_every_layout() {
    let Some(gpu) = gpu() else { return };
    for dtype in [DType::U8, DType::F32, DType::C64, DType::C128] {
        let size = dtype.size();
        for (case, (shape, strides, offset, axes)) in layouts(size as isize).into_iter().enumerate() {
            if case == 8 {
                continue; // elements of this one are in several places
            }
            let mut target = Strided::new(gpu, &shape, &strides, offset, dtype);
            let (indices, places) = tuples(gpu, &shape[..axes], 30, case as u64);
            let row = shape[axes..].iter().product::<usize>();
            let mut value_shape = vec![30];
            value_shape.extend(&shape[axes..]);
            let mut value = Strided::contiguous(gpu, &value_shape, dtype);
            let is_one_row = case % 2 == 1;
            if is_one_row {
                value.slot.layout.strides[0] = 0;
            }
            let call_it = Call::Scatter {
                target: &target.slot,
                indices: &indices,
                value: &value.slot,
                op: None,
                later: None,
            };
            call(gpu, &call_it).unwrap();
            let at = target.offsets();
            for (k, place) in places.iter().enumerate() {
                for r in 0..row {
                    let from = (if is_one_row { 0 } else { k * row } + r) * size;
                    target.bytes[at[place * row + r]..][..size].copy_from_slice(&value.bytes[from..][..size]);
                }
            }
            assert_eq!(target.downloaded(gpu), target.bytes, "{dtype:?}, layout {case}");
        }
    }
}

fn check_fold<T: Copy + Default + PartialEq + std::fmt::Debug>(
    dtype: DType,
    op: Op,
    make: impl Fn(u64) -> T,
    turn: impl Fn(T, T) -> T,
) {
    let Some(gpu) = gpu() else { return };
    for (count, places_of, row) in [(3, 4, 1), (2000, 3, 1), (600, 300, 1), (500, 70_000, 1), (90, 7, 5)] {
        let mut numbers = Numbers(count as u64);
        let mut want: Vec<T> = (0..places_of * row).map(|_| make(numbers.next())).collect();
        let value: Vec<T> = (0..count * row).map(|_| make(numbers.next())).collect();
        let target = upload(gpu, &want, &[places_of, row], dtype);
        let values = upload(gpu, &value, &[count, row], dtype);
        let (indices, places) = tuples(gpu, &[places_of], count, 5);
        call(
            gpu,
            &Call::Scatter { target: &target, indices: &indices, value: &values, op: Some(op), later: None },
        )
        .unwrap();
        for (k, place) in places.iter().enumerate() {
            for r in 0..row {
                let x = &mut want[place * row + r];
                *x = turn(*x, value[k * row + r]);
            }
        }
        assert_eq!(
            download::<T>(gpu, &target),
            want,
            "{op:?} {dtype:?}: {count} to {places_of} rows of {row}"
        );
    }
}

#[test]
fn every_tuple_has_its_turn() {
    let float = |x: u64| (x % 1000) as f64 / 7.0;
    check_fold::<f64>(DType::F64, Op::Add, float, |a, b| a + b);
    check_fold::<f32>(DType::F32, Op::Subtract, |x| float(x) as f32, |a, b| a - b);
    check_fold::<f64>(DType::F64, Op::Maximum, float, f64::max);
    check_fold::<i64>(DType::I64, Op::Add, |x| x as i64, i64::wrapping_add);
    check_fold::<i32>(DType::I32, Op::Subtract, |x| x as i32, i32::wrapping_sub);
    check_fold::<u64>(DType::U64, Op::Maximum, |x| x, u64::max);
    check_fold::<i32>(DType::I32, Op::Minimum, |x| x as i32, i32::min);
    check_fold::<u32>(DType::U32, Op::BitwiseXor, |x| x as u32, |a, b| a ^ b);
    check_fold::<i16>(DType::I16, Op::Multiply, |x| x as i16 | 1, i16::wrapping_mul);
    check_fold::<i8>(DType::I8, Op::Add, |x| x as i8, i8::wrapping_add);
    check_fold::<u8>(DType::U8, Op::Minimum, |x| x as u8, u8::min);
    check_fold::<u64>(DType::U64, Op::Multiply, |x| x | 1, u64::wrapping_mul);
    check_fold::<u8>(DType::Bool, Op::Add, |x| u8::from(x.is_multiple_of(9)), |a, b| a | b);
    check_fold::<i32>(DType::I32, Op::FloorDivide, |x| 1 + (x % 3) as i32, |a, b| a / b);
}

#[test]
fn turns_in_another_dtype_are_converted_each_time() {
    let Some(gpu) = gpu() else { return };
    let target = upload(gpu, &[10i32, 20, 30], &[3], DType::I32);
    let value = upload(gpu, &[0.5f64, 0.75, 1.5, 0.75], &[4], DType::F64);
    let index = upload(gpu, &[0i64, 2, 2, 0], &[4], DType::I64);
    let (indices, op) = ([index], Some(Op::Add));
    call(gpu, &Call::Scatter { target: &target, indices: &indices, value: &value, op, later: None }).unwrap();
    assert_eq!(download::<i32>(gpu, &target), [10, 20, 31]);
}

#[test]
fn strided_targets_are_combined_in_place() {
    let Some(gpu) = gpu() else { return };
    for odd in [0, 1] {
        let mut target = Strided::new(gpu, &[6, 3], &[4, 32 + odd], 2 * odd as usize, DType::F32);
        let at = target.offsets();
        for &x in &at {
            target.bytes[x..x + 4].copy_from_slice(&1.5f32.to_le_bytes());
        }
        gpu.upload(&target.slot.buffer, 0, &target.bytes).unwrap();
        let (indices, places) = tuples(gpu, &[6], 20, 3);
        let value: Vec<f32> = (0..60).map(|i| i as f32 / 3.0).collect();
        let values = upload(gpu, &value, &[20, 3], DType::F32);
        let op = Some(Op::Add);
        call(
            gpu,
            &Call::Scatter { target: &target.slot, indices: &indices, value: &values, op, later: None },
        )
        .unwrap();
        for (k, place) in places.iter().enumerate() {
            for r in 0..3 {
                let bytes = &mut target.bytes[at[place * 3 + r]..][..4];
                let x = f32::from_le_bytes(bytes.try_into().unwrap()) + value[k * 3 + r];
                bytes.copy_from_slice(&x.to_le_bytes());
            }
        }
        assert_eq!(target.downloaded(gpu), target.bytes, "odd: {odd}");
    }
}

#[test]
fn positions_are_counted_from_the_front_and_the_first_bad_one_is_named() {
    let Some(gpu) = gpu() else { return };
    for (count, bad) in [(1, None), (1000, Some(713)), (300_000, Some(299_999)), (300_000, Some(70_000))] {
        let mut numbers = Numbers(count as u64);
        let mut index: Vec<i64> = (0..count).map(|_| (numbers.next() % 200) as i64 - 100).collect();
        if let Some(bad) = bad {
            index[bad] = 100;
            index[count - 1] = -101;
        }
        let slot = upload(gpu, &index, &[count], DType::I64);
        let fault = upload(gpu, &[7i64], &[], DType::I64);
        call(gpu, &Call::CheckIndices { indices: &slot, size: 100, report: ReportTo::Slot(&fault) }).unwrap();
        assert_eq!(download::<i64>(gpu, &fault), [bad.map_or(-1, |bad| bad as i64)]);
        let want = index.iter().map(|&i| if (-100..0).contains(&i) { i + 100 } else { i });
        assert_eq!(download::<i64>(gpu, &slot), want.collect::<Vec<_>>());
    }
}

#[test]
fn a_bad_position_is_raised_when_somebody_waits_and_nothing_is_written() {
    let Some(gpu) = gpu() else { return };
    for (count, bad) in [(3, 1), (300_000, 70_001)] {
        let mut numbers = Numbers(count as u64);
        let mut index: Vec<i64> = (0..count).map(|_| (numbers.next() % 200) as i64 - 100).collect();
        (index[bad], index[count - 1]) = (-101, 100);
        let target = upload(gpu, &[7i64; 100], &[100], DType::I64);
        let value = upload(gpu, &vec![1i64; count], &[count], DType::I64);
        for op in [None, Some(Op::Add)] {
            let mark = gpu.begin_check("put").unwrap().unwrap();
            let positions = upload(gpu, &index, &[count], DType::I64);
            let report = ReportTo::Check(&mark, 2);
            call(gpu, &Call::CheckIndices { indices: &positions, size: 100, report }).unwrap();
            let indices = std::slice::from_ref(&positions);
            let later = Some(&mark);
            call(gpu, &Call::Scatter { target: &target, indices, value: &value, op, later }).unwrap();
            match gpu.gpu().synchronize() {
                Err(Error::Index { op, index, axis, size }) => {
                    assert_eq!((&*op, index, axis, size), ("put", -101, 2, 100));
                }
                other => panic!("{other:?}"),
            }
            let want = index.iter().map(|&i| if i < 0 { i + 100 } else { i });
            let want = want.map(|i| if (0..100).contains(&i) { i } else { 0 });
            assert_eq!(download::<i64>(gpu, &positions), want.collect::<Vec<_>>());
            assert_eq!(download::<i64>(gpu, &target), [7; 100]);
        }
    }
}

#[test]
fn a_gather_checks_its_positions() {
    let Some(gpu) = gpu() else { return };
    for dtype in [DType::U8, DType::F32, DType::C128] {
        let size = dtype.size();
        for (case, (shape, strides, offset, _)) in layouts(size as isize).into_iter().enumerate() {
            let (source, length) = (Strided::new(gpu, &shape, &strides, offset, dtype), shape[0] as i64);
            let mut out_shape = vec![3000];
            out_shape.extend(&shape[1..]);
            let (row, at) = (shape[1..].iter().product::<usize>(), source.offsets());
            let good: Vec<i64> = (0..3000).map(|i| (i * 7919) % (2 * length) - length).collect();
            let mut bad = good.clone();
            (bad[1234], bad[2999]) = (length, -length - 1);
            for (given, is_wide) in
                [(&good, true), (&bad, true), (&good, false), (&bad, false), (&good, true)]
            {
                let narrow: Vec<i32> = given.iter().map(|&i| i as i32).collect();
                let positions = match is_wide {
                    true => upload(gpu, given, &[3000], DType::I64),
                    false => upload(gpu, &narrow, &[3000], DType::I32),
                };
                let out = empty(gpu, &out_shape, dtype);
                let mark = gpu.begin_check("take").unwrap().unwrap();
                let (indices, unchecked) =
                    (std::slice::from_ref(&positions), Some(ReportTo::Check(&mark, 3)));
                call(gpu, &Call::Gather { source: &source.slot, indices, unchecked, out: &out }).unwrap();
                match gpu.gpu().synchronize() {
                    Ok(()) => assert_eq!(given, &good, "{dtype:?}, layout {case}"),
                    Err(Error::Index { op, index, axis, size }) => {
                        assert_eq!((&*op, index, axis, size), ("take", length, 3, shape[0]));
                        assert_eq!(given, &bad, "{dtype:?}, layout {case}");
                    }
                    other => panic!("{other:?}"),
                }
                let place = |&i: &i64| if i < 0 { i + length } else { i };
                let place = |i| if (0..length).contains(&place(i)) { place(i) as usize } else { 0 };
                let want: Vec<u8> = given
                    .iter()
                    .flat_map(|i| &at[place(i) * row..][..row])
                    .flat_map(|&from| &source.bytes[from..from + size])
                    .copied()
                    .collect();
                assert_eq!(download::<u8>(gpu, &out), want, "{dtype:?}, layout {case}");
                match is_wide {
                    true => assert_eq!(&download::<i64>(gpu, &positions), given, "positions are the user's"),
                    false => assert_eq!(download::<i32>(gpu, &positions), narrow, "positions are the user's"),
                }
            }
        }
    }
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for (axes, stamp) in [(1, 4), (3, 4), (2, 8)] {
        compiles("last_writer", &last_writer::text(axes, stamp));
    }
    for (axes, key) in [(1, DType::U8), (2, DType::U16), (3, DType::U32), (1, DType::U64)] {
        compiles("sorted_tuples", &fold::text_of_sorted_tuples(axes, key));
    }
    for (case, (shape, strides, offset, axes)) in layouts(4).into_iter().enumerate() {
        let layout = Layout { shape: shape.into(), strides: strides.into(), offset };
        let slot = nowhere(layout, DType::F32);
        let index = nowhere(Layout::contiguous(&[5], 8), DType::I64);
        let indices = vec![index.clone(); axes];
        let moves = RowCopy::new(&slot, axes, &[]);
        for total in [100, 1 << 40] {
            let mut prepared = moves.prepare(&slot, &Places::Tuples(&indices), total);
            (prepared.keep, prepared.stamp) = (case as u32 % 3, if total > 100 { 8 } else { 4 });
            compiles(&format!("tuples, layout {case}"), &prepared.text());
            let prepared = moves.prepare(&slot, &Places::Numbered(&index, axes), total);
            compiles(&format!("numbers, layout {case}"), &prepared.text());
            if axes == 1 {
                let check = CheckArgument::placeholder();
                let prepared = moves.prepare(&slot, &Places::Unchecked(&index, &check), total);
                compiles(&format!("unchecked, layout {case}"), &prepared.text());
            }
        }
    }
    let ops = [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::FloorDivide, Op::BitwiseXor, Op::Less];
    for (i, dtype) in DType::ALL.into_iter().enumerate() {
        // Every dtype and every op, by turns.
        for op in ops.into_iter().cycle().skip(i % 3).step_by(3).take(3).filter(|op| op.has_loop(dtype)) {
            let target = nowhere(Layout::contiguous(&[3, 4], dtype.size()), dtype);
            let index = nowhere(Layout::contiguous(&[2], 8), DType::I64);
            let prepared = RowCopy::of_elements(&target, 1).prepare(&target, &Places::Tuples(&[index]), 8);
            compiles(
                &format!("{op:?} {dtype:?}"),
                &Folding { op, target: dtype, inner: dtype }.text(&prepared),
            );
        }
    }
}

/// An array that only a text is made for.
fn nowhere(layout: Layout, dtype: DType) -> Slot {
    // SAFETY: there are no bytes.
    let buffer = unsafe { Buffer::new(DeviceKind::Cuda(0), 0, 0, Arc::new(())) };
    Slot { buffer, layout, dtype }
}
