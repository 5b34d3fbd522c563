"""Arrays that are split over the devices of one process: what `import cupyx.distributed.array` gives."""

from __future__ import annotations

from ._array import DistributedArray, distributed_array
from ._linalg import make_2d_index_map, matmul
from ._modes import MAX, MIN, PROD, REPLICA, SUM, Mode

__all__ = [
    "MAX",
    "MIN",
    "PROD",
    "REPLICA",
    "SUM",
    "DistributedArray",
    "Mode",
    "distributed_array",
    "make_2d_index_map",
    "matmul",
]
