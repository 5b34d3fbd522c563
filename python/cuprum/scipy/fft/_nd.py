"""Discrete Fourier transforms over several axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from ... import _core
from ..._core import ndarray
from ...fft._callbacks import active
from ...fft._documentation import documented
from ._arguments import in_rows, overwritten, prepared, shape_and_axes

if TYPE_CHECKING:
    from ..._typing import ArrayLike, AxisLike, FFTNorm, ShapeLike


__all__ = [
    "fft2",
    "fftn",
    "hfft2",
    "hfftn",
    "ifft2",
    "ifftn",
    "ihfft2",
    "ihfftn",
    "irfft2",
    "irfftn",
    "rfft2",
    "rfftn",
]

_COMPLEX = ("fft2", "fftn", "ifft2", "ifftn")
_FROM_HALF = ("hfft2", "hfftn", "irfft2", "irfftn")


def _box(op: str, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any) -> ndarray:
    x = prepared(op, x, workers, plan)
    shape, axes = shape_and_axes(op, x, s, axes)
    if not axes:
        if op in _COMPLEX:
            result: ndarray = x
            return result
        raise ValueError(f"{op}: at least 1 axis must be transformed")
    if s is None and op in _FROM_HALF:
        shape[-1] = 2 * (x.shape[axes[-1]] - 1)
    callbacks = active()
    if callbacks is not None:
        return in_rows(callbacks.over(op, x, shape, axes, norm))
    return in_rows(_core.fft_over(op, x, shape, axes, norm))


@documented
def fft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the discrete Fourier transform over two axes.

    Parameters
    ----------
    x : array_like
        The array, real or complex.
    {s}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.fft2([[1, 2], [3, 4]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return overwritten(x, _box("fft2", x, s, axes, norm, workers, plan), overwrite_x)


@documented
def fftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the discrete Fourier transform over several axes.

    Parameters
    ----------
    x : array_like
        The array, real or complex.
    {s}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.fftn([[1, 2], [3, 4]])
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]])
    """
    return overwritten(x, _box("fftn", x, s, axes, norm, workers, plan), overwrite_x)


@documented
def ifft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform over two axes.

    Parameters
    ----------
    x : array_like
        The coefficients.
    {s}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.ifft2([[10, -2], [-4, 0]]).real
    array([[1., 2.],
           [3., 4.]])
    """
    return overwritten(x, _box("ifft2", x, s, axes, norm, workers, plan), overwrite_x)


@documented
def ifftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform over several axes.

    Parameters
    ----------
    x : array_like
        The coefficients.
    {s}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.ifftn([[10, -2], [-4, 0]]).real
    array([[1., 2.],
           [3., 4.]])
    """
    return overwritten(x, _box("ifftn", x, s, axes, norm, workers, plan), overwrite_x)


@documented
def rfft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of a real array over two axes.

    Parameters
    ----------
    x : array_like
        The array, real.
    {s}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.scipy.fft.rfft2(cp.ones((4, 6))).shape
    (4, 4)
    """
    return _box("rfft2", x, s, axes, norm, workers, plan)


@documented
def rfftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of a real array over several axes.

    Parameters
    ----------
    x : array_like
        The array, real.
    {s}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.scipy.fft.rfftn(cp.ones((4, 6))).shape
    (4, 4)
    """
    return _box("rfftn", x, s, axes, norm, workers, plan)


@documented
def irfft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real array over two axes of which the first half of the coefficients is given.

    Parameters
    ----------
    x : array_like
        The coefficients, along the last axis those from 0 to `n // 2`.
    {s_of_result}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The array, real.

    Examples
    --------
    >>> cp.scipy.fft.irfft2(cp.scipy.fft.rfft2([[1, 2], [3, 4]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return _box("irfft2", x, s, axes, norm, workers, plan)


@documented
def irfftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real array over several axes of which the first half of the coefficients is given.

    Parameters
    ----------
    x : array_like
        The coefficients, along the last axis those from 0 to `n // 2`.
    {s_of_result}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The array, real.

    Examples
    --------
    >>> cp.scipy.fft.irfftn(cp.scipy.fft.rfftn([[1, 2], [3, 4]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return _box("irfftn", x, s, axes, norm, workers, plan)


@documented
def hfft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real spectrum of a Hermitian array over two axes, of which the first half is given.

    Parameters
    ----------
    x : array_like
        The elements, along the last axis those from 0 to `n // 2`.
    {s_of_result}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The spectrum, real.

    Examples
    --------
    >>> cp.scipy.fft.hfft2(cp.ones((2, 3))).shape
    (2, 4)
    """
    return _box("hfft2", x, s, axes, norm, workers, plan)


@documented
def hfftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real spectrum of a Hermitian array over several axes, of which the first half is given.

    Parameters
    ----------
    x : array_like
        The elements, along the last axis those from 0 to `n // 2`.
    {s_of_result}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The spectrum, real.

    Examples
    --------
    >>> cp.scipy.fft.hfftn(cp.ones((2, 3))).shape
    (2, 4)
    """
    return _box("hfftn", x, s, axes, norm, workers, plan)


@documented
def ihfft2(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike = (-2, -1),
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Hermitian array over two axes that has a real spectrum.

    Parameters
    ----------
    x : array_like
        The spectrum, real.
    {s}
    {last_axes}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The elements, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.scipy.fft.ihfft2(cp.ones((2, 4))).shape
    (2, 3)
    """
    return _box("ihfft2", x, s, axes, norm, workers, plan)


@documented
def ihfftn(
    x: ArrayLike,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Hermitian array over several axes that has a real spectrum.

    Parameters
    ----------
    x : array_like
        The spectrum, real.
    {s}
    {axes_or_all}
    {norm}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The elements, along the last axis those from 0 to `n // 2`.

    Examples
    --------
    >>> cp.scipy.fft.ihfftn(cp.ones((2, 4))).shape
    (2, 3)
    """
    return _box("ihfftn", x, s, axes, norm, workers, plan)
