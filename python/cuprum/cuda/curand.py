"""cuRAND: random numbers come from Cuprum's own generators.

`available` is what CuPy's programs ask for before they use the library.
"""

from __future__ import annotations

from typing import Any

__all__ = ["available"]

available: bool = False


def __getattr__(name: str) -> Any:
    raise AttributeError(f"cuprum.cuda.curand has no {name!r}: use cuprum.random")
