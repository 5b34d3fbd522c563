//! Whether parameters are within their bounds, alone and together; the messages are NumPy's.

use cuprum_core::{Distribution, Error, Result};

use super::Values;

/// Populations beyond this are refused, as in NumPy.
const LARGEST_POPULATION: f64 = 1e9;
/// The largest mean of a Poisson variate that fits 64 bits.
const LARGEST_MEAN: f64 = 9.223372006484771e18;

/// Refuses parameters that a distribution does not have.
pub(super) fn check(distribution: Distribution, values: &[Values]) -> Result<()> {
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

/// A parameter's elements where the host can see them.
enum Host {
    Same([f64; 1]),
    Each(Vec<f64>),
}

impl Host {
    fn new(values: &Values) -> Result<Host> {
        Ok(match values {
            Values::Number(number) => Host::Same([*number]),
            Values::Array(array) => Host::Each(array.to_vec::<f64>()?),
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
            [good, bad, _] if good.max(*bad) >= LARGEST_POPULATION => {
                Some("both ngood and nbad must be less than 1000000000")
            }
            [good, bad, sample] if good + bad < *sample => Some("ngood + nbad < nsample"),
            _ => None,
        },
        Distribution::NegativeBinomial => |p| match p {
            [n, p] if *p > 0.0 && (1.0 - p) / p * (n + 10.0 * n.sqrt()) > LARGEST_MEAN => {
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
            return Err(Error::Overflow { message: "uniform: high - low range exceeds valid bounds".into() });
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
