// What every kernel has without an #include: CUDA's vector types, sizes, assert, loads with a cache hint.
#define __CUPRUM_CPU__ 1
#define NULL 0
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __cuprum_assert((__VA_ARGS__) ? true : false, #__VA_ARGS__)
#endif

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long clock_t;
#include <cuprum/short_names.h>

// __CUPRUM_VECTORS(float, float, 8, 16) makes float1 to float4 and make_float1 to make_float4.
#define __CUPRUM_VECTORS(type, name, align2, align4)                                                            \
    struct name##1 { type x; };                                                                                 \
    struct __align__(align2) name##2 { type x, y; };                                                            \
    struct name##3 { type x, y, z; };                                                                           \
    struct __align__(align4) name##4 { type x, y, z, w; };                                                      \
    __device__ inline name##1 make_##name##1(type x) { return {x}; }                                            \
    __device__ inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                 \
    __device__ inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                      \
    __device__ inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
__CUPRUM_VECTORS(signed char, char, 2, 4)
__CUPRUM_VECTORS(unsigned char, uchar, 2, 4)
__CUPRUM_VECTORS(short, short, 4, 8)
__CUPRUM_VECTORS(unsigned short, ushort, 4, 8)
__CUPRUM_VECTORS(int, int, 8, 16)
__CUPRUM_VECTORS(unsigned int, uint, 8, 16)
__CUPRUM_VECTORS(long, long, 16, 16)
__CUPRUM_VECTORS(unsigned long, ulong, 16, 16)
__CUPRUM_VECTORS(long long, longlong, 16, 16)
__CUPRUM_VECTORS(unsigned long long, ulonglong, 16, 16)
__CUPRUM_VECTORS(float, float, 8, 16)
__CUPRUM_VECTORS(double, double, 16, 16)
#undef __CUPRUM_VECTORS

struct dim3 {
    unsigned int x, y, z;
    __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

template <class T> __device__ inline T __ldg(const T* p) { return *p; }
template <class T> __device__ inline T __ldca(const T* p) { return *p; }
template <class T> __device__ inline T __ldcs(const T* p) { return *p; }
template <class T> __device__ inline T __ldlu(const T* p) { return *p; }
template <class T> __device__ inline T __ldcg(const T* p) { return *p; }
template <class T> __device__ inline T __ldcv(const T* p) { return *p; }
// What is fetched again each time lets others write meanwhile: loops wait for it.
#define __CUPRUM_FRESH(type) __device__ inline type __ldcv(const type* p) { return *(const volatile type*)p; }
__CUPRUM_FRESH(int)
__CUPRUM_FRESH(unsigned int)
__CUPRUM_FRESH(long long)
__CUPRUM_FRESH(unsigned long long)
__CUPRUM_FRESH(float)
__CUPRUM_FRESH(double)
#undef __CUPRUM_FRESH
template <class T> __device__ inline void __stwb(T* p, T value) { *p = value; }
template <class T> __device__ inline void __stcg(T* p, T value) { *p = value; }
template <class T> __device__ inline void __stcs(T* p, T value) { *p = value; }
template <class T> __device__ inline void __stwt(T* p, T value) { *p = value; }
// Addresses of shared memory as PTX has them: from where the block's begins.
__device__ inline size_t __cvta_generic_to_shared(const void* p) { return (unsigned int)((size_t)p - __cuprum_shared_base()); }
__device__ inline void* __cvta_shared_to_generic(size_t address) { return (void*)(__cuprum_shared_base() + address); }
__device__ inline size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
__device__ inline void* __cvta_global_to_generic(size_t address) { return (void*)address; }
// Clusters of blocks.
__device__ inline dim3 __clusterDim() {
    return dim3(__cuprum_cluster_dim_x(), __cuprum_cluster_dim_y(), __cuprum_cluster_dim_z());
}
__device__ inline dim3 __clusterRelativeBlockIdx() {
    dim3 size = __clusterDim();
    return dim3(blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z);
}
__device__ inline dim3 __clusterGridDimInClusters() {
    dim3 size = __clusterDim();
    return dim3(gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z);
}
__device__ inline dim3 __clusterIdx() {
    dim3 size = __clusterDim();
    return dim3(blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z);
}
__device__ inline unsigned int __clusterRelativeBlockRank() {
    dim3 size = __clusterDim(), at = __clusterRelativeBlockIdx();
    return (at.z * size.y + at.y) * size.x + at.x;
}
__device__ inline unsigned int __clusterSizeInBlocks() {
    dim3 size = __clusterDim();
    return size.x * size.y * size.z;
}
// Who waits has arrived: the barrier is where threads wait.
__device__ inline void __cluster_barrier_arrive() {}
__device__ inline void __cluster_barrier_arrive_relaxed() {}
__device__ inline void __cluster_barrier_wait() { __cuprum_cluster_sync(); }
__device__ inline void* __cluster_map_shared_rank(const void* p, unsigned int rank) {
    return (void*)(__cuprum_cluster_shared() + (unsigned long long)rank * __cuprum_cluster_step()
                   + (unsigned int)((size_t)p - __cuprum_shared_base()));
}
__device__ inline unsigned int __cluster_query_shared_rank(const void* p) {
    unsigned int step = __cuprum_cluster_step();
    return step == 0 ? 0 : (unsigned int)((size_t)p - __cuprum_cluster_shared()) / step;
}
// Functions of the language are found here too: std::sqrt is sqrt.
namespace std {}
