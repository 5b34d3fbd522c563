"""Which of several signatures fits arguments best."""

from __future__ import annotations

from collections.abc import Sequence

from ._types import Array, Pointer, Scalar, Type, can_cast

__all__ = ["fitting"]

_UNSAFE, _SAFE, _WIDER, _SAME = range(4)


def fitting(given: tuple[Type, ...], signatures: Sequence[tuple[Type, ...]]) -> list[int]:
    """Return the numbers of the signatures that need the least conversion; several where they are equal.

    Conversions that may lose something count most, then those to another kind of number, then those to more
    bits.
    """
    best: tuple[int, ...] | None = None
    found: list[int] = []
    for number, kinds in enumerate(signatures):
        cost = _cost(given, kinds)
        if cost is None or (best is not None and cost > best):
            continue
        if best is None or cost < best:
            best, found = cost, []
        found.append(number)
    return found


def _cost(given: tuple[Type, ...], kinds: tuple[Type, ...]) -> tuple[int, ...] | None:
    if len(given) != len(kinds):
        return None
    counts = [0, 0, 0, 0]
    for one, wanted in zip(given, kinds, strict=True):
        step = _step(one, wanted)
        if step is None:
            return None
        counts[step] += 1
    return tuple(counts[:_SAME])


def _step(given: Type, wanted: Type) -> int | None:
    if given == wanted:
        return _SAME
    if isinstance(given, Scalar) and isinstance(wanted, Scalar):
        if given.kind == "c" and wanted.kind != "c":
            return None
        if not can_cast(given, wanted):
            return _UNSAFE
        return _WIDER if given.kind == wanted.kind else _SAFE
    if isinstance(given, Array) and isinstance(wanted, Array):
        same = given.dtype == wanted.dtype and given.ndim == wanted.ndim
        if not same or (wanted.contiguous and not given.contiguous):
            return None
        return _SAME if given.contiguous == wanted.contiguous else _WIDER
    if isinstance(given, Array) and isinstance(wanted, Pointer):
        return _SAFE if given.dtype == wanted.dtype else None
    return None
