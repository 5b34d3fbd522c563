"""What SciPy offers for arrays of Cuprum, under SciPy's names: `cupyx.scipy` in CuPy."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

_SUBMODULES = ("fft", "fftpack", "linalg", "ndimage", "signal", "special")

__all__ = list(_SUBMODULES)


def __getattr__(name: str) -> _Any:
    """Import submodules when they are first named."""
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
