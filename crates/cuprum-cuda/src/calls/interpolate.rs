//! Linear interpolation between points.

use cuprum_core::{DType, Result};
use cuprum_graph::InterpolateCall;

use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, type_name};
use crate::session::Session;

const THREADS: usize = 256;

pub(super) fn run(session: &Session, call: &InterpolateCall<'_>) -> Result<()> {
    let count = call.out.layout.size();
    if count == 0 {
        return Ok(());
    }
    let dtype = call.values.dtype;
    let [x, points, values, beyond] =
        [call.x, call.points, call.values, call.beyond].map(|slot| session.dense(slot));
    let (x, points, values, beyond) = (x?, points?, values?, beyond?);
    let kernel = session.kernel("interpolate", &[dtype as u32], || text(dtype))?;
    session.with_dense_out(call.out, |out| {
        let mut args = LaunchArgs::new();
        args.pointer(session.address(&x)).u64(count as u64);
        args.pointer(session.address(&points)).pointer(session.address(&values));
        args.u64(points.layout.size() as u64);
        args.pointer(session.address(&beyond)).pointer(session.address(out));
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, count.div_ceil(THREADS) as u32, THREADS as u32, &args) }
    })
}

fn text(values: DType) -> String {
    let complex = if values.is_complex() { "#define COMPLEX_VALUES\n" } else { "" };
    format!(
        "{}\ntypedef {} V;\n{complex}{}",
        FragmentSet::of_dtype(values).text(),
        type_name(values),
        include_str!("../kernels/interpolate.cu")
    )
}

#[cfg(test)]
mod tests {
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn every_text_compiles() {
        compiles("real", &text(DType::F64));
        compiles("complex", &text(DType::C128));
    }

    fn at<T: Copy + Default>(x: &[f64], points: &[f64], values: &[T], beyond: &[T], dtype: DType) -> Vec<T> {
        let gpu = gpu().expect("asked before");
        let x = upload(gpu, x, &[x.len()], DType::F64);
        let points = upload(gpu, points, &[points.len()], DType::F64);
        let (values, beyond) =
            (upload(gpu, values, &[values.len()], dtype), upload(gpu, beyond, &[2], dtype));
        let out = empty(gpu, &x.layout.shape, dtype);
        let interpolate =
            InterpolateCall { x: &x, points: &points, values: &values, beyond: &beyond, out: &out };
        call(gpu, &Call::Interpolate(interpolate)).unwrap();
        download(gpu, &out)
    }

    #[test]
    fn lines_are_drawn_as_numpy_draws_them() {
        if gpu().is_none() {
            return;
        }
        let (points, values) = ([0.0, 1.0, 2.0], [f64::NEG_INFINITY, 5.0, 5.0]);
        let x = [0.0, 0.5, 1.5, 2.0, -0.1, 2.1, f64::NAN];
        let got = at(&x, &points, &values, &[-1.0, 9.0], DType::F64);
        assert_eq!(got[..6], [f64::NEG_INFINITY, f64::NEG_INFINITY, 5.0, 5.0, -1.0, 9.0]);
        assert!(got[6].is_nan());
        let x: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.0137).collect();
        let points: Vec<f64> = (0..14).map(|i| f64::from(i) + 0.1 * f64::from(i % 3)).collect();
        let values: Vec<f64> = points.iter().map(|p| (p * 1.7).sin()).collect();
        let got = at(&x, &points, &values, &[7.0, 8.0], DType::F64);
        for (x, got) in x.iter().zip(got) {
            let j = points.iter().filter(|p| *p <= x).count();
            let want = match j {
                0 => 7.0,
                _ if *x > points[13] => 8.0,
                14 => values[13],
                _ => {
                    let slope = (values[j] - values[j - 1]) / (points[j] - points[j - 1]);
                    slope * (x - points[j - 1]) + values[j - 1]
                }
            };
            assert_eq!(got, want, "at {x}");
        }
    }

    #[test]
    fn complex_parts_are_lines_of_their_own() {
        if gpu().is_none() {
            return;
        }
        let values = [[0.0f64, 1.0], [2.0, -1.0]];
        let got = at(&[0.25, f64::NAN, 3.0], &[0.0, 1.0], &values, &[[0.0, 0.0], [4.0, 5.0]], DType::C128);
        assert_eq!((got[0], got[2]), ([0.5, 0.5], [4.0, 5.0]));
        assert!(got[1][0].is_nan() && got[1][1] == 0.0);
    }
}
