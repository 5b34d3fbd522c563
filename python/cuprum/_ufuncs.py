"""The ufuncs, by NumPy's names: every row of the table of ops, as the extension makes it.

A new row appears here by itself. Left out are rows that NumPy has as plain functions, which live in `_math`
and `_indexing`, and the halves of ufuncs with two results.
"""

from __future__ import annotations

from . import _core

_PLAIN = {"angle", "clip", "i0", "imag", "real", "sinc", "where"}
HALVES = {"frexp_exponent", "frexp_mantissa", "modf_fraction", "modf_integer"}
"""Rows that are one result of a ufunc with two; programs name them, users do not."""

_UFUNCS = {name: ufunc for name, ufunc in _core.ufuncs().items() if name not in _PLAIN | HALVES}
globals().update(_UFUNCS)

__all__ = sorted(_UFUNCS)
