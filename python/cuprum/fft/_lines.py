"""Fourier transforms along one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._core import ndarray
from ._callbacks import active
from ._documentation import documented
from ._entered import check_entered

if TYPE_CHECKING:
    from .._typing import ArrayLike, FFTNorm


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


def _along(op: str, a: Any, n: Any, axis: Any, norm: Any, out: Any) -> ndarray:
    """Transform along an axis, through the callbacks where there are some."""
    callbacks = active()
    if callbacks is not None:
        return callbacks.along(op, a, n, axis, norm, out)  # type: ignore[no-any-return]
    return _core.fft_along(op, a, n, axis, norm, out)
