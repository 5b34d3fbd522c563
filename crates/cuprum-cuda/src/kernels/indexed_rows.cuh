// Where the rows of a strided array are that index tuples, or numbered positions, point at.
//
// Before this text: `Index`, unsigned, which numbers rows and what is in them; INDICES, the number of index arrays, or 0 for
// positions numbered in C order over FLAT_AXES axes; ROW_AXES, the axes of a row; CHECKED, whether positions are known to lie
// within their axis and not to be negative. Where they are not there is one index array, of `Position`, and deferred_check.cuh
// comes before.

#if CHECKED
typedef i64 Position;
#endif

struct Place {
#if INDICES
    const Position *index[INDICES];
    i64 step[INDICES];
    i64 length[INDICES];
    // Holds something other than zero where a position was beyond its axis; null where that is known not to be.
    const u32 *stop;
#if !CHECKED
    Check check;
#endif
#else
    const i64 *position;
    i64 length[FLAT_AXES];
    i64 step[FLAT_AXES];
#endif
};

struct Row {
    i64 units;
    i64 length[ROW_AXES + 1];
    i64 step[ROW_AXES + 1];
};

// Whether nothing may be written.
inline bool is_stopped(const Place &place) {
#if INDICES
    return place.stop && *place.stop;
#else
    return false;
#endif
}

// The byte offset of row `k`.
inline i64 row_offset(const Place &place, Index k) {
    i64 offset = 0;
#if INDICES
#pragma unroll
    for (int axis = 0; axis < INDICES; axis++) offset += place.index[axis][k] * place.step[axis];
#else
    Index rest = (Index)place.position[k];
#pragma unroll
    for (int axis = FLAT_AXES - 1; axis > 0; axis--) {
        Index length = (Index)place.length[axis], next = rest / length;
        offset += (i64)(rest - next * length) * place.step[axis];
        rest = next;
    }
    offset += (i64)rest * place.step[0];
#endif
    return offset;
}

#if !CHECKED
// The same for a position as the user gave it: one beyond its axis stands for the first element, and `bad` is made the least
// number of such a one.
inline i64 checked_row_offset(const Place &place, Index k, u64 &bad) {
    i64 position = place.index[0][k];
    position += position < 0 ? place.length[0] : 0;
    if ((u64)position >= (u64)place.length[0]) {
        bad = bad < k ? bad : k;
        position = 0;
    }
    return position * place.step[0];
}

// Called by all threads of a block when they have read their positions. Blocks are numbered along x alone.
inline void finish_check(const Place &place, u64 bad) {
    Tickets *tickets = place.check.tickets;
    if (bad != ~0ull) atomicMax(&tickets->worst, ~bad);
    __syncthreads();
    if (threadIdx.x || threadIdx.y) return;
    __threadfence();
    if (atomicAdd(&tickets->blocks, 1u) != gridDim.x - 1) return;
    __threadfence();
    u64 worst = *(volatile u64 *)&tickets->worst;
    publish(place.check, worst, worst ? place.index[0][~worst] : 0, place.length[0]);
}
#endif

// The byte offset of unit `r` of a row.
inline i64 unit_offset(const Row &row, Index r) {
    i64 offset = 0;
#pragma unroll
    for (int axis = ROW_AXES - 1; axis > 0; axis--) {
        Index length = (Index)row.length[axis], next = r / length;
        offset += (i64)(r - next * length) * row.step[axis];
        r = next;
    }
#if ROW_AXES
    offset += (i64)r * row.step[0];
#endif
    return offset;
}
