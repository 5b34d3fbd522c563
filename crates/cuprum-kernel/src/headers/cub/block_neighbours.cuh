// cub::BlockDiscontinuity, BlockAdjacentDifference, BlockShuffle and BlockHistogram: elements and those beside them.
#ifndef __CUPRUM_CUB_BLOCK_NEIGHBOURS_CUH
#define __CUPRUM_CUB_BLOCK_NEIGHBOURS_CUH
#include <cub/util_type.cuh>
namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {
// The first and the last element of every thread.
template <class T, int THREADS> struct Ends {
    T first[THREADS];
    T last[THREADS];
};
}

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

public:
    struct TempStorage {
        detail::Ends<T, THREADS> ends;
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    template <int N> __device__ void share(T (&input)[N]) {
        temp.ends.first[thread] = input[0];
        temp.ends.last[thread] = input[N - 1];
        __syncthreads();
    }
    // The first element of all has a head, the last one a tail, unless one beside it is given.
    template <int N, class Flag, class Op>
    __device__ void heads(Flag (&flags)[N], T (&input)[N], Op op, bool has_before, T before) {
        flags[0] = (Flag)(thread > 0 ? op(temp.ends.last[thread > 0 ? thread - 1 : 0], input[0])
                                     : has_before ? op(before, input[0]) : true);
        for (int i = 1; i < N; ++i) flags[i] = (Flag)op(input[i - 1], input[i]);
    }
    template <int N, class Flag, class Op>
    __device__ void tails(Flag (&flags)[N], T (&input)[N], Op op, bool has_after, T after) {
        int next = thread < THREADS - 1 ? thread + 1 : thread;
        flags[N - 1] = (Flag)(thread < THREADS - 1 ? op(input[N - 1], temp.ends.first[next])
                                                   : has_after ? op(input[N - 1], after) : true);
        for (int i = 0; i < N - 1; ++i) flags[i] = (Flag)op(input[i], input[i + 1]);
    }

public:
    __device__ BlockDiscontinuity()
        : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockDiscontinuity(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    template <int N, class Flag, class Op> __device__ void FlagHeads(Flag (&flags)[N], T (&input)[N], Op op) {
        share(input);
        heads(flags, input, op, false, input[0]);
    }
    template <int N, class Flag, class Op>
    __device__ void FlagHeads(Flag (&flags)[N], T (&input)[N], Op op, T tile_predecessor_item) {
        share(input);
        heads(flags, input, op, true, tile_predecessor_item);
    }
    template <int N, class Flag, class Op> __device__ void FlagTails(Flag (&flags)[N], T (&input)[N], Op op) {
        share(input);
        tails(flags, input, op, false, input[0]);
    }
    template <int N, class Flag, class Op>
    __device__ void FlagTails(Flag (&flags)[N], T (&input)[N], Op op, T tile_successor_item) {
        share(input);
        tails(flags, input, op, true, tile_successor_item);
    }
    template <int N, class Flag, class Op>
    __device__ void FlagHeadsAndTails(Flag (&head_flags)[N], Flag (&tail_flags)[N], T (&input)[N], Op op) {
        share(input);
        heads(head_flags, input, op, false, input[0]);
        tails(tail_flags, input, op, false, input[0]);
    }
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

public:
    struct TempStorage {
        detail::Ends<T, THREADS> ends;
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    template <int N> __device__ void share(T (&input)[N]) {
        temp.ends.first[thread] = input[0];
        temp.ends.last[thread] = input[N - 1];
        __syncthreads();
    }

public:
    __device__ BlockAdjacentDifference()
        : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockAdjacentDifference(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    // The first element of all, or the last one, stays as it is.
    template <int N, class Out, class Op> __device__ void SubtractLeft(T (&input)[N], Out (&output)[N], Op op) {
        share(input);
        for (int i = N - 1; i > 0; --i) output[i] = op(input[i], input[i - 1]);
        if (thread > 0) output[0] = op(input[0], temp.ends.last[thread - 1]);
        else output[0] = input[0];
    }
    template <int N, class Out, class Op>
    __device__ void SubtractLeft(T (&input)[N], Out (&output)[N], Op op, T tile_predecessor_item) {
        share(input);
        for (int i = N - 1; i > 0; --i) output[i] = op(input[i], input[i - 1]);
        output[0] = op(input[0], thread > 0 ? temp.ends.last[thread > 0 ? thread - 1 : 0] : tile_predecessor_item);
    }
    template <int N, class Out, class Op> __device__ void SubtractRight(T (&input)[N], Out (&output)[N], Op op) {
        share(input);
        for (int i = 0; i < N - 1; ++i) output[i] = op(input[i], input[i + 1]);
        if (thread < THREADS - 1) output[N - 1] = op(input[N - 1], temp.ends.first[thread + 1]);
        else output[N - 1] = input[N - 1];
    }
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

public:
    struct TempStorage {
        T held[THREADS];
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }

public:
    __device__ BlockShuffle() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockShuffle(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    // What the thread `distance` further on has; outputs without one stay as they are.
    __device__ void Offset(T input, T& output, int distance = 1) {
        temp.held[thread] = input;
        __syncthreads();
        int from = thread + distance;
        if (from >= 0 && from < THREADS) output = temp.held[from];
    }
    __device__ void Rotate(T input, T& output, unsigned int distance = 1) {
        temp.held[thread] = input;
        __syncthreads();
        output = temp.held[((unsigned int)thread + distance) % (unsigned int)THREADS];
    }
    // Elements move by one place: the first one, or the last one, stays.
    template <int N> __device__ void Up(T (&input)[N], T (&prev)[N]) {
        temp.held[thread] = input[N - 1];
        __syncthreads();
        for (int i = N - 1; i > 0; --i) prev[i] = input[i - 1];
        if (thread > 0) prev[0] = temp.held[thread - 1];
    }
    // All threads get the last element of all.
    template <int N> __device__ void Up(T (&input)[N], T (&prev)[N], T& block_suffix) {
        Up(input, prev);
        block_suffix = temp.held[THREADS - 1];
    }
    template <int N> __device__ void Down(T (&input)[N], T (&next)[N]) {
        temp.held[thread] = input[0];
        __syncthreads();
        for (int i = 0; i < N - 1; ++i) next[i] = input[i + 1];
        if (thread < THREADS - 1) next[N - 1] = temp.held[thread + 1];
    }
    // All threads get the first element of all.
    template <int N> __device__ void Down(T (&input)[N], T (&next)[N], T& block_prefix) {
        Down(input, next);
        block_prefix = temp.held[0];
    }
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    int thread;

public:
    struct TempStorage {
        int unused;
    };
    __device__ BlockHistogram() : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockHistogram(TempStorage&) : thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    template <class Count> __device__ void InitHistogram(Count (&histogram)[BINS]) {
        for (int i = thread; i < BINS; i += THREADS) histogram[i] = 0;
    }
    template <class Count> __device__ void Composite(T (&items)[ITEMS_PER_THREAD], Count (&histogram)[BINS]) {
        for (int i = 0; i < ITEMS_PER_THREAD; ++i) atomicAdd(&histogram[items[i]], (Count)1);
    }
    template <class Count> __device__ void Histogram(T (&items)[ITEMS_PER_THREAD], Count (&histogram)[BINS]) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
};
}
#endif
