// Runs the threads of a block one after the other as fibers, with what generated kernels use of CUDA: enough to check
// their results on any machine.
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include <vector>

struct Place {
    unsigned x, y, z;
};
static Place threadIdx, blockIdx, blockDim, gridDim;

#define __global__
#define __shared__ static
#define __launch_bounds__(...)

// A barrier of some threads; one that ends no longer counts.
struct Barrier {
    unsigned members = 0, waiting = 0, round = 0;
};
struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    bool done = false;
};
static ucontext_t scheduler;
static std::vector<Fiber> fibers;
static Barrier whole, warps[32];
static unsigned current;
static uint32_t exchanged[1024];

static void pause_fiber() {
    const unsigned self = current;
    swapcontext(&fibers[self].context, &scheduler);
    current = self;
    threadIdx.x = self;
}
static void release(Barrier& barrier) {
    if (barrier.members != 0 && barrier.waiting == barrier.members) {
        barrier.waiting = 0;
        ++barrier.round;
    }
}
static void wait_for(Barrier& barrier) {
    const unsigned round = barrier.round;
    ++barrier.waiting;
    release(barrier);
    while (barrier.round == round) pause_fiber();
}

static inline void __syncthreads() { wait_for(whole); }
static inline void __syncwarp(unsigned = ~0u) { wait_for(warps[current / 32]); }
static inline void __threadfence() {}
static inline unsigned __umulhi(unsigned a, unsigned b) { return (uint64_t)a * b >> 32; }
static inline unsigned atomicAdd(unsigned* at, unsigned x) {
    const unsigned old = *at;
    *at += x;
    return old;
}
static inline unsigned __shfl_down_sync(unsigned, unsigned x, unsigned offset, int width = 32) {
    exchanged[current] = x;
    __syncwarp();
    const unsigned lane = current % width;
    const unsigned got = lane + offset < (unsigned)width ? exchanged[current + offset] : x;
    __syncwarp();
    return got;
}
static inline unsigned __shfl_sync(unsigned, unsigned x, int source, int width = 32) {
    exchanged[current] = x;
    __syncwarp();
    const unsigned got = exchanged[current / width * width + source];
    __syncwarp();
    return got;
}

// A kernel with its parameter.
typedef void (*Entry)(void*);
static Entry entry;
static void* parameter;
static void run_fiber() {
    threadIdx.x = current;
    entry(parameter);
    const unsigned self = current;
    fibers[self].done = true;
    --whole.members;
    release(whole);
    --warps[self / 32].members;
    release(warps[self / 32]);
    for (;;) swapcontext(&fibers[self].context, &scheduler);
}

// Blocks run from the last to the first: nothing may count on their order.
static void run_grid(Entry kernel, void* args, const unsigned* grid, const unsigned* block) {
    entry = kernel;
    parameter = args;
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    fibers.resize(block[0]);
    for (unsigned b = grid[0]; b-- > 0;) {
        blockIdx = {b, 0, 0};
        whole = Barrier();
        whole.members = block[0];
        for (Barrier& warp : warps) warp = Barrier();
        for (unsigned t = 0; t < block[0]; ++t) {
            Fiber& fiber = fibers[t];
            if (fiber.stack.empty()) fiber.stack.resize(64 << 10);
            fiber.done = false;
            ++warps[t / 32].members;
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.data();
            fiber.context.uc_stack.ss_size = fiber.stack.size();
            fiber.context.uc_link = nullptr;
            makecontext(&fiber.context, run_fiber, 0);
        }
        for (bool left = true; left;) {
            left = false;
            for (unsigned t = 0; t < block[0]; ++t) {
                if (fibers[t].done) continue;
                current = t;
                swapcontext(&scheduler, &fibers[t].context);
                left = left || !fibers[t].done;
            }
        }
    }
}

// `launch_NUMBER`: a kernel that was included into `kernel_NUMBER` with its entry renamed.
#define LAUNCH(NUMBER)                                                                                      \
    extern "C" int launch_##NUMBER(void* args, unsigned long bytes, const unsigned* grid, const unsigned* block) { \
        typedef kernel_##NUMBER::Args Args;                                                                 \
        if (bytes < sizeof(Args)) return (int)sizeof(Args);                                                 \
        run_grid([](void* args) { kernel_##NUMBER::program_##NUMBER(*(Args*)args); }, args, grid, block);   \
        return 0;                                                                                           \
    }
