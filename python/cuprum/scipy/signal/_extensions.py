"""Signals extended at both ends."""

from __future__ import annotations

import operator
from typing import Any

import cuprum as cp

from ..._core import ndarray


def _part(x: ndarray, axis: int, start: int | None, stop: int | None, step: int = 1) -> ndarray:
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def extended(op: str, kind: str, x: ndarray, n: int, axis: int) -> ndarray:
    """Return a signal with `n` more samples at each end: mirrored, turned about it, or the end itself."""
    if n < 1:
        return x
    if kind == "zeros":
        shape = [n if i == axis else size for i, size in enumerate(x.shape)]
        edge = cp.zeros(shape, x.dtype)
        return cp.concatenate((edge, x, edge), axis)
    if kind != "constant" and n > x.shape[axis] - 1:
        raise ValueError(
            f"{op}: The extension length n ({n}) is too big. It must not exceed x.shape[axis]-1, "
            f"which is {x.shape[axis] - 1}."
        )
    first, last = _part(x, axis, 0, 1), _part(x, axis, -1, None)
    if kind == "constant":
        shape = [n if i == axis else size for i, size in enumerate(x.shape)]
        return cp.concatenate((cp.broadcast_to(first, shape), x, cp.broadcast_to(last, shape)), axis)
    before, after = _part(x, axis, n, 0, -1), _part(x, axis, -2, -(n + 2), -1)
    if kind == "odd":
        before, after = 2 * first - before, 2 * last - after
    return cp.concatenate((before, x, after), axis)


def padded_edges(op: str, padtype: Any, padlen: Any, x: ndarray, axis: int, taps: int) -> tuple[int, ndarray]:
    """Return by how much a signal is extended before it is filtered both ways, and the extended signal."""
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(
            f"{op}: Unknown value {padtype!r} given to padtype. padtype must be 'even', 'odd', "
            "'constant', or None."
        )
    if padtype is None:
        padlen = 0
    edge = 3 * taps if padlen is None else operator.index(padlen)
    if x.shape[axis] <= edge:
        raise ValueError(
            f"{op}: The length of the input vector x must be greater than padlen, which is {edge}."
        )
    return edge, x if padtype is None or edge < 1 else extended(op, padtype, x, edge, axis)
