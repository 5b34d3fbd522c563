// mma.h for the CPU: nvcuda::wmma without tensor cores. What a warp's lanes hold of a fragment is not said in CUDA: here every lane
// holds the whole of a and b, and its share of the accumulator, so that no lane asks another for anything.
#ifndef __CUPRUM_MMA_H
#define __CUPRUM_MMA_H
#include <cuda_fp16.h>
#include <cuda_bf16.h>
namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

// What the elements of a type are held as, and what their products are summed in.
template <class T> struct __cuprum_held { typedef T type; };
template <> struct __cuprum_held<precision::tf32> { typedef float type; };
template <class T> __device__ inline T __cuprum_number(T x) { return x; }
__device__ inline float __cuprum_number(__half x) { return __half2float(x); }
__device__ inline float __cuprum_number(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ inline int __cuprum_number(signed char x) { return x; }
__device__ inline int __cuprum_number(unsigned char x) { return x; }
__device__ inline int __cuprum_number(char x) { return x; }
__device__ inline void __cuprum_put(float x, float& to) { to = x; }
__device__ inline void __cuprum_put(double x, double& to) { to = x; }
__device__ inline void __cuprum_put(int x, int& to) { to = x; }
__device__ inline void __cuprum_put(float x, __half& to) { to = __float2half(x); }
__device__ inline float __cuprum_add_product(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline double __cuprum_add_product(double a, double b, double c) { return fma(a, b, c); }
__device__ inline int __cuprum_add_product(int a, int b, int c) { return a * b + c; }

// Rows and columns by use.
template <class Use, int m, int n, int k> struct __cuprum_shape;
template <int m, int n, int k> struct __cuprum_shape<matrix_a, m, n, k> {
    static const int rows = m, columns = k, shares = 1;
};
template <int m, int n, int k> struct __cuprum_shape<matrix_b, m, n, k> {
    static const int rows = k, columns = n, shares = 1;
};
template <int m, int n, int k> struct __cuprum_shape<accumulator, m, n, k> {
    static const int rows = m, columns = n, shares = 32;
};

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    typedef typename __cuprum_held<T>::type element_type;
    typedef element_type storage_element_type;
    static const int rows = __cuprum_shape<Use, m, n, k>::rows;
    static const int columns = __cuprum_shape<Use, m, n, k>::columns;
    static const int shares = __cuprum_shape<Use, m, n, k>::shares;
    static const int num_elements = rows * columns / shares;
    static const int num_storage_elements = num_elements;
    element_type x[num_elements];
};

// The lane's number among those that have shares.
__device__ inline int __cuprum_share(int shares) {
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return rank & (shares - 1);
}

template <class Use, int m, int n, int k, class T, class Layout, class V>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
    typename __cuprum_held<T>::type held = value;
    for (int i = 0; i < f.num_elements; ++i) f.x[i] = held;
}

template <class F, class P> __device__ inline void __cuprum_load(F& f, const P* from, unsigned ldm, bool by_rows) {
    __syncwarp();
    int first = __cuprum_share(F::shares) * F::num_elements;
    for (int i = 0; i < F::num_elements; ++i) {
        unsigned row = (unsigned)(first + i) / F::columns, column = (unsigned)(first + i) % F::columns;
        f.x[i] = by_rows ? from[row * ldm + column] : from[column * ldm + row];
    }
    __syncwarp();
}
template <class Use, int m, int n, int k, class T, class P>
__device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, row_major>& f, const P* from, unsigned ldm) {
    __cuprum_load(f, from, ldm, true);
}
template <class Use, int m, int n, int k, class T, class P>
__device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, col_major>& f, const P* from, unsigned ldm) {
    __cuprum_load(f, from, ldm, false);
}
template <int m, int n, int k, class T, class P>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const P* from, unsigned ldm, layout_t layout) {
    __cuprum_load(f, from, ldm, layout == mem_row_major);
}
template <int m, int n, int k, class T, class P>
__device__ inline void store_matrix_sync(P* to, const fragment<accumulator, m, n, k, T>& f, unsigned ldm, layout_t layout) {
    typedef fragment<accumulator, m, n, k, T> F;
    __syncwarp();
    int first = __cuprum_share(F::shares) * F::num_elements;
    for (int i = 0; i < F::num_elements; ++i) {
        unsigned row = (unsigned)(first + i) / F::columns, column = (unsigned)(first + i) % F::columns;
        to[layout == mem_row_major ? row * ldm + column : column * ldm + row] = f.x[i];
    }
    __syncwarp();
}

template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                                const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                                const fragment<accumulator, m, n, k, C>& c, bool saturate = false) {
    typedef fragment<accumulator, m, n, k, D> F;
    int first = __cuprum_share(F::shares) * F::num_elements;
    for (int i = 0; i < F::num_elements; ++i) {
        int row = (first + i) / n, column = (first + i) % n;
        auto sum = __cuprum_number(c.x[i]);
        for (int j = 0; j < k; ++j) {
            sum = __cuprum_add_product(__cuprum_number(a.x[row * k + j]), __cuprum_number(b.x[j * n + column]), sum);
        }
        __cuprum_put(sum, d.x[i]);
    }
}

// Ten bits of a float's digits are kept, to the nearest, ties away from zero.
__device__ inline float __float_to_tf32(float x) {
    unsigned bits = __float_as_uint(x);
    if ((bits & 0x7f800000u) == 0x7f800000u) return x;
    return __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}
}  // namespace wmma
}  // namespace nvcuda
#endif
