//! The gamma function of complex numbers, its logarithm and digamma, and Lambert's W. Numbers are pairs of parts.

#[allow(unused_imports)]
use super::gamma::*;
#[allow(unused_imports)]
use crate::math::special::elementary::*;

const PI: f64 = 3.141592653589793;
const HALF_LOG_TAU: f64 = 0.9189385332046727;

/// The powers from one on of log(gamma(1 + x)).
const LOGGAMMA_SERIES: [f64; 24] = [
    -0.5772156649015329,
    0.8224670334241132,
    -0.40068563438653143,
    0.27058080842778454,
    -0.20738555102867398,
    0.1695571769974082,
    -0.1440498967688461,
    0.12550966952474304,
    -0.11133426586956469,
    0.1000994575127818,
    -0.09095401714582904,
    0.083353840546109,
    -0.0769325164113522,
    0.07143294629536133,
    -0.06666870588242046,
    0.06250095514121304,
    -0.058823978658684585,
    0.055555767627403614,
    -0.05263167937961666,
    0.05000004769810169,
    -0.047619070330142226,
    0.04545455629320467,
    -0.04347826605304026,
    0.04166666915034121,
];

/// B(2k) / (2k (2k - 1)) for k from 1 on.
const STIRLING_TERMS: [f64; 10] = [
    0.08333333333333333,
    -0.002777777777777778,
    0.0007936507936507937,
    -0.0005952380952380953,
    0.0008417508417508417,
    -0.0019175269175269176,
    0.00641025641025641,
    -0.029550653594771242,
    0.17964437236883057,
    -1.3924322169059011,
];

/// B(2k) / (2k) for k from 1 on.
const DIGAMMA_TERMS: [f64; 10] = [
    0.08333333333333333,
    -0.008333333333333333,
    0.003968253968253968,
    -0.004166666666666667,
    0.007575757575757576,
    -0.021092796092796094,
    0.08333333333333333,
    -0.4432598039215686,
    3.0539543302701198,
    -26.456212121212122,
];

functions! {
    /// The product of two numbers.
    fn product(ar: f64, ai: f64, br: f64, bi: f64) -> (f64, f64) {
        return (fma(ar, br, -ai * bi), fma(ar, bi, ai * br));
    }

    /// The quotient of two numbers, the first of them not extreme.
    fn quotient_of(ar: f64, ai: f64, br: f64, bi: f64) -> (f64, f64) {
        let square = fma(br, br, bi * bi);
        if !(square > 1e-290 && square < 1e290) {
            // The square of the second may leave the range: 2^600 and 2^-540.
            let power = if square < 1.0 { 4.149515568880993e180 } else { 2.778046668940015e-163 };
            let cr = br * power;
            let ci = bi * power;
            let scale = 1.0 / fma(cr, cr, ci * ci);
            return (fma(ar, cr, ai * ci) * scale * power, fma(ai, cr, -ar * ci) * scale * power);
        }
        let scale = 1.0 / square;
        return (fma(ar, br, ai * bi) * scale, fma(ai, br, -ar * bi) * scale);
    }

    /// The logarithm.
    fn log_of(re: f64, im: f64) -> (f64, f64) {
        let square = fma(re, re, im * im);
        let angle = atan2(im, re);
        if square > 0.5 && square < 2.0 {
            return (0.5 * log1p(fma(re - 1.0, re + 1.0, im * im)), angle);
        }
        if !(square > 1e-290 && square < 1e290) && !is_nan(square) {
            // 2^600 and 2^-600: the size itself may leave the range.
            let power = if square < 1.0 { 4.149515568880993e180 } else { 2.409919865102884e-181 };
            let shift = if square < 1.0 { 415.88830833596717 } else { -415.88830833596717 };
            return (log(hypot(re * power, im * power)) - shift, angle);
        }
        return (log(hypot(re, im)), angle);
    }

    /// The exponential.
    fn exp_of(re: f64, im: f64) -> (f64, f64) {
        let size = exp(re);
        if im == 0.0 {
            return (size, im);
        }
        if size == 0.0 {
            // Whatever the angle, which may be infinite.
            return (size, size);
        }
        return (size * cos(im), size * sin(im));
    }

    /// Stirling's series for a number of at least 10 in size, off the negative axis.
    fn loggamma_far(re: f64, im: f64) -> (f64, f64) {
        let (lr, li) = log_of(re, im);
        let (pr, pi) = product(re - 0.5, im, lr, li);
        let (vr, vi) = quotient_of(1.0, 0.0, re, im);
        let (wr, wi) = product(vr, vi, vr, vi);
        let mut sr = 0.0;
        let mut si = 0.0;
        for k in (0..10).rev() {
            let (tr, ti) = product(sr, si, wr, wi);
            sr = tr + STIRLING_TERMS[k];
            si = ti;
        }
        let (rr, ri) = product(sr, si, vr, vi);
        return (((pr - re) + HALF_LOG_TAU) + rr, (pi - im) + ri);
    }

    /// log(gamma(1 + z)) of a small z.
    fn loggamma_near(re: f64, im: f64) -> (f64, f64) {
        let mut sr = 0.0;
        let mut si = 0.0;
        for k in (0..24).rev() {
            let (tr, ti) = product(sr + LOGGAMMA_SERIES[k], si, re, im);
            sr = tr;
            si = ti;
        }
        return (sr, si);
    }

    /// The logarithm of the gamma function, continuous off the negative axis.
    fn complex_loggamma(re: f64, im: f64) -> (f64, f64) {
        if is_nan(re) || is_nan(im) {
            return (NAN, NAN);
        }
        if im == 0.0 && re <= 0.0 && floor(re) == re {
            return (INF, NAN);
        }
        if abs(re) + abs(im) < 1e-20 {
            let (lr, li) = log_of(re, im);
            return (-lr, -li);
        }
        if abs(im) > 10.0 || re > 10.0 {
            if abs(re) > 1e300 || abs(im) > 1e300 {
                // The real part is about re log|z| - |im| pi/2.
                let grows = re > 0.0 && 600.0 * re > abs(im);
                return (if grows { INF } else { -INF }, if im == 0.0 { im } else { NAN });
            }
            if re > -1.0 || abs(im) > 10.0 {
                return loggamma_far(re, im);
            }
        }
        if fma(re - 1.0, re - 1.0, im * im) < 0.04 {
            return loggamma_near(re - 1.0, im);
        }
        if fma(re - 2.0, re - 2.0, im * im) < 0.04 {
            let (lr, li) = log_of(re - 1.0, im);
            let (gr, gi) = loggamma_near(re - 2.0, im);
            return (lr + gr, li + gi);
        }
        if re < 0.1 {
            // The reflection, on the branch that is continuous.
            let turn = copysign(2.0 * PI, im) * floor(0.5 * re + 0.25);
            let s = sinpi(re) * cosh(PI * im);
            let c = cospi(re) * sinh(PI * im);
            let (lr, li) = log_of(s, c);
            let (gr, gi) = loggamma_right(1.0 - re, -im);
            return ((1.1447298858494002 - lr) - gr, (turn - li) - gi);
        }
        return loggamma_right(re, im);
    }

    /// Of a number to the right of the imaginary axis: the first of z, z + 1 and so on from 10 on, the product of those before it,
    /// and how often its angle has gone round.
    fn gamma_shift(re: f64, im: f64) -> (f64, f64, f64, f64) {
        let mut pr = 1.0;
        let mut pi = 0.0;
        let mut rounds = 0.0;
        let mut x = re;
        while x < 10.0 {
            let before = pi;
            let (nr, ni) = product(pr, pi, x, im);
            pr = nr;
            pi = ni;
            // Each factor turns by less than half a round.
            if im > 0.0 && before >= 0.0 && pi < 0.0 {
                rounds += 1.0;
            }
            if im < 0.0 && before <= 0.0 && pi > 0.0 {
                rounds -= 1.0;
            }
            x += 1.0;
        }
        return (x, pr, pi, rounds);
    }

    /// The same to the right of the imaginary axis.
    fn loggamma_right(re: f64, im: f64) -> (f64, f64) {
        let (x, pr, pi, rounds) = gamma_shift(re, im);
        let (gr, gi) = loggamma_far(x, im);
        if x == re {
            return (gr, gi);
        }
        let (sr, si) = log_of(pr, pi);
        return (gr - sr, gi - (si + 2.0 * PI * rounds));
    }

    /// The gamma function to the right of the imaginary axis.
    fn gamma_right(re: f64, im: f64) -> (f64, f64) {
        let (x, pr, pi, _rounds) = gamma_shift(re, im);
        let (gr, gi) = loggamma_far(x, im);
        let (er, ei) = exp_of(gr, gi);
        return quotient_of(er, ei, pr, pi);
    }

    /// Whether the gamma function is a product of some factors and one far from zero, neither of them extreme.
    fn gamma_is_near(re: f64, im: f64) -> bool {
        return re >= 0.1 && re < 100.0 && abs(im) <= 10.0;
    }

    /// The gamma function.
    fn complex_gamma(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (gamma(re), if re <= 0.0 && floor(re) == re { NAN } else { im * gammasgn(re) });
        }
        if gamma_is_near(re, im) {
            return gamma_right(re, im);
        }
        let (lr, li) = complex_loggamma(re, im);
        return exp_of(lr, li);
    }

    /// The inverse of the gamma function.
    fn complex_rgamma(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (rgamma(re), 0.0);
        }
        if gamma_is_near(re, im) {
            let (gr, gi) = gamma_right(re, im);
            return quotient_of(1.0, 0.0, gr, gi);
        }
        let (lr, li) = complex_loggamma(re, im);
        return exp_of(-lr, -li);
    }

    /// The digamma function.
    fn complex_psi(re: f64, im: f64) -> (f64, f64) {
        if im == 0.0 {
            return (psi(re), if re <= 0.0 && floor(re) == re { NAN } else { 0.0 });
        }
        if is_nan(re) || is_nan(im) || abs(re) == INF || abs(im) == INF {
            return (NAN, NAN);
        }
        if re < 0.5 && abs(im) < 20.0 {
            // psi(1 - z) - pi cot(pi z).
            let (pr, pi) = psi_right(1.0 - re, -im);
            let (tr, ti) = quotient_of(cospi(re) * cosh(PI * im), -sinpi(re) * sinh(PI * im), sinpi(re) * cosh(PI * im), cospi(re) * sinh(PI * im));
            return (pr - PI * tr, pi - PI * ti);
        }
        if re < 0.5 {
            let (pr, pi) = psi_right(1.0 - re, -im);
            return (pr, pi + copysign(PI, im));
        }
        return psi_right(re, im);
    }

    /// The same from 1/2 on.
    fn psi_right(re: f64, im: f64) -> (f64, f64) {
        let mut sr = 0.0;
        let mut si = 0.0;
        let mut x = re;
        while x < 10.0 && abs(im) < 10.0 {
            let (vr, vi) = quotient_of(1.0, 0.0, x, im);
            sr += vr;
            si += vi;
            x += 1.0;
        }
        let (lr, li) = log_of(x, im);
        let (vr, vi) = quotient_of(1.0, 0.0, x, im);
        let (wr, wi) = product(vr, vi, vr, vi);
        let mut tr = 0.0;
        let mut ti = 0.0;
        for k in (0..10).rev() {
            let (ur, ui) = product(tr + DIGAMMA_TERMS[k], ti, wr, wi);
            tr = ur;
            ti = ui;
        }
        return (((lr - 0.5 * vr) - tr) - sr, ((li - 0.5 * vi) - ti) - si);
    }

    /// Lambert's W of a real x from -0.3 on, its principal branch, by Halley's iteration.
    fn lambertw_real(x: f64) -> f64 {
        let mut w = x;
        if abs(x) < 1e-3 {
            w = x * (1.0 - x * (1.0 - 1.5 * x));
        } else if x < 3.0 {
            // A quotient of polynomials that meets the branch point.
            let p = sqrt(fma(5.43656365691809, x, 2.0));
            w = p * (1.0 + p * (0.30119 + 0.0156 * p)) / (1.0 + p * (0.63453 + 0.07968 * p)) - 1.0;
        } else {
            let l = log(x);
            let m = log(l);
            w = l - m + m / l * (1.0 + 0.5 * (m - 2.0) / l);
        }
        let mut i = 0;
        while i < 20 {
            // The equation divided through by exp(w), which may be large.
            let f = fma(-x, exp(-w), w);
            let step = f / (w + 1.0 - 0.5 * (w + 2.0) * f / (w + 1.0));
            w -= step;
            // What is left is the cube of a step.
            if !(abs(step) > 1e-6 * abs(w)) {
                break;
            }
            i += 1;
        }
        return w;
    }

    /// The branch k of Lambert's W.
    fn complex_lambertw(re: f64, im: f64, kr: f64, ki: f64) -> (f64, f64) {
        let k = rint(kr) + 0.0 * ki;
        if is_nan(re) || is_nan(im) || is_nan(k) {
            return (NAN, NAN);
        }
        let turn = 2.0 * PI * k;
        if re == INF && abs(im) < INF {
            return (INF, turn);
        }
        if re == -INF && abs(im) < INF {
            return (INF, turn + PI);
        }
        if re == 0.0 && im == 0.0 {
            return if k == 0.0 { zero_pair(re, im) } else { infinite_pair(k) };
        }
        if im == 0.0 && k == 0.0 && re > -0.3 && re < 1e300 {
            return (lambertw_real(re), im);
        }
        let mut wr = 0.0;
        let mut wi = 0.0;
        let to_branch = hypot(re + 0.36787944117144233, im);
        if (k == 0.0 || (k == -1.0 && im >= 0.0) || (k == 1.0 && im < 0.0)) && to_branch < 0.3 {
            // Near the branch point -1/e: a series in p = sqrt(2 (e z + 1)), of the other sign for the lower branch.
            let qr = 5.43656365691809 * ((re + 0.36787944117144233) + -1.2428753672788363e-17);
            let qi = 5.43656365691809 * im;
            let size = hypot(qr, qi);
            let half_r = sqrt(0.5 * (size + abs(qr)));
            let half_i = if half_r == 0.0 { 0.0 } else { 0.5 * qi / half_r };
            let mut pr = if qr >= 0.0 { half_r } else { abs(half_i) };
            let mut pi = if qr >= 0.0 { half_i } else { copysign(half_r, qi) };
            if k != 0.0 {
                pr = -pr;
                pi = -pi;
            }
            let (sr, si) = product(pr, pi, pr, pi);
            let (cr, ci) = product(sr, si, pr, pi);
            wr = -1.0 + pr - sr / 3.0 + 0.1527777777777778 * cr;
            wi = pi - si / 3.0 + 0.1527777777777778 * ci;
            if to_branch < 1e-16 {
                return (wr, wi);
            }
        } else if k == 0.0 && re > -1.0 && re < 1.5 && abs(im) < 1.0 && -2.5 * abs(im) - 0.2 < re {
            // A quotient of polynomials about zero.
            let (nr, ni) = product(1.0 + 1.3333333333333333 * re, 1.3333333333333333 * im, re, im);
            let (sr, si) = product(re, im, re, im);
            let dr = 1.0 + 2.3333333333333335 * re + 0.8333333333333334 * sr;
            let di = 2.3333333333333335 * im + 0.8333333333333334 * si;
            let (fr, fi) = quotient_of(nr, ni, dr, di);
            wr = fr;
            wi = fi;
        } else if k == -1.0 && im == 0.0 && re < 0.0 && re > -0.36787944117144233 {
            wr = log(-re);
            wr = wr - log(-wr);
        } else {
            let (lr, li) = log_of(re, im);
            let (mr, mi) = log_of(lr, li + turn);
            wr = lr - mr;
            wi = li + turn - mi;
            if abs(lr) + abs(li + turn) > 2.0 {
                // The next terms of the expansion at infinity: m/l (1 + (m - 2) / (2 l)).
                let (qr, qi) = quotient_of(mr, mi, lr, li + turn);
                let (ur, ui) = quotient_of(0.5 * mr - 1.0, 0.5 * mi, lr, li + turn);
                let (vr, vi) = product(qr, qi, 1.0 + ur, ui);
                wr += vr;
                wi += vi;
            }
        }
        // Halley's iteration.
        let mut i = 0;
        while i < 60 {
            let mut dr = 0.0;
            let mut di = 0.0;
            if wr > 0.0 {
                // Divided through by exp(w), which may be large.
                let (er, ei) = exp_of(-wr, -wi);
                let (fr, fi) = product(re, im, er, ei);
                let gr = wr - fr;
                let gi = wi - fi;
                let (hr, hi) = product(wr + 2.0, wi, gr, gi);
                let (ar, ai) = product(2.0 * wr + 2.0, 2.0 * wi, gr, gi);
                let (br, bi) = product(2.0 * wr + 2.0, 2.0 * wi, wr + 1.0, wi);
                let (sr, si) = quotient_of(ar, ai, br - hr, bi - hi);
                dr = sr;
                di = si;
            } else {
                let (er, ei) = exp_of(wr, wi);
                let (fr, fi) = product(wr, wi, er, ei);
                let gr = fr - re;
                let gi = fi - im;
                let (hr, hi) = product(wr + 2.0, wi, gr, gi);
                let (ar, ai) = product(2.0 * wr + 2.0, 2.0 * wi, gr, gi);
                let (br, bi) = product(2.0 * wr + 2.0, 2.0 * wi, wr + 1.0, wi);
                let (sr, si) = product(er, ei, br, bi);
                let (tr, ti) = quotient_of(ar, ai, sr - hr, si - hi);
                dr = tr;
                di = ti;
            }
            if is_nan(dr) || is_nan(di) {
                break;
            }
            wr -= dr;
            wi -= di;
            // What is left is the cube of a step, but near the branch point.
            let enough = if abs(wr + 1.0) + abs(wi) > 0.5 { 1e-6 } else { 2e-16 };
            if abs(dr) + abs(di) <= enough * (abs(wr) + abs(wi)) {
                break;
            }
            i += 1;
        }
        return (wr, wi);
    }

    /// Its value at zero.
    fn zero_pair(re: f64, im: f64) -> (f64, f64) {
        return (re, im);
    }

    /// Its value at zero on the other branches.
    fn infinite_pair(k: f64) -> (f64, f64) {
        return (-INF, 0.0 * k);
    }
}

complex_lanes! {
    complex_gamma(a);
    complex_rgamma(a);
    complex_loggamma(a);
    complex_psi(a);
    complex_lambertw(a, b);
}
