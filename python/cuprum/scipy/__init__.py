"""What SciPy offers for arrays of Cuprum, under SciPy's names: `cupyx.scipy` in CuPy."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

_SUBMODULES = (
    *("fft", "fftpack", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse"),
    *("spatial", "special", "stats"),
)

__all__ = ["get_array_module", *_SUBMODULES]


def get_array_module(*args: _Any) -> _Any:
    """Return the module whose functions take the arguments: SciPy's for NumPy arrays, else this one.

    Parameters
    ----------
    *args : object
        The arguments.

    Returns
    -------
    module
        `cuprum.scipy` where one of them is an array of Cuprum, dense or sparse, else `scipy`.

    Examples
    --------
    >>> import cuprum.scipy
    >>> cuprum.scipy.get_array_module(cp.ones(2)).__name__
    'cuprum.scipy'
    """
    import cuprum

    if cuprum.get_array_module(*args) is cuprum:
        return _importlib.import_module(__name__)
    return _importlib.import_module("scipy")


def __getattr__(name: str) -> _Any:
    """Import submodules when they are first named."""
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    there = ", ".join(_SUBMODULES)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}: its modules are {there}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
