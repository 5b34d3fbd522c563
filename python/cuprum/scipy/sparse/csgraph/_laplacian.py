"""Laplacians of graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._coo import from_scipy, is_of_scipy
from ..linalg._interface import LinearOperator

__all__ = ["laplacian"]


@names_itself
def laplacian(
    csgraph: Any,
    normed: bool = False,
    return_diag: bool = False,
    use_out_degree: bool = False,
    *,
    copy: bool = True,
    form: str = "array",
    dtype: Any = None,
    symmetrized: bool = False,
) -> Any:
    """Return the Laplacian of a graph: the degrees of its nodes, less the weights of its edges.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph.
    normed : bool, optional
        Whether to divide by the square roots of the degrees of both ends.
    return_diag : bool, optional
        Whether to return the diagonal too; of a normed one, the square roots.
    use_out_degree : bool, optional
        Whether the edges that begin at a node make its degree, rather than those that end there.
    copy : bool, optional
        Without effect: the graph is not changed.
    form : {'array', 'function', 'lo'}, optional
        Whether to return a matrix, a function of vectors, or a `LinearOperator`.
    dtype : dtype, optional
        The dtype of the result; that of the graph by default.
    symmetrized : bool, optional
        Whether to take ``csgraph + csgraph.T.conj()``.

    Returns
    -------
    lap : ndarray, coo_array, callable or LinearOperator
        The Laplacian.
    diag : ndarray
        The diagonal.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import laplacian
    >>> laplacian(cp.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    array([[ 2, -1, -1],
           [-1,  1,  0],
           [-1,  0,  1]])
    """
    graph = from_scipy(csgraph) if is_of_scipy(csgraph) else csgraph
    graph = graph if issparse(graph) else as_array(graph)
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise ValueError("laplacian: csgraph must be a square matrix or array")
    if form not in ("array", "function", "lo"):
        raise ValueError(f"laplacian: Invalid form: {form!r}")
    if normed and graph.dtype.kind in "iu":
        graph = graph.astype(np.float64)
    kind = np.dtype(graph.dtype if dtype is None else dtype)
    if symmetrized:
        graph = graph + graph.T.conj()
    axis = 1 if use_out_degree else 0
    degree = graph.sum(axis=axis).ravel()
    diagonal = degree - graph.diagonal()
    isolated = diagonal == 0
    roots = cp.where(isolated, 1, cp.sqrt(diagonal)) if normed else None
    if form == "array":
        made = _matrix(graph, diagonal, roots, isolated)
        lap = made.astype(kind, copy=False)
    else:
        lap = _function(graph, degree, roots)
        if form == "lo":
            lap = LinearOperator(shape=graph.shape, matvec=lap, matmat=lap, dtype=kind)
    diag = (diagonal if roots is None else roots).astype(kind)
    return (lap, diag) if return_diag else lap


def _matrix(graph: Any, diagonal: ndarray, roots: ndarray | None, isolated: ndarray) -> Any:
    n = graph.shape[0]
    on_diagonal = diagonal if roots is None else (~isolated).astype(np.int64)
    if not issparse(graph):
        made = -graph if roots is None else -(graph / roots / roots[:, None])
        made[cp.arange(n), cp.arange(n)] = on_diagonal.astype(made.dtype)
        return made
    coo = graph.tocoo()
    off = coo.row != coo.col
    row, col, data = coo.row[off], coo.col[off], coo.data[off]
    if roots is not None:
        data = data / roots[row] / roots[col]
    itself = cp.arange(n, dtype=row.dtype)
    values = cp.concatenate((-data, on_diagonal.astype(data.dtype)))
    return coo._as("coo")._made(
        values, cp.concatenate((row, itself)), cp.concatenate((col, itself)), graph.shape
    )


def _function(graph: Any, degree: ndarray, roots: ndarray | None) -> Callable[[ndarray], ndarray]:
    def spread(values: ndarray, v: ndarray) -> ndarray:
        return values if v.ndim == 1 else values[:, None]

    def apply(v: Any) -> ndarray:
        v = as_array(v)
        found: ndarray
        scaled = v if roots is None else v / spread(roots, v)
        found = scaled * spread(degree, v) - graph @ scaled
        return found if roots is None else found / spread(roots, v)

    return apply
