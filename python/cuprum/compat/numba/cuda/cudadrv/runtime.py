"""The CUDA runtime, under the name of Numba's module."""

from __future__ import annotations

from .._devices import runtime

__all__ = ["runtime"]
