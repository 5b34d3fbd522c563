"""Linear algebra: factorisations, equations, eigenvalues, norms, under NumPy's names.

The last two axes are the matrix; any axes before them are a stack of matrices.
"""

from __future__ import annotations

from numpy.linalg import LinAlgError

from ._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from ._equations import det, inv, lstsq, matrix_power, pinv, slogdet, solve, tensorinv, tensorsolve
from ._norms import cond, matrix_norm, matrix_rank, norm, vector_norm
from ._products import (
    cross,
    diagonal,
    matmul,
    matrix_transpose,
    multi_dot,
    outer,
    tensordot,
    trace,
    vecdot,
)

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
