"""Collectives between processes, as `cupyx.distributed` has them: checked here, moved by NCCL or sockets."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from typing import Any

import cuprum

from .._core import ndarray
from . import _sparse
from ._mesh import Mesh
from ._sockets import SocketCollectives
from ._store import DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TIMEOUT, TCPStore, TCPStoreProxy

__all__ = ["Backend", "NCCLBackend", "SocketBackend", "init_process_group"]

_OPS = ("sum", "prod", "max", "min")
_NOT_REDUCED = frozenset({"bool", "int16", "uint16"})
"""Dtypes that NCCL does not reduce; sockets do not either, so that programs behave alike."""

_CALL_TIMEOUT = 300.0


def _seconds(given: float | None) -> float:
    if given is not None:
        if not given > 0:
            raise ValueError(f"init_process_group: the timeout must be positive, got {given}")
        return float(given)
    return float(os.environ.get("CUPRUM_DISTRIBUTED_TIMEOUT", _CALL_TIMEOUT))


class Backend:
    """A group of processes, each with a rank. Programs use `init_process_group`.

    Every rank calls the same functions in the same order. Shapes, dtypes and arguments are compared before
    anything is moved: where ranks disagree, all of them raise. A rank that ends is an error on the others.
    After an error the group is of no more use.

    Parameters
    ----------
    n_devices : int
        How many ranks there are.
    rank : int
        This process's rank.
    host, port : str and int, optional
        Where rank 0 listens.
    use_mpi : bool, optional
        CuPy's: the group needs no MPI, so True is refused.
    timeout : float, optional
        The seconds without any progress after which a call raises: `CUPRUM_DISTRIBUTED_TIMEOUT`, or 300.

    Examples
    --------
    >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
    ...     out = cp.zeros(3)
    ...     group.all_reduce(cp.arange(3.0), out)
    >>> out
    array([0., 1., 2.])

    Two ranks, which are threads here and processes in programs:

    >>> import socket, threading
    >>> with socket.create_server(("127.0.0.1", 0)) as free:
    ...     port = free.getsockname()[1]
    >>> def program(rank, array):
    ...     with cp.distributed.SocketBackend(2, rank, port=port) as group:
    ...         if rank == 0:
    ...             group.send(array, 1)
    ...         else:
    ...             group.recv(array, 0)
    >>> other = threading.Thread(target=program, args=(0, cp.arange(3.0)))
    >>> other.start()
    >>> out = cp.zeros(3)
    >>> program(1, out)
    >>> other.join()
    >>> out
    array([0., 1., 2.])
    """

    def __init__(
        self,
        n_devices: int,
        rank: int,
        host: str = DEFAULT_HOST,
        port: int = DEFAULT_PORT,
        use_mpi: bool = False,
        *,
        timeout: float | None = None,
    ) -> None:
        if n_devices <= 0:
            raise ValueError(f"Invalid number of devices {n_devices}")
        if not 0 <= rank < n_devices:
            raise ValueError(f"Invalid number of rank {rank} {n_devices}")
        if use_mpi:
            raise ValueError("init_process_group: the group needs no MPI: leave use_mpi out")
        seconds = _seconds(timeout)
        self._n_devices, self.rank = n_devices, rank
        self._store: TCPStore | None = None
        if rank == 0:
            self._store = TCPStore(n_devices)
            port = self._store.run(host, port)
        self._store_proxy = TCPStoreProxy(host, port, min(seconds, DEFAULT_TIMEOUT))
        try:
            self._mesh = Mesh(n_devices, rank, self._store_proxy, seconds)
            self._carrier = self._make_carrier()
        except BaseException:
            if self._store is not None:
                self._store.stop()
            raise
        self._finalizer = weakref.finalize(self, _end, self._mesh, self._store)

    def _make_carrier(self) -> Any:
        return SocketCollectives(self._mesh)

    @property
    def n_devices(self) -> int:
        """How many ranks there are."""
        return self._n_devices

    def stop(self) -> None:
        """Leave the group: its connections are closed.

        Examples
        --------
        >>> group = cp.distributed.SocketBackend(1, 0, port=0)
        >>> group.stop()
        """
        self._finalizer()

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _check(self, op: str, *arrays: Any) -> None:
        for array in arrays:
            if not isinstance(array, ndarray):
                raise TypeError(f"{op}: expected an array of Cuprum's, got {type(array).__name__}")
            if not (array.flags.c_contiguous or array.flags.f_contiguous):
                raise RuntimeError(f"{op}: arrays must be either c- or f-contiguous")

    def _check_out(self, op: str, source: ndarray, out: ndarray, count: int | None = None) -> None:
        """Raise where an output cannot hold what is put into it."""
        self._check(op, out)
        if not out.flags.writeable:
            raise ValueError(f"{op}: out_array is read-only")
        wanted = source.size if count is None else count
        if source.dtype != out.dtype or out.size != wanted:
            raise ValueError(
                f"{op}: out_array must hold {wanted} elements of {source.dtype.name}, "
                f"it has {out.size} of {out.dtype.name}"
            )

    def _check_rows(self, op: str, name: str, array: ndarray) -> None:
        """Raise where an array has not one row for each rank, one after the other in memory."""
        if array.ndim == 0 or array.shape[0] != self._n_devices:
            raise RuntimeError(
                f"{op} requires {name} to have {self._n_devices} elements in its first dimension, "
                f"found {array.shape}"
            )
        if not array.flags.c_contiguous:
            raise RuntimeError(f"{op}: {name} must be c-contiguous")

    def _check_reduction(self, op: str, how: str, array: ndarray) -> None:
        if how not in _OPS:
            raise RuntimeError(f"{op}: unknown op {how!r}: it is one of {', '.join(_OPS)}")
        if array.dtype.name in _NOT_REDUCED:
            raise TypeError(f"{op}: arrays of {array.dtype.name} cannot be reduced: convert them first")
        if array.dtype.kind == "c" and how != "sum":
            raise ValueError(f"{op}: only 'sum' is supported for complex arrays, got {how!r}")

    def _check_rank(self, op: str, name: str, rank: int) -> None:
        if not 0 <= rank < self._n_devices:
            raise ValueError(f"{op}: {name} must be a rank below {self._n_devices}, got {rank}")

    @staticmethod
    def _facts(array: ndarray, **more: Any) -> dict[str, Any]:
        """Return what ranks must have in common: dtype and shape, and how the elements lie in memory."""
        order = "C" if array.flags.c_contiguous else "F"
        return {"dtype": array.dtype.name, "shape": list(array.shape), "order": order, **more}

    @staticmethod
    def _amount(array: ndarray) -> dict[str, Any]:
        """Return what a sender and a receiver must have in common."""
        order = "C" if array.flags.c_contiguous else "F"
        return {"dtype": array.dtype.name, "elements": array.size, "order": order}

    def all_reduce(self, in_array: Any, out_array: Any, op: str = "sum", stream: Any = None) -> None:
        """Reduce arrays over the ranks, on all of them.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values.
        out_array : ndarray or sparse matrix
            Where the result goes.
        op : {'sum', 'prod', 'min', 'max'}, optional
            How values are reduced; complex ones by 'sum' alone.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.
        """
        if _sparse.is_sparse(in_array):
            _sparse.all_reduce(self, in_array, out_array, op, stream)
            return
        self._check("all_reduce", in_array)
        self._check_out("all_reduce", in_array, out_array)
        self._check_reduction("all_reduce", op, in_array)
        self._mesh.agree("all_reduce", self._facts(in_array, reduction=op))
        self._carrier.all_reduce(in_array, out_array, op, stream)

    def reduce(
        self, in_array: Any, out_array: Any, root: int = 0, op: str = "sum", stream: Any = None
    ) -> None:
        """Reduce arrays over the ranks, on one of them.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values.
        out_array : ndarray or sparse matrix
            Where the result goes on `root`; without meaning elsewhere.
        root : int, optional
            The rank that gets the result.
        op : {'sum', 'prod', 'min', 'max'}, optional
            How values are reduced; complex ones by 'sum' alone.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0), cp.zeros(3)
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.reduce(x, out, root=0)
        >>> out
        array([0., 1., 2.])
        """
        if _sparse.is_sparse(in_array):
            _sparse.reduce(self, in_array, out_array, root, op, stream)
            return
        self._check("reduce", in_array)
        self._check_rank("reduce", "root", root)
        if self.rank == root:
            self._check_out("reduce", in_array, out_array)
        self._check_reduction("reduce", op, in_array)
        self._mesh.agree("reduce", self._facts(in_array, reduction=op, root=root))
        self._carrier.reduce(in_array, out_array, root, op, stream)

    def broadcast(self, in_out_array: Any, root: int = 0, stream: Any = None) -> None:
        """Give one rank's array to all.

        Parameters
        ----------
        in_out_array : ndarray or sparse matrix
            The values on `root`; where they go on the other ranks.
        root : int, optional
            The rank that has the values.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x = cp.arange(3.0)
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.broadcast(x, root=0)
        """
        if _sparse.is_sparse(in_out_array):
            _sparse.broadcast(self, in_out_array, root, stream)
            return
        self._check("broadcast", in_out_array)
        self._check_rank("broadcast", "root", root)
        if self.rank != root:
            self._check_out("broadcast", in_out_array, in_out_array)
        self._mesh.agree("broadcast", self._facts(in_out_array, root=root))
        self._carrier.broadcast(in_out_array, root, stream)

    def reduce_scatter(
        self, in_array: Any, out_array: Any, count: int, op: str = "sum", stream: Any = None
    ) -> None:
        """Reduce arrays over the ranks; each rank gets its part of the result.

        Parameters
        ----------
        in_array : ndarray or list of sparse matrices
            This rank's values: `count` for each rank.
        out_array : ndarray or sparse matrix
            Where this rank's part goes.
        count : int
            The elements of a part.
        op : {'sum', 'prod', 'min', 'max'}, optional
            How values are reduced; complex ones by 'sum' alone.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0), cp.zeros(3)
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.reduce_scatter(x, out, 3)
        >>> out
        array([0., 1., 2.])
        """
        if _sparse.is_sparse(in_array):
            _sparse.reduce_scatter(self, in_array, out_array, op, stream)
            return
        self._check("reduce_scatter", in_array)
        self._check_count("reduce_scatter", "in_array", in_array, count * self._n_devices)
        self._check_out("reduce_scatter", in_array, out_array, count)
        self._check_reduction("reduce_scatter", op, in_array)
        self._mesh.agree("reduce_scatter", self._facts(in_array, reduction=op, count=count))
        self._carrier.reduce_scatter(in_array, out_array, count, op, stream)

    def _check_count(self, op: str, name: str, array: ndarray, wanted: int) -> None:
        if array.size != wanted:
            raise ValueError(f"{op}: {name} must have {wanted} elements, it has {array.size}")

    def all_gather(self, in_array: Any, out_array: Any, count: int, stream: Any = None) -> None:
        """Give the arrays of all ranks to all, one after the other.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values.
        out_array : ndarray or list
            Where all values go; sparse matrices are appended to the list.
        count : int
            The elements of a rank.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0), cp.zeros((1, 3))
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.all_gather(x, out, 3)
        >>> out
        array([[0., 1., 2.]])
        """
        if _sparse.is_sparse(in_array):
            _sparse.all_gather(self, in_array, out_array, stream)
            return
        self._check("all_gather", in_array)
        self._check_count("all_gather", "in_array", in_array, count)
        self._check_out("all_gather", in_array, out_array, count * self._n_devices)
        self._mesh.agree("all_gather", self._facts(in_array, count=count))
        self._carrier.all_gather(in_array, out_array, count, stream)

    def send(self, array: Any, peer: int, stream: Any = None) -> None:
        """Send an array to a rank, which receives it.

        Parameters
        ----------
        array : ndarray or sparse matrix
            The values.
        peer : int
            The rank that they go to.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.
        """
        if _sparse.is_sparse(array):
            _sparse.send(self, array, peer, stream)
            return
        self._check("send", array)
        self._check_peer("send", peer)
        self._meet("send", {peer: self._amount(array)}, {})
        self._move("send", {peer: [array]}, {}, stream)

    def recv(self, out_array: Any, peer: int, stream: Any = None) -> None:
        """Receive an array that a rank sends.

        Parameters
        ----------
        out_array : ndarray or sparse matrix
            Where the values go.
        peer : int
            The rank that they come from.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.
        """
        if _sparse.is_sparse(out_array):
            _sparse.recv(self, out_array, peer, stream)
            return
        self._check("recv", out_array)
        self._check_out("recv", out_array, out_array)
        self._check_peer("recv", peer)
        self._meet("recv", {}, {peer: self._amount(out_array)})
        self._move("recv", {}, {peer: [out_array]}, stream)

    def send_recv(self, in_array: Any, out_array: Any, peer: int, stream: Any = None) -> None:
        """Send an array to a rank, and receive one that it sends at the same time.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            The values that go.
        out_array : ndarray or sparse matrix
            Where the values that come go.
        peer : int
            The rank; this rank itself makes it a copy.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0), cp.zeros(3)
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.send_recv(x, out, peer=0)
        >>> out
        array([0., 1., 2.])
        """
        if _sparse.is_sparse(in_array):
            _sparse.send_recv(self, in_array, out_array, peer, stream)
            return
        self._check("send_recv", in_array)
        self._check_out("send_recv", out_array, out_array)
        self._check_rank("send_recv", "peer", peer)
        self._meet("send_recv", {peer: self._amount(in_array)}, {peer: self._amount(out_array)})
        self._move("send_recv", {peer: [in_array]}, {peer: [out_array]}, stream)

    def _check_peer(self, op: str, peer: int) -> None:
        self._check_rank(op, "peer", peer)
        if peer == self.rank:
            raise ValueError(f"{op}: rank {peer} is this process itself: use send_recv")

    def _meet(self, op: str, sends: dict[int, Any], receives: dict[int, Any]) -> None:
        """Compare what is sent with what the other rank receives, on both sides, before anything is moved."""
        mesh = self._mesh
        if not mesh.checks:
            return
        mine = {
            peer: {"sends": sends.get(peer), "receives": receives.get(peer)}
            for peer in sends.keys() | receives.keys()
        }
        if self.rank in mine:
            answers = {self.rank: mine.pop(self.rank)}
        else:
            answers = {}
        told = {peer: {"op": "send or recv", **facts} for peer, facts in mine.items()}
        answers.update(mesh.messages(op, told, mine.keys()))
        for peer, theirs in answers.items():
            ours = {"op": "send or recv", "sends": sends.get(peer), "receives": receives.get(peer)}
            if peer == self.rank:
                theirs = {"op": "send or recv", **theirs}
            crossed = {
                "op": theirs.get("op"),
                "sends": theirs.get("receives"),
                "receives": theirs.get("sends"),
            }
            mesh.compare(op, ours, {peer: crossed})

    def _move(
        self,
        op: str,
        sends: dict[int, list[ndarray]],
        receives: dict[int, list[ndarray]],
        stream: Any,
    ) -> None:
        """Move arrays whose sizes the ranks have agreed on."""
        self._carrier.transfer(op, sends, receives, stream)

    def scatter(self, in_array: Any, out_array: Any, root: int = 0, stream: Any = None) -> None:
        """Give each rank its row of one rank's array.

        Parameters
        ----------
        in_array : ndarray or list of sparse matrices
            The rows, one for each rank, on `root`; without meaning elsewhere.
        out_array : ndarray or sparse matrix
            Where this rank's row goes.
        root : int, optional
            The rank that has the rows.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0).reshape(1, 3), cp.zeros(3)
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.scatter(x, out, root=0)
        >>> out
        array([0., 1., 2.])
        """
        if _sparse.is_sparse(out_array):
            _sparse.scatter(self, in_array, out_array, root, stream)
            return
        self._check_rank("scatter", "root", root)
        self._check_out("scatter", out_array, out_array)
        if self.rank == root:
            self._check("scatter", in_array)
            self._check_rows("scatter", "in_array", in_array)
            self._check_out("scatter", in_array, out_array, in_array.size // self._n_devices)
        facts = {"dtype": out_array.dtype.name, "elements": out_array.size, "root": root}
        self._mesh.agree("scatter", facts)
        self._carrier.scatter(in_array if self.rank == root else None, out_array, root, stream)

    def gather(self, in_array: Any, out_array: Any, root: int = 0, stream: Any = None) -> None:
        """Give the arrays of all ranks to one, as the rows of its own.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values.
        out_array : ndarray or list
            Where the rows go on `root`, one for each rank; sparse matrices are appended to the list.
        root : int, optional
            The rank that gets the rows.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0), cp.zeros((1, 3))
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.gather(x, out, root=0)
        >>> out
        array([[0., 1., 2.]])
        """
        if _sparse.is_sparse(in_array):
            _sparse.gather(self, in_array, out_array, root, stream)
            return
        self._check_rank("gather", "root", root)
        self._check("gather", in_array)
        if self.rank == root:
            self._check("gather", out_array)
            self._check_rows("gather", "out_array", out_array)
            self._check_out("gather", in_array, out_array, in_array.size * self._n_devices)
        self._mesh.agree("gather", self._facts(in_array, root=root))
        self._carrier.gather(in_array, out_array if self.rank == root else None, root, stream)

    def all_to_all(self, in_array: Any, out_array: Any, stream: Any = None) -> None:
        """Give each rank its row of the arrays of all.

        Parameters
        ----------
        in_array : ndarray or list of sparse matrices
            The rows that go, one for each rank.
        out_array : ndarray or list
            Where the rows that come go, one of each rank; sparse matrices are appended to the list.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.

        Examples
        --------
        >>> x, out = cp.arange(3.0).reshape(1, 3), cp.zeros((1, 3))
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.all_to_all(x, out)
        >>> out
        array([[0., 1., 2.]])
        """
        if _sparse.is_sparse(in_array):
            _sparse.all_to_all(self, in_array, out_array, stream)
            return
        self._check("all_to_all", in_array)
        self._check_rows("all_to_all", "in_array", in_array)
        self._check_out("all_to_all", in_array, out_array)
        self._check_rows("all_to_all", "out_array", out_array)
        self._mesh.agree("all_to_all", self._facts(in_array))
        self._carrier.all_to_all(in_array, out_array, stream)

    def barrier(self) -> None:
        """Wait until all ranks have come here.

        Examples
        --------
        >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
        ...     group.barrier()
        """
        self._mesh.agree("barrier", {}, always=True)


def _end(mesh: Mesh, store: TCPStore | None) -> None:
    mesh.close()
    if store is not None:
        store.stop()


class SocketBackend(Backend):
    """A group whose arrays travel over sockets, those of GPUs through the host's memory.

    Parameters are those of `Backend`.

    Examples
    --------
    >>> with cp.distributed.SocketBackend(1, 0, port=0) as group:
    ...     group.barrier()
    """


class NCCLBackend(Backend):
    """A group whose arrays travel between GPUs by NCCL; without GPUs, over sockets.

    Ranks meet and compare their arguments over sockets in both cases. `CUPRUM_DISTRIBUTED_CHECK=0` leaves the
    comparing out on GPUs: a call then costs what NCCL takes, and ranks that disagree wait for each other.

    Parameters are those of `Backend`.

    Examples
    --------
    >>> with cp.distributed.NCCLBackend(1, 0, port=0) as group:
    ...     x = cp.arange(3.0)
    ...     group.broadcast(x, 0)
    """

    def _make_carrier(self) -> Any:
        if not cuprum.cuda.is_available():
            return SocketCollectives(self._mesh)
        from ._nccl import NcclCollectives

        return NcclCollectives(self._mesh)


_BACKENDS: dict[str, type[Backend]] = {"nccl": NCCLBackend, "sockets": SocketBackend}


def init_process_group(
    n_devices: int,
    rank: int,
    *,
    backend: str = "nccl",
    host: str | None = None,
    port: int | None = None,
    use_mpi: bool = False,
    timeout: float | None = None,
) -> Backend:
    """Join a group of processes; each calls this, with its own rank.

    Rank 0 listens at the address, and the others find it there. A process uses the device that is current in
    it: `cp.cuda.Device(n).use()` comes first.

    Parameters
    ----------
    n_devices : int
        How many ranks there are.
    rank : int
        This process's rank, from 0 to `n_devices - 1`.
    backend : {'nccl', 'sockets'}, optional
        What carries the arrays. Without GPUs both are sockets.
    host : str, optional
        The address of rank 0: `CUPYX_DISTRIBUTED_HOST`, or 127.0.0.1.
    port : int, optional
        Its port: `CUPYX_DISTRIBUTED_PORT`, or 13333.
    use_mpi : bool, optional
        CuPy's: the group needs no MPI, so True is refused.
    timeout : float, optional
        The seconds without any progress after which a call raises: `CUPRUM_DISTRIBUTED_TIMEOUT`, or 300.
        Ranks wait for each other at the start for at most 30.

    Returns
    -------
    Backend
        The group, with the collectives as its methods.

    Examples
    --------
    >>> group = cp.distributed.init_process_group(1, 0, port=0)
    >>> out = cp.zeros((1, 2))
    >>> group.gather(cp.arange(2.0), out)
    >>> out
    array([[0., 1.]])
    >>> group.stop()
    """
    if backend not in _BACKENDS:
        names: Sequence[str] = sorted(_BACKENDS)
        raise ValueError(f"init_process_group: {backend!r} is not supported: it is {' or '.join(names)}")
    host = os.environ.get("CUPYX_DISTRIBUTED_HOST", DEFAULT_HOST) if host is None else host
    port = int(os.environ.get("CUPYX_DISTRIBUTED_PORT", DEFAULT_PORT)) if port is None else port
    return _BACKENDS[backend](n_devices, rank, host, port, use_mpi, timeout=timeout)
