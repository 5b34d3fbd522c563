"""The module that `import cupyx.scipy` gives: `cuprum.scipy`, with CuPy's ways where SciPy has others."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

import cuprum.scipy as _scipy

_SUBMODULES = ("linalg", "signal", "spatial")
"""Modules in which CuPy and SciPy differ; the others are those of `cuprum.scipy`."""

__all__ = ["get_array_module"]


def get_array_module(*args: _Any) -> _Any:
    """Return the module whose functions take the arguments: SciPy's for NumPy arrays, else this one.

    Parameters
    ----------
    *args : object
        The arguments.

    Returns
    -------
    module

    Examples
    --------
    >>> from cuprum.compat.cupyx import scipy
    >>> scipy.get_array_module(cp.ones(2)) is scipy
    True
    """
    found = _scipy.get_array_module(*args)
    return _importlib.import_module(__name__) if found is _scipy else found


def __getattr__(name: str) -> _Any:
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_scipy, name)


def __dir__() -> list[str]:
    return sorted({*dir(_scipy), *globals()})
