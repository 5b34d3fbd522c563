"""Least squares by Golub and Kahan's bidiagonalisation: LSQR and LSMR."""

from __future__ import annotations

from math import hypot, inf, sqrt
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from ._interface import aslinearoperator
from ._system import norm, to_host

__all__ = ["lsmr", "lsqr"]

_REASONS = (
    "The exact solution is x = 0, or x = x0",
    "Ax - b is small enough, given atol, btol",
    "The least-squares solution is good enough, given atol",
    "The estimate of cond(Abar) has exceeded conlim",
    "Ax - b is small enough for this machine",
    "The least-squares solution is good enough for this machine",
    "Cond(Abar) seems to be too large for this machine",
    "The iteration limit has been reached",
)
_EPS = float(np.finfo(np.float64).eps)


class _Bidiagonalisation:
    """Vectors ``u`` and ``v`` with ``beta u = A v - alpha u``, ``alpha v = A^H u - beta v``."""

    def __init__(self, A: Any, b: Any, x0: Any) -> None:
        self.A = aslinearoperator(A)
        u = as_array(b)
        u = u.reshape(-1) if u.ndim == 0 else u.squeeze() if u.ndim > 1 else u
        dtypes = [self.A.dtype, u.dtype, np.float64] + ([] if x0 is None else [as_array(x0).dtype])
        dtype = np.result_type(*dtypes)
        u = u.astype(dtype)
        b_norm = norm(u)
        if x0 is None:
            self.x = cp.zeros(self.A.shape[1], dtype)
        else:
            self.x = cp.array(x0, dtype=dtype)
            u = u - self.A.matvec(self.x)
        beta = norm(u)
        self.u = _over(u, beta)
        v = self.A.rmatvec(self.u)
        alpha = norm(v)
        self.v = _over(v, alpha)
        self.b_norm, self.beta, self.alpha = to_host(b_norm, beta, alpha)
        if self.beta == 0:
            self.alpha = 0.0

    def step(self, *more: ndarray) -> list[float]:
        """Make the next pair of vectors; return other numbers, which come in the same transfer."""
        u = self.A.matvec(self.v) - self.alpha * self.u
        beta = norm(u)
        u = _over(u, beta)
        v = self.A.rmatvec(u) - beta * self.v
        alpha = norm(v)
        after, alpha_after, *rest = to_host(beta, alpha, *more)
        self.beta = after
        self.u = u
        if after > 0:
            self.v, self.alpha = _over(v, alpha), alpha_after
        return rest


def _over(x: ndarray, length: ndarray) -> ndarray:
    """Return a vector of length 1; zeros stay zeros."""
    return x / cp.where(length == 0, 1.0, length)


def _turned(a: float, b: float) -> tuple[float, float, float]:
    """Return cosine, sine and length of the rotation that turns ``(a, b)`` into ``(r, 0)``."""
    if b == 0:
        return float(np.sign(a)), 0.0, abs(a)
    if a == 0:
        return 0.0, float(np.sign(b)), abs(b)
    if abs(b) > abs(a):
        tau = a / b
        sine = float(np.sign(b)) / sqrt(1 + tau * tau)
        return sine * tau, sine, b / sine
    tau = b / a
    cosine = float(np.sign(a)) / sqrt(1 + tau * tau)
    return cosine, cosine * tau, a / cosine


def _why(
    iteration: int,
    limit: int,
    t1: float,
    test: tuple[float, float, float],
    bounds: tuple[float, float, float],
) -> int:
    """Return the number of the reason to stop: of several, the one that says most."""
    test1, test2, test3 = test
    found = 0
    for holds, number in (
        (iteration >= limit, 7),
        (1 + test3 <= 1, 6),
        (1 + test2 <= 1, 5),
        (1 + t1 <= 1, 4),
        (test3 <= bounds[2], 3),
        (test2 <= bounds[1], 2),
        (test1 <= bounds[0], 1),
    ):
        found = number if holds else found
    return found


@names_itself
def lsqr(
    A: Any,
    b: Any,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    iter_lim: int | None = None,
    show: bool = False,
    calc_var: bool = False,
    x0: Any = None,
) -> tuple[Any, ...]:
    """Return the least-squares solution of a sparse system, by LSQR.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The matrix.
    b : array_like
        The right side.
    damp : float, optional
        The solution minimises ``norm(A x - b)**2 + damp**2 * norm(x - x0)**2``.
    atol, btol : float, optional
        How exact the matrix and the right side are taken to be.
    conlim : float, optional
        The condition of the matrix beyond which the iteration ends.
    iter_lim : int, optional
        The most iterations; twice the number of columns by default.
    show : bool, optional
        Whether to print how it ended.
    calc_var : bool, optional
        Whether to estimate the diagonal of ``inv(A^H A)``.
    x0 : array_like, optional
        Where to begin.

    Returns
    -------
    x : ndarray
        The solution.
    istop : int
        Why it ended: 1 for a solution, 2 for a least-squares solution, 3 to 7 for reaching a limit.
    itn : int
        The number of iterations.
    r1norm, r2norm : float
        The norm of the residual, without and with `damp`.
    anorm, acond, arnorm, xnorm : float
        Estimates of the norm and the condition of the matrix, of ``norm(A^H r)`` and of the solution's norm.
    var : ndarray
        The diagonal.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import lsqr
    >>> x, istop = lsqr(cp.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), cp.array([1.0, 2.0, 1.0]))[:2]
    >>> istop, cp.allclose(x, 1)
    (1, True)
    """
    pair = _Bidiagonalisation(A, b, x0)
    n = pair.A.shape[1]
    limit = 2 * n if iter_lim is None else int(iter_lim)
    x, w, var = pair.x, pair.v, cp.zeros(n)
    b_norm = pair.b_norm
    rhobar, phibar = pair.alpha, pair.beta
    r1norm = r2norm = pair.beta
    anorm = acond = xnorm = dd = xx = z = res2 = 0.0
    cs2, sn2 = -1.0, 0.0
    arnorm = pair.alpha * pair.beta
    state = iteration = 0
    ctol = 1 / conlim if conlim > 0 else 0.0
    if arnorm == 0:
        return x, state, iteration, r1norm, r2norm, anorm, acond, arnorm, xnorm, var
    while iteration < limit and state == 0:
        iteration += 1
        alpha = pair.alpha
        (w_norm,) = pair.step(norm(w))
        if pair.beta > 0:
            anorm = sqrt(anorm**2 + alpha**2 + pair.beta**2 + damp**2)
        psi, diagonal = 0.0, rhobar
        if damp > 0:
            diagonal = hypot(rhobar, damp)
            psi, phibar = damp / diagonal * phibar, rhobar / diagonal * phibar
        cosine, sine, rho = _turned(diagonal, pair.beta)
        theta, rhobar = sine * pair.alpha, -cosine * pair.alpha
        phi, phibar = cosine * phibar, sine * phibar
        tau = sine * phi
        if calc_var:
            var = var + (w / rho) ** 2
        x, w = x + (phi / rho) * w, pair.v - (theta / rho) * w
        dd += (w_norm / rho) ** 2
        delta, gambar = sn2 * rho, -cs2 * rho
        rhs = phi - delta * z
        xnorm = sqrt(xx + (rhs / gambar) ** 2)
        gamma = hypot(gambar, theta)
        cs2, sn2, z = gambar / gamma, theta / gamma, rhs / gamma
        xx += z**2
        acond = anorm * sqrt(dd)
        res2 += psi**2
        r2norm = sqrt(phibar**2 + res2)
        arnorm = pair.alpha * abs(tau)
        r1_square = r2norm**2 - damp**2 * xx
        r1norm = float(np.copysign(sqrt(abs(r1_square)), r1_square)) if damp > 0 else r2norm
        test = (r2norm / b_norm, arnorm / (anorm * r2norm + _EPS), 1 / (acond + _EPS))
        scale = anorm * xnorm / b_norm
        state = _why(iteration, limit, test[0] / (1 + scale), test, (btol + atol * scale, atol, ctol))
    if show:
        print(f"LSQR: {_REASONS[state]}; {iteration} iterations, r1norm {r1norm:.4e}")
    return x, state, iteration, r1norm, r2norm, anorm, acond, arnorm, xnorm, var


@names_itself
def lsmr(
    A: Any,
    b: Any,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    maxiter: int | None = None,
    show: bool = False,
    x0: Any = None,
) -> tuple[Any, ...]:
    """Return the least-squares solution of a sparse system, by LSMR.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The matrix.
    b : array_like
        The right side.
    damp : float, optional
        The solution minimises ``norm(A x - b)**2 + damp**2 * norm(x - x0)**2``.
    atol, btol : float, optional
        How exact the matrix and the right side are taken to be.
    conlim : float, optional
        The condition of the matrix beyond which the iteration ends.
    maxiter : int, optional
        The most iterations; the smaller length of the matrix by default.
    show : bool, optional
        Whether to print how it ended.
    x0 : array_like, optional
        Where to begin.

    Returns
    -------
    x : ndarray
        The solution.
    istop : int
        Why it ended: 1 for a solution, 2 for a least-squares solution, 3 to 7 for reaching a limit.
    itn : int
        The number of iterations.
    normr, normar, norma, conda, normx : float
        The norm of the residual, and estimates of ``norm(A^H r)``, of the norm and the condition of the
        matrix and of the solution's norm.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import lsmr
    >>> x, istop = lsmr(cp.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), cp.array([1.0, 2.0, 1.0]))[:2]
    >>> istop, cp.allclose(x, 1)
    (1, True)
    """
    pair = _Bidiagonalisation(A, b, x0)
    limit = min(pair.A.shape) if maxiter is None else int(maxiter)
    x, h, h_bar = pair.x, pair.v, cp.zeros_like(pair.v)
    b_norm = pair.b_norm
    ctol = 1 / conlim if conlim > 0 else 0.0
    zetabar, alphabar = pair.alpha * pair.beta, pair.alpha
    rho = rhobar = cbar = rhod = 1.0
    sbar = betad = tau_before = theta_tilde = zeta = d = 0.0
    betadd = normr = pair.beta
    square, norma, conda, normx = pair.alpha**2, pair.alpha, 1.0, 0.0
    largest, smallest = 0.0, 1e100
    normar = pair.alpha * pair.beta
    if normar == 0:
        return x, 0, 0, normr, normar, norma, conda, normx
    if b_norm == 0:
        return cp.zeros_like(x), 0, 0, normr, normar, norma, conda, normx
    state = iteration = 0
    # Each round makes the vectors of the next step: with them comes the solution's norm for this one's tests.
    pair.step()
    while iteration < limit and state == 0:
        iteration += 1
        beta, alpha = pair.beta, pair.alpha
        chat, shat, alphahat = _turned(alphabar, damp)
        rho_before, rhobar_before, zeta_before = rho, rhobar, zeta
        c, s, rho = _turned(alphahat, beta)
        theta, alphabar = s * alpha, c * alpha
        thetabar, rhotemp = sbar * rho, cbar * rho
        cbar, sbar, rhobar = _turned(cbar * rho, theta)
        zeta, zetabar = cbar * zetabar, -sbar * zetabar
        h_bar = h - (thetabar * rho / (rho_before * rhobar_before)) * h_bar
        x = x + (zeta / (rho * rhobar)) * h_bar
        h = pair.v - (theta / rho) * h
        acute, checked = chat * betadd, -shat * betadd
        hat, betadd = c * acute, -s * acute
        theta_tilde_before = theta_tilde
        ctilde, stilde, rhotilde = _turned(rhod, thetabar)
        theta_tilde, rhod = stilde * rhobar, ctilde * rhobar
        betad = -stilde * betad + ctilde * hat
        tau_before = (zeta_before - theta_tilde_before * tau_before) / rhotilde
        tau = (zeta - theta_tilde * tau_before) / rhod
        d += checked**2
        normr = sqrt(d + (betad - tau) ** 2 + betadd**2)
        square += beta**2
        norma = sqrt(square)
        square += alpha**2
        largest = max(largest, rhobar_before)
        if iteration > 1:
            smallest = min(smallest, rhobar_before)
        conda = max(largest, rhotemp) / min(smallest, rhotemp)
        normar = abs(zetabar)
        (normx,) = pair.step(norm(x))
        test = (normr / b_norm, inf if norma * normr == 0 else normar / (norma * normr), 1 / conda)
        scale = norma * normx / b_norm
        state = _why(iteration, limit, test[0] / (1 + scale), test, (btol + atol * scale, atol, ctol))
    if show:
        print(f"LSMR: {_REASONS[state]}; {iteration} iterations, normr {normr:.4e}")
    return x, state, iteration, normr, normar, norma, conda, normx
