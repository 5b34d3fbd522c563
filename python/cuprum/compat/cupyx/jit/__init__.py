"""The module that `import cupyx.jit` gives: kernels written in Python, with CuPy's names and typing."""

from __future__ import annotations

from typing import Any as _Any

from cuprum.jit._names import RAWKERNEL_NAMES as _NAMES
from cuprum.jit._rawkernel import missing as _missing
from cuprum.jit._rawkernel import rawkernel

from . import cg

globals().update(_NAMES)

__all__ = ["cg", "rawkernel"]
__all__ += sorted(_NAMES)


def __getattr__(name: str) -> _Any:
    if name in ("thrust", "cub"):
        _missing(name, "cupyx.jit", "use cupy's functions on whole arrays, or write the loop in the kernel")
    raise AttributeError(f"module 'cupyx.jit' has no attribute {name!r}")
