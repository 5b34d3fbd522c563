"""Kernels as objects: compiled once for each combination of argument types and each device, then launched."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ._arguments import Gathered, compiled_kind, gather, kind_of, leaves_as
from ._errors import KernelError, with_lines
from ._exceptions import ERROR_WORDS, ERRORS
from ._module import KernelText, kernel_text
from ._overloads import fitting
from ._rules import Rules
from ._types import FLOAT64, Scalar, Type

__all__ = ["CompiledKernel", "Kernel", "Launcher"]

_MAX_THREADS = 1024
_MAX_BLOCKS = (2**31 - 1, 65535, 65535)


class CompiledKernel:
    """A kernel for one combination of argument types on one device."""

    __slots__ = ("cooperative", "function", "hidden", "kinds", "launch", "text")

    def __init__(self, text: KernelText, kinds: tuple[Type, ...], options: Sequence[str]) -> None:
        folders = [f"-I{folder}" for folder in text.folders]
        module = _core.KernelModule(text.text, [*options, *folders], [], None, "kernel.cu", None)
        self.function = module.function(text.name)
        self.launch = self.function.launch
        self.text = text
        self.kinds = kinds
        self.cooperative = text.cooperative
        self.hidden = text.hidden

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """Return how many blocks may wait for each other: as many as the device runs at a time.

        Parameters
        ----------
        blockdim : int or tuple of int
            The threads of a block.
        dynsmemsize : int, optional
            The bytes of dynamic shared memory of a block.

        Returns
        -------
        int
        """
        threads = 1
        for size in blockdim if isinstance(blockdim, (tuple, list)) else (blockdim,):
            threads *= int(size)
        return int(self.function.resident_blocks(threads, int(dynsmemsize)))


class Kernel:
    """A Python function that is compiled as a kernel, or as a device function for other kernels.

    Parameters
    ----------
    function : callable
        The function.
    rules : Rules
        How results are typed.
    device : bool
        Whether it is called by kernels only.
    host_arrays : bool
        Whether launches take NumPy arrays.
    signatures : sequence of tuple of Type, optional
        The types of the arguments, where the user says them.
    results : sequence of Type, optional
        The types of a device function's results, one for each signature.
    options : sequence of str, optional
        Options of the compiler.
    max_threads : int, optional
        The most threads of a block.
    linked : sequence, optional
        Texts of CUDA C whose functions it calls.
    debug : bool, optional
        Whether a launch waits for its end and raises what a thread has raised.
    """

    __name__: str
    __qualname__: str

    def __init__(
        self,
        function: Callable[..., Any],
        rules: Rules,
        *,
        device: bool = False,
        host_arrays: bool = False,
        signatures: Sequence[tuple[Type, ...]] = (),
        results: Sequence[Type | None] = (),
        options: Sequence[str] = (),
        max_threads: int | None = None,
        linked: Sequence[Any] = (),
        debug: bool = False,
    ) -> None:
        if not hasattr(function, "__code__"):
            raise TypeError(f"a kernel must be a Python function, got {type(function).__name__}")
        functools.update_wrapper(self, function)  # type: ignore[arg-type]
        self.py_func = function
        self._device_function = function
        self._rules = self._device_rules = rules
        self._device = device
        self._host_arrays = host_arrays
        self._signatures = tuple(signatures)
        self._results = tuple(results) or (None,) * len(self._signatures)
        self._options = tuple(options)
        self._max_threads = max_threads
        self._linked = tuple(linked)
        self._debug = debug
        code = function.__code__
        self._params = code.co_varnames[: code.co_argcount]
        self._rest = bool(code.co_flags & inspect.CO_VARARGS)
        if self._rest:
            self._params = (*self._params, code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
        self._defaults = tuple(function.__defaults__ or ())
        self._compiled: dict[Any, CompiledKernel] = {}
        # By the types of the arguments as `launch_python` tells them: Python's numbers are int64 and float64.
        self._quick: dict[bytes, Any] | None = None
        if not self._signatures and rules.literal(0.5) == FLOAT64:
            self._quick = {}
        self._files: set[str] = set()
        self._number = _number_kinds(rules)

    def _device_types(self, given: tuple[Type, ...]) -> tuple[tuple[Type, ...] | None, Type | None]:
        """Return the types that a signature gives to a device function's arguments, and to its result."""
        found = fitting(given, self._signatures)
        if not found:
            return None, None
        return self._signatures[found[0]], self._results[found[0]]

    def _launch(self, grid: Any, block: Any, args: tuple[Any, ...], shared: int, stream: Any) -> None:
        """Launch the kernel; grid and block have been checked."""
        known = None
        if self._defaults:
            args = self._with_defaults(args)
        if self._rest:
            named = len(self._params) - 1
            args = (*args[:named], args[named:])
        if self._quick is not None:
            try:
                known = _core.launch_python(self._quick, grid, block, args, shared, stream)
            except RuntimeError as error:
                raise with_lines(error, self._files) from None
            if known is None:
                return
        device_key = _core.device_key()
        to = Gathered(self._host_arrays, device_key >= 0, self._number)
        if self._signatures:
            compiled = self._by_signature(args, to, device_key)
        else:
            if len(args) != len(self._params):
                self._refuse_count(args)
            key = (device_key, gather(args, self._params, to))
            found = self._compiled.get(key)
            compiled = found if found is not None else self._compile(key, args, to)
        leaves = to.leaves
        errors = None
        if compiled.hidden:
            errors = self._errors_of(compiled)
            hidden = [errors if array is ERRORS else array for array in compiled.hidden]
            leaves += [shared if array is None else array for array in hidden]
        elif known and self._quick is not None and not compiled.cooperative:
            self._quick[known] = compiled.function
        try:
            compiled.launch(
                grid, block, tuple(leaves), shared, stream, compiled.cooperative, None, None, None, True
            )
        except RuntimeError as error:
            raise with_lines(error, self._files) from None
        for host, device in to.back:
            _copy_back(host, device)
        if errors is not None:
            words = errors.get().tolist()
            if words[0]:
                raise compiled.text.exceptions[words[0] - 1].made(words)

    def _with_defaults(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments with the default values of those that are not given."""
        named = len(self._params) - self._rest
        missing = named - len(args)
        return args if not 0 < missing <= len(self._defaults) else (*args, *self._defaults[-missing:])

    def _errors_of(self, compiled: CompiledKernel) -> Any:
        """Return the array into which a kernel writes what a thread raises; None where it has none."""
        if not any(array is ERRORS for array in compiled.hidden):
            return None
        from .. import zeros

        return zeros(ERROR_WORDS, np.int64)

    def _refuse_count(self, args: tuple[Any, ...]) -> None:
        names = ", ".join(self._params)
        raise TypeError(f"{self.__name__} takes {len(self._params)} arguments ({names}), got {len(args)}")

    def _compile(self, key: Any, args: tuple[Any, ...], to: Gathered) -> CompiledKernel:
        kinds = tuple(compiled_kind(value, to) for value in args)
        return self._compile_for(key, kinds, to.gpu)

    def _compile_for(self, key: Any, kinds: tuple[Type, ...], gpu: bool) -> CompiledKernel:
        try:
            text = kernel_text(
                self.py_func,
                kinds,
                self._rules,
                gpu,
                self._max_threads,
                self._linked,
                self._debug,
                "--use_fast_math" in self._options,
            )
        except KernelError as error:
            # The way through the compiler says nothing to users: the message names the kernel's own line.
            raise error.with_traceback(None) from None
        self._files.update(text.files)
        compiled = self._compiled[key] = CompiledKernel(text, kinds, self._options if gpu else ())
        return compiled

    def _by_signature(self, args: tuple[Any, ...], to: Gathered, device_key: int) -> CompiledKernel:
        natural = []
        for name, value in zip(self._params, args, strict=False):
            try:
                natural.append(kind_of(value, to))
            except TypeError as error:
                raise TypeError(f"parameter {name!r}: {error}") from None
        found = fitting(tuple(natural), self._signatures)
        if len(self._signatures) > 1:
            if not found:
                raise TypeError(
                    f"{self.__name__}: No matching definition for {_listed([tuple(natural)])}; there are "
                    + _listed(self._signatures)
                )
            if len(found) > 1:
                raise TypeError(
                    f"Ambiguous overloading for {self.py_func} {tuple(natural)}:\n"
                    + "\n".join(f"{self._signatures[number]} -> none" for number in found)
                )
        kinds = self._signatures[found[0] if found else 0]
        if len(args) != len(kinds):
            self._refuse_count(args)
        for name, value, kind in zip(self._params, args, kinds, strict=True):
            leaves_as(value, kind, to, name)
        key = (device_key, kinds)
        compiled = self._compiled.get(key)
        return compiled if compiled is not None else self._compile_for(key, kinds, to.gpu)

    def _configured(self, grid: Any, block: Any) -> tuple[Any, Any]:
        """Return grid and block as tuples; raise where no launch can have them."""
        return (
            _sizes(self.__name__, "grid", grid, _MAX_BLOCKS),
            _block(self.__name__, block),
        )

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Return the name of the kernel in its module: it is pickled as functions are. A kernel that is not
        found there is made again from its function, which cloudpickle serialises.
        """
        found: Any = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            found = getattr(found, name, None)
        if found is self:
            name_of_self: str = self.__qualname__
            return name_of_self
        return _made_again, (type(self), self.py_func, type(self._rules), self._settings())

    def _settings(self) -> dict[str, Any]:
        """Return what the kernel was made with, beside its function and its rules."""
        return {
            "device": self._device,
            "host_arrays": self._host_arrays,
            "signatures": self._signatures,
            "results": self._results if self._signatures else (),
            "options": self._options,
            "max_threads": self._max_threads,
            "linked": self._linked,
            "debug": self._debug,
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__!r}>"


def _made_again(
    kind: type[Kernel], function: Callable[..., Any], rules: type[Rules], settings: dict[str, Any]
) -> Kernel:
    """Make a kernel that was pickled."""
    return kind(function, rules(), **settings)


def _number_kinds(rules: Rules) -> Callable[[Any], Scalar]:
    """Return a function that gives the types of numbers, quick for Python's own."""
    literal = rules.literal
    plain = {bool: literal(True), float: literal(0.5), complex: literal(1j)}

    def kind(value: Any) -> Scalar:
        found = plain.get(type(value))
        if found is not None:
            return found
        try:
            return literal(value)
        except OverflowError:
            raise ValueError(f"{value} does not fit into 64 bits") from None
        except KeyError:
            raise TypeError(f"numbers of dtype {value.dtype} cannot be given to a kernel") from None

    return kind


def _listed(signatures: Sequence[tuple[Type, ...]]) -> str:
    return ", ".join(f"({', '.join(map(str, kinds))})" for kinds in signatures)


def _sizes(kernel: str, what: str, value: Any, most: tuple[int, ...]) -> tuple[int, ...]:
    items = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(items) <= 3:
        raise ValueError(f"{kernel}: {what} must have one to three dimensions, got {len(items)}")
    out = []
    for axis, item in enumerate(items):
        try:
            size = operator.index(item)
        except TypeError:
            raise TypeError(
                f"{kernel}: {what} must be integers, got {item!r} of type {type(item).__name__}; use //, or "
                "int(...)"
            ) from None
        if not 1 <= size <= most[axis]:
            raise ValueError(
                f"{kernel}: {what} has {size} along {'xyz'[axis]}; 1 to {most[axis]} are possible"
            )
        out.append(size)
    return tuple(out)


def _block(kernel: str, value: Any) -> tuple[int, ...]:
    sizes = _sizes(kernel, "block", value, (_MAX_THREADS, _MAX_THREADS, 64))
    threads = 1
    for size in sizes:
        threads *= size
    if threads > _MAX_THREADS:
        raise ValueError(
            f"{kernel}: a block of {sizes} has {threads} threads; at most {_MAX_THREADS} are possible"
        )
    return sizes


def _copy_back(host: Any, device: Any) -> None:
    copied = device if isinstance(device, np.ndarray) else device.get()
    if isinstance(host, np.void):
        for name in host.dtype.names or ():
            host[name] = copied.view(host.dtype)[0][name]
        return
    if host.dtype.kind in "VSUmM":
        copied = copied.view(host.dtype).reshape(host.shape)
    host[...] = copied


class Launcher:
    """A kernel with a launch configuration: `kernel[grid, block]`."""

    __slots__ = ("_block", "_grid", "_kernel", "_shared", "_stream")

    def __init__(self, kernel: Kernel, grid: Any, block: Any, stream: Any = None, shared: int = 0) -> None:
        self._kernel = kernel
        self._grid, self._block = kernel._configured(grid, block)
        self._stream = stream
        self._shared = shared

    def __call__(self, *args: Any) -> None:
        self._kernel._launch(self._grid, self._block, args, self._shared, self._stream)
