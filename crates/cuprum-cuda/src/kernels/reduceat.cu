// Reductions of segments along an axis. Result (outer, segment, inside) joins the elements from `starts[segment]` up to the
// next start, or is the first element alone if the next start is not greater.
//
// The text before defines T, Acc, `join` and PARALLEL; where that is 1, the joins can be grouped at will, and scan.cuh
// comes before this text.

struct Lines { u64 outer, length, inner, segments; };

struct Segment { u64 first, step, n; };

inline Segment segment_of(const Lines& lines, const i64* starts, u64 result) {
    u64 inside = result % lines.inner, rest = result / lines.inner;
    u64 number = rest % lines.segments, outer = rest / lines.segments;
    i64 begin = starts[number];
    i64 end = number + 1 < lines.segments ? starts[number + 1] : (i64)lines.length;
    Segment segment;
    segment.first = (outer * lines.length + begin) * lines.inner + inside;
    segment.step = lines.inner;
    segment.n = end > begin ? (u64)(end - begin) : 1;
    return segment;
}

// A thread a result, from left to right.
extern "C" __global__ void __launch_bounds__(256)
reduceat_threads(const T* input, const i64* starts, Lines lines, T* out) {
    u64 result = (u64)blockIdx.x * 256 + threadIdx.x;
    if (result >= lines.outer * lines.segments * lines.inner) return;
    Segment segment = segment_of(lines, starts, result);
    const T* at = input + segment.first;
    Acc total = cast<Acc>(*at);
    for (u64 i = 1; i < segment.n; i++) total = join(total, cast<Acc>(at[i * segment.step]));
    out[result] = cast<T>(total);
}

#if PARALLEL
// Parts of a product may overflow or underflow where the whole does not: then it is taken from left to right.
constexpr bool CHECKS = KIND == 1 && REPAIRS_NONFINITE;

inline Acc join_in_turn(const T* at, u64 step, u64 n) {
    Acc total = widen(*at);
    for (u64 i = 1; i < n; i++) total = join(total, widen(at[i * step]));
    return total;
}

// A block's joined elements from `at` on, each thread's own and then those by halves. `is_sure` tells whether no part of
// a product left the range of its type.
inline Acc join_run(const T* at, u64 step, u64 n, Acc* shared, bool& is_sure) {
    u32 thread = threadIdx.x, bad = 0;
    Acc totals[4] = {nothing(), nothing(), nothing(), nothing()};
    u64 i = thread;
    for (; i + 3 * 256 < n; i += 4 * 256)
#pragma unroll
        for (u32 j = 0; j < 4; j++) totals[j] = join(totals[j], widen(at[(i + j * 256) * step]));
    for (; i < n; i += 256) totals[0] = join(totals[0], widen(at[i * step]));
    if (CHECKS)
        for (u32 j = 0; j < 4; j++) bad |= faults(totals[j]);
    shared[thread] = join(join(totals[0], totals[1]), join(totals[2], totals[3]));
    if (CHECKS) bad |= faults(shared[thread]);
    __syncthreads();
    for (u32 width = 128; width > 0; width /= 2) {
        if (thread < width) {
            shared[thread] = join(shared[thread], shared[thread + width]);
            if (CHECKS) bad |= faults(shared[thread]);
        }
        __syncthreads();
    }
    is_sure = !CHECKS || !__syncthreads_or(bad);
    return shared[0];
}

// A block a result.
extern "C" __global__ void __launch_bounds__(256)
reduceat_blocks(const T* input, const i64* starts, Lines lines, T* out) {
    __shared__ Acc shared[256];
    u64 result = blockIdx.x;
    Segment segment = segment_of(lines, starts, result);
    bool is_sure;
    Acc total = join_run(input + segment.first, segment.step, segment.n, shared, is_sure);
    if (threadIdx.x != 0) return;
    if (!is_sure) total = join_in_turn(input + segment.first, segment.step, segment.n);
    out[result] = cast<T>(total);
}

// A block for each part of `part` elements of a result: few long segments. A part that is not sure is told in `unsure`.
extern "C" __global__ void __launch_bounds__(256)
reduceat_parts(const T* input, const i64* starts, Lines lines, u64 part, u32 parts, Acc* totals, u32* unsure) {
    __shared__ Acc shared[256];
    u64 result = blockIdx.x / parts, from = blockIdx.x % parts * part;
    Segment segment = segment_of(lines, starts, result);
    if (from >= segment.n) return;
    u64 left = segment.n - from;
    const T* at = input + segment.first + from * segment.step;
    bool is_sure;
    Acc total = join_run(at, segment.step, left < part ? left : part, shared, is_sure);
    if (threadIdx.x != 0) return;
    totals[blockIdx.x] = total;
    if (!is_sure) atomicOr(&unsure[result], 1u);
}

// Joins the parts of each result, in order.
extern "C" __global__ void __launch_bounds__(256)
reduceat_finish(const T* input, const i64* starts, Lines lines, u64 part, u32 parts, const Acc* totals,
                const u32* unsure, T* out) {
    u64 result = (u64)blockIdx.x * 256 + threadIdx.x;
    if (result >= lines.outer * lines.segments * lines.inner) return;
    Segment segment = segment_of(lines, starts, result);
    u64 count = (segment.n + part - 1) / part;
    Acc total = totals[result * parts];
    u32 bad = CHECKS ? unsure[result] : 0;
    for (u64 i = 1; i < count; i++) {
        total = join(total, totals[result * parts + i]);
        if (CHECKS) bad |= faults(total);
    }
    if (bad) total = join_in_turn(input + segment.first, segment.step, segment.n);
    out[result] = cast<T>(total);
}
#endif
