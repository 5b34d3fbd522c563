//! Long lines, in passes over memory that all threads share.
//!
//! A length `n = rows * columns` is done as a matrix: its columns are transformed, multiplied by twiddle factors, and then
//! its rows; the result is the transpose ([`four_step`]). Lengths with large prime factors become convolutions with a chirp,
//! which are done by two such transforms, one there and one back ([`chirp`]). Each pass moves groups of lines that fit
//! the cache. The passes are the same with any number of threads.

mod chirp;
mod four_step;

use cuprum_core::Result;
use num_complex::Complex;

use crate::{Allocate, FftReal};
use chirp::Chirp;
use four_step::FourStep;

/// Complex lines of at least this length are long.
pub(crate) const LONG_MIN: usize = if cfg!(miri) { 1 << 7 } else { 1 << 15 };

/// Bytes of tables that are taken without asking.
const FREE_TABLE_BYTES: usize = 256 << 20;

/// How a long complex line is transformed, forward.
pub(crate) enum Long<T: FftReal> {
    FourStep(FourStep<T>),
    Chirp(Chirp<T>),
}

impl<T: FftReal> Long<T> {
    pub(crate) fn new(n: usize, allocate: Allocate<'_>) -> Result<Long<T>> {
        let size = size_of::<Complex<T>>();
        // Tables are ordinary memory, of which there is always enough until the process ends: ask before.
        let asked = |numbers: usize| match numbers * size {
            ..FREE_TABLE_BYTES => Ok(()),
            bytes => allocate(bytes).map(drop),
        };
        match balanced(n) {
            Some((rows, columns)) => {
                asked(n / 4)?;
                Ok(Long::FourStep(FourStep::new(rows, columns)))
            }
            None => {
                asked(n.saturating_mul(7))?;
                Ok(Long::Chirp(Chirp::new(n)?))
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Long::FourStep(steps) => steps.bytes(),
            Long::Chirp(chirp) => chirp.bytes(),
        }
    }

    /// Complex numbers of working memory.
    pub(crate) fn work_length(&self) -> usize {
        match self {
            Long::FourStep(steps) => steps.work_length(),
            Long::Chirp(chirp) => chirp.work_length(),
        }
    }

    /// Transforms the line that `load` gives and hands the result to `store`, element by element in no particular
    /// order. Everything is loaded before anything is stored.
    ///
    /// # Safety
    /// `work` has room for `work_length` numbers, used by nobody else.
    pub(crate) unsafe fn run(
        &self,
        work: *mut Complex<T>,
        load: &(impl Fn(usize) -> Complex<T> + Sync),
        store: &(impl Fn(usize, Complex<T>) + Sync),
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Long::FourStep(steps) => {
                    steps.transform_columns(work, steps.length(), load)?;
                    steps.transform_rows(work, store)
                }
                Long::Chirp(chirp) => chirp.run(work, load, store),
            }
        }
    }
}

/// The most that one side of a matrix may be longer than the other: lines longer than that do not fit the cache.
const MAX_ASPECT: usize = 64;

/// The most nearly square factorisation of a length, if one pays.
fn balanced(n: usize) -> Option<(usize, usize)> {
    let rows =
        (1..=n.isqrt()).rev().take_while(|d| d * d * MAX_ASPECT >= n).find(|d| n.is_multiple_of(*d))?;
    Some((rows, n / rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_cut_as_squarely_as_they_can_be() {
        assert_eq!(balanced(1 << 20), Some((1024, 1024)));
        assert_eq!(balanced(1_000_000), Some((1000, 1000)));
        assert_eq!(balanced(1 << 17), Some((256, 512)));
        assert_eq!(balanced(3 << 16), Some((384, 512)));
        assert_eq!(balanced(999_983), None);
        assert_eq!(balanced(2 * 499_979), None);
    }
}
