"""Other libraries' names for Cuprum: `install` makes `cupy`, `cupyx`, `pycuda` and `numba.cuda` its modules.

Where Numba itself is installed, the rest of it stays Numba's.

The command `cuprum run script.py` installs them before the script starts. Each library has a row in `_ROOTS`
and, where it needs names that Cuprum itself does not have, a package of its own beside this file.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

from .. import _core
from . import _assignment, _exec_texts, _interface, _workers

__all__ = ["install", "uninstall"]

_SUBMODULES = ("cupyx",)

_ROOTS: dict[str, tuple[str, ...]] = {
    "cupy": ("cuprum.compat.cupy", "cuprum"),
    "cupy.core": ("cuprum.compat.cupy._core",),
    "cupy_backends": ("cuprum.compat.cupy_backends",),
    "cupy_backends.cuda.api": ("cuprum.cuda",),
    "cupy_backends.cuda.libs": ("cuprum.cuda",),
    "cupyx": ("cuprum.compat.cupyx",),
    "cupyx.distributed": ("cuprum.distributed",),
    "cupyx.scipy": ("cuprum.compat.cupyx.scipy", "cuprum.scipy"),
    "numba": ("cuprum.compat.numba",),
    "pycuda": ("cuprum.compat.pycuda",),
}
"""Where the modules of another library are found, by the longest prefix of their names in this table."""

_REPLACED_PARTS = {"numba": "numba.cuda"}
"""Libraries that stay themselves where they are installed, but for this part."""

_OURS_ALONE = frozenset({"cuprum.cli", "cuprum.compat", "cuprum.dask", "cuprum.distributed", "cuprum.scipy"})
"""Modules of Cuprum that are no module of CuPy's of the same name."""


class _Loader(importlib.abc.Loader):
    """Puts a module of Cuprum into `sys.modules` under another library's name."""

    def __init__(self, target: str) -> None:
        self._target = target

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # The import system hands on whatever stands in `sys.modules` after this. The module is shared as it
        # is: giving it the other name's spec would break `importlib.reload` and pickling by Cuprum's names.
        name = module.__name__
        sys.modules[name] = importlib.import_module(self._target)
        _installed_names.add(name)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of other libraries among Cuprum's."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == "multiprocessing.spawn":
            return _workers.spec_that_tells(install)
        found = _translated(fullname)
        if found is None and fullname.startswith("cupyx.") and "._" not in fullname:
            raise ModuleNotFoundError(_names_what_exists(fullname), name=fullname)
        return None if found is None else importlib.machinery.ModuleSpec(fullname, _Loader(found))


_finder = _Finder()
_kept: set[str] = set()
"""Libraries of `_REPLACED_PARTS` that are really installed: only the named part of them is Cuprum's."""
_installed_names: set[str] = set()


def _translated(name: str) -> str | None:
    """Return the name of the module of Cuprum that stands for `name`; None where there is none."""
    first = name.partition(".")[0]
    if first in _kept and not f"{name}.".startswith(f"{_REPLACED_PARTS[first]}."):
        return None
    root = name
    while root not in _ROOTS:
        root, dot, _ = root.rpartition(".")
        if not dot:
            return None
    rest = name[len(root) :]
    # A private module is the one of our own package, never a second copy of it; what is private at the root
    # of Cuprum is none of CuPy's.
    private = any(part.startswith("_") for part in rest.split("."))
    for base in _ROOTS[root]:
        if private and base == "cuprum":
            continue
        candidate = base + rest
        if candidate not in _OURS_ALONE or candidate == base and base != "cuprum":
            try:
                if importlib.util.find_spec(candidate) is not None:
                    return candidate
            except ModuleNotFoundError:
                continue
    return None


def _names_what_exists(name: str) -> str:
    """Return the message for a module of `cupyx` that Cuprum does not have."""
    if not name.startswith("cupyx.scipy."):
        modules = importlib.import_module("cuprum.compat.cupyx")._SUBMODULES
        there = ", ".join(sorted({*modules, "distributed", "scipy"}))
        return f"No module named {name!r}: cupyx is Cuprum's here, which has {there}"
    there = ", ".join(importlib.import_module("cuprum.scipy")._SUBMODULES)
    return f"No module named {name!r}: cupyx.scipy is cuprum.scipy here, which has {there}"


def _is_installed(name: str) -> bool:
    """Whether a library is really there; a folder that happens to have its name is none."""
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None


def _name_arrays(module: str) -> None:
    """Say in which module the class of arrays stands, and how the module that `import cupy` gives is called.

    Programs tell an array, and the module that made it, by these names. The module's spec keeps its own, by
    which `importlib.reload` works.
    """
    from .. import ndarray
    from . import cupy

    setattr(ndarray, "__module__", module)  # noqa: B010
    cupy.__name__ = module if module == "cupy" else f"{__name__}.cupy"


def install() -> None:
    """Make imports of `cupy`, `cupyx`, `pycuda` and `numba.cuda` give Cuprum's modules, in the whole process.

    Submodules and `from` imports are included. A real CuPy that is installed beside Cuprum is hidden; so is
    a real PyCUDA, and of a real Numba its `numba.cuda`.

    Raises
    ------
    RuntimeError
        Where another library of these names has been imported already.

    Examples
    --------
    >>> import cuprum.compat
    >>> cuprum.compat.install()
    >>> import cupy
    >>> from cupyx import scatter_add
    >>> cupy.ndarray is cp.ndarray
    True
    >>> cuprum.compat.uninstall()
    """
    for name in _ROOTS:
        # What stays itself may have been imported; its part that is ours may not.
        name = _REPLACED_PARTS.get(name, name)
        module = sys.modules.get(name)
        if module is not None and name not in _installed_names:
            place = getattr(module, "__file__", None) or "elsewhere"
            raise RuntimeError(f"compat.install: {name} has been imported already, from {place}")
    if _finder not in sys.meta_path:
        _name_arrays("cupy")
        _interface.show()
        _assignment.allow()
        _core.keep_origins(True)
        _exec_texts.keep()
        _kept.clear()
        _kept.update(name for name in _REPLACED_PARTS if _is_installed(name))
        sys.meta_path.insert(0, _finder)
        _workers.tell(sys.modules.get("multiprocessing.spawn"), install)


def uninstall() -> None:
    """Undo `install`: later imports of `cupy` and `cupyx` find what is really there.

    Modules that a program holds already stay Cuprum's.

    Examples
    --------
    >>> import cuprum.compat
    >>> cuprum.compat.install()
    >>> cuprum.compat.uninstall()
    """
    if _finder in sys.meta_path:
        _name_arrays("cuprum")
        _interface.withdraw()
        _assignment.withdraw()
        _core.keep_origins(False)
        _exec_texts.forget()
        sys.meta_path.remove(_finder)
        _workers.tell(sys.modules.get("multiprocessing.spawn"), None)
    while _installed_names:
        sys.modules.pop(_installed_names.pop(), None)
