"""What pandas is told about arrays: as keys they are NumPy's, the one class of masks that it knows."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from ._core import ndarray

__all__ = ["register"]


def register() -> None:
    """Let `df[mask]` select rows, where pandas would look for columns named True and False.

    Frames, series and their `loc` ask one function for a key that is a function; it sees every key. An array
    on a GPU is not converted unasked: the error says what to write.
    """
    common: Any = importlib.import_module("pandas.core.common")
    plain = common.apply_if_callable

    @functools.wraps(plain)
    def apply_if_callable(maybe_callable: Any, obj: Any, **kwargs: Any) -> Any:
        if isinstance(maybe_callable, ndarray):
            return np.asarray(maybe_callable)
        return plain(maybe_callable, obj, **kwargs)

    common.apply_if_callable = apply_if_callable
