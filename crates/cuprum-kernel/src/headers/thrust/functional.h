// thrust/functional.h: functions of numbers as objects.
#ifndef __CUPRUM_THRUST_FUNCTIONAL_H
#define __CUPRUM_THRUST_FUNCTIONAL_H
#include <functional>
namespace thrust {
using std::plus; using std::minus; using std::multiplies; using std::divides; using std::modulus;
using std::bit_and; using std::bit_or; using std::bit_xor; using std::equal_to; using std::not_equal_to;
using std::less; using std::greater; using std::less_equal; using std::greater_equal;
using std::logical_and; using std::logical_or; using std::logical_not; using std::negate;
template <class T = void> struct maximum {
    __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <class T> __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <class T> __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T = void> struct identity {
    __host__ __device__ constexpr const T& operator()(const T& a) const { return a; }
};
template <class T = void> struct square {
    __host__ __device__ constexpr T operator()(const T& a) const { return a * a; }
};
template <class A, class B> struct project1st {
    __host__ __device__ constexpr const A& operator()(const A& a, const B&) const { return a; }
};
template <class A, class B> struct project2nd {
    __host__ __device__ constexpr const B& operator()(const A&, const B& b) const { return b; }
};
}
#endif
