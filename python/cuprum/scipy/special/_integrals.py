"""Functions with several results, and those whose arguments need a word before their ufunc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ._documentation import documented
from ._elementary import wide
from ._results import PARTS, several

if TYPE_CHECKING:
    from ..._core import ndarray
    from ..._typing import ArrayLike


_i0 = _core.ufuncs("function")["i0"]


@documented
def i0(x: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Compute the modified Bessel function of the first kind of order zero.

    Parameters
    ----------
    {x}
    {out}

    Returns
    -------
    result : ndarray
        As `x` in shape; float32 for narrower dtypes.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.i0(cp.array([0.0, 1.0]))
    array([1.        , 1.26606588])
    """
    result: ndarray = _i0(wide(x), out=out)
    return result


@documented
def sici(x: ArrayLike, out: Any = None) -> Any:
    """Compute the sine and cosine integrals.

    Parameters
    ----------
    {x}
    {outs}

    Returns
    -------
    si, ci : ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.sici(cp.array([1.0, 10.0]))
    (array([0.94608307, 1.65834759]), array([ 0.33740392, -0.04545643]))
    """
    return several("sici", (x,), ("sici_si", "sici_ci"), out)


@documented
def shichi(x: ArrayLike, out: Any = None) -> Any:
    """Compute the hyperbolic sine and cosine integrals.

    Parameters
    ----------
    {x}
    {outs}

    Returns
    -------
    shi, chi : ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.shichi(cp.array([1.0, 2.0]))
    (array([1.05725088, 2.50156743]), array([0.83786694, 2.45266692]))
    """
    return several("shichi", (x,), ("shichi_shi", "shichi_chi"), out)


@documented
def fresnel(z: ArrayLike, out: Any = None) -> Any:
    """Compute Fresnel's integrals of ``sin(pi t**2 / 2)`` and ``cos(pi t**2 / 2)`` from zero.

    Parameters
    ----------
    z : array_like
        Where the integrals end, real or complex.
    {outs}

    Returns
    -------
    s, c : ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.fresnel(cp.array([1.0, 2.0]))
    (array([0.43825915, 0.34341568]), array([0.7798934 , 0.48825341]))
    """
    return several("fresnel", (z,), ("fresnel_s", "fresnel_c"), out)


@documented
def ellipj(u: ArrayLike, m: ArrayLike, out: Any = None) -> Any:
    """Compute the elliptic functions of Jacobi.

    Parameters
    ----------
    u : array_like
        The argument.
    m : array_like
        The parameter, from zero to one.
    {outs}

    Returns
    -------
    sn, cn, dn, ph : ndarray
        The functions, and the amplitude.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.ellipj(cp.array([0.5]), 0.5)
    (array([0.47075047]), array([0.88226639]), array([0.94297243]), array([0.49014121]))
    """
    return several("ellipj", (u, m), ("ellipj_sn", "ellipj_cn", "ellipj_dn", "ellipj_ph"), out)


@documented
def lambertw(z: ArrayLike, k: ArrayLike = 0, tol: float = 1e-8) -> ndarray:
    """Compute a branch of Lambert's W, the inverse of ``w exp(w)``.

    Parameters
    ----------
    {z}
    k : array_like of int, optional
        The branch.
    tol : float, optional
        Taken for compatibility; results are as good as the dtype.

    Returns
    -------
    w : ndarray
        In complex128.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.lambertw(cp.array([1.0, -0.25]))
    array([ 0.56714329+0.j, -0.35740296+0.j])
    """
    z, k = as_array(z).astype(np.complex128, copy=False), as_array(k).astype(np.complex128)
    result: ndarray = PARTS["lambertw_branch"](z, k)
    return result
