"""Cuprum in Dask: chunks of Dask arrays, results that travel between workers, the workers themselves.

`dask.config.set({"array.backend": "cuprum"})` makes Dask create its arrays of Cuprum's; arrays that a program
puts into Dask by itself (`da.from_array`, `map_blocks`) need no setting. Dask's tables of functions, its
sizes, tokens and serialisers know Cuprum's arrays as soon as both libraries are imported.

Workers whose process imports Cuprum are set up by `dask_setup`. `dask worker --preload cuprum.dask` does it
before the first task comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._host import host_view
from ._worker import dask_setup, dask_teardown

if TYPE_CHECKING:
    from ._backend import CuprumBackendEntrypoint as CuprumBackendEntrypoint
    from ._spill import DeviceSpillBuffer as DeviceSpillBuffer

__all__ = ["dask_setup", "dask_teardown", "host_view"]

_LATER = {"CuprumBackendEntrypoint": "_backend", "DeviceSpillBuffer": "_spill"}
"""Classes that stand on Dask's own, by their modules: imported when they are asked for."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
