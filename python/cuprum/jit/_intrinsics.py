"""The objects that stand for what only kernels have: `grid`, `threadIdx`, `shared.array`, `atomic.add`, ...

The same objects are seen under CuPy's names (`cupyx.jit`), under Numba's (`numba.cuda`) and under `cp.jit`.
What each does is a row of the tables in `_device_*.py`; called outside of a kernel they raise.
"""

from __future__ import annotations

import enum
import types
from typing import Any, NoReturn

import numpy as np

__all__ = [
    "Dimensions",
    "Intrinsic",
    "Namespace",
    "Quantity",
    "attribute_of",
    "is_literal_unroll",
    "is_namespace",
    "is_range",
    "literal_unroll",
]


class Intrinsic:
    """A function of kernels.

    Parameters
    ----------
    name : str
        Its row in the table.
    label : str
        What users call it.
    doc : str, optional
        What it does, for `help`.
    """

    def __init__(self, name: str, label: str | None = None, doc: str = "") -> None:
        self.name = name
        self.__name__ = label or name
        self.__doc__ = doc

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(f"{self.__name__} can be called in kernels only")

    def __repr__(self) -> str:
        return f"<kernel function {self.__name__}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return (Intrinsic, (self.name, self.__name__))


class Dimensions:
    """`threadIdx`, `blockIdx`, `blockDim` or `gridDim`: `x`, `y` and `z`, in kernels."""

    def __init__(self, name: str) -> None:
        self.name = self.__name__ = name

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("x", "y", "z"):
            raise RuntimeError(f"{self.__dict__.get('name')}.{name} can be read in kernels only")
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"<{self.name} of kernels>"


class Quantity:
    """A number that each thread has, or that all kernels share: `laneid`, `warpsize`."""

    def __init__(self, name: str) -> None:
        self.name = self.__name__ = name

    def __repr__(self) -> str:
        return f"<{self.name} of kernels>"


class Namespace:
    """A group of names, such as `shared` and `atomic`."""

    def __init__(self, label: str, **names: Any) -> None:
        self.__name__ = label
        self.__dict__.update(names)

    def __repr__(self) -> str:
        return f"<{self.__name__} of kernels>"


_READABLE_DTYPE = frozenset({"type", "itemsize", "name", "kind", "char"})


def attribute_of(thing: Any, name: str) -> tuple[bool, Any]:
    """Return whether the compiler may read an attribute of an object from outside, and its value."""
    if name.startswith("__"):
        return False, None
    readable = isinstance(thing, (types.ModuleType, Namespace, type, enum.Enum))
    if isinstance(thing, np.dtype):
        readable = name in _READABLE_DTYPE
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        readable = name in thing._fields
    try:
        value = getattr(thing, name)
    except AttributeError:
        return False, None
    # Any object may hold numbers that are constants of the kernel.
    numbers = (bool, int, float, complex, np.bool_, np.number)
    return (True, value) if readable or isinstance(value, numbers) else (False, None)


def is_namespace(thing: Any) -> bool:
    """Whether an object is a group of names."""
    return isinstance(thing, Namespace)


def literal_unroll(items: Any) -> Any:
    """Return a tuple as it is; a kernel's loop over the result is written once for each item.

    Items may then be of several types.

    Examples
    --------
    >>> from cuprum.jit._intrinsics import literal_unroll
    >>> @cp.jit
    ... def example(out, items):
    ...     for item in literal_unroll(items):
    ...         out[0] += item
    >>> out = cp.zeros(1)
    >>> example[1, 1](out, (1, 2.5))
    >>> out
    array([3.5])
    """
    return items


def is_literal_unroll(thing: Any) -> bool:
    """Whether an object is `literal_unroll`, or Numba's where that is installed."""
    if thing is literal_unroll:
        return True
    named = getattr(thing, "__name__", None) == "literal_unroll"
    return named and str(getattr(thing, "__module__", "")).startswith("numba.")


def is_range(thing: Any) -> bool:
    """Whether an object is `range`, Python's or that of kernels."""
    return thing is range or (isinstance(thing, Intrinsic) and thing.name == "range")
