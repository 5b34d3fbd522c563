"""The generalised Schur form of two matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from .._kernels import launch_block, texts
from ._arguments import LinAlgError, adjoint, as_floats
from ._documentation import documented
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["qz"]

_kernel = texts(__file__)
_THREADS = 64


@over_stacks(A=2, B=2)
@documented
@names_itself
def qz(
    A: ArrayLike,
    B: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    sort: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Compute the generalised Schur form of two matrices: ``A == Q @ AA @ Z.conj().T``, and `B` likewise.

    Parameters
    ----------
    A, B : (N, N) array_like
        The matrices.
    output : {"real", "complex"}, optional
        For real matrices, whether the forms are real, with blocks of two rows for pairs of complex
        eigenvalues, or complex.
    lwork : int, optional
        Taken for compatibility.
    sort : None
        Must be None: eigenvalues stand in the order in which they are found.
    {overwrite}
    {finite}

    Returns
    -------
    AA, BB : (N, N) ndarray
        The forms: upper triangular, with nothing negative on the diagonal of `BB`.
    Q, Z : (N, N) ndarray
        The unitary matrices.

    Raises
    ------
    LinAlgError
        Where the iteration does not converge.

    Notes
    -----
    Shifted QZ steps run in one kernel on both devices, in float64; float32 is rounded at the end.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a, b = cp.array([[1.0, 2.0], [3.0, 4.0]]), cp.array([[2.0, 0.0], [1.0, 1.0]])
    >>> aa, bb, q, z = cuprum.scipy.linalg.qz(a, b)
    >>> cp.allclose(q @ aa @ z.T, a), cp.allclose(q @ bb @ z.T, b)
    (True, True)
    """
    if sort is not None:
        raise NotImplementedError("qz: eigenvalues are not sorted here; cuprum.scipy.linalg.eig has them all")
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("qz: argument must be 'real', or 'complex'")
    a, b = (as_floats("qz", x, check_finite, square=True) for x in (A, B))
    if a.ndim != 2 or a.shape != b.shape:
        raise ValueError(f"qz: array dimensions must match, got {a.shape} and {b.shape}")
    given = np.result_type(a.dtype, b.dtype)
    is_complex = given.kind == "c" or output in ("complex", "c")
    result = np.result_type(given, np.complex64) if is_complex else given
    wide = np.dtype(np.complex128 if is_complex else np.float64)
    n = a.shape[0]
    q, triangle = cp.linalg.qr(b.astype(wide), mode="complete") if n else (b.astype(wide), b.astype(wide))
    form = cp.ascontiguousarray(adjoint(q) @ a.astype(wide))
    triangle, q, z = cp.ascontiguousarray(cp.triu(triangle)), cp.ascontiguousarray(q), cp.eye(n, dtype=wide)
    if n:
        failed = cp.zeros(1, np.int32)
        norms = (np.float64(float(cp.linalg.norm(x))) for x in (form, triangle))
        parts = [x.view(np.float64) if is_complex else x for x in (form, triangle, q, z)]
        name = "complex_qz" if is_complex else "real_qz"
        launch_block(_kernel("qz", name), _THREADS, (*parts, np.int32(n), *norms, failed), form.device)
        if int(failed[0]):
            raise LinAlgError("qz: the iteration does not converge")
    form = cp.triu(form) if is_complex else cp.triu(form, -1)
    found = (form, cp.triu(triangle), q, z)
    aa, bb, q, z = (part.astype(result, copy=False) for part in found)
    return aa, bb, q, z
