"""Worker processes that `multiprocessing` starts begin as their parent did, with the names installed."""

from __future__ import annotations

import importlib.machinery
from collections.abc import Callable
from types import ModuleType
from typing import Any

Install = Callable[[], None]


class _Call:
    """Calls a function where it is unpickled: in the worker, before its main program is imported."""

    def __init__(self, function: Install) -> None:
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        return (self._function, ())


def tell(spawn: ModuleType | None, install: Install | None) -> None:
    """Let the workers that `multiprocessing.spawn` starts from now on call `install`; None lets them be."""
    if spawn is None:
        return
    plain = getattr(spawn.get_preparation_data, "plain", spawn.get_preparation_data)
    if install is None:
        spawn.get_preparation_data = plain  # type: ignore[attr-defined]
        return

    def get_preparation_data(name: str) -> dict[str, Any]:
        # Workers ignore entries that they do not know; reading this one is all that is needed.
        return {**plain(name), "cuprum": _Call(install)}

    get_preparation_data.plain = plain  # type: ignore[attr-defined]
    spawn.get_preparation_data = get_preparation_data  # type: ignore[attr-defined]


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads `multiprocessing.spawn` as ever, then changes what it tells its workers."""

    install: Install

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        tell(module, self.install)


def spec_that_tells(install: Install) -> importlib.machinery.ModuleSpec | None:
    """Return the spec of `multiprocessing.spawn` whose workers will call `install`."""
    import multiprocessing

    name = "multiprocessing.spawn"
    spec = importlib.machinery.PathFinder.find_spec(name, multiprocessing.__path__)
    if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
        return None
    loader = _Loader(name, spec.loader.path)
    loader.install = install
    spec.loader = loader
    return spec
