"""`cupyx.cusparse`: products, sums, conversions and triangular systems of sparse matrices, by CuPy's names.

What they compute is `cupyx.scipy.sparse`'s; the handles and descriptors of NVIDIA's library are not here.
"""

from __future__ import annotations

from typing import Any

import cuprum as cp

from ...scipy import sparse
from ...scipy.sparse.linalg import spsolve_triangular
from ._incomplete_lu import csrilu02

__all__ = [
    "check_availability",
    "coo2csc",
    "coo2csr",
    "coosort",
    "csc2coo",
    "csc2csr",
    "csc2csrEx2",
    "csc2dense",
    "cscsort",
    "csr2coo",
    "csr2csc",
    "csr2cscEx2",
    "csr2csr_compress",
    "csr2dense",
    "csrgeam",
    "csrgeam2",
    "csrgemm",
    "csrgemm2",
    "csrilu02",
    "csrmm",
    "csrmm2",
    "csrmv",
    "csrsm2",
    "csrsort",
    "dense2csc",
    "dense2csr",
    "denseToSparse",
    "sparseToDense",
    "spgeam",
    "spgemm",
    "spmm",
    "spmv",
    "spsm",
]


def check_availability(name: str) -> bool:
    """Return whether a function of this module can be called.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> cusparse.check_availability("spmv"), cusparse.check_availability("csrsv2")
    (True, False)
    """
    return name in __all__


def _of_format(a: Any, *formats: str) -> Any:
    if not sparse.issparse(a) or a.format not in formats:
        raise TypeError(f"unsupported type (actual: {type(a)})")
    return a


def _matching(left: int, right: int) -> None:
    if left != right:
        raise ValueError(f"dimension mismatch: {left} and {right}")


def _common(*operands: Any) -> Any:
    dtypes = [one.dtype for one in operands if one is not None]
    return cp.result_type(*dtypes)


def _stored(result: Any, into: Any, beta: Any, dtype: Any, order: Any = None) -> Any:
    """Return `result + beta * into`, written to `into` where it is given and of the common dtype."""
    if into is None:
        return result.astype(dtype, order=order or "K", copy=False)
    if into.shape != result.shape:
        raise ValueError(f"the result has shape {result.shape}, not {into.shape}")
    if beta != 0:
        result = result + beta * into
    if into.dtype != dtype:
        return result.astype(dtype, order=order or "K", copy=False)
    into[...] = result.astype(dtype, copy=False)
    return into


def spmv(a: Any, x: Any, y: Any = None, alpha: Any = 1, beta: Any = 0, transa: bool = False) -> Any:
    """Return `alpha * op(a) @ x + beta * y` of a sparse matrix and a vector, in `y` where it is given.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.spmv(a, cp.array([1.0, 2.0]), alpha=2)
    array([ 2., 16.])
    """
    _of_format(a, "csr", "csc", "coo")
    a = a.T if transa else a
    _matching(a.shape[1], len(x))
    dtype = _common(a, x, y)
    return _stored(alpha * (a.astype(dtype) @ x.astype(dtype, copy=False)), y, beta, dtype)


def csrmv(a: Any, x: Any, y: Any = None, alpha: Any = 1, beta: Any = 0, transa: bool = False) -> Any:
    """Return `alpha * op(a) @ x + beta * y` of a CSR matrix and a vector; see `spmv`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.csrmv(a, cp.array([1.0, 2.0]), transa=True)
    array([5., 6.])
    """
    return spmv(_of_format(a, "csr"), x, y, alpha, beta, transa)


def spmm(
    a: Any,
    b: Any,
    c: Any = None,
    alpha: Any = 1,
    beta: Any = 0,
    transa: bool = False,
    transb: bool = False,
) -> Any:
    """Return `alpha * op(a) @ op(b) + beta * c` of a sparse matrix and a dense one, in `c` where it is given.

    Dense matrices are given, and returned, column by column (`order="F"`).

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.spmm(a, cp.eye(2, order="F"))
    array([[1., 0.],
           [2., 3.]])
    """
    _of_format(a, "csr", "csc", "coo")
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError("expected 2-D matrices")
    for name, dense in (("b", b), ("c", c)):
        if dense is not None and not dense.flags.f_contiguous:
            raise ValueError(f"expected F-contiguous array for {name}")
    a, b = a.T if transa else a, b.T if transb else b
    _matching(a.shape[1], b.shape[0])
    dtype = _common(a, b, c)
    return _stored(alpha * (a.astype(dtype) @ b.astype(dtype, copy=False)), c, beta, dtype, "F")


def csrmm(a: Any, b: Any, c: Any = None, alpha: Any = 1, beta: Any = 0, transa: bool = False) -> Any:
    """Return `alpha * op(a) @ b + beta * c` of a CSR matrix and a dense one; see `spmm`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.csrmm(a, cp.ones((2, 1), order="F"))
    array([[1.],
           [5.]])
    """
    return spmm(_of_format(a, "csr"), b, c, alpha, beta, transa)


def csrmm2(
    a: Any,
    b: Any,
    c: Any = None,
    alpha: Any = 1.0,
    beta: Any = 0.0,
    transa: bool = False,
    transb: bool = False,
) -> Any:
    """Return `alpha * op(a) @ op(b) + beta * c` of a CSR matrix and a dense one; see `spmm`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.csrmm2(a, cp.ones((1, 2), order="F"), transb=True)
    array([[1.],
           [5.]])
    """
    return spmm(_of_format(a, "csr"), b, c, alpha, beta, transa, transb)


def csrgeam(a: Any, b: Any, alpha: Any = 1, beta: Any = 1) -> Any:
    """Return `alpha * a + beta * b` of two CSR matrices.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.eye(2))
    >>> cusparse.csrgeam(a, a, 2, 3).toarray()
    array([[5., 0.],
           [0., 5.]])
    """
    _of_format(a, "csr")
    _of_format(b, "csr")
    if a.shape != b.shape:
        raise ValueError(f"inconsistent shapes: {a.shape} and {b.shape}")
    dtype = _common(a, b)
    return (alpha * a.astype(dtype) + beta * b.astype(dtype)).tocsr().astype(dtype)


csrgeam2 = csrgeam
spgeam = csrgeam


def csrgemm(a: Any, b: Any, transa: bool = False, transb: bool = False) -> Any:
    """Return `op(a) @ op(b)` of two CSR matrices, as one.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.csrgemm(a, a, transb=True).toarray()
    array([[ 1.,  2.],
           [ 2., 13.]])
    """
    a, b = _of_format(a, "csr"), _of_format(b, "csr")
    return spgemm(a.T.tocsr() if transa else a, b.T.tocsr() if transb else b)


def csrgemm2(a: Any, b: Any, d: Any = None, alpha: Any = 1, beta: Any = 1) -> Any:
    """Return `alpha * a @ b + beta * d` of CSR matrices, as one.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.eye(2))
    >>> cusparse.csrgemm2(a, a, a, 2, 3).toarray()
    array([[5., 0.],
           [0., 5.]])
    """
    product = spgemm(a, b, alpha)
    return product if d is None else csrgeam(product, d, 1, beta)


def spgemm(a: Any, b: Any, alpha: Any = 1) -> Any:
    """Return `alpha * a @ b` of two CSR matrices, as one.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> cusparse.spgemm(a, a).toarray()
    array([[1., 0.],
           [8., 9.]])
    """
    _of_format(a, "csr")
    _of_format(b, "csr")
    _matching(a.shape[1], b.shape[0])
    dtype = _common(a, b)
    return (alpha * (a.astype(dtype) @ b.astype(dtype))).tocsr().astype(dtype)


def sparseToDense(x: Any, out: Any = None) -> Any:
    """Return a sparse matrix as a dense one, column by column, in `out` where it is given.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.sparseToDense(sparse.coo_matrix(cp.eye(2)))
    array([[1., 0.],
           [0., 1.]])
    """
    if out is None:
        return x.toarray(order="F")
    if not out.flags.f_contiguous:
        raise ValueError("expected F-contiguous array for out")
    if out.dtype != x.dtype or out.shape != x.shape:
        raise ValueError(f"out must have shape {x.shape} and dtype {x.dtype}")
    out[...] = x.toarray(order="F")
    return out


def csr2dense(x: Any, out: Any = None) -> Any:
    """Return a CSR matrix as a dense one; see `sparseToDense`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.csr2dense(sparse.csr_matrix(cp.eye(2))).flags.f_contiguous
    True
    """
    return sparseToDense(_of_format(x, "csr"), out)


def csc2dense(x: Any, out: Any = None) -> Any:
    """Return a CSC matrix as a dense one; see `sparseToDense`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.csc2dense(sparse.csc_matrix(cp.eye(2))).flags.f_contiguous
    True
    """
    return sparseToDense(_of_format(x, "csc"), out)


def denseToSparse(x: Any, format: str = "csr") -> Any:
    """Return a dense matrix as a sparse one of a format: "csr", "csc" or "coo".

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> cusparse.denseToSparse(cp.eye(2), "coo").nnz
    2
    """
    if x.ndim != 2:
        raise ValueError("expected 2-D matrix")
    if format not in ("csr", "csc", "coo"):
        raise TypeError(f"unsupported format (actual: {format})")
    return getattr(sparse, f"{format}_matrix")(x)


def dense2csr(x: Any) -> Any:
    """Return a dense matrix as a CSR matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> cusparse.dense2csr(cp.eye(2)).format
    'csr'
    """
    return denseToSparse(x, "csr")


def dense2csc(x: Any) -> Any:
    """Return a dense matrix as a CSC matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> cusparse.dense2csc(cp.eye(2)).format
    'csc'
    """
    return denseToSparse(x, "csc")


def csrsort(x: Any) -> None:
    """Sort the indices of each row of a CSR matrix, in place.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> data, indices, indptr = cp.array([1.0, 2.0]), cp.array([1, 0]), cp.array([0, 2])
    >>> x = sparse.csr_matrix((data, indices, indptr), shape=(1, 2))
    >>> cusparse.csrsort(x)
    >>> x.data
    array([2., 1.])
    """
    _of_format(x, "csr").sort_indices()


def cscsort(x: Any) -> None:
    """Sort the indices of each column of a CSC matrix, in place.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> data, indices, indptr = cp.array([1.0, 2.0]), cp.array([1, 0]), cp.array([0, 2])
    >>> x = sparse.csc_matrix((data, indices, indptr), shape=(2, 1))
    >>> cusparse.cscsort(x)
    >>> x.data
    array([2., 1.])
    """
    _of_format(x, "csc").sort_indices()


def coosort(x: Any, sort_by: str = "r") -> None:
    """Sort the elements of a COO matrix by their rows ("r") or columns ("c"), in place.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> x = sparse.coo_matrix((cp.array([1.0, 2.0]), (cp.array([1, 0]), cp.array([0, 1]))), shape=(2, 2))
    >>> cusparse.coosort(x)
    >>> x.row, x.data
    (array([0, 1], dtype=int32), array([2., 1.]))
    """
    if sort_by not in ("r", "c"):
        raise ValueError("sort_by must be either 'r' or 'c'")
    _of_format(x, "coo")
    keys = (x.col, x.row) if sort_by == "r" else (x.row, x.col)
    places = cp.lexsort(cp.stack(keys))
    x.row, x.col, x.data = x.row[places], x.col[places], x.data[places]


def coo2csr(x: Any) -> Any:
    """Return a COO matrix as a CSR matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.coo2csr(sparse.coo_matrix(cp.eye(2))).format
    'csr'
    """
    return _of_format(x, "coo").tocsr()


def coo2csc(x: Any) -> Any:
    """Return a COO matrix as a CSC matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.coo2csc(sparse.coo_matrix(cp.eye(2))).format
    'csc'
    """
    return _of_format(x, "coo").tocsc()


def csr2coo(x: Any, data: Any, indices: Any) -> Any:
    """Return a CSR matrix as a COO matrix, with these arrays for its values and columns.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[0.0, 2.0], [3.0, 4.0]]))
    >>> cusparse.csr2coo(a, a.data, a.indices).row.tolist()
    [0, 1, 1]
    """
    _of_format(x, "csr")
    return sparse.coo_matrix((data, (_lines(x), indices)), shape=x.shape)


def csc2coo(x: Any, data: Any, indices: Any) -> Any:
    """Return a CSC matrix as a COO matrix, with these arrays for its values and rows.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csc_matrix(cp.array([[0.0, 2.0], [3.0, 4.0]]))
    >>> cusparse.csc2coo(a, a.data, a.indices).col.tolist()
    [0, 1, 1]
    """
    _of_format(x, "csc")
    return sparse.coo_matrix((data, (indices, _lines(x))), shape=x.shape)


def _lines(x: Any) -> Any:
    """Return the row of each stored element of a CSR matrix, or the column of a CSC matrix."""
    lines = cp.arange(x.indptr.size - 1, dtype=x.indices.dtype)
    return cp.repeat(lines, cp.diff(x.indptr))


def csr2csc(x: Any) -> Any:
    """Return a CSR matrix as a CSC matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.csr2csc(sparse.csr_matrix(cp.eye(2))).format
    'csc'
    """
    return _of_format(x, "csr").tocsc()


def csc2csr(x: Any) -> Any:
    """Return a CSC matrix as a CSR matrix.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.csc2csr(sparse.csc_matrix(cp.eye(2))).format
    'csr'
    """
    return _of_format(x, "csc").tocsr()


csr2cscEx2 = csr2csc
csc2csrEx2 = csc2csr


def csr2csr_compress(x: Any, tol: float) -> Any:
    """Return a CSR matrix without the elements whose magnitude is at most a tolerance.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> cusparse.csr2csr_compress(sparse.csr_matrix(cp.array([[0.1, 2.0]])), 0.5).data
    array([2.])
    """
    x = _of_format(x, "csr").tocoo()
    kept = abs(x.data) > tol
    return sparse.csr_matrix((x.data[kept], (x.row[kept], x.col[kept])), shape=x.shape)


def spsm(
    a: Any, b: Any, alpha: Any = 1.0, lower: bool = True, unit_diag: bool = False, transa: bool | str = False
) -> Any:
    """Return the solution of the triangular system `op(a) @ x = alpha * b`.

    `transa` is False or "N", True or "T" for the transposed matrix, "H" for its conjugate.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 4.0]]))
    >>> cusparse.spsm(a, cp.array([[1.0], [6.0]]))
    array([[1.],
           [1.]])
    """
    _of_format(a, "csr", "csc", "coo")
    kind = {False: "N", True: "T"}.get(transa, transa) if isinstance(transa, bool) else transa
    if kind not in ("N", "T", "H"):
        raise ValueError(f"Unknown transa (actual: {transa})")
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"invalid shape (a.shape: {a.shape})")
    _matching(a.shape[0], b.shape[0])
    part = (sparse.tril if lower else sparse.triu)(a, format="csr")
    if kind != "N":
        part = part.T.tocsr()
        lower = not lower
    if kind == "H":
        part = part.conj()
    dtype = _common(a, b)
    right = alpha * b.astype(dtype)
    x = spsolve_triangular(part.astype(dtype), right, lower=lower, unit_diagonal=unit_diag)
    return x.astype(dtype, order="F", copy=False)


def csrsm2(
    a: Any,
    b: Any,
    alpha: Any = 1.0,
    lower: bool = True,
    unit_diag: bool = False,
    transa: bool | str = False,
    blocking: bool = True,
    level_info: bool = False,
) -> None:
    """Solve the triangular system `op(a) @ x = alpha * b`; `b` becomes the solution.

    Examples
    --------
    >>> from cuprum.compat.cupyx import cusparse
    >>> from cuprum.scipy import sparse
    >>> b = cp.array([1.0, 6.0])
    >>> cusparse.csrsm2(sparse.csr_matrix(cp.array([[1.0, 0.0], [2.0, 4.0]])), b)
    >>> b
    array([1., 1.])
    """
    _of_format(a, "csr", "csc")
    if a.dtype != b.dtype:
        raise TypeError("Type of a and b must be same")
    b[...] = spsm(a, b, alpha, lower, unit_diag, transa)
