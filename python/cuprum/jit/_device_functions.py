"""All functions that can be called in kernels: the tables of the `_device_*` modules together."""

from __future__ import annotations

from typing import Any

from . import (
    _device_atomics,
    _device_bfloat,
    _device_builtins,
    _device_groups,
    _device_library,
    _device_logic,
    _device_math,
    _device_random,
    _device_reductions,
    _device_threads,
    _device_vectors,
    _device_warps,
)

__all__ = ["FUNCTIONS", "INTRINSICS"]

INTRINSICS: dict[str, Any] = {
    **_device_threads.ROWS,
    **_device_groups.ROWS,
    **_device_library.ROWS,
    **_device_vectors.ROWS,
    **_device_warps.ROWS,
    **_device_atomics.ROWS,
    **_device_random.ROWS,
    **_device_math.INTRINSIC_ROWS,
    **_device_bfloat.ROWS,
}
"""What an `Intrinsic` does, by its name."""

FUNCTIONS: dict[Any, Any] = {
    **_device_math.ROWS,
    **_device_logic.ROWS,
    **_device_builtins.ROWS,
    **_device_reductions.ROWS,
}
"""What functions of Python, `math` and NumPy do in kernels."""
