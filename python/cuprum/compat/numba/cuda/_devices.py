"""Devices and contexts under Numba's names; without a GPU the CPU is device 0."""

from __future__ import annotations

import contextlib
import functools
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import cuda

__all__ = [
    "close",
    "cuda_error",
    "current_context",
    "defer_cleanup",
    "detect",
    "get_current_device",
    "gpus",
    "is_available",
    "is_float16_supported",
    "is_supported_version",
    "list_devices",
    "profile_start",
    "profile_stop",
    "profiling",
    "require_context",
    "runtime",
    "select_device",
    "synchronize",
]

MemoryInfo = namedtuple("MemoryInfo", ["free", "total"])


class Device:
    """A device. Its attributes are CUDA's, in capitals: `MULTIPROCESSOR_COUNT`, `WARP_SIZE`, ..."""

    def __init__(self, number: int) -> None:
        self.id = number
        self._device = cuda.Device(number)

    @property
    def name(self) -> bytes:
        """The device's name, as bytes."""
        name = cuda.runtime.getDeviceProperties(self.id)["name"]
        return name if isinstance(name, bytes) else str(name).encode()

    @property
    def compute_capability(self) -> tuple[int, int]:
        """The compute capability."""
        digits = self._device.compute_capability
        return int(digits[:-1]), int(digits[-1])

    @property
    def supports_float16(self) -> bool:
        """Whether kernels have float16."""
        return True

    @property
    def supports_bfloat16(self) -> bool:
        """Whether kernels in Python have bfloat16."""
        return False

    def reset(self) -> None:
        """Wait for the device's work."""
        self._device.synchronize()

    def get_primary_context(self) -> Context:
        """Return the device's context."""
        return Context(self)

    def __getattr__(self, name: str) -> Any:
        if name.isupper():
            wanted = name.replace("_", "")
            for key, value in self._device.attributes.items():
                if key.upper() == wanted:
                    return value
        raise AttributeError(f"the device has no attribute {name!r}")

    def __enter__(self) -> Context:
        self._device.__enter__()
        return Context(self)

    def __exit__(self, *args: Any) -> None:
        self._device.__exit__(*args)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} {self.name!r}>"


class Context:
    """A device's context: its memory, and waiting for its work."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def get_memory_info(self) -> MemoryInfo:
        """Return the free and the total memory in bytes."""
        return MemoryInfo(*self.device._device.mem_info)

    def synchronize(self) -> None:
        """Wait for all work."""
        self.device._device.synchronize()

    def reset(self) -> None:
        """Give back memory that nobody uses."""
        cuda.get_default_memory_pool().free_all_blocks()

    def defer_cleanup(self) -> Any:
        """Return a context manager; memory is pooled, so that nothing needs to be put off."""
        return defer_cleanup()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *args: Any) -> None:
        return None


class _Devices:
    """The list of devices."""

    @property
    def lst(self) -> list[Device]:
        """The devices as a list."""
        return [Device(number) for number in range(len(self))]

    @property
    def current(self) -> Device:
        """The current device."""
        return get_current_device()

    def __len__(self) -> int:
        return int(cuda.runtime.getDeviceCount())

    def __getitem__(self, number: int) -> Device:
        if not 0 <= number < len(self):
            raise IndexError(f"there is no device {number}")
        return Device(number)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.lst)

    def __repr__(self) -> str:
        return repr(self.lst)


gpus = _Devices()


def list_devices() -> _Devices:
    """Return the devices."""
    return gpus


def select_device(device_id: int) -> Context:
    """Make a device the current one."""
    device = gpus[device_id]
    device._device.use()
    return Context(device)


def get_current_device() -> Device:
    """Return the current device."""
    return Device(cuda.runtime.getDevice())


def current_context(devnum: int | None = None) -> Context:
    """Return the context of the current device, or of another one."""
    return Context(get_current_device() if devnum is None else gpus[devnum])


def require_context(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function: there is always a context."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return called


def synchronize() -> None:
    """Wait until all work of the current device is done."""
    cuda.Device().synchronize()


def is_available() -> bool:
    """Return whether kernels can run: always, on the CPU where there is no GPU.

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> cuda.is_available()
    True
    """
    return True


def is_supported_version() -> bool:
    """Return whether CUDA's version is one that is known to work."""
    return True


def is_float16_supported() -> bool:
    """Return whether kernels have float16."""
    return True


def cuda_error() -> str | None:
    """Return what is wrong with the driver; None, since kernels run without one too."""
    return None


def detect() -> bool:
    """Print the devices that kernels run on."""
    if not cuda.is_available():
        print("Found 0 CUDA devices; kernels run on the CPU")
        return True
    print(f"Found {len(gpus)} CUDA devices")
    for device in gpus:
        major, minor = device.compute_capability
        print(f"id {device.id}    {device.name!r}    compute capability: {major}.{minor}")
    return True


def close() -> None:
    """Wait for all work and give back memory that nobody uses; arrays stay valid."""
    synchronize()
    cuda.get_default_memory_pool().free_all_blocks()


@contextlib.contextmanager
def defer_cleanup() -> Iterator[None]:
    """Do nothing: memory is pooled, so that freeing it never waits."""
    yield


def profile_start() -> None:
    """Start the profiler that watches the process."""
    cuda.runtime.profilerStart()


def profile_stop() -> None:
    """Stop the profiler that watches the process."""
    cuda.runtime.profilerStop()


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """Run the profiler within a block."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


class _Runtime:
    """The CUDA runtime: its version."""

    def get_version(self) -> tuple[int, int]:
        """Return the version."""
        number = int(cuda.runtime.runtimeGetVersion())
        return number // 1000, number % 1000 // 10

    def is_supported_version(self) -> bool:
        """Return whether the version is one that is known to work."""
        return True


runtime = _Runtime()
