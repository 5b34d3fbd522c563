"""The plans that a GPU keeps between Fourier transforms: how many, and for how much working memory.

Names are those of CuPy's `fft.config`. Each GPU has one cache, which all threads share. A plan is kept for
each geometry (lengths, dtypes, layout, batch), the one not used for longest goes first. Working memory comes
from the memory pool for the time of a transform; what is counted here is how much of it the plans ask for.
The CPU keeps no plans of this kind: there the limits are noted, and the cache stays empty.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

from .. import _core
from ._callbacks import active, set_cufft_callbacks

__all__ = [
    "PlanCache",
    "clear_plan_cache",
    "devices",
    "get_current_callback_manager",
    "get_plan_cache",
    "get_plan_cache_max_memsize",
    "get_plan_cache_size",
    "set_cufft_callbacks",
    "set_cufft_gpus",
    "set_plan_cache_max_memsize",
    "set_plan_cache_size",
    "show_plan_cache_info",
]

devices: None = None
"""The GPUs of transforms over several: there are none."""

_nd_planning: list[bool] = [True]
_on_cpu: dict[str, int] = {"size": 64, "memsize": -1}


class PlanCache:
    """The plans of one device, as `get_plan_cache` gives them.

    Examples
    --------
    >>> cache = cp.fft.config.get_plan_cache()
    >>> before = cache.get_size()
    >>> cache.set_size(8)
    >>> cache.get_size(), cache.get_curr_size() <= 8
    (8, True)
    >>> cache.set_size(before)
    """

    def __init__(self, *_: object) -> None:
        raise RuntimeError("a PlanCache is given by get_plan_cache")

    @classmethod
    def _of(cls, gpu: int | None) -> PlanCache:
        cache = cls.__new__(cls)
        cache._gpu = gpu
        return cache

    _gpu: int | None

    def _limits(self) -> tuple[int, int]:
        """Return the most plans and the most bytes, -1 for any number."""
        if self._gpu is None:
            return _on_cpu["size"], _on_cpu["memsize"]
        size, memsize, *_ = _core.fft_plans(self._gpu)
        return size, -1 if memsize is None else memsize

    def _limit(self, size: int, memsize: int) -> None:
        # CuPy's -1 is any number of either.
        if size < -1 or memsize < -1:
            raise ValueError(f"PlanCache: a limit is -1 or more, got {min(size, memsize)}")
        if self._gpu is None:
            _on_cpu.update(size=size, memsize=memsize)
            return
        most = (1 << 31) - 1
        _core.limit_fft_plans(self._gpu, most if size < 0 else size, None if memsize < 0 else memsize)

    def _plans(self) -> list[tuple[str, int]]:
        return [] if self._gpu is None else _core.fft_plans(self._gpu)[2]

    def get_size(self) -> int:
        """Return how many plans may be kept."""
        return self._limits()[0]

    def set_size(self, size: int) -> None:
        """Set how many plans may be kept, 0 for none and -1 for any number; those beyond go."""
        self._limit(int(size), self._limits()[1])

    def get_memsize(self) -> int:
        """Return for how many bytes of working memory plans may be kept, -1 for any number.

        Examples
        --------
        >>> cp.fft.config.get_plan_cache().get_memsize()
        -1
        """
        return self._limits()[1]

    def set_memsize(self, memsize: int) -> None:
        """Set for how many bytes of working memory plans may be kept, -1 for any number; those beyond go.

        Examples
        --------
        >>> cp.fft.config.get_plan_cache().set_memsize(-1)
        """
        self._limit(self._limits()[0], int(memsize))

    def get_curr_size(self) -> int:
        """Return how many plans are kept."""
        return len(self._plans())

    def get_curr_memsize(self) -> int:
        """Return how many bytes of working memory the plans that are kept ask for.

        Examples
        --------
        >>> cp.fft.config.get_plan_cache().get_curr_memsize() >= 0
        True
        """
        return sum(size for _, size in self._plans())

    def clear(self) -> None:
        """Let go of all plans, and count hits and misses from zero.

        Examples
        --------
        >>> cp.fft.config.get_plan_cache().clear()
        """
        if self._gpu is not None:
            _core.clear_fft_plans(self._gpu)

    def show_info(self) -> None:
        """Print the limits, the plans, and how often one was there.

        Examples
        --------
        >>> import contextlib, io
        >>> with contextlib.redirect_stdout(io.StringIO()) as text:
        ...     cp.fft.config.get_plan_cache().show_info()
        >>> bool(text.getvalue())
        True
        """
        print(self)

    def __repr__(self) -> str:
        size, memsize = self._limits()
        hits, misses = (0, 0) if self._gpu is None else _core.fft_plans(self._gpu)[3:]
        device = "CPU" if self._gpu is None else f"device {self._gpu}"
        limit = "unlimited" if memsize < 0 else str(memsize)
        lines = [
            f"cuFFT plan cache of {device}",
            f"plans: {self.get_curr_size()} of {'unlimited' if size < 0 else size}",
            f"working memory: {self.get_curr_memsize()} of {limit} bytes",
            f"hits: {hits}, misses: {misses}",
        ]
        lines += [f"  {plan}: {size} bytes" for plan, size in reversed(self._plans())]
        return "\n".join(lines)


def get_plan_cache() -> PlanCache:
    """Return the plans of the current device.

    Examples
    --------
    >>> cp.fft.config.get_plan_cache().get_memsize()
    -1
    """
    return PlanCache._of(_core.current_gpu())


def get_plan_cache_size() -> int:
    """Return how many plans the current device may keep.

    Examples
    --------
    >>> cp.fft.config.get_plan_cache_size()
    64
    """
    return get_plan_cache().get_size()


def set_plan_cache_size(size: int) -> None:
    """Set how many plans the current device may keep.

    Examples
    --------
    >>> cp.fft.config.set_plan_cache_size(64)
    """
    get_plan_cache().set_size(size)


def get_plan_cache_max_memsize() -> int:
    """Return for how many bytes of working memory the current device may keep plans, -1 for any number.

    Examples
    --------
    >>> cp.fft.config.get_plan_cache_max_memsize()
    -1
    """
    return get_plan_cache().get_memsize()


def set_plan_cache_max_memsize(size: int) -> None:
    """Set for how many bytes of working memory the current device may keep plans.

    Examples
    --------
    >>> cp.fft.config.set_plan_cache_max_memsize(-1)
    """
    get_plan_cache().set_memsize(size)


def clear_plan_cache() -> None:
    """Let go of the current device's plans.

    Examples
    --------
    >>> cp.fft.config.clear_plan_cache()
    """
    get_plan_cache().clear()


def show_plan_cache_info() -> None:
    """Print the current device's plans.

    Examples
    --------
    >>> cp.fft.config.show_plan_cache_info()  # doctest: +ELLIPSIS
    cuFFT plan cache of ...
    """
    get_plan_cache().show_info()


def set_cufft_gpus(gpus: Any) -> None:
    """Choose the GPUs of transforms over several; there are none here, and more than one is an error.

    Parameters
    ----------
    gpus : int or sequence of int
        How many GPUs, or which.

    Examples
    --------
    >>> cp.fft.config.set_cufft_gpus(1)
    Traceback (most recent call last):
        ...
    ValueError: set_cufft_gpus: must use at least 2 GPUs, got 1
    """
    if not isinstance(gpus, (int, list, tuple)):
        raise ValueError(f"set_cufft_gpus: gpus must be an int or a list or tuple of int, got {gpus!r}")
    count = gpus if isinstance(gpus, int) else len(gpus)
    if count <= 1:
        raise ValueError(f"set_cufft_gpus: must use at least 2 GPUs, got {count}")
    raise RuntimeError(
        "set_cufft_gpus: a transform runs on one GPU; share a batch among several by `with cp.cuda.Device(i)`"
    )


def get_current_callback_manager() -> Any:
    """Return what `set_cufft_callbacks` has put in force; None without.

    Examples
    --------
    >>> cp.fft.config.get_current_callback_manager() is None
    True
    """
    return active()


def _warn_of_planning() -> None:
    warnings.warn(
        "fft.config.enable_nd_planning is deprecated, as in CuPy, and changes nothing: the device chooses",
        DeprecationWarning,
        stacklevel=3,
    )


class _Config(types.ModuleType):
    """The module, with the settings that programs assign to."""

    @property
    def enable_nd_planning(self) -> bool:
        """Whether transforms of several axes are planned as one; kept as it is set, the device chooses."""
        _warn_of_planning()
        return _nd_planning[0]

    @enable_nd_planning.setter
    def enable_nd_planning(self, value: Any) -> None:
        _warn_of_planning()
        _nd_planning[0] = bool(value)

    @property
    def use_multi_gpus(self) -> bool:
        """Whether transforms run on several GPUs: they do not, and True is an error."""
        return False

    @use_multi_gpus.setter
    def use_multi_gpus(self, value: Any) -> None:
        if value:
            raise RuntimeError(
                "fft.config.use_multi_gpus: a transform runs on one GPU; share a batch among several by "
                "`with cp.cuda.Device(i)`"
            )


sys.modules[__name__].__class__ = _Config
