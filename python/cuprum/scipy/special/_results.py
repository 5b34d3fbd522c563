"""The results of functions that are made of ufuncs: into the caller's array where there is one."""

from __future__ import annotations

from typing import Any

from ... import _core
from ..._core import ndarray

PARTS = _core.ufuncs("part")


def into(out: Any, value: Any) -> Any:
    """Return `value`, or `out` with it."""
    if out is None:
        return value
    _core.copyto(out, value, casting="same_kind")
    return out


def several(name: str, x: tuple[Any, ...], parts: tuple[str, ...], out: Any) -> tuple[ndarray, ...]:
    """Return the results of several ufuncs of the same arguments, into `out` where it is given."""
    if out is None:
        out = (None,) * len(parts)
    if not isinstance(out, tuple) or len(out) != len(parts):
        raise ValueError(f"{name}: out must be a tuple of {len(parts)} arrays")
    return tuple(PARTS[part](*x, out=place) for part, place in zip(parts, out, strict=True))
