"""The pytest plugin for Numba's CUDA tests: what they take from its own test helpers, and stand-ins.

`numba.cuda` is Cuprum's. Its test helpers are written here anew, by what tests do with them; modules of the
compiler itself (its passes, its typing rules, its linker) are stand-ins: tests that use one are of internals.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import io
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from library_suites_standins import StandIn, end_of_collection

TESTS = "numba.cuda.tests"
FOLDER = Path(os.getcwd(), "numba_cuda", "numba", "cuda", "tests")


def taken(reason: str) -> Callable[[Any], Any]:
    """A decorator that leaves its test alone: what it would skip on is not so here."""
    return lambda test: test


class ForeignArray:
    """An object that is known by its interface alone."""

    def __init__(self, array: Any) -> None:
        self._arr = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class NumbaTestCase(unittest.TestCase):
    """The assertions that Numba's tests have beside unittest's."""

    FLOAT16_RTOL = 2**-10

    def assertPreciseEqual(
        self, first: Any, second: Any, prec: str = "exact", ulps: int = 1, abs_tol: Any = None, **_: Any
    ) -> None:
        """The values agree, within some units in the last place where that is asked for."""
        one, two = np.asarray(first), np.asarray(second)
        if prec == "exact" or one.dtype.kind not in "fc":
            np.testing.assert_array_equal(one, two)
            return
        # Infinite parts of complex numbers hide how close the others are.
        parts = [(one.real, two.real), (one.imag, two.imag)] if one.dtype.kind == "c" else [(one, two)]
        eps = float(np.finfo(one.dtype if prec == "double" else np.float32).eps)
        least = eps if abs_tol == "eps" else abs_tol or 0
        for got, wanted in parts:
            np.testing.assert_allclose(got, wanted, rtol=ulps * 4 * eps, atol=least)

    @contextlib.contextmanager
    def assertRefCount(self, *objects: Any) -> Iterator[None]:
        counts = [sys.getrefcount(one) for one in objects]
        yield
        assert counts == [sys.getrefcount(one) for one in objects]

    def reset_module_warnings(self, module: Any) -> None:
        """Forget which warnings a module has given."""
        vars(sys.modules.get(module, module)).pop("__warningregistry__", None)

    @contextlib.contextmanager
    def check_warnings(self, messages: Sequence[str], category: Any = RuntimeWarning) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        found = [str(one.message) for one in caught if issubclass(one.category, category)]
        assert all(any(message in text for text in found) for message in messages), found

    def run_test_in_subprocess(self, *_: Any, **__: Any) -> None:
        pytest.skip("tests that start themselves anew")


class ContextResettingTestCase(NumbaTestCase):
    def tearDown(self) -> None:
        importlib.import_module("numba.cuda").close()


class CUDATestCase(NumbaTestCase):
    def skip_if_lto(self, reason: str) -> None:
        """Nothing is linked here."""


class Mixin:
    """What classes of tests inherit for how they run: one after the other, with memory counted."""


@contextlib.contextmanager
def captured_stdout() -> Iterator[io.StringIO]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        yield out


@contextlib.contextmanager
def captured_stderr() -> Iterator[io.StringIO]:
    out = io.StringIO()
    with contextlib.redirect_stderr(out):
        yield out


@contextlib.contextmanager
def captured_cuda_stdout() -> Iterator[Any]:
    """What kernels print, by way of the process's own output."""
    out = io.StringIO()
    sys.stdout.flush()
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            with contextlib.redirect_stdout(out):
                yield out
                importlib.import_module("numba.cuda").synchronize()
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        out.write(file.read().decode())


@contextlib.contextmanager
def override_config(name: str, value: Any) -> Iterator[None]:
    config = importlib.import_module("numba.cuda.config")
    before = getattr(config, name, None)
    setattr(config, name, value)
    try:
        yield
    finally:
        setattr(config, name, before)


def run_in_subprocess(code: str, flags: Sequence[str] = (), env: Any = None, timeout: int = 60) -> Any:
    command = [sys.executable, "-m", "cuprum", "run", *flags, "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, timeout=timeout, check=True)
    return done.stdout, done.stderr


HELPERS: dict[str, Any] = {
    "unittest": unittest,
    "CUDATestCase": CUDATestCase,
    "NumbaCUDATestCase": CUDATestCase,
    "DeprecatedCUDATestCase": CUDATestCase,
    "ContextResettingTestCase": ContextResettingTestCase,
    "TestCase": NumbaTestCase,
    "SerialMixin": Mixin,
    "MemoryLeakMixin": Mixin,
    "ForeignArray": ForeignArray,
    "captured_stdout": captured_stdout,
    "captured_stderr": captured_stderr,
    "captured_cuda_stdout": captured_cuda_stdout,
    "override_config": override_config,
    "run_in_subprocess": run_in_subprocess,
    "skip_unless_cudasim": lambda reason: unittest.skip(reason),
    "xfail_unless_cudasim": unittest.expectedFailure,
    "linux_only": lambda test: test,
    "skip_unless_cuda_python": taken,
    "cc_X_or_above": lambda *_: True,
    "skip_if_lto": taken,
}


class Helpers(ModuleType):
    """A module of Numba's test helpers: a name that begins with skip_ skips nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in HELPERS:
            return HELPERS[name]
        if name.startswith(("skip_", "xfail_")):
            # Bare or with a reason.
            return lambda given: given if callable(given) else (lambda test: test)
        return StandIn(f"{self.__name__}.{name}")


class Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        is_helper = spec.name.startswith(TESTS) or spec.name == "numba.cuda.testing"
        module = (Helpers if is_helper else StandIn)(spec.name)
        # The modules beside the tests are what they are.
        inner = spec.name[len(TESTS) :].strip(".").split(".")
        module.__path__ = [str(FOLDER.joinpath(*inner))] if spec.name.startswith(TESTS) else []
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: a stand-in makes its names when they are asked for."""


class HelperFinder(importlib.abc.MetaPathFinder):
    """Comes first: Numba's own helpers need its compiler."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in (f"{TESTS}.support", "numba.cuda.testing"):
            return None
        return importlib.machinery.ModuleSpec(name, Loader(), is_package=True)


class Finder(importlib.abc.MetaPathFinder):
    """Comes last: what nobody has of `numba.cuda`, and of NVIDIA's bindings, is a helper or a stand-in."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith(("numba.cuda.", "cuda.core", "cuda.bindings")) and name != "cuda":
            return None
        return importlib.machinery.ModuleSpec(name, Loader(), is_package=True)


def missing(name: str) -> Callable[..., Any]:
    """Stand for a public function that is not there, so that the other tests of a file are collected."""

    def raises(*_: Any, **__: Any) -> Any:
        raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}")

    return raises


INNER = {
    "core": ("rewrites", "ir", "ir_utils", "tracing", "funcdesc", "sigutils", "postproc"),
    "cudadrv.driver": ("driver", "_have_nvjitlink"),
    "np.numpy_support": ("carray", "farray"),
    "": ("cgutils", "descriptor", "launchconfig", "compiler", "utils", "codegen", "deviceufunc"),
}
"""Names of the compiler in modules that are Cuprum's, which tests import at their top."""


def pytest_configure(config: pytest.Config) -> None:
    sys.meta_path.insert(0, HelperFinder())
    sys.meta_path.append(Finder())
    cuda = importlib.import_module("numba.cuda")
    for name in (
        "compile",
        "compile_ptx",
        "compile_all",
        "compile_for_current_device",
        "compile_ptx_for_current_device",
    ):
        if not hasattr(cuda, name):
            setattr(cuda, name, missing(name))
    importlib.import_module("numba.cuda.utils").PYVERSION = sys.version_info[:2]
    numbers = [int(part) for part in np.__version__.split(".")[:2]]
    importlib.import_module("numba.cuda.np.numpy_support").numpy_version = tuple(numbers)
    for inner, names in INNER.items():
        module = importlib.import_module(f"numba.cuda.{inner}".strip("."))
        for name in names:
            if not hasattr(module, name):
                setattr(module, name, StandIn(f"{module.__name__}.{name}"))
    # Tests start other interpreters: those have Cuprum for CUDA, too.
    place = Path(tempfile.mkdtemp())
    text = "import cuprum.compat\ncuprum.compat.install()\n"
    (place / "sitecustomize.py").write_text(text, encoding="utf-8")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(place), os.environ.get("PYTHONPATH", "")])


def pytest_collection_finish(session: pytest.Session) -> None:
    end_of_collection()
