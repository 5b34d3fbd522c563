//! The distributions of counts of NumPy's `Generator`, operation by operation.

use std::hint::black_box;

use super::words::{WordSource, whole};
use super::ziggurat::exponential;

/// The logarithm of a full turn.
const LOG_2PI: f64 = 1.837_877_066_409_345_3;

/// Coefficients of Stirling's series.
const STIRLING: [f64; 10] = [
    8.333333333333333e-02,
    -2.777777777777778e-03,
    7.936507936507937e-04,
    -5.952380952380952e-04,
    8.417508417508418e-04,
    -1.917526917526918e-03,
    6.41025641025641e-03,
    -2.955065359477124e-02,
    1.796443723688307e-01,
    -1.39243221690590e+00,
];

/// The logarithm of the gamma function.
pub(super) fn log_gamma(x: f64) -> f64 {
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let raised = if x < 7.0 { whole(7.0 - x) } else { 0 };
    let mut x0 = x + raised as f64;
    let x2 = (1.0 / x0) * (1.0 / x0);
    let mut series = STIRLING[9];
    for coefficient in STIRLING[..9].iter().rev() {
        series *= x2;
        series += coefficient;
    }
    let mut sum = series / x0 + 0.5 * LOG_2PI + (x0 - 0.5) * x0.ln() - x0;
    for _ in 0..raised {
        sum -= (x0 - 1.0).ln();
        x0 -= 1.0;
    }
    sum
}

pub(super) fn poisson<W: WordSource>(words: &mut W, lam: f64) -> i64 {
    Poisson::default().draw(words, lam)
}

/// Draws Poisson variates, and keeps what the last mean needed.
#[derive(Debug, Default)]
pub(super) struct Poisson {
    lam: f64,
    /// Of small means: the chance of none.
    none: f64,
    /// Of Hörmann's transformed rejection, for large means.
    log_lam: f64,
    a: f64,
    b: f64,
    log_inverse_alpha: f64,
    accepted: f64,
}

impl Poisson {
    #[inline]
    pub(super) fn draw<W: WordSource>(&mut self, words: &mut W, lam: f64) -> i64 {
        if lam == 0.0 {
            return 0;
        }
        if self.lam != lam {
            *self = Poisson::new(lam);
        }
        if lam >= 10.0 {
            return self.transformed(words);
        }
        let (mut count, mut product) = (0, 1.0);
        loop {
            product *= words.next_double();
            if product > self.none {
                count += 1;
            } else {
                return count;
            }
        }
    }

    fn new(lam: f64) -> Poisson {
        if lam < 10.0 || lam.is_nan() {
            return Poisson { lam, none: (-lam).exp(), ..Poisson::default() };
        }
        let b = 0.931 + 2.53 * lam.sqrt();
        let inverse_alpha: f64 = 1.1239 + 1.1328 / (b - 3.4);
        Poisson {
            lam,
            none: 0.0,
            log_lam: lam.ln(),
            a: -0.059 + 0.02483 * b,
            b,
            log_inverse_alpha: inverse_alpha.ln(),
            accepted: 0.9277 - 3.6224 / (b - 2.0),
        }
    }

    fn transformed<W: WordSource>(&self, words: &mut W) -> i64 {
        let Poisson { lam, log_lam, a, b, log_inverse_alpha, accepted, .. } = *self;
        loop {
            let u = words.next_double() - 0.5;
            let v = words.next_double();
            let us = 0.5 - u.abs();
            let k = whole(((2.0 * a / us + b) * u + lam + 0.43).floor());
            if us >= 0.07 && v <= accepted {
                return k;
            }
            if k < 0 || (us < 0.013 && v > us) {
                continue;
            }
            let bound = -lam + k as f64 * log_lam - log_gamma(k as f64 + 1.0);
            if v.ln() + log_inverse_alpha - (a / (us * us) + b).ln() <= bound {
                return k;
            }
        }
    }
}

/// Which numbers binomial variates are, where versions of NumPy differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Binomials {
    /// Those of `RandomState`, whose probabilities are powers by way of `log(1 - p)`, and which draw even where there is nothing to draw.
    pub(super) legacy: bool,
    /// Whether the last comparison of large means has the corrected signs of NumPy 2.5.
    pub(super) corrected: bool,
}

/// What binomial variates of one `n` and `p` have in common.
#[derive(Clone, Copy, Debug)]
enum BinomialMethod {
    Zero,
    Inversion { n: i64, p: f64, q: f64, none: f64, bound: i64, reflected: bool },
    Rejection { shape: Btpe, reflected: bool },
}

/// The hat of Kachitvichyanukul and Schmeiser's BTPE.
#[derive(Clone, Copy, Debug)]
struct Btpe {
    n: i64,
    r: f64,
    q: f64,
    m: i64,
    p1: f64,
    xm: f64,
    xl: f64,
    xr: f64,
    c: f64,
    laml: f64,
    lamr: f64,
    p2: f64,
    p3: f64,
    p4: f64,
}

/// Draws binomial variates, and keeps what the last `n` and `p` needed.
#[derive(Debug)]
pub(super) struct Binomial {
    kind: Binomials,
    of: Option<(i64, f64)>,
    method: BinomialMethod,
}

impl Binomial {
    pub(super) fn new(kind: Binomials) -> Binomial {
        Binomial { kind, of: None, method: BinomialMethod::Zero }
    }

    #[inline]
    pub(super) fn draw<W: WordSource>(&mut self, words: &mut W, n: i64, p: f64) -> i64 {
        if self.of != Some((n, p)) {
            self.method = method(n, p, self.kind.legacy);
            self.of = Some((n, p));
        }
        match &self.method {
            BinomialMethod::Zero => 0,
            BinomialMethod::Inversion { n, p, q, none, bound, reflected } => {
                let count = inverted(words, *n, *p, *q, *none, *bound);
                if *reflected { n - count } else { count }
            }
            BinomialMethod::Rejection { shape, reflected } => {
                let count = shape.draw(words, self.kind.corrected);
                if *reflected { shape.n - count } else { count }
            }
        }
    }
}

fn method(n: i64, p: f64, legacy: bool) -> BinomialMethod {
    if !legacy && (n == 0 || p == 0.0) {
        return BinomialMethod::Zero;
    }
    let reflected = p > 0.5;
    let p = if reflected { 1.0 - p } else { p };
    let trials = n as f64;
    if p * trials <= 30.0 {
        let q = 1.0 - p;
        let none = if legacy { (trials * q.ln()).exp() } else { (trials * (-p).ln_1p()).exp() };
        let mean = trials * p;
        let bound = whole(trials.min(mean + 10.0 * (mean * q + 1.0).sqrt()));
        return BinomialMethod::Inversion { n, p, q, none, bound, reflected };
    }
    BinomialMethod::Rejection { shape: Btpe::new(n, p), reflected }
}

#[inline]
fn inverted<W: WordSource>(words: &mut W, n: i64, p: f64, q: f64, none: f64, bound: i64) -> i64 {
    let (mut count, mut chance) = (0, none);
    let mut u = words.next_double();
    while u > chance {
        count += 1;
        if count > bound {
            count = 0;
            chance = none;
            u = words.next_double();
        } else {
            u -= chance;
            chance = ((n - count + 1) as f64 * p * chance) / (count as f64 * q);
        }
    }
    count
}

impl Btpe {
    /// The hat for a chance of at most one half.
    fn new(n: i64, p: f64) -> Btpe {
        let trials = n as f64;
        let r = p.min(1.0 - p);
        let q = 1.0 - r;
        let fm = trials * r + r;
        let m = whole(fm.floor());
        let p1 = (2.195 * (trials * r * q).sqrt() - 4.6 * q).floor() + 0.5;
        let xm = m as f64 + 0.5;
        let (xl, xr) = (xm - p1, xm + p1);
        let c = 0.134 + 20.5 / (15.3 + m as f64);
        let a = (fm - xl) / (fm - xl * r);
        let laml = a * (1.0 + a / 2.0);
        let a = (xr - fm) / (xr * q);
        let lamr = a * (1.0 + a / 2.0);
        let p2 = p1 * (1.0 + 2.0 * c);
        let p3 = p2 + c / laml;
        let p4 = p3 + c / lamr;
        Btpe { n, r, q, m, p1, xm, xl, xr, c, laml, lamr, p2, p3, p4 }
    }

    fn draw<W: WordSource>(&self, words: &mut W, corrected: bool) -> i64 {
        let Btpe { n, r, q, m, p1, xm, xl, xr, c, laml, lamr, p2, p3, p4 } = *self;
        let (trials, mode) = (n as f64, m as f64);
        let nrq = trials * r * q;
        loop {
            let u = words.next_double() * p4;
            let mut v = words.next_double();
            let y;
            if u <= p1 {
                // The triangle lies under the density.
                return whole((xm - p1 * v + u).floor());
            } else if u <= p2 {
                let x = xl + (u - p1) / c;
                v = v * c + 1.0 - (mode - x + 0.5).abs() / p1;
                if v > 1.0 {
                    continue;
                }
                y = whole(x.floor());
            } else if u <= p3 {
                y = whole((xl + v.ln() / laml).floor());
                if y < 0 || v == 0.0 {
                    continue;
                }
                v = v * (u - p2) * laml;
            } else {
                y = whole((xr - v.ln() / lamr).floor());
                if y > n || v == 0.0 {
                    continue;
                }
                v = v * (u - p3) * lamr;
            }
            if self.accepts(y, v, nrq, corrected) {
                return y;
            }
        }
    }

    fn accepts(&self, y: i64, v: f64, nrq: f64, corrected: bool) -> bool {
        let (n, m) = (self.n, self.m);
        let (trials, mode, place) = (n as f64, m as f64, y as f64);
        let k = (y - m).abs();
        let far = k as f64;
        if !(k > 20 && far < nrq / 2.0 - 1.0) {
            let s = self.r / self.q;
            let a = s * (n + 1) as f64;
            let mut ratio = 1.0;
            for i in m + 1..=y {
                ratio *= a / i as f64 - s;
            }
            for i in y + 1..=m {
                ratio /= a / i as f64 - s;
            }
            return v <= ratio || ratio.is_nan();
        }
        let rho = (far / nrq) * ((far * (far / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5);
        // The square is one of integers, as in NumPy.
        let t = k.wrapping_neg().wrapping_mul(k) as f64 / (2.0 * nrq);
        let log_v = v.ln();
        if log_v < t - rho {
            return true;
        }
        if log_v > t + rho {
            return false;
        }
        let (x1, f1) = (place + 1.0, mode + 1.0);
        let (z, w) = (trials + 1.0 - mode, trials - place + 1.0);
        let main = self.xm * (f1 / x1).ln()
            + ((n - m) as f64 + 0.5) * (z / w).ln()
            + (y - m) as f64 * (w * self.r / (x1 * self.q)).ln();
        let bound = if corrected {
            main + stirling(13860.0, f1) + stirling(13860.0, z) - stirling(13860.0, x1) - stirling(13860.0, w)
        } else {
            main + stirling(13680.0, f1) + stirling(13680.0, z) + stirling(13680.0, x1) + stirling(13680.0, w)
        };
        log_v <= bound || bound.is_nan()
    }
}

/// The error of Stirling's formula.
fn stirling(first: f64, x: f64) -> f64 {
    let x2 = x * x;
    (first - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / x / 166320.0
}

/// How many trials it takes, counted one by one.
pub(super) fn geometric_search<W: WordSource>(words: &mut W, p: f64) -> i64 {
    let (mut count, mut sum, mut chance) = (1, p, p);
    let q = 1.0 - p;
    let u = words.next_double();
    while u > sum {
        chance *= q;
        sum += chance;
        count += 1;
    }
    count
}

pub(super) fn geometric<W: WordSource>(words: &mut W, p: f64) -> i64 {
    if p >= 1.0 / 3.0 {
        return geometric_search(words, p);
    }
    let z = (-exponential(words) / (-p).ln_1p()).ceil();
    if z >= 9.223372036854776e18 { i64::MAX } else { whole(z) }
}

pub(super) fn logseries<W: WordSource>(words: &mut W, p: f64) -> i64 {
    let r = (-p).ln_1p();
    logseries_by(words, p, |u| -(r * u).exp_m1())
}

/// Kemp's method, given the chance as a function of a uniform number.
#[inline]
pub(super) fn logseries_by<W: WordSource>(words: &mut W, p: f64, chance: impl Fn(f64) -> f64) -> i64 {
    loop {
        let v = words.next_double();
        if v >= p {
            return 1;
        }
        let q = chance(words.next_double());
        if v <= q * q {
            let count = whole((1.0 + v.ln() / q.ln()).floor());
            if count < 1 || v == 0.0 {
                continue;
            }
            return count;
        }
        return if v >= q { 1 } else { 2 };
    }
}

pub(super) fn zipf<W: WordSource>(words: &mut W, a: f64) -> i64 {
    // The chance of more than 1 is less than 3e-309.
    if a >= 1025.0 {
        return 1;
    }
    let lowest = black_box(i64::MAX as f64).powf(-(a - 1.0));
    zipf_by(words, a, |u| u * lowest + (1.0 - u))
}

/// Devroye's rejection, given the range of its uniform numbers.
#[inline]
pub(super) fn zipf_by<W: WordSource>(words: &mut W, a: f64, within: impl Fn(f64) -> f64) -> i64 {
    let less = a - 1.0;
    // A power of a constant two would be compiled as an `exp2`, which rounds otherwise.
    let b = black_box(2.0f64).powf(less);
    loop {
        let u = within(words.next_double());
        let v = words.next_double();
        let x = u.powf(-1.0 / less).floor();
        if !(1.0..=i64::MAX as f64).contains(&x) {
            continue;
        }
        let t = (1.0 + 1.0 / x).powf(less);
        if v * x * (t - 1.0) / (b - 1.0) <= t / b {
            return whole(x);
        }
    }
}
