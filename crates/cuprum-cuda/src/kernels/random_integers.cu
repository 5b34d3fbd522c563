// Integers of one range, of units that may be passed over. T is the element, Unit the draw; a chunk is UNITS of them and
// a tile what a block of TILE_THREADS threads makes. State: how many units were passed over, then how many were used.

constexpr int UNITS = 32 / sizeof(Unit);
constexpr int TILE_THREADS = 256, TILE_WARPS = TILE_THREADS / 32;

inline Unit unit_of_draws(const u32* draws, int i) {
    if constexpr (same<Unit, u64>) return word_of_draws(draws, i);
    else return (Unit)(draws[i * sizeof(Unit) / 4] >> (8 * sizeof(Unit) * (i % (4 / sizeof(Unit)))));
}

// The sum over the block of a number of each thread, and for each thread that of those before it.
static u32 block_scan(u32 mine, u32& before) {
    __shared__ u32 sums[TILE_WARPS];
    u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = mine;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    u32 total = 0, base = 0;
    for (u32 i = 0; i < TILE_WARPS; i++) {
        if (i == warp) base = total;
        total += sums[i];
    }
    __syncthreads();
    before = base + sum - mine;
    return total;
}

// Writes the values of all units as if each counted, and the number of those that do by tile. Units from `limit` on are
// not looked at.
extern "C" __global__ void random_integers(const Words stream, T* out, u64 n, u64 limit, const Rule rule, u32 written,
                                           u64* counts, u64* state) {
    Place place = place_of_thread(stream);
    u32 draws[8];
    chunk_draws(stream, place.chunk, draws);
    Stored<T, UNITS> stored;
    u32 accepted = 0;
    u64 first = place.chunk * UNITS;
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        u64 value;
        bool good = judged(unit_of_draws(draws, i), rule.values, rule.threshold, value);
        accepted += good && place.mine && first + i < limit;
        stored.elements[i] = (T)(rule.offset + value);
    }
    if (written) store_chunk(out, n, place, stored);
    if (!counts) return;
    u32 before, total = block_scan(accepted, before);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = total;
        u64 tile = (u64)TILE_WARPS * chunks_of_warp(stream) * UNITS, start = blockIdx.x * tile;
        u64 looked_at = start >= limit ? 0 : limit - start < tile ? limit - start : tile;
        if (total != looked_at) atomicAdd(state, looked_at - total);
    }
}

// Turns the counts of tiles into those of all tiles before; one more entry holds them all.
extern "C" __global__ void random_integers_scan(u64* counts, u64 tiles, const u64* state) {
    if (state[0] == 0) return;
    __shared__ u64 sums[TILE_THREADS];
    u64 share = (tiles + TILE_THREADS - 1) / TILE_THREADS;
    u64 start = threadIdx.x * share, end = start + share < tiles ? start + share : tiles;
    u64 sum = 0;
    for (u64 i = start; i < end; i++) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    u64 before = 0;
    for (u32 i = 0; i < threadIdx.x; i++) before += sums[i];
    for (u64 i = start; i < end; i++) {
        u64 count = counts[i];
        counts[i] = before;
        before += count;
    }
    if (threadIdx.x == TILE_THREADS - 1) counts[tiles] = before;
}

// Writes the values of a tile that count, in order, from element `base` on; says how many they are. Where the last
// element is among them, `used` becomes the number of units up to it.
static u32 pack_tile(const Words& stream, u64 tile, u64 limit, const Rule& rule, T* out, u64 n, u64 base, u64* used) {
    __shared__ T packed[TILE_THREADS * UNITS];
    u32 lane = threadIdx.x % 32, count = chunks_of_warp(stream);
    u64 chunk = tile * TILE_WARPS * count + threadIdx.x / 32 * count + lane, first = chunk * UNITS;
    u32 draws[8], accepted = 0;
    chunk_draws(stream, chunk, draws);
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        u64 value;
        bool good = judged(unit_of_draws(draws, i), rule.values, rule.threshold, value);
        accepted |= (u32)(good && lane < count && first + i < limit) << i;
    }
    u32 rank, total = block_scan(__popc(accepted), rank);
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        if (accepted >> i & 1) {
            u64 value;
            judged(unit_of_draws(draws, i), rule.values, rule.threshold, value);
            packed[rank] = (T)(rule.offset + value);
            if (base + rank == n - 1) *used = first + i + 1;
            rank++;
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < total && base + i < n; i += TILE_THREADS) out[base + i] = packed[i];
    __syncthreads();
    return total;
}

// Puts the values that count where they belong, from the first unit on that was passed over.
extern "C" __global__ void random_integers_pack(const Words stream, T* out, u64 n, u64 limit, const Rule rule,
                                                u32 written, const u64* counts, u64 tiles, u64* state) {
    if (written && state[0] == 0) return;
    u64 size = (u64)TILE_WARPS * chunks_of_warp(stream) * UNITS;
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        // Without any unit passed over the counts were not summed.
        u64 base = state[0] == 0 ? tile * size : counts[tile];
        if (base >= n) return;
        if (written && base == tile * size && counts[tile + 1] - base == size) continue;
        pack_tile(stream, tile, limit, rule, out, n, base, state + 1);
    }
}

// Goes on tile by tile until no element is missing, and says how far the stream moved. `tiles` are done already.
extern "C" __global__ void random_integers_rest(const Words stream, T* out, u64 n, u64 limit, const Rule rule,
                                                const u64* counts, u64 tiles, u64* state, u64 parts, u32 waiting,
                                                u32 half, u64* moved) {
    __shared__ u64 used;
    u64 have = 0;
    if (threadIdx.x == 0) used = 0;
    if (tiles > 0) {
        have = state[0] == 0 ? limit : counts[tiles];
        if (threadIdx.x == 0) used = state[1] == 0 ? n : state[1];
    }
    __syncthreads();
    for (u64 tile = tiles; have < n; tile++) {
        have += pack_tile(stream, tile, ~0ull, rule, out, n, have, &used);
    }
    if (threadIdx.x == 0) report_moved(stream, used, parts, waiting, half, moved);
}
