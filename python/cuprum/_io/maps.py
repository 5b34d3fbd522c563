"""Arrays over files mapped into memory: work on them is deferred as long as nobody here writes the file."""

from __future__ import annotations

import os
import weakref
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._host import host_view

__all__ = ["over_map"]

_File = tuple[int, int]

_read: dict[_File, list[weakref.ref[ndarray]]] = {}
"""Arrays whose file this process does not write, by the file's device and number."""

_written: set[_File] = set()
"""Files that this process has mapped to write."""


def over_map(mapped: Any, mode: str) -> ndarray:
    """Return an array over a map of NumPy's that nobody else holds.

    Work that reads a file is deferred, and so reads each page once. Where this process maps the same file to
    write it, what reads it is computed at the call: else deferred work would see what is written later.
    """
    facts = os.stat(mapped.filename)
    file = (facts.st_dev, facts.st_ino)
    if mode in ("r+", "w+"):
        _written.add(file)
        _core.run_pending()
        for array in _alive(_read.pop(file, [])):
            # As long as the view lives, so does the promise that the array is read at the call.
            weakref.finalize(array, lambda view: None, host_view(array))
    if file in _written:
        return _core.from_dlpack(np.asarray(mapped))
    made = _core.adopt(np.asarray(mapped))
    _read[file] = [*map(weakref.ref, _alive(_read.get(file, []))), weakref.ref(made)]
    return made


def _alive(references: list[weakref.ref[ndarray]]) -> list[ndarray]:
    return [array for array in (reference() for reference in references) if array is not None]
