"""Watersheds from markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import on_host
from ._binary import _neighbours
from ._documentation import documented
from ._kernels import c_name, kernel

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["watershed_ift"]

_MAX_ELEMENTS = 2**31 - 2


@documented
@names_itself
def watershed_ift(input: Any, markers: Any, structure: ArrayLike | None = None, output: Any = None) -> Any:
    """Give every element the marker that it is reached from over the smallest steps.

    A path costs as much as its largest step, the difference between two neighbouring elements.

    Parameters
    ----------
    input : array_like of uint8 or uint16
        The array.
    markers : array_like of signed integers
        Where paths begin: a number other than zero. Negative ones stand for the background and go on after
        the others that have come as far.
    structure : array_like, optional
        Which neighbours count, of length 3 along each axis; by default those that differ along one axis.
    output : ndarray, optional
        Where to put the result, of signed integers.

    Returns
    -------
    ndarray
        The marker of each element, of the dtype of `markers`.

    Notes
    -----
    One thread of the device does it, since which marker takes an element that several reach at one cost
    depends on the order. Rows end at their ends: SciPy takes the first element of the next row for a
    neighbour of the last one, and loses elements where lists of background and other markers mix.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> image = cp.array([1, 2, 9, 8, 8], dtype="uint8")
    >>> ndimage.watershed_ift(image, cp.array([1, 0, 0, 0, 2]))
    array([1, 1, 2, 2, 2])
    """
    op = "watershed_ift"
    a, marked = as_array(input), as_array(markers)
    if a.dtype not in (np.uint8, np.uint16):
        raise TypeError(f"{op}: only 8 and 16 unsigned inputs are supported, got {a.dtype}")
    window = _neighbours(a.ndim, 1) if structure is None else on_host(structure).astype(bool)
    if window.ndim != a.ndim:
        raise RuntimeError(f"{op}: structure and input must have equal rank, got {window.ndim} and {a.ndim}")
    if any(length != 3 for length in window.shape):
        raise RuntimeError(f"{op}: structure dimensions must be equal to 3, got {window.shape}")
    if marked.shape != a.shape:
        raise RuntimeError(f"{op}: input and markers must have equal shape, got {a.shape} and {marked.shape}")
    if marked.dtype.kind != "i":
        raise RuntimeError(f"{op}: marker should be of integer type, got {marked.dtype}")
    if isinstance(output, ndarray):
        if output.dtype.kind != "i":
            raise RuntimeError(f"{op}: output should be of integer type, got {output.dtype}")
        if output.shape != a.shape:
            raise RuntimeError(f"{op}: output shape not correct: {output.shape} for an input of {a.shape}")
    if a.size > _MAX_ELEMENTS:
        raise ValueError(f"{op}: at most {_MAX_ELEMENTS} elements, got {a.size}")
    labels = cp.array(marked, order="C", copy=True)
    if a.size:
        _spread(cp.ascontiguousarray(a), labels, window)
    if isinstance(output, ndarray):
        output[...] = labels
        return output
    return labels


def _spread(a: ndarray, labels: ndarray, window: np.ndarray) -> None:
    """Write the markers' numbers over all elements."""
    steps = (np.argwhere(window) - 1).astype(np.int8)
    steps = steps[np.any(steps != 0, axis=1)].reshape(-1, max(a.ndim, 1))
    most = int(a.max()) - int(a.min())
    places = [_core.empty(a.size, np.int32) for _ in range(3)]
    ends = [cp.full(most + 1, -1, np.int32) for _ in range(2)]
    shape = _core.array(np.array(a.shape or (1,), np.int32))
    table = _core.array(np.ascontiguousarray(steps) if steps.size else np.zeros(1, np.int8))
    name = f"watershed<{c_name(a.dtype)}, {c_name(labels.dtype)}>"
    sizes = (np.int32(a.size), shape, np.int32(a.ndim), table, np.int32(len(steps)))
    kernel("watershed", name)((1,), (1,), (a, labels, *sizes, *places, *ends, np.int32(most)))
