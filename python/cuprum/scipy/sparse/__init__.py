"""Sparse matrices and arrays, under the names of `scipy.sparse`."""

from __future__ import annotations

from ._base import issparse, isspmatrix, sparray, spmatrix
from ._compressed import csc_array, csc_matrix, csr_array, csr_matrix, isspmatrix_csc, isspmatrix_csr
from ._construct import (
    block_array,
    block_diag,
    bmat,
    diags,
    diags_array,
    eye,
    eye_array,
    find,
    hstack,
    identity,
    kron,
    kronsum,
    matrix_transpose,
    permute_dims,
    rand,
    random,
    random_array,
    spdiags,
    swapaxes,
    tril,
    triu,
    vstack,
)
from ._coo import coo_array, coo_matrix, isspmatrix_coo
from ._dia import dia_array, dia_matrix, isspmatrix_dia
from ._files import load_npz, save_npz
from ._index import get_index_dtype, safely_cast_index_arrays

__all__ = [
    "block_array",
    "block_diag",
    "bmat",
    "coo_array",
    "coo_matrix",
    "csc_array",
    "csc_matrix",
    "csr_array",
    "csr_matrix",
    "dia_array",
    "dia_matrix",
    "diags",
    "diags_array",
    "eye",
    "eye_array",
    "find",
    "get_index_dtype",
    "hstack",
    "identity",
    "issparse",
    "isspmatrix",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "isspmatrix_dia",
    "kron",
    "kronsum",
    "load_npz",
    "matrix_transpose",
    "permute_dims",
    "rand",
    "random",
    "random_array",
    "safely_cast_index_arrays",
    "save_npz",
    "sparray",
    "spdiags",
    "spmatrix",
    "swapaxes",
    "tril",
    "triu",
    "vstack",
]
