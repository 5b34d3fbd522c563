"""Timing functions: `benchmark` tells the time of the calls from the time of the work that they record."""

from __future__ import annotations

import math
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ContextDecorator, contextmanager
from typing import Any

import numpy as np

import cuprum
from cuprum.cuda import nvtx

__all__ = ["benchmark", "load_ipython_extension", "profile", "time_range"]


class _Timings:
    """The times of a function's calls, in seconds: `cpu_times` of the calls, `gpu_times` of the work."""

    def __init__(self, name: str, cpu_times: list[float], gpu_times: list[float]) -> None:
        self.name = name
        self.cpu_times = np.array(cpu_times)
        self.gpu_times = np.array([gpu_times])
        self.devices = (0,)

    def to_str(self, show_gpu: bool = True) -> str:
        """Return the times as text, in microseconds."""
        parts = [f"{self.name:<20s}:", _described("CPU", self.cpu_times)]
        if show_gpu:
            parts.append(_described("GPU-0", self.gpu_times[0]))
        return "    ".join(parts)

    def __str__(self) -> str:
        return self.to_str()

    def __repr__(self) -> str:
        return f"<timings of {self.name}: {len(self.cpu_times)} calls>"


def _described(label: str, seconds: np.ndarray) -> str:
    times = seconds * 1e6
    if not len(times):
        return f"{label}: no calls"
    text = f"{label}: {times.mean():9.03f} us"
    if len(times) > 1:
        text += f"   +/- {times.std():6.03f} (min: {times.min():9.03f} / max: {times.max():9.03f}) us"
    return text


def benchmark(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    n_repeat: int = 10000,
    *,
    name: str | None = None,
    n_warmup: int = 10,
    max_duration: float = math.inf,
    devices: Any = None,
) -> _Timings:
    """Time a function, with the work that it records.

    Parameters
    ----------
    func : callable
        The function. All work that it records is waited for, whether its result is used or not.
    args, kwargs : tuple and dict, optional
        Its arguments.
    n_repeat : int, optional
        The number of calls that are timed.
    name : str, optional
        A name for the report; the function's own by default.
    n_warmup : int, optional
        The number of calls before, which are not timed.
    max_duration : float, optional
        Seconds after which no more calls are made; one is made always.
    devices : None or tuple of one device, optional
        The device.

    Returns
    -------
    object
        With `cpu_times`, `gpu_times` (a row for each device) and `to_str`.

    Examples
    --------
    >>> from cuprum.compat.cupyx import profiler
    >>> a = cp.ones(10_000)
    >>> timings = profiler.benchmark(lambda: a * 2 + 1, n_repeat=3)
    >>> timings.cpu_times.shape, timings.gpu_times.shape
    ((3,), (1, 3))
    """
    keywords = dict(kwargs or {})
    for _ in range(n_warmup):
        func(*args, **keywords)
    cuprum.cuda.get_current_stream().synchronize()
    cpu_times: list[float] = []
    gpu_times: list[float] = []
    start, end = cuprum.cuda.Event(), cuprum.cuda.Event()
    duration = 0.0
    while len(cpu_times) < n_repeat and duration <= max_duration:
        start.record()
        before = time.perf_counter()
        result = func(*args, **keywords)
        cpu_times.append(time.perf_counter() - before)
        end.record()
        del result
        gpu_times.append(cuprum.cuda.get_elapsed_time(start, end) / 1000)
        duration += time.perf_counter() - before
    return _Timings(str(name or getattr(func, "__name__", repr(func))), cpu_times, gpu_times)


@contextmanager
def profile() -> Iterator[None]:
    """Mark the part of a program that a profiler should see. Without a GPU the work just runs.

    Examples
    --------
    >>> from cuprum.compat.cupyx import profiler
    >>> with profiler.profile():
    ...     a = cp.arange(10_000) * 2
    """
    with cuprum.cuda.profile():
        yield


class time_range(ContextDecorator):
    """Mark a `with` block or a function for NVIDIA's profilers; none listens without a GPU.

    Parameters
    ----------
    message : str, optional
        The name of the range.
    color_id, argb_color : int, optional
        Its colour.
    sync : bool, optional
        Whether what is pending runs before the range ends.

    Examples
    --------
    >>> from cuprum.compat.cupyx import profiler
    >>> with profiler.time_range("step", sync=True):
    ...     a = cp.arange(10_000) * 2
    """

    def __init__(
        self,
        message: str | None = None,
        color_id: int | None = None,
        argb_color: int | None = None,
        sync: bool = False,
    ) -> None:
        if color_id is not None and argb_color is not None:
            raise ValueError("time_range: give color_id or argb_color, not both")
        self._message, self._sync = message or "", sync
        self._color = argb_color if argb_color is not None else color_id or 0

    def __enter__(self) -> time_range:
        nvtx.RangePush(self._message, self._color)
        return self

    def __exit__(self, *_: object) -> None:
        if self._sync:
            cuprum.cuda.get_current_stream().synchronize()
        nvtx.RangePop()


def load_ipython_extension(ipython: Any) -> None:
    """Register `%gpu_timeit` and `%%gpu_timeit`: what `%load_ext cupyx.profiler` calls.

    Parameters
    ----------
    ipython : IPython.InteractiveShell
        The shell.

    Examples
    --------
    >>> from cuprum.compat.cupyx import profiler
    >>> class Shell:
    ...     def register_magic_function(self, function, kind, name):
    ...         print(kind, name)
    >>> profiler.load_ipython_extension(Shell())
    line_cell gpu_timeit
    """

    from cuprum._notebook.timing import leading_options

    def gpu_timeit(line: str, cell: str | None = None) -> None:
        """Time code: %gpu_timeit [-n N_REPEAT] [-w N_WARMUP] [--max-duration SEC] expression."""
        valued = {"-n", "--n-repeat", "-w", "--n-warmup", "--max-duration"}
        options, code = leading_options(line, valued, set())
        names = ipython.user_ns
        if cell is None:
            compiled = compile(code, "<gpu_timeit>", "eval")
        else:
            compiled = compile(textwrap.dedent(cell), "<gpu_timeit>", "exec")
        print(
            benchmark(
                lambda: eval(compiled, names),
                name="run",
                n_repeat=int(options.get("-n", options.get("--n-repeat", 10000))),
                n_warmup=int(options.get("-w", options.get("--n-warmup", 10))),
                max_duration=float(options.get("--max-duration", math.inf)),
            )
        )

    ipython.register_magic_function(gpu_timeit, "line_cell", "gpu_timeit")
