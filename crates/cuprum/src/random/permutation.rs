//! Permutations, weighted choices, and multinomial counts.

use cuprum_core::{DType, Error, Result};
use cuprum_graph::RandomCall;
use cuprum_random::{skip_blocks, skip_words};

use super::{Generator, result, run, slot};
use crate::Array;
use crate::device::check_devices;

impl Generator {
    /// Random permutations of `0..n`, one in each of `rows` rows. With weights, one for each position and none
    /// negative, positions come as if drawn one after the other without replacement, with probabilities in
    /// proportion.
    ///
    /// ```
    /// use cuprum::random::Generator;
    /// let order = Generator::new(1).orders(1, 4, None).unwrap();
    /// let mut order = order.to_vec::<i64>().unwrap();
    /// order.sort();
    /// assert_eq!(order, vec![0, 1, 2, 3]);
    /// ```
    pub fn orders(&mut self, rows: usize, n: usize, weights: Option<&Array>) -> Result<Array> {
        let weights = weights.map(|weights| row_of("permutation", weights, DType::F64)).transpose()?;
        if weights.as_ref().is_some_and(|weights| weights.size() != n) {
            return Err(Error::value("permutation", format!("there must be {n} weights")));
        }
        let out = result("permutation", &[rows, n], DType::I64)?;
        check_devices("permutation", std::iter::once(&out).chain(weights.as_ref()))?;
        if out.size() > 0 {
            let weights = weights.as_ref().map(slot).transpose()?;
            run(
                &out,
                RandomCall::Orders { stream: &self.stream, weights: weights.as_ref(), out: &slot(&out)? },
            )?;
        }
        skip_words(&mut self.stream, out.size() as u64);
        Ok(out)
    }

    /// Indices drawn with replacement, by a cumulative distribution.
    ///
    /// ```
    /// use cuprum::Array;
    /// use cuprum::random::Generator;
    /// let cumulative = Array::from_slice(&[0.0, 0.0, 1.0]);
    /// let drawn = Generator::new(1).choices(&cumulative, &[3]).unwrap();
    /// assert_eq!(drawn.to_vec::<i64>().unwrap(), vec![2, 2, 2]);
    /// ```
    pub fn choices(&mut self, cumulative: &Array, shape: &[usize]) -> Result<Array> {
        let cumulative = row_of("choice", cumulative, DType::F64)?;
        let out = result("choice", shape, DType::I64)?;
        check_devices("choice", [&out, &cumulative])?;
        if out.size() > 0 {
            if cumulative.size() == 0 {
                return Err(Error::value("choice", "there is nothing to choose from"));
            }
            let chances = slot(&cumulative)?;
            run(&out, RandomCall::Choices { stream: &self.stream, cumulative: &chances, out: &slot(&out)? })?;
        }
        skip_words(&mut self.stream, out.size() as u64);
        Ok(out)
    }

    /// How often each outcome comes up in `trials` trials, in `rows` rows; `trials` has one element, or one for each row.
    ///
    /// ```
    /// use cuprum::Array;
    /// use cuprum::random::Generator;
    /// let chances = Array::from_slice(&[0.5, 0.5]);
    /// let counts = Generator::new(1).multinomial(&Array::from_slice(&[10i64]), &chances, 1).unwrap();
    /// assert_eq!(counts.to_vec::<i64>().unwrap().iter().sum::<i64>(), 10);
    /// ```
    pub fn multinomial(&mut self, trials: &Array, chances: &Array, rows: usize) -> Result<Array> {
        let trials = row_of("multinomial", trials, DType::I64)?;
        let chances = row_of("multinomial", chances, DType::F64)?;
        if trials.size() != 1 && trials.size() != rows {
            return Err(Error::value("multinomial", format!("{} trials for {rows} rows", trials.size())));
        }
        let out = result("multinomial", &[rows, chances.size()], DType::I64)?;
        check_devices("multinomial", [&out, &trials, &chances])?;
        if out.size() > 0 {
            let (trials, chances) = (slot(&trials)?, slot(&chances)?);
            let stream = &self.stream;
            run(
                &out,
                RandomCall::Multinomial { stream, trials: &trials, chances: &chances, out: &slot(&out)? },
            )?;
        }
        skip_blocks(&mut self.stream, rows as u64);
        Ok(out)
    }
}

/// An array of one dimension as a dtype.
fn row_of(op: &'static str, array: &Array, dtype: DType) -> Result<Array> {
    if array.ndim() != 1 {
        return Err(Error::value(op, format!("must be one-dimensional, got {} dimensions", array.ndim())));
    }
    if array.dtype() == dtype { Ok(array.clone()) } else { array.astype(dtype) }
}
