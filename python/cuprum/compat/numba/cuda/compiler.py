"""Numba's compiler for CUDA: the functions of it that programs call."""

from __future__ import annotations

from ._dispatcher import Dispatcher as CUDADispatcher
from ._linking import declare_device
from ._ptx import (
    compile,  # noqa: A004
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)

__all__ = [
    "CUDADispatcher",
    "compile",
    "compile_all",
    "compile_for_current_device",
    "compile_ptx",
    "compile_ptx_for_current_device",
    "declare_device",
]
