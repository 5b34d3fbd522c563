"""Reductions that leave NaN out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import NoValue, as_array, given, normalize_axes, single_axis
from .._core import ndarray
from .._dtypes import as_dtype, kind_of
from .._errors import names_itself, of_stored
from ._documentation import documented

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, DTypeLike


__all__ = [
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


@documented
def nansum(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the sum of the elements over axes, NaN counting as zero.

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
        The sums.

    Examples
    --------
    >>> cp.nansum([1.0, cp.nan, 2.0])
    array(3.)
    """
    try:
        return _core.nansum(
            as_array(a),
            axis=axis,
            dtype=dtype,
            out=out,
            keepdims=keepdims,
            **given(initial=initial, where=where),
        )
    except TypeError as error:
        return of_stored(
            error, nansum, a, axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where
        )


@documented
def nanprod(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the product of the elements over axes, NaN counting as one.

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
        The products.

    Examples
    --------
    >>> cp.nanprod([3.0, cp.nan, 2.0])
    array(6.)
    """
    return _core.nanprod(
        as_array(a), axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(initial=initial, where=where)
    )


@documented
def nanmax(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the largest element over axes, leaving NaN out.

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
        The largest elements; NaN where there are no others.

    Examples
    --------
    >>> cp.nanmax([1.0, cp.nan, 2.0])
    array(2.)
    """
    try:
        return _core.nanmax(
            as_array(a), axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where)
        )
    except TypeError as error:
        return of_stored(
            error, nanmax, a, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where
        )


@documented
def nanmin(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = NoValue,
    where: Any = NoValue,
) -> ndarray:
    """Return the smallest element over axes, leaving NaN out.

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
        The smallest elements; NaN where there are no others.

    Examples
    --------
    >>> cp.nanmin([1.0, cp.nan, 2.0])
    array(1.)
    """
    try:
        return _core.nanmin(
            as_array(a), axis=axis, out=out, keepdims=keepdims, **given(initial=initial, where=where)
        )
    except TypeError as error:
        return of_stored(
            error, nanmin, a, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where
        )


def _check_inexact(op: str, a: ndarray, dtype: Any, out: Any) -> None:
    """Refuse integers for the moments of elements that may be NaN, as NumPy does."""
    if kind_of(a.dtype) not in "fc":
        return
    if dtype is not None and kind_of(as_dtype(dtype)) not in "fc":
        raise TypeError(f"{op}: dtype must be inexact for {a.dtype}, got {as_dtype(dtype)}")
    if isinstance(out, ndarray) and kind_of(out.dtype) not in "fc":
        raise TypeError(f"{op}: out must be inexact for {a.dtype}, got {out.dtype}")


@documented
@names_itself
def nanmean(
    a: ArrayLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: Any = NoValue,
) -> ndarray:
    """Return the mean of the elements over axes, leaving NaN out.

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
        The means.

    Examples
    --------
    >>> cp.nanmean([1.0, cp.nan, 2.0])
    array(1.5)
    """
    a = as_array(a)
    _check_inexact("nanmean", a, dtype, out)
    return _core.nanmean(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims, **given(where=where))


@documented
def nanvar(
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
    """Return the variance of the elements over axes, leaving NaN out.

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
    >>> cp.nanvar([1.0, cp.nan, 3.0])
    array(1.)
    """
    a = as_array(a)
    _check_inexact("nanvar", a, dtype, out)
    return _core.nanvar(
        a,
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


@documented
def nanstd(
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
    """Return the standard deviation of the elements over axes, leaving NaN out.

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
    >>> cp.nanstd([1.0, cp.nan, 3.0])
    array(1.)
    """
    a = as_array(a)
    _check_inexact("nanstd", a, dtype, out)
    return _core.nanstd(
        a,
        axis=axis,
        dtype=dtype,
        out=out,
        ddof=ddof,
        keepdims=keepdims,
        **given(where=where, mean=mean, correction=correction),
    )


@documented
@names_itself
def nanargmax(
    a: ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """Return the position of the largest element, leaving NaN out.

    Parameters
    ----------
    {a}
    {axis}
    {out}
    {keepdims}

    Returns
    -------
    ndarray
        The positions.

    Examples
    --------
    >>> cp.nanargmax([1.0, cp.nan, 2.0])
    array(2)
    """
    a = as_array(a)
    return _core.nanargmax(a, axis=_position_axis("nanargmax", a, axis), out=out, keepdims=keepdims)


@documented
@names_itself
def nanargmin(
    a: ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """Return the position of the smallest element, leaving NaN out.

    Parameters
    ----------
    {a}
    {axis}
    {out}
    {keepdims}

    Returns
    -------
    ndarray
        The positions.

    Examples
    --------
    >>> cp.nanargmin([cp.nan, 2.0, 1.0])
    array(2)
    """
    a = as_array(a)
    return _core.nanargmin(a, axis=_position_axis("nanargmin", a, axis), out=out, keepdims=keepdims)


def _position_axis(op: str, a: ndarray, axis: Any) -> int | None:
    """Return the one axis along which positions are counted, with NumPy's error for several."""
    if isinstance(axis, tuple) and kind_of(a.dtype) in "fc":
        # NumPy looks for NaN over all the axes first, and so finds those that do not exist.
        normalize_axes(op, axis, a.ndim)
    return single_axis(axis)
