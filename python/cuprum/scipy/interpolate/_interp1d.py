"""Interpolation along one axis, by several methods."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from ._arguments import moved
from ._make_splines import interpolated

__all__ = ["interp1d"]

_ORDERS = {"zero": 0, "slinear": 1, "quadratic": 2, "cubic": 3}


def _extrapolates(fill_value: Any) -> bool:
    return isinstance(fill_value, str) and fill_value == "extrapolate"


_PLAIN = {np.dtype(np.float64), np.dtype(np.int64)}


class interp1d:  # noqa: N801 - SciPy's name
    """Interpolation of values along one axis.

    Parameters
    ----------
    x : (N,) array_like
        The points.
    y : (..., N, ...) array_like
        The values.
    kind : str or int, optional
        "linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic", or the
        degree of a spline.
    axis : int, optional
        The axis of `y`, the last by default.
    copy : bool, optional
        Whether the arrays are copied.
    bounds_error : bool, optional
        Raise ValueError for points outside; the default where no `fill_value` is given.
    fill_value : array_like, (array_like, array_like) or "extrapolate", optional
        The values of points outside, below and above.
    assume_sorted : bool, optional
        Whether `x` is rising already.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import interp1d
    >>> interp1d(cp.arange(4.0), cp.arange(4.0) ** 2)(cp.array([0.5, 2.5]))
    array([0.5, 6.5])
    """

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        kind: str | int = "linear",
        axis: int = -1,
        copy: bool = True,
        bounds_error: bool | None = None,
        fill_value: Any = np.nan,
        assume_sorted: bool = False,
    ) -> None:
        order: int | None = None
        if isinstance(kind, str) and kind in _ORDERS:
            order, kind = _ORDERS[kind], "spline"
        elif isinstance(kind, int):
            order, kind = kind, "spline"
        elif kind not in ("linear", "nearest", "nearest-up", "previous", "next"):
            raise NotImplementedError(
                f"interp1d: {kind!r} is unsupported: use make_interp_spline or another interpolator"
            )
        points, values = cp.array(x, copy=copy or None), cp.array(y, copy=copy or None)
        if points.ndim != 1:
            raise ValueError("the x array must have exactly one dimension.")
        if values.ndim == 0:
            raise ValueError("the y array must have at least one dimension.")
        if values.shape[axis] != points.size:
            raise ValueError("x and y arrays must be equal in length along interpolation axis.")
        if not assume_sorted:
            by = cp.argsort(points, kind="stable")
            points, values = points[by], cp.take(values, by, axis=axis)
        # As SciPy does, by `interp`: at a point that is one of `x`, its value alone counts.
        self._plain = kind == "linear" and values.ndim == 1 and {points.dtype, values.dtype} <= _PLAIN
        if values.dtype.kind not in "fc":
            values = values.astype(np.float64)
        least = 1 if order is None else order + 1
        if points.size < least:
            raise ValueError(f"x and y arrays must have at least {least} entries")
        self.x, self.y, self.axis = points, values, axis % values.ndim
        self.bounds_error = bounds_error
        self.copy = copy
        self._kind: Any = kind
        lines = cp.moveaxis(values, self.axis, 0)
        self._lines = lines.reshape(lines.shape[0], -1)
        self._rest = lines.shape[1:]
        if order is not None:
            self._make_spline(order)
        extrapolates = _extrapolates(fill_value)
        if extrapolates and kind in ("previous", "next"):
            # The side where there is no neighbour has no value.
            self._no_error()
            edge = cp.take(values, -1 if kind == "previous" else 0, axis)
            fill_value = (np.nan, edge) if kind == "previous" else (edge, np.nan)
        self.fill_value = fill_value

    def _no_error(self) -> None:
        if self.bounds_error:
            raise ValueError("Cannot extrapolate and raise at the same time.")
        self.bounds_error = False

    def _make_spline(self, order: int) -> None:
        x, lines = self.x.astype(np.float64), self._lines
        self._undefined = False
        if order > 1 and not (bool(cp.isfinite(x).all()) and bool(cp.isfinite(lines).all())):
            if bool(cp.isnan(x).all()):
                raise ValueError("`x` array is all-nan")
            self._undefined = True
            return
        if bool((cp.diff(x) <= 0).any()):
            raise ValueError("Expect x to not have duplicates")
        self._spline = interpolated(x, lines.astype(cp.result_type(lines, np.float64)), order)

    @property
    def fill_value(self) -> Any:
        """The value of points outside."""
        return self._fill_value

    @fill_value.setter
    def fill_value(self, fill_value: Any) -> None:
        self._extrapolate = _extrapolates(fill_value)
        if self._extrapolate:
            self._no_error()
        else:
            pair = fill_value if isinstance(fill_value, tuple) and len(fill_value) == 2 else (fill_value,) * 2
            rest = self._rest or (1,)
            found = []
            for one in pair:
                array = as_array(one)
                if array.ndim > len(rest) or any(
                    n not in (1, m) for n, m in zip(array.shape[::-1], rest[::-1], strict=False)
                ):
                    raise ValueError(f"fill_value argument must be able to broadcast up to shape {rest}")
                found.append(cp.broadcast_to(array, rest).reshape(-1))
            self._below, self._above = found
            if self.bounds_error is None:
                self.bounds_error = True
        self._fill_value = fill_value

    def __call__(self, x: ArrayLike) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        x : array_like
            The points.

        Returns
        -------
        ndarray
            The values, with the axes of `x` in the place of the interpolation axis.
        """
        x = as_array(x)
        if x.dtype.kind == "c":
            raise TypeError(f"interp1d: the points must be real, got {x.dtype}: take their real part")
        at = (x if x.dtype.kind == "f" else x.astype(np.float64)).ravel()
        result = self._values(at)
        if not self._extrapolate:
            below, above = at < self.x[0], at > self.x[-1]
            if self.bounds_error:
                for name, out in (("below", below), ("above", above)):
                    if bool(out.any()):
                        limit = "minimum" if name == "below" else "maximum"
                        end = float(self.x[0 if name == "below" else -1])
                        raise ValueError(
                            f"A value ({float(at[cp.argmax(out)])}) in x_new is {name} the "
                            "interpolation range's "
                            f"{limit} value ({end})."
                        )
            result = cp.where(below[:, None], self._below.astype(result.dtype), result)
            result = cp.where(above[:, None], self._above.astype(result.dtype), result)
        return moved(result.reshape(x.shape + self._rest), x.ndim, self.axis if x.ndim else 0)

    def _values(self, at: ndarray) -> ndarray:
        kind, last = self._kind, self.x.size - 1
        if kind == "spline":
            if self._undefined:
                return cp.full(
                    (at.size, self._lines.shape[1]), np.nan, cp.result_type(self._lines, np.float64)
                )
            return self._spline(at)
        if kind == "linear":
            if last == 0:
                return cp.where(cp.isnan(at)[:, None], np.nan, self._lines[cp.zeros(at.size, np.int64)])
            if self._plain and not self._extrapolate:
                return cp.interp(at, self.x, self._lines[:, 0])[:, None]
            high = cp.clip(cp.searchsorted(self.x, at), 1, last)
            low = high - 1
            step = (self.x[high] - self.x[low])[:, None]
            slope = (self._lines[high] - self._lines[low]) / step
            result: ndarray = slope * (at - self.x[low])[:, None] + self._lines[low]
            return result
        if kind in ("nearest", "nearest-up"):
            half = self.x / 2.0
            borders = half[1:] + half[:-1]
            place = cp.searchsorted(borders, at, side="left" if kind == "nearest" else "right")
            return self._lines[cp.clip(place, 0, last)]
        ahead = 1 if kind == "next" else 0
        shifted = cp.nextafter(self.x.astype(np.float64), np.inf if ahead else -np.inf)
        place = cp.searchsorted(shifted, at, side="right" if ahead else "left")
        return self._lines[cp.clip(place, 1 - ahead, last + 1 - ahead) + ahead - 1]
