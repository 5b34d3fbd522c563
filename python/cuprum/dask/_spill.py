"""Results of a worker with a GPU: in its memory up to a limit, then in the host's, then on disk."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import cuprum

from .._core import ndarray

__all__ = ["DeviceSpillBuffer"]


def _bytes_on_device(value: Any) -> int:
    """Return how many bytes of a value lie in a GPU's memory."""
    return int(value.nbytes) if isinstance(value, ndarray) and value.device != "cpu" else 0


def _to_host(value: ndarray) -> Any:
    frames = importlib.import_module("cuprum.dask._frames")
    header, (frame,) = frames.serialize(value)
    return header, bytearray(frame) if not header["device"] else frame


class DeviceSpillBuffer(MutableMapping[Any, Any]):
    """A worker's results by key, for `Worker(data=...)`: from a GPU they move to the host, then to disk.

    What was used last stays. A result that is asked for comes back to where it was.

    Parameters
    ----------
    worker_local_directory : str
        Where files go; Dask gives the worker's own.
    device_limit : int or str, optional
        The bytes of results in the GPU's memory, as in "20 GB"; 0.8 of its memory when None.
    host_limit : int or str, optional
        The bytes of results in the host's memory; 0.6 of the worker's share is Dask's own choice. Without a
        limit nothing goes to disk.
    max_spill : int, optional
        The bytes on disk; without a limit when False.
    bytes_on_device : callable, optional
        How many bytes a value takes in the GPU's memory.

    Examples
    --------
    The workers of a cluster get it by name:

    >>> options = {"data": (cp.dask.DeviceSpillBuffer, {"device_limit": "20 GB"})}
    """

    def __init__(
        self,
        worker_local_directory: str,
        device_limit: int | str | None = None,
        host_limit: int | str | None = None,
        max_spill: int | bool = False,
        bytes_on_device: Callable[[Any], int] = _bytes_on_device,
    ) -> None:
        parse = importlib.import_module("dask.utils").parse_bytes
        spill = importlib.import_module("distributed.spill")
        zict = importlib.import_module("zict")
        if device_limit is None:
            device_limit = int(0.8 * cuprum.cuda.Device().mem_info[1])
        target = 2**62 if host_limit is None else parse(host_limit)
        self._bytes_on_device = bytes_on_device
        self.host = spill.SpillBuffer(
            os.path.join(worker_local_directory, "storage"), target=target, max_spill=max_spill
        )
        self.device = zict.Buffer(
            {},
            zict.Func(_to_host, self._to_device, self.host),
            n=parse(device_limit),
            weight=lambda key, value: bytes_on_device(value),
        )
        self._on_device: set[Any] = set()

    def _to_device(self, stored: Any) -> ndarray:
        """Bring a result back to the GPU; where that is full, others leave it one by one."""
        header, frame = stored
        deserialize = importlib.import_module("cuprum.dask._frames").deserialize
        while True:
            try:
                made: ndarray = deserialize(header, [frame])
                return made
            except cuprum.cuda.OutOfMemoryError:
                if self.evict_device() < 0:
                    raise
                cuprum.get_default_memory_pool().free_all_blocks()

    @property
    def fast(self) -> Any:
        """What Dask's memory monitor can move out of the host's memory."""
        return self.host.fast

    def evict(self) -> int:
        """Move one result from the host's memory to disk; return its bytes, -1 where there is none."""
        return int(self.host.evict()) if self.host.fast else -1

    def evict_device(self) -> int:
        """Move one result from the GPU's memory to the host's; return its bytes, -1 where there is none."""
        if not self.device.fast:
            return -1
        return int(self.device.fast.evict()[2])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.pop(key, None)
        if self._bytes_on_device(value):
            self._on_device.add(key)
            self.device[key] = value
        else:
            self.host[key] = value

    def __getitem__(self, key: Any) -> Any:
        return self.device[key] if key in self._on_device else self.host[key]

    def __delitem__(self, key: Any) -> None:
        if key in self._on_device:
            self._on_device.discard(key)
            del self.device[key]
        else:
            del self.host[key]

    def __contains__(self, key: object) -> bool:
        return key in self._on_device or key in self.host

    def __iter__(self) -> Iterator[Any]:
        yield from self._on_device
        yield from (key for key in list(self.host) if key not in self._on_device)

    def __len__(self) -> int:
        return sum(1 for _ in self)
