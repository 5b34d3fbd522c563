//! One-sided Jacobi rotations: slower than divide and conquer on large matrices, and they always end.

use cuprum_core::Result;
use cuprum_core::memory::{collected, copied};

use crate::qr::{dot, norm};
use crate::svd::Vectors;
use crate::{MatrixElement, Outcome, RealElement, qr, simd, zeros};

/// Sweeps over all pairs of columns after which we give up; ten are usual.
const MAX_SWEEPS: usize = 60;

/// Decomposes an `m` by `n` matrix with `m >= n`, finite and of moderate size, which is overwritten.
pub(crate) fn svd<T: MatrixElement>(
    a: &mut [T],
    m: usize,
    n: usize,
    s: &mut [T::RealElement],
    vectors: Option<Vectors<'_, T>>,
    threads: usize,
) -> Result<Outcome> {
    let mut rotation = match &vectors {
        Some(_) => {
            let mut identity = zeros(n * n)?;
            for i in 0..n {
                identity[i + i * n] = T::ONE;
            }
            Some(identity)
        }
        None => None,
    };
    let ended = (0..MAX_SWEEPS).any(|_| !sweep(a, m, n, rotation.as_deref_mut()));
    for (length, column) in s.iter_mut().zip(a.chunks_exact(m)) {
        *length = norm(column);
    }
    let mut order: Vec<usize> = collected(0..n);
    order.sort_by(|&i, &j| s[j].partial_cmp(&s[i]).unwrap_or(std::cmp::Ordering::Equal));
    let sorted: Vec<T::RealElement> = collected(order.iter().map(|&i| s[i]));
    s.copy_from_slice(&sorted);
    if let (Some(Vectors { u, v, .. }), Some(rotation)) = (vectors, rotation) {
        for (to, &from) in order.iter().enumerate() {
            v[to * n..][..n].copy_from_slice(&rotation[from * n..][..n]);
        }
        left_vectors(a, m, s, &order, u, threads)?;
    }
    Ok(if ended { Outcome::Converged } else { Outcome::Failed })
}

/// Turns every pair of columns until they are orthogonal; says whether any had to be turned.
fn sweep<T: MatrixElement>(a: &mut [T], m: usize, n: usize, mut rotation: Option<&mut [T]>) -> bool {
    let mut turned = false;
    for q in 1..n {
        for p in 0..q {
            let (left, right) = a.split_at_mut(q * m);
            let (x, y) = (&mut left[p * m..][..m], &mut right[..m]);
            let (a_pp, a_qq, a_pq) = simd::run(|| (dot(x, x).re(), dot(y, y).re(), dot(x, y)));
            let size = a_pq.modulus();
            if size <= T::RealElement::EPSILON * (a_pp.root() * a_qq.root()) || size == T::RealElement::ZERO {
                continue;
            }
            turned = true;
            // The rotation that makes them orthogonal, and the phase that makes their product real.
            let phase = T::from_reals(a_pq.re() / size, a_pq.im() / size);
            let zeta = (a_qq - a_pp) / (size + size);
            let t = T::RealElement::ONE.with_sign_of(zeta)
                / (zeta.size1() + T::RealElement::ONE.hypotenuse(zeta));
            let c = T::RealElement::ONE / T::RealElement::ONE.hypotenuse(t);
            let turn = Rotation { c, s: phase.times(c * t) };
            simd::run(|| turn.apply(x, y));
            if let Some(rotation) = rotation.as_deref_mut() {
                let (left, right) = rotation.split_at_mut(q * n);
                simd::run(|| turn.apply(&mut left[p * n..][..n], &mut right[..n]));
            }
        }
    }
    turned
}

struct Rotation<T: MatrixElement> {
    c: T::RealElement,
    s: T,
}

impl<T: MatrixElement> Rotation<T> {
    /// `(x, y) = (c x - conj(s) y, s x + c y)`
    #[inline(always)]
    fn apply(&self, x: &mut [T], y: &mut [T]) {
        for (x, y) in x.iter_mut().zip(y) {
            let (a, b) = (*x, *y);
            *x = a.times(self.c) - self.s.conjugate() * b;
            *y = self.s * a + b.times(self.c);
        }
    }
}

/// The columns at length one, in order; those of no length, and those that complete a basis, from a QR factorisation.
fn left_vectors<T: MatrixElement>(
    a: &[T],
    m: usize,
    s: &[T::RealElement],
    order: &[usize],
    u: &mut [T],
    threads: usize,
) -> Result<()> {
    let columns = u.len() / m;
    let least =
        s.first().map_or(T::RealElement::ZERO, |&s| s * T::RealElement::TINY / T::RealElement::EPSILON);
    let rank = s.iter().take_while(|&&s| s > least).count();
    for (to, &from) in order.iter().enumerate().take(rank) {
        let length = s[to];
        for (x, y) in u[to * m..][..m].iter_mut().zip(&a[from * m..][..m]) {
            *x = T::from_reals(y.re() / length, y.im() / length);
        }
    }
    if rank < columns {
        let mut basis = copied(&u[..rank * m]);
        let mut q = zeros(columns * m)?;
        qr::factor(&mut basis, m, rank, threads)?.form_q(&basis, &mut q, columns, threads)?;
        u[rank * m..].copy_from_slice(&q[rank * m..]);
    }
    Ok(())
}
