//! Recursive filters on a GPU beside loops on the host that take one sample after the other.

use cuprum_graph::Call;

use super::*;
use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for dtype in [DType::F32, DType::F64, DType::C64, DType::C128] {
        for (order, tiled) in [(1, true), (4, false), (20, true), (256, true), (3000, false)] {
            compiles(&format!("{dtype} of order {order}"), &RecurrenceVariant { dtype, order, tiled }.text());
        }
    }
}

/// A line filtered one sample after the other, and the state after it.
fn expected(b: &[f64], a: &[f64], x: &[f64], state: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut z: Vec<f64> = state.iter().copied().chain([0.0]).collect();
    let y = x
        .iter()
        .map(|x| {
            let y = z[0] + b[0] * x;
            for i in 0..z.len() - 1 {
                z[i] = (z[i + 1] + b[i + 1] * x) - a[i + 1] * y;
            }
            y
        })
        .collect();
    z.pop();
    (y, z)
}

#[test]
fn lines_are_filtered_as_one_sample_after_the_other() {
    let Some(gpu) = gpu() else { return };
    let (b, a) = ([0.1, 0.2, 0.1], [1.0, -1.6, 0.8]);
    for (outer, length, inner) in [(1, 100_000, 1), (3, 5000, 1), (2, 3000, 5), (70, 40, 1), (1, 1, 40)] {
        let lines = outer * inner;
        let mut numbers = Numbers(length as u64);
        let mut float = || (numbers.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        let host: Vec<f64> = (0..lines * length).map(|_| float()).collect();
        let before: Vec<f64> = (0..lines * 2).map(|_| float()).collect();
        let shape = [outer, length, inner];
        let x = upload(gpu, &host, &shape, DType::F64);
        let state = upload(gpu, &before, &[1, lines, 2], DType::F64);
        let (top, bottom) = (upload(gpu, &b, &[1, 3], DType::F64), upload(gpu, &a, &[1, 3], DType::F64));
        let (out, last) = (empty(gpu, &shape, DType::F64), empty(gpu, &[1, lines, 2], DType::F64));
        let filter =
            RecurrenceCall { b: &top, a: &bottom, input: &x, state: &state, out: &out, last: &last, axis: 1 };
        call(gpu, &Call::Recurrence(filter)).unwrap();
        let (got, last) = (download::<f64>(gpu, &out), download::<f64>(gpu, &last));
        for line in 0..lines {
            let place = |at: usize| (line / inner * length + at) * inner + line % inner;
            let samples: Vec<f64> = (0..length).map(|at| host[place(at)]).collect();
            let (want, after) = expected(&b, &a, &samples, &before[line * 2..][..2]);
            for (at, want) in want.iter().enumerate() {
                let got = got[place(at)];
                assert!((got - want).abs() < 1e-13, "line {line}, sample {at}: {got}, want {want}");
            }
            for (got, want) in last[line * 2..][..2].iter().zip(&after) {
                assert!((got - want).abs() < 1e-13, "state of line {line}: {got}, want {want}");
            }
        }
    }
}

#[test]
fn nan_and_overflow_come_as_in_turn() {
    let Some(gpu) = gpu() else { return };
    // The matrix of a segment overflows: twice per sample.
    for (pole, at) in [(0.5, 70_000), (2.0, 99_000)] {
        let (b, a) = ([1.0, 0.0], [1.0, -pole]);
        let mut host = vec![0.0; 100_000];
        host[at] = if pole < 1.0 { f64::NAN } else { 1e-300 };
        let x = upload(gpu, &host, &[host.len()], DType::F64);
        let state = upload(gpu, &[0.0], &[1, 1, 1], DType::F64);
        let (top, bottom) = (upload(gpu, &b, &[1, 2], DType::F64), upload(gpu, &a, &[1, 2], DType::F64));
        let (out, last) = (empty(gpu, &[host.len()], DType::F64), empty(gpu, &[1, 1, 1], DType::F64));
        let filter =
            RecurrenceCall { b: &top, a: &bottom, input: &x, state: &state, out: &out, last: &last, axis: 0 };
        call(gpu, &Call::Recurrence(filter)).unwrap();
        let bits = |values: &[f64]| -> Vec<u64> {
            values.iter().map(|v| if v.is_nan() { u64::MAX } else { v.to_bits() }).collect()
        };
        assert_eq!(
            bits(&download::<f64>(gpu, &out)),
            bits(&expected(&b, &a, &host, &[0.0]).0),
            "pole {pole}"
        );
    }
}
