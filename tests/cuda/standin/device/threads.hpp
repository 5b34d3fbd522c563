// Who a thread is, and how a block's threads wait for each other.
#pragma once

namespace standin {
// The driver writes these: one launch runs at a time, so plain variables do.
static uint3 thread_index, block_index;
static dim3 block_shape, grid_shape;
static Cursor cursor;
static const Machine* machine;
alignas(1024) static unsigned char dynamic_shared[most_dynamic_shared + shared_guard];
}  // namespace standin

// Not to be assigned to, as in CUDA.
static const uint3& threadIdx = standin::thread_index;
static const uint3& blockIdx = standin::block_index;
static const dim3& blockDim = standin::block_shape;
static const dim3& gridDim = standin::grid_shape;
static constexpr int warpSize = 32;

#define STANDIN_PLACE const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()

inline void __syncthreads(STANDIN_PLACE) {
    standin::machine->barrier(standin::Barrier::sync, 0, {"__syncthreads", file, line});
}
inline int __syncthreads_count(int predicate, STANDIN_PLACE) {
    return int(standin::machine->barrier(standin::Barrier::count, predicate, {"__syncthreads_count", file, line}));
}
inline int __syncthreads_and(int predicate, STANDIN_PLACE) {
    return int(standin::machine->barrier(standin::Barrier::all, predicate, {"__syncthreads_and", file, line}));
}
inline int __syncthreads_or(int predicate, STANDIN_PLACE) {
    return int(standin::machine->barrier(standin::Barrier::any, predicate, {"__syncthreads_or", file, line}));
}

// Waiting loops call one of these over and over: each gives the block's other threads a chance.
inline void __threadfence() { standin::machine->yield(); }
inline void __threadfence_block() { standin::machine->yield(); }
inline void __threadfence_system() { standin::machine->yield(); }
inline void __nanosleep(unsigned) { standin::machine->yield(); }

[[noreturn]] inline void __trap(STANDIN_PLACE) { standin::machine->fail("__trap", {"__trap", file, line}); }
inline void __brkpt() {}

#define assert(condition) \
    ((condition) ? void() : standin::machine->fail("assertion failed: " #condition, {"assert", __FILE__, __LINE__}))

inline long long clock64() {
#if defined(__x86_64__)
    return static_cast<long long>(__builtin_ia32_rdtsc());
#else
    static long long ticks;
    return ++ticks;
#endif
}
inline clock_t clock() { return static_cast<clock_t>(clock64()); }
