"""Slepian's windows: of all, those with most of their energy in a band."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from ..._kernels import texts
from ._length import checked_length

__all__ = ["dpss"]

_kernel = texts(__file__)
_THREADS = 32


def _tapers(n: int, width: float, count: int) -> ndarray:
    """Return the eigenvectors for the largest eigenvalues, of length one, with the usual signs."""
    at = cp.arange(n, dtype=np.float64)
    diagonal = ((n - 1 - 2 * at) / 2.0) ** 2 * math.cos(2 * math.pi * width)
    beside = at[1:] * (n - at[1:]) / 2.0 if n > 1 else cp.zeros(1)
    vectors, work = cp.empty((count, n)), cp.empty(4 * n * count)
    arguments = (diagonal, beside, vectors, work, cp.empty(n * count, bool), np.int64(n), np.int64(count))
    _kernel("slepian", "slepian")((-(-count // _THREADS),), (_THREADS,), arguments)
    # Even ones have a positive mean; odd ones begin with a positive lobe, beyond the noise.
    loud = cp.argmax(vectors * vectors > max(1e-7, 1.0 / n), axis=1)[:, None]
    lobe = cp.take_along_axis(vectors, loud, 1)
    sign = cp.where(cp.arange(count)[:, None] % 2 == 0, vectors.sum(axis=1, keepdims=True), lobe)
    return cp.where(sign < 0, -vectors, vectors)


def _correction(windows: ndarray, n: int, half_width: float, norm: str) -> Any:
    """Return what brings the peak of a window of even length to one."""
    if norm == "approximate":
        return n**2 / float(n**2 + half_width)
    spectrum = cp.fft.rfft(windows[0])
    shift = -(1 - 1.0 / n) * cp.arange(1, n // 2 + 1)
    spectrum[1:] *= 2 * cp.exp(-1j * math.pi * shift)
    return n / spectrum.real.sum()


@names_itself
def dpss(
    M: int,
    NW: float,
    Kmax: int | None = None,
    sym: bool = True,
    norm: Any = None,
    return_ratios: bool = False,
) -> Any:
    """Return Slepian's windows: those with most of their energy in a band.

    Parameters
    ----------
    M : int
        The number of points.
    NW : float
        Half of the band's width, times `M`.
    Kmax : int, optional
        How many windows, those with most energy in the band first; by default one, without an axis for them.
    sym : bool, optional
        Whether windows are symmetric, for filters, or one period, for spectra.
    norm : {2, "approximate", "subsample"}, optional
        What is one: the sum of squares, or the peak, in even lengths by a formula or by interpolation. By
        default 2 with `Kmax` and "approximate" without.
    return_ratios : bool, optional
        Return the parts of the energy that are in the band, too.

    Returns
    -------
    ndarray of float64, or tuple
        The windows, of shape ``(M,)`` or ``(Kmax, M)``, and the ratios where these are asked for.

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.dpss(5, 1.0).round(4)
    array([0.4432, 0.831 , 1.    , 0.831 , 0.4432])
    """
    norm = ("approximate" if Kmax is None else 2) if norm is None else norm
    if norm not in (2, "approximate", "subsample"):
        raise ValueError(f"norm must be one of (2, 'approximate', 'subsample'), got {norm!r}")
    is_single, count = Kmax is None, 1 if Kmax is None else operator.index(Kmax)
    n = checked_length("dpss", M)
    if n <= 1:
        found = cp.ones(n)
        return (found, 1.0 if is_single else cp.ones(1)) if return_ratios else found
    if not 0 < count <= n:
        raise ValueError("Kmax must be greater than 0 and less than M")
    if NW >= n / 2.0:
        raise ValueError("NW must be less than M/2.")
    if NW <= 0:
        raise ValueError("NW must be positive")
    n += not sym
    width = float(NW) / n
    windows = _tapers(n, width, count)
    ratios = _ratios(windows, n, width) if return_ratios else None
    if norm != 2:
        windows = windows / windows.max()
        if n % 2 == 0:
            windows = windows * _correction(windows, n, float(NW), norm)
    windows = windows if sym else windows[:, :-1]
    if is_single:
        windows, ratios = windows[0], ratios if ratios is None else ratios[0]
    return (windows, ratios) if return_ratios else windows


def _ratios(windows: ndarray, n: int, width: float) -> ndarray:
    """Return the energy in the band, by the windows' correlations with themselves."""
    length = 1 << (2 * n - 1).bit_length()
    spectrum = cp.fft.rfft(windows, length)
    correlation = cp.fft.irfft((spectrum * spectrum.conj()).real, length)[:, :n]
    weight = 4 * width * cp.sinc(2 * width * cp.arange(n, dtype=np.float64))
    weight[0] = 2 * width
    return correlation @ weight
