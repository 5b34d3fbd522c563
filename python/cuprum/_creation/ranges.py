"""Ranges: evenly and geometrically spaced numbers."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from .. import _core
from .._convert import as_array, on_device
from .._core import ndarray
from .._dtypes import as_dtype, kind_of
from .._errors import names_itself
from .._ufuncs import divide, floor, log10, multiply, power, sign, subtract

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike


__all__ = ["arange", "geomspace", "linspace", "logspace"]


# Numbers that mean what they are, without a dtype of their own.
_PLAIN = frozenset((int, float))


@names_itself
def arange(
    start: Any = None,
    stop: Any = None,
    step: Any = None,
    dtype: DTypeLike | None = None,
    *,
    device: Any = None,
) -> ndarray:
    """Return numbers from a half-open interval in even steps.

    Parameters
    ----------
    start : number, optional
        The first number, 0 by default. With one argument alone, this is where to stop.
    stop : number
        The end of the interval, not included.
    step : number, optional
        The distance from one number to the next, 1 by default.
    dtype : dtype, optional
        The dtype; found from the arguments when None.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.arange(4)
    array([0, 1, 2, 3])
    >>> cp.arange(1, 2, 0.25)
    array([1.  , 1.25, 1.5 , 1.75])
    """
    if device is not None:
        with on_device("arange", device):
            return arange(start, stop, step, dtype)
    if stop is None:
        if start is None:
            raise TypeError("arange: stop is needed")
        start, stop = 0, start
    step = 1 if step is None else step
    if isinstance(step, (int, float)) and step == 0:
        raise ZeroDivisionError("arange: step must not be zero")
    start = 0 if start is None else start
    if type(start) in _PLAIN and type(stop) in _PLAIN and type(step) in _PLAIN:
        return _core.arange(start, stop, step, dtype)
    if dtype is None and any(isinstance(value, (np.generic, ndarray)) for value in (start, stop, step)):
        # NumPy computes in int64 at least, whatever the widths of the arguments.
        dtype = _core.result_type(np.int64, *(as_array(value).dtype for value in (start, stop, step)))
    any_complex = any(isinstance(value, (complex, np.complexfloating)) for value in (start, stop, step))
    if any_complex and dtype is not None and kind_of(as_dtype(dtype)) != "c":
        raise TypeError(f"arange: the numbers of a range of {as_dtype(dtype)} must be real, not complex")
    return _core.arange(start, stop, step, dtype)


@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: SupportsIndex = ...,
    endpoint: bool = ...,
    retstep: Literal[False] = ...,
    dtype: DTypeLike | None = ...,
    axis: SupportsIndex = ...,
    *,
    device: Any = ...,
) -> ndarray: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: SupportsIndex = ...,
    endpoint: bool = ...,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = ...,
    axis: SupportsIndex = ...,
    device: Any = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: SupportsIndex,
    endpoint: bool,
    retstep: Literal[True],
    dtype: DTypeLike | None = ...,
    axis: SupportsIndex = ...,
    *,
    device: Any = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: SupportsIndex,
    endpoint: bool,
    retstep: bool,
    dtype: DTypeLike | None = ...,
    axis: SupportsIndex = ...,
    *,
    device: Any = ...,
) -> Any: ...
@names_itself
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """Return evenly spaced numbers between two ends.

    Parameters
    ----------
    start, stop : array_like
        The ends; arrays are broadcast, and give one sequence for each pair of elements.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `stop` is the last of them.
    retstep : bool, optional
        Whether to return the distance between them too.
    dtype : dtype, optional
        The dtype; a floating one found from the ends when None.
    axis : int, optional
        Where the sequences lie in the result.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray or (ndarray, step)
        The numbers, and with `retstep` their distance.

    Examples
    --------
    >>> cp.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> cp.linspace([0, 10], [1, 20], 3)
    array([[ 0. , 10. ],
           [ 0.5, 15. ],
           [ 1. , 20. ]])
    """
    if device is not None:
        with on_device("linspace", device):
            return linspace(start, stop, num, endpoint, retstep, dtype, axis)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: number of samples, {num}, must be non-negative")
    scalars = isinstance(start, (int, float)) and isinstance(stop, (int, float))
    if scalars and not retstep and axis in (0, -1) and dtype is None:
        return _core.linspace(start, stop, num, bool(endpoint), dtype)
    return _spread(start, stop, num, endpoint, retstep, dtype, axis)


def _spread(
    start: Any, stop: Any, num: int, endpoint: bool, retstep: bool, dtype: Any, axis: int
) -> ndarray | tuple[ndarray, Any]:
    """Compute `linspace` for array ends in the order of NumPy's roundings."""
    first, last = as_array(start), as_array(stop)
    # Python's numbers take the other end's dtype.
    compute = _core.result_type(_weak_end(start, first), _weak_end(stop, last), 1.0)
    result_dtype = compute if dtype is None else as_dtype(dtype)
    delta = subtract(last, first, dtype=compute)
    gaps = num - 1 if endpoint else num
    counts = _core.arange(0, num, 1, compute).reshape((-1,) + (1,) * delta.ndim)
    if gaps > 0:
        step = divide(delta, gaps)
        # A step that underflows to zero would make all numbers equal: divide first, then.
        y = _core.where((step == 0).any(), multiply(divide(counts, gaps), delta), multiply(counts, step))
    else:
        step = _core.array(np.nan)
        y = multiply(counts, delta)
    y += first
    if endpoint and num > 1:
        y[-1, ...] = last
    if axis != 0:
        y = _core.moveaxis(y, 0, axis)
    if kind_of(result_dtype) in "iu":
        y = floor(y)
    y = y.astype(result_dtype, copy=False)
    return (y, step) if retstep else y


def _weak_end(end: Any, array: ndarray) -> Any:
    """Return an end as promotion sees it: a Python number as itself, anything else as its array."""
    return end if type(end) in (int, float, complex) else array


@names_itself
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> ndarray:
    """Return numbers whose logarithms are evenly spaced.

    Parameters
    ----------
    start, stop : array_like
        The exponents of the first and the last number.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `base ** stop` is the last of them.
    base : array_like, optional
        The base of the powers.
    dtype : dtype, optional
        The dtype; a floating one found from the arguments when None.
    axis : int, optional
        Where the sequences lie in the result.

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.logspace(0, 3, 4, base=2)
    array([1., 2., 4., 8.])
    """
    if getattr(base, "ndim", None) or isinstance(base, (list, tuple)):
        ends = [as_array(value) for value in (start, stop, base)]
        ndmax = len(_core.broadcast_shapes(*(value.shape for value in ends)))
        start, stop, base = (value.reshape((1,) * (ndmax - value.ndim) + value.shape) for value in ends)
        base = _core.expand_dims(base, axis)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"logspace: number of samples, {num}, must be non-negative")
    exponents = linspace(start, stop, num=num, endpoint=endpoint, axis=axis)
    result = power(base, exponents)
    return result if dtype is None else result.astype(dtype, copy=False)


@names_itself
def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> ndarray:
    """Return numbers in a geometric progression: each is the one before it times a constant.

    Parameters
    ----------
    start, stop : array_like
        The first and the last number; neither may be zero.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `stop` is the last of them.
    dtype : dtype, optional
        The dtype; a floating one found from the ends when None.
    axis : int, optional
        Where the sequences lie in the result.

    Returns
    -------
    ndarray
        The numbers.

    Examples
    --------
    >>> cp.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.])
    """
    first, last = as_array(start), as_array(stop)
    if (first == 0).any() or (last == 0).any():
        raise ValueError("geomspace: geometric sequence cannot include zero")
    compute = _core.result_type(first, last, float(num), np.float64 if dtype is None else dtype)
    first, last = first.astype(compute), last.astype(compute)
    # Dividing by the sign of the start keeps the logarithms real where both ends lie on one ray.
    direction = sign(first)
    first, last = divide(first, direction), divide(last, direction)
    result = logspace(log10(first), log10(last), num, endpoint, base=10.0, dtype=compute)
    if num > 0:
        result[0] = first
        if num > 1 and endpoint:
            result[-1] = last
    result = multiply(result, direction)
    if axis != 0:
        result = _core.moveaxis(result, 0, axis)
    return result.astype(compute if dtype is None else dtype, copy=False)
