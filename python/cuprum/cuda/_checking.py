"""What holds for the launches of a `with` block: checking, order and time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import _core

__all__ = ["check", "launch_settings"]


@contextmanager
def launch_settings(**changes: Any) -> Iterator[None]:
    """Set how this thread's kernels are launched, inside a `with` block.

    Parameters
    ----------
    deterministic : bool, optional
        Whether blocks run in order, on the CPU; None leaves that to the kernel.
    timeout : float, optional
        The seconds after which a kernel is stopped, on the CPU; None for no limit.

    Examples
    --------
    >>> with cp.cuda.launch_settings(timeout=10.0, deterministic=True):
    ...     pass
    """
    names = ("check", "order", "deterministic", "timeout")
    unknown = sorted(set(changes) - set(names))
    if unknown:
        raise TypeError(f"launch_settings: there is no setting {unknown[0]!r}: use deterministic or timeout")
    before = _core.kernel_settings()
    _core.set_kernel_settings(**{**dict(zip(names, before, strict=True)), **changes})
    try:
        yield
    finally:
        _core.set_kernel_settings(*before)


@contextmanager
def check(*, order: int | None = None) -> Iterator[None]:
    """Look for faults that a plain run does not show, in all kernels that this thread launches inside.

    On the CPU: races in shared and global memory, reads of variables and memory that nobody has written
    (arrays of `cp.empty` that are made inside among them), threads at different barriers. Each is an
    exception that names kernel, line, thread and block of both sides. On a GPU every launch is waited for, so
    that its faults show where it was made. `CUPRUM_CHECK=1` does the same for a whole program.

    Parameters
    ----------
    order : int, optional
        A seed: the threads between two barriers run in an order that is drawn from it, in ascending order by
        default. A result that changes with it hides a race.

    Examples
    --------
    >>> code = '''extern "C" __global__ void total(const int* x, int* sum) { *sum += x[threadIdx.x]; }'''
    >>> kernel = cp.RawKernel(code, "total")
    >>> x, result = cp.arange(4, dtype="int32"), cp.zeros(1, "int32")
    >>> if not cp.cuda.is_available():
    ...     try:
    ...         with cp.cuda.check():
    ...             kernel((1,), (4,), (x, result))
    ...     except cp.cuda.RaceError as error:
    ...         assert error.kernel == "total"
    """
    with launch_settings(check=True, order=order):
        yield
