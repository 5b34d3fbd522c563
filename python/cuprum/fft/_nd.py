"""Fourier transforms over several axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import as_array
from .._core import ndarray
from ._callbacks import active
from ._documentation import documented
from ._entered import check_entered

if TYPE_CHECKING:
    from .._typing import ArrayLike, FFTNorm


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
