"""The pytest plugin for CuPy's own tests: its test helpers, and stand-ins for its private modules.

The helpers (`cupy.testing`) are CuPy's own, from its source. Test files import private modules of CuPy at
their top, though most of their tests use public names alone: such a module is a stand-in here, and a test
that makes use of it raises `PrivateName`, by which it is counted as a test of CuPy's internals.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

MODULES = (
    "cupy._core._cub_reduction",
    "cupy._core._fusion_trace",
    "cupy._core._gufuncs",
    "cupy._core._optimize_config",
    "cupy._core._routines_linalg",
    "cupy._core._routines_math",
    "cupy._core._routines_statistics",
    "cupy._core.flags",
    "cupy._core.new_fusion",
    "cupy._creation",
    "cupy._creation.from_data",
    "cupy._environment",
    "cupy._indexing",
    "cupy._indexing.generate",
    "cupy.cublas",
    "cupy.cuda._compiler_cache",
    "cupy.cuda.cufft",
    "cupy.cuda.cutensor",
    "cupy.cuda.nvrtc",
    "cupy.fft._fft",
    "cupy.linalg._util",
    "cupy.random._bit_generator",
    "cupy.random._distributions",
    "cupy.random._generator",
    "cupy.random._sample",
    "cupy_backends.cuda.libs",
    "cupy_backends.cuda.libs.cusparse",
    "cupy_backends.cuda.libs.nvrtc",
    "cupyx.cusolver",
    "cupyx.cusparse",
    "cupyx.cutensor",
    "cupyx.distributed._nccl_comm",
    "cupyx.distributed._store",
    "cupyx.distributed.array._index_arith",
    "cupyx.lapack",
    "cupyx.profiler._time",
    "cupyx.scipy.interpolate._rbfinterp",
    "cupyx.scipy.linalg._uarray",
    "cupyx.scipy.ndimage._util",
    "cupyx.scipy.signal._iir_filter_conversions",
    "cupyx.scipy.signal._iir_utils",
    "cupyx.scipy.signal._polyutils",
    "cupyx.scipy.signal._savitzky_golay",
    "cupyx.scipy.signal._upfirdn",
    "cupyx.tools",
)
"""What CuPy's tests import: its private modules, and its undocumented layers over NVIDIA's libraries."""

ATTRIBUTES: dict[str, dict[str, Any]] = {
    "cupy.cuda.compiler": {"_get_nvrtc_version": lambda: (12, 9)},
    "cupy.cuda.driver": {"_is_cuda_python": lambda: False},
    "cupy.cuda.runtime": {"_getLocalRuntimeVersion": lambda: 12090},
    "cupyx.scipy": {"_scipy_available": True},
    "cupy._util": {"ENABLE_SLICE_COPY": False, "CUDA_ARRAY_INTERFACE_EXPORT_VERSION": 3},
}
"""Private names that tests ask for while they are collected, with the values that let them run."""

collecting = True


class PrivateName(BaseException):
    """A test makes use of a private name of CuPy. No test catches it by `except Exception`."""


class StandIn(ModuleType):
    """Stands for a private module and all that is in it; using it while a test runs raises `PrivateName`.

    What the public package has by the same name is found there.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        public = sys.modules[self.__name__.partition("._")[0]]
        if not name.startswith("_") and "._" in self.__name__ and hasattr(public, name):
            return getattr(public, name)
        if name == "available":
            return False
        if name == "check_availability":
            return lambda *_: True
        if not collecting:
            raise PrivateName(f"{self.__name__}.{name}")
        inner = StandIn(f"{self.__name__}.{name}")
        setattr(self, name, inner)
        return inner

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not collecting:
            raise PrivateName(self.__name__)
        return True

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """A class that a test derives from a private one has no base."""
        return ()

    def __iter__(self) -> Any:
        """A table of names that parametrises tests: there is nothing to go through."""
        return iter(())


class Generators(StandIn):
    """Stands for `cupy.random._generator`; CuPy's `fix_random` saves and restores its register of states."""

    _random_states = property(lambda self: {}, lambda self, _: None)


class Finder:
    """Finds CuPy's own `cupy.testing` in its source."""

    def __init__(self, source: Path) -> None:
        self.source = source

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name != "cupy.testing" and not name.startswith("cupy.testing."):
            return None
        place = self.source.joinpath(*name.split("."))
        if place.is_dir():
            return importlib.util.spec_from_file_location(
                name, place / "__init__.py", submodule_search_locations=[str(place)]
            )
        return importlib.util.spec_from_file_location(name, place.with_suffix(".py"))


def stand_in(name: str) -> None:
    """Put a stand-in for a module where there is none."""
    try:
        importlib.import_module(name)
    except ImportError:
        pass
    else:
        return
    parent, _, leaf = name.rpartition(".")
    module = (Generators if name == "cupy.random._generator" else StandIn)(name)
    setattr(importlib.import_module(parent), leaf, module)
    sys.modules[name] = module


def pytest_configure(config: pytest.Config) -> None:
    sys.meta_path.insert(0, Finder(Path(os.getcwd())))  # type: ignore[arg-type]
    import cupy

    vars(cupy).pop("testing", None)
    for name in MODULES:
        stand_in(name)
    for name, names in ATTRIBUTES.items():
        module = importlib.import_module(name)
        for attribute, value in names.items():
            if not hasattr(module, attribute):
                setattr(module, attribute, value)
    cupy.testing = importlib.import_module("cupy.testing")


def pytest_collection_finish(session: pytest.Session) -> None:
    global collecting
    collecting = False
