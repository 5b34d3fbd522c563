"""Numba's names of types."""

from __future__ import annotations

from cuprum.jit._signatures import NAMES as _TYPES

globals().update(_TYPES)

__all__ = sorted(_TYPES)
