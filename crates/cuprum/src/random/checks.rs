//! Whether parameters are within their bounds, alone and together; the messages are NumPy's.
//!
//! Arrays are compared on their device, and one answer is read. Only if that is no are they compared one by one.

use cuprum_core::{Bound, Distribution, Error, MAX_POISSON_MEAN, Op, Result};

use super::ParameterValues;
use crate::Array;
use crate::elementwise::{Arg, Options, apply};

/// Populations beyond this are refused, as in NumPy.
const MAX_POPULATION: f64 = 1e9;

/// Refuses parameters that a distribution does not have.
pub(super) fn check(distribution: Distribution, values: &[ParameterValues]) -> Result<()> {
    let arrays = values.iter().any(|value| matches!(value, ParameterValues::Array(_)));
    if arrays && are_surely_valid(distribution, values)? {
        return Ok(());
    }
    let hosts = values.iter().map(Host::new).collect::<Result<Vec<_>>>()?;
    let row = distribution.row();
    // What parameters are together comes first, as in NumPy.
    check_together(distribution, &hosts)?;
    for (host, (name, bound)) in hosts.iter().zip(row.parameters) {
        if let Some(value) = host.values().iter().find(|value| bound.rejects(**value)) {
            return Err(Error::value(row.name, bound.complaint(name, *value)));
        }
    }
    Ok(())
}

/// Whether comparisons on the device show that all parameters are valid. The comparisons are slightly stricter than the
/// bounds, and fail for NaN.
fn are_surely_valid(distribution: Distribution, values: &[ParameterValues]) -> Result<bool> {
    let mut conditions = Conditions::default();
    for (value, (_, bound)) in values.iter().zip(distribution.row().parameters) {
        conditions.within(value, *bound)?;
    }
    let number = ParameterValues::Number;
    match (distribution, values) {
        (Distribution::Uniform, [low, high]) => {
            // The range is finite.
            conditions.at_most(&number(-8e307), low)?;
            conditions.at_most(high, &number(8e307))?;
            conditions.at_most(low, high)?;
        }
        (Distribution::Triangular, [left, mode, right]) => {
            conditions.at_most(left, mode)?;
            conditions.at_most(mode, right)?;
            conditions.below(left, right)?;
        }
        (Distribution::Hypergeometric, [good, bad, sample]) => {
            conditions.below(good, &number(MAX_POPULATION))?;
            conditions.below(bad, &number(MAX_POPULATION))?;
            conditions.at_most(sample, &sum(good, bad)?)?;
        }
        (Distribution::NegativeBinomial, [n, p]) => {
            conditions.at_most(n, &number(1e12))?;
            conditions.at_most(&number(1e-6), p)?;
        }
        _ => {}
    }
    conditions.hold()
}

fn sum(a: &ParameterValues, b: &ParameterValues) -> Result<ParameterValues> {
    Ok(match (a, b) {
        (ParameterValues::Number(a), ParameterValues::Number(b)) => ParameterValues::Number(a + b),
        (ParameterValues::Array(array), other) | (other, ParameterValues::Array(array)) => {
            ParameterValues::Array(array.binary(Op::Add, arg(other))?)
        }
    })
}

fn arg(value: &ParameterValues) -> Arg<'_> {
    match value {
        ParameterValues::Number(number) => (*number).into(),
        ParameterValues::Array(array) => array.into(),
    }
}

/// Conditions on parameters, of which arrays' are joined into one array.
#[derive(Default)]
struct Conditions {
    joined: Option<Array>,
    fails: bool,
}

impl Conditions {
    fn within(&mut self, value: &ParameterValues, bound: Bound) -> Result<()> {
        let ParameterValues::Array(array) = value else {
            self.fails |= matches!(value, ParameterValues::Number(number) if bound.rejects(*number));
            return Ok(());
        };
        let (zero, one) = (ParameterValues::Number(0.0), ParameterValues::Number(1.0));
        match bound {
            Bound::Any => Ok(()),
            Bound::NonNegative => self.join(array.unary(Op::Signbit)?.unary(Op::LogicalNot)?),
            Bound::Positive | Bound::PositiveNumber => self.below(&zero, value),
            Bound::AboveOne => self.below(&one, value),
            Bound::Unit => self.at_most(&zero, value).and_then(|()| self.at_most(value, &one)),
            Bound::UnitAboveZero => self.below(&zero, value).and_then(|()| self.at_most(value, &one)),
            Bound::UnitBelowOne => self.at_most(&zero, value).and_then(|()| self.below(value, &one)),
            Bound::Mean => {
                self.at_most(&zero, value)?;
                self.at_most(value, &ParameterValues::Number(MAX_POISSON_MEAN))
            }
        }
    }

    fn below(&mut self, a: &ParameterValues, b: &ParameterValues) -> Result<()> {
        self.compare(Op::Less, a, b, |a, b| a < b)
    }

    fn at_most(&mut self, a: &ParameterValues, b: &ParameterValues) -> Result<()> {
        self.compare(Op::LessEqual, a, b, |a, b| a <= b)
    }

    fn compare(
        &mut self,
        op: Op,
        a: &ParameterValues,
        b: &ParameterValues,
        holds: fn(f64, f64) -> bool,
    ) -> Result<()> {
        if let (ParameterValues::Number(a), ParameterValues::Number(b)) = (a, b) {
            self.fails |= !holds(*a, *b);
            return Ok(());
        }
        self.join(apply(op, &[arg(a), arg(b)], &Options::default())?)
    }

    fn join(&mut self, condition: Array) -> Result<()> {
        self.joined = Some(match self.joined.take() {
            Some(joined) => joined.binary(Op::LogicalAnd, &condition)?,
            None => condition,
        });
        Ok(())
    }

    fn hold(self) -> Result<bool> {
        match self.joined {
            _ if self.fails => Ok(false),
            Some(joined) => joined.all()?.item::<bool>(),
            None => Ok(true),
        }
    }
}

/// A parameter's elements where the host can see them.
enum Host {
    Same([f64; 1]),
    Each(Vec<f64>),
}

impl Host {
    fn new(values: &ParameterValues) -> Result<Host> {
        Ok(match values {
            ParameterValues::Number(number) => Host::Same([*number]),
            ParameterValues::Array(array) => Host::Each(array.to_vec::<f64>()?),
        })
    }

    fn values(&self) -> &[f64] {
        match self {
            Host::Same(value) => value,
            Host::Each(values) => values,
        }
    }

    fn at(&self, i: usize) -> f64 {
        match self {
            Host::Same([value]) => *value,
            Host::Each(values) => values[i],
        }
    }
}

fn check_together(distribution: Distribution, hosts: &[Host]) -> Result<()> {
    let rule: fn(&[f64]) -> Option<&'static str> = match distribution {
        Distribution::Uniform => return check_range(hosts),
        Distribution::Triangular => |p| match p {
            [left, mode, _] if left > mode => Some("left > mode"),
            [_, mode, right] if mode > right => Some("mode > right"),
            [left, _, right] if left == right => Some("left == right"),
            _ => None,
        },
        Distribution::Hypergeometric => |p| match p {
            [good, bad, _] if good.max(*bad) >= MAX_POPULATION => {
                Some("both ngood and nbad must be less than 1000000000")
            }
            [good, bad, sample] if good + bad < *sample => Some("ngood + nbad < nsample"),
            _ => None,
        },
        Distribution::NegativeBinomial => |p| match p {
            [n, p] if *p > 0.0 && (1.0 - p) / p * (n + 10.0 * n.sqrt()) > MAX_POISSON_MEAN => {
                Some("n too large or p too small")
            }
            _ => None,
        },
        _ => return Ok(()),
    };
    let message = rows(hosts).find_map(|row| rule(&row));
    message.map_or(Ok(()), |message| Err(Error::value(distribution.row().name, message)))
}

/// A range of uniform numbers is finite and not negative.
fn check_range(hosts: &[Host]) -> Result<()> {
    for row in rows(hosts) {
        let span = row[1] - row[0];
        if !span.is_finite() {
            return Err(Error::overflow("uniform", "high - low range exceeds valid bounds"));
        }
        if span < 0.0 {
            return Err(Error::value("uniform", "high - low < 0"));
        }
    }
    Ok(())
}

/// The parameters of each element; of one where all are numbers.
fn rows(hosts: &[Host]) -> impl Iterator<Item = Vec<f64>> {
    let each = hosts.iter().find_map(|host| match host {
        Host::Same(_) => None,
        Host::Each(values) => Some(values.len()),
    });
    (0..each.unwrap_or(1)).map(|i| hosts.iter().map(|host| host.at(i)).collect())
}
