// <limits>: std::numeric_limits.
#ifndef __CUPRUM_LIMITS_H
#define __CUPRUM_LIMITS_H
namespace std {
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };

#define __CUPRUM_INTEGER(type, least, most, count, has_sign)                                     \
    template <> struct numeric_limits<type> {                                                    \
        static constexpr bool is_specialized = true, is_integer = true, is_exact = true;         \
        static constexpr bool is_signed = has_sign, has_infinity = false, has_quiet_NaN = false; \
        static constexpr int digits = count, digits10 = count * 30103 / 100000, radix = 2;       \
        __host__ __device__ static constexpr type min() { return least; }                        \
        __host__ __device__ static constexpr type lowest() { return least; }                     \
        __host__ __device__ static constexpr type max() { return most; }                         \
        __host__ __device__ static constexpr type epsilon() { return 0; }                        \
    };
__CUPRUM_INTEGER(bool, false, true, 1, false)
__CUPRUM_INTEGER(char, -128, 127, 7, true)
__CUPRUM_INTEGER(signed char, -128, 127, 7, true)
__CUPRUM_INTEGER(unsigned char, 0, 255, 8, false)
__CUPRUM_INTEGER(short, -32768, 32767, 15, true)
__CUPRUM_INTEGER(unsigned short, 0, 65535, 16, false)
__CUPRUM_INTEGER(int, -2147483647 - 1, 2147483647, 31, true)
__CUPRUM_INTEGER(unsigned int, 0, 4294967295u, 32, false)
__CUPRUM_INTEGER(long, -9223372036854775807l - 1, 9223372036854775807l, 63, true)
__CUPRUM_INTEGER(unsigned long, 0, 18446744073709551615ul, 64, false)
__CUPRUM_INTEGER(long long, -9223372036854775807ll - 1, 9223372036854775807ll, 63, true)
__CUPRUM_INTEGER(unsigned long long, 0, 18446744073709551615ull, 64, false)
#undef __CUPRUM_INTEGER

#define __CUPRUM_FLOAT(type, least, most, gap, tiny, count, count10, inf, nan)                   \
    template <> struct numeric_limits<type> {                                                    \
        static constexpr bool is_specialized = true, is_integer = false, is_exact = false;       \
        static constexpr bool is_signed = true, has_infinity = true, has_quiet_NaN = true;       \
        static constexpr int digits = count, digits10 = count10, radix = 2;                      \
        __host__ __device__ static constexpr type min() { return least; }                        \
        __host__ __device__ static constexpr type lowest() { return -most; }                     \
        __host__ __device__ static constexpr type max() { return most; }                         \
        __host__ __device__ static constexpr type epsilon() { return gap; }                      \
        __host__ __device__ static constexpr type denorm_min() { return tiny; }                  \
        __host__ __device__ static constexpr type round_error() { return type(0.5); }            \
        __host__ __device__ static type infinity() { return inf; }                               \
        __host__ __device__ static type quiet_NaN() { return nan; }                              \
    };
__CUPRUM_FLOAT(float, 1.17549435082228750797e-38f, 3.40282346638528859812e+38f, 1.1920928955078125e-7f,
               1.40129846432481707092e-45f, 24, 6, __int_as_float(0x7f800000), __int_as_float(0x7fffffff))
__CUPRUM_FLOAT(double, 2.2250738585072014e-308, 1.7976931348623157e+308, 2.2204460492503131e-16,
               4.9406564584124654e-324, 53, 15, __longlong_as_double(0x7ff0000000000000ll),
               __longlong_as_double(0x7fffffffffffffffll))
#undef __CUPRUM_FLOAT
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
