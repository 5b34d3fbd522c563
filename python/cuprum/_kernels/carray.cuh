// What the texts of ElementwiseKernel and ReductionKernel are made with: arrays with shape and strides, positions in a
// shape, 16-bit floats. For NVRTC and for Cuprum's own compiler alike.
#ifndef CUPRUM_CARRAY_CUH
#define CUPRUM_CARRAY_CUH

#define CUPY_FOR(i, n)                                                                                 \
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (long)blockDim.x * gridDim.x)

// A 16-bit float: stored so, computed as float.
struct float16 {
    unsigned short data_;

    __device__ float16() {}
    __device__ float16(float x) : data_(narrow(x)) {}
    __device__ float16(double x) : data_(narrow((float)x)) {}
    __device__ float16(int x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned int x) : data_(narrow((float)x)) {}
    __device__ float16(long x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned long x) : data_(narrow((float)x)) {}
    __device__ float16(long long x) : data_(narrow((float)x)) {}
    __device__ float16(unsigned long long x) : data_(narrow((float)x)) {}
    __device__ float16(bool x) : data_(narrow(x ? 1.0f : 0.0f)) {}
    __device__ operator float() const { return widen(data_); }
    __device__ float16& operator+=(float x) { return *this = float16((float)*this + x); }
    __device__ float16& operator-=(float x) { return *this = float16((float)*this - x); }
    __device__ float16& operator*=(float x) { return *this = float16((float)*this * x); }
    __device__ float16& operator/=(float x) { return *this = float16((float)*this / x); }

    static __device__ float widen(unsigned short bits) {
#if defined(__CUDACC__) && !defined(__CUPRUM_CPU__)
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
#else
        unsigned int magnitude = bits & 0x7fffu, sign = (unsigned int)(bits & 0x8000u) << 16;
        if (magnitude >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
        // Two to the minus 24th is the unit of the subnormals.
        if (magnitude < 0x400u)
            return __uint_as_float(__float_as_uint((float)magnitude * __uint_as_float(103u << 23)) | sign);
        return __uint_as_float(sign | ((magnitude << 13) + (112u << 23)));
#endif
    }

    static __device__ unsigned short narrow(float x) {
#if defined(__CUDACC__) && !defined(__CUPRUM_CPU__)
        unsigned short bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
        return bits;
#else
        unsigned int bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
        if (magnitude > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
        if (magnitude >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
        // Adding one half leaves the subnormal's digits, rounded by the addition itself, in the low bits.
        if (magnitude < 0x38800000u)
            return (unsigned short)(sign | (__float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000u));
        return (unsigned short)(sign | ((magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13));
#endif
    }
};

__device__ inline float16 min(float16 a, float16 b) { return (float)a < (float)b ? a : b; }
__device__ inline float16 max(float16 a, float16 b) { return (float)a > (float)b ? a : b; }
__device__ inline bool isnan(float16 x) { return (x.data_ & 0x7fff) > 0x7c00; }
__device__ inline bool isinf(float16 x) { return (x.data_ & 0x7fff) == 0x7c00; }
__device__ inline bool isfinite(float16 x) { return (x.data_ & 0x7fff) < 0x7c00; }

// The array that a raw argument is. An index is a position in C order, or one number for each axis.
template <typename T, int ndim_, bool c_contiguous = false, bool index_32_bits = false>
struct CArray {
    static const int ndim = ndim_;
    T* data_;
    long size_;
    long shape_[ndim_ > 0 ? ndim_ : 1];
    long strides_[ndim_ > 0 ? ndim_ : 1];

    __device__ CArray(T* data, long size) : data_(data), size_(size) {}

    __device__ long size() const { return size_; }
    __device__ const long* shape() const { return shape_; }
    __device__ const long* strides() const { return strides_; }
    __device__ T* data() const { return data_; }

    __device__ T* at(long i) const {
        if (c_contiguous || ndim_ == 0) return data_ + i;
        char* place = (char*)data_;
        for (int axis = ndim_ - 1; axis > 0; axis--) {
            long rest = i / shape_[axis];
            place += strides_[axis] * (i - rest * shape_[axis]);
            i = rest;
        }
        return (T*)(place + strides_[0] * i);
    }

#define CUPRUM_AT(Index)                                                \
    __device__ T& operator[](Index i) { return *at((long)i); }          \
    __device__ const T& operator[](Index i) const { return *at((long)i); }
    CUPRUM_AT(int)
    CUPRUM_AT(unsigned int)
    CUPRUM_AT(long)
    CUPRUM_AT(unsigned long)
    CUPRUM_AT(long long)
    CUPRUM_AT(unsigned long long)
#undef CUPRUM_AT

#define CUPRUM_AT(Index)                                                                                \
    __device__ T* place(const Index* index) const {                                                     \
        char* place = (char*)data_;                                                                     \
        for (int axis = 0; axis < ndim_; axis++) place += strides_[axis] * (long)index[axis];           \
        return (T*)place;                                                                               \
    }                                                                                                   \
    __device__ T& operator[](const Index* index) { return *place(index); }                              \
    __device__ const T& operator[](const Index* index) const { return *place(index); }
    CUPRUM_AT(int)
    CUPRUM_AT(unsigned int)
    CUPRUM_AT(long)
    CUPRUM_AT(unsigned long)
    CUPRUM_AT(long long)
    CUPRUM_AT(unsigned long long)
#undef CUPRUM_AT
};

// A shape and one position in it.
template <int ndim_, bool index_32_bits = false>
struct CIndexer {
    static const int ndim = ndim_;
    long size_;
    long shape_[ndim_ > 0 ? ndim_ : 1];
    long index_[ndim_ > 0 ? ndim_ : 1];

    __device__ CIndexer(long size) : size_(size) {}

    __device__ long size() const { return size_; }
    __device__ const long* shape() const { return shape_; }
    __device__ const long* get() const { return index_; }

    __device__ void set(long i) {
        for (int axis = ndim_ - 1; axis > 0; axis--) {
            long rest = i / shape_[axis];
            index_[axis] = i - rest * shape_[axis];
            i = rest;
        }
        index_[0] = i;
    }
};

#endif
