"""The lines of an array along which order statistics run, and elements selected without sorting."""

from __future__ import annotations

import bisect
import itertools
from typing import Any

import numpy as np

from .. import _core
from .._convert import normalize_axes
from .._core import ndarray
from .._dtypes import kind_of
from .._ufuncs import isnan

_MAX_SINGLE_READS = 8
"""Places that are read one by one at most."""


class Lines:
    """An array with the axes to reduce brought together as its last one, and the way back."""

    def __init__(self, op: str, a: ndarray, axis: Any) -> None:
        self.ndim = a.ndim
        self.axes = tuple(range(a.ndim)) if axis is None else normalize_axes(op, axis, a.ndim)
        self.kept = tuple(one for one in range(a.ndim) if one not in self.axes)
        self.values = self.arranged(a)

    def arranged(self, a: ndarray) -> ndarray:
        """Return another array of the same shape in the same arrangement."""
        if len(self.axes) == 1 and self.axes[0] == self.ndim - 1:
            return a
        if not self.kept:
            return a.ravel()
        shape = tuple(a.shape[one] for one in self.kept)
        length = 1
        for one in self.axes:
            length *= a.shape[one]
        return a.transpose((*self.kept, *sorted(self.axes))).reshape((*shape, length))

    def kept_in(self, result: ndarray, leading: int) -> ndarray:
        """Return a result behind `leading` axes with the reduced axes back, of length one."""
        index: tuple[Any, ...] = (slice(None),) * leading
        index += tuple(None if one in self.axes else slice(None) for one in range(self.ndim))
        return result[index]


def finished(
    op: str, lines: Lines, result: ndarray, leading: int, out: Any, keepdims: Any, casting: str
) -> ndarray:
    """Return a result, with the reduced axes where they are to be kept, or stored into `out`."""
    if keepdims:
        result = lines.kept_in(result, leading)
    if out is None:
        return result
    if not isinstance(out, ndarray):
        raise TypeError(f"{op}: out must be a cuprum array, not {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"{op}: the result of shape {result.shape} does not fit out of shape {out.shape}")
    _core.copyto(out, result, casting=casting)
    return out


class Selected:
    """The elements of lines at places of their sorted order."""

    def __init__(self, a: ndarray, *places: np.ndarray) -> None:
        self.lines = a
        # What is NaN comes last. On a GPU, to select that too takes less than to look at all elements.
        self.has_last = kind_of(a.dtype) in "fc" and _core.is_on_gpu(a)
        last = [a.shape[-1] - 1] if self.has_last else []
        self.kth = sorted({*itertools.chain(*(one.ravel().tolist() for one in places)), *last})
        self.elements = _core.select_sorted(a, self.kth, -1)

    def one(self, place: int) -> ndarray:
        """Return the elements at one of the places."""
        return self.elements[..., bisect.bisect_left(self.kth, place)]

    def at(self, places: np.ndarray) -> ndarray:
        """Return the elements at some of the places, whose axes come first."""
        if places.ndim == 0:
            return self.one(places.item()).copy()
        lines = self.elements
        if lines.ndim > 1:
            lines = lines.transpose((lines.ndim - 1, *range(lines.ndim - 1)))
        if 0 < places.size <= _MAX_SINGLE_READS:
            few = [bisect.bisect_left(self.kth, place) for place in places.ravel().tolist()]
            step = few[1] - few[0] if len(few) > 1 else 1
            is_even = lines.ndim == 1 and step > 0
            if is_even and all(after - before == step for before, after in itertools.pairwise(few)):
                # Places at equal distances, as those of two quantiles are: a view.
                return lines[few[0] : few[-1] + 1 : step].reshape(places.shape)
            if _core.is_on_gpu(lines):
                # Pieces fuse with what reads them; positions would have to go to the GPU first.
                pieces = _core.stack([lines[one] for one in few], 0)
                return pieces.reshape((*places.shape, *lines.shape[1:]))
        found = np.searchsorted(self.kth, places.ravel())
        return _core.take(lines, found, 0).reshape((*places.shape, *lines.shape[1:]))

    def nan_for_nan(self, result: ndarray) -> ndarray:
        """Return a result with NaN for lines that have one."""
        if kind_of(self.lines.dtype) not in "fc":
            return result
        nan = isnan(self.elements[..., -1]) if self.has_last else isnan(self.lines).any(axis=-1)
        return _core.where(nan, np.nan, result)
