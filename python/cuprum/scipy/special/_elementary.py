"""Functions that NumPy has too, with SciPy's dtypes: float32 or wider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core, _ufuncs
from ..._convert import as_array
from ._documentation import documented

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike

__all__ = ["cbrt", "exp2", "expm1", "expn", "kn", "log1p", "yn"]

_SPECIAL = _core.ufuncs("special")


def wide(x: Any) -> Any:
    """Return an argument whose loop is that of float32 or wider."""
    x = as_array(x)
    return x.astype(np.float32) if np.can_cast(x.dtype, np.float32) else x


@documented
def cbrt(x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the cube root.

    Parameters
    ----------
    {x}
    {out}
    **keywords
        Those of `cuprum.cbrt`.

    Returns
    -------
    result : ndarray
        As `x` in shape; float32 for narrower dtypes.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.cbrt(cp.array([8.0, -27.0]))
    array([ 2., -3.])
    """
    result: ndarray = _ufuncs.cbrt(wide(x), out=out, **keywords)
    return result


@documented
def exp2(x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute two to the power of the argument.

    Parameters
    ----------
    {x}
    {out}
    **keywords
        Those of `cuprum.exp2`.

    Returns
    -------
    result : ndarray
        As `x` in shape; float32 for narrower dtypes.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.exp2(cp.array([3.0, -1.0]))
    array([8. , 0.5])
    """
    result: ndarray = _ufuncs.exp2(wide(x), out=out, **keywords)
    return result


@documented
def expm1(x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the exponential less one.

    Parameters
    ----------
    {x}
    {out}
    **keywords
        Those of `cuprum.expm1`.

    Returns
    -------
    result : ndarray
        As `x` in shape; float32 for narrower dtypes.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.expm1(cp.array([0.0, 1.0]))
    array([0.        , 1.71828183])
    """
    result: ndarray = _ufuncs.expm1(wide(x), out=out, **keywords)
    return result


@documented
def log1p(x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the logarithm of one more than the argument.

    Parameters
    ----------
    {x}
    {out}
    **keywords
        Those of `cuprum.log1p`.

    Returns
    -------
    result : ndarray
        As `x` in shape; float32 for narrower dtypes.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.log1p(cp.array([0.0, 1.0]))
    array([0.        , 0.69314718])
    """
    result: ndarray = _ufuncs.log1p(wide(x), out=out, **keywords)
    return result


def _of_order(name: str, n: Any, x: Any, out: Any, keywords: dict[str, Any]) -> Any:
    """Return a function of an order: float64 where that is an integer, as SciPy has it."""
    order = as_array(n)
    if order.dtype.kind in "bui":
        x = as_array(x)
        if x.dtype.kind == "c":
            raise TypeError(f"{name}: not supported for complex arguments")
        x = x.astype(np.float64)
        n = order
    return _SPECIAL[name](n, x, out=out, **keywords)


@documented
def expn(n: ArrayLike, x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the exponential integral of order `n`.

    Parameters
    ----------
    n : array_like
        The order, a whole number from zero on.
    {x}
    {out}
    **keywords
        Those of ufuncs.

    Returns
    -------
    result : ndarray
        The values; float64 for integer orders.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.expn(2, cp.array([0.5, 1.0]))
    array([0.32664386, 0.14849551])
    """
    result: ndarray = _of_order("expn", n, x, out, keywords)
    return result


@documented
def kn(n: ArrayLike, x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the modified Bessel function of the second kind of whole order `n`.

    Parameters
    ----------
    n : array_like
        The order.
    {x}
    {out}
    **keywords
        Those of ufuncs.

    Returns
    -------
    result : ndarray
        The values; float64 for integer orders.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.kn(2, cp.array([1.0, 10.0]))
    array([1.6248389e+00, 2.1509817e-05])
    """
    result: ndarray = _of_order("kn", n, x, out, keywords)
    return result


@documented
def yn(n: ArrayLike, x: ArrayLike, out: ndarray | None = None, **keywords: Any) -> ndarray:
    """Compute the Bessel function of the second kind of whole order `n`.

    Parameters
    ----------
    n : array_like
        The order.
    {x}
    {out}
    **keywords
        Those of ufuncs.

    Returns
    -------
    result : ndarray
        The values; float64 for integer orders.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.yn(2, cp.array([1.0, 10.0]))
    array([-1.65068261, -0.00586808])
    """
    result: ndarray = _of_order("yn", n, x, out, keywords)
    return result
