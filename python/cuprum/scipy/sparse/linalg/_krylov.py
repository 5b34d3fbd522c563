"""Krylov solvers with short recurrences: cg, cgs, bicg, bicgstab, qmr, tfqmr.

Each method is a generator of its steps. Before every step it hands over the solution, the residual, and
numbers that must not vanish; one transfer brings their sizes to the host. Numbers that a step divided by on
its way are looked at after it, with the solution that was valid before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import cuprum as cp

from ...._core import ndarray, wait
from ...._errors import names_itself
from ._interface import IdentityOperator, aslinearoperator
from ._system import make_system, norm, residual, to_host, tolerance

__all__ = ["bicg", "bicgstab", "cg", "cgs", "qmr", "tfqmr"]

# The size that only zero is below.
_ZERO = float(np.nextafter(0.0, 1.0))


class _Check(NamedTuple):
    """A number that ends the iteration where its size is below a bound."""

    number: ndarray
    bound: float
    code: int
    x: ndarray


class _Step(NamedTuple):
    x: ndarray
    r: ndarray
    # What the last step passed over, and what the next one divides by.
    behind: tuple[_Check, ...] = ()
    ahead: tuple[_Check, ...] = ()
    # The square of the residual's length, where the method needs it anyway.
    square: ndarray | None = None


def _iterate(
    op: str,
    method: Callable[..., Iterator[_Step]],
    A: Any,
    b: Any,
    x0: Any,
    rtol: Any,
    atol: Any,
    maxiter: Any,
    M: Any,
    callback: Any,
) -> tuple[ndarray, int]:
    A, M, x, b = make_system(op, A, M, x0, b)
    b_norm = float(norm(b))
    limit = tolerance(op, b_norm, atol, rtol)
    if b_norm == 0:
        return b, 0
    count = 10 * b.size if maxiter is None else int(maxiter)
    steps = method(A, M, x, b, residual(A, x, b, x0), limit)
    for iteration, step in enumerate(steps):
        checks = (*step.behind, *step.ahead)
        # The solution is not read between steps: pending, it would keep the vectors of earlier ones alive.
        wait(step.x)
        length = norm(step.r) if step.square is None else cp.sqrt(step.square)
        r_norm, *sizes = to_host(length, *(abs(check.number) for check in checks))
        for check, size in zip(step.behind, sizes, strict=False):
            if size < check.bound:
                return check.x, check.code
        if iteration and callback is not None:
            callback(step.x)
        if iteration >= count:
            return step.x, count
        if r_norm < limit:
            return step.x, 0
        for check, size in zip(step.ahead, sizes[len(step.behind) :], strict=True):
            if size < check.bound:
                return check.x, check.code
    raise AssertionError("a method's steps do not end")


def _eps(x: ndarray) -> float:
    return float(np.finfo(x.dtype).eps)


def _cg(A: Any, M: Any, x: ndarray, b: ndarray, r: ndarray, limit: float) -> Iterator[_Step]:
    yield _Step(x, r)
    z = M.matvec(r)
    kind = np.result_type(x.dtype, z.dtype)
    # Vectors are written in place, as SciPy does.
    x, r, p = x.astype(kind, copy=False), r.astype(kind, copy=False), z.astype(kind)
    rho = cp.vdot(r, p)
    while True:
        q = A.matvec(p)
        alpha = rho / cp.vdot(p, q)
        x += alpha * p
        r -= alpha * q
        before = rho
        if isinstance(M, IdentityOperator):
            z, rho = r, cp.vdot(r, r).real
            yield _Step(x, r, square=rho)
        else:
            yield _Step(x, r)
            z = M.matvec(r)
            rho = cp.vdot(r, z)
        p *= rho / before
        p += z


def _cgs(A: Any, M: Any, x: ndarray, b: ndarray, r: ndarray, limit: float) -> Iterator[_Step]:
    least = _eps(x) ** 2
    shadow, p, u = r, r, r
    rho = cp.vdot(shadow, r)
    behind: tuple[_Check, ...] = ()
    while True:
        yield _Step(x, r, behind, (_Check(rho, least, -10, x),))
        v = A.matvec(M.matvec(p))
        rv = cp.vdot(shadow, v)
        behind = (_Check(rv, _ZERO, -11, x),)
        alpha = rho / rv
        q = u - alpha * v
        x = x + alpha * M.matvec(u + q)
        r = b - A.matvec(x)
        rho, before = cp.vdot(shadow, r), rho
        beta = rho / before
        u = r + beta * q
        p = u + beta * (q + beta * p)


def _bicg(A: Any, M: Any, x: ndarray, b: ndarray, r: ndarray, limit: float) -> Iterator[_Step]:
    least = _eps(x) ** 2
    shadow = r
    z, shadow_z = M.matvec(r), M.rmatvec(shadow)
    rho = cp.vdot(shadow, z)
    p, shadow_p = z, shadow_z
    behind: tuple[_Check, ...] = ()
    while True:
        yield _Step(x, r, behind, (_Check(rho, least, -10, x),))
        q, shadow_q = A.matvec(p), A.rmatvec(shadow_p)
        rv = cp.vdot(shadow_p, q)
        behind = (_Check(rv, _ZERO, -11, x),)
        alpha = rho / rv
        x, r, shadow = x + alpha * p, r - alpha * q, shadow - alpha.conj() * shadow_q
        z, shadow_z = M.matvec(r), M.rmatvec(shadow)
        rho, before = cp.vdot(shadow, z), rho
        beta = rho / before
        p, shadow_p = z + beta * p, shadow_z + beta.conj() * shadow_p


def _bicgstab(A: Any, M: Any, x: ndarray, b: ndarray, r: ndarray, limit: float) -> Iterator[_Step]:
    least = _eps(x) ** 2
    shadow, p = r, r
    rho = cp.vdot(shadow, r)
    behind: tuple[_Check, ...] = ()
    ahead: tuple[_Check, ...] = ()
    while True:
        yield _Step(x, r, behind, (_Check(rho, least, -10, x), *ahead))
        p_hat = M.matvec(p)
        v = A.matvec(p_hat)
        rv = cp.vdot(shadow, v)
        alpha = rho / rv
        s = r - alpha * v
        half = x + alpha * p_hat
        behind = (_Check(rv, _ZERO, -11, x), _Check(norm(s), limit, 0, half))
        s_hat = M.matvec(s)
        t = A.matvec(s_hat)
        omega = cp.vdot(t, s) / cp.vdot(t, t)
        x, r = half + omega * s_hat, s - omega * t
        ahead = (_Check(omega, least, -11, x),)
        rho, before = cp.vdot(shadow, r), rho
        p = r + (rho / before) * (alpha / omega) * (p - omega * v)


def _qmr(left: Any, right: Any) -> Callable[..., Iterator[_Step]]:
    """Return the method with preconditioners on either side."""

    def steps(A: Any, M: Any, x: ndarray, b: ndarray, r: ndarray, limit: float) -> Iterator[_Step]:
        least = _eps(x)
        v_next, w_next = r, r
        y, z = left.matvec(v_next), right.rmatvec(w_next)
        rho, xi = norm(y), norm(z)
        one = cp.ones((), rho.dtype)
        gamma, eta, theta = one, -one, cp.zeros((), rho.dtype)
        p = q = d = s = cp.zeros_like(r)
        epsilon = None
        behind: tuple[_Check, ...] = ()
        while True:
            yield _Step(x, r, behind, (_Check(rho, least, -10, x), _Check(xi, least, -15, x)))
            v, y, w, z = v_next / rho, y / rho, w_next / xi, z / xi
            delta = cp.vdot(z, y)
            y_hat, z_hat = right.matvec(y), left.rmatvec(z)
            if epsilon is None:
                p, q = y_hat, z_hat
            else:
                p = y_hat - (xi * delta / epsilon) * p
                q = z_hat - (rho * (delta / epsilon).conj()) * q
            p_hat = A.matvec(p)
            epsilon = cp.vdot(q, p_hat)
            beta = epsilon / delta
            v_next = p_hat - beta * v
            y = left.matvec(v_next)
            rho, rho_before = norm(y), rho
            w_next = A.rmatvec(q) - beta.conj() * w
            z = right.rmatvec(w_next)
            xi = norm(z)
            gamma_before, theta_before = gamma, theta
            theta = rho / (gamma_before * abs(beta))
            gamma = 1 / cp.sqrt(1 + theta**2)
            behind = (
                _Check(delta, least, -13, x),
                _Check(epsilon, least, -14, x),
                _Check(beta, least, -11, x),
                _Check(gamma, least, -12, x),
            )
            eta = -eta * (rho_before / beta) * (gamma / gamma_before) ** 2
            keep = (theta_before * gamma) ** 2
            d, s = keep * d + eta * p, keep * s + eta * p_hat
            x, r = x + d, r - s

    return steps


_PARAMETERS = """
    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The square matrix{matrix}.
    b : array_like
        The right side, of shape ``(n,)`` or ``(n, 1)``.
    x0 : array_like, optional
        Where to begin; zeros by default, ``"Mb"`` for the preconditioned right side.
    rtol, atol : float, optional
        The residual is small enough where its norm is below ``max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations; ten times the number of unknowns by default.
    {preconditioner}
    callback : callable, optional
        Is called with the solution after each iteration.

    Returns
    -------
    x : ndarray
        The solution.
    info : int
        0 where it is accurate enough; the number of iterations where it is not; below 0 where a number that
        the method divides by vanished.
"""
_ONE_SIDE = """M : sparse matrix, ndarray or LinearOperator, optional
        The preconditioner, an approximation of the inverse."""
_TWO_SIDES = """M1, M2 : sparse matrix, ndarray or LinearOperator, optional
        Preconditioners on the left and on the right."""


def _documented(matrix: str, preconditioner: str = _ONE_SIDE) -> Callable[[Any], Any]:
    """Put the common parameters into a docstring."""

    def put(function: Any) -> Any:
        text = _PARAMETERS.format(matrix=matrix, preconditioner=preconditioner)
        function.__doc__ = function.__doc__.replace("    {parameters}\n", text.lstrip("\n"))
        return function

    return put


@_documented(", Hermitian and positive definite")
@names_itself
def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by conjugate gradients.

    {parameters}

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags
    >>> from cuprum.scipy.sparse.linalg import cg
    >>> A = diags([-1, 2, -1], [-1, 0, 1], shape=(3, 3), format="csr")
    >>> x, info = cg(A, cp.array([1.0, 0.0, 1.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    return _iterate("cg", _cg, A, b, x0, rtol, atol, maxiter, M, callback)


@_documented("")
@names_itself
def cgs(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by conjugate gradients squared.

    {parameters}

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import cgs
    >>> x, info = cgs(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    return _iterate("cgs", _cgs, A, b, x0, rtol, atol, maxiter, M, callback)


@_documented("; its conjugate transpose is needed too")
@names_itself
def bicg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by biconjugate gradients.

    {parameters}

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import bicg
    >>> x, info = bicg(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    return _iterate("bicg", _bicg, A, b, x0, rtol, atol, maxiter, M, callback)


@_documented("")
@names_itself
def bicgstab(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by stabilised biconjugate gradients.

    {parameters}

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import bicgstab
    >>> x, info = bicgstab(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    return _iterate("bicgstab", _bicgstab, A, b, x0, rtol, atol, maxiter, M, callback)


@_documented("; its conjugate transpose is needed too", _TWO_SIDES)
@names_itself
def qmr(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M1: Any = None,
    M2: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by quasi-minimal residuals.

    {parameters}

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import qmr
    >>> x, info = qmr(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    operator = aslinearoperator(A)
    same = IdentityOperator(operator.shape, operator.dtype)
    left = same if M1 is None else aslinearoperator(M1)
    right = same if M2 is None else aslinearoperator(M2)
    return _iterate("qmr", _qmr(left, right), operator, b, x0, rtol, atol, maxiter, None, callback)


@_documented("")
@names_itself
def tfqmr(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[ndarray], Any] | None = None,
    show: bool = False,
) -> tuple[ndarray, int]:
    """Solve ``A x = b`` by quasi-minimal residuals without the transpose.

    {parameters}

    Other Parameters
    ----------------
    show : bool, optional
        Whether to print how it ended.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import tfqmr
    >>> x, info = tfqmr(cp.array([[4.0, 1.0], [0.0, 2.0]]), cp.array([5.0, 2.0]))
    >>> info, cp.allclose(x, 1)
    (0, True)
    """
    A, M, x, b = make_system("tfqmr", A, M, x0, b)
    r = residual(A, x, b, x0)
    b_norm, r_norm = to_host(norm(b), norm(r))
    if b_norm == 0:
        return b.copy(), 0
    limit = tolerance("tfqmr", r_norm, atol, rtol)
    if r_norm == 0:
        return x, 0
    count = min(10000, 10 * b.size) if maxiter is None else int(maxiter)
    # The preconditioner stands on the right, so that the residual is that of the system itself.
    u = w = shadow = r
    v = u_hat = A.matvec(M.matvec(r))
    d = cp.zeros_like(r)
    tau = norm(r)
    rho = cp.vdot(shadow, r)
    theta, eta = cp.zeros_like(tau), cp.zeros_like(rho)
    alpha, u_next = rho, u
    for iteration in range(count):
        even = iteration % 2 == 0
        x_before = x
        divisor = cp.vdot(shadow, v) if even else None
        if divisor is not None:
            alpha = rho / divisor
            u_next = u - alpha * v
        w = w - alpha * u_hat
        d = u + (theta**2 / alpha) * eta * d
        theta = norm(w) / tau
        c_squared = 1 / (1 + theta**2)
        tau = tau * theta * cp.sqrt(c_squared)
        eta = c_squared * alpha
        x = x + eta * M.matvec(d)
        size, *divided = to_host(tau, *(() if divisor is None else (abs(divisor),)))
        if divided and divided[0] == 0:
            return x_before, -1
        if callback is not None:
            callback(x)
        if size * np.sqrt(iteration + 1) < limit:
            if show:
                print(f"TFQMR: converged, {iteration + 1} iterations")
            return x, 0
        if even:
            u, u_hat = u_next, A.matvec(M.matvec(u_next))
        else:
            rho, before = cp.vdot(shadow, w), rho
            beta = rho / before
            u = w + beta * u
            v = beta * u_hat + beta**2 * v
            u_hat = A.matvec(M.matvec(u))
            v = v + u_hat
    if show:
        print(f"TFQMR: not converged, {count} iterations")
    return x, count
