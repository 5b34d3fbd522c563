"""Kernels written in Python: `@cp.jit`, and the functions that they call.

The module is itself the decorator. `cp.jit.rawkernel` is CuPy's; `cuprum.compat.install` gives Numba's
`cuda.jit`, and all share one compiler: a function's syntax tree becomes CUDA C, which runs on a GPU and on
the CPU.

Examples
--------
>>> @cp.jit
... def scale(x, factor):
...     i = cp.jit.grid(1)
...     if i < x.size:
...         x[i] *= factor
>>> x = cp.arange(4.0)
>>> scale[1, 32](x, 10)
>>> x
array([ 0., 10., 20., 30.])
"""

from __future__ import annotations

import sys as _sys
from types import ModuleType as _ModuleType
from typing import Any as _Any

from ._errors import KernelError
from ._intrinsics import Namespace as _Namespace
from ._names import CG_NAMES as _CG_NAMES
from ._names import NUMBA_NAMES as _NUMBA_NAMES
from ._names import RAWKERNEL_NAMES as _RAWKERNEL_NAMES
from ._rawkernel import JitKernel, jit, rawkernel
from ._rawkernel import missing as _missing

globals().update(_NUMBA_NAMES)
globals().update(_RAWKERNEL_NAMES)
cg = _Namespace("cg", **_CG_NAMES)

__all__ = ["JitKernel", "KernelError", "cg", "jit", "rawkernel"]
__all__ += sorted({*_NUMBA_NAMES, *_RAWKERNEL_NAMES} - {"cg"})


class _Decorator(_ModuleType):
    """The module, called as a decorator."""

    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any:
        return jit(*args, **kwargs)


def __getattr__(name: str) -> _Any:
    if name in ("thrust", "cub"):
        _missing(name, __name__, "cupyx.jit has it, for kernels of rawkernel")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_sys.modules[__name__].__class__ = _Decorator
