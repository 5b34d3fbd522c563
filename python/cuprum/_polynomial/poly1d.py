"""Polynomials by their coefficients, the highest power first."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.fill import zeros_like
from .._creation.ranges import arange
from .._dtypes import kind_of
from .._errors import names_itself
from .._logic.comparison import allclose
from .._ufuncs import add, conjugate, divide, multiply, subtract

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
]


class poly1d:  # noqa: N801 - NumPy's name
    """A polynomial of one variable that can be added, multiplied, divided, and called.

    Parameters
    ----------
    c_or_r : array_like
        The coefficients, the highest power first, or the roots.
    r : bool, optional
        Whether roots were given.
    variable : str, optional
        The name of the variable when printed.

    Examples
    --------
    >>> p = cp.poly1d([1, 2, 3])
    >>> p(0.5)
    array(4.25)
    >>> (p * p).coeffs
    array([ 1,  4, 10, 12,  9])
    >>> print(p)
       2
    1 x + 2 x + 3
    """

    __hash__ = None  # type: ignore[assignment]

    _coeffs: ndarray
    _variable: str

    def __init__(self, c_or_r: Any, r: Any = False, variable: Any = None) -> None:
        if isinstance(c_or_r, poly1d):
            self._coeffs, name = c_or_r._coeffs, c_or_r._variable
        else:
            coefficients = _coefficients(poly(c_or_r) if r else c_or_r)
            if coefficients.ndim > 1:
                raise ValueError(f"poly1d: polynomial must be 1d only, got shape {coefficients.shape}")
            self._coeffs, name = _without_leading_zeros(coefficients), "x"
        self._variable = name if variable is None else variable

    def get(self, stream: Any = None, order: Literal["C", "F", "A"] = "C", out: Any = None) -> Any:
        """Return the polynomial as one of NumPy's.

        Parameters
        ----------
        stream : cuprum.cuda.Stream, optional
            The stream to copy in.
        order : {'C', 'F', 'A'}, optional
            The order of the coefficients in memory.
        out : numpy.poly1d, optional
            A polynomial of as many coefficients, which gets them.

        Returns
        -------
        numpy.poly1d
            The polynomial.

        Examples
        --------
        >>> cp.poly1d([1, 2, 3]).get()
        poly1d([1, 2, 3])
        """
        if out is None:
            return np.poly1d(self._coeffs.get(stream=stream, order=order), variable=self._variable)
        self._coeffs.get(stream=stream, order=order, out=out.coeffs)
        return out

    def set(self, polyin: Any, stream: Any = None) -> None:
        """Take the coefficients and the variable of a polynomial of NumPy's.

        Parameters
        ----------
        polyin : numpy.poly1d
            The polynomial.
        stream : cuprum.cuda.Stream, optional
            The stream to copy in.

        Examples
        --------
        >>> p = cp.poly1d([1, 2, 3])
        >>> p.set(np.poly1d([4, 5]))
        >>> p
        poly1d([4, 5])
        """
        if not isinstance(polyin, np.poly1d):
            raise TypeError(f"poly1d: set takes a numpy.poly1d, got {type(polyin).__name__}")
        self._variable = polyin.variable
        self._coeffs = _core.array(polyin.coeffs)

    @property
    def coeffs(self) -> ndarray:
        """The coefficients, the highest power first."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value: ndarray) -> None:
        # `p.coeffs *= 2` assigns what it changed in place.
        if value is not self._coeffs:
            raise AttributeError("poly1d: coeffs cannot be replaced, only changed in place")

    @property
    def order(self) -> int:
        """The highest power."""
        return len(self._coeffs) - 1

    @property
    def roots(self) -> ndarray:
        """Where the polynomial is zero."""
        return roots(self._coeffs)

    @property
    def variable(self) -> str:
        """The name of the variable."""
        return self._variable

    c = coef = coefficients = coeffs
    o = order
    r = roots

    def __call__(self, val: Any) -> Any:
        return polyval(self._coeffs, val)

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Any:
        return iter(self._coeffs)

    def __cupy_get_ndarray__(self) -> ndarray:
        """Return the coefficients, which an array is computed with, as NumPy's are."""
        return self._coeffs

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return self._coeffs.__array_ufunc__(function, method, *inputs, **keywords)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self._coeffs.get(), dtype)

    def __repr__(self) -> str:
        return f"poly1d({repr(self._coeffs)[6:-1]})"

    def __str__(self) -> str:
        return str(np.poly1d(self._coeffs.get(), variable=self._variable))

    def __neg__(self) -> poly1d:
        return poly1d(-self._coeffs)

    def __pos__(self) -> poly1d:
        return self

    def __add__(self, other: Any) -> poly1d:
        result: poly1d = polyadd(self, other)
        return result

    __radd__ = __add__

    def __sub__(self, other: Any) -> poly1d:
        result: poly1d = polysub(self, other)
        return result

    def __rsub__(self, other: Any) -> poly1d:
        result: poly1d = polysub(other, self)
        return result

    def __mul__(self, other: Any) -> poly1d:
        return poly1d(self._coeffs * other) if np.isscalar(other) else polymul(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return poly1d(self._coeffs / other) if np.isscalar(other) else polydiv(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return poly1d(other / self._coeffs) if np.isscalar(other) else polydiv(other, self)

    def __pow__(self, val: Any) -> poly1d:
        power: Any = val
        if not np.isscalar(val) or int(power) != power or power < 0:
            raise ValueError(f"poly1d: power to non-negative integers only, got {val!r}")
        result = poly1d([1])
        for _ in range(operator.index(power)):
            result = polymul(self, result)
        return result

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, poly1d):
            return NotImplemented
        if self._coeffs.shape != other._coeffs.shape:
            return False
        return bool((self._coeffs == other._coeffs).all())

    def __getitem__(self, power: int) -> ndarray:
        if not 0 <= power <= self.order:
            return _core.zeros((), self._coeffs.dtype, "C")
        return self._coeffs[self.order - power]

    def __setitem__(self, power: int, value: Any) -> None:
        if power < 0:
            raise ValueError(f"poly1d: negative powers are not supported, got {power}")
        missing = power - self.order
        if missing > 0:
            zeros = _core.zeros((missing,), self._coeffs.dtype, "C")
            self._coeffs = _core.concatenate([zeros, self._coeffs], 0)
        self._coeffs[self.order - power] = value

    def deriv(self, m: int = 1) -> poly1d:
        """Return a derivative.

        Examples
        --------
        >>> cp.poly1d([1, 2, 3]).deriv()
        poly1d([2, 2])
        """
        derivative: poly1d = polyder(self, m)
        return derivative

    def integ(self, m: int = 1, k: Any = 0) -> poly1d:
        """Return an antiderivative.

        Examples
        --------
        >>> cp.poly1d([6, 2]).integ()
        poly1d([3., 2., 0.])
        """
        antiderivative: poly1d = polyint(self, m, k)
        return antiderivative


def _like(result: ndarray, *operands: Any) -> Any:
    """Return a polynomial object where an operand was one."""
    return poly1d(result) if any(isinstance(one, poly1d) for one in operands) else result


def _coefficients(p: Any) -> ndarray:
    """Return coefficients as an array of at least one dimension."""
    coefficients = p.coeffs if isinstance(p, poly1d) else as_array(p)
    return coefficients.reshape(1) if coefficients.ndim == 0 else coefficients


def _without_leading_zeros(p: ndarray) -> ndarray:
    """Return coefficients from the first that is not zero on; a single zero where all are."""
    places = _core.nonzero(p)[0]
    return p[int(places[0].item()) :] if places.size else _core.zeros((1,), p.dtype, "C")


def _aligned(a1: Any, a2: Any) -> tuple[ndarray, ndarray]:
    """Return two polynomials with as many coefficients each."""
    a1, a2 = _coefficients(a1), _coefficients(a2)
    length = max(len(a1), len(a2))

    def widened(a: ndarray) -> ndarray:
        if len(a) == length:
            return a
        return _core.concatenate([_core.zeros((length - len(a),), a.dtype, "C"), a], 0)

    return widened(a1), widened(a2)


@names_itself
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Any:
    """Return the sum of two polynomials.

    Parameters
    ----------
    a1, a2 : array_like
        Coefficients, the highest power first.

    Returns
    -------
    ndarray
        The coefficients of the sum.

    Examples
    --------
    >>> cp.polyadd([1, 2], [9, 5, 4])
    array([9, 6, 6])
    """
    return _like(add(*_aligned(a1, a2)), a1, a2)


@names_itself
def polysub(a1: ArrayLike, a2: ArrayLike) -> Any:
    """Return the difference of two polynomials.

    Parameters
    ----------
    a1, a2 : array_like
        Coefficients, the highest power first.

    Returns
    -------
    ndarray
        The coefficients of the difference.

    Examples
    --------
    >>> cp.polysub([2, 10, -2], [3, 10, -4])
    array([-1,  0,  2])
    """
    return _like(subtract(*_aligned(a1, a2)), a1, a2)


def _product(a: ndarray, b: ndarray) -> ndarray:
    """Return the coefficients of a product: the sums along the antidiagonals of the table of all products."""
    if len(a) < len(b):
        a, b = b, a
    table = multiply(b[:, None], a)
    width = len(a) + len(b)
    wide = _core.zeros((len(b), width), table.dtype, "C")
    wide[:, : len(a)] = table
    # Without the last zero of each row but the last, row i begins i places further to the right.
    shifted = wide.ravel()[: len(b) * (width - 1)].reshape((len(b), width - 1))
    return shifted.sum(axis=0, dtype=table.dtype)


def polymul(a1: ArrayLike, a2: ArrayLike) -> Any:
    """Return the product of two polynomials.

    Parameters
    ----------
    a1, a2 : array_like
        Coefficients, the highest power first.

    Returns
    -------
    ndarray
        The coefficients of the product, the first of them not zero.

    Examples
    --------
    >>> cp.polymul([1, 2, 3], [9, 5, 1])
    array([ 9, 23, 38, 17,  3])
    """
    first, second = (_without_leading_zeros(_coefficients(a)) for a in (a1, a2))
    return _like(_product(first, second), a1, a2)


@names_itself
def polydiv(u: ArrayLike, v: ArrayLike) -> tuple[Any, Any]:
    """Divide a polynomial by another.

    Parameters
    ----------
    u, v : array_like
        Coefficients of the dividend and of the divisor, the highest power first.

    Returns
    -------
    q, r : ndarray
        The coefficients of the quotient and of the remainder.

    Examples
    --------
    >>> cp.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    (array([1.5 , 1.75]), array([0.25]))
    """
    dividend, divisor = _coefficients(u) + 0.0, _coefficients(v) + 0.0
    dtype = _core.result_type(dividend, divisor)
    steps, width = max(len(dividend) - len(divisor) + 1, 0), len(divisor)
    quotient = _core.zeros((max(steps, 1),), dtype, "C")
    rest = dividend.astype(dtype)
    scale = 1.0 / divisor[0]
    for step in range(steps):
        factor = scale * rest[step]
        quotient[step] = factor
        rest[step : step + width] -= factor * divisor
    while len(rest) > 1 and allclose(rest[0], 0, rtol=1e-14):
        rest = rest[1:]
    return _like(quotient, u, v), _like(rest, u, v)


@names_itself
def polyder(p: ArrayLike, m: SupportsIndex = 1) -> Any:
    """Return a derivative of a polynomial.

    Parameters
    ----------
    p : array_like
        Coefficients, the highest power first.
    m : int, optional
        How many times to differentiate.

    Returns
    -------
    ndarray
        The coefficients of the derivative.

    Examples
    --------
    >>> cp.polyder([1, 1, 1, 1])
    array([3, 2, 1])
    """
    result, m = _coefficients(p), int(m)
    if m < 0:
        raise ValueError(f"polyder: order of derivative must be positive (see polyint), got {m}")
    for _ in range(m):
        result = result[:-1] * arange(len(result) - 1, 0, -1)
    return _like(result, p)


@names_itself
def polyint(p: ArrayLike, m: SupportsIndex = 1, k: ArrayLike | None = None) -> Any:
    """Return an antiderivative of a polynomial.

    Parameters
    ----------
    p : array_like
        Coefficients, the highest power first.
    m : int, optional
        How many times to integrate.
    k : array_like, optional
        The constants of integration, one for each time; zeros when None.

    Returns
    -------
    ndarray
        The coefficients of the antiderivative.

    Examples
    --------
    >>> cp.polyint([3, 2, 1])
    array([1., 1., 1., 0.])
    """
    result, m = _coefficients(p), int(m)
    if m < 0:
        raise ValueError(f"polyint: order of integral must be positive (see polyder), got {m}")
    if m == 0:
        return _like(result, p) if isinstance(p, poly1d) else as_array(p)
    constants = _core.zeros((m,), "f8", "C") if k is None else _coefficients(k)
    if len(constants) == 1 and m > 1:
        constants = _core.broadcast_to(constants * 1.0, (m,))
    if len(constants) < m:
        raise ValueError(
            f"polyint: k must be a scalar or a rank-1 array of length 1 or >m, got length {len(constants)}"
        )
    for time in range(m):
        divided = divide(result, arange(len(result), 0, -1))
        result = _core.concatenate([divided, constants[time : time + 1]], 0)
    return _like(result, p)


@names_itself
def polyval(p: ArrayLike, x: ArrayLike) -> Any:
    """Evaluate a polynomial.

    Parameters
    ----------
    p : array_like
        Coefficients, the highest power first.
    x : array_like
        Where to evaluate.

    Returns
    -------
    ndarray
        The values, by Horner's rule.

    Examples
    --------
    >>> cp.polyval([3, 0, 1], cp.array([0, 1, 5]))
    array([ 1,  4, 76])
    """
    if not isinstance(p, poly1d) and as_array(p).ndim == 0:
        raise TypeError("polyval: the coefficients must have a dimension, got a single number")
    p = _coefficients(p)
    if isinstance(x, poly1d):
        result: Any = 0
    else:
        x = as_array(x)
        result = zeros_like(x)
    for coefficient in p:
        result = result * x + coefficient
    return result


def poly(seq_of_zeros: ArrayLike) -> Any:
    """Return the polynomial with given roots, its first coefficient one.

    Parameters
    ----------
    seq_of_zeros : array_like
        The roots, in one dimension; or a square matrix, whose eigenvalues are the roots.

    Returns
    -------
    ndarray
        Coefficients, the highest power first; real where the roots come in conjugate pairs.

    Examples
    --------
    >>> cp.poly([-1.0, 1.0, 2.0])
    array([ 1., -2., -1.,  2.])
    """
    zeros = _coefficients(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] != 0:
        from ..linalg import eigvals

        zeros = eigvals(zeros)
    elif zeros.ndim != 1:
        raise ValueError(f"poly: input must be 1d or non-empty square 2d array, got shape {zeros.shape}")
    elif kind_of(zeros.dtype) in "biu" or zeros.dtype == np.float16:
        zeros = zeros.astype(float)
    if len(zeros) == 0:
        return 1.0
    one = _core.ones((1,), zeros.dtype, "C")
    result = one
    for zero in zeros:
        result = _product(result, _core.concatenate([one, -zero.reshape(1)], 0))
    if kind_of(zeros.dtype) == "c":
        pairs = _core.sort(zeros.astype(complex), -1) == _core.sort(conjugate(zeros.astype(complex)), -1)
        if pairs.all():
            result = result.real.copy()
    return result


def roots(p: ArrayLike) -> ndarray:
    """Return the roots of a polynomial: the eigenvalues of its companion matrix.

    Parameters
    ----------
    p : array_like
        Coefficients, the highest power first.

    Returns
    -------
    ndarray
        The roots, those at zero last; real where the coefficients and all roots are.

    Examples
    --------
    >>> cp.roots([1.0, -3.0, 2.0])
    array([2., 1.])
    """
    from ..linalg import eigvals

    p = _coefficients(p)
    if p.ndim != 1:
        raise ValueError(f"roots: input must be a rank-1 array, got shape {p.shape}")
    places = _core.nonzero(p)[0]
    if places.size == 0:
        return _core.empty((0,), "f8", "C")
    first, last = places[0].item(), places[-1].item()
    at_zero = len(p) - last - 1
    p = p[first : last + 1]
    if kind_of(p.dtype) not in "fc":
        p = p.astype(float)
    if len(p) == 1:
        found = _core.empty((0,), "f8", "C")
    else:
        companion = _core.zeros((len(p) - 1, len(p) - 1), p.dtype, "C")
        companion[1:, :-1] = _core.eye(len(p) - 2, dtype=p.dtype)
        companion[0] = -p[1:] / p[0]
        found = eigvals(companion)
        if kind_of(p.dtype) == "f" and not found.imag.any():
            found = found.real.copy()
    return _core.concatenate([found, _core.zeros((at_zero,), found.dtype, "C")], 0)
