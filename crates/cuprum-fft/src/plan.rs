//! Plans: what is prepared once for lines of a length.

use std::sync::Arc;

use cuprum_core::memory::{collected, try_with_capacity};
use cuprum_core::{Result, SimdLevel};
use num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner, FftPlannerScalar};

use crate::long::{LONG_MIN, Long};
use crate::roots::{Roots, root};
use crate::{Allocate, Direction, FftReal};

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlanKey {
    pub(crate) n: usize,
    pub(crate) real: bool,
    pub(crate) direction: Direction,
}

/// The complex transform inside a plan.
pub(crate) enum Core<T: FftReal> {
    /// In one go, by one thread, in the direction of the plan.
    Short(Arc<dyn Fft<T>>),
    /// In passes that threads share, forward; the inverse is its conjugate.
    Long(Box<Long<T>>),
}

/// The roots that turn a complex transform of half the length into a real one, where the length is even.
pub(crate) enum HalfRoots<T> {
    /// Odd lengths are transformed as complex ones.
    None,
    /// The first quarter of them.
    Table(Vec<Complex<T>>),
    /// Those of a long line.
    Roots(Roots<T>),
}

/// A transform of lines of `n` numbers.
pub(crate) struct FftPlan<T: FftReal> {
    pub(crate) n: usize,
    pub(crate) core: Core<T>,
    pub(crate) half: HalfRoots<T>,
}

impl<T: FftReal> FftPlan<T> {
    /// The plan for complex lines, kept if it was used lately.
    pub(crate) fn complex(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Arc<FftPlan<T>>> {
        // Long plans serve both directions.
        let direction = if n < LONG_MIN { direction } else { Direction::Forward };
        let key = PlanKey { n, real: false, direction };
        T::plans()
            .get(key, || Ok(FftPlan { n, core: Core::new(n, direction, allocate)?, half: HalfRoots::None }))
    }

    /// The plan for real lines, forward to half of their coefficients or inverse from them.
    pub(crate) fn real(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Arc<FftPlan<T>>> {
        if n % 2 == 1 {
            return FftPlan::complex(n, direction, allocate);
        }
        let direction = if n / 2 < LONG_MIN { direction } else { Direction::Forward };
        T::plans().get(PlanKey { n, real: true, direction }, || {
            let half = if n / 2 < LONG_MIN {
                HalfRoots::Table(collected((0..=n / 4).map(|k| root(k, n))))
            } else {
                HalfRoots::Roots(Roots::new(n))
            };
            Ok(FftPlan { n, core: Core::new(n / 2, direction, allocate)?, half })
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
            HalfRoots::None => 0,
            HalfRoots::Table(roots) => size_of_val(&**roots),
            HalfRoots::Roots(roots) => roots.bytes(),
        };
        core + half
    }
}

impl<T: FftReal> Core<T> {
    fn new(n: usize, direction: Direction, allocate: Allocate<'_>) -> Result<Core<T>> {
        if n < LONG_MIN {
            return Ok(Core::Short(try_short(n, direction)?));
        }
        Ok(Core::Long(Box::new(Long::new(n, allocate)?)))
    }
}

/// rustfft's plan for a length, if there is memory for it. Its tables and scratch are requested first, since rustfft aborts
/// the process when an allocation fails.
fn try_short<T: FftReal>(n: usize, direction: Direction) -> Result<Arc<dyn Fft<T>>> {
    // Bluestein's way, the longest: a transform of at least twice the length, twice.
    drop(try_with_capacity::<Complex<T>>(16 * n)?);
    Ok(short(n, direction))
}

/// rustfft's plan for a length that needs little memory compared with what its caller has allocated.
pub(crate) fn short<T: FftReal>(n: usize, direction: Direction) -> Arc<dyn Fft<T>> {
    let direction = match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    };
    // rustfft finds the best instructions by itself; it knows nothing of `CUPRUM_SIMD`.
    if SimdLevel::detect() == SimdLevel::Portable && SimdLevel::best() != SimdLevel::Portable {
        return FftPlannerScalar::new().plan_fft(n, direction);
    }
    FftPlanner::new().plan_fft(n, direction)
}
