"""CUDA's library of device functions under Numba's names: `libdevice.sinf(x)` in kernels."""

from __future__ import annotations

from cuprum.jit._device_library import LIBRARY as _LIBRARY

globals().update(_LIBRARY)

__all__ = sorted(_LIBRARY)
