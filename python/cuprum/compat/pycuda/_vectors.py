"""CUDA's vector types as dtypes: `vec.float3`, `vec.make_float3(x, y, z)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .tools import register_dtype

__all__ = ["vec"]

_BASES: list[tuple[str, Any, int]] = [
    ("char", np.int8, 4),
    ("uchar", np.uint8, 4),
    ("short", np.int16, 4),
    ("ushort", np.uint16, 4),
    ("int", np.int32, 4),
    ("uint", np.uint32, 4),
    ("long", np.int64, 4),
    ("ulong", np.uint64, 4),
    ("longlong", np.int64, 2),
    ("ulonglong", np.uint64, 2),
    ("float", np.float32, 4),
    ("double", np.float64, 2),
]


class vec:
    """The vector types, and functions that make a vector: `vec.float4`, `vec.make_float4`."""


def _maker(name: str, dtype: np.dtype[Any], count: int) -> Callable[..., np.ndarray[Any, Any]]:
    def make(*parts: Any) -> np.ndarray[Any, Any]:
        if len(parts) != count:
            raise TypeError(f"make_{name}: takes {count} numbers, got {len(parts)}")
        return np.array(tuple(parts), dtype=dtype)

    return make


for _name, _base, _most in _BASES:
    for _count in range(1, _most + 1):
        _dtype = np.dtype([(letter, _base) for letter in "xyzw"[:_count]])
        if not hasattr(vec, f"{_name}{_count}"):
            register_dtype(_dtype, f"{_name}{_count}")
        setattr(vec, f"{_name}{_count}", _dtype)
        setattr(vec, f"make_{_name}{_count}", staticmethod(_maker(f"{_name}{_count}", _dtype, _count)))
