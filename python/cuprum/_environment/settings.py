"""NumPy's settings of its ufuncs, the headers of kernels, and a test of the installation."""

from __future__ import annotations

import atexit
import contextvars
import functools
import importlib
import pathlib
import sys
from typing import Any

import numpy as np
from numpy import geterrcall, seterrcall

from .. import _core

__all__ = ["get_include", "getbufsize", "geterrcall", "setbufsize", "seterrcall", "test"]

_buffer_size = contextvars.ContextVar("buffer size", default=8192)
_MODULES = ("", "linalg", "fft", "random", "testing")


def getbufsize() -> int:
    """Return the size that `setbufsize` has set.

    Examples
    --------
    >>> cp.getbufsize()
    8192
    """
    return _buffer_size.get()


def setbufsize(size: int) -> int:
    """Set the size of NumPy's ufunc buffers, in elements, and return the one before.

    Cuprum converts elements in blocks of its own: programs can set and read the size, and nothing depends on
    it.

    Examples
    --------
    >>> before = cp.setbufsize(4096)
    >>> cp.setbufsize(before)
    4096
    """
    if not isinstance(size, (int, np.integer)) or isinstance(size, bool):
        raise TypeError(f"setbufsize: size must be an integer, got {type(size).__name__}")
    if size < 5:
        raise ValueError(f"setbufsize: size must be at least 5, got {size}")
    before = _buffer_size.get()
    _buffer_size.set(int(size))
    return before


def get_include() -> str:
    """Return a folder with the headers of CuPy's that kernels include, such as `cupy/carray.cuh`.

    The folder is made when it is first asked for and goes when the program ends.

    Examples
    --------
    >>> import os
    >>> "carray.cuh" in os.listdir(os.path.join(cp.get_include(), "cupy"))
    True
    """
    return _header_folder()


@functools.cache
def _header_folder() -> str:
    import tempfile

    folder = tempfile.TemporaryDirectory(prefix="cuprum-include-")
    atexit.register(folder.cleanup)
    for name, text in _core.kernel_headers():
        if name.startswith("cupy/"):
            path = pathlib.Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder.name


def test(
    label: str = "fast",
    verbose: int = 1,
    extra_argv: Any = None,
    doctests: bool = True,
    coverage: bool = False,
    durations: int = -1,
    tests: Any = None,
) -> bool:
    """Run the examples of the documentation on this machine; return whether all give what they show.

    Parameters
    ----------
    label : {'fast', 'full'}, optional
        'fast' runs those of the functions of arrays, 'full' those of the whole package.
    verbose : int, optional
        Whether a line is printed for each module that is tested.
    tests : sequence of str, optional
        The modules to test, such as ``['cuprum.linalg']``.
    extra_argv, doctests, coverage, durations
        Accepted for NumPy's sake.

    Examples
    --------
    >>> cp.test(tests=["cuprum.exceptions"], verbose=0)
    True
    """
    if label not in ("fast", "full"):
        raise ValueError(f"test: label must be 'fast' or 'full', got {label!r}")
    import doctest  # a hundredth of a second, which only this needs

    package = importlib.import_module("cuprum")
    names = [f"cuprum.{name}".rstrip(".") for name in _MODULES] if tests is None else list(tests)
    if tests is None and label == "full":
        names += sorted(name for name in sys.modules if name.startswith("cuprum.") and name not in names)
    finder, failed, seen = doctest.DocTestFinder(recurse=False), 0, set()
    for name in names:
        module = importlib.import_module(name)
        shown = getattr(module, "__all__", [])
        found = [getattr(module, one, None) for one in shown]
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        for thing in found:
            if thing is None or id(thing) in seen or not getattr(thing, "__doc__", None):
                continue
            seen.add(id(thing))
            globs = {"cp": package, "np": np}
            for case in finder.find(thing, getattr(thing, "__name__", name), module=False, globs=globs):
                runner.run(case)
        failed += runner.failures
        if verbose:
            print(f"{name}: {runner.tries} examples, {runner.failures} failed")
    return failed == 0
