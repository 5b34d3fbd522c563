"""The module that `import cupy` gives: Cuprum's names, and the version of CuPy whose interface they have."""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
from typing import Any as _Any

import numpy as _np

import cuprum as _cuprum
from cuprum import *  # noqa: F403

from . import _older
from ._host import *  # noqa: F403
from ._older import *  # noqa: F403

__version__ = f"14.2.0+cuprum.{_cuprum.__version__}"
# CuPy has no list of names: `from cupy import *` brings its modules too, and libraries wrap it by that.
_MODULES = ["core", "cublas", "cuda", "exceptions", "fft", "lib", "linalg", "polynomial", "random", "testing"]
_MODULES += ["typing", "util"]
__all__ = [*_cuprum.__all__, *_older.__all__, *_MODULES]  # type: ignore[attr-defined]

# Programs free the pools' blocks by these names too.
_default_memory_pool = _cuprum.get_default_memory_pool()
_default_pinned_memory_pool = _cuprum.get_default_pinned_memory_pool()

_PACKAGE = __name__
_OURS_ALONE = frozenset({"cli", "compat", "dask", "distributed", "jit", "scipy"})
"""Modules of Cuprum that CuPy has not."""
_SUBMODULES = ("_core", "_util", "core", "cublas", "testing", "util")
"""Modules of this package: Cuprum's of the same name stand behind them."""


def array(  # type: ignore[no-redef]
    obj: _Any,
    dtype: _Any = None,
    copy: _Any = True,
    order: _Any = "K",
    subok: _Any = False,
    ndmin: _Any = 0,
    *,
    blocking: _Any = False,
) -> _Any:
    """Return an array, by CuPy's signature: all arguments may be given by their places.

    Parameters
    ----------
    obj : array_like
        The values.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool or None, optional
        Whether to copy always; None where needed, False never: an array that would be copied is an error.
    order : {"K", "A", "C", "F"}, optional
        The order of the elements in memory.
    subok : bool, optional
        Whether subclasses pass through.
    ndmin : int, optional
        The least number of axes.
    blocking : bool, optional
        Taken for compatibility: what comes from the host is taken at once.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from cuprum.compat import cupy
    >>> cupy.array([1, 2], float, True, "C")
    array([1., 2.])
    """
    # What comes from the host is copied in any case, which False does not forbid.
    if copy is False and not isinstance(obj, _cuprum.ndarray):
        copy = None
    return _cuprum.array(obj, dtype, copy=copy, order=_order_on_device(obj, order), subok=subok, ndmin=ndmin)


def _order_on_device(a: _Any, order: _Any) -> _Any:
    """Return the order of the array that is made of `a`.

    What comes from the host lies in C's order, or in Fortran's where it did so, and never keeps other orders
    of its axes: programs give addresses to kernels without a look at the strides.
    """
    return "A" if isinstance(a, _np.ndarray) and order in (None, "K", "k") else order


def asarray(a: _Any, dtype: _Any = None, order: _Any = None, **keywords: _Any) -> _Any:  # type: ignore[no-redef]
    """Return the argument as an array, itself where it already is one.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    order : {"K", "A", "C", "F"}, optional
        The order of the elements in memory. Where there is none, an array from the host lies in C's order, or
        in Fortran's where it did so there.
    **keywords
        `blocking`, and those of `cuprum.asarray`.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from cuprum.compat import cupy
    >>> cupy.asarray(np.zeros((2, 3, 4)).transpose(1, 0, 2)).flags.c_contiguous
    True
    """
    return _cuprum.asarray(a, dtype, _order_on_device(a, order), **keywords)


def asanyarray(a: _Any, dtype: _Any = None, order: _Any = None, **keywords: _Any) -> _Any:  # type: ignore[no-redef]
    """Return the argument as an array; the same as `asarray`.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    order : {"K", "A", "C", "F"}, optional
        The order of the elements in memory.
    **keywords
        `blocking`, and those of `cuprum.asanyarray`.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from cuprum.compat import cupy
    >>> cupy.asanyarray([1.5, 2])
    array([1.5, 2. ])
    """
    return _cuprum.asanyarray(a, dtype, _order_on_device(a, order), **keywords)


def get_array_module(*args: _Any) -> _Any:  # type: ignore[no-redef]
    """Return this module for arrays of Cuprum and NumPy for anything else, so that `xp is cupy` holds.

    Parameters
    ----------
    *args : object
        The arrays.

    Returns
    -------
    module

    Examples
    --------
    >>> from cuprum.compat import cupy
    >>> cupy.get_array_module(cp.arange(3)) is cupy
    True
    """
    found = _cuprum.get_array_module(*args)
    return _sys.modules[_PACKAGE] if found is _cuprum else found


def __getattr__(name: str) -> _Any:
    """Find submodules, this package's own among them."""
    if name in _SUBMODULES:
        own = "_core" if name == "core" else name
        return _importlib.import_module(f"{_PACKAGE}.{own}")
    if not name.startswith("_"):
        try:
            return getattr(_cuprum, name)
        except AttributeError:
            pass
    raise AttributeError(f"module 'cupy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*dir(_cuprum), *_older.__all__, *_SUBMODULES} - _OURS_ALONE)
