// Rows split around one element each: those below it, those equal to it, those above it, each in their order. One pass:
// blocks take tiles in order, and learn from the tiles before them how many elements went which way.
//
// split_targets.cuh and lookback.cuh stand before; defined are ARG (whether positions are written instead of the elements), ITEMS,
// THREADS and BLOCKS (of a multiprocessor).

constexpr u32 TILE = THREADS * ITEMS, WARPS = THREADS / 32;
// A tile counts the elements below, and from this bit on those above.
constexpr u32 ABOVE = 31;

#if ARG
typedef u16 Staged;
#else
typedef T Staged;
#endif

// `board` has a word for each tile, all zero, as is `ticket`.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
split_rows(const T* input, T* out, i64* result, u64 length, u32 tiles, const Split* splits, u64* board, u32* ticket) {
    __shared__ Staged staged[TILE];
    __shared__ u32 belows[WARPS], equals[WARPS];
    __shared__ u32 taken;
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    if (thread == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    u64 row = taken / tiles;
    u32 number = taken % tiles;
    const Split& split = splits[row];
    Key pivot = split.pivots[0];
    u64 from = (u64)number * TILE;
    u32 n = length - from < TILE ? (u32)(length - from) : TILE;
    const T* run = input + row * length + from;
    u32 first = warp * 32 * ITEMS + lane, before_lane = (1u << lane) - 1;
    T items[ITEMS];
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        items[i] = run[k < n ? k : 0];
    }
    // For each element, in the two highest bits: whether it goes below, among or above the pivots; in the others: its place
    // among the elements of the warp that go there.
    u32 at[ITEMS];
    u32 below = 0, equal = 0, above = 0;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        Key key = key_of(items[i]);
        bool there = first + 32 * i < n;
        u32 all = __ballot_sync(~0u, there);
        u32 less = __ballot_sync(~0u, key < pivot) & all, greater = __ballot_sync(~0u, key > pivot) & all;
        u32 same_key = all & ~less & ~greater;
        if (key < pivot) at[i] = below + __popc(less & before_lane);
        else if (key > pivot) at[i] = 2u << 30 | (above + __popc(greater & before_lane));
        else at[i] = 1u << 30 | (equal + __popc(same_key & before_lane));
        below += __popc(less), equal += __popc(same_key), above += __popc(greater);
    }
    if (lane == 0) belows[warp] = below, equals[warp] = equal;
    __syncthreads();
    // The same of the tile: below, equal and above lie behind each other.
    u32 total_below = 0, total_equal = 0, starts[3] = {0, 0, 0};
#pragma unroll
    for (u32 w = 0; w < WARPS; w++) {
        if (w == warp) starts[0] = total_below, starts[1] = total_equal;
        total_below += belows[w], total_equal += equals[w];
    }
    u32 warp_start = warp * 32 * ITEMS < n ? warp * 32 * ITEMS : n;
    starts[2] = warp_start - starts[0] - starts[1] + total_below + total_equal;
    starts[1] += total_below;
    u64 own = (u64)(n - total_below - total_equal) << ABOVE | total_below;
    u64* words = board + row * tiles;
    if (thread == 0) *(volatile u64*)(words + number) = (number == 0 ? PREFIX : AGGREGATE) | own;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 way = at[i] >> 30;
        u32 place = (at[i] & 0x3fffffff) + (way == 0 ? starts[0] : way == 1 ? starts[1] : starts[2]);
        if (first + 32 * i < n) {
#if ARG
            staged[place] = (u16)(first + 32 * i);
#else
            staged[place] = items[i];
#endif
        }
    }
    u64 before = sum_of_tiles_before<WARPS>(words, number);
    if (thread == 0 && number > 0) *(volatile u64*)(words + number) = PREFIX | (before + own);
    u64 below_before = before & ((1ull << ABOVE) - 1), above_before = before >> ABOVE;
    u64 to[3] = {below_before, split.starts[1] + (from - below_before - above_before) - total_below,
                 split.starts[2] + above_before - total_below - total_equal};
    u64 begin = row * length;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = i * THREADS + thread;
        if (k >= n) continue;
        u64 place = k + (k < total_below ? to[0] : k < total_below + total_equal ? to[1] : to[2]);
        // An element that changed since it was counted has no place of its own, but must have one in the row.
        place = begin + (place < length ? place : from + k);
#if ARG
        result[place] = (i64)(from + staged[k]);
#else
        out[place] = staged[k];
#endif
    }
}
