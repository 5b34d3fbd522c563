//! Transforms against their definition, and long ones against rustfft's own plans.

use num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};

use crate::{Direction, FftReal, Lease, Strided, Transform, TransformKind, transform};

type C = Complex<f64>;

fn lease(bytes: usize) -> cuprum_core::Result<Lease> {
    let mut memory = vec![0u128; bytes.div_ceil(16)];
    let start = memory.as_mut_ptr().cast();
    // SAFETY: the vector holds that many bytes and is moved, not changed.
    Ok(unsafe { Lease::new(start, bytes, Box::new(memory)) })
}

/// Numbers between -1 and 1, the same on every run.
fn noise(count: usize) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn complex_noise(count: usize) -> Vec<C> {
    noise(2 * count).chunks_exact(2).map(|p| C::new(p[0], p[1])).collect()
}

/// The transform of a line by rustfft; by the definition where it is short.
fn expected(line: &[C], direction: Direction) -> Vec<C> {
    let n = line.len();
    let sign = if direction == Direction::Forward { -1.0 } else { 1.0 };
    if n <= 64 {
        let turn = |j: usize, k: usize| C::cis(sign * std::f64::consts::TAU * (j * k % n) as f64 / n as f64);
        return (0..n).map(|k| line.iter().enumerate().map(|(j, x)| x * turn(j, k)).sum()).collect();
    }
    let direction = if sign < 0.0 { FftDirection::Forward } else { FftDirection::Inverse };
    let mut line = line.to_vec();
    FftPlanner::new().plan_fft(n, direction).process(&mut line);
    line
}

/// The largest error in units of `eps * log2(n) * rms`.
fn error_units<T: FftReal + Into<f64>>(got: &[Complex<T>], want: &[C], eps: f64) -> f64 {
    let n = want.len() as f64;
    let rms = (want.iter().map(|z| z.norm_sqr()).sum::<f64>() / n).sqrt();
    let far =
        got.iter().zip(want).map(|(g, w)| (C::new(g.re.into(), g.im.into()) - w).norm()).fold(0.0, f64::max);
    far / (eps * n.log2().max(1.0) * rms)
}

/// Runs one transform along the only axis of dense lines; `E` and `F` are the numbers that go in and come out.
fn run<T: FftReal, E: Copy, F: Copy>(
    kind: TransformKind,
    direction: Direction,
    n: usize,
    input: &[E],
    output: &mut [F],
) {
    let job = Transform { kind, direction, axes: &[0], lengths: &[n], scale: 1.0 };
    let (from, to) = ([input.len()], [output.len()]);
    let source = Strided { start: input.as_ptr().cast_mut().cast(), shape: &from, strides: &[1] };
    let target = Strided { start: output.as_mut_ptr().cast(), shape: &to, strides: &[1] };
    // SAFETY: dense slices of the numbers that the kind has.
    unsafe { transform::<T>(&job, source, target, &lease) }.unwrap();
}

/// Short ones of all kinds, primes, and long ones that are cut in two, odd, or prime.
const LENGTHS: [usize; 19] =
    [1, 2, 3, 4, 5, 7, 8, 12, 31, 60, 64, 97, 1000, 1024, 32_768, 65_536, 32_805, 40_009, 131_074];

/// Miri takes a thousand times as long.
fn lengths() -> impl Iterator<Item = usize> {
    LENGTHS.into_iter().filter(|n| !cfg!(miri) || *n <= 1024)
}

#[test]
fn complex_lines_of_any_length() {
    for n in lengths() {
        let x = complex_noise(n);
        for direction in [Direction::Forward, Direction::Inverse] {
            let mut y = vec![C::default(); n];
            run::<f64, _, _>(TransformKind::Complex, direction, n, &x, &mut y);
            let units = error_units(&y, &expected(&x, direction), f64::EPSILON);
            assert!(units < 2.0, "{n} {direction:?}: {units}");
        }
    }
}

#[test]
fn single_precision() {
    for n in lengths() {
        let x: Vec<Complex<f32>> =
            complex_noise(n).iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
        let wide: Vec<C> = x.iter().map(|z| C::new(z.re.into(), z.im.into())).collect();
        let mut y = vec![Complex::<f32>::default(); n];
        run::<f32, _, _>(TransformKind::Complex, Direction::Forward, n, &x, &mut y);
        let units = error_units(&y, &expected(&wide, Direction::Forward), f32::EPSILON.into());
        assert!(units < 2.0, "{n}: {units}");
    }
}

#[test]
fn real_lines_there_and_back() {
    for n in lengths() {
        let x = noise(n);
        let wide: Vec<C> = x.iter().map(|&x| C::new(x, 0.0)).collect();
        for direction in [Direction::Forward, Direction::Inverse] {
            let want = expected(&wide, direction);
            let mut half = vec![C::default(); n / 2 + 1];
            run::<f64, _, _>(TransformKind::RealToHalf, direction, n, &x, &mut half);
            let units = error_units(&half, &want[..=n / 2], f64::EPSILON);
            assert!(units < 2.0, "{n} {direction:?}: {units}");
            let mut full = vec![C::default(); n];
            run::<f64, _, _>(TransformKind::RealToComplex, direction, n, &x, &mut full);
            let units = error_units(&full, &want, f64::EPSILON);
            assert!(units < 2.0, "{n} {direction:?}: {units}");
            let mut back = vec![0.0; n];
            let reverse =
                if direction == Direction::Forward { Direction::Inverse } else { Direction::Forward };
            // The imaginary parts at the ends do not count.
            half[0].im = 3.0;
            if n % 2 == 0 {
                half[n / 2].im = -5.0;
            }
            run::<f64, _, _>(TransformKind::HalfToReal, reverse, n, &half, &mut back);
            let worst = back.iter().zip(&x).map(|(b, x)| (b / n as f64 - x).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-14, "{n} {direction:?}: {worst}");
        }
    }
}

#[test]
fn short_input_is_filled_up_and_long_input_cut_off() {
    let pairs = [(8, 5), (8, 11), (7, 3), (40_000, 30_001), (40_000, 50_000), (40_009, 7), (40_009, 40_100)];
    for (n, given) in pairs.into_iter().filter(|(n, _)| !cfg!(miri) || *n < 100) {
        let x = noise(given);
        let mut wide: Vec<C> = x.iter().map(|&x| C::new(x, 0.0)).collect();
        wide.resize(n, C::default());
        let want = expected(&wide, Direction::Forward);
        let complex: Vec<C> = x.iter().map(|&x| C::new(x, 0.0)).collect();
        let mut y = vec![C::default(); n];
        run::<f64, _, _>(TransformKind::Complex, Direction::Forward, n, &complex, &mut y);
        assert!(error_units(&y, &want, f64::EPSILON) < 2.0, "{n} of {given}");
        let mut y = vec![C::default(); n / 2 + 1];
        run::<f64, _, _>(TransformKind::RealToHalf, Direction::Forward, n, &x, &mut y);
        assert!(error_units(&y, &want[..=n / 2], f64::EPSILON) < 2.0, "{n} of {given}");
        let mut back = vec![0.0; n];
        run::<f64, _, _>(TransformKind::HalfToReal, Direction::Inverse, n, &complex, &mut back);
        let mut mirrored = complex.clone();
        mirrored.resize(n, C::default());
        mirrored[n / 2 + 1..].fill(C::default());
        for k in n / 2 + 1..n {
            mirrored[k] = mirrored[n - k].conj();
        }
        let back: Vec<C> = back.iter().map(|&x| C::new(x, 0.0)).collect();
        assert!(
            error_units(&back, &expected(&mirrored, Direction::Inverse), f64::EPSILON) < 2.0,
            "{n} of {given}"
        );
    }
}

#[test]
fn axes_of_any_strides() {
    // Shape (3, 5, 4) with the axes in memory order 1, 0, 2 and every other element along the last.
    let (shape, strides) = ([3, 5, 4], [8, 24, -2]);
    let memory = complex_noise(120);
    let at = |i: usize, j: usize, k: usize| memory[8 * i + 24 * j + 6 - 2 * k];
    for axis in 0..3 {
        let job = Transform {
            kind: TransformKind::Complex,
            direction: Direction::Forward,
            axes: &[axis],
            lengths: &[shape[axis]],
            scale: 0.5,
        };
        let mut out = vec![C::default(); 60];
        // SAFETY: the memory has more elements.
        let first = unsafe { memory.as_ptr().add(6) };
        let source = Strided { start: first.cast_mut().cast(), shape: &shape, strides: &strides };
        let target = Strided { start: out.as_mut_ptr().cast(), shape: &shape, strides: &[20, 4, 1] };
        // SAFETY: the strides stay inside the memory.
        unsafe { transform::<f64>(&job, source, target, &lease) }.unwrap();
        for i in 0..3 {
            for j in 0..5 {
                for k in 0..4 {
                    let place = [i, j, k];
                    let line: Vec<C> = (0..shape[axis])
                        .map(|t| {
                            let mut p = place;
                            p[axis] = t;
                            at(p[0], p[1], p[2])
                        })
                        .collect();
                    let want = expected(&line, Direction::Forward)[place[axis]] * 0.5;
                    assert!((out[20 * i + 4 * j + k] - want).norm() < 1e-14, "axis {axis} at {place:?}");
                }
            }
        }
    }
}

#[test]
fn few_plans_are_kept() {
    for n in 1..if cfg!(miri) { 70 } else { 200 } {
        let x = complex_noise(n);
        let mut y = vec![C::default(); n];
        run::<f64, _, _>(TransformKind::Complex, Direction::Forward, n, &x, &mut y);
    }
    let (count, bytes) = f64::plans().state();
    assert!(count <= 64 && bytes <= 128 << 20, "{count} plans of {bytes} bytes");
}
