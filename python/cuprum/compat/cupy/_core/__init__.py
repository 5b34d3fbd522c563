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
    "elementwise_copy",
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


def elementwise_copy(a: Any, out: Any = None) -> Any:
    """Copy elements into an array, converted to its dtype, or into a new one.

    Examples
    --------
    >>> from cuprum.compat.cupy import _core
    >>> _core.elementwise_copy(cp.array([1.5, 2.5]), cp.empty(2, int))
    array([1, 2])
    """
    if out is None:
        return a.copy()
    cuprum.copyto(out, a, casting="unsafe")
    return out


def _get_warpsize() -> int:
    """Return how many threads a warp has."""
    return 32


def __getattr__(name: str) -> Any:
    """Find the functions of arrays that CuPy defines here."""
    if not name.startswith("_") and hasattr(cuprum, name):
        return getattr(cuprum, name)
    raise AttributeError(f"module 'cupy._core' has no attribute {name!r}")
