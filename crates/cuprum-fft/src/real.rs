//! Real transforms of even length by complex ones of half the length, and Hermitian lines.
//!
//! With `w = exp(-2 pi i / n)`, `m = n / 2` and `z[j] = x[2j] + i x[2j + 1]`: from `Z = F z` come the transforms of the
//! even and odd elements, `E[k] = (Z[k] + conj Z[m-k]) / 2` and `O[k] = (Z[k] - conj Z[m-k]) / 2i`, and
//! `X[k] = E[k] + w^k O[k]`. The way back is the same, read from the end.

#[cfg(target_arch = "x86_64")]
use cuprum_core::SimdLevel;
use num_complex::Complex;

use crate::FftReal;

/// `X[k]` and `X[m - k]` from `Z[k]` and `Z[m - k]`, for `0 < k <= m / 2`.
#[inline(always)]
pub(crate) fn untangle<T: FftReal>(z: Complex<T>, mirror: Complex<T>, w: Complex<T>) -> [Complex<T>; 2] {
    let half = T::of(0.5);
    let even = (z + mirror.conj()).scale(half);
    let odd = (z - mirror.conj()).scale(half);
    // w * odd / i
    let rotated = Complex::new(w.re * odd.im + w.im * odd.re, w.im * odd.im - w.re * odd.re);
    [even + rotated, (even - rotated).conj()]
}

/// `X[0]` and `X[m]` from `Z[0]`: sum and difference of the even and odd elements' sums.
#[inline(always)]
pub(crate) fn untangle_ends<T: FftReal>(z: Complex<T>) -> [Complex<T>; 2] {
    [Complex::new(z.re + z.im, T::zero()), Complex::new(z.re - z.im, T::zero())]
}

/// `2 Z[k]` and `2 Z[m - k]` from `X[k]` and `X[m - k]`, for `0 < k <= m / 2`.
#[inline(always)]
pub(crate) fn tangle<T: FftReal>(x: Complex<T>, mirror: Complex<T>, w: Complex<T>) -> [Complex<T>; 2] {
    let even = x + mirror.conj();
    let odd = x - mirror.conj();
    // i * conj(w) * odd
    let rotated = Complex::new(w.im * odd.re - w.re * odd.im, w.re * odd.re + w.im * odd.im);
    [even + rotated, (even - rotated).conj()]
}

/// `2 Z[0]` from `X[0]` and `X[m]`, whose imaginary parts count as zero.
#[inline(always)]
pub(crate) fn tangle_ends<T: FftReal>(first: Complex<T>, last: Complex<T>) -> Complex<T> {
    Complex::new(first.re + last.re, first.re - last.re)
}

/// In place: `Z[0..m]` to `X[0..=m]`.
pub(crate) fn untangle_line<T: FftReal>(line: &mut [Complex<T>], roots: &[Complex<T>]) {
    let m = line.len() - 1;
    let ends = untangle_ends(line[0]);
    change_pairs(&mut line[1..m], &roots[1..], untangle);
    if m.is_multiple_of(2) {
        // There w = -i.
        line[m / 2] = line[m / 2].conj();
    }
    [line[0], line[m]] = ends;
}

/// In place: `X[0..=m]` to `2 Z[0..m]`.
pub(crate) fn tangle_line<T: FftReal>(line: &mut [Complex<T>], roots: &[Complex<T>]) {
    let m = line.len() - 1;
    line[0] = tangle_ends(line[0], line[m]);
    change_pairs(&mut line[1..m], &roots[1..], tangle);
    if m.is_multiple_of(2) {
        line[m / 2] = line[m / 2].conj().scale(T::of(2.0));
    }
}

/// Applies `change` to the first and the last element, the second and the last but one, and so on; one in the middle is
/// left alone.
fn change_pairs<T: FftReal>(
    line: &mut [Complex<T>],
    roots: &[Complex<T>],
    change: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> [Complex<T>; 2],
) {
    #[cfg(target_arch = "x86_64")]
    if SimdLevel::detect() >= SimdLevel::Avx2 {
        // SAFETY: the processor has the instructions.
        return unsafe { change_pairs_avx2(line, roots, change) };
    }
    change_pairs_plainly(line, roots, change);
}

#[inline(always)]
fn change_pairs_plainly<T: FftReal>(
    line: &mut [Complex<T>],
    roots: &[Complex<T>],
    change: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> [Complex<T>; 2],
) {
    let (left, right) = line.split_at_mut(line.len() / 2);
    for ((z, mirror), w) in left.iter_mut().zip(right.iter_mut().rev()).zip(roots) {
        [*z, *mirror] = change(*z, *mirror, *w);
    }
}

/// The same in wider instructions, with the same bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn change_pairs_avx2<T: FftReal>(
    line: &mut [Complex<T>],
    roots: &[Complex<T>],
    change: impl Fn(Complex<T>, Complex<T>, Complex<T>) -> [Complex<T>; 2],
) {
    change_pairs_plainly(line, roots, change);
}

/// Fills a Hermitian line of which the first half is there: `X[n - k] = conj X[k]`.
pub(crate) fn mirror_line<T: FftReal>(line: &mut [Complex<T>]) {
    let n = line.len();
    for k in n / 2 + 1..n {
        line[k] = line[n - k].conj();
    }
}
