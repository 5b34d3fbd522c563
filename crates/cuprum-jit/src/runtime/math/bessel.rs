//! Bessel functions: those of the C library with CUDA's special values, and the modified ones of order 0 and 1.

use std::f64::consts::PI;

use super::double::{Double, two_product};
use super::platform;

pub fn j0(x: f64) -> f64 {
    if x.is_infinite() { 0.0 } else { platform::j0(x) }
}

pub fn j1(x: f64) -> f64 {
    if x.is_infinite() { 0.0_f64.copysign(x) } else { platform::j1(x) }
}

/// Orders below zero have no value.
pub fn jn(n: i32, x: f64) -> f64 {
    if n < 0 || x.is_nan() {
        f64::NAN
    } else if x.is_infinite() {
        0.0
    } else {
        platform::jn(n, x)
    }
}

pub fn y0(x: f64) -> f64 {
    second_kind(x, |x| platform::y0(x))
}

pub fn y1(x: f64) -> f64 {
    second_kind(x, |x| platform::y1(x))
}

/// Orders below zero have no value.
pub fn yn(n: i32, x: f64) -> f64 {
    if n < 0 { f64::NAN } else { second_kind(x, |x| platform::yn(n, x)) }
}

fn second_kind(x: f64, function: impl Fn(f64) -> f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        f64::NAN
    } else if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_infinite() {
        0.0
    } else {
        function(x)
    }
}

/// From here on the asymptotic series has all digits.
const ASYMPTOTIC_MIN: f64 = 22.0;

pub fn i0(x: f64) -> f64 {
    let x = x.abs();
    if x.is_nan() {
        x
    } else if x < ASYMPTOTIC_MIN {
        power_series(x, 0).value()
    } else {
        asymptotic(x, 0.0)
    }
}

pub fn i1(x: f64) -> f64 {
    let size = x.abs();
    let value = if size.is_nan() {
        size
    } else if size < ASYMPTOTIC_MIN {
        power_series(size, 1).times(0.5 * size).value()
    } else {
        asymptotic(size, 4.0)
    };
    value.copysign(x)
}

/// The sum over k of `(x^2/4)^k / (k! (k + order)!)`, by nested products in two doubles: all terms are positive, but the
/// many roundings of one double would add up.
fn power_series(x: f64, order: u32) -> Double {
    let square = two_product(x, x);
    let quarter = Double { high: 0.25 * square.high, low: 0.25 * square.low };
    let one = Double { high: 1.0, low: 0.0 };
    // Terms fall below 1e-20 of the sum at about 1.6 x + 20.
    let terms = 14 + (2.0 * x) as u32;
    (1..=terms)
        .rev()
        .fold(one, |sum, k| one.plus(sum.times_double(quarter).divided_by(f64::from(k * (k + order)))))
}

/// `exp(x) / sqrt(2 pi x)` times `1 - (mu-1)/(8x) + (mu-1)(mu-9)/(2! (8x)^2) - ...`; `mu` is four times the square of
/// the order.
fn asymptotic(x: f64, mu: f64) -> f64 {
    if x.is_infinite() {
        return x;
    }
    let terms = 2 * ASYMPTOTIC_MIN as i32;
    let correction = (1..=terms).rev().fold(0.0, |sum, k| {
        let odd = f64::from(2 * k - 1);
        -(mu - odd * odd) / (f64::from(k) * 8.0 * x) * (1.0 + sum)
    });
    let scale = 1.0 / (2.0 * PI * x).sqrt();
    let factor = scale + scale * correction;
    // In two halves where exp(x) alone would be infinite.
    if x < 700.0 { x.exp() * factor } else { (0.5 * x).exp() * factor * (0.5 * x).exp() }
}
