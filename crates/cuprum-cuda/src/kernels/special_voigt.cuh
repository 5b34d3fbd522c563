// Voigt's profile, from the Faddeeva function.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: voigt.rs.

namespace elementary {
namespace special {

RARE f64 voigt_profile(f64 x, f64 sigma, f64 gamma_width);

// The real part of the Faddeeva function, scaled to the convolution of a normal and a Cauchy distribution.
RARE f64 voigt_profile(f64 x, f64 sigma, f64 gamma_width) {
    if (is_nan(x) || is_nan(sigma) || is_nan(gamma_width)) {
        return not_a_number<f64>();
    }
    if (sigma == 0.0) {
        if (gamma_width == 0.0) {
            return (x == 0.0 ? infinity<f64>() : 0.0);
        }
        return gamma_width * 0.3183098861837907 / (x * x + gamma_width * gamma_width);
    }
    if (gamma_width == 0.0) {
        auto z = x / sigma;
        return 0.3989422804014327 / sigma * called_exp(-0.5 * z * z);
    }
    auto scale = 0.7071067811865476 / sigma;
    auto [wr, _wi] = complex_wofz(x * scale, gamma_width * scale);
    return wr * 0.3989422804014327 / sigma;
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_voigt_profile(T a, T b, T c) { return (T)elementary::special::voigt_profile((f64)a, (f64)b, (f64)c); }
