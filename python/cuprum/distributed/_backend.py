"""A group of processes and its collectives, as `cupyx.distributed` has them; a carrier moves the arrays."""

from __future__ import annotations

import os
import weakref
from typing import Any

from .._core import ndarray
from . import _sparse
from ._checks import (
    amount_of,
    check_arrays,
    check_count,
    check_out,
    check_peer,
    check_rank,
    check_reduction,
    check_rows,
    facts_of,
)
from ._mesh import Mesh
from ._sockets import SocketCollectives
from ._store import DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TIMEOUT, TCPStore, TCPStoreProxy

__all__ = ["Backend"]

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

    def all_reduce(self, in_array: Any, out_array: Any, op: str = "sum", stream: Any = None) -> None:
        """Reduce arrays over the ranks, on all of them.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values.
        out_array : ndarray or sparse matrix
            Where the result goes.
        op : {'sum', 'prod', 'min', 'max'}, optional
            How values are reduced; complex ones by 'sum' alone. Sparse matrices are added, or multiplied
            by `*`.
        stream : cuda.Stream, optional
            The stream on a GPU, the current one by default.
        """
        if _sparse.is_sparse(in_array):
            _sparse.all_reduce(self, in_array, out_array, op, stream)
            return
        check_arrays("all_reduce", in_array)
        check_out("all_reduce", in_array, out_array)
        check_reduction("all_reduce", op, in_array)
        self._mesh.agree("all_reduce", facts_of(in_array, reduction=op))
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
            How values are reduced; complex ones by 'sum' alone. Sparse matrices are added, or multiplied
            by `*`.
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
        check_arrays("reduce", in_array)
        check_rank("reduce", "root", root, self._n_devices)
        if self.rank == root:
            check_out("reduce", in_array, out_array)
        check_reduction("reduce", op, in_array)
        self._mesh.agree("reduce", facts_of(in_array, reduction=op, root=root))
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
        check_arrays("broadcast", in_out_array)
        check_rank("broadcast", "root", root, self._n_devices)
        if self.rank != root:
            check_out("broadcast", in_out_array, in_out_array)
        self._mesh.agree("broadcast", facts_of(in_out_array, root=root))
        self._carrier.broadcast(in_out_array, root, stream)

    def reduce_scatter(
        self, in_array: Any, out_array: Any, count: int, op: str = "sum", stream: Any = None
    ) -> None:
        """Reduce arrays over the ranks; each rank gets its part of the result.

        Parameters
        ----------
        in_array : ndarray or list of sparse matrices
            This rank's values: `count` for each rank, and what follows them is left alone.
        out_array : ndarray or sparse matrix
            Where this rank's part goes.
        count : int
            The elements of a part.
        op : {'sum', 'prod', 'min', 'max'}, optional
            How values are reduced; complex ones by 'sum' alone. Sparse matrices are added, or multiplied
            by `*`.
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
        check_arrays("reduce_scatter", in_array)
        check_count("reduce_scatter", "in_array", in_array, count * self._n_devices)
        check_out("reduce_scatter", in_array, out_array, count)
        check_reduction("reduce_scatter", op, in_array)
        self._mesh.agree("reduce_scatter", facts_of(in_array, reduction=op, count=count))
        self._carrier.reduce_scatter(in_array, out_array, count, op, stream)

    def all_gather(self, in_array: Any, out_array: Any, count: int, stream: Any = None) -> None:
        """Give the arrays of all ranks to all, one after the other.

        Parameters
        ----------
        in_array : ndarray or sparse matrix
            This rank's values: the first `count` are given.
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
        check_arrays("all_gather", in_array)
        check_count("all_gather", "in_array", in_array, count)
        check_out("all_gather", in_array, out_array, count * self._n_devices)
        self._mesh.agree("all_gather", facts_of(in_array, count=count))
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
        check_arrays("send", array)
        check_peer("send", peer, self.rank, self._n_devices)
        self._meet("send", {peer: amount_of(array)}, {})
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
        check_arrays("recv", out_array)
        check_out("recv", out_array, out_array)
        check_peer("recv", peer, self.rank, self._n_devices)
        self._meet("recv", {}, {peer: amount_of(out_array)})
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
        check_arrays("send_recv", in_array)
        check_out("send_recv", out_array, out_array)
        check_rank("send_recv", "peer", peer, self._n_devices)
        self._meet("send_recv", {peer: amount_of(in_array)}, {peer: amount_of(out_array)})
        self._move("send_recv", {peer: [in_array]}, {peer: [out_array]}, stream)

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
        check_rank("scatter", "root", root, self._n_devices)
        check_out("scatter", out_array, out_array)
        if self.rank == root:
            check_arrays("scatter", in_array)
            check_rows("scatter", "in_array", in_array, self._n_devices)
            check_out("scatter", in_array, out_array, in_array.size // self._n_devices)
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
        check_rank("gather", "root", root, self._n_devices)
        check_arrays("gather", in_array)
        if self.rank == root:
            check_arrays("gather", out_array)
            check_rows("gather", "out_array", out_array, self._n_devices)
            check_out("gather", in_array, out_array, in_array.size * self._n_devices)
        self._mesh.agree("gather", facts_of(in_array, root=root))
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
        check_arrays("all_to_all", in_array)
        check_rows("all_to_all", "in_array", in_array, self._n_devices)
        check_out("all_to_all", in_array, out_array)
        check_rows("all_to_all", "out_array", out_array, self._n_devices)
        self._mesh.agree("all_to_all", facts_of(in_array))
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
