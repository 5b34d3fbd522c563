"""cuTENSOR, as far as CuPy's programs ask for it: Cuprum contracts tensors by matrix products of its own.

`available` is what CuPy's programs ask for before they use the library: it is False, and they go another way.
"""

from __future__ import annotations

from typing import Any

__all__ = ["available"]

available: bool = False


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"cuprum.cuda.cutensor has no {name!r}: use cuprum.einsum, cuprum.tensordot, cuprum.matmul"
    )
