// Products of integer and bool matrices by tiles in shared memory. Sums wrap around, so that their order is free: a long
// sum of a small result is cut into parts. T is the element's type, `Sum` the word that sums are computed in.

typedef wide_word<T> Sum;

constexpr int TILE = 64, DEPTH = 16, THREADS = 256, EACH = 4;

struct Geometry {
    u64 rows, columns, inner;
    // Elements from one row and one column to the next.
    i64 left[2], right[2];
    // The batch: the lengths of its axes and the elements from one matrix to the next.
    u64 lengths[4];
    i64 left_steps[4], right_steps[4];
    u64 batches;
    // Into how many parts sums are cut, and how long each is.
    u64 parts, part;
};

inline void add_product(Sum &sum, Sum x, Sum y) {
    if constexpr (same<T, bool8>) sum |= x & y;
    else sum += x * y;
}

// Results of the whole sums go into `out`, those of parts into `parts`: [part][batch][row][column].
extern "C" __global__ void matmul_integers(const T *left, const T *right, T *out, Sum *parts, Geometry g) {
    __shared__ Sum lefts[DEPTH][TILE + 1];
    __shared__ Sum rights[DEPTH][TILE + 1];
    const u64 down = (g.rows + TILE - 1) / TILE, across = (g.columns + TILE - 1) / TILE;
    const u64 tiles = down * across * g.batches * g.parts;
    const int x = threadIdx.x % (TILE / EACH), y = threadIdx.x / (TILE / EACH);
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        u64 rest = tile;
        const u64 left_edge = rest % across * TILE;
        rest /= across;
        const u64 top = rest % down * TILE;
        rest /= down;
        const u64 batch = rest % g.batches, part = rest / g.batches;
        i64 left_start = 0, right_start = 0;
        u64 position = batch;
        for (int axis = 3; axis >= 0; axis--) {
            const u64 along = position % g.lengths[axis];
            position /= g.lengths[axis];
            left_start += (i64)along * g.left_steps[axis];
            right_start += (i64)along * g.right_steps[axis];
        }
        const u64 begin = part * g.part, end = begin + g.part < g.inner ? begin + g.part : g.inner;
        Sum sums[EACH][EACH];
        for (int i = 0; i < EACH; i++) {
            for (int j = 0; j < EACH; j++) sums[i][j] = 0;
        }
        for (u64 deep = begin; deep < end; deep += DEPTH) {
            for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
                // Neighbouring threads read along the axis of the smaller step.
                const bool by_rows = g.left[1] <= g.left[0];
                const int row = by_rows ? i / DEPTH : i % TILE, depth = by_rows ? i % DEPTH : i / TILE;
                const bool inside = top + row < g.rows && deep + depth < end;
                const i64 at = left_start + (i64)(top + row) * g.left[0] + (i64)(deep + depth) * g.left[1];
                lefts[depth][row] = inside ? (Sum)left[at] : 0;
            }
            for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
                const bool by_rows = g.right[1] <= g.right[0];
                const int column = by_rows ? i % TILE : i / DEPTH, depth = by_rows ? i / TILE : i % DEPTH;
                const bool inside = left_edge + column < g.columns && deep + depth < end;
                const i64 at =
                    right_start + (i64)(deep + depth) * g.right[0] + (i64)(left_edge + column) * g.right[1];
                rights[depth][column] = inside ? (Sum)right[at] : 0;
            }
            __syncthreads();
            for (int depth = 0; depth < DEPTH; depth++) {
                Sum across_row[EACH];
                for (int j = 0; j < EACH; j++) across_row[j] = rights[depth][x + j * (TILE / EACH)];
                for (int i = 0; i < EACH; i++) {
                    const Sum factor = lefts[depth][y + i * (TILE / EACH)];
                    for (int j = 0; j < EACH; j++) add_product(sums[i][j], factor, across_row[j]);
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < EACH; i++) {
            const u64 row = top + y + i * (TILE / EACH);
            for (int j = 0; j < EACH; j++) {
                const u64 column = left_edge + x + j * (TILE / EACH);
                if (row >= g.rows || column >= g.columns) continue;
                const u64 at = (batch * g.rows + row) * g.columns + column;
                if (g.parts == 1) out[at] = (T)sums[i][j];
                else parts[part * g.batches * g.rows * g.columns + at] = sums[i][j];
            }
        }
    }
}

// Adds the parts of each sum.
extern "C" __global__ void matmul_parts(const Sum *parts, T *out, u64 size, u64 count) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += step) {
        Sum sum = 0;
        for (u64 part = 0; part < count; part++) {
            const Sum x = parts[part * size + at];
            if constexpr (same<T, bool8>) sum |= x;
            else sum += x;
        }
        out[at] = (T)sum;
    }
}
