// What CUB's algorithms share: numbers of threads, shuffles of any type, operators, traits.
#ifndef __CUPRUM_CUB_UTIL_CUH
#define __CUPRUM_CUB_UTIL_CUH
#include <utility>
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_PTX_WARP_THREADS 32
namespace cub {
struct NullType {
    template <class T> __host__ __device__ NullType& operator=(const T&) { return *this; }
    __host__ __device__ bool operator==(const NullType&) const { return true; }
    __host__ __device__ bool operator!=(const NullType&) const { return false; }
};

// Operators.
struct Sum { template <class T> __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; } };
struct Difference { template <class T> __host__ __device__ T operator()(const T& a, const T& b) const { return a - b; } };
struct Max { template <class T> __host__ __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
struct Min { template <class T> __host__ __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
struct Equality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a != b; } };
template <class To> struct CastOp { template <class T> __host__ __device__ To operator()(const T& a) const { return (To)a; } };
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
    __host__ __device__ bool operator!=(const KeyValuePair& b) const { return value != b.value || key != b.key; }
    __host__ __device__ bool operator==(const KeyValuePair& b) const { return value == b.value && key == b.key; }
};
// Of equal values that with the lower key wins.
struct ArgMax {
    template <class T, class O>
    __host__ __device__ KeyValuePair<O, T> operator()(const KeyValuePair<O, T>& a, const KeyValuePair<O, T>& b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class T, class O>
    __host__ __device__ KeyValuePair<O, T> operator()(const KeyValuePair<O, T>& a, const KeyValuePair<O, T>& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

// Threads.
__device__ inline unsigned int LaneId() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31u;
}
__device__ inline unsigned int WarpId() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32u;
}
__device__ inline int RowMajorTid(int dim_x, int dim_y, int dim_z) {
    return ((int)threadIdx.z * dim_y + (int)threadIdx.y) * dim_x + (int)threadIdx.x;
}
__device__ inline void CTA_SYNC() { __syncthreads(); }
__device__ inline void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }

namespace detail {
// The lanes of the warp that the block has: its last warp may be a part of one.
__device__ inline unsigned int lanes_of_warp() {
    unsigned int before = WarpId() * 32u, threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned int lanes = threads - before;
    return lanes >= 32u ? 0xffffffffu : (1u << lanes) - 1u;
}
// The lanes of a group of `width` lanes around this one.
template <int width> __device__ inline unsigned int lanes_of_group() {
    if (width >= 32) return lanes_of_warp();
    unsigned int first = LaneId() / (unsigned int)width * (unsigned int)width;
    return (((1u << (width & 31)) - 1u) << first) & lanes_of_warp();
}

// The checking mode of the CPU minds bytes that nobody has written, such as those between the members of a struct.
#ifdef __CUPRUM_CPU__
#define __CUPRUM_MARK_WRITTEN(place, bytes) __cuprum_mark_written(place, bytes)
#else
#define __CUPRUM_MARK_WRITTEN(place, bytes) ((void)0)
#endif
// Any type by shuffles of its words.
#define __CUPRUM_SHUFFLE(name, shuffle, Lane)                                                                      \
    template <class T> __device__ inline T name(unsigned int mask, T value, Lane lane) {                           \
        const int words = (int)((sizeof(T) + 3) / 4);                                                              \
        unsigned int held[words];                                                                                  \
        held[words - 1] = 0;                                                                                       \
        memcpy(held, &value, sizeof(T));                                                                           \
        __CUPRUM_MARK_WRITTEN(held, sizeof(held));                                                                 \
        for (int i = 0; i < words; ++i) held[i] = shuffle(mask, held[i], lane);                                    \
        memcpy(&value, held, sizeof(T));                                                                           \
        return value;                                                                                              \
    }                                                                                                              \
    __device__ inline int name(unsigned int mask, int value, Lane lane) { return shuffle(mask, value, lane); }     \
    __device__ inline unsigned int name(unsigned int mask, unsigned int value, Lane lane) { return shuffle(mask, value, lane); } \
    __device__ inline float name(unsigned int mask, float value, Lane lane) { return shuffle(mask, value, lane); } \
    __device__ inline double name(unsigned int mask, double value, Lane lane) { return shuffle(mask, value, lane); } \
    __device__ inline long long name(unsigned int mask, long long value, Lane lane) { return shuffle(mask, value, lane); }
__CUPRUM_SHUFFLE(shuffle_down, __shfl_down_sync, unsigned int)
__CUPRUM_SHUFFLE(shuffle_up, __shfl_up_sync, unsigned int)
__CUPRUM_SHUFFLE(shuffle, __shfl_sync, int)
#undef __CUPRUM_SHUFFLE
#undef __CUPRUM_MARK_WRITTEN
}

template <int width, class T> __device__ inline T ShuffleIndex(T value, int lane, unsigned int mask) {
    int first = (int)LaneId() / width * width;
    return detail::shuffle(mask, value, first + lane);
}

namespace internal {
template <class T, int n, class Op> __device__ inline T ThreadReduce(const T (&items)[n], Op op) {
    T sum = items[0];
    for (int i = 1; i < n; ++i) sum = op(sum, items[i]);
    return sum;
}
template <class T, int n, class Op> __device__ inline T ThreadReduce(const T (&items)[n], Op op, T prefix) {
    T sum = prefix;
    for (int i = 0; i < n; ++i) sum = op(sum, items[i]);
    return sum;
}
}
using internal::ThreadReduce;

// Memory that a block's algorithms may share.
template <class T> struct Uninitialized {
    __align__(16) unsigned char storage[sizeof(T)];
    __host__ __device__ T& Alias() { return *(T*)storage; }
};
}
#endif
