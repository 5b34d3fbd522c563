//! Roots of unity, each from an angle of at most an eighth of the circle, and tables of them.

use cuprum_core::memory::collected;
use num_complex::Complex;

use crate::FftReal;

/// `exp(-2 pi i k / n)`, as good as sine and cosine are.
pub(crate) fn root<T: FftReal>(k: usize, n: usize) -> Complex<T> {
    debug_assert!(k < n);
    // Eighths of the circle, and what is left of the angle in eighths of n; 128 bits since n may pass 2^61.
    let eighths = 8 * k as u128;
    let octant = (eighths / n as u128) as usize;
    let rest = (eighths % n as u128) as f64;
    let step = std::f64::consts::FRAC_PI_4 / n as f64;
    // Even octants count the angle up from an axis, odd ones down to the next.
    let angle = if octant.is_multiple_of(2) { rest * step } else { (n as f64 - rest) * step };
    let (sin, cos) = angle.sin_cos();
    let (re, im) = match octant {
        0 => (cos, -sin),
        1 => (sin, -cos),
        2 => (-sin, -cos),
        3 => (-cos, -sin),
        4 => (-cos, sin),
        5 => (-sin, cos),
        6 => (sin, cos),
        _ => (cos, sin),
    };
    Complex::new(T::of(re), T::of(im))
}

/// All `exp(-2 pi i k / n)` for `k` up to `n`, as products of a coarse and a fine one: two tables of some `sqrt(n)`.
pub(crate) struct Roots<T> {
    coarse: Vec<Complex<T>>,
    fine: Vec<Complex<T>>,
    shift: u32,
}

impl<T: FftReal> Roots<T> {
    pub(crate) fn new(n: usize) -> Roots<T> {
        let shift = n.ilog2().div_ceil(2);
        let fine = 1usize << shift;
        Roots {
            coarse: collected((0..n.div_ceil(fine)).map(|k| root(k << shift, n))),
            fine: collected((0..fine.min(n)).map(|k| root(k, n))),
            shift,
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, k: usize) -> Complex<T> {
        self.coarse[k >> self.shift] * self.fine[k & ((1 << self.shift) - 1)]
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.coarse) + size_of_val(&*self.fine)
    }
}
