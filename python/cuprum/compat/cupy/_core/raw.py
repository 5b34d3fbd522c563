"""`cupy._core.raw`: kernels and modules in CUDA C."""

from __future__ import annotations

from cuprum import RawKernel, RawModule

__all__ = ["RawKernel", "RawModule"]
