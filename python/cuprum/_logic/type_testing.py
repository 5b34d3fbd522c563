"""Questions about the type of a value or of its elements: complex or real, scalar, memory order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.from_data import array
from .._dtypes import kind_of
from .._ufuncs import equal, not_equal

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "iscomplex",
    "iscomplexobj",
    "isfortran",
    "isnat",
    "isreal",
    "isrealobj",
    "isscalar",
]


def isnat(x: ArrayLike) -> ndarray:
    """Tell element by element where dates, or differences of dates, are no time (NaT).

    Parameters
    ----------
    x : array_like of datetime64 or timedelta64
        The array.

    Returns
    -------
    ndarray of bool
        True where there is no time.

    Examples
    --------
    >>> cp.isnat(cp.array(["2020-02-29", "NaT"], dtype="datetime64[D]"))
    array([False,  True])
    """
    from .._stored import TimeArray

    a = x if type(x) is TimeArray else array(x)
    if type(a) is not TimeArray:
        raise TypeError(f"isnat: only dates and differences of dates can be no time, got dtype {a.dtype}")
    return a.isnat()


def iscomplex(x: ArrayLike) -> ndarray:
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


def isreal(x: ArrayLike) -> ndarray:
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


def iscomplexobj(x: ArrayLike) -> bool:
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


def isrealobj(x: ArrayLike) -> bool:
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


def isscalar(element: Any) -> bool:
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


def isfortran(a: ndarray) -> bool:
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
