"""cuBLAS by CuPy's names: vectors and matrices by their addresses, matrices column by column.

Every device computes them by Cuprum's own operations, in the order of the current stream. `setPointerMode`
says whether factors and results are on the host or on the device. A function is there for each dtype by its
letter: `sgemm` of float32, `dgemm` of float64, `cgemm` of complex64, `zgemm` of complex128.

Programs with arrays use `cuprum.matmul` and `cuprum.linalg`, or `cupy.cublas`.
"""

from __future__ import annotations

import inspect
import itertools
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _blas_matrices as matrices
from . import _blas_vectors as vectors
from ._blas_call import (
    CUBLAS_DIAG_NON_UNIT,
    CUBLAS_DIAG_UNIT,
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER,
    CUBLAS_OP_C,
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_POINTER_MODE_DEVICE,
    CUBLAS_POINTER_MODE_HOST,
    CUBLAS_SIDE_LEFT,
    CUBLAS_SIDE_RIGHT,
    INVALID_VALUE,
    Call,
    CUBLASError,
    Handle,
    handle_of,
    handles,
)
from .memory import MemoryPointer

available: bool = True

__all__ = [
    "CUBLAS_DIAG_NON_UNIT",
    "CUBLAS_DIAG_UNIT",
    "CUBLAS_FILL_MODE_LOWER",
    "CUBLAS_FILL_MODE_UPPER",
    "CUBLAS_OP_C",
    "CUBLAS_OP_N",
    "CUBLAS_OP_T",
    "CUBLAS_POINTER_MODE_DEVICE",
    "CUBLAS_POINTER_MODE_HOST",
    "CUBLAS_SIDE_LEFT",
    "CUBLAS_SIDE_RIGHT",
    "CUBLASError",
    "available",
    "create",
    "destroy",
    "getPointerMode",
    "getStream",
    "setPointerMode",
    "setStream",
]

_numbers = itertools.count(1)
_thread = threading.local()


def create() -> int:
    """Return a new handle.

    Examples
    --------
    >>> handle = cp.cuda.cublas.create()
    >>> cp.cuda.cublas.destroy(handle)
    """
    handle = next(_numbers)
    handles[handle] = Handle()
    return handle


def destroy(handle: int) -> None:
    """End a handle.

    Examples
    --------
    >>> handle = cp.cuda.cublas.create()
    >>> cp.cuda.cublas.destroy(handle)
    """
    handle_of(handle)
    handles.pop(handle, None)


def _handle_without_gpu() -> int:
    """Return this thread's handle on the CPU, which has no cuBLAS: one of ours."""
    if not hasattr(_thread, "handle"):
        _thread.handle = create()
    return int(_thread.handle)


def getPointerMode(handle: int) -> int:  # noqa: N802 - CuPy's name
    """Return where the addresses of factors and results are.

    Examples
    --------
    >>> cublas, handle = cp.cuda.cublas, cp.cuda.cublas.create()
    >>> cublas.getPointerMode(handle) == cublas.CUBLAS_POINTER_MODE_HOST
    True
    """
    return handle_of(handle).mode


def setPointerMode(handle: int, mode: int) -> None:  # noqa: N802 - CuPy's name
    """Say where the addresses of factors and results are: on the host, or on the device.

    Examples
    --------
    >>> cublas, handle = cp.cuda.cublas, cp.cuda.cublas.create()
    >>> cublas.setPointerMode(handle, cublas.CUBLAS_POINTER_MODE_DEVICE)
    >>> x, largest = cp.array([1.0, -5.0, 2.0]), cp.zeros(1, "int32")
    >>> cublas.idamax(handle, 3, x.data.ptr, 1, largest.data.ptr)
    >>> largest
    array([2], dtype=int32)
    """
    if mode not in (CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE):
        raise CUBLASError(INVALID_VALUE, f"setPointerMode: mode {mode} is neither 0 nor 1")
    handle_of(handle).mode = mode


def getStream(handle: int) -> int:  # noqa: N802 - CuPy's name
    """Return the stream that `setStream` has named.

    Examples
    --------
    >>> cp.cuda.cublas.getStream(cp.cuda.cublas.create())
    0
    """
    return handle_of(handle).stream


def setStream(handle: int, stream: int) -> None:  # noqa: N802 - CuPy's name
    """Name a stream. As in CuPy, functions run in the current stream nevertheless.

    Examples
    --------
    >>> cp.cuda.cublas.setStream(cp.cuda.cublas.create(), cp.cuda.get_current_stream().ptr)
    """
    handle_of(handle).stream = int(stream)


_LETTERS = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}

_NAMED_ALIKE: dict[str, Callable[..., None]] = {
    "axpy": vectors.axpy,
    "gemv": matrices.gemv,
    "gemm": matrices.gemm,
    "gemmBatched": matrices.gemm_batched,
    "gemmStridedBatched": matrices.gemm_strided_batched,
    "trsm": matrices.trsm,
    "syrk": matrices.syrk,
    "geam": matrices.geam,
    "dgmm": matrices.dgmm,
}
"""What is computed under one name after the letter."""

_FUNCTIONS: list[tuple[Callable[..., None], dict[str, str]]] = [
    (vectors.amax, {"s": "isamax", "d": "idamax", "c": "icamax", "z": "izamax"}),
    (vectors.amin, {"s": "isamin", "d": "idamin", "c": "icamin", "z": "izamin"}),
    (vectors.asum, {"s": "sasum", "d": "dasum", "c": "scasum", "z": "dzasum"}),
    (vectors.nrm2, {"s": "snrm2", "d": "dnrm2", "c": "scnrm2", "z": "dznrm2"}),
    (vectors.dot, {"s": "sdot", "d": "ddot", "c": "cdotu", "z": "zdotu"}),
    (vectors.dotc, {"c": "cdotc", "z": "zdotc"}),
    (vectors.scal, {letter: f"{letter}scal" for letter in "sdcz"}),
    (vectors.scal, {"c": "csscal", "z": "zdscal"}),
    (matrices.ger, {"s": "sger", "d": "dger", "c": "cgeru", "z": "zgeru"}),
    (matrices.gerc, {"c": "cgerc", "z": "zgerc"}),
    *((function, {letter: letter + name for letter in _LETTERS}) for name, function in _NAMED_ALIKE.items()),
]
"""What is computed, and its name for each dtype."""


def _whole(op: str, name: str, value: Any) -> int:
    """Return a whole number or an address, which may be a pointer's."""
    try:
        return value.ptr if isinstance(value, MemoryPointer) else operator.index(value)
    except TypeError:
        raise TypeError(f"{op}: {name} must be an integer, got {type(value).__name__}") from None


def _named(compute: Callable[..., None], name: str, dtype: np.dtype[Any]) -> Callable[..., None]:
    """Return a function of cuBLAS's: `compute` for a dtype, with a handle as the first argument."""
    signature = inspect.signature(compute)
    handle = inspect.Parameter("handle", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int)
    _, *others = signature.parameters.values()
    signature = signature.replace(parameters=[handle, *others])

    def function(*args: Any, **keywords: Any) -> None:
        try:
            bound = signature.bind(*args, **keywords).arguments
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        first = bound.pop("handle")
        compute(Call(name, dtype, first), **{key: _whole(name, key, value) for key, value in bound.items()})

    real = np.zeros((), dtype).real.dtype
    facts = {
        "{name}": f"cp.cuda.cublas.{name}",
        "{dtype}": str(dtype),
        "{real}": str(real),
        "{factor}": str(real if name in ("csscal", "zdscal") else dtype),
    }
    doc = inspect.getdoc(compute) or ""
    for mark, text in facts.items():
        doc = doc.replace(mark, text)
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = __name__, doc
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _define() -> None:
    for compute, names in _FUNCTIONS:
        for letter, name in names.items():
            globals()[name] = _named(compute, name, np.dtype(_LETTERS[letter]))
            __all__.append(name)
    __all__.sort()


_define()


def __getattr__(name: str) -> Any:
    raise AttributeError(f"cuprum.cuda.cublas has no {name!r}: use cuprum.matmul, cuprum.dot, cuprum.linalg")
