// Running results along long lines in one pass. A tile's results need those of all tiles before it: each tile publishes
// its own total, and looks at the totals of those before it. Totals are joined in groups of GROUP tiles and
// the groups from left to right, whoever has come how far, so that the result depends on nothing but the elements.
//
// Stands on scan.cuh; the text before defines ROWS, how many packs of 16 bytes each thread takes.

constexpr u32 THREADS = 256, WARPS = THREADS / 32, PACK = 16 / sizeof(T), GROUP = 4;
constexpr u32 ROW = 32 * PACK, TILE = WARPS * ROWS * ROW;
// A total on the board: words of 32 bits, each beside the kind of total that it belongs to.
constexpr u32 WORDS = sizeof(Acc) < 4 ? 1 : sizeof(Acc) / 4;
constexpr u32 OWN = 1, WHOLE = 2;

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
    bool has_chain, has_group, is_whole;
};

// Looks at the tiles before tile `number`, which is not 0; a whole warp does it, a group a lane.
inline Before look_back(const u64* board, u32 number, u32 lane) {
    i64 group = (i64)(number / GROUP) - 31 + lane;
    u32 count = group < 0 ? 0 : lane == 31 ? number % GROUP : GROUP;
    Acc total = nothing();
    bool is_complete = count == 0, is_whole = false;
    u32 top;
    for (;;) {
        if (!is_whole && count > 0) {
            // A group whose totals are all there can but become part of the chain.
            u32 first = is_complete ? count - 1 : 0;
            // All at once: one look takes as long as many that do not wait for each other.
            Acc seen[GROUP];
            u32 kinds[GROUP];
#pragma unroll
            for (u32 i = 0; i < GROUP; i++) {
                kinds[i] = 0;
                if (i >= first && i < count) kinds[i] = look(board, (u64)group * GROUP + i, seen[i]);
            }
            Acc sum = total;
            bool has = is_complete, all = true;
#pragma unroll
            for (u32 i = 0; i < GROUP; i++) {
                if (i < first || i >= count) continue;
                if (kinds[i] == WHOLE) sum = seen[i], has = true, all = true, is_whole = true;
                else if (is_complete) continue;
                else if (kinds[i] == OWN) sum = has ? join(sum, seen[i]) : seen[i], has = true;
                else all = false, is_whole = false;
            }
            total = sum;
            is_complete |= all;
        }
        bool is_anchor = is_complete && count > 0 && (is_whole || group == 0);
        u32 anchors = __ballot_sync(0xffffffffu, is_anchor), ready = __ballot_sync(0xffffffffu, is_complete);
        if (anchors) {
            top = 31 - __clz(anchors);
            u32 above = top == 31 ? 0 : 0xffffffffu << (top + 1);
            if ((ready & above) == above) break;
        }
        __nanosleep(20);
    }
    u32 filled = __ballot_sync(0xffffffffu, count > 0);
    Before before;
    before.chain = from_lane(total, top);
    before.has_chain = top < 31;
    for (u32 other = top + 1; other < 31; other++) {
        Acc next = from_lane(total, other);
        before.chain = join(before.chain, next);
    }
    before.group = from_lane(total, 31);
    before.has_group = filled >> 31;
    before.is_whole = top == 31;
    return before;
}

inline Acc behind(const Before& before) {
    if (!before.has_chain) return before.group;
    return before.has_group ? join(before.chain, before.group) : before.chain;
}

struct Tile {
    Acc items[ROWS][PACK];
    // What precedes each pack in the tile.
    Acc bases[ROWS];
    Acc total;
    u32 faults;
};

// Loads a tile and scans it by itself. `parts` are the settled ones.
inline void scan_tile(const T* input, u32 n, bool aligned, u32 parts, Acc* totals, Tile& tile) {
    u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5, first = warp * ROWS * ROW + lane * PACK;
    if (aligned && n == TILE) {
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            Pack pack = *(const Pack*)(input + first + r * ROW);
#pragma unroll
            for (u32 i = 0; i < PACK; i++) tile.items[r][i] = widen(pack.items[i]);
        }
    } else {
#pragma unroll
        for (u32 r = 0; r < ROWS; r++)
#pragma unroll
            for (u32 i = 0; i < PACK; i++) {
                u32 at = first + r * ROW + i;
                tile.items[r][i] = at < n ? widen(input[at]) : nothing();
            }
    }
    Acc run = nothing();
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        if (MENDS && parts)
            for (u32 i = 0; i < PACK; i++) tile.items[r][i] = skeleton(tile.items[r][i], parts);
#pragma unroll
        for (u32 i = 1; i < PACK; i++) tile.items[r][i] = join(tile.items[r][i - 1], tile.items[r][i]);
        Acc up_to = over_lanes(tile.items[r][PACK - 1], lane);
        Acc before = from_lane(up_to, lane - 1 & 31);
        if (lane == 0) before = nothing();
        tile.bases[r] = join(run, before);
        run = join(run, from_lane(up_to, 31));
    }
    if (lane == 0) totals[warp] = run;
    __syncthreads();
    Acc before = nothing(), total = nothing();
#pragma unroll
    for (u32 w = 0; w < WARPS; w++) {
        if (w == warp) before = total;
        total = join(total, totals[w]);
    }
    tile.total = total;
    u32 bad = 0;
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        tile.bases[r] = join(before, tile.bases[r]);
        bad |= faults(join(tile.bases[r], tile.items[r][PACK - 1]));
    }
    tile.faults = 0;
    if (MENDS) {
        if (__syncthreads_or(bad & 1)) tile.faults |= 1;
        if (PARTS == 2 && __syncthreads_or(bad >> 1)) tile.faults |= 2;
    }
}

inline void write_tile(T* out, u32 n, bool aligned, Acc carry, const Tile& tile) {
    u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5, first = warp * ROWS * ROW + lane * PACK;
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        Acc base = join(carry, tile.bases[r]);
        Pack pack;
#pragma unroll
        for (u32 i = 0; i < PACK; i++) pack.items[i] = narrow(join(base, tile.items[r][i]));
        if (aligned && n == TILE) {
            *(Pack*)(out + first + r * ROW) = pack;
        } else {
#pragma unroll
            for (u32 i = 0; i < PACK; i++)
                if (first + r * ROW + i < n) out[first + r * ROW + i] = pack.items[i];
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, sizeof(Acc) <= 4 ? 3 : sizeof(Acc) == 8 ? 2 : 1)
scan_chain(const T* input, T* out, u64 length, u32 tiles, u32 aligned, u64* board, u32* ticket) {
    __shared__ Acc totals[WARPS];
    __shared__ Acc carried;
    __shared__ u32 taken;
    u32 thread = threadIdx.x, lane = thread & 31;
    if (thread == 0) taken = atomicAdd(ticket, 1u);
    __syncthreads();
    u64 line = taken / tiles;
    u32 number = taken % tiles;
    u64 from = (u64)number * TILE, at = line * length + from;
    u32 n = length - from < TILE ? (u32)(length - from) : TILE;
    board += line * tiles * WORDS;
    input += at;
    out += at;

    Tile tile;
    scan_tile(input, n, aligned, 0, totals, tile);
    bool is_last = number % GROUP == GROUP - 1;
    if (tile.faults == 0) {
        if (thread < 32) {
            if (lane == 0 && number + 1 < tiles) publish(board, number, OWN, tile.total);
            Acc carry = nothing();
            if (number > 0) {
                Before before = look_back(board, number, lane);
                carry = behind(before);
                if (lane == 0 && is_last && number + 1 < tiles) {
                    // Joined as those behind would do it that see the group's own totals.
                    Acc group = before.has_group ? join(before.group, tile.total) : tile.total;
                    publish(board, number, WHOLE, before.has_chain ? join(before.chain, group) : group);
                }
            }
            if (lane == 0) carried = carry;
        }
        __syncthreads();
        write_tile(out, n, aligned, carried, tile);
        return;
    }
    if (thread < 32) {
        Acc carry = nothing();
        if (number > 0) carry = behind(look_back(board, number, lane));
        if (lane == 0) carried = carry;
    }
    __syncthreads();
    Acc carry = carried;
    if (tile.faults & ~settled(carry)) {
        if (thread != 0) return;
        for (u32 i = 0; i < n; i++) {
            carry = join(carry, widen(input[i]));
            out[i] = narrow(carry);
        }
        if (number + 1 < tiles) publish(board, number, WHOLE, carry);
        return;
    }
    scan_tile(input, n, aligned, settled(carry), totals, tile);
    if (thread == 0 && number + 1 < tiles) publish(board, number, WHOLE, join(carry, tile.total));
    write_tile(out, n, aligned, carry, tile);
}
