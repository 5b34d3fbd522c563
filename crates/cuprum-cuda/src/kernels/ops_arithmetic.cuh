// Arithmetic, selection and the parts of numbers. Integers wrap; the 16-bit floats round after every operation.

template <class T> T cu_add(T a, T b) {
    if constexpr (same<T, bool>) return a | b;
    else if constexpr (is_integer<T>) return (T)((wide_word<T>)a + (wide_word<T>)b);
    else return a + b;
}

template <class T> T cu_subtract(T a, T b) {
    if constexpr (is_integer<T>) return (T)((wide_word<T>)a - (wide_word<T>)b);
    else return a - b;
}

template <class T> T cu_multiply(T a, T b) {
    if constexpr (same<T, bool>) return a & b;
    else if constexpr (is_integer<T>) return (T)((wide_word<T>)a * (wide_word<T>)b);
    else return a * b;
}

template <class T> T cu_divide(T a, T b) { return a / b; }

template <class T> T cu_negative(T a) {
    if constexpr (is_integer<T>) return (T)(0 - (wide_word<T>)a);
    else return -a;
}

template <class T> T cu_positive(T a) { return a; }

// The modulus of complex numbers is with the roots.
template <class T> T cu_absolute(T a) {
    if constexpr (is_signed<T>) return a < 0 ? cu_negative(a) : a;
    else if constexpr (is_half<T>) return T::of_bits(a.bits & 0x7fff);
    else if constexpr (is_float<T>) return from_bits(to_bits(a) & ((word_of<T>)-1 >> 1));
    else return a;
}

template <class T> T cu_fabs(T a) { return cu_absolute(a); }

template <class T> T cu_sign(T a) {
    if constexpr (is_integer<T>) return (T)((a > 0) - (a < (T)0));
    else if constexpr (is_half<T>) return T(cu_sign((f32)a));
    else return a != a ? a : (T)((a > 0) - (a < 0));
}

template <class T> T cu_reciprocal(T a) {
    if constexpr (is_integer<T>) {
        // One over anything but one and minus one truncates to zero; over zero it is infinity, converted.
        if (a == 0) return same<T, i32> || same<T, i64> ? lowest<T>() : (T)0;
        return cu_absolute(a) == 1 ? a : (T)0;
    } else if constexpr (is_complex<T>) {
        typedef real_of<T> R;
        R width = a.re < 0 ? -a.re : a.re, height = a.im < 0 ? -a.im : a.im;
        if (height <= width) {
            R ratio = a.im / a.re, divisor = a.re + a.im * ratio;
            return {R(1) / divisor, -ratio / divisor};
        }
        R ratio = a.re / a.im, divisor = a.im + a.re * ratio;
        return {ratio / divisor, R(-1) / divisor};
    } else {
        return T(1) / a;
    }
}

template <class T> T cu_square(T a) { return cu_multiply(a, a); }

template <class T> T cu_where(bool choose, T a, T b) { return choose ? a : b; }

template <class T> T cu_conjugate(T a) {
    if constexpr (is_complex<T>) return {a.re, -a.im};
    else return a;
}

template <class T> real_of<T> cu_real(T a) {
    if constexpr (is_complex<T>) return a.re;
    else return a;
}

template <class T> real_of<T> cu_imag(T a) {
    if constexpr (is_complex<T>) return a.im;
    else return T(0);
}

template <class T> T cu_degrees(T a) {
    if constexpr (is_half<T>) return T(cu_degrees((f32)a));
    else return a * (T(180) / T(3.14159265358979323846));
}

template <class T> T cu_radians(T a) {
    if constexpr (is_half<T>) return T(cu_radians((f32)a));
    else return a * (T(3.14159265358979323846) / T(180));
}
