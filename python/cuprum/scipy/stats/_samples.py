"""Samples along an axis: which of their numbers count, and means of them."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray

POLICIES = ("propagate", "omit", "raise")

ALTERNATIVES = ("two-sided", "less", "greater")


def as_sample(a: Any) -> ndarray:
    """Return an array of at least one axis: a number is a sample of one."""
    array = as_array(a)
    return array.reshape(1) if array.ndim == 0 else array


def checked_policy(op: str, a: ndarray, nan_policy: str) -> bool:
    """Return whether there are NaNs to leave out; raise where they are refused."""
    if nan_policy not in POLICIES:
        raise ValueError(
            f"{op}: nan_policy must be one of {{{', '.join(map(repr, POLICIES))}}}, got {nan_policy!r}"
        )
    if nan_policy == "propagate" or a.dtype.kind not in "fc":
        return False
    has_nan = bool(cp.isnan(a).any())
    if has_nan and nan_policy == "raise":
        raise ValueError(f"{op}: The input contains nan values")
    return has_nan


class Sample:
    """An array of floats seen along one axis, NaNs left out where that is wanted."""

    def __init__(self, op: str, a: Any, axis: Any, nan_policy: str = "propagate") -> None:
        a = as_sample(a)
        self._kept = (1,) * a.ndim if axis is None else None
        if axis is None:
            a, axis = a.ravel(), 0
        self.axis = normalize_axis(op, axis, a.ndim)
        self.values = a.astype(np.float64) if a.dtype.kind in "bui" else a
        self.omits = checked_policy(op, a, nan_policy)
        self.there = ~cp.isnan(self.values) if self.omits else None

    @property
    def count(self) -> Any:
        """How many numbers count, with the axis kept: an array where NaNs are left out."""
        if self.there is None:
            return self.values.shape[self.axis]
        return self.there.sum(axis=self.axis, keepdims=True)

    def mean(self, values: ndarray | None = None) -> ndarray:
        """Return the mean of numbers along the axis, which is kept."""
        values = self.values if values is None else values
        if self.there is None:
            return values.mean(axis=self.axis, keepdims=True)
        total = cp.where(self.there, values, 0).sum(axis=self.axis, keepdims=True)
        result: ndarray = (total / self.count).astype(total.dtype, copy=False)
        return result

    def moment(self, order: int, centre: ndarray | None = None) -> ndarray:
        """Return a moment about the mean, or another centre, the axis kept."""
        centre = self.mean() if centre is None else centre
        return self.mean((self.values - centre) ** order)

    def variance(self, ddof: float) -> ndarray:
        """Return the variance, the axis kept."""
        moment = self.moment(2)
        result: ndarray = (moment * self._ratio(ddof)).astype(moment.dtype, copy=False)
        return result

    def _ratio(self, ddof: float) -> Any:
        """Return the factor `n / (n - ddof)` of the mean of squares."""
        count = self.count
        return _ratio(count, ddof) if isinstance(count, int) else count / (count - ddof)

    def deviation(self, ddof: float) -> ndarray:
        """Return the standard deviation, the axis kept; real also for complex numbers."""
        if self.values.dtype.kind != "c":
            return cp.sqrt(self.variance(ddof))
        away = self.values - self.mean()
        squares = self.mean(away.real**2 + away.imag**2)
        return cp.sqrt((squares * self._ratio(ddof)).astype(squares.dtype, copy=False))

    def reduced(self, result: ndarray, keepdims: bool = False) -> ndarray:
        """Return a result without the axis, or with it; all axes where all numbers are one sample."""
        if not keepdims:
            return cp.squeeze(result, self.axis)
        return result if self._kept is None else result.reshape(self._kept)

    def is_constant(self) -> ndarray:
        """Return whether numbers along the axis hardly differ from their mean, the axis kept."""
        result: ndarray = self.moment(2) <= (np.finfo(self.values.dtype).eps * self.mean()) ** 2
        return result


def _ratio(count: int, ddof: float) -> float:
    return count / (count - ddof) if count != ddof else float("nan") if count == 0 else float("inf")


def check_choice(op: str, name: str, value: Any, known: tuple[str, ...]) -> None:
    """Refuse a value of a parameter that is none of those known."""
    if value not in known:
        raise ValueError(f"{op}: `{name}` must be one of {known}, got {value!r}")
