"""Some singular values and vectors of large matrices."""

from __future__ import annotations

from typing import Any

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from ._eigen import eigsh
from ._interface import LinearOperator, aslinearoperator
from ._lobpcg import lobpcg
from ._system import floating_dtype

__all__ = ["svds"]


@names_itself
def svds(
    A: Any,
    k: int = 6,
    ncv: int | None = None,
    tol: float = 0,
    which: str = "LM",
    v0: Any = None,
    maxiter: int | None = None,
    return_singular_vectors: Any = True,
    solver: str = "arpack",
    rng: Any = None,
    options: dict[str, Any] | None = None,
    *,
    random_state: Any = None,
) -> Any:
    """Return some singular values and vectors of a matrix.

    They come from eigenvectors of the smaller one of ``A^H A`` and ``A A^H``.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The matrix.
    k : int, optional
        How many, fewer than the shorter axis has.
    ncv : int, optional
        How many vectors are kept between restarts.
    tol : float, optional
        The relative accuracy; 0 for that of the dtype.
    which : {'LM', 'SM'}, optional
        The largest or the smallest.
    v0 : array_like, optional
        The vector to begin with, of the shorter axis.
    maxiter : int, optional
        The most iterations.
    return_singular_vectors : {True, False, 'u', 'vh'}, optional
        Which vectors to return.
    solver : {'arpack', 'lobpcg', 'propack'}, optional
        The eigenvalue solver: `eigsh` for the first and the last, or `lobpcg`.
    rng : int or Generator, optional
        Where random vectors come from; `random_state` is its older name.
    options : dict, optional
        Without effect.

    Returns
    -------
    u : ndarray
        The left vectors, as columns.
    s : ndarray
        The singular values, rising.
    vh : ndarray
        The right vectors, as rows.

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags_array
    >>> from cuprum.scipy.sparse.linalg import svds
    >>> cp.round(svds(diags_array(cp.arange(30.0)), k=2, return_singular_vectors=False), 6).tolist()
    [28.0, 29.0]
    """
    rng = random_state if rng is None else rng
    if solver not in ("arpack", "lobpcg", "propack"):
        raise ValueError(f"svds: solver must be one of 'arpack', 'lobpcg', 'propack', got {solver!r}")
    if not isinstance(A, LinearOperator) and not issparse(A):
        A = as_array(A)
        if A.ndim != 2:
            raise ValueError(f"svds: A must have two axes, got {A.ndim}")
    operator = aslinearoperator(A)
    rows, columns = operator.shape
    if isinstance(k, bool) or int(k) != k or not 0 < k < min(rows, columns):
        raise ValueError(f"svds: `k` must be an integer satisfying `0 < k < min(A.shape)`, got {k!r}")
    if which not in ("LM", "SM"):
        raise ValueError(f"svds: `which` must be in ('LM', 'SM'), got {which!r}")
    if return_singular_vectors not in (True, False, "vh", "u"):
        raise ValueError("svds: `return_singular_vectors` must be in (True, False, 'vh', 'u')")
    if tol < 0:
        raise ValueError(f"svds: `tol` must be a non-negative floating point value, got {tol}")
    dtype = floating_dtype(operator.dtype)
    is_wide = columns > rows
    adjoint = operator.H
    first, second = (adjoint, operator) if is_wide else (operator, adjoint)
    n = min(rows, columns)

    def apply(x: ndarray) -> ndarray:
        found: ndarray = second.matvec(first.matvec(x))
        return found

    def apply_all(x: ndarray) -> ndarray:
        found: ndarray = second.matmat(first.matmat(x))
        return found

    gram = LinearOperator((n, n), apply, rmatvec=apply, matmat=apply_all, dtype=dtype)
    if solver == "lobpcg":
        generator = rng if hasattr(rng, "uniform") else cp.random.default_rng(0 if rng is None else rng)
        start = generator.uniform(-1, 1, (n, k)).astype(dtype)
        if v0 is not None:
            start[:, 0] = as_array(v0).ravel()
        found = lobpcg(gram, start, tol=tol**2 or None, maxiter=maxiter, largest=which == "LM")
        vectors = found[1]
    else:
        _, vectors = eigsh(gram, k=int(k), tol=tol**2, maxiter=maxiter, ncv=ncv, which=which, v0=v0, rng=rng)
        vectors, _ = cp.linalg.qr(vectors)
    image, s, turn = cp.linalg.svd(cp.asarray(first.matmat(vectors)), full_matrices=False)
    s = cp.ascontiguousarray(s[::-1])
    if return_singular_vectors is False:
        return s
    near = cp.ascontiguousarray(image[:, ::-1])
    far = cp.ascontiguousarray((vectors @ turn.conj().T)[:, ::-1])
    u, v = (far, near) if is_wide else (near, far)
    vh = cp.ascontiguousarray(v.conj().T)
    return (
        u if return_singular_vectors in (True, "u") else None,
        s,
        vh if return_singular_vectors in (True, "vh") else None,
    )
