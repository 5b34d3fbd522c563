// Sine, cosine and tangent of real angles in radians, sinc, and the angle of numbers that are real.

namespace elementary {

// (sin(r) - r) / r^3, (cos(r) - 1 + r^2 / 2) / r^4 and (tan(r) - r) / r^3, in r^2.
inline f32 sin_series(f32 z) { return polynomial(z, -0.16666654f, 0.008332119f, -0.00019510544f); }
COEFFICIENTS f64 sin_series_f64[] = {
    -0.1666666666666663, 0.00833333333332188, -0.0001984126982940168, 2.7557313554567605e-06, -2.5050736875202225e-08,
    1.589557030938139e-10
};
inline f64 sin_series(f64 z) { return polynomial(z, sin_series_f64); }
inline f32 cos_series(f32 z) { return polynomial(z, 0.041666646f, -0.0013887311f, 2.4432484e-05f); }
COEFFICIENTS f64 cos_series_f64[] = {
    0.041666666666666595, -0.0013888888888873377, 2.480158728902731e-05, -2.7557314222805186e-07,
    2.087570579559317e-09, -1.1358745330788374e-11
};
inline f64 cos_series(f64 z) { return polynomial(z, cos_series_f64); }
inline f32 tan_series(f32 z) {
    return polynomial(z, 0.3333335f, 0.13332674f, 0.054059297f, 0.02128309f, 0.01083838f, 8.0944395e-05f,
                      0.0043828315f);
}
COEFFICIENTS f64 tan_series_f64[] = {
    0.3333333333333274, 0.13333333333419467, 0.053968253924484594, 0.02186948966016291, 0.008863218446620693,
    0.0035922955888787263, 0.0014547179890952112, 0.0005952352645751777, 0.00022186930446674316,
    0.00013759404611391715, -2.7916634599107355e-05, 9.088127760863081e-05, -4.565983339926906e-05,
    2.105441864321901e-05
};
inline f64 tan_series(f64 z) { return polynomial(z, tan_series_f64); }

// The largest angle whose reduction by pi/2 in three parts is accurate.
template <class T> constexpr T angle_limit = same<T, f32> ? T(30000) : T(1e8);

// x = k pi/2 + r + tail with |r| <= pi/4, for x from zero to the limit.
//
// The first part of pi/2 is short enough for its product with k to be taken off exactly, and that difference is a
// multiple of the last place of k times the second part, so that the second difference loses nothing either. The tail
// keeps r accurate next to the multiples of pi/2, where all of the leading bits cancel.
template <class T> Reduced<T> by_right_angle(T x) {
    constexpr T first = same<T, f32> ? T(1.5707932f) : T(1.570796326794607);
    constexpr T second = same<T, f32> ? T(3.1749394e-06f) : T(2.896073971621982e-13);
    constexpr T third = same<T, f32> ? T(6.223372e-14f) : T(-1.2536990206932499e-29);
    Whole<T> n = nearest(x, same<T, f32> ? T(0.63661975f) : T(0.6366197723675814));
    T high = fused(-n.value, first, x), product = n.value * -second;
    T product_tail = fused(n.value, third, fused(n.value, second, product)), r = high + product;
    return {n.bits, r, ((high - r) + product) - product_tail};
}

// 2/pi after the binary point, with 64 zeros before it.
#ifdef __CUDACC__
__constant__
#endif
const u64 two_over_pi[20] = {
    0x0000000000000000ull,
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
};

// The 64 bits of the table from a bit on.
inline u64 table_bits(int first) {
    int word = first >> 6, shift = first & 63;
    return two_over_pi[word] << shift | (two_over_pi[word + 1] >> 1) >> (63 - shift);
}

// The same reduction for any larger x, after Payne and Hanek: of x = m 2^e times 2/pi only the digits that
// count modulo four are formed, 190 of them after the point.
inline Reduced<f64> by_right_angle_beyond(f64 x) {
    u64 bits = to_bits(x), m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
    // The bit of 2/pi whose product with 2^e is two.
    int first = 62 + (int)(bits >> 52) - 1075;
    u64 w0 = table_bits(first), w1 = table_bits(first + 64), w2 = table_bits(first + 128);
    u64 low = m * w2, middle = m * w1, high = m * w0 + high_product(m, w1);
    u64 carried = middle + high_product(m, w2);
    high += carried < middle ? 1 : 0;
    u64 k = high >> 62;
    u64 upper = high << 2 | carried >> 62, lower = carried << 2 | low >> 62;
    bool above_half = upper >> 63 != 0;
    if (above_half) {
        k += 1;
        lower = 0 - lower;
        upper = ~upper + (lower == 0 ? 1 : 0);
    }
    // No product of a double is so near a whole number that these 64 digits would all be zero.
    int shift = leading_zeros(upper);
    u64 digits = upper << shift | (lower >> 1) >> (63 - shift), more = lower << shift;
    f64 unit = from_bits((u64)(1023 - 53 - shift) << 52), fine = from_bits((u64)(1023 - 53 - 53 - shift) << 52);
    f64 fraction = (f64)(digits >> 11) * unit, rest = (f64)((digits & 0x7ff) << 42 | more >> 22) * fine;
    constexpr f64 right_angle = 1.5707963267948966, right_angle_tail = 6.123233995736766e-17;
    f64 r = fraction * right_angle;
    f64 tail = fused(fraction, right_angle, -r) + fused(fraction, right_angle_tail, rest * right_angle);
    // Infinity has no angle.
    Sum<f64> sum = ordered_sum(x < infinity<f64>() ? r : not_a_number<f64>(), tail);
    return {k, above_half ? -sum.high : sum.high, above_half ? -sum.low : sum.low};
}

// In f32, 126 digits after the point are plenty, and f64 holds the fraction.
inline Reduced<f32> by_right_angle_beyond(f32 x) {
    u32 bits = to_bits(x);
    u64 m = (bits & 0x7fffff) | 0x800000;
    int first = 62 + (int)(bits >> 23) - 150;
    u64 w1 = table_bits(first + 64), high = m * table_bits(first) + high_product(m, w1), low = m * w1;
    i64 fraction = (i64)(high << 2 | low >> 62);
    // Two to the minus 64th times pi/2.
    f64 angle = (f64)fraction * 8.515303950216386e-20;
    // Infinity has no angle.
    f32 r = x < infinity<f32>() ? (f32)angle : not_a_number<f32>();
    return {(u32)(high >> 62) + (fraction < 0 ? 1 : 0), r, (f32)(angle - r)};
}

// Sine and cosine of a reduced angle. The value and what it lost are summed last.
template <class T> T sin_sum(Reduced<T> x) {
    T z = x.r * x.r;
    return x.r + fused(x.r * z, sin_series(z), x.tail);
}
template <class T> T cos_sum(Reduced<T> x) {
    T z = x.r * x.r, high = fused(T(-0.5), z, T(1)), error = fused(T(-0.5), z, T(1) - high);
    return high + fused(z * z, cos_series(z), fused(-x.r, x.tail, error));
}

// x, negated when the second bit of k is set.
template <class T> T negated_by_quadrant(T x, word_of<T> k) {
    return from_bits((word_of<T>)(to_bits(x) ^ (word_of<T>)((k & 2) << (Format<T>::width - 2))));
}

// The functions of an angle x from its parts. Both sums are formed whichever is wanted, so that the sine and the cosine
// of one angle share them.
template <class T> T sin_of(Reduced<T> n, T x) {
    T sine = sin_sum(n), cosine = cos_sum(n);
    return negated_by(negated_by_quadrant(n.k & 1 ? cosine : sine, n.k), x);
}
template <class T> T cos_of(Reduced<T> n) {
    T sine = sin_sum(n), cosine = cos_sum(n);
    return negated_by_quadrant(n.k & 1 ? sine : cosine, (word_of<T>)(n.k + 1));
}
template <class T> T tan_of(Reduced<T> n, T x) {
    T z = n.r * n.r;
    Sum<T> t = ordered_sum(n.r, fused(n.r * z, tan_series(z), fused(n.tail, z, n.tail)));
    // In the odd quadrants the value is -1 / t.
    T inverse = -inverse_of(t.high), rest = fused(inverse, t.low, fused(inverse, t.high, T(1)));
    return negated_by(n.k & 1 ? inverse + inverse * rest : t.high + t.low, x);
}

// Cosine and sine of x - pi/4 for a finite x from zero on, good beside their zeros too: x - pi/4 = j pi/2 + u + u_tail.
struct CosSin { f64 cosine, sine; };
RARE CosSin cos_sin_past_eighth(f64 x) {
    constexpr f64 eighth = Format<f64>::pi / 4, eighth_tail = Format<f64>::pi_tail / 4;
    Reduced<f64> n = x > angle_limit<f64> ? by_right_angle_beyond(x) : by_right_angle(x);
    bool above = n.r >= 0;
    Sum<f64> u = ordered_sum(above ? -eighth : eighth, n.r);
    Reduced<f64> rest = {above ? n.k : n.k - 1, u.high, u.low + (n.tail + (above ? -eighth_tail : eighth_tail))};
    return {cos_of(rest), sin_of(rest, x)};
}

template <class T> RARE T sin_beyond(T x) { return sin_of(by_right_angle_beyond(size(x)), x); }
template <class T> RARE T cos_beyond(T x) { return cos_of(by_right_angle_beyond(size(x))); }
template <class T> RARE T tan_beyond(T x) { return tan_of(by_right_angle_beyond(size(x)), x); }

}  // namespace elementary

template <class T> T cu_sin(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_sin((f32)x));
    else {
        T value = sin_of(by_right_angle(size(x)), x);
        return size(x) > angle_limit<T> ? sin_beyond(x) : value;
    }
}

template <class T> T cu_cos(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_cos((f32)x));
    else {
        T value = cos_of(by_right_angle(size(x)));
        return size(x) > angle_limit<T> ? cos_beyond(x) : value;
    }
}

template <class T> T cu_tan(T x) {
    using namespace elementary;
    if constexpr (is_half<T>) return T(cu_tan((f32)x));
    else {
        T value = tan_of(by_right_angle(size(x)), x);
        return size(x) > angle_limit<T> ? tan_beyond(x) : value;
    }
}

// The angle is rounded before its sine is taken, as NumPy does it.
template <class T> T cu_sinc(T x) {
    if constexpr (is_half<T>) return T(cu_sinc((f32)x));
    else {
        T angle = elementary::Format<T>::pi * x;
        return angle == 0 ? T(1) : cu_sin(angle) / angle;
    }
}
