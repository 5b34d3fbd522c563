// Comparisons, logic and extrema. Complex numbers are ordered by real part, then by imaginary part.

template <class T> bool cu_truth(T a) { return cast<bool>(a); }

template <class T> bool cu_equal(T a, T b) { return a == b; }
template <class T> bool cu_not_equal(T a, T b) { return a != b; }

template <class T> bool cu_less(T a, T b) {
    if constexpr (is_complex<T>)
        return (a.re < b.re && !is_nan(a.im) && !is_nan(b.im)) || (a.re == b.re && a.im < b.im);
    else return a < b;
}

template <class T> bool cu_less_equal(T a, T b) {
    if constexpr (is_complex<T>)
        return (a.re < b.re && !is_nan(a.im) && !is_nan(b.im)) || (a.re == b.re && a.im <= b.im);
    else return a <= b;
}

template <class T> bool cu_logical_and(T a, T b) { return cu_truth(a) & cu_truth(b); }
template <class T> bool cu_logical_or(T a, T b) { return cu_truth(a) | cu_truth(b); }
template <class T> bool cu_logical_xor(T a, T b) { return cu_truth(a) != cu_truth(b); }
template <class T> bool cu_logical_not(T a) { return !cu_truth(a); }

// The larger, or the first NaN. Of equal numbers f32 and f64 take the second, the others the first, as NumPy does;
// that tells zeros apart.
template <class T> T cu_maximum(T a, T b) {
    if constexpr (is_float<T>) return a > b || is_nan(a) ? a : b;
    else return cu_less_equal(b, a) || is_nan(a) ? a : b;
}

// The smaller, or the first NaN.
template <class T> T cu_minimum(T a, T b) {
    if constexpr (is_float<T>) return a < b || is_nan(a) ? a : b;
    else return cu_less_equal(a, b) || is_nan(a) ? a : b;
}

// The larger and the smaller of those that are not NaN.
template <class T> T cu_fmax(T a, T b) { return cu_less_equal(b, a) || is_nan(b) ? a : b; }
template <class T> T cu_fmin(T a, T b) { return cu_less_equal(a, b) || is_nan(b) ? a : b; }

// Whether `a` is above `b` as clip orders complex numbers: by the real parts alone unless they are equal.
template <class T> bool is_above(T a, T b) {
    if constexpr (is_complex<T>) return a.re == b.re ? a.im > b.im : a.re > b.re;
    else return a > b;
}

template <class T> T cu_clip(T a, T low, T high) {
    if constexpr (is_complex<T>) {
        T raised = is_nan(a) || is_above(a, low) ? a : low;
        return is_nan(raised) || is_above(high, raised) ? raised : high;
    } else {
        T raised = a < low || (is_nan(low) && !is_nan(a)) ? low : a;
        return raised > high || (is_nan(high) && !is_nan(raised)) ? high : raised;
    }
}
