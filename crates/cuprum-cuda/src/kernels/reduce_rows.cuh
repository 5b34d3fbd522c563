// Reductions along rows: what a thread makes of its packs. Packs of a row are numbered; a thread takes every STEP-th.
// Runs of RUN packs are reduced on their own before they join the thread's total. All of this, and so the result's
// last bit, depends on the counts alone.

constexpr int RUN = 8;
static_assert(RUN % UNROLL == 0, "a run ends with the packs that are taken together");

inline void take_pack(Totals& totals, const Values& values, int count) {
    #pragma unroll
    for (int j = 0; j < N; ++j)
        if (j < count) totals.take(values, j);
}

// Takes packs `start`, `start + step`, ...: UNROLL of them, those at `end` and beyond left out.
inline void take_packs(
    const Args& args, const Fixed& fixed, const Cursor& row, Index start, Index step, Index end, Totals& totals) {
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
            take_pack(totals, values[u], N);
        }
        return;
    }
    // The last packs of a row are on their way together, too.
    Cursor at[UNROLL];
    Values values[UNROLL];
    int counts[UNROLL];
    #pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        const Index pack = start + u * step;
        counts[u] = pack < end ? pack_count(args, pack) : 0;
        at[u] = row;
        if (counts[u] > 0) locate(args, pack, at[u]);
        load_part(args, at[u], pack, counts[u], values[u]);
    }
    #pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        if (counts[u] == 0) return;
        compute(args, fixed, values[u]);
        store_part(args, at[u], start + u * step, counts[u], values[u]);
        take_pack(totals, values[u], counts[u]);
    }
}

// The state of packs `first`, `first + step`, ... below `end` of a row.
inline State row_total(const Args& args, const Fixed& fixed, const Cursor& row, Index first, Index step, Index end) {
    Totals total;
    total.clear();
    #pragma unroll 1
    for (Index base = first; base < end; base += RUN * step) {
        Totals run;
        run.start(total);
        #pragma unroll 1
        for (int u = 0; u < RUN && base + u * step < end; u += UNROLL)
            take_packs(args, fixed, row, base + u * step, step, end, run);
        total.close(run);
    }
    return total.settled();
}
