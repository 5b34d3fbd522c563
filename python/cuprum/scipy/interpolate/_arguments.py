"""Turning arguments into the arrays that kernels read: float64, complex numbers as pairs of columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from .._kernels import texts

kernel = texts(__file__)


def inexact(a: Any) -> ndarray:
    """Return an array as float64 or complex128."""
    a = as_array(a)
    result: ndarray = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64, copy=False)
    return result


def real(a: Any) -> ndarray:
    """Return an array as contiguous float64."""
    return cp.ascontiguousarray(a, dtype=np.float64)


def finite(a: Any, check: bool = True) -> ndarray:
    """Return an array as contiguous float64 or complex128, and raise where it is not finite."""
    array = cp.ascontiguousarray(inexact(a))
    if check and not bool(cp.isfinite(array).all()):
        raise ValueError("Array must not contain infs or nans.")
    return array


def columns(a: ndarray, lead: int = 1) -> ndarray:
    """Return an array with its axes from `lead` on as one axis of real numbers."""
    flat = cp.ascontiguousarray(a).reshape((*a.shape[:lead], math.prod(a.shape[lead:])))
    return flat.view(np.float64) if flat.dtype.kind == "c" else flat


def uncolumns(flat: ndarray, dtype: Any, shape: tuple[int, ...]) -> ndarray:
    """Undo `columns`."""
    if np.dtype(dtype).kind == "c":
        flat = cp.ascontiguousarray(flat).view(np.complex128)
    return flat.reshape(shape)


def moved(out: ndarray, points: int, axis: int) -> ndarray:
    """Put the axes of the points, which come first, where the interpolation axis was."""
    if axis == 0:
        return out
    order = list(range(out.ndim))
    order = order[points : points + axis] + order[:points] + order[points + axis :]
    return out.transpose(order)


def point_coordinates(points: Any, ndim: int | None = None) -> ndarray:
    """Return points as an array whose last axis has the coordinates."""
    if isinstance(points, tuple) and len(points) == 1:
        points = points[0]
    if isinstance(points, tuple):
        parts = cp.broadcast_arrays(*(as_array(part) for part in points))
        return cp.stack(list(parts), -1)
    array = as_array(points)
    if array.ndim == 1:
        return array.reshape(-1, 1) if ndim is None or ndim == 1 else array.reshape(-1, ndim)
    return array
