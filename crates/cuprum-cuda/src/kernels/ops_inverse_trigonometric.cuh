// Inverse sine, cosine and tangent of real numbers, and the angle of points and numbers.

namespace elementary {

// (asin(s) - s) / s^3 in s^2, for s up to one half.
inline f32 asin_series(f32 z) {
    return polynomial(z, 0.16666754f, 0.07495277f, 0.045471452f, 0.024178796f, 0.0421625f);
}
COEFFICIENTS f64 asin_series_f64[] = {
    0.1666666666666676, 0.07499999999971095, 0.044642857174224136, 0.03038194272950777, 0.022372214318213676,
    0.017351624732641444, 0.013980662389073067, 0.011400238094136402, 0.01077270078341017, 0.0037352343200085705,
    0.021636856974466507, -0.020898809490814328, 0.03256583927490458
};
inline f64 asin_series(f64 z) { return polynomial(z, asin_series_f64); }
// (atan(t) - t) / t^3 in t^2, for t up to tan(pi/8), or one half in f32, and up to one.
inline f32 atan_series(f32 z) {
    return polynomial(z, -0.33333227f, 0.19993974f, -0.14172162f, 0.10147061f, -0.051120285f);
}
COEFFICIENTS f64 atan_series_f64[] = {
    -0.33333333333333187, 0.1999999999995119, -0.14285714279991113, 0.11111110774431232, -0.09090897524810035,
    0.07692056445030958, -0.06663064643919558, 0.05847623463551428, -0.05038186785918242, 0.03803791191990939,
    -0.017879708301412847
};
inline f64 atan_series(f64 z) { return polynomial(z, atan_series_f64); }
inline f32 wide_atan_series(f32 z) {
    return polynomial(z, -0.33333293f, 0.1999836f, -0.1426229f, 0.1094222f, -0.08374951f, 0.057478942f,
                      -0.030709004f, 0.01066674f, -0.0017389732f);
}
COEFFICIENTS f64 wide_atan_series_f64[] = {
    -0.3333333333333302, 0.19999999999944268, -0.14285714282181675, 0.11111110995908832, -0.09090906812665642,
    0.07692277677819165, -0.06666386806559987, 0.058804272191223445, -0.052530783065543436, 0.047208494315127504,
    -0.04215367849911121, 0.03656514353516968, -0.02978335206593911, 0.021838074673802617, -0.013763346705652345,
    0.007099985521128468, -0.0028355190990207095, 0.000813964717957847, -0.00014841831625624026,
    1.2851805242397334e-05
};
inline f64 wide_atan_series(f64 z) { return polynomial(z, wide_atan_series_f64); }

// For a = |x|: asin(s) = s + tail, where s is a, or, above one half, sqrt((1 - a) / 2), for which
// asin(a) = pi/2 - 2 asin(s).
template <class T> struct Arcsine {
    bool large;
    T s, tail;
};
template <class T> Arcsine<T> arcsin_parts(T a) {
    if (!(a > T(0.5))) {
        T z = a * a;
        return {false, a, fused(a * z, asin_series(z), T(0))};
    }
    T z = T(0.5) * (T(1) - a), s = root(z);
    // The smallest normal number guards the division at a = 1 and is lost in the sum elsewhere.
    T error = fused(-s, s, z) * quotient(T(0.5), s + Format<T>::least);
    return {true, s, fused(s * z, asin_series(z), error)};
}

// The angle where neither coordinate is infinite and their ratio is far from the ends of the exponent range.
template <class T> T angle_of(T y, T x) {
    typedef Format<T> F;
    T height = size(y), width = size(x);
    bool steep = height > width, left = is_negative(x);
    // In the left half plane the angle is pi less the mirrored one, and past the diagonal pi/2 less the swapped one.
    T numerator = steep ? -x : negated_by(height, x), denominator = steep ? height : width;
    // Zero over zero is the angle of zero over anything.
    denominator = denominator == 0 ? T(1) : denominator;
    T base = steep ? F::pi / 2 : left ? F::pi : T(0), base_tail = steep ? F::pi_tail / 2 : left ? F::pi_tail : T(0);
    T inverse = inverse_of(denominator), t = numerator * inverse;
    T t_tail = fused(fused(-t, denominator, numerator), inverse, base_tail), z = t * t;
    T tail = fused(t * z, wide_atan_series(z), t_tail);
    Sum<T> sum = ordered_sum(base, t);
    return with_sign(sum.high + (sum.low + tail), y);
}

// Beyond this ratios and magnitudes leave the range in which `angle_of` works without underflow.
template <class T> constexpr T ratio_limit = same<T, f32> ? T(1.0e30f) : T(1.0e270);

RARE f64 extreme_angle(f64 y, f64 x) {
    constexpr f64 pi = Format<f64>::pi;
    if (is_nan(x) || is_nan(y)) return x + y;
    bool left = is_negative(x);
    if (is_infinite(y)) return with_sign(is_infinite(x) ? (left ? 0.75 * pi : 0.25 * pi) : 0.5 * pi, y);
    if (is_infinite(x)) return with_sign(left ? pi : 0.0, y);
    f64 height = size(y), width = size(x);
    if (width < height * (1 / ratio_limit<f64>)) return with_sign(0.5 * pi, y);
    if (height < width * (1 / ratio_limit<f64>)) return left ? with_sign(pi, y) : y / x;
    // Of two that are large or small alike, both can be scaled without loss.
    f64 scale = from_bits(height + width > 1 ? 0x1a70000000000000ull : 0x6570000000000000ull);
    return angle_of(y * scale, x * scale);
}
// In f64 only zeros and infinities are extreme.
RARE f32 extreme_angle(f32 y, f32 x) {
    bool infinite = is_infinite(x) || is_infinite(y);
    return (f32)(infinite ? extreme_angle((f64)y, (f64)x) : angle_of((f64)y, (f64)x));
}

}  // namespace elementary

template <class T> T cu_arcsin(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arcsin((f32)x));
    else {
        typedef Format<T> F;
        Arcsine<T> a = arcsin_parts(size(x));
        T factor = a.large ? T(-2) : T(1);
        Sum<T> sum = ordered_sum(a.large ? F::pi / 2 : T(0), factor * a.s);
        return with_sign(sum.high + (fused(factor, a.tail, a.large ? F::pi_tail / 2 : T(0)) + sum.low), x);
    }
}

template <class T> T cu_arccos(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arccos((f32)x));
    else {
        typedef Format<T> F;
        Arcsine<T> a = arcsin_parts(size(x));
        T base = a.large ? (x < 0 ? F::pi : T(0)) : F::pi / 2;
        T base_tail = a.large ? (x < 0 ? F::pi_tail : T(0)) : F::pi_tail / 2;
        T factor = negated_by(a.large ? T(2) : T(-1), x);
        Sum<T> sum = ordered_sum(base, factor * a.s);
        return sum.high + (fused(factor, a.tail, base_tail) + sum.low);
    }
}

template <class T> T cu_arctan(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arctan((f32)x));
    else {
        typedef Format<T> F;
        // In f32 the joints are where the difference of the middle case is exact.
        constexpr T first_joint = same<T, f32> ? T(0.5f) : T(0.41421356237309503);
        constexpr T second_joint = same<T, f32> ? T(2.0f) : T(2.414213562373095);
        // From there on the angle is pi/2 to working precision, and infinity would make a NaN below.
        T a = size(x) > F::large ? F::large : size(x);
        bool steep = a > second_joint, middle = !steep && a > first_joint;
        // The angle's distance from pi/2, pi/4 or zero has the tangent -1/a, (a - 1)/(a + 1) or a.
        T difference = a - T(1), difference_error = a - (difference + T(1));
        Sum<T> above = ordered_sum(T(1), a);
        T numerator = steep ? T(-1) : middle ? difference : a, numerator_tail = middle ? difference_error : T(0);
        T denominator = steep ? a : middle ? above.high : T(1), denominator_tail = middle ? above.low : T(0);
        T base = steep ? F::pi / 2 : middle ? F::pi / 4 : T(0);
        T base_tail = steep ? F::pi_tail / 2 : middle ? F::pi_tail / 4 : T(0);
        T inverse = inverse_of(denominator), t = numerator * inverse;
        T rest = fused(-t, denominator, numerator), z = t * t;
        if constexpr (same<T, f32>) rest = fused(-t, denominator_tail, rest);
        else rest = rest + fused(-t, denominator_tail, numerator_tail);
        T tail = fused(t * z, atan_series(z), fused(rest, inverse, base_tail));
        Sum<T> sum = ordered_sum(base, t);
        return with_sign(sum.high + (sum.low + tail), x);
    }
}

template <class T> T cu_arctan2(T y, T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_arctan2((f32)y, (f32)x));
    else {
        constexpr T limit = ratio_limit<T>, inverse = T(1) / limit;
        T height = size(y), width = size(x);
        T longer = height > width ? height : width, shorter = height > width ? width : height;
        bool extreme = longer > limit || (shorter < longer * inverse && shorter > 0) || (longer < inverse && longer > 0);
        return extreme ? extreme_angle(y, x) : angle_of(y, x);
    }
}

// The angle of a real number: zero, or pi for the negative ones, minus zero among them.
template <class T> T cu_angle(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_angle((f32)x));
    else return is_nan(x) ? x : is_negative(x) ? Format<T>::pi : T(0);
}

template <class T> T cu_angle(complex<T> z) { return cu_arctan2(z.im, z.re); }
