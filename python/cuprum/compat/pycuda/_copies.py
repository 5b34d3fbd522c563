"""Copies of rectangles and boxes between host and device; each side has its own distance between rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import LogicError, translated
from ._memory import _address, _host_bytes, pointer_at
from ._streams import Stream, cuda_stream

__all__ = ["Memcpy2D", "Memcpy3D"]


class _Copy:
    """The two sides of a copy, and how much of them is copied."""

    def __init__(self) -> None:
        self.src_x_in_bytes = self.src_y = self.src_z = 0
        self.dst_x_in_bytes = self.dst_y = self.dst_z = 0
        self.src_pitch = self.dst_pitch = 0
        self.src_height = self.dst_height = 0
        self.width_in_bytes = 0
        self.height = 1
        self.depth = 1
        self._source: tuple[str, Any] | None = None
        self._target: tuple[str, Any] | None = None

    def set_src_host(self, buffer: Any) -> None:
        """Copy from an array of the host's."""
        self._source = ("host", buffer)

    def set_src_device(self, devptr: Any) -> None:
        """Copy from memory of the device."""
        self._source = ("device", devptr)

    def set_src_array(self, array: Any) -> None:
        """Copy from an array for textures."""
        self._source, self.src_pitch = ("device", array.memory), self.src_pitch or array.row_bytes
        self.src_height = self.src_height or array.get_descriptor().height

    def set_dst_array(self, array: Any) -> None:
        """Copy to an array for textures."""
        self._target, self.dst_pitch = ("device", array.memory), self.dst_pitch or array.row_bytes
        self.dst_height = self.dst_height or array.get_descriptor().height

    def set_dst_host(self, buffer: Any) -> None:
        """Copy to an array of the host's."""
        self._target = ("host", buffer)

    def set_dst_device(self, devptr: Any) -> None:
        """Copy to memory of the device."""
        self._target = ("device", devptr)

    def _rows(self) -> list[tuple[int, int]]:
        """Return the offsets of each row on both sides."""
        source_pitch = self.src_pitch or self.width_in_bytes
        target_pitch = self.dst_pitch or self.width_in_bytes
        source_slice = (self.src_height or self.height) * source_pitch
        target_slice = (self.dst_height or self.height) * target_pitch
        return [
            (
                (self.src_z + z) * source_slice + (self.src_y + y) * source_pitch + self.src_x_in_bytes,
                (self.dst_z + z) * target_slice + (self.dst_y + y) * target_pitch + self.dst_x_in_bytes,
            )
            for z in range(self.depth)
            for y in range(self.height)
        ]

    def _run(self, stream: Stream | None) -> None:
        if self._source is None or self._target is None:
            raise LogicError(f"{type(self).__name__}: set a source and a destination first")
        (source_kind, source), (target_kind, target) = self._source, self._target
        into = cuda_stream(stream)
        width = self.width_in_bytes
        with translated(f"cu{type(self).__name__}"):
            for begin, end in self._rows():
                if source_kind == "host" and target_kind == "host":
                    _row(target, end, width, True)[:] = _row(source, begin, width, False)
                elif source_kind == "host":
                    row = _row(source, begin, width, False)
                    _place(target, end, width).copy_from_host_async(row.ctypes.data, width, into)
                elif target_kind == "host":
                    row = _row(target, end, width, True)
                    _place(source, begin, width).copy_to_host_async(row.ctypes.data, width, into)
                else:
                    place = _place(target, end, width)
                    place.copy_from_device_async(_place(source, begin, width), width, into)
            if stream is None:
                into.synchronize()


def _row(buffer: Any, offset: int, width: int, writable: bool) -> np.ndarray[Any, Any]:
    """Return the bytes of a row of the host's."""
    data = _host_bytes(buffer, writable)
    if offset < 0 or offset + width > data.nbytes:
        raise LogicError(f"the host's array has {data.nbytes} bytes; a row ends at byte {offset + width}")
    return data[offset : offset + width]


def _place(place: Any, offset: int, width: int) -> Any:
    """Return a pointer to a row on the device."""
    if isinstance(place, int | np.integer):
        return pointer_at(_address(place) + offset, width)
    return pointer_at(place, offset + width) + offset


class Memcpy2D(_Copy):
    """A copy of a rectangle."""

    def __call__(self, aligned_or_stream: bool | Stream | None = None, /, *, aligned: bool = True) -> None:
        """Copy; into a stream where one is given."""
        self._run(
            None if aligned_or_stream is None or isinstance(aligned_or_stream, bool) else aligned_or_stream
        )


class Memcpy3D(_Copy):
    """A copy of a box."""

    def __call__(self, stream: Stream | None = None) -> None:
        """Copy; into a stream where one is given."""
        self._run(stream)
