"""Rotations of images."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import delivered, is_complex, target
from ._documentation import documented
from ._interpolation import affine, sampled, with_edge

__all__ = ["rotate"]


def _turn(angle: float) -> tuple[float, float]:
    """Return cosine and sine of an angle in degrees; exact at multiples of 90."""
    quarter, rest = divmod(float(angle), 90.0)
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[int(quarter) % 4]


@documented
@names_itself
def rotate(
    input: Any,
    angle: float,
    axes: Any = (1, 0),
    reshape: bool = True,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
) -> ndarray:
    """Return an array turned in the plane of two axes.

    Parameters
    ----------
    {input}
    angle : float
        The angle in degrees.
    axes : tuple of int, optional
        The two axes of the plane.
    reshape : bool, optional
        Whether the result is as large as the turned array needs, instead of as large as the input.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}

    Returns
    -------
    ndarray
        The turned array.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.rotate(cp.array([[1.0, 2.0], [3.0, 4.0]]), 90, order=1)
    array([[2., 4.],
           [1., 3.]])
    """
    op = "rotate"
    a = as_array(input)
    if a.ndim < 2:
        raise ValueError(f"{op}: input array should be at least 2D, got {a.ndim} axes")
    plane = list(axes)
    if len(plane) != 2:
        raise ValueError(f"{op}: axes should contain exactly two values, got {len(plane)}")
    if not all(float(axis).is_integer() for axis in plane):
        raise ValueError(f"{op}: axes should contain only integer values, got {tuple(plane)}")
    first, second = sorted(int(axis) + (a.ndim if axis < 0 else 0) for axis in plane)
    if first < 0 or second >= a.ndim:
        raise ValueError(f"{op}: invalid rotation plane specified: {tuple(plane)} of {a.ndim} axes")
    cosine, sine = _turn(angle)
    turned = np.array([[cosine, sine], [-sine, cosine]])
    lengths = np.array([a.shape[first], a.shape[second]])
    out_lengths = lengths
    if reshape:
        corners = turned @ [[0, 0, lengths[0], lengths[0]], [0, lengths[1], 0, lengths[1]]]
        out_lengths = (np.ptp(corners, axis=1) + 0.5).astype(int)
    matrix, offset = np.eye(a.ndim), np.zeros(a.ndim)
    matrix[np.ix_((first, second), (first, second))] = turned
    offset[[first, second]] = (lengths - 1) / 2 - turned @ ((out_lengths - 1) / 2)
    shape = list(a.shape)
    shape[first], shape[second] = int(out_lengths[0]), int(out_lengths[1])
    if a.ndim == 2:
        a, mode, edge = with_edge(a, mode, cval)
        offset += edge
        return sampled(
            op, a, tuple(shape), output, order, mode, cval, prefilter,
            lambda sampler, out: affine(sampler, out, matrix, offset),
        )  # fmt: skip
    return _rotated_planes(
        op, a, tuple(shape), (first, second), turned, offset, output, order, mode, cval, prefilter
    )


def _rotated_planes(
    op: str,
    a: ndarray,
    shape: tuple[int, ...],
    plane: tuple[int, int],
    turned: np.ndarray,
    offset: np.ndarray,
    output: Any,
    order: Any,
    mode: Any,
    cval: Any,
    prefilter: bool,
) -> ndarray:
    """Return an array of several planes, each turned by itself: each plane has a spline of its own."""
    dtype, array = target(op, output, a, complex_output=is_complex(a), shape=shape)
    rest = [axis for axis in range(a.ndim) if axis not in plane]
    planes = _core.moveaxis(a, rest, tuple(range(len(rest))))
    result = _core.empty(tuple(shape[axis] for axis in (*rest, *plane)), dtype)
    moved = offset[list(plane)]
    for index in np.ndindex(*planes.shape[:-2]):
        one, its_mode, edge = with_edge(planes[index], mode, cval)
        at = moved + edge

        def sample(sampler: Any, out: ndarray, at: np.ndarray = at) -> ndarray:
            return affine(sampler, out, turned, at)

        result[index] = sampled(op, one, result.shape[-2:], dtype, order, its_mode, cval, prefilter, sample)
    return delivered(_core.moveaxis(result, tuple(range(len(rest))), rest), array)
