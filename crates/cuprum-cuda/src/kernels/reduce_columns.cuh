// Reductions down columns: threads side by side have results side by side, N each; the threads below each other in
// a block take every `down`-th row of the block's segment. The last block of a tile to arrive joins the tile's
// segments in their order.

constexpr int RUN = 8;
static_assert(RUN % UNROLL == 0, "a run ends with the rows that are taken together");

// Takes UNROLL rows `start`, `start + step`, ... of the columns at a cursor; those at `end` and beyond are left out.
inline void take_rows(
    const Args& args, const Fixed& fixed, const Cursor& column, Index start, Index step, Index end, Totals& totals) {
    if (start + (UNROLL - 1) * step < end) {
        Cursor at[UNROLL];
        Values values[UNROLL];
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            at[u] = column;
            move_outer(args, start + u * step, at[u]);
            load_whole(args, at[u], 0, values[u]);
        }
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            compute(args, fixed, values[u]);
            store_whole(args, at[u], 0, values[u]);
            #pragma unroll
            for (int j = 0; j < N; ++j) totals.take(values[u], j);
        }
        return;
    }
    #pragma unroll 1
    for (int u = 0; u < UNROLL; ++u) {
        const Index row = start + u * step;
        if (row >= end) return;
        Cursor at = column;
        Values values;
        move_outer(args, row, at);
        load_whole(args, at, 0, values);
        compute(args, fixed, values);
        store_whole(args, at, 0, values);
        #pragma unroll
        for (int j = 0; j < N; ++j) totals.take(values, j);
    }
}

// The states of the rows `first`, `first + step`, ... below `end` of the columns at a cursor.
inline void column_totals(
    const Args& args, const Fixed& fixed, const Cursor& column, Index first, Index step, Index end, State (&states)[N]) {
    Totals total;
    total.clear();
    #pragma unroll 1
    for (Index base = first; base < end; base += RUN * step) {
        Totals run;
        run.start(total);
        #pragma unroll 1
        for (int u = 0; u < RUN && base + u * step < end; u += UNROLL)
            take_rows(args, fixed, column, base + u * step, step, end, run);
        total.close(run);
    }
    #pragma unroll
    for (int j = 0; j < N; ++j) states[j] = total.settled(j);
}

// The states of threads below each other joined as a tree; those of the first row of threads have the whole.
inline void join_down(State (&total)[N], int across, int down) {
    __shared__ State states[N * 256];
    #pragma unroll 1
    for (int half = down / 2; half > 0; half /= 2) {
        __syncthreads();
        #pragma unroll
        for (int j = 0; j < N; ++j) states[j * 256 + threadIdx.x] = total[j];
        __syncthreads();
        if ((int)threadIdx.x < half * across) {
            #pragma unroll
            for (int j = 0; j < N; ++j)
                total[j] = join(total[j], states[j * 256 + threadIdx.x + half * across]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(256, UNROLL > 1 ? 4 : 2) program(Args args) {
    const Fixed fixed = load_fixed(args);
    const int across = 1 << args.shift, down = 256 >> args.shift;
    const int x = threadIdx.x & (across - 1), y = threadIdx.x >> args.shift;
    const Index tile = blockIdx.x % args.tiles, segment = blockIdx.x / args.tiles;
    const Index pack = tile * across + x;
    const bool exists = pack < args.packs;
    const Index start = segment * args.span, stop = start + args.span;
    const Index end = stop < args.count ? stop : args.count;
    Cursor column = origin(args);
    move_inner(args, pack, column);
    State total[N];
    #pragma unroll
    for (int j = 0; j < N; ++j) total[j] = neutral();
    if (exists) column_totals(args, fixed, column, start + y, down, end, total);
    join_down(total, across, down);
    const bool writes = exists && y == 0;
    if (args.segments == 1) {
        if (writes) {
            #pragma unroll
            for (int j = 0; j < N; ++j) finish(args, column, j, total[j]);
        }
        return;
    }
    State* partials = (State*)args.scratch + pack * N;
    __shared__ bool is_last;
    if (writes) {
        #pragma unroll
        for (int j = 0; j < N; ++j) partials[segment * args.results + j] = total[j];
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&args.tickets[tile], 1u) == args.segments - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    #pragma unroll
    for (int j = 0; j < N; ++j) total[j] = neutral();
    if (exists) {
        for (Index s = y; s < args.segments; s += down) {
            #pragma unroll
            for (int j = 0; j < N; ++j)
                total[j] = join(total[j], read_partial(partials + (s * args.results + j)));
        }
    }
    join_down(total, across, down);
    if (writes) {
        #pragma unroll
        for (int j = 0; j < N; ++j) finish(args, column, j, total[j]);
    }
    if (threadIdx.x == 0) args.tickets[tile] = 0;
}
