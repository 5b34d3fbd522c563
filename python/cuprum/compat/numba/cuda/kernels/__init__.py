"""Numba's ready kernels."""

from __future__ import annotations

from . import transpose

__all__ = ["transpose"]
