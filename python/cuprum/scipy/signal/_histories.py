"""States of filters as CuPy has them: the last inputs and outputs, the oldest first.

SciPy's state of a filter is what it carries from one sample to the next; their lengths tell the two apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cuprum as cp

from ..._core import ndarray


def is_history(zi: ndarray, x: ndarray, axis: int, b: ndarray, a: ndarray) -> bool:
    """Whether a state holds all inputs and outputs that a filter with zeros and poles looks back at."""
    zeros, poles = b.size - 1, a.size - 1
    return zi.ndim == x.ndim and zeros > 0 and poles > 0 and zi.shape[axis] == zeros + poles


def state_of(history: ndarray, axis: int, b: ndarray, a: ndarray) -> ndarray:
    """Return the state that a filter has after its last inputs and outputs."""
    zeros, poles = b.size - 1, a.size - 1
    matrix = cp.zeros((max(zeros, poles), zeros + poles), cp.result_type(b, a, cp.float32))
    for m in range(zeros):
        matrix[m, m:zeros] = b[:m:-1]
    for m in range(poles):
        matrix[m, zeros + m :] = -a[:m:-1]
    return cp.moveaxis(cp.moveaxis(history, axis, -1) @ (matrix / a[0]).T, -1, axis)


def filtered(
    run: Callable[[ndarray], tuple[ndarray, ndarray]],
    b: ndarray,
    a: ndarray,
    x: ndarray,
    axis: int,
    history: ndarray,
) -> tuple[ndarray, ndarray]:
    """Filter with `run`, which takes SciPy's state, and return the signal and the history after it."""
    zeros, poles = b.size - 1, a.size - 1
    y, _ = run(state_of(history, axis, b, a))
    before = cp.split(history, [zeros], axis)
    ends = [
        _last(cp.concatenate((past.astype(signal.dtype, copy=False), signal), axis), axis, count)
        for past, signal, count in zip(
            before, (x.astype(y.dtype, copy=False), y), (zeros, poles), strict=True
        )
    ]
    return y, cp.concatenate(ends, axis)


def _last(values: ndarray, axis: int, count: int) -> ndarray:
    part: list[Any] = [slice(None)] * values.ndim
    part[axis] = slice(values.shape[axis] - count, None)
    result: ndarray = values[tuple(part)]
    return result
