"""Functions that loops of kernels know."""

from __future__ import annotations

from cuprum.jit._intrinsics import literal_unroll

__all__ = ["literal_unroll"]
