// Sorting long rows, digit by digit from the lowest: each pass reads and writes the elements once. A block finds where
// its elements of each digit go from the counts of the blocks before it, which those publish as soon as they know them.
//
// The text before defines T; ARG (whether positions are sorted along and written instead of the elements), ITEMS,
// THREADS, BLOCKS (of a multiprocessor), PLACES (digits of an element), Count (u32, or u64 for rows of 2^30 elements and more).
// With SPLIT, rows are split around elements instead: split_targets.cuh stands before, there is one pass, and its digits say between
// which of them an element lies.

#ifdef SPLIT
typedef Split Passes;
#else
// How many passes a row takes, and which of them sorts by each place: 0 where all elements have the same digit.
typedef struct { u32 pass_count; u32 pass_of[PLACES]; } Passes;
#endif

constexpr u32 TILE = THREADS * ITEMS, WARPS = THREADS / 32;
// Elements that a thread loads before it counts or stores them.
constexpr u32 AHEAD = 4;
// Blocks before its own that a block looks at in one go.
constexpr u32 LOOKBACK_BLOCKS = 4;
constexpr int FLAGS = 8 * sizeof(Count) - 2;
constexpr Count AGGREGATE = (Count)1 << FLAGS, PREFIX = (Count)2 << FLAGS, NUMBER = AGGREGATE - 1;

struct alignas(16) Line { u64 words[2]; };

#ifndef SPLIT
// Turns the counts of a row into where each digit's elements begin, and finds the places that are worth a pass: at the
// others, all elements have the same digit. The whole block takes part; `row` are the row's counts.
inline void begin_digits(u64 length, volatile Count* row, Passes* passes) {
    __shared__ Count sums[8];
    __shared__ u32 is_one;
    u32 digit = threadIdx.x, lane = digit & 31, warp = digit >> 5, pass = 0;
    bool takes_part = digit < DIGITS;
    for (u32 place = 0; place < PLACES; place++) {
        if (digit == 0) is_one = 0;
        __syncthreads();
        Count count = takes_part ? row[place * DIGITS + digit] : 0, sum = count;
        if (takes_part && count == (Count)length) is_one = 1;
        for (u32 step = 1; step < 32; step *= 2) {
            Count other = __shfl_up_sync(0xffffffffu, sum, step);
            if (lane >= step) sum += other;
        }
        if (takes_part && lane == 31) sums[warp] = sum;
        __syncthreads();
        if (takes_part) {
            for (u32 w = 0; w < warp; w++) sum += sums[w];
            row[place * DIGITS + digit] = sum - count;
        }
        if (!is_one) pass++;
        if (digit == 0) passes->pass_of[place] = is_one ? 0 : pass;
        __syncthreads();
    }
    if (digit == 0) passes->pass_count = pass;
}

// Where the elements of each digit begin at each place, row by row: `counts[row][place][digit]`, zero before, as are `done`,
// which tell how many blocks of a row have counted: the last one sums up.
extern "C" __global__ void __launch_bounds__(THREADS)
sort_count(const T* input, u64 length, u32 chunk, u32 chunks, Count* counts, u32* done, Passes* passes) {
    __shared__ u32 table[PLACES * DIGITS];
    __shared__ bool is_last;
    for (u32 i = threadIdx.x; i < PLACES * DIGITS; i += THREADS) table[i] = 0;
    __syncthreads();
    u64 row = blockIdx.x / chunks, from = (u64)(blockIdx.x % chunks) * chunk;
    u64 left = length - from;
    u32 n = left < chunk ? (u32)left : chunk;
    const T* run = input + row * length + from;
    for (u32 at = 0; at < n; at += THREADS * AHEAD) {
        T items[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u32 i = at + j * THREADS + threadIdx.x;
            items[j] = run[i < n ? i : 0];
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            bool there = at + j * THREADS + threadIdx.x < n;
            auto rank = rank_of(items[j]);
            // Lanes with one digit are counted at once: the sum that nobody reads is a count of lanes to the hardware.
#pragma unroll
            for (u32 place = 0; place < PLACES; place++)
                if (there) atomicAdd(&table[place * DIGITS + digit_of(rank, place)], 1u);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < PLACES * DIGITS; i += THREADS)
        if (table[i]) atomicAdd(&counts[row * PLACES * DIGITS + i], (Count)table[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&done[row], 1u) == chunks - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    begin_digits(length, counts + row * PLACES * DIGITS, passes + row);
}

#endif

// One pass. The passes of a row write to the two targets by turns, so that the last one writes to the first target;
// rows whose elements are all equal are copied by the launch for the last place. `status` has DIGITS entries a tile,
// all zero; those of `next`, for the launch that follows, are cleared.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
sort_pass(const T* input, T* target0, T* target1, Count* order0, Count* order1, i64* result, u64 length,
          u32 tiles, u32 place, const Count* offsets, const Passes* passes, Count* status, Count* next, u32* ticket) {
    constexpr u32 bytes_item = ARG && sizeof(T) < sizeof(Count) ? sizeof(Count) : sizeof(T);
    constexpr u32 bytes_counts = 2 * WARPS * DIGITS * 4, bytes_tile = TILE * bytes_item;
    __shared__ Line memory[(bytes_counts > bytes_tile ? bytes_counts : bytes_tile) / 16];
    __shared__ Count bases[DIGITS];
    __shared__ u32 starts[DIGITS];
    __shared__ u32 sums[8];
    __shared__ u32 taken;
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    if (thread == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    u32 tile = taken;
    u64 row = tile / tiles;
    u32 number = tile % tiles;
#ifdef SPLIT
    const u32 pass = 1, last = 1, pivots = passes[row].count;
    __shared__ Key pivot[TARGETS];
    if (thread < pivots) pivot[thread] = passes[row].pivots[thread];
    auto digit_at = [&](T item) { return class_of(key_of(item), pivot, pivots); };
#else
    if (thread < DIGITS) next[(u64)tile * DIGITS + thread] = 0;
    u32 pass = passes[row].pass_of[place], last = passes[row].pass_count;
    auto digit_at = [&](T item) { return digit_of(rank_of(item), place); };
#endif
    u64 from = (u64)number * TILE, base = row * length + from;
    u32 n = length - from < TILE ? (u32)(length - from) : TILE;
    if (pass == 0) {
        if (last != 0 || place != PLACES - 1) return;
        for (u32 i = thread; i < n; i += THREADS) {
            if (ARG) result[base + i] = (i64)(from + i);
            else target0[base + i] = input[base + i];
        }
        return;
    }
    bool to_second = (last - pass) & 1;
    const T* source = pass == 1 ? input : to_second ? target0 : target1;
    T* target = to_second ? target1 : target0;

    u32 *counts = (u32*)memory, *marks = counts + WARPS * DIGITS;
    for (u32 i = thread; i < 2 * WARPS * DIGITS; i += THREADS) counts[i] = 0;
    T items[ITEMS];
    // Where an element goes in the tile, below its digit.
    u32 at[ITEMS];
    u32 first = warp * 32 * ITEMS + lane;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        items[i] = source[base + (k < n ? k : 0)];
    }
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 digit = digit_at(items[i]);
        bool there = first + 32 * i < n;
        at[i] = digit << 24 | place_by_marks(counts + warp * DIGITS, marks + warp * DIGITS, digit, there, lane);
    }
    __syncthreads();
    u32 total = chain_warps<WARPS>(counts, thread);
    volatile Count* board = (volatile Count*)status + (u64)row * tiles * DIGITS;
    if (thread < DIGITS) board[(u64)number * DIGITS + thread] = (number == 0 ? PREFIX : AGGREGATE) | total;
    start_digits(total, thread, sums, starts);
    if (thread < DIGITS) {
        Count before = 0;
        for (u32 other = number; other > 0;) {
            // Several loads at once: they do not depend on each other, so all take about as long as one.
            Count seen[LOOKBACK_BLOCKS];
#pragma unroll
            for (u32 i = 0; i < LOOKBACK_BLOCKS; i++)
                seen[i] = i < other ? board[(u64)(other - 1 - i) * DIGITS + thread] : PREFIX;
            bool goes_on = true;
#pragma unroll
            for (u32 i = 0; i < LOOKBACK_BLOCKS; i++) {
                goes_on &= seen[i] != 0;
                if (!goes_on) continue;
                before += seen[i] & NUMBER;
                goes_on = (seen[i] & PREFIX) == 0;
                other = goes_on ? other - 1 : 0;
            }
        }
        if (number > 0) board[(u64)number * DIGITS + thread] = PREFIX | (before + total);
#ifdef SPLIT
        Count begins = thread <= 2 * pivots ? passes[row].starts[thread] : 0;
#else
        Count begins = offsets[(row * PLACES + place) * DIGITS + thread];
#endif
        bases[thread] = begins + before - starts[thread];
    }
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 digit = at[i] >> 24;
        at[i] = (at[i] & 0xffffff) + starts[digit] + counts[warp * DIGITS + digit];
    }
    __syncthreads();
    T* sorted = (T*)memory;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++)
        if (first + 32 * i < n) sorted[at[i]] = items[i];
    __syncthreads();
    u64 begin = row * length;
#if ARG
    const Count* order = to_second ? order0 : order1;
    Count* order_target = to_second ? order1 : order0;
    Count places[ITEMS];
#endif
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = i * THREADS + thread;
        T item = sorted[k < n ? k : 0];
        Count place_of = bases[digit_at(item)] + k;
        // An element that changed since it was counted has no place of its own, but must have one in the row.
        if (place_of >= length) place_of = (Count)(from + k);
        if (k < n && (!ARG || pass != last)) target[begin + place_of] = item;
#if ARG
        places[i] = place_of;
#endif
    }
#if ARG
    // Loaded only now: the elements have left their registers.
    Count moved[ITEMS];
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        moved[i] = pass == 1 ? (Count)(from + k) : order[base + (k < n ? k : 0)];
    }
    __syncthreads();
    Count* sorted_order = (Count*)memory;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++)
        if (first + 32 * i < n) sorted_order[at[i]] = moved[i];
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = i * THREADS + thread;
        if (k >= n) continue;
        if (pass == last) result[begin + places[i]] = (i64)sorted_order[k];
        else order_target[begin + places[i]] = sorted_order[k];
    }
#endif
}
