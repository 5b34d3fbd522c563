"""`vectorize`: a Python function of numbers for every element of arrays, compiled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._creation.from_data import asarray, ascontiguousarray
from ._elementwise import ElementwiseKernel
from ._gufunc import GeneralizedUFunc

__all__ = ["vectorize"]


class vectorize:  # noqa: N801
    """A function of numbers as a function of arrays, which are broadcast together.

    The function is compiled for the dtypes of its arguments, and runs as an `ElementwiseKernel`. Python's
    numbers count as int64, float64 and complex128. With a signature it is a function of arrays instead, which
    is called as it is, once for each place of their leading axes.

    Parameters
    ----------
    pyfunc : callable, optional
        A function whose statements are those of `cuprum.jit`. Without one, the object decorates it.
    otypes : str or list of dtypes, optional
        The dtypes of the results; those that the function gives by default.
    doc : str, optional
        The docstring; the function's by default.
    excluded : set of int and str, optional
        Positions and names of arguments that the function takes whole: arrays are arrays in it.
    cache : bool, optional
        Without effect: what is compiled is always kept.
    signature : str, optional
        The axes of arguments and results, such as ``"(m,n),(n)->(m)"``.

    Examples
    --------
    >>> def clipped(x, low):
    ...     if x < low:
    ...         return low
    ...     return x
    >>> cp.vectorize(clipped)(cp.arange(5.0), 2.5)
    array([2.5, 2.5, 2.5, 3. , 4. ])
    >>> def polynomial(p, x):
    ...     result = 0.0
    ...     for c in p:
    ...         result = result * x + c
    ...     return result
    >>> cp.vectorize(polynomial, excluded=["p"])(p=[1.0, 2.0, 3.0], x=cp.arange(3.0))
    array([ 3.,  6., 11.])
    >>> cp.vectorize(cp.convolve, signature="(n),(m)->(k)")(cp.eye(2), cp.array([1.0, 2.0]))
    array([[1., 2., 0.],
           [0., 1., 2.]])
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any] | None = None,
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        self.otypes = None if otypes is None else [np.dtype(one) for one in otypes]
        self.cache, self.signature, self._doc = cache, signature, doc
        self.excluded = set() if excluded is None else set(excluded)
        self._kernels: dict[Any, ElementwiseKernel] = {}
        if pyfunc is not None:
            self._take(pyfunc)

    def _take(self, pyfunc: Callable[..., Any]) -> None:
        self.pyfunc = pyfunc
        self.__doc__ = pyfunc.__doc__ if self._doc is None else self._doc
        self.__name__ = getattr(pyfunc, "__name__", "vectorized")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the function of every element, or decorate the function."""
        if not hasattr(self, "pyfunc"):
            self._take(*args)
            return self
        if self.signature is not None:
            return self._over_leading_axes(args, kwargs)
        values, whole = self._in_order(args, kwargs)
        kinds = tuple(
            _whole_kind(value) if one else _dtype_of(value) for value, one in zip(values, whole, strict=True)
        )
        if not any(isinstance(value, _core.ndarray) for value in values):
            values = [
                value if isinstance(kind, tuple) else asarray(value, kind)
                for value, kind in zip(values, kinds, strict=True)
            ]
        key = (_core.device_key() >= 0, kinds)
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = self._kernels[key] = self._compiled(*key)
        if any(isinstance(kind, tuple) for kind in kinds):
            return self._with_arrays(kernel, values, kinds)
        return kernel(*values)

    def _in_order(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], list[bool]]:
        """Return the arguments by position, and which of them are passed as whole arrays."""
        values = [_taken(value) for value in args]
        whole = [number in self.excluded and _has_axes(value) for number, value in enumerate(values)]
        code = getattr(self.pyfunc, "__code__", None)
        if not kwargs and (code is None or len(args) >= code.co_argcount):
            return values, whole
        bound = inspect.signature(self.pyfunc).bind(*args, **kwargs)
        bound.apply_defaults()
        for name in list(bound.arguments)[len(args) :]:
            values.append(_taken(bound.arguments[name]))
            whole.append(name in self.excluded and _has_axes(values[-1]))
        return values, whole

    def _with_arrays(self, kernel: ElementwiseKernel, values: list[Any], kinds: tuple[Any, ...]) -> Any:
        """Launch where some arguments are whole arrays: the others say how many elements there are."""
        values = [
            ascontiguousarray(value) if isinstance(kind, tuple) else asarray(value, kind)
            for value, kind in zip(values, kinds, strict=True)
        ]
        if all(isinstance(kind, tuple) for kind in kinds):
            made = kernel(*values, size=1)
            return tuple(one[0] for one in made) if isinstance(made, tuple) else made[0]
        return kernel(*values)

    def _over_leading_axes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function for each place of the leading axes; excluded arguments go to it as they are."""
        taken = [number for number in range(len(args)) if number not in self.excluded]
        names = [name for name in kwargs if name not in self.excluded]
        given = list(args)
        keywords = dict(kwargs)

        def function(*parts: Any) -> Any:
            for number, part in zip(taken, parts, strict=False):
                given[number] = part
            keywords.update(zip(names, parts[len(taken) :], strict=True))
            return self.pyfunc(*given, **keywords)

        loop = GeneralizedUFunc(function, str(self.signature), name=self.__name__)
        made = loop(*(args[number] for number in taken), *(kwargs[name] for name in names))
        if self.otypes is None:
            return made
        results = made if isinstance(made, tuple) else (made,)
        cast = tuple(one.astype(dtype) for one, dtype in zip(results, self.otypes, strict=True))
        return cast if isinstance(made, tuple) else cast[0]

    def _compiled(self, gpu: bool, kinds: tuple[Any, ...]) -> ElementwiseKernel:
        from ..jit._module import compile_device_function
        from ..jit._rules import NUMPY
        from ..jit._types import Array, Scalar, Tuple, scalar

        types = tuple(
            Array(kind[0], kind[1], True, False) if isinstance(kind, tuple) else scalar(kind)
            for kind in kinds
        )
        text, function, result = compile_device_function(self.pyfunc, types, NUMPY, gpu)
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
        taken, declared = [], []
        for k, kind in enumerate(kinds):
            if isinstance(kind, tuple):
                declared.append(f"raw {kind[0].name} in{k}")
                sizes = [f"in{k}.shape()[{axis}]" for axis in range(kind[1])]
                taken += [f"(const {scalar(kind[0]).c}*)&in{k}[0]", *sizes]
            else:
                declared.append(f"{kind.name} in{k}")
                taken.append(f"*(const {scalar(kind).c}*)&in{k}")
        lines = [f"const auto _result = {function}({', '.join(taken)})"]
        for k, (kind, dtype) in enumerate(zip(results, outs, strict=True)):
            value = "_result" if len(results) == 1 else f"_result.f{k}"
            c_type = scalar(dtype).c
            value = value if scalar(dtype) == kind else f"({c_type})({value})"
            lines.append(f"*({c_type}*)&out{k} = {value}")
        return ElementwiseKernel(
            ", ".join(declared),
            ", ".join(f"{dtype.name} out{k}" for k, dtype in enumerate(outs)),
            "; ".join(lines),
            f"vectorized_{function}",
            preamble=text,
        )


def _taken(value: Any) -> Any:
    """Return an argument as a number or an array."""
    return asarray(value) if isinstance(value, (list, tuple, np.ndarray)) else value


def _has_axes(value: Any) -> bool:
    return isinstance(value, _core.ndarray) and value.ndim > 0


def _whole_kind(value: _core.ndarray) -> tuple[np.dtype[Any], int]:
    """Return how an array is told apart that the function takes whole."""
    return value.dtype, value.ndim


def _dtype_of(value: Any) -> np.dtype[Any]:
    if isinstance(value, (_core.ndarray, np.generic)):
        return value.dtype
    for kind, name in ((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")):
        if isinstance(value, kind):
            return np.dtype(name)
    raise TypeError(f"vectorize: arguments are arrays and numbers, got {type(value).__name__}")
