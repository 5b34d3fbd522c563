"""Kernels that users write in CUDA C, and CuPy's classes around them."""

from __future__ import annotations

from ._raw import RawKernel
from ._raw_module import RawModule

__all__ = ["RawKernel", "RawModule"]
