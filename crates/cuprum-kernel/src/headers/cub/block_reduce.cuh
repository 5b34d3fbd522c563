// cub::BlockReduce and cub::BlockScan: warps first, then their results in order.
#ifndef __CUPRUM_CUB_BLOCK_REDUCE_CUH
#define __CUPRUM_CUB_BLOCK_REDUCE_CUH
#include <cub/warp/warp_reduce.cuh>
namespace cub {
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static const int WARPS = (THREADS + 31) / 32;

public:
    struct TempStorage {
        T of_warps[WARPS];
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }

public:
    __device__ BlockReduce() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockReduce(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    // The result is thread 0's. Threads from num_valid on do not count.
    template <class Op> __device__ T Reduce(T input, Op op, int num_valid) {
        int warp = thread / 32, valid = num_valid - 32 * warp;
        T sum = WarpReduce<T>().Reduce(input, op, valid < 32 ? valid : 32);
        if (thread % 32 == 0) temp.of_warps[warp] = sum;
        __syncthreads();
        if (thread == 0) {
            for (int i = 1; i < WARPS; ++i) {
                if (32 * i < num_valid) sum = op(sum, temp.of_warps[i]);
            }
        }
        return sum;
    }
    template <class Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, THREADS); }
    template <int N, class Op> __device__ T Reduce(T (&inputs)[N], Op op) {
        return Reduce(internal::ThreadReduce(inputs, op), op, THREADS);
    }
    __device__ T Sum(T input) { return Reduce(input, cub::Sum(), THREADS); }
    __device__ T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
    template <int N> __device__ T Sum(T (&inputs)[N]) { return Reduce(inputs, cub::Sum()); }
};

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static const int WARPS = (THREADS + 31) / 32;

public:
    struct TempStorage {
        T of_warps[WARPS];
        T prefix;
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    // The sum up to and with this thread, the sum before it (none for thread 0), and that of all.
    template <class Op> __device__ T scan(T input, T& before, T& aggregate, Op op) {
        int warp = thread / 32, lane = thread % 32;
        typename WarpScan<T>::TempStorage none;
        T through, ahead;
        WarpScan<T>(none).Scan(input, through, ahead, op);
        if (lane == 31 || thread == THREADS - 1) temp.of_warps[warp] = through;
        __syncthreads();
        T sum = temp.of_warps[0], of_others = sum;
        for (int i = 1; i < WARPS; ++i) {
            if (i == warp) of_others = sum;
            sum = op(sum, temp.of_warps[i]);
        }
        aggregate = sum;
        before = ahead;
        if (warp > 0) {
            through = op(of_others, through);
            before = lane == 0 ? of_others : op(of_others, ahead);
        }
        return through;
    }
    // What the callback of the first warp's lanes gives lane 0.
    template <class Callback> __device__ T ask(Callback& callback, T aggregate) {
        if (thread < 32) {
            T prefix = callback(aggregate);
            if (thread == 0) temp.prefix = prefix;
        }
        __syncthreads();
        return temp.prefix;
    }

public:
    __device__ BlockScan() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockScan(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

    // One element a thread. Without an initial value thread 0's exclusive output has none: it is its input.
    template <class Op> __device__ void InclusiveScan(T input, T& output, Op op, T& block_aggregate) {
        T before;
        output = scan(input, before, block_aggregate, op);
    }
    template <class Op> __device__ void InclusiveScan(T input, T& output, Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <class Op, class Callback>
    __device__ void InclusiveScan(T input, T& output, Op op, Callback& callback) {
        T before, aggregate;
        T through = scan(input, before, aggregate, op);
        output = op(ask(callback, aggregate), through);
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& block_aggregate) {
        T before;
        scan(input, before, block_aggregate, op);
        output = thread == 0 ? initial : op(initial, before);
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, Op op) {
        T before, aggregate;
        scan(input, before, aggregate, op);
        output = before;
    }
    template <class Op, class Callback>
    __device__ void ExclusiveScan(T input, T& output, Op op, Callback& callback) {
        T before, aggregate;
        scan(input, before, aggregate, op);
        T prefix = ask(callback, aggregate);
        output = thread == 0 ? prefix : op(prefix, before);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& block_aggregate) {
        T before;
        output = scan(input, before, block_aggregate, cub::Sum());
    }
    template <class Callback> __device__ void InclusiveSum(T input, T& output, Callback& callback) {
        InclusiveScan(input, output, cub::Sum(), callback);
    }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& block_aggregate) {
        ExclusiveScan(input, output, T(0), cub::Sum(), block_aggregate);
    }
    template <class Callback> __device__ void ExclusiveSum(T input, T& output, Callback& callback) {
        ExclusiveScan(input, output, cub::Sum(), callback);
    }

    // Several consecutive elements a thread.
    template <int N, class Op>
    __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T& block_aggregate) {
        T before;
        scan(internal::ThreadReduce(input, op), before, block_aggregate, op);
        T sum = thread == 0 ? input[0] : op(before, input[0]);
        output[0] = sum;
        for (int i = 1; i < N; ++i) {
            sum = op(sum, input[i]);
            output[i] = sum;
        }
    }
    template <int N, class Op> __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <int N, class Op, class Callback>
    __device__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& callback) {
        T before, aggregate;
        scan(internal::ThreadReduce(input, op), before, aggregate, op);
        T prefix = ask(callback, aggregate);
        T sum = thread == 0 ? prefix : op(prefix, before);
        for (int i = 0; i < N; ++i) {
            sum = op(sum, input[i]);
            output[i] = sum;
        }
    }
    template <int N, class Op>
    __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T& block_aggregate) {
        T before;
        scan(internal::ThreadReduce(input, op), before, block_aggregate, op);
        T sum = thread == 0 ? initial : op(initial, before);
        for (int i = 0; i < N; ++i) {
            T element = input[i];
            output[i] = sum;
            sum = op(sum, element);
        }
    }
    template <int N, class Op> __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <int N, class Op, class Callback>
    __device__ void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& callback) {
        T before, aggregate;
        scan(internal::ThreadReduce(input, op), before, aggregate, op);
        T prefix = ask(callback, aggregate);
        T sum = thread == 0 ? prefix : op(prefix, before);
        for (int i = 0; i < N; ++i) {
            T element = input[i];
            output[i] = sum;
            sum = op(sum, element);
        }
    }
    template <int N> __device__ void InclusiveSum(T (&input)[N], T (&output)[N]) {
        InclusiveScan(input, output, cub::Sum());
    }
    template <int N> __device__ void InclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        InclusiveScan(input, output, cub::Sum(), block_aggregate);
    }
    template <int N, class Callback>
    __device__ void InclusiveSum(T (&input)[N], T (&output)[N], Callback& callback) {
        InclusiveScan(input, output, cub::Sum(), callback);
    }
    template <int N> __device__ void ExclusiveSum(T (&input)[N], T (&output)[N]) {
        ExclusiveScan(input, output, T(0), cub::Sum());
    }
    template <int N> __device__ void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        ExclusiveScan(input, output, T(0), cub::Sum(), block_aggregate);
    }
    template <int N, class Callback>
    __device__ void ExclusiveSum(T (&input)[N], T (&output)[N], Callback& callback) {
        ExclusiveScan(input, output, cub::Sum(), callback);
    }
};
}
#endif
