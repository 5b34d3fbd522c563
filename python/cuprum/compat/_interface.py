"""`__cuda_array_interface__` of arrays on the CPU, while other libraries' names are installed.

Programs written for CuPy tell its arrays by this attribute. All that would follow the address in them (CuPy,
Numba's `cuda`, PyCUDA) is Cuprum then, and takes it for what it is.
"""

from __future__ import annotations

from typing import Any

from .. import ndarray

__all__ = ["show", "withdraw"]

_NAME = "__cuda_array_interface__"
_own = vars(ndarray)[_NAME]


def _interface(array: ndarray) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _own.__get__(array)
    except AttributeError:
        if "CPU" not in str(array.device) or array.dtype.name == "bfloat16":
            raise
    else:
        return found
    from ..cuda import get_current_stream
    from .cupy import _util

    version = _util.CUDA_ARRAY_INTERFACE_EXPORT_VERSION
    described = {
        "shape": array.shape,
        "typestr": array.dtype.str,
        "descr": array.dtype.descr,
        # A null pointer stands for no elements.
        "data": (array.data.ptr if array.size else 0, not array.flags.writeable),
        "strides": None if array.flags.c_contiguous else array.strides,
        "version": version,
    }
    if version >= 3:
        # 1 is the interface's name of the default stream.
        described["stream"] = int(get_current_stream().ptr) or 1
    return described


def show() -> None:
    """Give arrays on the CPU the attribute."""
    setattr(ndarray, _NAME, property(_interface))


def withdraw() -> None:
    """Take it away."""
    setattr(ndarray, _NAME, _own)
