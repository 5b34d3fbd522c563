// What inline PTX of tensor cores and asynchronous copies becomes on the CPU. Addresses of shared memory are offsets from
// where the block's begins, as in PTX; matrices lie in the lanes' registers as the PTX manual says.
#ifndef __CUPRUM_TENSOR_PTX_H
#define __CUPRUM_TENSOR_PTX_H

// cp.async: `used` bytes are copied, and zeros fill the rest.
__device__ inline void __cuprum_cp_async(unsigned long long to, unsigned long long from, unsigned int bytes, unsigned int used) {
    if (used >= bytes && bytes == 16u) {
        *(uint4*)to = *(const uint4*)from;
        return;
    }
    for (unsigned int i = 0; i < bytes; i += 4u) {
        unsigned int word = 0;
        if (i + 4u <= used) {
            word = *(const unsigned int*)(from + i);
        } else {
            for (unsigned int j = i; j < used; ++j) word |= (unsigned int)*(const unsigned char*)(from + j) << (8u * (j - i));
        }
        *(unsigned int*)(to + i) = word;
    }
}

// ldmatrix: matrix `which` of eight rows of eight 16-bit numbers, whose rows' addresses lanes 8 * which and on have.
__device__ inline unsigned int __cuprum_ldmatrix(unsigned long long row, int which, bool transposed) {
    int lane = (int)__cuprum_lane();
    unsigned int own = (unsigned int)(row - __cuprum_shared_base());
    if (!transposed) {
        unsigned int at = __shfl_sync(0xffffffffu, own, 8 * which + lane / 4);
        return *(const unsigned int*)(__cuprum_shared_base() + at + 4u * (unsigned int)(lane % 4));
    }
    unsigned int low = __shfl_sync(0xffffffffu, own, 8 * which + 2 * (lane % 4));
    unsigned int high = __shfl_sync(0xffffffffu, own, 8 * which + 2 * (lane % 4) + 1);
    unsigned int column = 2u * (unsigned int)(lane / 4);
    return *(const unsigned short*)(__cuprum_shared_base() + low + column)
         | (unsigned int)*(const unsigned short*)(__cuprum_shared_base() + high + column) << 16;
}

// One number of a register, by what it holds: 0 half, 1 bfloat16, 2 tf32, 3 signed bytes, 4 unsigned bytes.
template <int kind> struct __cuprum_fragment;
template <> struct __cuprum_fragment<0> {
    static const int count = 2;
    __device__ static float at(unsigned int r, int e) { return __cuprum_half_to_float((unsigned short)(r >> (16 * e))); }
};
template <> struct __cuprum_fragment<1> {
    static const int count = 2;
    __device__ static float at(unsigned int r, int e) { return __uint_as_float(r >> (16 * e) << 16); }
};
template <> struct __cuprum_fragment<2> {
    static const int count = 1;
    // Tensor cores read the upper 19 bits.
    __device__ static float at(unsigned int r, int) { return __uint_as_float(r & 0xffffe000u); }
};
template <> struct __cuprum_fragment<3> {
    static const int count = 4;
    __device__ static int at(unsigned int r, int e) { return (int)(signed char)(r >> (8 * e)); }
};
template <> struct __cuprum_fragment<4> {
    static const int count = 4;
    __device__ static int at(unsigned int r, int e) { return (int)(unsigned char)(r >> (8 * e)); }
};
__device__ inline float __cuprum_product(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ inline int __cuprum_product(int a, int b, int sum) { return a * b + sum; }

// mma.m16n8: `halves` registers of b, twice as many of a. Lane 4 * g + t has rows g and g + 8, columns 2 * t and 2 * t + 1.
template <int left_kind, int right_kind, class T>
__device__ inline void __cuprum_mma(T (&d)[4], const unsigned int (&a)[4], const unsigned int (&b)[2], const T (&c)[4], int halves) {
    typedef __cuprum_fragment<left_kind> A;
    typedef __cuprum_fragment<right_kind> B;
    int lane = (int)__cuprum_lane(), group = lane / 4, member = lane % 4;
    T sums[4] = {c[0], c[1], c[2], c[3]};
    for (int h = 0; h < halves; ++h) {
        for (int q = 0; q < 4; ++q) {
            unsigned int above = __shfl_sync(0xffffffffu, a[2 * h], 4 * group + q);
            unsigned int below = __shfl_sync(0xffffffffu, a[2 * h + 1], 4 * group + q);
            unsigned int left = __shfl_sync(0xffffffffu, b[h], 8 * member + q);
            unsigned int right = __shfl_sync(0xffffffffu, b[h], 8 * member + 4 + q);
            for (int e = 0; e < A::count; ++e) {
                sums[0] = __cuprum_product(A::at(above, e), B::at(left, e), sums[0]);
                sums[1] = __cuprum_product(A::at(above, e), B::at(right, e), sums[1]);
                sums[2] = __cuprum_product(A::at(below, e), B::at(left, e), sums[2]);
                sums[3] = __cuprum_product(A::at(below, e), B::at(right, e), sums[3]);
            }
        }
    }
    for (int i = 0; i < 4; ++i) d[i] = sums[i];
}

// The same with sums of 16 bits, two in a register. They are added up as floats and rounded once.
__device__ inline void __cuprum_mma_half(
    unsigned int (&d)[2], const unsigned int (&a)[4], const unsigned int (&b)[2], const unsigned int (&c)[2], int halves) {
    float sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = __cuprum_half_to_float((unsigned short)(c[i / 2] >> (16 * (i % 2))));
    __cuprum_mma<0, 0>(sums, a, b, sums, halves);
    for (int i = 0; i < 2; ++i)
        d[i] = (unsigned int)__cuprum_float_to_half(sums[2 * i]) | (unsigned int)__cuprum_float_to_half(sums[2 * i + 1]) << 16;
}

// mma.m8n8k4 of doubles: lane 4 * g + t has row g of a and column g of b at place t, and row g of the sums.
__device__ inline void __cuprum_mma_double(double (&d)[2], double a, double b, const double (&c)[2]) {
    int lane = (int)__cuprum_lane(), group = lane / 4, member = lane % 4;
    double sums[2] = {c[0], c[1]};
    for (int q = 0; q < 4; ++q) {
        double row = __shfl_sync(0xffffffffu, a, 4 * group + q);
        double left = __shfl_sync(0xffffffffu, b, 8 * member + q);
        double right = __shfl_sync(0xffffffffu, b, 8 * member + 4 + q);
        sums[0] = fma(row, left, sums[0]);
        sums[1] = fma(row, right, sums[1]);
    }
    d[0] = sums[0];
    d[1] = sums[1];
}
#endif
