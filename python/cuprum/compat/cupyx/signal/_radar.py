"""Pulses, echoes and beams."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ....scipy.signal import get_window

if TYPE_CHECKING:
    from ...._core import ndarray
    from ...._typing import ArrayLike


__all__ = ["ca_cfar", "cfar_alpha", "mvdr", "pulse_compression", "pulse_doppler"]


def _taper(op: str, window: Any, n: Any) -> Any:
    if callable(window):
        return window(cp.fft.fftfreq(n))
    if isinstance(window, (cp.ndarray, np.ndarray)):
        if window.shape != (n,):
            raise ValueError(f"{op}: window must have the same length as data")
        return cp.asarray(window)
    return get_window(window, n, False)


def pulse_compression(
    x: ArrayLike, template: ArrayLike, normalize: bool = False, window: Any = None, nfft: int | None = None
) -> ndarray:
    """Return echoes filtered by the pulse that was sent.

    Parameters
    ----------
    x : (pulses, samples) array_like
        The echoes.
    template : (N,) array_like
        The pulse.
    normalize : bool, optional
        Divide the pulse by its norm.
    window : array_like, callable, str, float or tuple, optional
        A window for the pulse.
    nfft : int, optional
        The length of the transforms; the number of samples by default.

    Returns
    -------
    ndarray
        The filtered echoes, real where `x` and `template` are.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> x = cp.array([[0.0, 1.0, 2.0, 0.0]])
    >>> signal.pulse_compression(x, cp.array([1.0, 2.0])).round(6)
    array([[2., 5., 2., 0.]])
    """
    x, template = cp.asarray(x), cp.asarray(template)
    is_real = cp.result_type(x, template).kind != "c"
    nfft = x.shape[1] if nfft is None else nfft
    if window is not None:
        tapered = template * _taper("pulse_compression", window, template.size)
        template = tapered.astype(template.dtype, copy=False) if template.dtype.kind in "fc" else tapered
    if normalize:
        template = template / cp.linalg.norm(template)
    filtered = cp.fft.ifft(cp.fft.fft(x, nfft) * cp.fft.fft(template, nfft).conj(), nfft)
    return filtered.real if is_real else filtered


def pulse_doppler(x: ArrayLike, window: Any = None, nfft: int | None = None) -> ndarray:
    """Return the spectra of echoes over the pulses: ranges and speeds.

    Parameters
    ----------
    x : (pulses, samples) array_like
        The echoes.
    window : array_like, callable, str, float or tuple, optional
        A window over the pulses.
    nfft : int, optional
        The length of the transforms; the number of pulses by default.

    Returns
    -------
    ndarray
        The spectra, complex.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.pulse_doppler(cp.ones((4, 2))).real[:, 0]
    array([4., 0., 0., 0.])
    """
    x = cp.asarray(x)
    pulses = x.shape[0]
    if window is not None:
        x = x * _taper("pulse_doppler", window, pulses)[:, cp.newaxis]
    return cp.fft.fft(x, pulses if nfft is None else nfft, axis=0)


def cfar_alpha(pfa: float, N: int) -> Any:
    """Return the factor over the mean noise that gives a chance of false alarms.

    Parameters
    ----------
    pfa : float
        The chance.
    N : int
        The number of cells that the mean is taken of.

    Returns
    -------
    float
        The factor.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> round(signal.cfar_alpha(0.001, 16), 6)
    8.638824
    """
    return N * (pfa ** (-1.0 / N) - 1)


def _box_sums(array: Any, halves: Any) -> Any:
    """Return the sums of boxes of so many cells around each place, only where they lie inside."""
    for axis, half in enumerate(halves):
        totals = cp.cumsum(array, axis=axis)
        zero = cp.zeros_like(cp.take(totals, cp.array([0]), axis=axis))
        totals = cp.concatenate((zero, totals), axis=axis)
        n = totals.shape[axis]
        size = 2 * half + 1
        before = (slice(None),) * axis
        array = totals[before + (slice(size, n),)] - totals[before + (slice(0, n - size),)]
    return array


def ca_cfar(array: ArrayLike, guard_cells: Any, reference_cells: Any, pfa: float = 1e-3) -> Any:
    """Find what stands out of noise, with a constant rate of false alarms, from the mean of cells around.

    Parameters
    ----------
    array : (N,) or (M, N) array_like
        The power.
    guard_cells, reference_cells : int or (int, int)
        How many cells on each side, along each axis, are left out, and how many after them are averaged.
    pfa : float, optional
        The chance of a false alarm.

    Returns
    -------
    threshold : ndarray
        The thresholds; zero where the cells reach beyond the array.
    targets : ndarray of bool
        Where the power is above them.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> x = cp.ones(21)
    >>> x[10] = 50.0
    >>> signal.ca_cfar(x, 1, 3)[1].nonzero()[0][4:5]
    array([10])
    """
    array = cp.asarray(array)
    if array.ndim not in (1, 2):
        raise TypeError("ca_cfar: Only 1D and 2D arrays are currently supported.")
    guards = np.broadcast_to(guard_cells, (array.ndim,)).tolist()
    references = np.broadcast_to(reference_cells, (array.ndim,)).tolist()
    reach = [guard + reference for guard, reference in zip(guards, references, strict=True)]
    if any(n < 2 * r + 1 for n, r in zip(array.shape, reach, strict=True)):
        raise ValueError(f"ca_cfar: the window is larger than the array of shape {array.shape}")
    values = array.astype(np.float64)
    outer = _box_sums(values, reach)
    inside = tuple(
        slice(reference, n - reference) for reference, n in zip(references, array.shape, strict=True)
    )
    inner = _box_sums(values[inside], guards)
    cells = math.prod(2 * r + 1 for r in reach) - math.prod(2 * g + 1 for g in guards)
    threshold = cp.zeros(array.shape, values.dtype if array.dtype.itemsize > 4 else np.float32)
    middle = tuple(slice(r, n - r) for r, n in zip(reach, array.shape, strict=True))
    threshold[middle] = (outer - inner) / cells * cfar_alpha(pfa, cells)
    return threshold, array > threshold


def mvdr(x: ArrayLike, sv: ArrayLike, calc_cov: bool = True) -> ndarray:
    """Return the weights of sensors that keep one direction and let the least of all others through.

    Parameters
    ----------
    x : (sensors, samples) array_like
        What the sensors received, or its covariance.
    sv : (sensors,) array_like
        The direction: the steering vector.
    calc_cov : bool, optional
        Whether the covariance has to be computed.

    Returns
    -------
    (sensors,) ndarray
        The weights.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.mvdr(cp.eye(2), cp.ones(2), calc_cov=False)
    array([0.5, 0.5])
    """
    x, sv = cp.asarray(x), cp.asarray(sv)
    if x.shape[0] > x.shape[1]:
        raise ValueError("mvdr: Matrix has more sensors than samples. Consider transposing it.")
    if x.shape[0] != sv.shape[0]:
        raise ValueError("mvdr: Steering Vector and input data do not align")
    covariance = cp.cov(x, dtype=cp.result_type(x, cp.float32)) if calc_cov else x
    weights = cp.linalg.solve(covariance, sv.astype(cp.result_type(covariance, sv)))
    return weights / (sv.conj() @ weights)
