"""`cupy._core._routines_indexing`: where elements are."""

from __future__ import annotations

from typing import Any

import cuprum

__all__ = ["_ndarray_argwhere", "_ndarray_nonzero", "_ndarray_take"]


def _ndarray_argwhere(a: Any) -> Any:
    """Return the indices of the elements that are not zero, a row for each."""
    return cuprum.argwhere(a)


def _ndarray_nonzero(a: Any) -> Any:
    """Return the indices of the elements that are not zero, an array for each axis."""
    return a.nonzero()


def _ndarray_take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    """Return elements by their indices along an axis."""
    return a.take(indices, axis, out)
