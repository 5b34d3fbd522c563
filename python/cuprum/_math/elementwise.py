"""Mathematical functions that are not ufuncs in NumPy: rounding, limits, parts of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import NoValue, as_array, with_methods
from .._core import ndarray
from .._dtypes import is_bfloat16, kind_of
from .._errors import names_itself
from .._ufuncs import absolute, isinf, isnan, logical_and, maximum, minimum, positive, signbit, trunc

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "angle",
    "around",
    "clip",
    "fix",
    "i0",
    "imag",
    "nan_to_num",
    "real",
    "real_if_close",
    "round",
    "sinc",
]


_ROWS = _core.ufuncs()


def round(a: ArrayLike, decimals: SupportsIndex = 0, out: ndarray | None = None) -> ndarray:
    """Round to a number of decimals, halves to the nearest even digit.

    Parameters
    ----------
    a : array_like
        The array.
    decimals : int, optional
        How many digits to keep after the point; negative ones round before it.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The rounded array.

    Examples
    --------
    >>> cp.round([0.5, 1.5, 2.675], 1)
    array([0.5, 1.5, 2.7])
    """
    return as_array(a).round(decimals=decimals, out=out)


around = round


@names_itself
def fix(x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Round towards zero.

    Parameters
    ----------
    x : array_like
        The array.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The rounded array.

    Examples
    --------
    >>> cp.fix([1.7, -1.7])
    array([ 1., -1.])
    """
    return trunc(x, out=out)


@names_itself
def clip(
    a: ArrayLike,
    a_min: Any = NoValue,
    a_max: Any = NoValue,
    out: ndarray | None = None,
    *,
    min: Any = NoValue,
    max: Any = NoValue,
    **kwargs: Any,
) -> ndarray:
    """Limit the elements of an array to an interval.

    Parameters
    ----------
    a : array_like
        The array.
    a_min, a_max : array_like or None
        The ends of the interval; None leaves it open there.
    out : ndarray, optional
        Where to put the result.
    min, max : array_like or None, optional
        Other names for `a_min` and `a_max`.
    **kwargs
        Keywords of ufuncs.

    Returns
    -------
    ndarray
        The limited elements.

    Examples
    --------
    >>> cp.clip([1, 5, 9], 2, 6)
    array([2, 5, 6])
    """
    if a_min is NoValue and a_max is NoValue:
        a_min = None if min is NoValue else min
        a_max = None if max is NoValue else max
    elif a_min is NoValue or a_max is NoValue:
        missing = "a_min" if a_min is NoValue else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: {missing!r}")
    elif min is not NoValue or max is not NoValue:
        raise ValueError("clip: min and max may not be given together with a_min and a_max")
    a = as_array(a)
    if kind_of(a.dtype) in "iu":
        # A Python integer that no element can pass is no bound, though the dtype could not hold it.
        limits = np.iinfo(a.dtype)
        a_min = None if type(a_min) is int and a_min <= limits.min else a_min
        a_max = None if type(a_max) is int and a_max >= limits.max else a_max
        # One on the other side is a bound that the dtype does not hold.
        for bound in (a_min, a_max):
            if type(bound) is int and not limits.min <= bound <= limits.max:
                return maximum(a, bound, out=out, **kwargs)
    if a_min is None and a_max is None:
        return positive(a, out=out, **kwargs) if kind_of(a.dtype) != "b" else a.copy()
    if a_min is None:
        return minimum(a, a_max, out=out, **kwargs)
    if a_max is None:
        return maximum(a, a_min, out=out, **kwargs)
    clipped: ndarray = _ROWS["clip"](a, a_min, a_max, out=out, **kwargs)
    return clipped


def real(val: Any) -> Any:
    """Return the real part.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    ndarray or scalar
        A view of the real parts; of a real array, the array itself.

    Examples
    --------
    >>> cp.real(cp.array([1 + 2j, 3 + 4j]))
    array([1., 3.])
    """
    try:
        return val.real
    except AttributeError:
        return with_methods(val).real


def imag(val: Any) -> Any:
    """Return the imaginary part.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    ndarray or scalar
        A view of the imaginary parts; of a real array, zeros.

    Examples
    --------
    >>> cp.imag(cp.array([1 + 2j, 3 + 4j]))
    array([2., 4.])
    """
    try:
        return val.imag
    except AttributeError:
        return with_methods(val).imag


def angle(z: ArrayLike, deg: bool = False) -> ndarray:
    """Return the angle of complex numbers to the positive real axis.

    Parameters
    ----------
    z : array_like
        The numbers.
    deg : bool, optional
        Whether the angle is in degrees instead of radians.

    Returns
    -------
    ndarray
        The angles, in (-pi, pi].

    Examples
    --------
    >>> cp.angle([1.0, 1j, -1.0], deg=True)
    array([  0.,  90., 180.])
    """
    result: ndarray = _ROWS["angle"](as_array(z))
    return result * (180 / np.pi) if deg else result


def real_if_close(a: ArrayLike, tol: float = 100) -> ndarray:
    """Return the real parts where all imaginary parts are close to zero, the array itself otherwise.

    Parameters
    ----------
    a : array_like
        The array.
    tol : float, optional
        The tolerance, in units of the dtype's epsilon where it is greater than one.

    Returns
    -------
    ndarray
        The real parts or the array.

    Examples
    --------
    >>> cp.real_if_close(cp.array([2.1 + 1e-15j, 5.2 + 0j]))
    array([2.1, 5.2])
    """
    a = as_array(a)
    if kind_of(a.dtype) != "c":
        return a
    limit = np.finfo(a.dtype).eps * tol if tol > 1 else tol
    return a.real if (absolute(a.imag) < float(limit)).all() else a


def sinc(x: ArrayLike) -> ndarray:
    """Return the normalized sinc function, sin(pi x) / (pi x), which is 1 at 0.

    Parameters
    ----------
    x : array_like
        The arguments.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> cp.sinc([0.0, 0.5])
    array([1.        , 0.63661977])
    """
    result: ndarray = _ROWS["sinc"](x)
    return result


def i0(x: ArrayLike) -> ndarray:
    """Return the modified Bessel function of the first kind, of order zero.

    Parameters
    ----------
    x : array_like
        The arguments, real.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> cp.i0([0.0, 1.0])
    array([1.        , 1.26606588])
    """
    result: ndarray = _ROWS["i0"](x)
    return result


_BFLOAT16_MAX = float.fromhex("0x1.fep+127")


@names_itself
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> ndarray:
    """Replace NaN and infinities by finite numbers.

    Parameters
    ----------
    x : array_like
        The array.
    copy : bool, optional
        Whether to leave `x` as it is; False writes into it.
    nan : array_like, optional
        What replaces NaN.
    posinf, neginf : array_like, optional
        What replaces the infinities; the largest and the smallest finite number when None.

    Returns
    -------
    ndarray
        The array with replacements.

    Examples
    --------
    >>> cp.nan_to_num([cp.nan, 1.5, cp.inf], posinf=9)
    array([0. , 1.5, 9. ])
    """
    result = x if not copy and isinstance(x, ndarray) else _core.array(x, copy=copy)
    kind = kind_of(result.dtype)
    if kind not in "fc":
        return result
    for part in (result.real, result.imag) if kind == "c" else (result,):
        largest = _BFLOAT16_MAX if is_bfloat16(part.dtype) else float(np.finfo(part.dtype).max)
        infinite, negative = isinf(part), signbit(part)
        # All places are found before the first is written.
        replacements = [
            (isnan(part), nan),
            (logical_and(infinite, ~negative), largest if posinf is None else posinf),
            (logical_and(infinite, negative), -largest if neginf is None else neginf),
        ]
        for places, value in replacements:
            _core.copyto(part, value, casting="same_kind", where=places)
    return result
