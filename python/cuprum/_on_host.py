"""NumPy's own functions of arrays on the CPU: those that have no counterpart, and those of strings too.

Strings, None and objects are NumPy's alone, and so is what comes of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._core import ndarray

__all__ = ["call"]


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    classes: tuple[type, ...] = (ndarray,),
) -> Any:
    """Call a function of NumPy's with its own arrays, which it can only read, in place of arrays on the CPU.

    NotImplemented where an array of these classes is on a GPU: it is not converted unasked.
    """
    try:
        args, keywords = _host(args, classes), _host(keywords, classes)
    except TypeError:
        return NotImplemented
    return function(*args, **keywords)


def _host(value: Any, classes: tuple[type, ...]) -> Any:
    if isinstance(value, classes):
        host = np.asarray(value).view()
        # A function that writes to an argument must fail: it would write to what is thrown away.
        host.flags.writeable = False
        return host
    if type(value) in (list, tuple):
        return type(value)(_host(item, classes) for item in value)
    if type(value) is dict:
        return {key: _host(item, classes) for key, item in value.items()}
    return value
