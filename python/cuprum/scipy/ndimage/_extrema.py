"""Extrema of integers plus addends that leave their dtype."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray

# What `cp.pad` calls the core's boundary modes.
_PADDING = {
    "reflect": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "constant": "constant",
}


def wrapped_extremum(
    larger: bool,
    a: ndarray,
    footprint: np.ndarray,
    addends: np.ndarray,
    dtype: Any,
    mode: str,
    cval: Any,
    origins: list[int],
) -> ndarray:
    """Return the extrema of integers plus addends, as SciPy has them where a sum leaves the integers' dtype.

    Sums wrap around in the dtype of the input, addends being cut off to it, but for the first place of the
    window, whose sum is a float64; the result is one that is cut off and wraps around again.
    """
    before = [size // 2 + origin for size, origin in zip(footprint.shape, origins, strict=True)]
    widths = [(start, size - 1 - start) for start, size in zip(before, footprint.shape, strict=True)]
    extra = {"constant_values": a.dtype.type(np.int64(cval))} if mode == "constant" else {}
    padded = cp.pad(a, widths, _PADDING[mode], **extra)
    choose = cp.maximum if larger else cp.minimum
    best: ndarray | None = None
    for place in itertools.product(*map(range, footprint.shape)):
        if not footprint[place]:
            continue
        part = padded[tuple(slice(at, at + length) for at, length in zip(place, a.shape, strict=True))]
        if best is None:
            best = part.astype(np.float64) + float(addends[place])
            continue
        addend = np.int64(addends[place]).astype(a.dtype)
        best = choose(best, (part + addend).astype(np.float64))
    assert best is not None
    if np.dtype(dtype).kind not in "iu":
        return best.astype(dtype)
    return best.astype(np.int64).astype(dtype)
