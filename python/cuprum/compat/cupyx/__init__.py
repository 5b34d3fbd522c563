"""The module that `import cupyx` gives: pinned arrays, scattering, profiling, `distributed`, `scipy`."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from ..._kernels._gufunc import GeneralizedUFunc
from ._errstate import errstate, geterr, seterr
from ._info import get_runtime_info
from ._pinned import empty_like_pinned, empty_pinned, zeros_like_pinned, zeros_pinned
from ._scatter import rsqrt, scatter_add, scatter_max, scatter_min
from ._synchronize import DeviceSynchronized, allow_synchronize

_SUBMODULES = ("cusparse", "jit", "linalg", "optimizing", "profiler", "scipy", "signal", "time")

__all__ = [
    "DeviceSynchronized",
    "GeneralizedUFunc",
    "allow_synchronize",
    "empty_like_pinned",
    "empty_pinned",
    "errstate",
    "get_runtime_info",
    "geterr",
    "rsqrt",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "seterr",
    "zeros_like_pinned",
    "zeros_pinned",
]


def __getattr__(name: str) -> _Any:
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name == "distributed":
        return _importlib.import_module("cuprum.distributed")
    raise AttributeError(f"module 'cupyx' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES, "distributed"})
