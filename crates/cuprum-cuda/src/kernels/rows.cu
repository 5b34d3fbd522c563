// Copies between dense rows and the rows of a strided array that index tuples, or numbered positions, point at.
//
// Before this text: `Unit`, what is copied at a time (elements have no meaning here); `Index`, unsigned, which numbers
// the units; INDICES, the number of index arrays, or 0 for positions numbered in C order over FLAT_AXES axes; ROW_AXES,
// the axes of a row; KEEP, which of the rows are written: 0 all, 1 the flagged ones, 2 those whose stamp is the table's.

#define UNITS 4

struct Place {
#if INDICES
    const i64 *index[INDICES];
    i64 step[INDICES];
    i64 length[INDICES];
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

extern "C" __global__ void gather_rows(const char *source, char *out, const Place place, const Row row, u64 total) {
    Index first = (Index)blockIdx.x * (blockDim.x * UNITS) + threadIdx.x;
    Unit units[UNITS];
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        Index i = first + u * blockDim.x;
        if (i >= total) break;
#if ROW_AXES
        Index k = i / (Index)row.units;
        i64 offset = row_offset(place, k) + unit_offset(row, i - k * (Index)row.units);
#else
        i64 offset = row_offset(place, i);
#endif
        units[u] = *(const Unit *)(source + offset);
    }
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        Index i = first + u * blockDim.x;
        if (i < total) ((Unit *)out)[i] = units[u];
    }
}

extern "C" __global__ void scatter_rows(char *target, const char *values, u64 value_step, const Place place,
                                        const Row row, u64 total, const u8 *kept, const Stamp *table) {
    Index first = (Index)blockIdx.x * (blockDim.x * UNITS) + threadIdx.x;
#pragma unroll
    for (int u = 0; u < UNITS; u++) {
        Index i = first + u * blockDim.x;
        if (i >= total) break;
#if ROW_AXES
        Index k = i / (Index)row.units, r = i - k * (Index)row.units;
#else
        Index k = i, r = 0;
#endif
#if KEEP == 1
        if (!kept[k]) continue;
#elif KEEP == 2
        u64 position = 0;
#pragma unroll
        for (int axis = 0; axis < INDICES; axis++)
            position = position * (u64)place.length[axis] + (u64)place.index[axis][k];
        if (table[position] != (Stamp)(k + 1)) continue;
#endif
        const Unit *value = (const Unit *)(values + (u64)k * value_step) + r;
        *(Unit *)(target + row_offset(place, k) + unit_offset(row, r)) = *value;
    }
}
