// <cuda/barrier> and <cuda/pipeline>: barriers of threads, and copies that are done when they are begun.
#ifndef __CUPRUM_BARRIER_H
#define __CUPRUM_BARRIER_H
#include <cuda/atomic>
#include <utility>
namespace cuda {
template <thread_scope scope = thread_scope_system> struct barrier {
    typedef unsigned int arrival_token;
    unsigned int count_, arrived_, phase_;

    barrier() = default;
    __host__ __device__ constexpr barrier(ptrdiff_t count) : count_((unsigned int)count), arrived_(0), phase_(0) {}
    __host__ __device__ static constexpr ptrdiff_t max() { return 0x7fffffff; }
    __device__ arrival_token arrive(ptrdiff_t by = 1) {
        arrival_token token = atomicAdd(&phase_, 0u);
        __threadfence();
        if (atomicAdd(&arrived_, (unsigned int)by) + (unsigned int)by == count_) {
            atomicExch(&arrived_, 0u);
            __threadfence();
            atomicAdd(&phase_, 1u);
        }
        return token;
    }
    __device__ void wait(arrival_token token) const {
        unsigned int* phase = const_cast<unsigned int*>(&phase_);
        while (atomicAdd(phase, 0u) == token) __nanosleep(20);
        __threadfence();
    }
    __device__ void arrive_and_wait() { wait(arrive()); }
    __device__ void arrive_and_drop() {
        atomicSub(&count_, 1u);
        __threadfence();
        if (atomicAdd(&arrived_, 0u) == atomicAdd(&count_, 0u)) {
            atomicExch(&arrived_, 0u);
            __threadfence();
            atomicAdd(&phase_, 1u);
        }
    }
    __device__ friend void init(barrier* made, ptrdiff_t count) { *made = barrier(count); }
};
template <size_t alignment> struct aligned_size_t {
    size_t value;
    __host__ __device__ constexpr explicit aligned_size_t(size_t size) : value(size) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};
template <thread_scope scope> struct pipeline {
    __device__ void producer_acquire() {}
    __device__ void producer_commit() {}
    __device__ void consumer_wait() {}
    __device__ void consumer_release() {}
    __device__ bool quit() { return true; }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <unsigned int prior, thread_scope scope> __device__ inline void pipeline_consumer_wait_prior(pipeline<scope>&) {}
template <class Sync> __device__ inline void memcpy_async(void* to, const void* from, size_t size, Sync&) {
    memcpy(to, from, size);
}
template <class Group, class Sync>
__device__ inline void memcpy_async(const Group& group, void* to, const void* from, size_t size, Sync&) {
    for (size_t i = group.thread_rank(); i < size; i += group.size()) ((char*)to)[i] = ((const char*)from)[i];
}
}
#endif
