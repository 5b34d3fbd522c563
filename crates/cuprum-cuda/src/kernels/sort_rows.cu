// Sorting rows that fit into a block's shared memory, one row a block, digit by digit.
//
// The text before defines T; ARG (whether positions are written instead of the elements), ITEMS, THREADS and PLACES.

constexpr u32 TILE = THREADS * ITEMS, WARPS = THREADS / 32;

struct alignas(16) Line { u64 words[2]; };

extern "C" __global__ void __launch_bounds__(THREADS, 2) sort_rows(const T* input, T* out, i64* result, u32 n) {
    constexpr u32 bytes_counts = WARPS * DIGITS * 4, bytes_tile = TILE * (sizeof(T) < 4 && ARG ? 4 : sizeof(T));
    __shared__ Line memory[(bytes_counts > bytes_tile ? bytes_counts : bytes_tile) / 16];
    __shared__ u32 starts[DIGITS];
    __shared__ u32 sums[8];
    __shared__ u32 is_one;
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    u64 base = (u64)blockIdx.x * n;
    u32* counts = (u32*)memory;
    T* sorted = (T*)memory;
    u32* sorted_order = (u32*)memory;
    T items[ITEMS];
    u32 at[ITEMS], order[ITEMS];
    u32 first = warp * 32 * ITEMS + lane;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        items[i] = input[base + (k < n ? k : 0)];
        order[i] = k;
    }
#pragma unroll 1
    for (u32 place = 0; place < PLACES; place++) {
        for (u32 i = thread; i < WARPS * DIGITS; i += THREADS) counts[i] = 0;
        if (thread == 0) is_one = 0;
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            u32 digit = digit_of(rank_of(items[i]), place);
            at[i] = place_in_warp(counts + warp * DIGITS, digit, first + 32 * i < n, lane);
        }
        __syncthreads();
        u32 total = chain_warps<WARPS>(counts, thread);
        if (total == n) is_one = 1;
        start_digits(total, thread, sums, starts);
        __syncthreads();
        bool skip = is_one;
        if (!skip) {
#pragma unroll
            for (u32 i = 0; i < ITEMS; i++) {
                u32 digit = digit_of(rank_of(items[i]), place);
                at[i] += starts[digit] + counts[warp * DIGITS + digit];
            }
        }
        __syncthreads();
        if (skip) continue;
#pragma unroll
        for (u32 i = 0; i < ITEMS; i++)
            if (first + 32 * i < n) sorted[at[i]] = items[i];
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            u32 k = first + 32 * i;
            items[i] = sorted[k < n ? k : 0];
        }
        __syncthreads();
        if (ARG) {
#pragma unroll
            for (u32 i = 0; i < ITEMS; i++)
                if (first + 32 * i < n) sorted_order[at[i]] = order[i];
            __syncthreads();
#pragma unroll
            for (u32 i = 0; i < ITEMS; i++) {
                u32 k = first + 32 * i;
                order[i] = sorted_order[k < n ? k : 0];
            }
            __syncthreads();
        }
    }
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        if (k >= n) continue;
        if (ARG) result[base + k] = (i64)order[i];
        else out[base + k] = items[i];
    }
}
