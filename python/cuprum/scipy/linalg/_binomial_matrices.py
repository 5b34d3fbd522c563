"""Matrices of binomial coefficients, and the inverse of Hilbert's."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented

__all__ = ["invhilbert", "invpascal", "pascal"]


def _binomials(n: int, kind: Any) -> np.ndarray:
    """Return Pascal's triangle of `n` rows, exactly."""
    table = np.zeros((n, n), kind)
    table[:, :1] = 1
    for i in range(1, n):
        table[i, 1 : i + 1] = table[i - 1, :i] + table[i - 1, 1 : i + 1]
    return table


@names_itself
@documented
def pascal(n: int, kind: str = "symmetric", exact: bool = True) -> ndarray:
    """Return the matrix of Pascal's triangle.

    Parameters
    ----------
    n : int
        Its size.
    {binomial_kind}
    {binomial_exact}

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.pascal(3)
    array([[1, 1, 1],
           [1, 2, 3],
           [1, 3, 6]], dtype=uint64)
    """
    if kind not in ("symmetric", "lower", "upper"):
        raise ValueError("pascal: kind must be 'symmetric', 'lower', or 'upper'")
    if exact and n >= 35:
        raise ValueError("pascal: integers of 64 bits go to a size of 34; take exact=False")
    low = _binomials(n, np.uint64 if exact else np.float64)
    table = {"lower": low, "upper": low.T, "symmetric": low @ low.T}[kind]
    return cp.array(np.ascontiguousarray(table))


@names_itself
@documented
def invpascal(n: int, kind: str = "symmetric", exact: bool = True) -> ndarray:
    """Return the inverse of the matrix of Pascal's triangle.

    Parameters
    ----------
    n : int
        Its size.
    {binomial_kind}
    {binomial_exact}

    Returns
    -------
    ndarray
        The inverse.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.invpascal(2)
    array([[ 2, -1],
           [-1,  1]])
    """
    if kind not in ("symmetric", "lower", "upper"):
        raise ValueError("invpascal: 'kind' must be 'symmetric', 'lower' or 'upper'.")
    if exact and n >= 35:
        raise ValueError("invpascal: integers of 64 bits go to a size of 34; take exact=False")
    dtype = np.int64 if exact else np.float64
    i, j = np.indices((n, n))
    low = _binomials(n, dtype) * np.where((i + j) % 2, -1, 1).astype(dtype)
    table = {"lower": low, "upper": low.T, "symmetric": low.T @ low}[kind]
    return cp.array(np.ascontiguousarray(table))


@names_itself
def invhilbert(n: int, exact: bool = False) -> ndarray:
    """Return the inverse of Hilbert's matrix.

    Parameters
    ----------
    n : int
        Its size.
    exact : bool, optional
        Return integers, which go to a size of 14.

    Returns
    -------
    ndarray
        The inverse.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.invhilbert(2)
    array([[ 4., -6.],
           [-6., 12.]])
    """
    import math

    if exact and n > 14:
        raise ValueError("invhilbert: integers of 64 bits go to a size of 14; take exact=False")
    table = [
        [
            (-1) ** (i + j)
            * (i + j + 1)
            * math.comb(n + i, n - j - 1)
            * math.comb(n + j, n - i - 1)
            * math.comb(i + j, i) ** 2
            for j in range(n)
        ]
        for i in range(n)
    ]
    return cp.array(np.array(table, np.int64 if exact else np.float64).reshape(n, n))
