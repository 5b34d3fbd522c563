"""The module that `import numba` gives where Numba is not installed: its CUDA side, and its names of types.

Where Numba is installed, `numba` stays Numba's own, and only `numba.cuda` is Cuprum's.
"""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from cuprum.jit._intrinsics import literal_unroll
from cuprum.jit._signatures import NAMES as _TYPES
from cuprum.jit._signatures import record_type as from_dtype
from cuprum.jit._signatures import typeof

from ._finder import stand_first as _stand_first

_stand_first()

from ._cpu import jit, njit, prange  # noqa: E402
from .cuda import config  # noqa: E402
from .cuda._vectorize import guvectorize, vectorize  # noqa: E402

globals().update(_TYPES)

__version__ = "0.61.0"
"""The version whose CUDA interface this is."""

_SUBMODULES = ("core", "cuda", "types")

__all__ = ["config", "from_dtype", "guvectorize", "jit", "literal_unroll", "njit", "prange", "typeof"]
__all__ += ["vectorize"]
__all__ += sorted(_TYPES)


def __getattr__(name: str) -> _Any:
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name.startswith("_"):
        raise AttributeError(f"module 'numba' has no attribute {name!r}")
    raise ImportError(
        f"numba.{name} needs Numba itself (pip install numba); without it Cuprum supplies numba.cuda, "
        "numba.types, jit and njit for functions that kernels call, and vectorize and guvectorize for "
        "target='cuda'",
        name=f"numba.{name}",
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
