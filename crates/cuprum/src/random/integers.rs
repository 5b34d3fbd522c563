//! Bounded integers: NumPy's, with bounds for all or for each element.

use cuprum_core::{DType, Error, Kind, Number, Result, Scalar};
use cuprum_graph::RandomCall;
use cuprum_random::skip_words;

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
            let moved = Array::from_slice_on(out.device(), &[0u64; 3])?;
            let (offset, span) = ((low as u64), (high - low) as u64);
            let (target, facts) = (slot(&out)?, slot(&moved)?);
            run(
                &out,
                RandomCall::Integers { stream: &self.stream, offset, span, out: &target, moved: &facts },
            )?;
            self.move_by(&moved)?;
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
        let (low, mut high) = (numbers(low, &shape)?, numbers(high, &shape)?);
        if !endpoint {
            high.iter_mut().for_each(|high| *high -= 1);
        }
        for (low, high) in low.iter().zip(&high) {
            check_bounds(*low, *high, dtype)?;
        }
        let out = result(OP, &shape, dtype)?;
        if out.size() > 0 {
            let offsets: Vec<u64> = low.iter().map(|low| *low as u64).collect();
            let spans: Vec<u64> = low.iter().zip(&high).map(|(low, high)| (high - low) as u64).collect();
            let (offsets, spans) =
                (Array::from_slice_on(out.device(), &offsets)?, Array::from_slice_on(out.device(), &spans)?);
            let moved = Array::from_slice_on(out.device(), &[0u64; 3])?;
            run(
                &out,
                RandomCall::IntegersBetween {
                    stream: &self.stream,
                    offsets: &slot(&offsets)?,
                    spans: &slot(&spans)?,
                    out: &slot(&out)?,
                    moved: &slot(&moved)?,
                },
            )?;
            self.move_by(&moved)?;
        }
        Ok(out)
    }

    fn move_by(&mut self, moved: &Array) -> Result<()> {
        let facts = moved.to_vec::<u64>()?;
        skip_words(&mut self.stream, facts[0]);
        self.stream.has_half = facts[1] != 0;
        self.stream.half = facts[2] as u32;
        Ok(())
    }
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

fn check_bounds(low: i128, high: i128, dtype: DType) -> Result<()> {
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
    bytes
        .chunks_exact(size)
        .map(|element| match Scalar::from_bytes(array.dtype(), element).number() {
            Number::Bool(truth) => Ok(i128::from(truth)),
            Number::Int(number) => Ok(number),
            Number::Float(number) if number.is_finite() => Ok(number as i128),
            Number::Float(_) => Err(Error::value(OP, "bounds must be finite")),
            Number::Complex(..) => Err(Error::type_error(OP, "bounds must be real")),
        })
        .collect()
}
