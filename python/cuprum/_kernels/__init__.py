"""Kernels that users write in CUDA C, and CuPy's classes around them."""

from __future__ import annotations

from ._elementwise import ElementwiseKernel
from ._frompyfunc import frompyfunc
from ._fuse import fuse
from ._memo import clear_memo, memoize
from ._raw import RawKernel
from ._raw_module import RawModule
from ._reduction import ReductionKernel
from ._vectorize import vectorize

__all__ = [
    "ElementwiseKernel",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "clear_memo",
    "frompyfunc",
    "fuse",
    "memoize",
    "vectorize",
]
