// Roots, and the length of vectors: sqrt, cbrt, hypot, and the modulus and direction of complex numbers.

namespace elementary {

// (1 - e)^(-2/3) / 3, for the e that the estimate below leaves.
inline f32 cbrt_series(f32 e) { return polynomial(e, 0.33333123f, 0.2222173f, 0.18678434f, 0.1664763f); }
COEFFICIENTS f64 cbrt_series_f64[] = {
    0.3333333333215197, 0.2222222221709234, 0.18518522111757915, 0.16460911850240112, 0.15087457113279693,
    0.14080997212729102, 0.13559453183360393, 0.1294799905280796
};
inline f64 cbrt_series(f64 e) { return polynomial(e, cbrt_series_f64); }

// The cube root of a positive a that is far from the ends of the exponent range.
template <class T> T cbrt_within(T a) {
    constexpr int shift = same<T, f32> ? 8 : 32;
    constexpr T offset = same<T, f32> ? T(16731291.0f) : T(6004800933346825.0);
    // The upper bits of a number count like its logarithm: those of y, with a y^3 = 1 - e, are a third of them, taken off a
    // constant.
    T upper = from_bits((word_of<T>)(to_bits(a) >> shift | Format<T>::whole_bits));
    T y = from_bits((word_of<T>)(to_bits(fused(upper, -(T(1) / T(3)), offset)) << shift));
    T square = y * y, e = fused(a * y, -square, T(1)), slope = square * cbrt_series(e), r = (a + a + a) * slope;
    // One step of Newton's, with the residual in twice the precision.
    T r_square = r * r, residual = fused(fused(r, r, -r_square), r, fused(r_square, r, -a));
    return fused(residual, -slope, r);
}

// sqrt(x^2 + y^2) in f64 within one unit in the last place; with `exact`, corrected by one Newton step on the
// residual in twice the precision.
template <bool exact> f64 length(f64 x, f64 y) {
    x = size(x), y = size(y);
    if (x == infinity<f64>() || y == infinity<f64>()) return infinity<f64>();
    f64 longer = x > y ? x : y, shorter = x > y ? y : x;
    Powers<f64> p = leading_power(longer);
    f64 a = longer * p.inverse, b = shorter * p.inverse, r = root(fused(a, a, b * b));
    if constexpr (!exact) return r * p.power;
    f64 r_square = r * r, a_square = a * a;
    f64 low = fused(r, r, -r_square) - fused(a, a, -a_square);
    f64 residual = fused(-b, b, r_square - a_square) + low;
    // The smallest normal number guards the division of zero by zero and is lost in the sum elsewhere.
    return (r - residual / (r + r + Format<f64>::least)) * p.power;
}

// In f32 the squares are exact in f64 and cannot overflow there.
template <bool exact> f32 length(f32 x, f32 y) {
    f64 a = x, b = y;
    f32 value = (f32)root(fused(a, a, b * b));
    return size(x) == infinity<f32>() || size(y) == infinity<f32>() ? infinity<f32>() : value;
}

}  // namespace elementary

template <class T> T cu_sqrt(T x) {
    if constexpr (is_half<T>) return T(elementary::root((f32)x));
    else return elementary::root(x);
}

template <class T> T cu_cbrt(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_cbrt((f32)x));
    else {
        // From where up to where all is normal on the way, and a cube and its root that take the rest there.
        constexpr T low = same<T, f32> ? T(1.2621775e-29f) : T(1.1830521861667747e-271);
        constexpr T high = same<T, f32> ? T(8.507059e37f) : T(4.49423283715579e307);
        constexpr T cube = same<T, f32> ? T(7.9228163e28f) : T(8.452712498170644e270);
        constexpr T root = same<T, f32> ? T(2.3283064e-10f) : T(4.909093465297727e-91);
        T a = size(x);
        if (!(a > 0 && a < infinity<T>())) return x;
        T factor = a < low ? cube : a >= high ? T(1) / cube : T(1), back = a < low ? root : a >= high ? T(1) / root : T(1);
        return with_sign(cbrt_within(a * factor) * back, x);
    }
}

template <class T> T cu_hypot(T x, T y) {
    if constexpr (is_half<T>) return T(elementary::length<true>((f32)x, (f32)y));
    else return elementary::length<true>(x, y);
}

template <class T> T cu_absolute(complex<T> z) { return elementary::length<false>(z.re, z.im); }

// A complex number over its modulus; for infinite ones the unit of their axis, zero for zero.
template <class T> complex<T> cu_sign(complex<T> z) {
    using namespace elementary;
    T modulus = length<true>(z.re, z.im);
    if (is_nan(modulus) || (is_infinite(z.re) && is_infinite(z.im))) return {not_a_number<T>(), not_a_number<T>()};
    if (is_infinite(z.re)) return {z.re > 0 ? T(1) : T(-1), T(0)};
    if (is_infinite(modulus)) return {T(0), z.im > 0 ? T(1) : T(-1)};
    return modulus == 0 ? complex<T>(T(0), T(0)) : complex<T>(z.re / modulus, z.im / modulus);
}
