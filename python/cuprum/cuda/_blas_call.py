"""A call of one of cuBLAS's functions: its handle, and what lies at the addresses that it is given."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import _core
from .._errors import naming
from . import _gpu, runtime
from ._status import CUDARuntimeError
from .device import get_cublas_handle
from .memory import MemoryPointer, UnownedMemory

CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C = 0, 1, 2
CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE = 0, 1
CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT = 0, 1
CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER = 0, 1
CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT = 0, 1

_NAMES = {
    1: "CUBLAS_STATUS_NOT_INITIALIZED",
    3: "CUBLAS_STATUS_ALLOC_FAILED",
    7: "CUBLAS_STATUS_INVALID_VALUE",
    8: "CUBLAS_STATUS_ARCH_MISMATCH",
    11: "CUBLAS_STATUS_MAPPING_ERROR",
    13: "CUBLAS_STATUS_EXECUTION_FAILED",
    14: "CUBLAS_STATUS_INTERNAL_ERROR",
    15: "CUBLAS_STATUS_NOT_SUPPORTED",
    16: "CUBLAS_STATUS_LICENSE_ERROR",
}
NOT_INITIALIZED, INVALID_VALUE = 1, 7


class CUBLASError(RuntimeError):
    """An error by cuBLAS's number.

    Parameters
    ----------
    status : int
        The number.
    reason : str, optional
        What is wrong.

    Examples
    --------
    >>> cp.cuda.cublas.CUBLASError(7)
    CUBLASError('CUBLAS_STATUS_INVALID_VALUE')
    """

    def __init__(self, status: int, reason: str = "") -> None:
        self.status, self._reason = status, reason
        name = _NAMES.get(status, f"CUBLAS_STATUS_{status}")
        super().__init__(f"{reason}: {name}" if reason else name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self._reason)


class Handle:
    """The pointer mode and the stream of a handle."""

    def __init__(self) -> None:
        self.mode, self.stream = CUBLAS_POINTER_MODE_HOST, 0


handles: dict[int, Handle] = {}


def handle_of(handle: int) -> Handle:
    """Return what is kept of a handle: one that `create` has made, or that of the current device."""
    if handle not in handles:
        if handle != get_cublas_handle():
            raise CUBLASError(NOT_INITIALIZED, f"{handle} is no handle of cuBLAS")
        handles[handle] = Handle()
    return handles[handle]


class Call:
    """One call of a function: its name, its dtype, and where its factors are."""

    def __init__(self, name: str, dtype: np.dtype[Any], handle: int) -> None:
        self.name, self.dtype = name, dtype
        self._on_host = handle_of(handle).mode == CUBLAS_POINTER_MODE_HOST

    def check(self, holds: bool, reason: str) -> None:
        if not holds:
            raise CUBLASError(INVALID_VALUE, f"{self.name}: {reason}")

    def check_choices(self, **choices: int) -> None:
        """Raise unless each argument is 0 or 1, the two that cuBLAS names."""
        for name, value in choices.items():
            self.check(value in (0, 1), f"{name} must be 0 or 1, got {value}")

    def _at(self, address: int, shape: tuple[int, ...], steps: tuple[int, ...], dtype: Any = None) -> Any:
        """Return the array that lies at an address; its steps are in elements."""
        dtype = np.dtype(dtype or self.dtype)
        count = 1 + sum((n - 1) * step for n, step in zip(shape, steps, strict=True)) if all(shape) else 0
        size = count * dtype.itemsize
        try:
            _gpu.check_memory(address, size, ours=True)
        except CUDARuntimeError:
            self.check(False, f"there are no {size} bytes of the device's memory at {address:#x}")
        memory = MemoryPointer(UnownedMemory(address, size, None), 0)
        with naming(self.name):
            return _core.ndarray(shape, dtype, memory, tuple(step * dtype.itemsize for step in steps))

    def forward_vector(self, address: int, n: int, step: int) -> Any:
        """Return the vector of a function that takes only one: empty unless `n` and the step are positive."""
        return self._at(address, (n,), (step,)) if n > 0 and step > 0 else _core.zeros(0, self.dtype)

    def vector(self, address: int, n: int, step: int) -> Any:
        """Return a vector; with a negative step, from its end."""
        self.check(n >= 0 and step != 0, f"lengths must not be negative nor steps zero, got {n} and {step}")
        forward = self._at(address, (n,), (abs(step),))
        return forward if step > 0 else forward[::-1]

    def matrix(self, address: int, rows: int, columns: int, lead: int) -> Any:
        """Return a matrix whose columns lie `lead` elements apart."""
        self.check(
            rows >= 0 and columns >= 0 and lead >= max(1, rows),
            f"a matrix of {rows} x {columns} needs columns at least {max(1, rows)} apart, got {lead}",
        )
        return self._at(address, (rows, columns), (1, lead))

    def operand(self, trans: int, address: int, rows: int, columns: int, lead: int) -> Any:
        """Return what a product takes: of `rows` and `columns` once it is transposed as asked."""
        self.check(trans in (0, 1, 2), f"trans must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C, got {trans}")
        if trans == CUBLAS_OP_N:
            return self.matrix(address, rows, columns, lead)
        stored = self.matrix(address, columns, rows, lead)
        return stored.conj().T if trans == CUBLAS_OP_C else stored.T

    def addresses(self, at: int, count: int) -> list[int]:
        """Return the addresses that lie on the device."""
        self.check(count >= 0, f"batchCount must not be negative, got {count}")
        return [int(address) for address in self._at(at, (count,), (1,), np.uint64).get()]

    def factor(self, address: int, dtype: Any = None) -> Any:
        """Return a number: one of the host's, or an array of the device's."""
        dtype = np.dtype(dtype or self.dtype)
        if not self._on_host:
            return self._at(address, (), (), dtype)
        return np.frombuffer(_gpu.at_host(ctypes.c_char * dtype.itemsize, address), dtype)[0]

    def give(self, address: int, value: Any, dtype: Any = None) -> None:
        """Write a result."""
        dtype = np.dtype(dtype or self.dtype)
        if not self._on_host:
            self._at(address, (), (), dtype)[...] = value.astype(dtype)
            return
        host = np.asarray(value.astype(dtype).get())
        runtime.memcpy(address, host.ctypes.data, dtype.itemsize, runtime.memcpyHostToHost)

    def scaled(self, by: Any, a: Any) -> Any:
        """Return an array times a number; zero times NaN is zero, since BLAS does not read then."""
        if not self._on_host:
            return _core.where(by == 0, self.dtype.type(0), a * by)
        if by == 0:
            return _core.zeros(a.shape, a.dtype)
        return a if by == 1 else a * by

    def scaled_operand(
        self, factor: int, trans: int, address: int, rows: int, columns: int, lead: int
    ) -> Any:
        """Return an operand times a factor; where that is zero, nothing need lie at the address."""
        by = self.factor(factor)
        if self._on_host and by == 0:
            return _core.zeros((rows, columns), self.dtype)
        return self.scaled(by, self.operand(trans, address, rows, columns, lead))

    def combined(self, product: Any, alpha: int, beta: int, out: Any) -> Any:
        """Return `alpha` times a product plus `beta` times what lies in `out`."""
        first, by = self.scaled(self.factor(alpha), product), self.factor(beta)
        return first if self._on_host and by == 0 else first + self.scaled(by, out)
