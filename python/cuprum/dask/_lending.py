"""Chunks that one worker's GPU lends to another worker of the same machine, so that they skip the host.

The sender keeps the chunk and sends a handle of CUDA's. The receiver opens it, copies the chunk to its own
GPU and gives it back, over a socket between the two. Where the handle cannot be opened (GPUs that do not
reach each other), the elements come over that socket instead.

Workers say in the handshake of a connection where they run; whoever does not say it, such as a scheduler or a
client, gets frames of the host's memory.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import socket
import sys
import threading
import time
from typing import Any

import numpy as np

import cuprum

from .._core import ndarray

__all__ = ["borrow", "lend", "register"]

MIN_BYTES = 1 << 20
"""Less is sent as a frame sooner than a handle is opened."""

KEPT_SECONDS = 300.0
"""How long a chunk waits for a receiver that does not come: its process has ended."""

_TOKEN = 16
_HELD, _GONE, _DONE, _SEND = b"h", b"g", b"d", b"s"
_KEY = "cuprum"


@functools.lru_cache(maxsize=1)
def _machine() -> str:
    """Return a name that is the same for all processes that can reach each other's sockets and memory."""
    words = []
    with contextlib.suppress(OSError):
        with open("/proc/sys/kernel/random/boot_id") as file:
            words.append(file.read().strip())
        words += [str(os.stat(f"/proc/self/ns/{kind}").st_ino) for kind in ("net", "ipc", "pid")]
    return " ".join(words)


def _facts() -> dict[str, Any] | None:
    """Return what a worker's process tells its peers; None for one that is no worker, or has no GPU."""
    worker = sys.modules.get("distributed.worker")
    scheduler = sys.modules.get("distributed.scheduler")
    if sys.platform != "linux" or os.environ.get("CUPRUM_DASK_IPC", "1") == "0":
        return None
    # What reaches a scheduler's process may be passed on unopened.
    if scheduler is not None and list(scheduler.Scheduler._instances):
        return None
    if worker is None or not list(worker.Worker._instances):
        return None
    if not cuprum.cuda.is_available() or not _machine():
        return None
    return {"machine": _machine(), "process": os.getpid()}


def register() -> None:
    """Let the connections of this process say where it runs."""
    comm = importlib.import_module("distributed.comm.core").Comm
    plain = comm.handshake_info
    if getattr(plain, "_of_cuprum", False):
        return

    @functools.wraps(plain)
    def handshake_info(self: Any) -> dict[str, Any]:
        facts = _facts()
        return {**plain(self), _KEY: facts} if facts else dict(plain(self))

    handshake_info._of_cuprum = True  # type: ignore[attr-defined]
    comm.handshake_info = handshake_info


class _Loans:
    """The chunks that this process lends, and the socket by which they are asked for and given back."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.name = "cuprum-" + os.urandom(_TOKEN).hex()
        self._held: dict[bytes, tuple[ndarray, float]] = {}
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind("\0" + self.name)  # a name of Linux's own: no file is left behind
        self._listener.listen(64)
        self._listener.settimeout(KEPT_SECONDS / 10)
        threading.Thread(target=self._serve, name="cuprum-loans", daemon=True).start()

    def keep(self, chunk: ndarray) -> bytes:
        token = os.urandom(_TOKEN)
        with self._lock:
            self._held[token] = (chunk, time.monotonic())
        return token

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()
            except TimeoutError:
                pass
            except OSError:
                return
            self._forget_old()

    def _forget_old(self) -> None:
        limit = time.monotonic() - KEPT_SECONDS
        with self._lock:
            for token in [token for token, (_, since) in self._held.items() if since < limit]:
                del self._held[token]

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(KEPT_SECONDS)
            token = _exactly(connection, bytearray(_TOKEN))
            with self._lock:
                chunk, _ = self._held.pop(bytes(token), (None, 0.0))
            connection.sendall(_GONE if chunk is None else _HELD)
            if chunk is None:
                return
            # The chunk is this thread's until the receiver has it, or has ended.
            if connection.recv(1) == _SEND:
                connection.sendall(cuprum.asnumpy(chunk.ravel(order="K").view(np.uint8)).data)


@functools.lru_cache(maxsize=1)
def _loans_of(process: int) -> _Loans:
    return _Loans()


def _exactly(connection: socket.socket, into: Any) -> Any:
    """Fill a buffer from a connection."""
    rest = memoryview(into)
    while rest:
        got = connection.recv_into(rest)
        if not got:
            raise ConnectionError("the other process closed the connection")
        rest = rest[got:]
    return into


def lend(chunk: ndarray, context: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what a receiver needs to borrow the bytes of a chunk; None where it is to be sent as a frame.

    Parameters
    ----------
    chunk : ndarray
        An array on a GPU, without gaps.
    context : dict, optional
        What Dask knows of the connection.
    """
    theirs = (context or {}).get("recipient", {}).get(_KEY)
    if not theirs or chunk.nbytes < MIN_BYTES:
        return None
    mine = _facts()
    if mine is None or theirs["machine"] != mine["machine"] or theirs["process"] == mine["process"]:
        return None
    from ..cuda._runtime_ipc import handle_and_offset

    with cuprum.cuda.Device(chunk.device.id):
        try:
            handle, offset = handle_and_offset(chunk.data.ptr)
        except cuprum.cuda.runtime.CUDARuntimeError:
            return None  # memory of a pool that has no handles
        cuprum.cuda.get_current_stream().synchronize()
    loans = _loans_of(os.getpid())
    return {
        "socket": loans.name,
        "token": loans.keep(chunk),
        "handle": handle,
        "offset": offset,
        "bytes": chunk.nbytes,
    }


def borrow(loan: dict[str, Any]) -> ndarray:
    """Return a copy of the bytes that another worker lends, on this process's GPU."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(KEPT_SECONDS)
        try:
            connection.connect("\0" + loan["socket"])
            connection.sendall(loan["token"])
            answer = connection.recv(1)
        except OSError as error:
            raise ConnectionError(f"deserialize: the worker that lent a chunk has ended ({error})") from None
        if answer != _HELD:
            # To Dask this is a worker that cannot be reached: the chunk comes from elsewhere, or anew.
            raise ConnectionError(
                f"deserialize: the worker that lent a chunk of {loan['bytes']} bytes keeps it no more: "
                f"it was not fetched within {KEPT_SECONDS:g} s, or fetched before"
            )
        made = _copied(loan)
        if made is not None:
            connection.sendall(_DONE)
            return made
        connection.sendall(_SEND)
        host = np.empty(loan["bytes"], np.uint8)
        _exactly(connection, host.data)
    return cuprum.asarray(host, device="cuda")


def _copied(loan: dict[str, Any]) -> ndarray | None:
    """Copy from GPU to GPU; None where the other's memory cannot be opened here."""
    runtime = cuprum.cuda.runtime
    made = cuprum.empty(loan["bytes"], dtype=np.uint8, device="cuda")
    with cuprum.cuda.Device(made.device.id):
        try:
            # The driver opens memory of other GPUs too, where the two reach each other.
            address = runtime.ipcOpenMemHandle(loan["handle"])
        except runtime.CUDARuntimeError:
            return None
        stream = cuprum.cuda.get_current_stream()
        try:
            source = address + loan["offset"]
            runtime.memcpyAsync(made.data.ptr, source, loan["bytes"], runtime.memcpyDefault, stream.ptr)
        finally:
            stream.synchronize()
            runtime.ipcCloseMemHandle(address)
    return made
