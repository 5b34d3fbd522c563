// The elements at given places of sorted rows, without a sort: digit after digit, from the highest, elements are counted,
// and those go on whose digits are those of an element that is looked for. The first launch reads a row, the second reads
// it again and keeps what goes on; those that follow read what was kept.
//
// split_targets.cuh stands before; defined are FIRST (bits of the first digit), SECOND (of the second), BITS (of others, at most), THREADS
// and BLOCKS (of a multiprocessor).

constexpr u32 KEY_BITS = 8 * sizeof(T), TABLE = 1u << FIRST > (u32)TARGETS << BITS ? 1u << FIRST : (u32)TARGETS << BITS;
// Elements that a thread loads before it looks at them.
constexpr u32 AHEAD = 64 / sizeof(T) < 16 ? 64 / sizeof(T) : 16;
// Prefixes that a thread has at hand.
constexpr u32 NEAR = TARGETS < 4 ? TARGETS : 4;
// Bins that a thread adds up in the end.
constexpr u32 COUNTERS_PER_THREAD = ((1u << (FIRST > BITS ? FIRST : BITS)) + THREADS - 1) / THREADS;

struct Places { u64 at[TARGETS]; };

// What is known of a row. All zero in the beginning.
struct Row {
    // Bits that some element has set, and bits that some element has not: in those of both, elements differ.
    Key ones, zeros;
    // Different elements that are looked for, as far as they are known: bits from `known` on.
    Key prefix[TARGETS];
    // How many elements begin so.
    u32 count[TARGETS];
    // For each place asked for: the number of its prefix among those above, and its rank among the elements with that
    // prefix.
    u32 group[TARGETS], rank[TARGETS];
    u32 groups, known;
    // The digit to count next: its lowest bit, and how many bits; none where all is known.
    u32 shift, width;
    // How many elements are left to look at, and whether they were kept.
    u32 left, is_kept;
    // Blocks that are done.
    u32 done;
};

inline Key low_bits(u32 n) { return n >= KEY_BITS ? (Key)-1 : (Key)(((Key)1 << n) - 1); }

// What the first digit is.
inline void begin(Row* row, const Places& places, u32 targets, u64 length) {
    row->groups = 1;
    row->prefix[0] = 0;
    for (u32 i = 0; i < targets; i++) row->group[i] = 0, row->rank[i] = (u32)places.at[i];
    row->known = KEY_BITS;
    row->shift = KEY_BITS - FIRST;
    row->width = FIRST;
    row->left = (u32)length;
    row->is_kept = 0;
}

// Puts the digits that were found to what is known, and says what comes next.
inline void advance(Row* row, u32 targets, const u32* digits, const u32* ranks, const u32* counts) {
    Key old[TARGETS];
    for (u32 i = 0; i < row->groups; i++) old[i] = row->prefix[i];
    Key differ = row->ones & row->zeros, same_bits = row->ones;
    u32 known = row->shift;
    Key rest = differ & low_bits(known);
    // Bits of all elements between two digits, or below the last, are those of every one.
    u32 top = 0, shift = 0;
    // Every block adds its counts to the row's: as long as elements are many, digits are small.
    u32 most = known == KEY_BITS - FIRST ? SECOND : BITS;
    if (rest != 0) {
        top = 64 - (u32)__clzll((i64)rest);
        u32 lowest = (u32)__ffsll((i64)rest) - 1;
        shift = top > most + lowest ? top - most : lowest;
    }
    Key between = same_bits & low_bits(known) & (Key)~low_bits(top);
    u32 groups = 0;
    for (u32 i = 0; i < targets; i++) {
        Key prefix = (Key)(old[row->group[i]] | (Key)((Key)digits[i] << row->shift) | between);
        if (groups == 0 || row->prefix[groups - 1] != prefix) {
            row->prefix[groups] = prefix;
            row->count[groups] = counts[i];
            groups++;
        }
        row->group[i] = groups - 1;
        row->rank[i] = ranks[i];
    }
    row->groups = groups;
    row->known = known;
    row->shift = shift;
    row->width = top - shift;
}

// Copies between global and shared memory, by the whole block.
inline void copy_row(Row* to, const Row* from) {
    for (u32 i = threadIdx.x; i < sizeof(Row) / 4; i += THREADS) ((volatile u32*)to)[i] = ((const volatile u32*)from)[i];
    __syncthreads();
}

// Finds the digits by the counts of a row, which are cleared; the block that was done last does this. `row` is in shared
// memory.
inline void find_digits(Row* row, u32* table, u32 targets) {
    __shared__ u32 sums[THREADS / 32];
    __shared__ u32 digits[TARGETS], ranks[TARGETS], counts[TARGETS];
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    u32 bins = 1u << row->width, share = (bins + THREADS - 1) / THREADS, groups = row->groups;
    for (u32 group = 0; group < groups; group++) {
        volatile u32* of_group = table + (group << BITS);
        u32 own[COUNTERS_PER_THREAD], sum = 0;
#pragma unroll
        for (u32 i = 0; i < COUNTERS_PER_THREAD; i++) {
            u32 bin = thread * share + i;
            bool there = i < share && bin < bins;
            own[i] = there ? of_group[bin] : 0;
            if (there) of_group[bin] = 0;
            sum += own[i];
        }
        u32 up_to = sum;
        for (u32 step = 1; step < 32; step *= 2) {
            u32 other = __shfl_up_sync(0xffffffffu, up_to, step);
            if (lane >= step) up_to += other;
        }
        if (lane == 31) sums[warp] = up_to;
        __syncthreads();
        for (u32 w = 0; w < warp; w++) up_to += sums[w];
        u32 before = up_to - sum;
        for (u32 i = 0; i < targets; i++) {
            u32 rank = row->rank[i];
            if (row->group[i] != group || rank < before || rank >= up_to) continue;
            u32 from = before;
#pragma unroll
            for (u32 j = 0; j < COUNTERS_PER_THREAD; j++) {
                if (rank >= from && rank - from < own[j]) {
                    digits[i] = thread * share + j;
                    ranks[i] = rank - from;
                    counts[i] = own[j];
                }
                from += own[j];
            }
        }
        __syncthreads();
    }
    if (thread == 0) advance(row, targets, digits, ranks, counts);
    __syncthreads();
}

// What is written where all is known: the elements, and what a row is split by.
inline void tell(const Row* row, const Places& places, u32 targets, T* out, Split* split) {
    u32 i = threadIdx.x;
    if (i >= targets) return;
    u32 group = row->group[i], start = (u32)places.at[i] - row->rank[i];
    if (out) out[i] = of_rank<T>((word_of<T>)row->prefix[group]);
    if (!split) return;
    if (i == 0) split->starts[0] = 0, split->count = row->groups;
    // Several places may have the same element, and then say the same.
    split->pivots[group] = row->prefix[group];
    split->starts[2 * group + 1] = start;
    split->starts[2 * group + 2] = start + row->count[group];
}

// What the last block does: with what it found out, the row's next launch goes on, or all is told.
inline void finish(Row* state, Row* row, u32* table, const Places& places, u32 targets, T* out, Split* split) {
    find_digits(state, table, targets);
    if (threadIdx.x == 0) state->done = 0;
    __syncthreads();
    copy_row(row, state);
    if (state->width == 0) tell(state, places, targets, out, split);
}

// Adds a block's counts to the row's; whether it is the row's last block to do so.
inline bool add_counts(const u32* own, u32 n, u32* table, Row* row, u32 chunks) {
    __shared__ bool is_last;
    __syncthreads();
    // Two counts at once: no sum of them is too large for its half.
    for (u32 i = threadIdx.x; i < n / 2; i += THREADS) {
        u64 both = ((const u64*)own)[i];
        if (both) atomicAdd((u64*)table + i, both);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&row->done, 1u) == chunks - 1;
    __syncthreads();
    if (is_last) __threadfence();
    return is_last;
}

// Counts the first digits. `rows` and `tables` are zero; where nothing is to be told, the pointer is null.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
kth_first(const T* input, u64 length, u32 chunk, u32 chunks, Row* rows, u32* tables, const Places places, u32 targets,
          T* out, Split* splits) {
    alignas(8) __shared__ u32 table[1u << FIRST];
    __shared__ Key seen[2];
    __shared__ Row state;
    for (u32 i = threadIdx.x; i < 1u << FIRST; i += THREADS) table[i] = 0;
    if (threadIdx.x < 2) seen[threadIdx.x] = 0;
    __syncthreads();
    u64 number = blockIdx.x / chunks, from = (u64)(blockIdx.x % chunks) * chunk;
    u32 n = length - from < chunk ? (u32)(length - from) : chunk;
    const T* run = input + number * length + from;
    Key ones = 0, zeros = 0;
    for (u32 at = 0; at < n; at += THREADS * AHEAD) {
        T items[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u32 i = at + j * THREADS + threadIdx.x;
            items[j] = run[i < n ? i : 0];
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            // In place of a missing element, one of the row's own is loaded.
            Key key = key_of(items[j]);
            ones |= key, zeros |= (Key)~key;
            if (at + j * THREADS + threadIdx.x < n) atomicAdd(&table[key >> (KEY_BITS - FIRST)], 1u);
        }
    }
    for (u32 apart = 16; apart > 0; apart /= 2) {
        ones |= __shfl_xor_sync(0xffffffffu, ones, apart);
        zeros |= __shfl_xor_sync(0xffffffffu, zeros, apart);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicOr(&seen[0], ones);
        atomicOr(&seen[1], zeros);
    }
    __syncthreads();
    Row* row = rows + number;
    if (threadIdx.x < 2) atomicOr(threadIdx.x == 0 ? &row->ones : &row->zeros, seen[threadIdx.x]);
    if (!add_counts(table, 1u << FIRST, tables + number * TABLE, row, chunks)) return;
    copy_row(&state, row);
    if (threadIdx.x == 0) begin(&state, places, targets, length);
    __syncthreads();
    finish(&state, row, tables + number * TABLE, places, targets, out ? out + number * targets : 0,
           splits ? splits + number : 0);
}

// Counts the next digits of the elements that are left. They are kept, each block's where its elements began, if others
// can be left out by that and this digit is not the last.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
kth_next(const T* input, u64 length, u32 chunk, u32 chunks, Row* rows, u32* tables, const Places places, u32 targets,
         T* out, Split* splits, T* kept, u32* kept_counts) {
    alignas(8) __shared__ u32 table[TARGETS << BITS];
    __shared__ Key prefixes[TARGETS];
    __shared__ T waits[THREADS / 32][64];
    __shared__ u32 cursor;
    __shared__ Row state;
    u64 number = blockIdx.x / chunks, from = (u64)(blockIdx.x % chunks) * chunk;
    Row* row = rows + number;
    copy_row(&state, row);
    u32 width = state.width, groups = state.groups, known = state.known, shift = state.shift;
    bool is_kept = state.is_kept;
    if (width == 0) return;
    u32 wanted = 0;
    for (u32 i = 0; i < groups; i++) wanted += state.count[i];
    bool keeps = (state.ones & state.zeros & low_bits(shift)) != 0 && wanted <= state.left / 2;
    for (u32 i = threadIdx.x; i < groups << BITS; i += THREADS) table[i] = 0;
    if (threadIdx.x < groups) prefixes[threadIdx.x] = (Key)(state.prefix[threadIdx.x] >> known);
    if (threadIdx.x == 0) cursor = 0;
    __syncthreads();
    // The first ones in registers: where there are fewer, the first again.
    Key near[NEAR];
#pragma unroll
    for (u32 i = 0; i < NEAR; i++) near[i] = prefixes[i < groups ? i : 0];
    u32 n = length - from < chunk ? (u32)(length - from) : chunk;
    if (is_kept) n = kept_counts[blockIdx.x];
    T* target = kept + number * length + from;
    const T* run = is_kept ? target : input + number * length + from;
    u32 lane = threadIdx.x & 31, below = (1u << lane) - 1;
    // Few elements of a warp go on at a time: they wait until there is one for each lane.
    T* mine = waits[threadIdx.x >> 5];
    u32 waiting = 0;
    auto count_waiting = [&](T item, bool there, u32 number_of) {
        u32 place = 0;
        if (keeps && lane == 0) place = atomicAdd(&cursor, number_of);
        place = __shfl_sync(0xffffffffu, place, 0);
        if (!there) return;
        Key key = key_of(item), prefix = (Key)(key >> known);
        u32 group = 0;
        while (prefix != prefixes[group]) group++;
        atomicAdd(&table[group << BITS | ((u32)(key >> shift) & ((1u << width) - 1))], 1u);
        if (keeps) target[place + lane] = item;
    };
    for (u32 at = 0; at < n; at += THREADS * AHEAD) {
        T items[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            u32 i = at + j * THREADS + threadIdx.x;
            items[j] = run[i < n ? i : 0];
        }
        // What is kept takes the place of what was read, by all of the block.
        if (keeps && is_kept) __syncthreads();
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            Key prefix = (Key)(key_of(items[j]) >> known);
            bool matches = false;
#pragma unroll
            for (u32 i = 0; i < NEAR; i++) matches |= prefix == near[i];
            for (u32 i = NEAR; i < groups; i++) matches |= prefix == prefixes[i];
            matches &= at + j * THREADS + threadIdx.x < n;
            u32 vote = __ballot_sync(0xffffffffu, matches);
            if (vote == 0) continue;
            if (matches) mine[waiting + __popc(vote & below)] = items[j];
            waiting += __popc(vote);
            if (waiting < 32) continue;
            __syncwarp();
            count_waiting(mine[lane], true, 32);
            waiting -= 32;
            T moved = mine[lane + 32];
            __syncwarp();
            if (lane < waiting) mine[lane] = moved;
        }
    }
    __syncwarp();
    count_waiting(mine[lane], lane < waiting, waiting);
    bool is_last = add_counts(table, groups << BITS, tables + number * TABLE, row, chunks);
    if (keeps && threadIdx.x == 0) kept_counts[blockIdx.x] = cursor;
    if (!is_last) return;
    if (threadIdx.x == 0 && keeps) state.left = wanted, state.is_kept = 1;
    __syncthreads();
    finish(&state, row, tables + number * TABLE, places, targets, out ? out + number * targets : 0,
           splits ? splits + number : 0);
}
