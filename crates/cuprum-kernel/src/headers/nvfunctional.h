// <nvfunctional>: nvstd::function, any callable object of at most 64 bytes behind one type. Objects are copied by their
// bytes, as lambdas of numbers and pointers can be.
#ifndef __CUPRUM_NVFUNCTIONAL_H
#define __CUPRUM_NVFUNCTIONAL_H
namespace nvstd {
template <class Signature> class function;
template <class Result, class... Args> class function<Result(Args...)> {
    typedef Result (*Invoke)(const void*, Args...);
    __align__(16) unsigned char __held[64];
    Invoke __invoke;

    template <class F> static __device__ Result __call(const void* held, Args... args) {
        return (*(F*)held)(args...);
    }

public:
    typedef Result result_type;
    __device__ function() : __invoke(nullptr) {}
    __device__ function(decltype(nullptr)) : __invoke(nullptr) {}
    template <class F> __device__ function(F f) : __invoke(&function::template __call<F>) {
        static_assert(sizeof(F) <= 64, "nvstd::function holds objects of at most 64 bytes");
        memcpy(__held, &f, sizeof(F));
    }
    __device__ Result operator()(Args... args) const { return __invoke(__held, args...); }
    __device__ explicit operator bool() const { return __invoke != nullptr; }
};
}
#endif
