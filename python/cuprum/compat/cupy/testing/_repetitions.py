"""Decorators that run a test for several dtypes, orders or axes."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ._comparisons import Decorator, Test, skips, without

__all__ = [
    "for_CF_orders",
    "for_all_dtypes",
    "for_all_dtypes_combination",
    "for_complex_dtypes",
    "for_contiguous_axes",
    "for_dtypes",
    "for_dtypes_combination",
    "for_float_dtypes",
    "for_int_dtypes",
    "for_int_dtypes_combination",
    "for_orders",
    "for_signed_dtypes",
    "for_signed_dtypes_combination",
    "for_unsigned_dtypes",
    "for_unsigned_dtypes_combination",
]

_FLOATS = (np.float64, np.float32)
_SIGNED = tuple(np.dtype(char).type for char in "bhilq")
_UNSIGNED = tuple(np.dtype(char).type for char in "BHILQ")
_COMPLEX = (np.complex64, np.complex128)


def _every(no_float16: bool, no_bool: bool, no_complex: bool) -> tuple[Any, ...]:
    return (
        *_FLOATS,
        *(() if no_float16 else (np.float16,)),
        *_SIGNED,
        *_UNSIGNED,
        *(() if no_bool else (np.bool_,)),
        *(() if no_complex else _COMPLEX),
    )


def _repeated(cases: Callable[[], Iterable[dict[str, Any]]], *names: str) -> Decorator:
    """Return a decorator that runs a test for each case; a case may skip itself alone."""

    def decorate(test: Test) -> Test:
        @without(test, *names)
        def repeated(*args: Any, **kwargs: Any) -> None:
            for case in cases():
                try:
                    test(*args, **{**kwargs, **case})
                except skips() as skip:
                    print(f"skipped: {case} ({skip})")
                except Exception as error:
                    error.add_note(f"for {case}") if hasattr(error, "add_note") else print(f"for {case}")
                    raise

        return repeated

    return decorate


def for_dtypes(dtypes: Sequence[Any], name: str = "dtype") -> Decorator:
    """Run a test for each of some dtypes.

    Parameters
    ----------
    dtypes : sequence of dtypes
        The dtypes.
    name : str, optional
        The test's parameter that is given each, as a class of NumPy's scalars.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.for_dtypes("if")
    ... def test(dtype):
    ...     print(dtype.__name__)
    >>> test()
    int32
    float32
    """
    return _repeated(lambda: ({name: np.dtype(dtype).type} for dtype in dtypes), name)


def for_all_dtypes(
    name: str = "dtype", no_float16: bool = False, no_bool: bool = False, no_complex: bool = False
) -> Decorator:
    """Run a test for all dtypes: booleans, integers, floats, complex numbers; some can be left out."""
    return for_dtypes(_every(no_float16, no_bool, no_complex), name)


def for_float_dtypes(name: str = "dtype", no_float16: bool = False) -> Decorator:
    """Run a test for float64, float32 and float16, which can be left out."""
    return for_dtypes(_FLOATS if no_float16 else (*_FLOATS, np.float16), name)


def for_signed_dtypes(name: str = "dtype") -> Decorator:
    """Run a test for all signed integers."""
    return for_dtypes(_SIGNED, name)


def for_unsigned_dtypes(name: str = "dtype") -> Decorator:
    """Run a test for all unsigned integers."""
    return for_dtypes(_UNSIGNED, name)


def for_int_dtypes(name: str = "dtype", no_bool: bool = False) -> Decorator:
    """Run a test for all integers and for booleans, which can be left out."""
    return for_dtypes((*_SIGNED, *_UNSIGNED, *(() if no_bool else (np.bool_,))), name)


def for_complex_dtypes(name: str = "dtype") -> Decorator:
    """Run a test for complex64 and complex128."""
    return for_dtypes(_COMPLEX, name)


def for_dtypes_combination(
    types: Sequence[Any], names: Sequence[str] = ("dtype",), full: bool | None = None
) -> Decorator:
    """Run a test for combinations of dtypes.

    Parameters
    ----------
    types : sequence of dtypes
        The dtypes.
    names : sequence of str, optional
        The test's parameters that are given them.
    full : bool, optional
        Whether all combinations are taken, or a random choice in which every parameter has every dtype. By
        default the variable CUPY_TEST_FULL_COMBINATION says it.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> @testing.for_dtypes_combination([bool, int], names=["a", "b"], full=True)
    ... def test(a, b):
    ...     print(a.__name__, b.__name__)
    >>> test()
    bool bool
    bool int64
    int64 bool
    int64 int64
    """
    kinds = [np.dtype(one).type for one in types]
    if full is None:
        full = os.environ.get("CUPY_TEST_FULL_COMBINATION", "0") != "0"
    if full or len(kinds) == 1:
        rows = list(itertools.product(kinds, repeat=len(names)))
    else:
        columns = [kinds + random.sample(kinds, len(kinds)) for _ in names]
        rows = list(dict.fromkeys(zip(*columns, strict=True)))
    return _repeated(lambda: (dict(zip(names, row, strict=True)) for row in rows), *names)


def for_all_dtypes_combination(
    names: Sequence[str] = ("dtyes",),
    no_float16: bool = False,
    no_bool: bool = False,
    full: bool | None = None,
    no_complex: bool = False,
) -> Decorator:
    """Run a test for combinations of all dtypes."""
    return for_dtypes_combination(_every(no_float16, no_bool, no_complex), names, full)


def for_signed_dtypes_combination(names: Sequence[str] = ("dtype",), full: bool | None = None) -> Decorator:
    """Run a test for combinations of signed integers."""
    return for_dtypes_combination(_SIGNED, names, full)


def for_unsigned_dtypes_combination(names: Sequence[str] = ("dtype",), full: bool | None = None) -> Decorator:
    """Run a test for combinations of unsigned integers."""
    return for_dtypes_combination(_UNSIGNED, names, full)


def for_int_dtypes_combination(
    names: Sequence[str] = ("dtype",), no_bool: bool = False, full: bool | None = None
) -> Decorator:
    """Run a test for combinations of integers, and booleans, which can be left out."""
    return for_dtypes_combination((*_SIGNED, *_UNSIGNED, *(() if no_bool else (np.bool_,))), names, full)


def for_orders(orders: Sequence[Any], name: str = "order") -> Decorator:
    """Run a test for each of some orders of elements.

    Examples
    --------
    >>> from cuprum.compat.cupy import testing
    >>> testing.for_orders("CF")(lambda order: print(order))()
    C
    F
    """
    return _repeated(lambda: ({name: order} for order in orders), name)


def for_CF_orders(name: str = "order") -> Decorator:
    """Run a test for the orders None, 'C', 'F', 'c' and 'f'."""
    return for_orders([None, "C", "F", "c", "f"], name)


def for_contiguous_axes(name: str = "axis") -> Decorator:
    """Run a method for each run of axes whose elements lie together: the last ones of an array `self.order`
    'C', the first ones of 'F', of `len(self.shape)`.
    """

    def decorate(test: Test) -> Test:
        @without(test, name)
        def repeated(self: Any, *args: Any, **kwargs: Any) -> None:
            ndim = len(self.shape)
            if self.order not in ("c", "C", "f", "F"):
                raise ValueError(f"for_contiguous_axes: order must be 'C' or 'F', got {self.order!r}")
            for count in range(ndim):
                rows = self.order in ("c", "C")
                axes = tuple(range(ndim - 1 - count, ndim)) if rows else tuple(range(count + 1))
                test(self, *args, **{**kwargs, name: axes})

        return repeated

    return decorate
