//! Random numbers on slices of host memory: NumPy's SeedSequence and Philox4x64-10, and distributions that are computed
//! from counters, so that the number of threads, the instruction set and the device change nothing.
//!
//! [`sequential`] has NumPy's other generators, whose draws follow from all draws before them.
//!
//! A [`Stream`](cuprum_core::Stream) is a place in a stream of words; filling functions read from it, `skip_` functions move it on.
//!
//! ```
//! use cuprum_core::{Cipher, Stream};
//! use cuprum_core::SimdLevel;
//! use cuprum_random::{SeedSequence, fill_uniform};
//! let key = SeedSequence::new(&[12345], &[], 4).generate_wide(2);
//! let mut numbers = [0.0; 2];
//! let stream = Stream::new([key[0], key[1]], [0; 4]);
//! fill_uniform(&stream, Cipher::Wide, &mut numbers, SimdLevel::detect()).unwrap();
//! // numpy.random.Generator(numpy.random.Philox(12345)).random(2)
//! assert_eq!(numbers, [0.42075435954078155, 0.6531709678504624]);
//! ```

mod draw;
mod fill;
mod formulas;
mod integers;
mod math;
mod normal_f32;
mod per_element_stream;
mod permutation;
mod philox;
mod philox4x32;
mod samplers;
mod seed;
pub mod sequential;
mod simd;
#[cfg(test)]
mod tests;

pub use draw::{Draws, Parameter, fill_distribution, skip_draws};
pub use fill::{DrawElement, Plain, bytes_of, fill_raw, fill_uniform, fill_uniform_single};
pub use integers::{Integers, fill_integers, fill_integers_between};
pub use permutation::{fill_choices, fill_orders};
pub use philox::{block, counter_after, skip_blocks, skip_halves, skip_words};
pub use philox4x32::{Light, light_block};
pub use samplers::fill_multinomial;
pub use seed::SeedSequence;
