"""`cupy._core`, which libraries import although its name is private: kernels, the array class, its ufuncs."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum import ElementwiseKernel, RawKernel, RawModule, ReductionKernel, fuse, ndarray, ufunc

from . import _accelerator, _dtype, _kernel, _reduction, _routines_indexing, _scalar, core, internal
from . import dlpack as dlpack
from . import fusion as fusion
from . import raw as raw
from ._accelerator import (
    get_elementwise_accelerators,
    get_reduction_accelerators,
    get_routine_accelerators,
    set_elementwise_accelerators,
    set_reduction_accelerators,
    set_routine_accelerators,
)
from ._kernel import create_ufunc

__all__ = [
    "ElementwiseKernel",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "_accelerator",
    "_dtype",
    "_kernel",
    "_reduction",
    "_routines_indexing",
    "_scalar",
    "core",
    "create_ufunc",
    "dlpack",
    "fuse",
    "fusion",
    "get_elementwise_accelerators",
    "get_reduction_accelerators",
    "get_routine_accelerators",
    "internal",
    "ndarray",
    "raw",
    "set_elementwise_accelerators",
    "set_reduction_accelerators",
    "set_routine_accelerators",
    "ufunc",
]


def __getattr__(name: str) -> Any:
    """Find the functions of arrays that CuPy defines here."""
    if not name.startswith("_") and hasattr(cuprum, name):
        return getattr(cuprum, name)
    raise AttributeError(f"module 'cupy._core' has no attribute {name!r}")
