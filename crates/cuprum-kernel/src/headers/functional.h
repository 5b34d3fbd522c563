// <functional>: functions of numbers as objects.
#ifndef __CUPRUM_FUNCTIONAL_H
#define __CUPRUM_FUNCTIONAL_H
#include <type_traits>
namespace std {
// __CUPRUM_BINARY(plus, a + b, T) makes plus<T> and plus<void>, which takes any two types.
#define __CUPRUM_BINARY(name, value, result)                                                               \
    template <class T = void> struct name {                                                                \
        typedef T first_argument_type;                                                                     \
        typedef T second_argument_type;                                                                    \
        typedef result result_type;                                                                        \
        __host__ __device__ constexpr result operator()(const T& a, const T& b) const { return value; }    \
    };                                                                                                     \
    template <> struct name<void> {                                                                        \
        template <class A, class B>                                                                        \
        __host__ __device__ constexpr auto operator()(const A& a, const B& b) const -> decltype(value) {   \
            return value;                                                                                  \
        }                                                                                                  \
    };
__CUPRUM_BINARY(plus, a + b, T)
__CUPRUM_BINARY(minus, a - b, T)
__CUPRUM_BINARY(multiplies, a * b, T)
__CUPRUM_BINARY(divides, a / b, T)
__CUPRUM_BINARY(modulus, a % b, T)
__CUPRUM_BINARY(bit_and, a & b, T)
__CUPRUM_BINARY(bit_or, a | b, T)
__CUPRUM_BINARY(bit_xor, a ^ b, T)
__CUPRUM_BINARY(equal_to, a == b, bool)
__CUPRUM_BINARY(not_equal_to, a != b, bool)
__CUPRUM_BINARY(less, a < b, bool)
__CUPRUM_BINARY(greater, a > b, bool)
__CUPRUM_BINARY(less_equal, a <= b, bool)
__CUPRUM_BINARY(greater_equal, a >= b, bool)
__CUPRUM_BINARY(logical_and, a && b, bool)
__CUPRUM_BINARY(logical_or, a || b, bool)
#undef __CUPRUM_BINARY
template <class T = void> struct negate {
    __host__ __device__ constexpr T operator()(const T& a) const { return -a; }
};
template <class T = void> struct logical_not {
    __host__ __device__ constexpr bool operator()(const T& a) const { return !a; }
};
template <class T = void> struct bit_not {
    __host__ __device__ constexpr T operator()(const T& a) const { return ~a; }
};
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
