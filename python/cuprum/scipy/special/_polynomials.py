"""Orthogonal polynomials that are made of others, and spherical harmonics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._indexing.indexing import where
from ..._ufuncs import exp, floor
from ._documentation import documented
from ._packed import hyp2f1, parts
from ._results import PARTS, into

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_UFUNCS = _core.ufuncs("special")


def _promoted(n: ArrayLike, *arguments: ArrayLike) -> list[ndarray]:
    """Return arguments in the precision of polynomials of these degrees: integers make real ones double."""
    given = [(one, as_array(one)) for one in (n, *arguments)]
    if any(array.dtype.kind == "c" for _, array in given[:-1]):
        dtypes = ", ".join(str(array.dtype) for _, array in given)
        raise TypeError(
            f"polynomials have complex arguments alone: not supported for the input types ({dtypes})"
        )
    x = given[-1][1].dtype
    # Python's numbers have no dtype of their own.
    known = [array.dtype for one, array in given if type(one) not in (bool, int, float)]
    if x.kind == "c":
        known[-1] = np.zeros(0, x).real.dtype
    elif given[0][1].dtype.kind in "biu" or not any(dtype.kind == "f" for dtype in known):
        known.append(np.dtype(np.float64))
    dtype = np.result_type(np.float32, *known)
    wanted = np.result_type(dtype, np.complex64) if x.kind == "c" else dtype
    parameters = [array.astype(dtype, copy=False) for _, array in given[1:-1]]
    return [*parameters, given[-1][1].astype(wanted, copy=False)]


def _scaled(x: ndarray, factor: float) -> ndarray:
    """Return numbers times a real one, complex ones part by part: a product has no value at infinity."""
    if x.dtype.kind != "c":
        return factor * x
    made = x.copy()
    made.real = made.real * factor
    made.imag = made.imag * factor
    return made


def _from_one(x: ndarray) -> ndarray:
    """Return half of what complex numbers are from one."""
    return _scaled(1.0 - x, 0.5)


def _degrees(n: ArrayLike, x: ndarray) -> ndarray:
    """Return degrees as real numbers in the precision of complex arguments."""
    return as_array(n).astype(x.real.dtype, copy=False)


@documented
def eval_legendre(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Legendre's polynomial of degree `n`.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_legendre(3, cp.array([0.5, -0.25]))
    array([-0.4375   ,  0.3359375])
    """
    (x,) = _promoted(n, x)
    if x.dtype.kind == "c":
        n = _degrees(n, x)
        made: ndarray = into(out, hyp2f1(-n, n + 1.0, 1.0, _from_one(x)))
        return made
    result: ndarray = _UFUNCS["eval_legendre"](n, x, out=out)
    return result


@documented
def eval_chebyt(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the first kind of degree `n`.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_chebyt(3, cp.array([0.5, -0.25]))
    array([-1.    ,  0.6875])
    """
    (x,) = _promoted(n, x)
    if x.dtype.kind == "c":
        n = _degrees(n, x)
        made: ndarray = into(out, hyp2f1(-n, n, 0.5, _from_one(x)))
        return made
    result: ndarray = _UFUNCS["eval_chebyt"](n, x, out=out)
    return result


@documented
def eval_chebyu(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Chebyshev's polynomial of the second kind of degree `n`.

    Parameters
    ----------
    {degree}
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_chebyu(3, cp.array([0.5, -0.25]))
    array([-1.   ,  0.875])
    """
    (x,) = _promoted(n, x)
    if x.dtype.kind == "c":
        n = _degrees(n, x)
        made: ndarray = into(out, (n + 1.0) * hyp2f1(-n, n + 2.0, 1.5, _from_one(x)))
        return made
    result: ndarray = _UFUNCS["eval_chebyu"](n, x, out=out)
    return result


@documented
def eval_gegenbauer(n: ArrayLike, alpha: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Gegenbauer's polynomial of degree `n`.

    Parameters
    ----------
    {degree}
    alpha : array_like
        The parameter.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_gegenbauer(3, 0.5, cp.array([0.5, -0.25]))
    array([-0.4375   ,  0.3359375])
    """
    alpha, x = _promoted(n, alpha, x)
    if x.dtype.kind == "c":
        n, gamma = _degrees(n, x), _UFUNCS["gamma"]
        factor = gamma(n + 2.0 * alpha) / gamma(1.0 + n) / gamma(2.0 * alpha)
        made: ndarray = into(out, factor * hyp2f1(-n, n + 2.0 * alpha, alpha + 0.5, _from_one(x)))
        return made
    result: ndarray = _UFUNCS["eval_gegenbauer"](n, alpha, x, out=out)
    return result


@documented
def eval_genlaguerre(n: ArrayLike, alpha: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Laguerre's generalised polynomial of degree `n`.

    Parameters
    ----------
    n : array_like
        The degree; beside complex arguments a whole number from zero on.
    alpha : array_like
        The parameter.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_genlaguerre(3, 0.5, cp.array([0.5, 2.0]))
    array([ 0.41666667, -0.89583333])
    """
    alpha, x = _promoted(n, alpha, x)
    if x.dtype.kind == "c":
        made: ndarray = into(out, _complex_laguerre(_degrees(n, x), alpha, x))
        return made
    result: ndarray = _UFUNCS["eval_genlaguerre"](n, alpha, x, out=out)
    return result


def _complex_laguerre(n: ndarray, alpha: ndarray, x: ndarray) -> ndarray:
    """Return Laguerre's polynomials by their recurrence."""
    if not bool(((n >= 0) & (n == cp.floor(n))).all()):
        raise ValueError("eval_genlaguerre: degrees must be whole numbers from zero on where x is complex")
    n, alpha, x = cp.broadcast_arrays(n, alpha, x)
    before, value = cp.zeros_like(x), cp.ones_like(x)
    for k in range(int(n.max()) if n.size else 0):
        after = ((2.0 * k + 1.0 + alpha - x) * value - (k + alpha) * before) / (k + 1.0)
        goes_on = n > k
        before, value = cp.where(goes_on, value, before), cp.where(goes_on, after, value)
    return value


def _hermite(name: str, n: ArrayLike, x: ArrayLike, out: ndarray | None) -> ndarray:
    degrees, x = as_array(n), as_array(x)
    if "c" in (degrees.dtype.kind, x.dtype.kind):
        raise TypeError(f"{name}: not supported for the input types ({degrees.dtype}, {x.dtype})")
    result: ndarray = _UFUNCS[name](degrees, x.astype(np.float64, copy=False), out=out)
    return result


@documented
def eval_hermite(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Hermite's polynomial of degree `n`.

    Parameters
    ----------
    n : array_like of int
        The degree.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_hermite(3, cp.array([0.5, -0.25]))
    array([-5.   ,  2.875])
    """
    return _hermite("eval_hermite", n, x, out)


@documented
def eval_hermitenorm(n: ArrayLike, x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute Hermite's polynomial of degree `n` with leading coefficient one.

    Parameters
    ----------
    n : array_like of int
        The degree.
    {x}
    {out}

    {values}

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.eval_hermitenorm(3, cp.array([0.5, -0.25]))
    array([-1.375   ,  0.734375])
    """
    return _hermite("eval_hermitenorm", n, x, out)


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
    return eval_genlaguerre(n, 0.0, x, out)


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
    result: ndarray = into(out, 2.0 * eval_chebyt(n, _scaled(_promoted(n, x)[0], 0.5)))
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
    return eval_chebyu(n, _scaled(_promoted(n, x)[0], 0.5), out)


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
    return eval_chebyt(n, _scaled(_promoted(n, x)[0], 2.0) - 1.0, out)


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
    return eval_chebyu(n, _scaled(_promoted(n, x)[0], 2.0) - 1.0, out)


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
    return eval_legendre(n, _scaled(_promoted(n, x)[0], 2.0) - 1.0, out)


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
        value = _complex_jacobi(_degrees(n, x), a, b, x)
    else:
        value = PARTS["eval_jacobi_value"](parts(degrees, a, x.dtype), parts(b, x, x.dtype)).real
    made: ndarray = into(out, value)
    return made


def _complex_jacobi(n: ndarray, a: ndarray, b: ndarray, x: ndarray) -> ndarray:
    """Return Jacobi's polynomials by Gauss's function.

    Where `a` is a whole number from ``-n`` to -1, that has a pole: there the polynomial has ``-a`` zeros at
    one, and what is left is one of the parameter ``-a``. Where `a` is ``-n - 1``, Gauss's function is another
    one at the pole, and the mirrored polynomial is taken.
    """
    mirrored = a == -n - 1.0
    a, b, x = where(mirrored, b, a), where(mirrored, a, b), where(mirrored, -x, x)
    z = _from_one(where(a == -n - 1.0, cp.nan, x))
    zeros = where((a < 0.0) & (a == floor(a)) & (n == floor(n)) & (n + a >= 0.0), -a, 0.0)
    left, parameter = n - zeros, where(zeros > 0.0, zeros, a)
    found = _choices(left + parameter, left) * hyp2f1(-left, left + parameter + b + 1.0, parameter + 1.0, z)
    poch = _UFUNCS["poch"]
    factor = poch(left + b + 1.0, zeros) / poch(left + 1.0, zeros) * (-z) ** zeros
    value = where(zeros > 0.0, factor * found, found)
    result: ndarray = where(mirrored & (n % 2.0 == 1.0), -value, value)
    return result


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
    if x.dtype.kind == "c":
        n = _degrees(n, x)
    value = eval_jacobi(n, p - q, q - 1.0, _scaled(x, 2.0) - 1.0)
    result: ndarray = into(out, value / _leading(n, p))
    return result


def _leading(n: ndarray, p: ndarray) -> ndarray:
    """Return the leading coefficient of Jacobi's polynomial on the interval from 0 to 1."""
    return _choices(2.0 * n + p - 1.0, n)


def _choices(top: ndarray, n: ndarray) -> ndarray:
    """Return the binomial coefficient of `top` and `n`.

    Of a negative whole number `binom` has no value; of a whole `n` the coefficient is a polynomial in `top`,
    which has one there too.
    """
    degree = n.astype(top.dtype)
    mirrored = (top < 0.0) & (top == floor(top)) & (degree == floor(degree)) & (degree >= 0.0)
    found = _UFUNCS["binom"](where(mirrored, degree - top - 1.0, top), degree)
    return where(mirrored & (degree % 2.0 == 1.0), -found, found)


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
