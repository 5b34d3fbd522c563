"""Norms of matrices, and whether they are their own transposes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["ishermitian", "issymmetric", "norm"]


@names_itself
@documented
def norm(
    a: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True
) -> ndarray:
    """Compute a norm of a vector or matrix.

    Parameters
    ----------
    a : array_like
        The vector or matrix.
    ord, axis, keepdims : optional
        As for `cuprum.linalg.norm`.
    {finite_a}

    Returns
    -------
    ndarray
        The norm.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.norm(cp.array([3.0, 4.0]))
    array(5.)
    """
    array = as_array(a)
    if check_finite and array.dtype.kind in "fc" and not bool(cp.isfinite(array).all()):
        raise ValueError("norm: array must not contain infs or NaNs")
    return cp.linalg.norm(array, ord=ord, axis=axis, keepdims=keepdims)


def _mirrors(op: str, a: Any, other: Any, atol: Any, rtol: Any) -> bool:
    array = as_array(a)
    if array.ndim != 2:
        raise ValueError(f"{op}: expected a matrix, got shape {array.shape}")
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{op}: expected a square matrix, got shape {array.shape}")
    if atol is None and rtol is None:
        return bool((array == other(array)).all())
    return bool(cp.allclose(array, other(array), atol=atol or 0.0, rtol=rtol or 0.0))


@over_stacks(a=2)
@names_itself
@documented
def issymmetric(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Return whether a matrix is its transpose.

    Parameters
    ----------
    {square}
    {apart}

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.issymmetric(cp.eye(2))
    True
    """
    return _mirrors("issymmetric", a, lambda x: x.T, atol, rtol)


@over_stacks(a=2)
@names_itself
@documented
def ishermitian(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Return whether a matrix is its conjugate transpose.

    Parameters
    ----------
    {square}
    {apart}

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.ishermitian(cp.array([[1, 1j], [-1j, 1]]))
    True
    """
    return _mirrors("ishermitian", a, lambda x: x.conj().T, atol, rtol)
