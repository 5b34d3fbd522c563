// What tiles publish of their counts, and what a tile learns from those before it (decoupled look-back). A tile's word holds
// counts: its own, or those of all tiles up to it.
constexpr u64 AGGREGATE = 1ull << 62, PREFIX = 2ull << 62, COUNTS = AGGREGATE - 1;

// The sum of the counts of the tiles before this one. All WARPS warps of the block take part, and look at as many tiles at
// once as there are threads: those that are still at work are hardly ever more.
template <u32 WARPS> u64 sum_of_tiles_before(const u64* board, u32 tile) {
    __shared__ u64 sums[WARPS];
    u32 lane = threadIdx.x & 31;
    u64 before = 0;
    for (i64 at = (i64)tile - 1 - threadIdx.x;; at -= 32 * WARPS) {
        u64 word;
        do {
            word = at < 0 ? PREFIX : *(const volatile u64*)(board + at);
        } while (__any_sync(~0u, word < AGGREGATE));
        u32 whole = __ballot_sync(~0u, (word & PREFIX) != 0);
        u32 nearest = whole ? (u32)__ffs((int)whole) - 1 : 31;
        u64 value = lane <= nearest ? word & COUNTS : 0;
        for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
        if (lane == 0) sums[threadIdx.x >> 5] = value | (whole ? PREFIX : 0);
        __syncthreads();
        bool is_whole = false;
#pragma unroll
        for (u32 w = 0; w < WARPS; w++) {
            u64 sum = sums[w];
            if (!is_whole) before += sum & COUNTS;
            is_whole |= sum >= PREFIX;
        }
        if (is_whole) return before;
        __syncthreads();
    }
}
