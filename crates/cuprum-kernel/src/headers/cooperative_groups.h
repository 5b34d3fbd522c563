// cooperative_groups.h: the block, the grid, tiles of a warp, and lanes that happen to run together.
#ifndef __CUPRUM_COOPERATIVE_GROUPS_H
#define __CUPRUM_COOPERATIVE_GROUPS_H
namespace cooperative_groups {

namespace __cuprum {
__device__ inline unsigned int rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned int lane() { return rank_in_block() & 31u; }
__device__ inline unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
// The number of the lane that is the `rank`th of a mask.
__device__ inline int lane_of(unsigned int mask, unsigned int rank) {
    for (unsigned int i = 0; i < rank; ++i) mask &= mask - 1u;
    return __ffs((int)mask) - 1;
}
#ifndef __CUPRUM_CPU__
__device__ unsigned int arrived, generation;
#endif
__device__ inline void sync_grid() {
#ifdef __CUPRUM_CPU__
    __cuprum_grid_sync();
#else
    __syncthreads();
    if (rank_in_block() == 0) {
        __threadfence();
        unsigned int before = *(volatile unsigned int*)&generation;
        if (atomicAdd(&arrived, 1u) == gridDim.x * gridDim.y * gridDim.z - 1u) {
            arrived = 0;
            __threadfence();
            atomicAdd(&generation, 1u);
        } else {
            while (*(volatile unsigned int*)&generation == before) __nanosleep(40);
        }
        __threadfence();
    }
    __syncthreads();
#endif
}
}  // namespace __cuprum

struct thread_block {
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned int thread_rank() { return __cuprum::rank_in_block(); }
    __device__ static unsigned int size() { return __cuprum::threads_of_block(); }
    __device__ static unsigned int num_threads() { return __cuprum::threads_of_block(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

struct grid_group {
    __device__ static void sync() { __cuprum::sync_grid(); }
    __device__ static bool is_valid() { return true; }
    __device__ static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * __cuprum::threads_of_block() + __cuprum::rank_in_block();
    }
    __device__ static unsigned long long size() { return num_blocks() * __cuprum::threads_of_block(); }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

#if defined(__CUPRUM_CPU__) || __CUDA_ARCH__ >= 900
// The blocks of a cluster: those that `__cluster_dims__` puts together, or the block alone.
struct cluster_group {
    __device__ static void sync() {
        barrier_arrive();
        barrier_wait();
    }
    // The first half of sync: on the CPU all of it is in the second.
    __device__ static void barrier_arrive() { __cluster_barrier_arrive(); }
    __device__ static void barrier_wait() { __cluster_barrier_wait(); }
    __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    __device__ static dim3 dim_blocks() { return __clusterDim(); }
    __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    __device__ static unsigned int thread_rank() {
        return block_rank() * __cuprum::threads_of_block() + __cuprum::rank_in_block();
    }
    __device__ static dim3 thread_index() {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    __device__ static dim3 dim_threads() {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    __device__ static unsigned int num_threads() { return num_blocks() * __cuprum::threads_of_block(); }
    __device__ static unsigned int size() { return num_threads(); }
    // An address in the shared memory of the block, as that of another block of the cluster, and whose an address is.
    template <class T> __device__ static T* map_shared_rank(T* address, int rank) {
        return (T*)__cluster_map_shared_rank(address, (unsigned int)rank);
    }
    __device__ static unsigned int query_shared_rank(const void* address) {
        return __cluster_query_shared_rank(address);
    }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }
#endif

// Lanes of one warp, ranked by their numbers.
struct coalesced_group {
    unsigned int mask;
    unsigned int meta_rank, meta_size;
    __device__ coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int size = 1)
        : mask(lanes), meta_rank(rank), meta_size(size) {}
    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned int size() const { return (unsigned int)__popc(mask); }
    __device__ unsigned int num_threads() const { return (unsigned int)__popc(mask); }
    __device__ unsigned int thread_rank() const { return (unsigned int)__popc(mask & ((1u << __cuprum::lane()) - 1u)); }
    __device__ unsigned int meta_group_rank() const { return meta_rank; }
    __device__ unsigned int meta_group_size() const { return meta_size; }
    template <class T> __device__ T shfl(T value, unsigned int rank) const {
        return __shfl_sync(mask, value, __cuprum::lane_of(mask, rank % size()));
    }
    template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return __shfl_sync(mask, value, __cuprum::lane_of(mask, rank < delta ? rank : rank - delta));
    }
    template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return __shfl_sync(mask, value, __cuprum::lane_of(mask, rank + delta < size() ? rank + delta : rank));
    }
    __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask, predicate); }
    __device__ unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask, predicate)); }
    template <class T> __device__ unsigned int match_any(T value) const { return packed(__match_any_sync(mask, value)); }
    template <class T> __device__ unsigned int match_all(T value, int& same) const {
        return packed(__match_all_sync(mask, value, &same));
    }
    // Bits of lanes as bits of ranks.
    __device__ unsigned int packed(unsigned int lanes) const {
        unsigned int result = 0, left = mask;
        for (unsigned int rank = 0; left != 0; ++rank, left &= left - 1u) {
            if (lanes & left & (0u - left)) result |= 1u << rank;
        }
        return result;
    }
};
// Which lanes run together is not said: a lane alone is a right answer, and one that needs no other to come.
__device__ inline coalesced_group coalesced_threads() {
#ifdef __CUPRUM_CPU__
    return coalesced_group(1u << __cuprum::lane());
#else
    return coalesced_group(__activemask());
#endif
}

template <unsigned int N, class Parent> struct thread_block_tile;
// What a tile is a part of: the block, or a larger tile.
template <class Parent> struct __cuprum_parent {
    __device__ static unsigned int rank() { return __cuprum::rank_in_block(); }
    __device__ static unsigned int size() { return __cuprum::threads_of_block(); }
};
template <unsigned int M, class Parent> struct __cuprum_parent<thread_block_tile<M, Parent>> {
    __device__ static unsigned int rank() { return __cuprum::rank_in_block() & (M - 1); }
    __device__ static unsigned int size() { return M; }
};
template <unsigned int N, class Parent = void> struct thread_block_tile {
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads here");
    thread_block_tile() = default;
    template <class Other> __device__ thread_block_tile(const thread_block_tile<N, Other>&) {}
    __device__ static unsigned int mask() { return (N == 32 ? ~0u : (1u << (N & 31)) - 1u) << (__cuprum::lane() & ~(N - 1)); }
    __device__ static void sync() { __syncwarp(mask()); }
    __device__ static unsigned int thread_rank() { return __cuprum::rank_in_block() & (N - 1); }
    __device__ static constexpr unsigned int size() { return N; }
    __device__ static constexpr unsigned int num_threads() { return N; }
    __device__ static unsigned int meta_group_rank() { return __cuprum_parent<Parent>::rank() / N; }
    __device__ static unsigned int meta_group_size() { return (__cuprum_parent<Parent>::size() + N - 1) / N; }
    template <class T> __device__ static T shfl(T value, int rank) { return __shfl_sync(mask(), value, rank, (int)N); }
    template <class T> __device__ static T shfl_up(T value, unsigned int delta) {
        return __shfl_up_sync(mask(), value, delta, (int)N);
    }
    template <class T> __device__ static T shfl_down(T value, unsigned int delta) {
        return __shfl_down_sync(mask(), value, delta, (int)N);
    }
    template <class T> __device__ static T shfl_xor(T value, unsigned int bits) {
        return __shfl_xor_sync(mask(), value, (int)bits, (int)N);
    }
    __device__ static int any(int predicate) { return __any_sync(mask(), predicate); }
    __device__ static int all(int predicate) { return __all_sync(mask(), predicate); }
    __device__ static unsigned int ballot(int predicate) { return shifted(__ballot_sync(mask(), predicate)); }
    template <class T> __device__ static unsigned int match_any(T value) {
        return shifted(__match_any_sync(mask(), value));
    }
    template <class T> __device__ static unsigned int match_all(T value, int& same) {
        return shifted(__match_all_sync(mask(), value, &same));
    }
    __device__ static unsigned int shifted(unsigned int lanes) { return (lanes & mask()) >> (__cuprum::lane() & ~(N - 1)); }
};
template <unsigned int N, class Group> __device__ inline thread_block_tile<N, Group> tiled_partition(const Group&) {
    return thread_block_tile<N, Group>();
}

// Any of the groups, known when the kernel runs: a block, or lanes of one warp.
struct thread_group {
    unsigned int mask;
    bool whole_block;
    __device__ thread_group(const thread_block&) : mask(0), whole_block(true) {}
    __device__ thread_group(const coalesced_group& group) : mask(group.mask), whole_block(false) {}
    template <unsigned int N, class Parent>
    __device__ thread_group(const thread_block_tile<N, Parent>& tile) : mask(tile.mask()), whole_block(false) {}
    __device__ void sync() const {
        if (whole_block) {
            __syncthreads();
        } else {
            __syncwarp(mask);
        }
    }
    __device__ unsigned int size() const { return whole_block ? __cuprum::threads_of_block() : (unsigned int)__popc(mask); }
    __device__ unsigned int num_threads() const { return size(); }
    __device__ unsigned int thread_rank() const {
        if (whole_block) return __cuprum::rank_in_block();
        return (unsigned int)__popc(mask & ((1u << __cuprum::lane()) - 1u));
    }
};
__device__ inline thread_group tiled_partition(const thread_block&, unsigned int size) {
    unsigned int lanes = size == 32 ? ~0u : (1u << (size & 31u)) - 1u;
    return thread_group(coalesced_group(lanes << (__cuprum::lane() & ~(size - 1u))));
}

template <class Group> __device__ inline void sync(const Group& group) { group.sync(); }
template <class Group> __device__ inline unsigned int thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __device__ inline unsigned int group_size(const Group& group) { return group.size(); }

// The lanes of a group that have the same label.
template <unsigned int N, class Parent, class T>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<N, Parent>& tile, T label) {
    return coalesced_group(__match_any_sync(tile.mask(), label));
}
template <class T> __device__ inline coalesced_group labeled_partition(const coalesced_group& group, T label) {
    return coalesced_group(__match_any_sync(group.mask, label));
}
template <unsigned int N, class Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<N, Parent>& tile, bool side) {
    return coalesced_group(__match_any_sync(tile.mask(), side ? 1 : 0));
}
__device__ inline coalesced_group binary_partition(const coalesced_group& group, bool side) {
    return coalesced_group(__match_any_sync(group.mask, side ? 1 : 0));
}

// Copies by all threads of a group. What was copied is there after wait.
template <class Group, class T>
__device__ inline void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    unsigned char* target = (unsigned char*)to;
    const unsigned char* source = (const unsigned char*)from;
    for (size_t i = group.thread_rank(); i < bytes; i += group.size()) target[i] = source[i];
}
template <class Group> __device__ inline void wait(const Group& group) { group.sync(); }
template <unsigned int stages, class Group> __device__ inline void wait_prior(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
#endif
