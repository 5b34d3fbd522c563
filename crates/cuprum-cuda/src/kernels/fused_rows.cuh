// Rows that are reduced and go on: the threads of a row are as many as for a reduction alone, at most a warp's or a
// whole block.

// A state from the first thread of a group of `width` neighbours, words at a time.
template <class S> S first_word(S state, int width) {
    union Words {
        S state;
        u32 at[(sizeof(S) + 3) / 4];
        Words() {}
    } words;
    words.at[(sizeof(S) + 3) / 4 - 1] = 0;
    words.state = state;
    for (int i = 0; i < (int)((sizeof(S) + 3) / 4); ++i)
        words.at[i] = __shfl_sync(0xffffffffu, words.at[i], 0, width);
    return words.state;
}

struct RowThreads {
    int lanes, lane;
    bool exists;
    Cursor row;
    RowThreads(const Args& args) {
        lanes = WHOLE_BLOCK ? 256 : 1 << args.shift;
        lane = threadIdx.x & (lanes - 1);
        const Index result = (Index)blockIdx.x * (256 >> args.shift) + (threadIdx.x >> args.shift);
        exists = result < args.results;
        row = origin(args);
        if (exists) move_outer(args, result, row);
    }
    int count(const Args& args, Index pack) const { return exists ? pack_count(args, pack) : 0; }
};

// Packs that a thread asks for before it computes the first, where it keeps none.
constexpr int AHEAD = 4;

inline void load_ahead(const Args& args, const RowThreads& threads, Index first, Cursor (&at)[AHEAD],
                       Values (&values)[AHEAD], int (&counts)[AHEAD]) {
    #pragma unroll
    for (int a = 0; a < AHEAD; ++a) {
        const Index pack = first + a * (Index)threads.lanes;
        counts[a] = pack_count(args, pack);
        at[a] = threads.row;
        if (counts[a] > 0) locate(args, pack, at[a]);
        load_part(args, at[a], pack, counts[a], values[a]);
    }
}

inline void load_held(const Args& args, const RowThreads& threads, Values (&values)[HELD]) {
    const Index first = threads.lane, step = threads.lanes;
    if (threads.exists && first + (HELD - 1) * step < args.whole) {
        #pragma unroll
        for (int u = 0; u < HELD; ++u) {
            Cursor at = threads.row;
            locate(args, first + u * step, at);
            load_whole(args, at, first + u * step, values[u]);
        }
        return;
    }
    #pragma unroll
    for (int u = 0; u < HELD; ++u) {
        Cursor at = threads.row;
        const Index pack = first + u * step;
        const int count = threads.count(args, pack);
        if (count > 0) locate(args, pack, at);
        load_part(args, at, pack, count, values[u]);
    }
}

inline void store_held(const Args& args, const RowThreads& threads, const Values (&values)[HELD]) {
    const Index first = threads.lane, step = threads.lanes;
    if (threads.exists && first + (HELD - 1) * step < args.whole) {
        #pragma unroll
        for (int u = 0; u < HELD; ++u) {
            Cursor at = threads.row;
            locate(args, first + u * step, at);
            store_whole(args, at, first + u * step, values[u]);
        }
        return;
    }
    #pragma unroll
    for (int u = 0; u < HELD; ++u) {
        Cursor at = threads.row;
        const Index pack = first + u * step;
        const int count = threads.count(args, pack);
        if (count == 0) continue;
        locate(args, pack, at);
        store_part(args, at, pack, count, values[u]);
    }
}

