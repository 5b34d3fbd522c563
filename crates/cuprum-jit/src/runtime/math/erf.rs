//! Relatives of the error function: its inverses, the scaled complement, the normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use super::double::two_product;
use super::platform::{erf, erfc};

/// `1/sqrt(2)` and `sqrt(2)` less their doubles, and `sqrt(pi)`.
const FRAC_1_SQRT_2_LOW: f64 = -4.833_646_656_726_457e-17;
const SQRT_2_LOW: f64 = -9.667_293_313_452_913e-17;
const SQRT_PI: f64 = 1.772_453_850_905_516;

/// `exp(x^2)`: the square is kept in two parts.
fn exp_square(x: f64) -> f64 {
    let square = two_product(x, x);
    let high = square.high.exp();
    if high.is_finite() { high + high * square.low } else { high }
}

/// `exp(x^2) erfc(x)`.
pub fn erfcx(x: f64) -> f64 {
    if x >= 10.0 {
        return erfcx_large(x);
    }
    if x >= 0.0 {
        return exp_square(x) * erfc(x);
    }
    if x < -6.0 {
        // erfc(x) is 2 to all digits.
        return 2.0 * exp_square(x);
    }
    exp_square(x) * erfc(x)
}

/// The asymptotic series `1/(x sqrt(pi)) (1 - 1/(2x^2) + 3/(2x^2)^2 - ...)`, to its end from 10 on.
fn erfcx_large(x: f64) -> f64 {
    if x > 1e8 {
        return 1.0 / (SQRT_PI * x);
    }
    let t = 1.0 / (2.0 * x * x);
    let mut sum = 0.0;
    for k in (1..=18).rev() {
        sum = -f64::from(2 * k - 1) * t * (1.0 + sum);
    }
    let first = 1.0 / (SQRT_PI * x);
    first + first * sum
}

/// The positive `y` with `erfc(y) = c`, for `c` in `(0, 1/2]`.
fn inverse_tail(c: f64) -> f64 {
    // Where erfc is subnormal, its logarithm is followed instead.
    let log = c.ln();
    // A first guess from exp(-y^2) / (y sqrt(pi)), good to some digits; the steps below take what is left.
    let mut y = (-log).sqrt();
    for _ in 0..3 {
        y = (-log - (SQRT_PI * y.max(0.3)).ln()).max(0.05).sqrt();
    }
    for _ in 0..12 {
        let residue = if c < 1e-290 { erfcx(y).ln() - y * y - log } else { relative_residue(y, c) };
        // Newton on ln erfc(y) - ln c, whose slope is -2/sqrt(pi) / erfcx(y).
        let step = residue * erfcx(y) / FRAC_2_SQRT_PI;
        let next = y + step;
        let done = (step / next).abs() < 1e-9;
        y = if next > 0.0 { next } else { 0.5 * y };
        if done {
            break;
        }
    }
    y
}

/// `ln(erfc(y) / c)` for `erfc(y)` near `c`.
fn relative_residue(y: f64, c: f64) -> f64 {
    ((erfc(y) - c) / c).max(-0.99).ln_1p()
}

/// The `y` with `erf(y) = x`, for `|x| <= 1/2`.
fn inverse_middle(x: f64) -> f64 {
    if x.abs() < 1e-9 {
        return x * (0.5 * SQRT_PI);
    }
    // The series' first terms, then Newton's method with the second derivative (Halley's).
    let z = 0.5 * SQRT_PI * x;
    let mut y = z * (1.0 + z * z * (1.0 / 3.0 + z * z * (7.0 / 30.0)));
    for _ in 0..3 {
        let step = (erf(y) - x) / (FRAC_2_SQRT_PI * (-y * y).exp());
        y -= step / (1.0 + y * step);
    }
    y
}

pub fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() || size > 1.0 {
        f64::NAN
    } else if size == 1.0 {
        f64::INFINITY.copysign(x)
    } else if size <= 0.5 {
        inverse_middle(x)
    } else {
        inverse_tail(1.0 - size).copysign(x)
    }
}

pub fn erfcinv(c: f64) -> f64 {
    if c.is_nan() || !(0.0..=2.0).contains(&c) {
        f64::NAN
    } else if c == 0.0 {
        f64::INFINITY
    } else if c == 2.0 {
        f64::NEG_INFINITY
    } else if c < 0.5 {
        inverse_tail(c)
    } else if c > 1.5 {
        -inverse_tail(2.0 - c)
    } else {
        // Exact, and so is 1 - c of the sides above.
        inverse_middle(1.0 - c)
    }
}

/// `erfc(-x / sqrt(2)) / 2`: what the quotient rounds away changes the result by its own slope.
pub fn normcdf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let quotient = two_product(-x, FRAC_1_SQRT_2);
    let (high, low) = (quotient.high, quotient.low - x * FRAC_1_SQRT_2_LOW);
    let value = 0.5 * erfc(high);
    if !(value > 0.0 && high.is_finite()) {
        return value;
    }
    if high > 0.0 {
        value - value * (low * FRAC_2_SQRT_PI / erfcx(high))
    } else {
        value - 0.5 * low * FRAC_2_SQRT_PI * (-high * high).exp()
    }
}

pub fn normcdfinv(p: f64) -> f64 {
    if p == 0.5 {
        return 0.0;
    }
    let y = -erfcinv(2.0 * p);
    if !y.is_finite() || y == 0.0 {
        return y;
    }
    let product = two_product(y, SQRT_2);
    product.high + (product.low + y * SQRT_2_LOW)
}
