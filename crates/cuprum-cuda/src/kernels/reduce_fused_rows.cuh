// The reductions of one walk over a row, grouped as each is alone (reduce_rows.cuh).

constexpr int RUN = 8;

inline void take_pack(Totals& totals, const Values& values, int count) {
    #pragma unroll
    for (int j = 0; j < N; ++j)
        if (j < count) totals.take(values, j);
}

// The state of the packs that a thread keeps: they are one run.
inline State held_total(const Args& args, const RowThreads& threads, const Values (&values)[HELD]) {
    static_assert(HELD <= RUN, "one run");
    Totals total, run;
    total.clear();
    run.start(total);
    #pragma unroll
    for (int u = 0; u < HELD; ++u)
        take_pack(run, values[u], threads.count(args, threads.lane + u * (Index)threads.lanes));
    total.close(run);
    return total.settled();
}

// The state of a thread's packs, which it reads and computes once more.
inline State walked_total(
    const Args& args, const Fixed& fixed, const RowValues& w, const RowThreads& threads) {
    Totals total;
    total.clear();
    if (!threads.exists) return total.settled();
    const Index step = threads.lanes;
    #pragma unroll 1
    for (Index base = threads.lane; base < args.packs; base += RUN * step) {
        Totals run;
        run.start(total);
        #pragma unroll 1
        for (int u = 0; u < RUN && base + u * step < args.packs; u += AHEAD) {
            Cursor at[AHEAD];
            Values values[AHEAD];
            int counts[AHEAD];
            load_ahead(args, threads, base + u * step, at, values, counts);
            #pragma unroll
            for (int a = 0; a < AHEAD; ++a) {
                if (counts[a] == 0) break;
                elements(args, fixed, w, values[a]);
                take_pack(run, values[a], counts[a]);
            }
        }
        total.close(run);
    }
    return total.settled();
}

// The states of a row's threads joined as a tree; every thread of the row gets the whole.
inline State whole(const RowThreads& threads, State total) {
    if (!WHOLE_BLOCK) {
        #pragma unroll 1
        for (int offset = threads.lanes / 2; offset > 0; offset /= 2)
            total = join(total, shuffled_down(total, offset, threads.lanes));
        return shuffled_first(total, threads.lanes);
    }
    __shared__ State warps[8];
    __shared__ State first;
    #pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2)
        total = join(total, shuffled_down(total, offset, 32));
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x < 32) {
        total = threadIdx.x < 8 ? warps[threadIdx.x] : neutral();
        #pragma unroll 1
        for (int offset = 4; offset > 0; offset /= 2)
            total = join(total, shuffled_down(total, offset, 32));
        if (threadIdx.x == 0) first = total;
    }
    __syncthreads();
    return first;
}
