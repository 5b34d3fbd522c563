// cub::BlockLoad, cub::BlockStore and cub::BlockExchange: which thread holds which elements of a tile. Blocked: each
// thread holds consecutive ones; striped: the threads take turns.
#ifndef __CUPRUM_CUB_BLOCK_LOAD_CUH
#define __CUPRUM_CUB_BLOCK_LOAD_CUH
#include <cub/util_type.cuh>
namespace cub {
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int N, class It> __device__ inline void LoadDirectBlocked(int thread, It from, T (&items)[N]) {
    for (int i = 0; i < N; ++i) items[i] = from[thread * N + i];
}
template <class T, int N, class It>
__device__ inline void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i) {
        if (thread * N + i < valid) items[i] = from[thread * N + i];
    }
}
template <class T, class Default, int N, class It>
__device__ inline void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid, Default otherwise) {
    for (int i = 0; i < N; ++i) items[i] = otherwise;
    LoadDirectBlocked(thread, from, items, valid);
}
template <int THREADS, class T, int N, class It>
__device__ inline void LoadDirectStriped(int thread, It from, T (&items)[N]) {
    for (int i = 0; i < N; ++i) items[i] = from[thread + i * THREADS];
}
template <int THREADS, class T, int N, class It>
__device__ inline void LoadDirectStriped(int thread, It from, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i) {
        if (thread + i * THREADS < valid) items[i] = from[thread + i * THREADS];
    }
}
template <class T, int N, class It> __device__ inline void StoreDirectBlocked(int thread, It to, T (&items)[N]) {
    for (int i = 0; i < N; ++i) to[thread * N + i] = items[i];
}
template <class T, int N, class It>
__device__ inline void StoreDirectBlocked(int thread, It to, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i) {
        if (thread * N + i < valid) to[thread * N + i] = items[i];
    }
}
template <int THREADS, class T, int N, class It>
__device__ inline void StoreDirectStriped(int thread, It to, T (&items)[N]) {
    for (int i = 0; i < N; ++i) to[thread + i * THREADS] = items[i];
}
template <int THREADS, class T, int N, class It>
__device__ inline void StoreDirectStriped(int thread, It to, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i) {
        if (thread + i * THREADS < valid) to[thread + i * THREADS] = items[i];
    }
}

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    int thread;

    __device__ static int place(int thread, int i) {
        return ALGORITHM == BLOCK_LOAD_STRIPED ? thread + i * THREADS : thread * ITEMS_PER_THREAD + i;
    }

public:
    struct TempStorage {
        int unused;
    };
    __device__ BlockLoad() : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockLoad(TempStorage&) : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    template <class It> __device__ void Load(It from, T (&items)[ITEMS_PER_THREAD]) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) items[i] = from[place(thread, i)];
    }
    template <class It> __device__ void Load(It from, T (&items)[ITEMS_PER_THREAD], int valid_items) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
            if (place(thread, i) < valid_items) items[i] = from[place(thread, i)];
        }
    }
    template <class It, class Default>
    __device__ void Load(It from, T (&items)[ITEMS_PER_THREAD], int valid_items, Default oob_default) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
            items[i] = oob_default;
            if (place(thread, i) < valid_items) items[i] = from[place(thread, i)];
        }
    }
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    int thread;

    __device__ static int place(int thread, int i) {
        return ALGORITHM == BLOCK_STORE_STRIPED ? thread + i * THREADS : thread * ITEMS_PER_THREAD + i;
    }

public:
    struct TempStorage {
        int unused;
    };
    __device__ BlockStore() : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockStore(TempStorage&) : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    template <class It> __device__ void Store(It to, T (&items)[ITEMS_PER_THREAD]) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) to[place(thread, i)] = items[i];
    }
    template <class It> __device__ void Store(It to, T (&items)[ITEMS_PER_THREAD], int valid_items) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
            if (place(thread, i) < valid_items) to[place(thread, i)] = items[i];
        }
    }
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static const int N = ITEMS_PER_THREAD;

public:
    struct TempStorage {
        T tile[THREADS * ITEMS_PER_THREAD];
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    // Element i of this thread, among the elements of its warp.
    __device__ int in_warp(int i) const { return thread / 32 * 32 * N + thread % 32 + i * width(); }
    __device__ int width() const {
        int lanes = THREADS - thread / 32 * 32;
        return lanes < 32 ? lanes : 32;
    }

public:
    __device__ BlockExchange() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockExchange(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

// __CUPRUM_EXCHANGE(name, where an element goes, where it comes from) makes both forms.
#define __CUPRUM_EXCHANGE(Name, put, take)                                                                  \
    template <class Out> __device__ void Name(T (&input)[ITEMS_PER_THREAD], Out (&output)[ITEMS_PER_THREAD]) { \
        for (int i = 0; i < N; ++i) temp.tile[put] = input[i];                                              \
        __syncthreads();                                                                                    \
        for (int i = 0; i < N; ++i) output[i] = temp.tile[take];                                            \
        __syncthreads();                                                                                    \
    }                                                                                                       \
    __device__ void Name(T (&items)[ITEMS_PER_THREAD]) { Name(items, items); }
    __CUPRUM_EXCHANGE(StripedToBlocked, thread + i * THREADS, thread * N + i)
    __CUPRUM_EXCHANGE(BlockedToStriped, thread * N + i, thread + i * THREADS)
    __CUPRUM_EXCHANGE(WarpStripedToBlocked, in_warp(i), thread * N + i)
    __CUPRUM_EXCHANGE(BlockedToWarpStriped, thread * N + i, in_warp(i))
#undef __CUPRUM_EXCHANGE

#define __CUPRUM_SCATTER(Name, take)                                                                        \
    template <class Out, class Rank>                                                                        \
    __device__ void Name(T (&input)[ITEMS_PER_THREAD], Out (&output)[ITEMS_PER_THREAD],                     \
                         Rank (&ranks)[ITEMS_PER_THREAD]) {                                                 \
        for (int i = 0; i < N; ++i) temp.tile[ranks[i]] = input[i];                                         \
        __syncthreads();                                                                                    \
        for (int i = 0; i < N; ++i) output[i] = temp.tile[take];                                            \
        __syncthreads();                                                                                    \
    }                                                                                                       \
    template <class Rank>                                                                                   \
    __device__ void Name(T (&items)[ITEMS_PER_THREAD], Rank (&ranks)[ITEMS_PER_THREAD]) {                   \
        Name(items, items, ranks);                                                                          \
    }
    __CUPRUM_SCATTER(ScatterToBlocked, thread * N + i)
    __CUPRUM_SCATTER(ScatterToStriped, thread + i * THREADS)
#undef __CUPRUM_SCATTER
};
}
#endif
