"""CUB, as far as CuPy's programs ask for it: Cuprum sorts, sums and scans by kernels of its own.

`available` is what CuPy's programs ask for before they use the library.
"""

from __future__ import annotations

from typing import Any

__all__ = ["available"]

available: bool = True


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"cuprum.cuda.cub has no {name!r}: use the functions of cuprum, or cub:: in the text of a RawKernel"
    )
