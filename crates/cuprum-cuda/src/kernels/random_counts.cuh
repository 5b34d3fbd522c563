// Counts: Poisson, binomial, hypergeometric, logarithmic series, Zipf. Samplers as on the host, operation by operation.

constexpr f64 SMALL_MEAN = 10.0;    // Means below this are looked up by adding probabilities,
constexpr f64 MAX_TERMS = 110.0;   // up to so many of them.
constexpr f64 SMALL_SAMPLE = 10.0;  // Samples up to this are drawn one by one.

struct Poisson {
    f64 lam, none, b, a, inverse_alpha, v_r;

    Poisson(f64 lam, f64, f64) : lam(lam) {
        b = 0.931 + 2.53 * sqrt(lam);
        a = -0.059 + 0.02483 * b;
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        v_r = 0.9277 - 3.6224 / (b - 2.0);
        none = random_exp(-lam);
    }

    f64 draw(OwnWords& words) const {
        if (lam == 0.0 || lam != lam) return lam;
        return lam < SMALL_MEAN ? by_inversion(words) : by_rejection(words);
    }

    f64 by_inversion(OwnWords& words) const {
        for (;;) {
            f64 u = words.uniform(), k = 0.0, term = none, sum = none;
            while (u >= sum && k < MAX_TERMS) {
                k += 1.0;
                term *= lam / k;
                sum += term;
            }
            if (k < MAX_TERMS) return k;
        }
    }

    // Hörmann's PTRS.
    f64 by_rejection(OwnWords& words) const {
        for (;;) {
            f64 u = words.uniform() - 0.5;
            f64 v = words.open();
            f64 us = 0.5 - fabs(u);
            f64 k = floor((2.0 * a / us + b) * u + lam + 0.43);
            if (us >= 0.07 && v <= v_r) return k;
            if (k < 0.0 || (us < 0.013 && v > us)) continue;
            f64 above = k + 1.0;
            f64 logarithm = (above - lam) + k * random_log1p((lam - above) / above) - 0.5 * random_log(above) -
                            HALF_LOG_TWO_PI - stirling_rest(k);
            if (random_log(v * inverse_alpha / (a / (us * us) + b)) <= logarithm) return k;
        }
    }
};

// Drawn for the rarer of the two outcomes.
struct Binomial {
    f64 n, p, q, none, b, a, v_r, alpha, m;
    bool mirrored;

    Binomial(f64 n, f64 chance, f64) : n(n) {
        mirrored = chance > 0.5;
        p = mirrored ? 1.0 - chance : chance;
        q = mirrored ? chance : 1.0 - chance;
        f64 deviation = sqrt(n * p * q);
        b = 1.15 + 2.53 * deviation;
        none = random_exp(n * random_log1p(-p));
        a = -0.0873 + 0.0248 * b + 0.01 * p;
        v_r = 0.92 - 4.2 / b;
        alpha = (2.83 + 5.1 / b) * deviation;
        m = floor((n + 1.0) * p);
    }

    f64 draw(OwnWords& words) const {
        f64 rare = 0.0;
        if (!(n == 0.0 || p == 0.0)) rare = n * p < SMALL_MEAN ? by_inversion(words) : by_rejection(words);
        return mirrored ? n - rare : rare;
    }

    f64 by_inversion(OwnWords& words) const {
        f64 most = fmin(n, MAX_TERMS), odds = p / q;
        for (;;) {
            f64 u = words.uniform(), k = 0.0, term = none, sum = none;
            while (u >= sum && k <= most) {
                k += 1.0;
                term *= (n - k + 1.0) * odds / k;
                sum += term;
            }
            if (k <= most) return k;
        }
    }

    // Hörmann's BTRS.
    f64 by_rejection(OwnWords& words) const {
        for (;;) {
            f64 u = words.uniform() - 0.5;
            f64 v = words.open();
            f64 us = 0.5 - fabs(u);
            f64 k = floor((2.0 * a / us + b) * u + (n * p + 0.5));
            if (us >= 0.07 && v <= v_r) return k;
            if (k < 0.0 || k > n) continue;
            f64 odds = p / q;
            f64 bound = (m + 0.5) * random_log((m + 1.0) / (odds * (n - m + 1.0))) +
                        (n + 1.0) * random_log1p((k - m) / (n - k + 1.0)) +
                        (k + 0.5) * random_log(odds * (n - k + 1.0) / (k + 1.0)) +
                        (stirling_rest(m) + stirling_rest(n - m)) - (stirling_rest(k) + stirling_rest(n - k));
            if (random_log(v * alpha / (a / (us * us) + b)) <= bound) return k;
        }
    }
};

// Drawn for the rarer kind and the smaller of sample and rest.
struct Hypergeometric {
    f64 good, bad, sample, m, rare, common, centre, width, end, mode_weight;

    Hypergeometric(f64 good, f64 bad, f64 sample) : good(good), bad(bad), sample(sample) {
        f64 total = good + bad;
        rare = fmin(good, bad), common = fmax(good, bad);
        m = fmin(sample, total - sample);
        f64 share = rare / total;
        centre = m * share + 0.5;
        f64 variance = (total - m) * m * share * (1.0 - share) / (total - 1.0);
        f64 deviation = sqrt(variance + 0.5);
        width = 1.7155277699214135 * deviation + 0.8989161620588986;
        f64 mode = floor((m + 1.0) * (rare + 1.0) / (total + 2.0));
        end = fmin(fmin(m, rare) + 1.0, floor(centre + 16.0 * deviation));
        mode_weight = m > SMALL_SAMPLE && rare > 0.0 ? weight(mode) : 0.0;
    }

    f64 draw(OwnWords& words) const {
        f64 found;
        if (m <= SMALL_SAMPLE || rare == 0.0) {
            found = one_by_one(words);
        } else {
            found = by_ratio(words);
            found = good > bad ? m - found : found;
        }
        return m < sample ? good - found : found;
    }

    f64 one_by_one(OwnWords& words) const {
        f64 left_good = good, left = good + bad, found = 0.0;
        f64 draws = floor(m);
        for (f64 i = 0.0; i < draws; i += 1.0) {
            if (words.uniform() * left < left_good) {
                left_good -= 1.0;
                found += 1.0;
            }
            left -= 1.0;
        }
        return found;
    }

    f64 weight(f64 k) const {
        return log_factorial(k) + log_factorial(rare - k) + log_factorial(m - k) + log_factorial(common - m + k);
    }

    // Stadlober's ratio of uniforms.
    f64 by_ratio(OwnWords& words) const {
        for (;;) {
            f64 x = words.open(), y = words.uniform();
            f64 w = centre + width * (y - 0.5) / x;
            if (!(w >= 0.0 && w < end)) continue;
            f64 k = floor(w);
            f64 t = mode_weight - weight(k);
            if (x * (4.0 - x) - 3.0 <= t) return k;
            if (x * (x - t) >= 1.0) continue;
            if (2.0 * random_log(x) <= t) return k;
        }
    }
};

// Kemp's method.
struct Logseries {
    f64 p, r;

    Logseries(f64 p, f64, f64) : p(p), r(random_log1p(-p)) {}

    f64 draw(OwnWords& words) const {
        f64 v = words.open();
        if (v >= p) return 1.0;
        f64 q = 0.0 - random_expm1(r * words.open());
        if (v <= q * q) {
            f64 log_q = q < 1.0 ? random_log(q) : -1.1e-16;
            return fmax(floor(1.0 + random_log(v) / log_q), 1.0);
        }
        return v >= q ? 1.0 : 2.0;
    }
};

// Devroye's rejection.
struct Zipf {
    f64 above, b, b_growth, least;

    Zipf(f64 a, f64, f64) {
        constexpr f64 ln_2 = 0.693147180559945309417232121458176568;
        above = a - 1.0;
        least = random_exp(-above * 63.0 * ln_2);
        b_growth = random_expm1(above * ln_2);
        b = b_growth + 1.0;
    }

    f64 draw(OwnWords& words) const {
        if (above >= 1024.0) return 1.0;
        for (;;) {
            f64 u = least + (1.0 - least) * words.open();
            f64 v = words.uniform();
            f64 x = floor(random_exp(0.0 - random_log(u) / above));
            if (!(x >= 1.0 && x < 9.223372036854775e18)) continue;
            f64 growth = random_expm1(above * random_log1p(1.0 / x));
            if (v * x * growth / b_growth <= (growth + 1.0) / b) return x;
        }
    }
};
