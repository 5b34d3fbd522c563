"""Sparse matrices made of others, as blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ._base import issparse
from ._construct import _coo, _is_array, _sparse
from ._documentation import documented

__all__ = ["block_array", "block_diag", "bmat", "hstack", "vstack"]


@documented
def bmat(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Return a matrix of blocks.

    Parameters
    ----------
    blocks : sequence of sequence
        The blocks by rows; None stands for zeros.
    {format}
    {dtype}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.bmat([[cp.eye(1), None], [None, cp.array([[2.0, 3.0]])]]).toarray()
    array([[1., 0., 0.],
           [0., 2., 3.]])
    """
    return _blocks("bmat", blocks, format, dtype, _is_array(*(one for row in blocks for one in row)))


@documented
def block_array(blocks: Any, *, format: str | None = None, dtype: Any = None) -> Any:
    """Return a sparse array of blocks; as `bmat`.

    Parameters
    ----------
    blocks : sequence of sequence
        The blocks by rows; None stands for zeros.
    {format}
    {dtype}

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.block_array([[cp.eye(2)], [cp.eye(2)]]).shape
    (4, 2)
    """
    return _blocks("block_array", blocks, format, dtype, True)


def _blocks(op: str, blocks: Any, format: Any, dtype: Any, is_array: bool) -> Any:
    grid = [[None if one is None else _sparse(one) for one in row] for row in blocks]
    if not grid or any(len(row) != len(grid[0]) for row in grid):
        raise ValueError(f"{op}: blocks must be 2-D")
    heights: list[int | None] = [None] * len(grid)
    widths: list[int | None] = [None] * len(grid[0])
    for i, row in enumerate(grid):
        for j, one in enumerate(row):
            if one is None:
                continue
            for sizes, at, size, axis in ((heights, i, one.shape[0], 0), (widths, j, one.shape[1], 1)):
                if sizes[at] is None:
                    sizes[at] = size
                elif sizes[at] != size:
                    name = (
                        f"blocks[{i},:] has incompatible row dimensions"
                        if axis == 0
                        else f"blocks[:,{j}] has incompatible column dimensions"
                    )
                    raise ValueError(
                        f"{op}: {name}. Got blocks[{i},{j}].shape[{axis}] == {size}, expected {sizes[at]}."
                    )
    above = np.concatenate(([0], np.cumsum([size or 0 for size in heights])))
    left = np.concatenate(([0], np.cumsum([size or 0 for size in widths])))
    shape = (int(above[-1]), int(left[-1]))
    found = [
        (i, j, one.tocoo()) for i, row in enumerate(grid) for j, one in enumerate(row) if one is not None
    ]
    if not found:
        return _coo(is_array)(shape, dtype=dtype).asformat(format)
    kind = dtype or np.result_type(*(one.dtype for _, _, one in found))
    if format is None:
        format = _stacked_format(grid)
    data = cp.concatenate([one.data.astype(kind) for _, _, one in found])
    rows = cp.concatenate([one.row.astype(np.int64) + int(above[i]) for i, _, one in found])
    columns = cp.concatenate([one.col.astype(np.int64) + int(left[j]) for _, j, one in found])
    return _coo(is_array)._made(data, rows, columns, shape).asformat(format)


def _stacked_format(grid: Any) -> str | None:
    """Return the format of blocks put together: that of all of them where it is one of compressed lines."""
    formats = {None if one is None else one.format for row in grid for one in row}
    return formats.pop() if formats in ({"csr"}, {"csc"}) else None


@documented
def hstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Return matrices side by side.

    Parameters
    ----------
    blocks : sequence
        The matrices.
    {format}
    {dtype}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.hstack([cp.eye(2), cp.eye(2)]).shape
    (2, 4)
    """
    return bmat([list(blocks)], format, dtype)


@documented
def vstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Return matrices one below the other.

    Parameters
    ----------
    blocks : sequence
        The matrices.
    {format}
    {dtype}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.vstack([cp.eye(2), cp.eye(2)]).shape
    (4, 2)
    """
    return bmat([[one] for one in blocks], format, dtype)


@documented
def block_diag(mats: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Return matrices along the diagonal of one.

    Parameters
    ----------
    mats : sequence
        The matrices.
    {format}
    {dtype}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.block_diag([cp.eye(1), cp.array([[2.0, 3.0]])]).toarray()
    array([[1., 0., 0.],
           [0., 2., 3.]])
    """
    found = [_sparse(one if issparse(one) else cp.atleast_2d(as_array(one))) for one in mats]
    count = len(found)
    grid = [[one if i == j else None for j in range(count)] for i, one in enumerate(found)]
    return _blocks("block_diag", grid, format, dtype, _is_array(*mats))
