"""Thrust: sorts of the device are kernels of Cuprum's own, so that programs which ask find them.

`available` is what CuPy's programs ask for before they use the library.
"""

from __future__ import annotations

from typing import Any

__all__ = ["available"]

available: bool = True


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"cuprum.cuda.thrust has no {name!r}: use cuprum.sort, cuprum.argsort, cuprum.lexsort"
    )
