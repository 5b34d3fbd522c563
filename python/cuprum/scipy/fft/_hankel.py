"""The Hankel transform of logarithmically spaced samples (FFTLog).

A. J. S. Hamilton, Uncorrelated modes of the non-linear power spectrum, Monthly Notices of the Royal
Astronomical Society 312 (2000).
"""

from __future__ import annotations

import cmath
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._lines import irfft, rfft

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["fht", "fhtoffset", "ifht"]

# Coefficients of Stirling's series: Bernoulli numbers over products.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
_STIRLING_MIN = 12.0


def _log_gamma(real: float, imag: Any, log: Any) -> Any:
    """Return the logarithm of the gamma function at ``real + 1j * imag``, `imag` not negative.

    By Stirling's series where it converges, and back by the recurrence. `log` is that of `cmath` or of
    arrays.
    """
    z = real + 1j * imag
    steps = max(0, math.ceil(_STIRLING_MIN - real))
    w = z + steps
    inverse = 1 / w
    square, power, series = inverse * inverse, inverse, 0.0
    for coefficient in _STIRLING:
        series = series + coefficient * power
        power = power * square
    result = (w - 0.5) * log(w) - w + 0.5 * math.log(2 * math.pi) + series
    for step in range(steps):
        result = result - log(z + step)
    return result


def _gamma_ratio(top: float, bottom: float) -> float:
    """Return the quotient of two gamma functions, its limit where both have a pole."""

    def is_pole(x: float) -> bool:
        return x <= 0 and x == math.floor(x)

    if is_pole(top) and is_pole(bottom):
        sign = -1.0 if (int(top) - int(bottom)) % 2 else 1.0
        return sign * math.exp(math.lgamma(1 - bottom) - math.lgamma(1 - top))
    if is_pole(bottom):
        return 0.0
    if is_pole(top):
        return math.inf
    return math.gamma(top) / math.gamma(bottom)


def _coefficients(
    op: str, n: int, dln: float, mu: float, offset: float, bias: float, inverse: bool
) -> ndarray:
    plus, minus = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = cp.linspace(0, math.pi * (n // 2) / (n * dln), n // 2 + 1)
    # Both gamma functions have a pole at worst at the first place, which is looked at by itself.
    inner = cp.where(y == 0, 1.0, y)
    above, below = _log_gamma(plus, inner, cp.log), _log_gamma(minus, inner, cp.log)
    phase = above.imag + below.imag + 2 * (math.log(2) - offset) * y
    u = cp.exp(above.real - below.real + math.log(2) * bias) * cp.exp(1j * phase)
    if n % 2 == 0:
        u[-1] = u[-1].real
    first = 2.0**bias * _gamma_ratio(plus, minus)
    if math.isinf(first) and not inverse:
        warnings.warn("singular transform; consider changing the bias", stacklevel=3)
        first = 0.0
    elif first == 0 and inverse:
        warnings.warn("singular inverse transform; consider changing the bias", stacklevel=3)
        first = math.inf
    u[0] = first
    return u


def _transformed(a: ndarray, u: ndarray, inverse: bool) -> ndarray:
    spectrum = rfft(a)
    dtype = spectrum.dtype
    if inverse:
        # A coefficient that is infinite leaves nothing.
        spectrum = cp.where(cp.isinf(u.real), 0.0, spectrum / cp.where(cp.isinf(u.real), 1.0, u.conj()))
    else:
        spectrum = spectrum * u
    return irfft(spectrum.astype(dtype, copy=False), a.shape[-1])[..., ::-1]


def fht(a: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> ndarray:
    """Return the Hankel transform of samples at logarithmically spaced points.

    Parameters
    ----------
    a : (..., N) array_like
        The samples, real; taken as periodic.
    dln : float
        The distance of the logarithms of the points.
    mu : float
        The order of the Bessel function.
    offset : float, optional
        The logarithm of the product of the middle points of the samples and of the result.
    bias : float, optional
        The exponent of the power law that is taken away before.

    Returns
    -------
    (..., N) ndarray
        The transform.

    Examples
    --------
    >>> r = cp.logspace(-3, 3, 64)
    >>> a = r * cp.exp(-(r**2) / 2)
    >>> dln = float(cp.log(r[1] / r[0]))
    >>> offset = cp.scipy.fft.fhtoffset(dln, 0.0)
    >>> cp.scipy.fft.fht(a, dln, 0.0, offset).shape
    (64,)
    """
    a = as_array(a)
    n = a.shape[-1]
    j = cp.arange(n) - (n - 1) / 2
    if bias != 0:
        a = a * cp.exp(-bias * j * dln)
    result = _transformed(a, _coefficients("fht", n, dln, mu, offset, bias, False), False)
    return result * cp.exp(-bias * (j * dln + offset)) if bias != 0 else result


def ifht(A: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> ndarray:
    """Return the samples that have a given Hankel transform: the inverse of `fht`.

    Parameters
    ----------
    A : (..., N) array_like
        The transform.
    dln : float
        The distance of the logarithms of the points.
    mu : float
        The order of the Bessel function.
    offset : float, optional
        The logarithm of the product of the middle points of the samples and of the transform.
    bias : float, optional
        The exponent of the power law that is taken away before.

    Returns
    -------
    (..., N) ndarray
        The samples.

    Examples
    --------
    >>> x = cp.cos(cp.arange(16.0))
    >>> bool(cp.allclose(cp.scipy.fft.ifht(cp.scipy.fft.fht(x, 0.1, 1.0), 0.1, 1.0), x))
    True
    """
    a = as_array(A)
    n = a.shape[-1]
    j = cp.arange(n) - (n - 1) / 2
    if bias != 0:
        a = a * cp.exp(bias * (j * dln + offset))
    result = _transformed(a, _coefficients("ifht", n, dln, mu, offset, bias, True), True)
    return result / cp.exp(-bias * j * dln) if bias != 0 else result


def fhtoffset(dln: float, mu: float, initial: float = 0.0, bias: float = 0.0) -> float:
    """Return an offset near another at which the Hankel transform rings least.

    Parameters
    ----------
    dln : float
        The distance of the logarithms of the points.
    mu : float
        The order of the Bessel function.
    initial : float, optional
        The offset to be near to.
    bias : float, optional
        The exponent of the power law.

    Returns
    -------
    float
        The offset.

    Examples
    --------
    >>> round(cp.scipy.fft.fhtoffset(0.1, 1.0), 6)
    -0.003023
    """
    plus, minus, y = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2, math.pi / (2 * dln)
    phases = _log_gamma(plus, y, cmath.log).imag + _log_gamma(minus, y, cmath.log).imag
    turns = (math.log(2) - initial) / dln + phases / math.pi
    return float(initial + (turns - np.round(turns)) * dln)
