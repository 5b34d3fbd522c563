// <cuda/atomic>, <cuda/std/atomic> and <atomic>: atomic objects and references. Every order is as strong as the
// strongest, and every scope as wide as a device.
#ifndef __CUPRUM_ATOMIC_H
#define __CUPRUM_ATOMIC_H
#include <type_traits>
namespace std {
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
    memory_order_seq_cst
};
}
namespace cuda {
namespace std { using namespace ::std; }
using ::std::memory_order;
using ::std::memory_order_relaxed;
using ::std::memory_order_consume;
using ::std::memory_order_acquire;
using ::std::memory_order_release;
using ::std::memory_order_acq_rel;
using ::std::memory_order_seq_cst;
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
__device__ inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) { __threadfence(); }

// The unsigned integers that hold the bits of what is compared and exchanged.
template <int size> struct __cuprum_bits;
template <> struct __cuprum_bits<2> { typedef unsigned short type; };
template <> struct __cuprum_bits<4> { typedef unsigned int type; };
template <> struct __cuprum_bits<8> { typedef unsigned long long type; };
// What sums and extrema are computed as: of 64-bit integers there is one type only.
template <class T, int size = sizeof(T)> struct __cuprum_number { typedef T type; };
template <> struct __cuprum_number<long, 8> { typedef long long type; };
template <> struct __cuprum_number<unsigned long, 8> { typedef unsigned long long type; };

template <class T, thread_scope scope = thread_scope_system> struct atomic_ref {
    typedef T value_type;
    typedef typename __cuprum_bits<sizeof(T)>::type bits;
    typedef typename __cuprum_number<T>::type number;
    T* at_;

    __device__ explicit atomic_ref(T& object) : at_(&object) {}
    __device__ static bits as_bits(T value) {
        bits made;
        memcpy(&made, &value, sizeof(T));
        return made;
    }
    __device__ static T as_value(bits value) {
        T made;
        memcpy(&made, &value, sizeof(T));
        return made;
    }
    __device__ static constexpr bool is_lock_free() { return true; }
    __device__ T load(memory_order = memory_order_seq_cst) const {
        bits seen = *(const volatile bits*)at_;
        __threadfence();
        return as_value(seen);
    }
    __device__ void store(T value, memory_order = memory_order_seq_cst) const {
        __threadfence();
        *(volatile bits*)at_ = as_bits(value);
    }
    __device__ operator T() const { return load(); }
    __device__ T operator=(T value) const {
        store(value);
        return value;
    }
    __device__ T exchange(T value, memory_order = memory_order_seq_cst) const {
        bits wanted = as_bits(value), seen = as_bits(load());
        while (true) {
            bits found = atomicCAS((bits*)at_, seen, wanted);
            if (found == seen) return as_value(found);
            seen = found;
        }
    }
    __device__ bool compare_exchange_strong(T& expected, T value, memory_order = memory_order_seq_cst,
                                            memory_order = memory_order_seq_cst) const {
        bits wanted = as_bits(expected), found = atomicCAS((bits*)at_, wanted, as_bits(value));
        if (found == wanted) return true;
        expected = as_value(found);
        return false;
    }
    __device__ bool compare_exchange_weak(T& expected, T value, memory_order = memory_order_seq_cst,
                                          memory_order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, value);
    }
    __device__ T fetch_add(T by, memory_order = memory_order_seq_cst) const {
        if constexpr (::std::is_floating_point<T>::value) return atomicAdd(at_, by);
        else return (T)atomicAdd((bits*)at_, (bits)by);
    }
    __device__ T fetch_sub(T by, memory_order = memory_order_seq_cst) const {
        if constexpr (::std::is_floating_point<T>::value) return atomicAdd(at_, -by);
        else return (T)atomicAdd((bits*)at_, (bits)(0 - (bits)by));
    }
    __device__ T fetch_and(T by, memory_order = memory_order_seq_cst) const {
        return (T)atomicAnd((bits*)at_, (bits)by);
    }
    __device__ T fetch_or(T by, memory_order = memory_order_seq_cst) const { return (T)atomicOr((bits*)at_, (bits)by); }
    __device__ T fetch_xor(T by, memory_order = memory_order_seq_cst) const {
        return (T)atomicXor((bits*)at_, (bits)by);
    }
    __device__ T fetch_min(T by, memory_order = memory_order_seq_cst) const {
        if constexpr (::std::is_floating_point<T>::value) return extreme(by, true);
        else return (T)atomicMin((number*)at_, (number)by);
    }
    __device__ T fetch_max(T by, memory_order = memory_order_seq_cst) const {
        if constexpr (::std::is_floating_point<T>::value) return extreme(by, false);
        else return (T)atomicMax((number*)at_, (number)by);
    }
    __device__ T extreme(T by, bool least) const {
        T seen = load();
        while (least ? by < seen : seen < by) {
            if (compare_exchange_strong(seen, by)) break;
        }
        return seen;
    }
    __device__ T operator++() const { return fetch_add(1) + 1; }
    __device__ T operator++(int) const { return fetch_add(1); }
    __device__ T operator--() const { return fetch_sub(1) - 1; }
    __device__ T operator--(int) const { return fetch_sub(1); }
    __device__ T operator+=(T by) const { return fetch_add(by) + by; }
    __device__ T operator-=(T by) const { return fetch_sub(by) - by; }
    __device__ T operator&=(T by) const { return fetch_and(by) & by; }
    __device__ T operator|=(T by) const { return fetch_or(by) | by; }
    __device__ T operator^=(T by) const { return fetch_xor(by) ^ by; }
};

template <class T, thread_scope scope = thread_scope_system> struct atomic {
    typedef T value_type;
    typedef atomic_ref<T, scope> reference;
    T held_;

    atomic() = default;
    __host__ __device__ constexpr atomic(T value) : held_(value) {}
    __device__ reference ref() { return reference(held_); }
    __device__ reference ref() const { return reference(const_cast<T&>(held_)); }
    __device__ T load(memory_order order = memory_order_seq_cst) const { return ref().load(order); }
    __device__ void store(T value, memory_order order = memory_order_seq_cst) { ref().store(value, order); }
    __device__ operator T() const { return load(); }
    __device__ T operator=(T value) {
        store(value);
        return value;
    }
    __device__ T exchange(T value, memory_order = memory_order_seq_cst) { return ref().exchange(value); }
    __device__ bool compare_exchange_strong(T& expected, T value, memory_order = memory_order_seq_cst,
                                            memory_order = memory_order_seq_cst) {
        return ref().compare_exchange_strong(expected, value);
    }
    __device__ bool compare_exchange_weak(T& expected, T value, memory_order = memory_order_seq_cst,
                                          memory_order = memory_order_seq_cst) {
        return ref().compare_exchange_strong(expected, value);
    }
    __device__ T fetch_add(T by, memory_order = memory_order_seq_cst) { return ref().fetch_add(by); }
    __device__ T fetch_sub(T by, memory_order = memory_order_seq_cst) { return ref().fetch_sub(by); }
    __device__ T fetch_and(T by, memory_order = memory_order_seq_cst) { return ref().fetch_and(by); }
    __device__ T fetch_or(T by, memory_order = memory_order_seq_cst) { return ref().fetch_or(by); }
    __device__ T fetch_xor(T by, memory_order = memory_order_seq_cst) { return ref().fetch_xor(by); }
    __device__ T fetch_min(T by, memory_order = memory_order_seq_cst) { return ref().fetch_min(by); }
    __device__ T fetch_max(T by, memory_order = memory_order_seq_cst) { return ref().fetch_max(by); }
    __device__ T operator++() { return fetch_add(1) + 1; }
    __device__ T operator++(int) { return fetch_add(1); }
    __device__ T operator--() { return fetch_sub(1) - 1; }
    __device__ T operator--(int) { return fetch_sub(1); }
    __device__ T operator+=(T by) { return fetch_add(by) + by; }
    __device__ T operator-=(T by) { return fetch_sub(by) - by; }
    __device__ T operator&=(T by) { return fetch_and(by) & by; }
    __device__ T operator|=(T by) { return fetch_or(by) | by; }
    __device__ T operator^=(T by) { return fetch_xor(by) ^ by; }
};
}
namespace std {
template <class T> using atomic = ::cuda::atomic<T>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T>;
}
#endif
