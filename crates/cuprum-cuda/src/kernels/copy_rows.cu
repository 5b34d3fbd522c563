// Copies between dense rows and the rows of a strided array.
//
// Before this text: indexed_rows.cuh with its own; `Unit`, what is copied at a time (elements have no meaning here); KEEP, which of
// the rows are written: 0 all, 1 the flagged ones, 2 those whose stamp, a `Stamp`, is the table's.

#define UNITS_PER_THREAD 4

#if CHECKED
#define ROW_OFFSET(k) row_offset(place, k)
#define FINISH_CHECK()
#else
#define ROW_OFFSET(k) checked_row_offset(place, k, bad)
#define FINISH_CHECK() finish_check(place, bad)
#endif

// Units beyond the last one are read as the last one is, and not written: so that all reads of a thread are on their way
// before the first is waited for.

extern "C" __global__ void gather_rows(const char *source, char *out, const Place place, const Row row, u64 total) {
    const Index last = (Index)(total - 1), chunk = blockDim.x * UNITS_PER_THREAD;
    u64 bad = ~0ull;
    for (Index start = (Index)blockIdx.x * chunk; start <= last; start += gridDim.x * chunk) {
        Index first = start + threadIdx.x;
        i64 offset[UNITS_PER_THREAD];
        Unit units[UNITS_PER_THREAD];
#pragma unroll
        for (int u = 0; u < UNITS_PER_THREAD; u++) {
            Index i = first + u * blockDim.x;
            i = i < last ? i : last;
#if ROW_AXES
            Index k = i / (Index)row.units;
            offset[u] = ROW_OFFSET(k) + unit_offset(row, i - k * (Index)row.units);
#else
            offset[u] = ROW_OFFSET(i);
#endif
        }
#pragma unroll
        for (int u = 0; u < UNITS_PER_THREAD; u++) units[u] = *(const Unit *)(source + offset[u]);
#pragma unroll
        for (int u = 0; u < UNITS_PER_THREAD; u++) {
            Index i = first + u * blockDim.x;
            if (i <= last) ((Unit *)out)[i] = units[u];
        }
    }
    FINISH_CHECK();
}

#if ROW_AXES
// Where neighbours in memory belong to different rows, a tile of them is transposed in shared memory: threads side by side read
// from rows side by side, and write to one row.
extern "C" __global__ void gather_transposed(const char *source, char *out, const Place place, const Row row, u64 rows) {
    __shared__ Unit tile[32][33];
    Index units = (Index)row.units, across = (units + 31) / 32;
    Index down = blockIdx.x / across;
    Index k = down * 32 + threadIdx.x, r = (blockIdx.x - down * across) * 32;
    u64 bad = ~0ull;
    if (k < rows) {
        i64 start = ROW_OFFSET(k);
        for (u32 y = threadIdx.y; y < 32 && r + y < units; y += 8)
            tile[y][threadIdx.x] = *(const Unit *)(source + start + unit_offset(row, r + y));
    }
    FINISH_CHECK();
    __syncthreads();
    Index unit = r + threadIdx.x;
    if (unit >= units) return;
    for (u32 y = threadIdx.y; y < 32 && down * 32 + y < rows; y += 8)
        ((Unit *)out)[(down * 32 + y) * units + unit] = tile[threadIdx.x][y];
}
#endif

extern "C" __global__ void scatter_rows(char *target, const char *values, u64 value_step, const Place place,
                                        const Row row, u64 total, const u8 *kept, const Stamp *table) {
    if (is_stopped(place)) return;
    Index first = (Index)blockIdx.x * (blockDim.x * UNITS_PER_THREAD) + threadIdx.x, last = (Index)(total - 1);
    i64 offset[UNITS_PER_THREAD];
    Unit units[UNITS_PER_THREAD];
    bool writes[UNITS_PER_THREAD];
#pragma unroll
    for (int u = 0; u < UNITS_PER_THREAD; u++) {
        Index i = first + u * blockDim.x;
        writes[u] = i <= last;
        i = i < last ? i : last;
#if ROW_AXES
        Index k = i / (Index)row.units, r = i - k * (Index)row.units;
#else
        Index k = i, r = 0;
#endif
#if KEEP == 1
        writes[u] = writes[u] && kept[k];
#elif KEEP == 2
        u64 position = 0;
#pragma unroll
        for (int axis = 0; axis < INDICES; axis++)
            position = position * (u64)place.length[axis] + (u64)place.index[axis][k];
        writes[u] = writes[u] && table[position] == (Stamp)(k + 1);
#endif
        offset[u] = row_offset(place, k) + unit_offset(row, r);
        units[u] = ((const Unit *)(values + (u64)k * value_step))[r];
    }
#pragma unroll
    for (int u = 0; u < UNITS_PER_THREAD; u++)
        if (writes[u]) *(Unit *)(target + offset[u]) = units[u];
}
