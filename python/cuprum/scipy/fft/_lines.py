"""Discrete Fourier transforms along one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from ... import _core
from ..._core import ndarray
from ...fft._callbacks import active
from ...fft._documentation import documented
from ._arguments import in_rows, line_axis, overwritten, points, prepared

if TYPE_CHECKING:
    from ..._typing import ArrayLike, FFTNorm


__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def _line(op: str, x: Any, n: Any, axis: Any, norm: Any, workers: Any, plan: Any) -> ndarray:
    x = prepared(op, x, workers, plan)
    axis = line_axis(op, x, axis)
    length = n if n is None else points(op, n)
    callbacks = active()
    if callbacks is not None:
        return in_rows(callbacks.along(op, x, length, axis, norm))
    return in_rows(_core.fft_along(op, x, length, axis, norm))


@documented
def fft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the discrete Fourier transform along an axis.

    Parameters
    ----------
    x : array_like
        The array, real or complex.
    {n}
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.fft([1, 2, 3, 4])
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return overwritten(x, _line("fft", x, n, axis, norm, workers, plan), overwrite_x)


@documented
def ifft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the inverse discrete Fourier transform along an axis.

    Parameters
    ----------
    x : array_like
        The coefficients.
    {n}
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The array that has these coefficients, complex.

    Examples
    --------
    >>> cp.scipy.fft.ifft([10, -2 + 2j, -2, -2 - 2j])
    array([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j])
    """
    return overwritten(x, _line("ifft", x, n, axis, norm, workers, plan), overwrite_x)


@documented
def rfft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Fourier coefficients of real lines along an axis.

    Parameters
    ----------
    x : array_like
        The array, real.
    {n}
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The coefficients 0 to `n // 2`; the others are their conjugates.

    Examples
    --------
    >>> cp.scipy.fft.rfft([1, 2, 3, 4])
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return _line("rfft", x, n, axis, norm, workers, plan)


@documented
def irfft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real lines along an axis of which the first half of the coefficients is given.

    Parameters
    ----------
    x : array_like
        The coefficients 0 to `n // 2`.
    n : int, optional
        The length of the result; `2 * (m - 1)` for `m` elements along the axis by default.
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The lines, real.

    Examples
    --------
    >>> cp.scipy.fft.irfft([10, -2 + 2j, -2])
    array([1., 2., 3., 4.])
    """
    return _line("irfft", x, n, axis, norm, workers, plan)


@documented
def hfft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the real spectrum of Hermitian lines along an axis, of which the first half is given.

    Parameters
    ----------
    x : array_like
        The elements 0 to `n // 2`.
    n : int, optional
        The length of the result; `2 * (m - 1)` for `m` elements along the axis by default.
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The spectrum, real.

    Examples
    --------
    >>> cp.scipy.fft.hfft([1, 2, 3])
    array([ 8., -2.,  0., -2.])
    """
    return _line("hfft", x, n, axis, norm, workers, plan)


@documented
def ihfft(
    x: ArrayLike,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    plan: Any = None,
) -> ndarray:
    """Return the first half of the Hermitian lines along an axis that have a real spectrum.

    Parameters
    ----------
    x : array_like
        The spectrum, real.
    {n}
    {axis}
    {norm_of_n}
    {overwrite_x}
    {workers}
    {plan}

    Returns
    -------
    ndarray
        The elements 0 to `n // 2`; the others are their conjugates.

    Examples
    --------
    >>> cp.scipy.fft.ihfft([8, -2, 0, -2]).real
    array([1., 2., 3.])
    """
    return _line("ihfft", x, n, axis, norm, workers, plan)
