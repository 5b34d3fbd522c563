// <utility>, <algorithm>, <functional> and <array>: the parts that kernels use.
#ifndef __CUPRUM_UTILITY_H
#define __CUPRUM_UTILITY_H
#include <type_traits>
namespace std {
// NVRTC has these two by itself.
#if defined(__CUPRUM_CPU__) || !defined(__CUDACC_RTC__)
template <class T> __host__ __device__ constexpr remove_reference_t<T>&& move(T&& x) {
    return static_cast<remove_reference_t<T>&&>(x);
}
template <class T> __host__ __device__ constexpr T&& forward(remove_reference_t<T>& x) { return static_cast<T&&>(x); }
#endif
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
template <class To, class T> __host__ __device__ inline void fill(To first, To last, const T& value) {
    for (; first != last; ++first) *first = value;
}
template <class From, class To> __host__ __device__ inline To copy(From first, From last, To to) {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
};
template <class A, class B> __host__ __device__ inline pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }
template <class A, class B> __host__ __device__ inline bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first == b.first && a.second == b.second;
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

template <class T = void> struct plus { __host__ __device__ T operator()(T a, T b) const { return a + b; } };
template <class T = void> struct minus { __host__ __device__ T operator()(T a, T b) const { return a - b; } };
template <class T = void> struct multiplies { __host__ __device__ T operator()(T a, T b) const { return a * b; } };
template <class T = void> struct divides { __host__ __device__ T operator()(T a, T b) const { return a / b; } };
template <class T = void> struct less { __host__ __device__ bool operator()(T a, T b) const { return a < b; } };
template <class T = void> struct greater { __host__ __device__ bool operator()(T a, T b) const { return a > b; } };
template <class T = void> struct equal_to { __host__ __device__ bool operator()(T a, T b) const { return a == b; } };
template <class T = void> struct bit_and { __host__ __device__ T operator()(T a, T b) const { return a & b; } };
template <class T = void> struct bit_or { __host__ __device__ T operator()(T a, T b) const { return a | b; } };
template <class T = void> struct bit_xor { __host__ __device__ T operator()(T a, T b) const { return a ^ b; } };
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
