"""Decorators that run a test with NumPy and with Cuprum and compare what it returns or raises.

The test's parameter `xp` is NumPy or the module that `import cupy` gives. It returns arrays, or a tuple or a
list of them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import traceback
import unittest
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum
from cuprum import testing
from cuprum.exceptions import AxisError

__all__ = [
    "numpy_cupy_allclose",
    "numpy_cupy_array_almost_equal",
    "numpy_cupy_array_almost_equal_nulp",
    "numpy_cupy_array_equal",
    "numpy_cupy_array_less",
    "numpy_cupy_array_list_equal",
    "numpy_cupy_array_max_ulp",
    "numpy_cupy_equal",
    "numpy_cupy_raises",
]

Test = Callable[..., Any]
Decorator = Callable[[Test], Test]
Errors = bool | type[BaseException] | tuple[type[BaseException], ...]

_TOLD_APART = (
    AttributeError,
    IndexError,
    TypeError,
    ValueError,
    NotImplementedError,
    DeprecationWarning,
    AxisError,
    np.linalg.LinAlgError,
)
"""The classes by which errors of both sides must agree."""


def skips() -> tuple[type[BaseException], ...]:
    """Return the classes by which tests skip themselves."""
    found: list[type[BaseException]] = [unittest.SkipTest]
    with contextlib.suppress(ImportError):
        found.append(importlib.import_module("_pytest.outcomes").Skipped)
    return tuple(found)


def without(function: Test, *names: str | None) -> Decorator:
    """Wrap a function as another that lacks some of its parameters, so that pytest does not ask for them."""

    def decorate(wrapper: Test) -> Test:
        made = functools.wraps(function)(wrapper)
        given = inspect.signature(function)
        kept = [param for name, param in given.parameters.items() if name not in names]
        made.__signature__ = given.replace(parameters=kept)  # type: ignore[attr-defined]
        return made

    return decorate


class _Sides:
    """The two sides of a comparison, and the names under which a test is given their modules."""

    def __init__(self, name: str, sp_name: str | None, scipy_name: str | None) -> None:
        self.names = (name, sp_name, scipy_name)

    def _modules(self, ours: bool) -> dict[str, Any]:
        roots = ("cuprum.compat.cupy", "cuprum.scipy.sparse", "cuprum.scipy")
        found = roots if ours else ("numpy", "scipy.sparse", "scipy")
        return {
            name: importlib.import_module(module)
            for name, module in zip(self.names, found, strict=True)
            if name is not None
        }

    def run(self, test: Test, args: tuple[Any, ...], kwargs: dict[str, Any], ours: bool) -> Any:
        """Return what the test returns on one side, and what it raises; one of them is None."""
        try:
            return test(*args, **{**kwargs, **self._modules(ours)}), None
        except Exception as error:
            return None, error
        except skips() as skip:
            return None, skip

    def decorated(self, test: Test, accepted: Errors, compare: Callable[[Any, Any, _Call], None]) -> Test:
        """Return the test with both sides run; `compare` is called on the results where neither raises."""

        @without(test, *self.names)
        def both(*args: Any, **kwargs: Any) -> None:
            result, error = self.run(test, args, kwargs, ours=True)
            expected, expected_error = self.run(test, args, kwargs, ours=False)
            if error is not None or expected_error is not None:
                _compare_errors(error, expected_error, accepted)
            else:
                compare(result, expected, _Call(self, test, args, kwargs))

        return both


class _Call:
    """A call of a test, which can be made again with other keyword arguments."""

    def __init__(self, sides: _Sides, test: Test, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.kwargs = kwargs
        self._sides, self._test, self._args = sides, test, args

    def again(self, changes: dict[str, Any]) -> Any:
        """Return what the test returns on our side."""
        result, error = self._sides.run(self._test, self._args, {**self.kwargs, **changes}, ours=True)
        if error is not None:
            raise error
        return result


def _shown(error: BaseException | None) -> str:
    return "none" if error is None else "".join(traceback.format_exception(error))


def _compare_errors(error: BaseException | None, expected: BaseException | None, accepted: Errors) -> None:
    """Raise unless both sides raise alike, in a class that the test accepts."""
    if isinstance(error, skips()) and isinstance(expected, skips()):
        if error.args != expected.args:
            raise AssertionError(f"both sides were skipped, for different reasons: {error}; {expected}")
        raise expected
    classes: Any = Exception if accepted is True else accepted or ()
    told = f"\n\ncupy:\n{_shown(error)}\nnumpy:\n{_shown(expected)}"
    if error is None and expected is None:
        raise AssertionError("both cupy and numpy are expected to raise errors, but did not")
    if error is None or expected is None:
        only = "numpy" if error is None else "cupy"
        raise AssertionError(f"only {only} raises an error{told}") from (error or expected)
    if any(isinstance(error, kind) != isinstance(expected, kind) for kind in _TOLD_APART):
        raise AssertionError(f"the errors are of different classes{told}") from error
    if not (isinstance(error, classes) and isinstance(expected, classes)):
        raise AssertionError(f"both cupy and numpy raise errors{told}") from error


def _arrays(result: Any, expected: Any, sparse: bool, formats: bool) -> tuple[Any, Any]:
    """Return the arrays of a result of each side; raise where the results are of different kinds."""
    if sparse and hasattr(result, "toarray") and hasattr(expected, "toarray"):
        if formats and result.format != expected.format:
            raise AssertionError(f"the formats differ: cupy {result.format}, numpy {expected.format}")
        return result.toarray(), expected.toarray()
    if isinstance(result, cuprum.ndarray) and isinstance(expected, (np.ndarray, np.generic)):
        return result, expected
    if isinstance(result, cuprum.poly1d) and isinstance(expected, np.poly1d):
        if result.variable != expected.variable:
            raise AssertionError(f"the variables differ: cupy {result.variable}, numpy {expected.variable}")
        return result.coeffs, expected.coeffs
    if isinstance(result, np.generic) and isinstance(expected, np.generic):
        return result, expected
    if np.isscalar(result) and np.isscalar(expected):
        return np.asarray(result), np.asarray(expected)
    raise AssertionError(
        f"the results are of different types: cupy {type(result).__name__}, numpy {type(expected).__name__}"
    )


def _check_flags(result: Any, expected: Any) -> None:
    if not isinstance(expected, np.ndarray):
        return
    for flag in ("c_contiguous", "f_contiguous"):
        if getattr(expected.flags, flag) and not getattr(result.flags, flag):
            raise AssertionError(f"cupy's result is not {flag}, numpy's is")


def _unsigned_names(kwargs: dict[str, Any]) -> list[str]:
    """Return the parameters that are unsigned dtypes, where others are signed ones or floats."""
    kinds: dict[str, str] = {}
    for name, value in kwargs.items():
        if isinstance(value, (np.dtype, str)) or (isinstance(value, type) and issubclass(value, np.generic)):
            try:
                kinds[name] = np.dtype(value).kind
            except TypeError:
                continue
    unsigned = [name for name, kind in kinds.items() if kind == "u"]
    return unsigned if unsigned and any(kind in "if" for kind in kinds.values()) else []


def _compared(
    check: Callable[[Any, Any], None],
    name: str,
    type_check: bool,
    accept_error: Errors,
    sp_name: str | None,
    scipy_name: str | None,
    contiguous_check: bool = False,
    check_sparse_format: bool = True,
) -> Decorator:
    def compare(result: Any, expected: Any, call: _Call) -> None:
        if result is None or expected is None:
            raise AssertionError("the test returns nothing that could be compared")
        ours, theirs = _as_list(result), _as_list(expected)
        if len(ours) != len(theirs):
            raise AssertionError(f"cupy returns {len(ours)} results, numpy {len(theirs)}")
        sparse = sp_name is not None
        pairs = [_arrays(a, b, sparse, check_sparse_format) for a, b in zip(ours, theirs, strict=True)]
        for (a, b), one, other in zip(pairs, ours, theirs, strict=True):
            if type_check and a.dtype != b.dtype:
                raise AssertionError(f"the dtypes differ: cupy {a.dtype}, numpy {b.dtype}")
            if contiguous_check:
                _check_flags(one, other)
            if a.shape != b.shape:
                raise AssertionError(f"the shapes differ: cupy {a.shape}, numpy {b.shape}")
        for (a, b), mask in zip(pairs, _defined([a for a, _ in pairs], call), strict=True):
            if mask is None:
                check(a, b)
            elif a.shape == ():
                if mask.all():
                    check(a, b)
            else:
                check(cuprum.asnumpy(a)[mask], b[mask])

    return lambda test: _Sides(name, sp_name, scipy_name).decorated(test, accept_error, compare)


def _as_list(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _defined(results: list[Any], call: _Call) -> list[Any]:
    """Return where results are defined: not where a negative number was stored as an unsigned one."""
    names = _unsigned_names(call.kwargs)
    if not names or not any(np.dtype(one.dtype).kind == "u" for one in results):
        return [None] * len(results)
    signed = {key: np.dtype(np.dtype(call.kwargs[key]).char.lower()).type for key in names}
    return [
        cuprum.asnumpy(one) >= 0 if np.dtype(result.dtype).kind == "u" else None
        for one, result in zip(_as_list(call.again(signed)), results, strict=True)
    ]


def _tolerance(given: Any, dtype: Any) -> float:
    """Return a tolerance: a number, or one by dtypes with 'default' for the others."""
    if not isinstance(given, dict):
        return float(given)
    for key, value in given.items():
        if key != "default" and np.dtype(key) == dtype:
            return float(value)
    if "default" not in given:
        raise TypeError(f"numpy_cupy_allclose: no tolerance for {dtype}, and none for 'default': {given}")
    return float(given["default"])


def numpy_cupy_allclose(
    rtol: Any = 1e-7,
    atol: Any = 0,
    err_msg: str = "",
    verbose: bool = True,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
    contiguous_check: bool = True,
    *,
    _check_sparse_format: bool = True,
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum, within tolerances.

    Parameters
    ----------
    rtol, atol : float or dict, optional
        The tolerances; a dict has one for each dtype, and 'default' for the others.
    name, sp_name, scipy_name : str, optional
        The test's parameters that are given the modules of arrays, of sparse arrays and SciPy's.
    type_check, contiguous_check : bool, optional
        Whether dtypes, and the order of elements, must agree too.
    accept_error : bool, class or tuple of classes, optional
        The errors that both sides may raise.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.numpy_cupy_allclose(rtol=1e-6)
    ... def test_mean(xp):
    ...     return xp.arange(5.0).mean()
    >>> test_mean()
    """

    def check(a: Any, b: Any) -> None:
        testing.assert_allclose(a, b, _tolerance(rtol, b.dtype), _tolerance(atol, b.dtype), err_msg=err_msg)

    return _compared(
        check, name, type_check, accept_error, sp_name, scipy_name, contiguous_check, _check_sparse_format
    )


def numpy_cupy_array_almost_equal(
    decimal: int = 6,
    err_msg: str = "",
    verbose: bool = True,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum, to a number of decimals.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.numpy_cupy_array_almost_equal(decimal=10)
    ... def test_sine(xp):
    ...     return xp.sin(xp.arange(5.0))
    >>> test_sine()
    """

    def check(a: Any, b: Any) -> None:
        testing.assert_array_almost_equal(a, b, decimal, err_msg=err_msg)

    return _compared(check, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_almost_equal_nulp(
    nulp: int = 1,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum, to a number of units in the last place."""

    def check(a: Any, b: Any) -> None:
        testing.assert_array_almost_equal_nulp(a, b, nulp)

    return _compared(check, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_max_ulp(
    maxulp: int = 1,
    dtype: Any = None,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum, to a number of units in the last place."""

    def check(a: Any, b: Any) -> None:
        testing.assert_array_max_ulp(a, b, maxulp, dtype)

    return _compared(check, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_equal(
    err_msg: str = "",
    verbose: bool = True,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
    strides_check: bool = False,
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum: all elements must be equal.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.for_all_dtypes(no_bool=True)
    ... @testing.numpy_cupy_array_equal()
    ... def test_sum(xp, dtype):
    ...     return testing.shaped_arange((2, 3), xp, dtype).sum(axis=0)
    >>> test_sum()
    """

    def check(a: Any, b: Any) -> None:
        testing.assert_array_equal(a, b, err_msg=err_msg)
        if strides_check and a.strides != b.strides:
            raise AssertionError(f"the strides differ: cupy {a.strides}, numpy {b.strides}")

    return _compared(check, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_list_equal(
    err_msg: str = "",
    verbose: bool = True,
    name: str = "xp",
    sp_name: str | None = None,
    scipy_name: str | None = None,
) -> Decorator:
    """Compare the lists of arrays that a test returns. Deprecated: `numpy_cupy_array_equal` does it too."""
    warnings.warn(
        "numpy_cupy_array_list_equal is deprecated: use numpy_cupy_array_equal",
        DeprecationWarning,
        stacklevel=2,
    )

    def check(a: Any, b: Any) -> None:
        testing.assert_array_equal(a, b, err_msg=err_msg)

    return _compared(check, name, False, False, sp_name, scipy_name)


def numpy_cupy_array_less(
    err_msg: str = "",
    verbose: bool = True,
    name: str = "xp",
    type_check: bool = True,
    accept_error: Errors = False,
    sp_name: str | None = None,
    scipy_name: str | None = None,
) -> Decorator:
    """Demand that what a test returns is smaller with Cuprum than with NumPy."""

    def check(a: Any, b: Any) -> None:
        testing.assert_array_less(a, b, err_msg=err_msg)

    return _compared(check, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_equal(
    name: str = "xp", sp_name: str | None = None, scipy_name: str | None = None
) -> Decorator:
    """Compare what a test returns with NumPy and with Cuprum, by `==`.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.numpy_cupy_equal()
    ... def test_shape(xp):
    ...     return xp.zeros((2, 3)).shape
    >>> test_shape()
    """

    def compare(result: Any, expected: Any, _: _Call) -> None:
        if result != expected:
            raise AssertionError(f"the results are not equal:\ncupy: {result}\nnumpy: {expected}")

    return lambda test: _Sides(name, sp_name, scipy_name).decorated(test, False, compare)


def numpy_cupy_raises(
    name: str = "xp",
    sp_name: str | None = None,
    scipy_name: str | None = None,
    accept_error: Errors = Exception,
) -> Decorator:
    """Demand that a test raises the same with NumPy and with Cuprum. Deprecated.

    Examples
    --------
    >>> import warnings
    >>> from cuprum.compat.cupy import testing
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     same = testing.numpy_cupy_raises()
    >>> same(lambda xp: xp.zeros(3).reshape(2, 2))()
    """
    warnings.warn("cupy.testing.numpy_cupy_raises is deprecated", DeprecationWarning, stacklevel=2)

    def compare(*_: Any) -> None:
        # Neither side has raised.
        _compare_errors(None, None, accept_error)

    return lambda test: _Sides(name, sp_name, scipy_name).decorated(test, accept_error, compare)
