"""Series of coefficients as arrays of one dimension and dtype, without zeros at their end."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import common_type
from .._indexing.indexing import flatnonzero
from .._ufuncs import absolute

__all__ = ["as_series", "trimcoef", "trimseq"]


def trimseq(seq: ndarray) -> Any:
    """Return coefficients without zeros at their end; at least one stays.

    Parameters
    ----------
    seq : ndarray
        The coefficients.

    Returns
    -------
    ndarray
        A view of the first of them.

    Examples
    --------
    >>> cp.polynomial.polyutils.trimseq(cp.array([1, 2, 0, 0]))
    array([1, 2])
    """
    if len(seq) == 0 or seq[-1] != 0:
        return seq
    kept = flatnonzero(as_array(seq))
    return seq[: int(kept[-1]) + 1] if kept.size else seq[:1]


def as_series(alist: Any, trim: bool = True) -> list[ndarray]:
    """Return series as arrays of one dimension and of one floating or complex dtype.

    Parameters
    ----------
    alist : array_like or list of array_like
        The series.
    trim : bool, optional
        Whether zeros at their end are left out.

    Returns
    -------
    list of ndarray
        The series.

    Examples
    --------
    >>> cp.polynomial.polyutils.as_series([[1, 2, 0], [3]])
    [array([1., 2.]), array([3.])]
    """
    arrays = [as_array(a) for a in alist]
    arrays = [a.reshape(1) if a.ndim == 0 else a for a in arrays]
    for a in arrays:
        if a.size == 0:
            raise ValueError("as_series: Coefficient array is empty")
        if a.ndim != 1:
            raise ValueError(f"as_series: Coefficient array is not 1-d, got {a.ndim} dimensions")
    if trim:
        arrays = [trimseq(a) for a in arrays]
    try:
        dtype = common_type(*arrays)
    except TypeError as error:
        raise ValueError("as_series: Coefficient arrays have no common type") from error
    return [_core.array(a, dtype=dtype, copy=True) for a in arrays]


def trimcoef(c: Any, tol: float = 0) -> ndarray:
    """Return coefficients without those at their end that are not larger than a tolerance.

    Parameters
    ----------
    c : array_like
        The coefficients.
    tol : float, optional
        The tolerance.

    Returns
    -------
    ndarray
        A copy of the first of them; one zero where none is left.

    Examples
    --------
    >>> cp.polynomial.polyutils.trimcoef([1, 2, 1e-9, 0], 1e-6)
    array([1., 2.])
    """
    if tol < 0:
        raise ValueError(f"trimcoef: tol must be non-negative, got {tol}")
    if not isinstance(c, ndarray) and not hasattr(c, "__len__"):
        c = [c]
    (series,) = as_series([c])
    kept = flatnonzero(absolute(series) > tol)
    return series[: int(kept[-1]) + 1].copy() if kept.size else series[:1] * 0
