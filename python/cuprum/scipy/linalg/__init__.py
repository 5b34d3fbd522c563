"""Linear algebra under SciPy's names: factors, functions of matrices, and matrices of known forms."""

from __future__ import annotations

from .._missing import explained as _explained
from ._arguments import LinAlgError, LinAlgWarning
from ._balance import matrix_balance
from ._banded import (
    cho_solve_banded,
    cholesky_banded,
    eig_banded,
    eigh_tridiagonal,
    eigvals_banded,
    eigvalsh_tridiagonal,
)
from ._binomial_matrices import invhilbert, invpascal, pascal
from ._cosine_sine import cossin
from ._eigenvalues import diagsvd, eig, eigh, eigvals, eigvalsh, orthogonal_procrustes, svd, svdvals
from ._equations import solve_continuous_lyapunov, solve_discrete_lyapunov, solve_sylvester
from ._factors import cho_factor, cho_solve, cholesky, lu, lu_factor, lu_solve, qr, rq
from ._matrix_functions import (
    coshm,
    cosm,
    expm,
    fractional_matrix_power,
    logm,
    signm,
    sinhm,
    sinm,
    sqrtm,
    tanhm,
    tanm,
)
from ._properties import ishermitian, issymmetric, norm
from ._qz import qz
from ._schur import funm, rsf2csf, schur
from ._special_matrices import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    khatri_rao,
    leslie,
    toeplitz,
)
from ._structured_systems import (
    matmul_toeplitz,
    solve_banded,
    solve_circulant,
    solve_toeplitz,
    solveh_banded,
)
from ._subspaces import bandwidth, hessenberg, kron, null_space, orth, polar, subspace_angles
from ._symmetric_factors import ldl
from ._systems import det, inv, lstsq, pinv, pinvh, solve, solve_triangular

__all__ = [
    "LinAlgError",
    "LinAlgWarning",
    "bandwidth",
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cho_solve_banded",
    "cholesky",
    "cholesky_banded",
    "circulant",
    "companion",
    "convolution_matrix",
    "coshm",
    "cosm",
    "cossin",
    "det",
    "dft",
    "diagsvd",
    "eig",
    "eig_banded",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvals_banded",
    "eigvalsh",
    "eigvalsh_tridiagonal",
    "expm",
    "fiedler",
    "fiedler_companion",
    "fractional_matrix_power",
    "funm",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "inv",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
    "kron",
    "ldl",
    "leslie",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul_toeplitz",
    "matrix_balance",
    "norm",
    "null_space",
    "orth",
    "orthogonal_procrustes",
    "pascal",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "qz",
    "rq",
    "rsf2csf",
    "schur",
    "signm",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_circulant",
    "solve_continuous_lyapunov",
    "solve_discrete_lyapunov",
    "solve_sylvester",
    "solve_toeplitz",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "subspace_angles",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]

__getattr__ = _explained(
    __name__,
    {
        "expm_frechet": "use expm of the matrix [[A, E], [0, A]]: its upper right block",
        "ordqz": "use qz, whose pairs come in an order of their own",
        "qr_multiply": "use qr, and @",
        "solve_lyapunov": "use solve_continuous_lyapunov",
    },
)
