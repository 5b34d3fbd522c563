// <cuda/std/bit> and <bit>: the bits of unsigned integers.
#ifndef __CUPRUM_BIT_H
#define __CUPRUM_BIT_H
#include <type_traits>
namespace std {
template <class To, class From> __device__ inline To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "bit_cast: the types must have the same size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}
template <class T> __device__ inline int popcount(T x) { return __popcll((unsigned long long)x); }
template <class T> __device__ inline int countl_zero(T x) {
    return __clzll((long long)(unsigned long long)x) - (64 - 8 * (int)sizeof(T));
}
template <class T> __device__ inline int countr_zero(T x) {
    return x == 0 ? 8 * (int)sizeof(T) : __ffsll((long long)(unsigned long long)x) - 1;
}
template <class T> __device__ inline int countl_one(T x) { return countl_zero((T)~x); }
template <class T> __device__ inline int countr_one(T x) { return countr_zero((T)~x); }
template <class T> __device__ inline bool has_single_bit(T x) { return x != 0 && (x & (T)(x - 1)) == 0; }
template <class T> __device__ inline int bit_width(T x) { return 8 * (int)sizeof(T) - countl_zero(x); }
template <class T> __device__ inline T bit_floor(T x) { return x == 0 ? T(0) : (T)((T)1 << (bit_width(x) - 1)); }
template <class T> __device__ inline T bit_ceil(T x) { return x <= 1 ? T(1) : (T)((T)1 << bit_width((T)(x - 1))); }
template <class T> __device__ inline T rotl(T x, int by) {
    const int bits = 8 * (int)sizeof(T), n = ((by % bits) + bits) % bits;
    return n == 0 ? x : (T)((x << n) | (x >> (bits - n)));
}
template <class T> __device__ inline T rotr(T x, int by) { return rotl(x, -by); }
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
