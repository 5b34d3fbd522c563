// Atomic functions for exactly the types that CUDA has them for, and the cached loads and stores.
// One fiber runs at a time, so they are plain; each may let the block's other threads run, for loops that wait.
#pragma once

namespace standin {
template <class T, class F> inline T exchange_by(T* address, F next) {
    machine->yield();
    T old = *static_cast<volatile T*>(address);
    *static_cast<volatile T*>(address) = next(old);
    return old;
}
}  // namespace standin

// Each scope has its function; all are the same here.
#define STANDIN_ATOMIC(type, name, expression)                                                                  \
    inline type name(type* address, type value) {                                                               \
        return standin::exchange_by(address, [value](type old) -> type { return expression; });                 \
    }                                                                                                           \
    inline type name##_block(type* address, type value) { return name(address, value); }                        \
    inline type name##_system(type* address, type value) { return name(address, value); }

STANDIN_ATOMIC(int, atomicAdd, old + value)
STANDIN_ATOMIC(unsigned, atomicAdd, old + value)
STANDIN_ATOMIC(unsigned long long, atomicAdd, old + value)
STANDIN_ATOMIC(float, atomicAdd, old + value)
STANDIN_ATOMIC(double, atomicAdd, old + value)
STANDIN_ATOMIC(int, atomicSub, old - value)
STANDIN_ATOMIC(unsigned, atomicSub, old - value)
STANDIN_ATOMIC(int, atomicExch, ((void)old, value))
STANDIN_ATOMIC(unsigned, atomicExch, ((void)old, value))
STANDIN_ATOMIC(unsigned long long, atomicExch, ((void)old, value))
STANDIN_ATOMIC(float, atomicExch, ((void)old, value))
STANDIN_ATOMIC(int, atomicMin, old < value ? old : value)
STANDIN_ATOMIC(unsigned, atomicMin, old < value ? old : value)
STANDIN_ATOMIC(long long, atomicMin, old < value ? old : value)
STANDIN_ATOMIC(unsigned long long, atomicMin, old < value ? old : value)
STANDIN_ATOMIC(int, atomicMax, old > value ? old : value)
STANDIN_ATOMIC(unsigned, atomicMax, old > value ? old : value)
STANDIN_ATOMIC(long long, atomicMax, old > value ? old : value)
STANDIN_ATOMIC(unsigned long long, atomicMax, old > value ? old : value)
STANDIN_ATOMIC(unsigned, atomicInc, old >= value ? 0u : old + 1u)
STANDIN_ATOMIC(unsigned, atomicDec, old == 0u || old > value ? value : old - 1u)
STANDIN_ATOMIC(int, atomicAnd, old & value)
STANDIN_ATOMIC(unsigned, atomicAnd, old & value)
STANDIN_ATOMIC(unsigned long long, atomicAnd, old & value)
STANDIN_ATOMIC(int, atomicOr, old | value)
STANDIN_ATOMIC(unsigned, atomicOr, old | value)
STANDIN_ATOMIC(unsigned long long, atomicOr, old | value)
STANDIN_ATOMIC(int, atomicXor, old ^ value)
STANDIN_ATOMIC(unsigned, atomicXor, old ^ value)
STANDIN_ATOMIC(unsigned long long, atomicXor, old ^ value)
#undef STANDIN_ATOMIC

#define STANDIN_ATOMIC_CAS(type)                                                                                \
    inline type atomicCAS(type* address, type compare, type value) {                                            \
        return standin::exchange_by(address, [=](type old) -> type { return old == compare ? value : old; });   \
    }                                                                                                           \
    inline type atomicCAS_block(type* a, type compare, type value) { return atomicCAS(a, compare, value); }     \
    inline type atomicCAS_system(type* a, type compare, type value) { return atomicCAS(a, compare, value); }
STANDIN_ATOMIC_CAS(unsigned short)
STANDIN_ATOMIC_CAS(int)
STANDIN_ATOMIC_CAS(unsigned)
STANDIN_ATOMIC_CAS(unsigned long long)
#undef STANDIN_ATOMIC_CAS

template <class T> inline T __ldg(const T* address) { return *address; }
template <class T> inline T __ldca(const T* address) { return *address; }
template <class T> inline T __ldcs(const T* address) { return *address; }
template <class T> inline T __ldlu(const T* address) { return *address; }
// These two see what other threads have just written: texts poll with them.
template <class T> inline T __ldcg(const T* address) { standin::machine->yield(); return *address; }
template <class T> inline T __ldcv(const T* address) { standin::machine->yield(); return *address; }
template <class T> inline void __stwb(T* address, T value) { *address = value; }
template <class T> inline void __stcg(T* address, T value) { *address = value; }
template <class T> inline void __stcs(T* address, T value) { *address = value; }
template <class T> inline void __stwt(T* address, T value) { *address = value; }
