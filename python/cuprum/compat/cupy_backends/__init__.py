"""`cupy_backends`, CuPy's private layer under `cupy.cuda`: the modules that libraries import from it."""

from __future__ import annotations

from . import cuda

__all__ = ["cuda"]
