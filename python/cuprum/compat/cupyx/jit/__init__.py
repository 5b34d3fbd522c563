"""The module that `import cupyx.jit` gives: kernels written in Python, with CuPy's names and typing."""

from __future__ import annotations

from cuprum.jit._names import RAWKERNEL_NAMES as _NAMES
from cuprum.jit._rawkernel import rawkernel

from . import cg, cub, thrust

globals().update(_NAMES)

__all__ = ["cg", "cub", "rawkernel", "thrust"]
__all__ += sorted(_NAMES)
