"""Functions of Dask without a table, which know NumPy's chunks, or CuPy's by the name of the class.

With Cuprum's chunks they would go through NumPy or SciPy on the host. Each is replaced by one that asks for
the class first and leaves all other chunks to Dask.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import cuprum

from .._core import ndarray

__all__ = ["register"]


def _scipy_linalg(before: Callable[..., Any]) -> Callable[..., Any]:
    """`scipy.linalg`'s functions inside a task."""

    @functools.wraps(before)
    def scipy_linalg_safe(func_name: str, *args: Any, **kwargs: Any) -> Any:
        if isinstance(args[0], ndarray):
            return getattr(importlib.import_module("cuprum.scipy.linalg"), func_name)(*args, **kwargs)
        return before(func_name, *args, **kwargs)

    return scipy_linalg_safe


def _lu_of_block(a: Any) -> Any:
    library = "cuprum.scipy.linalg" if isinstance(a, ndarray) else "scipy.linalg"
    return importlib.import_module(library).lu(a)


def _lu(before: Callable[..., Any]) -> Callable[..., Any]:
    """Block LU: Dask writes SciPy's function into the graph itself."""

    @functools.wraps(before)
    def lu(a: Any) -> Any:
        return tuple(_with_our_lu(part, a._meta) for part in before(a))

    return lu


def _with_our_lu(part: Any, meta: Any) -> Any:
    highlevelgraph = importlib.import_module("dask.highlevelgraph")
    theirs = importlib.import_module("scipy.linalg").lu
    layers, replaced = {}, False
    for name, layer in part.dask.layers.items():
        tasks = dict(layer)
        for key, task in tasks.items():
            if isinstance(task, tuple) and task and task[0] is theirs:
                tasks[key], replaced = (_lu_of_block, *task[1:]), True
            elif getattr(task, "func", None) is theirs:
                task = task.copy()
                task.func, replaced = _lu_of_block, True
                tasks[key] = task
        layers[name] = highlevelgraph.MaterializedLayer(tasks) if replaced else layer
    if not isinstance(meta, ndarray) and not replaced:
        return part
    if not replaced:
        raise NotImplementedError(
            "lu: this version of Dask does not say where it calls SciPy; compute with NumPy's chunks: "
            "a.to_backend('numpy')"
        )
    if isinstance(meta, ndarray):
        meta = cuprum.empty((0, 0), dtype=part.dtype)
    else:
        meta = part._meta
    graph = highlevelgraph.HighLevelGraph(layers, part.dask.dependencies)
    array = importlib.import_module("dask.array")
    return array.Array(graph, part.name, chunks=part.chunks, meta=meta)


def _diagonal(before: Callable[..., Any]) -> Callable[..., Any]:
    """Diagonals without elements: Dask makes them by NumPy."""

    @functools.wraps(before)
    def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        made = before(a, offset, axis1, axis2)
        if made.shape[-1] == 0 and isinstance(made._meta, ndarray):
            return made.map_blocks(cuprum.asarray, dtype=made.dtype, meta=made._meta)
        return made

    return diagonal


def _histogram_of_block(before: Callable[..., Any]) -> Callable[..., Any]:
    """Histograms over several coordinates: Dask leaves each chunk's in a tuple, for NumPy to stack."""

    @functools.wraps(before)
    def histogram(*args: Any) -> Any:
        *coordinates, bins, ranges, weights = args
        if not any(isinstance(one, ndarray) for one in coordinates):
            return before(*args)
        sample = coordinates[0] if before.__name__.endswith("rect") else coordinates
        return cuprum.histogramdd(sample, bins, range=ranges, weights=weights)[0][None]

    return histogram


def _written(before: Callable[..., Any]) -> Callable[..., Any]:
    """Files of other libraries, which take NumPy's arrays."""

    def moved(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: moved(one) for name, one in value.items()}
        return value.to_backend("numpy") if isinstance(getattr(value, "_meta", None), ndarray) else value

    @functools.wraps(before)
    def write(*args: Any, **kwargs: Any) -> Any:
        return before(*map(moved, args), **kwargs)

    return write


def _unmasked(before: Callable[..., Any]) -> Callable[..., Any]:
    """Functions that make masked arrays, of NumPy's: chunks would leave their device without a word."""

    @functools.wraps(before)
    def mask(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(getattr(one, "_meta", one), ndarray) for one in (*args, *kwargs.values())):
            raise TypeError(
                f"{before.__name__}: Cuprum has no masked arrays: use where, or NaN for what is missing, or "
                "NumPy's chunks (to_backend('numpy'))"
            )
        return before(*args, **kwargs)

    return mask


def _created(before: Callable[..., Any]) -> Callable[..., Any]:
    """Creation functions that Dask has no entry for: NumPy's chunks, moved."""

    @functools.wraps(before)
    def create(*args: Any, **kwargs: Any) -> Any:
        made = before(*args, **kwargs)
        if importlib.import_module("dask.array.backends").array_creation_dispatch.backend != "cuprum":
            return made
        if isinstance(made, tuple):  # linspace(..., retstep=True)
            return made[0].to_backend("cuprum"), *made[1:]
        return made.to_backend("cuprum")

    return create


def register() -> None:
    """Replace these functions, once."""
    for names, attribute, wrapper in (
        (("dask.array.utils",), "scipy_linalg_safe", _scipy_linalg),
        (("dask.array.linalg",), "lu", _lu),
        (("dask.array.creation", "dask.array"), "diagonal", _diagonal),
        (("dask.array.routines",), "_block_histogramdd_rect", _histogram_of_block),
        (("dask.array.routines",), "_block_histogramdd_multiarg", _histogram_of_block),
        (("dask.array.core", "dask.array"), "to_zarr", _written),
        (("dask.array.core", "dask.array"), "to_hdf5", _written),
        (("dask.array.creation", "dask.array"), "linspace", _created),
        (("dask.array.creation", "dask.array"), "eye", _created),
    ):
        _replace(names, attribute, wrapper)
    masked = importlib.import_module("dask.array.ma")
    for attribute in vars(masked).copy():
        if attribute.startswith("masked_") or attribute == "fix_invalid":
            _replace(("dask.array.ma",), attribute, _unmasked)


def _replace(names: tuple[str, ...], attribute: str, wrapper: Callable[..., Any]) -> None:
    modules = [importlib.import_module(name) for name in names]
    before = getattr(modules[0], attribute, None)
    if before is None or getattr(before, "_cuprum", False):
        return  # another release of Dask, or told before
    made = wrapper(before)
    made._cuprum = True
    for module in modules:
        setattr(module, attribute, made)
