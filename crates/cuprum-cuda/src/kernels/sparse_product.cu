// Products of a sparse matrix in compressed rows with vectors and matrices. LANES threads share a row, each taking every
// LANES-th of its elements in order; their sums are added as a tree, so that the result depends on LANES alone.
//
// The text before defines T, the elements, I, the indices, and LANES.

inline bool8 plus(bool8 a, bool8 b) { return bool8(a || b); }
inline bool8 times(bool8 a, bool8 b) { return bool8(a && b); }
template <class N> N plus(N a, N b) { return (N)(a + b); }
template <class N> N times(N a, N b) { return (N)(a * b); }

// y = A x, 256 / LANES rows a block.
extern "C" __global__ void __launch_bounds__(256)
sparse_times_vector(const I* start, const I* column, const T* value, const T* x, T* y, u64 rows) {
    u64 row = (u64)blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    u32 lane = threadIdx.x % LANES;
    T sum = T(0);
    if (row < rows)
        for (I k = start[row] + (I)lane, end = start[row + 1]; k < end; k += LANES) sum = plus(sum, times(value[k], x[column[k]]));
#if LANES > 1
    __shared__ T sums[256];
    sums[threadIdx.x] = sum;
    for (u32 half = LANES / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    sum = sums[threadIdx.x];
#endif
    if (lane == 0 && row < rows) y[row] = sum;
}

// Y = A X for X in C order: a thread makes one element of Y.
extern "C" __global__ void __launch_bounds__(256)
sparse_times_matrix(const I* start, const I* column, const T* value, const T* x, T* y, u64 rows, u64 columns) {
    u64 j = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns) return;
    for (u64 row = blockIdx.y; row < rows; row += gridDim.y) {
        T sum = T(0);
        for (I k = start[row], end = start[row + 1]; k < end; k++)
            sum = plus(sum, times(value[k], x[(u64)column[k] * columns + j]));
        y[row * columns + j] = sum;
    }
}
