//! What a filter's state becomes in many steps without input: a power of its transition matrix.
//!
//! The matrix of a narrow filter has large entries whose powers cancel, so powers and products are taken in pairs of
//! floats, twice the precision.

use super::Wide;

/// The largest order of filters that are cut into blocks.
pub(super) const MAX_ORDER: usize = 32;

/// A sum of two floats, the second one below the rounding of the first.
#[derive(Clone, Copy)]
struct DoubleFloat {
    high: f64,
    low: f64,
}

impl DoubleFloat {
    const ZERO: DoubleFloat = DoubleFloat { high: 0.0, low: 0.0 };

    fn plus(self, other: DoubleFloat) -> DoubleFloat {
        let sum = self.high + other.high;
        let rest = sum - self.high;
        let error = (self.high - (sum - rest)) + (other.high - rest);
        DoubleFloat::normal(sum, error + (self.low + other.low))
    }

    fn times(self, other: DoubleFloat) -> DoubleFloat {
        let product = self.high * other.high;
        let error = self.high.mul_add(other.high, -product);
        DoubleFloat::normal(product, error + (self.high * other.low + self.low * other.high))
    }

    fn normal(high: f64, low: f64) -> DoubleFloat {
        let sum = high + low;
        DoubleFloat { high: sum, low: low - (sum - high) }
    }
}

/// The transition matrix of a number of steps, over the real parts of a state.
pub(super) struct Transition {
    size: usize,
    entries: Vec<DoubleFloat>,
}

impl Transition {
    /// The matrix of `steps`, a power of two, for a denominator that begins with one.
    pub fn new<V: Wide>(a: &[V], steps: usize) -> Transition {
        let (order, parts) = (a.len() - 1, V::PARTS);
        let size = order * parts;
        let mut entries = vec![DoubleFloat::ZERO; size * size];
        for i in 0..order {
            for part in 0..parts {
                let row = (i * parts + part) * size;
                for column in 0..parts {
                    // The product with a complex number as a matrix of its parts.
                    let sign = if part < column { 1.0 } else { -1.0 };
                    let value = a[i + 1].part(usize::from(part != column));
                    entries[row + column].high = sign * value;
                }
                if i + 1 < order {
                    entries[row + (i + 1) * parts + part].high = 1.0;
                }
            }
        }
        let mut power = Transition { size, entries };
        for _ in 0..steps.trailing_zeros() {
            power = power.squared();
        }
        power
    }

    fn squared(&self) -> Transition {
        let n = self.size;
        let mut entries = vec![DoubleFloat::ZERO; n * n];
        for i in 0..n {
            for k in 0..n {
                let factor = self.entries[i * n + k];
                for j in 0..n {
                    let entry = &mut entries[i * n + j];
                    *entry = entry.plus(factor.times(self.entries[k * n + j]));
                }
            }
        }
        Transition { size: n, entries }
    }

    /// Whether no entry has overflowed.
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| (entry.high + entry.low).is_finite())
    }

    /// Replaces a state by what becomes of it, plus `total`.
    pub fn apply<V: Wide>(&self, state: &mut [V], total: &[V]) {
        let (parts, n) = (V::PARTS, self.size);
        let before: Vec<f64> = state.iter().flat_map(|z| (0..parts).map(|part| z.part(part))).collect();
        for (i, z) in state.iter_mut().enumerate() {
            let mut next = [0.0; 2];
            for (part, next) in next[..parts].iter_mut().enumerate() {
                let row = &self.entries[(i * parts + part) * n..][..n];
                let mut sum = DoubleFloat { high: total[i].part(part), low: 0.0 };
                for (entry, z) in row.iter().zip(&before) {
                    sum = sum.plus(entry.times(DoubleFloat { high: *z, low: 0.0 }));
                }
                *next = sum.high;
            }
            *z = V::of_parts(&next[..parts]);
        }
    }
}
