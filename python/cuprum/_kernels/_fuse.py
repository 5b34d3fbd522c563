"""`fuse`: a function whose elementwise work runs in one pass, as all elementwise work does."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["fuse"]


class _Fused:
    """A function that was decorated with `fuse`."""

    def __init__(self, function: Callable[..., Any], kernel_name: str | None) -> None:
        self.func = function
        self.name = kernel_name or function.__name__
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return self.func(*args)

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else functools.partial(self, owner)

    def clear_cache(self) -> None:
        """Let go of what was compiled for the function: nothing is kept for it alone."""

    def __repr__(self) -> str:
        return f"<fused function {self.name!r}>"


def fuse(*args: Any, **kwargs: Any) -> Any:
    """Make a function's elementwise work run in one pass over memory.

    Elementwise work is recorded and fused whether or not it is in such a function: the decorator is there for
    programs that have it.

    Parameters
    ----------
    kernel_name : str, optional
        What the function is called where it is shown.

    Returns
    -------
    callable

    Examples
    --------
    >>> @cp.fuse(kernel_name="squared_diff")
    ... def squared_diff(x, y):
    ...     return (x - y) * (x - y)
    >>> squared_diff(cp.arange(4.0), 1)
    array([1., 0., 1., 4.])
    """
    if len(args) == 1 and not kwargs and callable(args[0]):
        return _Fused(args[0], None)
    name = _kernel_name(*args, **kwargs)
    return lambda function: _Fused(function, name)


def _kernel_name(kernel_name: str | None = None) -> str | None:
    return kernel_name
