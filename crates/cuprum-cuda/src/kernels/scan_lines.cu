// Running results along short lines, a warp a line, and along any axis, a thread a line or a segment of one.
//
// Stands on scan.cuh.

constexpr u32 STEPS = 4;
// Grouping products of complex numbers changes the signs of their zeros, and so does multiplying by one.
constexpr bool SEQUENTIAL = KIND == 1 && is_complex<Acc>;

// A warp for each line of `n` elements; 8 lines a block.
extern "C" __global__ void __launch_bounds__(256) scan_rows(const T* input, T* out, u64 lines, u32 n) {
    u64 line = (u64)blockIdx.x * 8 + (threadIdx.x >> 5);
    if (line >= lines) return;
    u32 lane = threadIdx.x & 31;
    input += line * n;
    out += line * n;
    Acc carry = nothing();
    for (u32 at = 0; at < n; at += 32 * STEPS) {
        Acc items[STEPS];
#pragma unroll
        for (u32 s = 0; s < STEPS; s++) {
            u32 i = at + 32 * s + lane;
            items[s] = i < n ? widen(input[i]) : nothing();
        }
#pragma unroll
        for (u32 s = 0; s < STEPS; s++) {
            u32 i = at + 32 * s + lane;
            Acc result = items[s];
            if (!SEQUENTIAL) result = over_lanes(result, lane);
            u32 bad = SEQUENTIAL ? 1 : 0;
            if (REPAIRS_NONFINITE && !SEQUENTIAL) {
                u32 own = i < n ? faults(result) : 0;
                if (__any_sync(0xffffffffu, own & 1)) bad |= 1;
                if (PARTS == 2 && __any_sync(0xffffffffu, own >> 1)) bad |= 2;
            }
            if (bad == 0) {
                result = join(carry, result);
            } else {
                Acc running = carry;
                for (u32 other = 0; other < 32; other++) {
                    Acc next = from_lane(items[s], other);
                    running = SEQUENTIAL && at + s + other == 0 ? next : join(running, next);
                    if (lane == other) result = running;
                }
            }
            if (i < n) out[i] = narrow(result);
            carry = from_lane(result, 31);
        }
    }
}

// An array as lines of `length` elements that lie `inner` apart, and cut into segments of `part` elements.
struct Lines {
    u64 outer, length, inner;
    u64 part, parts;
};

struct Segment {
    u64 column, first, n;
    bool there;
};

// Thread `i`'s segment: neighbours have neighbouring columns. `column` is the element where its line starts.
inline Segment segment_of(const Lines& lines, u64 i) {
    Segment segment;
    u64 inside = i % lines.inner, rest = i / lines.inner;
    u64 part = rest % lines.parts, outer = rest / lines.parts;
    segment.there = outer < lines.outer;
    segment.first = part * lines.part;
    segment.n = lines.length - segment.first < lines.part ? lines.length - segment.first : lines.part;
    segment.column = outer * lines.length * lines.inner + inside;
    return segment;
}

constexpr u32 AHEAD = 8;

// Calls `each(item, place)` for the elements of a segment in order, several loaded at a time.
template <class Each> void for_segment(const T* input, const Lines& lines, const Segment& segment, Each each) {
    u64 at = segment.column + segment.first * lines.inner, left = segment.n;
    for (; left >= AHEAD; left -= AHEAD) {
        T items[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) items[j] = input[at + j * lines.inner];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) each(items[j], at + j * lines.inner);
        at += AHEAD * lines.inner;
    }
    for (; left > 0; left--, at += lines.inner) each(input[at], at);
}

// The joined elements of each segment.
extern "C" __global__ void __launch_bounds__(256) scan_totals(const T* input, Lines lines, Acc* totals) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    Segment segment = segment_of(lines, i);
    if (!segment.there) return;
    Acc total = nothing();
    for_segment(input, lines, segment, [&](T item, u64) { total = join(total, widen(item)); });
    totals[i] = total;
}

// Puts what precedes each segment in place of its total.
extern "C" __global__ void __launch_bounds__(256) scan_carries(const T* input, Lines lines, Acc* totals) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= lines.outer * lines.inner) return;
    u64 first = i / lines.inner * lines.parts * lines.inner + i % lines.inner;
    Acc carry = nothing();
    for (u64 at = 0; at < lines.parts; at += AHEAD) {
        Acc loaded[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++)
            if (at + j < lines.parts) loaded[j] = totals[first + (at + j) * lines.inner];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            if (at + j >= lines.parts) break;
            u64 place = first + (at + j) * lines.inner;
            totals[place] = carry;
            if (faults(loaded[j])) {
                for_segment(input, lines, segment_of(lines, place),
                            [&](T item, u64) { carry = join(carry, widen(item)); });
            } else {
                carry = join(carry, loaded[j]);
            }
        }
    }
}

// The running results of each segment, behind its carry where there are any.
extern "C" __global__ void __launch_bounds__(256)
scan_segments(const T* input, T* out, Lines lines, const Acc* carries) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    Segment segment = segment_of(lines, i);
    if (!segment.there) return;
    Acc carry = carries ? carries[i] : nothing();
    bool is_first = SEQUENTIAL && segment.first == 0;
    for_segment(input, lines, segment, [&](T item, u64 place) {
        carry = is_first ? widen(item) : join(carry, widen(item));
        is_first = false;
        out[place] = narrow(carry);
    });
}
