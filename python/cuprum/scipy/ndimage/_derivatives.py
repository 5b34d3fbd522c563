"""Filters that find edges: derivatives along axes, and their sums and magnitudes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._ufuncs import multiply, sqrt
from ._arguments import delivered, filtered_axes, for_axes, spread, target
from ._documentation import documented
from ._lines import correlate1d, gaussian_filter

__all__ = [
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "generic_gradient_magnitude",
    "generic_laplace",
    "laplace",
    "prewitt",
    "sobel",
]


def _edges(op: str, smooth: list[int], input: Any, axis: Any, output: Any, mode: Any, cval: Any) -> ndarray:
    """Return the differences along an axis, smoothed along all others."""
    a = as_array(input)
    axis = normalize_axis(op, axis, a.ndim)
    dtype, array = target(op, output, a)
    modes = for_axes(op, "mode", mode, a.ndim)
    result = correlate1d(a, [-1, 0, 1], axis, dtype, modes[axis], cval, 0)
    for other in range(a.ndim):
        if other != axis:
            result = correlate1d(result, smooth, other, dtype, modes[other], cval, 0)
    return delivered(result, array)


@documented
@names_itself
def prewitt(
    input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> ndarray:
    """Return Prewitt's derivative along an axis: differences, summed over three along the others.

    Parameters
    ----------
    {input}
    {axis}
    {output}
    {modes}
    {cval}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.prewitt(cp.arange(9.0).reshape(3, 3) ** 2, axis=0)
    array([[ 33.,  45.,  57.],
           [120., 144., 168.],
           [ 87.,  99., 111.]])
    """
    return _edges("prewitt", [1, 1, 1], input, axis, output, mode, cval)


@documented
@names_itself
def sobel(input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> ndarray:
    """Return Sobel's derivative along an axis: differences, smoothed by 1, 2, 1 along the others.

    Parameters
    ----------
    {input}
    {axis}
    {output}
    {modes}
    {cval}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.sobel(cp.arange(9.0).reshape(3, 3) ** 2, axis=0)
    array([[ 42.,  60.,  78.],
           [156., 192., 228.],
           [114., 132., 150.]])
    """
    return _edges("sobel", [1, 2, 1], input, axis, output, mode, cval)


@documented
def generic_laplace(
    input: Any,
    derivative2: Callable[..., Any],
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    extra_arguments: Any = (),
    extra_keywords: Any = None,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the sum of second derivatives that a function takes along each axis.

    Parameters
    ----------
    {input}
    derivative2 : callable
        ``derivative2(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)``: puts the
        derivative into `output` where that is an array, and returns it where that is a dtype.
    {output}
    {modes}
    {cval}
    extra_arguments : tuple, optional
        More arguments for the function.
    extra_keywords : dict, optional
        Keywords for the function.
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> def second(input, axis, output, mode, cval):
    ...     return ndimage.correlate1d(input, [1, -2, 1], axis, output, mode, cval)
    >>> ndimage.generic_laplace(cp.arange(5.0) ** 2, second, mode="nearest")
    array([ 1.,  2.,  2.,  2., -7.])
    """
    a = as_array(input)
    extra = extra_keywords or {}
    dtype, array = target("generic_laplace", output, a)
    result = _core.zeros(a.shape, dtype) if array is None else array
    axes = filtered_axes("generic_laplace", axes, a.ndim)
    if not axes:
        return delivered(a, result)
    modes = for_axes("generic_laplace", "mode", mode, len(axes))
    derivative2(a, axes[0], result, modes[0], cval, *extra_arguments, **extra)
    for axis, one_mode in zip(axes[1:], modes[1:], strict=True):
        result += derivative2(a, axis, result.dtype, one_mode, cval, *extra_arguments, **extra)
    return result


@documented
@names_itself
def laplace(
    input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None
) -> ndarray:
    """Return the sum of the second differences along the axes.

    Parameters
    ----------
    {input}
    {output}
    {modes}
    {cval}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.laplace(cp.arange(9).reshape(3, 3) ** 2)
    array([[ 10,  17,  18],
           [ 25,  20,   9],
           [-14, -31, -54]])
    """

    def derivative2(a: Any, axis: Any, output: Any, mode: Any, cval: Any) -> Any:
        return correlate1d(a, [1, -2, 1], axis, output, mode, cval, 0)

    return generic_laplace(input, derivative2, output, mode, cval, axes=axes)


@documented
@names_itself
def gaussian_laplace(
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    *,
    axes: Any = None,
    **kwargs: Any,
) -> ndarray:
    """Return the sum of the second derivatives of the array smoothed by a Gaussian.

    Parameters
    ----------
    {input}
    sigma : float or sequence of float
        The standard deviations.
    {output}
    {modes}
    {cval}
    {axes}
    **kwargs
        Keywords for `gaussian_filter`.

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.gaussian_laplace(cp.array([0.0, 0.0, 1.0, 0.0, 0.0]), sigma=1, mode="constant").round(3)
    array([ 0.162,  0.   , -0.399,  0.   ,  0.162])
    """
    a = as_array(input)
    axes = filtered_axes("gaussian_laplace", axes, a.ndim)
    sigma = spread(for_axes("gaussian_laplace", "sigma", sigma, len(axes)), axes, a.ndim, 0)

    def derivative2(a: Any, axis: Any, output: Any, mode: Any, cval: Any) -> Any:
        order = [2 if other == axis else 0 for other in range(a.ndim)]
        return gaussian_filter(a, sigma, order, output, mode, cval, **kwargs)

    return generic_laplace(a, derivative2, output, mode, cval, axes=axes)


@documented
def generic_gradient_magnitude(
    input: Any,
    derivative: Callable[..., Any],
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    extra_arguments: Any = (),
    extra_keywords: Any = None,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the length of the gradient that a function takes along each axis.

    Parameters
    ----------
    {input}
    derivative : callable
        ``derivative(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)``: puts the
        derivative into `output` where that is an array, and returns it where that is a dtype.
    {output}
    {modes}
    {cval}
    extra_arguments : tuple, optional
        More arguments for the function.
    extra_keywords : dict, optional
        Keywords for the function.
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a = cp.array([[0.0, 0.0, 3.0], [0.0, 0.0, 3.0], [4.0, 4.0, 7.0]])
    >>> ndimage.generic_gradient_magnitude(a, ndimage.sobel)
    array([[ 0., 12., 12.],
           [16., 20., 20.],
           [16., 20., 20.]])
    """
    a = as_array(input)
    extra = extra_keywords or {}
    dtype, array = target("generic_gradient_magnitude", output, a)
    result = _core.zeros(a.shape, dtype) if array is None else array
    axes = filtered_axes("generic_gradient_magnitude", axes, a.ndim)
    if not axes:
        return delivered(a, result)
    modes = for_axes("generic_gradient_magnitude", "mode", mode, len(axes))
    derivative(a, axes[0], result, modes[0], cval, *extra_arguments, **extra)
    multiply(result, result, out=result)
    for axis, one_mode in zip(axes[1:], modes[1:], strict=True):
        slope = derivative(a, axis, result.dtype, one_mode, cval, *extra_arguments, **extra)
        result += slope * slope
    return sqrt(result, out=result, casting="unsafe")


@documented
@names_itself
def gaussian_gradient_magnitude(
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    *,
    axes: Any = None,
    **kwargs: Any,
) -> ndarray:
    """Return the length of the gradient of the array smoothed by a Gaussian.

    Parameters
    ----------
    {input}
    sigma : float or sequence of float
        The standard deviations.
    {output}
    {modes}
    {cval}
    {axes}
    **kwargs
        Keywords for `gaussian_filter`.

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.gaussian_gradient_magnitude(cp.array([0.0, 0.0, 1.0, 1.0]), sigma=1).round(3)
    array([0.108, 0.363, 0.363, 0.108])
    """
    a = as_array(input)

    def derivative(a: Any, axis: Any, output: Any, mode: Any, cval: Any) -> Any:
        order = [1 if other == axis else 0 for other in range(a.ndim)]
        return gaussian_filter(a, sigma, order, output, mode, cval, **kwargs)

    return generic_gradient_magnitude(a, derivative, output, mode, cval, axes=axes)
