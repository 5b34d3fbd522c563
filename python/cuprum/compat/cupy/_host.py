"""Functions of `cupy` that are methods of their argument: given a NumPy array, they give NumPy's result.

Cuprum's own functions take a NumPy array to the device. CuPy calls the method of whatever it is given, so the
result of a program that hands over host arrays stays on the host.
"""

from __future__ import annotations

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
