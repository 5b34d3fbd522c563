"""`repeat`: the older name of `cupyx.profiler.benchmark`."""

from __future__ import annotations

from .profiler import benchmark as repeat

__all__ = ["repeat"]
