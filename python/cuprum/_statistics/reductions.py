"""Reductions over axes: sums, extremes, moments, positions, counts.

Each hands its work to a method of the array or a function of the extension; nothing is computed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import NoValue, as_array, given, normalize_axes, single_axis, with_methods
from .._core import ndarray
from .._dtypes import kind_of
from .._ufuncs import multiply

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, DTypeLike


__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "average",
    "count_nonzero",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]


def sum(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the sum of the elements over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    initial : scalar, optional
        The value to start from.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        The sums; of small integers in int64 or uint64.

    Examples
    --------
    >>> cp.sum([[1, 2], [3, 4]], axis=0)
    array([4, 6])
    """
    if initial is NoValue and where is NoValue:
        return with_methods(a, "sum").sum(axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    return as_array(a).sum(
        axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


def prod(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the product of the elements over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    initial : scalar, optional
        The value to start from.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        The products; of small integers in int64 or uint64.

    Examples
    --------
    >>> cp.prod([[1, 2], [3, 4]], axis=1)
    array([ 2, 12])
    """
    if initial is NoValue and where is NoValue:
        return as_array(a).prod(axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    return as_array(a).prod(
        axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


def max(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the largest element over axes; NaN where there is one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    initial : scalar, optional
        The value to start from.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        The largest elements.

    Examples
    --------
    >>> cp.max([[1, 5], [7, 3]], axis=0)
    array([7, 5])
    """
    if initial is NoValue and where is NoValue:
        return with_methods(a, "max").max(axis=axis, out=out, keepdims=keepdims)
    return as_array(a).max(axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where))


amax = max


def min(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the smallest element over axes; NaN where there is one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    initial : scalar, optional
        The value to start from.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        The smallest elements.

    Examples
    --------
    >>> cp.min([[1, 5], [7, 3]], axis=0)
    array([1, 3])
    """
    if initial is NoValue and where is NoValue:
        return with_methods(a, "min").min(axis=axis, out=out, keepdims=keepdims)
    return as_array(a).min(axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where))


amin = min


def all(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
) -> ndarray:
    """Tell whether all elements over axes are nonzero.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        True where they are; of no elements, too.

    Examples
    --------
    >>> cp.all([[True, False], [True, True]], axis=1)
    array([False,  True])
    """
    if where is NoValue:
        return as_array(a).all(axis=axis, out=out, keepdims=keepdims)
    return as_array(a).all(axis=axis, out=out, keepdims=keepdims, **given(where=where))


def any(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
) -> ndarray:
    """Tell whether any element over axes is nonzero.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        True where one is.

    Examples
    --------
    >>> cp.any([[True, False], [False, False]], axis=1)
    array([ True, False])
    """
    if where is NoValue:
        return as_array(a).any(axis=axis, out=out, keepdims=keepdims)
    return as_array(a).any(axis=axis, out=out, keepdims=keepdims, **given(where=where))


def ptp(
    a: ArrayLike, axis: AxisLike | None = None, out: ndarray | None = None, keepdims: bool = False
) -> ndarray:
    """Return the difference between the largest and the smallest element over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The differences.

    Examples
    --------
    >>> cp.ptp([[1, 5], [7, 3]], axis=1)
    array([4, 4])
    """
    return as_array(a).ptp(axis=axis, out=out, keepdims=keepdims)


def mean(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
) -> ndarray:
    """Return the mean of the elements over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    where : array_like of bool, optional
        Which elements to include.

    Returns
    -------
    ndarray
        The means; of integers in float64.

    Examples
    --------
    >>> cp.mean([[1, 2], [3, 4]], axis=0)
    array([2., 3.])
    """
    if where is NoValue:
        return as_array(a).mean(axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    return as_array(a).mean(axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(where=where))


def var(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
    mean: Any = NoValue,
    correction: Any = NoValue,
) -> ndarray:
    """Return the variance of the elements over axes: the mean squared distance from their mean.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    ddof : float, optional
        The divisor is the number of elements less this.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    where : array_like of bool, optional
        Which elements to include.
    mean : ndarray, optional
        The mean, computed before with `keepdims=True`.
    correction : float, optional
        Another name for `ddof`.

    Returns
    -------
    ndarray
        The variances.

    Examples
    --------
    >>> cp.var([1, 2, 3, 4])
    array(1.25)
    """
    if where is NoValue and mean is NoValue and correction is NoValue:
        return as_array(a).var(axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims)
    return as_array(a).var(
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


def std(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
    mean: Any = NoValue,
    correction: Any = NoValue,
) -> ndarray:
    """Return the standard deviation of the elements over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.
    ddof : float, optional
        The divisor is the number of elements less this.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    where : array_like of bool, optional
        Which elements to include.
    mean : ndarray, optional
        The mean, computed before with `keepdims=True`.
    correction : float, optional
        Another name for `ddof`.

    Returns
    -------
    ndarray
        The standard deviations.

    Examples
    --------
    >>> cp.std([[1, 3], [2, 6]], axis=1)
    array([1., 2.])
    """
    if where is NoValue and mean is NoValue and correction is NoValue:
        return as_array(a).std(axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims)
    return as_array(a).std(
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


def argmax(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> ndarray:
    """Return the position of the largest element, the first where there are several.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    out : ndarray, optional
        Where to put the result.
    dtype : dtype, optional
        The dtype of the positions where there is no `out`; int64 by default. An argument of CuPy's.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The positions; that of the first NaN where there is one.

    Examples
    --------
    >>> cp.argmax([[1, 5], [7, 3]], axis=0)
    array([1, 0])
    """
    array = with_methods(a, "argmax")
    return array.argmax(axis=single_axis(axis), out=out, dtype=dtype, keepdims=keepdims)


def argmin(
    a: ArrayLike,
    axis: SupportsIndex | None = None,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> ndarray:
    """Return the position of the smallest element, the first where there are several.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    out : ndarray, optional
        Where to put the result.
    dtype : dtype, optional
        The dtype of the positions where there is no `out`; int64 by default. An argument of CuPy's.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The positions; that of the first NaN where there is one.

    Examples
    --------
    >>> cp.argmin([[1, 5], [7, 3]], axis=0)
    array([0, 1])
    """
    array = with_methods(a, "argmin")
    return array.argmin(axis=single_axis(axis), out=out, dtype=dtype, keepdims=keepdims)


def count_nonzero(a: ArrayLike, axis: AxisLike | None = None, *, keepdims: bool = False) -> ndarray:
    """Return the number of elements over axes that are not zero.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.count_nonzero([[0, 1, 7], [3, 0, 0]], axis=1)
    array([2, 1])
    """
    return _core.count_nonzero(as_array(a), axis, keepdims)


def average(
    a: ArrayLike,
    axis: AxisLike | None = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Return the weighted mean of the elements over axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    weights : array_like, optional
        The weights, of the shape of `a`, or of its shape along `axis`; equal when None.
    returned : bool, optional
        Whether to return the sums of the weights too.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray or (ndarray, ndarray)
        The means, and with `returned` the sums of the weights.

    Raises
    ------
    ZeroDivisionError
        Where weights sum to zero.

    Examples
    --------
    >>> cp.average([1.0, 2.0, 4.0], weights=[2, 1, 1])
    array(2.)
    """
    a = as_array(a)
    axes = None if axis is None else normalize_axes("average", axis, a.ndim)
    if weights is None:
        mean_of = a.mean(axis=axes, keepdims=keepdims)
        if not returned:
            return mean_of
        count = a.size / mean_of.size if mean_of.size else 0
        return mean_of, _core.full(mean_of.shape, count, mean_of.dtype, "C")
    weights = _weights_like(as_array(weights), a, axes)
    floor = ("f8",) if kind_of(a.dtype) in "biu" else ()
    dtype = _core.result_type(a.dtype, weights.dtype, *floor)
    total = weights.sum(axis=axes, dtype=dtype, keepdims=keepdims)
    if (total == 0).any():
        raise ZeroDivisionError("average: weights sum to zero, can't be normalized")
    mean_of = multiply(a, weights, dtype=dtype).sum(axis=axes, keepdims=keepdims) / total
    if not returned:
        return mean_of
    return mean_of, _core.broadcast_to(total, mean_of.shape).copy()


def _weights_like(weights: ndarray, a: ndarray, axes: tuple[int, ...] | None) -> ndarray:
    """Return weights in a shape that lines up with `a`: whole, or given along the reduced axes alone."""
    if weights.shape == a.shape:
        return weights
    if axes is None:
        raise TypeError(
            "average: axis must be specified when shapes of a and weights differ, "
            f"got {a.shape} and {weights.shape}"
        )
    if weights.shape != tuple(a.shape[axis] for axis in axes):
        raise ValueError(
            f"average: shape of weights {weights.shape} must be consistent with shape {a.shape} of a "
            f"along axes {axes}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [length if axis in axes else 1 for axis, length in enumerate(a.shape)]
    return weights.transpose(order).reshape(shape)
