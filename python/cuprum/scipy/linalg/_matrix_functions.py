"""Functions of matrices: exponential, logarithm, roots, and what follows from them.

Stacks of matrices are worked on side by side. How often a matrix is scaled or its root taken follows from
its norm, which is the one number that is read.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import LinAlgError, as_floats
from ._documentation import documented
from ._schur import schur_root
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "coshm",
    "cosm",
    "expm",
    "fractional_matrix_power",
    "logm",
    "signm",
    "sinhm",
    "sinm",
    "sqrtm",
    "tanhm",
    "tanm",
]


def square_matrices(op: str, a: Any) -> ndarray:
    """Return a stack of square matrices of floats."""
    array = _core.array(a, copy=None)
    if array.ndim < 2:
        raise np.linalg.LinAlgError(f"{op}: The input array must be at least two-dimensional")
    if array.shape[-1] != array.shape[-2]:
        raise np.linalg.LinAlgError(
            f"{op}: Last 2 dimensions of the array must be square, got shape {array.shape}"
        )
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    elif array.dtype == np.float16:
        array = array.astype(np.float32)
    return array


# Numerators of the diagonal Pade approximants to the exponential, and up to which norm they are exact to
# rounding.
_EXPONENTIALS = [
    (1.495585217958292e-2, (120.0, 60.0, 12.0, 1.0)),
    (2.539398330063230e-1, (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0)),
    (9.504178996162932e-1, (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0)),
    (
        2.097847961257068e0,
        (
            *(17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0),
            *(2162160.0, 110880.0, 3960.0, 90.0, 1.0),
        ),
    ),
]
_THIRTEEN_MAX_NORM = 5.371920351148152
_THIRTEEN = (
    *(64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0),
    *(
        10559470521600.0,
        670442572800.0,
        33522128640.0,
        1323241920.0,
        40840800.0,
        960960.0,
        16380.0,
        182.0,
        1.0,
    ),
)


def _norm(a: ndarray) -> float:
    """Return the largest 1-norm of a stack of matrices."""
    return float(cp.abs(a).sum(axis=-2).max()) if a.size else 0.0


def _pade(a: ndarray, coefficients: tuple[float, ...]) -> ndarray:
    """Return the quotient of a polynomial and the same of the negative: odd and even powers apart."""
    identity = cp.eye(a.shape[-1], dtype=a.dtype)
    square = a @ a
    power = identity
    odd: Any = 0
    even: Any = 0
    for i in range(0, len(coefficients), 2):
        even = even + coefficients[i] * power
        if i + 1 < len(coefficients):
            odd = odd + coefficients[i + 1] * power
        if i + 2 < len(coefficients):
            power = power @ square
    odd = a @ odd
    return cp.linalg.solve(even - odd, even + odd)


@names_itself
def expm(a: ArrayLike) -> ndarray:
    """Return the exponential of a matrix.

    Parameters
    ----------
    a : (..., N, N) array_like
        The matrix, or a stack of them.

    Returns
    -------
    (..., N, N) ndarray
        The exponential.

    Notes
    -----
    By scaling, a Pade approximant and squaring, after Higham (2005).

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.expm(cp.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    a = square_matrices("expm", a)
    if a.size == 0:
        return a.copy()
    if a.shape[-1] == 1:
        return cp.exp(a)
    norm = _norm(a)
    if not math.isfinite(norm):
        nothing = complex(math.nan, math.nan) if a.dtype.kind == "c" else math.nan
        if a.ndim == 2:
            return cp.full_like(a, nothing)
        is_lost = ~cp.isfinite(cp.abs(a).sum(axis=-2).max(axis=-1))[..., None, None]
        return cp.where(is_lost, nothing, expm(cp.where(is_lost, 0, a))).astype(a.dtype, copy=False)
    for limit, coefficients in _EXPONENTIALS:
        if norm <= limit:
            return _pade(a, coefficients)
    squarings = max(0, math.ceil(math.log2(norm / _THIRTEEN_MAX_NORM))) if norm > _THIRTEEN_MAX_NORM else 0
    result = _pade(a / 2.0**squarings, _THIRTEEN)
    for _ in range(squarings):
        result = result @ result
    return result


@names_itself
@documented
def cosm(A: ArrayLike) -> ndarray:
    """Return the cosine of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The cosine.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.cosm(cp.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    a = square_matrices("cosm", A)
    if a.dtype.kind == "c":
        return 0.5 * (expm(1j * a) + expm(-1j * a))
    return expm(1j * a).real


@names_itself
@documented
def sinm(A: ArrayLike) -> ndarray:
    """Return the sine of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The sine.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.sinm(cp.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    a = square_matrices("sinm", A)
    if a.dtype.kind == "c":
        return -0.5j * (expm(1j * a) - expm(-1j * a))
    return expm(1j * a).imag


@names_itself
@documented
def tanm(A: ArrayLike) -> ndarray:
    """Return the tangent of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The tangent.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.tanm(cp.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    a = square_matrices("tanm", A)
    return cp.linalg.solve(cosm(a), sinm(a))


@names_itself
@documented
def coshm(A: ArrayLike) -> ndarray:
    """Return the hyperbolic cosine of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The hyperbolic cosine.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.coshm(cp.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    a = square_matrices("coshm", A)
    return 0.5 * (expm(a) + expm(-a))


@names_itself
@documented
def sinhm(A: ArrayLike) -> ndarray:
    """Return the hyperbolic sine of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The hyperbolic sine.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.sinhm(cp.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    a = square_matrices("sinhm", A)
    return 0.5 * (expm(a) - expm(-a))


@names_itself
@documented
def tanhm(A: ArrayLike) -> ndarray:
    """Return the hyperbolic tangent of a matrix.

    Parameters
    ----------
    {upper_square}

    Returns
    -------
    (N, N) ndarray
        The hyperbolic tangent.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.tanhm(cp.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    a = square_matrices("tanhm", A)
    return cp.linalg.solve(coshm(a), sinhm(a))


def _has_real_root(a: ndarray) -> bool:
    """Return whether the principal root of a real matrix is real: no eigenvalue lies on the negative axis."""
    values = cp.linalg.eigvals(a)
    scale = cp.abs(values).max()
    return not bool(((values.real < 0) & (cp.abs(values.imag) <= 1e-12 * scale)).any())


def _square_root(op: str, a: ndarray) -> ndarray:
    """Return the principal root of a matrix without eigenvalues on the negative axis: Denman and Beavers.

    The iteration is that of the product form, with scaling by determinants while it is far from its end.
    """
    n = a.shape[-1]
    identity = cp.eye(n, dtype=a.dtype)
    root, product = a, a
    for _ in range(60):
        inverse = cp.linalg.inv(product)
        sign, logarithm = cp.linalg.slogdet(product)
        apart = float(cp.abs(product - identity).sum(axis=-2).max())
        scale = math.exp(-float(logarithm) / (2 * n)) if apart > 1e-2 else 1.0
        squared = scale * scale
        root = 0.5 * scale * (root @ (identity + inverse / squared))
        product = 0.5 * (identity + 0.5 * (squared * product + inverse / squared))
        apart = float(cp.abs(product - identity).sum(axis=-2).max())
        if not math.isfinite(apart):
            break
        if apart <= n * np.finfo(a.dtype).eps * 4:
            return root
    raise np.linalg.LinAlgError(f"{op}: the root of the matrix did not converge")


def _wide(a: ndarray) -> ndarray:
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64, copy=False)


def _principal_root(op: str, a: ndarray) -> ndarray:
    if bool((cp.abs(a - a.conj().T) <= 1e-15 * cp.abs(a).max()).all()):
        values, vectors = cp.linalg.eigh(a)
        if not bool((values >= -1e-14 * cp.abs(values).max()).all()):
            roots = cp.sqrt(values.astype(np.complex128))
        else:
            roots = cp.sqrt(cp.maximum(values, 0))
        return (vectors * roots) @ vectors.conj().T
    if a.dtype.kind != "c" and not _has_real_root(a):
        return schur_root(a)
    try:
        return _square_root(op, a)
    except np.linalg.LinAlgError:
        # Eigenvalues at zero or on the negative axis.
        root = schur_root(a)
    return root.real.copy() if a.dtype.kind != "c" else root


@names_itself
def sqrtm(A: ArrayLike) -> ndarray:
    """Return the principal square root of a matrix.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix.

    Returns
    -------
    (N, N) ndarray
        The root, complex where it is not real; with infinities where a singular matrix has none.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.sqrtm(cp.array([[4.0, 0.0], [0.0, 9.0]])).round(6)
    array([[2., 0.],
           [0., 3.]])
    """
    a = square_matrices("sqrtm", A)
    if a.ndim > 2:
        rows = [sqrtm(part) for part in a.reshape(-1, *a.shape[-2:])]
        return cp.stack(rows).reshape(a.shape)
    if a.size == 0:
        return a.copy()
    result = _principal_root("sqrtm", _wide(a))
    if a.dtype in (np.float32, np.complex64):
        return result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return result


@over_stacks(A=2)
@names_itself
def logm(A: ArrayLike) -> ndarray:
    """Return the principal logarithm of a matrix.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix, without eigenvalues that are zero.

    Returns
    -------
    (N, N) ndarray
        The logarithm, complex where it is not real.

    Raises
    ------
    LinAlgError
        Where the iteration finds no root of the matrix.

    Notes
    -----
    Roots are taken until the matrix is near the identity, and the logarithm of that by Gauss's quadrature of
    its integral, which is a Pade approximant.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.logm(cp.eye(2))
    array([[0., 0.],
           [0., 0.]])
    """
    a = square_matrices("logm", A)
    if a.ndim != 2:
        raise ValueError(f"logm: expected a square matrix, got shape {a.shape}")
    if a.size == 0:
        return a.copy()
    single = a.dtype in (np.float32, np.complex64)
    root, roots = _wide(a), 0
    if root.dtype.kind != "c" and not _has_real_root(root):
        root, roots = schur_root(root), 1
    identity = cp.eye(a.shape[0], dtype=root.dtype)
    while _norm(root - identity) > 0.25 and roots < 100:
        root = _principal_root("logm", root) if roots == 0 else _square_root("logm", root)
        roots += 1
    nodes, weights = np.polynomial.legendre.leggauss(8)
    apart = root - identity
    result = sum(
        0.5 * weight * cp.linalg.solve(identity + 0.5 * (node + 1) * apart, apart)
        for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True)
    )
    result = result * 2.0**roots
    if single:
        answer: ndarray = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
        return answer
    made: ndarray = result
    return made


@over_stacks(A=2)
@names_itself
def signm(A: ArrayLike) -> ndarray:
    """Compute the sign of a matrix: its eigenvalues become the signs of their real parts.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix, without eigenvalues on the imaginary axis.

    Returns
    -------
    ndarray
        The sign.

    Raises
    ------
    LinAlgError
        Where an eigenvalue lies on the imaginary axis.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.signm(cp.array([[2.0, 1.0], [0.0, -3.0]])).round(6)
    array([[ 1. ,  0.4],
           [ 0. , -1. ]])
    """
    x = as_floats("signm", A, True, square=True)
    small = np.finfo(x.dtype).eps
    # Newton's iteration, scaled by the determinant, which converges quadratically.
    for step in range(100):
        other = cp.linalg.inv(x)
        scale = 1.0
        if step < 20:
            scale = float(cp.exp(-cp.linalg.slogdet(x)[1] / x.shape[0]))
            scale = 1.0 if abs(scale - 1) < 1e-2 else scale
        after = 0.5 * (scale * x + other / scale)
        if not bool(cp.isfinite(after).all()):
            break
        moved = float(cp.linalg.norm(after - x, 1))
        x = after
        if moved <= x.shape[0] * small * float(cp.linalg.norm(x, 1)):
            return x
    raise LinAlgError("signm: the matrix has an eigenvalue on the imaginary axis, or next to it")


@names_itself
def fractional_matrix_power(A: ArrayLike, t: float) -> ndarray:
    """Compute a power of a matrix.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix; without eigenvalues that are zero or negative unless `t` is whole.
    t : float
        The exponent.

    Returns
    -------
    ndarray
        The power.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.fractional_matrix_power(cp.array([[4.0, 0.0], [0.0, 9.0]]), 0.5).round(6)
    array([[2., 0.],
           [0., 3.]])
    """
    from ._matrix_functions import expm

    matrix = as_floats("fractional_matrix_power", A, True, square=True)
    whole = int(np.floor(t))
    rest = t - whole
    result = cp.linalg.matrix_power(matrix, whole)
    if rest == 0:
        return result
    if rest == 0.5:
        return result @ sqrtm(matrix)
    return result @ expm(rest * logm(matrix))
