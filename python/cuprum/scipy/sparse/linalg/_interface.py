"""Linear operators: what a solver needs of a matrix, as products with vectors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from .._base import is_scalar, issparse
from .._coo import from_scipy, is_of_scipy

__all__ = ["LinearOperator", "aslinearoperator"]


def _as_shape(shape: Any) -> tuple[int, int]:
    sizes = tuple(shape)
    whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 0 for n in sizes)
    if len(sizes) != 2 or not whole:
        raise ValueError(f"invalid shape {shape!r} (must be 2-d)")
    return int(sizes[0]), int(sizes[1])


class LinearOperator:
    """A matrix that is given by its products with vectors.

    Made of functions, or derived from: a class of one's own calls ``super().__init__(dtype, shape)`` and has
    a method `_matvec` or `_matmat`, and `_rmatvec` or `_adjoint` where solvers need them.

    Parameters
    ----------
    shape : tuple of int
        The shape of the matrix.
    matvec : callable
        Returns the product with a vector.
    rmatvec : callable, optional
        Returns the product of the conjugate transpose with a vector.
    matmat : callable, optional
        Returns the product with a matrix.
    dtype : dtype, optional
        The dtype of the elements; by default that of the product with zeros.
    rmatmat : callable, optional
        Returns the product of the conjugate transpose with a matrix.

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import LinearOperator
    >>> twice = LinearOperator((2, 2), matvec=lambda v: 2 * v, dtype="float64")
    >>> twice @ cp.ones(2)
    array([2., 2.])
    >>> (twice + twice).matvec(cp.ones(2))
    array([4., 4.])
    """

    ndim = 2
    # Operators of arrays leave it to the operator what happens.
    __array_ufunc__ = None
    __array_priority__ = 10.2

    dtype: Any
    shape: tuple[int, int]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is LinearOperator:
            return super().__new__(_CustomLinearOperator)
        return super().__new__(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._init_base(*args, **kwargs)

    def _init_base(self, dtype: Any, shape: Any) -> None:
        self.dtype = None if dtype is None else np.dtype(dtype)
        self.shape = _as_shape(shape)

    def _init_dtype(self) -> None:
        """Take the dtype of a product where none was given."""
        if self.dtype is None:
            self.dtype = np.dtype(as_array(self.matvec(cp.zeros(self.shape[1], np.int8))).dtype)

    # What a class of one's own writes: one of the first two, and one of the last three where it is needed.

    def _matvec(self, x: ndarray) -> Any:
        return self.matmat(x.reshape(-1, 1))

    def _matmat(self, X: ndarray) -> Any:
        return cp.stack([self.matvec(X[:, j]) for j in range(X.shape[1])], axis=1)

    def _rmatvec(self, x: ndarray) -> Any:
        if type(self)._adjoint is LinearOperator._adjoint:
            if type(self)._rmatmat is not LinearOperator._rmatmat:
                return self._rmatmat(x.reshape(-1, 1)).reshape(-1)
            raise NotImplementedError("rmatvec is not defined")
        return self.H.matvec(x)

    def _rmatmat(self, X: ndarray) -> Any:
        if type(self)._adjoint is LinearOperator._adjoint:
            return cp.stack([self.rmatvec(X[:, j]) for j in range(X.shape[1])], axis=1)
        return self.H.matmat(X)

    def _adjoint(self) -> Any:
        return _Adjoint(self)

    def _transpose(self) -> Any:
        return _Transpose(self)

    # Products

    def _vector(self, op: str, x: Any, length: int) -> ndarray:
        vector = as_array(x)
        if vector.shape not in ((length,), (length, 1)):
            raise ValueError(f"dimension mismatch: operator of shape {self.shape}, vector of {vector.shape}")
        if vector.ndim == 2:
            warnings.warn(
                f"Calling `{op}` on 'column vectors' of shape `({length}, 1)` is deprecated, as in SciPy "
                f"1.18: call `{op.replace('vec', 'mat')}` instead",
                FutureWarning,
                stacklevel=3,
            )
        return vector

    def _columns(self, x: Any, length: int) -> Any:
        x = x if issparse(x) else as_array(x)
        if x.ndim != 2:
            raise ValueError(f"expected 2-d ndarray or matrix, not {x.ndim}-d")
        if x.shape[0] != length:
            raise ValueError(f"dimension mismatch: operator of shape {self.shape}, matrix of {x.shape}")
        return x

    def matvec(self, x: Any) -> ndarray:
        """Return the product with a vector of shape ``(n,)`` or ``(n, 1)``."""
        x = self._vector("matvec", x, self.shape[1])
        y = as_array(self._matvec(x if x.ndim == 1 else x.reshape(-1)))
        shape = self.shape[:1] if x.ndim == 1 else (self.shape[0], 1)
        return y if y.shape == shape else y.reshape(shape)

    def rmatvec(self, x: Any) -> ndarray:
        """Return the product of the conjugate transpose with a vector.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.rmatvec(cp.ones(2))
        array([1., 3.])
        """
        x = self._vector("rmatvec", x, self.shape[0])
        y = as_array(self._rmatvec(x if x.ndim == 1 else x.reshape(-1)))
        shape = self.shape[1:] if x.ndim == 1 else (self.shape[1], 1)
        return y if y.shape == shape else y.reshape(shape)

    def matmat(self, X: Any) -> Any:
        """Return the product with a matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.matmat(cp.eye(2))
        array([[1., 2.],
               [0., 1.]])
        """
        return self._matmat(self._columns(X, self.shape[1]))

    def rmatmat(self, X: Any) -> Any:
        """Return the product of the conjugate transpose with a matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.rmatmat(cp.eye(2))
        array([[1., 0.],
               [2., 1.]])
        """
        return self._rmatmat(self._columns(X, self.shape[0]))

    def dot(self, x: Any) -> Any:
        """Return the product with an operator, a number, a vector or a matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.dot(cp.ones(2))
        array([3., 1.])
        """
        if isinstance(x, LinearOperator):
            return _Product(self, x)
        if is_scalar(x):
            return _Scaled(self, x)
        x = x if issparse(x) else as_array(x)
        if x.ndim == 1:
            return self.matvec(x)
        if x.ndim == 2:
            return self.matmat(x)
        raise ValueError(f"expected 1-d or 2-d array or matrix, got {x.ndim}-d")

    def __call__(self, x: Any) -> Any:
        return self @ x

    def __mul__(self, x: Any) -> Any:
        return self.dot(x)

    def __truediv__(self, other: Any) -> Any:
        if not is_scalar(other):
            raise ValueError("Can only divide a linear operator by a scalar.")
        return _Scaled(self, 1.0 / other)

    def __matmul__(self, other: Any) -> Any:
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self.dot(other)

    def __rmatmul__(self, other: Any) -> Any:
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._rdot(other)

    def __rmul__(self, x: Any) -> Any:
        return _Scaled(self, x) if is_scalar(x) else self._rdot(x)

    def _rdot(self, x: Any) -> Any:
        if isinstance(x, LinearOperator):
            return _Product(x, self)
        x = as_array(x)
        if x.ndim == 1:
            return self.T.matvec(x)
        if x.ndim == 2:
            return self.T.matmat(x.T).T
        raise ValueError(f"expected 1-d or 2-d array or matrix, got {x.ndim}-d")

    def __pow__(self, p: Any) -> Any:
        return _Power(self, p) if is_scalar(p) else NotImplemented

    def __add__(self, x: Any) -> Any:
        return _Sum(self, x) if isinstance(x, LinearOperator) else NotImplemented

    def __neg__(self) -> Any:
        return _Scaled(self, -1)

    def __sub__(self, x: Any) -> Any:
        return self.__add__(-x)

    def __repr__(self) -> str:
        rows, columns = self.shape
        dtype = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        return f"<{rows}x{columns} {type(self).__name__.lstrip('_')} with {dtype}>"

    def adjoint(self) -> Any:
        """Return the conjugate transpose.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.adjoint().matvec(cp.ones(2))
        array([1., 3.])
        """
        return self._adjoint()

    def transpose(self) -> Any:
        """Return the transpose.

        Examples
        --------
        >>> from cuprum.scipy.sparse.linalg import aslinearoperator
        >>> a = aslinearoperator(cp.asarray([[1.0, 2.0], [0.0, 1.0]]))
        >>> a.transpose().matvec(cp.ones(2))
        array([1., 3.])
        """
        return self._transpose()

    @property
    def H(self) -> Any:
        """The conjugate transpose."""
        return self.adjoint()

    @property
    def T(self) -> Any:
        """The transpose."""
        return self.transpose()


class _CustomLinearOperator(LinearOperator):
    """An operator of functions."""

    def __init__(
        self,
        shape: Any,
        matvec: Callable[[ndarray], Any],
        rmatvec: Callable[[ndarray], Any] | None = None,
        matmat: Callable[[ndarray], Any] | None = None,
        dtype: Any = None,
        rmatmat: Callable[[ndarray], Any] | None = None,
    ) -> None:
        super().__init__(dtype, shape)
        self.args = ()
        self._functions = (matvec, rmatvec, matmat, rmatmat)
        self._init_dtype()

    def _matmat(self, X: ndarray) -> Any:
        function = self._functions[2]
        return super()._matmat(X) if function is None else function(X)

    def _matvec(self, x: ndarray) -> Any:
        return self._functions[0](x)

    def _rmatvec(self, x: ndarray) -> Any:
        function = self._functions[1]
        if function is None:
            raise NotImplementedError("rmatvec is not defined")
        return function(x)

    def _rmatmat(self, X: ndarray) -> Any:
        function = self._functions[3]
        return super()._rmatmat(X) if function is None else function(X)

    def _adjoint(self) -> Any:
        matvec, rmatvec, matmat, rmatmat = self._functions
        if rmatvec is None:
            return _Adjoint(self)
        shape = (self.shape[1], self.shape[0])
        return _CustomLinearOperator(shape, rmatvec, matvec, rmatmat, self.dtype, matmat)


class _Turned(LinearOperator):
    """An operator whose rows are the columns of another."""

    def __init__(self, A: Any) -> None:
        super().__init__(A.dtype, (A.shape[1], A.shape[0]))
        self.A, self.args = A, (A,)


class _Adjoint(_Turned):
    def _matvec(self, x: ndarray) -> Any:
        return self.A._rmatvec(x)

    def _rmatvec(self, x: ndarray) -> Any:
        return self.A._matvec(x)

    def _matmat(self, X: ndarray) -> Any:
        return self.A._rmatmat(X)

    def _rmatmat(self, X: ndarray) -> Any:
        return self.A._matmat(X)

    def _adjoint(self) -> Any:
        return self.A


class _Transpose(_Turned):
    """The transpose, by conjugates around the conjugate transpose."""

    def _matvec(self, x: ndarray) -> Any:
        return cp.conj(as_array(self.A._rmatvec(cp.conj(x))))

    def _rmatvec(self, x: ndarray) -> Any:
        return cp.conj(as_array(self.A._matvec(cp.conj(x))))

    def _matmat(self, X: ndarray) -> Any:
        return cp.conj(as_array(self.A._rmatmat(cp.conj(X))))

    def _rmatmat(self, X: ndarray) -> Any:
        return cp.conj(as_array(self.A._matmat(cp.conj(X))))


def _common_dtype(operators: tuple[Any, ...], scalars: tuple[Any, ...] = ()) -> np.dtype[Any]:
    found = [one.dtype for one in operators if one is not None and one.dtype is not None]
    numbers = [one.dtype if hasattr(one, "dtype") else one for one in scalars]
    return np.dtype(np.result_type(*found, *numbers))


class _Sum(LinearOperator):
    def __init__(self, A: Any, B: Any) -> None:
        if A.shape != B.shape:
            raise ValueError(f"cannot add {A} and {B}: shape mismatch")
        super().__init__(_common_dtype((A, B)), A.shape)
        self.args = (A, B)

    def _matvec(self, x: ndarray) -> Any:
        return self.args[0].matvec(x) + self.args[1].matvec(x)

    def _rmatvec(self, x: ndarray) -> Any:
        return self.args[0].rmatvec(x) + self.args[1].rmatvec(x)

    def _matmat(self, X: ndarray) -> Any:
        return self.args[0].matmat(X) + self.args[1].matmat(X)

    def _rmatmat(self, X: ndarray) -> Any:
        return self.args[0].rmatmat(X) + self.args[1].rmatmat(X)

    def _adjoint(self) -> Any:
        return self.args[0].H + self.args[1].H


class _Product(LinearOperator):
    def __init__(self, A: Any, B: Any) -> None:
        if A.shape[1] != B.shape[0]:
            raise ValueError(f"cannot multiply {A} and {B}: shape mismatch")
        super().__init__(_common_dtype((A, B)), (A.shape[0], B.shape[1]))
        self.args = (A, B)

    def _matvec(self, x: ndarray) -> Any:
        return self.args[0].matvec(self.args[1].matvec(x))

    def _rmatvec(self, x: ndarray) -> Any:
        return self.args[1].rmatvec(self.args[0].rmatvec(x))

    def _matmat(self, X: ndarray) -> Any:
        return self.args[0].matmat(self.args[1].matmat(X))

    def _rmatmat(self, X: ndarray) -> Any:
        return self.args[1].rmatmat(self.args[0].rmatmat(X))

    def _adjoint(self) -> Any:
        return self.args[1].H @ self.args[0].H


class _Scaled(LinearOperator):
    def __init__(self, A: Any, alpha: Any) -> None:
        super().__init__(_common_dtype((A,), (alpha,)), A.shape)
        self.args = (A, alpha)

    def _matvec(self, x: ndarray) -> Any:
        return self.args[1] * self.args[0].matvec(x)

    def _rmatvec(self, x: ndarray) -> Any:
        return np.conj(self.args[1]) * self.args[0].rmatvec(x)

    def _matmat(self, X: ndarray) -> Any:
        return self.args[1] * self.args[0].matmat(X)

    def _rmatmat(self, X: ndarray) -> Any:
        return np.conj(self.args[1]) * self.args[0].rmatmat(X)

    def _adjoint(self) -> Any:
        return self.args[0].H * np.conj(self.args[1])


class _Power(LinearOperator):
    def __init__(self, A: Any, p: Any) -> None:
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"square LinearOperator expected, got {A!r}")
        if not isinstance(p, (int, np.integer)) or p < 0:
            raise ValueError(f"non-negative integer expected as p, got {p!r}")
        super().__init__(_common_dtype((A,)), A.shape)
        self.args = (A, p)

    def _repeated(self, function: Callable[[Any], Any], x: Any) -> Any:
        for _ in range(self.args[1]):
            x = function(x)
        return x

    def _matvec(self, x: ndarray) -> Any:
        return self._repeated(self.args[0].matvec, x)

    def _rmatvec(self, x: ndarray) -> Any:
        return self._repeated(self.args[0].rmatvec, x)

    def _matmat(self, X: ndarray) -> Any:
        return self._repeated(self.args[0].matmat, X)

    def _rmatmat(self, X: ndarray) -> Any:
        return self._repeated(self.args[0].rmatmat, X)

    def _adjoint(self) -> Any:
        return self.args[0].H ** self.args[1]


class MatrixLinearOperator(LinearOperator):
    """A matrix, sparse or dense, as an operator."""

    def __init__(self, A: Any) -> None:
        super().__init__(A.dtype, A.shape)
        self.A, self.args = A, (A,)
        self._conjugate_transpose: Any = None

    def _matvec(self, x: ndarray) -> Any:
        return self.A @ x

    def _matmat(self, X: Any) -> Any:
        return self.A @ X

    def _adjoint(self) -> Any:
        if self._conjugate_transpose is None:
            turned = self.A.T.conj() if self.A.dtype.kind == "c" else self.A.T
            if issparse(turned):
                turned = turned.tocsr()
            self._conjugate_transpose = MatrixLinearOperator(turned)
            self._conjugate_transpose._conjugate_transpose = self
        return self._conjugate_transpose


class IdentityOperator(LinearOperator):
    """The operator that leaves vectors as they are."""

    def __init__(self, shape: Any, dtype: Any = None) -> None:
        super().__init__(dtype, shape)

    def _matvec(self, x: ndarray) -> Any:
        return x

    def _rmatvec(self, x: ndarray) -> Any:
        return x

    def _matmat(self, X: Any) -> Any:
        return X

    def _rmatmat(self, X: Any) -> Any:
        return X

    def _adjoint(self) -> Any:
        return self


def aslinearoperator(A: Any) -> Any:
    """Return a matrix as a `LinearOperator`.

    Parameters
    ----------
    A : ndarray, sparse matrix, LinearOperator, or object with `shape` and `matvec`
        The matrix.

    Returns
    -------
    LinearOperator

    Examples
    --------
    >>> from cuprum.scipy.sparse.linalg import aslinearoperator
    >>> aslinearoperator(cp.eye(2) * 3).matvec(cp.ones(2))
    array([3., 3.])
    """
    if isinstance(A, LinearOperator):
        return A
    if is_of_scipy(A) and hasattr(A, "tocoo"):
        A = from_scipy(A).tocsr()
    if issparse(A):
        return MatrixLinearOperator(A)
    if isinstance(A, (ndarray, np.ndarray)):
        matrix = as_array(A)
        if matrix.ndim > 2:
            raise ValueError(f"array must have ndim <= 2, got {matrix.ndim}")
        return MatrixLinearOperator(cp.atleast_2d(matrix))
    if hasattr(A, "shape") and hasattr(A, "matvec"):
        return _CustomLinearOperator(
            A.shape,
            A.matvec,
            rmatvec=getattr(A, "rmatvec", None),
            rmatmat=getattr(A, "rmatmat", None),
            dtype=getattr(A, "dtype", None),
        )
    raise TypeError(f"type not understood: {type(A).__name__}")
