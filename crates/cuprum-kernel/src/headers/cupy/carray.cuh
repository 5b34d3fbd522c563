// cupy/carray.cuh: arrays with shape and strides, positions in a shape, 16-bit floats. The texts of ElementwiseKernel
// and ReductionKernel are made with it.
#ifndef CUPRUM_CARRAY_CUH
#define CUPRUM_CARRAY_CUH
#include <cupy/float16.cuh>

#define CUPY_FOR(i, n)                                                                                 \
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (long)blockDim.x * gridDim.x)

// The array that a raw argument is. An index is a position in C order, or one number for each axis.
template <typename T, int ndim_, bool c_contiguous = false, bool index_32_bits = false>
struct CArray {
    static const int ndim = ndim_;
    T* data_;
    long size_;
    long shape_[ndim_ > 0 ? ndim_ : 1];
    long strides_[ndim_ > 0 ? ndim_ : 1];

    __device__ CArray(T* data, long size) : data_(data), size_(size) {}
    template <class A, class B> __device__ CArray(T* data, const A* shape, const B* strides) : data_(data), size_(1) {
        for (int axis = 0; axis < ndim_; axis++) {
            size_ *= (long)shape[axis];
            shape_[axis] = (long)shape[axis];
            strides_[axis] = (long)strides[axis];
        }
    }
    // Row by row.
    template <class A> __device__ CArray(T* data, const A* shape) : data_(data), size_(1) {
        for (int axis = ndim_ - 1; axis >= 0; axis--) {
            shape_[axis] = (long)shape[axis];
            strides_[axis] = size_ * (long)sizeof(T);
            size_ *= (long)shape[axis];
        }
    }

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
