"""`cupy._core._reduction`: reductions in CUDA C."""

from __future__ import annotations

from cuprum import ReductionKernel

__all__ = ["ReductionKernel"]
