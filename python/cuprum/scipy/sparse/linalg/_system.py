"""What iterative solvers begin with: the operator, the preconditioner, the vectors and the tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ._interface import IdentityOperator, aslinearoperator

_FLOATING = ("float32", "float64", "complex64", "complex128")


def floating_dtype(*dtypes: Any) -> np.dtype[Any]:
    """Return the dtype that solvers compute in for operands of some dtypes."""
    found = np.dtype(np.result_type(*dtypes))
    return found if found.name in _FLOATING else np.dtype(np.float64)


def make_system(op: str, A: Any, M: Any, x0: Any, b: Any) -> tuple[Any, Any, ndarray, ndarray]:
    """Return the operator, the preconditioner, the first solution and the right side, checked."""
    operator = aslinearoperator(A)
    if operator.shape[0] != operator.shape[1]:
        raise ValueError(f"{op}: expected square matrix, but got shape={operator.shape}")
    n = operator.shape[0]
    right = as_array(b)
    if right.shape not in ((n,), (n, 1)):
        raise ValueError(f"{op}: shapes of A {operator.shape} and b {right.shape} are incompatible")
    if right.dtype.name not in _FLOATING:
        right = right.astype(np.float64)
    known = operator.dtype if operator.dtype is not None else operator.matvec(right.reshape(n)).dtype
    dtype = floating_dtype(known, right.dtype) if known.name in _FLOATING else right.dtype
    if known.name not in _FLOATING:
        dtype = floating_dtype(np.float64, right.dtype)
    right = right.astype(dtype, copy=False).reshape(n)
    if M is None:
        preconditioner: Any = IdentityOperator(operator.shape, operator.dtype)
    else:
        preconditioner = aslinearoperator(M)
        if preconditioner.shape != operator.shape:
            raise ValueError(f"{op}: matrix and preconditioner have different shapes")
    if x0 is None:
        x = cp.zeros(n, dtype)
    elif isinstance(x0, str):
        if x0 != "Mb":
            raise ValueError(f"{op}: x0 must be a vector or 'Mb', got {x0!r}")
        x = preconditioner.matvec(right).astype(dtype)
    else:
        x = cp.array(x0, dtype=dtype)
        if x.shape not in ((n,), (n, 1)):
            raise ValueError(f"{op}: shapes of A {operator.shape} and x0 {x.shape} are incompatible")
        x = x.reshape(n)
    return operator, preconditioner, x, right


def tolerance(op: str, b_norm: float, atol: Any, rtol: Any) -> float:
    """Return the norm of the residual that is small enough."""
    if atol is None or isinstance(atol, str) or atol < 0:
        raise ValueError(f"{op}: called with invalid atol={atol!r}: it must be a real, non-negative number")
    return max(float(atol), float(rtol) * b_norm)


def norm(x: ndarray) -> ndarray:
    """Return the Euclidean length of a vector, on its device."""
    return cp.sqrt(cp.vdot(x, x).real) if x.dtype.kind == "c" else cp.sqrt(cp.vdot(x, x))


def to_host(*scalars: ndarray) -> list[Any]:
    """Return numbers of the device in one transfer."""
    kind = scalars[0].dtype
    # Numbers of a CPU are read where they are.
    if len(scalars) == 1 or all(one.dtype == kind for one in scalars) and scalars[0].device == "cpu":
        return [one.item() for one in scalars]
    kind = np.result_type(*(one.dtype for one in scalars))
    found: list[Any] = cp.stack([one.astype(kind).reshape(()) for one in scalars]).tolist()
    return found


def residual(A: Any, x: ndarray, b: ndarray, x0: Any) -> ndarray:
    """Return ``b - A x``, without the product where `x` is zero by default."""
    return b.copy() if x0 is None else b - A.matvec(x)
