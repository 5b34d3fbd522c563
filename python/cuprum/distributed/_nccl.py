"""Collectives between GPUs by NCCL, in a stream's order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cuprum

from .._core import ndarray
from ..cuda import nccl
from ._mesh import Mesh

__all__ = ["NcclCollectives"]

_TYPES = {
    "int8": nccl.NCCL_INT8,
    "uint8": nccl.NCCL_UINT8,
    "int32": nccl.NCCL_INT32,
    "uint32": nccl.NCCL_UINT32,
    "int64": nccl.NCCL_INT64,
    "uint64": nccl.NCCL_UINT64,
    "float16": nccl.NCCL_FLOAT16,
    "bfloat16": nccl.NCCL_BFLOAT16,
    "float32": nccl.NCCL_FLOAT32,
    "float64": nccl.NCCL_FLOAT64,
}
_PAIRS = {"complex64": nccl.NCCL_FLOAT32, "complex128": nccl.NCCL_FLOAT64}
"""Complex numbers are pairs of real ones: their sum is that of the parts."""

_OPS = {"sum": nccl.NCCL_SUM, "prod": nccl.NCCL_PROD, "max": nccl.NCCL_MAX, "min": nccl.NCCL_MIN}


def _typed(array: ndarray, count: int) -> tuple[int, int]:
    """Return NCCL's type for elements of an array, and how many of it there are."""
    name = array.dtype.name
    if name in _PAIRS:
        return _PAIRS[name], 2 * count
    if name in _TYPES:
        return _TYPES[name], count
    return nccl.NCCL_UINT8, count * array.itemsize  # moved, never reduced


def _refuse_shared_gpus(mesh: Mesh) -> None:
    """Raise on all ranks where some have the same GPU: NCCL would only say that a call was invalid."""
    gpu = cuprum.cuda.runtime.getDevice()
    mine = bytes(cuprum.cuda.runtime.getDeviceProperties(gpu)["uuid"]).hex()
    others = [peer for peer in range(mesh.size) if peer != mesh.rank]
    answers = mesh.messages("init_process_group", dict.fromkeys(others, mine), others)
    ranks: dict[Any, list[int]] = {}
    for rank, uuid in sorted({**answers, mesh.rank: mine}.items()):
        ranks.setdefault(uuid, []).append(rank)
    shared = [same for same in ranks.values() if len(same) > 1]
    if shared:
        raise ValueError(
            f"init_process_group: ranks {', '.join(map(str, shared[0]))} have the same GPU, and NCCL wants "
            "one for each: choose another (cp.cuda.Device(rank).use() before, or CUDA_VISIBLE_DEVICES), or "
            "use backend='sockets'"
        )


class NcclCollectives:
    """Moves arrays between the GPUs of a group's ranks; arguments have been checked.

    Raises
    ------
    RuntimeError
        Where NCCL is not installed: the message says how to install it.
    ValueError
        Where ranks share a GPU, which NCCL refuses.
    """

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        _refuse_shared_gpus(mesh)
        identifier = nccl.get_unique_id().hex() if mesh.rank == 0 else None
        others = range(1, mesh.size)
        if mesh.rank == 0:
            mesh.messages("init_process_group", dict.fromkeys(others, identifier), [])
        else:
            identifier = mesh.messages("init_process_group", {}, [0])[0]
        assert isinstance(identifier, str)
        self._comm = nccl.NcclCommunicator(mesh.size, bytes.fromhex(identifier), mesh.rank)
        mesh.checks = os.environ.get("CUPRUM_DISTRIBUTED_CHECK", "1") != "0"

    @contextmanager
    def _in(self, stream: Any, *arrays: ndarray | None) -> Iterator[tuple[int, list[int]]]:
        """Yield a stream's handle and the arrays' addresses, for calls that the current stream waits for."""
        for array in arrays:
            if array is not None and array.device == "cpu":
                raise ValueError("NCCL moves arrays of GPUs: this one is on the CPU; use backend='sockets'")
        current = cuprum.cuda.get_current_stream()
        chosen = current if stream is None else stream
        before = current.record(cuprum.cuda.Event(disable_timing=True))
        with chosen:
            if chosen is not current:
                chosen.wait_event(before)
            # Asked for in the stream, so that it waits for whoever used the memory last.
            yield chosen.ptr, [0 if array is None else array.data.ptr for array in arrays]
            after = chosen.record(cuprum.cuda.Event(disable_timing=True))
        if chosen is not current:
            current.wait_event(after)

    def all_reduce(self, source: ndarray, out: ndarray, op: str, stream: Any) -> None:
        """Reduce over the ranks, on all of them."""
        kind, count = _typed(source, source.size)
        with self._in(stream, source, out) as (handle, (send, receive)):
            self._comm.allReduce(send, receive, count, kind, _OPS[op], handle)

    def reduce(self, source: ndarray, out: ndarray | None, root: int, op: str, stream: Any) -> None:
        """Reduce over the ranks, on one of them."""
        kind, count = _typed(source, source.size)
        with self._in(stream, source, out if self._mesh.rank == root else None) as (handle, (send, receive)):
            self._comm.reduce(send, receive, count, kind, _OPS[op], root, handle)

    def broadcast(self, array: ndarray, root: int, stream: Any) -> None:
        """Give one rank's array to all."""
        kind, count = _typed(array, array.size)
        with self._in(stream, array) as (handle, (address,)):
            self._comm.bcast(address, count, kind, root, handle)

    def reduce_scatter(self, source: ndarray, out: ndarray, count: int, op: str, stream: Any) -> None:
        """Reduce over the ranks; each keeps its part."""
        kind, number = _typed(source, count)
        with self._in(stream, source, out) as (handle, (send, receive)):
            self._comm.reduceScatter(send, receive, number, kind, _OPS[op], handle)

    def all_gather(self, source: ndarray, out: ndarray, count: int, stream: Any) -> None:
        """Give every rank's array to all, one after the other."""
        kind, number = _typed(source, count)
        with self._in(stream, source, out) as (handle, (send, receive)):
            self._comm.allGather(send, receive, number, kind, handle)

    @contextmanager
    def _group(self) -> Iterator[None]:
        nccl.groupStart()
        try:
            yield
        finally:
            nccl.groupEnd()

    def scatter(self, source: ndarray | None, out: ndarray, root: int, stream: Any) -> None:
        """Give each rank its row of one rank's array."""
        kind, count = _typed(out, out.size)
        with self._in(stream, source, out) as (handle, (send, receive)), self._group():
            if source is not None:
                for peer in range(self._mesh.size):
                    self._comm.send(send + peer * out.nbytes, count, kind, peer, handle)
            self._comm.recv(receive, count, kind, root, handle)

    def gather(self, source: ndarray, out: ndarray | None, root: int, stream: Any) -> None:
        """Give every rank's array to one, as the rows of its own."""
        kind, count = _typed(source, source.size)
        with self._in(stream, source, out) as (handle, (send, receive)), self._group():
            if out is not None:
                for peer in range(self._mesh.size):
                    self._comm.recv(receive + peer * source.nbytes, count, kind, peer, handle)
            self._comm.send(send, count, kind, root, handle)

    def all_to_all(self, source: ndarray, out: ndarray, stream: Any) -> None:
        """Give each rank its row of every rank's array."""
        ranks = self._mesh.size
        kind, count = _typed(source, source.size // ranks)
        row = source.nbytes // ranks
        with self._in(stream, source, out) as (handle, (send, receive)), self._group():
            for peer in range(ranks):
                self._comm.send(send + peer * row, count, kind, peer, handle)
                self._comm.recv(receive + peer * row, count, kind, peer, handle)

    def transfer(
        self, op: str, sends: dict[int, list[ndarray]], receives: dict[int, list[ndarray]], stream: Any
    ) -> None:
        """Send arrays to ranks and receive some from them, all at once; a rank's own are copied."""
        rank = self._mesh.rank
        for source, out in zip(sends.pop(rank, []), receives.pop(rank, []), strict=True):
            out[...] = source
        outgoing = [(peer, array) for peer, arrays in sends.items() for array in arrays]
        incoming = [(peer, array) for peer, arrays in receives.items() for array in arrays]
        arrays = [array for _, array in (*outgoing, *incoming)]
        with self._in(stream, *arrays) as (handle, addresses), self._group():
            for (peer, array), address in zip(outgoing, addresses, strict=False):
                kind, count = _typed(array, array.size)
                self._comm.send(address, count, kind, peer, handle)
            for (peer, array), address in zip(incoming, addresses[len(outgoing) :], strict=True):
                kind, count = _typed(array, array.size)
                self._comm.recv(address, count, kind, peer, handle)
