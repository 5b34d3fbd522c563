"""Turning arguments into arrays: what every other module of the package begins with."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from typing import Any, TypeGuard, cast

import numpy as np

from . import _core
from ._core import ndarray

MAX_DIMS = 64
"""The most axes that an array has."""


class _NoValueType:
    """The default of keywords that must tell "not given" from None."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<no value>"


NoValue: Any = _NoValueType()


def as_array(a: Any) -> ndarray:
    """Return `a` itself when it is an array, and an array made from it otherwise."""
    # As `is_plain`, without a call: most functions begin here.
    return a if type(a) is ndarray or issubclass(type(a), ndarray) else _core.array(a, copy=None)


def is_plain(a: Any) -> TypeGuard[ndarray]:
    """Tell whether the engine computes with `a`; structures and dates answer `isinstance` alone."""
    return type(a) is ndarray or issubclass(type(a), ndarray)


def with_methods(a: Any, name: str = "") -> ndarray:
    """Return `a` as an array; dates and structures as a stored array, if stored arrays have the method.

    An array of another library that takes part in NumPy's functions and has no memory to share stays what it
    is where it has the method: an array of Dask's, say, is not computed here.
    """
    if type(a) is ndarray:
        return a
    if getattr(type(a), "_is_stored", False) and (not name or hasattr(a, name)):
        return cast("ndarray", a)
    if name and hasattr(type(a), name) and _computes_itself(a):
        return cast("ndarray", a)
    try:
        return as_array(a)
    except (TypeError, ValueError) as error:
        from . import _stored
        from ._errors import renamed

        try:
            if isinstance(error, ValueError):
                raise
            made = _stored.instead(error, "array", a, None, None, None, 0)
        except Exception as refusal:
            # The function that was called has the method's name.
            raise renamed(name, refusal) if name else refusal from refusal.__cause__
        if name and not hasattr(made, name):
            raise
        return cast("ndarray", made)


def _computes_itself(a: Any) -> bool:
    """Tell whether an array of another library has NumPy's functions of its own, and no memory to share."""
    kind = type(a)
    has_memory = hasattr(kind, "__cuda_array_interface__") or hasattr(kind, "__dlpack__")
    return hasattr(kind, "__array_function__") and not has_memory and not isinstance(a, (np.ndarray, ndarray))


def given(**keywords: Any) -> dict[str, Any]:
    """Return the keywords that the caller set."""
    return {name: value for name, value in keywords.items() if value is not NoValue}


@contextmanager
def on_device(op: str, device: Any) -> Iterator[None]:
    """Make the new arrays of a `with` block on a device, given by its name or as a `cuda.Device`."""
    try:
        before = _core.set_device(device)
    except (TypeError, ValueError, RuntimeError) as error:
        raise type(error)(f"{op}: {error}") from None
    try:
        yield
    finally:
        _core.set_device(before)


def normalize_axis(op: str, axis: Any, ndim: int, argument: str | None = None) -> int:
    """Return `axis` counted from the front, or raise AxisError."""
    index = operator.index(axis)
    if not -ndim <= index < ndim:
        raise np.exceptions.AxisError(index, ndim, op if argument is None else f"{op}: {argument}")
    return index % ndim


def normalize_axes(op: str, axis: Any, ndim: int, argument: str | None = None) -> tuple[int, ...]:
    """Return one axis or several as a tuple of distinct axes counted from the front."""
    try:
        axes: tuple[Any, ...] = (operator.index(axis),)
    except TypeError:
        axes = tuple(axis)
    found = tuple(normalize_axis(op, one, ndim, argument) for one in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"{op}: repeated axis in {argument or 'axis'} {axes}")
    return found


def single_axis(axis: Any) -> int | None:
    """Return an axis that may be left out, refusing tuples."""
    return None if axis is None else operator.index(axis)


def as_shape(shape: Any) -> tuple[int, ...]:
    """Return an integer or a sequence of integers as a tuple."""
    try:
        return (operator.index(shape),)
    except TypeError:
        if isinstance(shape, Sized) and len(shape) > MAX_DIMS:
            message = f"maximum supported dimension for an ndarray is {MAX_DIMS}, found {len(shape)}"
            raise ValueError(message) from None
        return tuple(operator.index(n) for n in shape)
