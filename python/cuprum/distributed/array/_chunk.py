"""Chunks of distributed arrays, and the devices that they are on; without GPUs every device is the CPU."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import cuprum

from ..._core import ndarray
from ._indices import Index, intersection, shape_of, within
from ._modes import OpMode

__all__ = ["Chunk", "on", "to"]


def on(device: int) -> Any:
    """Return a context in which arrays are made on a device."""
    if cuprum.cuda.is_available():
        return cuprum.cuda.Device(device)
    if device < 0:
        raise ValueError(f"the number of a device is not negative, got {device}")
    return contextlib.nullcontext()


def to(device: int, array: Any) -> ndarray:
    """Return an array on a device: a peer's is copied from GPU to GPU."""
    with on(device):
        if isinstance(array, ndarray) and cuprum.cuda.is_available():
            return array.to_device(cuprum.cuda.Device(device))
        return cuprum.asarray(array)


class Chunk:
    """The elements of an array at an index, on a device. They are never written once others may hold them."""

    __slots__ = ("array", "device", "index")

    def __init__(self, array: ndarray, index: Index, device: int) -> None:
        self.array, self.index, self.device = array, index, device

    @classmethod
    def filled(cls, value: Any, dtype: Any, index: Index, device: int) -> Chunk:
        """Return a chunk of one value."""
        with on(device):
            return cls(cuprum.full(shape_of(index), value, dtype=dtype), index, device)

    def copy(self) -> Chunk:
        """Return a chunk of its own memory."""
        with on(self.device):
            return Chunk(self.array.copy(), self.index, self.device)

    def take(self, other: Chunk, mode: OpMode | None) -> None:
        """Take the elements that another chunk has in common: in a mode, combined with one's own."""
        shared = intersection(self.index, other.index)
        if shared is None:
            return
        here, there = within(self.index, shared), within(other.index, shared)
        part = to(self.device, other.array[there])
        with on(self.device):
            self.array[here] = part if mode is None else mode.combine(self.array[here], part)

    def erase(self, index: Index, value: Any) -> None:
        """Set the elements that lie in an index to a value."""
        shared = intersection(self.index, index)
        if shared is not None:
            with on(self.device):
                self.array[within(self.index, shared)] = value


def all_of(chunks: dict[int, list[Chunk]]) -> Iterable[Chunk]:
    """Yield the chunks of all devices, in order."""
    for device in chunks:
        yield from chunks[device]
