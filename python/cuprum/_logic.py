"""Questions about arrays and their elements that are answered by true or false."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._convert import as_array
from ._core import ndarray
from ._dtypes import kind_of
from ._errors import names_itself
from ._ufuncs import (
    absolute,
    equal,
    isfinite,
    isinf,
    isnan,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
    signbit,
    subtract,
)

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isfortran",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
]


@names_itself
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) -> ndarray:
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
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
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
def array_equal(a1, a2, equal_nan=False) -> bool:
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
        a1, a2 = as_array(a1), as_array(a2)
    except (TypeError, ValueError):
        return False
    if a1.shape != a2.shape:
        return False
    same = equal(a1, a2)
    if equal_nan and kind_of(a1.dtype) in "fc" and kind_of(a2.dtype) in "fc":
        same = logical_or(same, logical_and(isnan(a1), isnan(a2)))
    return bool(same.all())


def array_equiv(a1, a2) -> bool:
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
        a1, a2 = as_array(a1), as_array(a2)
        _core.broadcast_shapes(a1.shape, a2.shape)
    except (TypeError, ValueError):
        return False
    return bool(equal(a1, a2).all())


def iscomplex(x) -> ndarray:
    """Tell element by element whether there is an imaginary part.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    ndarray of bool
        True where the imaginary part is not zero.

    Examples
    --------
    >>> cp.iscomplex([1 + 0j, 1j])
    array([False,  True])
    """
    x = as_array(x)
    if kind_of(x.dtype) == "c":
        return not_equal(x.imag, 0)
    return _core.zeros(x.shape, bool, "C")


def isreal(x) -> ndarray:
    """Tell element by element whether there is no imaginary part.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    ndarray of bool
        True where the imaginary part is zero.

    Examples
    --------
    >>> cp.isreal([1 + 0j, 1j])
    array([ True, False])
    """
    x = as_array(x)
    if kind_of(x.dtype) == "c":
        return equal(x.imag, 0)
    return _core.ones(x.shape, bool, "C")


def _is_complex_dtype(x: Any) -> bool:
    dtype = getattr(x, "dtype", None)
    return kind_of(as_array(x).dtype if dtype is None else dtype) == "c"


def iscomplexobj(x) -> bool:
    """Tell whether a value is of a complex dtype.

    Parameters
    ----------
    x : array_like
        The value.

    Returns
    -------
    bool
        True for complex dtypes, whatever the elements are.

    Examples
    --------
    >>> cp.iscomplexobj(cp.array([1 + 0j])), cp.iscomplexobj([1.0])
    (True, False)
    """
    return _is_complex_dtype(x)


def isrealobj(x) -> bool:
    """Tell whether a value is not of a complex dtype.

    Parameters
    ----------
    x : array_like
        The value.

    Returns
    -------
    bool
        False for complex dtypes, whatever the elements are.

    Examples
    --------
    >>> cp.isrealobj(cp.array([1 + 0j])), cp.isrealobj([1.0])
    (False, True)
    """
    return not _is_complex_dtype(x)


def isscalar(element) -> bool:
    """Tell whether a value is a Python or NumPy scalar.

    Parameters
    ----------
    element : object
        The value.

    Returns
    -------
    bool
        True for scalars; False for arrays, those of no dimension too.

    Examples
    --------
    >>> cp.isscalar(3.1), cp.isscalar(cp.array(3.1))
    (True, False)
    """
    return bool(np.isscalar(element))


def isfortran(a) -> bool:
    """Tell whether an array is contiguous in Fortran order and not in C order.

    Parameters
    ----------
    a : ndarray
        The array.

    Returns
    -------
    bool
        True where it is.

    Examples
    --------
    >>> cp.isfortran(cp.ones((2, 3))), cp.isfortran(cp.ones((2, 3)).T)
    (False, True)
    """
    return bool(a.flags.f_contiguous and not a.flags.c_contiguous)


@names_itself
def isposinf(x, out=None) -> ndarray:
    """Tell element by element whether it is positive infinity.

    Parameters
    ----------
    x : array_like
        The array.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray of bool
        True where it is.

    Examples
    --------
    >>> cp.isposinf([cp.inf, -cp.inf, 1.0])
    array([ True, False, False])
    """
    return logical_and(isinf(x), logical_not(_signbit("isposinf", x)), out=out)


@names_itself
def isneginf(x, out=None) -> ndarray:
    """Tell element by element whether it is negative infinity.

    Parameters
    ----------
    x : array_like
        The array.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray of bool
        True where it is.

    Examples
    --------
    >>> cp.isneginf([cp.inf, -cp.inf, 1.0])
    array([False,  True, False])
    """
    return logical_and(isinf(x), _signbit("isneginf", x), out=out)


def _signbit(op: str, x: Any) -> ndarray:
    x = as_array(x)
    if kind_of(x.dtype) == "c":
        raise TypeError(
            f"{op}: this operation is not supported for {x.dtype} values because it would be ambiguous"
        )
    return signbit(x)
