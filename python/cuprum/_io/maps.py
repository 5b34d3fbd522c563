"""Arrays over files mapped into memory: work on them is deferred as long as nobody here writes the file."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._creation.from_data import asarray
from .._host import host_view

__all__ = ["over_map", "shared", "watch"]

_File = tuple[int, int]

_read: dict[_File, list[weakref.ref[ndarray]]] = {}
"""Arrays whose file this process does not write, by the file's device and number."""

_written: set[_File] = set()
"""Files that this process has mapped to write."""


def watch(mapping: Any, host: np.ndarray[Any, Any], path: Any) -> None:
    """Let what reads an array over a map raise where its file has become shorter, as long as the map lives.

    Parameters
    ----------
    mapping : mmap.mmap
        The map.
    host : numpy.ndarray
        The array that lies in it.
    path : path
        The path of the file, for the error.
    """
    if host.nbytes:
        watched = _core.WatchedMap(host.ctypes.data, host.nbytes, os.fspath(path))
        weakref.finalize(mapping, watched.end).atexit = False


def shared(host: np.ndarray[Any, Any], take: Callable[[Any], ndarray]) -> ndarray:
    """Return an array over the memory of one of NumPy's, by a function that takes arrays of numbers.

    Dates are taken as their counts, and structures as their bytes; those that lie apart are copied.
    """
    dtype = host.dtype
    if dtype.kind in "mM":
        counts = take(host.view(np.int64))
        return counts.view(dtype)
    if dtype.kind != "V":
        return take(host)
    if not host.size or not host.flags.forc:
        return asarray(host)
    if not host.flags.c_contiguous:
        return shared(host.T, take).T
    data = take(host.reshape(-1).view(np.uint8))
    return data.view(dtype).reshape(host.shape)


def over_map(mapped: Any, mode: str) -> ndarray:
    """Return an array over a map of NumPy's that nobody else holds.

    Work that reads a file is deferred, and so reads each page once. Where this process maps the same file to
    write it, what reads it is computed at the call: else deferred work would see what is written later.
    """
    facts = os.stat(mapped.filename)
    watch(mapped._mmap, mapped, mapped.filename)
    file = (facts.st_dev, facts.st_ino)
    if mode in ("r+", "w+"):
        _written.add(file)
        _core.run_pending()
        for array in _alive(_read.pop(file, [])):
            # As long as the view lives, so does the promise that the array is read at the call.
            weakref.finalize(array, lambda view: None, host_view(array))
    if file in _written:
        return shared(np.asarray(mapped), _core.from_dlpack)
    made = shared(np.asarray(mapped), _core.adopt)
    _read[file] = [*map(weakref.ref, _alive(_read.get(file, []))), weakref.ref(_numbers(made))]
    return made


def _numbers(array: Any) -> ndarray:
    """Return the array of numbers that an array of dates or structures is made of; any other is itself."""
    numbers: ndarray = getattr(array, "_bytes", array)
    return numbers


def _alive(references: list[weakref.ref[ndarray]]) -> list[ndarray]:
    return [array for array in (reference() for reference in references) if array is not None]
