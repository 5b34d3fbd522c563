//! Factors on plain slices: residuals, LAPACK's conventions, and the same bits with any number of threads.

use cuprum_lapack::svd::Vectors;
use cuprum_lapack::{MatrixElement, Outcome, RealElement, cholesky, eig, eigh, lu, qr, svd};
use num_complex::Complex;

/// Numbers between -1 and 1 that are always the same.
fn numbers<T: MatrixElement>(count: usize) -> Vec<T> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        T::RealElement::nearest((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    (0..count).map(|_| T::from_reals(next(), next())).collect()
}

/// The largest element of `A B - C`, column-major, A being `m` by `k`.
fn residual<T: MatrixElement>(a: &[T], b: &[T], c: &[T], m: usize, k: usize, n: usize) -> f64 {
    let mut worst = 0f64;
    for j in 0..n {
        for i in 0..m {
            let sum = (0..k).fold(-c[i + j * m], |sum, l| sum + a[i + l * m] * b[l + j * k]);
            worst = worst.max(sum.modulus().to_f64());
        }
    }
    worst
}

fn allowed<T: MatrixElement>(n: usize) -> f64 {
    20.0 * n as f64 * T::RealElement::EPSILON.to_f64()
}

fn lu_and_qr<T: MatrixElement>() {
    let shapes = [(1, 1), (7, 7), (8, 20), (20, 8), (40, 40), (97, 60), (60, 97)];
    // Miri takes a thousand times as long.
    for (m, n) in shapes.into_iter().filter(|(m, n)| !cfg!(miri) || m * n <= 160) {
        let (a, k) = (numbers::<T>(m * n), m.min(n));
        let (mut x, mut pivots) = (a.clone(), vec![0; k]);
        assert_eq!(lu::factor(&mut x, m, n, &mut pivots, 1), None);
        let order = lu::order_of_rows(&pivots, m);
        let (mut l, mut u, mut rows) = (vec![T::ZERO; m * k], vec![T::ZERO; k * n], a.clone());
        for j in 0..n {
            for i in 0..m {
                rows[i + j * m] = a[order[i] + j * m];
                if i > j && j < k {
                    assert!(
                        x[i + j * m].size1() <= T::RealElement::nearest(2.0),
                        "no factor is larger than its pivot, as pivots are chosen"
                    );
                    l[i + j * m] = x[i + j * m];
                } else if i < k && i <= j {
                    u[i + j * k] = x[i + j * m];
                }
            }
        }
        for i in 0..k {
            l[i + i * m] = T::ONE;
        }
        assert!(residual(&l, &u, &rows, m, k, n) < allowed::<T>(m + n), "LU of {m} by {n}");

        let mut x = a.clone();
        let factored = qr::factor(&mut x, m, n, 1).unwrap();
        let (mut q, mut r) = (vec![T::ZERO; m * m], vec![T::ZERO; m * n]);
        factored.form_q(&x, &mut q, m, 1).unwrap();
        for j in 0..n {
            for i in 0..=j.min(m - 1) {
                r[i + j * m] = x[i + j * m];
            }
            assert_eq!(
                r[j.min(m - 1) + j.min(m - 1) * m].im(),
                T::RealElement::ZERO,
                "R has a real diagonal"
            );
        }
        assert!(residual(&q, &r, &a, m, m, n) < allowed::<T>(m + n), "QR of {m} by {n}");
    }
}

#[test]
fn lu_and_qr_give_the_matrix_back() {
    lu_and_qr::<f32>();
    lu_and_qr::<f64>();
    lu_and_qr::<Complex<f32>>();
    lu_and_qr::<Complex<f64>>();
}

#[test]
#[cfg_attr(miri, ignore = "the queues of rayon's threads do not keep to Stacked Borrows")]
fn factors_are_the_same_bits_with_any_number_of_threads() {
    let n = 300;
    let a = numbers::<f64>(n * n);
    let run = |threads: usize| {
        let (mut x, mut pivots, mut inverse) = (a.clone(), vec![0; n], vec![0.0; n * n]);
        lu::factor(&mut x, n, n, &mut pivots, threads);
        lu::invert(&x, n, &pivots, &mut inverse, threads).unwrap();
        let (mut y, mut q) = (a.clone(), vec![0.0; n * n]);
        qr::factor(&mut y, n, n, threads).unwrap().form_q(&y, &mut q, n, threads).unwrap();
        let mut z = a.clone();
        for i in 0..n {
            z[i + i * n] += n as f64;
        }
        assert!(cholesky::factor(&mut z, n, threads));
        (x, inverse, y, q, z)
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(3));
}

#[test]
fn iterations_refuse_what_is_not_finite() {
    for bad in [f64::NAN, f64::INFINITY] {
        let a = [1.0, 2.0, bad, 4.0];
        let (mut w, mut c) = ([0.0; 2], [Complex::new(0.0, 0.0); 2]);
        assert_eq!(svd::svd(&mut a.clone(), 2, 2, &mut w, None, 1).unwrap(), Outcome::Failed);
        assert_eq!(eig::eig(&mut a.clone(), 2, &mut c, None, 1).unwrap(), Outcome::Failed);
        // Above the diagonal nothing is read.
        assert_eq!(eigh::eigh(&mut a.clone(), 2, &mut w, None, 1).unwrap(), Outcome::Converged);
        assert_eq!(eigh::eigh(&mut [bad, 0.0, 0.0, 1.0], 2, &mut w, None, 1).unwrap(), Outcome::Failed);
    }
}

#[test]
fn singular_vectors_of_no_value_complete_the_basis() {
    let (m, n) = (6, 4);
    let mut s = [0.0; 4];
    let (mut u, mut v) = (vec![0.0; m * m], vec![0.0; n * n]);
    let vectors = Vectors { u: &mut u, v: &mut v, full: true };
    assert_eq!(
        svd::svd(&mut vec![0.0f64; m * n], m, n, &mut s, Some(vectors), 1).unwrap(),
        Outcome::Converged
    );
    let mut identity = vec![0.0; m * m];
    (0..m).for_each(|i| identity[i + i * m] = 1.0);
    let transposed: Vec<f64> = (0..m * m).map(|at| u[at / m + at % m * m]).collect();
    assert!(residual(&transposed, &u, &identity, m, m, m) < 1e-14);
}
