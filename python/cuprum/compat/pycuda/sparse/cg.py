"""Conjugate gradients: `solve_pkt_with_cg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import gpuarray
from ..gpuarray import GPUArray
from .operator import IdentityOperator

__all__ = ["CGStateContainer", "ConvergenceError", "solve_pkt_with_cg"]

_CHECKED_EVERY = 20
"""Iterations between two looks at the residual."""
_EXACT_EVERY = 50
"""Iterations after which the residual is computed anew, for its recurrence drifts."""


class ConvergenceError(RuntimeError):
    """The iterations were not enough."""


class CGStateContainer:
    """A solution as it grows.

    Parameters
    ----------
    operator : callable
        A symmetric positive definite operator with `dtype` and `shape`.
    precon : callable, optional
        What the residual is multiplied by before each step.
    pagelocked_allocator : callable, optional
        Without effect: the residual's size is read when it is looked at.
    """

    def __init__(self, operator: Any, precon: Any = None, pagelocked_allocator: Any = None) -> None:
        self.operator = operator
        self.precon = IdentityOperator(operator.dtype, operator.shape[0]) if precon is None else precon

    def reset(self, rhs: GPUArray, x: GPUArray | None = None) -> None:
        """Begin anew with a right-hand side and a first guess."""
        self.rhs = rhs
        self.x = gpuarray.zeros(rhs.shape, rhs.dtype) if x is None else x
        self.residual = rhs - self.operator(self.x)
        self.d = self.precon(self.residual)
        self.delta = gpuarray.dot(self.residual, self.d)

    def one_iteration(self, compute_real_residual: bool = False) -> None:
        """Take one step."""
        q = self.operator(self.d)
        alpha = _guarded(self.delta, gpuarray.dot(self.d, q))
        self.x = self.x + alpha * self.d
        if compute_real_residual:
            self.residual = self.rhs - self.operator(self.x)
        else:
            self.residual = self.residual - alpha * q
        s = self.precon(self.residual)
        before, self.delta = self.delta, gpuarray.dot(self.residual, s)
        self.d = s + _guarded(self.delta, before) * self.d

    def run(
        self,
        max_iterations: int | None = None,
        tol: float = 1e-7,
        debug_callback: Callable[..., Any] | None = None,
    ) -> GPUArray:
        """Return the solution whose residual is `tol` times the first one's, or less."""
        size = self.operator.shape[0]
        most = max(3 * _CHECKED_EVERY + 1, 10 * size) if max_iterations is None else max_iterations
        enough = tol * tol * abs(complex(self.delta.get()))

        def tell(what: str, iteration: int) -> None:
            if debug_callback is not None:
                debug_callback(what, iteration, self.x, self.residual, self.d, self.delta)

        for iteration in range(most):
            exact = iteration % min(size, _EXACT_EVERY) == 0
            self.one_iteration(compute_real_residual=exact)
            tell("it+residual" if exact else "it", iteration)
            looks = iteration % _CHECKED_EVERY == 0 or iteration == most - 1
            if looks and abs(complex(self.delta.get())) <= enough:
                tell("end", iteration)
                return self.x
        raise ConvergenceError(f"cg failed to converge in {most} iterations")


def _guarded(a: GPUArray, b: GPUArray) -> GPUArray:
    """Return a quotient that is 0 where the divisor is."""
    return gpuarray.if_positive(abs(b), a / b, gpuarray.zeros_like(a))


def solve_pkt_with_cg(
    pkt_spmv: Any,
    b: GPUArray,
    precon: Any = None,
    x: GPUArray | None = None,
    tol: float = 1e-7,
    max_iterations: int | None = None,
    debug: bool = False,
    pagelocked_allocator: Any = None,
) -> tuple[GPUArray, int, int]:
    """Solve a system whose matrix is symmetric and positive definite.

    Parameters
    ----------
    pkt_spmv : PacketedSpMV
        The matrix.
    b : GPUArray
        The right-hand side.
    precon : callable, optional
        A preconditioner, such as `DiagonalPreconditioner`.
    x : GPUArray, optional
        A first guess.
    tol : float, optional
        How small the residual must become, beside the first one.
    max_iterations : int, optional
        The most iterations.
    debug : bool, optional
        Without effect.
    pagelocked_allocator : callable, optional
        Without effect.

    Returns
    -------
    (GPUArray, int, int)
        The solution, the iterations, and how many of them computed the residual anew.

    Examples
    --------
    >>> import scipy.sparse
    >>> from cuprum.compat.pycuda import gpuarray
    >>> from cuprum.compat.pycuda.sparse.cg import solve_pkt_with_cg
    >>> from cuprum.compat.pycuda.sparse.packeted import PacketedSpMV
    >>> matrix = scipy.sparse.diags([2.0, 4.0, 8.0]).tocsr()
    >>> spmv = PacketedSpMV(matrix, True, "f8")
    >>> x, iterations, exact = solve_pkt_with_cg(spmv, gpuarray.to_gpu(np.ones(3)))
    >>> x.get().round(6)
    array([0.5  , 0.25 , 0.125])
    """
    state = CGStateContainer(pkt_spmv, precon)
    state.reset(pkt_spmv.permute(b), None if x is None else pkt_spmv.permute(x))
    counts = {"it": 0, "it+residual": 0, "end": 0}

    def count(what: str, *rest: Any) -> None:
        counts[what] += 1

    result = state.run(max_iterations, tol, debug_callback=count)
    return pkt_spmv.unpermute(result), counts["it"] + counts["it+residual"], counts["it+residual"]
