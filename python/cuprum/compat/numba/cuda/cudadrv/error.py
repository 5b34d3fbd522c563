"""Errors of Numba's driver layer: they stand under what Cuprum raises."""

from __future__ import annotations

__all__ = ["CudaDriverError", "CudaRuntimeError", "CudaSupportError"]

CudaDriverError = CudaRuntimeError = CudaSupportError = RuntimeError
