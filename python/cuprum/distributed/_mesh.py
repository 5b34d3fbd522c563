"""Connections between all ranks of a group: bytes that several peers send and receive at the same time.

An error ends the group: connections are closed, so that the other ranks see it at once instead of waiting.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import struct
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._store import TCPStoreProxy, receive

__all__ = ["Mesh"]

_RANK = struct.Struct("!I")
_LENGTH = struct.Struct("!Q")
_PIECE = 1 << 20


class Mesh:
    """One connection to each other rank.

    Parameters
    ----------
    size, rank : int
        The number of ranks and this process's own.
    store : TCPStoreProxy
        Where ranks tell each other their addresses.
    timeout : float
        The seconds without any progress after which a call raises.
    """

    def __init__(self, size: int, rank: int, store: TCPStoreProxy, timeout: float) -> None:
        self.size, self.rank, self.timeout = size, rank, timeout
        self.checks = True
        """Whether ranks compare their arguments before they move anything."""
        self.peers: dict[int, socket.socket] = {}
        self._broken: str | None = None
        self._lock = threading.RLock()
        try:
            self._connect(store)
        except BaseException:
            self.close("its start failed")
            raise

    def _connect(self, store: TCPStoreProxy) -> None:
        if self.rank == 0:
            store["session"] = os.urandom(16)
        session = store["session"]
        assert isinstance(session, bytes)
        with socket.create_server((store.local_host, 0), backlog=self.size) as listener:
            host, port = listener.getsockname()[:2]
            store[f"address/{self.rank}"] = f"{host} {port}".encode()
            for peer in range(self.rank):
                address = store[f"address/{peer}"]
                assert isinstance(address, bytes)
                host, port = address.decode().split()
                connection = socket.create_connection((host, int(port)), timeout=store.timeout)
                connection.sendall(session + _RANK.pack(self.rank))
                self._keep(peer, connection)
            deadline = time.monotonic() + store.timeout
            while len(self.peers) < self.size - 1:
                listener.settimeout(max(deadline - time.monotonic(), 0.01))
                try:
                    connection, _ = listener.accept()
                    connection.settimeout(5)
                    words = receive(connection, len(session) + _RANK.size)
                except TimeoutError:
                    missing = sorted(set(range(self.size)) - {self.rank} - self.peers.keys())
                    raise TimeoutError(
                        f"init_process_group: ranks {missing} did not come within {store.timeout:g} s"
                    ) from None
                except OSError:
                    continue
                if words[: len(session)] == session:
                    self._keep(_RANK.unpack(words[len(session) :])[0], connection)
                else:
                    connection.close()

    def _keep(self, peer: int, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setblocking(False)
        self.peers[peer] = connection

    def close(self, why: str = "it was stopped") -> None:
        """Close all connections; later calls raise."""
        self._broken = self._broken or why
        for connection in self.peers.values():
            with contextlib.suppress(OSError):
                connection.close()

    def exchange(self, op: str, sends: Mapping[int, Any], receives: Mapping[int, Any]) -> None:
        """Send bytes to some ranks and fill buffers from some, all at once.

        Parameters
        ----------
        op : str
            Who calls, for messages.
        sends : dict
            Buffers by rank.
        receives : dict
            Writeable buffers by rank; each is filled.
        """
        with self._lock:
            if self._broken is not None:
                raise RuntimeError(f"{op}: this group has ended: {self._broken}")
            try:
                self._exchange(op, sends, receives)
            except BaseException as error:
                self.close(str(error))
                raise

    def _exchange(self, op: str, sends: Mapping[int, Any], receives: Mapping[int, Any]) -> None:
        out = {peer: _bytes(data) for peer, data in sends.items() if len(data)}
        into = {peer: _bytes(data) for peer, data in receives.items() if len(data)}
        with selectors.DefaultSelector() as selector:
            for peer in out.keys() | into.keys():
                selector.register(self.peers[peer], _wanted(peer, out, into), peer)
            last = time.monotonic()
            while out or into:
                events = selector.select(min(self.timeout, 1.0))
                if not events:
                    if time.monotonic() - last >= self.timeout:
                        waiting = sorted(out.keys() | into.keys())
                        raise TimeoutError(f"{op}: ranks {waiting} did nothing for {self.timeout:g} s")
                    continue
                last = time.monotonic()
                for key, ready in events:
                    peer = key.data
                    try:
                        if ready & selectors.EVENT_WRITE and peer in out:
                            _advance(out, peer, self.peers[peer].send(out[peer][:_PIECE]))
                        if ready & selectors.EVENT_READ and peer in into:
                            got = self.peers[peer].recv_into(into[peer])
                            if not got:
                                raise ConnectionError("closed")
                            _advance(into, peer, got)
                    except (BlockingIOError, InterruptedError):
                        continue
                    except OSError as error:
                        raise RuntimeError(
                            f"{op}: rank {peer} has left: its process ended or raised an error ({error})"
                        ) from None
                    wanted = _wanted(peer, out, into)
                    if not wanted:
                        selector.unregister(key.fileobj)
                    elif wanted != key.events:
                        selector.modify(key.fileobj, wanted, peer)

    def messages(self, op: str, sends: Mapping[int, Any], sources: Iterable[int]) -> dict[int, Any]:
        """Send short values to some ranks, and return those that others send here.

        Values are whatever JSON has: numbers, texts, lists, dicts.
        """
        data = {peer: json.dumps(value).encode() for peer, value in sends.items()}
        packed = {peer: _LENGTH.pack(len(text)) + text for peer, text in data.items()}
        lengths = {peer: bytearray(_LENGTH.size) for peer in sources}
        with self._lock:
            self.exchange(op, packed, lengths)
            texts: dict[int, bytearray] = {}
            for peer, length in lengths.items():
                (count,) = _LENGTH.unpack(length)
                if count > _PIECE:
                    self.close(f"{op}: rank {peer} sent what is no message: it is in another call")
                    raise RuntimeError(f"{op}: rank {peer} sent what is no message: it is in another call")
                texts[peer] = bytearray(count)
            self.exchange(op, {}, texts)
        try:
            return {peer: json.loads(bytes(text)) for peer, text in texts.items()}
        except ValueError:
            self.close(f"{op}: a rank sent what is no message")
            raise RuntimeError(f"{op}: a rank sent what is no message: it is in another call") from None

    def agree(self, op: str, facts: dict[str, Any], *, always: bool = False) -> None:
        """Raise on all ranks where they do not call the same function with arrays that fit."""
        if not (self.checks or always):
            return
        others = [peer for peer in range(self.size) if peer != self.rank]
        mine = {"op": op, **facts}
        answers = self.messages(op, dict.fromkeys(others, mine), others)
        self.compare(op, mine, answers)

    def compare(self, op: str, mine: dict[str, Any], answers: dict[int, dict[str, Any]]) -> None:
        """Raise where another rank's facts are not this one's, naming both."""
        mine = json.loads(json.dumps(mine))
        for peer, theirs in sorted(answers.items()):
            if theirs == mine:
                continue
            if not isinstance(theirs, dict) or theirs.get("op") != mine["op"]:
                where = theirs.get("op", "another call") if isinstance(theirs, dict) else "another call"
                error: Exception = RuntimeError(f"{op}: rank {peer} is in {where}")
            else:
                keys = [
                    key for key in sorted(mine.keys() | theirs.keys()) if mine.get(key) != theirs.get(key)
                ]
                told = "; ".join(
                    f"{key} is {mine.get(key)} on rank {self.rank}, {theirs.get(key)} on rank {peer}"
                    for key in keys
                )
                error = ValueError(f"{op}: the ranks disagree: {told}")
            self.close(str(error))
            raise error


def _bytes(data: Any) -> memoryview:
    """Return the bytes of a buffer, or of a NumPy array of one axis without gaps."""
    return data.view(np.uint8).data if isinstance(data, np.ndarray) else memoryview(data)


def _wanted(peer: int, out: Mapping[int, Any], into: Mapping[int, Any]) -> int:
    return selectors.EVENT_WRITE * (peer in out) | selectors.EVENT_READ * (peer in into)


def _advance(buffers: dict[int, memoryview], peer: int, count: int) -> None:
    rest = buffers[peer][count:]
    if rest.nbytes:
        buffers[peer] = rest
    else:
        del buffers[peer]
