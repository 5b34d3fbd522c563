"""`cupy_backends.cuda`: CUDA's interfaces by their own names."""

from __future__ import annotations

from . import api, stream

__all__ = ["api", "stream"]
