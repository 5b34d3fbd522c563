"""bfloat16 in kernels, under the name of Numba's module: the type, and functions of numbers of it."""

from __future__ import annotations

from cuprum.jit._names import BF16_NAMES as _NAMES
from cuprum.jit._signatures import NAMES as _TYPES

bfloat16 = _TYPES["bfloat16"]
globals().update(_NAMES)

__all__ = ["bfloat16", *sorted(_NAMES)]
