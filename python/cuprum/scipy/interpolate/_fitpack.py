"""Splines of one variable under FITPACK's interface."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from ._arguments import real
from ._bsplines import BSpline
from ._piecewise import PPoly
from ._smoothing import Knots, Smoothed, evaluated, fit_knots, smoothing_spline, with_ends

__all__ = [
    "InterpolatedUnivariateSpline",
    "LSQUnivariateSpline",
    "UnivariateSpline",
    "splev",
    "splint",
    "splrep",
    "sproot",
]

_EXTENSIONS = {0: 0, 1: 1, 2: 2, 3: 3, "extrapolate": 0, "zeros": 1, "raise": 2, "const": 3}


def _extension(ext: Any) -> int:
    try:
        return _EXTENSIONS[ext]
    except (KeyError, TypeError):
        raise ValueError(f"Unknown extrapolation mode {ext}.") from None


class UnivariateSpline:
    """A smoothing spline through points.

    Parameters
    ----------
    x : (N,) array_like
        The points, rising; strictly so where `s` is 0.
    y : (N,) array_like
        The values.
    w : (N,) array_like, optional
        Weights.
    bbox : (2,) sequence, optional
        The ends of the spline; the first and the last point by default.
    k : int, optional
        The degree, 1 to 5.
    s : float, optional
        The largest sum of squares of weighted distances; N by default. 0 passes through the points.
    ext : int or str, optional
        What there is outside: 0 or "extrapolate", 1 or "zeros", 2 or "raise", 3 or "const".
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import UnivariateSpline
    >>> x = cp.linspace(0, 3, 20)
    >>> UnivariateSpline(x, x**2, s=0)(1.5).round(6)
    array(2.25)
    """

    _fit: Smoothed
    k: int
    ext: int

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        w: ArrayLike | None = None,
        bbox: Sequence[Any] = (None, None),
        k: int = 3,
        s: float | None = None,
        ext: Any = 0,
        check_finite: bool = False,
    ) -> None:
        self._take(x, y, w, bbox, k, ext, check_finite, s != 0 if s is not None else True)
        self.set_smoothing_factor(float(self._x.size) if s is None else s)

    def _take(
        self, x: Any, y: Any, w: Any, bbox: Any, k: int, ext: Any, check_finite: bool, repeats: bool
    ) -> None:
        """Check the arguments that all kinds share."""
        self._x, self._y = real(x), real(y)
        self._w = cp.ones(self._x.shape) if w is None else real(w)
        if check_finite and not all(bool(cp.isfinite(a).all()) for a in (self._x, self._y, self._w)):
            raise ValueError("x and y array must not contain NaNs or infs.")
        steps = cp.diff(self._x)
        if bool((steps < 0).any() if repeats else (steps <= 0).any()):
            raise ValueError("x must be increasing" if repeats else "x must be strictly increasing")
        if self._x.ndim != 1 or self._x.shape != self._y.shape or self._x.shape != self._w.shape:
            raise ValueError("x, y, and w should have a same length")
        if len(bbox) != 2:
            raise ValueError("bbox shape should be (2,)")
        if not 1 <= k <= 5:
            raise ValueError("k should be 1 <= k <= 5")
        if self._x.size <= k:
            raise ValueError(f"{self._x.size} points are too few for a spline of degree {k}")
        self._bounds = (
            float(self._x[0]) if bbox[0] is None else float(bbox[0]),
            float(self._x[-1]) if bbox[1] is None else float(bbox[1]),
        )
        self._knots = Knots(self._x.size)
        if self._bounds[0] > float(self._x[0]) or self._bounds[1] < float(self._x[-1]):
            raise ValueError("bbox must enclose all points")
        self.k, self.ext = k, _extension(ext)

    def set_smoothing_factor(self, s: float) -> None:
        """Compute the spline with another largest sum of squares, beginning with its knots.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> spline.set_smoothing_factor(10.0)
        >>> float(spline.get_residual()) <= 10.1
        True
        """
        if not s >= 0:
            raise ValueError("s should be s >= 0.0")
        room = max(self._x.size // 2, 2 * (self.k + 1))
        data = self._x, self._y, self._w, self._bounds
        self._fit = smoothing_spline(*data, self.k, float(s), room, self._knots)
        if self._fit.code > 0:
            warnings.warn(
                "The spline's sum of squares could not be brought to s: it is probably too small",
                stacklevel=3,
            )

    @classmethod
    def _of(cls, t: ndarray, c: ndarray, k: int, ext: int) -> UnivariateSpline:
        self = object.__new__(UnivariateSpline)
        self._fit, self.k, self.ext = Smoothed(t, c[: t.size - k - 1], k, 0.0, 0), k, ext
        return self

    def __call__(self, x: ArrayLike, nu: int = 0, ext: Any = None) -> ndarray:
        """Evaluate the spline or a derivative.

        Parameters
        ----------
        x : array_like
            The points.
        nu : int, optional
            The order of the derivative.
        ext : int or str, optional
            What there is outside; as the spline has it by default.

        Returns
        -------
        ndarray
            The values.
        """
        mode = self.ext if ext is None else _extension(ext)
        return evaluated(self._fit.t, self._fit.c, self.k, x, nu, mode)

    def get_knots(self) -> ndarray:
        """Return the knots, the ends once.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> spline.get_knots()
        array([0., 2., 3., 5.])
        """
        return self._fit.t[self.k : self._fit.t.size - self.k]

    def get_coeffs(self) -> ndarray:
        """Return the coefficients.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> spline.get_coeffs().shape
        (6,)
        """
        return self._fit.c

    def get_residual(self) -> float:
        """Return the weighted sum of squares.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> float(spline.get_residual()) < 1e-9
        True
        """
        return self._fit.fp

    def _spline(self) -> BSpline:
        return BSpline.construct_fast(self._fit.t, cp.ascontiguousarray(self._fit.c), self.k)

    def integral(self, a: float, b: float) -> float:
        """Return the integral between two points; outside of the knots the spline counts as zero.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> round(float(spline.integral(0, 3)), 6)
        -3.0
        """
        return float(self._spline().integrate(a, b, extrapolate=False))

    def derivatives(self, x: float) -> ndarray:
        """Return all derivatives at a point.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> spline.derivatives(1.0)[:3].round(6)
        array([-3.,  2.,  2.])
        """
        at = as_array(x)
        return cp.stack([self(at, nu) for nu in range(self.k + 1)])

    def roots(self) -> ndarray:
        """Return the zeros of a cubic spline.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> spline.roots().round(6)
        array([2.])
        """
        if self.k != 3:
            raise NotImplementedError(
                "finding roots unsupported for non-cubic splines; use PPoly.from_spline"
            )
        return sproot((self._fit.t, self._fit.c, 3))

    def derivative(self, n: int = 1) -> UnivariateSpline:
        """Return a derivative as a spline.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> round(float(spline.derivative()(3.0)), 6)
        6.0
        """
        # A constant does not go on outside of a derivative: it is zero there.
        made = self._spline().derivative(n)
        return self._of(made.t, made.c, made.k, 1 if self.ext == 3 else self.ext)

    def antiderivative(self, n: int = 1) -> UnivariateSpline:
        """Return an integral as a spline.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import UnivariateSpline
        >>> x = cp.arange(6.0)
        >>> spline = UnivariateSpline(x, x**2 - 4, s=0)
        >>> round(float(spline.antiderivative()(3.0)), 6)
        -3.0
        """
        made = self._spline().antiderivative(n)
        return self._of(made.t, made.c, made.k, self.ext)


class InterpolatedUnivariateSpline(UnivariateSpline):
    """A spline that passes through points.

    Parameters
    ----------
    x, y : (N,) array_like
        The points, strictly rising, and the values.
    w : (N,) array_like, optional
        Weights, which have no effect.
    bbox : (2,) sequence, optional
        The ends of the spline.
    k : int, optional
        The degree, 1 to 5.
    ext : int or str, optional
        What there is outside.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import InterpolatedUnivariateSpline
    >>> InterpolatedUnivariateSpline(cp.arange(5.0), cp.arange(5.0) ** 2)(1.5).round(6)
    array(2.25)
    """

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        w: ArrayLike | None = None,
        bbox: Sequence[Any] = (None, None),
        k: int = 3,
        ext: Any = 0,
        check_finite: bool = False,
    ) -> None:
        self._take(x, y, w, bbox, k, ext, check_finite, False)
        self.set_smoothing_factor(0.0)


class LSQUnivariateSpline(UnivariateSpline):
    """The spline of least squares with given knots.

    Parameters
    ----------
    x, y : (N,) array_like
        The points, rising, and the values.
    t : (M,) array_like
        The inner knots.
    w : (N,) array_like, optional
        Weights.
    bbox : (2,) sequence, optional
        The ends of the spline.
    k : int, optional
        The degree, 1 to 5.
    ext : int or str, optional
        What there is outside.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import LSQUnivariateSpline
    >>> x = cp.linspace(0, 3, 20)
    >>> LSQUnivariateSpline(x, x**2, [1.0, 2.0])(1.5).round(6)
    array(2.25)
    """

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        t: ArrayLike,
        w: ArrayLike | None = None,
        bbox: Sequence[Any] = (None, None),
        k: int = 3,
        ext: Any = 0,
        check_finite: bool = False,
    ) -> None:
        self._take(x, y, w, bbox, k, ext, check_finite, True)
        knots = _checked_knots(with_ends(real(t), self._bounds[0], self._bounds[1], k), k, self._x)
        self._fit = fit_knots(self._x, self._y, self._w, knots, k)


def _checked_knots(t: ndarray, k: int, x: ndarray) -> ndarray:
    """Raise unless the knots rise inside of the ends and each basis function has a point of its own."""
    host, points = cp.asnumpy(t), cp.asnumpy(x)
    n = host.size - k - 1
    fits = bool(np.all(host[k + 1 : n + 1] > host[k:n])) and n <= points.size
    place = 0
    # Of the points in order each function takes the first that is inside of it (Schoenberg and Whitney).
    for i in range(n if fits else 0):
        while place < points.size and points[place] <= host[i] and not (i == 0 or host[i] == host[0]):
            place += 1
        if place >= points.size or points[place] > host[i + k + 1]:
            fits = False
            break
        place += 1
    if not fits:
        raise ValueError("Interior knots t must satisfy Schoenberg-Whitney conditions")
    return t


def splrep(
    x: ArrayLike,
    y: ArrayLike,
    w: ArrayLike | None = None,
    xb: float | None = None,
    xe: float | None = None,
    k: int = 3,
    task: int = 0,
    s: float | None = None,
    t: ArrayLike | None = None,
    full_output: Any = 0,
    per: Any = 0,
    quiet: Any = 1,
) -> Any:
    """Return the knots, coefficients and degree of a spline through or near points.

    Parameters
    ----------
    x, y : (N,) array_like
        The points, rising, and the values.
    w : (N,) array_like, optional
        Weights.
    xb, xe : float, optional
        The ends of the spline.
    k : int, optional
        The degree, 1 to 5.
    task : {0, -1}, optional
        -1 for least squares with the inner knots `t`.
    s : float, optional
        The largest sum of squares; 0, or N - sqrt(2 N) where there are weights.
    t : array_like, optional
        The inner knots.
    full_output : bool, optional
        Return the sum of squares, a code and a message too.
    per : bool, optional
        Not supported: `make_interp_spline` makes periodic splines.
    quiet : bool, optional
        Taken for compatibility.

    Returns
    -------
    tck : (ndarray, ndarray, int)
        The knots, the coefficients with zeros after them, and the degree.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import splev, splrep
    >>> splev(2.5, splrep(cp.arange(6.0), cp.arange(6.0) ** 2)).round(6)
    array(6.25)
    """
    if per:
        raise NotImplementedError(
            "splrep: per=True is not supported; use make_interp_spline(bc_type='periodic')"
        )
    if task not in (0, -1):
        raise TypeError(f"splrep: task must be 0 or -1, got {task}: a spline is always computed anew")
    points, values = real(x), real(y)
    if points.ndim != 1 or points.shape != values.shape:
        raise TypeError("Lengths of the first three arguments (x,y,w) must be equal")
    if not 1 <= k <= 5:
        raise TypeError(f"Given degree of the spline (k={k}) is not supported. (1<=k<=5)")
    if points.size <= k:
        raise TypeError("m > k must hold")
    weights = cp.ones(points.size) if w is None else real(w)
    if weights.shape != points.shape:
        raise TypeError("Lengths of the first three arguments (x,y,w) must be equal")
    if s is None:
        s = 0.0 if w is None else points.size - (2 * points.size) ** 0.5
    low = float(points[0]) if xb is None else float(xb)
    high = float(points[-1]) if xe is None else float(xe)
    steps = cp.diff(points)
    if bool((steps < 0).any()) or s == 0 and task == 0 and t is None and bool((steps == 0).any()):
        raise ValueError("Error on input data")
    if t is not None or task == -1:
        if t is None:
            raise TypeError("Knots must be given for task=-1")
        try:
            knots = _checked_knots(with_ends(real(t), low, high, k), k, points)
        except ValueError:
            raise ValueError("Error on input data") from None
        found = fit_knots(points, values, weights, knots, k)
    else:
        found = smoothing_spline(points, values, weights, (low, high), k, float(s))
    tck = found.t, cp.concatenate((found.c, cp.zeros(k + 1))), k
    if not full_output:
        return tck
    return tck, found.fp, found.code, "The spline was computed." if found.code <= 0 else "s is too small."


def splev(x: ArrayLike, tck: Any, der: int = 0, ext: int = 0) -> ndarray:
    """Evaluate a spline or a derivative.

    Parameters
    ----------
    x : array_like
        The points.
    tck : BSpline or (t, c, k)
        The spline.
    der : int, optional
        The order of the derivative.
    ext : {0, 1, 2, 3}, optional
        What there is outside: the spline goes on, zeros, an error, or the value at the border.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import splev, splrep
    >>> splev(2.5, splrep(cp.arange(6.0), cp.arange(6.0) ** 2), der=1).round(6)
    array(5.)
    """
    t, c, k = tck.tck if isinstance(tck, BSpline) else tck
    if not 0 <= der <= k:
        raise ValueError(f"0<=der={der}<=k={k} must hold")
    if ext not in (0, 1, 2, 3):
        raise ValueError(f"ext = {ext} not in (0, 1, 2, 3)")
    t, c = real(t), as_array(c)
    return evaluated(t, c[: t.size - k - 1], k, x, der, ext)


def splint(a: float, b: float, tck: Any, full_output: Any = 0) -> Any:
    """Integrate a spline between two points.

    Parameters
    ----------
    a, b : float
        The points.
    tck : BSpline or (t, c, k)
        The spline, which counts as zero outside of its knots.
    full_output : bool, optional
        Taken for compatibility where it is false.

    Returns
    -------
    ndarray
        The integral.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import splint, splrep
    >>> splint(0, 3, splrep(cp.arange(6.0), cp.arange(6.0) ** 2)).round(6)
    array(9.)
    """
    spline = tck if isinstance(tck, BSpline) else BSpline(real(tck[0]), tck[1], tck[2])
    return spline.integrate(a, b, extrapolate=False)


def sproot(tck: Any, mest: int = 10) -> ndarray:
    """Return the zeros of a cubic spline.

    Parameters
    ----------
    tck : BSpline or (t, c, k)
        The spline.
    mest : int, optional
        Taken for compatibility.

    Returns
    -------
    ndarray
        The zeros between the ends, rising.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import splrep, sproot
    >>> sproot(splrep(cp.arange(7.0), cp.arange(7.0) - 2.5)).round(6)
    array([2.5])
    """
    t, c, k = tck.tck if isinstance(tck, BSpline) else tck
    if k != 3:
        raise ValueError("sproot works only for cubic (k=3) splines")
    t = real(t)
    if t.size < 8:
        raise TypeError(f"The number of knots {t.size}>=8")
    pieces = PPoly.from_spline((t, as_array(c)[: t.size - 4], 3))
    # Intervals between coincident knots have no inside.
    whole = slice(3, t.size - 4)
    inner = PPoly(pieces.c[:, whole], t[3 : t.size - 3], extrapolate=False)
    found: ndarray = inner.roots(discontinuity=False, extrapolate=False)
    return found[~cp.isnan(found)]
