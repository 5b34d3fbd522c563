// Rounding to whole numbers, signs, neighbours and the parts of floating-point numbers.

template <class T> T cu_rint(T a) {
    if constexpr (is_complex<T>) return {elementary::nearest_even(a.re), elementary::nearest_even(a.im)};
    else if constexpr (is_half<T>) return T(elementary::nearest_even((f32)a));
    else return elementary::nearest_even(a);
}

template <class T> T cu_floor(T a) {
    if constexpr (is_half<T>) return T(elementary::floor_of((f32)a));
    else if constexpr (is_float<T>) return elementary::floor_of(a);
    else return a;
}

template <class T> T cu_ceil(T a) {
    if constexpr (is_half<T>) return T(elementary::ceiling((f32)a));
    else if constexpr (is_float<T>) return elementary::ceiling(a);
    else return a;
}

template <class T> T cu_trunc(T a) {
    if constexpr (is_half<T>) return T(elementary::truncate((f32)a));
    else if constexpr (is_float<T>) return elementary::truncate(a);
    else return a;
}

template <class T> bool cu_isnan(T a) { return is_nan(a); }

template <class T> bool cu_isinf(T a) {
    if constexpr (is_complex<T>) return elementary::is_infinite(a.re) || elementary::is_infinite(a.im);
    else if constexpr (is_half<T>) return (a.bits & 0x7fff) == infinity<T>().bits;
    else if constexpr (is_float<T>) return elementary::is_infinite(a);
    else return false;
}

template <class T> bool cu_isfinite(T a) { return !is_nan(a) && !cu_isinf(a); }

template <class T> bool cu_signbit(T a) {
    if constexpr (is_half<T>) return a.bits >> 15 != 0;
    else return elementary::is_negative(a);
}

template <class T> T cu_copysign(T a, T b) {
    if constexpr (is_half<T>) return T::of_bits((u16)((a.bits & 0x7fff) | (b.bits & 0x8000)));
    else return elementary::with_sign(a, b);
}

namespace elementary {


// The bits of the neighbour of x towards y, which is another number.
template <class Word> Word neighbour(Word x, Word y, bool outwards) {
    constexpr Word sign = (Word)((Word)1 << (8 * sizeof(Word) - 1));
    if ((Word)(x & (Word)~sign) == 0) return (Word)((y & sign) | 1);
    return (Word)(outwards ? x + 1 : x - 1);
}

// Mantissa and exponent of frexp.
template <class T> struct Frexp {
    T mantissa;
    i32 exponent;
};
template <class T> Frexp<T> parts_of(T x) {
    typedef Format<T> F;
    constexpr word_of<T> field = 2 * F::bias + 1, half = F::bias - 1;
    if (!is_finite(x) || x == 0) return {x, 0};
    // Two to the 64th lifts every subnormal into the normal range.
    bool is_tiny = size(x) < F::least;
    word_of<T> bits = to_bits(is_tiny ? x * T(18446744073709551616.0) : x);
    i32 exponent = (i32)((bits >> F::digits) & field) - (i32)half - (is_tiny ? 64 : 0);
    return {from_bits((bits & ~(field << F::digits)) | (half << F::digits)), exponent};
}

// 2^n for an exponent of normal numbers.
inline f64 two_to_the(i64 n) { return from_bits((u64)(n + 1023) << 52); }
inline i64 limited(i64 n, i64 limit) { return n < -limit ? -limit : n > limit ? limit : n; }

}  // namespace elementary

template <class T> T cu_nextafter(T x, T y) {
    if constexpr (is_half<T>) {
        if (is_nan(x) || is_nan(y)) return not_a_number<T>();
        if (x == y) return y;
        return T::of_bits(elementary::neighbour(x.bits, y.bits, (x < y) == ((f32)x > 0)));
    } else {
        if (is_nan(x) || is_nan(y)) return x + y;
        if (x == y) return y;
        return from_bits(elementary::neighbour(to_bits(x), to_bits(y), (x < y) == (x > 0)));
    }
}

// For f16 the distance is to the next number above, as NumPy has it; for the others away from zero.
template <class T> T cu_spacing(T x) {
    if constexpr (is_half<T>) {
        if (!cu_isfinite(x)) return not_a_number<T>();
        T next = same<T, f16> ? cu_nextafter(x, infinity<T>()) : T::of_bits((u16)(x.bits + 1));
        return next - x;
    } else {
        if (!elementary::is_finite(x)) return not_a_number<T>();
        return from_bits((word_of<T>)(x == 0 ? 1 : to_bits(x) + 1)) - x;
    }
}

template <class T> T cu_frexp_mantissa(T x) {
    if constexpr (is_half<T>) return T(elementary::parts_of((f32)x).mantissa);
    else return elementary::parts_of(x).mantissa;
}

template <class T> i32 cu_frexp_exponent(T x) {
    if constexpr (is_half<T>) return elementary::parts_of((f32)x).exponent;
    else return elementary::parts_of(x).exponent;
}

template <class T> T cu_ldexp(T x, i64 n) {
    if constexpr (is_half<T>) return T(cu_ldexp((f32)x, n));
    else if constexpr (same<T, f32>) {
        // In f64 every such product is exact, so that only the conversion rounds.
        return (f32)((f64)x * elementary::two_to_the(elementary::limited(n, 400)));
    } else {
        // Three steps reach from the smallest number to the largest and back. Going down, the first two stop short
        // of the subnormals, whose rounding is left to the last.
        n = elementary::limited(n, 2200);
        i64 first = n < -1022 ? -969 : n < 1023 ? n : 1023, left = n - first;
        i64 second = left < -1022 ? -969 : left < 1023 ? left : 1023;
        return x * elementary::two_to_the(first) * elementary::two_to_the(second) * elementary::two_to_the(left - second);
    }
}

template <class T> T cu_modf_fraction(T x) {
    if constexpr (is_half<T>) return T(cu_modf_fraction((f32)x));
    else {
        if (is_nan(x)) return x;
        return elementary::with_sign(elementary::is_infinite(x) ? T(0) : x - elementary::truncate(x), x);
    }
}

template <class T> T cu_modf_integer(T x) { return cu_trunc(x); }

template <class T> T cu_heaviside(T x, T at_zero) {
    if (is_nan(x)) return x;
    return x == T(0) ? at_zero : x < T(0) ? T(0) : T(1);
}
