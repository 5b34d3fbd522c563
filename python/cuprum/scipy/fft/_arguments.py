"""What the arguments of SciPy's transforms may be."""

from __future__ import annotations

import operator
import os
from typing import Any

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ...cuda import cufft
from ...fft._entered import check_entered, enter, is_entered, leave


class Plan:
    """What a transform was planned for; made by `get_fft_plan`, and given to transforms or entered by `with`.

    Examples
    --------
    >>> with cp.scipy.fft.get_fft_plan(cp.zeros((4, 6), complex), axes=1) as plan:
    ...     plan.shape, plan.axes, plan.value_type
    ((6,), (1,), 'C2C')
    """

    def __init__(
        self, source: tuple[int, ...], shape: tuple[int, ...], axes: tuple[int, ...], value_type: str
    ) -> None:
        self._source = source
        self.shape, self.axes, self.value_type = shape, axes, value_type

    def _check(self, op: str, x: ndarray) -> None:
        real = op.removeprefix("i") in ("rfft", "rfft2", "rfftn")
        wanted = ("C2R" if op.startswith("i") else "R2C") if real else "C2C"
        if x.shape != self._source or self.value_type != wanted:
            # CuPy's words, which programs look for.
            one_axis = "Target array size does not match the plan."
            words = one_axis if len(self.axes) == 1 else "The cuFFT plan and a.shape do not match:"
            raise ValueError(
                f"{op}: {words} It is for {self.value_type} of shape {self._source}, got shape {x.shape}"
            )

    def __enter__(self) -> Plan:
        enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        leave()

    def __repr__(self) -> str:
        return f"Plan({self.value_type}, shape={self.shape}, axes={self.axes})"


def prepared(op: str, x: Any, workers: Any, plan: Any = None) -> ndarray:
    """Return the array to transform, half precision as single, after a look at what is taken but not used."""
    if plan is not None and not isinstance(plan, (Plan, cufft.Plan1d, cufft.PlanNd)):
        raise ValueError(f"{op}: plan must be None or a plan of get_fft_plan, got {plan!r}")
    if workers is not None:
        workers, cores = operator.index(workers), os.cpu_count() or 1
        if workers == 0 or workers < -cores:
            raise ValueError(f"{op}: workers must not be zero or less than {-cores}, got {workers}")
    array = as_array(x)
    if plan is None:
        check_entered(op, array)
    elif is_entered():
        raise RuntimeError(
            f"{op}: Use the cuFFT plan either as a context manager or as an argument, not both"
        )
    else:
        plan._check(op, array)
    return array.astype("float32") if array.dtype.itemsize == 2 and array.dtype.kind not in "iu" else array


def in_rows(result: ndarray) -> ndarray:
    """Return a result that lies in memory row by row, as SciPy's do wherever the array came from."""
    return result if result.flags.c_contiguous else result.copy("C")


def line_axis(op: str, x: ndarray, axis: Any) -> int:
    """Return an axis of `x` counted from the front; one out of range is an IndexError, as in NumPy."""
    axis = operator.index(axis)
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"{op}: axis {axis} is out of bounds for array of dimension {x.ndim}")
    number: int = axis % x.ndim
    return number


def points(op: str, n: Any) -> int:
    """Return a number of points, which must be at least one."""
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"{op}: invalid number of data points ({n}) specified")
    number: int = n
    return number


def _integers(op: str, what: str, values: Any) -> list[int]:
    try:
        return [operator.index(values)]
    except TypeError:
        pass
    try:
        return [operator.index(value) for value in values]
    except TypeError:
        raise ValueError(
            f"{op}: {what} must be an integer or a sequence of integers, got {values!r}"
        ) from None


def shape_and_axes(op: str, x: ndarray, s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """Return the number of points along each axis, and the axes counted from the front, each once."""
    if axes is not None:
        given = _integers(op, "axes", axes)
        axes = [axis + x.ndim if axis < 0 else axis for axis in given]
        if any(not 0 <= axis < x.ndim for axis in axes):
            raise ValueError(f"{op}: axes {given} are out of bounds for array of dimension {x.ndim}")
        if len(set(axes)) != len(axes):
            raise ValueError(f"{op}: all axes must be unique, got {given}")
    if s is None:
        axes = list(range(x.ndim)) if axes is None else axes
        shape = [x.shape[axis] for axis in axes]
    else:
        shape = _integers(op, "s", s)
        if axes is None:
            if len(shape) > x.ndim:
                raise ValueError(f"{op}: s has {len(shape)} lengths, the array has {x.ndim} dimensions")
            axes = list(range(x.ndim - len(shape), x.ndim))
        elif axes and len(axes) != len(shape):
            raise ValueError(f"{op}: axes and s must be of the same length, got {len(axes)} and {len(shape)}")
        shape = [x.shape[axis] if n == -1 else n for n, axis in zip(shape, axes, strict=False)]
    if any(n < 1 for n in shape):
        raise ValueError(f"{op}: invalid number of data points ({shape}) specified")
    return shape, axes


def fitted(x: ndarray, n: int, axis: int) -> ndarray:
    """Return `x` with `n` elements along an axis: cut off, or filled up with zeros."""
    length = x.shape[axis]
    if n <= length:
        return x[(slice(None),) * axis + (slice(n),)]
    zeros = _core.full((*x.shape[:axis], n - length, *x.shape[axis + 1 :]), 0, x.dtype, "C")
    return _core.concatenate((x, zeros), axis)


def overwritten(x: Any, result: ndarray, overwrite_x: bool) -> ndarray:
    """Return a complex transform: within `x` where that may be overwritten and can hold it, as CuPy's is.

    Programs for CuPy rely on it, and read the array that they have given.
    """
    if not overwrite_x or not isinstance(x, ndarray) or result is x:
        return result
    if x.dtype != result.dtype or x.shape != result.shape or not x.flags.writeable:
        return result
    x[...] = result
    return x
