"""`cupy_backends.cuda`: CUDA's interfaces by their own names."""

from __future__ import annotations

from . import api, libs, stream

__all__ = ["api", "libs", "stream"]
