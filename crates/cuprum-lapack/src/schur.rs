//! Eigenvalues and eigenvectors of complex matrices by a Hessenberg form and shifted QR steps, element by element.
//!
//! Slower than a blocked iteration, and right where that one is not: subdiagonal elements are dropped by comparison with
//! their neighbours alone, so that matrices whose elements are hundreds of orders of magnitude apart keep their digits.

use cuprum_core::memory::{collected, copied, filled};
use num_complex::Complex;

use crate::{MatrixElement, RealElement, qr};

/// How many steps one eigenvalue may take.
const MAX_STEPS: usize = 30;

/// A square matrix by columns.
struct Square<'a, T> {
    elements: &'a mut [T],
    n: usize,
}

impl<T: MatrixElement> Square<'_, T> {
    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> T {
        self.elements[i + j * self.n]
    }

    #[inline(always)]
    fn set(&mut self, i: usize, j: usize, value: T) {
        self.elements[i + j * self.n] = value;
    }

    /// Multiplies columns `j` and `j + 1` of the first `rows` rows by a rotation from the right.
    fn turn_columns(&mut self, j: usize, rows: usize, turn: &Turn<T>) {
        let (left, right) = self.elements[j * self.n..(j + 2) * self.n].split_at_mut(self.n);
        for (x, y) in left[..rows].iter_mut().zip(&mut right[..rows]) {
            let (a, b) = (*x, *y);
            *x = a.times(turn.cos) + b * turn.sin.conjugate();
            *y = b.times(turn.cos) - a * turn.sin;
        }
    }

    /// Multiplies rows `i` and `i + 1` of the columns from `first` on by a rotation from the left.
    fn turn_rows(&mut self, i: usize, first: usize, turn: &Turn<T>) {
        for column in self.elements.chunks_exact_mut(self.n).skip(first) {
            let (a, b) = (column[i], column[i + 1]);
            column[i] = a.times(turn.cos) + turn.sin * b;
            column[i + 1] = b.times(turn.cos) - turn.sin.conjugate() * a;
        }
    }
}

/// A rotation that takes (x, y) to (length, 0): `[cos, sin; -conj(sin), cos]`.
struct Turn<T: MatrixElement> {
    cos: T::RealElement,
    sin: T,
}

impl<T: MatrixElement> Turn<T> {
    fn of(x: T, y: T) -> Turn<T> {
        let (first, second) = (x.modulus(), y.modulus());
        let length = first.hypotenuse(second);
        if second == T::RealElement::ZERO || length == T::RealElement::ZERO {
            return Turn { cos: T::RealElement::ONE, sin: T::ZERO };
        }
        let direction = y.conjugate().over(T::from_real(second));
        if first == T::RealElement::ZERO {
            return Turn { cos: T::RealElement::ZERO, sin: direction };
        }
        let phase = x.over(T::from_real(first));
        Turn { cos: first / length, sin: (phase * direction).times(second / length) }
    }
}

fn larger<P: RealElement>(a: P, b: P) -> P {
    if a > b { a } else { b }
}

fn smaller<P: RealElement>(a: P, b: P) -> P {
    if a < b { a } else { b }
}

/// The eigenvalues of a complex matrix, and its eigenvectors, not normalised; `false` where the iteration did not end.
pub(crate) fn eigen<P: RealElement>(
    a: &[Complex<P>],
    n: usize,
    values: &mut [Complex<P>],
    vectors: Option<&mut [Complex<P>]>,
) -> bool
where
    Complex<P>: MatrixElement<RealElement = P>,
{
    let mut t = copied(a);
    let mut t = Square { elements: &mut t, n };
    let mut z = match vectors {
        Some(vectors) => {
            vectors.fill(MatrixElement::ZERO);
            (0..n).for_each(|i| vectors[i + i * n] = MatrixElement::ONE);
            Some(Square { elements: vectors, n })
        }
        None => None,
    };
    hessenberg(&mut t, z.as_mut());
    if !triangle(&mut t, z.as_mut()) {
        return false;
    }
    (0..n).for_each(|i| values[i] = t.at(i, i));
    if let Some(z) = z {
        eigenvectors(&t, z);
    }
    true
}

/// Brings a matrix to zero below its first subdiagonal by reflections; `z` is multiplied by them from the right.
fn hessenberg<T: MatrixElement>(a: &mut Square<T>, mut z: Option<&mut Square<T>>) {
    let n = a.n;
    for k in 0..n.saturating_sub(2) {
        let mut v: Vec<T> = collected((k + 1..n).map(|i| a.at(i, k)));
        let first = v[0];
        if qr::norm(&v[1..]) == T::RealElement::ZERO {
            continue;
        }
        let length = qr::norm(&v).with_sign_of(-first.re());
        let pivot = first - T::from_real(length);
        T::divide_all(&mut v[1..], pivot);
        v[0] = T::ONE;
        let tau = T::from_reals((length - first.re()) / length, -first.im() / length);
        a.set(k + 1, k, T::from_real(length));
        (k + 2..n).for_each(|i| a.set(i, k, T::ZERO));
        for j in k + 1..n {
            let column = &mut a.elements[j * n + k + 1..(j + 1) * n];
            let factor = tau.conjugate() * qr::dot(&v, column);
            column.iter_mut().zip(&v).for_each(|(x, &v)| *x -= factor * v);
        }
        reflect_columns(a, k + 1, &v, tau);
        if let Some(z) = z.as_deref_mut() {
            reflect_columns(z, k + 1, &v, tau);
        }
    }
}

/// `A (I - tau v v^H)`, the vector beginning at a column.
fn reflect_columns<T: MatrixElement>(a: &mut Square<T>, first: usize, v: &[T], tau: T) {
    let n = a.n;
    let mut sums = filled(n, T::ZERO);
    for (j, &v) in v.iter().enumerate() {
        let column = &a.elements[(first + j) * n..(first + j + 1) * n];
        sums.iter_mut().zip(column).for_each(|(sum, &x)| *sum += x * v);
    }
    for (j, &v) in v.iter().enumerate() {
        let factor = tau * v.conjugate();
        let column = &mut a.elements[(first + j) * n..(first + j + 1) * n];
        column.iter_mut().zip(&sums).for_each(|(x, &sum)| *x -= sum * factor);
    }
}

/// Whether the subdiagonal element of row `k` no longer matters: it is small beside its neighbours, and so is its
/// product with the element across the diagonal beside theirs.
fn is_small<T: MatrixElement>(h: &Square<T>, k: usize, first: usize, last: usize) -> bool {
    let (below, above) = (h.at(k, k - 1).size1(), h.at(k - 1, k).size1());
    let least = T::RealElement::TINY * T::RealElement::nearest(h.n as f64) / T::RealElement::EPSILON;
    if below <= least {
        return true;
    }
    let (before, here) = (h.at(k - 1, k - 1), h.at(k, k));
    let mut neighbours = before.size1() + here.size1();
    if neighbours == T::RealElement::ZERO {
        if k >= first + 2 {
            neighbours += h.at(k - 1, k - 2).re().size1();
        }
        if k < last {
            neighbours += h.at(k + 1, k).re().size1();
        }
    }
    if below > T::RealElement::EPSILON * neighbours {
        return false;
    }
    let (most, fewest) = (larger(below, above), smaller(below, above));
    let gap = (before - here).size1();
    let (large, small) = (larger(here.size1(), gap), smaller(here.size1(), gap));
    let sum = large + most;
    fewest * (most / sum) <= larger(least, T::RealElement::EPSILON * (small * (large / sum)))
}

fn square_root<T: MatrixElement>(x: T) -> T {
    let size = x.modulus();
    if size == T::RealElement::ZERO {
        return T::ZERO;
    }
    let half = |y: T::RealElement| y * T::RealElement::HALF;
    // The part that is a sum of like signs first; the other one from the product of both.
    if x.re() >= T::RealElement::ZERO {
        let re = (half(size) + half(x.re())).root();
        T::from_reals(re, half(x.im()) / re)
    } else {
        let im = (half(size) - half(x.re())).root().with_sign_of(x.im());
        T::from_reals(half(x.im()) / im, im)
    }
}

/// The eigenvalue of the last two rows' square that is closer to the last element.
fn shift<T: MatrixElement>(h: &Square<T>, last: usize) -> T {
    let t = h.at(last, last);
    let u = square_root(h.at(last - 1, last)) * square_root(h.at(last, last - 1));
    let size = u.size1();
    if size == T::RealElement::ZERO {
        return t;
    }
    let x = (h.at(last - 1, last - 1) - t).times(T::RealElement::HALF);
    let across = x.size1();
    let size = T::from_real(larger(size, across));
    let (p, q) = (x.over(size), u.over(size));
    let mut y = size * square_root(p * p + q * q);
    if across > T::RealElement::ZERO {
        let unit = x.over(T::from_real(across));
        if unit.re() * y.re() + unit.im() * y.im() < T::RealElement::ZERO {
            y = -y;
        }
    }
    t - u * u.over(x + y)
}

/// Brings a Hessenberg matrix to a triangle; `false` where an eigenvalue takes too many steps.
fn triangle<T: MatrixElement>(h: &mut Square<T>, mut z: Option<&mut Square<T>>) -> bool {
    let n = h.n;
    let mut end = n;
    while end > 0 {
        let last = end - 1;
        let mut converged = false;
        for step in 0..=MAX_STEPS.max(10) * n.max(10) {
            let mut first = last;
            while first > 0 && !is_small(h, first, 0, last) {
                first -= 1;
            }
            if first > 0 {
                h.set(first, first - 1, T::ZERO);
            }
            if first == last {
                converged = true;
                break;
            }
            // A shift of its own now and then, against iterations that go round in circles.
            let three_quarters = T::RealElement::nearest(0.75);
            let sigma = match step % 20 {
                10 => h.at(first, first) + T::from_real(three_quarters * h.at(first + 1, first).re().size1()),
                0 if step > 0 => {
                    h.at(last, last) + T::from_real(three_quarters * h.at(last, last - 1).re().size1())
                }
                _ => shift(h, last),
            };
            sweep(h, z.as_deref_mut(), first, last, sigma);
        }
        if !converged {
            return false;
        }
        end -= 1;
    }
    true
}

/// One shifted QR step on the rows and columns `first..=last`.
fn sweep<T: MatrixElement>(
    h: &mut Square<T>,
    mut z: Option<&mut Square<T>>,
    first: usize,
    last: usize,
    sigma: T,
) {
    let n = h.n;
    let (mut x, mut y) = (h.at(first, first) - sigma, h.at(first + 1, first));
    for k in first..last {
        let turn = Turn::of(x, y);
        h.turn_rows(k, k.saturating_sub(usize::from(k > first)), &turn);
        if k > first {
            h.set(k + 1, k - 1, T::ZERO);
        }
        h.turn_columns(k, (k + 3).min(last + 1), &turn);
        if let Some(z) = z.as_deref_mut() {
            z.turn_columns(k, n, &turn);
        }
        if k + 1 < last {
            (x, y) = (h.at(k + 1, k), h.at(k + 2, k));
        }
    }
}

/// The eigenvectors of a triangle, turned back by `z`, which they are written to.
fn eigenvectors<T: MatrixElement>(t: &Square<T>, z: Square<T>) {
    let n = t.n;
    let most = T::RealElement::LARGEST * T::RealElement::EPSILON;
    let turned: Vec<T> = copied(z.elements);
    let mut x = filled(n, T::ZERO);
    for k in (0..n).rev() {
        let value = t.at(k, k);
        let tiniest = T::RealElement::TINY * T::RealElement::nearest(n as f64) / T::RealElement::EPSILON;
        let least = larger(T::RealElement::EPSILON * value.size1(), tiniest);
        x[..k].iter_mut().enumerate().for_each(|(i, x)| *x = -t.at(i, k));
        x[k] = T::ONE;
        for j in (0..k).rev() {
            let mut gap = t.at(j, j) - value;
            if gap.size1() < least {
                gap = T::from_real(least);
            }
            if gap.size1() < T::RealElement::ONE && x[j].size1() > gap.size1() * most {
                let factor = T::RealElement::ONE / x[j].size1();
                shrink(&mut x[..=k], factor);
            }
            x[j] = x[j].over(gap);
            if x[j].size1() > T::RealElement::ONE {
                let column = &t.elements[j * n..j * n + j];
                let grows = column.iter().fold(T::RealElement::ONE, |most, x| larger(most, x.size1()));
                let room = most / grows;
                if x[j].size1() > room {
                    let factor = T::RealElement::HALF / x[j].size1() * smaller(room, T::RealElement::ONE);
                    shrink(&mut x[..=k], factor);
                }
            }
            let factor = x[j];
            x[..j].iter_mut().enumerate().for_each(|(i, x)| *x -= factor * t.at(i, j));
        }
        let size = x[..=k].iter().fold(T::RealElement::ZERO, |most, x| larger(most, x.size1()));
        shrink(&mut x[..=k], T::RealElement::ONE / size);
        let column = &mut z.elements[k * n..(k + 1) * n];
        column.fill(T::ZERO);
        for (j, &factor) in x[..=k].iter().enumerate() {
            let turned = &turned[j * n..(j + 1) * n];
            column.iter_mut().zip(turned).for_each(|(sum, &x)| *sum += x * factor);
        }
    }
}

fn shrink<T: MatrixElement>(x: &mut [T], factor: T::RealElement) {
    x.iter_mut().for_each(|x| *x = x.times(factor));
}

#[cfg(test)]
mod tests {
    use super::*;

    type C = Complex<f64>;

    /// Elements that look random and are always the same.
    fn matrix(n: usize) -> Vec<C> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..n * n).map(|_| C::new(next(), next())).collect()
    }

    fn worst_residual(a: &[C], n: usize, w: &[C], v: &[C]) -> f64 {
        let mut worst: f64 = 0.0;
        for (w, v) in w.iter().zip(v.chunks_exact(n)) {
            let size = qr::norm(v);
            let rest: Vec<C> =
                (0..n).map(|i| (0..n).map(|j| a[i + j * n] * v[j]).sum::<C>() - w * v[i]).collect();
            worst = worst.max(qr::norm(&rest) / size);
        }
        worst
    }

    #[test]
    fn vectors_are_taken_to_multiples_of_themselves() {
        // Miri takes a thousand times as long.
        for n in [1, 2, 3, 10, 40].into_iter().filter(|n| !cfg!(miri) || *n < 10) {
            let a = matrix(n);
            let (mut w, mut v) = (vec![C::default(); n], vec![C::default(); n * n]);
            assert!(eigen(&a, n, &mut w, Some(&mut v)));
            assert!(worst_residual(&a, n, &w, &v) <= 1e-14 * n as f64);
            let mut alone = vec![C::default(); n];
            assert!(eigen(&a, n, &mut alone, None));
            assert_eq!(alone, w);
        }
    }

    #[test]
    fn a_jordan_block_and_equal_elements_end() {
        let n = 8;
        let jordan: Vec<C> = (0..n * n).map(|k| if k % n + 1 == k / n { C::ONE } else { C::ZERO }).collect();
        for a in [jordan, vec![C::ONE; n * n], vec![C::ZERO; n * n]] {
            let (mut w, mut v) = (vec![C::default(); n], vec![C::default(); n * n]);
            assert!(eigen(&a, n, &mut w, Some(&mut v)));
            assert!(worst_residual(&a, n, &w, &v) <= 1e-14 * n as f64);
        }
    }
}
