"""Discrete Fourier transforms.

Names and arguments are NumPy's. Any length is fast, primes included, and all cores work on it. Single
precision stays single: float16, float32 and complex64 are transformed in complex64, everything else in
complex128. Results are within `2 * eps * log2(n)` times their root mean square of the exact ones.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, on_device
from .._core import ndarray
from .._errors import names_itself
from . import config
from ._callbacks import active
from ._documentation import documented
from ._entered import check_entered

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, FFTNorm


__all__ = [
    "config",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_SUBMODULES = ("config",)


def __dir__() -> list[str]:
    return sorted(__all__)


@documented
def fft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the discrete Fourier transform along an axis.

    Parameters
    ----------
    a : array_like
        The array, real or complex.
    {n}
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.fft.fft([1, 2, 3, 4])
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    check_entered("fft", a)
    return _along("fft", a, n, axis, norm, out)


@documented
def ifft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform along an axis.

    Parameters
    ----------
    a : array_like
        The coefficients.
    {n}
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.fft.ifft([10, -2 + 2j, -2, -2 - 2j])
    array([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j])
    """
    check_entered("ifft", a)
    return _along("ifft", a, n, axis, norm, out)


@documented
def rfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of real lines along an axis.

    Parameters
    ----------
    a : array_like
        The array, real.
    {n}
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The coefficients 0 to `n // 2`; the others are their conjugates.

    Examples
    --------
    >>> cp.fft.rfft([1, 2, 3, 4])
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    check_entered("rfft", a)
    return _along("rfft", a, n, axis, norm, out)


@documented
def irfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the real lines along an axis of which the first half of the coefficients is given.

    Parameters
    ----------
    a : array_like
        The coefficients 0 to `n // 2`.
    n : int, optional
        The length of the result; `2 * (m - 1)` for `m` elements along the axis by default.
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The lines, real.

    Examples
    --------
    >>> cp.fft.irfft([10, -2 + 2j, -2])
    array([1., 2., 3., 4.])
    """
    check_entered("irfft", a)
    return _along("irfft", a, n, axis, norm, out)


@documented
def hfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the real spectrum of Hermitian lines along an axis, of which the first half is given.

    Parameters
    ----------
    a : array_like
        The elements 0 to `n // 2`.
    n : int, optional
        The length of the result; `2 * (m - 1)` for `m` elements along the axis by default.
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The spectrum, real.

    Examples
    --------
    >>> cp.fft.hfft([1, 2, 3])
    array([ 8., -2.,  0., -2.])
    """
    return _along("hfft", a, n, axis, norm, out)


@documented
def ihfft(
    a: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the first half of the Hermitian lines along an axis that have a real spectrum.

    Parameters
    ----------
    a : array_like
        The spectrum, real.
    {n}
    {axis}
    {norm_of_n}
    {out}

    Returns
    -------
    ndarray
        The elements 0 to `n // 2`; the others are their conjugates.

    Examples
    --------
    >>> cp.fft.ihfft([8, -2, 0, -2]).real
    array([1., 2., 3.])
    """
    return _along("ihfft", a, n, axis, norm, out)


@documented
def fft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the discrete Fourier transform over two axes.

    Parameters
    ----------
    a : array_like
        The array, real or complex.
    {s_numpy}
    {last_axes_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.fft.fft2([[1, 2], [3, 4]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return _over("fft2", a, s, axes, norm, out)


@documented
def ifft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform over two axes.

    Parameters
    ----------
    a : array_like
        The coefficients.
    {s_numpy}
    {last_axes_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.fft.ifft2([[10, -2], [-4, 0]]).real
    array([[1., 2.],
           [3., 4.]])
    """
    return _over("ifft2", a, s, axes, norm, out)


@documented
def rfft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of a real array over two axes.

    Parameters
    ----------
    a : array_like
        The array, real.
    {s_numpy}
    {last_axes_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The coefficients, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.fft.rfft2([[1, 2, 3], [4, 5, 6]]).shape
    (2, 2)
    """
    return _over("rfft2", a, s, axes, norm, out)


@documented
def irfft2(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the real array over two axes of which the first half of the coefficients is given.

    Parameters
    ----------
    a : array_like
        The coefficients, along the last axis those from 0 to `n // 2`.
    s : sequence of int, optional
        The shape of the result along the axes; the last one is `2 * (m - 1)` by default.
    {last_axes_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The array, real.

    Examples
    --------
    >>> cp.fft.irfft2(cp.fft.rfft2([[1, 2], [3, 4]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return _over("irfft2", a, s, axes, norm, out)


@documented
def fftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the discrete Fourier transform over several axes.

    Parameters
    ----------
    a : array_like
        The array, real or complex.
    {s_numpy}
    {axes_or_all_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.fft.fftn([[1, 2], [3, 4]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return _over("fftn", a, s, axes, norm, out)


@documented
def ifftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform over several axes.

    Parameters
    ----------
    a : array_like
        The coefficients.
    {s_numpy}
    {axes_or_all_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.fft.ifftn([[10, -2], [-4, 0]]).real
    array([[1., 2.],
           [3., 4.]])
    """
    return _over("ifftn", a, s, axes, norm, out)


@documented
def rfftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of a real array over several axes.

    Parameters
    ----------
    a : array_like
        The array, real.
    {s_numpy}
    {axes_or_all_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The coefficients, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.fft.rfftn(cp.ones((4, 6))).shape
    (4, 4)
    """
    return _over("rfftn", a, s, axes, norm, out)


@documented
def irfftn(
    a: ArrayLike,
    s: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: FFTNorm | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the real array over several axes of which the first half of the coefficients is given.

    Parameters
    ----------
    a : array_like
        The coefficients, along the last axis those from 0 to `n // 2`.
    s : sequence of int, optional
        The shape of the result along the axes; the last one is `2 * (m - 1)` by default.
    {axes_or_all_numpy}
    {norm}
    {out}

    Returns
    -------
    ndarray
        The array, real.

    Examples
    --------
    >>> cp.fft.irfftn(cp.fft.rfftn([[1, 2], [3, 4]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return _over("irfftn", a, s, axes, norm, out)


def _along(op: str, a: Any, n: Any, axis: Any, norm: Any, out: Any) -> ndarray:
    """Transform along an axis, through the callbacks where there are some."""
    callbacks = active()
    if callbacks is not None:
        return callbacks.along(op, a, n, axis, norm, out)  # type: ignore[no-any-return]
    return _core.fft_along(op, a, n, axis, norm, out)


def _over(op: str, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> ndarray:
    """Transform over several axes; a length of None is the default of the transform along that axis."""
    array = as_array(a)
    check_entered(op, array)
    if axes is not None:
        axes = tuple(axes)
        if not axes and op in ("fftn", "ifftn", "fft2", "ifft2"):
            return array
    elif s is None and array.ndim == 0 and op in ("fftn", "ifftn"):
        return array
    if s is not None:
        s = list(s)
        if None in s:
            places = axes if axes is not None else range(-len(s), 0)
            for i, axis in enumerate(places):
                if i < len(s) and s[i] is None:
                    halved = op.startswith("irfft") and i == len(s) - 1
                    s[i] = 2 * (array.shape[axis] - 1) if halved else array.shape[axis]
    callbacks = active()
    if callbacks is not None:
        return callbacks.over(op, array, s, axes, norm, out)  # type: ignore[no-any-return]
    return _core.fft_over(op, array, s, axes, norm, out)


def _points(op: str, n: Any) -> int:
    """Return a number of points, refusing what is not an integer."""
    if not isinstance(n, (int, np.integer)):
        raise ValueError(f"{op}: n should be an integer, got {n!r}")
    return operator.index(n)


@names_itself
def fftfreq(n: SupportsIndex, d: Any = 1.0, device: Any = None) -> ndarray:
    """Return the frequencies of the Fourier coefficients.

    Parameters
    ----------
    n : int
        The number of points.
    d : scalar, optional
        The distance between two points.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The frequencies, in cycles per unit of `d`; the second half is negative.

    Examples
    --------
    >>> cp.fft.fftfreq(4, d=0.5)
    array([ 0. ,  0.5, -1. , -0.5])
    """
    n = _points("fftfreq", n)
    if device is not None:
        with on_device("fftfreq", device):
            return fftfreq(n, d)
    if n < 0:
        raise ValueError(f"fftfreq: negative dimensions are not allowed, got {n}")
    scale = 1.0 / (n * d)
    frequencies: ndarray = _core.fft_positions(n) * scale
    return frequencies


@names_itself
def rfftfreq(n: SupportsIndex, d: Any = 1.0, device: Any = None) -> ndarray:
    """Return the frequencies of the first half of the Fourier coefficients.

    Parameters
    ----------
    n : int
        The number of points.
    d : scalar, optional
        The distance between two points.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The frequencies 0 to `n // 2`, in cycles per unit of `d`.

    Examples
    --------
    >>> cp.fft.rfftfreq(4, d=0.5)
    array([0. , 0.5, 1. ])
    """
    n = _points("rfftfreq", n)
    if device is not None:
        with on_device("rfftfreq", device):
            return rfftfreq(n, d)
    scale = 1.0 / (n * d)
    frequencies: ndarray = _core.arange(0, n // 2 + 1, 1, "int64") * scale
    return frequencies


def fftshift(x: ArrayLike, axes: AxisLike | None = None) -> ndarray:
    """Return an array with the zero frequency moved to the middle.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all by default.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> cp.fft.fftshift(cp.fft.fftfreq(5))
    array([-0.4, -0.2,  0. ,  0.2,  0.4])
    """
    return _shifted("fftshift", x, axes, False)


def ifftshift(x: ArrayLike, axes: AxisLike | None = None) -> ndarray:
    """Return an array with the zero frequency moved from the middle to the front, the reverse of `fftshift`.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all by default.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> cp.fft.ifftshift([-2, -1, 0, 1, 2])
    array([ 0,  1,  2, -2, -1])
    """
    return _shifted("ifftshift", x, axes, True)


def _shifted(op: str, x: Any, axes: Any, back: bool) -> ndarray:
    x = as_array(x)
    if x.ndim == 0 and axes is None:
        raise ValueError(f"{op}: an array of no dimensions has no middle")
    return _core.fft_shift(x, axes, back)
