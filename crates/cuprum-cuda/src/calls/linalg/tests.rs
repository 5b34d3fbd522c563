//! Factorisations put together again: what they are of must come out, in every dtype, alone and in stacks.

use cuprum_core::{DType, Error, Layout};
use cuprum_graph::{Call, LinalgCall, QrResult, Slot};

use crate::calls::testing::{Numbers, call, download, empty, gpu, upload};
use crate::device::Cuda;
use crate::sys::{cublas, cusolver};

fn ready() -> Option<&'static Cuda> {
    if let Some(missing) = cublas().err().or(cusolver().err()) {
        println!("skipped: {missing}");
        return None;
    }
    gpu()
}

type Complex = [f64; 2];

fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// A matrix on the host, by rows.
#[derive(Clone)]
struct Matrix {
    rows: usize,
    columns: usize,
    at: Vec<Complex>,
}

impl Matrix {
    fn new(rows: usize, columns: usize, value: impl Fn(usize, usize) -> Complex) -> Matrix {
        let at = (0..rows * columns).map(|i| value(i / columns.max(1), i % columns.max(1))).collect();
        Matrix { rows, columns, at }
    }

    fn get(&self, i: usize, j: usize) -> Complex {
        self.at[i * self.columns + j]
    }

    fn transposed(&self) -> Matrix {
        Matrix::new(self.columns, self.rows, |i, j| self.get(j, i))
    }

    fn conjugated(&self) -> Matrix {
        Matrix::new(self.rows, self.columns, |i, j| [self.get(i, j)[0], -self.get(i, j)[1]])
    }

    fn adjoint(&self) -> Matrix {
        self.transposed().conjugated()
    }

    fn times(&self, other: &Matrix) -> Matrix {
        Matrix::new(self.rows, other.columns, |i, j| {
            (0..self.columns).fold([0.0; 2], |sum, k| {
                let x = times(self.get(i, k), other.get(k, j));
                [sum[0] + x[0], sum[1] + x[1]]
            })
        })
    }

    fn near(&self, other: &Matrix, dtype: DType, what: &str) {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "{what}");
        let most = other.at.iter().flatten().fold(0f64, |most, x| most.max(x.abs())).max(1e-300);
        let limit = if matches!(dtype, DType::F32 | DType::C64) { 2e-4 } else { 1e-11 };
        for (x, y) in self.at.iter().flatten().zip(other.at.iter().flatten()) {
            assert!((x - y).abs() <= limit * most, "{what}, {dtype:?}: {x} is not {y}");
        }
    }
}

fn identity(n: usize) -> Matrix {
    Matrix::new(n, n, |i, j| [f64::from(u8::from(i == j)), 0.0])
}

fn diagonal(values: &[f64]) -> Matrix {
    Matrix::new(values.len(), values.len(), |i, j| [if i == j { values[i] } else { 0.0 }, 0.0])
}

/// Matrices without a pattern, well conditioned enough.
fn some(seed: u64, count: usize, rows: usize, columns: usize, dtype: DType) -> Vec<Matrix> {
    let mut numbers = Numbers(seed);
    let mut part = || (numbers.next() % 2000) as f64 / 1000.0 - 1.0;
    (0..count)
        .map(|_| {
            let parts: Vec<Complex> = (0..rows * columns)
                .map(|_| [part(), if dtype.is_complex() { part() } else { 0.0 }])
                .collect();
            Matrix { rows, columns, at: parts }
        })
        .collect()
}

fn is_single(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::C64)
}

fn put(gpu: &Cuda, stack: &[Matrix], dtype: DType) -> Slot {
    let shape = [stack.len(), stack[0].rows, stack[0].columns];
    let all = stack.iter().flat_map(|matrix| &matrix.at);
    let parts: Vec<f64> = match dtype.is_complex() {
        true => all.flatten().copied().collect(),
        false => all.map(|x| x[0]).collect(),
    };
    if is_single(dtype) {
        let parts: Vec<f32> = parts.iter().map(|&x| x as f32).collect();
        return upload(gpu, &parts, &shape, dtype);
    }
    upload(gpu, &parts, &shape, dtype)
}

/// The same elements, by columns.
fn put_transposed(gpu: &Cuda, stack: &[Matrix], dtype: DType) -> Slot {
    let transposed: Vec<Matrix> = stack.iter().map(Matrix::transposed).collect();
    let slot = put(gpu, &transposed, dtype);
    Slot { layout: slot.layout.permute(&[0, 2, 1]), ..slot }
}

fn reals(gpu: &Cuda, slot: &Slot) -> Vec<f64> {
    if is_single(slot.dtype) {
        download::<f32>(gpu, slot).into_iter().map(f64::from).collect()
    } else {
        download(gpu, slot)
    }
}

fn get(gpu: &Cuda, slot: &Slot) -> Vec<Matrix> {
    let (rows, columns) = (slot.layout.shape[1], slot.layout.shape[2]);
    let parts = reals(gpu, slot);
    let each = rows * columns;
    let value = |at: usize| match slot.dtype.is_complex() {
        true => [parts[2 * at], parts[2 * at + 1]],
        false => [parts[at], 0.0],
    };
    (0..slot.layout.shape[0])
        .map(|m| Matrix::new(rows, columns, |i, j| value(m * each + i * columns + j)))
        .collect()
}

fn real_of(dtype: DType) -> DType {
    if is_single(dtype) { DType::F32 } else { DType::F64 }
}

fn complex_of(dtype: DType) -> DType {
    if is_single(dtype) { DType::C64 } else { DType::C128 }
}

fn run(gpu: &Cuda, wanted: LinalgCall<'_>) -> Result<(), Error> {
    call(gpu, &Call::Linalg(wanted))
}

fn is_linalg_error(result: Result<(), Error>) -> bool {
    matches!(result, Err(Error::Linalg { .. }))
}

const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];
/// Alone, as few, and as many: each is another way.
const COUNTS: [usize; 3] = [1, 2, 6];

/// Goes through every dtype and count.
fn everywhere(test: impl Fn(&Cuda, DType, usize)) {
    let Some(gpu) = ready() else { return };
    for dtype in DTYPES {
        for count in COUNTS {
            test(gpu, dtype, count);
        }
    }
}

#[test]
fn lu_is_of_the_permuted_matrix() {
    everywhere(|gpu, dtype, count| {
        for (m, n) in [(5, 5), (7, 4), (4, 7), (1, 1)] {
            let a = some(1, count, m, n, dtype);
            let input = put(gpu, &a, dtype);
            let k = m.min(n);
            let lu = empty(gpu, &[count, m, n], dtype);
            let pivots = empty(gpu, &[count, k], DType::I32);
            run(gpu, LinalgCall::Lu { a: &input, lu: &lu, pivots: &pivots }).unwrap();
            let pivots: Vec<i32> = download(gpu, &pivots);
            for (at, packed) in get(gpu, &lu).into_iter().enumerate() {
                let l = Matrix::new(m, k, |i, j| match i.cmp(&j) {
                    std::cmp::Ordering::Less => [0.0; 2],
                    std::cmp::Ordering::Equal => [1.0, 0.0],
                    std::cmp::Ordering::Greater => packed.get(i, j),
                });
                let u = Matrix::new(k, n, |i, j| if i <= j { packed.get(i, j) } else { [0.0; 2] });
                let mut rows: Vec<usize> = (0..m).collect();
                for (i, &pivot) in pivots[at * k..][..k].iter().enumerate() {
                    rows.swap(i, pivot as usize);
                }
                let permuted = Matrix::new(m, n, |i, j| a[at].get(rows[i], j));
                l.times(&u).near(&permuted, dtype, "lu");
            }
        }
    });
}

#[test]
fn systems_are_solved_every_way() {
    everywhere(|gpu, dtype, count| {
        let (n, k) = (5, 3);
        let (a, b) = (some(2, count, n, n, dtype), some(3, count, n, k, dtype));
        let (input, right) = (put_transposed(gpu, &a, dtype), put(gpu, &b, dtype));
        let x = empty(gpu, &[count, n, k], dtype);
        run(gpu, LinalgCall::Solve { a: &input, b: &right, x: &x }).unwrap();
        for (at, x) in get(gpu, &x).iter().enumerate() {
            a[at].times(x).near(&b[at], dtype, "solve");
        }
        let inverse = empty(gpu, &[count, n, n], dtype);
        run(gpu, LinalgCall::Inverse { a: &input, out: &inverse }).unwrap();
        for (at, inverse) in get(gpu, &inverse).iter().enumerate() {
            a[at].times(inverse).near(&identity(n), dtype, "inv");
        }
        let lu = empty(gpu, &[count, n, n], dtype);
        let pivots = empty(gpu, &[count, n], DType::I32);
        run(gpu, LinalgCall::Lu { a: &input, lu: &lu, pivots: &pivots }).unwrap();
        for (transposed, conjugated) in [(false, false), (true, false), (true, true), (false, true)] {
            let call =
                LinalgCall::LuSolve { lu: &lu, pivots: &pivots, b: &right, x: &x, transposed, conjugated };
            run(gpu, call).unwrap();
            for (at, x) in get(gpu, &x).iter().enumerate() {
                let matrix = if transposed { a[at].transposed() } else { a[at].clone() };
                let matrix = if conjugated { matrix.conjugated() } else { matrix };
                matrix.times(x).near(&b[at], dtype, "lu_solve");
            }
        }
    });
}

#[test]
fn triangles_are_solved_every_way() {
    everywhere(|gpu, dtype, count| {
        let (n, k) = (6, 2);
        let (mut a, b) = (some(4, count, n, n, dtype), some(5, count, n, k, dtype));
        for matrix in &mut a {
            (0..n).for_each(|i| matrix.at[i * n + i][0] += 3.0);
        }
        let (input, right) = (put(gpu, &a, dtype), put_transposed(gpu, &b, dtype));
        let x = empty(gpu, &[count, n, k], dtype);
        for way in 0..16 {
            let [lower, unit, transposed, conjugated] = [1, 2, 4, 8].map(|bit| way & bit != 0);
            let call = LinalgCall::SolveTriangular {
                a: &input,
                b: &right,
                x: &x,
                lower,
                unit,
                transposed,
                conjugated,
            };
            run(gpu, call).unwrap();
            for (at, x) in get(gpu, &x).iter().enumerate() {
                let triangle = Matrix::new(n, n, |i, j| match (i == j, i > j) {
                    (true, _) if unit => [1.0, 0.0],
                    (true, _) => a[at].get(i, j),
                    (_, below) if below == lower => a[at].get(i, j),
                    _ => [0.0; 2],
                });
                let matrix = if transposed { triangle.transposed() } else { triangle };
                let matrix = if conjugated { matrix.conjugated() } else { matrix };
                matrix.times(x).near(&b[at], dtype, "solve_triangular");
            }
        }
    });
}

#[test]
fn determinants_of_known_matrices() {
    everywhere(|gpu, dtype, count| {
        // Of the product of a lower triangle with ones and an upper triangle, the diagonal's product.
        let n = 4;
        let a: Vec<Matrix> = some(6, count, n, n, dtype)
            .into_iter()
            .map(|x| {
                let lower = Matrix::new(n, n, |i, j| match (i == j, i > j) {
                    (true, _) => [1.0, 0.0],
                    (_, true) => x.get(i, j),
                    _ => [0.0; 2],
                });
                let upper = Matrix::new(n, n, |i, j| match (i == j, i < j) {
                    (true, _) => [i as f64 - 1.5, if dtype.is_complex() { 1.0 } else { 0.0 }],
                    (_, true) => x.get(i, j),
                    _ => [0.0; 2],
                });
                lower.times(&upper)
            })
            .collect();
        let wanted = (0..n)
            .map(|i| [i as f64 - 1.5, if dtype.is_complex() { 1.0 } else { 0.0 }])
            .fold([1.0, 0.0], times);
        let input = put(gpu, &a, dtype);
        let out = empty(gpu, &[count], dtype);
        run(gpu, LinalgCall::Determinant { a: &input, out: &out }).unwrap();
        let as_matrix = |slot: &Slot| {
            get(gpu, &Slot { layout: Layout::contiguous(&[1, 1, count], slot.dtype.size()), ..slot.clone() })
                .remove(0)
        };
        let all = Matrix::new(1, count, |_, _| wanted);
        as_matrix(&out).near(&all, dtype, "det");
        let log = empty(gpu, &[count], real_of(dtype));
        run(gpu, LinalgCall::LogDeterminant { a: &input, sign: &out, log: &log }).unwrap();
        let size = wanted[0].hypot(wanted[1]);
        as_matrix(&out).near(&Matrix::new(1, count, |_, _| wanted.map(|x| x / size)), dtype, "sign");
        as_matrix(&log).near(&Matrix::new(1, count, |_, _| [size.ln(), 0.0]), dtype, "log");
    });
}

#[test]
fn determinants_of_nothing_and_of_singular_matrices() {
    let Some(gpu) = ready() else { return };
    for (n, det, sign, log) in [(0, 1.0, 1.0, 0.0), (2, 0.0, 0.0, f64::NEG_INFINITY)] {
        let input = upload(gpu, &[1.0, 2.0, 2.0, 4.0][..n * 2], &[n, n], DType::F64);
        let (out, size) = (empty(gpu, &[], DType::F64), empty(gpu, &[], DType::F64));
        run(gpu, LinalgCall::Determinant { a: &input, out: &out }).unwrap();
        assert_eq!(download::<f64>(gpu, &out), [det]);
        run(gpu, LinalgCall::LogDeterminant { a: &input, sign: &out, log: &size }).unwrap();
        assert_eq!((download::<f64>(gpu, &out), download::<f64>(gpu, &size)), (vec![sign], vec![log]));
    }
    // The product overflows on the way, the result does not.
    let input = upload(gpu, &diagonal_values(), &[4, 4], DType::F64);
    let out = empty(gpu, &[], DType::F64);
    run(gpu, LinalgCall::Determinant { a: &input, out: &out }).unwrap();
    assert!((download::<f64>(gpu, &out)[0] - 1.0).abs() < 1e-12);
}

fn diagonal_values() -> Vec<f64> {
    let values = [1e200, 1e200, 1e-200, 1e-200];
    diagonal(&values).at.iter().map(|x| x[0]).collect()
}

#[test]
fn cholesky_of_either_triangle() {
    everywhere(|gpu, dtype, count| {
        let n = 5;
        let full: Vec<Matrix> = some(7, count, n, n, dtype)
            .iter()
            .map(|x| {
                let mut square = x.times(&x.adjoint());
                (0..n).for_each(|i| square.at[i * n + i][0] += 1.0);
                square
            })
            .collect();
        for upper in [false, true] {
            // What is not of the triangle is not read.
            let half: Vec<Matrix> = full
                .iter()
                .map(|x| {
                    Matrix::new(
                        n,
                        n,
                        |i, j| if (i <= j) == upper || i == j { x.get(i, j) } else { [99.0; 2] },
                    )
                })
                .collect();
            let (input, out) = (put(gpu, &half, dtype), empty(gpu, &[count, n, n], dtype));
            run(gpu, LinalgCall::Cholesky { a: &input, out: &out, upper }).unwrap();
            for (at, factor) in get(gpu, &out).iter().enumerate() {
                let product =
                    if upper { factor.adjoint().times(factor) } else { factor.times(&factor.adjoint()) };
                product.near(&full[at], dtype, "cholesky");
                let outside = (0..n * n).filter(|i| if upper { i / n > i % n } else { i / n < i % n });
                assert!(outside.into_iter().all(|i| factor.at[i] == [0.0; 2]));
            }
        }
    });
}

#[test]
fn qr_in_every_shape() {
    everywhere(|gpu, dtype, count| {
        for (m, n) in [(5, 5), (7, 3), (3, 7), (1, 4), (4, 1)] {
            let a = some(8, count, m, n, dtype);
            let input = put(gpu, &a, dtype);
            let least = m.min(n);
            for k in [least, m] {
                let (q, r) = (empty(gpu, &[count, m, k], dtype), empty(gpu, &[count, k, n], dtype));
                run(gpu, LinalgCall::Qr { a: &input, result: QrResult::QAndR(&q, &r) }).unwrap();
                for (at, (q, r)) in get(gpu, &q).iter().zip(&get(gpu, &r)).enumerate() {
                    q.times(r).near(&a[at], dtype, "qr");
                    q.adjoint().times(q).near(&identity(k), dtype, "q");
                    assert!((0..k * n).filter(|i| i % n < i / n).all(|i| r.at[i] == [0.0; 2]));
                }
            }
            let r = empty(gpu, &[count, least, n], dtype);
            run(gpu, LinalgCall::Qr { a: &input, result: QrResult::R(&r) }).unwrap();
            let (h, tau) = (empty(gpu, &[count, m, n], dtype), empty(gpu, &[count, least], dtype));
            run(gpu, LinalgCall::Qr { a: &input, result: QrResult::Packed(&h, &tau) }).unwrap();
            // Alone or in a stack, the reflections are the same.
            let one = put(gpu, &a[..1], dtype);
            let (h1, tau1) = (empty(gpu, &[1, m, n], dtype), empty(gpu, &[1, least], dtype));
            run(gpu, LinalgCall::Qr { a: &one, result: QrResult::Packed(&h1, &tau1) }).unwrap();
            get(gpu, &h)[0].near(&get(gpu, &h1)[0], dtype, "packed");
            let parts = least * if dtype.is_complex() { 2 } else { 1 };
            for (x, y) in reals(gpu, &tau)[..parts].iter().zip(&reals(gpu, &tau1)) {
                assert!((x - y).abs() < 1e-4, "{x} {y}");
            }
            for (r, h) in get(gpu, &r).iter().zip(&get(gpu, &h)) {
                let top = Matrix::new(least, n, |i, j| if i <= j { h.get(i, j) } else { [0.0; 2] });
                r.near(&top, dtype, "r");
            }
        }
    });
    let Some(gpu) = ready() else { return };
    // Without columns Q is the identity.
    let none = empty(gpu, &[1, 3, 0], DType::F64);
    let (q, r) = (empty(gpu, &[1, 3, 3], DType::F64), empty(gpu, &[1, 3, 0], DType::F64));
    run(gpu, LinalgCall::Qr { a: &none, result: QrResult::QAndR(&q, &r) }).unwrap();
    get(gpu, &q)[0].near(&identity(3), DType::F64, "q of nothing");
}

#[test]
fn svd_in_every_shape_and_size() {
    everywhere(|gpu, dtype, count| {
        for (m, n) in [(4, 4), (6, 3), (3, 6), (40, 3), (3, 40), (1, 5), (5, 1)] {
            for power in [0, 90, -90] {
                // Far from one, in float64 beyond what squares can bear.
                let power = if is_single(dtype) { power / 3 } else { 2 * power };
                let size = 10f64.powi(power);
                let mut a = some(9, count, m, n, dtype);
                a.iter_mut().for_each(|x| x.at.iter_mut().flatten().for_each(|x| *x *= size));
                let input = put(gpu, &a, dtype);
                let least = m.min(n);
                let s = empty(gpu, &[count, least], real_of(dtype));
                run(gpu, LinalgCall::Svd { a: &input, s: &s, vectors: None }).unwrap();
                let alone = reals(gpu, &s);
                for (left, right) in [(least, least), (m, n)] {
                    let (u, vh) =
                        (empty(gpu, &[count, m, left], dtype), empty(gpu, &[count, right, n], dtype));
                    run(gpu, LinalgCall::Svd { a: &input, s: &s, vectors: Some((&u, &vh)) }).unwrap();
                    let values = reals(gpu, &s);
                    for (x, y) in values.iter().zip(&alone) {
                        assert!((x - y).abs() < 1e-3 * values[0], "{x} {y}");
                    }
                    for (at, (u, vh)) in get(gpu, &u).iter().zip(&get(gpu, &vh)).enumerate() {
                        let values = &values[at * least..][..least];
                        assert!(values.windows(2).all(|w| w[0] >= w[1]) && values[least - 1] >= 0.0);
                        let scaled = Matrix::new(left, right, |i, j| {
                            [if i == j && i < least { values[i] / size } else { 0.0 }, 0.0]
                        });
                        let whole = Matrix::new(m, n, |i, j| a[at].get(i, j).map(|x| x / size));
                        u.times(&scaled).times(vh).near(&whole, dtype, "svd");
                        u.adjoint().times(u).near(&identity(left), dtype, "u");
                        vh.times(&vh.adjoint()).near(&identity(right), dtype, "vh");
                    }
                }
            }
        }
    });
}

#[test]
fn eigh_of_either_triangle_and_size() {
    everywhere(|gpu, dtype, count| {
        for n in [1, 5, 40] {
            for power in [0, 30] {
                let size = 10f64.powi(if is_single(dtype) { power / 2 } else { 6 * power });
                let full: Vec<Matrix> = some(10, count, n, n, dtype)
                    .iter()
                    .map(|x| {
                        let adjoint = x.adjoint();
                        Matrix::new(n, n, |i, j| {
                            let (x, y) = (x.get(i, j), adjoint.get(i, j));
                            [(x[0] + y[0]) * size, (x[1] + y[1]) * size]
                        })
                    })
                    .collect();
                for upper in [false, true] {
                    let half: Vec<Matrix> = full
                        .iter()
                        .map(|x| {
                            Matrix::new(n, n, |i, j| match (i == j, (i < j) == upper) {
                                (true, _) => [x.get(i, j)[0], f64::NAN],
                                (_, true) => x.get(i, j),
                                _ => [f64::NAN; 2],
                            })
                        })
                        .collect();
                    let input = put(gpu, &half, dtype);
                    let (w, v) = (empty(gpu, &[count, n], real_of(dtype)), empty(gpu, &[count, n, n], dtype));
                    run(gpu, LinalgCall::Eigh { a: &input, upper, values: &w, vectors: None }).unwrap();
                    let alone = reals(gpu, &w);
                    run(gpu, LinalgCall::Eigh { a: &input, upper, values: &w, vectors: Some(&v) }).unwrap();
                    let values = reals(gpu, &w);
                    for (at, v) in get(gpu, &v).iter().enumerate() {
                        let values: Vec<f64> = values[at * n..][..n].iter().map(|x| x / size).collect();
                        assert!(values.windows(2).all(|w| w[0] <= w[1]));
                        for (x, y) in values.iter().zip(&alone[at * n..]) {
                            assert!((x - y / size).abs() < 1e-3, "{x} {y}");
                        }
                        let whole = Matrix::new(n, n, |i, j| full[at].get(i, j).map(|x| x / size));
                        v.times(&diagonal(&values)).times(&v.adjoint()).near(&whole, dtype, "eigh");
                    }
                }
            }
        }
    });
}

#[test]
fn eig_of_real_and_complex_matrices() {
    if cusolver().is_ok_and(|tables| tables.geev.is_none()) {
        return println!("skipped: this cuSOLVER has no cusolverDnXgeev");
    }
    everywhere(|gpu, dtype, count| {
        for n in [1, 2, 7] {
            let a = some(11, count, n, n, dtype);
            let input = put(gpu, &a, dtype);
            let complex = complex_of(dtype);
            let (w, v) = (empty(gpu, &[count, 1, n], complex), empty(gpu, &[count, n, n], complex));
            let values = Slot { layout: Layout::contiguous(&[count, n], complex.size()), ..w.clone() };
            run(gpu, LinalgCall::Eig { a: &input, values: &values, vectors: Some(&v) }).unwrap();
            for (at, (w, v)) in get(gpu, &w).iter().zip(&get(gpu, &v)).enumerate() {
                let scaled = Matrix::new(n, n, |i, j| times(v.get(i, j), w.get(0, j)));
                a[at].times(v).near(&scaled, dtype, "eig");
                for j in 0..n {
                    let length: f64 = (0..n).flat_map(|i| v.get(i, j)).map(|x| x * x).sum();
                    assert!((length - 1.0).abs() < 1e-4, "{length}");
                }
            }
            run(gpu, LinalgCall::Eig { a: &input, values: &values, vectors: None }).unwrap();
            let trace =
                |x: &Matrix| (0..n).fold([9.0, 0.0], |t, i| [t[0] + x.get(i, i)[0], t[1] + x.get(i, i)[1]]);
            for (at, w) in get(gpu, &w).iter().enumerate() {
                let sum = w.at.iter().fold([9.0, 0.0], |t, x| [t[0] + x[0], t[1] + x[1]]);
                let (sum, wanted) = (Matrix::new(1, 1, |_, _| sum), Matrix::new(1, 1, |_, _| trace(&a[at])));
                sum.near(&wanted, dtype, "eigvals");
            }
        }
    });
}

#[test]
fn what_has_no_answer_is_an_error() {
    everywhere(|gpu, dtype, count| {
        let mut a = some(12, count, 3, 3, dtype);
        // The last one of the stack is singular, indefinite, and has a zero on its diagonal.
        a[count - 1] = Matrix::new(3, 3, |i, j| [f64::from(u8::from(i == j && i != 1)), 0.0]);
        let b = some(13, count, 3, 2, dtype);
        let (input, right) = (put(gpu, &a, dtype), put(gpu, &b, dtype));
        let (x, out) = (empty(gpu, &[count, 3, 2], dtype), empty(gpu, &[count, 3, 3], dtype));
        assert!(is_linalg_error(run(gpu, LinalgCall::Solve { a: &input, b: &right, x: &x })));
        assert!(is_linalg_error(run(gpu, LinalgCall::Inverse { a: &input, out: &out })));
        assert!(is_linalg_error(run(gpu, LinalgCall::Cholesky { a: &input, out: &out, upper: false })));
        let triangle = |unit| LinalgCall::SolveTriangular {
            a: &input,
            b: &right,
            x: &x,
            lower: true,
            unit,
            transposed: false,
            conjugated: false,
        };
        let error = run(gpu, triangle(false)).unwrap_err().to_string();
        assert_eq!(error, "solve_triangular: singular matrix: resolution failed at diagonal 1");
        run(gpu, triangle(true)).unwrap();
        for bad in [f64::NAN, f64::INFINITY] {
            a[count - 1].at[3] = [bad, 0.0];
            let input = put(gpu, &a, dtype);
            let (s, w) =
                (empty(gpu, &[count, 3], real_of(dtype)), empty(gpu, &[count, 3], complex_of(dtype)));
            assert!(is_linalg_error(run(gpu, LinalgCall::Svd { a: &input, s: &s, vectors: None })));
            let eigh = LinalgCall::Eigh { a: &input, upper: false, values: &s, vectors: None };
            assert!(is_linalg_error(run(gpu, eigh)));
            // Above the diagonal nothing is wrong.
            run(gpu, LinalgCall::Eigh { a: &input, upper: true, values: &s, vectors: None }).unwrap();
            let error = run(gpu, LinalgCall::Eig { a: &input, values: &w, vectors: None }).unwrap_err();
            assert_eq!(error.to_string(), "eig: Array must not contain infs or NaNs");
        }
    });
}
