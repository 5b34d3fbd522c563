//! Bounded integers: NumPy's, with bounds for all or for each element.

use cuprum_core::memory::try_with_capacity;
use cuprum_core::{DType, Error, Kind, Number, Op, Result, Scalar};
use cuprum_graph::{RandomCall, same_device};
use cuprum_random::{skip_halves, skip_words};

use super::{Generator, fitting_shape, result, run, slot, unsupported};
use crate::{Array, manipulation};

const OP: &str = "integers";

impl Generator {
    /// Integers from `low` up to and with `high`, of any integer dtype or bool.
    ///
    /// ```
    /// use cuprum::DType;
    /// use cuprum::random::Generator;
    /// let dice = Generator::new(3).integers(1, 6, &[100], DType::U8).unwrap();
    /// assert!(dice.to_vec::<u8>().unwrap().iter().all(|d| (1..=6).contains(d)));
    /// ```
    pub fn integers(&mut self, low: i128, high: i128, shape: &[usize], dtype: DType) -> Result<Array> {
        check_bounds(low, high, dtype)?;
        let out = result(OP, shape, dtype)?;
        if out.size() > 0 {
            let moved = movement(&out)?;
            let (offset, span) = ((low as u64), (high - low) as u64);
            let (target, facts) = (slot(&out)?, slot(&moved)?);
            run(
                &out,
                RandomCall::Integers { stream: &self.stream, offset, span, out: &target, moved: &facts },
            )?;
            // Where the number of words drawn is known beforehand, the stream advances without waiting for it.
            if !self.skip_certain(span, dtype, out.size() as u64) {
                self.move_by(&moved)?;
            }
        }
        Ok(out)
    }

    /// Integers from `low` up to `high`, and with it where `endpoint` says so, each element with the bounds at its place.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// use cuprum::{Array, DType};
    /// let (low, high) = (Array::from_slice(&[0i64, 10]), Array::from_slice(&[5i64, 10]));
    /// let drawn = Generator::new(3).integers_between(&low, &high, true, None, DType::I64).unwrap();
    /// assert_eq!(drawn.to_vec::<i64>().unwrap()[1], 10);
    /// ```
    pub fn integers_between(
        &mut self,
        low: &Array,
        high: &Array,
        endpoint: bool,
        shape: Option<&[usize]>,
        dtype: DType,
    ) -> Result<Array> {
        let shape = fitting_shape(OP, &[low.shape(), high.shape()], shape)?;
        let out = result(OP, &shape, dtype)?;
        let bounds = match bounds_on_device(low, high, endpoint, &out)? {
            Some(bounds) => bounds,
            None => bounds_by_host(low, high, endpoint, &out)?,
        };
        if out.size() > 0 {
            let moved = movement(&out)?;
            run(
                &out,
                RandomCall::IntegersBetween {
                    stream: &self.stream,
                    offsets: &slot(&bounds.offsets)?,
                    spans: &slot(&bounds.spans)?,
                    out: &slot(&out)?,
                    moved: &slot(&moved)?,
                },
            )?;
            self.move_by(&moved)?;
        }
        Ok(out)
    }

    /// Advances the stream if no draw can be rejected, which holds where the number of values is a power of two; says
    /// whether it did.
    fn skip_certain(&mut self, span: u64, dtype: DType, count: u64) -> bool {
        if span == 0 {
            return true;
        }
        let bits = match dtype.size() as u64 {
            _ if dtype == DType::Bool => 1,
            8 if span <= u64::from(u32::MAX) => 32,
            size => 8 * size,
        };
        if bits > 1 && span & span.wrapping_add(1) != 0 {
            return false;
        }
        match bits {
            64 => skip_words(&mut self.stream, count),
            bits => skip_halves(&mut self.stream, count.div_ceil(32 / bits)),
        }
        true
    }

    fn move_by(&mut self, moved: &Array) -> Result<()> {
        let facts = moved.to_vec::<u64>().map_err(|error| error.recording_in("integers"))?;
        skip_words(&mut self.stream, facts[0]);
        self.stream.has_half = facts[1] != 0;
        self.stream.half = facts[2] as u32;
        Ok(())
    }
}

/// Room for how far a call moves the stream.
fn movement(out: &Array) -> Result<Array> {
    let layout = cuprum_core::Layout::contiguous(&[3], size_of::<u64>());
    Array::uninitialized(out.device(), layout, DType::U64)
}

/// The lowest values and the spans of draws, uint64, of the result's shape and on its device.
struct Bounds {
    offsets: Array,
    spans: Array,
}

/// Bounds that are checked and subtracted on the result's device; `None` where they are on another device, are not
/// integers of at most 63 bits, or are not all within their limits.
fn bounds_on_device(low: &Array, high: &Array, endpoint: bool, out: &Array) -> Result<Option<Bounds>> {
    let fits = |bound: &Array| {
        let integer = matches!(bound.dtype().kind(), Kind::Bool | Kind::Signed | Kind::Unsigned);
        integer && bound.dtype() != DType::U64 && same_device(bound.device(), out.device())
    };
    if !fits(low) || !fits(high) {
        return Ok(None);
    }
    let wide =
        |bound: &Array| manipulation::broadcast_to(&bound.astype(DType::I64)?, out.shape())?.contiguous();
    let (low, high) = (wide(low)?, wide(high)?);
    let (least, most) = limits(out.dtype())?;
    let order = if endpoint { Op::LessEqual } else { Op::Less };
    let mut good = low.binary(order, &high)?;
    if least > i128::from(i64::MIN) {
        good = good.binary(Op::LogicalAnd, &low.binary(Op::GreaterEqual, least as i64)?)?;
    }
    if let Ok(most) = i64::try_from(most + i128::from(!endpoint)) {
        good = good.binary(Op::LogicalAnd, &high.binary(Op::LessEqual, most)?)?;
    }
    if !good.all()?.item::<bool>().map_err(|error| error.recording_in("integers"))? {
        return Ok(None);
    }
    let (offsets, high) = (low.astype(DType::U64)?, high.astype(DType::U64)?);
    let spans = high.binary(Op::Subtract, &offsets)?;
    let spans = if endpoint { spans } else { spans.binary(Op::Subtract, 1)? };
    Ok(Some(Bounds { offsets, spans }))
}

/// Bounds that the host checks one by one.
fn bounds_by_host(low: &Array, high: &Array, endpoint: bool, out: &Array) -> Result<Bounds> {
    let (offsets, spans) = host_bounds(low, high, endpoint, out.shape(), out.dtype())?;
    let on_device = |values: &[u64]| Array::from_slice_on(out.device(), values);
    Ok(Bounds { offsets: on_device(&offsets)?, spans: on_device(&spans)? })
}

/// The lowest values and the spans of draws of a shape and a dtype, on the host.
pub(super) fn host_bounds(
    low: &Array,
    high: &Array,
    endpoint: bool,
    shape: &[usize],
    dtype: DType,
) -> Result<(Vec<u64>, Vec<u64>)> {
    let (low, mut high) = (numbers(low, shape)?, numbers(high, shape)?);
    if !endpoint {
        high.iter_mut().for_each(|high| *high -= 1);
    }
    for (low, high) in low.iter().zip(&high) {
        check_bounds(*low, *high, dtype)?;
    }
    let (mut offsets, mut spans) = (try_with_capacity(low.len())?, try_with_capacity(low.len())?);
    offsets.extend(low.iter().map(|low| *low as u64));
    spans.extend(low.iter().zip(&high).map(|(low, high)| (high - low) as u64));
    Ok((offsets, spans))
}

/// The range of a dtype that integers are drawn in.
fn limits(dtype: DType) -> Result<(i128, i128)> {
    match dtype.kind() {
        Kind::Bool => Ok((0, 1)),
        Kind::Signed => Ok((-(1 << (8 * dtype.size() - 1)), (1 << (8 * dtype.size() - 1)) - 1)),
        Kind::Unsigned => Ok((0, (1 << (8 * dtype.size())) - 1)),
        _ => Err(unsupported(OP, dtype)),
    }
}

pub(super) fn check_bounds(low: i128, high: i128, dtype: DType) -> Result<()> {
    let (least, most) = limits(dtype)?;
    if low < least {
        return Err(Error::value(OP, format!("low is out of bounds for {dtype}")));
    }
    if high > most {
        return Err(Error::value(OP, format!("high is out of bounds for {dtype}")));
    }
    if low > high {
        return Err(Error::value(OP, format!("low >= high: nothing lies from {low} to {high}")));
    }
    Ok(())
}

/// The elements of a broadcast array as integers; floats lose their fractions.
fn numbers(array: &Array, shape: &[usize]) -> Result<Vec<i128>> {
    let wide = manipulation::broadcast_to(array, shape)?;
    let bytes = wide.to_bytes()?;
    let size = array.dtype().size();
    let mut numbers = try_with_capacity(wide.size())?;
    for element in bytes.chunks_exact(size) {
        numbers.push(match Scalar::from_bytes(array.dtype(), element).number() {
            Number::Bool(truth) => i128::from(truth),
            Number::Int(number) => number,
            Number::Huge(number) => number as i128,
            Number::Float(number) if number.is_finite() => number as i128,
            Number::Float(_) => return Err(Error::value(OP, "bounds must be finite")),
            Number::Complex(..) => return Err(Error::type_error(OP, "bounds must be real")),
        });
    }
    Ok(numbers)
}
