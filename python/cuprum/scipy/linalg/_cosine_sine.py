"""The cosine-sine decomposition of a unitary matrix."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import adjoint, as_floats
from ._special_matrices import block_diag

__all__ = ["cossin"]


@names_itself
def cossin(
    X: Any,
    p: int | None = None,
    q: int | None = None,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> Any:
    """Decompose a unitary matrix of four blocks into rotations: ``X == u @ cs @ vdh``.

    `u` and `vdh` have a block for the first and one for the other rows or columns; `cs` holds cosines and
    sines of angles on the diagonals of its four blocks, beside ones and zeros.

    Parameters
    ----------
    X : (M, M) array_like, or sequence of four blocks
        The matrix, or its blocks by rows.
    p, q : int, optional
        The rows and columns of the first block.
    separate : bool, optional
        Return blocks and angles instead of whole matrices.
    swap_sign : bool, optional
        Whether the sines under the diagonal have the minus, instead of those above.
    compute_u, compute_vh : bool, optional
        Whether to return `u` and `vdh`; empty arrays otherwise.

    Returns
    -------
    u, cs, vdh : ndarray
        The factors; with `separate` ``(u1, u2), theta, (v1h, v2h)``, angles in ascending order.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> x = cp.array([[0.6, -0.8], [0.8, 0.6]])
    >>> u, cs, vdh = cuprum.scipy.linalg.cossin(x, p=1, q=1)
    >>> cp.allclose(u @ cs @ vdh, x)
    True
    """
    x, p, q = _blocks(X, p, q)
    m, wide = x.shape[0], np.result_type(x.dtype, np.float64)
    x = x.astype(wide)
    common = min(p, q, m - p, m - q)
    first, under = min(p, q) - common, min(m - p, q) - common
    # Cosines and the bases of the first block.
    u1, cosines, v1h = cp.linalg.svd(x[:p, :q], full_matrices=True)
    cosines = cosines[first : first + common]
    # Columns below it are orthogonal, and as long as the sines: the longest first, since short ones have no
    # direction of their own.
    columns = (x[p:, :q] @ adjoint(v1h))[:, first:][:, ::-1]
    u2, triangle = cp.linalg.qr(columns, mode="complete")
    found = cp.diagonal(triangle)
    sizes = cp.abs(found)
    phases = cp.where(sizes == 0, 1.0, found / cp.where(sizes == 0, 1.0, sizes))
    u2 = cp.concatenate((u2[:, common + under :], (u2[:, : common + under] * phases)[:, ::-1]), axis=1)
    theta = cp.arctan2(sizes[::-1][:common], cosines)
    cs = _rotations(theta, (p, q, m), wide)
    # What is left follows from the other blocks, whose columns are orthonormal.
    v2h = adjoint(cs[:p, q:]) @ (adjoint(u1) @ x[:p, q:]) + adjoint(cs[p:, q:]) @ (adjoint(u2) @ x[p:, q:])
    if swap_sign:
        # Both sines change their signs with those of the second halves.
        u2, v2h, cs = -u2, -v2h, _rotations(theta, (p, q, m), wide, -1.0)
    nothing = cp.empty((0, 0), x.dtype)
    dtype = np.result_type(as_array(X).dtype, np.float32) if isinstance(X, (np.ndarray, ndarray)) else wide
    u1, u2 = (part.astype(dtype) if compute_u else nothing for part in (u1, u2))
    v1h, v2h = (part.astype(dtype) if compute_vh else nothing for part in (v1h, v2h))
    if separate:
        return (u1, u2), theta.astype(np.empty(0, dtype).real.dtype), (v1h, v2h)
    u, vdh = (block_diag(a, b) if a.size else nothing for a, b in ((u1, u2), (v1h, v2h)))
    return u, cs.astype(dtype), vdh


def _blocks(X: Any, p: int | None, q: int | None) -> tuple[ndarray, int, int]:
    """Return the whole matrix, and the rows and columns of its first block."""
    if p or q:
        p, q = (1 if side is None else int(side) for side in (p, q))
        x = as_floats("cossin", X, True)
        if x.ndim != 2 or x.shape[0] != x.shape[1]:
            raise ValueError(
                f"cossin: Cosine Sine decomposition only supports square matrices, got {x.shape}"
            )
        m = x.shape[0]
        for name, side in (("p", p), ("q", q)):
            if side >= m or side <= 0:
                raise ValueError(f"cossin: invalid {name}={side}, 0<{name}<{m} must hold")
        return x, p, q
    if not isinstance(X, Iterable):
        raise ValueError("cossin: When p and q are None, X must be an Iterable containing the subblocks of X")
    blocks = [cp.atleast_2d(as_array(block)) for block in X]
    if len(blocks) != 4:
        raise ValueError(
            f"cossin: When p and q are None, exactly four arrays should be in X, got {len(blocks)}"
        )
    (p, q), (rest_rows, rest_columns) = blocks[0].shape, blocks[3].shape
    for name, block, shape in (
        ("x12", blocks[1], (p, rest_columns)),
        ("x21", blocks[2], (rest_rows, q)),
    ):
        if block.shape != shape:
            raise ValueError(f"cossin: Invalid {name} dimensions: desired {shape}, got {block.shape}")
    if p + rest_rows != q + rest_columns:
        raise ValueError(
            f"cossin: The subblocks have compatible sizes but don't form a square array "
            f"(instead they form a {p + rest_rows}x{q + rest_columns} array)"
        )
    whole = cp.concatenate([cp.concatenate(pair, axis=1) for pair in (blocks[:2], blocks[2:])])
    return as_floats("cossin", whole, True), p, q


def _rotations(theta: ndarray, sizes: tuple[int, int, int], dtype: Any, sign: float = 1.0) -> ndarray:
    """Return the middle factor: ones, cosines, sines with a minus above the diagonal, and ones."""
    p, q, m = sizes
    r = theta.size
    first, above = min(p, q) - r, min(p, m - q) - r
    under, last = min(m - p, q) - r, min(m - p, m - q) - r
    cs = cp.zeros((m, m), dtype)

    def put(row: int, column: int, values: Any, count: int) -> None:
        at = cp.arange(count)
        cs[row + at, column + at] = values

    cosines, sines = cp.cos(theta), sign * cp.sin(theta)
    put(0, 0, 1.0, first)
    put(first, first, cosines, r)
    put(first, q + last, -sines, r)
    put(first + r, q + last + r, -sign, above)
    put(p, q, 1.0, last)
    put(p + last, first, sines, r)
    put(p + last, q + last, cosines, r)
    put(p + last + r, first + r, sign, under)
    return cs
