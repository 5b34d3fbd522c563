"""A table of short values that rank 0 keeps and all ranks of a group read: how processes find each other."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import Any

__all__ = ["DEFAULT_HOST", "DEFAULT_PORT", "TCPStore", "TCPStoreProxy"]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 13333
DEFAULT_TIMEOUT = 30.0

_HEAD = struct.Struct("!cdII")
"""A request: what to do, the seconds that it may take, the bytes of the key and of the value."""

_ANSWER = struct.Struct("!cI")
"""An answer: whether it went well, and the bytes of the value or of the message."""

_LONGEST = 1 << 20


def encode(value: bytes | int) -> bytes:
    """Return a value as bytes that tell its type."""
    if isinstance(value, bool) or not isinstance(value, (bytes, bytearray, int)):
        raise ValueError(f"store: a value is bytes or an integer, got {type(value).__name__}")
    return b"i" + str(value).encode() if isinstance(value, int) else b"b" + bytes(value)


def decode(data: bytes) -> bytes | int:
    """Return the value that `encode` was given."""
    return int(data[1:]) if data[:1] == b"i" else data[1:]


def receive(connection: socket.socket, count: int) -> bytes:
    """Return so many bytes from a connection; one that ends before is an error."""
    data = bytearray()
    while len(data) < count:
        part = connection.recv(min(count - len(data), 1 << 20))
        if not part:
            raise ConnectionError("the connection was closed")
        data += part
    return bytes(data)


class TCPStore:
    """The table itself, in a thread of rank 0's process.

    Parameters
    ----------
    world_size : int
        How many ranks a barrier waits for.
    """

    def __init__(self, world_size: int) -> None:
        self._world_size = world_size
        self._values: dict[bytes, bytes] = {}
        self._changed = threading.Condition()
        self._arrived = 0
        self._barriers = 0
        self._listener: socket.socket | None = None
        self._stopped = False

    def run(self, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> int:
        """Listen at an address; return the port, which is the system's choice where 0 is given."""
        try:
            self._listener = socket.create_server((host, port), backlog=max(self._world_size, 8))
        except OSError as error:
            raise OSError(error.errno, f"store: cannot listen at {host}:{port}: {error.strerror}") from None
        threading.Thread(target=self._serve, args=(self._listener,), name="cuprum-store", daemon=True).start()
        return int(self._listener.getsockname()[1])

    def stop(self) -> None:
        """End the table; who waits for it is told."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._listener is not None:
            # A thread in `accept` is woken by this alone.
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()

    def _serve(self, listener: socket.socket) -> None:
        while not self._stopped:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(
                target=self._answer, args=(connection,), name="cuprum-store", daemon=True
            ).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(DEFAULT_TIMEOUT)
            action, seconds, key_bytes, value_bytes = _HEAD.unpack(receive(connection, _HEAD.size))
            if max(key_bytes, value_bytes) > _LONGEST:
                return
            key, value = receive(connection, key_bytes), receive(connection, value_bytes)
            try:
                result, fine = self._act(action, key, value, min(seconds, 86400.0)), b"+"
            except Exception as error:
                result, fine = str(error).encode(), b"-"
            connection.sendall(_ANSWER.pack(fine, len(result)) + result)

    def _act(self, action: bytes, key: bytes, value: bytes, seconds: float) -> bytes:
        with self._changed:
            if action == b"s":
                self._values[key] = value
                self._changed.notify_all()
                return b""
            if action == b"g":
                if not self._wait(lambda: key in self._values, seconds):
                    raise TimeoutError(
                        f"nobody has set {key.decode(errors='replace')!r} within {seconds:.2g} s"
                    )
                return self._values[key]
            if action == b"b":
                return self._barrier(seconds)
            raise ValueError(f"no action {action!r}")

    def _wait(self, happened: Any, seconds: float) -> bool:
        self._changed.wait_for(lambda: self._stopped or happened(), seconds)
        if self._stopped:
            raise ConnectionError("the store was stopped")
        return bool(happened())

    def _barrier(self, seconds: float) -> bytes:
        mine = self._barriers
        self._arrived += 1
        if self._arrived == self._world_size:
            self._arrived, self._barriers = 0, mine + 1
            self._changed.notify_all()
            return b""
        if not self._wait(lambda: self._barriers != mine, seconds):
            came, self._arrived = self._arrived, self._arrived - 1
            raise TimeoutError(f"barrier: {came} of {self._world_size} ranks came within {seconds:.2g} s")
        return b""


class TCPStoreProxy:
    """The table as any rank sees it: `proxy[key]` waits until somebody has set the key.

    Parameters
    ----------
    host : str, optional
        The address of rank 0.
    port : int, optional
        Its port.
    timeout : float, optional
        The seconds that a call may take, the wait for rank 0 to begin included.
    """

    def __init__(
        self, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT, timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        self.host, self.port, self.timeout = host, port, timeout
        self.local_host = DEFAULT_HOST
        """The address of this machine as rank 0 sees it, once it has been asked."""

    def __getitem__(self, key: str) -> bytes | int:
        return decode(self._ask(b"g", key.encode(), b""))

    def __setitem__(self, key: str, value: bytes | int) -> None:
        self._ask(b"s", key.encode(), encode(value))

    def barrier(self) -> None:
        """Wait until all ranks have come here."""
        self._ask(b"b", b"", b"")

    def _ask(self, action: bytes, key: bytes, value: bytes) -> bytes:
        if max(len(key), len(value)) > _LONGEST:
            raise ValueError(f"store: a key or value of {max(len(key), len(value))} bytes is too long")
        deadline = time.monotonic() + self.timeout
        with self._connected(deadline) as connection:
            left = max(deadline - time.monotonic(), 0.1)
            connection.settimeout(left + 5)
            try:
                connection.sendall(_HEAD.pack(action, left, len(key), len(value)) + key + value)
                fine, count = _ANSWER.unpack(receive(connection, _ANSWER.size))
                answer = receive(connection, count)
            except OSError as error:
                raise RuntimeError(f"store: rank 0 at {self.host}:{self.port} has left: {error}") from None
        if fine != b"+":
            message = answer.decode(errors="replace")
            raise (TimeoutError if " within " in message else RuntimeError)(f"store: {message}")
        return answer

    def _connected(self, deadline: float) -> socket.socket:
        pause = 0.01
        while True:
            left = deadline - time.monotonic()
            try:
                made = socket.create_connection((self.host, self.port), timeout=max(left, 0.1))
            except socket.gaierror as error:
                raise RuntimeError(f"store: there is no host {self.host!r}: {error.strerror}") from None
            except OSError as error:
                if left <= pause:
                    raise RuntimeError(
                        f"store: TCPStore is not available at {self.host}:{self.port} within "
                        f"{self.timeout:g} s ({error}): is the process of rank 0 running there?"
                    ) from None
                time.sleep(pause)
                pause = min(2 * pause, 0.5)
                continue
            self.local_host = made.getsockname()[0]
            return made
