"""What other libraries are told about arrays once both they and Cuprum are imported, in either order.

Nothing of another library is imported here. A part of it that is loaded already is told at once; one that is
loaded later, right after its own code has run.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:
    # The import system asks for the methods alone, and `importlib.abc` imports much.
    Loader = MetaPathFinder = object

__all__ = ["watch"]

_WATCHED = {
    "dask.array.backends": ("cuprum.dask._tables", "register"),
    "dask.sizeof": ("cuprum.dask._sizes", "register"),
    "dask.tokenize": ("cuprum.dask._tokens", "register"),
    "distributed.protocol": ("cuprum.dask._frames", "register"),
    "distributed.worker": ("cuprum.dask._worker", "register"),
    "matplotlib.cbook": ("cuprum._libraries", "matplotlib_data"),
    "matplotlib.units": ("cuprum._libraries", "matplotlib_units"),
    "pandas.core.algorithms": ("cuprum._libraries", "pandas_values"),
    "pandas.core.common": ("cuprum._libraries", "pandas_keys"),
    "pandas.core.groupby.grouper": ("cuprum._libraries", "pandas_groups"),
    "polars": ("cuprum._libraries", "polars_columns"),
}
"""Modules of other libraries, and the function here that tells them."""


class _Loader(Loader):
    """Loads a module as ever, then tells it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        # From here on the module is its own loader's: `inspect` and `importlib.reload` find what they expect.
        module.__loader__ = spec.loader = self._loader
        self._loader.exec_module(module)
        _tell(module.__name__)


class _Finder(MetaPathFinder):
    """Finds the watched modules where Python does, with a loader that tells them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _WATCHED:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def _tell(name: str) -> None:
    module, function = _WATCHED[name]
    getattr(importlib.import_module(module), function)()


def watch() -> None:
    """Tell the libraries that are loaded, and each of the others once it is."""
    for name in _WATCHED:
        loaded = sys.modules.get(name)
        # One that is being loaded by another thread, or further up this one's stack, has not run yet.
        if loaded is not None and not getattr(loaded.__spec__, "_initializing", False):
            _tell(name)
    sys.meta_path.insert(0, _Finder())
