"""`vectorize` and `guvectorize` for target='cuda': functions of numbers, or of small arrays, over whole
arrays.

Each is a device function and a kernel around it, whose few lines are written here for the number of
arguments.
"""

from __future__ import annotations

import linecache
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum
from cuprum.jit._arguments import foreign_array
from cuprum.jit._module import compile_device_function
from cuprum.jit._names import NUMBA_NAMES
from cuprum.jit._rules import NUMBA
from cuprum.jit._signatures import parsed_result, parsed_signature
from cuprum.jit._types import NONE, Array, Scalar, scalar

from ._arrays import DeviceNDArray
from ._dispatcher import jit

__all__ = ["guvectorize", "vectorize"]

_THREADS = 256
_written = 0


def _function_of(text: str, names: dict[str, Any]) -> Callable[..., Any]:
    """Return the function `kernel` of a text, which stays readable for the compiler and for messages."""
    global _written
    _written += 1
    filename = f"<vectorized {_written}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), names)
    made: Callable[..., Any] = names["kernel"]
    return made


def _check_target(who: str, target: str) -> None:
    if target != "cuda":
        raise ImportError(
            f"{who}: target={target!r} needs Numba itself (pip install numba); Cuprum supplies target='cuda'"
        )


def _device(value: Any) -> Any:
    """Return an argument as a `cuprum.ndarray`."""
    if isinstance(value, DeviceNDArray):
        return value._plain("vectorized functions")
    return foreign_array(value) if _is_foreign(value) else cuprum.asarray(value)


def _is_foreign(value: Any) -> bool:
    return not isinstance(value, cuprum.ndarray) and hasattr(value, "__cuda_array_interface__")


def _is_device(value: Any) -> bool:
    return isinstance(value, (DeviceNDArray, cuprum.ndarray)) or hasattr(value, "__cuda_array_interface__")


def _given_back(result: Any, args: tuple[Any, ...], out: Any) -> Any:
    """Return a result on the device where an argument was there, on the host otherwise."""
    if out is not None:
        if isinstance(out, DeviceNDArray):
            out.copy_to_device(DeviceNDArray._of(result))
        elif isinstance(out, np.ndarray):
            out[...] = result.get()
        elif _is_foreign(out):
            target = foreign_array(out)
            target[...] = result
            return DeviceNDArray._of(target)
        else:
            out[...] = result
        return out
    if any(_is_device(arg) for arg in args):
        return DeviceNDArray._of(result)
    host = result.get()
    return host if host.ndim else host[()]


def _dtypes(args: tuple[Any, ...], arrays: list[Any]) -> list[np.dtype[Any] | None]:
    """Return the dtypes of arrays; a number has none of its own: None."""
    return [
        None if isinstance(arg, (bool, int, float, complex, np.number, np.bool_)) else np.dtype(array.dtype)
        for arg, array in zip(args, arrays, strict=True)
    ]


def _chosen(
    name: str,
    signatures: list[tuple[Any, ...]],
    args: tuple[Any, ...],
    arrays: list[Any],
    narrowing: bool = False,
) -> tuple[Any, ...]:
    """Return the first signature of the arguments' own dtypes, or the first one that takes them.

    Beside arrays, numbers take the dtype of their argument. Where `narrowing` is set, arrays of the host are
    cast to narrower dtypes too, as Numba does for functions of small arrays.
    """
    own = _dtypes(args, arrays)
    as_they_are = [np.dtype(array.dtype) for array in arrays]
    for kinds in signatures:
        if all(dtype == kind.dtype for dtype, kind in zip(as_they_are, kinds, strict=False)):
            return kinds
    if all(dtype is None for dtype in own):
        # Numbers alone keep their precision where a signature has it.
        for kinds in signatures:
            if all(np.can_cast(dtype, kind.dtype) for dtype, kind in zip(as_they_are, kinds, strict=False)):
                return kinds
    for kinds in signatures:
        if all(
            _number_fits(arg, kind.dtype) if dtype is None else np.can_cast(dtype, kind.dtype)
            for arg, dtype, kind in zip(args, own, kinds, strict=False)
        ):
            return kinds
    if narrowing and not any(map(_is_device, args)):
        for kinds in signatures:
            if all(np.can_cast(kind.dtype, dtype) for dtype, kind in zip(as_they_are, kinds, strict=False)):
                return kinds
    raise TypeError(f"{name}: no signature takes {', '.join(map(str, as_they_are))}")


def _number_fits(number: Any, dtype: np.dtype[Any]) -> bool:
    """Return whether a number may be cast to a dtype: of integers the value counts, else only the kind."""
    kind = np.asarray(number).dtype.kind
    if kind in "iu" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return bool(limits.min <= number <= limits.max)
    order = "biufc"
    return order.index(kind) <= order.index(dtype.kind)


class VectorizedFunction:
    """A function of numbers, applied to all elements of arrays, which are broadcast as NumPy does."""

    def __init__(
        self, function: Callable[..., Any], signatures: list[tuple[Any, ...]], results: list[Any]
    ) -> None:
        self._results = dict(zip(signatures, results, strict=True))
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.nin = function.__code__.co_argcount
        self.nout = 1
        self._signatures = signatures
        self._kernels: dict[Any, Any] = {}

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Return the function's value for every element."""
        if len(args) == self.nin + 1 and out is None:
            *args, out = args  # type: ignore[assignment]
            args = tuple(args)
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} arguments, got {len(args)}")
        arrays = [_device(arg) for arg in args]
        if self._signatures:
            kinds = _chosen(self.__name__, self._signatures, args, arrays)
        else:
            kinds = tuple(scalar(array.dtype) for array in arrays)
        arrays = [array.astype(kind.dtype, copy=False) for array, kind in zip(arrays, kinds, strict=True)]
        arrays = list(cuprum.broadcast_arrays(*arrays))
        shape = arrays[0].shape
        kernel, dtype = self._compiled(kinds)
        result = cuprum.empty(shape, dtype)
        if result.size:
            flat = [cuprum.ascontiguousarray(array).reshape(-1) for array in arrays]
            blocks = -(-result.size // _THREADS)
            kernel[blocks, _THREADS, stream](result.reshape(-1), *flat)
        return _given_back(result, args, out)

    def _compiled(self, kinds: tuple[Scalar, ...]) -> tuple[Any, Any]:
        found = self._kernels.get(kinds)
        if found is None:
            _, _, result = compile_device_function(self.py_func, kinds, NUMBA, True)
            if not isinstance(result, Scalar):
                raise TypeError(f"{self.__name__} must return a number, not {result}")
            result = self._results.get(kinds) or result
            names = [f"x{number}" for number in range(self.nin)]
            text = (
                f"def kernel(out, {', '.join(names)}):\n"
                "    i = grid(1)\n"
                "    if i < out.size:\n"
                f"        out[i] = function({', '.join(f'{name}[i]' for name in names)})\n"
            )
            function = jit(self.py_func, device=True)
            made = _function_of(text, {"grid": NUMBA_NAMES["grid"], "function": function})
            found = self._kernels[kinds] = (jit(made), result.dtype)
        return found

    def reduce(self, arg: Any, stream: Any = 0) -> Any:
        """Return an array of one axis reduced by the function, which must take two numbers."""
        from ._reduce import Reduce

        return Reduce(self.py_func)(arg, stream=stream)

    def __repr__(self) -> str:
        return f"<VectorizedFunction {self.__name__!r}>"


def vectorize(ftylist_or_function: Any = (), target: str = "cpu", **kws: Any) -> Any:
    """Make a function of whole arrays of a function of numbers.

    Parameters
    ----------
    ftylist_or_function : list of signatures or callable, optional
        The types, such as ``['float32(float32, float32)']``; without them, those of the arguments.
    target : str, optional
        'cuda'.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import vectorize
    >>> @vectorize(["float64(float64, float64)"], target="cuda")
    ... def power_sum(a, b):
    ...     return a**2 + b**2
    >>> power_sum(np.array([1.0, 2.0]), 3.0)
    array([10., 13.])
    """
    _check_target("vectorize", target)
    unknown = sorted(set(kws) - {"nopython", "identity", "cache", "fastmath"})
    if unknown:
        raise KeyError(f"vectorize: Unrecognized options {', '.join(map(repr, unknown))}")
    _warn_of_nopython(kws)
    if callable(ftylist_or_function) and hasattr(ftylist_or_function, "__code__"):
        return VectorizedFunction(ftylist_or_function, [], [])
    given = [ftylist_or_function] if isinstance(ftylist_or_function, str) else list(ftylist_or_function)
    signatures = [parsed_signature(item) for item in given]
    for kinds in signatures:
        if not all(isinstance(kind, Scalar) for kind in kinds):
            raise TypeError("vectorize: signatures must be of numbers, such as 'float32(float32)'")
    results = [parsed_result(item) for item in given]
    return lambda function: VectorizedFunction(function, signatures, results)


def cuda_vectorize(ftylist_or_function: Any = (), target: str = "cuda", **kws: Any) -> Any:
    """Make a function of whole arrays of a function of numbers: `vectorize` for target='cuda'."""
    return vectorize(ftylist_or_function, target=target, **kws)


class GeneralizedFunction:
    """A function of small arrays, applied along the leading axes of larger ones."""

    def __init__(
        self, function: Callable[..., Any], signatures: list[tuple[Any, ...]], inputs: Any, outputs: Any
    ) -> None:
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self._signatures = signatures
        self._inputs, self._outputs = inputs, outputs
        self._kernels: dict[Any, Any] = {}

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Return the function's outputs for every place of the leading axes."""
        if len(args) > len(self._inputs) and out is not None:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        if len(args) == len(self._inputs) + len(self._outputs) and out is None:
            out = args[len(self._inputs) :]
            out = out[0] if len(out) == 1 else out
            args = args[: len(self._inputs)]
        if len(args) != len(self._inputs):
            most = len(self._inputs) + len(self._outputs)
            raise TypeError(
                f"{self.__name__}: gufunc accepts {len(self._inputs)} positional arguments (inputs only) or "
                f"{most} positional arguments (inputs and outputs). Got {len(args)} positional "
                f"argument{'s' if len(args) != 1 else ''}."
            )
        arrays = [_device(arg) for arg in args]
        kinds = _chosen(self.__name__, self._signatures, args, arrays, narrowing=True)
        arrays = [array.astype(kind.dtype, copy=False) for array, kind in zip(arrays, kinds, strict=False)]
        sizes: dict[str, int] = {}
        for array, axes in zip(arrays, self._inputs, strict=True):
            if array.ndim < len(axes):
                raise ValueError(f"{self.__name__}: an argument has {array.ndim} axes, needs {len(axes)}")
            for name, size in zip(axes, array.shape[array.ndim - len(axes) :], strict=True):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"{self.__name__}: axis {name!r} is both {sizes[name]} and {size} long")
        lead = np.broadcast_shapes(
            *(array.shape[: array.ndim - len(axes)] for array, axes in zip(arrays, self._inputs, strict=True))
        )
        flat = []
        for array, axes in zip(arrays, self._inputs, strict=True):
            core = array.shape[array.ndim - len(axes) :]
            whole = cuprum.ascontiguousarray(cuprum.broadcast_to(array, lead + core))
            flat.append(whole.reshape((-1, *core)))
        outs = self._outs(kinds, lead, sizes, out)
        count = int(np.prod(lead, dtype=np.int64))
        if count:
            ready = [array.reshape((-1, *array.shape[len(lead) :])) for array in outs]
            kernel = self._compiled(kinds)
            kernel[-(-count // _THREADS), _THREADS, stream](count, *flat, *ready)
        given = out if isinstance(out, (tuple, list)) else [out] * len(outs)
        results = [_given_back(one, args, to) for one, to in zip(outs, given, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    def _outs(self, kinds: Any, lead: tuple[int, ...], sizes: dict[str, int], out: Any) -> list[Any]:
        given = out if isinstance(out, (tuple, list)) else [out] * len(self._outputs)
        outs = []
        for axes, kind, to in zip(self._outputs, kinds[len(self._inputs) :], given, strict=True):
            core = []
            for number, name in enumerate(axes):
                if name not in sizes:
                    if to is None:
                        raise ValueError(f"{self.__name__}: axis {name!r} has no length; give out=")
                    sizes[name] = to.shape[len(lead) + number]
                core.append(sizes[name])
            if to is None:
                outs.append(cuprum.zeros((*lead, *core), kind.dtype))
            else:
                outs.append(cuprum.array(_device(to)).reshape((*lead, *core)).astype(kind.dtype))
        return outs

    def _compiled(self, kinds: tuple[Any, ...]) -> Any:
        found = self._kernels.get(kinds)
        if found is None:
            names = [f"x{number}" for number in range(len(kinds))]
            given = []
            for name, axes, kind in zip(names, [*self._inputs, *self._outputs], kinds, strict=True):
                # An output without axes of its own is an array of one element.
                one = isinstance(kind, Array) and not axes
                given.append(f"{name}[i : i + 1]" if one else f"{name}[i]")
            text = (
                f"def kernel(count, {', '.join(names)}):\n"
                "    i = grid(1)\n"
                "    if i < count:\n"
                f"        function({', '.join(given)})\n"
            )
            function = jit(self.py_func, device=True)
            made = _function_of(text, {"grid": NUMBA_NAMES["grid"], "function": function})
            found = self._kernels[kinds] = jit(made)
        return found

    def __repr__(self) -> str:
        return f"<GeneralizedFunction {self.__name__!r}>"


def _warn_of_nopython(options: dict[str, Any]) -> None:
    if options.get("nopython"):
        text = "nopython=True says nothing for the target 'cuda': it is always so"
        warnings.warn(text, RuntimeWarning, stacklevel=3)


def _check_options(options: dict[str, Any]) -> None:
    """Refuse options that no compiler here has."""
    options = dict(options)
    _warn_of_nopython(options)
    if not options.pop("nopython", True):
        raise TypeError("nopython flag must be True")
    known = {"identity", "cache", "fastmath", "forceobj", "writable_args"}
    unknown = sorted(repr(name) for name in options if name not in known)
    if unknown:
        raise TypeError(f"The following target options are not supported: {', '.join(unknown)}")


_LAYOUT = re.compile(r"\(([^()]*)\)")


def _axes(text: str) -> list[tuple[str, ...]]:
    return [
        tuple(name.strip() for name in group.split(",") if name.strip()) for group in _LAYOUT.findall(text)
    ]


def guvectorize(ftylist: Any, signature: str, target: str = "cpu", **kws: Any) -> Any:
    """Make a function of whole arrays of one of small arrays, which writes its results into its last
    arguments.

    Parameters
    ----------
    ftylist : list of signatures
        The types, such as ``['void(float32[:], float32[:])']``.
    signature : str
        The axes, such as ``'(n),(n)->()'``.
    target : str, optional
        'cuda'.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import guvectorize
    >>> @guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="cuda")
    ... def total(x, out):
    ...     s = 0.0
    ...     for i in range(x.shape[0]):
    ...         s += x[i]
    ...     out[0] = s
    >>> total(np.arange(6.0).reshape(2, 3))
    array([ 3., 12.])
    """
    _check_target("guvectorize", target)
    left, arrow, right = signature.partition("->")
    if not arrow:
        raise ValueError(f"guvectorize: the layout {signature!r} has no '->'")
    inputs, outputs = _axes(left), _axes(right)
    given = [ftylist] if isinstance(ftylist, str) else list(ftylist)
    signatures = [parsed_signature(item) for item in given]
    _check_options(kws)
    for item in given:
        result = parsed_result(item)
        if result is not None and result != NONE:
            raise TypeError(
                f"guvectorized functions cannot return values: signature {item} specifies {result} return "
                "type"
            )
    for kinds in signatures:
        if len(kinds) != len(inputs) + len(outputs):
            raise TypeError(f"guvectorize: {len(kinds)} types for {len(inputs) + len(outputs)} arguments")
    return lambda function: GeneralizedFunction(function, signatures, inputs, outputs)


def cuda_guvectorize(ftylist: Any, signature: str, target: str = "cuda", **kws: Any) -> Any:
    """Make a function of whole arrays of one of small arrays: `guvectorize` for target='cuda'."""
    return guvectorize(ftylist, signature, target=target, **kws)
