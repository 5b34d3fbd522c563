"""Orthogonal polynomials that are made of others, and spherical harmonics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._ufuncs import exp
from ._documentation import documented
from ._packed import hyp2f1, parts
from ._results import PARTS, into

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_UFUNCS = _core.ufuncs("special")


def _promoted(n: ArrayLike, *arguments: ArrayLike) -> list[ndarray]:
    """Return arguments in the precision of polynomials of these degrees: integers make it double."""
    arrays = [as_array(one) for one in arguments]
    degree = as_array(n).dtype
    least = _core.result_type(degree, np.float32) if degree.kind in "fc" else np.float64
    dtype = _core.result_type(least, *[one.dtype for one in arrays if one.dtype.kind != "c"])
    made = []
    for one in arrays:
        wanted = _core.result_type(dtype, one.dtype) if one.dtype.kind == "c" else dtype
        made.append(one.astype(wanted, copy=False))
    return made


@documented
def eval_laguerre(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Laguerre's polynomial of degree `n`.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_laguerre(3, cp.array([0.5, 2.0]))
    array([-0.14583333, -0.33333333])
    """
    result: ndarray = _UFUNCS["eval_genlaguerre"](n, 0.0, x, out=out)
    return result


@documented
def eval_chebyc(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the first kind on the interval from -2 to 2, times two.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_chebyc(3, cp.array([0.5, 2.0]))
    array([-1.375,  2.   ])
    """
    result: ndarray = into(out, 2.0 * _UFUNCS["eval_chebyt"](n, _promoted(n, x)[0] * 0.5))
    return result


@documented
def eval_chebys(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the second kind on the interval from -2 to 2.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_chebys(3, cp.array([0.5, 2.0]))
    array([-0.875,  4.   ])
    """
    result: ndarray = _UFUNCS["eval_chebyu"](n, _promoted(n, x)[0] * 0.5, out=out)
    return result


@documented
def eval_sh_chebyt(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the first kind on the interval from 0 to 1.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_sh_chebyt(3, cp.array([0.5, 0.75]))
    array([-0., -1.])
    """
    result: ndarray = _UFUNCS["eval_chebyt"](n, 2.0 * _promoted(n, x)[0] - 1.0, out=out)
    return result


@documented
def eval_sh_chebyu(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the second kind on the interval from 0 to 1.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_sh_chebyu(3, cp.array([0.5, 0.75]))
    array([-0., -1.])
    """
    result: ndarray = _UFUNCS["eval_chebyu"](n, 2.0 * _promoted(n, x)[0] - 1.0, out=out)
    return result


@documented
def eval_sh_legendre(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the Legendre polynomial on the interval from 0 to 1.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_sh_legendre(3, cp.array([0.25, 0.75]))
    array([ 0.4375, -0.4375])
    """
    result: ndarray = _UFUNCS["eval_legendre"](n, 2.0 * _promoted(n, x)[0] - 1.0, out=out)
    return result


@documented
def eval_jacobi(
    n: ArrayLike, alpha: ArrayLike, beta: ArrayLike, x: ArrayLike, out: ndarray | None = None
) -> ndarray:
    """Compute Jacobi's polynomial of degree `n`.

    Parameters
    ----------
    n : array_like
        The degree; where it is not a whole number from zero on, Gauss's hypergeometric function is computed.
    alpha, beta : array_like
        The parameters.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_jacobi(3, 0.5, 1.5, cp.array([0.5, -0.25]))
    array([-0.65625  ,  0.8203125])
    """
    degrees = as_array(n)
    a, b, x = _promoted(n, alpha, beta, x)
    if x.dtype.kind == "c":
        value = _UFUNCS["binom"](degrees + a, degrees) * hyp2f1(
            -degrees, degrees + a + b + 1.0, a + 1.0, 0.5 * (1.0 - x)
        )
    else:
        value = PARTS["eval_jacobi_value"](parts(degrees, a, x.dtype), parts(b, x, x.dtype)).real
    made: ndarray = into(out, value)
    return made


@documented
def eval_sh_jacobi(
    n: ArrayLike, p: ArrayLike, q: ArrayLike, x: ArrayLike, out: ndarray | None = None
) -> ndarray:
    """Compute Jacobi's polynomial on the interval from 0 to 1, with leading coefficient one.

    Parameters
    ----------
    n : array_like
        The degree; where it is not a whole number from zero on, Gauss's hypergeometric function is computed.
    p, q : array_like
        The parameters.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_sh_jacobi(3, 2.5, 1.5, cp.array([0.5, 0.75]))
    array([-0.00472028, -0.0107299 ])
    """
    p, q, x = _promoted(n, p, q, x)
    n = as_array(n)
    value = eval_jacobi(n, p - q, q - 1.0, 2.0 * x - 1.0)
    result: ndarray = into(out, value / _UFUNCS["binom"](2.0 * n + p - 1.0, n))
    return result


def sph_legendre_p(n: ArrayLike, m: ArrayLike, theta: ArrayLike, *, diff_n: int = 0) -> ndarray:
    """Compute the Legendre function that is a spherical harmonic without its turn.

    Parameters
    ----------
    n : array_like of int
        The degree.
    m : array_like of int
        The order, up to `n` in size.
    theta : array_like
        The polar angle.
    diff_n : int, optional
        Derivatives are not computed: zero.

    Returns
    -------
    result : ndarray
        The values, after an axis of length one for the derivatives.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.sph_legendre_p(2, 1, cp.array([0.5, 1.0]))
    array([[-0.32503853, -0.35123814]])
    """
    if diff_n != 0:
        raise ValueError(f"sph_legendre_p: diff_n must be 0, got {diff_n}")
    result: ndarray = PARTS["sph_legendre_value"](n, m, theta)[None]
    return result


def sph_harm_y(n: ArrayLike, m: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, diff_n: int = 0) -> ndarray:
    """Compute spherical harmonics.

    Parameters
    ----------
    n : array_like of int
        The degree.
    m : array_like of int
        The order, up to `n` in size.
    theta : array_like
        The polar angle, from 0 to pi.
    phi : array_like
        The azimuthal angle, from 0 to 2 pi.
    diff_n : int, optional
        Derivatives are not computed: zero.

    Returns
    -------
    result : ndarray
        Complex.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.sph_harm_y(2, 1, cp.array([0.5, 1.0]), 0.25)
    array([-0.31493387-0.08041582j, -0.34031899-0.08689771j])
    """
    if diff_n != 0:
        raise ValueError(f"sph_harm_y: diff_n must be 0, got {diff_n}")
    value = PARTS["sph_legendre_value"](n, m, as_array(theta))
    result: ndarray = value * exp(1j * (as_array(m) * as_array(phi)).astype(np.float64))
    return result


@documented
def sph_harm(
    m: ArrayLike, n: ArrayLike, theta: ArrayLike, phi: ArrayLike, out: ndarray | None = None
) -> ndarray:
    """Compute spherical harmonics, with the azimuthal angle before the polar one.

    Parameters
    ----------
    m : array_like of int
        The order, up to `n` in size.
    n : array_like of int
        The degree.
    theta : array_like
        The azimuthal angle, from 0 to 2 pi.
    phi : array_like
        The polar angle, from 0 to pi.
    {out}

    Returns
    -------
    result : ndarray
        Complex.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.sph_harm(1, 2, 0.25, cp.array([0.5, 1.0]))
    array([-0.31493387-0.08041582j, -0.34031899-0.08689771j])
    """
    result: ndarray = into(out, sph_harm_y(n, m, phi, theta))
    return result
