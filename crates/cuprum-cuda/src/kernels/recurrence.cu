// Recursive filters along an axis, in direct form II transposed. Lines are cut into segments, a thread each: segments run
// from a state of zero, their states are chained by powers of the transition matrix, and the segments run again from where
// they begin. The chaining goes by groups of segments, so that no thread goes through all of them.
//
// The text before defines T (samples), V (f64 or c128), ORDER, TILED (lines are dense, so that a warp reads them through
// shared memory) and GROUP.

constexpr u32 PARTS_OF_V = is_complex<V> ? 2 : 1;
constexpr u32 SIZE = ORDER * PARTS_OF_V;
constexpr u32 THREADS = 64;

// An array as lines of `length` elements that lie `inner` apart, cut into `parts` segments of `part` elements.
struct Lines {
    u64 outer, length, inner;
    u64 part, parts;
};

#ifdef COMPLEX_STATE
inline f64 part_of(V v, u32 part) { return part == 0 ? v.re : v.im; }
inline void set_part(V& v, u32 part, f64 x) { (part == 0 ? v.re : v.im) = x; }
inline V widen(T x) { return V((f64)x.re, (f64)x.im); }
inline T narrow(V x) { return T((real_of<T>)x.re, (real_of<T>)x.im); }
#else
inline f64 part_of(V v, u32) { return v; }
inline void set_part(V& v, u32, f64 x) { v = x; }
inline V widen(T x) { return (V)x; }
inline T narrow(V x) { return (T)x; }
#endif

inline bool is_finite_float(f64 x) { return (to_bits(x) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull; }

struct State {
    V z[ORDER];

    bool is_finite() const {
        bool finite = true;
        for (u32 i = 0; i < ORDER; i++)
            for (u32 part = 0; part < PARTS_OF_V; part++) finite &= is_finite_float(part_of(z[i], part));
        return finite;
    }
    bool has_nan() const {
        bool nan = false;
        for (u32 i = 0; i < ORDER; i++)
            for (u32 part = 0; part < PARTS_OF_V; part++) nan |= is_nan(part_of(z[i], part));
        return nan;
    }
    void fill(V value) {
        for (u32 i = 0; i < ORDER; i++) z[i] = value;
    }
    void load(const V* from) {
        for (u32 i = 0; i < ORDER; i++) z[i] = from[i];
    }
    void store(V* to) const {
        for (u32 i = 0; i < ORDER; i++) to[i] = z[i];
    }
    V step(V x, const V* b, const V* a) {
        V y = z[0] + b[0] * x;
#pragma unroll(ORDER <= 16 ? ORDER : 1)
        for (u32 i = 0; i + 1 < ORDER; i++) z[i] = (z[i + 1] + b[i + 1] * x) - a[i + 1] * y;
        z[ORDER - 1] = b[ORDER] * x - a[ORDER] * y;
        return y;
    }
};

// A sum of two floats, the second one below the rounding of the first.
struct Pair {
    f64 high, low;
};

inline Pair normal(f64 high, f64 low) {
    f64 sum = high + low;
    return {sum, low - (sum - high)};
}
inline Pair plus(Pair a, Pair b) {
    f64 sum = a.high + b.high, rest = sum - a.high;
    f64 error = (a.high - (sum - rest)) + (b.high - rest);
    return normal(sum, error + (a.low + b.low));
}
inline Pair times(Pair a, Pair b) {
    f64 product = a.high * b.high;
    f64 error = fma(a.high, b.high, -product);
    return normal(product, error + (a.high * b.low + a.low * b.high));
}

// A power of the transition matrix, and whether it may be used.
struct Transition {
    const Pair* entries;
    bool is_finite;

    State apply(const State& state, const State& total) const {
        State next;
        for (u32 i = 0; i < ORDER; i++) {
            for (u32 part = 0; part < PARTS_OF_V; part++) {
                Pair sum = {part_of(total.z[i], part), 0.0};
                const Pair* row = entries + (i * PARTS_OF_V + part) * SIZE;
                for (u32 j = 0; j < SIZE; j++)
                    sum = plus(sum, times(row[j], {part_of(state.z[j / PARTS_OF_V], j % PARTS_OF_V), 0.0}));
                set_part(next.z[i], part, sum.high);
            }
        }
        return next;
    }
};

// Where a segment's first sample lies, its line, and how many samples it has.
struct Segment {
    u64 line, at, n;
};

inline Segment segment_of(const Lines& lines, u64 line, u64 part) {
    u64 first = part * lines.part, left = lines.length - first;
    u64 at = (line / lines.inner * lines.length + first) * lines.inner + line % lines.inner;
    return {line, at, left < lines.part ? left : lines.part};
}

// The samples of a segment in turn: for the seldom cases where states cannot be chained.
inline void run_in_turn(const T* input, const Lines& lines, Segment segment, State& state, const V* b, const V* a) {
    for (u64 i = 0; i < segment.n; i++) state.step(widen(input[segment.at + i * lines.inner]), b, a);
}

// The state after a whole segment that begins with `state` and, from zero, ends with `total`.
inline void carry_over(State& state, const State& total, const Transition& transition, const T* input,
                       const Lines& lines, Segment segment, const V* b, const V* a) {
    if (transition.is_finite && state.is_finite() && total.is_finite()) {
        state = transition.apply(state, total);
    } else if (state.has_nan() && segment.n >= ORDER) {
        // It reaches the output within the segment, and from there every delay.
        state.fill(V(not_a_number<f64>()));
    } else {
        run_in_turn(input, lines, segment, state, b, a);
    }
}

// The matrices of `part` and `part * GROUP` steps, by squaring, and whether they are finite. One block.
extern "C" __global__ void __launch_bounds__(256)
recurrence_powers(const V* a, u32 squarings, u32 group_squarings, Pair* work, Pair* power, Pair* group_power, u32* finite) {
    __shared__ u32 bad;
    Pair *now = work, *next = work + SIZE * SIZE;
    for (u32 at = threadIdx.x; at < SIZE * SIZE; at += 256) {
        u32 row = at / SIZE, column = at % SIZE;
        u32 i = row / PARTS_OF_V, part = row % PARTS_OF_V;
        f64 value = 0.0;
        if (column < PARTS_OF_V) {
            f64 entry = part_of(a[i + 1], part == column ? 0 : 1);
            value = part < column ? entry : -entry;
        }
        if (column == row + PARTS_OF_V) value = 1.0;
        now[at] = {value, 0.0};
    }
    __syncthreads();
    for (u32 round = 0; round < squarings + group_squarings; round++) {
        if (round == squarings)
            for (u32 at = threadIdx.x; at < SIZE * SIZE; at += 256) power[at] = now[at];
        for (u32 at = threadIdx.x; at < SIZE * SIZE; at += 256) {
            u32 row = at / SIZE, column = at % SIZE;
            Pair sum = {0.0, 0.0};
            for (u32 k = 0; k < SIZE; k++) sum = plus(sum, times(now[row * SIZE + k], now[k * SIZE + column]));
            next[at] = sum;
        }
        __syncthreads();
        Pair* last = now;
        now = next;
        next = last;
    }
    for (u32 at = threadIdx.x; at < SIZE * SIZE; at += 256) group_power[at] = now[at];
    __syncthreads();
    for (u32 which = 0; which < 2; which++) {
        if (threadIdx.x == 0) bad = 0;
        __syncthreads();
        const Pair* entries = which == 0 ? power : group_power;
        for (u32 at = threadIdx.x; at < SIZE * SIZE; at += 256)
            if (!is_finite_float(entries[at].high + entries[at].low)) bad = 1;
        __syncthreads();
        if (threadIdx.x == 0) finite[which] = !bad;
        __syncthreads();
    }
}

// Runs the segments of a warp's threads; `each(y, place)` is called with the results. Threads without a segment have one
// of no samples. Dense lines are read by tiles of 32 samples of 32 segments.
template <bool WRITES>
inline void run_segments(const T* input, T* out, const Lines& lines, Segment segment, State& state, const V* b, const V* a) {
#if TILED
    __shared__ T tiles[THREADS / 32][32][33];
    u32 lane = threadIdx.x & 31;
    T(*tile)[33] = tiles[threadIdx.x >> 5];
    for (u64 first = 0; first < lines.part; first += 32) {
        for (u32 other = 0; other < 32; other++) {
            u64 at = __shfl_sync(0xffffffffu, segment.at, other), n = __shfl_sync(0xffffffffu, segment.n, other);
            if (first + lane < n) tile[other][lane] = input[at + first + lane];
        }
        __syncwarp();
        u32 count = segment.n <= first ? 0 : segment.n - first < 32 ? (u32)(segment.n - first) : 32;
        for (u32 i = 0; i < count; i++) {
            V y = state.step(widen(tile[lane][i]), b, a);
            if (WRITES) tile[lane][i] = narrow(y);
        }
        __syncwarp();
        if (WRITES) {
            for (u32 other = 0; other < 32; other++) {
                u64 at = __shfl_sync(0xffffffffu, segment.at, other), n = __shfl_sync(0xffffffffu, segment.n, other);
                if (first + lane < n) out[at + first + lane] = tile[other][lane];
            }
            __syncwarp();
        }
    }
#else
    for (u64 i = 0; i < segment.n; i++) {
        u64 at = segment.at + i * lines.inner;
        V y = state.step(widen(input[at]), b, a);
        if (WRITES) out[at] = narrow(y);
    }
#endif
}

// Thread `i`'s line and part. Neighbours have neighbouring parts of a dense line, else neighbouring lines.
inline bool find_segment(const Lines& lines, u64& line, u64& part) {
    u64 i = (u64)blockIdx.x * THREADS + threadIdx.x, all = lines.outer * lines.inner * lines.parts;
    bool is_there = i < all;
    i = is_there ? i : 0;
#if TILED
    line = i / lines.parts;
    part = i % lines.parts;
#else
    u64 inside = i % lines.inner, rest = i / lines.inner;
    part = rest % lines.parts;
    line = rest / lines.parts * lines.inner + inside;
#endif
    return is_there;
}

// Coefficients are read from shared memory where there is room for them.
#if ORDER <= 1024
inline void load_coefficients(V* b, V* a, const V* from_b, const V* from_a) {
    for (u32 i = threadIdx.x; i <= ORDER; i += blockDim.x) {
        b[i] = from_b[i];
        a[i] = from_a[i];
    }
    __syncthreads();
}
#define COEFFICIENTS(from_b, from_a)             \
    __shared__ V b[ORDER + 1], a[ORDER + 1];     \
    load_coefficients(b, a, from_b, from_a)
#else
#define COEFFICIENTS(from_b, from_a) const V *b = from_b, *a = from_a
#endif

// The state of each segment that begins with a state of zero.
extern "C" __global__ void __launch_bounds__(64)
recurrence_totals(const T* input, Lines lines, const V* from_b, const V* from_a, V* totals) {
    COEFFICIENTS(from_b, from_a);
    u64 line, part;
    bool is_there = find_segment(lines, line, part);
    Segment segment = segment_of(lines, line, part);
    if (!is_there || part + 1 == lines.parts) segment.n = 0;
    State state;
    state.fill(V(0.0));
    run_segments<false>(input, nullptr, lines, segment, state, b, a);
    if (is_there) state.store(totals + (line * lines.parts + part) * ORDER);
}

// The state of each group of segments that begins with a state of zero.
extern "C" __global__ void __launch_bounds__(64)
recurrence_groups(Lines lines, const V* totals, const Pair* power, const u32* finite, V* group_totals) {
    u64 groups = (lines.parts + GROUP - 1) / GROUP, i = (u64)blockIdx.x * THREADS + threadIdx.x;
    if (i >= lines.outer * lines.inner * groups) return;
    u64 line = i / groups, first = i % groups * GROUP;
    Transition transition = {power, finite[0] != 0};
    State state, total;
    state.fill(V(0.0));
    for (u64 part = first; part < first + GROUP && part < lines.parts; part++) {
        total.load(totals + (line * lines.parts + part) * ORDER);
        // What is not finite is noticed when the groups are chained.
        state = transition.apply(state, total);
    }
    state.store(group_totals + i * ORDER);
}

// Puts the state before each group in place of its total.
extern "C" __global__ void __launch_bounds__(64)
recurrence_chain(const T* input, Lines lines, const V* b, const V* a, const V* before, const V* totals,
                 const Pair* power, const Pair* group_power, const u32* finite, V* group_totals) {
    u64 groups = (lines.parts + GROUP - 1) / GROUP, line = (u64)blockIdx.x * THREADS + threadIdx.x;
    if (line >= lines.outer * lines.inner) return;
    Transition transition = {power, finite[0] != 0}, over_group = {group_power, finite[1] != 0};
    State state, total;
    state.load(before + line * ORDER);
    for (u64 group = 0; group < groups; group++) {
        V* place = group_totals + (line * groups + group) * ORDER;
        total.load(place);
        state.store(place);
        if (group + 1 == groups) break;
        if (transition.is_finite && over_group.is_finite && state.is_finite() && total.is_finite()) {
            state = over_group.apply(state, total);
            continue;
        }
        for (u64 part = group * GROUP; part < (group + 1) * GROUP; part++) {
            total.load(totals + (line * lines.parts + part) * ORDER);
            carry_over(state, total, transition, input, lines, segment_of(lines, line, part), b, a);
        }
    }
}

// Puts the state before each segment in place of its total.
extern "C" __global__ void __launch_bounds__(64)
recurrence_carries(const T* input, Lines lines, const V* b, const V* a, const V* group_states, const Pair* power,
                   const u32* finite, V* totals) {
    u64 groups = (lines.parts + GROUP - 1) / GROUP, i = (u64)blockIdx.x * THREADS + threadIdx.x;
    if (i >= lines.outer * lines.inner * groups) return;
    u64 line = i / groups, first = i % groups * GROUP;
    Transition transition = {power, finite[0] != 0};
    State state, total;
    state.load(group_states + i * ORDER);
    for (u64 part = first; part < first + GROUP && part < lines.parts; part++) {
        V* place = totals + (line * lines.parts + part) * ORDER;
        total.load(place);
        state.store(place);
        if (part + 1 < lines.parts)
            carry_over(state, total, transition, input, lines, segment_of(lines, line, part), b, a);
    }
}

// The results of each segment, from the state before it, and the state after each line.
extern "C" __global__ void __launch_bounds__(64)
recurrence_segments(const T* input, T* out, Lines lines, const V* from_b, const V* from_a, const V* states, V* last) {
    COEFFICIENTS(from_b, from_a);
    u64 line, part;
    bool is_there = find_segment(lines, line, part);
    Segment segment = segment_of(lines, line, part);
    if (!is_there) segment.n = 0;
    State state;
    state.load(states + (line * lines.parts + part) * ORDER);
    run_segments<true>(input, out, lines, segment, state, b, a);
    if (is_there && part + 1 == lines.parts) state.store(last + line * ORDER);
}
