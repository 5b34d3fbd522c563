"""`vectorize`: a Python function of numbers for every element of arrays, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._creation.from_data import asarray
from ._elementwise import ElementwiseKernel

__all__ = ["vectorize"]


class vectorize:  # noqa: N801
    """A function of numbers as a function of arrays, which are broadcast together.

    The function is compiled for the dtypes of its arguments, and runs as an `ElementwiseKernel`. Python's
    numbers count as int64, float64 and complex128.

    Parameters
    ----------
    pyfunc : callable
        A function whose statements are those of `cuprum.jit`.
    otypes : str or list of dtypes, optional
        The dtypes of the results; those that the function gives by default.
    doc : str, optional
        The docstring; the function's by default.
    excluded, signature : None
        Not supported.
    cache : bool, optional
        Without effect: what is compiled is always kept.

    Examples
    --------
    >>> def clipped(x, low):
    ...     if x < low:
    ...         return low
    ...     return x
    >>> cp.vectorize(clipped)(cp.arange(5.0), 2.5)
    array([2.5, 2.5, 2.5, 3. , 4. ])
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any],
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        if excluded is not None:
            raise NotImplementedError(
                "vectorize: excluded is not supported; let the function take the value from around it"
            )
        if signature is not None:
            raise NotImplementedError("vectorize: signature is not supported; write a kernel with cp.jit")
        self.pyfunc = pyfunc
        self.otypes = None if otypes is None else [np.dtype(one) for one in otypes]
        self.__doc__ = pyfunc.__doc__ if doc is None else doc
        self.__name__ = getattr(pyfunc, "__name__", "vectorized")
        self.cache, self.excluded, self.signature = cache, excluded, signature
        self._kernels: dict[Any, ElementwiseKernel] = {}

    def __call__(self, *args: Any) -> Any:
        """Return the function of every element."""
        dtypes = tuple(_dtype_of(value) for value in args)
        if not any(isinstance(value, _core.ndarray) for value in args):
            args = tuple(asarray(value, dtype) for value, dtype in zip(args, dtypes, strict=True))
        key = (_core.device_key() >= 0, dtypes)
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = self._kernels[key] = self._compiled(*key)
        return kernel(*args)

    def _compiled(self, gpu: bool, dtypes: tuple[np.dtype[Any], ...]) -> ElementwiseKernel:
        from ..jit._module import compile_device_function
        from ..jit._rules import NUMPY
        from ..jit._types import Scalar, Tuple, scalar

        kinds = tuple(scalar(dtype) for dtype in dtypes)
        text, function, result = compile_device_function(self.pyfunc, kinds, NUMPY, gpu)
        results = result.items if isinstance(result, Tuple) else (result,)
        for one in results:
            if not isinstance(one, Scalar):
                raise TypeError(f"vectorize: {self.__name__} must return numbers, it returns {one}")
        outs = (
            [one.dtype for one in results if isinstance(one, Scalar)] if self.otypes is None else self.otypes
        )
        if len(outs) != len(results):
            raise ValueError(
                f"vectorize: {self.__name__} returns {len(results)} values, otypes has {len(outs)}"
            )
        taken = ", ".join(f"*(const {kind.c}*)&in{k}" for k, kind in enumerate(kinds))
        lines = [f"const auto _result = {function}({taken})"]
        for k, (kind, dtype) in enumerate(zip(results, outs, strict=True)):
            value = "_result" if len(results) == 1 else f"_result.f{k}"
            c_type = scalar(dtype).c
            value = value if scalar(dtype) == kind else f"({c_type})({value})"
            lines.append(f"*({c_type}*)&out{k} = {value}")
        return ElementwiseKernel(
            ", ".join(f"{dtype.name} in{k}" for k, dtype in enumerate(dtypes)),
            ", ".join(f"{dtype.name} out{k}" for k, dtype in enumerate(outs)),
            "; ".join(lines),
            f"vectorized_{function}",
            preamble=text,
        )


def _dtype_of(value: Any) -> np.dtype[Any]:
    if isinstance(value, (_core.ndarray, np.generic)):
        return value.dtype
    for kind, name in ((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")):
        if isinstance(value, kind):
            return np.dtype(name)
    raise TypeError(f"vectorize: arguments are arrays and numbers, got {type(value).__name__}")
