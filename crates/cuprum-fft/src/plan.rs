//! Plans: what is prepared once for lines of a length.

use std::sync::Arc;

use cuprum_core::Result;
use cuprum_core::memory::{collected, try_with_capacity};
use num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};

use crate::long::{LONG, Long};
use crate::roots::{Roots, root};
use crate::{Allocate, Direction, Real};

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub(crate) n: usize,
    pub(crate) real: bool,
    pub(crate) direction: Direction,
}

/// The complex transform inside a plan.
pub(crate) enum Core<T: Real> {
    /// In one go, by one thread, in the direction of the plan.
    Short(Arc<dyn Fft<T>>),
    /// In passes that threads share, forward; the inverse is its conjugate.
    Long(Box<Long<T>>),
}

/// The roots that turn a complex transform of half the length into a real one, where the length is even.
pub(crate) enum Half<T> {
    /// Odd lengths are transformed as complex ones.
    None,
    /// The first quarter of them.
    Table(Vec<Complex<T>>),
    /// Those of a long line.
    Roots(Roots<T>),
}

/// A transform of lines of `n` numbers.
pub(crate) struct Plan<T: Real> {
    pub(crate) n: usize,
    pub(crate) core: Core<T>,
    pub(crate) half: Half<T>,
}

impl<T: Real> Plan<T> {
    /// The plan for complex lines, kept if it was used lately.
    pub(crate) fn complex(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Arc<Plan<T>>> {
        // Long plans serve both directions.
        let direction = if n < LONG { direction } else { Direction::Forward };
        let key = Key { n, real: false, direction };
        T::plans().get(key, || Ok(Plan { n, core: Core::new(n, direction, allocate)?, half: Half::None }))
    }

    /// The plan for real lines, forward to half of their coefficients or inverse from them.
    pub(crate) fn real(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Arc<Plan<T>>> {
        if n % 2 == 1 {
            return Plan::complex(n, direction, allocate);
        }
        let direction = if n / 2 < LONG { direction } else { Direction::Forward };
        T::plans().get(Key { n, real: true, direction }, || {
            let half = if n / 2 < LONG {
                Half::Table(collected((0..=n / 4).map(|k| root(k, n))))
            } else {
                Half::Roots(Roots::new(n))
            };
            Ok(Plan { n, core: Core::new(n / 2, direction, allocate)?, half })
        })
    }

    /// About how much memory the plan takes.
    pub(crate) fn bytes(&self) -> usize {
        let core = match &self.core {
            // rustfft does not say; its tables come to about this.
            Core::Short(fft) => 2 * fft.len() * size_of::<Complex<T>>(),
            Core::Long(long) => long.bytes(),
        };
        let half = match &self.half {
            Half::None => 0,
            Half::Table(roots) => size_of_val(&**roots),
            Half::Roots(roots) => roots.bytes(),
        };
        core + half
    }
}

impl<T: Real> Core<T> {
    fn new(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Core<T>> {
        if n < LONG {
            return Ok(Core::Short(try_short(n, direction)?));
        }
        Ok(Core::Long(Box::new(Long::new(n, allocate)?)))
    }
}

/// rustfft's plan for a length, where there is memory for it: its tables and what it computes them in are asked for first, since
/// rustfft ends the process where there is none.
fn try_short<T: Real>(n: usize, direction: Direction) -> Result<Arc<dyn Fft<T>>> {
    // Bluestein's way, the longest: a transform of at least twice the length, twice.
    drop(try_with_capacity::<Complex<T>>(16 * n)?);
    Ok(short(n, direction))
}

/// rustfft's plan for a length that is known to be small beside the memory that its caller has.
pub(crate) fn short<T: Real>(n: usize, direction: Direction) -> Arc<dyn Fft<T>> {
    let direction = match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    };
    FftPlanner::new().plan_fft(n, direction)
}
