//! Filters on a GPU against plain loops on the host, bit for bit.

use cuprum_core::{DType, Number, Scalar};
use cuprum_graph::{Boundary, Call, Extension, FilterCall, Footprint, LineOp, Slot, WindowOp};

use super::{ComputedIn, Opening, line, products, rank, window};
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};
use crate::device::Cuda;

const EXTENSIONS: [Extension; 5] =
    [Extension::Reflect, Extension::Mirror, Extension::Nearest, Extension::Wrap, Extension::Constant];

/// The position that stands at `index` of an axis, by walking there step by step.
fn position(index: isize, length: usize, extension: Extension) -> Option<usize> {
    let n = length as isize;
    let mut i = index;
    while !(0..n).contains(&i) {
        i = match extension {
            Extension::Constant => return None,
            Extension::Nearest => i.clamp(0, n - 1),
            Extension::Wrap => i + if i < 0 { n } else { -n },
            Extension::Reflect => {
                if i < 0 {
                    -1 - i
                } else {
                    2 * n - 1 - i
                }
            }
            Extension::Mirror if n == 1 => 0,
            Extension::Mirror => {
                if i < 0 {
                    -i
                } else {
                    2 * n - 2 - i
                }
            }
        };
    }
    Some(i as usize)
}

/// The elements of every output's window, in C order of the window.
fn windows<T: Copy>(
    values: &[T],
    shape: &[usize],
    out: &[usize],
    window: &[usize],
    starts: &[isize],
    boundary: (Extension, T),
) -> Vec<Vec<T>> {
    let unravel = |mut i: usize, shape: &[usize]| {
        let mut index = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            index[axis] = i % shape[axis];
            i /= shape[axis];
        }
        index
    };
    let element = |o: &[usize], w: &[usize]| {
        let mut at = Some(0);
        for axis in 0..shape.len() {
            let there = position((o[axis] + w[axis]) as isize + starts[axis], shape[axis], boundary.0);
            at = at.zip(there).map(|(at, there)| at * shape[axis] + there);
        }
        at.map_or(boundary.1, |at| values[at])
    };
    let count = window.iter().product();
    (0..out.iter().product())
        .map(|i| {
            let o = unravel(i, out);
            (0..count).map(|w| element(&o, &unravel(w, window))).collect()
        })
        .collect()
}

fn floats(n: usize, seed: u64) -> Vec<f64> {
    let mut numbers = Numbers(seed);
    (0..n).map(|_| (numbers.next() % 20_000) as f64 / 64.0 - 150.0).collect()
}

fn fill_of(number: f64, dtype: DType) -> Scalar {
    Scalar::wrapping(Number::Float(number), dtype)
}

fn run(gpu: &Cuda, filter: FilterCall<'_>) {
    call(gpu, &Call::Filter(filter)).unwrap();
}

/// Input shape, axis and output length, window length and start.
const LINES: [(&[usize], usize, usize, usize, isize); 11] = [
    (&[2, 2600], 1, 2600, 9, -4),
    (&[1400], 0, 1437, 6, -20),
    (&[40, 70], 0, 41, 49, -24),
    (&[3, 2, 5], 1, 2, 1, 0),
    (&[300], 0, 300, 5, -2),
    (&[7, 11], 1, 11, 4, -1),
    (&[7, 11], 0, 7, 9, -4),
    (&[3, 5, 6], 1, 5, 23, -11),
    (&[4, 9], 1, 14, 3, -5),
    (&[2, 1, 3], 1, 1, 7, -3),
    (&[900], 0, 640, 260, 0),
];

#[test]
fn lines_are_correlated_in_the_documented_order() {
    let Some(gpu) = gpu() else { return };
    for (shape, axis, length, size, start) in LINES {
        let n: usize = shape.iter().product();
        let values = floats(n, 3);
        let input = upload(gpu, &values, shape, DType::F64);
        let mut out_shape = shape.to_vec();
        out_shape[axis] = length;
        let mut weights = floats(size, 9);
        for kind in 0..3 {
            for i in 0..size / 2 {
                weights[size - 1 - i] = [weights[size - 1 - i], weights[i], -weights[i]][kind];
            }
            for extension in EXTENSIONS {
                let out = empty(gpu, &out_shape, DType::F64);
                let op = LineOp::Correlate(&weights);
                let boundary = Boundary { extension, fill: fill_of(2.5, DType::F64) };
                run(gpu, FilterCall::Line { op, input: &input, out: &out, axis, start, boundary });
                let (mut box_shape, mut starts) = (vec![1; shape.len()], vec![0; shape.len()]);
                (box_shape[axis], starts[axis]) = (size, start);
                let seen = windows(&values, shape, &out_shape, &box_shape, &starts, (extension, 2.5));
                let want: Vec<f64> = seen.iter().map(|x| correlated(x, &weights, kind)).collect();
                assert_eq!(download::<f64>(gpu, &out), want, "{shape:?} axis {axis} {extension:?} {kind}");
            }
        }
    }
}

fn correlated(x: &[f64], weights: &[f64], kind: usize) -> f64 {
    let (n, half) = (x.len(), x.len() / 2);
    if kind == 0 || n % 2 == 0 {
        let first = x[n - 1] * weights[n - 1];
        return (0..n - 1).fold(first, |sum, i| sum + x[i] * weights[i]);
    }
    let pair = |i: usize| if kind == 1 { x[i] + x[n - 1 - i] } else { x[i] - x[n - 1 - i] };
    (0..half).fold(x[half] * weights[half], |sum, i| sum + pair(i) * weights[i])
}

#[test]
fn lines_have_means_and_extrema() {
    let Some(gpu) = gpu() else { return };
    for (shape, axis, length, size, start) in LINES {
        let n: usize = shape.iter().product();
        // Whole numbers: their sums do not depend on the order.
        let mut values: Vec<f32> = floats(n, 5).iter().map(|x| x.trunc() as f32).collect();
        let input = upload(gpu, &values, shape, DType::F32);
        let mut out_shape = shape.to_vec();
        out_shape[axis] = length;
        let (mut box_shape, mut starts) = (vec![1; shape.len()], vec![0; shape.len()]);
        (box_shape[axis], starts[axis]) = (size, start);
        for extension in EXTENSIONS {
            let out = empty(gpu, &out_shape, DType::F32);
            let boundary = Boundary { extension, fill: fill_of(-7.0, DType::F64) };
            let op = LineOp::Mean(size);
            run(gpu, FilterCall::Line { op, input: &input, out: &out, axis, start, boundary });
            let seen = windows(&values, shape, &out_shape, &box_shape, &starts, (extension, -7.0));
            let mean = |x: &Vec<f32>| (x.iter().map(|&x| f64::from(x)).sum::<f64>() / size as f64) as f32;
            let want: Vec<f32> = seen.iter().map(mean).collect();
            assert_eq!(download::<f32>(gpu, &out), want, "mean {shape:?} axis {axis} {extension:?}");
        }
        values[n / 3] = f32::NAN;
        values[n / 2] = -0.0;
        let input = upload(gpu, &values, shape, DType::F32);
        for extension in EXTENSIONS {
            let seen = windows(&values, shape, &out_shape, &box_shape, &starts, (extension, -7.0));
            for (op, sign) in [(LineOp::Minimum(size), -1.0), (LineOp::Maximum(size), 1.0)] {
                let out = empty(gpu, &out_shape, DType::F32);
                let boundary = Boundary { extension, fill: fill_of(-7.0, DType::F32) };
                run(gpu, FilterCall::Line { op, input: &input, out: &out, axis, start, boundary });
                let got = download::<f32>(gpu, &out);
                for (i, x) in seen.iter().enumerate() {
                    let best = x.iter().fold(f32::NEG_INFINITY, |best, x| best.max(sign * x)) * sign;
                    let has_nan = x.iter().any(|x| x.is_nan());
                    let good = if has_nan { got[i].is_nan() } else { got[i] == best };
                    assert!(good, "{op:?} {shape:?} axis {axis} {extension:?}: {} for {x:?}", got[i]);
                }
            }
        }
    }
}

/// A footprint whose places are those of the box but every `without`th.
fn footprint(shape: &[usize], starts: &[isize], without: usize) -> Footprint {
    let count: usize = shape.iter().product();
    let places = (0..count).filter(|i| without == 0 || i % without != 1).collect();
    Footprint { shape: shape.into(), starts: starts.into(), places }
}

/// Input and output shape, window and starts, places left out.
type WindowCase = (&'static [usize], &'static [usize], &'static [usize], &'static [isize], usize);
const WINDOWS: [WindowCase; 7] = [
    (&[40], &[40], &[3], &[-1], 0),
    (&[9, 13], &[9, 13], &[3, 3], &[-1, -1], 0),
    (&[9, 13], &[9, 13], &[4, 5], &[-2, -1], 3),
    (&[3, 4, 8, 9], &[3, 4, 8, 9], &[1, 1, 5, 5], &[0, 0, -2, -2], 0),
    (&[6, 5, 4], &[7, 3, 4], &[2, 3, 2], &[-1, 0, -3], 2),
    (&[15, 14], &[15, 14], &[9, 7], &[-4, -3], 0),
    (&[2, 3], &[2, 3], &[7, 9], &[-3, -4], 4),
];

#[test]
fn windows_are_folded_and_ranked() {
    let Some(gpu) = gpu() else { return };
    for (shape, out_shape, box_shape, starts, without) in WINDOWS {
        let print = footprint(box_shape, starts, without);
        let (n, count) = (shape.iter().product(), print.places.len());
        let values: Vec<i16> = floats(n, 21).iter().map(|x| *x as i16).collect();
        let input = upload(gpu, &values, shape, DType::I16);
        let numbers: Vec<f64> = floats(count, 2);
        for extension in EXTENSIONS {
            let every = windows(&values, shape, out_shape, box_shape, starts, (extension, 11));
            let seen: Vec<Vec<i16>> =
                every.iter().map(|x| print.places.iter().map(|&p| x[p]).collect()).collect();
            let label = format!("{shape:?} {box_shape:?} {extension:?}");
            let filtered = |op, out: &Slot, fill: DType| {
                let boundary = Boundary { extension, fill: fill_of(11.0, fill) };
                let footprint = &print;
                run(gpu, FilterCall::Window { op, input: &input, out, footprint, boundary });
            };
            let out = empty(gpu, out_shape, DType::I16);
            let mut sorted = seen.clone();
            sorted.iter_mut().for_each(|x| x.sort_unstable());
            let ranked = |rank: usize| sorted.iter().map(|x| x[rank]).collect::<Vec<_>>();
            filtered(WindowOp::Minimum, &out, DType::I16);
            assert_eq!(download::<i16>(gpu, &out), ranked(0), "minimum {label}");
            filtered(WindowOp::Maximum, &out, DType::I16);
            assert_eq!(download::<i16>(gpu, &out), ranked(count - 1), "maximum {label}");
            for rank in [0, 1 % count, count / 2, count - 1] {
                filtered(WindowOp::Rank(rank), &out, DType::I16);
                assert_eq!(download::<i16>(gpu, &out), ranked(rank), "rank {rank} {label}");
            }
            let out = empty(gpu, out_shape, DType::F64);
            let fold = |first: f64, turn: fn(f64, f64, f64) -> f64| {
                let one = |x: &Vec<i16>| {
                    x.iter().zip(&numbers).fold(first, |sum, (x, w)| turn(sum, f64::from(*x), *w))
                };
                seen.iter().map(one).collect::<Vec<f64>>()
            };
            filtered(WindowOp::Correlate(&numbers), &out, DType::F64);
            assert_eq!(download::<f64>(gpu, &out), fold(0.0, |s, x, w| s + x * w), "correlate {label}");
            filtered(WindowOp::MinimumPlus(&numbers), &out, DType::F64);
            let want = fold(f64::INFINITY, |s, x, w| s.min(x + w));
            assert_eq!(download::<f64>(gpu, &out), want, "minimum plus {label}");
            filtered(WindowOp::MaximumPlus(&numbers), &out, DType::F64);
            let want = fold(f64::NEG_INFINITY, |s, x, w| s.max(x + w));
            assert_eq!(download::<f64>(gpu, &out), want, "maximum plus {label}");
        }
    }
}

/// Elements of a real dtype as numbers, for every rank of a window that is partly NaN.
#[test]
fn floats_are_ranked_with_nan_last() {
    let Some(gpu) = gpu() else { return };
    for (size, count) in [(5, 200), (60, 150)] {
        let mut values = floats(count, 8);
        for i in (0..count).step_by(9) {
            values[i] = [f64::NAN, -f64::NAN, f64::INFINITY, -f64::INFINITY][i % 4];
        }
        let input = upload(gpu, &values, &[count], DType::F64);
        let print = footprint(&[size], &[-2], 0);
        let seen = windows(&values, &[count], &[count], &[size], &[-2], (Extension::Wrap, 0.0));
        for rank in [0, 1, size / 2, size - 2, size - 1] {
            let out = empty(gpu, &[count], DType::F64);
            let boundary = Boundary { extension: Extension::Wrap, fill: fill_of(0.0, DType::F64) };
            let (op, footprint) = (WindowOp::Rank(rank), &print);
            run(gpu, FilterCall::Window { op, input: &input, out: &out, footprint, boundary });
            let got = download::<f64>(gpu, &out);
            for (x, got) in seen.iter().zip(got) {
                let mut x = x.clone();
                x.sort_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
                assert!(got == x[rank] || (got.is_nan() && x[rank].is_nan()), "{rank} of {x:?}: {got}");
            }
        }
    }
}

#[test]
fn products_are_taken_in_the_elements_arithmetic() {
    let Some(gpu) = gpu() else { return };
    for (shape, out_shape, box_shape, starts, _) in WINDOWS {
        let (n, count) = (shape.iter().product::<usize>(), box_shape.iter().product::<usize>());
        let mut numbers = Numbers(n as u64);
        let values: Vec<i16> = (0..n).map(|_| numbers.next() as i16).collect();
        let weight: Vec<i16> = (0..count).map(|_| numbers.next() as i16).collect();
        let (input, weights) =
            (upload(gpu, &values, shape, DType::I16), upload(gpu, &weight, box_shape, DType::I16));
        let as_floats = |x: &[i16]| x.iter().map(|&x| f32::from(x) / 64.0).collect::<Vec<f32>>();
        let (real, real_weight) = (as_floats(&values), as_floats(&weight));
        let (real_input, real_weights) =
            (upload(gpu, &real, shape, DType::F32), upload(gpu, &real_weight, box_shape, DType::F32));
        for extension in EXTENSIONS {
            let label = format!("{shape:?} {box_shape:?} {extension:?}");
            let out = empty(gpu, out_shape, DType::I16);
            let boundary = Some(Boundary { extension, fill: fill_of(3.0, DType::I16) });
            run(gpu, FilterCall::Products { input: &input, weights: &weights, out: &out, starts, boundary });
            let seen = windows(&values, shape, out_shape, box_shape, starts, (extension, 3));
            let wrapped = |x: &Vec<i16>| {
                x.iter().zip(&weight).fold(0i16, |sum, (x, w)| sum.wrapping_add(x.wrapping_mul(*w)))
            };
            let want: Vec<i16> = seen.iter().map(wrapped).collect();
            assert_eq!(download::<i16>(gpu, &out), want, "int16 {label}");

            let out = empty(gpu, out_shape, DType::F32);
            let boundary = Some(Boundary { extension, fill: fill_of(3.0, DType::F32) });
            let (input, weights) = (&real_input, &real_weights);
            run(gpu, FilterCall::Products { input, weights, out: &out, starts, boundary });
            let seen = windows(&real, shape, out_shape, box_shape, starts, (extension, 3.0));
            let summed = |x: &Vec<f32>| {
                let products = x.iter().zip(&real_weight).map(|(x, w)| f64::from(*x) * f64::from(*w));
                products.sum::<f64>() as f32
            };
            let want: Vec<f32> = seen.iter().map(summed).collect();
            assert_eq!(download::<f32>(gpu, &out), want, "float32 {label}");
        }
    }
    let input = upload(gpu, &[1u8, 0, 0, 1, 0], &[5], DType::Bool);
    let weights = upload(gpu, &[1u8, 1], &[2], DType::Bool);
    let out = empty(gpu, &[5], DType::Bool);
    run(
        gpu,
        FilterCall::Products { input: &input, weights: &weights, out: &out, starts: &[0], boundary: None },
    );
    assert_eq!(download::<u8>(gpu, &out), [1, 0, 1, 1, 0]);
}

#[test]
fn weights_that_meet_nothing_leave_no_trace() {
    let Some(gpu) = gpu() else { return };
    let input = upload(gpu, &[1.0, 2.0, 3.0], &[3], DType::F64);
    let weights = upload(gpu, &[f64::INFINITY, 1.0, f64::NAN], &[3], DType::F64);
    let out = empty(gpu, &[5], DType::F64);
    run(
        gpu,
        FilterCall::Products { input: &input, weights: &weights, out: &out, starts: &[-2], boundary: None },
    );
    let got = download::<f64>(gpu, &out);
    // NaN where the last weight meets an element, infinity where the first one does so without it.
    assert!(got[..3].iter().all(|x| x.is_nan()), "{got:?}");
    assert_eq!(got[3..], [f64::INFINITY, f64::INFINITY]);
}

#[test]
fn long_tables_are_brought_in_pieces() {
    let Some(gpu) = gpu() else { return };
    let (size, count) = (12_000, 30);
    let (values, weights) = (floats(count, 4), floats(size, 6));
    let input = upload(gpu, &values, &[count], DType::F64);
    let out = empty(gpu, &[count], DType::F64);
    let boundary = Boundary { extension: Extension::Wrap, fill: fill_of(0.0, DType::F64) };
    let op = LineOp::Correlate(&weights);
    run(gpu, FilterCall::Line { op, input: &input, out: &out, axis: 0, start: -7, boundary });
    let seen = windows(&values, &[count], &[count], &[size], &[-7], (Extension::Wrap, 0.0));
    let want: Vec<f64> = seen.iter().map(|x| correlated(x, &weights, 0)).collect();
    assert_eq!(download::<f64>(gpu, &out), want);
}

#[test]
fn sums_leave_float64_as_the_output_says() {
    let Some(gpu) = gpu() else { return };
    let input = upload(gpu, &[1.0f64, -3.0, 4.0, 300.0], &[4], DType::F64);
    let filtered = |dtype: DType| {
        let out = empty(gpu, &[4], dtype);
        let boundary = Boundary { extension: Extension::Nearest, fill: fill_of(0.0, DType::F64) };
        let op = LineOp::Correlate(&[0.4]);
        run(gpu, FilterCall::Line { op, input: &input, out: &out, axis: 0, start: 0, boundary });
        out
    };
    assert_eq!(download::<u8>(gpu, &filtered(DType::Bool)), [0, 1, 1, 1]);
    assert_eq!(download::<u8>(gpu, &filtered(DType::U8)), [0, 255, 1, 120]);
    assert_eq!(download::<i32>(gpu, &filtered(DType::I32)), [0, -1, 1, 120]);
    assert_eq!(download::<f32>(gpu, &filtered(DType::F32)), [0.4, -1.2, 1.6, 120.0]);
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for (i, dtype) in DType::ALL.into_iter().filter(|dtype| !dtype.is_complex()).enumerate() {
        let total = if i % 4 == 3 { 1 << 33 } else { 100 };
        let out = DType::ALL[(i * 5 + 2) % 13];
        let sums = Opening::new(dtype, out, ComputedIn::As(DType::F64), total);
        let keys = Opening::new(dtype, dtype, ComputedIn::Keys { nan_first: i % 2 == 0 }, total);
        let name = format!("{dtype:?} to {out:?}");
        // Every dtype and every op, by turns: all of both would be hundreds of texts.
        for number in [i % 4, 4 + i % 2].map(|number| number as u32) {
            compiles(&name, &line::text(if number < 4 { sums } else { keys }, number));
        }
        let number = i as u32 % 6;
        compiles(&name, &line::text_of_taps(if number < 4 { sums } else { keys }, number, 1 + 4 * i));
        let number = 3 + i as u32 % 3;
        compiles(&name, &line::text_of_runs(if number < 4 { sums } else { keys }, number));
        for number in [[0, 3, 4][i % 3], 1 + i as u32 % 2] {
            let opening = if matches!(number, 1 | 2) { keys } else { sums };
            compiles(&name, &window::text_of_fold(opening, 1 + i % 3, number));
        }
        let (count, place) = [(0, 0), (9, 4), (25, 12)][i % 3];
        compiles(&name, &rank::text_of_rank(keys, 2, count, place));
        let (sides, place) = [([1, 5], 2), ([3, 3], 4), ([5, 4], 7), ([9, 9], 40)][i % 4];
        compiles(&name, &rank::text_of_box(keys, sides, place));
        compiles(&name, &products::text_of(dtype, total, 1 + i % 3));
    }
    let keys = Opening::new(DType::F32, DType::F32, ComputedIn::Keys { nan_first: false }, 100);
    compiles("tables", &super::table_text());
    compiles("the largest network", &rank::text_of_rank(keys, 2, 49, 24));
}
