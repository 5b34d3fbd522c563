"""Forms of distances: matrices and condensed vectors."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike


def _rows_of(length: int) -> int:
    """Return the number of points that a condensed vector of a length belongs to; 0 where there is none."""
    n = math.isqrt(2 * length) + 1
    return n if n * (n - 1) == 2 * length else 0


@names_itself
def squareform(X: ArrayLike, force: str = "no", checks: bool = True) -> ndarray:
    """Turn a condensed vector of distances into a matrix, or the reverse.

    Parameters
    ----------
    X : array_like
        The vector or the matrix.
    force : {"no", "tomatrix", "tovector"}, optional
        What must come out.
    checks : bool, optional
        Whether a matrix must be symmetric with a diagonal of zeros.

    Returns
    -------
    ndarray
        The matrix or the vector.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import squareform
    >>> squareform(cp.array([1.0, 2.0, 3.0]))
    array([[0., 1., 2.],
           [1., 0., 3.],
           [2., 3., 0.]])
    """
    x = as_array(X)
    if force.lower() == "tomatrix" and x.ndim != 1:
        raise ValueError("squareform: Forcing 'tomatrix' but input X is not a distance vector.")
    if force.lower() == "tovector" and x.ndim != 2:
        raise ValueError("squareform: Forcing 'tovector' but input X is not a distance matrix.")
    if x.ndim == 1:
        if x.size == 0:
            return cp.zeros((1, 1), x.dtype)
        n = _rows_of(x.size)
        if not n:
            raise ValueError(
                "squareform: Incompatible vector size. It must be a binomial coefficient n "
                "choose 2 for some integer "
                f"n >= 2, got {x.size}."
            )
        i, j = cp.triu_indices(n, 1)
        result = cp.zeros((n, n), x.dtype)
        result[i, j] = x
        result[j, i] = x
        return result
    if x.ndim != 2:
        raise ValueError(
            "squareform: The first argument must be one or two dimensional array. A "
            f"{x.ndim}-dimensional array is "
            "not permitted"
        )
    if x.shape[0] != x.shape[1]:
        raise ValueError(f"squareform: The matrix argument must be square, got shape {x.shape}.")
    if checks:
        is_valid_dm(x, throw=True, name="X")
    if x.shape[0] <= 1:
        return cp.empty(0, x.dtype)
    i, j = cp.triu_indices(x.shape[0], 1)
    return x[i, j]


def _judged(problem: str | None, throw: bool, warning: bool) -> bool:
    if problem is not None:
        if throw:
            raise ValueError(problem)
        if warning:
            warnings.warn(problem, stacklevel=3)
    return problem is None


def is_valid_dm(
    D: ArrayLike, tol: float = 0.0, throw: bool = False, name: str | None = "D", warning: bool = False
) -> bool:
    """Return whether an array is a matrix of distances: symmetric, with a diagonal of zeros.

    Parameters
    ----------
    D : array_like
        The array.
    tol : float, optional
        How far it may be from that.
    throw : bool, optional
        Raise ValueError where it is none.
    name : str, optional
        What messages call it.
    warning : bool, optional
        Warn where it is none.

    Returns
    -------
    bool
        Whether it is one.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import is_valid_dm
    >>> is_valid_dm(cp.array([[0.0, 1.0], [1.0, 0.0]]))
    True
    """
    d = as_array(D)
    called = f"Distance matrix '{name}'" if name else "Distance matrix"
    problem = None
    if d.ndim != 2:
        problem = f"{called} must have shape=2 (i.e. be two-dimensional), got {d.shape}."
    elif d.shape[0] != d.shape[1] or not bool(((d == d.T) if tol == 0 else (d - d.T <= tol)).all()):
        problem = f"{called} must be symmetric" + (f" within tolerance {tol:5.5f}." if tol else ".")
    elif not bool((cp.diagonal(d) <= tol).all() if tol else (cp.diagonal(d) == 0).all()):
        problem = f"{called} diagonal must be zero" + (f" within tolerance {tol:5.5f}." if tol else ".")
    return _judged(problem, throw, warning)


def is_valid_y(y: ArrayLike, warning: bool = False, throw: bool = False, name: str | None = None) -> bool:
    """Return whether an array is a condensed vector of distances.

    Parameters
    ----------
    y : array_like
        The array.
    warning : bool, optional
        Warn where it is none.
    throw : bool, optional
        Raise ValueError where it is none.
    name : str, optional
        What messages call it.

    Returns
    -------
    bool
        Whether it is one.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import is_valid_y
    >>> is_valid_y(cp.ones(3)), is_valid_y(cp.ones(4))
    (True, False)
    """
    array = as_array(y)
    called = f"Condensed distance matrix '{name}'" if name else "Condensed distance matrix"
    problem = None
    if array.ndim != 1:
        problem = f"{called} must have shape=1 (i.e. be one-dimensional), got {array.shape}."
    elif array.size and not _rows_of(array.size):
        problem = f"{called} must have a length that is a binomial coefficient n choose 2, got {array.size}."
    return _judged(problem, throw, warning)


def num_obs_dm(d: ArrayLike) -> int:
    """Return the number of points of a matrix of distances.

    Parameters
    ----------
    d : array_like
        The matrix.

    Returns
    -------
    int
        The number of its rows.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import num_obs_dm
    >>> num_obs_dm(cp.zeros((4, 4)))
    4
    """
    array = as_array(d)
    is_valid_dm(array, tol=np.inf, throw=True, name="d")
    return int(array.shape[0])


def num_obs_y(Y: ArrayLike) -> int:
    """Return the number of points of a condensed vector of distances.

    Parameters
    ----------
    Y : array_like
        The vector.

    Returns
    -------
    int
        The number of points.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import num_obs_y
    >>> num_obs_y(cp.ones(3))
    3
    """
    array: Any = as_array(Y)
    is_valid_y(array, throw=True, name="Y")
    if array.size == 0:
        raise ValueError("The number of observations cannot be determined on an empty distance matrix.")
    return _rows_of(array.size)
