//! Numbers of two doubles, the second holding what the first rounds away: about 106 bits.

/// The sum of its parts; `low` is at most half an ulp of `high`.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    pub high: f64,
    pub low: f64,
}

/// `a * b` without rounding.
pub fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double { high, low: a.mul_add(b, -high) }
}

/// `a + b` without rounding.
fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

impl Double {
    pub fn plus(self, other: Double) -> Double {
        let sum = two_sum(self.high, other.high);
        two_sum(sum.high, sum.low + self.low + other.low)
    }

    pub fn times(self, factor: f64) -> Double {
        let product = two_product(self.high, factor);
        two_sum(product.high, product.low + self.low * factor)
    }

    pub fn times_double(self, other: Double) -> Double {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + self.high * other.low + self.low * other.high)
    }

    pub fn divided_by(self, divisor: f64) -> Double {
        let quotient = self.high / divisor;
        let rest = quotient.mul_add(-divisor, self.high) + self.low;
        two_sum(quotient, rest / divisor)
    }

    /// Rounded once.
    pub fn value(self) -> f64 {
        self.high + self.low
    }

    /// The square root, rounded about once.
    pub fn sqrt(self) -> f64 {
        let root = self.high.sqrt();
        root + (root.mul_add(-root, self.high) + self.low) / (2.0 * root)
    }

    /// One over the square root, rounded about once.
    pub fn reciprocal_sqrt(self) -> f64 {
        let inverse = 1.0 / self.high.sqrt();
        // s y^2 is 1 for the true y.
        let square = self.times_double(two_product(inverse, inverse));
        let residue = (square.high - 1.0) + square.low;
        inverse - inverse * residue * 0.5
    }
}
