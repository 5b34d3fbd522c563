"""Distribution functions and their inverses, by the incomplete gamma and beta functions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core, where
from ..._convert import as_array
from ..._ufuncs import floor, trunc
from ._documentation import documented
from ._results import into

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_UFUNCS = _core.ufuncs("special")
_gammainc, _gammaincc = _UFUNCS["gammainc"], _UFUNCS["gammaincc"]
_gammaincinv, _gammainccinv = _UFUNCS["gammaincinv"], _UFUNCS["gammainccinv"]
_betainc, _betaincc = _UFUNCS["betainc"], _UFUNCS["betaincc"]
_betaincinv, _betainccinv = _UFUNCS["betaincinv"], _UFUNCS["betainccinv"]

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "btdtr",
    "btdtri",
    "chdtr",
    "chdtrc",
    "chdtri",
    "gdtr",
    "gdtrc",
    "gdtrix",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "pdtr",
    "pdtrc",
    "pdtri",
]


def _floats(*args: Any, integers: bool = False) -> list[ndarray]:
    """Return arguments as arrays of one dtype, that of SciPy's loop: float32, or float64.

    float16 and integers of up to two bytes are float32, the latter where there is no loop of integers. A
    number of Python has the dtype of its neighbours.
    """
    arrays = [as_array(one) for one in args]
    typed = [a.dtype for a, one in zip(arrays, args, strict=True) if not isinstance(one, (int, float))]
    is_narrow = bool(typed) and all(
        d == np.float32 or (d.itemsize <= 2 and (d.kind == "f" or not integers)) for d in typed
    )
    if any(d.kind == "c" for d in typed):
        return arrays
    return [a.astype(np.float32 if is_narrow else np.float64, copy=False) for a in arrays]


def _in_double(function: Any, *args: Any) -> Any:
    """Return a function of products, which may lie beyond what float16 and float32 have."""
    arrays = _floats(*args)
    value = function(*(one.astype(np.float64) if one.dtype == np.float32 else one for one in arrays))
    return value.astype(np.float32) if arrays[0].dtype == np.float32 else value


def _of_product(function: Any, a: Any, b: Any, x: Any) -> Any:
    return function(b, a * where(x >= 0, x, np.nan))


@documented
def bdtr(k: ArrayLike, n: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of at most `k` successes in `n` trials.

    Parameters
    ----------
    k : array_like
        The successes, rounded down.
    n : array_like
        The trials, without their fraction.
    p : array_like
        The chance of a success.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.bdtr(cp.array([1, 3]), 5, 0.25)
    array([0.6328125, 0.984375 ])
    """
    k, n, p = _floats(k, n, p)
    k, n = floor(k), trunc(n)
    inside = (k >= 0) & (n >= k) & (p >= 0) & (p <= 1)
    left = where(inside & (n > k), n - k, 1.0)
    value = where(n == k, 1.0, _betaincc(where(inside, k, 0.0) + 1.0, left, where(inside, p, 0.5)))
    result: ndarray = into(out, where(inside, value, np.nan))
    return result


@documented
def bdtrc(k: ArrayLike, n: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of more than `k` successes in `n` trials.

    Parameters
    ----------
    k : array_like
        The successes, rounded down.
    n : array_like
        The trials, without their fraction.
    p : array_like
        The chance of a success.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.bdtrc(cp.array([1, 3]), 5, 0.25)
    array([0.3671875, 0.015625 ])
    """
    k, n, p = _floats(k, n, p)
    k, n = floor(k), trunc(n)
    inside = (n >= k) & (p >= 0) & (p <= 1)
    counted = inside & (k >= 0)
    left = where(counted & (n > k), n - k, 1.0)
    value = where(n == k, 0.0, _betainc(where(counted, k, 0.0) + 1.0, left, where(inside, p, 0.5)))
    result: ndarray = into(out, where(inside, where(k < 0, 1.0, value), np.nan))
    return result


@documented
def bdtri(k: ArrayLike, n: ArrayLike, y: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of a success for which `bdtr` is `y`.

    Parameters
    ----------
    k : array_like
        The successes, rounded down.
    n : array_like
        The trials, without their fraction.
    y : array_like
        The value of `bdtr`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.bdtri(cp.array([1, 3]), 5, 0.25)
    array([0.45418056, 0.80623639])
    """
    k, n, y = _floats(k, n, y)
    k, n = floor(k), trunc(n)
    inside = (k >= 0) & (n > k)
    value = _betainccinv(where(inside, k, 0.0) + 1.0, where(inside, n - k, 1.0), y)
    result: ndarray = into(out, where(inside, value, np.nan))
    return result


@documented
def nbdtr(k: ArrayLike, n: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of at most `k` failures before the `n`-th success.

    Parameters
    ----------
    k : array_like of int
        The failures.
    n : array_like
        The successes, without their fraction.
    p : array_like
        The chance of a success.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.nbdtr(cp.array([1, 3]), 5, 0.25)
    array([0.00463867, 0.02729797])
    """
    k, n, p = _floats(k, n, p, integers=True)
    k, n = trunc(k), trunc(n)
    inside = (k >= 0) & (n > 0)
    result: ndarray = into(
        out, where(inside, _betainc(where(inside, n, 1.0), where(inside, k, 0.0) + 1.0, p), np.nan)
    )
    return result


@documented
def nbdtrc(k: ArrayLike, n: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of more than `k` failures before the `n`-th success.

    Parameters
    ----------
    k : array_like of int
        The failures.
    n : array_like
        The successes, without their fraction.
    p : array_like
        The chance of a success.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.nbdtrc(cp.array([1, 3]), 5, 0.25)
    array([0.99536133, 0.97270203])
    """
    k, n, p = _floats(k, n, p, integers=True)
    k, n = trunc(k), trunc(n)
    inside = (k >= 0) & (n > 0)
    result: ndarray = into(
        out, where(inside, _betaincc(where(inside, n, 1.0), where(inside, k, 0.0) + 1.0, p), np.nan)
    )
    return result


@documented
def nbdtri(k: ArrayLike, n: ArrayLike, y: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of a success for which `nbdtr` is `y`.

    Parameters
    ----------
    k : array_like of int
        The failures.
    n : array_like
        The successes, without their fraction.
    y : array_like
        The value of `nbdtr`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.nbdtri(cp.array([1, 3]), 5, 0.25)
    array([0.61052051, 0.44451368])
    """
    k, n, y = _floats(k, n, y, integers=True)
    k, n = trunc(k), trunc(n)
    # Both ends need no root to be found: SciPy gives them for any n.
    inside = (k >= 0) & ((n > 0) | (y == 0) | (y == 1))
    value = _betaincinv(where(n > 0, n, 1.0), where(inside, k, 0.0) + 1.0, y)
    result: ndarray = into(out, where(inside, value, np.nan))
    return result


@documented
def pdtr(k: ArrayLike, m: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of at most `k` events where `m` are expected: the distribution of Poisson.

    Parameters
    ----------
    k : array_like
        The events, rounded down.
    m : array_like
        Their mean.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.pdtr(cp.array([0, 3]), 2.5)
    array([0.082085  , 0.75757613])
    """
    k, m = _floats(k, m)
    k = floor(k)
    result: ndarray = into(out, where(k >= 0, _gammaincc(where(k >= 0, k, 0.0) + 1.0, m), np.nan))
    return result


@documented
def pdtrc(k: ArrayLike, m: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the chance of more than `k` events where `m` are expected.

    Parameters
    ----------
    k : array_like
        The events, rounded down.
    m : array_like
        Their mean.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.pdtrc(cp.array([0, 3]), 2.5)
    array([0.917915  , 0.24242387])
    """
    k, m = _floats(k, m)
    k = floor(k)
    result: ndarray = into(out, where(k >= 0, _gammainc(where(k >= 0, k, 0.0) + 1.0, m), np.nan))
    return result


@documented
def pdtri(k: ArrayLike, y: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the mean for which `pdtr` is `y`.

    Parameters
    ----------
    k : array_like of int
        The events.
    y : array_like
        The value of `pdtr`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.pdtri(cp.array([0, 3]), 0.25)
    array([1.38629436, 5.10942749])
    """
    k, y = _floats(k, y, integers=True)
    k = trunc(k)
    inside = (k >= 0) & (y < 1)
    result: ndarray = into(out, where(inside, _gammainccinv(where(inside, k, 0.0) + 1.0, y), np.nan))
    return result


@documented
def chdtr(v: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the distribution function of chi-squared.

    Parameters
    ----------
    v : array_like
        The degrees of freedom.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.chdtr(cp.array([1.0, 5.0]), 2.0)
    array([0.84270079, 0.15085496])
    """
    result: ndarray = into(out, _in_double(lambda v, x: _gammainc(v * 0.5, x * 0.5), v, x))
    return result


@documented
def chdtrc(v: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute one less the distribution function of chi-squared.

    Parameters
    ----------
    v : array_like
        The degrees of freedom.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.chdtrc(cp.array([1.0, 5.0]), 2.0)
    array([0.15729921, 0.84914504])
    """
    result: ndarray = into(out, _in_double(lambda v, x: _gammaincc(v * 0.5, x * 0.5), v, x))
    return result


@documented
def chdtri(v: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the argument for which `chdtrc` is `p`.

    Parameters
    ----------
    v : array_like
        The degrees of freedom.
    p : array_like
        The value of `chdtrc`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.chdtri(cp.array([1.0, 5.0]), 0.05)
    array([ 3.84145882, 11.07049769])
    """
    result: ndarray = into(out, _in_double(lambda v, p: 2.0 * _gammainccinv(v * 0.5, p), v, p))
    return result


@documented
def gdtr(a: ArrayLike, b: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the distribution function of the gamma distribution.

    Parameters
    ----------
    a : array_like
        The rate.
    b : array_like
        The shape.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.gdtr(cp.array([1.0, 5.0]), 3.0, 0.75)
    array([0.04050544, 0.72293156])
    """
    product = partial(_of_product, _gammainc)
    result: ndarray = into(out, _in_double(product, a, b, x))
    return result


@documented
def gdtrc(a: ArrayLike, b: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute one less the distribution function of the gamma distribution.

    Parameters
    ----------
    a : array_like
        The rate.
    b : array_like
        The shape.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.gdtrc(cp.array([1.0, 5.0]), 3.0, 0.75)
    array([0.95949456, 0.27706844])
    """
    product = partial(_of_product, _gammaincc)
    result: ndarray = into(out, _in_double(product, a, b, x))
    return result


@documented
def gdtrix(a: ArrayLike, b: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the argument for which `gdtr` is `p`.

    Parameters
    ----------
    a : array_like
        The rate.
    b : array_like
        The shape.
    p : array_like
        The value of `gdtr`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.gdtrix(cp.array([1.0, 5.0]), 3.0, 0.75)
    array([3.92040206, 0.78408041])
    """
    result: ndarray = into(out, _in_double(lambda a, b, p: _gammaincinv(b, p) / a, a, b, p))
    return result


@documented
def btdtr(a: ArrayLike, b: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the distribution function of the beta distribution: `betainc`.

    Parameters
    ----------
    a : array_like
        The first shape.
    b : array_like
        The second shape.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.btdtr(cp.array([1.0, 5.0]), 3.0, 0.75)
    array([0.984375  , 0.75640869])
    """
    result: ndarray = _betainc(a, b, x, out=out)
    return result


@documented
def btdtri(a: ArrayLike, b: ArrayLike, p: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the argument for which `btdtr` is `p`: `betaincinv`.

    Parameters
    ----------
    a : array_like
        The first shape.
    b : array_like
        The second shape.
    p : array_like
        The value of `btdtr`.
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.btdtri(cp.array([1.0, 5.0]), 3.0, 0.75)
    array([0.37003948, 0.74692602])
    """
    result: ndarray = _betaincinv(a, b, p, out=out)
    return result
