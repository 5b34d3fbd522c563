// Counting by value or between edges, and sums of weights.
//
// The text before defines V (the values), EDGES (whether bins lie between edges), and Weight with WEIGHTED 0 (counts),
// 1 (i64, sums wrap) or 2 (f64, summed in a fixed order).

constexpr u32 NO_BIN = 0xffffffffu;
// Elements that a thread loads before it counts them.
constexpr u32 AHEAD = 4;

struct Bins {
    const V* edges;
    u32 count;
};

#if EDGES
// Bins as a thread knows them.
struct Finder {
    const V* edges;
    u32 count;
    V first, last;
    f64 scale;
    Finder(const Bins& bins)
        : edges(bins.edges), count(bins.count), first(edges[0]), last(edges[count]),
          scale(count / ((f64)last - (f64)first)) {}
};

// edges[bin] <= value < edges[bin + 1], the last edge included. Even edges are found by a guess, which is checked.
inline u32 bin_of(const Finder& bins, V value) {
    const V* edges = bins.edges;
    if (!(value >= bins.first && value <= bins.last)) return NO_BIN;
    u32 top = bins.count - 1, guess = 0;
    f64 part = ((f64)value - (f64)bins.first) * bins.scale;
    if (part > 0) guess = part < top ? (u32)part : top;
    if (guess > 0 && value < edges[guess]) guess--;
    else if (guess < top && value >= edges[guess + 1]) guess++;
    if (value >= edges[guess] && (guess == top || value < edges[guess + 1])) return guess;
    u32 low = 0, left = bins.count + 1;
    while (left > 0) {
        u32 half = left / 2;
        bool is_past = edges[low + half] <= value;
        low = is_past ? low + half + 1 : low;
        left = is_past ? left - half - 1 : half;
    }
    return low - 1 < top ? low - 1 : top;
}
#else
typedef Bins Finder;

inline u32 bin_of(const Finder& bins, V value) { return (u64)value < bins.count ? (u32)value : NO_BIN; }
#endif

#if WEIGHTED < 2
#if WEIGHTED
typedef u64 Entry;
#else
typedef u32 Entry;
#endif

// Counts in `copies` tables in shared memory, which warps use by turns, or straight in the result where `copies` is 0.
extern "C" __global__ void __launch_bounds__(256)
count_values(const V* values, const u64* weights, u64 n, u64 chunk, Bins bins, u32 copies, u64* out) {
    extern __shared__ u64 memory[];
    Entry* tables = (Entry*)memory;
    u32 thread = threadIdx.x, lane = thread & 31;
    for (u32 i = thread; i < bins.count * copies; i += 256) tables[i] = 0;
    __syncthreads();
    Entry* table = tables + (copies ? (thread >> 5) % copies * bins.count : 0);
    Finder finder(bins);
    u64 from = blockIdx.x * chunk, to = from + chunk < n ? from + chunk : n;
    for (u64 at = from; at < to; at += 256 * AHEAD) {
        V loaded[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u64 i = at + 256 * j + thread;
            loaded[j] = values[i < to ? i : from];
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u64 i = at + 256 * j + thread;
            u32 bin = i < to ? bin_of(finder, loaded[j]) : NO_BIN;
#if WEIGHTED
            if (bin == NO_BIN) continue;
            if (copies) atomicAdd(&table[bin], weights[i]);
            else atomicAdd(&out[bin], weights[i]);
#else
            // Many equal values would queue at one counter.
            u32 first = __shfl_sync(0xffffffffu, bin, 0);
            bool is_same = __all_sync(0xffffffffu, bin == first);
            if (bin == NO_BIN || (is_same && lane != 0)) continue;
            u32 times = is_same ? 32 : 1;
            if (copies) atomicAdd(&table[bin], times);
            else atomicAdd(&out[bin], (u64)times);
#endif
        }
    }
    if (copies == 0) return;
    __syncthreads();
    for (u32 bin = thread; bin < bins.count; bin += 256) {
        u64 total = 0;
        for (u32 copy = 0; copy < copies; copy++) total += tables[copy * bins.count + bin];
        if (total) atomicAdd(&out[bin], total);
    }
}
#else
// Sums the weights of `block` elements into a table, in their order: a warp takes 32 at a time, and of those in one bin
// the first lane adds all, in order. The table is in shared memory, or in place where `is_shared` is 0.
extern "C" __global__ void __launch_bounds__(32)
weigh_blocks(const V* values, const f64* weights, u64 n, u64 block, u64 first, Bins bins, u32 is_shared, f64* tables) {
    extern __shared__ u64 memory[];
    __shared__ f64 held[32];
    u32 lane = threadIdx.x;
    f64* own = tables + (u64)blockIdx.x * bins.count;
    f64* table = is_shared ? (f64*)memory : own;
    for (u32 i = lane; i < bins.count; i += 32) table[i] = 0;
    __syncwarp();
    Finder finder(bins);
    u64 from = (first + blockIdx.x) * block, to = from + block < n ? from + block : n;
    for (u64 at = from; at < to; at += 32 * AHEAD) {
        u32 found[AHEAD];
        f64 loaded[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u64 i = at + 32 * j + lane;
            found[j] = i < to ? bin_of(finder, values[i]) : NO_BIN;
            loaded[j] = i < to ? weights[i] : 0;
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u32 bin = found[j], peers = __match_any_sync(0xffffffffu, bin);
            held[lane] = loaded[j];
            __syncwarp();
            if (bin != NO_BIN && (peers & ((1u << lane) - 1)) == 0) {
                f64 sum = table[bin];
                for (u32 rest = peers; rest; rest &= rest - 1) sum += held[__ffs(rest) - 1];
                table[bin] = sum;
            }
            __syncwarp();
        }
    }
    if (is_shared)
        for (u32 i = lane; i < bins.count; i += 32) own[i] = table[i];
}

// Adds the tables to the result, in order.
extern "C" __global__ void __launch_bounds__(256) weigh_sum(const f64* tables, u32 count, u32 bins, f64* out) {
    u32 bin = blockIdx.x * 256 + threadIdx.x;
    if (bin >= bins) return;
    f64 sum = out[bin];
    for (u32 i = 0; i < count; i++) sum += tables[(u64)i * bins + bin];
    out[bin] = sum;
}
#endif
