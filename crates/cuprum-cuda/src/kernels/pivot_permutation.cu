// The exchanges of rows that pivots stand for, all at once. Pivots count from one; T is a word as wide as an element.

// Where each of a matrix's `n` rows comes from; a block a matrix, with 8 bytes of shared memory a row. One thread follows
// the exchanges.
extern "C" __global__ void linalg_order(const i64 *pivots, u32 *order, u32 n, u64 count) {
    extern __shared__ u32 memory[];
    u32 *rows = memory, *others = memory + n;
    for (u64 matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
        for (u32 i = threadIdx.x; i < n; i += blockDim.x) {
            rows[i] = i;
            others[i] = (u32)pivots[matrix * n + i] - 1;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
#pragma unroll 4
            for (u32 i = 0; i < n; i++) {
                const u32 other = others[i], row = rows[i];
                rows[i] = rows[other];
                rows[other] = row;
            }
        }
        __syncthreads();
        for (u32 i = threadIdx.x; i < n; i += blockDim.x) order[matrix * n + i] = rows[i];
        __syncthreads();
    }
}

// Columns of `n` rows in another order, `columns` of each matrix.
extern "C" __global__ void linalg_reorder(const T *from, T *to, const u32 *order, u32 n, u64 columns, u64 size) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += step) {
        const u64 column = at / n;
        to[at] = from[column * n + order[column / columns * n + at % n]];
    }
}
