"""Functions of `cupy` that are methods of their argument: given a NumPy array, they give NumPy's result.

Cuprum's own functions take a NumPy array to the device. CuPy calls the method of whatever it is given, so the
result of a program that hands over host arrays stays on the host.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

import cuprum

METHODS = (
    *("amax", "amin", "argmax", "argmin", "argpartition", "argsort", "around", "choose", "clip"),
    *(
        "diagonal",
        "dot",
        "max",
        "mean",
        "min",
        "prod",
        "ptp",
        "ravel",
        "repeat",
        "reshape",
        "round",
        "squeeze",
    ),
    *("std", "sum", "swapaxes", "take", "trace", "transpose", "var"),
)
"""What CuPy computes by a method of the first argument."""

__all__ = [*METHODS]  # noqa: PLE0604


def _by_method(name: str) -> Callable[..., Any]:
    function = getattr(cuprum, name)
    on_host = getattr(np, name)

    @wraps(function)
    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        chosen = on_host if type(a) is np.ndarray else function
        return chosen(a, *args, **kwargs)

    return call


globals().update({name: _by_method(name) for name in METHODS})


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Return the product of two arrays; an output needs the size of the result, not its shape.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The result, `out` itself where it was given.

    Examples
    --------
    >>> from cuprum.compat import cupy
    >>> cupy.dot(cp.arange(3.0), cp.arange(3.0), out=cp.empty(1))
    array([5.])
    """
    if type(a) is np.ndarray:
        return np.dot(a, b, out)
    if isinstance(out, cuprum.ndarray) and out.flags.c_contiguous:
        left, right = np.shape(a), np.shape(b)
        shape = (*left[:-1], *right[:-2], *right[-1:][: len(right) - 1]) if left and right else left + right
        if out.shape != shape and out.size == math.prod(shape):
            cuprum.dot(a, b, out.reshape(shape))
            return out
    return cuprum.dot(a, b, out)
