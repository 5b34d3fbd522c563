"""Keeps other finders of modules away from the modules of this package.

The package numba-cuda brings a finder for every module whose name contains `numba.cuda`. It takes those below
`cuprum.compat.numba` for its own, and asks itself for them without end.
"""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_PACKAGE = __name__.rpartition(".")[0]


class _OwnModules(importlib.abc.MetaPathFinder):
    """Finds the modules below this package where their files are, and no others."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{_PACKAGE}."):
            return None
        return PathFinder.find_spec(fullname, path, target)


def stand_first() -> None:
    """Ask for this package's modules before finders that would take them for Numba's."""
    if any(type(finder).__module__ == "_numba_cuda_redirector" for finder in sys.meta_path):
        sys.meta_path.insert(0, _OwnModules())
