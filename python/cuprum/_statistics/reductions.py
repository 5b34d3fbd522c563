"""Reductions over axes: sums, extremes, moments, positions, counts.

Each hands its work to a method of the array or a function of the extension; nothing is computed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import NoValue, as_array, given, single_axis, with_methods
from .._core import ndarray
from .._errors import of_stored
from ._documentation import documented

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, DTypeLike


__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
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


@documented
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
    {a}
    {axes}
    {dtype}
    {out}
    {keepdims}
    {initial}
    {where}

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
    return with_methods(a, "sum").sum(
        axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


@documented
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
    {a}
    {axes}
    {dtype}
    {out}
    {keepdims}
    {initial}
    {where}

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
        return with_methods(a, "prod").prod(axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    return with_methods(a, "prod").prod(
        axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


@documented
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
    {a}
    {axes}
    {out}
    {keepdims}
    {initial}
    {where}

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
    return with_methods(a, "max").max(
        axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


amax = max


@documented
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
    {a}
    {axes}
    {out}
    {keepdims}
    {initial}
    {where}

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
    return with_methods(a, "min").min(
        axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


amin = min


@documented
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
    {a}
    {axes}
    {out}
    {keepdims}
    {where}

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
        return with_methods(a, "all").all(axis=axis, out=out, keepdims=keepdims)
    return with_methods(a, "all").all(axis=axis, out=out, keepdims=keepdims, **given(where=where))


@documented
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
    {a}
    {axes}
    {out}
    {keepdims}
    {where}

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
        return with_methods(a, "any").any(axis=axis, out=out, keepdims=keepdims)
    return with_methods(a, "any").any(axis=axis, out=out, keepdims=keepdims, **given(where=where))


@documented
def ptp(
    a: ArrayLike, axis: AxisLike | None = None, out: ndarray | None = None, keepdims: bool = False
) -> ndarray:
    """Return the difference between the largest and the smallest element over axes.

    Parameters
    ----------
    {a}
    {axes}
    {out}
    {keepdims}

    Returns
    -------
    ndarray
        The differences.

    Examples
    --------
    >>> cp.ptp([[1, 5], [7, 3]], axis=1)
    array([4, 4])
    """
    return with_methods(a, "ptp").ptp(axis=axis, out=out, keepdims=keepdims)


@documented
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
    {a}
    {axes}
    {dtype}
    {out}
    {keepdims}
    {where}

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
        return with_methods(a, "mean").mean(axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    return with_methods(a, "mean").mean(
        axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(where=where)
    )


@documented
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
    {a}
    {axes}
    {dtype}
    {out}
    {ddof}
    {keepdims}
    {where}
    {mean}
    {correction}

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
        return with_methods(a, "var").var(axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims)
    return with_methods(a, "var").var(
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


@documented
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
    {a}
    {axes}
    {dtype}
    {out}
    {ddof}
    {keepdims}
    {where}
    {mean}
    {correction}

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
        return with_methods(a, "std").std(axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims)
    return with_methods(a, "std").std(
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


@documented
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
    {a}
    {axis}
    {out}
    dtype : dtype, optional
        The dtype of the positions where there is no `out`; int64 by default. An argument of CuPy's.
    {keepdims}

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
    return array.argmax(
        axis=single_axis(axis), out=out, keepdims=keepdims, **({} if dtype is None else {"dtype": dtype})
    )


@documented
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
    {a}
    {axis}
    {out}
    dtype : dtype, optional
        The dtype of the positions where there is no `out`; int64 by default. An argument of CuPy's.
    {keepdims}

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
    return array.argmin(
        axis=single_axis(axis), out=out, keepdims=keepdims, **({} if dtype is None else {"dtype": dtype})
    )


@documented
def count_nonzero(a: ArrayLike, axis: AxisLike | None = None, *, keepdims: bool = False) -> ndarray:
    """Return the number of elements over axes that are not zero.

    Parameters
    ----------
    {a}
    {axes}
    {keepdims}

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.count_nonzero([[0, 1, 7], [3, 0, 0]], axis=1)
    array([2, 1])
    """
    try:
        return _core.count_nonzero(as_array(a), axis, keepdims)
    except TypeError as error:
        return of_stored(error, count_nonzero, a, axis=axis, keepdims=keepdims)
