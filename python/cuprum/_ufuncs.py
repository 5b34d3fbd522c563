"""The ufuncs, by NumPy's names: every row of the table of ops, as the extension makes it.

A new row of the namespace `ufunc` appears here by itself.
"""

from __future__ import annotations

from . import _core

_UFUNCS = _core.ufuncs("ufunc")
globals().update(_UFUNCS)

__all__ = sorted(_UFUNCS)
