// Integers with bounds of their own. An element's draws come after those of the elements before it. A guess makes them all at
// once, as if each took one unit, and finds the first that does not. From there on one warp walks, 32 elements at a time: it
// judges as if no draw were passed over, keeps what stands before the first that is, and judges the rest again. BITS is
// the width of the units: below 32 they are parts of draws of 32 bits.

struct State {
    u64 element;   // The elements that are done,
    u64 position;  // the units or, from 32 bits on, words that they took,
    u64 waiting;   // and the half word that waits, from 32 bits on.
    u64 half;
    u64 first;     // The first element that a guess got wrong.
};

struct Bounds {
    u64 offset, span;
};

inline Bounds bounds_at(const u64* offsets, const u64* spans, u64 i, u64 n) {
    return i < n ? Bounds{offsets[i], spans[i]} : Bounds{0, 0};
}

inline u32 lanes_before(u32 lane) { return (1u << lane) - 1; }
inline u32 last_lane(u32 lanes) { return 31 - __clz(lanes); }

template <class U> bool judged_in(U unit, u64 span, u64& value) {
    u64 most = (U)~(U)0;
    if (span >= most) return judged(unit, 0, 0, value);
    return judged(unit, span + 1, (most - span) % (span + 1), value);
}

#if BITS < 32
constexpr u32 PARTS = 32 / BITS;

inline bool guessed(const Words& stream, const State& state, u64 ahead, u64 span, u64& value) {
    u64 unit = state.position + ahead, place = unit / PARTS + stream.shift;
    Block block = block_at(stream, place / 8);
    u32 draw = (u32)(word_of_block(block, place / 2 % 4) >> (32 * (place % 2)));
    u32 part = draw >> (BITS * (u32)(unit % PARTS));
    if (BITS == 1) {
        value = part & 1;
        return span != 0;
    }
    return span != 0 && judged_in((T)part, span, value);
}

extern "C" __global__ void random_between(const Words stream, T* out, u64 n, u64 most, const u64* offsets,
                                          const u64* spans, State* state, u32 waiting, u32 half, u64* moved) {
    __shared__ u32 buffer[256];
    u32 lane = threadIdx.x, chunks = chunks_of_warp(stream);
    u64 start = state->first, stop = n - start < most ? n : start + most;
    u64 unit = state->position + (start - state->element), from = 0, end = 0;
    Bounds next = bounds_at(offsets, spans, start + lane, n);
    for (u64 base = start; base < stop; base += 32) {
        Bounds bounds = next;
        next = bounds_at(offsets, spans, base + 32 + lane, n);
        u64 value = 0;
        u32 pending = __ballot_sync(0xffffffffu, bounds.span != 0);
        while (pending) {
            if ((unit + 31) / PARTS >= end) {
                u64 chunk = unit / PARTS / 8;
                u32 draws[8];
                chunk_draws(stream, chunk + lane, draws);
                __syncwarp();
                if (lane < chunks) {
                    for (int i = 0; i < 8; i++) buffer[8 * lane + i] = draws[i];
                }
                __syncwarp();
                from = 8 * chunk, end = from + 8 * chunks;
            }
            bool mine = pending >> lane & 1;
            u64 number = unit + __popc(pending & lanes_before(lane)), trial = 0;
            u32 part = buffer[number / PARTS - from] >> (BITS * (u32)(number % PARTS));
            bool counts = true;
#if BITS == 1
            trial = part & 1;
#else
            counts = judged_in((T)part, bounds.span, trial);
#endif
            u32 refused = __ballot_sync(0xffffffffu, mine && !counts);
            u32 done = refused ? pending & lanes_before(__ffs(refused) - 1) : pending;
            if (done >> lane & 1) value = trial;
            unit += __popc(done) + (refused != 0);
            pending &= ~done;
        }
#if BITS == 1
        if (base + lane < stop) out[base + lane] = (bounds.span ? value : bounds.offset) != 0;
#else
        if (base + lane < stop) out[base + lane] = (T)(bounds.offset + value);
#endif
    }
    __syncwarp();
    if (lane == 0) {
        *state = State{stop, unit, waiting, half, n};
        if (stop == n) report_moved(stream, unit, PARTS, waiting, half, moved);
    }
}
#else
// Elements whose span fits 32 bits take a half word, the others a word. The stream is one of words; half words that
// wait are kept beside it.
inline u64 word_at(const Words& stream, u64 number) {
    u64 place = number + stream.shift / 2;
    return word_of_block(block_at(stream, place / 4), place % 4);
}

inline bool guessed(const Words& stream, const State& state, u64 ahead, u64 span, u64& value) {
    u32 draw = (u32)state.half;
    if (ahead >= state.waiting) {
        u64 fresh = ahead - state.waiting;
        draw = (u32)(word_at(stream, state.position + fresh / 2) >> (32 * (fresh % 2)));
    }
    return span != 0 && span >> 32 == 0 && judged_in(draw, span, value);
}

extern "C" __global__ void random_between(const Words stream, T* out, u64 n, u64 most, const u64* offsets,
                                          const u64* spans, State* state, u32, u32, u64* moved) {
    __shared__ u64 buffer[128];
    u32 lane = threadIdx.x, chunks = chunks_of_warp(stream);
    u64 start = state->first, stop = n - start < most ? n : start + most, guessed = start - state->element;
    u64 word = state->position, from = 0, end = 0;
    u32 waiting = (u32)state->waiting, half = (u32)state->half;
    if (guessed > 0) {
        u64 fresh = guessed - waiting;
        word += (fresh + 1) / 2;
        if (fresh > 0) half = (u32)(word_at(stream, word - 1) >> 32);
        waiting = fresh % 2;
    }
    Bounds next = bounds_at(offsets, spans, start + lane, n);
    for (u64 base = start; base < stop; base += 32) {
        Bounds bounds = next;
        next = bounds_at(offsets, spans, base + 32 + lane, n);
        bool wide = sizeof(T) == 8 && bounds.span >> 32;
        u32 wides = __ballot_sync(0xffffffffu, wide), pending = __ballot_sync(0xffffffffu, bounds.span != 0);
        u64 value = 0;
        while (pending) {
            if (word + 32 > end) {
                u64 chunk = word / 4;
                u32 draws[8];
                chunk_draws(stream, chunk + lane, draws);
                __syncwarp();
                if (lane < chunks) {
                    for (int i = 0; i < 4; i++) buffer[4 * lane + i] = word_of_draws(draws, i);
                }
                __syncwarp();
                from = 4 * chunk, end = from + 4 * chunks;
            }
            bool mine = pending >> lane & 1;
            u32 narrow = pending & ~wides, before = lanes_before(lane);
            // How many half words the lanes before this one use, less the one that was left over.
            i32 fresh = __popc(narrow & before) - (i32)waiting;
            u32 place = __popc(pending & wides & before) + (fresh > 0 ? (fresh + 1) / 2 : 0);
            u32 narrow_before = narrow & before;
            u32 of_last = __shfl_sync(0xffffffffu, place, narrow_before ? last_lane(narrow_before) : 0);
            // The upper half belongs to the word that the last narrow lane drew, whatever words came between.
            bool upper = !wide && fresh > 0 && fresh % 2 == 1;
            u64 drawn = buffer[word - from + (upper ? of_last : place)], trial = 0;
            u32 part = fresh < 0 ? half : (u32)(upper ? drawn >> 32 : drawn);
            bool counts = wide ? judged_in((u64)drawn, bounds.span, trial) : judged_in((u32)part, bounds.span, trial);
            u32 refused = __ballot_sync(0xffffffffu, mine && !counts);
            u32 done = refused ? pending & lanes_before(__ffs(refused) - 1) : pending;
            u32 used = refused ? done | (refused & (0u - refused)) : pending;
            if (done >> lane & 1) value = trial;
            narrow = used & ~wides;
            fresh = __popc(narrow) - (i32)waiting;
            word += __popc(used & wides) + (fresh > 0 ? (fresh + 1) / 2 : 0);
            u32 last_upper = __shfl_sync(0xffffffffu, (u32)(drawn >> 32), narrow ? last_lane(narrow) : 0);
            if (narrow) {
                waiting = fresh > 0 ? fresh & 1 : 0;
                if (fresh > 0) half = last_upper;
            }
            pending &= ~done;
        }
        if (base + lane < stop) out[base + lane] = (T)(bounds.offset + value);
    }
    __syncwarp();
    if (lane == 0) {
        *state = State{stop, word, waiting, half, n};
        if (stop == n) moved[0] = word, moved[1] = waiting, moved[2] = half;
    }
}
#endif

// Makes the elements that are not done, one unit each; says which is the first to take another number of them.
extern "C" __global__ void random_between_guess(const Words stream, T* out, u64 n, const u64* offsets, const u64* spans,
                                                State* state) {
    State now = *state;
    u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 i = now.element + (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        u64 value = 0;
        if (!guessed(stream, now, i - now.element, spans[i], value)) {
            atomicMin(&state->first, i);
            break;
        }
#if BITS == 1
        out[i] = value != 0;
#else
        out[i] = (T)(offsets[i] + value);
#endif
    }
}
