"""Numba's names of types."""

from __future__ import annotations

from cuprum.jit._signatures import CONSTRUCTORS as _CONSTRUCTORS
from cuprum.jit._signatures import NAMES as _TYPES

globals().update(_TYPES)
globals().update(_CONSTRUCTORS)

signed_domain = frozenset(_TYPES[name] for name in ("int8", "int16", "int32", "int64"))
unsigned_domain = frozenset(_TYPES[name] for name in ("uint8", "uint16", "uint32", "uint64"))
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset(_TYPES[name] for name in ("float32", "float64"))
complex_domain = frozenset(_TYPES[name] for name in ("complex64", "complex128"))
number_domain = real_domain | integer_domain | complex_domain

_DOMAINS = (
    "complex_domain",
    "integer_domain",
    "number_domain",
    "real_domain",
    "signed_domain",
    "unsigned_domain",
)

__all__ = sorted({*_TYPES, *_CONSTRUCTORS, *_DOMAINS})
