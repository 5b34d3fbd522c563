"""Assignments of least cost."""

from __future__ import annotations

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike
from .._kernels import launch_block, texts

__all__ = ["linear_sum_assignment"]

kernel = texts(__file__)


@names_itself
def linear_sum_assignment(cost_matrix: ArrayLike, maximize: bool = False) -> tuple[ndarray, ndarray]:
    """Assign rows to columns, each at most once, so that the sum of their costs is least.

    Parameters
    ----------
    cost_matrix : (M, N) array_like
        The costs; infinite ones are forbidden.
    maximize : bool, optional
        Whether the sum is to be largest instead.

    Returns
    -------
    row_ind, col_ind : ndarray of int64
        The pairs, by rows.

    Examples
    --------
    >>> from cuprum.scipy.optimize import linear_sum_assignment
    >>> linear_sum_assignment(cp.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]]))[1]
    array([1, 0, 2])
    """
    op = "linear_sum_assignment"
    given = as_array(cost_matrix)
    if given.ndim != 2:
        raise ValueError(f"{op}: expected a matrix (2-D array), got a {given.ndim}-D array")
    if given.dtype.kind == "c":
        raise TypeError(f"{op}: complex costs have no order")
    cost = given.astype(np.float64)
    if maximize:
        cost = -cost
    if bool(cp.isnan(cost).any()) or bool((cost == -np.inf).any()):
        raise ValueError(f"{op}: matrix contains invalid numeric entries")
    turned = cost.shape[0] > cost.shape[1]
    cost = cp.ascontiguousarray(cost.T if turned else cost)
    rows, columns = cost.shape
    if rows == 0:
        return cp.empty(0, np.int64), cp.empty(0, np.int64)
    u, v, shortest = cp.zeros(rows), cp.zeros(columns), cp.empty(columns)
    before, assigned = cp.full(columns, -1, np.int64), cp.full(columns, -1, np.int64)
    seen, result, impossible = cp.zeros(columns, np.int32), cp.full(rows, -1, np.int64), cp.zeros(1, np.int32)
    sizes = np.int64(rows), np.int64(columns)
    arguments = (cost, u, v, shortest, before, assigned, seen, result, *sizes, impossible)
    launch_block(kernel("assignment", "assign"), 256, arguments, cost.device)
    if int(impossible[0]):
        raise ValueError(f"{op}: cost matrix is infeasible")
    if not turned:
        return cp.arange(rows), result
    by = cp.argsort(result)
    return result[by], by
