"""Minkowski's distances between points of two arrays."""

from __future__ import annotations

import numpy as np

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike

__all__ = ["minkowski_distance", "minkowski_distance_p"]


def minkowski_distance_p(x: ArrayLike, y: ArrayLike, p: float = 2) -> ndarray:
    """Return Minkowski distances along the last axis, without the root.

    Parameters
    ----------
    x, y : (..., K) array_like
        The vectors, which are broadcast.
    p : float, optional
        The norm.

    Returns
    -------
    ndarray
        The distances to the power of p.

    Examples
    --------
    >>> from cuprum.scipy.spatial import minkowski_distance_p
    >>> minkowski_distance_p(cp.array([0.0, 0.0]), cp.array([3.0, 4.0]))
    array(25.)
    """
    apart = abs(as_array(y) - as_array(x)).astype(np.float64)
    if p == np.inf:
        return apart.max(-1)
    return apart.sum(-1) if p == 1 else (apart**p).sum(-1)


def minkowski_distance(x: ArrayLike, y: ArrayLike, p: float = 2) -> ndarray:
    """Return Minkowski distances along the last axis.

    Parameters
    ----------
    x, y : (..., K) array_like
        The vectors, which are broadcast.
    p : float, optional
        The norm.

    Returns
    -------
    ndarray
        The distances.

    Examples
    --------
    >>> from cuprum.scipy.spatial import minkowski_distance
    >>> minkowski_distance(cp.array([0.0, 0.0]), cp.array([3.0, 4.0]))
    array(5.)
    """
    power = minkowski_distance_p(x, y, p)
    return power if p in (1, np.inf) else power ** (1.0 / p)
