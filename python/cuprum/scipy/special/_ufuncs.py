"""The special functions that are ufuncs: every row of the table of ops that has SciPy's name alone.

A new row of the namespace `special` appears here by itself.
"""

from __future__ import annotations

from ... import _core

_UFUNCS = _core.ufuncs("special")
globals().update(_UFUNCS)

__all__ = sorted(_UFUNCS)
