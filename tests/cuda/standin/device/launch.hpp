// From `void** kernelParams` to a call of the kernel, thread after thread. Each kernel's record is written
// behind the text by the compiler's stand-in: STANDIN_KERNEL(entry, bounds, kernel).
#pragma once

namespace standin {

__attribute__((no_sanitize("undefined"))) inline bool take_thread() {
    Cursor& c = cursor;
    if (c.next == c.count) return false;
    unsigned t = c.order ? c.order[c.next] : c.next;
    c.next++;
    c.current = t;
    // Written field by field: stored as a whole and read in parts, it would cost more than most kernels.
    if (c.shape.x == c.count) {
        thread_index.x = t;
        thread_index.y = 0;
        thread_index.z = 0;
    } else {
        unsigned row = t / c.shape.x;
        thread_index.x = t % c.shape.x;
        thread_index.y = row % c.shape.y;
        thread_index.z = row / c.shape.y;
    }
    return true;
}

__attribute__((no_sanitize("undefined"))) inline void end_thread() {
    cursor.live[cursor.current / warp_lanes] &= ~(1u << cursor.current % warp_lanes);
    cursor.finished++;
}

template <int... I> struct Numbers {};
template <int N> using NumbersTo = Numbers<__integer_pack(N)...>;

// The arguments, copied: the driver takes them byte by byte, from addresses of any alignment.
template <int I, class P> struct Argument {
    alignas(P) unsigned char bytes[sizeof(P)];
    P& value() { return *reinterpret_cast<P*>(bytes); }
};
template <class Indices, class... P> struct Arguments;
template <int... I, class... P> struct Arguments<Numbers<I...>, P...> : Argument<I, P>... {
    explicit Arguments(void** parameters) {
        (__builtin_memcpy(Argument<I, P>::bytes, parameters[I], sizeof(P)), ...);
        (void)parameters;
    }
};

template <class... P, int... I>
inline void run_threads(void (*kernel)(P...), void** parameters, Numbers<I...>) {
    Arguments<Numbers<I...>, P...> arguments(parameters);
    while (take_thread()) {
        kernel(static_cast<Argument<I, P>&>(arguments).value()...);
        end_thread();
    }
    (void)arguments;
}

template <class... P> inline void run_threads(void (*kernel)(P...), void** parameters) {
    run_threads(kernel, parameters, NumbersTo<int(sizeof...(P))>());
}

template <class... P> struct Sizes {
    static constexpr unsigned of[sizeof...(P) + 1] = {unsigned(sizeof(P))..., 0};
};
template <class... P> constexpr unsigned count_of(void (*)(P...)) { return sizeof...(P); }
template <class... P> constexpr const unsigned* sizes_of(void (*)(P...)) { return Sizes<P...>::of; }

}  // namespace standin

// The kernel comes last, for it may be a template's instance with commas in it.
#define STANDIN_KERNEL(entry, bounds, ...)                                                               \
    static void standin_run_##entry(void** p) { standin::run_threads(&__VA_ARGS__, p); }                 \
    extern "C" __attribute__((visibility("default"))) const standin::Kernel standin_kernel_##entry = {   \
        standin_run_##entry, standin::count_of(&__VA_ARGS__), standin::sizes_of(&__VA_ARGS__), int(bounds)};

#define STANDIN_MODULE                                                                                   \
    extern "C" __attribute__((visibility("default"))) const standin::Module standin_module = {           \
        standin::abi_version, &standin::machine, &standin::cursor,                                       \
        (standin::Index3*)(&standin::thread_index), (standin::Index3*)(&standin::block_index),           \
        (standin::Index3*)(&standin::block_shape), (standin::Index3*)(&standin::grid_shape),             \
        standin::dynamic_shared};
