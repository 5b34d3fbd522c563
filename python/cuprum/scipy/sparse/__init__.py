"""Sparse matrices and arrays, under the names of `scipy.sparse`."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from . import _line as _line
from ._axes import matrix_transpose, permute_dims, swapaxes
from ._base import SparseEfficiencyWarning, SparseFormatWarning, SparseWarning, issparse
from ._bases import isspmatrix, sparray, spmatrix
from ._blocks import block_array, block_diag, bmat, hstack, vstack
from ._bsr import bsr_array, bsr_matrix, isspmatrix_bsr
from ._compressed import csc_array, csc_matrix, csr_array, csr_matrix, isspmatrix_csc, isspmatrix_csr
from ._construct import (
    diags,
    diags_array,
    eye,
    eye_array,
    find,
    identity,
    kron,
    kronsum,
    spdiags,
    tril,
    triu,
)
from ._coo import coo_array, coo_matrix, isspmatrix_coo
from ._dia import dia_array, dia_matrix, isspmatrix_dia
from ._files import load_npz, save_npz
from ._incremental import (
    dok_array,
    dok_matrix,
    isspmatrix_dok,
    isspmatrix_lil,
    lil_array,
    lil_matrix,
)
from ._index import get_index_dtype, safely_cast_index_arrays
from ._random import rand, random, random_array

_SUBMODULES = ("csgraph", "linalg")

__all__ = [
    "SparseEfficiencyWarning",
    "SparseFormatWarning",
    "SparseWarning",
    "block_array",
    "block_diag",
    "bmat",
    "bsr_array",
    "bsr_matrix",
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
    "dok_array",
    "dok_matrix",
    "eye",
    "eye_array",
    "find",
    "get_index_dtype",
    "hstack",
    "identity",
    "issparse",
    "isspmatrix",
    "isspmatrix_bsr",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "isspmatrix_dia",
    "isspmatrix_dok",
    "isspmatrix_lil",
    "kron",
    "kronsum",
    "lil_array",
    "lil_matrix",
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


def __getattr__(name: str) -> _Any:
    """Import submodules when they are first named."""
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
