"""NCCL, NVIDIA's collectives between GPUs, by addresses and streams: found at run time like the rest of CUDA.

Programs with arrays use `cuprum.distributed`. `available` says whether there are a GPU and the library.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

from .. import _core
from . import runtime

NCCL_INT8 = NCCL_CHAR = 0
NCCL_UINT8 = 1
NCCL_INT32 = NCCL_INT = 2
NCCL_UINT32 = 3
NCCL_INT64 = 4
NCCL_UINT64 = 5
NCCL_FLOAT16 = NCCL_HALF = 6
NCCL_FLOAT32 = NCCL_FLOAT = 7
NCCL_FLOAT64 = NCCL_DOUBLE = 8
NCCL_BFLOAT16 = 9

NCCL_SUM = 0
NCCL_PROD = 1
NCCL_MAX = 2
NCCL_MIN = 3

__all__ = [
    "NCCL_BFLOAT16",
    "NCCL_CHAR",
    "NCCL_DOUBLE",
    "NCCL_FLOAT",
    "NCCL_FLOAT16",
    "NCCL_FLOAT32",
    "NCCL_FLOAT64",
    "NCCL_HALF",
    "NCCL_INT",
    "NCCL_INT32",
    "NCCL_INT64",
    "NCCL_INT8",
    "NCCL_MAX",
    "NCCL_MIN",
    "NCCL_PROD",
    "NCCL_SUM",
    "NCCL_UINT32",
    "NCCL_UINT64",
    "NCCL_UINT8",
    "NcclCommunicator",
    "NcclError",
    "get_build_version",
    "get_unique_id",
    "get_version",
    "groupEnd",
    "groupStart",
]

_ID_BYTES = 128
_NAMES = {
    1: "NCCL_ERROR_UNHANDLED_CUDA_ERROR",
    2: "NCCL_ERROR_SYSTEM_ERROR",
    3: "NCCL_ERROR_INTERNAL_ERROR",
    4: "NCCL_ERROR_INVALID_ARGUMENT",
    5: "NCCL_ERROR_INVALID_USAGE",
    6: "NCCL_ERROR_REMOTE_ERROR",
}


def __getattr__(name: str) -> Any:
    if name == "available":
        return runtime.is_available() and _row()[1] is not None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * _ID_BYTES)]


def _row() -> tuple[str, Any, Any]:
    """Return what the extension knows of the library: its name, version and path, or why there is none."""
    row: tuple[str, Any, Any] = next(row for row in _core.gpu_libraries() if row[0] == "NCCL")
    return row


@functools.lru_cache(maxsize=1)
def _library() -> Any:
    """Return the library, with the types of the functions that are called."""
    _, found, missing = _row()
    if found is None:
        raise RuntimeError(f"nccl: {missing}")
    library = ctypes.CDLL(str(found[1]))
    size, number, address = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p
    for name, types in {
        "ncclGetVersion": [ctypes.POINTER(number)],
        "ncclGetUniqueId": [ctypes.POINTER(_UniqueId)],
        "ncclCommInitRank": [ctypes.POINTER(address), number, _UniqueId, number],
        "ncclCommInitAll": [ctypes.POINTER(address), number, ctypes.POINTER(number)],
        "ncclCommDestroy": [address],
        "ncclCommAbort": [address],
        "ncclCommGetAsyncError": [address, ctypes.POINTER(number)],
        "ncclCommCuDevice": [address, ctypes.POINTER(number)],
        "ncclCommUserRank": [address, ctypes.POINTER(number)],
        "ncclCommCount": [address, ctypes.POINTER(number)],
        "ncclAllReduce": [address, address, size, number, number, address, address],
        "ncclReduce": [address, address, size, number, number, number, address, address],
        "ncclBroadcast": [address, address, size, number, number, address, address],
        "ncclReduceScatter": [address, address, size, number, number, address, address],
        "ncclAllGather": [address, address, size, number, address, address],
        "ncclSend": [address, size, number, number, address, address],
        "ncclRecv": [address, size, number, number, address, address],
        "ncclGroupStart": [],
        "ncclGroupEnd": [],
    }.items():
        function = getattr(library, name)
        function.argtypes, function.restype = types, number
    library.ncclGetErrorString.argtypes = [number]
    library.ncclGetErrorString.restype = ctypes.c_char_p
    return library


class NcclError(RuntimeError):
    """An error that NCCL reports, by its number."""

    def __init__(self, status: int) -> None:
        self.status = status
        text = _library().ncclGetErrorString(status).decode(errors="replace")
        super().__init__(f"{_NAMES.get(status, f'NCCL_ERROR_{status}')}: {text}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status,)


def _check(status: int) -> None:
    if status:
        raise NcclError(status)


def get_version() -> int:
    """Return the version of NCCL, as 22304 for 2.23.4.

    Examples
    --------
    >>> not cp.cuda.nccl.available or cp.cuda.nccl.get_version() > 20000
    True
    """
    version = ctypes.c_int()
    _check(_library().ncclGetVersion(ctypes.byref(version)))
    return version.value


def get_build_version() -> int:
    """Return the version of NCCL: there is no other one that this was built with.

    Examples
    --------
    >>> not cp.cuda.nccl.available or cp.cuda.nccl.get_build_version() > 20000
    True
    """
    return get_version()


def get_unique_id() -> bytes:
    """Return the 128 bytes by which the ranks of a new communicator find each other.

    Examples
    --------
    >>> not cp.cuda.nccl.available or len(cp.cuda.nccl.get_unique_id()) == 128
    True
    """
    made = _UniqueId()
    _check(_library().ncclGetUniqueId(ctypes.byref(made)))
    return bytes(made)


def groupStart() -> None:  # noqa: N802 - CuPy's name
    """Begin calls that NCCL carries out together.

    Examples
    --------
    >>> if cp.cuda.nccl.available:
    ...     cp.cuda.nccl.groupStart()
    ...     cp.cuda.nccl.groupEnd()
    """
    _check(_library().ncclGroupStart())


def groupEnd() -> None:  # noqa: N802 - CuPy's name
    """Carry out the calls since `groupStart`.

    Examples
    --------
    >>> if cp.cuda.nccl.available:
    ...     cp.cuda.nccl.groupStart()
    ...     cp.cuda.nccl.groupEnd()
    """
    _check(_library().ncclGroupEnd())


def _bind() -> None:
    """Make the current GPU the one that CUDA's runtime inside NCCL sees in this thread."""
    from .stream import Event

    Event(disable_timing=True).record()


class NcclCommunicator:
    """A rank of a group of GPUs: this process's current GPU. Buffers are addresses, streams their handles.

    Parameters
    ----------
    ndev : int
        How many ranks there are.
    commId : bytes
        What `get_unique_id` gave, on one of them.
    rank : int
        The rank.

    Examples
    --------
    >>> if cp.cuda.nccl.available:
    ...     group = cp.cuda.nccl.NcclCommunicator(1, cp.cuda.nccl.get_unique_id(), 0)
    ...     assert (group.size(), group.rank_id(), group.device_id()) == (1, 0, 0)

    With one rank every collective is a copy:

    >>> if cp.cuda.nccl.available:
    ...     nccl, stream = cp.cuda.nccl, cp.cuda.get_current_stream().ptr
    ...     a, b = cp.arange(3.0), cp.zeros(3)
    ...     to, out, kind = a.data.ptr, b.data.ptr, nccl.NCCL_FLOAT64
    ...     group.allReduce(to, out, 3, kind, nccl.NCCL_SUM, stream)
    ...     group.reduce(to, out, 3, kind, nccl.NCCL_SUM, 0, stream)
    ...     group.broadcast(to, out, 3, kind, 0, stream)
    ...     group.bcast(out, 3, kind, 0, stream)
    ...     group.reduceScatter(to, out, 3, kind, nccl.NCCL_SUM, stream)
    ...     group.allGather(to, out, 3, kind, stream)
    ...     nccl.groupStart()
    ...     group.send(to, 3, kind, 0, stream)
    ...     group.recv(out, 3, kind, 0, stream)
    ...     nccl.groupEnd()
    ...     group.check_async_error()
    ...     assert b.get().tolist() == [0.0, 1.0, 2.0]
    ...     group.destroy()
    ...     for other in nccl.NcclCommunicator.initAll(1):
    ...         other.abort()
    """

    def __init__(self, ndev: int, commId: bytes, rank: int) -> None:  # noqa: N803 - CuPy's name
        self._comm = ctypes.c_void_p()
        if len(commId) != _ID_BYTES:
            raise ValueError(f"NcclCommunicator: commId has {_ID_BYTES} bytes, got {len(commId)}")
        library = _library()
        _bind()
        identifier = _UniqueId.from_buffer_copy(commId)
        _check(library.ncclCommInitRank(ctypes.byref(self._comm), ndev, identifier, rank))

    @staticmethod
    def initAll(devices: int | Sequence[int]) -> list[NcclCommunicator]:  # noqa: N802 - CuPy's name
        """Return communicators of several GPUs of this process."""
        numbers = list(range(devices)) if isinstance(devices, int) else list(devices)
        count, library = len(numbers), _library()
        _bind()
        made = (ctypes.c_void_p * count)()
        _check(library.ncclCommInitAll(made, count, (ctypes.c_int * count)(*numbers)))
        return [NcclCommunicator._over(address) for address in made]

    @classmethod
    def _over(cls, address: int | None) -> NcclCommunicator:
        one = cls.__new__(cls)
        one._comm = ctypes.c_void_p(address)
        return one

    def __del__(self) -> None:
        # A process that ends need not take its communicators apart, and can no longer.
        if getattr(self, "_comm", None) and ctypes is not None:
            self.destroy()

    @property
    def comm(self) -> int:
        """The handle."""
        return self._comm.value or 0

    def destroy(self) -> None:
        """End the communicator, after its work."""
        if self._comm.value:
            handle, self._comm = self._comm, ctypes.c_void_p()
            _library().ncclCommDestroy(handle)

    def abort(self) -> None:
        """End the communicator at once."""
        if self._comm.value:
            handle, self._comm = self._comm, ctypes.c_void_p()
            _library().ncclCommAbort(handle)

    def check_async_error(self) -> None:
        """Raise the error that earlier work has met, if any."""
        status = ctypes.c_int()
        _check(_library().ncclCommGetAsyncError(self._comm, ctypes.byref(status)))
        _check(status.value)

    def _number(self, name: str) -> int:
        value = ctypes.c_int()
        _check(getattr(_library(), name)(self._comm, ctypes.byref(value)))
        return value.value

    def device_id(self) -> int:
        """Return the GPU's number."""
        return self._number("ncclCommCuDevice")

    def rank_id(self) -> int:
        """Return the rank."""
        return self._number("ncclCommUserRank")

    def size(self) -> int:
        """Return how many ranks there are."""
        return self._number("ncclCommCount")

    def allReduce(  # noqa: N802 - CuPy's name
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, stream: int
    ) -> None:
        """Reduce over the ranks, on all of them."""
        _check(_library().ncclAllReduce(sendbuf, recvbuf, count, datatype, op, self._comm, stream))

    def reduce(
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, root: int, stream: int
    ) -> None:
        """Reduce over the ranks, on one of them."""
        _check(_library().ncclReduce(sendbuf, recvbuf, count, datatype, op, root, self._comm, stream))

    def broadcast(
        self, sendbuff: int, recvbuff: int, count: int, datatype: int, root: int, stream: int
    ) -> None:
        """Give one rank's values to all."""
        _check(_library().ncclBroadcast(sendbuff, recvbuff, count, datatype, root, self._comm, stream))

    def bcast(self, buff: int, count: int, datatype: int, root: int, stream: int) -> None:
        """Give one rank's values to all, in place."""
        self.broadcast(buff, buff, count, datatype, root, stream)

    def reduceScatter(  # noqa: N802 - CuPy's name
        self, sendbuf: int, recvbuf: int, recvcount: int, datatype: int, op: int, stream: int
    ) -> None:
        """Reduce over the ranks; each gets its part."""
        _check(_library().ncclReduceScatter(sendbuf, recvbuf, recvcount, datatype, op, self._comm, stream))

    def allGather(  # noqa: N802 - CuPy's name
        self, sendbuf: int, recvbuf: int, count: int, datatype: int, stream: int
    ) -> None:
        """Give the values of all ranks to all."""
        _check(_library().ncclAllGather(sendbuf, recvbuf, count, datatype, self._comm, stream))

    def send(self, sendbuf: int, count: int, datatype: int, peer: int, stream: int) -> None:
        """Send values to a rank."""
        _check(_library().ncclSend(sendbuf, count, datatype, peer, self._comm, stream))

    def recv(self, recvbuf: int, count: int, datatype: int, peer: int, stream: int) -> None:
        """Receive values from a rank."""
        _check(_library().ncclRecv(recvbuf, count, datatype, peer, self._comm, stream))
