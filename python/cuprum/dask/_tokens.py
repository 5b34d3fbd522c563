"""The names that Dask derives from arrays: equal elements on one device give equal tokens."""

from __future__ import annotations

import importlib
from typing import Any

from .._core import ndarray
from .._host import host_view
from ._tables import rechunk_by_tasks

__all__ = ["register"]


def _token(a: ndarray) -> Any:
    rechunk_by_tasks(a)
    normalize = importlib.import_module("dask.tokenize").normalize_token
    # Chunks of one name are one chunk: those of another device must have another.
    return "cuprum.ndarray", repr(a.device), a.dtype.name, normalize(host_view(a))


def register() -> None:
    """Tell `dask.tokenize`."""
    importlib.import_module("dask.tokenize").normalize_token.register(ndarray, _token)
