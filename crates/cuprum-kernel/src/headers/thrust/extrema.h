// thrust/extrema.h and thrust/swap.h: the smaller and the larger of two values, and exchanging them.
#ifndef __CUPRUM_THRUST_EXTREMA_H
#define __CUPRUM_THRUST_EXTREMA_H
#include <cuprum/thrust_algorithms.h>
namespace thrust {
template <class T> __host__ __device__ constexpr T min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr T max(const T& a, const T& b) { return a < b ? b : a; }
template <class T, class Less> __host__ __device__ constexpr T min(const T& a, const T& b, Less less) {
    return less(b, a) ? b : a;
}
template <class T, class Less> __host__ __device__ constexpr T max(const T& a, const T& b, Less less) {
    return less(a, b) ? b : a;
}
using std::swap;
}
#endif
