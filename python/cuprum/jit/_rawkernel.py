"""`rawkernel`, CuPy's decorator for kernels, and `jit`, our own: Numba's typing, both ways to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ._kernel import Kernel, Launcher
from ._rules import CUDA, NUMPY, Rules
from ._signatures import parsed_result, parsed_signature

__all__ = ["JitKernel", "jit", "rawkernel"]


class _OursRules(Rules):
    """Numba's typing; a variable that some way has not bound is an error before the kernel runs, and what a
    thread raises stops the kernel.
    """

    checks_unbound = True
    raises = False


OURS = _OursRules()


class JitKernel(Kernel):
    """A kernel: `kernel[grid, block](*args)`, or `kernel(grid, block, args, shared_mem=0, stream=None)`.

    Examples
    --------
    >>> @cp.jit
    ... def fill(x):
    ...     x[cp.jit.grid(1)] = cp.jit.blockIdx.x
    >>> x = cp.zeros(4)
    >>> fill[2, 2](x)
    >>> x
    array([0., 0., 1., 1.])
    """

    def __call__(self, grid: Any, block: Any, args: Any, shared_mem: int = 0, stream: Any = None) -> None:
        """Launch the kernel.

        Parameters
        ----------
        grid, block : int or tuple of ints
            Blocks of the grid and threads of a block, along one to three axes.
        args : tuple
            The arguments: arrays, numbers, tuples of them.
        shared_mem : int, optional
            Bytes of dynamic shared memory.
        stream : Stream, optional
            The stream on a GPU, the current one by default.
        """
        self._refuse_device()
        grid, block = self._configured(grid, block)
        if not isinstance(args, tuple):
            args = tuple(args)
        self._launch(grid, block, args, shared_mem, stream)

    def __getitem__(self, configuration: Any) -> Launcher:
        self._refuse_device()
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise ValueError(f"{self.__name__}: launch as {self.__name__}[grid, block](...)")
        grid, block, *rest = configuration
        stream = rest[0] if rest else None
        return Launcher(self, grid, block, stream or None, rest[1] if len(rest) > 1 else 0)

    def _refuse_device(self) -> None:
        if self._device:
            raise TypeError(f"{self.__name__!r} is a device function: kernels call it, it is not launched")

    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]:
        """The CUDA C of the kernel, by the types of the arguments that it was compiled for."""
        return {compiled.kinds: compiled.text.text for compiled in self._compiled.values()}

    @property
    def cached_code(self) -> str:
        """The CUDA C of the kernel, which must have been compiled for one combination of types."""
        codes = self.cached_codes
        if not codes:
            raise RuntimeError(f"{self.__name__!r} has not been compiled; launch it, then ask again")
        if len(codes) > 1:
            raise RuntimeError(f"{self.__name__!r} has been compiled for several types; use cached_codes")
        return next(iter(codes.values()))


def rawkernel(*, mode: str = "cuda", device: bool = False) -> Callable[[Callable[..., Any]], JitKernel]:
    """Make a kernel of a Python function, with CuPy's typing.

    Parameters
    ----------
    mode : str, optional
        'cuda' for C's rules of types (literals have 32 bits), 'numpy' for NumPy's.
    device : bool, optional
        Whether the function is called by kernels, not launched.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cp.jit.rawkernel()
    ... def double(x, y, n):
    ...     i = cp.jit.grid(1)
    ...     if i < n:
    ...         y[i] = x[i] * 2
    >>> x = cp.arange(4, dtype="float32")
    >>> y = cp.zeros_like(x)
    >>> double((1,), (32,), (x, y, 4))
    >>> y
    array([0., 2., 4., 6.], dtype=float32)
    """
    rules = {"cuda": CUDA, "numpy": NUMPY}.get(mode)
    if rules is None:
        raise ValueError(f"rawkernel: mode must be 'cuda' or 'numpy', got {mode!r}")

    def decorate(function: Callable[..., Any]) -> JitKernel:
        return JitKernel(function, rules, device=device)

    return decorate


def jit(function: Callable[..., Any] | Any = None, *, device: bool = False, fastmath: bool = False) -> Any:
    """Make a kernel of a Python function: compiled at its first launch, for the types of its arguments.

    Integers have 64 bits and float literals are float64, as in Python; `//`, `%` and `**` mean what they
    mean there, and negative indices count from the end. On the CPU every index is checked.

    Parameters
    ----------
    function : callable or signature, optional
        The function; a signature such as ``'void(float32[:], int32)'`` fixes the types.
    device : bool, optional
        Whether the function is called by kernels, not launched.
    fastmath : bool, optional
        Whether a GPU may trade accuracy for speed.

    Returns
    -------
    JitKernel
        Launched as ``kernel[grid, block](*args)`` or ``kernel(grid, block, args)``.

    Examples
    --------
    >>> @cp.jit
    ... def add(x, y, out):
    ...     i = cp.jit.grid(1)
    ...     if i < out.size:
    ...         out[i] = x[i] + y[i]
    >>> x = cp.arange(4.0)
    >>> out = cp.zeros_like(x)
    >>> add[1, 32](x, x, out)
    >>> out
    array([0., 2., 4., 6.])
    """
    options = ("--use_fast_math",) if fastmath else ()
    if callable(function) and hasattr(function, "__code__"):
        return JitKernel(function, OURS, device=device, options=options)
    signatures: list[Any] = []
    results: list[Any] = []
    if function is not None:
        given: list[Any]
        several = isinstance(function, (list, tuple)) and all(isinstance(item, str) for item in function)
        given = [*function] if several else [function]  # type: ignore[misc]
        signatures = [parsed_signature(item) for item in given]
        results = [parsed_result(item) for item in given]

    def decorate(inner: Callable[..., Any]) -> JitKernel:
        return JitKernel(inner, OURS, device=device, signatures=signatures, results=results, options=options)

    return decorate


def missing(name: str, module: str, instead: str) -> NoReturn:
    """Raise for a name that other libraries have and we do not, saying what to use."""
    raise AttributeError(f"module {module!r} has no attribute {name!r}; {instead}")
