// Elements of a sparse matrix in the order of their lines: a stable sort by line, digit by digit from the lowest, in which the
// place and the value of an element move along. A pass reads the lines twice: first each tile counts its elements of each digit,
// then, where the elements of each digit of a tile begin being known, all are moved. Places and values are read and written
// in runs, never one by one.
//
// The text before defines T, the indices, V, values by their size, Count (u32, or u64 for 2^32 elements and more) and
// DIGIT_BITS, 5 to 10.

constexpr u32 DIGITS = 1u << DIGIT_BITS, THREADS = 256, WARPS = THREADS / 32, ITEMS = 16, TILE = THREADS * ITEMS;
constexpr u32 ALL = 0xffffffffu;
// Elements that a thread loads before it counts them.
constexpr u32 AHEAD = 4;
// Counts of a warp are halves of words, and a thread sums up those of EACH words.
constexpr u32 WORDS = DIGITS / 2, EACH = WORDS > THREADS ? WORDS / THREADS : 1;

struct alignas(16) Line { u64 words[2]; };

// A number below 2^16 for each of a thread's elements, two in a register.
struct Halves {
    u32 words[ITEMS / 2];
    u32 operator[](u32 i) const { return words[i / 2] >> i % 2 * 16 & 0xffff; }
    void set(u32 i, u32 number) { words[i / 2] = i % 2 ? words[i / 2] | number << 16 : number; }
};

inline u32 digit_of(T line, u32 shift) { return (u32)(line >> shift) & (DIGITS - 1); }

// How many elements of each digit a tile has: `board[tile][digit]`.
extern "C" __global__ void __launch_bounds__(THREADS)
group_count(const T* lines, u64 n, u32 shift, Count* board) {
    __shared__ u32 table[DIGITS];
    for (u32 i = threadIdx.x; i < DIGITS; i += THREADS) table[i] = 0;
    __syncthreads();
    u64 from = (u64)blockIdx.x * TILE;
    u32 count = n - from < TILE ? (u32)(n - from) : TILE;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i += AHEAD) {
        T ahead[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u32 k = (i + j) * THREADS + threadIdx.x;
            ahead[j] = lines[from + (k < count ? k : 0)];
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++)
            if ((i + j) * THREADS + threadIdx.x < count) atomicAdd(&table[digit_of(ahead[j], shift)], 1u);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < DIGITS; i += THREADS) board[(u64)blockIdx.x * DIGITS + i] = table[i];
}

// Turns the counts of tiles into counts of the tiles before, and sums up those of each digit. A block has 32 digits, and each of
// its 32 warps a share of the tiles.
extern "C" __global__ void __launch_bounds__(1024) group_chain(Count* board, Count* totals, u32 tiles) {
    __shared__ Count sums[32][33];
    u32 lane = threadIdx.x % 32, share = threadIdx.x / 32, digit = blockIdx.x * 32 + lane;
    u32 each = (tiles + 31) / 32, from = share * each, to = from + each < tiles ? from + each : tiles;
    Count sum = 0;
#pragma unroll 8
    for (u32 tile = from; tile < to; tile++) sum += board[(u64)tile * DIGITS + digit];
    sums[share][lane] = sum;
    __syncthreads();
    Count before = 0;
    for (u32 other = 0; other < share; other++) before += sums[other][lane];
    if (share == 31) totals[digit] = before + sum;
#pragma unroll 8
    for (u32 tile = from; tile < to; tile++) {
        Count count = board[(u64)tile * DIGITS + digit];
        board[(u64)tile * DIGITS + digit] = before;
        before += count;
    }
}

// The lanes among `lanes` that hold the same digit.
inline u32 peers_of(u32 digit, u32 lanes) {
    u32 peers = lanes;
#pragma unroll
    for (u32 bit = 0; bit < DIGIT_BITS; bit++) {
        bool set = digit >> bit & 1;
        u32 vote = __ballot_sync(ALL, set);
        peers &= set ? vote : ~vote;
    }
    return peers;
}

// The sum of the values of all threads before this one. All threads take part; `sums` has a place for each warp.
template <class N> N sum_before(N value, N* sums) {
    u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    N sum = value;
#pragma unroll
    for (u32 step = 1; step < 32; step *= 2) {
        N other = __shfl_up_sync(ALL, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    sum -= value;
    for (u32 w = 0; w < warp; w++) sum += sums[w];
    __syncthreads();
    return sum;
}

// Where the elements of a tile go: all of a thread's, in the tile's new order.
struct Targets {
    const Count* bases;
    Halves digits;
    u64 n, from;

    u64 of(u32 i) const {
        u32 k = i * THREADS + threadIdx.x;
        Count to = bases[digits[i]] + k;
        // An element that changed since it was counted has no place of its own, but must have one.
        return to < n ? to : from + k;
    }
};

// Moves what comes with the elements of a tile; `at` says where each goes among the tile's elements in their new order.
template <class N>
void move_along(const N* source, N* target, u32 count, const Halves& at, const Targets& targets, Line* memory) {
    constexpr u32 ROUNDS = TILE * sizeof(N) > 32768 ? TILE * sizeof(N) / 32768 : 1, SHARE = TILE / ROUNDS;
    N* sorted = (N*)memory;
    u32 first = threadIdx.x / 32 * 32 * ITEMS + threadIdx.x % 32;
#pragma unroll
    for (u32 round = 0; round < ROUNDS; round++) {
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            u32 k = first + 32 * i;
            N item{};
            if (k < count) item = source[k];
            if (k < count && at[i] / SHARE == round) sorted[at[i] % SHARE] = item;
        }
        __syncthreads();
#pragma unroll
        for (u32 i = round * (ITEMS / ROUNDS); i < (round + 1) * (ITEMS / ROUNDS); i++) {
            u32 k = i * THREADS + threadIdx.x;
            if (k < count) target[targets.of(i)] = sorted[k - round * SHARE];
        }
    }
}

// One pass, by the digit that begins at bit `shift`.
extern "C" __global__ void __launch_bounds__(THREADS, 4)
group_move(const T* lines, const T* places, const V* values, T* to_lines, T* to_places, V* to_values, u64 n, u32 shift,
           const Count* board, const Count* totals) {
    __shared__ Line memory[32768 / 16];
    __shared__ Count bases[DIGITS];
    __shared__ Count sums[WARPS];
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    u64 from = (u64)blockIdx.x * TILE;
    u32 count = n - from < TILE ? (u32)(n - from) : TILE;
    u32* words = (u32*)memory;
    for (u32 i = thread; i < WARPS * WORDS; i += THREADS) words[i] = 0;
    u32 first = warp * 32 * ITEMS + lane;
    T items[ITEMS];
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = first + 32 * i;
        items[i] = 0;
        if (k < count) items[i] = lines[from + k];
    }
    __syncthreads();
    // Where an element goes among those of its digit and warp, then in the tile.
    Halves at;
    volatile u16* mine = (u16*)memory + warp * DIGITS;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 digit = digit_of(items[i], shift);
        bool there = first + 32 * i < count;
        u32 peers = peers_of(digit, __ballot_sync(ALL, there));
        u32 below = __popc(peers & ((1u << lane) - 1)), before = mine[digit];
        __syncwarp();
        if (there && below == 0) mine[digit] = (u16)(before + __popc(peers));
        __syncwarp();
        at.set(i, before + below);
    }
    __syncthreads();
    // Counts of each warp become those of the warps before; a tile has fewer elements than half a word counts.
    u32 found[EACH], in_tile = 0;
    Count in_all = 0;
    bool takes_part = thread * EACH < WORDS;
#pragma unroll
    for (u32 j = 0; j < EACH; j++) {
        u32 word = thread * EACH + j, total = 0;
        if (takes_part) {
#pragma unroll
            for (u32 w = 0; w < WARPS; w++) {
                u32 counted = words[w * WORDS + word];
                words[w * WORDS + word] = total;
                total += counted;
            }
            in_all += totals[2 * word] + totals[2 * word + 1];
        }
        found[j] = total;
        in_tile += (total & 0xffff) + (total >> 16);
    }
    u32 start = (u32)sum_before((Count)in_tile, sums);
    Count begin = sum_before(in_all, sums);
    if (takes_part) {
#pragma unroll
        for (u32 j = 0; j < EACH; j++) {
            u32 word = thread * EACH + j, next = start + (found[j] & 0xffff);
#pragma unroll
            for (u32 w = 0; w < WARPS; w++) words[w * WORDS + word] += start | next << 16;
            const Count* before = board + (u64)blockIdx.x * DIGITS + 2 * word;
            bases[2 * word] = begin + before[0] - start;
            begin += totals[2 * word];
            bases[2 * word + 1] = begin + before[1] - next;
            begin += totals[2 * word + 1];
            start = next + (found[j] >> 16);
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < ITEMS; i += 2) {
        u32 low = at[i] + mine[digit_of(items[i], shift)], high = at[i + 1] + mine[digit_of(items[i + 1], shift)];
        at.words[i / 2] = low | high << 16;
    }
    __syncthreads();
    T* sorted = (T*)memory;
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++)
        if (first + 32 * i < count) sorted[at[i]] = items[i];
    __syncthreads();
    Targets targets{bases, {}, n, from};
#pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        u32 k = i * THREADS + thread;
        T line = sorted[k < count ? k : 0];
        targets.digits.set(i, digit_of(line, shift));
        if (k < count) to_lines[targets.of(i)] = line;
    }
    move_along(places + from, to_places, count, at, targets, memory);
    move_along(values + from, to_values, count, at, targets, memory);
}
