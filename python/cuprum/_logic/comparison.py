"""Comparing arrays: within a tolerance, or as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import kind_of
from .._errors import names_itself, of_stored
from .._ufuncs import absolute, equal, isfinite, isnan, less_equal, logical_and, logical_or, subtract

if TYPE_CHECKING:
    from .._typing import ArrayLike

P = ParamSpec("P")

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
]


@names_itself
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False
) -> ndarray:
    """Tell element by element whether two arrays are equal within a tolerance.

    Parameters
    ----------
    a, b : array_like
        The arrays; `b` is the reference.
    rtol, atol : array_like, optional
        The allowed difference is `atol + rtol * abs(b)`.
    equal_nan : bool, optional
        Whether NaN is close to NaN.

    Returns
    -------
    ndarray of bool
        True where they are close.

    Examples
    --------
    >>> cp.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1])
    array([ True, False])
    """
    x, y, rtol, atol = (
        v if isinstance(v, (int, float, complex)) else as_array(v) for v in (a, b, rtol, atol)
    )
    if isinstance(y, int):
        y = float(y)
    elif isinstance(y, ndarray) and kind_of(y.dtype) in "biu":
        # The smallest integer has no absolute value of its own dtype.
        y = y.astype(_core.result_type(y, 1.0))
    near = less_equal(absolute(subtract(x, y)), atol + rtol * absolute(y))
    result = logical_or(logical_and(near, isfinite(y)), equal(x, y))
    if equal_nan:
        result = logical_or(result, logical_and(isnan(x), isnan(y)))
    return result


@names_itself
def allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False
) -> bool:
    """Tell whether two arrays are equal within a tolerance.

    Parameters
    ----------
    a, b : array_like
        The arrays; `b` is the reference.
    rtol, atol : array_like, optional
        The allowed difference is `atol + rtol * abs(b)`.
    equal_nan : bool, optional
        Whether NaN is close to NaN.

    Returns
    -------
    bool
        True where all elements are close.

    Examples
    --------
    >>> cp.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    True
    """
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


@names_itself
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """Tell whether two arrays have the same shape and elements.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    bool
        True where shape and all elements are equal.

    Examples
    --------
    >>> cp.array_equal([1, 2], [1, 2]), cp.array_equal([1, 2], [1, 2, 3])
    (True, False)
    """
    try:
        first, second = as_array(a1), as_array(a2)
    except TypeError as error:
        return _equal_if_stored(error, array_equal, a1, a2, equal_nan=equal_nan)
    except ValueError:
        return False
    if first.shape != second.shape:
        return False
    same = equal(first, second)
    if equal_nan and kind_of(first.dtype) in "fc" and kind_of(second.dtype) in "fc":
        same = logical_or(same, logical_and(isnan(first), isnan(second)))
    return bool(same.all())


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """Tell whether two arrays are equal once broadcast to a common shape.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.

    Returns
    -------
    bool
        True where they broadcast together and all elements are equal.

    Examples
    --------
    >>> cp.array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    try:
        first, second = as_array(a1), as_array(a2)
        _core.broadcast_shapes(first.shape, second.shape)
    except TypeError as error:
        return _equal_if_stored(error, array_equiv, a1, a2)
    except ValueError:
        return False
    return bool(equal(first, second).all())


def _equal_if_stored(
    error: TypeError, function: Callable[P, bool], /, *args: P.args, **kwargs: P.kwargs
) -> bool:
    """Compare dates or structures; what makes no array is not equal."""
    try:
        return bool(of_stored(error, function, *args, **kwargs))
    except TypeError as refusal:
        if refusal is not error:
            raise
        return False
