"""Functions that say where the elements of an array come from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core, jit
from ..._core import ndarray
from ...jit._errors import KernelError

_THREADS = 128


def mapped_places(
    op: str, mapping: Callable[..., Any], shape: tuple[int, ...], ndim: int, more: Any, keywords: Any
) -> ndarray:
    """Return the coordinates that a function has for every index, those along the first axis first.

    The function computes with arrays of indices. One that does not, since it branches or calls functions of
    numbers, is compiled and called for each index.
    """
    indices = tuple(
        _core.broadcast_to(_core.arange(n).reshape((-1,) + (1,) * (len(shape) - axis - 1)), shape)
        for axis, n in enumerate(shape)
    )
    try:
        places = tuple(mapping(indices, *more, **(keywords or {})))
    except (TypeError, ValueError) as error:
        return _compiled(op, mapping, shape, ndim, more, keywords, error)
    if len(places) != ndim:
        raise RuntimeError(f"{op}: the mapping returns {len(places)} coordinates for {ndim} axes")
    x = _core.empty((ndim, *shape), np.float64)
    for axis, place in enumerate(places):
        x[axis] = place
    return x


def _compiled(
    op: str,
    mapping: Callable[..., Any],
    shape: tuple[int, ...],
    ndim: int,
    more: Any,
    keywords: Any,
    error: Exception,
) -> ndarray:
    """Return the coordinates by a kernel."""
    advice = (
        f"{op}: the mapping must compute with arrays of indices, one for each axis, or be a function that "
        "cuprum.jit compiles"
    )
    if keywords or len(shape) > len(_KERNELS):
        raise TypeError(f"{advice}, without keywords and of at most {len(_KERNELS)} axes: {error}") from error
    count = math.prod(shape)
    x = _core.empty((ndim, count), np.float64)
    try:
        kernel = _KERNELS[len(shape) - 1](jit.rawkernel(device=True)(mapping))
        if count:
            blocks = (-(-count // _THREADS),)
            kernel(blocks, (_THREADS,), (x, shape, count, tuple(more)))
    except KernelError as refused:
        raise TypeError(f"{advice}: {error}; {refused}") from refused
    return x.reshape((ndim, *shape))


def _of_one_axis(mapping: Any) -> Any:
    @jit.rawkernel()
    def places(x, shape, count, more):  # type: ignore[no-untyped-def]
        i = jit.grid(1)
        if i < count:
            x[:, i] = mapping((i,), *more)

    return places


def _of_two_axes(mapping: Any) -> Any:
    @jit.rawkernel()
    def places(x, shape, count, more):  # type: ignore[no-untyped-def]
        i = jit.grid(1)
        if i < count:
            x[:, i] = mapping((i // shape[1], i % shape[1]), *more)

    return places


def _of_three_axes(mapping: Any) -> Any:
    @jit.rawkernel()
    def places(x, shape, count, more):  # type: ignore[no-untyped-def]
        i = jit.grid(1)
        if i < count:
            row = i // shape[2]
            x[:, i] = mapping((row // shape[1], row % shape[1], i % shape[2]), *more)

    return places


_KERNELS = (_of_one_axis, _of_two_axes, _of_three_axes)
