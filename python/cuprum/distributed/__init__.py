"""Arrays of several processes and several GPUs: what `import cupyx.distributed` gives.

`init_process_group` joins processes to a group with NCCL's collectives; without GPUs the same program runs
over sockets. `distributed.array` has arrays that are split over the GPUs of one process.
"""

from __future__ import annotations

from . import array
from ._backend import Backend
from ._group import NCCLBackend, SocketBackend, init_process_group

_SUBMODULES = ("array",)

__all__ = ["Backend", "NCCLBackend", "SocketBackend", "array", "init_process_group"]
