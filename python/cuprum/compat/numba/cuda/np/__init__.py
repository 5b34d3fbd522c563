"""What Numba has of NumPy."""

from __future__ import annotations

from . import numpy_support

__all__ = ["numpy_support"]
