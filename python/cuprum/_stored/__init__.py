"""Arrays of dtypes that are stored and not computed with: structures, bytes, dates, other orders of bytes.

The engine knows numbers alone. An array of another dtype is a plain array of bytes, with one more axis for
the bytes of an element, and NumPy's dtype beside it; what can be computed is computed on views of the bytes.
"""

from __future__ import annotations

from ._arguments import as_stored, counts_of
from ._array import StoredArray, checked_dtype, is_stored
from ._functions import call
from ._making import converted, instead, joined, made_of, stored_like, viewed
from ._records import RecordArray
from ._swapped import SwappedArray
from ._times import TimeArray

__all__ = [
    "RecordArray",
    "StoredArray",
    "SwappedArray",
    "TimeArray",
    "as_stored",
    "call",
    "checked_dtype",
    "converted",
    "counts_of",
    "instead",
    "is_stored",
    "joined",
    "made_of",
    "stored_like",
    "viewed",
]
