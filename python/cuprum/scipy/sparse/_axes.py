"""Axes of sparse matrices exchanged."""

from __future__ import annotations

from typing import Any

__all__ = ["matrix_transpose", "permute_dims", "swapaxes"]


def matrix_transpose(A: Any) -> Any:
    """Return the transpose of a sparse matrix.

    Parameters
    ----------
    A : sparse matrix
        The matrix.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.matrix_transpose(sparse.eye(2, 3)).shape
    (3, 2)
    """
    return A.transpose()


def swapaxes(A: Any, axis1: int, axis2: int) -> Any:
    """Return a sparse matrix with two axes exchanged.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.swapaxes(sparse.eye(2, 3), 0, 1).shape
    (3, 2)
    """
    for axis in (axis1, axis2):
        if not -2 <= axis < 2:
            raise ValueError(f"swapaxes: axis {axis} is out of range for a matrix")
    return A.transpose() if axis1 % 2 != axis2 % 2 else A


def permute_dims(A: Any, axes: Any = None, copy: bool = False) -> Any:
    """Return a sparse matrix with its axes in another order.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    axes : tuple of int, optional
        The order; reversed by default.
    copy : bool, optional
        Whether to copy.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.permute_dims(sparse.eye(2, 3), (1, 0)).shape
    (3, 2)
    """
    order = (1, 0) if axes is None else tuple(axis % 2 for axis in axes)
    if sorted(order) != [0, 1]:
        raise ValueError(f"permute_dims: axes must name both axes once, got {axes}")
    if order == (1, 0):
        return A.transpose(copy=copy)
    return A.copy() if copy else A
