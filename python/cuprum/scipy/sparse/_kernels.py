"""Kernels of sparse matrices: texts in CUDA C that both devices compile."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..._kernels import RawKernel

THREADS = 256

_C_NAMES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
    "complex64": "Complex<float>",
    "complex128": "Complex<double>",
}


@cache
def _text(file: str) -> str:
    return (Path(__file__).parent / f"{file}.cuh").read_text()


@lru_cache(maxsize=256)
def kernel(file: str, name: str) -> RawKernel:
    """Return a kernel of a text, by its name or by that of a template's instance."""
    return RawKernel(_text(file), name, options=("--std=c++17", "--fmad=false"))


def c_name(dtype: Any) -> str:
    """Return the name that the texts have for the elements of a dtype."""
    return _C_NAMES[np.dtype(dtype).name]


def blocks_of(n: int, threads: int = THREADS) -> tuple[int]:
    """Return a grid with one thread for each of `n` items."""
    return (-(-n // threads),)
