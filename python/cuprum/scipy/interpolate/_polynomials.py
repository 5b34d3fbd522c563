"""Interpolation by one polynomial through all points."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from ._arguments import inexact, moved

__all__ = ["BarycentricInterpolator", "KroghInterpolator", "barycentric_interpolate", "krogh_interpolate"]


class _ThroughPoints:
    """What both interpolators share: the axis of the values, and the axes of results."""

    _axis: int
    _rest: tuple[int, ...]

    def _lines(self, yi: Any, count: int | None, axis: int) -> ndarray:
        """Return values with the interpolation axis in front and the rest as one axis."""
        values = inexact(yi)
        if values.ndim == 0 or count is not None and values.shape[axis] != count:
            raise ValueError("x and y arrays must be equal in length along interpolation axis.")
        self._axis = axis % values.ndim
        values = cp.moveaxis(values, self._axis, 0)
        self._rest = values.shape[1:]
        return values.reshape(values.shape[0], -1)

    @staticmethod
    def _points(x: Any) -> tuple[ndarray, tuple[int, ...]]:
        x = as_array(x)
        x = x if x.dtype.kind in "fc" else x.astype(np.float64)
        return x.ravel(), x.shape

    def _shaped(self, y: ndarray, shape: tuple[int, ...]) -> ndarray:
        return moved(y.reshape(shape + self._rest), len(shape), self._axis if shape else 0)

    def _evaluate(self, x: ndarray) -> ndarray:
        raise NotImplementedError

    def _derivatives(self, x: ndarray, count: int) -> list[ndarray]:
        raise NotImplementedError

    def __call__(self, x: ArrayLike) -> ndarray:
        """Evaluate the polynomial.

        Parameters
        ----------
        x : array_like
            The points.

        Returns
        -------
        ndarray
            The values.
        """
        flat, shape = self._points(x)
        return self._shaped(self._evaluate(flat), shape)

    def derivative(self, x: ArrayLike, der: int = 1) -> ndarray:
        """Evaluate one derivative.

        Parameters
        ----------
        x : array_like
            The points.
        der : int, optional
            Its order.

        Returns
        -------
        ndarray
            The values.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import KroghInterpolator
        >>> float(KroghInterpolator([0, 1, 2], [0, 1, 4]).derivative(1.0))
        2.0
        """
        flat, shape = self._points(x)
        return self._shaped(self._derivatives(flat, der + 1)[der], shape)

    def derivatives(self, x: ArrayLike, der: int | None = None) -> ndarray:
        """Evaluate derivatives from order 0 on.

        Parameters
        ----------
        x : array_like
            The points.
        der : int, optional
            How many; all that are not zero by default.

        Returns
        -------
        ndarray
            The values, by orders.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import KroghInterpolator
        >>> KroghInterpolator([0, 1, 2], [0, 1, 4]).derivatives(1.0)
        array([1., 2., 2.])
        """
        flat, shape = self._points(x)
        found = self._derivatives(flat, self.n if der is None else der)
        return cp.stack([self._shaped(part, shape) for part in found])

    n: int


class KroghInterpolator(_ThroughPoints):
    """The polynomial through points by Newton's form; repeated points give derivatives.

    Parameters
    ----------
    xi : (N,) array_like
        The points. One that is repeated has derivatives as its further values.
    yi : array_like
        The values, along `axis`.
    axis : int, optional
        The interpolation axis.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import KroghInterpolator
    >>> KroghInterpolator(cp.array([0.0, 0.0, 1.0]), cp.array([0.0, 2.0, 0.0]))(0.5)
    array(0.5)
    """

    def __init__(self, xi: ArrayLike, yi: ArrayLike, axis: int = 0) -> None:
        self.xi = as_array(xi)
        self.yi = self._lines(yi, self.xi.size, axis)
        self.n, self.r = self.yi.shape
        if self.xi.size > 30:
            warnings.warn(
                f"{self.xi.size} degrees provided, degrees higher than about thirty cause "
                "problems with numerical "
                "instability with 'KroghInterpolator'",
                stacklevel=2,
            )
        x = cp.asnumpy(self.xi)
        c = [self.yi[0]]
        row: list[Any] = [0.0] * self.n
        for k in range(1, self.n):
            repeats = 0
            while repeats < k and x[k - repeats - 1] == x[k]:
                repeats += 1
            row[0] = self.yi[k] / math.factorial(repeats)
            for i in range(k - repeats):
                if x[i] == x[k]:
                    raise ValueError("Elements of `xi` can't be equal.")
                start = c[i] if repeats == 0 else row[i + 1]
                row[i + 1] = (start - row[i]) / float(x[i] - x[k])
            c.append(row[k - repeats])
        self.c = cp.stack([*c, cp.zeros_like(self.yi[0])])

    def _evaluate(self, x: ndarray) -> ndarray:
        total: Any = cp.zeros((x.size, 1)) + self.c[0]
        product: Any = 1.0
        for k in range(1, self.n):
            product = product * (x - self.xi[k - 1])
            total = total + product[:, None] * self.c[k]
        result: ndarray = total
        return result

    def _derivatives(self, x: ndarray, count: int) -> list[ndarray]:
        n = self.n
        steps = [x - self.xi[k] for k in range(n)]
        products: list[Any] = [cp.ones_like(x)]
        for k in range(1, n):
            products.append(steps[k - 1] * products[k - 1])
        zeros = cp.zeros((x.size, self.r), self.yi.dtype)
        rows: list[Any] = [zeros + self.c[k] for k in range(n + 1)]
        rows += [zeros] * max(count - n - 1, 0)
        rows[0] = self._evaluate(x)
        for k in range(1, n):
            for i in range(1, n - k + 1):
                if i < n:
                    earlier = products[i] if i < len(products) else 0.0
                    products[i] = (steps[k + i - 1] if k + i - 1 < n else 0.0) * products[i - 1] + earlier
                    rows[k] = rows[k] + products[i][:, None] * rows[k + i]
            rows[k] = rows[k] * math.factorial(k)
        rows[n] = zeros
        return rows[:count]


class BarycentricInterpolator(_ThroughPoints):
    """The polynomial through points by the barycentric formula, which is stable for good points.

    Parameters
    ----------
    xi : (N,) array_like
        The points, all different.
    yi : array_like, optional
        The values, along `axis`; they may be set later.
    axis : int, optional
        The interpolation axis.
    wi : array_like, optional
        The barycentric weights, where they are known.
    rng, random_state : optional
        Taken for compatibility: products are taken as sums of logarithms, in whose order nothing overflows.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import BarycentricInterpolator
    >>> BarycentricInterpolator(cp.arange(4.0), cp.arange(4.0) ** 3)(1.5)
    array(3.375)
    """

    yi: ndarray | None

    def __init__(
        self,
        xi: ArrayLike,
        yi: ArrayLike | None = None,
        axis: int = 0,
        *,
        wi: ArrayLike | None = None,
        rng: Any = None,
        random_state: Any = None,
    ) -> None:
        self.xi = as_array(xi).astype(np.float64)
        self.n = self.xi.size
        self._given_axis = axis
        self.set_yi(yi)
        self.wi = self._weights() if wi is None else as_array(wi)

    def _weights(self) -> ndarray:
        apart = 4.0 / (self.xi.max() - self.xi.min()) * (self.xi[:, None] - self.xi)
        apart = cp.where(cp.eye(self.n, dtype=bool), 1.0, apart)
        if bool((apart == 0).any()):
            raise ValueError("Interpolation points xi must be distinct.")
        sign = cp.where((apart < 0).sum(1) % 2 == 0, 1.0, -1.0)
        return sign * cp.exp(-cp.log(abs(apart)).sum(1))

    def set_yi(self, yi: ArrayLike | None, axis: int | None = None) -> None:
        """Set the values.

        Parameters
        ----------
        yi : array_like or None
            The values.
        axis : int, optional
            The interpolation axis.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BarycentricInterpolator
        >>> p = BarycentricInterpolator([0, 1], [0, 1])
        >>> p.set_yi([1, 3])
        >>> float(p(0.5))
        2.0
        """
        self._slope: BarycentricInterpolator | None = None
        if yi is None:
            self.yi = None
            return
        if axis is not None:
            self._given_axis = axis
        self.yi = self._lines(yi, self.n, self._given_axis)
        self.r = self.yi.shape[1]

    def add_xi(self, xi: ArrayLike, yi: ArrayLike | None = None) -> None:
        """Add points.

        Parameters
        ----------
        xi : array_like
            The points.
        yi : array_like, optional
            Their values, where there are values already.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BarycentricInterpolator
        >>> p = BarycentricInterpolator([0, 1], [0, 1])
        >>> p.add_xi([2], [4])
        >>> float(p(1.5))
        2.25
        """
        if yi is not None:
            if self.yi is None:
                raise ValueError("No previous yi value to update!")
            values = cp.moveaxis(inexact(yi), self._axis, 0)
            if values.shape[1:] != self._rest:
                raise ValueError(f"Data must have the shape {self._rest} beside the interpolation axis")
            self.yi = cp.concatenate((self.yi, values.reshape(values.shape[0], -1)))
        elif self.yi is not None:
            raise ValueError("No update to yi provided!")
        self.xi = cp.concatenate((self.xi, as_array(xi).astype(np.float64)))
        self.n = self.xi.size
        self.wi, self._slope = self._weights(), None

    def _evaluate(self, x: ndarray) -> ndarray:
        assert self.yi is not None
        away = x[:, None] - self.xi
        hit = away == 0
        share = self.wi / cp.where(hit, 1.0, away)
        result = (share @ self.yi) / share.sum(1)[:, None]
        return cp.where(hit.any(1)[:, None], self.yi[cp.argmax(hit, axis=1)], result)

    def _derivatives(self, x: ndarray, count: int) -> list[ndarray]:
        assert self.yi is not None
        rows, at = [], self
        for order in range(count):
            rows.append(at._evaluate(x) if order < self.n else cp.zeros((x.size, self.r), self.yi.dtype))
            if order + 1 < min(count, self.n):
                at = at._differentiated()
        return rows

    def _differentiated(self) -> BarycentricInterpolator:
        """Return the derivative, by its values at the points."""
        if self._slope is None:
            apart = self.xi[:, None] - self.xi
            own = cp.eye(self.n, dtype=bool)
            matrix = cp.where(own, 0.0, self.wi / (cp.where(own, 1.0, apart) * self.wi[:, None]))
            matrix = matrix - cp.diag(matrix.sum(1))
            self._slope = BarycentricInterpolator(self.xi, matrix @ self.yi, wi=self.wi)
        return self._slope


def _derivatives_of(interpolator: _ThroughPoints, x: Any, der: Any) -> Any:
    if np.ndim(der) == 0:
        return interpolator(x) if der == 0 else interpolator.derivative(x, int(der))
    orders = [int(order) for order in der]
    return interpolator.derivatives(x, max(orders) + 1)[orders]


def krogh_interpolate(xi: ArrayLike, yi: ArrayLike, x: ArrayLike, der: Any = 0, axis: int = 0) -> Any:
    """Evaluate the polynomial through points by Newton's form.

    Parameters
    ----------
    xi : (N,) array_like
        The points; repeated ones give derivatives.
    yi : array_like
        The values, along `axis`.
    x : array_like
        Where to evaluate.
    der : int or list of int, optional
        The order of the derivative, or several.
    axis : int, optional
        The interpolation axis.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import krogh_interpolate
    >>> krogh_interpolate(cp.arange(3.0), cp.arange(3.0) ** 2, 1.5)
    array(2.25)
    """
    return _derivatives_of(KroghInterpolator(xi, yi, axis), x, der)


def barycentric_interpolate(
    xi: ArrayLike, yi: ArrayLike, x: ArrayLike, axis: int = 0, *, der: Any = 0, rng: Any = None
) -> Any:
    """Evaluate the polynomial through points by the barycentric formula.

    Parameters
    ----------
    xi : (N,) array_like
        The points, all different.
    yi : array_like
        The values, along `axis`.
    x : array_like
        Where to evaluate.
    axis : int, optional
        The interpolation axis.
    der : int or list of int, optional
        The order of the derivative, or several.
    rng : optional
        Taken for compatibility.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import barycentric_interpolate
    >>> barycentric_interpolate(cp.arange(3.0), cp.arange(3.0) ** 2, 1.5)
    array(2.25)
    """
    return _derivatives_of(BarycentricInterpolator(xi, yi, axis), x, der)
