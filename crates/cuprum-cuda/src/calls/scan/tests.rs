//! Scans on a GPU against scans one element after the other on the host.

use cuprum_core::{DType, Op};
use cuprum_graph::{Call, ScanOp};

use super::text::{Scan, fold_text};
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, transposed, upload};

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    let chained = |op, dtype| {
        let scan = Scan::new(op, dtype).unwrap().unwrap();
        compiles(&format!("{op:?} {dtype:?}"), &scan.chain_text(9));
        scan
    };
    for dtype in DType::ALL {
        for op in [ScanOp::Sum, ScanOp::Prod] {
            compiles(&format!("{op:?} {dtype:?}"), &chained(op, dtype).lines_text());
        }
        chained(ScanOp::Fold(Op::Maximum), dtype);
        if !dtype.is_complex() {
            chained(ScanOp::Fold(Op::Fmin), dtype);
        }
    }
    for dtype in [DType::Bool, DType::I8, DType::U64] {
        for op in [Op::BitwiseAnd, Op::BitwiseOr, Op::BitwiseXor] {
            chained(ScanOp::Fold(op), dtype);
        }
    }
    for op in [Op::LogicalAnd, Op::LogicalOr, Op::LogicalXor] {
        chained(ScanOp::Fold(op), DType::Bool);
    }
    for (op, dtype) in [(Op::Fmin, DType::C64), (Op::Power, DType::F32), (Op::Gcd, DType::I64)] {
        compiles(&format!("{op:?} {dtype:?}"), &fold_text(op, dtype));
    }
}

fn scanned<T: Copy + Default>(op: ScanOp, dtype: DType, host: &[T], shape: &[usize], axis: usize) -> Vec<T> {
    let gpu = gpu().expect("asked before");
    let (input, out) = (upload(gpu, host, shape, dtype), empty(gpu, shape, dtype));
    call(gpu, &Call::Scan { op, input: &input, out: &out, axis }).unwrap();
    download(gpu, &out)
}

/// Running results one after the other.
fn expected<T: Copy>(host: &[T], shape: &[usize], axis: usize, join: impl Fn(T, T) -> T) -> Vec<T> {
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = host.to_vec();
    for i in 0..host.len() {
        if !(i / inner).is_multiple_of(shape[axis]) {
            out[i] = join(out[i - inner], host[i]);
        }
    }
    out
}

/// Shapes and axes around the limits between the ways of scanning.
const SHAPES: [(&[usize], usize); 19] = [
    (&[1], 0),
    (&[16], 0),
    (&[17], 0),
    (&[5, 31], 1),
    (&[3, 32], 1),
    (&[9, 129], 1),
    (&[2, 512], 1),
    (&[2, 4096], 1),
    (&[1030, 520], 1),
    (&[40_000, 2], 0),
    (&[4097], 0),
    (&[8191], 0),
    (&[8192], 0),
    (&[8193], 0),
    (&[3, 20_003], 1),
    (&[300_001], 0),
    (&[100, 7], 0),
    (&[2, 1000, 3], 1),
    (&[4, 3, 50], 1),
];

#[test]
fn integers_add_up_and_wrap() {
    if gpu().is_none() {
        return;
    }
    for (shape, axis) in SHAPES {
        let n = shape.iter().product();
        let mut numbers = Numbers(n as u64);
        let host: Vec<u64> = (0..n).map(|_| numbers.next()).collect();
        assert_eq!(
            scanned(ScanOp::Sum, DType::I64, &host, shape, axis),
            expected(&host, shape, axis, u64::wrapping_add),
            "{shape:?} axis {axis}"
        );
        let odd: Vec<u64> = host.iter().map(|x| x | 1).collect();
        assert_eq!(
            scanned(ScanOp::Prod, DType::U64, &odd, shape, axis),
            expected(&odd, shape, axis, u64::wrapping_mul),
            "{shape:?} axis {axis}"
        );
        let bytes: Vec<u8> = host.iter().map(|x| *x as u8).collect();
        assert_eq!(
            scanned(ScanOp::Sum, DType::I8, &bytes, shape, axis),
            expected(&bytes, shape, axis, u8::wrapping_add),
            "{shape:?} axis {axis} of bytes"
        );
    }
}

#[test]
fn exact_floats_add_up_in_any_grouping() {
    if gpu().is_none() {
        return;
    }
    for (shape, axis) in SHAPES {
        let n = shape.iter().product();
        let mut numbers = Numbers(n as u64);
        let host: Vec<f32> = (0..n).map(|_| (numbers.next() % 11) as f32 - 5.0).collect();
        let want = expected(&host, shape, axis, |a, b| a + b);
        assert_eq!(scanned(ScanOp::Sum, DType::F32, &host, shape, axis), want, "{shape:?} axis {axis}");
        let pairs: Vec<[f64; 2]> = host.iter().map(|x| [f64::from(*x), f64::from(1.0 - *x)]).collect();
        let want = expected(&pairs, shape, axis, |a, b| [a[0] + b[0], a[1] + b[1]]);
        assert_eq!(scanned(ScanOp::Sum, DType::C128, &pairs, shape, axis), want, "{shape:?} axis {axis}");
        let signs: Vec<f64> = host.iter().map(|x| if *x < 0.0 { -1.0 } else { 1.0 }).collect();
        let want = expected(&signs, shape, axis, |a, b| a * b);
        assert_eq!(scanned(ScanOp::Prod, DType::F64, &signs, shape, axis), want, "{shape:?} axis {axis}");
    }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| if v.is_nan() { u32::MAX } else { v.to_bits() }).collect()
}

#[test]
fn specials_stay_as_one_after_the_other_leaves_them() {
    if gpu().is_none() {
        return;
    }
    for (shape, axis) in [(&[30_000][..], 0), (&[2, 300], 1), (&[400, 2], 0)] {
        let n: usize = shape.iter().product();
        for (what, specials) in [
            ("zeros", &[(0, -0.0f32), (1, -0.0)][..]),
            ("infinity", &[(n / 3, f32::INFINITY)]),
            ("infinities", &[(n / 3, f32::INFINITY), (n / 2, f32::NEG_INFINITY)]),
            ("nan", &[(n / 2, f32::NAN), (n - 3, f32::INFINITY)]),
            // A stretch overflows alone, and not behind what came before.
            ("overflow", &[(3, -3e38), (n - 3, 2e38), (n - 2, 2e38)]),
            ("overflow in the middle", &[(3, -3e38), (n / 2, 2e38), (n / 2 + 1, 2e38), (n / 2 + 2, -1e38)]),
        ] {
            let mut host = vec![if what == "zeros" { -0.0f32 } else { 0.0 }; n];
            specials.iter().for_each(|(at, value)| host[*at] = *value);
            let want = expected(&host, shape, axis, |a, b| a + b);
            let got = scanned(ScanOp::Sum, DType::F32, &host, shape, axis);
            assert_eq!(bits(&got), bits(&want), "sums, {what}, {shape:?}");
        }
        for (what, specials) in [
            ("zero", &[(n / 3, 0.0f32), (n / 2, -2.0)][..]),
            ("infinity", &[(n / 3, f32::INFINITY), (n / 2, -1.0)]),
            ("zero and infinity", &[(n / 3, 0.0), (n / 2, f32::INFINITY)]),
            ("nan", &[(n / 2, f32::NAN), (n - 3, f32::INFINITY)]),
            ("a stretch that underflows alone", &[(3, 1e38), (n - 3, 1e-30), (n - 2, 1e-30)]),
            ("a stretch that overflows alone", &[(3, 1e-37), (n - 3, 1e30), (n - 2, 1e30)]),
        ] {
            let mut host = vec![1.0f32; n];
            specials.iter().for_each(|(at, value)| host[*at] = *value);
            let want = expected(&host, shape, axis, |a, b| a * b);
            let got = scanned(ScanOp::Prod, DType::F32, &host, shape, axis);
            assert_eq!(bits(&got), bits(&want), "products, {what}, {shape:?}");
        }
    }
}

#[test]
fn nan_everywhere_and_decaying_products_are_scanned_side_by_side() {
    if gpu().is_none() {
        return;
    }
    let n = 70_000;
    let host = vec![f32::NAN; n];
    assert!(scanned(ScanOp::Sum, DType::F32, &host, &[n], 0).iter().all(|x| x.is_nan()));
    let host: Vec<f32> = (0..n).map(|i| if i % 2 == 0 { -0.9 } else { 0.8 }).collect();
    let got = scanned(ScanOp::Prod, DType::F32, &host, &[n], 0);
    let want = expected(&host, &[n], 0, |a, b| a * b);
    for (i, (g, w)) in got.iter().zip(&want).enumerate() {
        let close = (g - w).abs() <= 1e-4 * w.abs() + 1e-43;
        assert!(close && g.is_sign_negative() == w.is_sign_negative(), "element {i}: {g}, want {w}");
    }
    let parts: Vec<[f32; 2]> = (0..n).map(|i| [if i == 5000 { f32::NAN } else { 1.0 }, 2.0]).collect();
    let got = scanned(ScanOp::Sum, DType::C64, &parts, &[n], 0);
    for (i, [re, im]) in got.iter().enumerate() {
        assert_eq!((re.is_nan(), *im), (i >= 5000, 2.0 * (i + 1) as f32), "element {i}");
    }
}

#[test]
fn folds_are_applied_from_left_to_right() {
    if gpu().is_none() {
        return;
    }
    for (shape, axis) in SHAPES {
        let n = shape.iter().product();
        let mut numbers = Numbers(n as u64);
        let host: Vec<f64> = (0..n).map(|_| (numbers.next() % 1000) as f64).collect();
        let label = format!("{shape:?} axis {axis}");
        let want = expected(&host, shape, axis, f64::max);
        assert_eq!(scanned(ScanOp::Fold(Op::Maximum), DType::F64, &host, shape, axis), want, "{label}");
        let want = expected(&host, shape, axis, f64::min);
        assert_eq!(scanned(ScanOp::Fold(Op::Fmin), DType::F64, &host, shape, axis), want, "{label}");
        let want = expected(&host, shape, axis, |a, b| a - b);
        assert_eq!(scanned(ScanOp::Fold(Op::Subtract), DType::F64, &host, shape, axis), want, "{label}");
        let truth: Vec<u8> = host.iter().map(|x| u8::from(*x < 3.0)).collect();
        let want = expected(&truth, shape, axis, |a, b| a | b);
        assert_eq!(scanned(ScanOp::Fold(Op::LogicalOr), DType::Bool, &truth, shape, axis), want, "{label}");
    }
}

#[test]
fn sums_are_close_to_exact_ones() {
    if gpu().is_none() {
        return;
    }
    let n = 100_000;
    let mut numbers = Numbers(1);
    let host: Vec<f32> = (0..n).map(|_| (numbers.next() >> 40) as f32 / (1 << 23) as f32 - 1.0).collect();
    let got = scanned(ScanOp::Sum, DType::F32, &host, &[n], 0);
    let (mut exact, mut plain, mut worst, mut worst_plain) = (0.0f64, 0.0f32, 0.0f64, 0.0f64);
    for (x, g) in host.iter().zip(&got) {
        exact += f64::from(*x);
        plain += x;
        worst = worst.max((f64::from(*g) - exact).abs());
        worst_plain = worst_plain.max((f64::from(plain) - exact).abs());
    }
    assert!(worst <= worst_plain, "{worst}, one after the other: {worst_plain}");
}

#[test]
fn lines_of_any_layout_are_scanned() {
    let Some(gpu) = gpu() else { return };
    let (rows, n) = (3, 500);
    let host: Vec<i64> = (0..(rows * n) as i64).map(|i| i * 7 % 31).collect();
    let want = expected(&host, &[rows, n], 1, |a, b| a + b);
    let input = upload(gpu, &host, &[rows, n], DType::I64);
    let (turned, plain) = (empty(gpu, &[rows, n], DType::I64), empty(gpu, &[n, rows], DType::I64));
    let from = transposed(&input);
    call(gpu, &Call::Scan { op: ScanOp::Sum, input: &from, out: &transposed(&turned), axis: 0 }).unwrap();
    assert_eq!(download::<i64>(gpu, &turned), want);
    call(gpu, &Call::Scan { op: ScanOp::Sum, input: &from, out: &plain, axis: 0 }).unwrap();
    let got = download::<i64>(gpu, &plain);
    assert!((0..rows * n).all(|i| got[i % n * rows + i / n] == want[i]));
}

#[test]
fn zeros_of_complex_products_keep_their_signs() {
    if gpu().is_none() {
        return;
    }
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    for (shape, axis) in [(&[60][..], 0), (&[3, 700], 1), (&[700, 3], 0), (&[4, 10, 3], 1)] {
        let mut numbers = Numbers(3);
        let n = shape.iter().product();
        let choices = [[1.0, 0.0], [-1.0, 0.0], [0.5, -0.0], [2.0, 0.0], [-1.0, -0.0]];
        let host: Vec<[f64; 2]> = (0..n).map(|_| choices[numbers.next() as usize % 5]).collect();
        let bits = |values: Vec<[f64; 2]>| -> Vec<[u64; 2]> {
            values.into_iter().map(|v| v.map(f64::to_bits)).collect()
        };
        let want = bits(expected(&host, shape, axis, times));
        let got = bits(scanned(ScanOp::Prod, DType::C128, &host, shape, axis));
        assert_eq!(got, want, "{shape:?} axis {axis}");
    }
}
