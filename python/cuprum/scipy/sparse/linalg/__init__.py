"""Linear algebra of sparse matrices and linear operators, under the names of `scipy.sparse.linalg`."""

from __future__ import annotations

from ._direct import (
    MatrixRankWarning,
    SuperLU,
    factorized,
    inv,
    is_sptriangular,
    spbandwidth,
    spilu,
    splu,
    spsolve,
    spsolve_triangular,
    use_solver,
)
from ._eigen import ArpackError, ArpackNoConvergence, eigs, eigsh
from ._exponential import expm, expm_multiply
from ._gmres import gmres, lgmres
from ._interface import LinearOperator, aslinearoperator
from ._krylov import bicg, bicgstab, cg, cgs, qmr, tfqmr
from ._least_squares import lsmr, lsqr
from ._lobpcg import lobpcg
from ._minres import minres
from ._norms import matrix_power, norm, onenormest
from ._svds import svds

__all__ = [
    "ArpackError",
    "ArpackNoConvergence",
    "LinearOperator",
    "MatrixRankWarning",
    "SuperLU",
    "aslinearoperator",
    "bicg",
    "bicgstab",
    "cg",
    "cgs",
    "eigs",
    "eigsh",
    "expm",
    "expm_multiply",
    "factorized",
    "gmres",
    "inv",
    "is_sptriangular",
    "lgmres",
    "lobpcg",
    "lsmr",
    "lsqr",
    "matrix_power",
    "minres",
    "norm",
    "onenormest",
    "qmr",
    "spbandwidth",
    "spilu",
    "splu",
    "spsolve",
    "spsolve_triangular",
    "svds",
    "tfqmr",
    "use_solver",
]
