"""Values of power series, and the matrices of fitting them and of finding their roots."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.fill import ones, zeros
from .._dtypes import kind_of
from .._statistics.reductions import prod
from .polyutils import as_series

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["polycompanion", "polyval", "polyvalfromroots", "polyvander"]


def polyvander(x: ArrayLike, deg: SupportsIndex) -> ndarray:
    """Return the powers of points from 0 up to a degree, along a new last axis.

    Parameters
    ----------
    x : array_like
        The points.
    deg : int
        The degree.

    Returns
    -------
    ndarray
        The powers.

    Examples
    --------
    >>> cp.polynomial.polynomial.polyvander([2, 3], 2)
    array([[1., 2., 4.],
           [1., 3., 9.]])
    """
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError(f"polyvander: degree must be non-negative, got {deg}")
    x = _inexact(as_array(x))
    if x.ndim == 0:
        x = x.reshape(1)
    powers = [ones(x.shape, x.dtype)]
    for _ in range(deg):
        powers.append(powers[-1] * x)
    return _core.moveaxis(_core.stack(powers, 0), 0, -1)


def polycompanion(c: ArrayLike) -> ndarray:
    """Return the matrix whose eigenvalues are the roots of a series.

    Parameters
    ----------
    c : array_like
        The coefficients, the lowest power first.

    Returns
    -------
    ndarray
        The companion matrix.

    Examples
    --------
    >>> cp.polynomial.polynomial.polycompanion([6, -5, 1])
    array([[ 0., -6.],
           [ 1.,  5.]])
    """
    (c,) = as_series([c])
    degree = c.size - 1
    if degree < 1:
        raise ValueError("polycompanion: Series must have maximum degree of at least 1.")
    if degree == 1:
        return (-c[0] / c[1]).reshape(1, 1)
    matrix = zeros((degree, degree), c.dtype)
    matrix.reshape(-1)[degree :: degree + 1] = 1
    matrix[:, -1] -= c[:-1] / c[-1]
    return matrix


def polyval(x: Any, c: Any, tensor: bool = True) -> Any:
    """Evaluate series at points.

    Parameters
    ----------
    x : array_like
        The points.
    c : array_like
        The coefficients along the first axis, the lowest power first; other axes are of several series.
    tensor : bool, optional
        Whether every series is evaluated at every point, or the two are broadcast together.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> cp.polynomial.polynomial.polyval(2.0, [1, 2, 3])
    array(17.)
    """
    c = as_array(c)
    if c.ndim == 0:
        c = c.reshape(1)
    if kind_of(c.dtype) in "biu":
        c = c + 0.0
    x, ndim = _points(x)
    if tensor:
        c = c.reshape(c.shape + (1,) * ndim)
    result = c[-1] + x * 0
    for place in range(2, c.shape[0] + 1):
        result = c[-place] + result * x
    return result


def polyvalfromroots(x: ArrayLike, r: ArrayLike, tensor: bool = True) -> Any:
    """Evaluate polynomials that are given by their roots at points.

    Parameters
    ----------
    x : array_like
        The points.
    r : array_like
        The roots along the first axis; other axes are of several polynomials.
    tensor : bool, optional
        Whether every polynomial is evaluated at every point, or the two are broadcast together.

    Returns
    -------
    ndarray
        The values; the first coefficient is one.

    Examples
    --------
    >>> cp.polynomial.polynomial.polyvalfromroots(4.0, [1, 2])
    array(6.)
    """
    r = as_array(r)
    if r.ndim == 0:
        r = r.reshape(1)
    if kind_of(r.dtype) in "biu":
        r = r.astype(float)
    x, ndim = _points(x)
    if tensor:
        r = r.reshape(r.shape + (1,) * ndim)
    elif ndim >= r.ndim:
        raise ValueError(
            f"polyvalfromroots: x.ndim must be < r.ndim when tensor is False, got {ndim} and {r.ndim}"
        )
    return prod(x - r, axis=0)


def _points(x: Any) -> tuple[Any, int]:
    """Return points and the number of their axes; a Python number keeps to the dtype of the series."""
    if type(x) in (int, float, complex):
        return x, 0
    x = as_array(x)
    return x, x.ndim


def _inexact(x: ndarray) -> ndarray:
    """Return numbers in a floating or complex dtype."""
    return x + 0.0
