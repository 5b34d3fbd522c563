"""Spline coefficients of signals and images, and recursive filters that run both ways."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..ndimage import correlate1d
from ._filter_forms import floating
from ._recursive import lfilter, sosfilt

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "cspline1d",
    "cspline1d_eval",
    "cspline2d",
    "gauss_spline",
    "qspline1d",
    "qspline1d_eval",
    "qspline2d",
    "sepfir2d",
    "spline_filter",
    "symiirorder1",
    "symiirorder2",
]


def gauss_spline(x: ArrayLike, n: int) -> ndarray:
    """Return the Gaussian that a B-spline of an order comes near to.

    Parameters
    ----------
    x : array_like
        The places.
    n : int
        The order.

    Returns
    -------
    ndarray
        The Gaussian.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.gauss_spline(cp.array([0.0, 1.0]), 3).round(6)
    array([0.690988, 0.15418 ])
    """
    x, variance = as_array(x), (n + 1) / 12.0
    return 1 / math.sqrt(2 * math.pi * variance) * cp.exp(-(x**2) / 2 / variance)


def _mirrored(x: ndarray, r: float, precision: float = -1.0) -> ndarray:
    """Return rows followed by their mirror images, until a decay of `r` a sample leaves nothing.

    With a `precision` of up to one, until it leaves no more than that.
    """
    exact = not 0 < precision <= 1
    count = 1 if r == 0 else max(1, math.ceil((-42 if exact else math.log(precision)) / math.log(r)))
    copies = -(-count // x.shape[-1])
    rows = cp.concatenate([x if i % 2 == 0 else x[..., ::-1] for i in range(copies)], -1)
    return rows if exact else rows[..., :count]


def _both_ways(x: ndarray, c0: Any, z1: Any, before: ndarray) -> ndarray:
    """Return rows filtered by ``1 / (1 - z1 / z)`` and back by ``c0 / (1 - z1 * z)``.

    Beyond the end lies the mirror image, and before the beginning `before`, the nearest sample first.
    """
    powers = cp.power(cp.asarray(z1, dtype=x.dtype), cp.arange(before.shape[-1]).astype(x.real.dtype))
    first = x[..., :1] + z1 * (powers * before).sum(axis=-1, keepdims=True)
    a = cp.asarray(np.array([1, -z1])).astype(x.dtype)
    if x.shape[-1] > 1:
        rest, _ = lfilter(cp.ones(1, x.dtype), a, x[..., 1:], zi=first * z1)
        forth = cp.concatenate((first, rest), -1)
    else:
        forth = first
    last = -c0 / (z1 - 1.0) * forth[..., -1:]
    if x.shape[-1] == 1:
        result: ndarray = last
        return result
    back, _ = lfilter(cp.asarray(np.array([c0])).astype(x.dtype), a, forth[..., -2::-1], zi=last * z1)
    return cp.concatenate((back[..., ::-1], last), -1)


def _rows(op: str, signal: Any) -> ndarray:
    x = as_array(signal)
    if x.dtype.kind in "bui":
        x = x.astype(np.float64)
    if x.ndim > 2:
        raise ValueError(f"{op}: Input must be 1D or 2D")
    return x


@names_itself
def symiirorder1(signal: ArrayLike, c0: Any, z1: Any, precision: float = -1.0) -> ndarray:
    """Filter forwards and backwards by one pole, beyond the ends by the mirror image.

    Parameters
    ----------
    signal : (N,) or (M, N) array_like
        The signal.
    c0, z1 : number
        The gain and the pole, inside the unit circle.
    precision : float, optional
        The sum over the mirror image before the beginning ends where ``abs(z1) ** k`` is no more than this;
        by default it is taken to its end.

    Returns
    -------
    ndarray
        The filtered signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.symiirorder1(cp.array([1.0, 0.0, 0.0, 0.0]), 1.0, 0.5).round(6)
    array([2.023529, 1.035294, 0.564706, 0.376471])
    """
    x = _rows("symiirorder1", signal)
    if abs(z1) >= 1:
        raise ValueError("symiirorder1: |z1| must be less than 1.0")
    return _both_ways(x, c0, z1, _mirrored(x, abs(z1), precision)).astype(x.dtype, copy=False)


def _forward(k: ndarray, gain: float, r: float, omega: float) -> ndarray:
    """Return the answer of a pair of poles to an impulse, forwards."""
    angle = omega * (k + 1)
    shape = cp.sin(angle) / math.sin(omega) if omega != 0 else k + 1
    return cp.where(k < 0, 0.0, gain * r ** cp.maximum(k, 0) * shape)


def _symmetric(k: ndarray, gain: float, r: float, omega: float) -> ndarray:
    """Return the answer of a pair of poles to an impulse, both ways."""
    square = r * r
    if omega == 0.0:
        scale = (1 + square) / ((1 - square) ** 3) * gain * gain
        gamma = (1 - square) / (1 + square)
        return scale * r ** cp.abs(k) * (1 + gamma * cp.abs(k))
    scale = (
        gain * gain * (1 + square) / (1 - square) / (1 - 2 * square * math.cos(2 * omega) + square * square)
    )
    gamma = (1 - square) / (1 + square) / math.tan(omega)
    k = cp.abs(k)
    return scale * r**k * (cp.cos(omega * k) + gamma * cp.sin(omega * k))


def _pair_both_ways(
    x: ndarray, r: float, omega: float, around: tuple[ndarray, ndarray], begin: tuple[ndarray, ndarray]
) -> ndarray:
    """Return rows filtered by a pair of poles forwards and backwards.

    `around` are the samples before the beginning and beyond the end, the nearest first, `begin` those that
    the second result sees itself, the latest first.
    """
    if abs(r) >= 1.0:
        raise ValueError(f"symiirorder2: r must be less than 1.0, got {r}")
    gain = 1 - 2 * r * math.cos(omega) + r * r
    a1, a2 = 2 * r * math.cos(omega), -r * r
    k = cp.arange(around[0].shape[-1]).astype(np.float64)

    def total(weights: ndarray, rows: ndarray) -> ndarray:
        return (weights.astype(x.real.dtype) * rows).sum(axis=-1, keepdims=True)

    def forward(k: Any) -> ndarray:
        return _forward(k, gain, r, omega)

    def symmetric(k: Any) -> ndarray:
        return _symmetric(k, gain, r, omega)

    zero, one = (forward(cp.full(1, float(i))) for i in (0, 1))
    first = zero * x[..., :1] + total(forward(k + 1), around[0])
    second = zero * begin[0] + one * begin[1] + total(forward(k + 2), around[0])
    sos = cp.array([[gain, 0, 0, 1, -a1, -a2]], dtype=x.dtype)

    def run(before: ndarray, last: ndarray, rows: ndarray) -> ndarray:
        # The state after two outputs, the latest last.
        state = cp.concatenate((a1 * last + a2 * before, a2 * last), -1).astype(x.dtype)
        result: ndarray = sosfilt(sos, rows, zi=state[cp.newaxis])[0]
        return result

    forth = cp.concatenate((first, second, run(first, second, x[..., 2:])), -1).astype(x.dtype)
    end = total(symmetric(k) + symmetric(k + 1), around[1])
    before_end = total(symmetric(k - 1) + symmetric(k + 2), around[1])
    back = run(end, before_end, forth[..., -3::-1])
    return cp.concatenate((back[..., ::-1], before_end, end), -1).astype(x.dtype)


@names_itself
def symiirorder2(input: ArrayLike, r: float, omega: float, precision: float = -1.0) -> ndarray:
    """Filter forwards and backwards by a pair of poles, beyond the ends by the mirror image.

    Parameters
    ----------
    input : (N,) or (M, N) array_like
        The signal.
    r, omega : float
        The magnitude, below one, and the angle of the poles.
    precision : float, optional
        Taken for compatibility: the sums at the ends are taken over the whole signal.

    Returns
    -------
    ndarray
        The filtered signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.symiirorder2(cp.array([1.0, 0.0, 0.0, 0.0, 0.0]), 0.2, 1.0).round(6)
    array([ 0.858207,  0.151149, -0.001651, -0.006359, -0.001346])
    """
    x = _rows("symiirorder2", input)
    if x.dtype.kind == "c":
        raise TypeError(
            "symiirorder2: a complex signal is not supported, filter its real and imaginary parts"
        )
    around = (_mirrored(x, abs(r)), _mirrored(x[..., ::-1], abs(r))) if abs(r) < 1 else (x, x)
    return _pair_both_ways(x, float(r), float(omega), around, (x[..., 1:2], x[..., :1]))


def _along_both(x: ndarray, run: Any) -> ndarray:
    return cp.ascontiguousarray(cp.moveaxis(run(cp.moveaxis(run(x), 0, -1)), -1, 0))


def _smoothing(lamb: float) -> tuple[float, float]:
    """Return the poles of a smoothing spline: their magnitude and angle."""
    root = math.sqrt(3 + 144 * lamb)
    xi = 1 - 96 * lamb + 24 * lamb * root
    omega = math.atan2(math.sqrt(144 * lamb - 1), math.sqrt(xi))
    rho = (24 * lamb - 1 - math.sqrt(xi)) / (24 * lamb) * math.sqrt((48 * lamb + 24 * lamb * root) / xi)
    return rho, omega


_CUBIC, _QUADRATIC = -2 + math.sqrt(3.0), -3 + 2 * math.sqrt(2.0)


@names_itself
def cspline1d(signal: ArrayLike, lamb: float = 0.0) -> ndarray:
    """Return the cubic spline coefficients of a signal.

    Parameters
    ----------
    signal : (N,) array_like
        The signal.
    lamb : float, optional
        How much to smooth it.

    Returns
    -------
    (N,) ndarray
        The coefficients, for `cspline1d_eval`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> c = signal.cspline1d(cp.array([1.0, 2.0, 1.0]))
    >>> signal.cspline1d_eval(c, cp.array([0.0, 1.0, 2.0])).round(6)
    array([0.996299, 2.      , 1.      ])
    """
    x = floating(signal)
    if lamb != 0.0:
        # SciPy begins with the first two samples exchanged.
        return _pair_both_ways(x, *_smoothing(lamb), (x, x[::-1]), (x[:1], x[1:2]))
    # A spline's own factor is that of the recursion, so that it goes through the samples.
    return _both_ways(x, -_CUBIC, _CUBIC, x) * 6.0


@names_itself
def qspline1d(signal: ArrayLike, lamb: float = 0.0) -> ndarray:
    """Return the quadratic spline coefficients of a signal.

    Parameters
    ----------
    signal : (N,) array_like
        The signal.
    lamb : float, optional
        Must be zero: quadratic splines do not smooth.

    Returns
    -------
    (N,) ndarray
        The coefficients, for `qspline1d_eval`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> c = signal.qspline1d(cp.array([1.0, 2.0, 1.0]))
    >>> signal.qspline1d_eval(c, cp.array([0.0, 1.0, 2.0])).round(6)
    array([0.999286, 2.      , 1.      ])
    """
    if lamb != 0.0:
        raise ValueError("qspline1d: Smoothing quadratic splines not supported yet.")
    x = floating(signal)
    return _both_ways(x, -_QUADRATIC, _QUADRATIC, x) * 8.0


def _cubic(x: ndarray) -> ndarray:
    x = cp.abs(x)
    inner, outer = 2.0 / 3 - x * x * (1 - x / 2), (2 - x) ** 3 / 6.0
    return cp.where(x < 1, inner, cp.where(x < 2, outer, 0.0))


def _quadratic(x: ndarray) -> ndarray:
    x = cp.abs(x)
    return cp.where(x < 0.5, 0.75 - x * x, cp.where(x < 1.5, (x - 1.5) ** 2 / 2.0, 0.0))


def _evaluated(op: str, cj: Any, newx: Any, dx: float, x0: float, half: float, basis: Any) -> ndarray:
    x, cj = (as_array(newx) - x0) / float(dx), as_array(cj)
    if x.size == 0:
        return cp.zeros(x.shape, cj.dtype)
    n = cj.size
    if n == 0:
        raise ValueError(f"{op}: Spline coefficients 'cj' must not be empty.")
    if n > 1:
        # Beyond the ends lies the mirror image, and so on.
        x = cp.mod(x, 2.0 * (n - 1))
        x = cp.where(x > n - 1, 2 * (n - 1) - x, x)
    else:
        x = cp.zeros_like(x)
    lower = cp.floor(x - half).astype(np.int64) + 1
    result = cp.zeros(x.shape, cp.result_type(cj, x))
    for i in range(int(2 * half)):
        at = lower + i
        result = result + cj[cp.clip(at, 0, n - 1)] * basis(x - at)
    return result


@names_itself
def cspline1d_eval(cj: ArrayLike, newx: ArrayLike, dx: float = 1.0, x0: float = 0) -> ndarray:
    """Return the values of a cubic spline.

    Parameters
    ----------
    cj : (N,) array_like
        The coefficients, from `cspline1d`.
    newx : array_like
        Where.
    dx, x0 : float, optional
        The distance of the samples and the place of the first one.

    Returns
    -------
    ndarray
        The values; beyond the samples lies their mirror image.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> c = signal.cspline1d(cp.array([1.0, 2.0, 1.0]))
    >>> signal.cspline1d_eval(c, cp.array([0.5])).round(6)
    array([1.623242])
    """
    return _evaluated("cspline1d_eval", cj, newx, dx, x0, 2.0, _cubic)


@names_itself
def qspline1d_eval(cj: ArrayLike, newx: ArrayLike, dx: float = 1.0, x0: float = 0) -> ndarray:
    """Return the values of a quadratic spline.

    Parameters
    ----------
    cj : (N,) array_like
        The coefficients, from `qspline1d`.
    newx : array_like
        Where.
    dx, x0 : float, optional
        The distance of the samples and the place of the first one.

    Returns
    -------
    ndarray
        The values; beyond the samples lies their mirror image.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> c = signal.qspline1d(cp.array([1.0, 2.0, 1.0]))
    >>> signal.qspline1d_eval(c, cp.array([0.5])).round(6)
    array([1.599653])
    """
    return _evaluated("qspline1d_eval", cj, newx, dx, x0, 1.5, _quadratic)


@names_itself
def cspline2d(signal: ArrayLike, lamb: float = 0.0, precision: float = -1.0) -> ndarray:
    """Return the cubic spline coefficients of an image.

    Parameters
    ----------
    signal : (M, N) array_like
        The image.
    lamb : float, optional
        How much to smooth it; more than 1/144.
    precision : float, optional
        Taken for compatibility: the sums at the ends are taken over whole lines.

    Returns
    -------
    (M, N) ndarray
        The coefficients.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.cspline2d(cp.ones((3, 3))).round(6)[0]
    array([1., 1., 1.])
    """
    x = _rows("cspline2d", signal)
    if lamb <= 1 / 144.0:
        return _along_both(x, lambda rows: symiirorder1(rows, -_CUBIC * 6.0, _CUBIC))
    r, omega = _smoothing(lamb)
    return _along_both(x, lambda rows: symiirorder2(rows, r, omega))


@names_itself
def qspline2d(signal: ArrayLike, lamb: float = 0.0, precision: float = -1.0) -> ndarray:
    """Return the quadratic spline coefficients of an image.

    Parameters
    ----------
    signal : (M, N) array_like
        The image.
    lamb : float, optional
        Must not be positive: quadratic splines do not smooth.
    precision : float, optional
        Taken for compatibility: the sums at the ends are taken over whole lines.

    Returns
    -------
    (M, N) ndarray
        The coefficients.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.qspline2d(cp.ones((3, 3))).round(6)[0]
    array([1., 1., 1.])
    """
    if lamb > 0:
        raise ValueError("qspline2d: lambda must be negative or zero")
    return _along_both(_rows("qspline2d", signal), lambda x: symiirorder1(x, -_QUADRATIC * 8.0, _QUADRATIC))


def _weighted(x: ndarray, weights: Any, axis: int) -> ndarray:
    weights = as_array(weights)
    if weights.size % 2 == 0:
        raise ValueError("sepfir2d: hrow and hcol must be odd length")
    if weights.dtype.kind == "c" and x.dtype.kind != "c":
        raise TypeError(f"sepfir2d: a complex filter of a real image, {weights.dtype} and {x.dtype}")

    def correlated(part: ndarray, numbers: ndarray) -> ndarray:
        return correlate1d(part, numbers[::-1].astype(np.float64), axis=axis, mode="reflect")

    if x.dtype.kind != "c":
        return correlated(x, weights)
    result = cp.empty(x.shape, x.dtype)
    result.real, result.imag = correlated(x.real, weights.real), correlated(x.imag, weights.real)
    if weights.dtype.kind == "c":
        result.real -= correlated(x.imag, weights.imag)
        result.imag += correlated(x.real, weights.imag)
    return result


@names_itself
def sepfir2d(input: ArrayLike, hrow: ArrayLike, hcol: ArrayLike) -> ndarray:
    """Filter the rows and the columns of an image.

    Parameters
    ----------
    input : (M, N) array_like
        The image.
    hrow, hcol : (K,) array_like
        The filters of rows and columns, of odd length.

    Returns
    -------
    (M, N) ndarray
        The filtered image; beyond its edges lies its mirror image.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.sepfir2d(cp.eye(3), [1.0, 2.0, 1.0], [1.0])
    array([[3., 1., 0.],
           [1., 2., 1.],
           [0., 1., 3.]])
    """
    x = as_array(input)
    x = _rows("sepfir2d", x.astype(cp.result_type(x, np.float32), copy=False))
    return _weighted(_weighted(x, hrow, 1), hcol, 0)


@names_itself
def spline_filter(Iin: ArrayLike, lmbda: float = 5.0) -> ndarray:
    """Smooth an image by a cubic smoothing spline.

    Parameters
    ----------
    Iin : (M, N) array_like
        The image.
    lmbda : float, optional
        How much.

    Returns
    -------
    (M, N) ndarray
        The smooth image.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.spline_filter(cp.ones((4, 4))).round(6)[0]
    array([1., 1., 1., 1.])
    """
    x = as_array(Iin)
    if x.dtype not in (np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(f"spline_filter: Invalid data type for Iin: {x.dtype}")
    weights = [1.0 / 6, 4.0 / 6, 1.0 / 6]
    return sepfir2d(cspline2d(x, lmbda), weights, weights)
