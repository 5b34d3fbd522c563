"""`cupy._core._accelerator`: which libraries CuPy computes with. Cuprum's own kernels do the work: what is
set here is kept for programs that ask, and changes no result.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

__all__ = [
    "ACCELERATOR_CUB",
    "ACCELERATOR_CUTENSOR",
    "ACCELERATOR_CUTENSORNET",
    "get_elementwise_accelerators",
    "get_reduction_accelerators",
    "get_routine_accelerators",
    "set_elementwise_accelerators",
    "set_reduction_accelerators",
    "set_routine_accelerators",
]

ACCELERATOR_CUB, ACCELERATOR_CUTENSOR, ACCELERATOR_CUTENSORNET = 1, 2, 3
_NAMES = {
    "cub": ACCELERATOR_CUB,
    "cutensor": ACCELERATOR_CUTENSOR,
    "cutensornet": ACCELERATOR_CUTENSORNET,
}
_given = [name for name in os.environ.get("CUPY_ACCELERATORS", "cub").split(",") if name]


def _numbers(accelerators: Iterable[str | int]) -> list[int]:
    found = []
    for one in accelerators:
        if isinstance(one, str) and one not in _NAMES:
            raise ValueError(f"Unknown accelerator: {one}")
        found.append(_NAMES[one] if isinstance(one, str) else int(one))
    return found


_set = {what: _numbers(_given) for what in ("elementwise", "reduction", "routine")}


def set_elementwise_accelerators(accelerators: Iterable[str | int]) -> None:
    """Keep the accelerators of elementwise kernels."""
    _set["elementwise"] = _numbers(accelerators)


def set_reduction_accelerators(accelerators: Iterable[str | int]) -> None:
    """Keep the accelerators of reductions."""
    _set["reduction"] = _numbers(accelerators)


def set_routine_accelerators(accelerators: Iterable[str | int]) -> None:
    """Keep the accelerators of other functions."""
    _set["routine"] = _numbers(accelerators)


def get_elementwise_accelerators() -> list[int]:
    """Return the accelerators of elementwise kernels."""
    return list(_set["elementwise"])


def get_reduction_accelerators() -> list[int]:
    """Return the accelerators of reductions."""
    return list(_set["reduction"])


def get_routine_accelerators() -> list[int]:
    """Return the accelerators of other functions."""
    return list(_set["routine"])
