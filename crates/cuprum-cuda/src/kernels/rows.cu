// Copies between dense rows and the rows of a strided array.
//
// Before this text: rows.cuh with its own; `Unit`, what is copied at a time (elements have no meaning here); KEEP, which of
// the rows are written: 0 all, 1 the flagged ones, 2 those whose stamp, a `Stamp`, is the table's.

#define UNITS 4

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
