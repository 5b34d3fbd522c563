"""Transforms at points of a spiral: the chirp z-transform and the zoomed Fourier transform."""

from __future__ import annotations

import cmath
import math
import numbers
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..fft import next_fast_len

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]


def _sizes(n: Any, m: Any) -> int:
    for name, size in (("data", n), ("output", n if m is None else m)):
        if size < 1 or not isinstance(size, numbers.Integral):
            raise ValueError(
                f"czt: Invalid number of CZT {name} points ({size}) specified. It must be positive and "
                "integer type."
            )
    return int(n if m is None else m)


class CZT:
    """The z-transform of signals of one length at the points of a spiral.

    Parameters
    ----------
    n : int
        The length of the signals.
    m : int, optional
        The number of points; `n` by default.
    w : complex, optional
        The ratio between points; by default they go round the circle once.
    a : complex, optional
        The first point.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> transform = signal.CZT(3)
    >>> transform(cp.array([1.0, 2.0, 3.0])).round(6)
    array([ 6. -0.j      , -1.5+0.866025j, -1.5-0.866025j])
    """

    def __init__(self, n: int, m: int | None = None, w: complex | None = None, a: complex = 1 + 0j) -> None:
        m = _sizes(n, m)
        k = cp.arange(max(m, n))
        if w is None:
            w = cmath.exp(-2j * math.pi / m)
            half = cp.exp(-1j * math.pi * ((k * k) % (2 * m)) / m)
        else:
            half = cp.power(cp.asarray(w + 0j), k.astype(float) ** 2 / 2.0)
        a = 1.0 * a
        self.w, self.a, self.m, self.n = w, a, m, n
        self._prepare(half, cp.power(cp.asarray(a + 0j), -k[:n].astype(float)))

    def _prepare(self, half: ndarray, start: ndarray) -> None:
        """Keep the transform of the chirp, given ``w**(k**2 / 2)`` and the powers of the first point."""
        n, m = self.n, self.m
        self._length = next_fast_len(n + m - 1)
        self._before = start * half[:n]
        self._after = half[:m]
        self._chirp = fft.fft(1 / cp.concatenate((half[n - 1 : 0 : -1], half[:m])), self._length)

    def __call__(self, x: Any, *, axis: Any = -1) -> ndarray:
        """Return the transform of a signal along an axis."""
        x = as_array(x)
        axis = normalize_axis("CZT", axis, x.ndim)
        if x.shape[axis] != self.n:
            raise ValueError(f"CZT: CZT defined for length {self.n}, not {x.shape[axis]}")
        x = cp.moveaxis(x, axis, -1)
        y = fft.ifft(self._chirp * fft.fft(x * self._before, self._length))
        return cp.moveaxis(y[..., self.n - 1 : self.n + self.m - 1] * self._after, -1, axis)

    def points(self) -> ndarray:
        """Return the points at which the transform is taken.

        Examples
        --------
        >>> from cuprum.scipy.signal import CZT
        >>> cp.abs(CZT(4).points()).round(6)
        array([1., 1., 1., 1.])
        """
        return czt_points(self.m, self.w, self.a)


class ZoomFFT(CZT):
    """The Fourier transform of signals of one length over a range of frequencies.

    Parameters
    ----------
    n : int
        The length of the signals.
    fn : float or (2,) array_like
        The range, from 0 for one number.
    m : int, optional
        The number of frequencies; `n` by default.
    fs : float, optional
        The sampling frequency.
    endpoint : bool, optional
        Whether the end of the range is one of them.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> transform = signal.ZoomFFT(4, [0.0, 0.5])
    >>> transform(cp.ones(4)).round(6)
    array([ 4.      -0.j      ,  3.01367 -2.01367j ,  1.      -2.414214j,
           -0.248303-1.248303j])
    """

    def __init__(
        self, n: int, fn: Any, m: int | None = None, *, fs: float = 2, endpoint: bool = False
    ) -> None:
        m = _sizes(n, m)
        if np.size(fn) not in (1, 2):
            raise ValueError("ZoomFFT: fn must be a scalar or 2-length sequence")
        f1, f2 = (float(f) for f in fn) if np.size(fn) == 2 else (0.0, float(np.ravel(fn)[0]))
        self.f1, self.f2, self.fs = f1, f2, fs
        scale = (f2 - f1) * m / (fs * (m - 1)) if endpoint else (f2 - f1) / fs
        k = cp.arange(max(m, n)).astype(float)
        self.w, self.a = cmath.exp(-2j * math.pi / m * scale), cmath.exp(2j * math.pi * f1 / fs)
        self.m, self.n = m, n
        self._prepare(cp.exp(-1j * math.pi * scale * k**2 / m), cp.exp(-2j * math.pi * f1 / fs * k[:n]))


def czt_points(m: int, w: complex | None = None, a: complex = 1 + 0j) -> ndarray:
    """Return the points at which a chirp z-transform is taken.

    Parameters
    ----------
    m : int
        The number of points.
    w : complex, optional
        The ratio between points; by default they go round the circle once.
    a : complex, optional
        The first point.

    Returns
    -------
    ndarray
        The points.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.czt_points(4).round(6)
    array([ 1.+0.j,  0.+1.j, -1.+0.j, -0.-1.j])
    """
    m = _sizes(1, m)
    k = cp.arange(m)
    a = 1.0 * a
    return (
        a * cp.exp(2j * math.pi * k / m) if w is None else a * cp.power(cp.asarray(1.0 * w), -k.astype(float))
    )


def czt(
    x: ArrayLike,
    m: int | None = None,
    w: complex | None = None,
    a: complex = 1 + 0j,
    *,
    axis: SupportsIndex = -1,
) -> ndarray:
    """Return the z-transform of a signal at the points of a spiral.

    Parameters
    ----------
    x : array_like
        The signal.
    m : int, optional
        The number of points; by default the length of the signal.
    w : complex, optional
        The ratio between points; by default they go round the circle once.
    a : complex, optional
        The first point.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ndarray
        The transform.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.czt(cp.array([1.0, 2.0, 3.0])).round(6)
    array([ 6. -0.j      , -1.5+0.866025j, -1.5-0.866025j])
    """
    x = as_array(x)
    return CZT(x.shape[normalize_axis("czt", axis, x.ndim)], m=m, w=w, a=a)(x, axis=axis)


def zoom_fft(
    x: ArrayLike,
    fn: Any,
    m: int | None = None,
    *,
    fs: float = 2,
    endpoint: bool = False,
    axis: SupportsIndex = -1,
) -> ndarray:
    """Return the Fourier transform of a signal over a range of frequencies.

    Parameters
    ----------
    x : array_like
        The signal.
    fn : float or (2,) array_like
        The range, from 0 for one number.
    m : int, optional
        The number of frequencies; by default the length of the signal.
    fs : float, optional
        The sampling frequency.
    endpoint : bool, optional
        Whether the end of the range is one of them.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ndarray
        The transform.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.zoom_fft(cp.ones(4), [0.0, 0.5]).round(6)
    array([ 4.      -0.j      ,  3.01367 -2.01367j ,  1.      -2.414214j,
           -0.248303-1.248303j])
    """
    x = as_array(x)
    n = x.shape[normalize_axis("zoom_fft", axis, x.ndim)]
    return ZoomFFT(n, fn, m=m, fs=fs, endpoint=endpoint)(x, axis=axis)
