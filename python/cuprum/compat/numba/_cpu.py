"""`jit` and `njit` where Numba is not installed.

Kernels compile such functions as device functions. On the host they stay Python, as under Numba's own
`NUMBA_DISABLE_JIT`, and the first call there says so.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from .core.errors import NumbaPerformanceWarning

__all__ = ["PythonFunction", "jit", "njit", "prange"]


class PythonFunction:
    """A function that `jit` was asked to compile for the CPU.

    Attributes
    ----------
    py_func : callable
        The function itself.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._warned = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.py_func.__name__} runs as Python on the host: Numba is not installed "
                "(pip install numba)",
                NumbaPerformanceWarning,
                stacklevel=2,
            )
        return self.py_func(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<PythonFunction {self.py_func.__name__!r}>"


def jit(signature_or_function: Any = None, **options: Any) -> Any:
    """Make a function that kernels can call; on the host it stays Python.

    Parameters
    ----------
    signature_or_function : callable, signature or list of them, optional
        The function; signatures are accepted.
    **options
        Numba's options, accepted.

    Returns
    -------
    PythonFunction

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import cuda
    >>> from cuprum.compat.numba._cpu import jit
    >>> @jit(nopython=True)
    ... def squared(x):
    ...     return x * x
    >>> @cuda.jit
    ... def kernel(x):
    ...     x[cuda.grid(1)] = squared(x[cuda.grid(1)])
    >>> x = np.array([2.0, 3.0])
    >>> kernel[1, 2](x)
    >>> x
    array([4., 9.])
    """
    if hasattr(signature_or_function, "__code__"):
        return PythonFunction(signature_or_function)
    return PythonFunction


def njit(signature_or_function: Any = None, **options: Any) -> Any:
    """Make a function that kernels can call; on the host it stays Python. The same as `jit`."""
    return jit(signature_or_function, **options)


prange = range
"""Numba's parallel range: here the plain one."""
