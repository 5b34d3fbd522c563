// Sorting many short rows: each element counts those that come before it in its row.
//
// The text before defines T and ARG (whether positions are written instead of the elements).

extern "C" __global__ void __launch_bounds__(256)
sort_short(const T* input, T* out, i64* result, u64 rows, u32 n, u32 rows_per_block) {
    // An element's own bytes, whatever its type.
    struct alignas(16) Line { u64 words[2]; };
    __shared__ Line memory[256 * sizeof(T) / 16];
    T* block = (T*)memory;
    u32 thread = threadIdx.x, slot = thread / n, k = thread % n;
    u64 row = (u64)blockIdx.x * rows_per_block + slot;
    bool there = slot < rows_per_block && row < rows;
    T item = input[there ? row * n + k : 0];
    block[thread] = item;
    __syncthreads();
    if (!there) return;
    auto rank = rank_of(item);
    const T* line = block + slot * n;
    u32 before = 0;
    for (u32 i = 0; i < n; i++) {
        auto other = rank_of(line[i]);
        before += (other < rank || (other == rank && i < k)) ? 1 : 0;
    }
    if (ARG) result[row * n + before] = (i64)k;
    else out[row * n + before] = item;
}
