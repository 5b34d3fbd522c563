"""`memoize`: results that are kept by their arguments, for each device where that is asked for."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from .. import _core
from ._source import forget_modules

__all__ = ["clear_memo", "memoize"]

Function = TypeVar("Function", bound=Callable[..., Any])

_memos: list[weakref.ref[dict[Any, Any]]] = []


class _Memo(dict[Any, Any]):
    """A dictionary that can be referred to weakly."""


def memoize(for_each_device: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that keeps a function's results by its arguments.

    Parameters
    ----------
    for_each_device : bool, optional
        Whether each device has results of its own, as compiled kernels must.

    Returns
    -------
    decorator

    Examples
    --------
    >>> @cp.memoize(for_each_device=True)
    ... def kernel(dtype):
    ...     print("made")
    ...     return cp.ElementwiseKernel(f"{dtype} x", f"{dtype} y", "y = x + 1")
    >>> kernel("float32") is kernel("float32")
    made
    True
    """

    def decorate(function: Function) -> Function:
        memo = _Memo()
        _memos.append(weakref.ref(memo))

        @functools.wraps(function)
        def remembered(*args: Any, **kwargs: Any) -> Any:
            key: tuple[Any, ...] = (args, frozenset(kwargs.items()))
            if for_each_device:
                key = (_core.device_key(), *key)
            try:
                return memo[key]
            except KeyError:
                result = memo[key] = function(*args, **kwargs)
                return result

        return remembered  # type: ignore[return-value]

    return decorate


def clear_memo() -> None:
    """Let go of all results that `memoize` keeps, and of compiled kernels that nobody uses.

    Examples
    --------
    >>> cp.clear_memo()
    """
    for reference in list(_memos):
        memo = reference()
        if memo is None:
            _memos.remove(reference)
        else:
            memo.clear()
    forget_modules()
