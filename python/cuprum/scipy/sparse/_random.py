"""Sparse matrices of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ._documentation import documented
from ._formats import CLASSES

__all__ = ["rand", "random", "random_array"]


@documented
def random(
    m: int,
    n: int,
    density: float = 0.01,
    format: str = "coo",
    dtype: Any = None,
    rng: Any = None,
    data_rvs: Any = None,
    *,
    random_state: Any = None,
) -> Any:
    """Return a matrix of random elements at random places.

    Parameters
    ----------
    m, n : int
        The shape.
    density : float, optional
        The part of the elements that is stored.
    {format}
    dtype : dtype, optional
        The dtype of the elements; float64 by default.
    rng : int, RandomState or Generator, optional
        Where random numbers come from.
    data_rvs : callable, optional
        Takes a number of elements and returns as many; uniform ones by default.
    random_state : optional
        Another name of `rng`.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.random(10, 10, density=0.2, rng=1).nnz
    20
    """
    return _random((m, n), density, format, dtype, _state("random", rng, random_state), data_rvs, False)


@documented
def rand(
    m: int,
    n: int,
    density: float = 0.01,
    format: str = "coo",
    dtype: Any = None,
    rng: Any = None,
    *,
    random_state: Any = None,
) -> Any:
    """Return a matrix of uniform random elements at random places.

    Parameters
    ----------
    m, n : int
        The shape.
    density : float, optional
        The part of the elements that is stored.
    {format}
    dtype : dtype, optional
        The dtype of the elements; float64 by default.
    rng : int, RandomState or Generator, optional
        Where random numbers come from.
    random_state : optional
        Another name of `rng`.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.rand(4, 5, density=0.5, rng=1).shape
    (4, 5)
    """
    return _random((m, n), density, format, dtype, _state("rand", rng, random_state), None, False)


@documented
def random_array(
    shape: Any,
    *,
    density: float = 0.01,
    format: str = "coo",
    dtype: Any = None,
    rng: Any = None,
    data_sampler: Any = None,
    random_state: Any = None,
) -> Any:
    """Return a sparse array of random elements at random places.

    Parameters
    ----------
    shape : tuple of int
        The shape.
    density : float, optional
        The part of the elements that is stored.
    {format}
    dtype : dtype, optional
        The dtype of the elements; float64 by default.
    rng : int or Generator, optional
        Where random numbers come from.
    data_sampler : callable, optional
        Takes the keyword `size` and returns as many elements; uniform ones by default.
    random_state : optional
        Another name of `rng`.

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.random_array((10, 10), density=0.1, rng=3).nnz
    10
    """
    state = _state("random_array", rng, random_state)
    sampler = None if data_sampler is None else lambda count: data_sampler(size=count)
    if len(shape) == 1:
        row = _random((1, shape[0]), density, "coo", dtype, state, sampler, True)
        return row._as_line().asformat(format)
    return _random(tuple(shape), density, format, dtype, state, sampler, True)


def _state(op: str, rng: Any, random_state: Any) -> Any:
    """Return where random numbers come from, which has two names."""
    if rng is not None and random_state is not None:
        raise TypeError(f"{op}() got multiple values for argument now known as `rng`")
    return random_state if rng is None else rng


def _random(
    shape: Any, density: Any, format: Any, dtype: Any, state: Any, sampler: Any, is_array: bool
) -> Any:
    if not 0 <= density <= 1:
        raise ValueError(f"random: density expected to be 0 <= density <= 1, got {density}")
    m, n = (int(one) for one in shape)
    total = m * n
    count = int(round(density * total))
    rng: Any = state if hasattr(state, "choice") else cp.random.default_rng(state)
    places = rng.choice(total, count, replace=False) if count else cp.zeros(0, np.int64)
    row, col = cp.divmod(as_array(places), max(n, 1))
    if sampler is None:
        values = rng.random(count) if hasattr(rng, "random") else rng.random_sample(count)
        kind = np.dtype(dtype or np.float64)
        if kind.kind == "c":
            values = values + 1j * (rng.random(count) if hasattr(rng, "random") else rng.random_sample(count))
    else:
        values, kind = as_array(sampler(count)), dtype
    data = values if kind is None else values.astype(kind)
    return CLASSES["coo", is_array]._made(data, row, col, (m, n)).asformat(format)
