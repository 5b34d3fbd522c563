"""What ElementwiseKernel and ReductionKernel share: texts that are written for the arguments of a call."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._parameters import Parameter, dtype_of, function_name
from ._source import Source


class WrittenKernel:
    """A kernel with a text for each combination of dtypes and layouts, compiled when it is first met."""

    # What a kernel is made of is seen on the class too, as CuPy's descriptors are.
    __slots__ = (
        *("__dict__", "__weakref__"),
        *("in_params", "out_params", "params", "nin", "nout", "nargs", "name", "preamble", "reduce_dims"),
    )
    name: str
    params: tuple[Parameter, ...]

    def __init__(self) -> None:
        self._functions: dict[Any, Any] = {}
        self._texts: dict[tuple[Any, ...], str] = {}

    def _compiled(self, key: Any, text: str, letters: dict[str, Any], options: Any, file: str) -> Any:
        """Compile a text, and keep it under the key and under the dtypes of its parameters."""
        source = Source(text, options, (), file)
        found = self._functions[key] = source.module().function(function_name(self.name))
        self._texts[tuple(dtype_of(parameter, letters) for parameter in self.params)] = text
        return found

    @property
    def cached_codes(self) -> dict[tuple[np.dtype[Any], ...], str]:
        """The texts that were compiled so far, by the dtypes of the parameters."""
        if not self._texts:
            warnings.warn("no text is there before the first call", stacklevel=2)
        return dict(self._texts)

    @property
    def cached_code(self) -> str:
        """The text that was compiled first."""
        return next(iter(self.cached_codes.values()))
