"""The incomplete factorisation of `cupyx.cusparse`, without fill: a thread a row, on CPUs one for all."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import cuprum as cp

__all__ = ["csrilu02"]

# A thread factors `each` rows, once the rows that they need are done: those lie above, and have begun before.
_INCOMPLETE_LU = r"""
#include <cupy/complex.cuh>
template <class T, class I>
__device__ void factor_row(int row, const I* start, const I* column, T* value, int* done, int* singular) {
    for (I at = start[row]; at < start[row + 1]; ++at) {
        I above = column[at];
        if (above >= row) break;
        while (atomicAdd(&done[above], 0) == 0) __nanosleep(20);
        __threadfence();
        I from = start[above], end = start[above + 1];
        while (from < end && column[from] < above) ++from;
        if (from == end || column[from] != above || value[from] == T(0)) {
            atomicMin(singular, (int)above);
            continue;
        }
        T factor = value[at] / value[from];
        value[at] = factor;
        I into = at + 1;
        for (++from; from < end; ++from) {
            while (into < start[row + 1] && column[into] < column[from]) ++into;
            if (into < start[row + 1] && column[into] == column[from]) value[into] -= factor * value[from];
        }
    }
    __threadfence();
    atomicExch(&done[row], 1);
}
template <class T, class I>
__global__ void incomplete_lu(
    int rows, int each, const I* start, const I* column, T* value, int* done, int* singular
) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int row = first; row < rows && row < first + each; ++row)
        factor_row(row, start, column, value, done, singular);
}
"""
_C_TYPES = {"f4": "float", "f8": "double", "c8": "complex<float>", "c16": "complex<double>", "i4": "int"}
_C_TYPES["i8"] = "long long"


@functools.cache
def _incomplete_lu(value: str, index: str) -> Any:
    name = f"incomplete_lu<{_C_TYPES[value]}, {_C_TYPES[index]}>"
    return cp.RawModule(code=_INCOMPLETE_LU, name_expressions=[name]).get_function(name)


def csrilu02(a: Any, level_info: bool = False) -> None:
    """Factor a square CSR matrix in place, without fill and without pivots.

    The unit lower factor and the upper one stand in the elements that the matrix has.

    Parameters
    ----------
    a : csr_matrix
        The matrix, of sorted columns; it is overwritten.
    level_info : bool, optional
        Taken for compatibility.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> cusparse.csrilu02(a)
    >>> a.toarray()
    array([[4. , 2. ],
           [0.5, 4. ]])
    """
    if getattr(a, "format", None) != "csr":
        raise TypeError(f"csrilu02: a csr matrix is expected, not {type(a).__name__}")
    rows, columns = a.shape
    if rows != columns:
        raise ValueError(f"csrilu02: the matrix must be square, not {a.shape}")
    kind = a.dtype.str[1:]
    if kind not in ("f4", "f8", "c8", "c16"):
        raise TypeError(f"csrilu02: the dtype must be float or complex, not {a.dtype}")
    if not a.has_sorted_indices:
        a.sort_indices()
    done = cp.zeros(rows, dtype=np.int32)
    singular = cp.full(1, rows, dtype=np.int32)
    kernel = _incomplete_lu(kind, a.indices.dtype.str[1:])
    # On a CPU a thread that waits for a row above costs more than the row.
    each, threads = (rows, 1) if a.data.device == "cpu" else (1, 64)
    arguments = (np.int32(rows), np.int32(each), a.indptr, a.indices, a.data, done, singular)
    kernel((max(1, -(-rows // (each * threads or 1))),), (threads,), arguments)
    first = int(singular[0])
    diagonal = a.diagonal()
    missing = cp.flatnonzero(diagonal == 0)
    if first < rows or missing.size:
        row = min(first, int(missing[0]) if missing.size else rows)
        raise ValueError(f"csrilu02: a({row},{row}) is missing or zero")
