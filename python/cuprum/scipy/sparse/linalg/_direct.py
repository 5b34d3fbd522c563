"""Direct solvers of sparse systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import SparseEfficiencyWarning, issparse
from .._compressed import csc_array, csr_array
from .._construct import eye_array, identity
from .._coo import from_scipy, is_of_scipy
from ._factors import Factors, SingularError, factorise, solve_triangle
from ._fronts import Fronts, fronts_of, solve_by_fronts
from ._system import floating_dtype

__all__ = [
    "MatrixRankWarning",
    "SuperLU",
    "factorized",
    "inv",
    "is_sptriangular",
    "spbandwidth",
    "spilu",
    "splu",
    "spsolve",
    "spsolve_triangular",
    "use_solver",
]

_ORDERS = ("NATURAL", "MMD_ATA", "MMD_AT_PLUS_A", "COLAMD")


class MatrixRankWarning(UserWarning):
    """A matrix is singular."""


class SuperLU:
    """The factors of a sparse matrix, which `splu` and `spilu` make: ``Pr A Pc = L U``.

    Attributes
    ----------
    shape : tuple of int
        The shape of the matrix.
    nnz : int
        The number of entries of both factors.
    L, U : csc_array
        The triangular factors; those of `L` have ones on the diagonal.
    perm_r, perm_c : ndarray
        Where each row and each column of the matrix went.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import splu
    >>> factors = splu(csc_array(cp.array([[4.0, 1.0], [1.0, 3.0]])))
    >>> factors.solve(cp.array([5.0, 4.0]))
    array([1., 1.])
    """

    _matrix: Any
    _factors: Factors | None
    _fronts: Fronts | None
    _turned: dict[bool, Any]

    def __init__(self) -> None:
        raise TypeError("cannot create 'SuperLU' instances: splu and spilu make them")

    @classmethod
    def _of(cls, matrix: Any, factors: Factors | None, fronts: Fronts | None = None) -> SuperLU:
        made = cls.__new__(cls)
        made._matrix, made._factors, made._fronts, made._turned = matrix, factors, fronts, {}
        return made

    def _triangles(self) -> Factors:
        """Return the factors in columns; those in fronts are brought there when they are first asked for."""
        if self._factors is None:
            assert self._fronts is not None
            self._factors = self._fronts.factors(self._matrix)
        return self._factors

    @property
    def L(self) -> Any:  # noqa: N802 - SciPy's name
        """The lower triangle, with ones on the diagonal."""
        return self._triangles().lower

    @property
    def U(self) -> Any:  # noqa: N802 - SciPy's name
        """The upper triangle."""
        return self._triangles().upper

    @property
    def perm_r(self) -> ndarray:
        """Where each row of the matrix went."""
        return self._triangles().rows

    @property
    def perm_c(self) -> ndarray:
        """Where each column of the matrix went."""
        return self._triangles().columns

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix."""
        found: tuple[int, int] = self._matrix.shape
        return found

    @property
    def nnz(self) -> int:
        """The number of entries of both factors."""
        return int(self.L.nnz + self.U.nnz)

    def _transposed(self, is_lower: bool) -> Any:
        if is_lower not in self._turned:
            self._turned[is_lower] = (self.L if is_lower else self.U).T.tocsc()
        return self._turned[is_lower]

    def solve(self, rhs: Any, trans: str = "N") -> ndarray:
        """Solve a system with one right side or several.

        Parameters
        ----------
        rhs : array_like
            The right side, of shape ``(n,)`` or ``(n, k)``.
        trans : {'N', 'T', 'H'}, optional
            Whether the system is that of the matrix, of its transpose or of its conjugate transpose.

        Returns
        -------
        ndarray
            The solution.
        """
        b = as_array(rhs)
        n = self.shape[0]
        if b.ndim not in (1, 2) or b.shape[0] != n:
            raise ValueError(f"solve: rhs is of incompatible size: {b.shape} for a matrix of {self.shape}")
        if trans not in ("N", "T", "H"):
            raise ValueError(f"solve: trans must be N, T, or H, got {trans!r}")
        # Columns lie together, as SuperLU leaves them.
        return cp.asfortranarray(self._solution(b, trans))

    def _solution(self, b: ndarray, trans: str) -> ndarray:
        if b.dtype.kind == "c" and self._matrix.dtype.kind != "c":
            return self._solution(b.real.copy(), trans) + 1j * self._solution(b.imag.copy(), trans)
        b = b.astype(self._matrix.dtype, copy=False)
        if trans == "N" and self._fronts is not None:
            found = self._fronts.refined(self._matrix, b)
            if found is not None:
                return found
            # Fronts whose pivots were too small: from now on the columns are gone through one by one.
            self._fronts, self._turned = None, {}
            self._factors = factorise(self._matrix, "COLAMD", None)
        if trans == "N":
            y = cp.empty_like(b)
            y[self.perm_r] = b
            y = solve_triangle(self.U, solve_triangle(self.L, y, True, True), False, False)
            return y[self.perm_c]
        if trans == "H":
            b = b.conj()
        y = cp.empty_like(b)
        y[self.perm_c] = b
        y = solve_triangle(self._transposed(False), y, True, False)
        x = solve_triangle(self._transposed(True), y, False, True)[self.perm_r]
        return x.conj() if trans == "H" else x


def _columns(op: str, A: Any, warn: bool = True) -> Any:
    """Return a square matrix in compressed columns, canonical, of a floating-point dtype."""
    if is_of_scipy(A) and hasattr(A, "tocoo"):
        A = from_scipy(A).asformat("csc" if A.format == "csc" else "csr")
    if not (issparse(A) and A.format in ("csc", "csr")):
        if warn:
            warnings.warn(
                f"{op} requires A be CSC or CSR matrix format", SparseEfficiencyWarning, stacklevel=4
            )
        A = csc_array(A)
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"{op}: matrix must be square (has shape {A.shape})")
    found = A.tocsc()._canonical()
    return found.astype(floating_dtype(found.dtype), copy=False)


def _order_of(op: str, permc_spec: Any, options: Any) -> str:
    name = (options or {}).get("ColPerm", None) if permc_spec is None else permc_spec
    name = "COLAMD" if name is None else name
    if name not in _ORDERS:
        raise ValueError(f"{op}: invalid permc_spec {name!r}: one of {', '.join(_ORDERS)} is expected")
    return str(name)


def _threshold(given: Any, options: Any) -> float | None:
    value = (options or {}).get("DiagPivotThresh", None) if given is None else given
    if (options or {}).get("SymmetricMode") and value is None:
        return 0.001
    return None if value is None else float(value)


@names_itself
def splu(
    A: Any,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    relax: int | None = None,
    panel_size: int | None = None,
    options: dict[str, Any] | None = None,
) -> SuperLU:
    """Return the LU factors of a sparse square matrix.

    Parameters
    ----------
    A : sparse matrix
        The matrix; compressed columns are used as they are.
    permc_spec : {'COLAMD', 'MMD_AT_PLUS_A', 'MMD_ATA', 'NATURAL'}, optional
        The order of the columns: minimum degree on the pattern of ``A^H A``, on that of ``A^H + A``, or none.
        By default the first, or the second where the pattern is symmetric.
    diag_pivot_thresh : float, optional
        How large an entry of the diagonal must be to be the pivot, relative to the largest; by default 1, or
        0.1 where the pattern is symmetric.
    relax, panel_size : int, optional
        Without effect.
    options : dict, optional
        SuperLU's own: ``ColPerm``, ``DiagPivotThresh`` and ``SymmetricMode`` have an effect.

    Returns
    -------
    SuperLU

    Raises
    ------
    RuntimeError
        Where the matrix is singular.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import splu
    >>> splu(csc_array(cp.array([[0.0, 2.0], [4.0, 0.0]]))).solve(cp.array([2.0, 4.0]))
    array([1., 1.])
    """
    matrix = _columns("splu", A)
    order = _order_of("splu", permc_spec, options)
    threshold = _threshold(diag_pivot_thresh, options)
    fronts = fronts_of(matrix, order, threshold)
    return SuperLU._of(matrix, None if fronts else factorise(matrix, order, threshold), fronts)


@names_itself
def spilu(
    A: Any,
    drop_tol: float | None = None,
    fill_factor: float | None = None,
    drop_rule: Any = None,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    relax: int | None = None,
    panel_size: int | None = None,
    options: dict[str, Any] | None = None,
) -> SuperLU:
    """Return incomplete LU factors of a sparse square matrix: a preconditioner.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    drop_tol : float, optional
        Entries below this, relative to the largest of a column, are left out; 1e-4 by default.
    fill_factor : float, optional
        How many times the matrix's number of entries the factors aim at; 10 by default.
    drop_rule : str, optional
        Without effect: entries are left out by size, the more of them the fuller the factors are.
    permc_spec : {'COLAMD', 'MMD_AT_PLUS_A', 'MMD_ATA', 'NATURAL'}, optional
        The order of the columns, as for `splu`.
    diag_pivot_thresh : float, optional
        How large an entry of the diagonal must be to be the pivot, relative to the largest; 0.1 by default.
    relax, panel_size : int, optional
        Without effect.
    options : dict, optional
        As for `splu`.

    Returns
    -------
    SuperLU

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags_array
    >>> from cuprum.scipy.sparse.linalg import LinearOperator, cg, spilu
    >>> A = diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(50, 50), format="csc")
    >>> M = LinearOperator(A.shape, spilu(A).solve)
    >>> cg(A, cp.ones(50), M=M)[1]
    0
    """
    matrix = _columns("spilu", A)
    order = _order_of("spilu", permc_spec, options)
    threshold = _threshold(diag_pivot_thresh, options)
    drop = 1e-4 if drop_tol is None else float(drop_tol)
    fill = 10.0 if fill_factor is None else float(fill_factor)
    return SuperLU._of(matrix, factorise(matrix, order, 0.1 if threshold is None else threshold, drop, fill))


@names_itself
def factorized(A: Any) -> Callable[[Any], ndarray]:
    """Return a function that solves systems with a sparse matrix, which is factorised once.

    Parameters
    ----------
    A : sparse matrix
        The matrix.

    Returns
    -------
    callable
        Takes a right side and returns the solution.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import factorized
    >>> solve = factorized(csc_array(cp.array([[2.0, 0.0], [0.0, 4.0]])))
    >>> solve(cp.array([2.0, 4.0]))
    array([1., 1.])
    """
    return splu(A).solve


@names_itself
def spsolve(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True) -> Any:
    """Solve ``A x = b`` for a sparse square matrix.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    b : array_like or sparse matrix
        The right side, of one column or several.
    permc_spec : str, optional
        The order of the columns, as for `splu`.
    use_umfpack : bool, optional
        Without effect.

    Returns
    -------
    ndarray or sparse matrix
        The solution: a vector where `b` is one or has one column, sparse where `b` is and has several.
        A singular matrix warns, and the solution is NaN.

    Notes
    -----
    On a GPU the pattern of the matrix is copied to the host, where the order of elimination is found, and
    the sizes of its elements, too, where the pattern is not symmetric; all arithmetic of the solution is the
    GPU's.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import spsolve
    >>> spsolve(csr_array(cp.array([[3.0, 1.0], [0.0, 2.0]])), cp.array([4.0, 2.0]))
    array([1., 1.])
    """
    matrix = _columns("spsolve", A)
    order = _order_of("spsolve", permc_spec, None)
    if is_of_scipy(b) and hasattr(b, "tocoo"):
        b = from_scipy(b)
    is_sparse = issparse(b)
    right: Any = b if is_sparse else as_array(b)
    if right.shape[0] != matrix.shape[0]:
        raise ValueError(f"spsolve: matrix - rhs dimension mismatch ({matrix.shape} - {right.shape[0]})")
    dtype = np.promote_types(matrix.dtype, right.dtype)
    is_vector = right.ndim == 1 or right.shape[1] == 1
    dense = right.toarray() if is_sparse else right
    dense = dense.astype(dtype)
    if is_vector:
        dense = dense.ravel()
    if not dense.size:
        return dense
    matrix = matrix.astype(dtype, copy=False)
    try:
        x = solve_by_fronts(matrix, dense, order)
        if x is None:
            x = SuperLU._of(matrix, factorise(matrix, order, None)).solve(dense)
    except SingularError:
        if is_sparse and not is_vector:
            raise
        warnings.warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=3)
        return cp.full(dense.shape, np.nan, dtype)
    if is_sparse and not is_vector:
        kind = A if issparse(A) else matrix
        return kind._as(kind.format if kind.format in ("csc", "csr") else "csc")(x)
    return cp.asfortranarray(x)


@names_itself
def spsolve_triangular(
    A: Any,
    b: Any,
    lower: bool = True,
    overwrite_A: bool = False,
    overwrite_b: bool = False,
    unit_diagonal: bool = False,
) -> ndarray:
    """Solve ``A x = b`` for a sparse triangular matrix.

    Parameters
    ----------
    A : sparse matrix
        The matrix; entries outside of the triangle are passed over.
    b : array_like
        The right side, of shape ``(n,)`` or ``(n, k)``.
    lower : bool, optional
        Whether the triangle is the lower one.
    overwrite_A, overwrite_b : bool, optional
        Without effect.
    unit_diagonal : bool, optional
        Whether the diagonal is taken for ones.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import spsolve_triangular
    >>> spsolve_triangular(csr_array(cp.array([[2.0, 0.0], [1.0, 1.0]])), cp.array([2.0, 2.0]))
    array([1., 1.])
    """
    if is_of_scipy(A) and hasattr(A, "tocoo"):
        A = from_scipy(A).tocsc()
    if not (issparse(A) and A.format in ("csc", "csr")):
        warnings.warn(
            "CSC or CSR matrix format is required. Converting to CSC matrix.",
            SparseEfficiencyWarning,
            stacklevel=3,
        )
        A = csc_array(A)
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"spsolve_triangular: A must be a square matrix but its shape is {A.shape}.")
    right = as_array(b)
    if right.ndim not in (1, 2):
        raise ValueError(f"spsolve_triangular: b must have 1 or 2 dims but its shape is {right.shape}.")
    if right.shape[0] != A.shape[0]:
        raise ValueError(
            "spsolve_triangular: The size of the dimensions of A must be equal to the size of the first "
            f"dimension of b but the shape of A is {A.shape} and the shape of b is {right.shape}."
        )
    matrix = A.tocsc()._canonical()
    if not unit_diagonal and bool((matrix.diagonal() == 0).any()):
        raise np.linalg.LinAlgError("spsolve_triangular: A is singular: zero entry on diagonal.")
    dtype = floating_dtype(np.promote_types(np.promote_types(matrix.dtype, np.float32), right.dtype))
    return solve_triangle(
        matrix.astype(dtype, copy=False), right.astype(dtype), bool(lower), bool(unit_diagonal)
    )


@names_itself
def inv(A: Any) -> Any:
    """Return the inverse of a sparse square matrix, sparse.

    Parameters
    ----------
    A : sparse matrix
        The matrix. Its inverse has, as a rule, few zeros.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import inv
    >>> inv(csc_array(cp.array([[2.0, 0.0], [0.0, 4.0]]))).toarray()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if not issparse(A):
        raise TypeError("inv: Input must be a sparse arrays/matrices")
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"inv: A must be square, got shape {A.shape}")
    maker = eye_array if A._is_array else identity
    return spsolve(A, maker(A.shape[0], dtype=A.dtype, format="csc"))


def is_sptriangular(A: Any) -> tuple[bool, bool]:
    """Return whether a sparse matrix is a lower and whether it is an upper triangle.

    Parameters
    ----------
    A : sparse matrix
        The matrix.

    Returns
    -------
    tuple of bool

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import is_sptriangular
    >>> is_sptriangular(csr_array(cp.array([[1, 0], [1, 1]])))
    (True, False)
    """
    below, above = spbandwidth(A)
    return above == 0, below == 0


def spbandwidth(A: Any) -> tuple[int, int]:
    """Return how far a sparse matrix reaches below and above its diagonal.

    Parameters
    ----------
    A : sparse matrix
        The matrix.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import spbandwidth
    >>> spbandwidth(csr_array(cp.array([[1, 0, 2], [1, 1, 0], [0, 0, 1]])))
    (1, 2)
    """
    matrix: Any = A if issparse(A) else csr_array(A)
    if matrix.format == "dia":
        offset = matrix.offsets
    else:
        coo = matrix.tocoo()
        offset = coo.col.astype(np.int64) - coo.row
    if offset.size == 0:
        return 0, 0
    low, high = cp.stack((offset.min(), offset.max())).tolist()
    return max(0, -low), max(0, high)


def use_solver(**kwargs: Any) -> None:
    """Take SciPy's settings of its direct solvers: there is one here, and it needs none.

    Parameters
    ----------
    useUmfpack, assumeSortedIndices : bool, optional
        Without effect.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import use_solver
    >>> use_solver(useUmfpack=False)
    """
