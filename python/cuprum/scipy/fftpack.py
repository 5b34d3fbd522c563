"""Fourier transforms under the names and in the forms of SciPy's older module: `cupyx.scipy.fftpack` in CuPy.

Transforms are those of `cuprum.scipy.fft`; those of real arrays, `rfft` and `irfft`, hold real and imaginary
parts by turns in one real array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from . import fft as _fft
from .fft import get_fft_plan
from .fft._arguments import line_axis

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["fft", "fft2", "fftn", "get_fft_plan", "ifft", "ifft2", "ifftn", "irfft", "rfft"]


def fft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False, plan: Any = None) -> ndarray:
    """Return the discrete Fourier transform along an axis. See `cuprum.scipy.fft.fft`.

    Examples
    --------
    >>> cp.scipy.fftpack.fft(cp.array([1.0, 2.0, 3.0, 4.0]))
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return _fft.fft(x, n, axis, overwrite_x=overwrite_x, plan=plan)


def ifft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False, plan: Any = None) -> ndarray:
    """Return the inverse discrete Fourier transform along an axis. See `cuprum.scipy.fft.ifft`.

    Examples
    --------
    >>> cp.scipy.fftpack.ifft(cp.array([4.0, 0.0, 0.0, 0.0])).real
    array([1., 1., 1., 1.])
    """
    return _fft.ifft(x, n, axis, overwrite_x=overwrite_x, plan=plan)


def fft2(
    x: Any, shape: Any = None, axes: Any = (-2, -1), overwrite_x: Any = False, plan: Any = None
) -> ndarray:
    """Return the discrete Fourier transform along two axes. See `cuprum.scipy.fft.fft2`.

    Examples
    --------
    >>> cp.scipy.fftpack.fft2(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _fft.fft2(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def ifft2(
    x: Any, shape: Any = None, axes: Any = (-2, -1), overwrite_x: Any = False, plan: Any = None
) -> ndarray:
    """Return the inverse discrete Fourier transform along two axes. See `cuprum.scipy.fft.ifft2`.

    Examples
    --------
    >>> cp.scipy.fftpack.ifft2(cp.array([[4.0, 0.0], [0.0, 0.0]])).real
    array([[1., 1.],
           [1., 1.]])
    """
    return _fft.ifft2(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def fftn(x: Any, shape: Any = None, axes: Any = None, overwrite_x: Any = False, plan: Any = None) -> ndarray:
    """Return the discrete Fourier transform along several axes, all by default. See `cuprum.scipy.fft.fftn`.

    Examples
    --------
    >>> cp.scipy.fftpack.fftn(cp.ones((2, 2)))[0, 0]
    array(4.+0.j)
    """
    return _fft.fftn(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def ifftn(x: Any, shape: Any = None, axes: Any = None, overwrite_x: Any = False, plan: Any = None) -> ndarray:
    """Return the inverse discrete Fourier transform along several axes. See `cuprum.scipy.fft.ifftn`.

    Examples
    --------
    >>> cp.scipy.fftpack.ifftn(cp.ones((2, 2))).real
    array([[1., 0.],
           [0., 0.]])
    """
    return _fft.ifftn(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def rfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, overwrite_x: bool = False, plan: Any = None
) -> ndarray:
    """Return the discrete Fourier transform of real numbers along an axis, as real numbers.

    They are the first coefficient, the real and the imaginary part of the second, and so on.

    Parameters
    ----------
    x : array_like
        The array, real.
    n : int, optional
        The number of points: longer lines are cut off, shorter ones filled up with zeros.
    axis : int, optional
        The axis to transform along; the last one by default.
    overwrite_x : bool, optional
        Taken for compatibility; `x` is never changed.
    plan : Plan, optional
        What `get_fft_plan` gave for such an array.

    Returns
    -------
    ndarray
        The coefficients, `n` along the axis.

    Examples
    --------
    >>> cp.scipy.fftpack.rfft(cp.array([1.0, 2.0, 3.0, 4.0]))
    array([10., -2.,  2., -2.])
    """
    x = _real("rfft", x)
    axis = line_axis("rfft", x, axis)
    length = x.shape[axis] if n is None else n
    halves = _core.moveaxis(_fft.rfft(x, n, axis, plan=plan), axis, -1)
    parts = _core.stack((halves.real, halves.imag), axis=-1).reshape(
        (*halves.shape[:-1], 2 * halves.shape[-1])
    )
    # The first coefficient has no imaginary part, nor has the last of an even number.
    packed = _core.concatenate((parts[..., :1], parts[..., 2 : length + 1]), -1)
    return _core.moveaxis(packed, -1, axis)


def irfft(x: ArrayLike, n: int | None = None, axis: int = -1, overwrite_x: bool = False) -> ndarray:
    """Return the real numbers whose transform by `rfft` is given.

    Parameters
    ----------
    x : array_like
        The coefficients as `rfft` gives them.
    n : int, optional
        The number of points: longer lines are cut off, shorter ones filled up with zeros.
    axis : int, optional
        The axis to transform along; the last one by default.
    overwrite_x : bool, optional
        Taken for compatibility; `x` is never changed.

    Returns
    -------
    ndarray
        The numbers, `n` along the axis.

    Examples
    --------
    >>> cp.scipy.fftpack.irfft(cp.array([10.0, -2.0, 2.0, -2.0]))
    array([1., 2., 3., 4.])
    """
    x = _real("irfft", x)
    axis = line_axis("irfft", x, axis)
    packed = _core.moveaxis(x, axis, -1)
    length = packed.shape[-1] if n is None else n
    if length > packed.shape[-1]:
        packed = _core.pad(packed, [(0, 0)] * (x.ndim - 1) + [(0, length - packed.shape[-1])], "constant")
    nothing = _core.zeros((*packed.shape[:-1], 1), packed.dtype, "C")
    parts = [packed[..., :1], nothing, packed[..., 1:length]]
    if length % 2 == 0:
        parts.append(nothing)
    pairs = _core.concatenate(parts, -1).reshape((*packed.shape[:-1], length // 2 + 1, 2))
    return _core.moveaxis(_fft.irfft(pairs[..., 0] + 1j * pairs[..., 1], length, -1), -1, axis)


def _real(op: str, x: Any) -> ndarray:
    array = as_array(x)
    if array.dtype.kind == "c":
        raise TypeError(f"{op}: x must be a real sequence, got {array.dtype}")
    return (
        array
        if array.dtype in (np.float32, np.float64)
        else array.astype(np.float64 if array.dtype != np.float16 else np.float32)
    )
