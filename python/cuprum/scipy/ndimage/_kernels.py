"""Kernels of this package: texts in CUDA C that both devices compile."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ..._dtypes import kind_of
from ..._kernels import RawKernel

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
}


@cache
def _text(file: str) -> str:
    return (Path(__file__).parent / f"{file}.cuh").read_text()


@lru_cache(maxsize=256)
def kernel(file: str, name: str) -> RawKernel:
    """Return a kernel of a text, by its name or by that of a template's instance."""
    return RawKernel(_text(file), name, options=("--std=c++17", "--fmad=false"))


def c_name(dtype: np.dtype) -> str:
    """Return the name that CUDA C has for the elements of a dtype."""
    return _C_NAMES[dtype.name]


def has_c_name(dtype: np.dtype) -> bool:
    """Return whether kernels read elements of a dtype; those of 16 bits are converted before."""
    return kind_of(dtype) != "c" and dtype.name in _C_NAMES
