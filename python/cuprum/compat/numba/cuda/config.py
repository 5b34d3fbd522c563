"""Numba's settings that programs with kernels read and set. Those that nothing here depends on keep what they
are set to.
"""

from __future__ import annotations

import os as _os

__all__ = [
    "CUDA_ARRAY_INTERFACE_SYNC",
    "CUDA_DEBUGINFO_DEFAULT",
    "CUDA_ENABLE_NRT",
    "CUDA_LOW_OCCUPANCY_WARNINGS",
    "CUDA_MEMORY_MANAGER",
    "CUDA_NVRTC_EXTRA_SEARCH_PATHS",
    "CUDA_WARN_ON_IMPLICIT_COPY",
    "DISABLE_JIT",
    "DISABLE_PERFORMANCE_WARNINGS",
    "ENABLE_CUDASIM",
]

ENABLE_CUDASIM = 0
DISABLE_JIT = 0
DISABLE_PERFORMANCE_WARNINGS = 0
CUDA_ARRAY_INTERFACE_SYNC = 1
CUDA_DEBUGINFO_DEFAULT = 0
CUDA_ENABLE_NRT = 0
CUDA_LOW_OCCUPANCY_WARNINGS = int(_os.environ.get("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0"))
"""Whether a launch of few blocks gives a NumbaPerformanceWarning. Unlike Numba's, it is off unless set:
kernels run on CPUs as well, which few blocks may fill.
"""
CUDA_WARN_ON_IMPLICIT_COPY = int(_os.environ.get("NUMBA_CUDA_WARN_ON_IMPLICIT_COPY", "0"))
"""Whether a NumPy array as an argument gives one; off unless set, since a CPU does not copy it."""
CUDA_MEMORY_MANAGER = _os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default")
"""The module whose `_numba_memory_manager` is the class that manages memory; 'default' is Cuprum's pool."""
CUDA_NVRTC_EXTRA_SEARCH_PATHS = _os.environ.get("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", "")
"""Where CUDA C that kernels are linked with finds its headers: folders, one behind the other."""
