// Roots, and the length of vectors: sqrt, cbrt, hypot, and the modulus and direction of complex numbers.

namespace elementary {

// x^(-1/3) for x from sqrt(1/2) to sqrt(2).
inline f32 inverse_cbrt_series(f32 x) {
    return polynomial(x, 1.9953701f, -2.4669943f, 2.755087f, -1.862265f, 0.6836617f, -0.104856625f);
}
inline f64 inverse_cbrt_series(f64 x) {
    return polynomial(x, 1.8703613820659772, -1.8452846075851659, 1.5371134684138386, -0.6869725042273723,
                      0.12475393491049042);
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
        constexpr T third = T(1) / T(3);
        T a = size(x);
        if (!(a > 0 && a < infinity<T>())) return x;
        Split<T> s = split(a);
        // a = m * 2^(3q + rest), rest from -1 to 1.
        Whole<T> q = nearest(s.k, third);
        T rest = fused(q.value, T(-3), s.k);
        T turn = rest < 0 ? T(1.2599210498948732) : rest > 0 ? T(0.7937005259840998) : T(1);
        T m = s.m * (rest < 0 ? T(0.5) : rest > 0 ? T(2) : T(1)), inverse = inverse_cbrt_series(s.m) * turn;
        if constexpr (same<T, f64>) {
            // A third-order step towards m^(-1/3); the correction of the root doubles the digits once more.
            T e = fused(m * inverse, -(inverse * inverse), T(1));
            inverse = fused(inverse * e, fused(e, T(2) * third * third, third), inverse);
        }
        T squared_inverse = inverse * inverse, r = m * squared_inverse, square = r * r;
        T residual = fused(fused(r, r, -square), r, fused(square, r, -m));
        return with_sign(fused(residual * -third, squared_inverse, r) * power_of_two<T>(q.bits, 0), x);
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
