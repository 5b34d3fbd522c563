"""`cupy._util`, which libraries import although its name is private: memoization, warnings, checks."""

from __future__ import annotations

import os
import warnings
from typing import Any

import cuprum
from cuprum import clear_memo, memoize

from ._core.internal import _normalize_axis_index, _normalize_axis_indices

__all__ = [
    "CUDA_ARRAY_INTERFACE_EXPORT_VERSION",
    "PerformanceWarning",
    "_normalize_axis_index",
    "_normalize_axis_indices",
    "check_array",
    "clear_memo",
    "experimental",
    "memoize",
]


CUDA_ARRAY_INTERFACE_EXPORT_VERSION = int(os.environ.get("CUPY_CUDA_ARRAY_INTERFACE_EXPORT_VERSION", "3"))
"""Which version of `__cuda_array_interface__` arrays show: 3, or 2 for readers that know no streams."""


class PerformanceWarning(RuntimeWarning):
    """What CuPy warns with where something runs slowly; Cuprum gives no such warning."""


def experimental(api_name: str) -> None:
    """Warn that an interface is experimental.

    Examples
    --------
    >>> import warnings
    >>> from cuprum.compat.cupy._util import experimental
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     experimental("lib.feature")
    >>> caught[0].category.__name__
    'FutureWarning'
    """
    from cuprum.compat import cupy

    if not cupy.disable_experimental_feature_warning:
        warnings.warn(
            f"{api_name} is experimental. The interface can change in the future.",
            FutureWarning,
            stacklevel=2,
        )


def check_array(obj: Any, *, arg_name: str) -> None:
    """Raise a TypeError where an argument is no array of Cuprum."""
    if not isinstance(obj, cuprum.ndarray):
        raise TypeError(f"{arg_name} must be a cupy.ndarray, got {type(obj).__name__}")
