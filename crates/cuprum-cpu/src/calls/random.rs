//! Random numbers on the CPU: library calls bound to the filling functions of `cuprum-random`.

use cuprum_core::{DType, Error, Result, SimdLevel, Stream};
use cuprum_graph::{RandomCall, RandomParameter, Slot};
use cuprum_random as random;

use super::{dense, start, with_dense_out};

/// Runs a call on dense memory.
pub(super) fn run(call: &RandomCall<'_>, level: SimdLevel) -> Result<()> {
    match *call {
        RandomCall::Raw { stream, out } => {
            with_dense_out(out, |out| random::fill_raw(stream, elements_mut(out, DType::U64)?, level))
        }
        RandomCall::Uniform { stream, cipher, out } => with_dense_out(out, |out| match out.dtype {
            DType::F32 => random::fill_uniform_single(stream, cipher, elements_mut(out, DType::F32)?, level),
            _ => random::fill_uniform(stream, cipher, elements_mut(out, DType::F64)?, level),
        }),
        RandomCall::Integers { stream, offset, span, out, moved } => with_dense_out(out, |out| {
            let mut end = *stream;
            random::fill_integers(&mut end, offset, span, integers(out)?, level)?;
            report(stream, &end, moved)
        }),
        RandomCall::IntegersBetween { stream, offsets, spans, out, moved } => with_dense_out(out, |out| {
            let (offsets, spans) = (dense(offsets)?, dense(spans)?);
            let mut end = *stream;
            let (low, span) = (elements(&offsets, DType::U64)?, elements(&spans, DType::U64)?);
            random::fill_integers_between(&mut end, low, span, integers(out)?)?;
            report(stream, &end, moved)
        }),
        RandomCall::Draw { stream, cipher, distribution, parameters, out } => with_dense_out(out, |out| {
            let slots = parameters.iter().map(each).collect::<Result<Vec<Option<Slot>>>>()?;
            let parameters = parameters.iter().zip(&slots).map(|(given, slot)| match (given, slot) {
                (RandomParameter::Same(value), _) => Ok(random::Parameter::Same(*value)),
                (RandomParameter::Each(_), Some(slot)) => {
                    Ok(random::Parameter::Each(elements(slot, DType::F64)?))
                }
                (RandomParameter::Each(_), None) => Err(Error::device("a parameter without its elements")),
            });
            let parameters = parameters.collect::<Result<Vec<_>>>()?;
            random::fill_distribution(stream, cipher, distribution, &parameters, draws(out)?, level)
        }),
        RandomCall::Orders { stream, weights, out } => with_dense_out(out, |out| {
            let n = out.layout.shape.last().copied().unwrap_or(0);
            let weights = weights.map(dense).transpose()?;
            let weights = weights.as_ref().map(|slot| elements(slot, DType::F64)).transpose()?;
            random::fill_orders(stream, n, weights, elements_mut(out, DType::I64)?, level)
        }),
        RandomCall::Choices { stream, cumulative, out } => with_dense_out(out, |out| {
            let cumulative = dense(cumulative)?;
            let chances = elements(&cumulative, DType::F64)?;
            random::fill_choices(stream, chances, elements_mut(out, DType::I64)?, level)
        }),
        RandomCall::Multinomial { stream, trials, chances, out } => with_dense_out(out, |out| {
            let (trials, chances) = (dense(trials)?, dense(chances)?);
            let (trials, chances) = (elements(&trials, DType::I64)?, elements(&chances, DType::F64)?);
            random::fill_multinomial(stream, trials, chances, elements_mut(out, DType::I64)?)
        }),
    }
}

/// The elements of a parameter, dense.
fn each(parameter: &RandomParameter) -> Result<Option<Slot>> {
    match parameter {
        RandomParameter::Same(_) => Ok(None),
        RandomParameter::Each(slot) => dense(slot).map(Some),
    }
}

/// Types that a dtype's elements can be read as: plain numbers of its size.
trait PlainElement: Copy {}
impl PlainElement for u8 {}
impl PlainElement for u16 {}
impl PlainElement for u32 {}
impl PlainElement for u64 {}
impl PlainElement for i64 {}
impl PlainElement for f32 {}
impl PlainElement for f64 {}

fn check<T: PlainElement>(slot: &Slot, dtype: DType) -> Result<()> {
    if slot.dtype == dtype && dtype.size() == size_of::<T>() {
        return Ok(());
    }
    Err(Error::device(format!("random: memory of {} where {dtype} was due", slot.dtype)))
}

/// The elements of a dense slot.
fn elements<T: PlainElement>(slot: &Slot, dtype: DType) -> Result<&[T]> {
    check::<T>(slot, dtype)?;
    if slot.layout.size() == 0 {
        return Ok(&[]);
    }
    // SAFETY: a dense slot holds its elements one after the other, aligned, for as long as it lives.
    Ok(unsafe { std::slice::from_raw_parts(start(slot).cast(), slot.layout.size()) })
}

/// The elements of a dense slot that is a call's output.
#[allow(clippy::mut_from_ref)]
fn elements_mut<T: PlainElement>(slot: &Slot, dtype: DType) -> Result<&mut [T]> {
    check::<T>(slot, dtype)?;
    if slot.layout.size() == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as above; an output overlaps no input, and only this call writes it.
    Ok(unsafe { std::slice::from_raw_parts_mut(start(slot).cast(), slot.layout.size()) })
}

fn integers(out: &Slot) -> Result<random::Integers<'_>> {
    use random::Integers;
    let dtype = out.dtype;
    Ok(match dtype {
        DType::Bool => Integers::Bool(elements_mut(out, dtype)?),
        DType::I8 | DType::U8 => Integers::Bits8(elements_mut(out, dtype)?),
        DType::I16 | DType::U16 => Integers::Bits16(elements_mut(out, dtype)?),
        DType::I32 | DType::U32 => Integers::Bits32(elements_mut(out, dtype)?),
        DType::I64 | DType::U64 => Integers::Bits64(elements_mut(out, dtype)?),
        other => return Err(Error::NoLoop { op: "integers".into(), dtypes: vec![other] }),
    })
}

fn draws(out: &Slot) -> Result<random::Draws<'_>> {
    use random::Draws;
    Ok(match out.dtype {
        DType::F32 => Draws::Single(elements_mut(out, DType::F32)?),
        DType::I64 => Draws::Whole(elements_mut(out, DType::I64)?),
        _ => Draws::Double(elements_mut(out, DType::F64)?),
    })
}

/// Writes how far the stream moved.
fn report(from: &Stream, to: &Stream, moved: &Slot) -> Result<()> {
    let blocks = to.counter[0].wrapping_sub(from.counter[0]);
    let words = blocks.wrapping_mul(4).wrapping_add(to.taken as u64).wrapping_sub(from.taken as u64);
    let facts: &mut [u64] = elements_mut(moved, DType::U64)?;
    facts.copy_from_slice(&[words, u64::from(to.has_half), u64::from(to.half)]);
    Ok(())
}
