"""`cuda.jit`: Numba's decorator, and what it makes."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from cuprum import _core
from cuprum.jit._arguments import Gathered, kind_of
from cuprum.jit._calls import numba_function
from cuprum.jit._kernel import CompiledKernel, Kernel, Launcher
from cuprum.jit._module import kernel_text
from cuprum.jit._rules import NUMBA
from cuprum.jit._signatures import is_signature, is_type, parsed_result, parsed_signature, type_named
from cuprum.jit._types import Type

from ..core.errors import NumbaPerformanceWarning
from . import config
from ._devices import current_context
from ._errors import raised_as_numbas
from ._linking import linked_texts
from ._ptx import compile_ptx, ptx_of

__all__ = ["Dispatcher", "jit"]

_ATTRIBUTES = {
    "get_regs_per_thread": "num_regs",
    "get_shared_mem_per_block": "shared_size_bytes",
    "get_const_mem_size": "const_size_bytes",
    "get_local_mem_per_thread": "local_size_bytes",
    "get_max_threads_per_block": "max_threads_per_block",
}


class Dispatcher(Kernel):
    """A kernel: `kernel[grid, block, stream, shared_memory](*args)`. Host arrays are copied there and
    back.
    """

    def __init__(self, *args: Any, extensions: Any = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.extensions = list(extensions)
        self.specializations: dict[tuple[Type, ...], Dispatcher] = {}

    def _settings(self) -> dict[str, Any]:
        return {**super()._settings(), "extensions": self.extensions}

    def _compile_for(self, key: Any, kinds: tuple[Type, ...], gpu: bool) -> CompiledKernel:
        with raised_as_numbas():
            return super()._compile_for(key, kinds, gpu)

    def _launch(self, grid: Any, block: Any, args: tuple[Any, ...], shared: int, stream: Any) -> None:
        if config.CUDA_WARN_ON_IMPLICIT_COPY and any(type(value) is np.ndarray for value in args):
            message = "Host array used in CUDA kernel will incur copy overhead to/from device."
            warnings.warn(NumbaPerformanceWarning(message), stacklevel=3)
        if not self.extensions:
            super()._launch(grid, block, args, shared, stream)
            return
        back: list[Callable[[], Any]] = []
        prepared = []
        for value in args:
            kind: Any = None
            for extension in reversed(self.extensions):
                kind, value = extension.prepare_args(kind, value, stream=stream or 0, retr=back)
            prepared.append(value)
        super()._launch(grid, block, tuple(prepared), shared, stream)
        for copy in back:
            copy()

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        if self._device:
            raise TypeError(f"{self.__name__!r} is a device function: kernels call it, the host does not")
        raise ValueError(
            "Kernel launch configuration was not specified. Use the syntax: "
            f"{self.__name__}[blockspergrid, threadsperblock](arg0, arg1, ..., argn)"
        )

    def __getitem__(self, configuration: Any) -> Launcher:
        if self._device:
            raise RuntimeError(
                f"Cannot compile a device function as a kernel: {self.__name__!r} is called by kernels, not "
                "launched"
            )
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise ValueError(
                "must specify at least the griddim and blockdim: "
                f"{self.__name__}[griddim, blockdim[, stream[, sharedmem]]]"
            )
        return self.configure(*configuration)

    def configure(self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> Launcher:
        """Return the kernel with a launch configuration."""
        _check_sizes("griddim", griddim)
        _check_sizes("blockdim", blockdim)
        if config.CUDA_LOW_OCCUPANCY_WARNINGS:
            _warn_of_few_blocks(griddim)
        return Launcher(self, griddim, blockdim, _stream(stream), int(sharedmem))

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]:
        """Return the kernel with a configuration of one axis that has at least so many threads."""
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")

        def launch(*args: Any) -> None:
            if ntasks == 0:
                return
            threads = int(tpb) or min(256, max(32, -(-ntasks // 32) * 32))
            self.configure(-(-ntasks // threads), threads, stream, sharedmem)(*args)

        return launch

    def specialize(self, *args: Any) -> Dispatcher:
        """Return the kernel for the types of these arguments alone, or for these types."""
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        to = Gathered(True, _core.device_key() >= 0, self._number)
        kinds = tuple(_kind(value, to) for value in args)
        found = self.specializations.get(kinds)
        if found is None:
            settings = {**self._settings(), "signatures": [kinds], "results": ()}
            found = self.specializations[kinds] = Dispatcher(self.py_func, self._rules, **settings)
            found.compile(kinds)
        return found

    def compile(self, sig: Any) -> CompiledKernel:
        """Compile for the types of a signature."""
        kinds = parsed_signature(sig)
        key = (_core.device_key(), kinds)
        found = self._compiled.get(key)
        return found if found is not None else self._compile_for(key, kinds, key[0] >= 0)

    @property
    def specialized(self) -> bool:
        """Whether the types of the arguments are fixed."""
        return bool(self._signatures)

    @property
    def signatures(self) -> list[tuple[Type, ...]]:
        """The types of arguments that the kernel was made or compiled for."""
        return list(dict.fromkeys([*self._signatures, *self.overloads]))

    @property
    def nopython_signatures(self) -> list[tuple[Type, ...]]:
        """The types of arguments that the kernel was compiled for."""
        return list(self.overloads)

    @property
    def overloads(self) -> dict[tuple[Type, ...], CompiledKernel]:
        """The compiled kernels by the types of their arguments."""
        return _Overloads((compiled.kinds, compiled) for compiled in self._compiled.values())

    def inspect_types(self, file: Any = None) -> None:
        """Print what the kernel was compiled from, for each combination of types: CUDA C with types written
        out.
        """
        for kinds, compiled in self.overloads.items():
            print(f"{self.__name__} ({', '.join(map(str, kinds))})", file=file or sys.stdout)
            print(compiled.text.text, file=file or sys.stdout)

    def inspect_asm(self, signature: Any = None) -> Any:
        """Return the PTX of the kernel: for a signature, or for each that it was compiled for.

        NVRTC makes it of the CUDA C that `inspect_types` shows; without a GPU it is PTX for compute
        capability 7.5, though kernels run as machine code of the CPU there.
        """
        if self._device:
            # Compiled with each kernel that calls it: this is what it is by itself.
            fast = "--use_fast_math" in self._options
            made = {
                kinds: compile_ptx(self.py_func, kinds, device=True, fastmath=fast)[0]
                for kinds in self._signatures
            }
            return made[parsed_signature(signature)] if signature is not None else _Overloads(made)
        if signature is not None:
            return self._ptx(self.overloads[signature].kinds)
        return _Overloads((kinds, self._ptx(kinds)) for kinds in self.overloads)

    def _ptx(self, kinds: tuple[Type, ...]) -> str:
        text = kernel_text(
            self.py_func,
            kinds,
            self._rules,
            True,
            self._max_threads,
            self._linked,
            self._debug,
            "--use_fast_math" in self._options,
        )
        return ptx_of(text, self._options)

    def _attribute(self, method: str, signature: Any) -> Any:
        name = _ATTRIBUTES[method]
        found = _Overloads(
            (kinds, int(compiled.function.attribute(name))) for kinds, compiled in self.overloads.items()
        )
        if signature is not None:
            return found[signature]
        return next(iter(found.values())) if self.specialized and found else found

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        """Return the registers of a thread: of a signature, or of each that was compiled."""
        return self._attribute("get_regs_per_thread", signature)

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        """Return the bytes of static shared memory."""
        return self._attribute("get_shared_mem_per_block", signature)

    def get_const_mem_size(self, signature: Any = None) -> Any:
        """Return the bytes of constant memory."""
        return self._attribute("get_const_mem_size", signature)

    def get_local_mem_per_thread(self, signature: Any = None) -> Any:
        """Return the bytes of local memory of a thread."""
        return self._attribute("get_local_mem_per_thread", signature)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        """Return the most threads of a block."""
        return self._attribute("get_max_threads_per_block", signature)

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("inspect_llvm", "inspect_sass", "inspect_llvm_cfg"):
            raise AttributeError(
                f"kernels are compiled from CUDA C: instead of {name}() use inspect_types(), which shows it, "
                "or inspect_asm() for PTX"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class _Overloads(dict[Any, Any]):
    """What there is for each combination of argument types, which may be asked for by Numba's types."""

    def __missing__(self, key: Any) -> Any:
        kinds = parsed_signature(key)
        if kinds not in self:
            raise KeyError(key)
        return self[kinds]


def _kind(value: Any, to: Gathered) -> Type:
    if is_type(value):
        return type_named(value)
    return kind_of(value, to)


def _check_sizes(name: str, value: Any) -> None:
    """Raise Numba's errors of launch configurations."""
    sizes = list(value) if isinstance(value, (tuple, list)) else [value]
    if len(sizes) > 3:
        raise ValueError(f"{name} must be a sequence of 1, 2 or 3 integers, got {sizes}")
    if not all(hasattr(size, "__index__") for size in sizes):
        raise TypeError(f"{name} must be a sequence of integers, got {sizes}: use // to divide")


def _warn_of_few_blocks(griddim: Any) -> None:
    """Warn where a device has more multiprocessors than a launch of so many blocks keeps busy."""
    blocks = math.prod(griddim) if isinstance(griddim, (tuple, list)) else int(griddim)
    if blocks < 2 * current_context().device.MULTIPROCESSOR_COUNT:
        message = f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy."
        warnings.warn(NumbaPerformanceWarning(message), stacklevel=4)


def _stream(stream: Any) -> Any:
    return None if stream is None or (isinstance(stream, int) and stream == 0) else stream


def _signatures(given: Any) -> list[tuple[tuple[Type, ...], Type | None]]:
    """Return the types of arguments and results that a signature or a list of them says."""
    if given is None:
        return []
    several = isinstance(given, (list, tuple)) and all(
        isinstance(item, (str, tuple)) or is_signature(item) for item in given
    )
    return [(parsed_signature(item), parsed_result(item)) for item in (given if several else [given])]


def _check_carveout(value: Any) -> None:
    if isinstance(value, str):
        if value.lower() not in ("default", "maxl1", "maxshared"):
            raise ValueError(f"cuda.jit: Invalid carveout value {value!r}")
    elif not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("cuda.jit: shared_memory_carveout must be an integer or a text")
    elif not -1 <= value <= 100:
        raise ValueError(f"cuda.jit: Carveout value must be between -1 and 100, got {value}")


def jit(
    func_or_sig: Any = None,
    device: bool = False,
    inline: Any = "never",
    forceinline: bool = False,
    link: Any = (),
    debug: bool | None = None,
    opt: Any = None,
    lineinfo: bool = False,
    cache: bool = False,
    launch_bounds: Any = None,
    lto: bool | None = None,
    shared_memory_carveout: Any = None,
    **kws: Any,
) -> Any:
    """Make a kernel, or a device function, of a Python function.

    Parameters
    ----------
    func_or_sig : callable, str, signature or list of them, optional
        The function; or the types of its arguments, such as ``'void(float32[:], int32)'``.
    device : bool, optional
        Whether the function is called by kernels, not launched.
    launch_bounds : int or tuple, optional
        The most threads of a block.
    link : path, CUSource or list of them, optional
        CUDA C whose functions the kernel calls: see `declare_device`.
    fastmath : bool, optional
        Whether a GPU may trade accuracy for speed.
    extensions : list, optional
        Objects whose `prepare_args(ty, val, stream=, retr=)` may exchange arguments before a launch.
    max_registers : int, optional
        The most registers of a thread on a GPU.
    debug : bool, optional
        Whether a launch waits for its end and raises, on the host, what a thread has raised: by `raise`, by
        `assert`, by a division by zero. Without it such a thread ends, and the others go on.
    inline, forceinline, opt, lineinfo, cache, lto, shared_memory_carveout
        Accepted: hints, or of no meaning here.

    Returns
    -------
    Dispatcher

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import cuda
    >>> @cuda.jit
    ... def add_one(x):
    ...     i = cuda.grid(1)
    ...     if i < x.size:
    ...         x[i] += 1
    >>> x = np.zeros(3)
    >>> add_one[1, 32](x)
    >>> x
    array([1., 1., 1.])
    """
    if kws.get("boundscheck"):
        raise NotImplementedError(
            "cuda.jit: boundscheck is not supported for GPUs; on the CPU every index is checked without it"
        )
    options = []
    if kws.get("fastmath"):
        options.append("--use_fast_math")
    if kws.get("max_registers"):
        options.append(f"--maxrregcount={int(kws['max_registers'])}")
    bounds = launch_bounds[0] if isinstance(launch_bounds, (tuple, list)) else launch_bounds
    if isinstance(launch_bounds, (tuple, list)) and len(launch_bounds) > 3:
        raise ValueError(f"cuda.jit: Got {len(launch_bounds)} launch bounds: at most three are possible")
    if shared_memory_carveout is not None:
        _check_carveout(shared_memory_carveout)

    linked = linked_texts(link)
    extensions = tuple(kws.get("extensions") or ())

    def made(function: Callable[..., Any], signatures: list[Any]) -> Dispatcher:
        if isinstance(function, Kernel):
            function = function.py_func
        function = numba_function(function) or function
        return Dispatcher(
            function,
            NUMBA,
            device=device,
            host_arrays=True,
            signatures=[kinds for kinds, _ in signatures],
            results=[result for _, result in signatures],
            options=options,
            max_threads=bounds,
            linked=linked,
            extensions=extensions,
            debug=bool(debug),
        )

    is_function = hasattr(func_or_sig, "__code__") or isinstance(func_or_sig, Kernel)
    if is_function or numba_function(func_or_sig) is not None:
        return made(func_or_sig, [])
    signatures = _signatures(func_or_sig)

    def decorate(function: Callable[..., Any]) -> Dispatcher:
        kernel = made(function, signatures)
        if not device:
            # What is wrong with a kernel whose types are given is said where it is defined.
            for kinds, _ in signatures:
                kernel.compile(kinds)
        return kernel

    return decorate
