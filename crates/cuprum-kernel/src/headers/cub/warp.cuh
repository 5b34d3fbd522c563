// cub::WarpReduce and cub::WarpScan: by shuffles, in the order of lanes.
#ifndef __CUPRUM_CUB_WARP_CUH
#define __CUPRUM_CUB_WARP_CUH
#include <cub/util_type.cuh>
namespace cub {
template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpReduce {
    static_assert(LOGICAL_WARP_THREADS >= 1 && LOGICAL_WARP_THREADS <= 32, "a warp has at most 32 lanes");

    int lane;
    unsigned int mask;

    // Lane i takes in what lies within [i, end).
    template <class Op> __device__ T fold(T value, Op op, int end) {
        for (int step = 1; step < LOGICAL_WARP_THREADS; step *= 2) {
            T other = detail::shuffle_down(mask, value, (unsigned int)step);
            if (lane + step < end) value = op(value, other);
        }
        return value;
    }
    // One beyond the last lane of this lane's segment. Flags mark first lanes, or last ones.
    __device__ int segment_end(bool flag, bool heads) {
        int first = (int)LaneId() - lane;
        unsigned int flags = __ballot_sync(mask, flag) >> first;
        if (heads) flags >>= 1;
        flags = flags >> lane << lane;
        if (LOGICAL_WARP_THREADS < 32) flags &= (1u << (LOGICAL_WARP_THREADS & 31)) - 1u;
        return flags ? __ffs((int)flags) : LOGICAL_WARP_THREADS;
    }

public:
    struct TempStorage {
        int unused;
    };
    __device__ WarpReduce(TempStorage&)
        : lane((int)LaneId() % LOGICAL_WARP_THREADS), mask(detail::lanes_of_group<LOGICAL_WARP_THREADS>()) {}
    __device__ WarpReduce()
        : lane((int)LaneId() % LOGICAL_WARP_THREADS), mask(detail::lanes_of_group<LOGICAL_WARP_THREADS>()) {}

    // The result is lane 0's.
    template <class Op> __device__ T Reduce(T input, Op op) { return fold(input, op, __popc(mask)); }
    template <class Op> __device__ T Reduce(T input, Op op, int valid_items) {
        return fold(input, op, valid_items < __popc(mask) ? valid_items : __popc(mask));
    }
    __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
    __device__ T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
    __device__ T Max(T input) { return Reduce(input, cub::Max()); }
    __device__ T Max(T input, int valid_items) { return Reduce(input, cub::Max(), valid_items); }
    __device__ T Min(T input) { return Reduce(input, cub::Min()); }
    __device__ T Min(T input, int valid_items) { return Reduce(input, cub::Min(), valid_items); }
    template <class Flag, class Op> __device__ T HeadSegmentedReduce(T input, Flag head_flag, Op op) {
        int end = segment_end(head_flag != 0, true);
        return fold(input, op, end < __popc(mask) ? end : __popc(mask));
    }
    template <class Flag, class Op> __device__ T TailSegmentedReduce(T input, Flag tail_flag, Op op) {
        int end = segment_end(tail_flag != 0, false);
        return fold(input, op, end < __popc(mask) ? end : __popc(mask));
    }
    template <class Flag> __device__ T HeadSegmentedSum(T input, Flag head_flag) {
        return HeadSegmentedReduce(input, head_flag, cub::Sum());
    }
    template <class Flag> __device__ T TailSegmentedSum(T input, Flag tail_flag) {
        return TailSegmentedReduce(input, tail_flag, cub::Sum());
    }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpScan {
    static_assert(LOGICAL_WARP_THREADS >= 1 && LOGICAL_WARP_THREADS <= 32, "a warp has at most 32 lanes");

    int lane;
    unsigned int mask;

    template <class Op> __device__ T inclusive(T value, Op op) {
        for (int step = 1; step < LOGICAL_WARP_THREADS; step *= 2) {
            T other = detail::shuffle_up(mask, value, (unsigned int)step);
            if (lane >= step) value = op(other, value);
        }
        return value;
    }
    __device__ T last(T value) { return detail::shuffle(mask, value, (int)LaneId() - lane + __popc(mask) - 1); }

public:
    struct TempStorage {
        int unused;
    };
    __device__ WarpScan(TempStorage&)
        : lane((int)LaneId() % LOGICAL_WARP_THREADS), mask(detail::lanes_of_group<LOGICAL_WARP_THREADS>()) {}

    template <class Op> __device__ void InclusiveScan(T input, T& output, Op op) { output = inclusive(input, op); }
    template <class Op> __device__ void InclusiveScan(T input, T& output, Op op, T& warp_aggregate) {
        output = inclusive(input, op);
        warp_aggregate = last(output);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& warp_aggregate) {
        InclusiveScan(input, output, cub::Sum(), warp_aggregate);
    }
    // Without an initial value lane 0's output has none: it is its input.
    template <class Op> __device__ void ExclusiveScan(T input, T& output, Op op) {
        T before = detail::shuffle_up(mask, inclusive(input, op), 1u);
        output = lane == 0 ? input : before;
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        T before = detail::shuffle_up(mask, inclusive(input, op), 1u);
        output = lane == 0 ? initial : op(initial, before);
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, Op op, T& warp_aggregate) {
        T through = inclusive(input, op);
        T before = detail::shuffle_up(mask, through, 1u);
        warp_aggregate = last(through);
        output = lane == 0 ? input : before;
    }
    template <class Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& warp_aggregate) {
        T through = inclusive(input, op);
        T before = detail::shuffle_up(mask, through, 1u);
        warp_aggregate = last(through);
        output = lane == 0 ? initial : op(initial, before);
    }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& warp_aggregate) {
        ExclusiveScan(input, output, T(0), cub::Sum(), warp_aggregate);
    }
    template <class Op> __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, Op op) {
        inclusive_output = inclusive(input, op);
        T before = detail::shuffle_up(mask, inclusive_output, 1u);
        exclusive_output = lane == 0 ? input : before;
    }
    template <class Op>
    __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, T initial, Op op) {
        T through = inclusive(input, op);
        T before = detail::shuffle_up(mask, through, 1u);
        inclusive_output = op(initial, through);
        exclusive_output = lane == 0 ? initial : op(initial, before);
    }
    __device__ void Sum(T input, T& inclusive_output, T& exclusive_output) {
        Scan(input, inclusive_output, exclusive_output, T(0), cub::Sum());
    }
    __device__ T Broadcast(T input, unsigned int src_lane) {
        return detail::shuffle(mask, input, (int)LaneId() - lane + (int)src_lane);
    }
};
}
#endif
