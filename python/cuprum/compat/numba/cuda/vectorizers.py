"""What the real Numba makes of `vectorize` and `guvectorize` for target='cuda': it finds these classes by the
name of this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._vectorize import guvectorize, vectorize

__all__ = ["CUDAGUFuncVectorize", "CUDAVectorize"]


class CUDAVectorize:
    """Collects the signatures of a function of numbers, then makes a function of whole arrays of it."""

    def __init__(
        self, func: Callable[..., Any], identity: Any = None, cache: bool = False, targetoptions: Any = None
    ) -> None:
        self.py_func = func
        self._signatures: list[Any] = []

    def add(self, sig: Any = None) -> None:
        """Add a signature."""
        self._signatures.append(sig)

    def disable_compile(self) -> None:
        """Say that no signature is added any more."""

    def build_ufunc(self) -> Any:
        """Return the function of whole arrays."""
        return vectorize(self._signatures, target="cuda")(self.py_func)


class CUDAGUFuncVectorize(CUDAVectorize):
    """Collects the signatures of a function of small arrays, then makes a function of whole arrays of it."""

    def __init__(
        self,
        func: Callable[..., Any],
        sig: str,
        identity: Any = None,
        cache: bool = False,
        targetoptions: Any = None,
        writable_args: Any = (),
    ) -> None:
        if writable_args:
            raise TypeError("guvectorize: writable_args are not supported for target='cuda'")
        super().__init__(func)
        self._layout = sig

    def build_ufunc(self) -> Any:
        """Return the function of whole arrays."""
        return guvectorize(self._signatures, self._layout, target="cuda")(self.py_func)
