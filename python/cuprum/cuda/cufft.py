"""cuFFT's plans by CuPy's names: transforms from one array's memory into another's, without normalisation.

Every device computes them by Cuprum's own transforms, which use cuFFT on a GPU. The functions of `cuprum.fft`
and `cuprum.scipy.fft.get_fft_plan` need no plan of these.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .. import _core
from .. import fft as _fft
from .._creation import fill
from ..fft._entered import enter, entered, leave

CUFFT_C2C = 0x29
CUFFT_R2C = 0x2A
CUFFT_C2R = 0x2C
CUFFT_Z2Z = 0x69
CUFFT_D2Z = 0x6A
CUFFT_Z2D = 0x6C

CUFFT_FORWARD = -1
CUFFT_INVERSE = 1

__all__ = [
    "CUFFT_C2C",
    "CUFFT_C2R",
    "CUFFT_D2Z",
    "CUFFT_FORWARD",
    "CUFFT_INVERSE",
    "CUFFT_R2C",
    "CUFFT_Z2D",
    "CUFFT_Z2Z",
    "Plan1d",
    "PlanNd",
    "get_current_plan",
    "getVersion",
]

_DTYPES = {
    CUFFT_C2C: ("complex64", "complex64"),
    CUFFT_R2C: ("float32", "complex64"),
    CUFFT_C2R: ("complex64", "float32"),
    CUFFT_Z2Z: ("complex128", "complex128"),
    CUFFT_D2Z: ("float64", "complex128"),
    CUFFT_Z2D: ("complex128", "float64"),
}
"""The dtypes that a type of transform reads and writes."""


def getVersion() -> int:  # noqa: N802 - CuPy's name
    """Return the version of cuFFT, as 12000 for 12.0.0; where there is none, of the one whose names are here.

    Examples
    --------
    >>> cp.cuda.cufft.getVersion() >= 10000
    True
    """
    _, found, _ = next(row for row in _core.gpu_libraries() if row[0] == "cuFFT")
    if found is None:
        return 12000
    major, minor, patch = (int(part) for part in str(found[0]).split(".")[:3])
    return 1000 * major + 100 * minor + patch


def get_current_plan() -> Any:
    """Return the plan that this thread has entered by `with`, or None.

    Examples
    --------
    >>> with cp.cuda.cufft.Plan1d(8, cp.cuda.cufft.CUFFT_C2C, 1) as plan:
    ...     cp.cuda.cufft.get_current_plan() is plan
    True
    """
    return entered()


class _Plan:
    """What `Plan1d` and `PlanNd` share."""

    _lengths: tuple[int, ...]
    """The points along each axis of a transform, those of the real numbers."""
    fft_type: int
    batch: int

    def _grid(self, is_output: bool, is_in_place: bool) -> tuple[np.dtype[Any], list[int], list[int]]:
        """Return the dtype, shape and strides, in elements, of a side: the transforms first."""
        raise NotImplementedError

    def _side(self, a: Any, is_output: bool, is_in_place: bool) -> Any:
        dtype, shape, strides = self._grid(is_output, is_in_place)
        return _core.ndarray(tuple(shape), dtype, a.data, tuple(step * dtype.itemsize for step in strides))

    def _dtype(self, is_output: bool) -> np.dtype[Any]:
        return np.dtype(_DTYPES[self.fft_type][is_output])

    def _stored_lengths(self, is_output: bool) -> list[int]:
        """Return how many elements a side has along each axis: one of each pair of equal conjugates."""
        is_real = self.fft_type not in (CUFFT_C2C, CUFFT_Z2Z)
        half = is_real and self._dtype(is_output).kind == "c"
        *front, last = self._lengths
        return [*front, last // 2 + 1 if half else last]

    def _padded_lengths(self, is_output: bool, is_in_place: bool) -> list[int]:
        """Return how many elements lie from line to line; in place, real lines have room for complex ones."""
        *front, last = self._stored_lengths(is_output)
        if is_in_place and self._dtype(is_output).kind == "f":
            last = 2 * (last // 2 + 1)
        return [*front, last]

    def __enter__(self) -> Any:
        enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        leave()

    def _check(self, op: str, x: Any) -> None:
        if x.size != self.batch * math.prod(self._stored_lengths(False)) or x.dtype != self._dtype(False):
            # CuPy's words, which programs look for.
            raise ValueError(
                f"{op}: Target array size does not match the plan. It is for {self.batch} transforms "
                f"of {self._lengths} points of {self._dtype(False)}, got {x.dtype} of shape {x.shape}"
            )

    def fft(self, a: Any, out: Any, direction: int) -> None:
        """Transform the memory of an array into that of another, or of itself, from its first element on.

        Parameters
        ----------
        a, out : ndarray
            The arrays; their shapes do not matter, as their memory is read and written as the plan says.
        direction : int
            `CUFFT_FORWARD` or `CUFFT_INVERSE`; transforms of real numbers have only one. Nothing is divided
            by the number of points.
        """
        if self.batch == 0:
            return
        in_place = a.data.ptr == out.data.ptr
        source, target = self._side(a, False, in_place), self._side(out, True, in_place)
        # The functions compare their arguments with the plan that is entered last: it may be another one.
        with self:
            target[...] = self._transformed(source, direction)

    def _transformed(self, source: Any, direction: int) -> Any:
        axes = tuple(range(1, 1 + len(self._lengths)))
        if self.fft_type in (CUFFT_R2C, CUFFT_D2Z):
            return _fft.rfftn(source, axes=axes)
        if self.fft_type in (CUFFT_C2R, CUFFT_Z2D):
            return _fft.irfftn(source, self._lengths, axes, "forward")
        if direction == CUFFT_FORWARD:
            return _fft.fftn(source, axes=axes)
        if direction == CUFFT_INVERSE:
            return _fft.ifftn(source, axes=axes, norm="forward")
        raise ValueError(f"fft: direction must be CUFFT_FORWARD (-1) or CUFFT_INVERSE (1), got {direction}")

    def _output_shape(self, a: Any) -> tuple[int, ...]:
        raise NotImplementedError

    def get_output_array(self, a: Any, order: Literal["C", "F"] = "C") -> Any:
        """Return an array, not filled, for what an array is transformed into.

        Parameters
        ----------
        a : ndarray
            The array.
        order : {"C", "F"}, optional
            The order in memory.
        """
        return fill.empty(self._output_shape(a), self._dtype(True), order)

    def check_output_array(self, a: Any, out: Any) -> None:
        """Raise where an array is not of the shape and dtype of what another is transformed into.

        Parameters
        ----------
        a, out : ndarray
            The array, and the one to look at.
        """
        shape, dtype = self._output_shape(a), self._dtype(True)
        if out.shape != shape:
            raise ValueError(f"check_output_array: out must have shape {shape}, got {out.shape}")
        if out.dtype != dtype:
            raise ValueError(f"check_output_array: out must be {dtype}, got {out.dtype}")


def _type(op: str, fft_type: int) -> int:
    if fft_type not in _DTYPES:
        raise ValueError(f"{op}: fft_type must be CUFFT_C2C or another of cufft's types, got {fft_type!r}")
    return fft_type


class Plan1d(_Plan):
    """Transforms of lines that lie one after the other.

    Parameters
    ----------
    nx : int
        The points of a line, real ones where a side is real.
    fft_type : int
        `CUFFT_C2C` and the like.
    batch : int
        The number of lines.

    Examples
    --------
    >>> cufft = cp.cuda.cufft
    >>> a = cp.array([[1, 2, 3, 4], [1, 0, 0, 0]], dtype="complex64")
    >>> plan = cufft.Plan1d(4, cufft.CUFFT_C2C, 2)
    >>> out = plan.get_output_array(a)
    >>> plan.check_output_array(a, out)
    >>> plan.fft(a, out, cufft.CUFFT_FORWARD)
    >>> out
    array([[10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j],
           [ 1.+0.j,  1.+0.j,  1.+0.j,  1.+0.j]], dtype=complex64)
    """

    def __init__(self, nx: int, fft_type: int, batch: int) -> None:
        self.nx, self.batch, self.fft_type = (
            operator.index(nx),
            operator.index(batch),
            _type("Plan1d", fft_type),
        )
        if self.nx < 1 or self.batch < 0:
            raise ValueError(f"Plan1d: nx must be at least 1 and batch at least 0, got {nx} and {batch}")
        self._lengths = (self.nx,)

    def _grid(self, is_output: bool, is_in_place: bool) -> tuple[np.dtype[Any], list[int], list[int]]:
        [points], [distance] = self._stored_lengths(is_output), self._padded_lengths(is_output, is_in_place)
        return self._dtype(is_output), [self.batch, points], [distance, 1]

    def _output_shape(self, a: Any) -> tuple[int, ...]:
        return (*a.shape[:-1], *self._stored_lengths(True))


class PlanNd(_Plan):
    """Transforms along several axes, of elements at the distances that are given.

    Parameters
    ----------
    shape : tuple of int
        The points along the axes, real ones where a side is real.
    inembed, onembed : tuple of int or None
        How many elements the axes of the memory have that is read and written; with None the elements lie
        side by side, and the distances do not matter.
    istride, ostride : int
        From an element to the next along the last axis, in elements.
    idist, odist : int
        From a transform to the next, in elements.
    fft_type : int
        `CUFFT_C2C` and the like.
    batch : int
        The number of transforms.
    order : {"C", "F"}
        The order in memory of the arrays that the plan was made for.
    last_axis, last_size : int or None
        Where a side is real: the axis that differs between the two, and its points in the result.

    Examples
    --------
    >>> cufft = cp.cuda.cufft
    >>> a = cp.arange(8.0).reshape(2, 4)
    >>> plan = cufft.PlanNd((2, 4), None, 1, 1, None, 1, 1, cufft.CUFFT_D2Z, 1, "C", 1, 3)
    >>> out = plan.get_output_array(a)
    >>> plan.check_output_array(a, out)
    >>> plan.fft(a, out, cufft.CUFFT_FORWARD)
    >>> out
    array([[ 28.+0.j,  -4.+4.j,  -4.+0.j],
           [-16.+0.j,   0.+0.j,   0.+0.j]])
    """

    def __init__(
        self,
        shape: Sequence[int],
        inembed: Sequence[int] | None,
        istride: int,
        idist: int,
        onembed: Sequence[int] | None,
        ostride: int,
        odist: int,
        fft_type: int,
        batch: int,
        order: str,
        last_axis: int | None,
        last_size: int | None,
    ) -> None:
        self.shape = self._lengths = tuple(operator.index(n) for n in shape)
        self.batch, self.fft_type = operator.index(batch), _type("PlanNd", fft_type)
        if not 1 <= len(self.shape) <= 3 or min(self.shape) < 1 or self.batch < 0:
            raise ValueError(
                f"PlanNd: shape must have one to three axes of at least one point, and batch at "
                f"least 0, got {self.shape} and {batch}"
            )
        self.order, self.last_axis, self.last_size = order, last_axis, last_size
        self._sides = [(inembed, istride, idist), (onembed, ostride, odist)]
        for name, (embed, step, distance) in zip(("inembed", "onembed"), self._sides, strict=True):
            if embed is not None and (len(embed) != len(self.shape) or min(*embed, step, distance) < 1):
                raise ValueError(
                    f"PlanNd: {name} must have a number for each of {len(self.shape)} axes and distances "
                    f"of at least 1, got {tuple(embed)}, {step} and {distance}"
                )

    def _grid(self, is_output: bool, is_in_place: bool) -> tuple[np.dtype[Any], list[int], list[int]]:
        embed, step, distance = self._sides[is_output]
        lengths = self._stored_lengths(is_output)
        if embed is None:
            embed, step = self._padded_lengths(is_output, is_in_place), 1
            distance = math.prod(embed)
        strides = [step]
        for n in reversed(list(embed)[1:]):
            strides.insert(0, strides[0] * n)
        return self._dtype(is_output), [self.batch, *lengths], [distance, *strides]

    def _output_shape(self, a: Any) -> tuple[int, ...]:
        shape = list(a.shape)
        if self.last_axis is not None and self.last_size is not None:
            shape[self.last_axis] = self.last_size
        return tuple(shape)
