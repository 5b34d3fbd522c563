"""Cepstra: transforms of the logarithms of spectra."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import cuprum as cp

if TYPE_CHECKING:
    from ...._core import ndarray
    from ...._typing import ArrayLike


__all__ = ["complex_cepstrum", "inverse_complex_cepstrum", "minimum_phase", "real_cepstrum"]


def real_cepstrum(x: ArrayLike, n: int | None = None, axis: SupportsIndex = -1) -> ndarray:
    """Return the transform of the logarithm of the magnitude of a spectrum.

    Parameters
    ----------
    x : array_like
        The signal.
    n : int, optional
        The length of the transforms; that of the signal by default.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ndarray
        The cepstrum.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.real_cepstrum(cp.array([2.0, 0.0, 0.0])).round(6)
    array([0.693147, 0.      , 0.      ])
    """
    spectrum = cp.fft.fft(cp.asarray(x), n, axis)
    return cp.fft.ifft(cp.log(cp.abs(spectrum)), n, axis).real


def _delays(size: int) -> int:
    """Return the bin of half the sampling frequency."""
    return (size + 1) // 2


def complex_cepstrum(x: ArrayLike, n: int | None = None, axis: SupportsIndex = -1) -> Any:
    """Return the transform of the complex logarithm of a spectrum, and the delay that was taken away.

    Parameters
    ----------
    x : array_like
        The signal, real.
    n : int, optional
        The length of the transforms; that of the signal by default.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ceps, ndelay : ndarray
        The cepstrum, and by how many samples the signal was moved so that its phase ends at zero.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.complex_cepstrum(cp.array([2.0, 0.0, 0.0]))[0].round(6)
    array([0.693147, 0.      , 0.      ])
    """
    spectrum = cp.moveaxis(cp.fft.fft(cp.asarray(x), n, axis), axis, -1)
    phase = cp.unwrap(cp.angle(spectrum))
    size = spectrum.shape[-1]
    centre = _delays(size)
    delay = cp.round(phase[..., min(centre, size - 1)] / math.pi)
    phase = phase - math.pi * delay[..., cp.newaxis] * cp.arange(size) / centre
    cepstrum = cp.fft.ifft(cp.log(cp.abs(spectrum)) + 1j * phase).real
    return cp.moveaxis(cepstrum, -1, axis), delay


def inverse_complex_cepstrum(ceps: ArrayLike, ndelay: Any) -> ndarray:
    """Return the signal that has a given cepstrum.

    Parameters
    ----------
    ceps : array_like
        The cepstrum.
    ndelay : int or array_like
        The delay that `complex_cepstrum` took away.

    Returns
    -------
    ndarray
        The signal.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> x = cp.array([4.0, 1.0, 0.5, 0.25])
    >>> signal.inverse_complex_cepstrum(*signal.complex_cepstrum(x)).round(6)
    array([4.  , 1.  , 0.5 , 0.25])
    """
    logarithm = cp.fft.fft(cp.asarray(ceps))
    size = logarithm.shape[-1]
    delay = cp.asarray(ndelay)[..., cp.newaxis]
    phase = logarithm.imag + math.pi * delay * cp.arange(size) / _delays(size)
    return cp.fft.ifft(cp.exp(logarithm.real + 1j * phase)).real


def minimum_phase(x: ArrayLike, n: int | None = None) -> ndarray:
    """Return the signal of minimum phase that has the same magnitudes.

    Parameters
    ----------
    x : (N,) array_like
        The signal, real.
    n : int, optional
        The length of the transforms; that of the signal by default.

    Returns
    -------
    ndarray
        The signal.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.minimum_phase(cp.array([0.0, 0.0, 2.0])).round(6)
    array([2., 0., 0.])
    """
    x = cp.asarray(x)
    cepstrum = real_cepstrum(x, x.size if n is None else n)
    size = cepstrum.size
    odd = size % 2
    bend = (size + odd) // 2
    places = cp.arange(size)
    # Twice what lies before the bend, and once what lies at it where it is a bin of its own.
    fold = cp.where(places == 0, 1.0, cp.where(places < bend, 2.0, cp.where(places == bend, 1.0 - odd, 0.0)))
    return cp.fft.ifft(cp.exp(cp.fft.fft(cepstrum * fold))).real
