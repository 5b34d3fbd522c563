// Running results along long lines in one pass. A tile's results need those of all tiles before it: each tile publishes
// its own total, and looks at the totals of those before it. Totals are joined in groups of GROUP tiles and
// the groups from left to right, whoever has come how far, so that the result depends on nothing but the elements.
//
// Blocks take tiles in turn. Of each, one tile is on its way into shared memory while the one before it is added up and
// the one before that waits for its carry, so that memory is never idle.
//
// Stands on scan.cuh; the text before defines PACKS, how many packs of 16 bytes each thread takes: an odd number, so
// that threads that read their packs side by side meet no other in a bank.

constexpr u32 THREADS = 512, WARPS = THREADS / 32, PACK = 16 / sizeof(T), GROUP = 4, SLOTS = 3;
constexpr u32 RUN = PACKS * PACK, TILE = THREADS * RUN;
constexpr int UNROLLED = PACK <= 4 ? PACKS : 1;
// A total on the board: words of 32 bits, each beside the kind of total that it belongs to.
constexpr u32 WORDS = sizeof(Acc) < 4 ? 1 : sizeof(Acc) / 4;
constexpr u32 AGGREGATE = 1, PREFIX = 2;

struct alignas(16) Pack { T items[PACK]; };

inline void publish(u64* board, u64 tile, u32 kind, Acc total) {
    u32 words[WORDS] = {};
    memcpy(words, &total, sizeof(Acc));
    volatile u64* place = board + tile * WORDS;
#pragma unroll
    for (u32 w = 0; w < WORDS; w++) place[w] = (u64)kind << 32 | words[w];
}

// The total on the board; returns its kind, or 0 where there is none yet.
inline u32 look(const u64* board, u64 tile, Acc& total) {
    u32 words[WORDS], kind = 0;
    bool same_kind = true;
    const volatile u64* place = board + tile * WORDS;
#pragma unroll
    for (u32 w = 0; w < WORDS; w++) {
        u64 word = place[w];
        words[w] = (u32)word;
        if (w == 0) kind = (u32)(word >> 32);
        else same_kind &= kind == (u32)(word >> 32);
    }
    memcpy(&total, words, sizeof(Acc));
    return same_kind ? kind : 0;
}

// What precedes a group's tile: the chain up to its group, and the joined totals of the group's tiles before it.
struct Before {
    Acc chain, group;
    bool has_chain, has_group;
};

// What a lane has seen of the tiles before one: those of one group.
struct Lookback {
    i64 group;
    u32 count;
    Acc total;
    bool is_complete, has_prefix;
};

inline Lookback first_lookback(u32 number, u32 lane) {
    Lookback lookback;
    lookback.group = (i64)(number / GROUP) - 31 + lane;
    lookback.count = lookback.group < 0 ? 0 : lane == 31 ? number % GROUP : GROUP;
    lookback.total = nothing();
    lookback.is_complete = lookback.count == 0;
    lookback.has_prefix = false;
    return lookback;
}

// Totals as they stand on the board.
struct BoardTotals {
    Acc totals[GROUP];
    u32 kinds[GROUP];
};

// All loads at once: they do not depend on each other, so all take about as long as one. Of a group whose totals are
// complete, only the last entry can still change, when it joins the chain.
inline BoardTotals read_totals(const u64* board, const Lookback& lookback) {
    BoardTotals read;
    u32 first = lookback.is_complete ? lookback.count - 1 : 0;
#pragma unroll
    for (u32 i = 0; i < GROUP; i++) {
        read.kinds[i] = 0;
        if (!lookback.has_prefix && i >= first && i < lookback.count)
            read.kinds[i] = look(board, (u64)lookback.group * GROUP + i, read.totals[i]);
    }
    return read;
}

inline void take_in(Lookback& lookback, const BoardTotals& read) {
    if (lookback.has_prefix || lookback.count == 0) return;
    u32 first = lookback.is_complete ? lookback.count - 1 : 0;
    Acc sum = lookback.total;
    bool has = lookback.is_complete, all = true;
#pragma unroll
    for (u32 i = 0; i < GROUP; i++) {
        if (i < first || i >= lookback.count) continue;
        if (read.kinds[i] == PREFIX) sum = read.totals[i], has = true, all = true, lookback.has_prefix = true;
        else if (lookback.is_complete) continue;
        else if (read.kinds[i] == AGGREGATE) sum = has ? join(sum, read.totals[i]) : read.totals[i], has = true;
        else all = false, lookback.has_prefix = false;
    }
    lookback.total = sum;
    lookback.is_complete |= all;
}

// Looks at the tiles before one that is not the first, beginning with totals that were read before; a whole warp does it,
// a group a lane.
inline Before look_back(const u64* board, Lookback lookback, BoardTotals seen, u32 lane) {
    u32 top;
    for (;;) {
        take_in(lookback, seen);
        bool is_anchor = lookback.is_complete && lookback.count > 0 && (lookback.has_prefix || lookback.group == 0);
        u32 anchors = __ballot_sync(0xffffffffu, is_anchor);
        u32 ready = __ballot_sync(0xffffffffu, lookback.is_complete);
        if (anchors) {
            top = 31 - __clz(anchors);
            u32 above = top == 31 ? 0 : 0xffffffffu << (top + 1);
            if ((ready & above) == above) break;
        }
        __nanosleep(20);
        seen = read_totals(board, lookback);
    }
    u32 filled = __ballot_sync(0xffffffffu, lookback.count > 0);
    Before before;
    before.chain = from_lane(lookback.total, top);
    before.has_chain = top < 31;
    for (u32 other = top + 1; other < 31; other++) {
        Acc next = from_lane(lookback.total, other);
        before.chain = join(before.chain, next);
    }
    before.group = from_lane(lookback.total, 31);
    before.has_group = filled >> 31;
    return before;
}

inline Acc behind(const Before& before) {
    if (!before.has_chain) return before.group;
    return before.has_group ? join(before.chain, before.group) : before.chain;
}

// How tiles come into shared memory without passing through registers: by the copy engine, or by copies that threads ask
// for and wait for later. Elsewhere, and where a tile is no row of packs, threads copy it themselves.
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900
#define BY_ENGINE 1
#elif defined(__CUDACC__) && __CUDA_ARCH__ >= 800
#define BY_REQUEST 1
#endif

#ifdef __CUDACC__
inline u32 shared_address(const void* place) { return (u32)__cvta_generic_to_shared(place); }
#define SCAN_OUTLINE __noinline__
#else
#define SCAN_OUTLINE __attribute__((noinline))
#endif

// Begins to bring `n` elements into a slot. All threads take part, behind a barrier after the slot's last use.
inline void bring(const T* from, u32 n, bool in_packs, T* slot, u64* arrival) {
    u32 thread = threadIdx.x;
    if (!in_packs) {
#pragma unroll 8
        for (u32 i = thread; i < n; i += THREADS) slot[i] = from[i];
        return;
    }
#ifdef BY_ENGINE
    if (thread != 0) return;
    u32 bytes = n * sizeof(T);
    // What threads wrote into the slot comes before what the engine writes.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrival)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(slot)),
                 "l"(from), "r"(bytes), "r"(shared_address(arrival))
                 : "memory");
#else
#pragma unroll
    for (u32 p = 0; p < PACKS; p++) {
        u32 place = p * THREADS + thread;
        if (place >= n / PACK) break;
#ifdef BY_REQUEST
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address((Pack*)slot + place)),
                     "l"((const Pack*)from + place)
                     : "memory");
#else
        ((Pack*)slot)[place] = ((const Pack*)from)[place];
#endif
    }
#endif
}

// Waits until a tile is there; `phase` counts the tiles that its slot had before. A barrier has to follow.
inline void wait_for(bool in_packs, u64* arrival, u32 phase) {
#ifdef BY_ENGINE
    if (!in_packs) return;
    for (u32 is_there = 0; !is_there;)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(is_there)
            : "r"(shared_address(arrival)), "r"(phase & 1)
            : "memory");
#elif defined(BY_REQUEST)
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

inline void store(T* to, u32 n, bool in_packs, const T* slot) {
    u32 thread = threadIdx.x;
    if (!in_packs) {
        for (u32 i = thread; i < n; i += THREADS) to[i] = slot[i];
        return;
    }
#pragma unroll
    for (u32 p = 0; p < PACKS; p++) {
        u32 place = p * THREADS + thread;
        if (place < n / PACK) ((Pack*)to)[place] = ((const Pack*)slot)[place];
    }
}

// Joins the elements of the thread's run from left to right and calls `each(pack, i, result)`. A tile that is not full
// ends with nothings; `parts` are the settled ones.
template <bool full, class Each> Acc join_run(T* slot, u32 n, u32 parts, Each each) {
    Pack* run = (Pack*)slot + threadIdx.x * PACKS;
    u32 first = threadIdx.x * RUN;
    Acc total = nothing();
#pragma unroll UNROLLED
    for (u32 p = 0; p < PACKS; p++) {
        Pack pack = run[p];
#pragma unroll
        for (u32 i = 0; i < PACK; i++) {
            Acc item = full || first + p * PACK + i < n ? widen(pack.items[i]) : nothing();
            if (!full && REPAIRS_NONFINITE && parts) item = skeleton(item, parts);
            total = join(total, item);
            each(pack, i, total);
        }
        if constexpr (Each::changes) run[p] = pack;
    }
    return total;
}

// Notes results that cannot be trusted. Sums that are no longer finite stay so, products come back.
struct FaultCheck {
    static constexpr bool changes = false;
    u32& bad;
    void operator()(const Pack&, u32, Acc total) const {
        if (KIND == 1) bad |= faults(total);
    }
};

// Puts what comes before the run together with its results, in their place.
struct StoreJoined {
    static constexpr bool changes = true;
    Acc base;
    void operator()(Pack& pack, u32 i, Acc total) const { pack.items[i] = narrow(join(base, total)); }
};

inline void place_run(T* slot, u32 n, u32 parts, Acc base) {
    if (n == TILE && !parts) join_run<true>(slot, n, 0, StoreJoined{base});
    else join_run<false>(slot, n, parts, StoreJoined{base});
}

struct Scanned {
    Acc before;  // What precedes the thread's run in its tile.
    Acc total;   // Of the tile.
    u32 faults;
};

// Adds up a tile by itself. Has barriers.
inline Scanned scan_tile(T* slot, u32 n, u32 parts, Acc* totals) {
    u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5, bad = 0;
    Acc own = n == TILE && !parts ? join_run<true>(slot, n, 0, FaultCheck{bad}) : join_run<false>(slot, n, parts, FaultCheck{bad});
    Acc up_to = over_lanes(own, lane);
    Acc inside = from_lane(up_to, lane - 1 & 31);
    if (lane == 0) inside = nothing();
    if (lane == 31) totals[warp] = up_to;
    __syncthreads();
    Scanned scanned;
    Acc before = nothing();
    scanned.total = nothing();
#pragma unroll
    for (u32 w = 0; w < WARPS; w++) {
        if (w == warp) before = scanned.total;
        scanned.total = join(scanned.total, totals[w]);
    }
    scanned.before = join(before, inside);
    scanned.faults = 0;
    if (REPAIRS_NONFINITE) {
        bad |= faults(join(scanned.before, own));
        if (__syncthreads_or(bad & 1)) scanned.faults |= 1;
        if (PARTS == 2 && __syncthreads_or(bad >> 1)) scanned.faults |= 2;
    }
    return scanned;
}

// A tile whose own results cannot be trusted, behind its carry. Returns what thread 0 is to publish. Has barriers.
SCAN_OUTLINE Acc mend(T* slot, u32 n, u32 faults, Acc carry, Acc* totals) {
    u32 parts = settled(carry);
    if (faults & ~parts) {
        if (threadIdx.x == 0)
            for (u32 i = 0; i < n; i++) {
                carry = join(carry, widen(slot[i]));
                slot[i] = narrow(carry);
            }
        return carry;
    }
    Scanned scanned = scan_tile(slot, n, parts, totals);
    place_run(slot, n, parts, join(carry, scanned.before));
    return join(carry, scanned.total);
}

// Lines of `length` elements, cut into `tiles` tiles each, `all` together.
struct Lines {
    u64 length;
    u32 tiles, all, aligned;
};

struct Tile {
    u64 at;       // Its first element.
    u64 line;     // Of the board: where its line's totals begin.
    u32 number;   // In its line.
    u32 n;
    bool in_packs;
};

inline Tile tile_of(const Lines& lines, u32 taken) {
    Tile tile;
    u64 line = taken / lines.tiles;
    tile.number = taken % lines.tiles;
    u64 from = (u64)tile.number * TILE;
    tile.at = line * lines.length + from;
    tile.line = line * lines.tiles * WORDS;
    tile.n = lines.length - from < TILE ? (u32)(lines.length - from) : TILE;
    tile.in_packs = lines.aligned && tile.n % PACK == 0;
    return tile;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
scan_chain(const T* input, T* out, Lines lines, u64* board, u32* ticket) {
    extern __shared__ uint4 memory[];
    __shared__ Acc totals[3][WARPS];
    __shared__ Acc carried;
    __shared__ u32 taken[2];
    __shared__ u64 arrivals[SLOTS];
    u32 thread = threadIdx.x, lane = thread & 31;
    T* slots = (T*)memory;
    if (thread == 0) {
#ifdef BY_ENGINE
        for (u32 s = 0; s < SLOTS; s++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrivals + s)) : "memory");
#endif
        taken[1] = atomicAdd(ticket, 1u);
    }
    __syncthreads();
    // Three tiles: the one being loaded, the one before it, whose sums are complete, and the next one.
    u32 coming = taken[1], waiting = lines.all, slot = 0, phases = 0;
    Scanned last;
    auto fetch = [&](u32 number, u32 to) {
        if (number >= lines.all) return;
        Tile tile = tile_of(lines, number);
        bring(input + tile.at, tile.n, tile.in_packs, slots + to * TILE, arrivals + to);
    };
    fetch(coming, 0);
    for (u32 turn = 0;; turn ^= 1) {
        u32 before_slot = slot == 0 ? SLOTS - 1 : slot - 1, next_slot = slot == SLOTS - 1 ? 0 : slot + 1;
        bool has_come = coming < lines.all;
        u32 next = lines.all;
        Scanned scanned;
        Lookback lookback;
        BoardTotals seen;
        if (has_come) {
            if (thread == 0) taken[turn] = atomicAdd(ticket, 1u);
            Tile tile = tile_of(lines, coming);
            wait_for(tile.in_packs, arrivals + slot, phases >> slot);
            if (tile.in_packs) phases ^= 1u << slot;
            __syncthreads();
            next = taken[turn];
            fetch(next, next_slot);
            // What the waiting tile needs of the board arrives while this one is added up.
            if (thread < 32 && waiting < lines.all) {
                Tile before = tile_of(lines, waiting);
                lookback = first_lookback(before.number, lane);
                seen = read_totals(board + before.line, lookback);
            }
            scanned = scan_tile(slots + slot * TILE, tile.n, 0, totals[turn]);
            if (thread == 0 && scanned.faults == 0 && tile.number + 1 < lines.tiles)
                publish(board + tile.line, tile.number, AGGREGATE, scanned.total);
        }
        if (waiting < lines.all) {
            Tile tile = tile_of(lines, waiting);
            u64* totals_of_line = board + tile.line;
            T* held = slots + before_slot * TILE;
            bool is_followed = tile.number + 1 < lines.tiles;
            if (thread < 32) {
                Acc carry = nothing();
                if (tile.number > 0) {
                    if (!has_come) lookback = first_lookback(tile.number, lane), seen = read_totals(totals_of_line, lookback);
                    Before before = look_back(totals_of_line, lookback, seen, lane);
                    carry = behind(before);
                    if (lane == 0 && last.faults == 0 && tile.number % GROUP == GROUP - 1 && is_followed) {
                        // Joined in the order in which later tiles would join the group's own totals.
                        Acc group = before.has_group ? join(before.group, last.total) : last.total;
                        publish(totals_of_line, tile.number, PREFIX,
                                before.has_chain ? join(before.chain, group) : group);
                    }
                }
                if (lane == 0) carried = carry;
            }
            __syncthreads();
            if (last.faults == 0) {
                place_run(held, tile.n, 0, join(carried, last.before));
            } else {
                Acc whole = mend(held, tile.n, last.faults, carried, totals[2]);
                if (thread == 0 && is_followed) publish(totals_of_line, tile.number, PREFIX, whole);
            }
            __syncthreads();
            store(out + tile.at, tile.n, tile.in_packs, held);
        }
        if (!has_come) return;
        waiting = coming, coming = next, last = scanned, slot = next_slot;
    }
}
