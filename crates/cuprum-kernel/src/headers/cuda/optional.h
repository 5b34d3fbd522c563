// <cuda/std/optional> and <optional>: a value, or none.
#ifndef __CUPRUM_OPTIONAL_H
#define __CUPRUM_OPTIONAL_H
#include <utility>
namespace std {
struct nullopt_t {};
__device__ constexpr nullopt_t nullopt{};
template <class T> struct optional {
    typedef T value_type;
    T held;
    bool is_there;

    __host__ __device__ constexpr optional() : held(), is_there(false) {}
    __host__ __device__ constexpr optional(nullopt_t) : held(), is_there(false) {}
    __host__ __device__ constexpr optional(const T& value) : held(value), is_there(true) {}
    __host__ __device__ optional& operator=(nullopt_t) {
        is_there = false;
        return *this;
    }
    __host__ __device__ optional& operator=(const T& value) {
        held = value;
        is_there = true;
        return *this;
    }
    __host__ __device__ constexpr bool has_value() const { return is_there; }
    __host__ __device__ constexpr explicit operator bool() const { return is_there; }
    __host__ __device__ T& value() { return held; }
    __host__ __device__ constexpr const T& value() const { return held; }
    __host__ __device__ T& operator*() { return held; }
    __host__ __device__ constexpr const T& operator*() const { return held; }
    __host__ __device__ T* operator->() { return &held; }
    __host__ __device__ const T* operator->() const { return &held; }
    template <class U> __host__ __device__ constexpr T value_or(U other) const {
        return is_there ? held : static_cast<T>(other);
    }
    template <class... Args> __host__ __device__ T& emplace(Args... args) {
        held = T(args...);
        is_there = true;
        return held;
    }
    __host__ __device__ void reset() { is_there = false; }
};
template <class T> __host__ __device__ constexpr bool operator==(const optional<T>& a, const optional<T>& b) {
    return a.is_there == b.is_there && (!a.is_there || a.held == b.held);
}
template <class T> __host__ __device__ constexpr bool operator==(const optional<T>& a, nullopt_t) {
    return !a.is_there;
}
template <class T> __host__ __device__ constexpr bool operator!=(const optional<T>& a, nullopt_t) {
    return a.is_there;
}
template <class T> __host__ __device__ constexpr optional<T> make_optional(T value) { return optional<T>(value); }
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
