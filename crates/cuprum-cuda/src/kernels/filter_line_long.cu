// Filters of long windows along one axis, from runs of 1, 2, 4, ... elements: each pass joins two neighbouring runs, so
// that the cost grows with the logarithm of the window. Nothing is ever taken out of a running value: rounding errors do
// not drift, and an infinity or NaN reaches no further than its windows.
//
// Before this text: RUN_OP, `Out`, `Index`, which numbers the elements of the extended lines, and filter.cuh with its own.

#define MEAN 3
#define MINIMUM 4
#define MAXIMUM 5

inline Held joined(Held a, Held b) {
#if RUN_OP == MEAN
    return a + b;
#elif RUN_OP == MINIMUM
    return smaller(a, b);
#else
    return larger(a, b);
#endif
}

// Lines with what lies beyond their ends: `length` elements each, the first at input position `start`.
extern "C" __global__ void extend_lines(const In *input, Held *lines, i64 in_length, i64 length, i64 inner, i64 start,
                                        u32 extension, Fill fill, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Index row = i / (Index)inner, column = i - row * (Index)inner;
    Index line = row / (Index)length;
    i64 at = position((i64)(row - line * (Index)length) + start, in_length, extension);
    lines[i] = at < 0 ? held_fill(fill) : held(input[((i64)line * in_length + at) * inner + column]);
}

// to[i] = runs[i] and runs[i + apart]; what reaches from one line into the next is never looked at. With `single`, one
// more element, `further` on, is joined.
extern "C" __global__ void join_runs(const Held *runs, Held *to, u64 apart, const Held *single, u64 further, u64 total) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total || i + apart >= total) return;
    Held result = joined(runs[i], runs[i + apart]);
    if (single && i + further < total) result = joined(result, single[i + further]);
    to[i] = result;
}

// The first `out_length` elements of every line.
extern "C" __global__ void store_runs(const Held *runs, Out *out, i64 length, i64 out_length, i64 inner, i64 size,
                                      u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Index row = i / (Index)inner, column = i - row * (Index)inner;
    Index line = row / (Index)out_length, place = row - line * (Index)out_length;
    Held result = runs[((i64)line * length + place) * inner + column];
#if KEYS
    out[i] = element_of(result);
#else
    out[i] = narrowed_to<Out>(result / (f64)size);
#endif
}
