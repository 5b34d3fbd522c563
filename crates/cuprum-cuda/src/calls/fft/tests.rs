//! Transforms beside their definition, along any axes of any layout.

use cuprum_core::{DType, Layout};
use cuprum_graph::{Call, FftCall, FftKind, Slot};

use crate::calls::testing::{Numbers, call, download, empty, gpu, upload};
use crate::device::Cuda;
use crate::sys::cufft;

fn ready() -> Option<&'static Cuda> {
    if let Err(missing) = cufft() {
        println!("skipped: {missing}");
        return None;
    }
    gpu()
}

type Complex = [f64; 2];

/// Where the elements of a shape are in C order, a line along an axis at a time.
fn lines(shape: &[usize], axis: usize) -> Vec<Vec<usize>> {
    let inner: usize = shape[axis + 1..].iter().product();
    let count = shape.iter().product::<usize>() / shape[axis].max(1);
    (0..count)
        .map(|line| {
            let start = line / inner * inner * shape[axis] + line % inner;
            (0..shape[axis]).map(|i| start + i * inner).collect()
        })
        .collect()
}

/// The sum of the definition, for one line.
fn sums(line: &[Complex], length: usize, sign: f64) -> Vec<Complex> {
    let term = |x: Complex, j: usize, k: usize| {
        let (sin, cos) =
            (sign * 2.0 * std::f64::consts::PI * ((j * k) % length) as f64 / length as f64).sin_cos();
        [x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos]
    };
    let sum = |k: usize| {
        let terms = line.iter().take(length).enumerate().map(|(j, &x)| term(x, j, k));
        terms.fold([0.0; 2], |sum, x| [sum[0] + x[0], sum[1] + x[1]])
    };
    (0..length).map(sum).collect()
}

/// Replaces every line along an axis by what `change` makes of it.
fn along(
    values: &[Complex],
    shape: &mut [usize],
    axis: usize,
    change: impl Fn(Vec<Complex>) -> Vec<Complex>,
) -> Vec<Complex> {
    let made: Vec<Vec<Complex>> = lines(shape, axis)
        .into_iter()
        .map(|line| change(line.into_iter().map(|at| values[at]).collect()))
        .collect();
    shape[axis] = made[0].len();
    let mut out = vec![[0.0; 2]; shape.iter().product()];
    for (line, made) in lines(shape, axis).into_iter().zip(made) {
        line.into_iter().zip(made).for_each(|(at, x)| out[at] = x);
    }
    out
}

/// The transform by definition, of a dense array.
fn expected(call: &FftCall<'_>, values: &[Complex], shape: &[usize]) -> Vec<Complex> {
    let sign = if call.inverse { 1.0 } else { -1.0 };
    let (mut shape, mut values) = (shape.to_vec(), values.to_vec());
    let last = call.axes.len() - 1;
    let order: Vec<usize> = match call.kind {
        FftKind::HalfToReal => (0..=last).collect(),
        _ => (0..=last).rev().collect(),
    };
    for which in order {
        let (axis, n) = (call.axes[which], call.lengths[which]);
        values = match call.kind {
            FftKind::RealToHalf if which == last => along(&values, &mut shape, axis, |line| {
                sums(&line, n, sign).into_iter().take(n / 2 + 1).collect()
            }),
            FftKind::HalfToReal if which == last => along(&values, &mut shape, axis, |line| {
                let mut whole = vec![[0.0; 2]; n];
                for (k, &x) in line.iter().enumerate().take(n / 2 + 1) {
                    whole[k] = if k == 0 || 2 * k == n { [x[0], 0.0] } else { x };
                    if k > 0 && 2 * k != n {
                        whole[n - k] = [x[0], -x[1]];
                    }
                }
                sums(&whole, n, sign)
            }),
            _ => along(&values, &mut shape, axis, |line| sums(&line, n, sign)),
        };
    }
    values.into_iter().map(|x| x.map(|part| part * call.scale)).collect()
}

/// Runs one transform of numbers that lie as `layout` says, into a dense result and into one with gaps.
fn check(gpu: &Cuda, kind: FftKind, layout: &Layout, axes: &[usize], lengths: &[usize], inverse: bool) {
    let real_in = kind == FftKind::RealToHalf;
    let (parts, dtype) = if real_in { (1, DType::F64) } else { (2, DType::C128) };
    let mut numbers = Numbers(layout.size() as u64 + lengths[0] as u64);
    let memory: Vec<f64> =
        (0..layout.extent(8 * parts).1 / 8).map(|_| (numbers.next() % 1000) as f64 / 500.0 - 1.0).collect();
    let input = Slot { layout: layout.clone(), ..upload(gpu, &memory, &[memory.len() / parts], dtype) };
    let mut places = vec![layout.offset as isize];
    for (&length, &stride) in layout.shape.iter().zip(&layout.strides) {
        places = places.iter().flat_map(|&at| (0..length as isize).map(move |i| at + i * stride)).collect();
    }
    let value = |at: isize| {
        let at = at as usize / 8;
        [memory[at], if real_in { 0.0 } else { memory[at + 1] }]
    };
    let values: Vec<Complex> = places.into_iter().map(value).collect();
    let mut shape = layout.shape.to_vec();
    for (&axis, &length) in axes.iter().zip(lengths) {
        shape[axis] = length;
    }
    if real_in {
        let last = axes[axes.len() - 1];
        shape[last] = shape[last] / 2 + 1;
    }
    let real_out = kind == FftKind::HalfToReal;
    let out_dtype = if real_out { DType::F64 } else { DType::C128 };
    let mut gaps = shape.clone();
    *gaps.last_mut().unwrap() *= 2;
    for gapped in [false, true] {
        let whole = empty(gpu, if gapped { &gaps } else { &shape }, out_dtype);
        let last = shape.len() - 1;
        let step = if gapped { 2 } else { 1 };
        let out = Slot { layout: whole.layout.slice_axis(last, 0, step, shape[last]), ..whole.clone() };
        let wanted = FftCall { kind, inverse, axes, lengths, scale: 0.5, input: &input, out: &out };
        call(gpu, &Call::Fft(FftCall { ..wanted })).unwrap();
        let found: Vec<f64> = download(gpu, &whole);
        let width = if real_out { 1 } else { 2 };
        let answer = expected(&wanted, &values, &layout.shape);
        assert_eq!(found.len(), answer.len() * width * step as usize);
        for (at, &wanted) in answer.iter().enumerate() {
            for part in 0..width {
                let got = found[(at * step as usize) * width + part];
                let near = (got - wanted[part]).abs() < 1e-9;
                assert!(near, "{kind:?} {axes:?} {lengths:?} {layout:?} at {at}: {got} {wanted:?}");
            }
        }
        // The input is as it was.
        assert_eq!(
            download::<f64>(
                gpu,
                &Slot { layout: Layout::contiguous(&[memory.len() / parts], 8 * parts), ..input.clone() }
            ),
            memory
        );
    }
}

const KINDS: [FftKind; 3] = [FftKind::Complex, FftKind::RealToHalf, FftKind::HalfToReal];

fn size_in(kind: FftKind) -> usize {
    if kind == FftKind::RealToHalf { 8 } else { 16 }
}

#[test]
fn one_axis_of_every_place_and_length() {
    let Some(gpu) = ready() else { return };
    for kind in KINDS {
        for inverse in [false, true] {
            for axis in 0..3 {
                for length in [1, 2, 5, 6, 9] {
                    let layout = Layout::contiguous(&[4, 5, 6], size_in(kind));
                    check(gpu, kind, &layout, &[axis], &[length], inverse);
                }
            }
        }
    }
}

#[test]
fn several_axes_in_any_order() {
    let Some(gpu) = ready() else { return };
    for kind in KINDS {
        let layout = Layout::contiguous(&[3, 4, 2, 5], size_in(kind));
        for axes in [&[0, 1][..], &[3, 1], &[0, 2, 3], &[2, 0, 1], &[0, 1, 2, 3], &[3, 2, 1, 0]] {
            let lengths: Vec<usize> = axes.iter().map(|&axis| layout.shape[axis] + axis % 2).collect();
            for inverse in [false, true] {
                check(gpu, kind, &layout, axes, &lengths, inverse);
            }
        }
    }
}

#[test]
fn layouts_with_steps_gaps_and_repetitions() {
    let Some(gpu) = ready() else { return };
    for kind in KINDS {
        let size = size_in(kind);
        let whole = Layout::contiguous(&[20, 6, 20], size);
        let once = Layout::contiguous(&[6], size).broadcast_to("fft", &[3, 6]).unwrap();
        check(gpu, kind, &whole, &[1], &[6], false);
        check(gpu, kind, &whole.permute(&[2, 1, 0]), &[1, 2], &[6, 20], true);
        check(gpu, kind, &whole.slice_axis(2, 1, 2, 7), &[2], &[8], false);
        check(gpu, kind, &whole.slice_axis(1, 5, -1, 6), &[1], &[6], true);
        check(gpu, kind, &once, &[1], &[6], false);
    }
}
