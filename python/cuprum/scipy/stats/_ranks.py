"""Ranks of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._samples import checked_policy

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["rankdata", "tiecorrect"]

_METHODS = ("average", "min", "max", "dense", "ordinal")


def _ties(ordered: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return where runs of equal numbers along the last axis begin, and the ends of the run of each."""
    n = ordered.shape[-1]
    one = cp.ones((*ordered.shape[:-1], 1), bool)
    changes = ordered[..., 1:] != ordered[..., :-1]
    begins, ends = cp.concatenate((one, changes), -1), cp.concatenate((changes, one), -1)
    places = cp.arange(n)
    first = cp.maximum.accumulate(cp.where(begins, places, 0), axis=-1)
    last = cp.flip(cp.minimum.accumulate(cp.flip(cp.where(ends, places, n - 1), -1), axis=-1), -1)
    return begins, first, last


@names_itself
@documented
def rankdata(
    a: ArrayLike, method: str = "average", *, axis: SupportsIndex | None = None, nan_policy: str = "propagate"
) -> ndarray:
    """Return the ranks of numbers, from 1.

    Parameters
    ----------
    {numbers}
    method : {"average", "min", "max", "dense", "ordinal"}, optional
        The rank of equal numbers: the mean, the least or the largest of theirs; the least, with no rank left
        out after them; or as they come.
    axis : int, optional
        The axis along which ranks are given; over all numbers by default.
    nan_policy : {"propagate", "raise", "omit"}, optional
        What NaNs do: make all ranks NaN, raise, or have none.

    Returns
    -------
    ndarray
        The ranks.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.rankdata(cp.array([0, 2, 3, 2]))
    array([1. , 2.5, 4. , 2.5])
    """
    if method not in _METHODS:
        raise ValueError(f"rankdata: unknown method {method!r}")
    a = as_array(a)
    if axis is None:
        a, axis = a.ravel(), -1
    if a.size == 0:
        return cp.empty(a.shape, np.float64 if method == "average" else np.int64)
    has_nan = checked_policy("rankdata", a, nan_policy)
    place = normalize_axis("rankdata", axis, a.ndim)
    x = cp.moveaxis(a, place, -1)
    order = cp.argsort(x, axis=-1, stable=True)
    ordered = cp.take_along_axis(x, order, -1)
    begins, first, last = _ties(ordered)
    ranks: Any
    if method == "ordinal":
        ranks = cp.broadcast_to(cp.arange(1, x.shape[-1] + 1), x.shape)
    elif method == "min":
        ranks = first + 1
    elif method == "max":
        ranks = last + 1
    elif method == "dense":
        ranks = cp.cumsum(begins, axis=-1)
    else:
        ranks = (first + last + 2) / 2.0
    result = cp.empty(x.shape, ranks.dtype)
    cp.put_along_axis(result, order, ranks, -1)
    if a.dtype.kind in "fc":
        nans = cp.isnan(x)
        if has_nan:
            result = cp.where(nans, cp.nan, result)
        elif nan_policy == "propagate" and bool(nans.any()):
            result = cp.where(nans.any(axis=-1, keepdims=True), cp.nan, result)
    return cp.moveaxis(result, -1, place)


@names_itself
def tiecorrect(rankvals: ArrayLike) -> float:
    """Return the correction of tests by ranks for ranks that are equal.

    Parameters
    ----------
    rankvals : (N,) array_like
        The ranks.

    Returns
    -------
    float
        The correction, 1 without equal ranks.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.tiecorrect(cp.array([1.0, 2.5, 2.5, 4.0]))
    0.9
    """
    ranks = cp.sort(as_array(rankvals).ravel())
    n = ranks.size
    if n < 2:
        return 1.0
    begins, first, last = _ties(ranks)
    counts = cp.where(begins, last - first + 1, 0).astype(np.float64)
    return 1.0 - float((counts**3 - counts).sum()) / float(n**3 - n)
