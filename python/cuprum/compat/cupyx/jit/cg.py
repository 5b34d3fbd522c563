"""Groups of threads in kernels: the grid and the block."""

from __future__ import annotations

from cuprum.jit._names import CG_NAMES as _NAMES

globals().update(_NAMES)

__all__ = sorted(_NAMES)
