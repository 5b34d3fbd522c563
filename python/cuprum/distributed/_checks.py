"""What the arguments of collectives must be, and what ranks tell each other before anything is moved."""

from __future__ import annotations

from typing import Any

from .._core import ndarray

__all__ = [
    "amount_of",
    "check_arrays",
    "check_count",
    "check_out",
    "check_peer",
    "check_rank",
    "check_reduction",
    "check_rows",
    "facts_of",
]

_OPS = ("sum", "prod", "max", "min")
_NOT_REDUCED = frozenset({"bool", "int16", "uint16"})
"""Dtypes that NCCL does not reduce; sockets do not either, so that programs behave alike."""


def check_arrays(op: str, *arrays: Any) -> None:
    """Raise where something is no array of ours, or has gaps between its elements."""
    for array in arrays:
        if not isinstance(array, ndarray):
            raise TypeError(f"{op}: expected an array of Cuprum's, got {type(array).__name__}")
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            raise RuntimeError(f"{op}: arrays must be either c- or f-contiguous")


def check_out(op: str, source: ndarray, out: ndarray, count: int | None = None) -> None:
    """Raise where an output cannot hold what is put into it."""
    check_arrays(op, out)
    if not out.flags.writeable:
        raise ValueError(f"{op}: out_array is read-only")
    wanted = source.size if count is None else count
    if source.dtype != out.dtype or out.size != wanted:
        raise ValueError(
            f"{op}: out_array must hold {wanted} elements of {source.dtype.name}, "
            f"it has {out.size} of {out.dtype.name}"
        )


def check_rows(op: str, name: str, array: ndarray, ranks: int) -> None:
    """Raise unless an array has one row for each rank and is contiguous."""
    if array.ndim == 0 or array.shape[0] != ranks:
        raise RuntimeError(
            f"{op} requires {name} to have {ranks} elements in its first dimension, found {array.shape}"
        )
    if not array.flags.c_contiguous:
        raise RuntimeError(f"{op}: {name} must be c-contiguous")


def check_count(op: str, name: str, array: ndarray, wanted: int) -> None:
    """Raise where an array has fewer elements than are taken from it."""
    if array.size < wanted:
        raise ValueError(f"{op}: {name} must have {wanted} elements, it has {array.size}")


def check_reduction(op: str, how: str, array: ndarray) -> None:
    """Raise where arrays of this dtype are not reduced so."""
    if how not in _OPS:
        raise RuntimeError(f"{op}: unknown op {how!r}: it is one of {', '.join(_OPS)}")
    if array.dtype.name in _NOT_REDUCED:
        raise TypeError(f"{op}: arrays of {array.dtype.name} cannot be reduced: convert them first")
    if array.dtype.kind == "c" and how != "sum":
        raise ValueError(f"{op}: only 'sum' is supported for complex arrays, got {how!r}")


def check_rank(op: str, name: str, rank: int, ranks: int) -> None:
    """Raise where there is no such rank."""
    if not 0 <= rank < ranks:
        raise ValueError(f"{op}: {name} must be a rank below {ranks}, got {rank}")


def check_peer(op: str, peer: int, rank: int, ranks: int) -> None:
    """Raise unless the peer is another rank of the group."""
    check_rank(op, "peer", peer, ranks)
    if peer == rank:
        raise ValueError(f"{op}: rank {peer} is this process itself: use send_recv")


def facts_of(array: ndarray, **more: Any) -> dict[str, Any]:
    """Return what ranks must have in common: dtype and shape, and how the elements lie in memory."""
    order = "C" if array.flags.c_contiguous else "F"
    return {"dtype": array.dtype.name, "shape": list(array.shape), "order": order, **more}


def amount_of(array: ndarray) -> dict[str, Any]:
    """Return what a sender and a receiver must have in common."""
    order = "C" if array.flags.c_contiguous else "F"
    return {"dtype": array.dtype.name, "elements": array.size, "order": order}
