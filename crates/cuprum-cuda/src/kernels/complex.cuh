// Complex numbers: arithmetic in NumPy's order of operations, without C99's mending of infinities.

template <class T> struct alignas(2 * sizeof(T)) complex {
    T re, im;
    complex() = default;
    complex(T re, T im = T(0)) : re(re), im(im) {}

    friend complex operator-(complex a) { return {-a.re, -a.im}; }
    friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    friend complex operator*(complex a, complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    // Smith's quotient.
    friend complex operator/(complex a, complex b) {
        T width = fabs(b.re), height = fabs(b.im);
        if (width >= height) {
            if (width == 0 && height == 0) return {a.re / width, a.im / height};
            T ratio = b.im / b.re, scale = T(1) / (b.re + b.im * ratio);
            return {(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
        }
        T ratio = b.re / b.im, scale = T(1) / (b.im + b.re * ratio);
        return {(a.im + a.re * ratio) * scale, (a.im * ratio - a.re) * scale};
    }
    friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
    friend bool operator!=(complex a, complex b) { return a.re != b.re || a.im != b.im; }
};
typedef complex<f32> c64;
typedef complex<f64> c128;

template <class T> complex<T> conjugate(complex<T> z) { return {z.re, -z.im}; }
