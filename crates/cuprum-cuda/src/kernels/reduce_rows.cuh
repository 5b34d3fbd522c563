// Reductions along rows: what a thread makes of its packs. Packs of a row are numbered; a thread takes every STEP-th.
// Runs of RUN packs are reduced on their own before they join the thread's total. All of this, and so the result's
// last bit, depends on the counts alone.

constexpr int RUN = 8;
constexpr int STATES = Reducer::SPREADS ? N : 1;

template <int COUNT> inline void join_all(State (&to)[COUNT], const State (&from)[COUNT]) {
    #pragma unroll
    for (int i = 0; i < COUNT; ++i) to[i] = Reducer::join(to[i], from[i]);
}

inline void take_pack(State (&states)[STATES], const Values& values, int count) {
    #pragma unroll
    for (int j = 0; j < N; ++j)
        if (j < count) take(states[j % STATES], values, j);
}

// Takes packs `start`, `start + step`, ...: UNROLL of them, those at `end` and beyond left out.
inline void take_packs(
    const Args& args, const Fixed& fixed, const Cursor& row, Index start, Index step, Index end, State (&states)[STATES]) {
    const Index whole = end < args.whole ? end : args.whole;
    if (start + (UNROLL - 1) * step < whole) {
        Cursor at[UNROLL];
        Values values[UNROLL];
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            at[u] = row;
            locate(args, start + u * step, at[u]);
            load_whole(args, at[u], start + u * step, values[u]);
        }
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            compute(args, fixed, values[u]);
            store_whole(args, at[u], start + u * step, values[u]);
            take_pack(states, values[u], N);
        }
        return;
    }
    #pragma unroll 1
    for (int u = 0; u < UNROLL; ++u) {
        const Index pack = start + u * step;
        if (pack >= end) return;
        const int count = pack_count(args, pack);
        Cursor at = row;
        Values values;
        locate(args, pack, at);
        load_part(args, at, pack, count, values);
        compute(args, fixed, values);
        store_part(args, at, pack, count, values);
        take_pack(states, values, count);
    }
}

// The state of packs `first`, `first + step`, ... below `end` of a row.
inline State row_total(const Args& args, const Fixed& fixed, const Cursor& row, Index first, Index step, Index end) {
    State total[STATES];
    #pragma unroll
    for (int i = 0; i < STATES; ++i) total[i] = Reducer::neutral();
    #pragma unroll 1
    for (Index base = first; base < end; base += RUN * step) {
        State run[STATES];
        #pragma unroll
        for (int i = 0; i < STATES; ++i) run[i] = Reducer::SPREADS ? Reducer::neutral() : total[i];
        #pragma unroll 1
        for (int u = 0; u < RUN && base + u * step < end; u += UNROLL)
            take_packs(args, fixed, row, base + u * step, step, end, run);
        if (Reducer::SPREADS) join_all(total, run);
        else total[0] = run[0];
    }
    #pragma unroll
    for (int i = 1; i < STATES; ++i) total[0] = Reducer::join(total[0], total[i]);
    return Reducer::settled(total[0]);
}
