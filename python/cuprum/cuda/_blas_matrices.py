"""cuBLAS's functions of matrices, which lie column by column."""

from __future__ import annotations

from .. import _core
from ._blas_call import (
    CUBLAS_DIAG_UNIT,
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_OP_C,
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_SIDE_LEFT,
    CUBLAS_SIDE_RIGHT,
    Call,
)


def gemv(
    call: Call,
    trans: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803 - BLAS's names of matrices, here and below
    lda: int,
    x: int,
    incx: int,
    beta: int,
    y: int,
    incy: int,
) -> None:
    """Replace y by `alpha` times a matrix of m x n, or its transpose, by x, plus `beta` times y.

    Examples
    --------
    >>> factors, x, y = np.array([2, 0], "{dtype}"), cp.ones(2, "{dtype}"), cp.zeros(2, "{dtype}")
    >>> a, (alpha, beta) = cp.eye(2, dtype="{dtype}"), (factors[i:].ctypes.data for i in (0, 1))
    >>> {name}(cp.cuda.cublas.create(), 0, 2, 2, alpha, a.data.ptr, 2, x.data.ptr, 1, beta, y.data.ptr, 1)
    >>> bool((y == 2).all())
    True
    """
    rows, columns = (m, n) if trans == CUBLAS_OP_N else (n, m)
    product = call.operand(trans, A, rows, columns, lda) @ call.vector(x, columns, incx)
    out = call.vector(y, rows, incy)
    out[...] = call.combined(product, alpha, beta, out)


def ger(
    call: Call,
    m: int,
    n: int,
    alpha: int,
    x: int,
    incx: int,
    y: int,
    incy: int,
    A: int,
    lda: int,  # noqa: N803
) -> None:
    """Add `alpha` times the outer product of two vectors, neither conjugated, to a matrix of m x n.

    Examples
    --------
    >>> alpha, x = np.array(2, "{dtype}").ctypes.data, cp.ones(2, "{dtype}")
    >>> a = cp.zeros((2, 2), "{dtype}")
    >>> two = np.array(2, "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, 2, two.ctypes.data, *[x.data.ptr, 1] * 2, a.data.ptr, 2)
    >>> bool((a == 2).all())
    True
    """
    to = call.matrix(A, m, n, lda)
    to += call.scaled(call.factor(alpha), call.vector(x, m, incx)[:, None] * call.vector(y, n, incy))


def gerc(
    call: Call,
    m: int,
    n: int,
    alpha: int,
    x: int,
    incx: int,
    y: int,
    incy: int,
    A: int,
    lda: int,  # noqa: N803
) -> None:
    """Add `alpha` times the outer product of two vectors, the second conjugated, to a matrix of m x n.

    Examples
    --------
    >>> two, x, a = np.array(2, "{dtype}"), cp.array([1j, 1j], "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 2, 2, two.ctypes.data, *[x.data.ptr, 1] * 2, a.data.ptr, 2)
    >>> bool((a == 2).all())
    True
    """
    to = call.matrix(A, m, n, lda)
    to += call.scaled(call.factor(alpha), call.vector(x, m, incx)[:, None] * call.vector(y, n, incy).conj())


def gemm(
    call: Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    B: int,  # noqa: N803
    ldb: int,
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Replace C, m x n, by `alpha` times the product of A and B over k plus `beta` times C.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), a.data.ptr
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, at, 2, at, 2, beta, c.data.ptr, 2)
    >>> bool((c == 4).all())
    True
    """
    product = call.operand(transa, A, m, k, lda) @ call.operand(transb, B, k, n, ldb)
    out = call.matrix(C, m, n, ldc)
    out[...] = call.combined(product, alpha, beta, out)


def gemm_batched(
    call: Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    Aarray: int,  # noqa: N803
    lda: int,
    Barray: int,  # noqa: N803
    ldb: int,
    beta: int,
    Carray: int,  # noqa: N803
    ldc: int,
    batchCount: int,  # noqa: N803
) -> None:
    """Multiply matrices whose addresses lie on the device, pair by pair.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), cp.array([a.data.ptr], "uint64")
    >>> to = cp.array([c.data.ptr], "uint64")
    >>> of = at.data.ptr, 2, at.data.ptr, 2
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, *of, beta, to.data.ptr, 2, 1)
    >>> bool((c == 4).all())
    True
    """
    each = (call.addresses(at, batchCount) for at in (Aarray, Barray, Carray))
    for a, b, c in zip(*each, strict=True):
        gemm(call, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


def gemm_strided_batched(
    call: Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    strideA: int,  # noqa: N803
    B: int,  # noqa: N803
    ldb: int,
    strideB: int,  # noqa: N803
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
    strideC: int,  # noqa: N803
    batchCount: int,  # noqa: N803
) -> None:
    """Multiply matrices that lie at equal distances, pair by pair.

    Examples
    --------
    >>> factors, a = np.array([2, 0], "{dtype}"), cp.ones((3, 2, 2), "{dtype}")
    >>> (alpha, beta), c = (factors[i:].ctypes.data for i in (0, 1)), cp.zeros_like(a)
    >>> of = a.data.ptr, 2, 4, a.data.ptr, 2, 4
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, 2, alpha, *of, beta, c.data.ptr, 2, 4, 3)
    >>> bool((c == 4).all())
    True
    """
    size = call.dtype.itemsize
    call.check(batchCount >= 0, f"batchCount must not be negative, got {batchCount}")
    for i in range(batchCount):
        a, b, c = A + i * strideA * size, B + i * strideB * size, C + i * strideC * size
        gemm(call, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)


def trsm(
    call: Call,
    side: int,
    uplo: int,
    trans: int,
    diag: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    B: int,  # noqa: N803
    ldb: int,
) -> None:
    """Solve a triangular system for `alpha` times a matrix of m x n, from the left or the right, in place.

    Examples
    --------
    >>> one, a, b = np.array(1, "{dtype}"), 2 * cp.eye(2, dtype="{dtype}"), cp.ones((2, 2), "{dtype}")
    >>> at = a.data.ptr, 2, b.data.ptr, 2
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 0, 0, 2, 2, one.ctypes.data, *at)
    >>> bool((b == 0.5).all())
    True
    """
    from ..scipy.linalg import solve_triangular

    call.check_choices(side=side, uplo=uplo, diag=diag)
    size = m if side == CUBLAS_SIDE_LEFT else n
    triangle, b = call.matrix(A, size, size, lda), call.matrix(B, m, n, ldb)
    call.check(trans in (0, 1, 2), f"trans must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C, got {trans}")
    right = b if side == CUBLAS_SIDE_LEFT else b.T
    if side == CUBLAS_SIDE_RIGHT:
        # X op(A) = B is op(A)^T X^T = B^T.
        triangle = triangle.conj() if trans == CUBLAS_OP_C else triangle
        trans = CUBLAS_OP_T if trans == CUBLAS_OP_N else CUBLAS_OP_N
    solved = solve_triangular(
        triangle,
        right,
        trans=trans,
        lower=uplo == CUBLAS_FILL_MODE_LOWER,
        unit_diagonal=diag == CUBLAS_DIAG_UNIT,
        check_finite=False,
    )
    b[...] = call.scaled(call.factor(alpha), solved if side == CUBLAS_SIDE_LEFT else solved.T)


def syrk(
    call: Call,
    uplo: int,
    trans: int,
    n: int,
    k: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    beta: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Replace a triangle of C, n x n, by `alpha` times A by its transpose plus `beta` times C.

    Examples
    --------
    >>> factors, a, c = np.array([2, 0], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> alpha, beta = (factors[i:].ctypes.data for i in (0, 1))
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, alpha, a.data.ptr, 2, beta, c.data.ptr, 2)
    >>> c.T.real.tolist()
    [[4.0, 0.0], [4.0, 4.0]]
    """
    call.check_choices(uplo=uplo)
    call.check(
        trans != CUBLAS_OP_C or call.dtype.kind == "f",
        "trans must be CUBLAS_OP_N or CUBLAS_OP_T for complex numbers",
    )
    a = call.operand(trans, A, n, k, lda)
    out = call.matrix(C, n, n, ldc)
    row = _core.arange(n)
    inside = row[:, None] >= row if uplo == CUBLAS_FILL_MODE_LOWER else row[:, None] <= row
    out[...] = _core.where(inside, call.combined(a @ a.T, alpha, beta, out), out)


def geam(
    call: Call,
    transa: int,
    transb: int,
    m: int,
    n: int,
    alpha: int,
    A: int,  # noqa: N803
    lda: int,
    beta: int,
    B: int,  # noqa: N803
    ldb: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Make C, m x n, of `alpha` times A plus `beta` times B.

    Examples
    --------
    >>> factors, a, c = np.array([2, 1], "{dtype}"), cp.ones((2, 2), "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> (alpha, beta), at = (factors[i:].ctypes.data for i in (0, 1)), (a.data.ptr, 2)
    >>> {name}(cp.cuda.cublas.create(), 0, 0, 2, 2, alpha, *at, beta, *at, c.data.ptr, 2)
    >>> bool((c == 3).all())
    True
    """
    first = call.scaled_operand(alpha, transa, A, m, n, lda)
    call.matrix(C, m, n, ldc)[...] = first + call.scaled_operand(beta, transb, B, m, n, ldb)


def dgmm(
    call: Call,
    mode: int,
    m: int,
    n: int,
    A: int,  # noqa: N803
    lda: int,
    x: int,
    incx: int,
    C: int,  # noqa: N803
    ldc: int,
) -> None:
    """Multiply a matrix of m x n by a diagonal one, from the left (mode 0) or the right (1).

    Examples
    --------
    >>> a, x, c = cp.ones((2, 2), "{dtype}"), cp.array([1, 2], "{dtype}"), cp.zeros((2, 2), "{dtype}")
    >>> {name}(cp.cuda.cublas.create(), 1, 2, 2, a.data.ptr, 2, x.data.ptr, 1, c.data.ptr, 2)
    >>> c.T.real.tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    call.check_choices(mode=mode)
    is_left = mode == CUBLAS_SIDE_LEFT
    scale = call.vector(x, m if is_left else n, incx)
    call.matrix(C, m, n, ldc)[...] = call.matrix(A, m, n, lda) * (scale[:, None] if is_left else scale)
