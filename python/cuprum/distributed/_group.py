"""The kinds of groups, by what carries their arrays, and how a process joins one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import cuprum

from ._backend import Backend
from ._sockets import SocketCollectives
from ._store import DEFAULT_HOST, DEFAULT_PORT

__all__ = ["NCCLBackend", "SocketBackend", "init_process_group"]


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
