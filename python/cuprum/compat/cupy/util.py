"""`cupy.util`, where older versions of CuPy have `memoize`."""

from __future__ import annotations

from cuprum import clear_memo, memoize

__all__ = ["clear_memo", "memoize"]
