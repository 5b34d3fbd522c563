//! Random numbers on the GPU: the words of a Philox stream by their number, and what the distributions make of them, with
//! the bits of the CPU device.

mod draws;
mod integers;
#[cfg(test)]
mod tests;
mod words;

use cuprum_core::{Cipher, DType, Error, Result, Stream};
use cuprum_graph::{RandomCall, Slot, SortCall};

use super::sort;
use crate::session::Session;
use draws::{Maker, Parameters};
use words::{DrawSource, LightWords, Philox};

pub(super) fn run(session: &Session, call: &RandomCall<'_>) -> Result<()> {
    match *call {
        RandomCall::Raw { stream, out } => {
            draws::fill(session, Philox::words(stream), Maker::Raw, &Parameters::none(), out)
        }
        RandomCall::Uniform { stream, cipher, out } => {
            let (source, maker): (DrawSource, Maker) = match (out.dtype, cipher) {
                (DType::F32, Cipher::Wide) => (Philox::halves(stream).into(), Maker::SingleUniforms),
                (DType::F32, Cipher::Light) => (LightWords::halves(stream).into(), Maker::SingleUniforms),
                (_, Cipher::Wide) => (Philox::words(stream).into(), Maker::DoubleUniforms),
                (_, Cipher::Light) => (LightWords::words(stream).into(), Maker::DoubleUniforms),
            };
            draws::fill(session, source, maker, &Parameters::none(), out)
        }
        RandomCall::Integers { stream, offset, span, out, moved } => session.with_dense_out(out, |out| {
            session.with_dense_out(moved, |moved| integers::run(session, stream, offset, span, out, moved))
        }),
        RandomCall::IntegersBetween { stream, offsets, spans, out, moved } => {
            let (offsets, spans) = (session.dense(offsets)?, session.dense(spans)?);
            session.with_dense_out(out, |out| {
                session.with_dense_out(moved, |moved| {
                    integers::between(session, stream, &offsets, &spans, out, moved)
                })
            })
        }
        RandomCall::Draw { stream, cipher, distribution, parameters, out } => {
            draws::distribution(session, stream, cipher, distribution, parameters, out)
        }
        RandomCall::Orders { stream, weights, out } => orders(session, stream, weights, out),
        RandomCall::Choices { stream, cumulative, out } => {
            if cumulative.layout.size() == 0 && out.layout.size() > 0 {
                return Err(Error::value("choice", "there is nothing to choose from"));
            }
            let cumulative = session.dense(cumulative)?;
            let parameters = Parameters::table(session, &cumulative);
            draws::fill(session, Philox::words(stream), Maker::Choices, &parameters, out)
        }
        RandomCall::Multinomial { stream, trials, chances, out } => {
            draws::multinomial(session, stream, trials, chances, out)
        }
    }
}

/// Rows of positions in the order of their words, or of exponential variates over weights.
fn orders(session: &Session, stream: &Stream, weights: Option<&Slot>, out: &Slot) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let axis = out.layout.shape.len() - 1;
    if weights.is_some_and(|weights| weights.layout.size() != out.layout.shape[axis]) {
        return Err(Error::value("permutation", "weights and rows differ in length"));
    }
    let keys = session.new_slot(&out.layout.shape, DType::U64)?;
    let words = Philox::words(stream);
    match weights {
        None => draws::fill(session, words, Maker::Raw, &Parameters::none(), &keys)?,
        Some(weights) => {
            let weights = session.dense(weights)?;
            let parameters = Parameters::table(session, &weights);
            draws::fill(session, words, Maker::WeightedKeys, &parameters, &keys)?;
        }
    }
    sort::run(session, &SortCall::ArgSort { input: &keys, out, axis })
}
