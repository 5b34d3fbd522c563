"""Filters of images that are given by their Fourier transforms: products with the filters' own transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import delivered, for_axes
from ._documentation import documented

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform"]


def _target(op: str, output: Any, a: ndarray, kinds: str) -> tuple[np.dtype, ndarray | None]:
    """Return the result's dtype, one of `kinds`, and the caller's array."""
    if isinstance(output, ndarray):
        if output.shape != a.shape:
            raise RuntimeError(f"{op}: output has shape {output.shape}, the result {a.shape}")
        return output.dtype, output
    if output is None:
        own = np.dtype(a.dtype)
        return (own if own.char in kinds and own.char != "d" else np.dtype(kinds[-1])), None
    dtype = np.dtype(output)
    if dtype.char not in kinds:
        raise RuntimeError(f"{op}: output type not supported: {dtype}")
    return dtype, None


def _frequencies(a: ndarray, n: int, axis: int) -> list[ndarray]:
    """Return the frequencies along each axis, shaped to broadcast; a real transform has the first half."""
    found = []
    for k, length in enumerate(a.shape):
        full = n if k == axis and n >= 0 else length
        at = cp.arange(length, dtype=np.float64)
        if k != axis or n < 0:
            at = cp.where(at < (length + 1) // 2, at, at - length)
        found.append((at / max(full, 1)).reshape([-1 if j == k else 1 for j in range(a.ndim)]))
    return found


def _product(
    op: str,
    input: Any,
    parameter: tuple[str, Any],
    n: Any,
    axis: Any,
    output: Any,
    kinds: str,
    response: Callable[[list[ndarray], list[float]], ndarray],
) -> ndarray:
    a = as_array(input)
    dtype, array = _target(op, output, a, kinds)
    axis = normalize_axis(op, axis, a.ndim)
    values = [float(value) for value in for_axes(op, *parameter, a.ndim)]
    if a.size == 0:
        return delivered(_core.zeros(a.shape, dtype), array)
    return delivered((a * response(_frequencies(a, int(n), axis), values)).astype(dtype), array)


def _along_each(
    response: Callable[[ndarray, float], ndarray],
) -> Callable[[list[ndarray], list[float]], ndarray]:
    """Return the response of a filter that is a product of one for each axis."""

    def together(frequencies: list[ndarray], values: list[float]) -> ndarray:
        result: Any = None
        for f, value in zip(frequencies, values, strict=True):
            factor = response(f, value)
            result = factor if result is None else result * factor
        product: ndarray = result
        return product

    return together


@documented
@names_itself
def fourier_gaussian(input: Any, sigma: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> ndarray:
    """Return a Fourier transform smoothed by a Gaussian.

    Parameters
    ----------
    {input}
    sigma : float or sequence of float
        The Gaussian's standard deviation in elements, for all axes or for each.
    {real_length}
    {real_axis}
    {output}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.fourier_gaussian(cp.ones(3), 1.0).round(4)
    array([1.    , 0.1116, 0.1116])
    """

    def gaussian(f: ndarray, sigma: float) -> ndarray:
        return cp.exp(-2 * (np.pi * sigma) ** 2 * (f * f))

    return _product(
        "fourier_gaussian", input, ("sigma", sigma), n, axis, output, "FDfd", _along_each(gaussian)
    )


@documented
@names_itself
def fourier_uniform(input: Any, size: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> ndarray:
    """Return a Fourier transform smoothed by a box.

    Parameters
    ----------
    {input}
    size : float or sequence of float
        The box's lengths in elements, for all axes or for each.
    {real_length}
    {real_axis}
    {output}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.fourier_uniform(cp.ones(4), 2.0).round(4)
    array([1.    , 0.6366, 0.    , 0.6366])
    """
    return _product(
        "fourier_uniform",
        input,
        ("size", size),
        n,
        axis,
        output,
        "FDfd",
        _along_each(lambda f, size: cp.sinc(f * size)),
    )


@documented
@names_itself
def fourier_shift(input: Any, shift: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> ndarray:
    """Return the Fourier transform of an image moved along its axes.

    Parameters
    ----------
    {input}
    shift : float or sequence of float
        How far elements move, along all axes or along each.
    {real_length}
    {real_axis}
    {output}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a = cp.array([1.0, 2.0, 3.0])
    >>> cp.fft.ifft(ndimage.fourier_shift(cp.fft.fft(a), 1)).real.round(4)
    array([3., 1., 2.])
    """

    def moved(f: ndarray, by: float) -> ndarray:
        return cp.exp(-2j * np.pi * by * f)

    return _product("fourier_shift", input, ("shift", shift), n, axis, output, "FD", _along_each(moved))


@documented
@names_itself
def fourier_ellipsoid(
    input: ArrayLike, size: Any, n: Any = -1, axis: Any = -1, output: Any = None
) -> ndarray:
    """Return a Fourier transform smoothed by an ellipsoid.

    Parameters
    ----------
    input : array_like
        The array, of one to three axes.
    size : float or sequence of float
        The ellipsoid's diameters in elements, along all axes or along each.
    {real_length}
    {real_axis}
    {output}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.fourier_ellipsoid(cp.ones((1, 4)), 2.0).round(4)
    array([[1.    , 0.7217, 0.1812, 0.7217]])
    """
    op = "fourier_ellipsoid"
    if as_array(input).ndim > 3:
        raise NotImplementedError(f"{op}: Only 1d, 2d and 3d inputs are supported")

    def ball(frequencies: list[ndarray], sizes: list[float]) -> ndarray:
        if len(sizes) == 1:
            return cp.sinc(frequencies[0] * sizes[0])
        radius: Any = 0.0
        for f, size in zip(frequencies, sizes, strict=True):
            radius = radius + (f * size) ** 2
        x = np.pi * cp.sqrt(radius)
        near = cp.where(x > 0, x, 1.0)
        if len(sizes) == 2:
            from ..special import j1

            return cp.where(x > 0, 2 * j1(near) / near, 1.0)
        return cp.where(x > 0, 3 * (cp.sin(near) - near * cp.cos(near)) / near**3, 1.0)

    return _product(op, input, ("size", size), n, axis, output, "FDfd", ball)
