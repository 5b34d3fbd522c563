"""Kernels of sparse matrices: texts in CUDA C that both devices compile."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._kernels import C_NAMES, texts

THREADS = 256

_C_NAMES = {**C_NAMES, "complex64": "Complex<float>", "complex128": "Complex<double>"}

kernel = texts(__file__)


def c_name(dtype: Any) -> str:
    """Return the name that the texts have for the elements of a dtype."""
    return _C_NAMES[np.dtype(dtype).name]


def blocks_of(n: int, threads: int = THREADS) -> tuple[int]:
    """Return a grid with one thread for each of `n` items."""
    return (-(-n // threads),)
