"""cuBLAS's functions of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._ufuncs import frexp, ldexp
from ..linalg import norm
from ._blas_call import Call


def amax(call: Call, n: int, x: int, incx: int, result: int) -> None:
    """Write the position of the first element of the largest size, counted from one.

    Examples
    --------
    >>> x, found = cp.array([1, -5, 2], "{dtype}"), np.zeros(1, "int32")
    >>> {name}(cp.cuda.cublas.create(), 3, x.data.ptr, 1, found.ctypes.data)
    >>> found
    array([2], dtype=int32)
    """
    _extreme(call, n, x, incx, result, "argmax")


def amin(call: Call, n: int, x: int, incx: int, result: int) -> None:
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


def _extreme(call: Call, n: int, x: int, incx: int, result: int, method: str) -> None:
    vector = call.forward_vector(x, n, incx)
    found = getattr(_sizes(vector), method)() + 1 if vector.size else _core.zeros((), "int32")
    call.give(result, found, np.int32)


def asum(call: Call, n: int, x: int, incx: int, result: int) -> None:
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


def nrm2(call: Call, n: int, x: int, incx: int, result: int) -> None:
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


def axpy(call: Call, n: int, alpha: int, x: int, incx: int, y: int, incy: int) -> None:
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


def dot(call: Call, n: int, x: int, incx: int, y: int, incy: int, result: int) -> None:
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


def dotc(call: Call, n: int, x: int, incx: int, y: int, incy: int, result: int) -> None:
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


def scal(call: Call, n: int, alpha: int, x: int, incx: int) -> None:
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
