"""Running sums and products along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import as_array, normalize_axes, with_methods
from .._core import ndarray
from .._errors import names_itself, of_stored

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike


__all__ = [
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "nancumprod",
    "nancumsum",
]


def cumsum(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the running sums of the elements along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The sums of all elements so far.

    Examples
    --------
    >>> cp.cumsum([1, 2, 3])
    array([1, 3, 6])
    """
    return with_methods(a, "cumsum").cumsum(axis=axis, dtype=dtype, out=out)


def cumprod(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the running products of the elements along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The products of all elements so far.

    Examples
    --------
    >>> cp.cumprod([1, 2, 3, 4])
    array([ 1,  2,  6, 24])
    """
    return with_methods(a, "cumprod").cumprod(axis=axis, dtype=dtype, out=out)


def nancumsum(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the running sums of the elements along an axis, NaN counting as zero.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The sums of all elements so far.

    Examples
    --------
    >>> cp.nancumsum([1.0, cp.nan, 2.0])
    array([1., 1., 3.])
    """
    try:
        return _core.nancumsum(as_array(a), axis=axis, dtype=dtype, out=out)
    except TypeError as error:
        return of_stored(error, nancumsum, a, axis=axis, dtype=dtype, out=out)


def nancumprod(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the running products of the elements along an axis, NaN counting as one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The products of all elements so far.

    Examples
    --------
    >>> cp.nancumprod([3.0, cp.nan, 2.0])
    array([3., 3., 6.])
    """
    return _core.nancumprod(as_array(a), axis=axis, dtype=dtype, out=out)


@names_itself
def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """Return the running sums of the elements along an axis, as the array API standard has it.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int, optional
        The axis; needed where there is more than one.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    include_initial : bool, optional
        Whether the result begins with a zero.

    Returns
    -------
    ndarray
        The sums of all elements so far.

    Examples
    --------
    >>> cp.cumulative_sum([1, 2, 3], include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative("cumulative_sum", "cumsum", x, axis, dtype, out, include_initial)


@names_itself
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """Return the running products of the elements along an axis, as the array API standard has it.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int, optional
        The axis; needed where there is more than one.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    include_initial : bool, optional
        Whether the result begins with a one.

    Returns
    -------
    ndarray
        The products of all elements so far.

    Examples
    --------
    >>> cp.cumulative_prod([1, 2, 3])
    array([1, 2, 6])
    """
    return _cumulative("cumulative_prod", "cumprod", x, axis, dtype, out, include_initial)


def _cumulative(op: str, scan: str, x: Any, axis: Any, dtype: Any, out: Any, include_initial: Any) -> ndarray:
    x = as_array(x)
    if x.ndim == 0:
        x = x.reshape(1)
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"{op}: for arrays which have more than one dimension axis is required")
        axis = 0
    (axis,) = normalize_axes(op, axis, x.ndim)
    if not include_initial:
        result: ndarray = getattr(x, scan)(axis=axis, dtype=dtype, out=out)
        return result
    if dtype is None and out is not None and out.dtype == x.dtype:
        dtype = out.dtype
    result = getattr(x, scan)(axis=axis, dtype=dtype)
    first = _core.full(
        (*x.shape[:axis], 1, *x.shape[axis + 1 :]), 0 if scan == "cumsum" else 1, result.dtype, "C"
    )
    return _core.concatenate((first, result), axis, out)
