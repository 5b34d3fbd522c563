"""The module that `import cupyx.scipy.linalg` gives: SciPy's functions, and CuPy's stacks of vectors."""

from __future__ import annotations

from typing import Any as _Any

import cuprum.scipy.linalg as _linalg
from cuprum._convert import as_array as _as_array
from cuprum.scipy.linalg import *  # noqa: F403

__all__ = [*_linalg.__all__]  # noqa: PLE0604


def solve_triangular(  # type: ignore[no-redef]
    a: _Any,
    b: _Any,
    trans: _Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
) -> _Any:
    """Solve ``a @ x = b`` for triangular matrices; `b` of one axis less than a stack `a` has its vectors.

    SciPy and `cuprum.scipy.linalg` read such a `b` as one matrix for all of the stack.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrices; only one triangle is read.
    b : (..., M) or (..., M, N) array_like
        The right sides.
    trans : {0, 1, 2, "N", "T", "C"}, optional
        Solve with the matrix, its transpose, or its conjugate transpose.
    lower : bool, optional
        Read the lower triangle instead of the upper one.
    unit_diagonal : bool, optional
        Take the diagonal as ones, without reading it.
    overwrite_b : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` or `b` is not finite.

    Returns
    -------
    ndarray
        The solutions.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy import linalg
    >>> a = cp.array([[[2.0, 0.0], [1.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]])
    >>> linalg.solve_triangular(a, cp.array([[2.0, 9.0], [5.0, 6.0]]), lower=True)
    array([[1., 2.],
           [5., 6.]])
    """
    a, b = _as_array(a), _as_array(b)
    vectors = a.ndim > 2 and b.shape == a.shape[:-1]
    right = b[..., None] if vectors else b
    x = _linalg.solve_triangular(a, right, trans, lower, unit_diagonal, overwrite_b, check_finite)
    return x[..., 0] if vectors else x


def __getattr__(name: str) -> _Any:
    """Find what is not in the list of names: submodules."""
    # The path above all stays this package's: another would give second copies of modules.
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_linalg, name)


def __dir__() -> list[str]:
    return sorted({*dir(_linalg), *globals()})
