"""NumPy's assertions, for arrays of either library and for containers of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.testing as npt
from numpy.testing import assert_raises, assert_warns

from .._core import ndarray
from .._dtypes import is_bfloat16
from ._documentation import documented

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "assert_allclose",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_max_ulp",
    "assert_equal",
    "assert_raises",
    "assert_raises_regex",
    "assert_warns",
]


def _host(value: Any) -> Any:
    """Return the value with every Cuprum array in it copied to NumPy; bfloat16 as float32."""
    if isinstance(value, ndarray):
        return value.astype(np.float32).get() if is_bfloat16(value.dtype) else value.get()
    if getattr(type(value), "_is_distributed", False):
        return value.get()
    if isinstance(value, dict):
        return {key: _host(one) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_host(one) for one in value)
    return value


@documented
def assert_allclose(
    actual: ArrayLike,
    desired: ArrayLike,
    rtol: float = 1e-07,
    atol: float = 0,
    equal_nan: bool = True,
    err_msg: str = "",
    verbose: bool = True,
    *,
    strict: bool = False,
) -> None:
    """Require that two arrays agree within a tolerance.

    Parameters
    ----------
    {actual}
    rtol, atol : float, optional
        The allowed difference is `atol + rtol * abs(desired)`.
    equal_nan : bool, optional
        Whether NaN equals NaN.
    {message}
    {strict}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_allclose(cp.array([1.0, 2.0]), [1.0, 2.0 + 1e-9])
    """
    npt.assert_allclose(_host(actual), _host(desired), rtol, atol, equal_nan, err_msg, verbose, strict=strict)


@documented
def assert_array_equal(
    actual: ArrayLike, desired: ArrayLike, err_msg: str = "", verbose: bool = True, *, strict: bool = False
) -> None:
    """Require that two arrays agree in shape and elements, NaN being equal to NaN.

    Parameters
    ----------
    {actual}
    {message}
    {strict}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_array_equal(cp.arange(3), [0, 1, 2])
    """
    npt.assert_array_equal(_host(actual), _host(desired), err_msg, verbose, strict=strict)


@documented
def assert_equal(
    actual: ArrayLike, desired: ArrayLike, err_msg: str = "", verbose: bool = True, *, strict: bool = False
) -> None:
    """Require that two values agree: arrays, scalars, or lists, tuples and dicts of them.

    Parameters
    ----------
    {actual}
    {message}
    {strict}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_equal({"a": cp.arange(2)}, {"a": cp.array([0, 1])})
    """
    npt.assert_equal(_host(actual), _host(desired), err_msg, verbose, strict=strict)


@documented
def assert_array_almost_equal(
    actual: ArrayLike, desired: ArrayLike, decimal: int = 6, err_msg: str = "", verbose: bool = True
) -> None:
    """Require that two arrays agree to a number of decimals.

    Parameters
    ----------
    {actual}
    decimal : int, optional
        The number of decimals that must agree.
    {message}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_array_almost_equal(cp.array([1.0]), [1.0 + 1e-8])
    """
    npt.assert_array_almost_equal(_host(actual), _host(desired), decimal, err_msg, verbose)


@documented
def assert_almost_equal(
    actual: ArrayLike, desired: ArrayLike, decimal: int = 7, err_msg: str = "", verbose: bool = True
) -> None:
    """Require that two values agree to a number of decimals.

    Parameters
    ----------
    {actual}
    decimal : int, optional
        The number of decimals that must agree.
    {message}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_almost_equal(cp.array(1.0), 1.0 + 1e-9)
    """
    npt.assert_almost_equal(_host(actual), _host(desired), decimal, err_msg, verbose)


@documented
def assert_approx_equal(
    actual: ArrayLike, desired: ArrayLike, significant: int = 7, err_msg: str = "", verbose: bool = True
) -> None:
    """Require that two numbers agree to a number of significant digits.

    Parameters
    ----------
    {actual}
    significant : int, optional
        The number of digits that must agree.
    {message}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_approx_equal(cp.array(1e10), 1e10 + 1)
    """
    npt.assert_approx_equal(_host(actual), _host(desired), significant, err_msg, verbose)


@documented
def assert_array_less(
    x: ArrayLike, y: ArrayLike, err_msg: str = "", verbose: bool = True, *, strict: bool = False
) -> None:
    """Require that every element of one array is less than that of another.

    Parameters
    ----------
    x, y : array_like
        The arrays.
    {message}
    {strict}

    {raises}

    Examples
    --------
    >>> cp.testing.assert_array_less(cp.array([1, 2]), [2, 3])
    """
    npt.assert_array_less(_host(x), _host(y), err_msg, verbose, strict=strict)


@documented
def assert_array_almost_equal_nulp(x: ArrayLike, y: ArrayLike, nulp: int = 1) -> None:
    """Require that two arrays agree within a number of units in the last place.

    Parameters
    ----------
    x, y : array_like
        The arrays.
    nulp : int, optional
        The allowed distance, in units in the last place.

    {raises}

    Examples
    --------
    >>> cp.testing.assert_array_almost_equal_nulp(cp.array([1.0]), np.array([1.0 + 2e-16]))
    """
    npt.assert_array_almost_equal_nulp(_host(x), _host(y), nulp)


@documented
def assert_array_max_ulp(a: Any, b: Any, maxulp: Any = 1, dtype: Any = None) -> Any:
    """Require that two arrays agree within a number of units in the last place, and return the distances.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    maxulp : int, optional
        The allowed distance, in units in the last place.
    dtype : dtype, optional
        What the arrays are cast to first.

    Returns
    -------
    numpy.ndarray
        The distances.

    {raises}

    Examples
    --------
    >>> float(cp.testing.assert_array_max_ulp(cp.array([1.0]), np.array([1.0])).max())
    0.0
    """
    return npt.assert_array_max_ulp(_host(a), _host(b), maxulp, dtype)


def assert_raises_regex(
    exception_class: type[BaseException] | tuple[type[BaseException], ...],
    expected_regexp: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Require that a call raises an error whose message matches a regular expression.

    Parameters
    ----------
    exception_class : class or tuple of classes
        The error.
    expected_regexp : str or pattern
        What is searched for in its message.
    *args, **kwargs
        What is called, and its arguments; nothing for a `with` block.

    Returns
    -------
    context manager or None
        What a `with` block enters, where nothing is called.

    Examples
    --------
    >>> with cp.testing.assert_raises_regex(ValueError, "reshape"):
    ...     _ = cp.arange(3).reshape(2)
    """
    return npt.assert_raises_regex(exception_class, expected_regexp, *args, **kwargs)
