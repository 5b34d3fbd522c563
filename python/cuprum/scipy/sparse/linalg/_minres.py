"""Minimal residuals for symmetric systems, after Paige and Saunders."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, inf, sqrt
from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from ._system import make_system, norm, residual, to_host

__all__ = ["minres"]

_REASONS = {
    -1: "beta2 = 0.  If M = I, b and x are eigenvectors",
    0: "beta1 = 0.  The exact solution is x0",
    1: "A solution to Ax = b was found, given rtol",
    2: "A least-squares solution was found, given rtol",
    3: "Reasonable accuracy achieved, given eps",
    4: "x has converged to an eigenvector",
    6: "The iteration limit was reached",
}


def _dot(a: ndarray, b: ndarray) -> ndarray:
    """Return the sum of products, without conjugates: the matrix is symmetric."""
    return (a * b).sum()


@names_itself
def minres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    shift: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
    show: bool = False,
    check: bool = False,
) -> tuple[ndarray, int]:
    """Solve ``(A - shift * I) x = b`` for a symmetric matrix, which need not be definite.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The symmetric matrix.
    b : array_like
        The right side, of shape ``(n,)`` or ``(n, 1)``.
    x0 : array_like, optional
        Where to begin; zeros by default.
    rtol : float, optional
        How small the residual must become, relative to the norms of the matrix and the solution.
    shift : float, optional
        A number that is subtracted from the diagonal.
    maxiter : int, optional
        The most iterations; five times the number of unknowns by default.
    M : sparse matrix, ndarray or LinearOperator, optional
        The preconditioner, symmetric and positive definite.
    callback : callable, optional
        Is called with the solution after each iteration.
    show : bool, optional
        Whether to print how it ended.
    check : bool, optional
        Whether to look first if the matrix and the preconditioner are symmetric.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 where it is accurate enough, else the number of iterations.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import minres
    >>> x, info = minres(cp.array([[0.0, 2.0], [2.0, 1.0]]), cp.array([2.0, 3.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    A, M, x, b = make_system("minres", A, M, x0, b)
    count = 5 * b.size if maxiter is None else int(maxiter)
    eps = float(np.finfo(x.dtype).eps)
    before = residual(A, x, b, x0)
    y = M.matvec(before)
    start, b_norm = to_host(_dot(before, y), norm(b))
    start = start.real
    if start < 0:
        raise ValueError("minres: indefinite preconditioner")
    if start == 0:
        return x, 0
    if b_norm == 0:
        return b, 0
    start = sqrt(start)
    if check:
        _check_symmetric(A, y, y, eps, "matrix")
        _check_symmetric(M, before, before, eps, "preconditioner")
    last = before
    beta, beta_before = start, 0.0
    dbar = epsilon = trace = 0.0
    phibar = start
    largest = 0.0
    smallest = float(np.finfo(x.dtype).max)
    cosine, sine = -1.0, 0.0
    w = w_before = cp.zeros_like(x)
    state = iteration = 0
    root = a_norm = 0.0
    is_constant = False
    while True:
        # The vectors of the next step: with its numbers comes the solution's norm, for the last one's tests.
        v = y / beta
        y = A.matvec(v) - shift * v
        if iteration:
            y = y - (beta / beta_before) * before
        alpha_there = _dot(v, y)
        y = y - (alpha_there / beta) * last
        before, last = last, y
        y = M.matvec(last)
        alpha, square, x_norm = (one.real for one in to_host(alpha_there, _dot(last, y), norm(x)))
        if iteration:
            test1 = inf if x_norm == 0 or a_norm == 0 else phibar / (a_norm * x_norm)
            test2 = inf if a_norm == 0 else root / a_norm
            state = -1 if is_constant else 0
            if state == 0:
                # The last of these that holds counts.
                for found, number in (
                    (1 + test2 <= 1, 2),
                    (1 + test1 <= 1, 1),
                    (iteration >= count, 6),
                    (largest / smallest >= 0.1 / eps, 4),
                    (a_norm * x_norm * eps >= start, 3),
                    (test2 <= rtol, 2),
                    (test1 <= rtol, 1),
                ):
                    state = number if found else state
            if callback is not None:
                callback(x)
        if state != 0 or iteration >= count:
            break
        iteration += 1
        if square < 0:
            raise ValueError("minres: non-symmetric matrix")
        beta, beta_before = sqrt(square), beta
        trace += alpha**2 + beta_before**2 + beta**2
        is_constant = iteration == 1 and beta / start <= 10 * eps
        epsilon_before = epsilon
        delta = cosine * dbar + sine * alpha
        gbar = sine * dbar - cosine * alpha
        epsilon, dbar = sine * beta, -cosine * beta
        root, a_norm = hypot(gbar, dbar), sqrt(trace)
        gamma = max(hypot(gbar, beta), eps)
        cosine, sine = gbar / gamma, beta / gamma
        phi, phibar = cosine * phibar, sine * phibar
        w, w_before = (v - epsilon_before * w_before - delta * w) / gamma, w
        x = x + phi * w
        largest, smallest = max(largest, gamma), min(smallest, gamma)
    if show:
        print(f"minres: {_REASONS[state]}; {iteration} iterations, residual {phibar:.4e}")
    return x, count if state == 6 else 0


def _check_symmetric(operator: Any, a: ndarray, b: ndarray, eps: float, name: str) -> None:
    """Raise where ``<B b, B a>`` is not ``<B B b, a>``."""
    once = operator.matvec(a)
    s, t = (abs(one) for one in to_host(_dot(once, once), _dot(b, operator.matvec(once))))
    if abs(s - t) > (s + eps) * eps ** (1 / 3):
        raise ValueError(f"minres: non-symmetric {name}")
