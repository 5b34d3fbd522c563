"""The driver's errors under Numba's names: they stand under what Cuprum raises."""

from __future__ import annotations

__all__ = ["CudaAPIError", "LinkerError"]

CudaAPIError = LinkerError = RuntimeError
