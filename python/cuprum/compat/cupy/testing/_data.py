"""Arrays for tests, the same ones for NumPy and for Cuprum."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

import cuprum

__all__ = [
    "generate_matrix",
    "shaped_arange",
    "shaped_linspace",
    "shaped_random",
    "shaped_reverse_arange",
    "shaped_sparse_random",
]


def _counted(numbers: Any, shape: Any, xp: Any, dtype: Any, order: str = "C") -> Any:
    kind = np.dtype(dtype)
    if kind.kind == "b":
        numbers = numbers % 2 == 0
    elif kind.kind == "c":
        numbers = numbers + numbers * 1j
    return xp.array(numbers.astype(kind).reshape(shape), order=order)


def shaped_arange(shape: Any, xp: Any = cuprum, dtype: Any = np.float32, order: str = "C") -> Any:
    """Return an array of the numbers from 1; of booleans, true where they are even.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.shaped_arange((2, 3))
    array([[1., 2., 3.],
           [4., 5., 6.]], dtype=float32)
    """
    return _counted(np.arange(1, np.prod(shape, dtype=int) + 1), shape, xp, dtype, order)


def shaped_reverse_arange(shape: Any, xp: Any = cuprum, dtype: Any = np.float32) -> Any:
    """Return an array of the numbers down to 1; of booleans, true where they are even.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.shaped_reverse_arange((3,), dtype="int64")
    array([3, 2, 1])
    """
    return _counted(np.arange(np.prod(shape, dtype=int), 0, -1), shape, xp, dtype)


def shaped_random(
    shape: Any, xp: Any = cuprum, dtype: Any = np.float32, scale: float = 10, seed: int = 0, order: str = "C"
) -> Any:
    """Return an array of random numbers in [0, scale), the same ones for the same seed.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.shaped_random((2, 2), dtype="int64")
    array([[5, 7],
           [6, 5]])
    """
    rng = np.random.RandomState(seed)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        numbers: Any = rng.randint(2, size=shape)
    else:
        numbers = rng.rand(*shape) * scale if kind.kind != "c" else rng.rand(*shape)
        if kind.kind == "c":
            numbers = (numbers + 1j * rng.rand(*shape)) * scale
    return xp.asarray(numbers, dtype=kind, order=order)


def shaped_sparse_random(
    shape: Any,
    sp: Any = None,
    dtype: Any = np.float32,
    density: float = 0.01,
    format: str = "coo",
    seed: int = 0,
) -> Any:
    """Return a sparse matrix of random numbers, the same ones for the same seed."""
    scipys = importlib.import_module("scipy.sparse")
    if sp is None:
        sp = importlib.import_module("cuprum.scipy.sparse")
    rows, columns = shape
    made = scipys.random(rows, columns, density, random_state=seed).astype(dtype)
    return sp.coo_matrix(made).asformat(format)


def shaped_linspace(start: float, stop: float, shape: Any, xp: Any = cuprum, dtype: Any = np.float32) -> Any:
    """Return an array of evenly spaced numbers, within what the dtype holds.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.shaped_linspace(-2, 2, (5,), dtype="float64")
    array([-2., -1.,  0.,  1.,  2.])
    """
    kind = np.dtype(dtype)
    if kind.kind in "bu":
        start = max(start, 0)
    if kind.kind == "b":
        stop = min(stop, 1)
    numbers = np.linspace(start, stop, int(np.prod(shape, dtype=int)))
    return xp.array(numbers.astype(kind).reshape(shape))


def generate_matrix(
    shape: Any, xp: Any = cuprum, dtype: Any = np.float32, *, singular_values: Any = None
) -> Any:
    """Return a random matrix, or a stack of them, with given singular values.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> a = testing.generate_matrix((3, 3), dtype="float64", singular_values=[3, 2, 1])
    >>> cp.linalg.svd(a, compute_uv=False).round(6)
    array([3., 2., 1.])
    """
    kind = np.dtype(dtype)
    if len(shape) <= 1:
        raise ValueError(f"generate_matrix: shape {shape} has too few axes for a matrix")
    if singular_values is None:
        raise TypeError("generate_matrix: singular_values is not given")
    if kind.kind not in "fc":
        raise TypeError(f"generate_matrix: dtype {kind} is not supported")
    values = xp.asarray(singular_values)
    if not xp.isrealobj(values):
        raise TypeError("generate_matrix: singular_values is not real")
    if (values < 0).any():
        raise ValueError("generate_matrix: a singular value is negative")
    a = xp.random.randn(*shape)
    if kind.kind == "c":
        a = a + 1j * xp.random.randn(*shape)
    u, s, vh = xp.linalg.svd(a, full_matrices=False)
    return xp.einsum("...ik,...k,...kj->...ij", u, xp.broadcast_to(values, s.shape), vh).astype(kind)
