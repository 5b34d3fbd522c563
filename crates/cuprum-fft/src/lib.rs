//! Discrete Fourier transforms on host memory: complex and real, of any length, along any axes of any strides.
//!
//! Short lines go to rustfft, several at a time; long ones are cut into short ones that all threads share
//! ([`long`]). What is computed depends on lengths alone, never on the number of threads.

mod cache;
mod lines;
mod long;
mod long_pass;
mod memory;
mod pass;
mod plan;
mod real;
mod roots;
#[cfg(test)]
mod tests;
mod transform;

pub use memory::{Lease, touch_scratch};
pub use transform::{Allocate, Strided, Transform, transform};

use cache::PlanCache;

/// The sign of the exponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `exp(-2 pi i j k / n)`.
    Forward,
    /// `exp(+2 pi i j k / n)`.
    Inverse,
}

/// What goes in and what comes out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TransformKind {
    /// Complex lines to complex lines.
    Complex,
    /// Real lines to all their complex coefficients.
    RealToComplex,
    /// Real lines to the first `n / 2 + 1` coefficients, along the last axis transformed; the rest mirror them.
    RealToHalf,
    /// The first `n / 2 + 1` coefficients along the last axis transformed, to real lines.
    HalfToReal,
}

/// The two precisions.
pub trait FftReal: rustfft::FftNum + std::iter::Sum + sealed::Sealed {
    /// The nearest number.
    fn of(value: f64) -> Self;
    #[doc(hidden)]
    fn plans() -> &'static PlanCache<Self>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl FftReal for f32 {
    fn of(value: f64) -> f32 {
        value as f32
    }

    fn plans() -> &'static PlanCache<f32> {
        static PLANS: PlanCache<f32> = PlanCache::new();
        &PLANS
    }
}

impl FftReal for f64 {
    fn of(value: f64) -> f64 {
        value
    }

    fn plans() -> &'static PlanCache<f64> {
        static PLANS: PlanCache<f64> = PlanCache::new();
        &PLANS
    }
}
