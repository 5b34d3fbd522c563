"""Questions about each element: positive or negative infinity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._convert import as_array
from .._core import ndarray
from .._dtypes import kind_of
from .._errors import names_itself
from .._ufuncs import isinf, logical_and, logical_not, signbit

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "isneginf",
    "isposinf",
]


@names_itself
def isposinf(x: ArrayLike, out: ndarray | None = None) -> ndarray:
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
def isneginf(x: ArrayLike, out: ndarray | None = None) -> ndarray:
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
