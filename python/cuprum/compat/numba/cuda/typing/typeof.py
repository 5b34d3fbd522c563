"""The type that Numba gives a value."""

from __future__ import annotations

from cuprum.jit._signatures import typeof

__all__ = ["typeof"]
