// <utility> and <array>: the parts that kernels use.
#ifndef __CUPRUM_UTILITY_H
#define __CUPRUM_UTILITY_H
#include <type_traits>
#include <functional>
#include <tuple>
namespace std {
// NVRTC has these two by itself.
#if defined(__CUPRUM_CPU__) || !defined(__CUDACC_RTC__)
template <class T> __host__ __device__ constexpr remove_reference_t<T>&& move(T&& x) {
    return static_cast<remove_reference_t<T>&&>(x);
}
template <class T> __host__ __device__ constexpr T&& forward(remove_reference_t<T>& x) { return static_cast<T&&>(x); }
#endif
template <class T, class U = T> __host__ __device__ inline T exchange(T& a, U value) {
    T held = a;
    a = value;
    return held;
}
template <class T> __host__ __device__ inline void swap(T& a, T& b) {
    T held = a;
    a = b;
    b = held;
}
template <class T> __host__ __device__ constexpr T min(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr T max(T a, T b) { return a < b ? b : a; }
template <class T, class Less> __host__ __device__ constexpr T min(T a, T b, Less less) { return less(b, a) ? b : a; }
template <class T, class Less> __host__ __device__ constexpr T max(T a, T b, Less less) { return less(a, b) ? b : a; }
template <class T> __host__ __device__ constexpr T clamp(T x, T low, T high) {
    return x < low ? low : high < x ? high : x;
}

template <class T, size_t N> struct array {
    typedef T value_type;
    T items[N];
    __host__ __device__ T& operator[](size_t i) { return items[i]; }
    __host__ __device__ const T& operator[](size_t i) const { return items[i]; }
    __host__ __device__ T* begin() { return items; }
    __host__ __device__ T* end() { return items + N; }
    __host__ __device__ const T* begin() const { return items; }
    __host__ __device__ const T* end() const { return items + N; }
    __host__ __device__ T* data() { return items; }
    __host__ __device__ constexpr size_t size() const { return N; }
};

template <class T, T... values> struct integer_sequence { typedef T value_type; };
template <size_t... values> using index_sequence = integer_sequence<size_t, values...>;
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
