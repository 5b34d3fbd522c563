//! Lengths with large prime factors: a convolution with a chirp, `X[k] = c[k] * sum_j (x[j] c[j]) / c[k - j]`.
//!
//! Here `c[j] = exp(-pi i j^2 / n)` (Bluestein). The convolution is cyclic over a longer length that is easily cut in
//! two; its spectrum may stay in whatever order the forward transform leaves it.

use std::sync::Arc;

use cuprum_core::Result;
use cuprum_core::memory::{filled, with_capacity};
use num_complex::Complex;
use rustfft::Fft;

use super::{balanced, four_step::FourStep};
use crate::plan::short;
use crate::roots::root;
use crate::{Direction, FftReal};

/// A transform of any length by a convolution.
pub(crate) struct Chirp<T: FftReal> {
    n: usize,
    four_step: FourStep<T>,
    /// Transforms of rows and columns back.
    back: Arc<dyn Fft<T>>,
    up: Arc<dyn Fft<T>>,
    chirp: Vec<Complex<T>>,
    /// The spectrum of `1 / c`, over the convolution's length, row by row as `four_step` leaves it.
    spectrum: Vec<Complex<T>>,
}

impl<T: FftReal> Chirp<T> {
    pub(crate) fn new(n: usize) -> Result<Chirp<T>> {
        let (rows, columns) =
            balanced(convolution_length(n)).expect("powers of 2, 3 and 5 are easily cut in two");
        let four_step = FourStep::new(rows, columns);
        let length = four_step.length();
        let mut chirp = with_capacity(n);
        let mut square = 0;
        for j in 0..n {
            chirp.push(root(square, 2 * n));
            // (j + 1)^2 = j^2 + 2j + 1, kept below 2n.
            square += 2 * j + 1;
            if square >= 2 * n {
                square -= 2 * n;
            }
        }
        let mut work = filled(four_step.work_length(), Complex::new(T::zero(), T::zero()));
        // c is even, and so is what it is over the convolution's length.
        let inverse = |j: usize| match j.min(length - j) {
            j if j < n => chirp[j].conj(),
            _ => Complex::new(T::zero(), T::zero()),
        };
        // SAFETY: the memory has the length that is asked for.
        unsafe {
            four_step.transform_columns(work.as_mut_ptr(), length, &inverse)?;
            four_step.change_rows(work.as_mut_ptr(), None, &|_, _| {})?;
        }
        let scale = T::of(1.0 / length as f64);
        let rows_of_work = work.chunks_exact(four_step.pitch());
        let mut spectrum = with_capacity(length);
        spectrum.extend(rows_of_work.flat_map(|row| row[..columns].iter().map(|z| z.scale(scale))));
        Ok(Chirp {
            n,
            back: short(columns, Direction::Inverse),
            up: short(rows, Direction::Inverse),
            four_step,
            chirp,
            spectrum,
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.four_step.bytes() + size_of_val(&*self.chirp) + size_of_val(&*self.spectrum)
    }

    pub(crate) fn work_length(&self) -> usize {
        self.four_step.work_length()
    }

    /// As `Long::run`.
    ///
    /// # Safety
    /// As for `Long::run`.
    pub(crate) unsafe fn run(
        &self,
        work: *mut Complex<T>,
        load: &(impl Fn(usize) -> Complex<T> + Sync),
        store: &(impl Fn(usize, Complex<T>) + Sync),
    ) -> Result<()> {
        let columns = self.four_step.columns;
        // SAFETY: the caller's promise.
        unsafe {
            self.four_step.transform_columns(work, self.n, &|j| load(j) * self.chirp[j])?;
            self.four_step.change_rows(work, Some(&*self.back), &|k1, row| {
                let spectrum = &self.spectrum[k1 * columns..][..columns];
                row.iter_mut().zip(spectrum).for_each(|(z, s)| *z = *z * *s);
            })?;
            self.four_step.restore_columns(work, &*self.up, self.n, &|k, z| store(k, z * self.chirp[k]))
        }
    }
}

/// The least product of powers of 2, 3 and 5 that holds the convolution; mostly twos, which are fastest.
fn convolution_length(n: usize) -> usize {
    let least = 2 * n - 1;
    [1, 3, 5, 9, 15, 25, 27, 45, 75]
        .into_iter()
        .map(|odd: usize| odd * least.div_ceil(odd).next_power_of_two())
        .min()
        .expect("the list is not empty")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convolutions_waste_little() {
        for n in [32_771, 999_983, 3_000_017] {
            let length = convolution_length(n);
            assert!(length >= 2 * n - 1 && length < 2 * n + n / 4, "{n}: {length}");
            assert!(balanced(length).is_some());
        }
    }
}
