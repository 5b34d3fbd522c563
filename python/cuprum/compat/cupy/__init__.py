"""The module that `import cupy` gives: Cuprum's names, and the version of CuPy whose interface they have."""

from __future__ import annotations

from typing import Any as _Any

import cuprum as _cuprum
from cuprum import *  # noqa: F403

__version__ = f"14.2.0+cuprum.{_cuprum.__version__}"
__all__ = list(_cuprum.__all__)


def __getattr__(name: str) -> _Any:
    """Find submodules, and what was not there yet when this module was made."""
    if not name.startswith("_"):
        try:
            return getattr(_cuprum, name)
        except AttributeError:
            pass
    raise AttributeError(f"module 'cupy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return dir(_cuprum)
