"""Kernels of `cuprum.scipy`: texts in CUDA C beside the functions that use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from .._dtypes import kind_of
from .._kernels import RawKernel

C_NAMES = {
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
_INCLUDE = re.compile(r'^#include "([\w./]+\.cuh)"$', re.MULTILINE)


@cache
def kernel_text(path: Path) -> str:
    """Return a text, with the texts that it includes in their places."""
    return _INCLUDE.sub(lambda found: kernel_text(path.parent / found[1]), path.read_text())


def texts(module_file: str) -> Callable[[str, str], RawKernel]:
    """Return the function that finds kernels in the texts of a module's folder.

    It takes the name of a text and that of a kernel, or of a template's instance.
    """
    folder = Path(module_file).parent

    @lru_cache(maxsize=256)
    def kernel(file: str, name: str) -> RawKernel:
        return RawKernel(kernel_text(folder / f"{file}.cuh"), name, options=("--std=c++17", "--fmad=false"))

    return kernel


def launch(kernel: RawKernel, count: int, arguments: tuple[Any, ...], threads: int = 128) -> None:
    """Run a kernel with a thread for each of `count` items; none does nothing."""
    if count:
        kernel((-(-count // threads),), (threads,), arguments)


def launch_block(kernel: RawKernel, threads: int, arguments: tuple[Any, ...], device: Any) -> None:
    """Run a kernel of one block, whose threads share its work, and whose bits do not depend on their number.

    On a CPU one thread does all of it: several would mostly wait for each other.
    """
    kernel((1,), (1 if device == "cpu" else threads,), arguments)


def c_name(dtype: np.dtype[Any]) -> str:
    """Return the name that CUDA C has for the elements of a dtype."""
    return C_NAMES[dtype.name]


def has_c_name(dtype: np.dtype[Any]) -> bool:
    """Return whether kernels read elements of a dtype; those of 16 bits are converted before."""
    return kind_of(dtype) != "c" and dtype.name in C_NAMES
