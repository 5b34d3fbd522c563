"""What stops a kernel on the CPU, as exceptions that know the kernel, the line, the thread and the block."""

from __future__ import annotations

from typing import Any

__all__ = [
    "DeadlockError",
    "KernelAssertionError",
    "KernelError",
    "KernelLaunchError",
    "KernelMemoryError",
    "KernelTimeoutError",
    "RaceError",
    "UninitializedError",
]

Site = tuple[int, tuple[int, int, int], tuple[int, int, int]]


class KernelError(RuntimeError):
    """A kernel that did something wrong, or was stopped. The process and its arrays go on.

    Attributes
    ----------
    kernel : str
        The kernel's name.
    line : int
        The line of the kernel's text; 0 where there is none.
    thread, block : tuple of ints
        `threadIdx` and `blockIdx` of the thread.
    other : tuple, optional
        Line, thread and block of the other side of a race or of a divergent barrier.

    Examples
    --------
    >>> issubclass(cp.cuda.KernelMemoryError, (cp.cuda.KernelError, IndexError))
    True
    """

    kernel: str = ""
    line: int = 0
    thread: tuple[int, int, int] = (0, 0, 0)
    block: tuple[int, int, int] = (0, 0, 0)
    other: Site | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.args, self.__dict__)


class KernelMemoryError(KernelError, IndexError):
    """An access beside the kernel's arrays, misaligned, or a write to memory that may not be written.

    Examples
    --------
    >>> code = 'extern "C" __global__ void f(float* x) { x[5] = 1; }'
    >>> kernel = cp.RawKernel(code, "f")
    >>> if not cp.cuda.is_available():
    ...     try:
    ...         kernel((1,), (1,), (cp.zeros(3, "float32"),))
    ...     except IndexError as error:
    ...         assert error.line == 1 and error.kernel == "f"
    """


class UninitializedError(KernelMemoryError):
    """A read of memory that nobody has written; found in checking mode.

    Examples
    --------
    >>> issubclass(cp.cuda.UninitializedError, cp.cuda.KernelMemoryError)
    True
    """


class RaceError(KernelError):
    """Two threads at one address without a barrier between them, one of them writing; found in checking mode.

    Examples
    --------
    >>> issubclass(cp.cuda.RaceError, cp.cuda.KernelError)
    True
    """


class DeadlockError(KernelError):
    """Threads that wait for one another for ever, at different barriers, or for lanes that never come.

    Examples
    --------
    >>> issubclass(cp.cuda.DeadlockError, cp.cuda.KernelError)
    True
    """


class KernelAssertionError(KernelError, AssertionError):
    """An `assert` of the kernel's that does not hold, or a `__trap`.

    Examples
    --------
    >>> issubclass(cp.cuda.KernelAssertionError, AssertionError)
    True
    """


class KernelTimeoutError(KernelError, TimeoutError):
    """A kernel that took longer than its launch allowed.

    Examples
    --------
    >>> issubclass(cp.cuda.KernelTimeoutError, TimeoutError)
    True
    """


class KernelLaunchError(KernelError, ValueError):
    """A launch that cannot be: too many threads, too much shared memory, recursion too deep.

    Examples
    --------
    >>> issubclass(cp.cuda.KernelLaunchError, ValueError)
    True
    """


_CLASSES: dict[str, type[KernelError]] = {
    "OutOfBounds": KernelMemoryError,
    "Index": KernelMemoryError,
    "Misaligned": KernelMemoryError,
    "ReadOnly": KernelMemoryError,
    "Uninitialised": UninitializedError,
    "Race": RaceError,
    "DivergentBarrier": DeadlockError,
    "WarpMask": DeadlockError,
    "Deadlock": DeadlockError,
    "Assertion": KernelAssertionError,
    "Stack": KernelLaunchError,
    "Timeout": KernelTimeoutError,
    "Launch": KernelLaunchError,
}


def exception(kind: str, text: str, kernel: str, site: Site | None, other: Site | None) -> KernelError:
    """Return the exception of a fault."""
    error = _CLASSES.get(kind, KernelError)(text)
    error.kernel = kernel
    if site is not None:
        error.line, error.thread, error.block = site[0], tuple(site[1]), tuple(site[2])  # type: ignore[assignment]
    error.other = other
    return error
