// Launches: the checks the driver makes, the blocks in their order, and what a kernel does wrong turned into
// the driver's error codes instead of the end of the process.
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "block.hpp"

namespace standin {
namespace {

sigjmp_buf escape;
volatile std::sig_atomic_t running;  // a kernel runs, in the thread below
pid_t running_thread;
volatile int caught;

constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

int timeout_signal() { return SIGRTMIN + 5; }

pid_t own_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

void on_signal(int signal) {
    if (running && own_thread() == running_thread) {
        caught = signal;
        siglongjmp(escape, 1);
    }
    if (signal == timeout_signal()) return;
    ::signal(signal, SIG_DFL);  // not a kernel's doing: ends the process as it would have
}

// Handlers for what a kernel may do wrong, and a stack for them, while a kernel runs.
struct Watch {
    struct sigaction before[sizeof fatal / sizeof *fatal];
    stack_t stack_before;

    Watch() {
        static unsigned char stack[64 * 1024];
        stack_t own{};
        own.ss_sp = stack;
        own.ss_size = sizeof stack;
        sigaltstack(&own, &stack_before);
        struct sigaction action{};
        action.sa_handler = on_signal;
        action.sa_flags = SA_ONSTACK | SA_NODEFER;
        for (std::size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, &before[i]);
        sigaction(timeout_signal(), &action, nullptr);  // stays, for a signal that comes late
        set_timer(limit());
    }
    ~Watch() {
        running = 0;
        set_timer(0);
        for (std::size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &before[i], nullptr);
        sigaltstack(&stack_before, nullptr);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    static long limit() {
        const char* text = std::getenv("CUPRUM_STANDIN_TIMEOUT");
        return text && *text ? std::atol(text) : 300;
    }

    // In the thread's own time, and again and again: a busy machine neither shortens the limit nor loses the signal.
    static void set_timer(long seconds) {
        static thread_local timer_t timer;
        static thread_local bool made = false;
        if (!made) {
            sigevent event{};
            event.sigev_notify = SIGEV_THREAD_ID;
            event.sigev_signo = timeout_signal();
            event._sigev_un._tid = own_thread();
            made = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
        }
        itimerspec when{};
        when.it_value.tv_sec = when.it_interval.tv_sec = seconds;
        if (made) timer_settime(timer, 0, &when, nullptr);
    }
};

int code_of(int signal, const Function& function) {
    const char* what = "read or wrote memory that is not there";
    int code = illegal_address;
    if (signal == SIGILL) what = "misaligned access, or an index beyond an array's bounds", code = misaligned_address;
    if (signal == SIGFPE) what = "integer division by zero, or of the least by -1", code = launch_failed;
    if (signal == timeout_signal()) what = "did not end within the time limit", code = launch_failed;
    complain("kernel %s: %s: %s", function.name.c_str(), where_it_runs().c_str(), what);
    return code;
}

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

// The order of the blocks: a permutation that needs no memory.
struct Order {
    unsigned long long count, factor = 1, offset = 0;

    Order(unsigned long long blocks, unsigned seed) : count(blocks) {
        std::string wish = variable("CUPRUM_STANDIN_ORDER");
        if (wish == "reverse") {
            factor = count - 1, offset = count - 1;
        } else if (wish == "random") {
            factor = (seed * 2654435761u | 1u) % count;
            while (std::gcd(factor, count) != 1) factor++;
            offset = seed % count;
        }
    }
    unsigned long long at(unsigned long long i) const {
        return static_cast<unsigned long long>((static_cast<unsigned __int128>(i) * factor + offset) % count);
    }
};

Turn turn_of_threads() {
    std::string wish = variable("CUPRUM_STANDIN_THREADS");
    return wish == "descending" ? Turn::descending : wish == "random" ? Turn::random : Turn::ascending;
}

int check_launch(const Function& function, const LaunchShape& shape) {
    auto [grid, block, dynamic] = shape;
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z) return invalid_value;
    if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) return invalid_value;
    if (block.x > 1024 || block.y > 1024 || block.z > 64) return invalid_value;
    unsigned threads = block.x * block.y * block.z;
    if (threads > most_threads) return invalid_value;
    int bounds = function.kernel->bounds;
    if (bounds > 0 && threads > static_cast<unsigned>(bounds)) {
        complain("kernel %s: %u threads a block, its launch bounds allow %d", function.name.c_str(), threads, bounds);
        return invalid_value;
    }
    if (dynamic > function.dynamic_limit) {
        complain("kernel %s: %u bytes of dynamic shared memory, %u are allowed it", function.name.c_str(), dynamic,
                 function.dynamic_limit);
        return invalid_value;
    }
    return success;
}

}  // namespace

int run_kernel(const Function& function, const LaunchShape& shape, void** parameters) {
    const Module& module = *function.module->module;
    *module.machine = &machine;
    *module.block_shape = shape.block;
    *module.grid_shape = shape.grid;
    static unsigned launches = 0;
    std::string seed_text = variable("CUPRUM_STANDIN_SEED");
    unsigned seed = ++launches + static_cast<unsigned>(std::atoi(seed_text.c_str()));
    unsigned long long count = 1ull * shape.grid.x * shape.grid.y * shape.grid.z;
    Order order(count, seed);
    Running run{&function, parameters, shape.dynamic_shared, turn_of_threads(), seed};

    Watch watch;
    volatile int code = success;
    if (sigsetjmp(escape, 1) == 0) {
        running_thread = own_thread();
        running = 1;
        for (unsigned long long i = 0; i < count && !code; i++) {
            unsigned long long at = order.at(i);
            module.block->x = static_cast<unsigned>(at % shape.grid.x);
            module.block->y = static_cast<unsigned>(at / shape.grid.x % shape.grid.y);
            module.block->z = static_cast<unsigned>(at / shape.grid.x / shape.grid.y);
            run.seed = seed + static_cast<unsigned>(i);
            code = run_block(run);
        }
        running = 0;
    } else {
        running = 0;
        abandon_block();
        code = code_of(caught, function);
    }
    if (int found = check_red_zones("kernel " + function.name)) code = code ? code : found;
    return code;
}

int check_kernel(const Function* function, const LaunchShape& shape, void** parameters, void** extra, Context* context) {
    if (!driver().functions.count(const_cast<Function*>(function))) return invalid_handle;
    if (function->module->context != context) return invalid_handle;
    if (extra) return not_supported;
    if (int code = check_launch(*function, shape)) return code;
    return function->kernel->count && !parameters ? invalid_value : success;
}

Work kept_kernel(Function* function, const LaunchShape& shape, void** parameters) {
    const Kernel& kernel = *function->kernel;
    auto arguments = std::make_shared<std::vector<std::vector<unsigned char>>>();
    for (unsigned i = 0; i < kernel.count; i++) {
        auto* bytes = static_cast<unsigned char*>(parameters[i]);
        arguments->emplace_back(bytes, bytes + kernel.sizes[i]);
    }
    return [=]() -> int {
        if (!driver().functions.count(function)) {
            complain("a kernel was to run whose module is unloaded");
            return launch_failed;
        }
        std::vector<void*> pointers;
        for (auto& argument : *arguments) pointers.push_back(argument.data());
        return run_kernel(*function, shape, pointers.data());
    };
}

}  // namespace standin

using namespace standin;

EXPORT int cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* handle, void** parameters, void** extra) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    LaunchShape shape{{gx, gy, gz}, {bx, by, bz}, shared};
    if (int code = check_kernel(function, shape, parameters, extra, stream->context)) return code;
    const Kernel& kernel = *function->kernel;
    driver().kernel_launches++;
    if (!stream->capture && function->name == driver().settings.endless) {
        stream->stuck = true;
        return success;
    }
    if (!stream->capture && driver().settings.idle) return success;
    // Arguments that lie as the kernel's types want them are read where they are.
    bool aligned = true;
    for (unsigned i = 0; i < kernel.count; i++) aligned &= reinterpret_cast<std::uintptr_t>(parameters[i]) % 16 == 0;
    if (aligned && !stream->capture && !driver().settings.lazy)
        return submit(stream, [=]() -> int { return run_kernel(*function, shape, parameters); });
    // Others, and those kept for later, are copied, as the driver copies them all at the call.
    return submit(stream, kept_kernel(function, shape, parameters));
}

// Blocks run one after the other here too, so a kernel whose blocks wait for later ones spins and is reported.
EXPORT int cuLaunchCooperativeKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned shared, void* stream, void** parameters) {
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, nullptr);
}
