"""Pieces of the prelude for atomic operations that CUDA C lacks: extrema of floats, counters of 64 bits, sums
of float16.
"""

from __future__ import annotations

from ._prelude_numbers import INLINE as _D

__all__ = ["ATOMIC_FLOAT", "ATOMIC_HALF", "ATOMIC_WIDE"]


def _atomic_extreme(name: str, condition: str) -> str:
    """Return `name` for both floats: what replaces a number where `condition` holds."""
    return f"""
{_D} float {name}(float* address, float value) {{
    unsigned int* bits = (unsigned int*)address;
    unsigned int old = atomicAdd(bits, 0u);
    while ({condition.format(old="__uint_as_float(old)")}) {{
        unsigned int seen = atomicCAS(bits, old, __float_as_uint(value));
        if (seen == old) break;
        old = seen;
    }}
    return __uint_as_float(old);
}}
{_D} double {name}(double* address, double value) {{
    unsigned long long* bits = (unsigned long long*)address;
    unsigned long long old = atomicAdd(bits, 0ULL);
    while ({condition.format(old="__longlong_as_double((long long)old)")}) {{
        unsigned long long seen = atomicCAS(bits, old, (unsigned long long)__double_as_longlong(value));
        if (seen == old) break;
        old = seen;
    }}
    return __longlong_as_double((long long)old);
}}
"""


# A NaN that is there stays, and none is put there; the others replace a NaN by any number.
ATOMIC_FLOAT = (
    _atomic_extreme("cu_atomicMax", "{old} < value")
    + _atomic_extreme("cu_atomicMin", "{old} > value")
    + _atomic_extreme("cu_atomic_nanmax", "!({old} >= value) && value == value")
    + _atomic_extreme("cu_atomic_nanmin", "!({old} <= value) && value == value")
)

ATOMIC_WIDE = f"""
{_D} unsigned long long cu_atomic_inc(unsigned long long* address, unsigned long long limit) {{
    unsigned long long old = atomicAdd(address, 0ULL);
    while (true) {{
        unsigned long long seen = atomicCAS(address, old, old >= limit ? 0ULL : old + 1ULL);
        if (seen == old) return old;
        old = seen;
    }}
}}
{_D} unsigned long long cu_atomic_dec(unsigned long long* address, unsigned long long limit) {{
    unsigned long long old = atomicAdd(address, 0ULL);
    while (true) {{
        unsigned long long seen = atomicCAS(address, old, (old == 0ULL || old > limit) ? limit : old - 1ULL);
        if (seen == old) return old;
        old = seen;
    }}
}}
"""

ATOMIC_HALF = f"""
{_D} cu_half cu_atomic_half_add(cu_half* address, cu_half value) {{
    unsigned short* bits = (unsigned short*)address;
    cu_half old;
    old.bits = atomicCAS(bits, (unsigned short)0, (unsigned short)0);
    while (true) {{
        cu_half sum = cu_half_from_double((double)cu_half_to_float(old) + (double)cu_half_to_float(value));
        unsigned short seen = atomicCAS(bits, old.bits, sum.bits);
        if (seen == old.bits) return old;
        old.bits = seen;
    }}
}}
"""
