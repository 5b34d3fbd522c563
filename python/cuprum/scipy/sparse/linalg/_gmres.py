"""Generalised minimal residuals, restarted, and with vectors kept over restarts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from ._system import make_system, norm, residual, tolerance

__all__ = ["gmres", "lgmres"]


class _Hessenberg:
    """The least-squares problem of an Arnoldi process, which grows by a column and a rotation in each step.

    It is a few dozen numbers, kept by the host, which decides with them when to stop.
    """

    def __init__(self, first: float, is_complex: bool) -> None:
        self._kind = complex if is_complex else float
        self.columns: list[list[Any]] = []
        self._triangle: list[list[Any]] = []
        self._rotations: list[tuple[float, Any]] = []
        self._right: list[Any] = [first]

    def append(self, column: list[Any]) -> float:
        """Add a column, one longer than the last, and return the norm of the residual."""
        self.columns.append(list(column))
        h = list(column)
        for k, (c, s) in enumerate(self._rotations):
            h[k], h[k + 1] = c * h[k] + s * h[k + 1], -np.conj(s) * h[k] + c * h[k + 1]
        c, s, h[-2] = _rotation(h[-2], h[-1])
        self._triangle.append(h[:-1])
        self._rotations.append((c, s))
        last = self._right[-1]
        self._right[-1:] = [c * last, -np.conj(s) * last]
        return float(abs(self._right[-1]))

    def solve(self) -> Any:
        """Return the coefficients of the smallest residual; a last column of zeros counts nothing."""
        size = len(self._triangle)
        y = np.array(self._right[:size], self._kind)
        for k in range(size - 1, -1, -1):
            diagonal = self._triangle[k][k]
            y[k] = 0 if diagonal == 0 else y[k] / diagonal
            y[:k] -= y[k] * np.array(self._triangle[k][:k], self._kind)
        return y


def _rotation(f: Any, g: Any) -> tuple[float, Any, Any]:
    """Return the rotation that turns ``(f, g)`` into ``(r, 0)``."""
    if g == 0:
        return 1.0, 0.0, f
    if f == 0:
        return 0.0, np.conj(g) / abs(g), abs(g)
    size = float(np.hypot(abs(f), abs(g)))
    phase = f / abs(f)
    return float(abs(f) / size), phase * np.conj(g) / size, phase * size


def _orthogonalise(basis: ndarray, w: ndarray) -> tuple[ndarray, list[Any], float, bool]:
    """Return a vector made orthogonal to the rows of a basis, of length 1, and its coefficients.

    Twice is enough. One transfer brings the coefficients, the length and whether the vector is in the span.
    """
    size = norm(w)
    adjoint = basis.conj() if basis.dtype.kind == "c" else basis
    h = adjoint @ w
    w = w - h @ basis
    again = adjoint @ w
    w = w - again @ basis
    length = norm(w)
    found = cp.concatenate((h + again, length.reshape(1), size.reshape(1))).tolist()
    *column, after, before = found
    after, before = abs(after), abs(before)
    inside = not after > float(np.finfo(w.dtype).eps) * before
    return (w if inside else w / length), column, after, inside


@names_itself
def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Any], Any] | None = None,
    callback_type: str | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by generalised minimal residuals.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The square matrix.
    b : array_like
        The right side, of shape ``(n,)`` or ``(n, 1)``.
    x0 : array_like, optional
        Where to begin; zeros by default.
    rtol, atol : float, optional
        The residual is small enough where its norm is at most ``max(rtol * norm(b), atol)``.
    restart : int, optional
        The number of iterations between restarts; 20 by default.
    maxiter : int, optional
        The most restarts; ten times the number of unknowns by default.
    M : sparse matrix, ndarray or LinearOperator, optional
        The preconditioner, an approximation of the inverse.
    callback : callable, optional
        Is called after each iteration.
    callback_type : {'x', 'pr_norm', 'legacy'}, optional
        What it is called with: the solution, at restarts; the relative norm of the residual, at each
        iteration; the same, with `maxiter` counting iterations.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 where it is accurate enough, else the number of iterations.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import gmres
    >>> x, info = gmres(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    if callback is not None and callback_type is None:
        warnings.warn(
            "gmres called with a callback and without `callback_type`: say 'pr_norm', 'x' or 'legacy'",
            DeprecationWarning,
            stacklevel=3,
        )
    kind = "legacy" if callback_type is None else callback_type
    if kind not in ("x", "pr_norm", "legacy"):
        raise ValueError(f"gmres: Unknown callback_type: {callback_type!r}")
    if callback is None:
        kind = ""
    A, M, x, b = make_system("gmres", A, M, x0, b)
    n = b.size
    b_norm = float(norm(b))
    limit = tolerance("gmres", b_norm, atol, rtol)
    if b_norm == 0:
        return b, 0
    count = 10 * n if maxiter is None else int(maxiter)
    length = min(20 if restart is None else int(restart), n)
    eps = float(np.finfo(x.dtype).eps)
    r = residual(A, x, b, x0)
    r_norm = float(norm(r))
    if r_norm < limit:
        return x, 0
    # The inner iteration sees the preconditioned residual: how small it must become is adjusted at restarts.
    factor = 1.0
    inner_limit = float(norm(M.matvec(b))) * min(factor, limit / b_norm)
    basis = cp.zeros((length + 1, n), x.dtype)
    inner = 0
    for _ in range(count):
        first = M.matvec(r)
        size = norm(first)
        basis[0] = first / size
        problem = _Hessenberg(float(size), x.dtype.kind == "c")
        breakdown, left = False, 0.0
        for k in range(length):
            w, column, after, breakdown = _orthogonalise(basis[: k + 1], M.matvec(A.matvec(basis[k])))
            basis[k + 1] = w
            left = problem.append([*column, 0.0 if breakdown else after])
            inner += 1
            if callback is not None and kind in ("legacy", "pr_norm"):
                callback(left / b_norm)
            if kind == "legacy" and inner == count or left <= inner_limit or breakdown:
                break
        y = cp.asarray(problem.solve().astype(x.dtype))
        x = x + y @ basis[: y.size]
        r = b - A.matvec(x)
        r_norm = float(norm(r))
        if kind == "legacy" and inner == count:
            return x, 0 if r_norm <= limit else count
        if callback is not None and kind == "x":
            callback(x)
        if r_norm <= limit or breakdown:
            break
        factor = max(eps, 0.25 * factor) if left <= inner_limit else min(1.0, 1.5 * factor)
        inner_limit = left * min(factor, limit / r_norm)
    return x, 0 if r_norm <= limit else count


@names_itself
def lgmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int = 1000,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
    inner_m: int = 30,
    outer_k: int = 3,
    outer_v: list[Any] | None = None,
    store_outer_Av: bool = True,
    prepend_outer_v: bool = False,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by "loose" generalised minimal residuals, which keep corrections over restarts.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The square matrix.
    b : array_like
        The right side, of shape ``(n,)`` or ``(n, 1)``.
    x0 : array_like, optional
        Where to begin; zeros by default.
    rtol, atol : float, optional
        The residual is small enough where its norm is at most ``max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most restarts.
    M : sparse matrix, ndarray or LinearOperator, optional
        The preconditioner, an approximation of the inverse.
    callback : callable, optional
        Is called with the solution before each restart.
    inner_m : int, optional
        The number of iterations between restarts.
    outer_k : int, optional
        How many corrections are kept.
    outer_v : list of tuple, optional
        Corrections and their products with the matrix, or None; the list is changed.
    store_outer_Av : bool, optional
        Whether to keep the products too.
    prepend_outer_v : bool, optional
        Whether the corrections come before the Krylov space.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 where it is accurate enough, else the number of restarts.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import lgmres
    >>> x, info = lgmres(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    A, M, x, b = make_system("lgmres", A, M, x0, b)
    if not bool(cp.isfinite(b).all()):
        raise ValueError("lgmres: RHS must contain only finite numbers")
    kept: list[Any] = [] if outer_v is None else outer_v
    b_norm = float(norm(b))
    limit = tolerance("lgmres", b_norm, atol, rtol)
    if b_norm == 0:
        return b, 0
    factor = 1.0
    for outer in range(maxiter):
        r = A.matvec(x) - b
        if callback is not None:
            callback(x)
        r_norm = float(norm(r))
        if r_norm <= limit:
            return x, 0
        first = -M.matvec(r)
        size = float(norm(first))
        if size == 0:
            raise RuntimeError(
                f"lgmres: Preconditioner returned a zero vector; |v| ~ {r_norm:.1g}, |M v| = 0"
            )
        inner_limit = min(factor, limit / r_norm)
        count = inner_m + len(kept)
        basis = cp.zeros((count + 1, b.size), x.dtype)
        directions = cp.zeros((count, b.size), x.dtype)
        basis[0] = first / size
        problem = _Hessenberg(1.0, x.dtype.kind == "c")
        left = np.nan
        for k in range(count):
            at = k if prepend_outer_v else k - inner_m
            if 0 <= at < len(kept):
                z, w = kept[at]
            else:
                z, w = basis[0 if prepend_outer_v and k == len(kept) else k], None
            w = M.matvec(A.matvec(z)) if w is None else w
            directions[k] = z
            w, column, after, breakdown = _orthogonalise(basis[: k + 1], w)
            basis[k + 1] = w
            left = problem.append([*column, 0.0 if breakdown else after])
            if left < inner_limit or breakdown:
                break
        y = problem.solve() * size
        if not np.isfinite(y).all():
            return x, outer + 1
        factor = min(1.0, 1.5 * factor) if left > inner_limit else max(1e-16, 0.25 * factor)
        step = cp.asarray(y.astype(x.dtype)) @ directions[: y.size]
        length = float(norm(step))
        if length > 0:
            image = None
            if store_outer_Av:
                q = np.zeros(y.size + 1, y.dtype)
                for value, column in zip(y, problem.columns, strict=True):
                    q[: len(column)] += value * np.array(column)
                image = (cp.asarray(q.astype(x.dtype)) @ basis[: q.size]) / length
            kept.append((step / length, image))
        while len(kept) > outer_k:
            del kept[0]
        x = x + step
    return x, maxiter
