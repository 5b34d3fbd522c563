// Division with remainder, Python's and C's: floor_divide, remainder and fmod of integers and floats.

namespace elementary {

template <class T> struct Division { T quotient, rest; };

// Towards zero. Where the machine's division would fail, by zero or from the smallest number by minus one, the rest
// is zero and the quotient zero or what wraps.
template <class T> Division<T> truncated_division(T a, T b) {
    if (b == 0) return {T(0), T(0)};
    if (is_signed<T> && b == (T)-1) return {(T)(0 - (wide_word<T>)a), T(0)};
    return {(T)(a / b), (T)(a % b)};
}

template <class T> Division<T> floored_division(T a, T b) {
    Division<T> d = truncated_division(a, b);
    bool below = d.rest != 0 && (d.rest < (T)0) != (b < (T)0);
    return below ? Division<T>{(T)(d.quotient - 1), (T)(d.rest + b)} : d;
}

// C's fmod. A short quotient is divided at once: its product with the divisor is subtracted unrounded, and the
// quotient, when rounding took it up to the next whole number, is one too large at most.
template <class T> T float_remainder(T a, T b) {
    T ratio = a / b;
    bool is_short = size(ratio) < Format<T>::whole / 2 && size(b) < infinity<T>();
    if (!is_short) return remainder_of(a, b);
    T rest = fused(-truncate(ratio), b, a);
    bool overshot = rest != 0 && (rest < 0) != (a < 0);
    return with_sign(overshot ? rest + with_sign(b, a) : rest, a);
}

// Python's quotient and rest from C's.
template <class T> T floored_quotient(T a, T b) {
    if (b == 0) return a / b;
    T rest = float_remainder(a, b), whole = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) whole = whole - 1;
    if (whole == 0) return with_sign(T(0), a / b);
    T floor = floor_of(whole);
    return whole - floor > T(0.5) ? floor + 1 : floor;
}
template <class T> T floored_rest(T a, T b) {
    T rest = float_remainder(a, b);
    if (b == 0) return rest;
    if (rest == 0) return with_sign(T(0), b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

}  // namespace elementary

template <class T> T cu_floor_divide(T a, T b) {
    if constexpr (is_half<T>) return T(cu_floor_divide((f32)a, (f32)b));
    else if constexpr (is_integer<T>) return elementary::floored_division(a, b).quotient;
    else return elementary::floored_quotient(a, b);
}

template <class T> T cu_remainder(T a, T b) {
    if constexpr (is_half<T>) return T(cu_remainder((f32)a, (f32)b));
    else if constexpr (is_integer<T>) return elementary::floored_division(a, b).rest;
    else return elementary::floored_rest(a, b);
}

template <class T> T cu_fmod(T a, T b) {
    if constexpr (is_half<T>) return T(cu_fmod((f32)a, (f32)b));
    else if constexpr (is_integer<T>) return elementary::truncated_division(a, b).rest;
    else return elementary::float_remainder(a, b);
}
