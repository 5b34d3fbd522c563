// Complex numbers and their functions, included inside a namespace: thrust (CuPy's complex) and pycuda share it.
// Arithmetic in NumPy's order of operations; the functions have C99's special values, are computed in double, and
// those of complex<float> are rounded once. Branch cuts follow the sign of zero.
#define __CUPRUM_FN __host__ __device__ inline

template <class T> struct __align__(2 * sizeof(T)) complex {
    typedef T value_type;
    T _M_re, _M_im;

    complex() = default;
    __host__ __device__ constexpr complex(T re, T im = T(0)) : _M_re(re), _M_im(im) {}
    template <class U>
    __host__ __device__ constexpr complex(const complex<U>& z) : _M_re(T(z.real())), _M_im(T(z.imag())) {}

    __host__ __device__ constexpr T real() const { return _M_re; }
    __host__ __device__ constexpr T imag() const { return _M_im; }
    __host__ __device__ void real(T re) { _M_re = re; }
    __host__ __device__ void imag(T im) { _M_im = im; }

    __host__ __device__ complex& operator=(T re) {
        _M_re = re;
        _M_im = T(0);
        return *this;
    }
    __host__ __device__ complex& operator+=(const complex& z) { return *this = *this + z; }
    __host__ __device__ complex& operator-=(const complex& z) { return *this = *this - z; }
    __host__ __device__ complex& operator*=(const complex& z) { return *this = *this * z; }
    __host__ __device__ complex& operator/=(const complex& z) { return *this = *this / z; }
};

template <class T> __CUPRUM_FN complex<T> operator+(const complex<T>& z) { return z; }
template <class T> __CUPRUM_FN complex<T> operator-(const complex<T>& z) { return complex<T>(-z._M_re, -z._M_im); }
template <class T> __CUPRUM_FN complex<T> operator+(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re + b._M_re, a._M_im + b._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator-(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re - b._M_re, a._M_im - b._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator*(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re * b._M_re - a._M_im * b._M_im, a._M_re * b._M_im + a._M_im * b._M_re);
}
// Smith's quotient: the larger of the divisor's parts is divided out, so that nothing overflows on the way.
template <class T> __CUPRUM_FN complex<T> operator/(const complex<T>& a, const complex<T>& b) {
    T width = ::fabs(b._M_re), height = ::fabs(b._M_im);
    if (width >= height) {
        if (width == T(0) && height == T(0)) return complex<T>(a._M_re / width, a._M_im / width);
        T ratio = b._M_im / b._M_re, scale = T(1) / (b._M_re + b._M_im * ratio);
        return complex<T>((a._M_re + a._M_im * ratio) * scale, (a._M_im - a._M_re * ratio) * scale);
    }
    T ratio = b._M_re / b._M_im, scale = T(1) / (b._M_im + b._M_re * ratio);
    return complex<T>((a._M_re * ratio + a._M_im) * scale, (a._M_im * ratio - a._M_re) * scale);
}

template <class T> __CUPRUM_FN complex<T> operator+(const complex<T>& a, const T& b) {
    return complex<T>(a._M_re + b, a._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator+(const T& a, const complex<T>& b) {
    return complex<T>(a + b._M_re, b._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator-(const complex<T>& a, const T& b) {
    return complex<T>(a._M_re - b, a._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator-(const T& a, const complex<T>& b) {
    return complex<T>(a - b._M_re, -b._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator*(const complex<T>& a, const T& b) {
    return complex<T>(a._M_re * b, a._M_im * b);
}
template <class T> __CUPRUM_FN complex<T> operator*(const T& a, const complex<T>& b) {
    return complex<T>(a * b._M_re, a * b._M_im);
}
template <class T> __CUPRUM_FN complex<T> operator/(const complex<T>& a, const T& b) {
    return complex<T>(a._M_re / b, a._M_im / b);
}
template <class T> __CUPRUM_FN complex<T> operator/(const T& a, const complex<T>& b) { return complex<T>(a) / b; }

template <class T> __CUPRUM_FN bool operator==(const complex<T>& a, const complex<T>& b) {
    return a._M_re == b._M_re && a._M_im == b._M_im;
}
template <class T> __CUPRUM_FN bool operator==(const complex<T>& a, const T& b) {
    return a._M_re == b && a._M_im == T(0);
}
template <class T> __CUPRUM_FN bool operator==(const T& a, const complex<T>& b) { return b == a; }
template <class T> __CUPRUM_FN bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }
template <class T> __CUPRUM_FN bool operator!=(const complex<T>& a, const T& b) { return !(a == b); }
template <class T> __CUPRUM_FN bool operator!=(const T& a, const complex<T>& b) { return !(b == a); }
// NumPy's order: by the real parts, then by the imaginary ones.
template <class T> __CUPRUM_FN bool operator<(const complex<T>& a, const complex<T>& b) {
    return a._M_re < b._M_re || (a._M_re == b._M_re && a._M_im < b._M_im);
}
template <class T> __CUPRUM_FN bool operator>(const complex<T>& a, const complex<T>& b) { return b < a; }
template <class T> __CUPRUM_FN bool operator<=(const complex<T>& a, const complex<T>& b) {
    return a._M_re < b._M_re || (a._M_re == b._M_re && a._M_im <= b._M_im);
}
template <class T> __CUPRUM_FN bool operator>=(const complex<T>& a, const complex<T>& b) { return b <= a; }

template <class T> __CUPRUM_FN T real(const complex<T>& z) { return z._M_re; }
template <class T> __CUPRUM_FN T imag(const complex<T>& z) { return z._M_im; }
template <class T> __CUPRUM_FN T abs(const complex<T>& z) { return ::hypot(z._M_re, z._M_im); }
template <class T> __CUPRUM_FN T arg(const complex<T>& z) { return ::atan2(z._M_im, z._M_re); }
template <class T> __CUPRUM_FN T norm(const complex<T>& z) { return z._M_re * z._M_re + z._M_im * z._M_im; }
template <class T> __CUPRUM_FN complex<T> conj(const complex<T>& z) { return complex<T>(z._M_re, -z._M_im); }
template <class T> __CUPRUM_FN complex<T> polar(const T& size, const T& angle = T(0)) {
    return complex<T>(size * ::cos(angle), size * ::sin(angle));
}
template <class T> __CUPRUM_FN complex<T> proj(const complex<T>& z) {
    if (!::isinf(z._M_re) && !::isinf(z._M_im)) return z;
    return complex<T>(T(__int_as_float(0x7f800000)), ::copysign(T(0), z._M_im));
}

namespace __cuprum {

typedef complex<double> wide;

__CUPRUM_FN double infinite() { return __longlong_as_double(0x7ff0000000000000ll); }
__CUPRUM_FN double undefined() { return __longlong_as_double(0x7ff8000000000000ll); }
__CUPRUM_FN bool is_infinite(double x) { return ::fabs(x) == infinite(); }
__CUPRUM_FN bool is_finite(double x) { return ::fabs(x) < infinite(); }

// factor * e^x * (cos y + i sin y), for finite arguments, without overflow on the way.
__CUPRUM_FN wide scaled_cis(double factor, double x, double y) {
    double sine = ::sin(y), cosine = ::cos(y);
    // Each step takes out a power of e that is still finite; after two, what remains overflows rightly.
    for (int i = 0; i < 2; ++i) {
        if (x > 709.0) {
            double step = ::exp(709.0);
            sine *= step;
            cosine *= step;
            x -= 709.0;
        }
    }
    double e = ::exp(x) * factor;
    return wide(e * cosine, e * sine);
}

__CUPRUM_FN wide exp_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (y == 0.0) return wide(::exp(x), y);
    if (x != x) return wide(x, x);
    if (is_infinite(x)) {
        if (x < 0.0) {
            if (!is_finite(y)) return wide(0.0, ::copysign(0.0, y));
            return wide(::copysign(0.0, ::cos(y)), ::copysign(0.0, ::sin(y)));
        }
        if (!is_finite(y)) return wide(x, undefined());
        return wide(::copysign(x, ::cos(y)), ::copysign(x, ::sin(y)));
    }
    return is_finite(y) ? scaled_cis(1.0, x, y) : wide(undefined(), undefined());
}

// a + b + c*c + d*d, nearly exact where the terms cancel.
__CUPRUM_FN double sum_of_squares(double a, double b, double c, double d) {
    double cc = c * c, dd = d * d, lost = ::fma(c, c, -cc) + ::fma(d, d, -dd);
    double s1 = a + b, t1 = s1 - a, e1 = (a - (s1 - t1)) + (b - t1);
    double s2 = s1 + cc, t2 = s2 - s1, e2 = (s1 - (s2 - t2)) + (cc - t2);
    double s3 = s2 + dd, t3 = s3 - s2, e3 = (s2 - (s3 - t3)) + (dd - t3);
    return s3 + (e1 + e2 + e3 + lost);
}

__CUPRUM_FN double log_modulus(double x, double y) {
    double width = ::fabs(x), height = ::fabs(y);
    double large = width > height ? width : height, small = width > height ? height : width;
    double square = large * large + small * small;
    if (square >= 0.5 && square <= 3.0) return 0.5 * ::log1p(sum_of_squares(-1.0, 0.0, large, small));
    if (large > 1e150 && is_finite(large)) return ::log(::hypot(0.25 * large, 0.25 * small)) + 1.3862943611198906;
    if (large < 2.2250738585072014e-308 && large > 0.0) {
        double lift = 1267650600228229401496703205376.0;
        return ::log(::hypot(lift * large, lift * small)) - 69.314718055994531;
    }
    return ::log(::hypot(x, y));
}

__CUPRUM_FN wide log_of(wide z) { return wide(log_modulus(z._M_re, z._M_im), ::atan2(z._M_im, z._M_re)); }

__CUPRUM_FN wide log10_of(wide z) {
    wide w = log_of(z);
    return wide(w._M_re * 0.43429448190325182765, w._M_im * 0.43429448190325182765);
}

__CUPRUM_FN wide log2_of(wide z) {
    wide w = log_of(z);
    return wide(w._M_re * 1.4426950408889634074, w._M_im * 1.4426950408889634074);
}

__CUPRUM_FN wide log1p_of(wide z) {
    double shifted = z._M_re + 1.0, square = shifted * shifted + z._M_im * z._M_im;
    bool near_one = square >= 0.5 && square <= 3.0;
    double re = near_one ? 0.5 * ::log1p(sum_of_squares(0.0, 2.0 * z._M_re, z._M_re, z._M_im))
                         : log_modulus(shifted, z._M_im);
    return wide(re, ::atan2(z._M_im, shifted));
}

__CUPRUM_FN wide expm1_of(wide z) {
    double half = ::sin(0.5 * z._M_im);
    return wide(::expm1(z._M_re) * ::cos(z._M_im) - 2.0 * half * half, ::exp(z._M_re) * ::sin(z._M_im));
}

__CUPRUM_FN wide sqrt_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (is_infinite(y)) return wide(infinite(), y);
    if (is_infinite(x)) {
        double rest = y != y ? y : ::copysign(0.0, y);
        if (x > 0.0) return wide(x, rest);
        return wide(::fabs(rest), ::copysign(infinite(), y));
    }
    if (x != x || y != y) return wide(undefined(), undefined());
    if (x == 0.0 && y == 0.0) return wide(0.0, y);
    double largest = ::fmax(::fabs(x), ::fabs(y)), scale = 1.0, back = 1.0;
    if (largest > 4e307) {
        scale = 0.25;
        back = 2.0;
    }
    if (largest < 1e-290) {
        scale = 324518553658426726783156020576256.0;  // 2^108
        back = 5.5511151231257827e-17;                // 2^-54
    }
    x *= scale;
    y *= scale;
    double longer = ::sqrt(0.5 * (::fabs(x) + ::hypot(x, y))), other = ::fabs(y) / (2.0 * longer);
    if (x >= 0.0) return wide(longer * back, ::copysign(other * back, y));
    return wide(other * back, ::copysign(longer * back, y));
}

__CUPRUM_FN wide sinh_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (y == 0.0) return wide(::sinh(x), y);
    if (!is_finite(y)) {
        return wide(x == 0.0 ? x : is_infinite(x) ? ::fabs(x) : undefined(), undefined());
    }
    double sine = ::sin(y), cosine = ::cos(y);
    if (is_infinite(x)) return wide(x * cosine, ::fabs(x) * sine);
    if (::fabs(x) > 709.0) {
        wide w = scaled_cis(0.5, ::fabs(x), y);
        return wide(::copysign(w._M_re, x * cosine), w._M_im);
    }
    return wide(::sinh(x) * cosine, ::cosh(x) * sine);
}

__CUPRUM_FN wide cosh_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (y == 0.0) return wide(::cosh(x), x != x ? y : ::signbit(x) ? -y : y);
    if (!is_finite(y)) {
        if (x == 0.0) return wide(undefined(), 0.0);
        return wide(is_infinite(x) ? infinite() : undefined(), undefined());
    }
    double sine = ::sin(y), cosine = ::cos(y);
    if (is_infinite(x)) return wide(::fabs(x) * cosine, x * sine);
    if (::fabs(x) > 709.0) {
        wide w = scaled_cis(0.5, ::fabs(x), y);
        return wide(w._M_re, ::copysign(w._M_im, x * sine));
    }
    return wide(::cosh(x) * cosine, ::sinh(x) * sine);
}

__CUPRUM_FN wide tanh_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (is_infinite(x)) return wide(::copysign(1.0, x), ::copysign(0.0, is_finite(y) ? ::sin(2.0 * y) : y));
    if (!is_finite(y)) return wide(x == 0.0 ? x : undefined(), undefined());
    if (x != x) return wide(x, y == 0.0 ? y : x);
    if (::fabs(x) > 22.0) {
        double decay = ::exp(-::fabs(x));
        return wide(::copysign(1.0, x), 4.0 * ::sin(y) * ::cos(y) * decay * decay);
    }
    double tangent = ::tan(y), secant = 1.0 + tangent * tangent, sine = ::sinh(x);
    double denominator = 1.0 + secant * sine * sine;
    return wide(secant * ::sqrt(1.0 + sine * sine) * sine / denominator, tangent / denominator);
}

__CUPRUM_FN wide sin_of(wide z) {
    wide w = sinh_of(wide(-z._M_im, z._M_re));
    // The sign of this infinity is unspecified; NumPy's is plus.
    return wide(w._M_im, w._M_im != w._M_im && is_infinite(w._M_re) ? w._M_re : -w._M_re);
}
__CUPRUM_FN wide cos_of(wide z) { return cosh_of(wide(-z._M_im, z._M_re)); }
__CUPRUM_FN wide tan_of(wide z) {
    wide w = tanh_of(wide(-z._M_im, z._M_re));
    return wide(w._M_im, -w._M_re);
}

// For a + ib in the first quadrant, after Hull, Fairgrieve and Tang: the real part of the inverse sine, that of the
// inverse cosine, and the size of the imaginary part of both.
struct inverse { double asin, acos, size; };

__CUPRUM_FN inverse parts(double asin, double acos, double size) {
    inverse p;
    p.asin = asin;
    p.acos = acos;
    p.size = size;
    return p;
}

__CUPRUM_FN inverse inverse_in_range(double a, double b) {
    double r = ::hypot(a + 1.0, b), s = ::hypot(a - 1.0, b), mean = 0.5 * (r + s), ratio = a / mean;
    inverse p;
    if (ratio <= 0.6417) {
        p.asin = ::asin(ratio);
        p.acos = ::acos(ratio);
    } else {
        double above = mean + a;
        double leg = a <= 1.0 ? ::sqrt(0.5 * above * (b * b / (r + a + 1.0) + (s + (1.0 - a))))
                              : b * ::sqrt(0.5 * (above / (r + a + 1.0) + above / (s + (a - 1.0))));
        p.asin = ::atan(a / leg);
        p.acos = ::atan(leg / a);
    }
    if (mean <= 1.5) {
        double other = a < 1.0 ? b * b / (s + (1.0 - a)) : s + (a - 1.0);
        double excess = 0.5 * (b * b / (r + a + 1.0) + other);
        p.size = ::log1p(excess + ::sqrt(excess * (mean + 1.0)));
    } else {
        p.size = ::log(mean + ::sqrt(mean * mean - 1.0));
    }
    return p;
}

__CUPRUM_FN inverse inverse_parts(double a, double b) {
    const double tiny = 6e-154, huge = 1.6e153, epsilon = 2.220446049250313e-16;
    const double right_angle = 1.57079632679489661923, ln_2 = 0.69314718055994530942;
    if (a > tiny && a < huge && b > tiny && b < huge) return inverse_in_range(a, b);
    if (b < epsilon * ::fabs(a - 1.0)) {
        if (a < 1.0) return parts(::asin(a), ::acos(a), b / ::sqrt((1.0 - a) * (1.0 + a)));
        double squared = (a - 1.0) * (a + 1.0), leg = ::sqrt(squared);
        return parts(right_angle, b / leg, squared < infinite() ? ::log1p(a - 1.0 + leg) : ln_2 + ::log(a));
    }
    if (b <= tiny) {
        // Here a is one to within the precision, or b is at least that large beside it.
        if (::fabs(a - 1.0) < tiny) return parts(right_angle - ::sqrt(b), ::sqrt(b), ::sqrt(b));
        return inverse_in_range(a, b);
    }
    if (epsilon * b - 1.0 >= a) return parts(a / b, right_angle, ln_2 + ::log(b));
    if (a > 1.0) {
        double ratio = a / b;
        return parts(::atan(ratio), ::atan(b / a), ln_2 + ::log(b) + 0.5 * ::log1p(ratio * ratio));
    }
    double modulus = ::sqrt(1.0 + b * b), re = a / modulus;
    return parts(re, right_angle - re, 0.5 * ::log1p(2.0 * b * (b + modulus)));
}

// The angle of an infinite point in the first quadrant.
__CUPRUM_FN double infinite_angle(double x, double y) {
    return is_infinite(x) ? (is_infinite(y) ? 0.78539816339744830962 : 0.0) : 1.57079632679489661923;
}

__CUPRUM_FN wide asinh_of(wide z) {
    double x = z._M_re, y = z._M_im;
    if (x != x || y != y) {
        if (is_infinite(x) || is_infinite(y)) return wide(is_infinite(x) ? x : infinite(), undefined());
        return wide(undefined(), y == 0.0 ? y : undefined());
    }
    if (is_infinite(x) || is_infinite(y)) {
        return wide(::copysign(infinite(), x), ::copysign(infinite_angle(x, y), y));
    }
    inverse p = inverse_parts(::fabs(y), ::fabs(x));
    return wide(::copysign(p.size, x), ::copysign(p.asin, y));
}

__CUPRUM_FN wide asin_of(wide z) {
    wide w = asinh_of(wide(z._M_im, z._M_re));
    return wide(w._M_im, w._M_re);
}

__CUPRUM_FN wide acos_of(wide z) {
    const double pi = 3.14159265358979323846;
    double x = z._M_re, y = z._M_im;
    if (x != x || y != y) {
        if (is_infinite(x)) return wide(undefined(), -infinite());
        if (is_infinite(y)) return wide(undefined(), -y);
        return wide(x == 0.0 ? pi / 2 : undefined(), undefined());
    }
    if (is_infinite(x) || is_infinite(y)) {
        double turn = infinite_angle(x, y);
        return wide(x < 0.0 ? pi - turn : turn, ::copysign(infinite(), -y));
    }
    inverse p = inverse_parts(::fabs(x), ::fabs(y));
    return wide(::signbit(x) ? pi - p.acos : p.acos, ::copysign(p.size, -y));
}

// acosh z = i acos z, on the side where the real part is not negative.
__CUPRUM_FN wide acosh_of(wide z) {
    wide w = acos_of(z);
    if (w._M_re != w._M_re) return wide(::fabs(w._M_im), w._M_re);
    if (w._M_im != w._M_im) return wide(w._M_im, w._M_re);
    return wide(::fabs(w._M_im), ::copysign(w._M_re, z._M_im));
}

__CUPRUM_FN wide atanh_of(wide z) {
    const double right_angle = 1.57079632679489661923;
    double x = z._M_re, y = z._M_im, a = ::fabs(x), b = ::fabs(y);
    if (is_infinite(y) || (is_infinite(x) && y == y)) return wide(::copysign(0.0, x), ::copysign(right_angle, y));
    if (x != x || y != y) {
        return wide(is_infinite(x) || x == 0.0 ? ::copysign(0.0, x) : undefined(), undefined());
    }
    if (a > 1e150 || b > 1e150) {
        double half = ::hypot(0.5 * a, 0.5 * b);
        return wide(::copysign(0.25 * a / half / half, x), ::copysign(right_angle, y));
    }
    double gap = (1.0 - a) * (1.0 - a) + b * b;
    double re = a == 1.0 && b < 1e-150 ? 0.5 * (0.69314718055994530942 - ::log(b)) : 0.25 * ::log1p(4.0 * a / gap);
    double im = 0.5 * ::atan2(2.0 * b, (1.0 - a) * (1.0 + a) - b * b);
    return wide(::copysign(re, x), ::copysign(im, y));
}

__CUPRUM_FN wide atan_of(wide z) {
    wide w = atanh_of(wide(z._M_im, z._M_re));
    return wide(w._M_im, w._M_re);
}

// Of NaN and of numbers that are not infinite: what C99 puts in their place beside an infinity.
__CUPRUM_FN double boxed(double part, bool infinite_number) {
    double size = infinite_number ? (is_infinite(part) ? 1.0 : 0.0) : ::fabs(part);
    return ::copysign(size != size ? 0.0 : size, part);
}

// The product of C99: where the plain formula loses an infinity to NaN, it is brought back.
__CUPRUM_FN wide mended_product(wide a, wide b) {
    wide product = a * b;
    if (product._M_re == product._M_re || product._M_im == product._M_im) return product;
    bool left = is_infinite(a._M_re) || is_infinite(a._M_im), right = is_infinite(b._M_re) || is_infinite(b._M_im);
    bool overflowed = is_infinite(a._M_re * b._M_re) || is_infinite(a._M_im * b._M_im) ||
                      is_infinite(a._M_re * b._M_im) || is_infinite(a._M_im * b._M_re);
    if (!left && !right && !overflowed) return product;
    wide turned = wide(boxed(a._M_re, left), boxed(a._M_im, left)) * wide(boxed(b._M_re, right), boxed(b._M_im, right));
    return wide(infinite() * turned._M_re, infinite() * turned._M_im);
}

template <class T> __CUPRUM_FN complex<T> whole_power(complex<T> a, int n) {
    // The short ones in one product each treat infinities better than squaring does.
    if (n == 1) return a;
    if (n == 2) return a * a;
    if (n == 3) return a * (a * a);
    complex<T> square = a, result(T(1), T(0));
    unsigned int left = n < 0 ? 0u - (unsigned int)n : (unsigned int)n;
    while (true) {
        if (left & 1) result = result * square;
        left >>= 1;
        if (left == 0) break;
        square = square * square;
    }
    return n < 0 ? complex<T>(T(1), T(0)) / result : result;
}

// Small whole exponents by multiplication, as NumPy has them, the rest by way of the logarithm.
template <class T> __CUPRUM_FN complex<T> power(complex<T> a, complex<T> b) {
    if (b._M_re == T(0) && b._M_im == T(0)) return complex<T>(T(1), T(0));
    if (a._M_re == T(0) && a._M_im == T(0)) {
        return b._M_re > T(0) ? complex<T>(T(0), T(0)) : complex<T>(T(undefined()), T(undefined()));
    }
    if (b._M_im == T(0) && ::fabs(b._M_re) < T(100) && ::trunc(b._M_re) == b._M_re) {
        return whole_power(a, (int)b._M_re);
    }
    return complex<T>(exp_of(mended_product(log_of(wide(a)), wide(b))));
}

// The type of a power: the wider of two floats; of a float and an integer the float.
template <class A, class B> struct wider { typedef A type; };
template <> struct wider<float, double> { typedef double type; };

}  // namespace __cuprum

#define __CUPRUM_ANALYTIC(name) \
    template <class T> __CUPRUM_FN complex<T> name(const complex<T>& z) { \
        return complex<T>(__cuprum::name##_of(__cuprum::wide(z))); \
    }
__CUPRUM_ANALYTIC(exp)
__CUPRUM_ANALYTIC(expm1)
__CUPRUM_ANALYTIC(log)
__CUPRUM_ANALYTIC(log2)
__CUPRUM_ANALYTIC(log10)
__CUPRUM_ANALYTIC(log1p)
__CUPRUM_ANALYTIC(sqrt)
__CUPRUM_ANALYTIC(sin)
__CUPRUM_ANALYTIC(cos)
__CUPRUM_ANALYTIC(tan)
__CUPRUM_ANALYTIC(sinh)
__CUPRUM_ANALYTIC(cosh)
__CUPRUM_ANALYTIC(tanh)
__CUPRUM_ANALYTIC(asin)
__CUPRUM_ANALYTIC(acos)
__CUPRUM_ANALYTIC(atan)
__CUPRUM_ANALYTIC(asinh)
__CUPRUM_ANALYTIC(acosh)
__CUPRUM_ANALYTIC(atanh)
#undef __CUPRUM_ANALYTIC

template <class T, class U>
__CUPRUM_FN complex<typename __cuprum::wider<T, U>::type> pow(const complex<T>& a, const complex<U>& b) {
    typedef typename __cuprum::wider<T, U>::type R;
    return __cuprum::power(complex<R>(a), complex<R>(b));
}
template <class T, class U>
__CUPRUM_FN complex<typename __cuprum::wider<T, U>::type> pow(const complex<T>& a, const U& b) {
    typedef typename __cuprum::wider<T, U>::type R;
    return __cuprum::power(complex<R>(a), complex<R>(R(b)));
}
template <class T, class U>
__CUPRUM_FN complex<typename __cuprum::wider<U, T>::type> pow(const T& a, const complex<U>& b) {
    typedef typename __cuprum::wider<U, T>::type R;
    return __cuprum::power(complex<R>(R(a)), complex<R>(b));
}

template <class T> __CUPRUM_FN bool isnan(const complex<T>& z) { return z._M_re != z._M_re || z._M_im != z._M_im; }
template <class T> __CUPRUM_FN bool isinf(const complex<T>& z) { return ::isinf(z._M_re) || ::isinf(z._M_im); }
template <class T> __CUPRUM_FN bool isfinite(const complex<T>& z) {
    return ::isfinite(z._M_re) && ::isfinite(z._M_im);
}
template <class T> __CUPRUM_FN complex<T> rint(const complex<T>& z) {
    return complex<T>(::rint(z._M_re), ::rint(z._M_im));
}
template <class T> __CUPRUM_FN complex<T> min(const complex<T>& a, const complex<T>& b) {
    if (a._M_re != a._M_re || a._M_im != a._M_im) return b;
    if (b._M_re != b._M_re || b._M_im != b._M_im) return a;
    return b < a ? b : a;
}
template <class T> __CUPRUM_FN complex<T> max(const complex<T>& a, const complex<T>& b) {
    if (a._M_re != a._M_re || a._M_im != a._M_im) return b;
    if (b._M_re != b._M_re || b._M_im != b._M_im) return a;
    return a < b ? b : a;
}
#undef __CUPRUM_FN
