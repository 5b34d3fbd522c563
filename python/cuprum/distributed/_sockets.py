"""Collectives over sockets, between processes with or without GPUs.

Reductions add the ranks' values in the order of the ranks, each rank a part of the array: every rank gets the
same bits, in every run, and sends twice the array's bytes at most.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import cuprum

from .._core import ndarray, wait
from .._host import host_view
from ._mesh import Mesh

__all__ = ["SocketCollectives"]

_OPS = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum"}


def _parts(count: int, ranks: int) -> list[slice]:
    """Return slices that split so many elements over the ranks."""
    ends = [count * at // ranks for at in range(ranks + 1)]
    return [slice(first, last) for first, last in zip(ends, ends[1:], strict=False)]


def _flat(a: ndarray) -> np.ndarray[Any, Any]:
    """Return an array's elements in the host's memory, in the order that they have there."""
    host = host_view(a)
    return host.ravel(order="C" if a.flags.c_contiguous else "F")


class _Target:
    """The host's memory that is received into: an array's own on the CPU, else a buffer to be moved there."""

    def __init__(self, a: ndarray) -> None:
        self._array = a
        self._shared = a.device == "cpu"
        if self._shared:
            self.flat = _flat(a)
        else:
            self.flat = np.empty(a.size, np.uint16 if a.dtype.name == "bfloat16" else a.dtype)

    def done(self) -> None:
        """Move what has arrived to the array's device."""
        if self._shared:
            return
        order: Any = "C" if self._array.flags.c_contiguous else "F"
        bits = self._array.view(np.uint16) if self._array.dtype.name == "bfloat16" else self._array
        bits.set(self.flat.reshape(self._array.shape, order=order))


class SocketCollectives:
    """Moves arrays between the ranks of a mesh; arguments have been checked."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._others = [peer for peer in range(mesh.size) if peer != mesh.rank]

    def all_reduce(self, source: ndarray, out: ndarray, op: str, stream: Any) -> None:
        """Reduce over the ranks, on all of them."""
        mine, flat = self._reduced(source, source, op, "all_reduce")
        target = _Target(out)
        parts = _parts(flat.size, self._mesh.size)
        target.flat[parts[self._mesh.rank]] = mine
        receives = {peer: target.flat[parts[peer]] for peer in self._others}
        self._mesh.exchange("all_reduce", {peer: mine for peer in self._others}, receives)
        target.done()

    def _reduced(self, source: ndarray, dtype_of: ndarray, op: str, name: str) -> tuple[Any, Any]:
        """Return this rank's part of the reduction, and the rank's own values."""
        flat = _flat(source)
        parts = _parts(flat.size, self._mesh.size)
        return self._reduced_parts(flat, parts, dtype_of.dtype, op, name), flat

    def _reduced_parts(self, flat: Any, parts: list[slice], dtype: Any, op: str, name: str) -> Any:
        mesh = self._mesh
        own = flat[parts[mesh.rank]]
        arrived = {peer: np.empty(own.size, own.dtype) for peer in self._others}
        mesh.exchange(name, {peer: flat[parts[peer]] for peer in self._others}, arrived)
        arrived[mesh.rank] = own
        function = getattr(cuprum, _OPS[op])
        with cuprum.cuda.Device("cpu"):
            terms = [cuprum.from_dlpack(arrived[peer]) for peer in range(mesh.size)]
            if dtype.name == "bfloat16":
                terms = [term.view(cuprum.bfloat16) for term in terms]
            # One pass over all of them: the chain is fused.
            total = functools.reduce(function, terms)
            wait(total)
        return host_view(total)

    def reduce(self, source: ndarray, out: ndarray | None, root: int, op: str, stream: Any) -> None:
        """Reduce over the ranks, on one of them."""
        mine, flat = self._reduced(source, source, op, "reduce")
        if self._mesh.rank != root:
            self._mesh.exchange("reduce", {root: mine}, {})
            return
        assert out is not None
        target, parts = _Target(out), _parts(flat.size, self._mesh.size)
        target.flat[parts[root]] = mine
        self._mesh.exchange("reduce", {}, {peer: target.flat[parts[peer]] for peer in self._others})
        target.done()

    def reduce_scatter(self, source: ndarray, out: ndarray, count: int, op: str, stream: Any) -> None:
        """Reduce over the ranks; each keeps its part."""
        flat = _flat(source)
        parts = [slice(at * count, at * count + count) for at in range(self._mesh.size)]
        target = _Target(out)
        target.flat[:count] = self._reduced_parts(flat, parts, source.dtype, op, "reduce_scatter")
        target.done()

    def broadcast(self, array: ndarray, root: int, stream: Any) -> None:
        """Give one rank's array to all: in parts first, which the ranks then give each other."""
        mesh = self._mesh
        target = None if mesh.rank == root else _Target(array)
        flat = _flat(array) if target is None else target.flat
        parts = _parts(flat.size, mesh.size)
        if mesh.rank == root:
            mesh.exchange("broadcast", {peer: flat[parts[peer]] for peer in self._others}, {})
            mesh.exchange("broadcast", {peer: flat[parts[root]] for peer in self._others}, {})
            return
        mesh.exchange("broadcast", {}, {root: flat[parts[mesh.rank]]})
        among = [peer for peer in self._others if peer != root]
        receives = {peer: flat[parts[peer]] for peer in self._others}
        mesh.exchange("broadcast", {peer: flat[parts[mesh.rank]] for peer in among}, receives)
        assert target is not None
        target.done()

    def all_gather(self, source: ndarray, out: ndarray, count: int, stream: Any) -> None:
        """Give every rank's array to all, one after the other."""
        mine, target = _flat(source)[:count], _Target(out)
        places = [target.flat[at * count : at * count + count] for at in range(self._mesh.size)]
        places[self._mesh.rank][:] = mine
        sends = {peer: mine for peer in self._others}
        self._mesh.exchange("all_gather", sends, {peer: places[peer] for peer in self._others})
        target.done()

    def scatter(self, source: ndarray | None, out: ndarray, root: int, stream: Any) -> None:
        """Give each rank its row of one rank's array."""
        target = _Target(out)
        if self._mesh.rank != root:
            self._mesh.exchange("scatter", {}, {root: target.flat})
        else:
            assert source is not None
            rows = host_view(source).reshape(self._mesh.size, -1)
            target.flat[:] = rows[root]
            self._mesh.exchange("scatter", {peer: rows[peer] for peer in self._others}, {})
        target.done()

    def gather(self, source: ndarray, out: ndarray | None, root: int, stream: Any) -> None:
        """Give every rank's array to one, as the rows of its own."""
        if self._mesh.rank != root:
            self._mesh.exchange("gather", {root: _flat(source)}, {})
            return
        assert out is not None
        target = _Target(out)
        rows = target.flat.reshape(self._mesh.size, -1)
        rows[root] = _flat(source)
        self._mesh.exchange("gather", {}, {peer: rows[peer] for peer in self._others})
        target.done()

    def all_to_all(self, source: ndarray, out: ndarray, stream: Any) -> None:
        """Give each rank its row of every rank's array."""
        rows, target = host_view(source).reshape(self._mesh.size, -1), _Target(out)
        places = target.flat.reshape(self._mesh.size, -1)
        places[self._mesh.rank] = rows[self._mesh.rank]
        sends = {peer: rows[peer] for peer in self._others}
        self._mesh.exchange("all_to_all", sends, {peer: places[peer] for peer in self._others})
        target.done()

    def transfer(
        self, op: str, sends: dict[int, list[ndarray]], receives: dict[int, list[ndarray]], stream: Any
    ) -> None:
        """Send arrays to ranks and receive some from them, all at once; a rank's own are copied."""
        rank = self._mesh.rank
        for source, out in zip(sends.pop(rank, []), receives.pop(rank, []), strict=True):
            out[...] = source
        targets = {peer: [_Target(out) for out in arrays] for peer, arrays in receives.items()}
        rounds = [len(arrays) for arrays in sends.values()] + [len(arrays) for arrays in targets.values()]
        for at in range(max(rounds, default=0)):
            self._mesh.exchange(
                op,
                {peer: _flat(arrays[at]) for peer, arrays in sends.items() if at < len(arrays)},
                {peer: arrays[at].flat for peer, arrays in targets.items() if at < len(arrays)},
            )
        for arrays in targets.values():
            for target in arrays:
                target.done()
