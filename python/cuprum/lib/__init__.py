"""NumPy's `lib`: views by strides, in `stride_tricks`."""

from __future__ import annotations

from . import stride_tricks

__all__ = ["stride_tricks"]

_SUBMODULES = ("stride_tricks",)
