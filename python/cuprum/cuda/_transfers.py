"""Copies between the host and the device, counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .. import _core

__all__ = ["Transfers", "count_transfers", "transfers"]


class Transfers:
    """How many copies were made each way, and how many bytes they moved; it grows while it is counting.

    Attributes
    ----------
    to_device_calls, to_device_bytes : int
        Copies from NumPy's arrays and Python's lists.
    to_host_calls, to_host_bytes : int
        Copies to NumPy's arrays and Python's numbers.

    Examples
    --------
    >>> with cp.cuda.count_transfers() as moved:
    ...     a = cp.asarray(np.ones(100))
    >>> moved
    <Transfers: 1 call, 800 bytes to the device; 0 calls, 0 bytes to the host>
    """

    __slots__ = ("_end", "_start")

    def __init__(self, start: tuple[int, int, int, int] = (0, 0, 0, 0)) -> None:
        self._start = start
        self._end: tuple[int, int, int, int] | None = None

    def _counted(self, which: int) -> int:
        now = self._end or _core.transfers()
        return int(now[which] - self._start[which])

    @property
    def to_device_calls(self) -> int:
        """The number of copies to the device."""
        return self._counted(0)

    @property
    def to_device_bytes(self) -> int:
        """The bytes copied to the device."""
        return self._counted(1)

    @property
    def to_host_calls(self) -> int:
        """The number of copies to the host."""
        return self._counted(2)

    @property
    def to_host_bytes(self) -> int:
        """The bytes copied to the host."""
        return self._counted(3)

    def __repr__(self) -> str:
        def side(calls: int, size: int, where: str) -> str:
            return f"{calls} call{'s' * (calls != 1)}, {size} bytes to the {where}"

        there = side(self.to_device_calls, self.to_device_bytes, "device")
        back = side(self.to_host_calls, self.to_host_bytes, "host")
        return f"<Transfers: {there}; {back}>"


def transfers() -> Transfers:
    """Return the copies between host and device since the process started.

    Returns
    -------
    Transfers
        A snapshot.

    Examples
    --------
    >>> a = cp.asarray(np.ones(100))
    >>> cp.cuda.transfers().to_device_bytes >= 800
    True
    """
    total = Transfers()
    total._end = _core.transfers()
    return total


@contextmanager
def count_transfers() -> Iterator[Transfers]:
    """Count the copies between host and device inside a `with` block, in all threads.

    `cp.asarray` of a NumPy array is one copy to the device, `cp.asnumpy`, `.get()`, `float()`, `.item()` and
    printing are copies to the host. DLPack and the buffer protocol share memory: they copy nothing.

    Yields
    ------
    Transfers
        The counts so far; they stand still after the block.

    Examples
    --------
    >>> host = np.ones((10, 10), dtype=np.float32)
    >>> with cp.cuda.count_transfers() as moved:
    ...     total = float(cp.asarray(host).sum())
    >>> moved.to_device_bytes, moved.to_host_bytes
    (400, 4)
    """
    counted = Transfers(_core.transfers())
    try:
        yield counted
    finally:
        counted._end = _core.transfers()


def count(to_device: bool, size: int) -> None:
    """Count a copy that was made through an address."""
    _core.count_transfer(to_device, size)
