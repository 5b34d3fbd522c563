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
from typing import Any

import pytest
from library_suites_standins import StandIn, end_of_collection

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


class KernelCache:
    """A cache of compiled kernels in a folder: tests make one, and what they compile is kept elsewhere."""

    def __init__(self, path: Any = None) -> None:
        self.path = path


ATTRIBUTES: dict[str, dict[str, Any]] = {
    "cupy.cuda.compiler": {
        "_get_nvrtc_version": lambda: (12, 9),
        "_empty_file_preprocess_cache": {},
        "_get_bool_env_variable": lambda name, default: default,
        "_kernel_cache_backend": None,
        "_run_cc": lambda *_: "release 12.9",
    },
    "cupy.cuda.driver": {"_is_cuda_python": lambda: False},
    "cupy.cuda._compiler_cache": {"DiskKernelCacheBackend": KernelCache},
    "cupy.cuda.cusolver": {"_getVersion": lambda: (11, 7, 0)},
    "cupy.cuda.memory": {"_malloc": StandIn("cupy.cuda.memory._malloc")},
    "cupy._core": {"create_reduction_func": StandIn("cupy._core.create_reduction_func")},
    "cupy.cuda.runtime": {"_getLocalRuntimeVersion": lambda: 12090},
    "cupyx.scipy": {"_scipy_available": True},
    "cupy._util": {"ENABLE_SLICE_COPY": False, "CUDA_ARRAY_INTERFACE_EXPORT_VERSION": 3},
}
"""Private names that tests ask for while they are collected, with the values that let them run."""


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


MEMORY_LIMIT = 8 * 2**30

CHILD = """\
import os

if os.environ.get("LIBRARY_SUITE_CHILD"):
    import cuprum.compat

    cuprum.compat.install()
"""
"""What an interpreter that a test starts runs first: it is on Cuprum too, as if under `cuprum run`."""


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
    # This file has been copied into a folder of Python's path.
    Path(__file__).with_name("sitecustomize.py").write_text(CHILD, encoding="utf-8")
    os.environ["LIBRARY_SUITE_CHILD"] = "1"
    # A test file asks nvcc for its version while it is collected.
    os.environ.setdefault("NVCC", "nvcc")
    sys.meta_path.insert(0, Finder(Path(os.getcwd())))  # type: ignore[arg-type]
    import cupy

    vars(cupy).pop("testing", None)
    for name in MODULES:
        stand_in(name)
    for name, names in ATTRIBUTES.items():
        module = importlib.import_module(name)
        for attribute, value in names.items():
            if isinstance(module, StandIn) or not hasattr(module, attribute):
                setattr(module, attribute, value)
    cupy.testing = importlib.import_module("cupy.testing")
    # A test that asks for more fails at once, and does not take the machine's memory.
    cupy.get_default_memory_pool().set_limit(size=MEMORY_LIMIT)


def pytest_collection_finish(session: pytest.Session) -> None:
    end_of_collection()
