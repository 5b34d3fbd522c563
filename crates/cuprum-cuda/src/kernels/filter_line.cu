// Filters along one axis: each thread makes one output, reading its window through the cache. Most windows lie inside
// the array, where a step from one element to the next is all there is to compute.
//
// Before this text: LINE_OP, `Out`, `Index`, which numbers the outputs, and filter.cuh with its own.

#define CORRELATE 0   // products in order, the last first
#define SUMS 1        // symmetric weights: sums of pairs
#define DIFFERENCES 2 // antisymmetric ones
#define MEAN 3
#define MINIMUM 4
#define MAXIMUM 5

struct Inside {
    const In *first;
    i64 step;
    Held operator()(i64 k) const { return held(first[k * step]); }
};

struct AtEdge {
    const In *line;
    i64 begin, step, length;
    u32 extension;
    Held fill;
    Held operator()(i64 k) const {
        i64 at = position(begin + k, length, extension);
        return at < 0 ? fill : held(line[at * step]);
    }
};

template <class Read> inline Held folded_window(Read read, const f64 *weights, i64 size) {
#if LINE_OP == CORRELATE
    Held sum = read(size - 1) * weights[size - 1];
#pragma unroll 4
    for (i64 k = 0; k < size - 1; k++) sum += read(k) * weights[k];
    return sum;
#elif LINE_OP == SUMS || LINE_OP == DIFFERENCES
    i64 half = size / 2;
    Held sum = read(half) * weights[half];
#pragma unroll 4
    for (i64 k = 0; k < half; k++) {
        Held a = read(k), b = read(size - 1 - k);
        sum += (LINE_OP == SUMS ? a + b : a - b) * weights[k];
    }
    return sum;
#elif LINE_OP == MEAN
    Held sum = read(0);
#pragma unroll 4
    for (i64 k = 1; k < size; k++) sum += read(k);
    return sum / (f64)size;
#else
    Held best = read(0);
#pragma unroll 4
    for (i64 k = 1; k < size; k++) best = LINE_OP == MINIMUM ? smaller(best, read(k)) : larger(best, read(k));
    return best;
#endif
}

extern "C" __global__ void filter_line(const In *input, Out *out, i64 in_length, i64 out_length, i64 inner, i64 start,
                                       u32 extension, Fill fill, const f64 *weights, i64 size, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Index row = i / (Index)inner, column = i - row * (Index)inner;
    Index line = row / (Index)out_length;
    i64 begin = (i64)(row - line * (Index)out_length) + start;
    const In *elements = input + (i64)line * in_length * inner + column;
    Held result;
    if (begin >= 0 && begin + size <= in_length) {
        result = folded_window(Inside{elements + begin * inner, inner}, weights, size);
    } else {
        AtEdge edge = {elements, begin, inner, in_length, extension, held_fill(fill)};
        result = folded_window(edge, weights, size);
    }
#if KEYS
    out[i] = element_of(result);
#else
    out[i] = narrowed_to<Out>(result);
#endif
}
