"""CUB in kernels: reductions of warps and blocks."""

from __future__ import annotations

from cuprum.jit._device_cub import CUB_NAMES as _NAMES

globals().update(_NAMES)

__all__ = sorted(_NAMES)
