// cooperative_groups/reduce.h and scan.h: sums, minima and the like over tiles and coalesced groups.
#ifndef __CUPRUM_COOPERATIVE_GROUPS_REDUCE_H
#define __CUPRUM_COOPERATIVE_GROUPS_REDUCE_H
#include <cooperative_groups.h>
namespace cooperative_groups {

template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int N, class Parent, class T, class Op>
__device__ inline T reduce(const thread_block_tile<N, Parent>& tile, T value, Op op) {
    for (unsigned int step = N / 2; step > 0; step /= 2) value = op(value, tile.shfl_xor(value, step));
    return value;
}
template <class T, class Op> __device__ inline T reduce(const coalesced_group& group, T value, Op op) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(value, rank));
    return result;
}

template <class Group, class T, class Op> __device__ inline T inclusive_scan(const Group& group, T value, Op op) {
    unsigned int rank = group.thread_rank();
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T before = group.shfl_up(value, step);
        if (rank >= step) value = op(before, value);
    }
    return value;
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
// The first thread gets a zero.
template <class Group, class T, class Op> __device__ inline T exclusive_scan(const Group& group, T value, Op op) {
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T(0) : before;
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
#endif
