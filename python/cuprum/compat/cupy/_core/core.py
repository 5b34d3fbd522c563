"""`cupy._core.core`: the array class under the name by which CuPy defines it."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum import array, ascontiguousarray, asfortranarray, ndarray
from cuprum.cuda.compiler import compile_with_cache

from .dlpack import fromDlpack, toDlpack

__all__ = [
    "array",
    "ascontiguousarray",
    "asfortranarray",
    "compile_with_cache",
    "fromDlpack",
    "ndarray",
    "toDlpack",
]

_ndarray_base = ndarray


def __getattr__(name: str) -> Any:
    """Find the functions of arrays that CuPy defines here."""
    if not name.startswith("_") and hasattr(cuprum, name):
        return getattr(cuprum, name)
    raise AttributeError(f"module 'cupy._core.core' has no attribute {name!r}")
