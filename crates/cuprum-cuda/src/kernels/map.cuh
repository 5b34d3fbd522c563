// Elementwise programs: every thread takes UNROLL packs that lie a block apart. All of a thread's elements are
// read before the first is written, so that an output may be an input's own memory.

inline void walk(const Args& args, u32 block) {
    const Fixed fixed = load_fixed(args);
    const Index start = (Index)block * (256 * UNROLL), first = start + threadIdx.x;
    const bool whole = start + 256 * UNROLL <= args.whole;
    Cursor at[UNROLL];
    Values values[UNROLL];
    #pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        at[u] = origin(args);
        locate(args, first + u * 256, at[u]);
    }
    if (whole) {
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) load_whole(args, at[u], first + u * 256, values[u]);
    } else {
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            load_part(args, at[u], first + u * 256, pack_count(args, first + u * 256), values[u]);
    }
    #pragma unroll
    for (int u = 0; u < UNROLL; ++u) compute(args, fixed, values[u]);
    if (whole) {
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u) store_whole(args, at[u], first + u * 256, values[u]);
    } else {
        #pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            store_part(args, at[u], first + u * 256, pack_count(args, first + u * 256), values[u]);
    }
}
