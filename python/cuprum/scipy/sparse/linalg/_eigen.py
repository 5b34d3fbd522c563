"""Some eigenvalues and vectors of large matrices, by Krylov spaces that restart with what they have found.

The method is that of Krylov and Schur (Stewart; Wu and Simon for Hermitian matrices): the operator is
projected on a basis of `ncv` vectors, the wanted part of its eigenvectors is kept, and the basis grows again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from ._direct import splu
from ._gmres import gmres
from ._interface import IdentityOperator, LinearOperator, aslinearoperator
from ._system import floating_dtype

# How many vectors more than are wanted a Hermitian space has at least: each restart waits for the device.
_MORE_VECTORS = 32

__all__ = ["ArpackError", "ArpackNoConvergence", "eigs", "eigsh"]


class ArpackError(RuntimeError):
    """An eigenvalue solver failed."""


class ArpackNoConvergence(ArpackError):
    """Some eigenvalues did not converge; those that did are attributes of the error.

    Attributes
    ----------
    eigenvalues, eigenvectors : ndarray
        What has converged.
    """

    def __init__(self, msg: str, eigenvalues: ndarray, eigenvectors: ndarray) -> None:
        super().__init__(msg)
        self.eigenvalues = eigenvalues
        self.eigenvectors = eigenvectors


class _Space:
    """An orthonormal basis, its rows, and the projection of an operator on it."""

    def __init__(
        self, apply: Callable[[ndarray], ndarray], weight: Any, v0: ndarray, size: int, rng: Any
    ) -> None:
        self._apply, self._weight, self._rng = apply, weight, rng
        self.basis = cp.zeros((size + 1, v0.size), v0.dtype)
        self.projection = cp.zeros((size, size), v0.dtype)
        self.size, self.filled = size, 0
        start, length = self._orthonormal(v0, 0)
        self.basis[0] = start if length else self._fresh(0)
        self.last = 0.0

    def _weighted(self, w: ndarray) -> ndarray:
        return w if self._weight is None else self._weight(w)

    def _orthogonalise(self, w: ndarray, count: int) -> tuple[ndarray, ndarray]:
        rows = self.basis[:count]
        adjoint = rows.conj() if rows.dtype.kind == "c" else rows
        h = adjoint @ self._weighted(w)
        w = w - h @ rows
        again = adjoint @ self._weighted(w)
        return w - again @ rows, h + again

    def _orthonormal(self, w: ndarray, count: int) -> tuple[ndarray, float]:
        if count:
            w, _ = self._orthogonalise(w, count)
        length = float(cp.sqrt(abs(cp.vdot(w, self._weighted(w)))))
        return (w / length if length > 0 else w), length

    def _fresh(self, count: int) -> ndarray:
        """Return a random vector outside of the span, which is invariant: others may lie beside it."""
        for _ in range(5):
            w = self._rng.standard_normal(self.basis.shape[1]).astype(self.basis.dtype)
            found, length = self._orthonormal(w, count)
            if length > 1e-6:
                return found
        return cp.zeros_like(self.basis[0])

    def _step(self, j: int) -> tuple[ndarray, ndarray, ndarray]:
        """Return the next vector without its part in the basis, and its lengths after and before that."""
        w = self._apply(self.basis[j])
        before = cp.sqrt(abs(cp.vdot(w, self._weighted(w))))
        w, self.projection[: j + 1, j] = self._orthogonalise(w, j + 1)
        return w, cp.sqrt(abs(cp.vdot(w, self._weighted(w)))), before

    def grow(self) -> None:
        """Fill the basis. Nobody waits for the device before; lengths tell then whether it is one."""
        eps = float(np.finfo(self.basis.dtype).eps)
        first, lengths = self.filled, []
        for j in range(first, self.size):
            w, after, before = self._step(j)
            lengths += [after, before]
            if j + 1 < self.size:
                self.projection[j + 1, j] = after
            self.basis[j + 1] = w / cp.where(after == 0, 1, after)
        found = cp.stack(lengths).real.get().reshape(-1, 2)
        is_inside = ~(found[:, 0] > 10 * eps * found[:, 1])
        if is_inside.any():
            self._grow_warily(first + int(np.argmax(is_inside)))
        else:
            self.last = float(found[-1, 0])
        self.filled = self.size

    def _grow_warily(self, first: int) -> None:
        """Fill the basis from a step on that leads nowhere: new directions are drawn then."""
        eps = float(np.finfo(self.basis.dtype).eps)
        self.basis[first + 1 :] = 0
        self.projection[:, first:] = 0
        self.last = 0.0
        for j in range(first, self.size):
            w, after, before = self._step(j)
            length, scale = cp.stack((after, before)).real.tolist()
            is_inside = not length > 10 * eps * scale
            if j + 1 < self.size:
                self.projection[j + 1, j] = 0 if is_inside else after
            else:
                self.last = 0.0 if is_inside else length
            self.basis[j + 1] = (
                self._fresh(j + 1)
                if is_inside and j + 1 < self.basis.shape[1]
                else (cp.zeros_like(w) if is_inside else w / after)
            )

    def keep(self, coefficients: ndarray, values: ndarray | None) -> None:
        """Shrink to a subspace that the projection leaves invariant, given by an orthonormal basis of it.

        Where the basis consists of eigenvectors, their values are given too.
        """
        count, m = coefficients.shape[1], self.size
        if values is None:
            small = coefficients.conj().T @ self.projection @ coefficients
        else:
            small = cp.diag(values).astype(self.basis.dtype)
        coupling = self.last * coefficients[m - 1]
        kept, residual = coefficients.T @ self.basis[:m], self.basis[m].copy()
        self.basis[:count], self.basis[count] = kept, residual
        self.projection = cp.zeros_like(self.projection)
        self.projection[:count, :count] = small
        if count < m:
            self.projection[count, :count] = coupling
        self.filled = count


def _hermitian_order(which: str) -> Callable[[Any], Any]:
    """Return a function that sorts eigenvalues, the wanted ones first."""
    if which == "BE":

        def both_ends(values: Any) -> Any:
            order = np.argsort(-values, kind="stable")
            pairs = [order[i // 2] if i % 2 == 0 else order[-1 - i // 2] for i in range(order.size)]
            return np.array(pairs, int)

        return both_ends
    keys: dict[str, Callable[[Any], Any]] = {
        "LM": lambda v: -abs(v),
        "SM": abs,
        "LA": lambda v: -v,
        "SA": lambda v: v,
    }
    key = keys[which]
    return lambda values: np.argsort(key(values), kind="stable")


def _general_order(which: str, is_real: bool) -> Callable[[Any], Any]:
    # Imaginary parts of a real matrix come in pairs and count by their size, as ARPACK has it.
    height: Callable[[Any], Any] = (lambda v: abs(v.imag)) if is_real else (lambda v: v.imag)
    key: Callable[[Any], Any] = {
        "LM": lambda v: -abs(v),
        "SM": abs,
        "LR": lambda v: -v.real,
        "SR": lambda v: v.real,
        "LI": lambda v: -height(v),
        "SI": height,
    }[which]

    def order(values: Any) -> Any:
        # Conjugate pairs stay together, the one above the axis first.
        return np.lexsort((-np.sign(values.imag), abs(values.imag), np.round(key(values), 12)))

    return order


def _solve(
    space: _Space, k: int, order: Callable[[Any], Any], tol: float, maxiter: int, hermitian: bool
) -> tuple[ndarray, ndarray, Any, int]:
    """Return eigenvalues and coefficients of the wanted pairs, the basis, and how many have converged."""
    eps = float(np.finfo(space.basis.dtype).eps)
    tol = max(tol, eps)
    m = space.size
    is_real = space.basis.dtype.kind != "c"
    for restart in range(maxiter):
        space.grow()
        if hermitian:
            values, vectors = cp.linalg.eigh(space.projection, UPLO="U")
        else:
            values, vectors = cp.linalg.eig(space.projection)
        # One transfer: the eigenvalues, and the last coefficients, which say how far they are from converged.
        host = cp.stack((values.astype(np.complex128), vectors[m - 1].astype(np.complex128))).get()
        found = host[0].real if hermitian else host[0]
        residuals = space.last * abs(host[1])
        wanted = order(found)[:k]
        if not hermitian and is_real and k < m and found[wanted[-1]].imag > 0:
            # The conjugate of the last one belongs to it.
            partner = int(np.argmin(abs(found - np.conj(found[wanted[-1]]))))
            if partner not in wanted:
                wanted = np.append(wanted, partner)
        # Below the rounding errors of the projection's eigenvectors a residual says nothing.
        floor = m * eps * abs(found).max()
        good = residuals[wanted] <= np.maximum(tol * np.maximum(eps ** (2 / 3), abs(found[wanted])), floor)
        if good.all() or space.last == 0 or restart == maxiter - 1:
            chosen = wanted if good.all() or space.last == 0 else wanted[good]
            at = cp.asarray(chosen)
            return values[at], vectors[:, at], found[chosen], int(good.sum())
        count = min(wanted.size + max(1, min(int(good.sum()), (m - k) // 2)), m - 1)
        chosen = order(found)[:count]
        basis = _invariant(vectors, found, chosen, hermitian, is_real)
        space.keep(basis, values[cp.asarray(chosen)] if hermitian else None)
    raise AssertionError("at least one restart is made")


def _invariant(vectors: ndarray, values: Any, chosen: Any, hermitian: bool, is_real: bool) -> ndarray:
    """Return an orthonormal basis of the span of some eigenvectors, real where the matrix is."""
    if hermitian:
        return vectors[:, cp.asarray(chosen)]
    if not is_real:
        basis: ndarray = cp.linalg.qr(vectors[:, cp.asarray(chosen)])[0]
        return basis
    parts, taken = [], set()
    for i in chosen.tolist():
        if i in taken:
            continue
        taken.add(i)
        parts.append(vectors[:, i].real)
        if values[i].imag != 0:
            parts.append(vectors[:, i].imag)
            taken.add(int(np.argmin(abs(values - np.conj(values[i])))))
    parts = parts[: values.size - 1]
    basis = cp.linalg.qr(cp.stack(parts, axis=1))[0]
    return basis


def _inverse(op: str, A: Any, sigma: Any, M: Any, tol: float) -> Callable[[ndarray], ndarray]:
    """Return the product with ``inv(A - sigma * M)``."""
    if isinstance(A, LinearOperator) and not hasattr(A, "A") or isinstance(M, LinearOperator):
        n = A.shape[0]
        weight = IdentityOperator((n, n), A.dtype) if M is None else aslinearoperator(M)
        shifted = aslinearoperator(A) if sigma == 0 else aslinearoperator(A) - sigma * weight

        def by_iteration(b: ndarray) -> ndarray:
            x, info = gmres(shifted, b, rtol=max(tol, float(np.finfo(b.dtype).eps) * 10), maxiter=50 * n)
            if info:
                raise ValueError(f"{op}: the inverse of A - sigma * M did not converge: give OPinv")
            return x

        return by_iteration
    matrix: Any = getattr(A, "A", A) if isinstance(A, LinearOperator) else A
    if issparse(matrix):
        from .._construct import eye_array

        n = matrix.shape[0]
        weight = eye_array(n, format="csc") if M is None else M if issparse(M) else type(matrix)(as_array(M))
        shifted = matrix.tocsc() if sigma == 0 else matrix.tocsc() - weight.tocsc() * sigma
        return splu(shifted).solve
    dense = as_array(matrix)
    weight = cp.eye(dense.shape[0]) if M is None else M.toarray() if issparse(M) else as_array(M)
    inverse = cp.linalg.inv(dense - sigma * weight)
    return lambda b: inverse @ b


class _Problem:
    """The arguments of `eigs` and `eigsh`, checked: an operator to iterate with, a map of its eigenvalues."""

    def __init__(
        self,
        op: str,
        A: Any,
        k: Any,
        M: Any,
        sigma: Any,
        which: str,
        allowed: tuple[str, ...],
        v0: Any,
        ncv: Any,
        maxiter: Any,
        tol: float,
        Minv: Any,
        OPinv: Any,
        mode: str,
        rng: Any,
        vectors: int,
    ) -> None:
        operator = aslinearoperator(A)
        if operator.shape[0] != operator.shape[1]:
            raise ValueError(f"{op}: expected square matrix (shape={operator.shape})")
        n = operator.shape[0]
        if k <= 0:
            raise ValueError(f"{op}: k={k} must be greater than 0.")
        if which not in allowed:
            raise ValueError(f"{op}: which must be one of {' '.join(allowed)}, got {which!r}")
        if M is not None and aslinearoperator(M).shape != operator.shape:
            raise ValueError(f"{op}: wrong M dimensions {M.shape}, should be {operator.shape}")
        self.n, self.k, self.mode = n, int(k), mode
        self.count = min(n, vectors) if ncv is None else int(ncv)
        if self.count > n or self.count <= self.k:
            raise ValueError(f"{op}: ncv must be k<ncv<=n, ncv={self.count}")
        self.maxiter = n * 10 if maxiter is None else int(maxiter)
        if self.maxiter <= 0:
            raise ValueError(f"{op}: maxiter must be positive, maxiter={maxiter}")
        self.tol = float(tol)
        dtypes = [operator.dtype] + ([] if M is None else [M.dtype])
        if sigma is not None and np.iscomplexobj(sigma) and np.imag(sigma) != 0:
            dtypes.append(np.dtype(np.complex64))
        self.dtype = floating_dtype(*dtypes)
        self.rng = (
            rng if hasattr(rng, "standard_normal") else cp.random.default_rng(0 if rng is None else rng)
        )
        v = self.rng.uniform(-1, 1, n) if v0 is None else as_array(v0).reshape(n)
        self.v0 = v.astype(self.dtype)
        multiply = operator.matvec
        self.weight = None if M is None else aslinearoperator(M).matvec
        self.sigma = sigma
        if sigma is None:
            if mode != "normal":
                raise ValueError(f"{op}: mode={mode!r} needs sigma")
            if OPinv is not None:
                raise ValueError(f"{op}: OPinv should not be specified with sigma=None.")
            if M is None:
                self.apply: Callable[[ndarray], ndarray] = multiply
            else:
                solve = _inverse(op, M, 0, None, tol) if Minv is None else aslinearoperator(Minv).matvec
                self.apply = lambda x: solve(multiply(x))
        else:
            if Minv is not None:
                raise ValueError(f"{op}: Minv should not be specified when sigma is given.")
            inverse = _inverse(op, A, sigma, M, tol) if OPinv is None else aslinearoperator(OPinv).matvec
            weight = self.weight
            if mode == "normal":
                self.apply = inverse if weight is None else lambda x: inverse(weight(x))
            elif mode == "buckling":
                self.apply, self.weight = lambda x: inverse(multiply(x)), multiply
            elif mode == "cayley":
                same = weight if weight is not None else lambda x: x
                self.apply = lambda x: inverse(multiply(x) + sigma * same(x))
            else:
                raise ValueError(f"{op}: unrecognized mode {mode!r}")

    def run(self, order: Callable[[Any], Any], hermitian: bool) -> tuple[ndarray, ndarray, Any, int]:
        def apply(x: ndarray) -> ndarray:
            return self.apply(x).astype(self.dtype, copy=False)

        space = _Space(apply, self.weight, self.v0, self.count, self.rng)
        values, vectors, host, good = _solve(space, self.k, order, self.tol, self.maxiter, hermitian)
        full = space.basis[: space.size].T @ vectors
        return self._back(values), full, self._back(host), good

    def _back(self, nu: Any) -> Any:
        """Return the eigenvalues of the matrix for those of the operator that was iterated with."""
        if self.sigma is None:
            return nu
        if self.mode == "buckling":
            return self.sigma * nu / (nu - 1)
        if self.mode == "cayley":
            return self.sigma * (nu + 1) / (nu - 1)
        return self.sigma + 1 / nu


def _too_many(op: str, A: Any, k: Any, n: int, dense: str) -> None:
    raise TypeError(
        f"{op}: Cannot use {dense} for a sparse matrix or a LinearOperator with k >= N (k={k}, N={n}). "
        f"Use {dense}(A.toarray()) or reduce k."
    )


@names_itself
def eigsh(
    A: Any,
    k: int = 6,
    M: Any = None,
    sigma: float | None = None,
    which: str = "LM",
    v0: Any = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
    Minv: Any = None,
    OPinv: Any = None,
    mode: str = "normal",
    rng: Any = None,
) -> Any:
    """Return some eigenvalues and vectors of a real symmetric or complex Hermitian matrix.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The matrix.
    k : int, optional
        How many, fewer than the matrix has rows.
    M : sparse matrix, ndarray or LinearOperator, optional
        A positive definite matrix for the problem ``A x = w M x``.
    sigma : float, optional
        Find eigenvalues near this number, by solutions of systems with ``A - sigma * M``.
    which : {'LM', 'SM', 'LA', 'SA', 'BE'}, optional
        Which ones: of largest or smallest size, largest or smallest, or half from either end. With `sigma`,
        it is said of ``1 / (w - sigma)``.
    v0 : array_like, optional
        The vector to begin with.
    ncv : int, optional
        How many vectors the space has before it restarts.
    maxiter : int, optional
        The most restarts.
    tol : float, optional
        The relative accuracy; 0 for that of the dtype.
    return_eigenvectors : bool, optional
        Whether to return the vectors too.
    Minv, OPinv : sparse matrix, ndarray or LinearOperator, optional
        The inverses of `M` and of ``A - sigma * M``.
    mode : {'normal', 'buckling', 'cayley'}, optional
        How `sigma` is used.
    rng : int or Generator, optional
        Where random vectors come from.

    Returns
    -------
    w : ndarray
        The eigenvalues, rising.
    v : ndarray
        The eigenvectors, as columns.

    Raises
    ------
    ArpackNoConvergence
        Where some have not converged.

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags_array
    >>> from cuprum.scipy.sparse.linalg import eigsh
    >>> w, v = eigsh(diags_array(cp.arange(1.0, 31.0)), k=2)
    >>> cp.round(w, 6).tolist()
    [29.0, 30.0]
    """
    n = A.shape[0]
    if 0 < k and k >= n and A.shape[0] == A.shape[1]:
        if issparse(A) or isinstance(A, LinearOperator):
            _too_many("eigsh", A, k, n, "linalg.eigh")
        values, vectors = cp.linalg.eigh(as_array(A)) if M is None else _dense_pair(A, M)
        return (values, vectors) if return_eigenvectors else values
    problem = _Problem(
        "eigsh", A, k, M, sigma, which, ("LM", "SM", "LA", "SA", "BE"), v0, ncv, maxiter, tol, Minv, OPinv,
        mode, rng, max(2 * int(k) + 1, int(k) + _MORE_VECTORS),
    )  # fmt: skip
    values, vectors, host, good = problem.run(_hermitian_order(which), True)
    order = cp.asarray(np.argsort(host.real, kind="stable"))
    values, vectors = values[order], vectors[:, order]
    if good < k and host.size < k:
        raise ArpackNoConvergence(
            f"eigsh: No convergence ({problem.maxiter} iterations, {good}/{k} eigenvectors converged)",
            values,
            vectors,
        )
    return (values, vectors) if return_eigenvectors else values


def _dense_pair(A: Any, M: Any) -> tuple[ndarray, ndarray]:
    """Return all eigenvalues and vectors of ``A x = w M x``, by a Cholesky factor of `M`."""
    lower = cp.linalg.cholesky(M.toarray() if issparse(M) else as_array(M))
    left = cp.linalg.solve(lower, as_array(A))
    values, vectors = cp.linalg.eigh(cp.linalg.solve(lower, left.conj().T).conj().T)
    return values, cp.linalg.solve(lower.conj().T, vectors)


@names_itself
def eigs(
    A: Any,
    k: int = 6,
    M: Any = None,
    sigma: Any = None,
    which: str = "LM",
    v0: Any = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
    Minv: Any = None,
    OPinv: Any = None,
    OPpart: str | None = None,
    rng: Any = None,
) -> Any:
    """Return some eigenvalues and vectors of a square matrix.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The matrix.
    k : int, optional
        How many, fewer than the matrix has rows less one.
    M : sparse matrix, ndarray or LinearOperator, optional
        A positive definite matrix for the problem ``A x = w M x``.
    sigma : complex, optional
        Find eigenvalues near this number, by solutions of systems with ``A - sigma * M``.
    which : {'LM', 'SM', 'LR', 'SR', 'LI', 'SI'}, optional
        Which ones: of largest or smallest size, real part or imaginary part. With `sigma`, it is said of
        ``1 / (w - sigma)``.
    v0 : array_like, optional
        The vector to begin with.
    ncv : int, optional
        How many vectors the space has before it restarts.
    maxiter : int, optional
        The most restarts.
    tol : float, optional
        The relative accuracy; 0 for that of the dtype.
    return_eigenvectors : bool, optional
        Whether to return the vectors too.
    Minv, OPinv : sparse matrix, ndarray or LinearOperator, optional
        The inverses of `M` and of ``A - sigma * M``.
    OPpart : {'r', 'i'}, optional
        Without effect: with a complex `sigma` the iteration is complex.
    rng : int or Generator, optional
        Where random vectors come from.

    Returns
    -------
    w : ndarray
        The eigenvalues, complex, the wanted ones first.
    v : ndarray
        The eigenvectors, as columns.

    Raises
    ------
    ArpackNoConvergence
        Where some have not converged.

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags_array
    >>> from cuprum.scipy.sparse.linalg import eigs
    >>> w, v = eigs(diags_array(cp.arange(1.0, 31.0)), k=2)
    >>> cp.round(w.real, 6).tolist()
    [30.0, 29.0]
    """
    n = A.shape[0]
    if 0 < k and k >= n - 1 and A.shape[0] == A.shape[1]:
        if issparse(A) or isinstance(A, LinearOperator):
            _too_many("eigs", A, k, n - 1, "linalg.eig")
        dense = as_array(A)
        if M is not None:
            dense = cp.linalg.solve(M.toarray() if issparse(M) else as_array(M), dense)
        values, vectors = cp.linalg.eig(dense)
        return (values, vectors) if return_eigenvectors else values
    problem = _Problem(
        "eigs", A, k, M, sigma, which, ("LM", "SM", "LR", "SR", "LI", "SI"), v0, ncv, maxiter, tol, Minv,
        OPinv, "normal", rng, max(2 * int(k) + 1, 20),
    )  # fmt: skip
    ordered = _general_order(which, problem.dtype.kind != "c")
    values, vectors, host, good = problem.run(ordered, False)
    order = ordered(host if sigma is None else 1 / (host - sigma))[:k]
    at = cp.asarray(order)
    wide = np.complex64 if problem.dtype.itemsize == 4 or problem.dtype == np.complex64 else np.complex128
    values, vectors = values[at].astype(wide), vectors[:, at].astype(wide)
    vectors = vectors / cp.sqrt((abs(vectors) ** 2).sum(axis=0))
    if host.size < k:
        raise ArpackNoConvergence(
            f"eigs: No convergence ({problem.maxiter} iterations, {good}/{k} eigenvectors converged)",
            values,
            vectors,
        )
    return (values, vectors) if return_eigenvectors else values
