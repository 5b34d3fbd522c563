//! The routines, compiled here once for each type of element; otherwise every crate that calls one would compile it anew.

use cuprum_core::Result;
use faer::MatMut;
use num_complex::Complex;

use crate::qr::Qr;
use crate::svd::Vectors;
use crate::triangular::Triangle;
use crate::{MatrixElement, Outcome, cholesky, eig, eigh, lu, qr, svd, triangular};

/// What the public functions of the modules call.
#[allow(missing_docs)]
pub trait Compiled: Sized {
    fn lu_factor(a: &mut [Self], m: usize, n: usize, pivots: &mut [usize], threads: usize) -> Option<usize>;
    fn lu_solve(
        lu: &[Self],
        n: usize,
        pivots: &[usize],
        kind: Triangle,
        b: (&mut [Self], usize),
        threads: usize,
    );
    fn lu_invert(lu: &[Self], n: usize, pivots: &[usize], out: &mut [Self], threads: usize);
    fn triangular_solve(a: &[Self], n: usize, kind: Triangle, b: &mut [Self], columns: usize, threads: usize);
    fn cholesky_factor(a: &mut [Self], n: usize, threads: usize) -> bool;
    fn qr_factor(a: &mut [Self], m: usize, n: usize, threads: usize) -> Result<Qr<Self>>;
    fn qr_apply(qr: &Qr<Self>, a: &[Self], c: MatMut<'_, Self>, leading: bool, threads: usize) -> Result<()>;
    fn svd(
        a: &mut [Self],
        shape: (usize, usize),
        s: &mut [Self::RealElement],
        vectors: Option<Vectors<'_, Self>>,
        threads: usize,
    ) -> Result<Outcome>
    where
        Self: MatrixElement;
    fn eigh(
        a: &mut [Self],
        n: usize,
        w: &mut [Self::RealElement],
        vectors: Option<&mut [Self]>,
        threads: usize,
    ) -> Result<Outcome>
    where
        Self: MatrixElement;
    fn eig(
        a: &mut [Self],
        n: usize,
        w: &mut [Complex<Self::RealElement>],
        vectors: Option<&mut [Complex<Self::RealElement>]>,
        threads: usize,
    ) -> Result<Outcome>
    where
        Self: MatrixElement;
}

macro_rules! compiled {
    ($t:ty, $part:ty) => {
        impl Compiled for $t {
            fn lu_factor(
                a: &mut [$t],
                m: usize,
                n: usize,
                pivots: &mut [usize],
                threads: usize,
            ) -> Option<usize> {
                lu::factor_any(a, m, n, pivots, threads)
            }
            fn lu_solve(
                lu: &[$t],
                n: usize,
                pivots: &[usize],
                kind: Triangle,
                b: (&mut [$t], usize),
                threads: usize,
            ) {
                lu::solve_any(lu, n, pivots, kind, b, threads)
            }
            fn lu_invert(lu: &[$t], n: usize, pivots: &[usize], out: &mut [$t], threads: usize) {
                lu::invert_any(lu, n, pivots, out, threads)
            }
            fn triangular_solve(
                a: &[$t],
                n: usize,
                kind: Triangle,
                b: &mut [$t],
                columns: usize,
                threads: usize,
            ) {
                triangular::solve_any(a, n, kind, b, columns, threads)
            }
            fn cholesky_factor(a: &mut [$t], n: usize, threads: usize) -> bool {
                cholesky::factor_any(a, n, threads)
            }
            fn qr_factor(a: &mut [$t], m: usize, n: usize, threads: usize) -> Result<Qr<$t>> {
                qr::factor_any(a, m, n, threads)
            }
            fn qr_apply(
                qr: &Qr<$t>,
                a: &[$t],
                c: MatMut<'_, $t>,
                leading: bool,
                threads: usize,
            ) -> Result<()> {
                qr.apply(a, c, leading, threads)
            }
            fn svd(
                a: &mut [$t],
                shape: (usize, usize),
                s: &mut [$part],
                vectors: Option<Vectors<'_, $t>>,
                threads: usize,
            ) -> Result<Outcome> {
                svd::svd_any(a, shape, s, vectors, threads)
            }
            fn eigh(
                a: &mut [$t],
                n: usize,
                w: &mut [$part],
                vectors: Option<&mut [$t]>,
                threads: usize,
            ) -> Result<Outcome> {
                eigh::eigh_any(a, n, w, vectors, threads)
            }
            fn eig(
                a: &mut [$t],
                n: usize,
                w: &mut [Complex<$part>],
                vectors: Option<&mut [Complex<$part>]>,
                threads: usize,
            ) -> Result<Outcome> {
                eig::eig_any(a, n, w, vectors, threads)
            }
        }
    };
}

// Each line writes `impl Compiled`, every method calling the generic routine of its name.
compiled!(f32, f32);
compiled!(f64, f64);
compiled!(Complex<f32>, f32);
compiled!(Complex<f64>, f64);
