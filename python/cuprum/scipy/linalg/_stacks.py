"""Functions of one matrix taken to stacks of them: one call for each, and their results stacked."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray

F = TypeVar("F", bound=Callable[..., Any])

VECTOR_OR_MATRIX = -1
"""The number of axes of an array that has one axis, or two and a stack before them."""


def over_stacks(**axes: int) -> Callable[[F], F]:
    """Make a function take stacks, given how many axes each of its arrays has.

    Stacks broadcast against each other. Results that are no arrays become arrays, an element for each matrix.
    """

    def decorate(function: F) -> F:
        names = list(inspect.signature(function).parameters)
        places = [(name, names.index(name), count) for name, count in axes.items()]

        @functools.wraps(function)
        def stacked(*args: Any, **kwargs: Any) -> Any:
            given: dict[str, tuple[ndarray, int]] = {}
            is_stack = False
            for name, place, count in places:
                value = args[place] if place < len(args) else kwargs.get(name)
                if value is None or isinstance(value, tuple):
                    continue
                array = as_array(value)
                count = min(array.ndim, 2) if count == VECTOR_OR_MATRIX else count
                given[name] = array, count
                is_stack = is_stack or array.ndim > count
            if not is_stack:
                return function(*args, **kwargs)
            kwargs = {**dict(zip(names, args, strict=False)), **kwargs}
            return _each(function, given, kwargs)

        return stacked  # type: ignore[return-value]

    return decorate


def _each(function: Any, given: dict[str, tuple[ndarray, int]], kwargs: dict[str, Any]) -> Any:
    batch = np.broadcast_shapes(*(array.shape[: array.ndim - count] for array, count in given.values()))
    if 0 in batch:
        raise ValueError(f"{function.__name__}: there is no matrix in a stack of shape {batch}")
    lists = {}
    for name, (array, count) in given.items():
        core = array.shape[array.ndim - count :]
        lists[name] = cp.broadcast_to(array, (*batch, *core)).reshape(math.prod(batch), *core)
    found = []
    for i in range(math.prod(batch)):
        found.append(function(**{**kwargs, **{name: rows[i] for name, rows in lists.items()}}))
    if isinstance(found[0], tuple):
        return tuple(_stacked(list(parts), batch) for parts in zip(*found, strict=True))
    return _stacked(found, batch)


def _stacked(results: list[Any], batch: tuple[int, ...]) -> Any:
    if results[0] is None:
        return None
    arrays = [as_array(one) for one in results]
    return cp.stack(arrays).reshape(*batch, *arrays[0].shape)
