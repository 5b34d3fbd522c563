// Filters along one axis by short windows: a thread makes RUN outputs that follow each other along the axis, from elements
// that it reads, and converts, once. Weights come with the launch.
//
// Before this text: SIZE, the length of the window; LINE_OP and `Out` as for filter_line.cu; `Index`, which numbers the runs;
// filter.cuh with its own.

#define CORRELATE 0
#define SUMS 1
#define DIFFERENCES 2
#define MEAN 3
#define MINIMUM 4
#define MAXIMUM 5

#define RUN 4
#define SEEN (SIZE + RUN - 1)
#define THREADS 256

struct Weights {
    f64 of[SIZE];
};

// What becomes of the windows that begin at the first RUN of the elements.
inline void fold_run(const Held (&x)[SEEN], const Weights &weights, Held (&result)[RUN]) {
#pragma unroll
    for (int j = 0; j < RUN; j++) {
#if LINE_OP == CORRELATE
        Held sum = x[j + SIZE - 1] * weights.of[SIZE - 1];
#pragma unroll
        for (int k = 0; k < SIZE - 1; k++) sum += x[j + k] * weights.of[k];
        result[j] = sum;
#elif LINE_OP == SUMS || LINE_OP == DIFFERENCES
        Held sum = x[j + SIZE / 2] * weights.of[SIZE / 2];
#pragma unroll
        for (int k = 0; k < SIZE / 2; k++) {
            Held a = x[j + k], b = x[j + SIZE - 1 - k];
            sum += (LINE_OP == SUMS ? a + b : a - b) * weights.of[k];
        }
        result[j] = sum;
#elif LINE_OP == MEAN
        Held sum = x[j];
#pragma unroll
        for (int k = 1; k < SIZE; k++) sum += x[j + k];
        result[j] = sum / (f64)SIZE;
#else
        Held best = x[j];
#pragma unroll
        for (int k = 1; k < SIZE; k++) best = LINE_OP == MINIMUM ? smaller(best, x[j + k]) : larger(best, x[j + k]);
        result[j] = best;
#endif
    }
}

inline Out stored(Held x) {
#if KEYS
    return element_of(x);
#else
    return narrowed_to<Out>(x);
#endif
}

// Along any axis but the last: threads side by side have columns side by side.
extern "C" __global__ void filter_across(const In *input, Out *out, i64 in_length, i64 out_length, i64 inner, i64 start,
                                         u32 extension, Fill fill, const Weights weights, u64 total) {
    Index i = (Index)blockIdx.x * THREADS + threadIdx.x;
    if (i >= total) return;
    Index row = i / (Index)inner, column = i - row * (Index)inner;
    Index runs = (Index)((out_length + RUN - 1) / RUN), line = row / runs;
    i64 first = (i64)(row - line * runs) * RUN, begin = first + start;
    const In *elements = input + (i64)line * in_length * inner + column;
    Held x[SEEN], result[RUN];
    if (begin >= 0 && begin + SEEN <= in_length) {
        const In *element = elements + begin * inner;
#pragma unroll
        for (int k = 0; k < SEEN; k++) x[k] = held(element[k * inner]);
    } else {
#pragma unroll
        for (int k = 0; k < SEEN; k++) {
            i64 at = position(begin + k, in_length, extension);
            x[k] = at < 0 ? held_fill(fill) : held(elements[at * inner]);
        }
    }
    fold_run(x, weights, result);
    Out *to = out + ((i64)line * out_length + first) * inner + column;
#pragma unroll
    for (int j = 0; j < RUN; j++)
        if (first + j < out_length) to[j * inner] = stored(result[j]);
}

// Where an element stands in shared memory: a gap after every run keeps threads that read their own runs on different
// banks.
inline u32 spread(u32 at) { return at + at / RUN; }

// Along the last axis: a block brings its part of a line into shared memory, with what lies beyond the ends.
extern "C" __global__ void filter_along(const In *input, Out *out, i64 in_length, i64 out_length, i64 start,
                                        u32 extension, Fill fill, const Weights weights, u32 parts) {
    constexpr u32 made = THREADS * RUN, seen = made + SIZE - 1;
    __shared__ Held tile[seen + seen / RUN + 1];
    u32 line = blockIdx.x / parts;
    i64 first = (i64)(blockIdx.x - line * parts) * made, begin = first + start;
    const In *elements = input + (i64)line * in_length;
    bool inside = begin >= 0 && begin + seen <= in_length;
#pragma unroll
    for (u32 turn = 0; turn < (seen + THREADS - 1) / THREADS; turn++) {
        u32 at = turn * THREADS + threadIdx.x;
        if (at >= seen) break;
        if (inside) {
            tile[spread(at)] = held(elements[begin + at]);
        } else {
            i64 there = position(begin + at, in_length, extension);
            tile[spread(at)] = there < 0 ? held_fill(fill) : held(elements[there]);
        }
    }
    __syncthreads();
    Held x[SEEN], result[RUN];
    const Held *own = tile + threadIdx.x * (RUN + 1);
#pragma unroll
    for (int k = 0; k < SEEN; k++) x[k] = own[k + k / RUN];
    fold_run(x, weights, result);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < RUN; j++) tile[threadIdx.x * (RUN + 1) + j] = result[j];
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < RUN; turn++) {
        u32 at = turn * THREADS + threadIdx.x;
        if (first + at < out_length) out[(i64)line * out_length + first + at] = stored(tile[spread(at)]);
    }
}
