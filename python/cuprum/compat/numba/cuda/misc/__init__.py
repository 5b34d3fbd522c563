"""What Numba has beside its compiler."""

from __future__ import annotations

from . import special

__all__ = ["special"]
