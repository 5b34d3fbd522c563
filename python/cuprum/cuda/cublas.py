"""cuBLAS by CuPy's names: vectors and matrices by their addresses, matrices column by column.

Every device computes them by Cuprum's own operations, in the order of the current stream. `setPointerMode`
says whether factors and results are on the host or on the device. A function is there for each dtype by its
letter: `sgemm` of float32, `dgemm` of float64, `cgemm` of complex64, `zgemm` of complex128.

Programs with arrays use `cuprum.matmul` and `cuprum.linalg`, or `cupy.cublas`.
"""

from __future__ import annotations

import ctypes
import inspect
import itertools
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._errors import naming
from .._ufuncs import frexp, ldexp
from ..linalg import norm
from . import _gpu, runtime
from ._status import CUDARuntimeError
from .device import get_cublas_handle
from .memory import MemoryPointer, UnownedMemory

CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C = 0, 1, 2
CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE = 0, 1
CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT = 0, 1
CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER = 0, 1
CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT = 0, 1

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
_NOT_INITIALIZED, _INVALID_VALUE = 1, 7


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


class _Handle:
    """The pointer mode and the stream of a handle."""

    def __init__(self) -> None:
        self.mode, self.stream = CUBLAS_POINTER_MODE_HOST, 0


_handles: dict[int, _Handle] = {}
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
    _handles[handle] = _Handle()
    return handle


def destroy(handle: int) -> None:
    """End a handle.

    Examples
    --------
    >>> handle = cp.cuda.cublas.create()
    >>> cp.cuda.cublas.destroy(handle)
    """
    _of(handle)
    _handles.pop(handle, None)


def _of(handle: int) -> _Handle:
    if handle not in _handles:
        if handle != get_cublas_handle():
            raise CUBLASError(_NOT_INITIALIZED, f"{handle} is no handle of cuBLAS")
        _handles[handle] = _Handle()
    return _handles[handle]


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
    return _of(handle).mode


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
        raise CUBLASError(_INVALID_VALUE, f"setPointerMode: mode {mode} is neither 0 nor 1")
    _of(handle).mode = mode


def getStream(handle: int) -> int:  # noqa: N802 - CuPy's name
    """Return the stream that `setStream` has named.

    Examples
    --------
    >>> cp.cuda.cublas.getStream(cp.cuda.cublas.create())
    0
    """
    return _of(handle).stream


def setStream(handle: int, stream: int) -> None:  # noqa: N802 - CuPy's name
    """Name a stream. As in CuPy, functions run in the current stream nevertheless.

    Examples
    --------
    >>> cp.cuda.cublas.setStream(cp.cuda.cublas.create(), cp.cuda.get_current_stream().ptr)
    """
    _of(handle).stream = int(stream)


class _Call:
    """One call of a function: its name, its dtype, and where its factors are."""

    def __init__(self, name: str, dtype: np.dtype[Any], handle: int) -> None:
        self.name, self.dtype = name, dtype
        self._on_host = _of(handle).mode == CUBLAS_POINTER_MODE_HOST

    def check(self, holds: bool, reason: str) -> None:
        if not holds:
            raise CUBLASError(_INVALID_VALUE, f"{self.name}: {reason}")

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


def _amax(call: _Call, n: int, x: int, incx: int, result: int) -> None:
    """Write the position of the first element of the largest size, counted from one.

    Examples
    --------
    >>> x, found = cp.array([1, -5, 2], "{dtype}"), np.zeros(1, "int32")
    >>> {name}(cp.cuda.cublas.create(), 3, x.data.ptr, 1, found.ctypes.data)
    >>> found
    array([2], dtype=int32)
    """
    _extreme(call, n, x, incx, result, "argmax")


def _amin(call: _Call, n: int, x: int, incx: int, result: int) -> None:
    """Write the position of the first element of the smallest size, counted from one.

    Examples
    --------
    >>> x, found = cp.array([3, -5, 2], "{dtype}"), np.zeros(1, "int32")
    >>> {name}(cp.cuda.cublas.create(), 3, x.data.ptr, 1, found.ctypes.data)
    >>> found
    array([3], dtype=int32)
    """
    _extreme(call, n, x, incx, result, "argmin")


def _sizes(x: Any) -> Any:
    """Return the sizes of numbers as BLAS has them: of complex ones, the parts' sum."""
    return abs(x.real) + abs(x.imag) if x.dtype.kind == "c" else abs(x)


def _extreme(call: _Call, n: int, x: int, incx: int, result: int, method: str) -> None:
    vector = call.forward_vector(x, n, incx)
    found = getattr(_sizes(vector), method)() + 1 if vector.size else _core.zeros((), "int32")
    call.give(result, found, np.int32)


def _asum(call: _Call, n: int, x: int, incx: int, result: int) -> None:
    """Write the sum of the elements' sizes.

    Examples
    --------
    >>> x, total = cp.array([1, -5, 2], "{dtype}"), np.zeros(1, "{real}")
    >>> {name}(cp.cuda.cublas.create(), 3, x.data.ptr, 1, total.ctypes.data)
    >>> total.tolist()
    [8.0]
    """
    total = _sizes(call.forward_vector(x, n, incx)).sum()
    call.give(result, total, total.dtype)


def _nrm2(call: _Call, n: int, x: int, incx: int, result: int) -> None:
    """Write the Euclidean norm.

    Examples
    --------
    >>> x, length = cp.array([3, 4], "{dtype}"), np.zeros(1, "{real}")
    >>> {name}(cp.cuda.cublas.create(), 2, x.data.ptr, 1, length.ctypes.data)
    >>> length.tolist()
    [5.0]
    """
    sizes = abs(call.forward_vector(x, n, incx))
    # Squares of numbers that are near 1 neither overflow nor vanish.
    _, exponent = frexp(sizes.max(initial=0))
    length = ldexp(norm(ldexp(sizes, -exponent)), exponent)
    call.give(result, length, sizes.dtype)


def _axpy(call: _Call, n: int, alpha: int, x: int, incx: int, y: int, incy: int) -> None:
    """Add `alpha` times a vector to another.

    Examples
    --------
    >>> alpha, x, y = np.array(2, "{dtype}"), cp.ones(3, "{dtype}"), cp.ones(3, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 3, alpha.ctypes.data, x.data.ptr, 1, y.data.ptr, 1)
    >>> bool((y == 3).all())
    True
    """
    n = max(n, 0)
    to = call.vector(y, n, incy)
    to += call.scaled(call.factor(alpha), call.vector(x, n, incx))


def _dot(call: _Call, n: int, x: int, incx: int, y: int, incy: int, result: int) -> None:
    """Write the dot product of two vectors, neither conjugated.

    Examples
    --------
    >>> x, total = cp.array([1, 2], "{dtype}"), np.zeros(1, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, x.data.ptr, 1, x.data.ptr, 1, total.ctypes.data)
    >>> total.real.tolist()
    [5.0]
    """
    n = max(n, 0)
    call.give(result, call.vector(x, n, incx).dot(call.vector(y, n, incy)))


def _dotc(call: _Call, n: int, x: int, incx: int, y: int, incy: int, result: int) -> None:
    """Write the dot product of two vectors, the first conjugated.

    Examples
    --------
    >>> x, total = cp.array([1j, 2], "{dtype}"), np.zeros(1, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, x.data.ptr, 1, x.data.ptr, 1, total.ctypes.data)
    >>> total.real.tolist()
    [5.0]
    """
    n = max(n, 0)
    call.give(result, call.vector(x, n, incx).conj().dot(call.vector(y, n, incy)))


def _scal(call: _Call, n: int, alpha: int, x: int, incx: int) -> None:
    """Multiply a vector by a number.

    Examples
    --------
    >>> alpha, x = np.array(2, "{factor}"), cp.ones(3, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 3, alpha.ctypes.data, x.data.ptr, 1)
    >>> bool((x == 2).all())
    True
    """
    vector = call.forward_vector(x, n, incx)
    is_real = call.name in ("csscal", "zdscal")
    vector *= call.factor(alpha, vector.real.dtype if is_real else None)


def _gemv(
    call: _Call,
    trans: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803 - BLAS's names of matrices, here and below
    lda: int,
    x: int,
    incx: int,
    beta: int,
    y: int,
    incy: int,
) -> None:
    """Replace y by `alpha` times a matrix of m x n, or its transpose, by x, plus `beta` times y.

    Examples
    --------
    >>> factors, x, y = np.array([2, 0], "{dtype}"), cp.ones(2, "{dtype}"), cp.zeros(2, "{dtype}")
    >>> a, (alpha, beta) = cp.eye(2, dtype="{dtype}"), (factors[i:].ctypes.data for i in (0, 1))
    >>> {name}(cp.cuda.cublas.create(), 0, 2, 2, alpha, a.data.ptr, 2, x.data.ptr, 1, beta, y.data.ptr, 1)
    >>> bool((y == 2).all())
    True
    """
    rows, columns = (m, n) if trans == CUBLAS_OP_N else (n, m)
    product = call.operand(trans, A, rows, columns, lda) @ call.vector(x, columns, incx)
    out = call.vector(y, rows, incy)
    out[...] = call.combined(product, alpha, beta, out)


def _ger(
    call: _Call,
    m: int,
    n: int,
    alpha: int,
    x: int,
    incx: int,
    y: int,
    incy: int,
    A: int,
    lda: int,  # noqa: N803
) -> None:
    """Add `alpha` times the outer product of two vectors, neither conjugated, to a matrix of m x n.

    Examples
    --------
    >>> alpha, x = np.array(2, "{dtype}").ctypes.data, cp.ones(2, "{dtype}")
    >>> a = cp.zeros((2, 2), "{dtype}")
    >>> two = np.array(2, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, 2, two.ctypes.data, *[x.data.ptr, 1] * 2, a.data.ptr, 2)
    >>> bool((a == 2).all())
    True
    """
    to = call.matrix(A, m, n, lda)
    to += call.scaled(call.factor(alpha), call.vector(x, m, incx)[:, None] * call.vector(y, n, incy))


def _gerc(
    call: _Call,
    m: int,
    n: int,
    alpha: int,
    x: int,
    incx: int,
    y: int,
    incy: int,
    A: int,
    lda: int,  # noqa: N803
) -> None:
    """Add `alpha` times the outer product of two vectors, the second conjugated, to a matrix of m x n.

    Examples
    --------
    >>> two, x, a = np.array(2, "{dtype}"), cp.array([1j, 1j], "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, 2, two.ctypes.data, *[x.data.ptr, 1] * 2, a.data.ptr, 2)
    >>> bool((a == 2).all())
    True
    """
    to = call.matrix(A, m, n, lda)
    to += call.scaled(call.factor(alpha), call.vector(x, m, incx)[:, None] * call.vector(y, n, incy).conj())


def _gemm(
    call: _Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    B: int,  # noqa: N803
    ldb: int,
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Replace C, m x n, by `alpha` times the product of A and B over k plus `beta` times C.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), a.data.ptr
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, at, 2, at, 2, beta, c.data.ptr, 2)
    >>> bool((c == 4).all())
    True
    """
    product = call.operand(transa, A, m, k, lda) @ call.operand(transb, B, k, n, ldb)
    out = call.matrix(C, m, n, ldc)
    out[...] = call.combined(product, alpha, beta, out)


def _gemm_batched(
    call: _Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    Aarray: int,  # noqa: N803
    lda: int,
    Barray: int,  # noqa: N803
    ldb: int,
    beta: int,
    Carray: int,  # noqa: N803
    ldc: int,
    batchCount: int,  # noqa: N803
) -> None:
    """Multiply matrices whose addresses lie on the device, pair by pair.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), cp.array([a.data.ptr], "uint64")
    >>> to = cp.array([c.data.ptr], "uint64")
    >>> of = at.data.ptr, 2, at.data.ptr, 2
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, *of, beta, to.data.ptr, 2, 1)
    >>> bool((c == 4).all())
    True
    """
    each = (call.addresses(at, batchCount) for at in (Aarray, Barray, Carray))
    for a, b, c in zip(*each, strict=True):
        _gemm(call, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


def _gemm_strided_batched(
    call: _Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    strideA: int,  # noqa: N803
    B: int,  # noqa: N803
    ldb: int,
    strideB: int,  # noqa: N803
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
    strideC: int,  # noqa: N803
    batchCount: int,  # noqa: N803
) -> None:
    """Multiply matrices that lie at equal distances, pair by pair.

    Examples
    --------
    >>> factors, a = np.array([2, 0], "{dtype}"), cp.ones((3, 2, 2), "{dtype}")
    >>> (alpha, beta), c = (factors[i:].ctypes.data for i in (0, 1)), cp.zeros_like(a)
    >>> of = a.data.ptr, 2, 4, a.data.ptr, 2, 4
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, *of, beta, c.data.ptr, 2, 4, 3)
    >>> bool((c == 4).all())
    True
    """
    size = call.dtype.itemsize
    call.check(batchCount >= 0, f"batchCount must not be negative, got {batchCount}")
    for i in range(batchCount):
        a, b, c = A + i * strideA * size, B + i * strideB * size, C + i * strideC * size
        _gemm(call, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


def _trsm(
    call: _Call,
    side: int,
    uplo: int,
    trans: int,
    diag: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    B: int,  # noqa: N803
    ldb: int,
) -> None:
    """Solve a triangular system for `alpha` times a matrix of m x n, from the left or the right, in place.

    Examples
    --------
    >>> one, a, b = np.array(1, "{dtype}"), 2 * cp.eye(2, dtype="{dtype}"), cp.ones((2, 2), "{dtype}")
    >>> at = a.data.ptr, 2, b.data.ptr, 2
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 0, 0, 2, 2, one.ctypes.data, *at)
    >>> bool((b == 0.5).all())
    True
    """
    from ..scipy.linalg import solve_triangular

    call.check_choices(side=side, uplo=uplo, diag=diag)
    size = m if side == CUBLAS_SIDE_LEFT else n
    triangle, b = call.matrix(A, size, size, lda), call.matrix(B, m, n, ldb)
    call.check(trans in (0, 1, 2), f"trans must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C, got {trans}")
    right = b if side == CUBLAS_SIDE_LEFT else b.T
    if side == CUBLAS_SIDE_RIGHT:
        # X op(A) = B is op(A)^T X^T = B^T.
        triangle = triangle.conj() if trans == CUBLAS_OP_C else triangle
        trans = CUBLAS_OP_T if trans == CUBLAS_OP_N else CUBLAS_OP_N
    solved = solve_triangular(
        triangle,
        right,
        trans=trans,
        lower=uplo == CUBLAS_FILL_MODE_LOWER,
        unit_diagonal=diag == CUBLAS_DIAG_UNIT,
        check_finite=False,
    )
    b[...] = call.scaled(call.factor(alpha), solved if side == CUBLAS_SIDE_LEFT else solved.T)


def _syrk(
    call: _Call,
    uplo: int,
    trans: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Replace a triangle of C, n x n, by `alpha` times A by its transpose plus `beta` times C.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> alpha, beta = (factors[i:].ctypes.data for i in (0, 1))
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, alpha, a.data.ptr, 2, beta, c.data.ptr, 2)
    >>> c.T.real.tolist()
    [[4.0, 0.0], [4.0, 4.0]]
    """
    call.check_choices(uplo=uplo)
    call.check(
        trans != CUBLAS_OP_C or call.dtype.kind == "f",
        "trans must be CUBLAS_OP_N or CUBLAS_OP_T for complex numbers",
    )
    a = call.operand(trans, A, n, k, lda)
    out = call.matrix(C, n, n, ldc)
    row = _core.arange(n)
    inside = row[:, None] >= row if uplo == CUBLAS_FILL_MODE_LOWER else row[:, None] <= row
    out[...] = _core.where(inside, call.combined(a @ a.T, alpha, beta, out), out)


def _geam(
    call: _Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    beta: int,
    B: int,  # noqa: N803
    ldb: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Make C, m x n, of `alpha` times A plus `beta` times B.

    Examples
    --------
    >>> factors, a, c = np.array([2, 1], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), (a.data.ptr, 2)
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, alpha, *at, beta, *at, c.data.ptr, 2)
    >>> bool((c == 3).all())
    True
    """
    first = call.scaled_operand(alpha, transa, A, m, n, lda)
    call.matrix(C, m, n, ldc)[...] = first + call.scaled_operand(beta, transb, B, m, n, ldb)


def _dgmm(
    call: _Call,
    mode: int,
    m: int,
    n: int,
    A: int,  # noqa: N803
    lda: int,
    x: int,
    incx: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Multiply a matrix of m x n by a diagonal one, from the left (mode 0) or the right (1).

    Examples
    --------
    >>> a, x, c = cp.ones((2, 2), "{dtype}"), cp.array([1, 2], "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 1, 2, 2, a.data.ptr, 2, x.data.ptr, 1, c.data.ptr, 2)
    >>> c.T.real.tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    call.check_choices(mode=mode)
    is_left = mode == CUBLAS_SIDE_LEFT
    scale = call.vector(x, m if is_left else n, incx)
    call.matrix(C, m, n, ldc)[...] = call.matrix(A, m, n, lda) * (scale[:, None] if is_left else scale)


_LETTERS = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}

_NAMED_ALIKE: dict[str, Callable[..., None]] = {
    "axpy": _axpy,
    "gemv": _gemv,
    "gemm": _gemm,
    "gemmBatched": _gemm_batched,
    "gemmStridedBatched": _gemm_strided_batched,
    "trsm": _trsm,
    "syrk": _syrk,
    "geam": _geam,
    "dgmm": _dgmm,
}
"""What is computed under one name after the letter."""

_FUNCTIONS: list[tuple[Callable[..., None], dict[str, str]]] = [
    (_amax, {"s": "isamax", "d": "idamax", "c": "icamax", "z": "izamax"}),
    (_amin, {"s": "isamin", "d": "idamin", "c": "icamin", "z": "izamin"}),
    (_asum, {"s": "sasum", "d": "dasum", "c": "scasum", "z": "dzasum"}),
    (_nrm2, {"s": "snrm2", "d": "dnrm2", "c": "scnrm2", "z": "dznrm2"}),
    (_dot, {"s": "sdot", "d": "ddot", "c": "cdotu", "z": "zdotu"}),
    (_dotc, {"c": "cdotc", "z": "zdotc"}),
    (_scal, {letter: f"{letter}scal" for letter in "sdcz"}),
    (_scal, {"c": "csscal", "z": "zdscal"}),
    (_ger, {"s": "sger", "d": "dger", "c": "cgeru", "z": "zgeru"}),
    (_gerc, {"c": "cgerc", "z": "zgerc"}),
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
        compute(_Call(name, dtype, first), **{key: _whole(name, key, value) for key, value in bound.items()})

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
