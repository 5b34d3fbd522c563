"""PyCUDA's driver: devices, contexts, memory, streams, modules and kernels."""

from __future__ import annotations

from . import _copies, _device, _errors, _flags, _launch, _memory, _opaque, _shared, _streams, _textures
from ._copies import *
from ._device import *
from ._errors import *
from ._flags import *
from ._launch import *
from ._memory import *
from ._opaque import *
from ._shared import *
from ._streams import *
from ._textures import *

__all__ = [
    name
    for part in (_copies, _device, _errors, _flags, _launch, _memory, _opaque, _shared, _streams, _textures)
    for name in part.__all__
]

CUDA_DEBUGGING = False


def set_debugging(flag: bool = True) -> None:
    """Kernels are checked on the CPU always: nothing changes."""
    global CUDA_DEBUGGING
    CUDA_DEBUGGING = bool(flag)
