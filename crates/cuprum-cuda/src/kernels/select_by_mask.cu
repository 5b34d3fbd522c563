// What a mask selects, in one pass: blocks take tiles of the mask in order, and learn from the tiles before them how many
// of their elements hold (decoupled look-back). Counts are integers, so the result does not depend on timing.
//
// load16.cuh and lookback.cuh stand before this text, and ACTION, what is done with the elements that hold; for the last
// one AXES, the mask's axes, and `Index`, which numbers its elements.

#define COMPRESS 0    // copied out, one behind the other
#define EXPAND 1      // take values, one after the other
#define POSITIONS 2   // their numbers in C order
#define COORDINATES 3 // their positions along each axis

#define THREADS 256
// Bytes of the mask that a thread takes: two times sixteen.
#define BYTES 32
#define TILE (THREADS * BYTES)

struct Counters {
    u32 next, done;
};

struct Shape {
    i64 length[AXES];
};

// Which of four bytes are not zero.
inline u32 bits_of(u32 bytes) {
    u32 set = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    return ((set >> 7) * 0x01020408u) >> 24 & 15;
}

// Which of sixteen bytes are not zero.
inline u32 bits_of(uint4 bytes) {
    return bits_of(bytes.x) | bits_of(bytes.y) << 4 | bits_of(bytes.z) << 8 | bits_of(bytes.w) << 12;
}

// `mask` is aligned to 16 bytes, `skip` of which come before the first element; `length` counts them too.
extern "C" __global__ void select_masked(const u8 *mask, u32 skip, u64 length, Counters *counters,
                                         u64 *tiles, u32 clean, Unit *array, Unit *dense, i64 *positions, u64 count, const Shape shape) {
    __shared__ u16 local[TILE];
    __shared__ u32 warps[THREADS / 32];
    __shared__ u32 tile_number, is_last;
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    bool alone = gridDim.x == 1;
    if (thread == 0) tile_number = alone ? 0 : atomicAdd(&counters->next, 1u);
    __syncthreads();
    u32 tile = tile_number;
    u64 first = (u64)tile * TILE;

    u64 at = first + thread * BYTES;
    u32 bits = 0;
    if (at < length) bits = bits_of(load16(mask, at, skip, length));
    if (at + 16 < length) bits |= bits_of(load16(mask, at + 16, skip, length)) << 16;

    u32 own = __popc(bits), sum = own;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    u32 total = 0, place = sum - own;
    for (u32 w = 0; w < THREADS / 32; w++) {
        place += w < warp ? warps[w] : 0;
        total += warps[w];
    }

    if (thread == 0 && !alone) *(volatile u64 *)(tiles + tile) = (tile == 0 ? PREFIX : AGGREGATE) | total;
    for (u32 rest = bits; rest; rest &= rest - 1) local[place++] = (u16)(thread * BYTES + __ffs((int)rest) - 1);
    u64 start = alone ? 0 : sum_of_tiles_before<THREADS / 32>(tiles, tile);
    if (thread == 0) {
        is_last = 0;
        if (!alone) {
            if (tile > 0) *(volatile u64 *)(tiles + tile) = PREFIX | (start + total);
            __threadfence();
            is_last = clean && atomicAdd(&counters->done, 1u) == gridDim.x - 1;
        }
    }
    __syncthreads();
    // Counters that others use are left as they were found: zero.
    if (is_last) {
        for (u32 i = thread; i < gridDim.x; i += THREADS) tiles[i] = 0;
        if (thread == 0) counters->next = counters->done = 0;
    }

    // No further than the count in any case: a mask that changed since it was counted must not reach beyond the result.
    u64 room = start < count ? count - start : 0;
    if (room < total) total = (u32)room;
#if ACTION == POSITIONS || ACTION == COORDINATES
    // Nor may positions be left that were never written: others are read by them.
    if (tile == gridDim.x - 1)
        for (u64 i = start + total + thread; i < count; i += THREADS)
            for (int axis = 0; axis < AXES; axis++) positions[(u64)axis * count + i] = 0;
#endif
    for (u32 i = thread; i < total; i += THREADS * 4) {
#if ACTION == COMPRESS || ACTION == EXPAND
        // All reads of a thread are on their way before the first is waited for.
        Unit units[4];
        u64 elements[4];
#pragma unroll
        for (u32 u = 0; u < 4; u++) {
            u32 j = i + u * THREADS < total ? i + u * THREADS : i;
            elements[u] = first + local[j] - skip;
            units[u] = ACTION == COMPRESS ? array[elements[u]] : dense[start + j];
        }
#pragma unroll
        for (u32 u = 0; u < 4; u++) {
            u32 j = i + u * THREADS;
            if (j < total) (ACTION == COMPRESS ? dense[start + j] : array[elements[u]]) = units[u];
        }
#else
#pragma unroll
        for (u32 u = 0; u < 4; u++) {
            u32 j = i + u * THREADS;
            if (j >= total) break;
            u64 element = first + local[j] - skip;
#if ACTION == POSITIONS
            positions[start + j] = (i64)element;
#else
            Index rest = (Index)element;
#pragma unroll
            for (int axis = AXES - 1; axis > 0; axis--) {
                Index next = rest / (Index)shape.length[axis];
                positions[(u64)axis * count + start + j] = (i64)(rest - next * (Index)shape.length[axis]);
                rest = next;
            }
            positions[start + j] = (i64)rest;
#endif
        }
#endif
    }
}
