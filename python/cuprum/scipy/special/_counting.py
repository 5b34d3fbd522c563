"""Factorials, combinations and the functions of the gamma family that take whole numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core, where
from ..._convert import as_array
from ._documentation import documented
from ._results import PARTS

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_UFUNCS = _core.ufuncs("special")
_gamma, _gammaln, _psi, _binom, _poch = (_UFUNCS[n] for n in ("gamma", "gammaln", "psi", "binom", "poch"))


@documented
def zeta(x: ArrayLike, q: ArrayLike | None = None, out: ndarray | None = None) -> ndarray:
    """Compute the zeta function of Riemann, or that of Hurwitz.

    Parameters
    ----------
    x : array_like
        The exponent.
    q : array_like, optional
        Where the sum of ``(q + k)**-x`` begins; with it, `x` is above one.
    {out}

    Returns
    -------
    result : ndarray
        The sum over k from 0 on; without `q`, from one on, continued to all `x`.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.zeta(cp.array([2.0, -1.0]))
    array([ 1.64493407, -0.08333333])
    >>> special.zeta(cp.array([2.0]), 2)
    array([0.64493407])
    """
    if q is None:
        made: ndarray = PARTS["riemann_zeta"](x, out=out)
        return made
    result: ndarray = PARTS["hurwitz_zeta"](x, q, out=out)
    return result


@documented
def polygamma(n: ArrayLike, x: ArrayLike) -> ndarray:
    """Compute the n-th derivative of `digamma`.

    Parameters
    ----------
    n : array_like of int
        Which derivative, from zero on.
    {x}

    Returns
    -------
    result : ndarray
        In float64; in float32 where `n` and `x` are narrower floats.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.polygamma(1, cp.array([1.0, 2.5]))
    array([1.64493407, 0.49035776])
    """
    n, x = as_array(n), as_array(x)
    if "c" in (n.dtype.kind, x.dtype.kind):
        raise TypeError(f"polygamma: not supported for the input types ({n.dtype}, {x.dtype})")
    both = np.result_type(n.dtype, x.dtype, np.float32)
    order, argument = n.astype(np.float64), x.astype(np.float64, copy=False)
    sign = where(order % 2 == 0, -1.0, 1.0)
    value = sign * _gamma(order + 1.0) * PARTS["hurwitz_zeta"](order + 1.0, argument)
    is_single = both == np.float32 and n.dtype.kind == x.dtype.kind == "f"
    return where(n == 0, _psi(argument), value).astype(np.float32 if is_single else np.float64, copy=False)


def multigammaln(a: ArrayLike, d: int) -> ndarray:
    """Compute the logarithm of the gamma function of `d` dimensions.

    Parameters
    ----------
    a : array_like
        The argument, above ``(d - 1) / 2``.
    d : int
        The dimensions.

    Returns
    -------
    result : ndarray
        As `a` in shape, in float64.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.multigammaln(cp.array([3.0, 10.0]), 2)
    array([ 1.55019499, 25.06352584])
    """
    if np.ndim(d) != 0 or int(d) != d:
        raise ValueError("multigammaln: d must be a whole number (the dimensions)")
    a = as_array(a)
    if bool((a <= 0.5 * (d - 1)).any()):
        raise ValueError(f"multigammaln: a must be above {0.5 * (d - 1):g} = (d - 1) / 2")
    a = a.astype(np.float64, copy=False)
    result = _gammaln(a) + (d * (d - 1) * 0.25) * math.log(math.pi)
    for j in range(2, int(d) + 1):
        result = result + _gammaln(a - (j - 1) / 2)
    made: ndarray = result
    return made


def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:  # noqa: N803 - SciPy's name
    """Compute in how many ways `k` things are chosen of `N`.

    Parameters
    ----------
    N : array_like
        The things that there are.
    k : array_like
        Those that are chosen.
    exact : bool, optional
        Return a Python int, for two of them.
    repetition : bool, optional
        Whether a thing may be chosen more than once.

    Returns
    -------
    result : ndarray or int
        In floating point, unless `exact`.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.comb(cp.array([5, 10]), 3)
    array([ 10., 120.])
    >>> special.comb(100, 50, exact=True)
    100891344545564193334812497256
    """
    if exact:
        if int(N) != N or int(k) != k:
            raise ValueError("comb: exact=True takes whole numbers")
        N, k = int(N), int(k)  # noqa: N806
        if repetition:
            N = N + k - 1 if k else N  # noqa: N806
        return math.comb(N, k) if 0 <= k <= N else 0 if k or N < 0 else 1
    N, k = as_array(N), as_array(k)  # noqa: N806
    if repetition:
        return where(k == 0, 1.0, comb(N + k - 1, k))
    return where((k <= N) & (N >= 0) & (k >= 0), _binom(N, k), 0.0)


def perm(N: Any, k: Any, exact: bool = False) -> Any:  # noqa: N803 - SciPy's name
    """Compute in how many orders `k` things are taken of `N`.

    Parameters
    ----------
    N : array_like
        The things that there are.
    k : array_like
        Those that are taken.
    exact : bool, optional
        Return a Python int, for two of them.

    Returns
    -------
    result : ndarray or int
        In floating point, unless `exact`.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.perm(cp.array([5, 10]), 3)
    array([ 60., 720.])
    """
    if exact:
        if int(N) != N or int(k) != k:
            raise ValueError("perm: exact=True takes whole numbers")
        return math.perm(int(N), int(k)) if 0 <= k <= N else 0
    N, k = as_array(N), as_array(k)  # noqa: N806
    return where((k <= N) & (N >= 0) & (k >= 0), _poch(N - k + 1, k), 0.0)


def factorial(n: Any, exact: bool = False) -> Any:
    """Compute the product of the whole numbers up to `n`.

    Parameters
    ----------
    n : array_like
        The largest factor; numbers below zero give zero.
    exact : bool, optional
        Return a Python int, for one.

    Returns
    -------
    result : ndarray or int
        In floating point, unless `exact`.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.factorial(cp.array([0, 3, 5]))
    array([  1.,   6., 120.])
    >>> special.factorial(25, exact=True)
    15511210043330985984000000
    """
    if exact:
        if np.ndim(n) or int(n) != n:
            raise ValueError("factorial: exact=True takes a whole number")
        return math.factorial(int(n)) if n >= 0 else 0
    n = as_array(n)
    return where(n >= 0, _gamma(n + 1.0), 0.0)


def factorial2(n: Any, exact: bool = False) -> Any:
    """Compute the product of every second number up to `n`.

    Parameters
    ----------
    n : array_like of int
        The largest factor; numbers below zero give zero.
    exact : bool, optional
        Return a Python int, for one.

    Returns
    -------
    result : ndarray or int
        In floating point, unless `exact`.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.factorial2(cp.array([0, 7, 8]))
    array([  1., 105., 384.])
    """
    if exact:
        if np.ndim(n) or int(n) != n:
            raise ValueError("factorial2: exact=True takes a whole number")
        n = int(n)
        return math.prod(range(n, 0, -2)) if n >= 0 else 0 if n != -1 else 1
    n = as_array(n)
    half = n * 0.5
    even = _core.ufuncs("ufunc")["exp2"](half) * _gamma(half + 1.0)
    odd = math.sqrt(2 / math.pi) * even
    rounded = _core.ufuncs("ufunc")["rint"]
    small = where(n % 2 == 0, even, odd)
    return where(n < 0, 0.0, where(n < 28, rounded(small), small))


__all__ = ["comb", "factorial", "factorial2", "multigammaln", "perm", "polygamma", "zeta"]
