"""What the functions of matrices take: arrays of floats, finite where that is wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray

LinAlgError = np.linalg.LinAlgError


class LinAlgWarning(RuntimeWarning):
    """A matrix is so near to a singular one that results have few digits."""


def as_floats(op: str, a: Any, check_finite: bool, square: bool = False) -> ndarray:
    """Return a matrix of floats, finite where that is wanted."""
    array = as_array(a)
    if array.ndim < 2:
        raise ValueError(f"{op}: expected a matrix, got shape {array.shape}")
    if square and array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{op}: expected a square matrix, got shape {array.shape}")
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    elif array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    if check_finite and not bool(cp.isfinite(array).all()):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    return array


def as_matrix(op: str, a: Any, check_finite: bool, ndim: int = 2) -> ndarray:
    """Return `a` as an array that is finite; narrow dtypes become float32."""
    array = as_array(a)
    if array.ndim < ndim:
        raise ValueError(f"{op}: expected at least {ndim} dimensions, got shape {array.shape}")
    if array.dtype.itemsize <= 2:
        array = array.astype(np.float32)
    if check_finite and array.dtype.kind in "fc" and not bool(cp.isfinite(array).all()):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    return array


def adjoint(a: ndarray) -> ndarray:
    return cp.swapaxes(a, -1, -2).conj() if a.dtype.kind == "c" else cp.swapaxes(a, -1, -2)


def as_assumed(op: str, a: ndarray, assume_a: Any, lower: bool) -> ndarray:
    """Return the whole matrix that a stored triangle or diagonal stands for."""
    if assume_a in (None, "gen", "general", "banded"):
        return a
    if assume_a == "tridiagonal":
        return cp.tril(cp.triu(a, -1), 1)
    if assume_a == "diagonal":
        return a * cp.eye(a.shape[-1], dtype=a.dtype)
    if assume_a in ("lower triangular", "upper triangular"):
        return cp.tril(a) if assume_a == "lower triangular" else cp.triu(a)
    if assume_a in ("sym", "symmetric", "her", "hermitian", "pos", "positive definite"):
        half = cp.tril(a, -1) if lower else cp.triu(a, 1)
        is_hermitian = assume_a not in ("sym", "symmetric")
        other = adjoint(half) if is_hermitian else cp.swapaxes(half, -1, -2)
        diagonal = a.real if is_hermitian else a
        return half + other + diagonal * cp.eye(a.shape[-1], dtype=diagonal.dtype)
    raise ValueError(f"{op}: {assume_a!r} is not a recognized matrix structure")
