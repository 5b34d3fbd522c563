"""Bessel functions that are made of others: derivatives, spherical and Airy's functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ... import _core, isinf, isnan, sqrt, where
from ..._convert import as_array
from ._documentation import documented
from ._results import PARTS, several

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_UFUNCS = _core.ufuncs("special")


def _derivative(function: Any, v: Any, z: Any, n: Any, phase: Any) -> Any:
    """Return the n-th derivative by the orders on both sides."""
    if n == 0:
        return function(v, z)
    v = as_array(v)
    factor = 1.0
    total = function(v - n, z)
    for i in range(1, n + 1):
        factor = phase * (factor * (n - i + 1)) / i
        total = total + factor * function(v - n + 2 * i, z)
    return total / 2.0**n


def _times(name: Any, n: Any) -> Any:
    if int(n) != n or n < 0:
        raise ValueError(f"{name}: n must be a whole number from zero on, got {n}")
    return int(n)


@documented
def jvp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `jv` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.jvp(0, cp.array([1.0, 2.0]))
    array([-0.44005059, -0.57672481])
    """
    result: ndarray = _derivative(_UFUNCS["jv"], v, z, _times("jvp", n), -1)
    return result


@documented
def yvp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `yv` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.yvp(0, cp.array([1.0, 2.0]))
    array([0.78121282, 0.10703243])
    """
    result: ndarray = _derivative(_UFUNCS["yv"], v, z, _times("yvp", n), -1)
    return result


@documented
def ivp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `iv` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.ivp(0, cp.array([1.0, 2.0]))
    array([0.5651591 , 1.59063685])
    """
    result: ndarray = _derivative(_UFUNCS["iv"], v, z, _times("ivp", n), 1)
    return result


@documented
def kvp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `kv` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.kvp(0, cp.array([1.0, 2.0]))
    array([-0.60190723, -0.13986588])
    """
    n = _times("kvp", n)
    result: ndarray = (-1) ** n * _derivative(_UFUNCS["kv"], v, z, n, 1)
    return result


@documented
def airy(z: ArrayLike, out: Any = None) -> Any:
    """Compute Airy's functions and their derivatives.

    Parameters
    ----------
    z : array_like
        The argument, real or complex.
    {outs}

    Returns
    -------
    ai, aip, bi, bip : ndarray
        The functions, each before its derivative.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.airy(cp.array([1.0]))
    (array([0.13529242]), array([-0.15914744]), array([1.20742359]), array([0.93243593]))
    """
    return several("airy", (z,), ("airy_ai", "airy_aip", "airy_bi", "airy_bip"), out)


@documented
def h1vp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `hankel1` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.h1vp(0, cp.array([1.0]))
    array([-0.44005059+0.78121282j])
    """
    result: ndarray = _derivative(_UFUNCS["hankel1"], v, z, _times("h1vp", n), -1)
    return result


@documented
def h2vp(v: ArrayLike, z: ArrayLike, n: int = 1) -> ndarray:
    """Compute the n-th derivative of `hankel2` by its argument.

    Parameters
    ----------
    {order}
    {z}
    {which}

    {derivative_value}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.h2vp(0, cp.array([1.0]))
    array([-0.44005059-0.78121282j])
    """
    result: ndarray = _derivative(_UFUNCS["hankel2"], v, z, _times("h2vp", n), -1)
    return result


_CYLINDRICAL = {"spherical_jn": "jv", "spherical_yn": "yv", "spherical_in": "iv", "spherical_kn": "kv"}


def _of_complex(name: str) -> Any:
    """Return a spherical function of complex arguments, by the cylindrical one of half an order more."""
    function, is_regular = _UFUNCS[_CYLINDRICAL[name]], name in ("spherical_jn", "spherical_in")
    limit = _modified_at_infinity if name in ("spherical_in", "spherical_kn") else _at_infinity

    def value(n: Any, z: Any) -> Any:
        n, z = as_array(n), as_array(z)
        found = sqrt(math.pi / 2 / z) * function(n + 0.5, z)
        if is_regular:
            # On the real line an imaginary part is a rounding error.
            found = where(z.imag == 0, found.real, found)
        found = where(isinf(z), limit(name, n, z), found)
        found = where(z == 0, where(n == 0, 1.0, 0.0) if is_regular else math.nan, found)
        return where(n < 0, math.nan, where(isnan(z), z, found)).astype(z.dtype)

    return value


def _at_infinity(name: str, n: Any, z: Any) -> Any:
    """Waves that are gone, or have no bound beside the real line; up the imaginary axis there is no limit."""
    beside = where(isinf(z.real), complex(math.inf, math.inf), math.nan)
    return where(z.imag == 0, 0.0, beside)


def _modified_at_infinity(name: str, n: Any, z: Any) -> Any:
    """Exponentials on the real line; elsewhere there is no limit."""
    if name == "spherical_in":
        on_line = where((z.real < 0) & (n % 2 == 1), -math.inf, math.inf)
    else:
        on_line = where(z.real < 0, -math.inf, 0.0)
    return where(z.imag == 0, on_line, math.nan)


def _spherical(name: Any, n: Any, z: Any, derivative: Any, before: Any, after: Any) -> Any:
    """Return a spherical function, or its derivative by those of the orders below and above."""
    is_complex = as_array(z).dtype.kind == "c"
    value = _of_complex(name) if is_complex else PARTS[f"{name}_value"]
    if not derivative:
        return value(n, z)
    n, z = as_array(n), as_array(z)
    below = value(n - 1 + (n == 0), z)
    general = before * below - (n + 1) / z * value(n, z)
    first = value(n * 0 + 1, z)
    found = where(n == 0, first if after > 0 else -first, general)
    return found.astype(z.dtype) if is_complex else found


@documented
def spherical_jn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    """Compute the spherical Bessel function of the first kind.

    Parameters
    ----------
    n : array_like of int
        The order, from zero on.
    z : array_like
        The argument, real or complex.
    derivative : bool, optional
        Return the derivative instead.

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.spherical_jn(2, cp.array([1.0, 5.0]))
    array([0.06203505, 0.13473121])
    """
    value = _spherical("spherical_jn", n, z, derivative, 1, -1)
    if not derivative:
        result: ndarray = value
        return result
    n, z = as_array(n), as_array(z)
    return where(z == 0, where(n == 1, 1 / 3, 0.0), value).astype(value.dtype)


@documented
def spherical_yn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    """Compute the spherical Bessel function of the second kind.

    Parameters
    ----------
    n : array_like of int
        The order, from zero on.
    z : array_like
        The argument, real or complex.
    derivative : bool, optional
        Return the derivative instead.

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.spherical_yn(2, cp.array([1.0, 5.0]))
    array([-3.60501757,  0.16499546])
    """
    result: ndarray = _spherical("spherical_yn", n, z, derivative, 1, -1)
    return result


@documented
def spherical_in(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    """Compute the modified spherical Bessel function of the first kind.

    Parameters
    ----------
    n : array_like of int
        The order, from zero on.
    z : array_like
        The argument, real or complex.
    derivative : bool, optional
        Return the derivative instead.

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.spherical_in(2, cp.array([1.0, 5.0]))
    array([0.07156287, 7.71632535])
    """
    value = _spherical("spherical_in", n, z, derivative, 1, 1)
    if not derivative:
        result: ndarray = value
        return result
    n, z = as_array(n), as_array(z)
    return where(z == 0, where(n == 1, 1 / 3, 0.0), value).astype(value.dtype)


@documented
def spherical_kn(n: ArrayLike, z: ArrayLike, derivative: bool = False) -> ndarray:
    """Compute the modified spherical Bessel function of the second kind.

    Parameters
    ----------
    n : array_like of int
        The order, from zero on.
    z : array_like
        The argument, real or complex.
    derivative : bool, optional
        Return the derivative instead.

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.spherical_kn(2, cp.array([1.0, 5.0]))
    array([4.04504572e+00, 3.64087618e-03])
    """
    result: ndarray = _spherical("spherical_kn", n, z, derivative, -1, -1)
    return result


__all__ = [
    "airy",
    "h1vp",
    "h2vp",
    "ivp",
    "jvp",
    "kvp",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "yvp",
]
