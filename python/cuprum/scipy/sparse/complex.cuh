// Complex elements of sparse matrices, and the zero of any element.

typedef long long i64;

template <class T> struct Complex {
    T re, im;
};
template <class T> __device__ Complex<T> operator+(Complex<T> a, Complex<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> __device__ Complex<T> operator-(Complex<T> a, Complex<T> b) { return {a.re - b.re, a.im - b.im}; }
template <class T> __device__ Complex<T> operator*(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// Smith's division: no overflow on the way.
template <class T> __device__ Complex<T> operator/(Complex<T> a, Complex<T> b) {
    T bre = b.re < 0 ? -b.re : b.re, bim = b.im < 0 ? -b.im : b.im;
    if (bre >= bim) {
        T ratio = b.im / b.re, divisor = b.re + b.im * ratio;
        return {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
    }
    T ratio = b.re / b.im, divisor = b.re * ratio + b.im;
    return {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
}

template <class T> struct Zero {
    static __device__ T value() { return (T)0; }
};
template <class T> struct Zero<Complex<T>> {
    static __device__ Complex<T> value() {
        Complex<T> zero = {0, 0};
        return zero;
    }
};
