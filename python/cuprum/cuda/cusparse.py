"""cuSPARSE: sparse matrices have kernels of their own.

`available` is what CuPy's programs ask for before they use the library.
"""

from __future__ import annotations

from typing import Any

__all__ = ["available"]

available: bool = False


def __getattr__(name: str) -> Any:
    raise AttributeError(f"cuprum.cuda.cusparse has no {name!r}: use cuprum.scipy.sparse")
