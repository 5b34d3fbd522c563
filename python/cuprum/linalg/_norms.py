"""Norms, condition numbers and ranks."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.linalg import LinAlgError

from .. import _core
from .._convert import as_array, normalize_axes, normalize_axis
from .._core import ndarray
from .._errors import names_itself
from .._indexing.indexing import where
from .._manipulation.shape import moveaxis
from .._math.products import dot
from .._ufuncs import sqrt
from ._decompositions import svd
from ._equations import _epsilon, inv

if TYPE_CHECKING:
    from .._typing import ArrayLike


@names_itself
def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """Return the norm of a vector or of a matrix.

    Parameters
    ----------
    x : array_like
        Vectors or matrices; without `axis` and `ord` the length of all elements together.
    ord : {int, float, inf, -inf, "fro", "nuc"}, optional
        Which norm: of a vector, the p-norm, its largest (inf) or smallest (-inf) size, or the number of
        elements that are not zero (0); of a matrix, Frobenius ("fro"), nuclear ("nuc"), largest or smallest
        row sum (inf, -inf), column sum (1, -1) or singular value (2, -2).
    axis : int or pair of int, optional
        The axis of the vectors, or the two axes of the matrices.
    keepdims : bool, optional
        Leave the axes in the result, with length one.

    Returns
    -------
    ndarray
        The norms.

    Examples
    --------
    >>> cp.linalg.norm([3.0, 4.0])
    array(5.)
    >>> cp.linalg.norm([[1.0, 2.0], [3.0, 4.0]], ord=1)
    array(6.)
    """
    x = as_array(x)
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            flat = x.ravel(order="K")
            length = sqrt(_squares(flat, None))
            return length.reshape((1,) * x.ndim) if keepdims else length
        axes = tuple(range(x.ndim))
    else:
        try:
            axes = (operator.index(axis),) if not isinstance(axis, tuple) else axis
        except TypeError as error:
            raise TypeError("norm: 'axis' must be None, an integer or a tuple of integers") from error
    if len(axes) == 1:
        return _vector_norm(x, ord, normalize_axis("norm", axes[0], x.ndim), keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdims)
    raise ValueError(f"norm: improper number of dimensions to norm: {len(axes)}")


def _squares(x: ndarray, axis: Any) -> ndarray:
    """Return the sums of the squared sizes of elements."""
    if axis is None:
        parts = _core.array(x, copy=None, order="C").view(x.real.dtype) if x.dtype.kind == "c" else x
        return dot(parts, parts)
    if x.dtype.kind == "c":
        return (x.conj() * x).real.sum(axis=axis)
    return (x * x).sum(axis=axis)


def _vector_norm(x: ndarray, ord: Any, axis: Any, keepdims: bool) -> ndarray:
    if isinstance(ord, str):
        raise ValueError(f"norm: invalid norm order {ord!r} for vectors")
    if ord is None or ord == 2:
        squares = (x.conj() * x).real if x.dtype.kind == "c" else x * x
        return sqrt(squares.sum(axis=axis, keepdims=keepdims))
    if ord == np.inf:
        return abs(x).max(axis=axis, keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return abs(x).min(axis=axis, keepdims=keepdims)
    if ord == 0:
        return (x != 0).astype(x.real.dtype).sum(axis=axis, keepdims=keepdims)
    if ord == 1:
        return abs(x).sum(axis=axis, keepdims=keepdims)
    powers = (abs(x) ** ord).sum(axis=axis, keepdims=keepdims)
    roots: ndarray = powers ** (1 / ord)
    return roots


def _matrix_norm(x: ndarray, ord: Any, axes: Any, keepdims: bool) -> ndarray:
    row, column = (normalize_axis("norm", one, x.ndim) for one in axes)
    if row == column:
        raise ValueError("norm: duplicate axes given")
    if ord in (2, -2, "nuc"):
        values = svd(moveaxis(x, (row, column), (-2, -1)), compute_uv=False)
        made = (
            values.max(axis=-1, initial=0)
            if ord == 2
            else values.min(axis=-1)
            if ord == -2
            else values.sum(axis=-1)
        )
    elif ord in (1, -1, np.inf, -np.inf):
        first, second = (row, column) if ord in (1, -1) else (column, row)
        second -= second > first
        sums = abs(x).sum(axis=first)
        made = sums.max(axis=second, initial=0) if ord > 0 else sums.min(axis=second)
    elif ord in (None, "fro", "f"):
        squares = (x.conj() * x).real if x.dtype.kind == "c" else x * x
        made = sqrt(squares.sum(axis=(row, column)))
    else:
        raise ValueError(f"norm: invalid norm order {ord!r} for matrices")
    if keepdims:
        shape = list(x.shape)
        shape[row] = shape[column] = 1
        made = made.reshape(shape)
    return made


@names_itself
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> ndarray:
    """Return the norm of vectors; without `axis` all elements are one vector.

    Parameters
    ----------
    x : array_like
        The vectors.
    axis : int or tuple of int, optional
        The axes of the vectors.
    keepdims : bool, optional
        Leave the axes in the result, with length one.
    ord : {int, float, inf, -inf}, optional
        Which norm, as in `norm`.

    Returns
    -------
    ndarray
        The norms.

    Examples
    --------
    >>> cp.linalg.vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1)
    array([ 5., 10.])
    """
    x = as_array(x)
    shape = list(x.shape)
    if axis is None:
        x, along = x.ravel(), 0
    elif isinstance(axis, tuple):
        axes = normalize_axes("vector_norm", axis, x.ndim)
        rest = tuple(i for i in range(x.ndim) if i not in axes)
        sizes = [x.shape[i] for i in rest]
        x, along = x.transpose(axes + rest).reshape([-1, *sizes]) if x.size else x.sum(axis=axes), 0
    else:
        along = axis
    made = norm(x, axis=along, ord=ord)
    if keepdims:
        given = range(len(shape)) if axis is None else normalize_axes("vector_norm", axis, len(shape))
        for one in given:
            shape[one] = 1
        made = made.reshape(shape)
    return made


@names_itself
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> ndarray:
    """Return the norm of matrices in the last two axes.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrices.
    keepdims : bool, optional
        Leave the axes in the result, with length one.
    ord : {1, -1, 2, -2, inf, -inf, "fro", "nuc"}, optional
        Which norm, as in `norm`.

    Returns
    -------
    ndarray
        The norms.

    Examples
    --------
    >>> cp.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]])
    array(5.)
    """
    return norm(as_array(x), axis=(-2, -1), keepdims=keepdims, ord=ord)


@names_itself
def cond(x: Any, p: Any = None) -> ndarray:
    """Return the condition number of a matrix: by how much it can enlarge relative errors.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrix; square unless `p` is None, 2 or -2.
    p : {None, 1, -1, 2, -2, inf, -inf, "fro"}, optional
        The norm, as in `norm`; the ratio of singular values by default.

    Returns
    -------
    (...) ndarray
        The condition numbers; infinite for singular matrices.

    Examples
    --------
    >>> cp.linalg.cond([[2.0, 0.0], [0.0, 1.0]])
    array(2.)
    """
    x = as_array(x)
    if x.size == 0 and math.prod(x.shape[-2:]) == 0:
        raise LinAlgError("cond: not defined on empty arrays")
    if x.ndim < 2:
        raise LinAlgError(f"cond: {x.ndim}-dimensional array given. Array must be at least two-dimensional")
    if p in (None, 2, -2):
        s = svd(x, compute_uv=False)
        made = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        if x.shape[-2] != x.shape[-1]:
            raise LinAlgError(f"cond: Last 2 dimensions of the array must be square, got shape {x.shape}")
        x = x.astype(np.float64) if x.dtype.kind not in "fc" else x
        made = norm(x, p, axis=(-2, -1)) * norm(_inverse_or_nan(x), p, axis=(-2, -1))
    # NaN that does not come from the matrix is a singular one's infinity over infinity or zero over zero.
    unknown = (made != made) & (x == x).all(axis=(-2, -1))
    return where(unknown, np.inf, made).astype(made.dtype)


def _inverse_or_nan(x: ndarray) -> ndarray:
    """Return the inverses, NaN where there is none."""
    try:
        return inv(x)
    except LinAlgError:
        pass
    singular = _core.linalg_det(x) == 0
    safe = where(singular[..., None, None], np.eye(x.shape[-1], dtype=x.dtype), x)
    return where(singular[..., None, None], np.nan, inv(safe)).astype(safe.dtype)


@names_itself
def matrix_rank(
    A: ArrayLike, tol: ArrayLike | None = None, hermitian: bool = False, *, rtol: ArrayLike | None = None
) -> ndarray:
    """Return the rank of a matrix: how many singular values are not zero.

    Parameters
    ----------
    A : {(M,), (..., M, N)} array_like
        The matrix; of a vector, whether any element is not zero.
    tol : (...) array_like of float, optional
        Singular values at most this large count as zero.
    hermitian : bool, optional
        The matrix is Hermitian.
    rtol : (...) array_like of float, optional
        The threshold relative to the largest singular value; ``max(M, N) * eps`` by default.

    Returns
    -------
    (...) ndarray
        The rank.

    Examples
    --------
    >>> cp.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    array(1)
    """
    if rtol is not None and tol is not None:
        raise ValueError("matrix_rank: `tol` and `rtol` cannot be both set")
    A = as_array(A)
    if A.ndim < 2:
        return (A != 0).any().astype(np.int64)
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * _epsilon(A)
        limit = s.max(axis=-1, keepdims=True, initial=0) * as_array(rtol)[..., None]
    else:
        limit = as_array(tol)[..., None]
    return (s > limit).sum(axis=-1)
