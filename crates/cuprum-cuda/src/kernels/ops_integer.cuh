// Bits, shifts, powers and divisors of integers, and the division with remainder of every real type.

template <class T> T cu_bitwise_and(T a, T b) { return (T)(a & b); }
template <class T> T cu_bitwise_or(T a, T b) { return (T)(a | b); }
template <class T> T cu_bitwise_xor(T a, T b) { return (T)(a ^ b); }

template <class T> T cu_invert(T a) {
    if constexpr (same<T, bool>) return !a;
    else return (T)~a;
}

// Bits fall off both ends: shifts by the width and beyond are no shifts of C.
template <class T> T cu_left_shift(T a, T b) {
    return (word_of<T>)b < 8 * sizeof(T) ? (T)((wide_word<T>)a << b) : (T)0;
}

template <class T> T cu_right_shift(T a, T b) {
    return (word_of<T>)b < 8 * sizeof(T) ? (T)(a >> b) : (T)(a < (T)0 ? -1 : 0);
}

template <class T> word_of<T> magnitude(T a) { return (word_of<T>)(a < (T)0 ? 0 - (wide_word<T>)a : (wide_word<T>)a); }

template <class T> u8 cu_bitwise_count(T a) {
#ifdef __CUDACC__
    return (u8)__popcll(magnitude(a));
#else
    return (u8)__builtin_popcountll(magnitude(a));
#endif
}

template <class T> T cu_gcd(T x, T y) {
    word_of<T> a = magnitude(x), b = magnitude(y);
    while (a != 0) {
        word_of<T> rest = b % a;
        b = a;
        a = rest;
    }
    return (T)b;
}

template <class T> T cu_lcm(T x, T y) {
    word_of<T> divisor = (word_of<T>)cu_gcd(x, y);
    return divisor == 0 ? (T)0 : (T)((wide_word<T>)(magnitude(x) / divisor) * magnitude(y));
}

template <class T> T integer_power(T a, T b) {
    if (b < (T)0) return magnitude(a) != 1 ? (T)0 : b & 1 ? a : (T)1;
    wide_word<T> base = (wide_word<T>)a, result = 1;
    for (word_of<T> left = (word_of<T>)b; left != 0; left >>= 1) {
        if (left & 1) result *= base;
        base *= base;
    }
    return (T)result;
}
