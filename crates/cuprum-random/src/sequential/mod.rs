//! NumPy's sequential generators, PCG64, PCG64DXSM, MT19937 and SFC64, and the distributions of NumPy's `Generator` and
//! `RandomState` on them, bit for bit.
//!
//! How many words an element takes depends on their values, so elements are drawn one after the other, as NumPy draws them; raw and
//! uniform numbers of the PCGs are drawn by several threads that jump ahead. Elementary functions are the system's, since NumPy's are.
//!
//! ```
//! use cuprum_core::Distribution;
//! use cuprum_random::sequential::{Bits, Drawing, Rules};
//! use cuprum_random::{Draws, Parameter, SeedSequence};
//! let mut bits = Bits::pcg64(&SeedSequence::new(&[12345], &[], 4).generate_wide(4)).unwrap();
//! let mut numbers = [0.0; 2];
//! let parameters = [Parameter::Same(0.0), Parameter::Same(1.0)];
//! let drawing = Drawing::Generator(Rules::default());
//! drawing.fill(&mut bits, Distribution::Normal, &parameters, Draws::Double(&mut numbers)).unwrap();
//! // numpy.random.default_rng(12345).standard_normal(2)
//! assert_eq!(numbers, [-1.4238250364546312, 1.2637284581291104]);
//! ```

mod arrangements;
mod bits;
mod bounded;
mod continuous;
mod counts;
mod drawing;
mod legacy;
mod mt19937;
mod pcg64;
mod populations;
mod sfc64;
mod tables;
#[cfg(test)]
mod tests;
mod vectors;
mod words;
mod ziggurat;
mod ziggurat_tables;

pub use arrangements::{choose, distinct, shuffled, weighted_distinct};
pub use bits::{Bits, State};
pub use bounded::{fill_bounded, fill_bounded_between};
pub use cuprum_threads::interrupt::Watch;
pub use drawing::{Drawing, Rules, fill_exponential_inverse};
pub use vectors::{Chances, dirichlet, multinomial, multivariate_hypergeometric};
