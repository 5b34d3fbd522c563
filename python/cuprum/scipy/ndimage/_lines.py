"""Filters along single axes, and those made of them: weights, Gaussians, means, extrema."""

from __future__ import annotations

import operator
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import (
    by_parts,
    check_origin,
    delivered,
    extension,
    filtered_axes,
    for_axes,
    is_complex,
    on_host,
    real_target,
    target,
)
from ._documentation import documented

if TYPE_CHECKING:
    from ..._typing import ArrayLike, ShapeLike


__all__ = [
    "convolve1d",
    "correlate1d",
    "gaussian_filter",
    "gaussian_filter1d",
    "maximum_filter1d",
    "minimum_filter1d",
    "uniform_filter",
    "uniform_filter1d",
]


@documented
def correlate1d(
    input: Any,
    weights: ArrayLike,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> ndarray:
    """Return the sums of products with weights along an axis.

    Parameters
    ----------
    {input}
    weights : array_like
        The weights, of one dimension.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}

    {result}

    Notes
    -----
    Sums are taken in float64 and truncated to an integer result, as SciPy does.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.correlate1d([2, 8, 0, 4, 1, 9, 9, 0], weights=[1, 3])
    array([ 8, 26,  8, 12,  7, 28, 36,  9])
    """
    a = as_array(input)
    weights = on_host(weights)
    if is_complex(a) or weights.dtype.kind == "c":
        dtype, array = target("correlate1d", output, a, complex_output=True)

        def filtered(part: Any, factors: Any, dtype: Any, cval: Any) -> Any:
            return _correlated(part, factors, axis, dtype, mode, cval, origin)

        return delivered(by_parts(filtered, a, weights.conj(), dtype, cval), array)
    dtype, array = real_target("correlate1d", output, a)
    return delivered(_correlated(a, weights, axis, dtype, mode, cval, origin), array)


def _correlated(
    a: ndarray, weights: np.ndarray, axis: Any, dtype: Any, mode: Any, cval: Any, origin: Any
) -> ndarray:
    if weights.ndim != 1 or weights.size < 1:
        raise RuntimeError(f"correlate1d: weights must have one dimension, got shape {weights.shape}")
    axis = normalize_axis("correlate1d", axis, a.ndim)
    origin = check_origin("correlate1d", origin, weights.size)
    mode = extension("correlate1d", mode)
    return _core.correlate1d(a, weights.astype(np.float64).tolist(), axis, dtype, mode, cval, origin)


@documented
@names_itself
def convolve1d(
    input: Any,
    weights: ArrayLike,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> ndarray:
    """Return the convolution with weights along an axis.

    Parameters
    ----------
    {input}
    weights : array_like
        The weights, of one dimension.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.convolve1d([2, 8, 0, 4, 1, 9, 9, 0], weights=[1, 3])
    array([14, 24,  4, 13, 12, 36, 27,  0])
    """
    weights = on_host(weights)[::-1]
    origin = -operator.index(origin) - (weights.shape[0] % 2 == 0)
    return correlate1d(input, weights.conj(), axis, output, mode, cval, origin)


def _gaussian_weights(sigma: float, order: int, radius: int) -> np.ndarray:
    """Return the weights of a Gaussian or of a derivative of it, for correlation.

    They are computed by NumPy, not by the core's `gaussian_kernel1d`: results that are truncated to integers
    agree with SciPy's only where every bit of the weights does.
    """
    if order < 0:
        raise ValueError(f"gaussian_filter1d: order must be non-negative, got {order}")
    sigma2 = sigma * sigma
    x = np.arange(-radius, radius + 1)
    bell = np.exp(-0.5 / sigma2 * x**2)
    bell = bell / bell.sum()
    if order == 0:
        made: np.ndarray = bell[::-1]
        return made
    # A derivative is a polynomial times the bell: (q * bell)' = (q' - x / sigma2 * q) * bell.
    exponents = np.arange(order + 1)
    step = np.diag(exponents[1:], 1) + np.diag(np.ones(order) / -sigma2, -1)
    q = np.zeros(order + 1)
    q[0] = 1
    for _ in range(order):
        q = step.dot(q)
    result: np.ndarray = ((x[:, None] ** exponents).dot(q) * bell)[::-1]
    return result


@documented
@names_itself
def gaussian_filter1d(
    input: Any,
    sigma: float,
    axis: Any = -1,
    order: int = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> ndarray:
    """Return the array smoothed by a Gaussian along an axis, or a derivative of it.

    Parameters
    ----------
    {input}
    sigma : float
        The standard deviation of the Gaussian.
    {axis}
    order : int, optional
        Which derivative of the Gaussian to take; 0 smooths.
    {output}
    {mode}
    {cval}
    truncate : float, optional
        At how many standard deviations the Gaussian ends.
    radius : int, optional
        At how many elements it ends; `truncate` is ignored then.

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.gaussian_filter1d([1.0, 2.0, 3.0, 4.0, 5.0], 1)
    array([1.42704095, 2.06782203, 3.        , 3.93217797, 4.57295905])
    """
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if not isinstance(reach, Integral) or reach < 0:
        raise ValueError(f"gaussian_filter1d: Radius must be a nonnegative integer, got {reach!r}")
    weights = _gaussian_weights(sigma, order, int(reach))
    return correlate1d(input, weights, axis, output, mode, cval, 0)


@documented
def gaussian_filter(
    input: Any,
    sigma: Any,
    order: ShapeLike = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: float = 4.0,
    *,
    radius: ShapeLike | None = None,
    axes: Any = None,
) -> ndarray:
    """Return the array smoothed by a Gaussian along its axes.

    Parameters
    ----------
    {input}
    sigma : float or sequence of float
        The standard deviations; an axis with 0 is left as it is.
    order : int or sequence of int, optional
        Which derivatives of the Gaussian to take.
    {output}
    {modes}
    {cval}
    truncate : float, optional
        At how many standard deviations the Gaussian ends.
    radius : int or sequence of int, optional
        At how many elements it ends; `truncate` is ignored then.
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.gaussian_filter(cp.arange(0, 50, 2).reshape(5, 5), sigma=1)
    array([[ 4,  6,  8,  9, 11],
           [10, 12, 14, 15, 17],
           [20, 22, 24, 25, 27],
           [29, 31, 33, 34, 36],
           [35, 37, 39, 40, 42]])
    """
    a = as_array(input)
    dtype, array = target("gaussian_filter", output, a)
    axes = filtered_axes("gaussian_filter", axes, a.ndim)
    settings = zip(
        axes,
        for_axes("gaussian_filter", "sigma", sigma, len(axes)),
        for_axes("gaussian_filter", "order", order, len(axes)),
        for_axes("gaussian_filter", "mode", mode, len(axes)),
        for_axes("gaussian_filter", "radius", radius, len(axes)),
        strict=True,
    )
    result = a
    for axis, one_sigma, one_order, one_mode, one_radius in settings:
        if one_sigma > 1e-15:
            result = gaussian_filter1d(
                result, one_sigma, axis, one_order, dtype, one_mode, cval, truncate, radius=one_radius
            )
    return _finished(result, a, dtype, array)


def _finished(result: ndarray, a: ndarray, dtype: Any, array: ndarray | None) -> ndarray:
    """Return the result of filtering along axes, of which there may have been none."""
    if array is not None:
        return delivered(result, array)
    return a.astype(dtype, order="C") if result is a else result


@documented
def uniform_filter1d(
    input: Any,
    size: int,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> ndarray:
    """Return the means of neighbours along an axis.

    Parameters
    ----------
    {input}
    size : int
        How many neighbours; the cost hardly depends on it.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}

    {result}

    Notes
    -----
    Every window is summed from its own elements: rounding errors do not add up along the line, and a NaN
    reaches no further than its windows.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.uniform_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=3)
    array([4, 3, 4, 1, 4, 6, 6, 3])
    """
    a = as_array(input)
    if not is_complex(a):
        return _line("uniform", a, size, axis, output, mode, cval, origin)
    dtype, array = target("uniform_filter1d", output, a, complex_output=True)

    def filtered(part: Any, _: Any, dtype: Any, cval: Any) -> Any:
        return _line("uniform", part, size, axis, dtype, mode, cval, origin)

    return delivered(by_parts(filtered, a, np.ones(1), dtype, cval), array)


def _line(
    kind: str, a: ndarray, size: Any, axis: Any, output: Any, mode: Any, cval: Any, origin: Any
) -> ndarray:
    op = f"{kind}_filter1d"
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    axis = normalize_axis(op, axis, a.ndim)
    if size < 1:
        raise RuntimeError(f"{op}: incorrect filter size {size}")
    dtype, array = real_target(op, output, a)
    origin = check_origin(op, origin, size)
    result = _core.line_filter(kind, a, operator.index(size), axis, dtype, extension(op, mode), cval, origin)
    return delivered(result, array)


@documented
@names_itself
def uniform_filter(
    input: Any,
    size: ShapeLike = 3,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the means of neighbours in a box.

    Parameters
    ----------
    {input}
    size : int or sequence of int, optional
        The lengths of the box, one for all axes or one for each.
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Notes
    -----
    The means are taken along one axis after the other, in the dtype of the result each time.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.uniform_filter(cp.eye(3), size=3, mode="constant")
    array([[0.22222222, 0.22222222, 0.11111111],
           [0.22222222, 0.33333333, 0.22222222],
           [0.11111111, 0.22222222, 0.22222222]])
    """
    a = as_array(input)
    dtype, array = target("uniform_filter", output, a, complex_output=is_complex(a))
    result = along_axes(uniform_filter1d, "uniform_filter", a, size, dtype, mode, cval, origin, axes)
    return _finished(result, a, dtype, array)


def along_axes(
    filtered: Any, op: str, a: ndarray, size: Any, dtype: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> ndarray:
    """Return an array filtered along each axis in turn; the array itself if no window is longer than one."""
    axes = filtered_axes(op, axes, a.ndim)
    settings = zip(
        axes,
        for_axes(op, "size", size, len(axes)),
        for_axes(op, "origin", origin, len(axes)),
        for_axes(op, "mode", mode, len(axes)),
        strict=True,
    )
    result = a
    for axis, one_size, one_origin, one_mode in settings:
        if one_size > 1:
            result = filtered(result, int(one_size), axis, dtype, one_mode, cval, one_origin)
    return result


@documented
def minimum_filter1d(
    input: Any,
    size: int,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> ndarray:
    """Return the smallest of neighbours along an axis.

    Parameters
    ----------
    {input}
    size : int
        How many neighbours; the cost hardly depends on it.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}

    {result}

    Notes
    -----
    A window with a NaN gives NaN, as `minimum` does.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.minimum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return _line("minimum", as_array(input), size, axis, output, mode, cval, origin)


@documented
def maximum_filter1d(
    input: Any,
    size: int,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> ndarray:
    """Return the largest of neighbours along an axis.

    Parameters
    ----------
    {input}
    size : int
        How many neighbours; the cost hardly depends on it.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}

    {result}

    Notes
    -----
    A window with a NaN gives NaN, as `maximum` does.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.maximum_filter1d([2, 8, 0, 4, 1, 9, 9, 0], size=3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    return _line("maximum", as_array(input), size, axis, output, mode, cval, origin)
