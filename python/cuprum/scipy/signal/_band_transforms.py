"""Analog lowpass filters turned into filters of other bands, and into digital ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._filter_forms import floating, normalize_

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "bilinear",
    "bilinear_zpk",
    "lp2bp",
    "lp2bp_zpk",
    "lp2bs",
    "lp2bs_zpk",
    "lp2hp",
    "lp2hp_zpk",
    "lp2lp",
    "lp2lp_zpk",
]


def checked_fs(op: str, fs: Any) -> float:
    """Return a sampling frequency, one number."""
    if fs is None:
        raise ValueError(f"{op}: Sampling frequency can not be none.")
    if not np.isscalar(fs):
        raise ValueError(f"{op}: Sampling frequency fs must be a single scalar.")
    frequency: Any = fs
    return float(frequency)


def optional_fs(op: str, fs: Any) -> float | None:
    """Return a sampling frequency, or None."""
    return None if fs is None else checked_fs(op, fs)


def _excess(z: Any, p: Any) -> int:
    """Return by how many poles there are more."""
    excess = p.shape[0] - z.shape[0]
    if excess < 0:
        raise ValueError("Improper transfer function. Must have at least as many poles as zeros.")
    number: int = excess
    return number


def lp2lp_zpk_(xp: Any, z: Any, p: Any, k: Any, wo: float) -> tuple[Any, Any, Any]:
    return wo * z, wo * p, k * wo ** _excess(z, p)


def lp2hp_zpk_(xp: Any, z: Any, p: Any, k: Any, wo: float) -> tuple[Any, Any, Any]:
    excess = _excess(z, p)
    gain = k * (xp.prod(-z) / xp.prod(-p)).real
    zeros = wo / z
    # Zeros at infinity come to zero.
    return xp.concatenate((zeros, xp.zeros(excess, zeros.dtype))), wo / p, gain


def _shifted(xp: Any, roots: Any, wo: float) -> Any:
    roots = roots.astype(np.complex128)
    apart = xp.sqrt(roots**2 - wo**2)
    return xp.concatenate((roots + apart, roots - apart))


def lp2bp_zpk_(xp: Any, z: Any, p: Any, k: Any, wo: float, bw: float) -> tuple[Any, Any, Any]:
    excess = _excess(z, p)
    zeros, poles = (_shifted(xp, roots * (bw / 2), wo) for roots in (z, p))
    return xp.concatenate((zeros, xp.zeros(excess, zeros.dtype))), poles, k * bw**excess


def lp2bs_zpk_(xp: Any, z: Any, p: Any, k: Any, wo: float, bw: float) -> tuple[Any, Any, Any]:
    excess = _excess(z, p)
    gain = k * (xp.prod(-z) / xp.prod(-p)).real
    zeros, poles = (_shifted(xp, (bw / 2) / roots, wo) for roots in (z, p))
    # Zeros at infinity come to the middle of the band.
    middle = xp.full(excess, 1j * wo)
    return xp.concatenate((zeros, middle, -middle)), poles, gain


def bilinear_zpk_(xp: Any, z: Any, p: Any, k: Any, fs: float) -> tuple[Any, Any, Any]:
    excess, twice = _excess(z, p), 2.0 * fs
    gain = k * (xp.prod(twice - z) / xp.prod(twice - p)).real
    zeros = (twice + z) / (twice - z)
    # Zeros at infinity come to half the sampling frequency.
    return xp.concatenate((zeros, -xp.ones(excess, zeros.dtype))), (twice + p) / (twice - p), gain


def _roots(z: Any, p: Any) -> tuple[ndarray, ndarray]:
    return floating(z), floating(p)


def _alike(z: Any, p: Any) -> tuple[ndarray, ndarray]:
    """Return the roots in one dtype: it decides on which side of a branch cut a real root lies."""
    z, p = _roots(z, p)
    dtype = cp.result_type(z, p)
    return z.astype(dtype, copy=False), p.astype(dtype, copy=False)


@documented
@names_itself
def lp2lp_zpk(z: ArrayLike, p: ArrayLike, k: float, wo: float = 1.0) -> tuple[ndarray, ndarray, Any]:
    """Move the cutoff of an analog lowpass filter, given by its roots.

    Parameters
    ----------
    {zeros_poles}
    {gain}
    {cutoff_frequency}

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2lp_zpk([], [-1.0], 1.0, 2.0)
    (array([], dtype=float64), array([-2.]), 2.0)
    """
    return lp2lp_zpk_(cp, *_roots(z, p), k, float(wo))


@documented
@names_itself
def lp2hp_zpk(z: ArrayLike, p: ArrayLike, k: float, wo: float = 1.0) -> tuple[ndarray, ndarray, Any]:
    """Turn an analog lowpass filter, given by its roots, into a highpass one.

    Parameters
    ----------
    {zeros_poles}
    {gain}
    {cutoff_frequency}

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2hp_zpk([], [-1.0], 1.0, 2.0)
    (array([0.]), array([-2.]), array(1.))
    """
    return lp2hp_zpk_(cp, *_roots(z, p), k, float(wo))


@documented
@names_itself
def lp2bp_zpk(
    z: ArrayLike, p: ArrayLike, k: float, wo: float = 1.0, bw: float = 1.0
) -> tuple[ndarray, ndarray, Any]:
    """Turn an analog lowpass filter, given by its roots, into a bandpass one.

    Parameters
    ----------
    {zeros_poles}
    {gain}
    {band}

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2bp_zpk([], [-1.0], 1.0, 1.0, 2.0)
    (array([0.+0.j]), array([-1.+0.j, -1.+0.j]), 2.0)
    """
    return lp2bp_zpk_(cp, *_alike(z, p), k, float(wo), float(bw))


@documented
@names_itself
def lp2bs_zpk(
    z: ArrayLike, p: ArrayLike, k: float, wo: float = 1.0, bw: float = 1.0
) -> tuple[ndarray, ndarray, Any]:
    """Turn an analog lowpass filter, given by its roots, into a bandstop one.

    Parameters
    ----------
    {zeros_poles}
    {gain}
    {band}

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2bs_zpk([], [-1.0], 1.0, 1.0, 2.0)
    (array([ 0.+1.j, -0.-1.j]), array([-1.+0.j, -1.+0.j]), array(1.))
    """
    return lp2bs_zpk_(cp, *_alike(z, p), k, float(wo), float(bw))


@documented
@names_itself
def bilinear_zpk(z: ArrayLike, p: ArrayLike, k: float, fs: float) -> tuple[ndarray, ndarray, Any]:
    """Turn an analog filter, given by its roots, into a digital one.

    Parameters
    ----------
    {zeros_poles}
    {gain}
    fs : float
        The sampling frequency.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.bilinear_zpk([], [-1.0], 1.0, 0.5)
    (array([-1.]), array([0.]), array(0.5))
    """
    return bilinear_zpk_(cp, *_roots(z, p), k, checked_fs("bilinear_zpk", fs))


def _spread(xp: Any, values: Any, size: int, terms: Any) -> Any:
    """Return a polynomial whose coefficient of power `i` becomes the sum of others.

    `terms(i)` gives pairs of powers of the result and factors. Coefficients come by falling powers.
    """
    result = xp.zeros(size + 1, values.dtype)
    for i in range(values.shape[0]):
        for power, factor in terms(i):
            result[size - power] += factor * values[values.shape[0] - 1 - i]
    return result


@documented
@names_itself
def lp2lp(b: ArrayLike, a: ArrayLike, wo: float = 1.0) -> tuple[ndarray, ndarray]:
    """Move the cutoff of an analog lowpass filter.

    Parameters
    ----------
    {ba}
    {cutoff_frequency}

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2lp([1.0], [1.0, 1.0], 2.0)
    (array([2.]), array([1., 2.]))
    """
    b, a, wo = floating(b), floating(a), float(wo)

    def scaled(values: ndarray) -> ndarray:
        return values * wo ** -cp.arange(values.size - 1.0, -1.0, -1.0)

    return normalize_(cp, scaled(b), scaled(a))


@documented
@names_itself
def lp2hp(b: ArrayLike, a: ArrayLike, wo: float = 1.0) -> tuple[ndarray, ndarray]:
    """Turn an analog lowpass filter into a highpass one.

    Parameters
    ----------
    {ba}
    {cutoff_frequency}

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2hp([1.0], [1.0, 1.0], 2.0)
    (array([1., 0.]), array([1., 2.]))
    """
    b, a, wo = floating(b), floating(a), float(wo)
    size = max(b.size, a.size) - 1
    b, a = (_spread(cp, values, size, lambda i: [(size - i, wo**i)]) for values in (b, a))
    return normalize_(cp, b, a)


@documented
@names_itself
def lp2bp(b: ArrayLike, a: ArrayLike, wo: float = 1.0, bw: float = 1.0) -> tuple[ndarray, ndarray]:
    """Turn an analog lowpass filter into a bandpass one.

    Parameters
    ----------
    {ba}
    {band}

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2bp([1.0], [1.0, 1.0], 1.0, 0.5)
    (array([0.5, 0. ]), array([1. , 0.5, 1. ]))
    """
    b, a, wo, bw = floating(b), floating(a), float(wo), float(bw)
    top = max(b.size, a.size) - 1

    def terms(i: int) -> list[tuple[int, float]]:
        # s becomes (s**2 + wo**2) / (s * bw); all is multiplied by s**top.
        return [(top - i + 2 * k, math.comb(i, k) * wo ** (2 * (i - k)) / bw**i) for k in range(i + 1)]

    b, a = (_spread(cp, values, values.size - 1 + top, terms) for values in (b, a))
    return normalize_(cp, b, a)


@documented
@names_itself
def lp2bs(b: ArrayLike, a: ArrayLike, wo: float = 1.0, bw: float = 1.0) -> tuple[ndarray, ndarray]:
    """Turn an analog lowpass filter into a bandstop one.

    Parameters
    ----------
    {ba}
    {band}

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lp2bs([1.0], [1.0, 1.0], 1.0, 0.5)
    (array([1., 0., 1.]), array([1. , 0.5, 1. ]))
    """
    b, a, wo, bw = floating(b), floating(a), float(wo), float(bw)
    top = max(b.size, a.size) - 1

    def terms(i: int) -> list[tuple[int, float]]:
        # s becomes s * bw / (s**2 + wo**2); all is multiplied by that denominator, to the power of top.
        rest = top - i
        return [(i + 2 * k, math.comb(rest, k) * wo ** (2 * (rest - k)) * bw**i) for k in range(rest + 1)]

    b, a = (_spread(cp, values, 2 * top, terms) for values in (b, a))
    return normalize_(cp, b, a)


@documented
@names_itself
def bilinear(b: ArrayLike, a: ArrayLike, fs: float = 1.0) -> tuple[ndarray, ndarray]:
    """Turn an analog filter into a digital one.

    Parameters
    ----------
    {ba}
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.bilinear([1.0], [1.0, 1.0], 0.5)
    (array([0.5, 0.5]), array([1., 0.]))
    """
    b, a = floating(b), floating(a)
    for name, values in (("a", a), ("b", b)):
        if values.ndim != 1:
            raise ValueError(f"bilinear: Parameter {name} is not a 1d array since shape is {values.shape}")
    # Leading zeros are no part of the polynomials: they would add a factor to both results.
    b, a = floating(cp.trim_zeros(b, "f")), floating(cp.trim_zeros(a, "f"))
    scale = math.sqrt(2 * checked_fs("bilinear", fs))
    top = max(b.size, a.size) - 1

    def terms(i: int) -> list[tuple[int, float]]:
        # s becomes 2 fs (z - 1) / (z + 1); all is multiplied by that denominator, to the power of top.
        result = np.ones(1)
        for _ in range(i):
            result = np.convolve(result, [scale, -scale])
        for _ in range(top - i):
            result = np.convolve(result, [1 / scale, 1 / scale])
        return [(top - place, float(factor)) for place, factor in enumerate(result)]

    b, a = (_spread(cp, values, top, terms) for values in (b, a))
    return normalize_(cp, b, a)
