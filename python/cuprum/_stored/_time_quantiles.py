"""Quantiles of dates and of differences, by NumPy's methods."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._convert import normalize_axes
from .._core import ndarray
from .._indexing.indexing import where
from ._arguments import as_stored
from ._time_reductions import _at, _result
from ._time_ufuncs import _from_fractions
from ._units import NAT

__all__ = ["quantile"]

_LATEST = np.iinfo(np.int64).max


class _Functions:
    """What the methods of quantiles need, for numbers of elements that differ from row to row."""

    floor = staticmethod(lambda x: _core.ufuncs()["floor"](x))
    ceil = staticmethod(lambda x: _core.ufuncs()["ceil"](x))
    rint = staticmethod(lambda x: _core.ufuncs()["rint"](x))
    maximum = staticmethod(lambda x, y: _core.ufuncs()["maximum"](x, y))
    where = staticmethod(where)


def quantile(
    op: str,
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    weights: Any = None,
    interpolation: str | None = None,
) -> Any:
    """Return quantiles along axes, the axes of `q` first; `nanquantile` passes over what is no time."""
    from .._statistics.quantile_methods import method_of

    a = as_stored(a)
    if weights is not None:
        raise TypeError(f"{op}: weights are not supported for dates")
    chosen = method_of(op, interpolation or method)
    fractions = np.asarray(q.get() if isinstance(q, ndarray) else q, np.float64)
    if op.endswith("percentile"):
        fractions = fractions / 100
    if not bool(((fractions >= 0) & (fractions <= 1)).all()):
        what = "Percentiles must be in the range [0, 100]" if op.endswith("percentile") else None
        raise ValueError(f"{op}: {what or 'Quantiles must be in the range [0, 1]'}")
    axes = tuple(range(a.ndim)) if axis is None else normalize_axes(op, axis, a.ndim)
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    length = math.prod(a.shape[i] for i in axes)
    rows = a._ordered.transpose((*kept, *axes)).reshape((*(a.shape[i] for i in kept), length))
    skips = op.startswith("nan")
    if length == 0 and not skips:
        raise IndexError(f"{op}: the axis to reduce has no elements")
    there = (rows != _LATEST).sum(axis=-1)
    lost = there == 0 if skips else there < length
    counts = there if skips else _core.full(there.shape, length, np.int64, "C")
    rows = _core.sort(rows, -1) + 1 if length else rows
    if length:
        parts = [_of_rows(rows, counts, float(one), chosen) for one in fractions.ravel()]
    else:
        parts = [lost] * fractions.size
    found = [where(lost, NAT, part) for part in parts]
    ticks = _core.stack(found, 0) if found else _core.zeros((0, *there.shape), np.int64, "C")
    shape = tuple(1 if i in axes else n for i, n in enumerate(a.shape)) if keepdims else there.shape
    return _result(a, ticks.reshape((*fractions.shape, *shape)), op, out)


def _of_rows(rows: ndarray, counts: ndarray, share: float, method: Any) -> ndarray:
    """Return one quantile of each sorted row, of its first elements."""
    functions, count = _Functions, counts.astype(np.float64)
    index = method.virtual_index(functions, count, share)
    last = counts - 1

    def at(places: ndarray) -> ndarray:
        inside = _core.ufuncs()["minimum"](places.astype(np.int64), last)
        return _at(rows, inside)

    if method.share is None:
        return at(index)
    start = functions.floor(index)
    above, below = index >= count - 1, index < 0
    low = at(where(above, count - 1, where(below, 0, start)))
    high = at(where(above, count - 1, where(below, 0, start + 1)))
    part = index - where(above, -1, where(below, 0, start))
    part = method.share(functions, part, index).astype(np.float64)
    apart = high - low
    none = apart == NAT
    # From the nearer of the two, as NumPy rounds.
    upward = low + _from_fractions(apart * part, none)
    downward = high - _from_fractions(apart * (1 - part), none)
    return where(part >= 0.5, downward, upward)
