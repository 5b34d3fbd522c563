"""The array backend of the name "cuprum": what Dask's creation functions and random numbers are made by."""

from __future__ import annotations

import importlib
from typing import Any

import cuprum

from .._core import ndarray
from ._tables import rechunk_by_tasks, to_cuprum_dispatch

__all__ = ["CuprumBackendEntrypoint"]

_Base: Any = importlib.import_module("dask.array.backends").ArrayBackendEntrypoint


def _numpys(name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a creation function of Dask's with the NumPy backend, whose chunks follow `meta` or `like`."""
    with importlib.import_module("dask.config").set({"array.backend": "numpy"}):
        return getattr(importlib.import_module("dask.array"), name)(*args, **kwargs)


def _meta() -> ndarray:
    """Return an array like those that chunks will be."""
    meta = cuprum.empty(())
    rechunk_by_tasks(meta)
    return meta


def _with_meta(name: str, *args: Any, meta: Any = None, **kwargs: Any) -> Any:
    return _numpys(name, *args, meta=_meta() if meta is None else meta, **kwargs)


def _bit_generator(seed: Any = None) -> Any:
    """Return a bit generator that was given, or one made from a seed."""
    return seed if isinstance(seed, cuprum.random.BitGenerator) else cuprum.random.Philox(seed)


class CuprumBackendEntrypoint(_Base):  # type: ignore[misc]
    """Makes Dask's arrays of Cuprum's chunks.

    Dask finds it by its entry point, `dask.array.backends`, under the name "cuprum".
    """

    @classmethod
    def to_backend_dispatch(cls) -> Any:
        """Return the table of functions that move a chunk here."""
        return to_cuprum_dispatch()

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """Return an array with Cuprum's chunks: itself where it has them."""
        _meta()
        return data if isinstance(data._meta, ndarray) else data.map_blocks(to_cuprum_dispatch(), **kwargs)

    @property
    def RandomState(self) -> Any:  # noqa: N802 - Dask's name
        """The class behind `da.random.RandomState`."""
        return cuprum.random.RandomState

    @property
    def default_bit_generator(self) -> Any:
        """What makes the bit generator of `da.random.default_rng`."""
        return _bit_generator

    @staticmethod
    def ones(*args: Any, **kwargs: Any) -> Any:
        """Return an array of ones."""
        return _with_meta("ones", *args, **kwargs)

    @staticmethod
    def zeros(*args: Any, **kwargs: Any) -> Any:
        """Return an array of zeros."""
        return _with_meta("zeros", *args, **kwargs)

    @staticmethod
    def empty(*args: Any, **kwargs: Any) -> Any:
        """Return an array of uninitialised elements."""
        return _with_meta("empty", *args, **kwargs)

    @staticmethod
    def full(*args: Any, **kwargs: Any) -> Any:
        """Return an array of one value."""
        return _with_meta("full", *args, **kwargs)

    @staticmethod
    def arange(*args: Any, like: Any = None, **kwargs: Any) -> Any:
        """Return evenly spaced values."""
        return _numpys("arange", *args, like=_meta() if like is None else like, **kwargs)
