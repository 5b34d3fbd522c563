// Gamma and what is made of it, von Mises, Wald: samplers as on the host, operation by operation. A sampler is made of
// three parameters and draws from an element's own words.

// Marsaglia and Tsang's rejection from a cubed normal.
struct Gamma {
    f64 shape, scale, d, c;

    Gamma(f64 shape, f64 scale, f64) : shape(shape), scale(scale) {
        d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
        c = 1.0 / sqrt(9.0 * d);
    }

    f64 draw(OwnWords& words) const {
        if (shape == 0.0 || !(fabs(shape) < infinity<f64>())) return scale * shape;
        for (;;) {
            f64 x = words.normal();
            f64 v = 1.0 + c * x;
            f64 u = words.open();
            if (v <= 0.0) continue;
            v = v * v * v;
            f64 square = x * x;
            bool accepted = u < 1.0 - 0.0331 * (square * square) ||
                            random_log(u) < 0.5 * square + d * (1.0 - v + random_log(v));
            if (!accepted) continue;
            f64 value = d * v;
            if (shape < 1.0) return scale * (value * random_exp(0.0 - words.exponential() / shape));
            return scale * value;
        }
    }
};

struct StandardGamma {
    Gamma gamma;
    StandardGamma(f64 shape, f64, f64) : gamma(shape, 1.0, 0.0) {}
    f64 draw(OwnWords& words) const { return gamma.draw(words); }
};

struct Beta {
    f64 a, b;
    Gamma first, second;

    Beta(f64 a, f64 b, f64) : a(a), b(b), first(a, 1.0, 0.0), second(b, 1.0, 0.0) {}

    f64 draw(OwnWords& words) const {
        if (a != a || b != b) return not_a_number<f64>();
        if (a > 1.0 || b > 1.0) {
            f64 x = first.draw(words), y = second.draw(words);
            return x / (x + y);
        }
        // Jöhnk: powers of uniforms, by their logarithms.
        for (;;) {
            f64 log_x = fmax(0.0 - words.exponential() / a, -1e300);
            f64 log_y = fmax(0.0 - words.exponential() / b, -1e300);
            f64 x = random_exp(log_x), y = random_exp(log_y);
            if (x + y > 1.0) continue;
            if (x + y > 0.0) return x / (x + y);
            f64 most = fmax(log_x, log_y);
            x = random_exp(log_x - most), y = random_exp(log_y - most);
            return x / (x + y);
        }
    }
};

struct Chisquare {
    Gamma gamma;
    Chisquare(f64 df, f64, f64) : gamma(0.5 * df, 2.0, 0.0) {}
    f64 draw(OwnWords& words) const { return gamma.draw(words); }
};

struct NoncentralChisquare {
    f64 df, nonc;
    Chisquare rest;  // Of one degree less where there is more than one.
    Poisson mixture;

    NoncentralChisquare(f64 df, f64 nonc, f64)
        : df(df), nonc(nonc), rest(nonc == 0.0 ? df : df - 1.0, 0.0, 0.0), mixture(0.5 * nonc, 0.0, 0.0) {}

    f64 draw(OwnWords& words) const {
        if (df != df || nonc != nonc) return not_a_number<f64>();
        if (nonc == 0.0) return rest.draw(words);
        if (df > 1.0) {
            f64 shifted = words.normal() + sqrt(nonc);
            return rest.draw(words) + shifted * shifted;
        }
        f64 extra = 2.0 * mixture.draw(words);
        return Chisquare(df + extra, 0.0, 0.0).draw(words);
    }
};

struct F {
    f64 dfnum, dfden;
    Chisquare numerator, denominator;

    F(f64 dfnum, f64 dfden, f64)
        : dfnum(dfnum), dfden(dfden), numerator(dfnum, 0.0, 0.0), denominator(dfden, 0.0, 0.0) {}

    f64 draw(OwnWords& words) const {
        f64 over = numerator.draw(words), under = denominator.draw(words);
        return (over * dfden) / (under * dfnum);
    }
};

struct NoncentralF {
    f64 dfnum, dfden;
    NoncentralChisquare numerator;
    Chisquare denominator;

    NoncentralF(f64 dfnum, f64 dfden, f64 nonc)
        : dfnum(dfnum), dfden(dfden), numerator(dfnum, nonc, 0.0), denominator(dfden, 0.0, 0.0) {}

    f64 draw(OwnWords& words) const {
        f64 over = numerator.draw(words), under = denominator.draw(words);
        return (over * dfden) / (under * dfnum);
    }
};

struct StandardT {
    f64 df;
    Gamma gamma;

    StandardT(f64 df, f64, f64) : df(df), gamma(0.5 * df, 1.0, 0.0) {}

    f64 draw(OwnWords& words) const {
        f64 normal = words.normal();
        if (df == infinity<f64>()) return normal;
        return sqrt(0.5 * df) * normal / sqrt(gamma.draw(words));
    }
};

// Best and Fisher's rejection.
struct Vonmises {
    f64 mu, kappa, s;

    Vonmises(f64 mu, f64 kappa, f64) : mu(mu), kappa(kappa) {
        if (kappa < 1e-5) {
            s = 1.0 / kappa + kappa;
        } else {
            f64 r = 1.0 + sqrt(1.0 + 4.0 * kappa * kappa);
            f64 rho = (r - sqrt(2.0 * r)) / (2.0 * kappa);
            s = (1.0 + rho * rho) / (2.0 * rho);
        }
    }

    f64 draw(OwnWords& words) const {
        constexpr f64 pi = 3.14159265358979323846264338327950288, tau = 6.28318530717958647692528676655900577;
        if (kappa != kappa || mu != mu) return not_a_number<f64>();
        if (kappa < 1e-8) return pi * (2.0 * words.uniform() - 1.0);
        if (kappa > 1e6) {
            f64 angle = mu + sqrt(1.0 / kappa) * words.normal();
            return angle < -pi ? angle + tau : angle > pi ? angle - tau : angle;
        }
        for (;;) {
            u64 word = words.word();
            f64 z = sin_cos_of_word(word).cos;
            f64 w = (1.0 + s * z) / (s + z);
            f64 y = kappa * (s - w);
            f64 v = words.open();
            if (y * (2.0 - y) < v && random_log(y / v) + 1.0 < y) continue;
            f64 size = random_arccos(w < -1.0 ? -1.0 : w > 1.0 ? 1.0 : w);
            f64 angle = mu + (word & 1 ? -size : size);
            f64 wrapped = fmod(fabs(angle) + pi, tau) - pi;
            return angle < 0.0 ? -wrapped : wrapped;
        }
    }
};

// Michael, Schucany and Haas's quadratic: its smaller root, or the larger one.
struct Wald {
    f64 mean, scale;

    Wald(f64 mean, f64 scale, f64) : mean(mean), scale(scale) {}

    f64 draw(OwnWords& words) const {
        f64 normal = words.normal();
        f64 t = 0.5 * (mean / scale) * (normal * normal);
        f64 ratio = 1.0 / (1.0 + t + sqrt(t * (t + 2.0)));
        return words.uniform() <= 1.0 / (1.0 + ratio) ? mean * ratio : mean / ratio;
    }
};

// Poisson variates of a gamma mean.
struct NegativeBinomial {
    Gamma gamma;
    NegativeBinomial(f64 n, f64 p, f64) : gamma(n, (1.0 - p) / p, 0.0) {}
    f64 draw(OwnWords& words) const { return Poisson(gamma.draw(words), 0.0, 0.0).draw(words); }
};
